package io.sparkata.lab.bench;

/**
 * What is needed to repeat a measurement and to identify its results.
 *
 * @param date date of the report
 * @param machine as {@link Machine} describes it
 * @param commit short commit of Spark ATA, with a {@code +} if the tree had changes outside docs;
 *     {@code unknown} without git
 * @param seed seed of the generated rows; null if none are generated
 * @param command the command line
 */
record Provenance(
    String date,
    String machine,
    String javaVersion,
    String sparkVersion,
    String ataVersion,
    String commit,
    Long seed,
    String command) {

  /** Everything except the command, on one line. */
  String summary() {
    return String.format(
        "%s: %s, Java %s, Spark %s, Spark ATA %s (commit %s)%s",
        date,
        machine,
        javaVersion,
        sparkVersion,
        ataVersion,
        commit,
        seed == null ? "" : ", seed " + seed);
  }
}
