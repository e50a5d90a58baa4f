package io.sparkata.rounds;

import java.io.Serializable;

/**
 * A sum that other sums are added to.
 *
 * @param <S> the sum's own type
 */
public interface Mergeable<S> extends Serializable {

  /** The sum of both, which must not be used after. */
  S merge(S other);
}
