package io.sparkata.lab.bench;

import io.sparkata.lab.bench.BenchSide.Rows;
import java.nio.file.Path;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import picocli.CommandLine.Option;

/**
 * What a case measures, as options of {@code scripts/ata bench} and of the application {@link
 * Bench}. Those that were not given are null until {@link BenchCase#complete}. Knows no Spark.
 */
final class BenchArguments {
  @Option(
      names = "--sides",
      paramLabel = "LIST",
      split = ",",
      description =
          "Of mllib, mllib-speculation, mllib-partitioned, mllib-replicated, uniform, static,"
              + " self-adaptive, ata-empirical, adaptive; for real-data lbfgs, lbfgs-adaptive, too;"
              + " for lbfgs of stock, stock-partitioned, stock-replicated, uniform, adaptive,"
              + " adaptive-partitioned; for cnn of uniform, self-adaptive, ata-empirical, adaptive, greedy;"
              + " for ring of ring-equal, ring-static, ring-self-adaptive, uniform, self-adaptive."
              + " Default: by case.")
  private List<String> sides;

  @Option(
      names = "--cases",
      paramLabel = "LIST",
      split = ",",
      description =
          "For lbfgs: of logistic-dense, logistic-sparse, linear-svc, linear-regression,"
              + " multilayer-perceptron, cross-validator. Default: all.")
  private List<String> cases;

  @Option(
      names = "--policy",
      paramLabel = "CLASS",
      description = "One more side: a policy of yours, by its class. It is in --classpath.")
  private String policy;

  @Option(
      names = "--sizes",
      paramLabel = "LIST",
      split = ",",
      description =
          "Of small (about 50 ms of one core in a round), medium (about 300), large (about 1 s, of a"
              + " user's own gradient), large-mllib (that of MLlib's); for lbfgs small, large."
              + " Default: small,large; drift, speculation and lbfgs: large.")
  private List<String> sizes;

  @Option(
      names = "--layouts",
      paramLabel = "LIST",
      split = ",",
      description = "Of dense, sparse. Default: both; drift: dense.")
  private List<String> layouts;

  @Option(
      names = "--fractions",
      paramLabel = "LIST",
      split = ",",
      description = "Of the rows in a round. Default: 1.0,0.1; drift and speculation: 1.0.")
  private List<Double> fractions;

  @Option(
      names = "--features",
      paramLabel = "LIST",
      split = ",",
      description = "Numbers of weights, for overhead. Default: 1000,100000.")
  private List<Integer> features;

  @Option(
      names = "--iterations",
      paramLabel = "N",
      description =
          "Of each training; of overhead at least, over its turns. Default: 40; drift: 90; overhead: 100;"
              + " lbfgs: 15; cnn: 1500; ring: 300.")
  private Integer iterations;

  @Option(
      names = "--repetitions",
      paramLabel = "N",
      description = "Turns of each side; ratios are medians over them. Default: 1.")
  private Integer repetitions;

  @Option(
      names = "--sets",
      paramLabel = "LIST",
      split = ",",
      description = "For real-data: of flights, fashion-mnist. Default: both.")
  private List<String> sets;

  @Option(
      names = "--data",
      paramLabel = "DIR",
      description =
          "For real-data, cnn and ring: the folder of scripts/fetch-data. Default: target/data.")
  private Path data;

  @Option(
      names = "--seed",
      paramLabel = "S",
      description =
          "Of the rows that are made; of cnn's and ring's first weights, and of ring's batches. Default: 1.")
  private Long seed;

  /** Takes from {@code other} what is not given here. */
  void completeBy(BenchArguments other) {
    sides = sides == null ? other.sides : sides;
    cases = cases == null ? other.cases : cases;
    sizes = sizes == null ? other.sizes : sizes;
    layouts = layouts == null ? other.layouts : layouts;
    fractions = fractions == null ? other.fractions : fractions;
    features = features == null ? other.features : features;
    iterations = iterations == null ? other.iterations : iterations;
    repetitions = repetitions == null ? other.repetitions : repetitions;
    sets = sets == null ? other.sets : sets;
  }

  void completeBy(Path defaultData) {
    data = data == null ? defaultData : data.toAbsolutePath();
  }

  /** What has a value, by option, as text. */
  Map<String, String> values() {
    Map<String, Object> values = new LinkedHashMap<>();
    values.put("--sides", sides);
    values.put("--policy", policy);
    values.put("--sizes", sizes);
    values.put("--layouts", layouts);
    values.put("--fractions", fractions);
    values.put("--features", features);
    values.put("--iterations", iterations);
    values.put("--repetitions", repetitions);
    values.put("--sets", sets);
    values.put("--cases", cases);
    values.put("--data", data);
    values.put("--seed", seed);
    Map<String, String> texts = new LinkedHashMap<>();
    values.forEach(
        (option, value) -> {
          if (value != null) {
            texts.put(option, value instanceof Collection<?> list ? joined(list) : value + "");
          }
        });
    return texts;
  }

