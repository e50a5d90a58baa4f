package io.sparkata.report;

import io.sparkata.events.Rounds;
import io.sparkata.events.RoundsCompleted;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.ToLongFunction;

/**
 * Rounds of one training on their way into events. Some rounds in a row are summed up once they are
 * a 64th of all before them, or half a minute old: so a long training has few sums, and each of its
 * first rounds is one. An event takes the sums of a second or more.
 */
final class RoundBatch {
  private static final double PART = 1 / 64.0;
  private static final double EVENT_SECONDS = 1;
  private static final double OLD_SECONDS = 30;

  /** Of more sums, age does not count. */
  private static final int MOST_BY_AGE = 600;

  private final long training;
  private final Map<String, Executor> executors = new LinkedHashMap<>();
  private final List<Rounds> closed = new ArrayList<>();
  private int before;
  private int count;
  private int byMessage;
  private int sums;
  private double seconds;
  private double longestSeconds;
  private double sumStart;
  private double lastEnd;
  private double closedEnd;
  private double eventStart = Double.NaN;

  private static final class Executor {
    private long rows;
    private double kernelSeconds;
    private double fetchSeconds;
    private long movedBytes;
  }

  RoundBatch(long training) {
    this.training = training;
  }

  /**
   * Adds a round; other parameters as of {@link TrainingReport#round}.
   *
   * @param longestTask seconds of its longest task
   * @param now the time of its end, of any clock in seconds
   */
  void add(
      boolean isByMessage,
      double roundSeconds,
      double longestTask,
      List<ExecutorShare> shares,
      double now) {
    if (count == 0) {
      sumStart = now - roundSeconds;
    }
    lastEnd = now;
    count++;
    byMessage += isByMessage ? 1 : 0;
    seconds += roundSeconds;
    for (ExecutorShare share : shares) {
      Executor executor = executors.computeIfAbsent(share.executor(), unused -> new Executor());
      executor.rows += share.rows();
      executor.kernelSeconds += share.kernelSeconds();
      executor.fetchSeconds += share.fetchSeconds();
      executor.movedBytes += share.movedBytes();
    }
    longestSeconds += longestTask;
    boolean isOld = sums < MOST_BY_AGE && now - sumStart >= OLD_SECONDS;
    if (count >= PART * before || isOld) {
      closeSum();
    }
  }

  /** The number of the last round. */
  int lastRound() {
    return before + count;
  }

  /** Rows are packed; {@code isSum}: by a round, the first one, which is in no sum. */
  void packed(boolean isSum) {
    if (isSum && before == 0) {
      before = 1;
    }
  }

  /** Whether an event is due, at this time of the clock. */
  boolean isDue(double now) {
    return !closed.isEmpty() && !(now - eventStart < EVENT_SECONDS); // the first one at once
  }

  /**
   * The event of all sums; empty if there are none.
   *
   * @param time now, in milliseconds since 1970
   * @param now of the clock
   * @param isLast whether it takes the rounds that are no sum yet, too
   */
  Optional<RoundsCompleted> take(long time, double now, boolean isLast) {
    if (isLast && count > 0) {
      closeSum();
    }
    if (closed.isEmpty()) {
      return Optional.empty();
    }
    long end = time - Math.round((now - closedEnd) * 1e3);
    RoundsCompleted event = new RoundsCompleted(training, end, List.copyOf(closed));
    closed.clear();
    eventStart = now;
    return Optional.of(event);
  }

  private void closeSum() {
    List<Executor> values = new ArrayList<>(executors.values());
    closed.add(
        new Rounds(
            before + 1,
            count,
            byMessage,
            micros(seconds),
            micros(longestSeconds),
            List.copyOf(executors.keySet()),
            column(values, one -> one.rows),
            column(values, one -> micros(one.kernelSeconds)),
            column(values, one -> micros(one.fetchSeconds)),
            column(values, one -> one.movedBytes)));
    closedEnd = lastEnd;
    executors.clear();
    before += count;
    sums++;
    count = 0;
    byMessage = 0;
    seconds = 0;
    longestSeconds = 0;
  }

  private static long[] column(List<Executor> executors, ToLongFunction<Executor> figure) {
    return executors.stream().mapToLong(figure).toArray();
  }

  private static long micros(double seconds) {
    return Math.round(seconds * 1e6);
  }
}
