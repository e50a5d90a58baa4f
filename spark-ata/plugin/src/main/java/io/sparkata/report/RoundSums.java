package io.sparkata.report;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Sums over the rounds of one training, with an estimate of what equal shares would have taken.
 *
 * <p>Equal shares change the longest task of a round. An executor's task would have taken what it
 * took and, for each row more or less, its time per row ({@link RelativeTimes}). Noise of a round
 * is thus on both sides, and shares that were equal save exactly nothing. Of an executor that is
 * not known, rows more are taken to cost nothing, so that the estimate is a least one. A round in
 * which blocks moved teaches nothing, since senders are slow in it. Cost per round: a few
 * operations per executor.
 */
final class RoundSums {
  private static final int OVERHEAD_WINDOW = 31;
  private static final int MOST_PENDING = 15;

  private final Map<String, Executor> executors = new LinkedHashMap<>();
  private final RelativeTimes times = new RelativeTimes();
  private final Deque<Pending> pending = new ArrayDeque<>();
  private final List<Double> saved = new ArrayList<>(); // by round
  private double waitedSeconds;
  private double savedMoving; // in rounds in which blocks moved
  private double seconds;
  private double packSeconds;
  private boolean isPackingASum;
  private int rounds;
  private Optional<LackingMemory> lacking = Optional.empty();

  /** A round that waits for more to be known of its executors. */
  private record Pending(boolean isMoving, double pace, List<ExecutorShare> shares) {}

  private static final class Executor {
    private final RecentMedian overhead = new RecentMedian(OVERHEAD_WINDOW);
    private String host = "";
    private int rounds;
    private double kernelSeconds; // of equal shares
    private long movedBytes;
  }

  /** Adds the time of packing; {@code isSum}: it was the first sum too. */
  void packed(double forSeconds, boolean isSum) {
    packSeconds += forSeconds;
    isPackingASum |= isSum;
  }

  /** Adds what one task took besides its kernel and fetching. */
  void overhead(String executor, double taskSeconds) {
    executors.computeIfAbsent(executor, unused -> new Executor()).overhead.add(taskSeconds);
  }

  /** Whose memory limits the rounds from here on, if anyone's does. */
  void lacking(Optional<LackingMemory> memory) {
    lacking = memory;
  }

  /**
   * Adds a round.
   *
   * @param roundSeconds measured, from its planning to its sum
   * @param shares of all live executors
   */
  void round(double roundSeconds, List<ExecutorShare> shares) {
    boolean isMoving = shares.stream().anyMatch(share -> share.fetchSeconds() > 0);
    Map<String, RelativeTimes.Work> work = new HashMap<>();
    for (ExecutorShare share : shares) {
      Executor executor = executors.computeIfAbsent(share.executor(), unused -> new Executor());
      executor.host = share.host();
      executor.movedBytes += share.movedBytes();
      work.put(share.executor(), new RelativeTimes.Work(share.rows(), share.kernelSeconds()));
    }
    if (!isMoving) {
      times.add(work);
    }
    seconds += roundSeconds;
    rounds++;
    pending.add(new Pending(isMoving, times.pace(), shares));
    if (pending.size() > MOST_PENDING) {
      settle(pending.remove());
    }
  }

  /** Adds by how much the longest task of a round would be longer with equal shares. */
  private void settle(Pending round) {
    double rowsOfAll = round.shares.stream().mapToLong(ExecutorShare::rows).sum();
    double evenRows = rowsOfAll / round.shares.size();
    double pace = Double.isNaN(round.pace) ? times.pace() : round.pace;
    double longest = 0;
    double longestWithoutFetches = 0;
    double longestEven = 0;
    for (ExecutorShare share : round.shares) {
      Executor executor = executors.get(share.executor());
      boolean isKnown = times.isKnown(share.executor());
      double perRow = isKnown ? times.of(share.executor(), pace) : 0;
      double more = (evenRows - share.rows()) * perRow;
      double overhead = executor.overhead.value();
      double even = round.isMoving ? evenRows * perRow : Math.max(0, share.kernelSeconds() + more);
      executor.rounds++;
      executor.kernelSeconds += even;
      if (share.rows() > 0) {
        double work = overhead + share.kernelSeconds();
        longest = Math.max(longest, work + share.fetchSeconds());
        longestWithoutFetches = Math.max(longestWithoutFetches, work);
      }
      if (share.rows() > 0 || isKnown) {
        longestEven = Math.max(longestEven, overhead + even);
      }
    }
    waitedSeconds += longest - longestWithoutFetches;
    if (round.isMoving) {
      savedMoving += longestEven - longest;
    } else {
      saved.add(longestEven - longest);
    }
  }

  int rounds() {
    return rounds;
  }

  TrainedSummary summary() {
    while (!pending.isEmpty()) {
      settle(pending.remove());
    }
    double[] byRound = saved.stream().mapToDouble(Double::doubleValue).toArray();
    return new TrainedSummary(
        rounds,
        seconds,
        packSeconds,
        isPackingASum,
        moved(),
        lacking,
        SavedSeconds.of(byRound).map(sum -> sum.plus(savedMoving)),
        executors.keySet().stream().filter(id -> !times.isKnown(id)).findFirst(),
        SlowestExecutor.of(even()));
  }

  private MovedRows moved() {
    long[] bytes = executors.values().stream().mapToLong(one -> one.movedBytes).toArray();
    int receivers = (int) Arrays.stream(bytes).filter(one -> one > 0).count();
    return new MovedRows(Arrays.stream(bytes).sum(), receivers, waitedSeconds);
  }

  private List<SlowestExecutor.Even> even() {
    return executors.entrySet().stream()
        .filter(one -> one.getValue().rounds > 0 && times.isKnown(one.getKey()))
        .map(
            one -> {
              Executor executor = one.getValue();
              double kernel = executor.kernelSeconds / executor.rounds;
              return new SlowestExecutor.Even(
                  one.getKey(), executor.host, kernel, executor.overhead.value());
            })
        .toList();
  }
}
