/**
 * Checks and their programs: some run compiled tests in a JVM of their own, some submit an
 * application.
 */
package io.sparkata.lab.checks;
