/** Short programs to copy, one file each, with the command that runs it on top. */
package io.sparkata.examples;
