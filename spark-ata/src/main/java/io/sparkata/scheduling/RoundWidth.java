package io.sparkata.scheduling;

import io.sparkata.data.Placement;
import io.sparkata.plugin.AtaRuntime.Executor;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.ToDoubleFunction;
import java.util.stream.IntStream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Who serves the rounds of a training: all executors, or fewer where rounds are shorter without the
 * slowest. Each one adds to a round beside its rows: a task to send and an answer to read, a share
 * of processors that others use too. Only the round's own time tells how much, so it is tried: some
 * rounds without a quarter of them, and if these are not shorter, all as before.
 *
 * <p>Tried only where it can pay: the most that executors can cost a round is their number's share
 * of what it takes beside its longest kernel; the rows left to fewer are known, and so is what it
 * takes to fetch them. Rounds that are mostly kernel are never touched. Those who rest are tried
 * again in the same way: the last ones from time to time, all if rounds get longer. Driver only,
 * one thread.
 */
final class RoundWidth {
  private static final Logger LOG = LoggerFactory.getLogger(RoundWidth.class);

  /** Rounds at the start that do not count: classes are loaded, code is compiled, rows move. */
  static final int FIRST_ROUNDS = 10;

  /** Rounds after a change that do not count: blocks are fetched. */
  static final int SETTLING_ROUNDS = 1;

  /**
   * Rounds that a median is of. A trial is over before {@link StaleReplicas} drops what those have
   * fetched who serve without the others.
   */
  static final int ROUNDS = 8;

  /** One in so many of those who serve is tried to be left out at a time, at least one. */
  private static final int PART = 4;

  /** A trial must promise to shorten rounds by so much. */
  private static final double PROMISE = 0.1;

  /** What is not below this share of the time before is not shorter. */
  private static final double SHORTER = 0.95;

  /** So many times the time of when the last trial ended, and all are tried. */
  private static final double LONGER = 2;

  /** Rounds until the next trial after one that failed; twice as many each time. */
  private static final int PATIENCE = 100;

  /** So many are named in a line of the log. */
  private static final int NAMED = 10;

  /**
   * How a round went.
   *
   * @param rows by serving executor
   * @param seconds of the round's job
   * @param kernelSeconds the longest of a task: kernel and fetching
   * @param bytes of all blocks
   * @param roundsLeft after it
   */
  @SuppressWarnings("ArrayRecordComponent") // nobody compares them
  record Ran(long[] rows, double seconds, double kernelSeconds, long bytes, int roundsLeft) {}

  private final boolean mayRest;
  private final ToDoubleFunction<String> fetchBytesPerSecond;
  private List<Executor> live = List.of();
  private List<String> liveIds = List.of();
  private List<Executor> serving = List.of();

  /** Those who rest, in the order in which they were left out. */
  private List<List<String>> resting = List.of();

  /** During a trial those who rested before, else null. */
  private List<List<String>> restingBefore;

  /** Of a round, when the last trial began and when it ended. */
  private double secondsBefore;

  private double secondsSince;

  /** Whether the next trial is of fewer, rather than of those who rest. */
  private boolean isFewerNext = true;

  private int idle;
  private int wait;
  private int patience = PATIENCE;
  private final double[] seconds = new double[ROUNDS];
  private final double[] kernelSeconds = new double[ROUNDS];
  private int seen;
  private int settling = FIRST_ROUNDS;

  /**
   * All serve at first.
   *
   * @param mayRest whether anybody may be left out; else all serve all rounds
   * @param fetchBytesPerSecond how fast an executor fetches blocks, by its id
   */
  RoundWidth(boolean mayRest, ToDoubleFunction<String> fetchBytesPerSecond) {
    this.mayRest = mayRest;
    this.fetchBytesPerSecond = fetchBytesPerSecond;
  }

  /** Those of {@code executors} who serve the next round, at least one if there is any. */
  List<Executor> serving(List<Executor> executors) {
    if (!mayRest) {
      return executors;
    }
    List<String> ids = executors.stream().map(Executor::id).toList();
    if (!ids.equals(liveIds)) {
      Set<String> present = new HashSet<>(ids);
      resting = restingBefore == null ? resting : restingBefore;
      restingBefore = null;
      resting =
          resting.stream()
              .map(group -> group.stream().filter(present::contains).toList())
              .filter(group -> !group.isEmpty())
              .toList();
      settle();
    }
    live = executors;
    liveIds = ids;
    if (resting.isEmpty()) {
      serving = live;
      return serving;
    }
    Set<String> out = new HashSet<>();
    resting.forEach(out::addAll);
    serving = live.stream().filter(one -> !out.contains(one.id())).toList();
    if (serving.isEmpty()) { // those who served have gone
      resting = List.of();
      serving = live;
    }
    return serving;
  }

