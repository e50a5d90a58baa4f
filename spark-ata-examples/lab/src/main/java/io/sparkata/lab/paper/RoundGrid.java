package io.sparkata.lab.paper;

import java.util.stream.IntStream;
import java.util.stream.LongStream;

/** The rounds at which curves are recorded: log-spaced, so that curves stay small. */
final class RoundGrid {
  /** The poster's number of rounds. */
  static final long POSTER_ROUNDS = 750_000;

  private static final int POINTS = 100;

  private RoundGrid() {}

  /** Distinct rounds from 1 to rounds in ascending order, with the poster's last round. */
  static long[] of(long rounds) {
    LongStream spaced =
        IntStream.rangeClosed(0, POINTS)
            .mapToLong(p -> Math.round(Math.pow((double) rounds, (double) p / POINTS)));
    LongStream poster = LongStream.of(POSTER_ROUNDS).filter(round -> round <= rounds);
    return LongStream.concat(spaced, poster).sorted().distinct().toArray();
  }
}
