package io.sparkata.lab.bench;

import io.sparkata.lab.cluster.UnevenCluster.Manager;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import picocli.CommandLine;

/**
 * What {@code scripts/ata bench} can compare: the options that mean something in a case besides
 * those that all cases take, its clusters' relative speeds, and its defaults; then the last two
 * with {@code --quick}. All are lists of words.
 */
enum BenchCase {
  HETEROGENEOUS(
      "--sides --sizes --layouts --fractions --iterations --repetitions --seed",
      "8,4,2,1 1,1,1,1 4,1,1,1",
      "",
      "1,1,1",
      "--sides=mllib,uniform,adaptive --sizes=small --layouts=dense --fractions=0.1"
          + " --iterations=30"),
  DRIFT(
      "--sides --sizes --layouts --fractions --iterations --seed",
      "1,1,1,1",
      "--sides=uniform,adaptive --sizes=large --layouts=dense --fractions=1.0 --iterations=90",
      "1,1",
      "--sides=adaptive --iterations=36"),
  OVERHEAD(
      "--features --iterations --seed",
      "1,1 1,1,1,1 1,1,1,1,1,1,1,1",
      "--iterations=100",
      "1,1",
      "--features=1000 --iterations=30"),
  YARN(
      HETEROGENEOUS.options,
      HETEROGENEOUS.clusters,
      HETEROGENEOUS.defaults,
      HETEROGENEOUS.quickClusters,
      HETEROGENEOUS.quickDefaults),
  SPECULATION(
      HETEROGENEOUS.options,
      "10,10,10,1",
      "--sides=mllib,uniform,adaptive --sizes=large --fractions=1.0",
      "4,1",
      "--sides=mllib,adaptive --layouts=dense --iterations=12"),
  REAL_DATA(
      "--sides --sets --data --iterations --repetitions",
      "8,4,2,1",
      "--sides=mllib,lbfgs,lbfgs-adaptive,uniform,adaptive",
      "2,1",
      "--sides=mllib,lbfgs,lbfgs-adaptive,adaptive --sets=fashion-mnist --iterations=30"),
  LBFGS(
      "--sides --cases --sizes --iterations --repetitions --seed",
      "8,4,2,1 5,5,1 1,1,1,1",
      "--sides=stock,stock-partitioned,stock-replicated,uniform,adaptive --sizes=large"
          + " --iterations=15",
      "2,1",
      "--sides=stock,adaptive --cases=logistic-dense --sizes=small --iterations=6"),
  CNN(
      "--sides --data --iterations --seed",
      "840,420,280,210,168,140,120,105",
      "--sides=uniform,ata-empirical,adaptive,greedy --iterations=1500",
      "2,1",
      "--sides=uniform,adaptive --iterations=100"),
  RING(
      CNN.options,
      "3,3,3,3,1,1,1,1",
      "--sides=" + String.join(",", CnnMeasurement.RING_SIDES) + " --iterations=300",
      "2,1",
      "--sides=ring-equal,ring-self-adaptive --iterations=50");

  /** Where a case has no default of its own. */
  private static final String DEFAULTS =
      "--sides=mllib,mllib-speculation,mllib-partitioned,mllib-replicated,uniform,static,"
          + "self-adaptive,ata-empirical,adaptive"
          + " --sizes=small,large --layouts=dense,sparse --fractions=1.0,0.1"
          + " --features=1000,100000 --iterations=40 --repetitions=1"
          + " --sets=flights,fashion-mnist"
          + " --cases=logistic-dense,logistic-sparse,linear-svc,linear-regression,"
          + "multilayer-perceptron,cross-validator";

  private final String options;
  private final String clusters;
  private final String defaults;
  private final String quickClusters;
  private final String quickDefaults;

  BenchCase(
      String options,
      String clusters,
      String defaults,
      String quickClusters,
      String quickDefaults) {
    this.options = options;
    this.clusters = clusters;
    this.defaults = defaults;
    this.quickClusters = quickClusters;
    this.quickDefaults = quickDefaults;
  }

  /** The name on the command line and in the results. */
  String id() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  /** The case of that name; empty if there is none. */
  static Optional<BenchCase> of(String id) {
    return Arrays.stream(values()).filter(one -> one.id().equals(id)).findFirst();
  }

  static List<String> ids() {
    return Arrays.stream(values()).map(BenchCase::id).toList();
  }

  /** The options that mean something in it, besides those that all cases take. */
  List<String> options() {
    return List.of(words(options));
  }

  /** The relative speeds of the clusters, one after the other. */
  List<String> clusters(boolean isQuick) {
    return List.of(words(isQuick ? quickClusters : clusters));
  }

  /** Whether it trains the network on Fashion-MNIST. */
  boolean isOfNetwork() {
    return this == CNN || this == RING;
  }

  Manager manager() {
    return this == YARN ? Manager.YARN : Manager.STANDALONE;
  }

  /** Fills in what the caller has not given. */
  void complete(BenchArguments arguments, boolean isQuick) {
    for (String some : List.of(isQuick ? quickDefaults : "", defaults, DEFAULTS)) {
      arguments.completeBy(CommandLine.populateCommand(new BenchArguments(), words(some)));
    }
  }

  private static String[] words(String text) {
    return text.isEmpty() ? new String[0] : text.split(" ", -1);
  }
}
