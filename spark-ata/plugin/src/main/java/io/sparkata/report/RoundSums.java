package io.sparkata.report;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;

/**
 * Sums over the rounds of one training, with an estimate of what equal shares would have taken.
 *
 * <p>Equal shares change the longest kernel of a round. With the shares that were run, it is max
 * over executors of (rows of the executor x time per row). With equal shares, it is max over
 * executors of (rows of the round / number of executors x time per row). The time per row is an
 * executor's measured one. The rest of the round stays, but no block is fetched for an uneven
 * share. Cost per round: a few operations per executor.
 */
final class RoundSums {
  /** Rounds that an executor's time per row is the median of: speeds change, and pauses stray. */
  private static final int SPEED_WINDOW = 5;

  private static final int OVERHEAD_WINDOW = 31;

  private final Map<String, Executor> executors = new LinkedHashMap<>();
  private int rounds;
  private double seconds;
  private double savedSeconds;
  private double packSeconds;
  private double usedSeconds;
  private double droppedSeconds;
  private boolean isPackingASum;
  private OptionalInt paidBackAfter = OptionalInt.empty();

  private static final class Executor {
    private final RecentMedian secondsPerRow = new RecentMedian(SPEED_WINDOW);
    private final RecentMedian overhead = new RecentMedian(OVERHEAD_WINDOW);
    private String host = "";
    private int rounds;
    private double kernelSeconds; // of equal shares
    private double fetchSeconds;
  }

  void packed(double forSeconds) {
    packSeconds += forSeconds;
  }

  /** Adds the time of packing that was the first sum too. */
  void packedAndSummed(double forSeconds) {
    packSeconds += forSeconds;
    isPackingASum = true;
  }

  /** Adds what slots worked for a sum, and in vain. */
  void worked(double used, double dropped) {
    usedSeconds += used;
    droppedSeconds += dropped;
  }

  /** Adds what one task took besides its kernel and fetching. */
  void overhead(String executor, double taskSeconds) {
    executors.computeIfAbsent(executor, unused -> new Executor()).overhead.add(taskSeconds);
  }

  /**
   * Adds a round.
   *
   * @param roundSeconds measured, from its planning to its sum
   * @param shares of all live executors
   */
  void round(double roundSeconds, List<ExecutorShare> shares) {
    double rows = 0;
    for (ExecutorShare share : shares) {
      rows += share.rows();
    }
    double evenRows = rows / shares.size();
    double longest = 0;
    double longestEven = 0;
    double longestKernel = 0;
    double longestTask = 0;
    for (ExecutorShare share : shares) {
      Executor executor = executors.computeIfAbsent(share.executor(), unused -> new Executor());
      executor.host = share.host();
      if (share.rows() > 0) {
        executor.secondsPerRow.add(share.kernelSeconds() / share.rows());
      }
      double secondsPerRow = executor.secondsPerRow.value();
      if (!Double.isNaN(secondsPerRow)) {
        executor.rounds++;
        executor.kernelSeconds += evenRows * secondsPerRow;
        executor.fetchSeconds += share.fetchSeconds();
        longest = Math.max(longest, share.rows() * secondsPerRow);
        longestEven = Math.max(longestEven, evenRows * secondsPerRow);
      }
      longestKernel = Math.max(longestKernel, share.kernelSeconds());
      longestTask = Math.max(longestTask, share.seconds());
    }
    rounds++;
    seconds += roundSeconds;
    double fetching = longestTask - longestKernel;
    savedSeconds += Math.max(-roundSeconds, longestEven - longest - fetching);
    if (paidBackAfter.isEmpty() && savedSeconds >= packSeconds) {
      paidBackAfter = OptionalInt.of(rounds);
    }
  }

  int rounds() {
    return rounds;
  }

  TrainedSummary summary() {
    List<SlowestExecutor.Even> even = new ArrayList<>();
    executors.forEach(
        (id, one) -> {
          if (one.rounds > 0) {
            double overhead = one.overhead.value();
            even.add(
                new SlowestExecutor.Even(
                    id,
                    one.host,
                    one.kernelSeconds / one.rounds,
                    Double.isNaN(overhead) ? 0 : overhead,
                    one.fetchSeconds / one.rounds));
          }
        });
    return new TrainedSummary(
        rounds,
        seconds,
        seconds + savedSeconds,
        packSeconds,
        isPackingASum,
        paidBackAfter,
        usedSeconds,
        droppedSeconds,
        SlowestExecutor.of(even));
  }
}
