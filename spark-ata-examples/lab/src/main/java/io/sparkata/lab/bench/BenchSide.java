package io.sparkata.lab.bench;

import java.util.List;
import java.util.Optional;

/**
 * Who trains. All solve the same problem over the same rows.
 *
 * @param id the name on the command line and in the results
 * @param rows how it finds the caller's rows cached
 * @param speculates whether it needs a SparkContext with speculation
 * @param policy Spark ATA's policy, an id or a class; empty for stock sides
 */
record BenchSide(String id, Rows rows, boolean speculates, Optional<String> policy) {

  /** Stock MLlib, one cached partition per slot. */
  static final BenchSide MLLIB = stock("mllib", Rows.ONE_PER_SLOT);

  /** The same with Spark's speculation at its defaults. */
  static final BenchSide MLLIB_SPECULATION =
      new BenchSide(
          "mllib-speculation", Rows.ONE_PER_SLOT, /* speculates= */ true, Optional.empty());

  /** Stock MLlib on eight partitions per slot, cached where they were made. */
  static final BenchSide MLLIB_PARTITIONED = stock("mllib-partitioned", Rows.EIGHT_PER_SLOT);

  /** The same with a copy on every executor, so that any free executor takes the next partition. */
  static final BenchSide MLLIB_REPLICATED =
      stock("mllib-replicated", Rows.EIGHT_PER_SLOT_EVERYWHERE);

  /** MLlib's L-BFGS, for the time to a loss only: it is another method. */
  static final BenchSide LBFGS = stock("lbfgs", Rows.ONE_PER_SLOT);

  /** The same with its sums routed to Spark ATA. */
  static final BenchSide LBFGS_ADAPTIVE =
      new BenchSide(
          "lbfgs-adaptive", Rows.ONE_PER_SLOT, /* speculates= */ false, Optional.of("adaptive"));

  static final BenchSide UNIFORM = allocating("uniform", "uniform");

  /** By the calibrated speeds, from the first round on. */
  static final BenchSide STATIC = allocating("static", CalibratedPolicy.class.getName());

  static final BenchSide SELF_ADAPTIVE = allocating("self-adaptive", "self-adaptive");

  /** At the width for clusters, 0.5. */
  static final BenchSide ATA_EMPIRICAL =
      allocating("ata-empirical", NarrowAtaPolicy.class.getName());

  static final BenchSide ADAPTIVE = allocating("adaptive", "adaptive");

  /** Work is pulled instead of allocated, and other rows are summed: for {@link BenchCase#CNN}. */
  static final BenchSide GREEDY = allocating("greedy", "greedy");

  private static final List<BenchSide> ALL =
      List.of(
          MLLIB,
          MLLIB_SPECULATION,
          MLLIB_PARTITIONED,
          MLLIB_REPLICATED,
          LBFGS,
          LBFGS_ADAPTIVE,
          UNIFORM,
          STATIC,
          SELF_ADAPTIVE,
          ATA_EMPIRICAL,
          ADAPTIVE,
          GREEDY);

  /** How a side finds the caller's rows cached. */
  enum Rows {
    ONE_PER_SLOT,
    EIGHT_PER_SLOT,
    EIGHT_PER_SLOT_EVERYWHERE
  }

  private static BenchSide stock(String id, Rows rows) {
    return new BenchSide(id, rows, /* speculates= */ false, Optional.empty());
  }

  private static BenchSide allocating(String id, String policy) {
    return new BenchSide(id, Rows.ONE_PER_SLOT, /* speculates= */ false, Optional.of(policy));
  }

  /** A user's policy, by the name of its class. */
  static BenchSide ofPolicy(String className) {
    return allocating(className, className);
  }

  /** The side of that name; empty if there is none. */
  static Optional<BenchSide> of(String id) {
    return ALL.stream().filter(side -> side.id().equals(id)).findFirst();
  }

  static List<String> ids() {
    return ALL.stream().map(BenchSide::id).toList();
  }

  /** Whether it is another method than gradient descent. */
  boolean isLbfgs() {
    return equals(LBFGS) || equals(LBFGS_ADAPTIVE);
  }

  boolean isStock() {
    return policy.isEmpty();
  }
}
