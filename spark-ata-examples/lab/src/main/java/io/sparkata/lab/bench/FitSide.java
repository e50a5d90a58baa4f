package io.sparkata.lab.bench;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Who fits in the case lbfgs: each in an application of its own that differs by configuration
 * alone. spark.ml makes and persists the blocks that it iterates over; a caller can only choose the
 * partitions of the input and whether that is cached.
 *
 * @param id the name on the command line and in the results
 * @param partitionsPerSlot of the input
 * @param inputCopies copies of the cached input, on different executors; 0 if the input is not
 *     cached
 * @param policy Spark ATA's policy, an id or a class; empty where Spark ATA is off
 */
record FitSide(String id, int partitionsPerSlot, int inputCopies, Optional<String> policy) {
  private static final int MANY_PER_SLOT = 8;

  /** Spark alone, as many partitions as slots: each executor gets as much as the others. */
  static final FitSide STOCK = stock("stock", 1, /* inputCopies= */ 0);

  /** Many partitions: a fast executor takes more of them when their blocks are made. */
  static final FitSide STOCK_PARTITIONED =
      stock("stock-partitioned", MANY_PER_SLOT, /* inputCopies= */ 0);

  /** The same with the input cached on two executors, which can each make a partition's blocks. */
  static final FitSide STOCK_REPLICATED =
      stock("stock-replicated", MANY_PER_SLOT, /* inputCopies= */ 2);

  static final FitSide UNIFORM = ofPolicy("uniform");

  static final FitSide ADAPTIVE = ofPolicy("adaptive");

  /** Many partitions also spread the first evaluation, which packs, by speed. */
  static final FitSide ADAPTIVE_PARTITIONED =
      new FitSide(
          "adaptive-partitioned", MANY_PER_SLOT, /* inputCopies= */ 0, Optional.of("adaptive"));

  private static final List<FitSide> ALL =
      List.of(STOCK, STOCK_PARTITIONED, STOCK_REPLICATED, UNIFORM, ADAPTIVE, ADAPTIVE_PARTITIONED);

  private static FitSide stock(String id, int partitionsPerSlot, int inputCopies) {
    return new FitSide(id, partitionsPerSlot, inputCopies, Optional.empty());
  }

  /** The same input as {@link #STOCK}, with Spark ATA on. */
  static FitSide ofPolicy(String policy) {
    return new FitSide(policy, STOCK.partitionsPerSlot(), STOCK.inputCopies(), Optional.of(policy));
  }

  static List<String> ids() {
    return ALL.stream().map(FitSide::id).toList();
  }

  /** The sides of these names, and that of the user's policy behind them. */
  static List<FitSide> of(List<String> ids, Optional<String> policy) {
    return Stream.concat(
            ids.stream()
                .map(
                    id ->
                        ALL.stream()
                            .filter(side -> side.id().equals(id))
                            .findFirst()
                            .orElseThrow()),
            policy.stream().map(FitSide::ofPolicy))
        .toList();
  }

  boolean isStock() {
    return policy.isEmpty();
  }

  /** What makes an application this side's. */
  Map<String, String> settings() {
    return policy
        .map(
            id ->
                Map.of(
                    "spark.ata.enabled", "true",
                    "spark.ata.route", "lbfgs",
                    "spark.ata.policy", id))
        .orElse(Map.of("spark.ata.enabled", "false"));
  }
}
