/** Short programs to copy, one file each; the command that runs it is on top of each. */
package io.sparkata.examples;
