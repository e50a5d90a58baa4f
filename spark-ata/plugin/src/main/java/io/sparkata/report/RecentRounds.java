package io.sparkata.report;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * What the last 15 rounds came to, in medians. Adding a round costs nothing; reading a figure looks
 * at all shares of these rounds. Thread-safe.
 */
final class RecentRounds {
  private static final int WINDOW = 15;

  private final Deque<Round> rounds = new ArrayDeque<>();

  private record Round(double seconds, List<ExecutorShare> shares) {
    long rows() {
      return shares.stream().mapToLong(ExecutorShare::rows).sum();
    }
  }

  /** Adds a round; its shares are those of all live executors. */
  synchronized void add(double seconds, List<ExecutorShare> shares) {
    rounds.add(new Round(seconds, shares));
    if (rounds.size() > WINDOW) {
      rounds.remove();
    }
  }

  /** The executors of the last round. */
  synchronized Set<String> executors() {
    return rounds.isEmpty()
        ? Set.of()
        : rounds.getLast().shares.stream()
            .map(ExecutorShare::executor)
            .collect(Collectors.toUnmodifiableSet());
  }

  /** Seconds of a round; 0 before the first. */
  synchronized double seconds() {
    RecentMedian median = new RecentMedian(WINDOW);
    rounds.forEach(round -> median.add(round.seconds));
    return median.value();
  }

  /** Rows that an executor's kernels sum in a second; 0 if it had none. */
  synchronized double rowsPerSecond(String executor) {
    RecentMedian median = new RecentMedian(WINDOW);
    for (Round round : rounds) {
      for (ExecutorShare share : round.shares) {
        if (share.executor().equals(executor) && share.kernelSeconds() > 0) {
          median.add(share.rows() / share.kernelSeconds());
        }
      }
    }
    return median.value();
  }

  /** An executor's rows over those of an even share. */
  synchronized double share(String executor) {
    RecentMedian median = new RecentMedian(WINDOW);
    for (Round round : rounds) {
      double even = (double) round.rows() / round.shares.size();
      for (ExecutorShare share : round.shares) {
        if (share.executor().equals(executor) && even > 0) {
          median.add(share.rows() / even);
        }
      }
    }
    return median.value();
  }

  /**
   * The rows of a round over those that all executors could sum in its time at the speeds of their
   * kernels; empty before the first round.
   */
  synchronized OptionalDouble efficiency() {
    double speed = executors().stream().mapToDouble(this::rowsPerSecond).sum();
    RecentMedian median = new RecentMedian(WINDOW);
    for (Round round : rounds) {
      median.add(round.rows() / (round.seconds * speed));
    }
    return speed > 0 ? OptionalDouble.of(median.value()) : OptionalDouble.empty();
  }
}