  private static String joined(Collection<?> list) {
    return list.stream().map(String::valueOf).collect(Collectors.joining(","));
  }

  /**
   * Checks that a case can be run with these, all of them completed.
   *
   * @throws IllegalArgumentException "Invalid --option: value (rule)"
   */
  void check(BenchCase one) {
    requireLeast(
        "--iterations",
        iterations,
        switch (one) {
          case DRIFT -> DriftSchedule.LEAST_ITERATIONS;
          case LBFGS -> FitRun.WARM_UP + 2;
          case CNN, RING -> CnnMeasurement.POINTS;
          default -> SideRun.SETTLED + 2;
        });
    if (one.isOfNetwork() && iterations % CnnMeasurement.POINTS != 0) {
      throw invalid("--iterations", iterations, "a multiple of " + CnnMeasurement.POINTS);
    }
    requireLeast("--repetitions", repetitions, 1);
    features.forEach(size -> requireLeast("--features", size, 1));
    sides.forEach(id -> check(id, one));
    cases.forEach(id -> require("--cases", id, FitCase.ids()));
    sizes.forEach(
        size -> require("--sizes", size, one == BenchCase.LBFGS ? FitCase.SIZES : Workload.SIZES));
    layouts.forEach(
        layout -> require("--layouts", layout, List.of(MadeRows.DENSE, MadeRows.SPARSE)));
    for (double fraction : fractions) {
      if (!(fraction > 0 && fraction <= 1)) {
        throw invalid("--fractions", fraction, "above 0, at most 1");
      }
      if (sizes.contains(Workload.MEDIUM) && fraction < 1) {
        throw invalid("--fractions", fraction, "1.0 for medium rounds: more rows do not fit");
      }
    }
    sets.forEach(set -> require("--sets", set, RealSet.ids()));
  }

  private static void check(String id, BenchCase one) {
    if (one == BenchCase.LBFGS) {
      require("--sides", id, FitSide.ids());
      return;
    }
    if (one == BenchCase.RING) {
      require("--sides", id, CnnMeasurement.RING_SIDES);
      return;
    }
    require("--sides", id, BenchSide.ids());
    if (one == BenchCase.CNN) {
      require("--sides", id, CnnMeasurement.SIDES);
      return;
    }
    BenchSide side = BenchSide.of(id).orElseThrow();
    if (side.isLbfgs() && one != BenchCase.REAL_DATA) {
      throw invalid("--sides", id, "another method: for real-data alone");
    }
    if (side.equals(BenchSide.GREEDY)) {
      throw invalid("--sides", id, "its model is not MLlib's: for cnn alone");
    }
    if (one == BenchCase.DRIFT && (side.speculates() || side.rows() != Rows.ONE_PER_SLOT)) {
      throw invalid("--sides", id, "for drift those with one cached partition per slot");
    }
  }

  private static void require(String option, String value, List<String> allowed) {
    if (!allowed.contains(value)) {
      throw invalid(option, value, String.join(", ", allowed));
    }
  }

  private static void requireLeast(String option, int value, int least) {
    if (value < least) {
      throw invalid(option, value, "at least " + least);
    }
  }

  private static IllegalArgumentException invalid(String option, Object value, String rule) {
    return new IllegalArgumentException("Invalid " + option + ": " + value + " (" + rule + ")");
  }

  /** Who trains: the sides, and the user's policy behind them. */
  List<BenchSide> sides() {
    return withPolicy(sides.stream().map(id -> BenchSide.of(id).orElseThrow()).toList());
  }

  /** Who fits: the sides of {@link BenchCase#LBFGS}, and the user's policy behind them. */
  List<FitSide> fitSides() {
    return FitSide.of(sides, Optional.ofNullable(policy));
  }

  /** Ids of the sides of {@link BenchCase#RING}, and the user's policy behind them. */
  List<String> ringSides() {
    return Stream.concat(sides.stream(), Stream.ofNullable(policy)).toList();
  }

  List<FitCase> cases() {
    return cases.stream().map(id -> FitCase.of(id).orElseThrow()).toList();
  }

  /** Some sides, and the user's policy behind them if there is one. */
  List<BenchSide> withPolicy(List<BenchSide> some) {
    return Stream.concat(some.stream(), Stream.ofNullable(policy).map(BenchSide::ofPolicy))
        .toList();
  }

  /** The class of the user's policy; null if there is none. */
  String policy() {
    return policy;
  }

  List<String> sizes() {
    return sizes;
  }

  List<String> layouts() {
    return layouts;
  }

  List<Double> fractions() {
    return fractions;
  }

  List<RealSet> sets() {
    return sets.stream().map(RealSet::of).toList();
  }

  Path data() {
    return data;
  }

  List<Integer> features() {
    return features;
  }

  int iterations() {
    return iterations;
  }

  int repetitions() {
    return repetitions;
  }

  long seed() {
    return seed == null ? 1 : seed;
  }
}
