package io.sparkata.lab.bench;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * A comparison of sides on workloads, each turn of a side in an application of its own. Knows no
 * Spark. To add one, write a file as {@link Heterogeneous} is, and name it in {@link #all} and in
 * the help of {@link Bench}.
 *
 * @param defaults options, as words of a command line
 * @param quick those that differ with {@code --quick}
 * @param settings of all sides' applications, besides their own
 * @param columns of the tables
 */
record Experiment(
    String id,
    String defaults,
    String quick,
    Set<Trait> traits,
    Map<String, String> settings,
    List<Column> columns) {

  /** What an experiment does besides training warm sides on a standalone cluster. */
  enum Trait {
    /** A side has trained nothing before its call. */
    COLD,
    /** The first executor is slow for a third of the iterations. */
    THROTTLED,
    /** Executors are YARN's. */
    YARN
  }

  private static final Pattern WORK =
      Pattern.compile(
          "(dense|sparse)-(medium|(small|large|large-mllib)(-0?\\.\\d+)?)"
              + "|(logistic-dense|logistic-sparse|linear-svc|linear-regression"
              + "|multilayer-perceptron|cross-validator)(-small)?"
              + "|flights(-sgd)?-\\d+|real-flights|fashion-mnist|weights-\\d+|cnn-\\d+");

  static final String WORK_RULE =
      "dense or sparse with -small, -medium, -large or -large-mllib and perhaps a fraction,"
          + " as dense-large-0.1; logistic-dense, logistic-sparse, linear-svc, linear-regression,"
          + " multilayer-perceptron or cross-validator, perhaps with -small; flights-N,"
          + " flights-sgd-N, real-flights, fashion-mnist, weights-N, cnn-N";

  static List<Experiment> all() {
    return List.of(
        Heterogeneous.EXPERIMENT,
        Drift.EXPERIMENT,
        Overhead.EXPERIMENT,
        Yarn.EXPERIMENT,
        Speculation.EXPERIMENT,
        RealData.EXPERIMENT,
        Lbfgs.EXPERIMENT,
        CnnByDriver.EXPERIMENT,
        CnnInRing.EXPERIMENT,
        Cold.EXPERIMENT);
  }

  /** The experiment of that name; empty if there is none. */
  static Optional<Experiment> of(String id) {
    return all().stream().filter(one -> one.id().equals(id)).findFirst();
  }

  static List<String> ids() {
    return all().stream().map(Experiment::id).toList();
  }

  static boolean isWork(String name) {
    return WORK.matcher(name).matches();
  }

  boolean is(Trait trait) {
    return traits.contains(trait);
  }

  /** Fills in what the caller has not given. */
  void complete(Options options, boolean isQuick) {
    if (isQuick) {
      options.completeBy(Options.parse(quick));
    }
    options.completeBy(Options.parse(defaults));
    options.completeBy(Options.parse("--repetitions=1 --seed=1"));
  }
}
