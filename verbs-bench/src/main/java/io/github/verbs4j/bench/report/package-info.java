/** What the comparisons left, drawn: pictures, and a page that shows them with the numbers. */
package io.github.verbs4j.bench.report;
