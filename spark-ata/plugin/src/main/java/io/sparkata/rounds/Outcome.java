package io.sparkata.rounds;

import java.util.List;

/** How one attempt at a round ended. */
sealed interface Outcome<S> {

  /** Every row was summed once. */
  record Complete<S>(RoundResult<S> result) implements Outcome<S> {}

  /**
   * Blocks must be packed again before the next attempt.
   *
   * @param blocks their positions
   * @param reason a clause
   */
  record Incomplete<S>(List<Integer> blocks, String reason) implements Outcome<S> {}
}
