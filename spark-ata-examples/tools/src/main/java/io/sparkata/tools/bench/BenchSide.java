package io.sparkata.tools.bench;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** Who trains. All solve the same problem over the same rows. */
enum BenchSide {
  /** Stock MLlib, one cached partition per slot. */
  MLLIB(Rows.ONE_PER_SLOT, /* speculates= */ false),
  /** The same with Spark's speculation at its defaults. */
  MLLIB_SPECULATION(Rows.ONE_PER_SLOT, /* speculates= */ true),
  /** Stock MLlib on eight partitions per slot, cached where they were made. */
  MLLIB_PARTITIONED(Rows.EIGHT_PER_SLOT, /* speculates= */ false),
  /** The same with a copy on every executor, so that whoever is free takes the next partition. */
  MLLIB_REPLICATED(Rows.EIGHT_PER_SLOT_EVERYWHERE, /* speculates= */ false),
  /** MLlib's L-BFGS, for the time to a loss only: it is another method. */
  LBFGS(Rows.ONE_PER_SLOT, /* speculates= */ false),
  UNIFORM(Rows.ONE_PER_SLOT, /* speculates= */ false),
  /** By the calibrated speeds, from the first round on. */
  STATIC(Rows.ONE_PER_SLOT, /* speculates= */ false),
  SELF_ADAPTIVE(Rows.ONE_PER_SLOT, /* speculates= */ false),
  /** At the width for clusters, 0.5. */
  ATA_EMPIRICAL(Rows.ONE_PER_SLOT, /* speculates= */ false),
  ADAPTIVE(Rows.ONE_PER_SLOT, /* speculates= */ false);

  /** How a side finds the caller's rows cached. */
  enum Rows {
    ONE_PER_SLOT,
    EIGHT_PER_SLOT,
    EIGHT_PER_SLOT_EVERYWHERE
  }

  private final Rows rows;
  private final boolean speculates;

  BenchSide(Rows rows, boolean speculates) {
    this.rows = rows;
    this.speculates = speculates;
  }

  /** The name on the command line and in the results. */
  String id() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  /** The side of that name; empty if there is none. */
  static Optional<BenchSide> of(String id) {
    return Arrays.stream(values()).filter(side -> side.id().equals(id)).findFirst();
  }

  static List<String> ids() {
    return Arrays.stream(values()).map(BenchSide::id).toList();
  }

  Rows rows() {
    return rows;
  }

  /** Whether it needs a SparkContext with speculation. */
  boolean speculates() {
    return speculates;
  }

  boolean isStock() {
    return this == LBFGS || name().startsWith("MLLIB");
  }

  /** Spark ATA's policy: an id or a class; not for stock sides. */
  String policy() {
    return switch (this) {
      case STATIC -> CalibratedPolicy.class.getName();
      case ATA_EMPIRICAL -> NarrowAtaPolicy.class.getName();
      default -> id();
    };
  }
}
