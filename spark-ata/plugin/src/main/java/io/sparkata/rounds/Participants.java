package io.sparkata.rounds;

import io.sparkata.cluster.Executor;
import io.sparkata.cluster.Members;
import io.sparkata.memory.LeftOutExecutors.Found;
import io.sparkata.placement.CostModel;
import io.sparkata.rounds.LeaveOutTrials.Shortened;
import java.util.Arrays;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Decides which executors take part in a training's rounds: all, or fewer if rounds are shorter
 * without the slowest. Each executor costs a round more than its rows: a task to send, a result to
 * read, and processors that it may share with others. Only the round's own time shows how much, so
 * {@link LeaveOutTrials} tries some rounds without a quarter of the executors, and keeps all if
 * these are not shorter.
 *
 * <p>A trial must promise to pay. Executors can cost a round at most their share, by number, of its
 * time besides its longest kernel; the cost of moving their rows is known. Rounds that are mostly
 * kernel time are therefore never tried. The next training of the kind starts with the result, if
 * fetching the rows pays. Driver only, one thread.
 */
final class Participants {
  private static final Logger LOG = LoggerFactory.getLogger(Participants.class);

  /** A trial leaves out this fraction of the executors that take part, at least one. */
  private static final int PART = 4;

  /** A trial must promise to shorten rounds by at least this share. */
  private static final double PROMISE = 0.1;

  /** The most executors that a log line names. */
  private static final int NAMED = 10;

  private final boolean mayLeaveOut;
  private final long bytes;
  private final int rounds;
  private LeaveOutTrials trials;

  /** The result of earlier trainings if this one is too short to use it. */
  private Optional<Found> setAside = Optional.empty();

  private Members live = Members.NONE;
  private Members members = Members.NONE;

  /**
   * How a round went.
   *
   * @param rows by member
   * @param seconds of the round
   * @param kernelSeconds the longest of a task: kernel and fetching
   * @param roundsLeft after it
   */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  record Ran(long[] rows, double seconds, double kernelSeconds, int roundsLeft) {}

  /**
   * @param mayLeaveOut whether any executor may be left out; else all take part in all rounds
   * @param bytes of all blocks
   * @param rounds of the training
   * @param before the result of the last training of the kind; empty if all take part at first
   */
  Participants(boolean mayLeaveOut, long bytes, int rounds, Optional<Found> before) {
    this.mayLeaveOut = mayLeaveOut;
    this.bytes = bytes;
    this.rounds = rounds;
    this.trials = new LeaveOutTrials(before.orElse(Found.nothing(LeaveOutTrials.PATIENCE)));
  }

  /** The result for the next training. */
  Found found() {
    return trials.hasEndedOne() ? trials.found() : setAside.orElse(trials.found());
  }

  /**
   * The executors that take part in the next round, at least one if there is any.
   *
   * @param now the live executors
   * @param cost their costs, called only if needed
   */
  Members of(Members now, Supplier<CostModel> cost) {
    if (!mayLeaveOut) {
      return now;
    }
    if (!now.areThoseOf(live)) {
      boolean isFirst = live.isEmpty();
      trials.restart(id -> now.position(id) >= 0);
      if (isFirst) {
        begin(now, cost);
      }
    }
    live = now;
    Set<String> out = trials.leftOut();
    List<Executor> others =
        now.executors().stream().filter(one -> !out.contains(one.id())).toList();
    if (others.isEmpty()) { // all that took part are gone
      trials.leaveOutNone();
    }
    members = others.isEmpty() || out.isEmpty() ? now : members.next(others);
    return members;
  }

  /** Leaves out the executors that the last training left out, if that pays in this one. */
  private void begin(Members now, Supplier<CostModel> cost) {
    Set<String> out = trials.found().executors();
    if (out.isEmpty()) {
      return;
    }
    double price = fetchSeconds(now, out, (double) out.size() / now.size(), cost.get());
    if (trials.found().savedSeconds() * rounds <= price) {
      setAside = Optional.of(trials.found());
      trials = new LeaveOutTrials(Found.nothing(LeaveOutTrials.PATIENCE));
      return;
    }
    LOG.info(
        "Spark ATA: using {} of {} executors, as before{}",
        now.size() - out.size(),
        now.size(),
        without(out));
  }

  /**
   * Learns from a round of the last members, and decides which executors take part in the next.
   *
   * @param cost of these members
   */
  void observe(Ran ran, CostModel cost) {
    if (mayLeaveOut) {
      trials
          .observe(
              ran.seconds,
              ran.kernelSeconds,
              ran.roundsLeft,
              (seconds, kernelSeconds) -> promising(ran, seconds, kernelSeconds, cost))
          .ifPresent(this::report);
    }
  }

  /**
   * The executors with the fewest rows, if rounds without them may be shorter by enough to pay for
   * fetching their rows; else none.
   */
  private List<String> promising(Ran ran, double round, double kernel, CostModel cost) {
    int n = ran.rows.length;
    int fewer = Math.max(1, n / PART);
    double most = (round - kernel) * fewer / n;
    if (fewer == n || most < PROMISE * round) {
      return List.of();
    }
    List<Integer> least = leastLoaded(ran.rows, fewer);
    double share =
        (double) least.stream().mapToLong(i -> ran.rows[i]).sum() / Arrays.stream(ran.rows).sum();
    double gain = most - kernel * share / (1 - share);
    List<String> ids = least.stream().map(i -> members.get(i).id()).toList();
    double price = fetchSeconds(members, Set.copyOf(ids), share, cost);
    boolean pays = gain > PROMISE * round && gain * (ran.roundsLeft - RoundTimes.ROUNDS) > price;
    return pays ? ids : List.of();
  }

  /**
   * The time in which the others fetch a share of the rows; infinite if one lacks memory for it and
   * might fetch in every round.
   */
  private double fetchSeconds(Members all, Set<String> out, double share, CostModel cost) {
    int[] others =
        IntStream.range(0, all.size()).filter(i -> !out.contains(all.get(i).id())).toArray();
    boolean fits = Arrays.stream(others).allMatch(i -> all.get(i).freeBytes() >= share * bytes);
    return fits ? cost.fetchSeconds(others, share * bytes) : Double.POSITIVE_INFINITY;
  }

  /** Positions of those with the fewest rows, the last ones first among equals. */
  private static List<Integer> leastLoaded(long[] rows, int count) {
    return IntStream.range(0, rows.length)
        .boxed()
        .sorted(Comparator.<Integer>comparingLong(i -> rows[i]).thenComparing(i -> -i))
        .limit(count)
        .toList();
  }

  private void report(Shortened shortened) {
    Set<String> out = trials.found().executors();
    LOG.info(
        "Spark ATA: using {} of {} executors: median round {} ms, down from {} ms{}",
        live.size() - out.size(),
        live.size(),
        Math.round(1e3 * shortened.seconds()),
        Math.round(1e3 * shortened.secondsBefore()),
        without(out));
  }

  private static String without(Collection<String> ids) {
    return ids.isEmpty() || ids.size() > NAMED ? "" : "; without " + String.join(", ", ids);
  }
}
