package io.sparkata.tools.bench;

/**
 * What it takes to get results again, and to tell them from others.
 *
 * @param date of the report
 * @param machine as {@link Machine} describes it
 * @param commit of Spark ATA, short; with a {@code +} where the tree had changes outside docs,
 *     {@code unknown} without git
 * @param seed of the rows made; null where none are made
 * @param command what has been run
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

  /** All but the command, on one line. */
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
