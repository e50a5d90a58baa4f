package io.sparkata.objective;

import io.sparkata.blocks.PackedPartition;
import io.sparkata.rounds.Summand;
import io.sparkata.rounds.TaskReport;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.List;

/** What the tasks of a packing job return: blocks and the sum over them. */
final class PackedSum implements Serializable {
  private static final long serialVersionUID = 1L;

  private final ArrayList<PackedPartition> partitions = new ArrayList<>();
  private final ArrayList<TaskReport> reports = new ArrayList<>();
  private Object sum;

  /** Of no partition yet. */
  PackedSum(Object sum) {
    this.sum = sum;
  }

  /** Of one partition. */
  PackedSum(Object sum, PackedPartition partition, TaskReport report) {
    this(sum);
    partitions.add(partition);
    reports.add(report);
  }

  /** Adds another one, which must not be used after. */
  PackedSum add(PackedSum other, Summand<Object> summand) {
    sum = summand.merge(sum, other.sum);
    partitions.addAll(other.partitions);
    reports.addAll(other.reports);
    return this;
  }

  Object sum() {
    return sum;
  }

  List<PackedPartition> partitions() {
    return partitions;
  }

  /** One per partition. */
  List<TaskReport> reports() {
    return reports;
  }
}
