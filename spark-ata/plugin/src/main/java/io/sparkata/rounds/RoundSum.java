package io.sparkata.rounds;

import java.util.ArrayList;
import java.util.List;

/**
 * A round's sum together with the proof of what it covers: the rows read, with the stamp of the
 * block they were read from, and every block that nobody held.
 */
final class RoundSum extends BatchSum {
  private static final long serialVersionUID = 1L;

  private final ArrayList<CoveredRows> covered = new ArrayList<>();
  private final ArrayList<Integer> missing = new ArrayList<>();
  private final ArrayList<TaskReport> reports = new ArrayList<>();

  void cover(CoveredRows rows) {
    covered.add(rows);
  }

  void forgetCoverage() {
    covered.clear();
  }

  void miss(int block) {
    missing.add(block);
  }

  void report(TaskReport report) {
    reports.add(report);
  }

  /** Adds another task's sum and proof; the other is spent. */
  RoundSum merge(RoundSum other) {
    addSum(other);
    covered.addAll(other.covered);
    missing.addAll(other.missing);
    reports.addAll(other.reports);
    return this;
  }

  List<CoveredRows> covered() {
    return covered;
  }

  /** Positions of the blocks that nobody held. */
  List<Integer> missing() {
    return missing;
  }

  List<TaskReport> reports() {
    return reports;
  }
}
