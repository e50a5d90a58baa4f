package io.sparkata.rounds.crew;

import io.sparkata.rounds.Summand;
import io.sparkata.rounds.TaskReport;
import io.sparkata.rounds.crew.PullMessages.Pulled;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** What one attempt at a greedy round has summed. One thread. */
final class GreedySum<S> {
  private final Summand<S> summand;
  private final CrewHost host;
  private final List<TaskReport> reports = new ArrayList<>();
  private final Map<String, TaskReport> inSequence = new HashMap<>();
  private S value;

  GreedySum(Summand<S> summand, CrewHost host) {
    this.summand = summand;
    this.host = host;
    this.value = summand.zero();
  }

  @SuppressWarnings("unchecked") // the summand is the round's
  void add(Pulled pulled) {
    value = summand.merge(value, (S) host.result(pulled.sum()));
    reports.add(report(pulled, pulled.nanos()));
    inSequence
        .computeIfAbsent(pulled.executorId(), TaskReport::new)
        .add(report(pulled, pulled.longestNanos()));
  }

  private static TaskReport report(Pulled pulled, long nanos) {
    TaskReport report = new TaskReport(pulled.executorId());
    report.rows = pulled.rows();
    report.sampledRows = pulled.rows();
    report.kernelNanos = nanos;
    return report;
  }

  Summand<S> summand() {
    return summand;
  }

  S value() {
    return value;
  }

  /** One per micro-task. */
  List<TaskReport> reports() {
    return reports;
  }

  /** By executor, whose micro-tasks come one after the other: the longest slot of each. */
  List<TaskReport> byExecutor() {
    return List.copyOf(inSequence.values());
  }
}
