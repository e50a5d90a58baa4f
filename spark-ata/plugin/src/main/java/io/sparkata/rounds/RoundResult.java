package io.sparkata.rounds;

import java.io.Serializable;
import java.util.ArrayList;
import java.util.List;

/**
 * A round's sum with the proof of what it covers: the rows read, with the packing id of the block
 * they were read from, and every block that no executor held.
 *
 * @param <S> the sum
 */
public final class RoundResult<S> implements Serializable {
  private static final long serialVersionUID = 1L;

  private final ArrayList<CoveredRows> covered = new ArrayList<>();
  private final ArrayList<Integer> missing = new ArrayList<>();
  private final ArrayList<TaskReport> reports = new ArrayList<>();
  private S sum;

  /** A result that covers no rows yet and has no sum. */
  public RoundResult() {}

  /** A result that covers no rows yet. */
  public RoundResult(S sum) {
    this.sum = sum;
  }

  public void cover(CoveredRows rows) {
    covered.add(rows);
  }

  void miss(int block) {
    missing.add(block);
  }

  public void report(TaskReport report) {
    reports.add(report);
  }

  /** Sets the sum, null where only the reports are wanted. */
  public void sum(S ofRows) {
    sum = ofRows;
  }

  /** Adds another task's sum and proof, which must not be used after. */
  public RoundResult<S> merge(RoundResult<S> other, Summand<S> summand) {
    if (sum != null || other.sum != null) {
      sum = summand.merge(sum, other.sum);
    }
    covered.addAll(other.covered);
    missing.addAll(other.missing);
    reports.addAll(other.reports);
    return this;
  }

  public S sum() {
    return sum;
  }

  public List<CoveredRows> covered() {
    return covered;
  }

  /** Positions of the blocks that no executor held. */
  List<Integer> missing() {
    return missing;
  }

  /** One per task. */
  public List<TaskReport> reports() {
    return reports;
  }
}