  /** Takes in a round that those of the last {@link #serving} served, and decides who do next. */
  void observe(Ran ran) {
    if (!mayRest || settling-- > 0) {
      return;
    }
    seconds[seen % ROUNDS] = ran.seconds;
    kernelSeconds[seen % ROUNDS] = ran.kernelSeconds;
    seen++;
    idle++;
    if (seen >= ROUNDS) {
      double now = median(seconds);
      if (restingBefore == null) {
        propose(ran, now);
      } else {
        judge(now);
      }
    }
  }

  private void propose(Ran ran, double now) {
    isFewerNext |= resting.isEmpty();
    if (!resting.isEmpty() && now > LONGER * secondsSince) {
      tryOut(List.of(), now);
      return;
    }
    if (idle >= wait && isFewerNext) {
      List<Integer> least = promising(ran, now);
      if (!least.isEmpty()) {
        List<List<String>> more = new ArrayList<>(resting);
        more.add(least.stream().map(i -> serving.get(i).id()).toList());
        tryOut(List.copyOf(more), now);
        return;
      }
      wait = idle + ROUNDS; // the medians are of other rounds then
    }
    if (idle >= patience && !resting.isEmpty() && ran.roundsLeft > patience) {
      tryOut(resting.subList(0, resting.size() - 1), now);
    }
  }

  private void tryOut(List<List<String>> next, double now) {
    isFewerNext = next.size() > resting.size();
    restingBefore = resting;
    resting = next;
    secondsBefore = now;
    settle();
  }

  private void judge(double now) {
    if (now < SHORTER * secondsBefore) {
      report(now);
      secondsSince = now;
      wait = 0;
    } else {
      resting = restingBefore;
      secondsSince = secondsBefore;
      isFewerNext = !isFewerNext;
      wait = patience;
      patience *= 2;
    }
    restingBefore = null;
    idle = 0;
    settle();
  }

  private void settle() {
    seen = 0;
    settling = Math.max(settling, SETTLING_ROUNDS);
  }

  /**
   * Positions of the least loaded, if rounds without them may be shorter, by enough to pay for
   * fetching; else none.
   */
  private List<Integer> promising(Ran ran, double round) {
    int n = ran.rows.length;
    int fewer = Math.max(1, n / PART);
    double kernel = median(kernelSeconds);
    double most = (round - kernel) * fewer / n;
    if (fewer == n || most < PROMISE * round) {
      return List.of();
    }
    List<Integer> least = leastLoaded(ran.rows, fewer);
    double share =
        (double) least.stream().mapToLong(i -> ran.rows[i]).sum() / Arrays.stream(ran.rows).sum();
    double gain = most - kernel * share / (1 - share);
    double bytes = share * ran.bytes;
    Set<Integer> out = new HashSet<>(least);
    double bytesPerSecond = 0;
    for (int i = 0; i < n; i++) {
      if (!out.contains(i)) {
        bytesPerSecond += fetchBytesPerSecond.applyAsDouble(serving.get(i).id());
        if (serving.get(i).freeBytes() < bytes) {
          return List.of(); // it might fetch in every round
        }
      }
    }
    double cost = Placement.FETCH_WEIGHT * bytes / bytesPerSecond;
    boolean pays = gain > PROMISE * round && gain * (ran.roundsLeft - ROUNDS) > cost;
    return pays ? least : List.of();
  }

  /** Positions of those with the fewest rows, the last ones first among equals. */
  private static List<Integer> leastLoaded(long[] rows, int count) {
    return IntStream.range(0, rows.length)
        .boxed()
        .sorted(Comparator.<Integer>comparingLong(i -> rows[i]).thenComparing(i -> -i))
        .limit(count)
        .toList();
  }

  private void report(double now) {
    List<String> all = resting.stream().flatMap(List::stream).toList();
    LOG.info(
        "Spark ATA: rounds take {} ms, {} before, where {} of {} executors have no rows{}",
        Math.round(1e3 * now),
        Math.round(1e3 * secondsBefore),
        all.size(),
        live.size(),
        all.isEmpty() || all.size() > NAMED ? "" : ": " + String.join(", ", all));
  }

  private static double median(double[] values) {
    double[] sorted = values.clone();
    Arrays.sort(sorted);
    return sorted[sorted.length / 2];
  }
}
