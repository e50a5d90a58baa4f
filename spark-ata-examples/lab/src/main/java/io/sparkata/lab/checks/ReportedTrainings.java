package io.sparkata.lab.checks;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.sparkata.cluster.AtaRuntime;
import io.sparkata.lab.CachedRows;
import io.sparkata.lab.ReadyExecutors;
import io.sparkata.lab.RunFailure;
import io.sparkata.lab.bench.MadeRows;
import io.sparkata.lab.bench.Workload;
import io.sparkata.observation.Observer;
import io.sparkata.report.SavedSeconds;
import io.sparkata.report.Totals;
import io.sparkata.spark.SparkListeners;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import org.apache.spark.SparkContext;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.ml.classification.LogisticRegression;
import org.apache.spark.ml.evaluation.MulticlassClassificationEvaluator;
import org.apache.spark.ml.linalg.SQLDataTypes;
import org.apache.spark.ml.param.ParamMap;
import org.apache.spark.ml.tuning.CrossValidator;
import org.apache.spark.ml.tuning.ParamGridBuilder;
import org.apache.spark.mllib.linalg.Vector;
import org.apache.spark.mllib.optimization.GradientDescent;
import org.apache.spark.mllib.optimization.SquaredL2Updater;
import org.apache.spark.rdd.RDD;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.RowFactory;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import scala.Tuple2;
import scala.reflect.ClassTag$;

/**
 * Trains by the policies uniform and adaptive in turns, in one application, and writes what the
 * report claims and what a clock says, a line of JSON for each turn. In mode observe Spark trains.
 */
@Command(name = "reported", description = "Trains for check-report.")
public final class ReportedTrainings implements Callable<Integer> {
  private static final long SEED = 42;
  private static final long LISTENERS_MILLIS = 60_000;
  private static final double[] GRID = {1e-2, 1e-4};

  @Option(names = "--work", required = true)
  private ReportedWork work;

  @Option(names = "--turns", required = true)
  private int turns;

  @Option(names = "--iterations", required = true)
  private int iterations;

  @Option(names = "--out", required = true)
  private Path out;

  private Dataset<Row> input;
  private RDD<Tuple2<Object, Vector>> rows;

  /** Exits with 0 if it has trained, else with 1 after one line that says why. */
  public static void main(String[] arguments) {
    System.exit(RunFailure.execute(new ReportedTrainings(), arguments));
  }

  @Override
  public Integer call() throws Exception {
    try (SparkSession session = SparkSession.builder().getOrCreate()) {
      JavaSparkContext context = JavaSparkContext.fromSparkContext(session.sparkContext());
      AtaRuntime runtime =
          AtaRuntime.of(context.sc())
              .orElseThrow(() -> new RunFailure("Spark ATA is off. Set spark.ata.enabled=true"));
      Map<String, Integer> slots = new TreeMap<>();
      ReadyExecutors.await(context, runtime).forEach(one -> slots.put(one.id(), one.slots()));
      open(session, context, slots);
      StringBuilder lines = new StringBuilder();
      ObjectMapper json = new ObjectMapper();
      for (int turn = 0; turn < turns; turn++) {
        for (String policy : policies(runtime)) {
          lines.append(json.writeValueAsString(train(context.sc(), policy, runtime))).append('\n');
          Files.writeString(out, lines);
        }
      }
    }
    return 0;
  }

  private static List<String> policies(AtaRuntime runtime) {
    return runtime.observer().isPresent() ? List.of("spark") : List.of("uniform", "adaptive");
  }

  /** An even part of the rows on each slot, whatever the executors' speeds. */
  private void open(SparkSession session, JavaSparkContext context, Map<String, Integer> slots) {
    rows = CachedRows.onePerSlot(made().on(context), slots).rdd();
    input =
        session.createDataFrame(
            JavaRDD.fromRDD(rows, ClassTag$.MODULE$.apply(Tuple2.class))
                .map(row -> RowFactory.create(row._1(), row._2().asML())),
            new StructType()
                .add("label", DataTypes.DoubleType)
                .add("features", SQLDataTypes.VectorType()));
  }

  private MadeRows made() {
    return work == ReportedWork.SGD
        ? MadeRows.of(MadeRows.DENSE, Workload.LARGE, /* fraction= */ 1, SEED)
        : new MadeRows(
            MadeRows.DENSE, "fit", 100_000, 200, 200, /* classes= */ 60, /* fraction= */ 1, SEED);
  }

  private ReportedTurn train(SparkContext spark, String policy, AtaRuntime runtime) {
    SwitchedPolicy.to(policy);
    Totals totals = totals(runtime);
    double roundsBefore = totals.secondsInRounds();
    double packingBefore = totals.secondsInPacking();
    SavedSeconds savedBefore = totals.saved();
    int unknownBefore = totals.unknown();
    long begin = System.nanoTime();
    train();
    double callSeconds = (System.nanoTime() - begin) / 1e9;
    SparkListeners.awaitListeners(spark, LISTENERS_MILLIS); // an event ends the report of a fit
    double saved = totals.saved().seconds() - savedBefore.seconds();
    return new ReportedTurn(
        policy,
        callSeconds,
        totals.secondsInRounds() - roundsBefore,
        totals.secondsInPacking() - packingBefore,
        saved,
        totals.saved().low() - savedBefore.low(),
        totals.saved().high() - savedBefore.high(),
        totals.unknown() - unknownBefore);
  }

  private static Totals totals(AtaRuntime runtime) {
    return runtime.observer().map(Observer::totals).orElse(runtime.reporter().totals());
  }

  private void train() {
    LogisticRegression logistic = new LogisticRegression().setMaxIter(iterations).setTol(0);
    switch (work) {
      case SGD -> {
        MadeRows made = made();
        GradientDescent.runMiniBatchSGD(
            rows,
            made.gradient(),
            new SquaredL2Updater(),
            made.step(),
            iterations,
            /* regParam= */ 1e-5,
            /* miniBatchFraction= */ 1.0,
            made.start(),
            /* convergenceTol= */ 0);
      }
      case LBFGS -> logistic.setRegParam(1e-4).fit(input);
      case CROSS_VALIDATOR -> {
        ParamMap[] grid = new ParamGridBuilder().addGrid(logistic.regParam(), GRID).build();
        new CrossValidator()
            .setEstimator(logistic)
            .setEvaluator(new MulticlassClassificationEvaluator())
            .setEstimatorParamMaps(grid)
            .setNumFolds(3)
            .setParallelism(2)
            .setSeed(SEED)
            .fit(input);
      }
    }
  }
}
