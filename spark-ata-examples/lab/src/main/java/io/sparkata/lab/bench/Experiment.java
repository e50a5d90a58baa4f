package io.sparkata.lab.bench;

import static io.sparkata.lab.BadArgument.require;

import io.sparkata.lab.BadArgument;
import io.sparkata.lab.cluster.RelativeSpeeds;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * A comparison of sides on workloads, each turn of a side in an application of its own. Knows no
 * Spark. To add one, name it in {@link Experiments} and in the help of {@link Bench}.
 *
 * @param defaults options, as words of a command line
 * @param quick those that differ with {@code --quick}; no training has more iterations then
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

  private static final Pattern CACHED_WORK =
      Pattern.compile(
          "(kmeans|random-forest|boosted-trees|pipeline|aggregate)(-even|-joined|-counted)?");

  private static final Pattern WORK =
      Pattern.compile(
          "(dense|sparse)-(medium|(small|large|large-mllib)(-0?\\.\\d+)?)"
              + "|(logistic-dense|logistic-sparse|linear-svc|linear-regression"
              + "|multilayer-perceptron|cross-validator)(-small)?"
              + "|flights(-sgd)?-\\d+|real-flights|fashion-mnist|weights-\\d+|cnn-\\d+");

  private static final String WORK_RULE =
      "dense or sparse with -small, -medium, -large or -large-mllib and perhaps a fraction,"
          + " as dense-large-0.1; logistic-dense, logistic-sparse, linear-svc, linear-regression,"
          + " multilayer-perceptron or cross-validator, perhaps with -small; kmeans,"
          + " random-forest, boosted-trees, pipeline or aggregate, perhaps with -even, -joined or"
          + " -counted; flights-N, flights-sgd-N, real-flights, fashion-mnist, weights-N, cnn-N";

  static boolean isWork(String name) {
    return isCachedWork(name) || WORK.matcher(name).matches();
  }

  /** Whether a work reads cached partitions in stages of Spark's own, without rounds. */
  static boolean isCachedWork(String name) {
    return CACHED_WORK.matcher(name).matches();
  }

  boolean is(Trait trait) {
    return traits.contains(trait);
  }

  /**
   * Fills in what the caller has not given.
   *
   * @throws BadArgument "Invalid --works: ..." and so on
   */
  void complete(Options options, boolean isQuick) {
    if (isQuick) {
      Options few = Options.parse(quick);
      options.completeBy(few);
      options.iterations = Math.min(options.iterations, few.iterations);
      options.repetitions = 1;
    }
    options.completeBy(Options.parse(defaults));
    options.completeBy(Options.parse("--repetitions=1 --seed=1"));
    options.data = options.data.toAbsolutePath();
    options.speeds.forEach(RelativeSpeeds::parse);
    String ids = String.join(", ", Side.ids());
    options.sides.forEach(one -> require(Side.ids().contains(one), "--sides", one, ids));
    options.works.forEach(work -> require(isWork(work), "--works", work, WORK_RULE));
  }
}
