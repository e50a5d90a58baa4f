/** The commands check-report, with the application that it submits, and jmh. */
package io.sparkata.lab.checks;
