/** Text from outside in messages; depends on nothing. */
package io.github.verbs4j.text;
