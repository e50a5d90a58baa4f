package io.sparkata.rounds;

import io.sparkata.memory.LeftOutExecutors.Found;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;

/**
 * Tries rounds without some executors, and keeps a change that makes rounds shorter. The executors
 * left out last are tried again from time to time; all are, if rounds get longer. A trial ends
 * before {@link io.sparkata.placement.StaleReplicas} drops what was fetched for it. One thread.
 */
final class LeaveOutTrials {
  /** Rounds are shorter if they take less than this share of the time before. */
  private static final double SHORTER = 0.95;

  /**
   * If rounds take this multiple of their time at the end of the last trial, all executors are
   * tried again.
   */
  private static final double LONGER = 2;

  /** Rounds between a failed trial and the next one; doubled each time. */
  static final int PATIENCE = 100;

  private final RoundTimes times = new RoundTimes();

  /** The result so far; during a trial, with the groups that it leaves out. */
  private Found found;

  private Optional<Trial> trial = Optional.empty();
  private boolean hasCompared;
  private boolean hasEndedOne;

  /** A running trial. */
  private record Trial(List<List<String>> groupsBefore, double secondsBefore) {}

  /**
   * The last trial has made rounds shorter.
   *
   * @param seconds of a round now
   * @param secondsBefore the trial
   */
  record Shortened(double seconds, double secondsBefore) {}

  /** Proposes executors to leave out next. */
  interface Proposal {
    /**
     * The executors without which rounds may be shorter, by enough to pay; else none.
     *
     * @param seconds median time of a round
     * @param kernelSeconds median time of a round's longest task
     */
    List<String> of(double seconds, double kernelSeconds);
  }

  /** Continues from the last result. */
  LeaveOutTrials(Found before) {
    found = before;
  }

  /** The result; a running trial does not count. */
  Found found() {
    return trial.map(running -> found.withGroups(running.groupsBefore)).orElse(found);
  }

  /** The executors left out now, including those of a running trial. */
  Set<String> leftOut() {
    return found.executors();
  }

  /** Whether a trial has ended since the start. */
  boolean hasEndedOne() {
    return hasEndedOne;
  }

  /** Executors have come or gone: discards a running trial. */
  void restart(Predicate<String> isPresent) {
    found =
        found()
            .withGroups(
                found().groups().stream()
                    .map(group -> group.stream().filter(isPresent).toList())
                    .filter(group -> !group.isEmpty())
                    .toList());
    trial = Optional.empty();
    times.restart();
  }

  /** Takes all executors back. */
  void leaveOutNone() {
    found = found.withGroups(List.of());
  }

  /**
   * Learns from a round and decides on the next.
   *
   * @param kernelSeconds the longest of a task: kernel and fetching
   * @param roundsLeft after this one
   * @return what a trial has just gained
   */
  Optional<Shortened> observe(
      double seconds, double kernelSeconds, int roundsLeft, Proposal proposal) {
    if (!times.add(seconds, kernelSeconds)) {
      return Optional.empty();
    }
    found = found.waiting(found.idle() + 1, found.roundsToWait(), found.patience());
    if (!times.isKnown()) {
      return Optional.empty();
    }
    double now = times.seconds();
    if (!hasCompared) {
      hasCompared = true;
      compare(now);
    }
    if (trial.isPresent()) {
      return judge(trial.get(), now);
    }
    propose(now, roundsLeft, proposal);
    return Optional.empty();
  }

  /** Earlier failures say nothing about a cluster whose rounds now take twice or half as long. */
  private void compare(double now) {
    if (now > LONGER * found.seconds() || LONGER * now < found.seconds()) {
      found = found.waiting(found.idle(), /* newRoundsToWait= */ 0, PATIENCE);
    }
  }

  private void propose(double now, int roundsLeft, Proposal proposal) {
    List<List<String>> groups = found.groups();
    if (!groups.isEmpty() && now > LONGER * found.seconds()) {
      tryOut(List.of(), now);
      return;
    }
    if (found.idle() >= found.roundsToWait() && (found.isFewerNext() || groups.isEmpty())) {
      List<String> proposed = proposal.of(now, times.kernelSeconds());
      if (!proposed.isEmpty()) {
        List<List<String>> more = new ArrayList<>(groups);
        more.add(proposed);
        tryOut(List.copyOf(more), now);
        return;
      }
      int wait = found.idle() + RoundTimes.ROUNDS; // so that the medians are of later rounds
      found = found.waiting(found.idle(), wait, found.patience());
    }
    if (found.idle() >= found.patience() && !groups.isEmpty() && roundsLeft > found.patience()) {
      tryOut(groups.subList(0, groups.size() - 1), now);
    }
  }

  private void tryOut(List<List<String>> groups, double now) {
    trial = Optional.of(new Trial(found.groups(), now));
    boolean isFewer = groups.size() > found.groups().size();
    found =
        new Found(
            groups,
            found.seconds(),
            found.savedSeconds(),
            isFewer,
            found.idle(),
            found.roundsToWait(),
            found.patience());
    times.restart();
  }

  private Optional<Shortened> judge(Trial ended, double now) {
    hasEndedOne = true;
    trial = Optional.empty();
    times.restart();
    double before = ended.secondsBefore;
    if (now < SHORTER * before) {
      double saved = found.groups().isEmpty() ? 0 : found.savedSeconds() + before - now;
      found = new Found(found.groups(), now, saved, found.isFewerNext(), 0, 0, found.patience());
      return Optional.of(new Shortened(now, before));
    }
    found =
        new Found(
            ended.groupsBefore,
            before,
            found.savedSeconds(),
            !found.isFewerNext(),
            /* idle= */ 0,
            /* roundsToWait= */ found.patience(),
            2 * found.patience());
    return Optional.empty();
  }
}
