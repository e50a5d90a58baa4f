package io.sparkata.rounds;

import io.sparkata.cluster.AtaRuntime.Executor;
import io.sparkata.memory.Resting.Found;
import io.sparkata.placement.Placement;
import io.sparkata.placement.StaleReplicas;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
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
 * again in the same way: the last ones from time to time, all if rounds get longer. The next
 * training of the kind goes on from there, if fetching their rows pays. Driver only, one thread.
 */
final class Participants {
  private static final Logger LOG = LoggerFactory.getLogger(Participants.class);

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

  private static final Found NOTHING =
      new Found(
          List.of(), 0, 0, /* isFewerNext= */ true, /* idle= */ 0, /* roundsToWait= */ 0, PATIENCE);

  /** So many are named in a line of the log. */
  private static final int NAMED = 10;

  /**
   * How a round went.
   *
   * @param rows by serving executor
   * @param seconds of the round's job
   * @param kernelSeconds the longest of a task: kernel and fetching
   * @param roundsLeft after it
   */
  @SuppressWarnings("ArrayRecordComponent") // nobody compares them
  record Ran(long[] rows, double seconds, double kernelSeconds, int roundsLeft) {}

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

  /** Of a round, by all trials so far. */
  private double savedSeconds;

  /** Whether the next trial is of fewer, rather than of those who rest. */
  private boolean isFewerNext = true;

  private int idle;
  private int wait;
  private int patience;
  private final long bytes;
  private final int rounds;
  private boolean hasBegun;
  private boolean hasCompared;

  /** What was found before, where this training is too short for it, until a trial has ended. */
  private Optional<Found> leftAside = Optional.empty();

  private final double[] seconds = new double[ROUNDS];
  private final double[] kernelSeconds = new double[ROUNDS];
  private int seen;
  private int settling = FIRST_ROUNDS;

  /**
   * @param mayRest whether anybody may be left out; else all serve all rounds
   * @param fetchBytesPerSecond how fast an executor fetches blocks, by its id
   * @param bytes of all blocks
   * @param rounds of the training
   * @param before what the last training of the kind has found; empty where all serve at first
   */
  Participants(
      boolean mayRest,
      ToDoubleFunction<String> fetchBytesPerSecond,
      long bytes,
      int rounds,
      Optional<Found> before) {
    this.mayRest = mayRest;
    this.fetchBytesPerSecond = fetchBytesPerSecond;
    this.bytes = bytes;
    this.rounds = rounds;
    goOn(before.orElse(NOTHING));
  }

  private void goOn(Found found) {
    resting = found.groups();
    secondsSince = found.seconds();
    savedSeconds = found.savedSeconds();
    isFewerNext = found.isFewerNext();
    idle = found.idle();
    wait = found.roundsToWait();
    patience = found.patience();
  }

  /** For the next training; a trial that has not ended does not count. */
  Found found() {
    List<List<String>> groups = restingBefore == null ? resting : restingBefore;
    return leftAside.orElse(
        new Found(groups, secondsSince, savedSeconds, isFewerNext, idle, wait, patience));
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
      savedSeconds = resting.isEmpty() ? 0 : savedSeconds;
      settle();
    }
    if (!hasBegun) {
      hasBegun = true;
      begin(executors);
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
      savedSeconds = 0;
      serving = live;
    }
    return serving;
  }

  /** With those at rest whom the last training has left so, if that pays in this one. */
  private void begin(List<Executor> executors) {
    Set<String> out = new LinkedHashSet<>();
    resting.forEach(out::addAll);
    if (out.isEmpty()) {
      return;
    }
    List<Executor> others = executors.stream().filter(one -> !out.contains(one.id())).toList();
    double cost = fetchSeconds(others, (double) out.size() / executors.size());
    if (savedSeconds * rounds <= cost) {
      leftAside = Optional.of(found());
      goOn(NOTHING);
      return;
    }
    LOG.info(
        "Spark ATA: {} of {} executors have no rows, as before{}",
        out.size(),
        executors.size(),
        named(List.copyOf(out)));
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
      if (!hasCompared) {
        hasCompared = true;
        compare(now);
      }
      if (restingBefore == null) {
        propose(ran, now);
      } else {
        judge(now);
      }
    }
  }

  /** Trials in vain say nothing of a cluster whose rounds take twice or half as long by now. */
  private void compare(double now) {
    if (now > LONGER * secondsSince || LONGER * now < secondsSince) {
      patience = PATIENCE;
      wait = 0;
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
      savedSeconds = resting.isEmpty() ? 0 : savedSeconds + secondsBefore - now;
      wait = 0;
    } else {
      resting = restingBefore;
      secondsSince = secondsBefore;
      isFewerNext = !isFewerNext;
      wait = patience;
      patience *= 2;
    }
    leftAside = Optional.empty();
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
    Set<Integer> out = new HashSet<>(least);
    List<Executor> others =
        IntStream.range(0, n).filter(i -> !out.contains(i)).mapToObj(serving::get).toList();
    double cost = fetchSeconds(others, share);
    boolean pays = gain > PROMISE * round && gain * (ran.roundsLeft - ROUNDS) > cost;
    return pays ? least : List.of();
  }

  /** What it takes those who serve to fetch a share of the rows; endless where one has no room. */
  private double fetchSeconds(List<Executor> others, double share) {
    double bytesPerSecond = 0;
    for (Executor other : others) {
      bytesPerSecond += fetchBytesPerSecond.applyAsDouble(other.id());
      if (other.freeBytes() < share * bytes) {
        return Double.POSITIVE_INFINITY; // it might fetch in every round
      }
    }
    return Placement.FETCH_WEIGHT * share * bytes / bytesPerSecond;
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
        named(all));
  }

  private static String named(List<String> all) {
    return all.isEmpty() || all.size() > NAMED ? "" : ": " + String.join(", ", all);
  }

  private static double median(double[] values) {
    double[] sorted = values.clone();
    Arrays.sort(sorted);
    return sorted[sorted.length / 2];
  }
}
