/** How fast Verbs4J is: against C in one run, and on the device of this machine. */
package io.github.verbs4j.bench;
