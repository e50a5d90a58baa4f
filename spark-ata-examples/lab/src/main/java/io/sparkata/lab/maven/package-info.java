/** Maven, for the commands that test Spark ATA with a given Spark. */
package io.sparkata.lab.maven;
