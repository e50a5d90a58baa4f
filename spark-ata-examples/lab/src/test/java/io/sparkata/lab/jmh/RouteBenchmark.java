package io.sparkata.lab.jmh;

import io.sparkata.objective.Owners;
import io.sparkata.objective.SumRoute;
import io.sparkata.routing.Attachment;
import io.sparkata.routing.RoutingException;
import io.sparkata.routing.WeavePoint;
import io.sparkata.routing.WovenRoute;
import io.sparkata.spark.RootRdd;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.spark.Partition;
import org.apache.spark.SparkConf;
import org.apache.spark.SparkContext;
import org.apache.spark.TaskContext;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.mllib.linalg.Vector;
import org.apache.spark.mllib.linalg.Vectors;
import org.apache.spark.mllib.optimization.LBFGS;
import org.apache.spark.mllib.optimization.LeastSquaresGradient;
import org.apache.spark.mllib.optimization.SquaredL2Updater;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;
import org.openjdk.jmh.infra.BenchmarkParams;
import scala.Function2;
import scala.Tuple2;
import scala.collection.Iterator;
import scala.reflect.ClassTag;
import scala.reflect.ClassTag$;

/**
 * What the woven check of {@code treeAggregate} costs its callers. The RDD is ours and its {@code
 * treeAggregate}, woven like Spark's, returns zero at once, so that nothing but the check is timed.
 * The plugin runs in the same JVM.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Fork(1)
@Warmup(iterations = 5, time = 400, timeUnit = TimeUnit.MILLISECONDS)
@Measurement(iterations = 9, time = 200, timeUnit = TimeUnit.MILLISECONDS)
public class RouteBenchmark {
  private static final Integer ZERO = 0;

  private JavaSparkContext spark;
  private EmptyRdd empty;
  private Optional<WovenRoute> route = Optional.empty();
  private Function2<Object, Object, Object> stranger;
  private Function2<Object, Object, Object> listed;
  private final ClassTag<Object> tag = ClassTag$.MODULE$.apply(Object.class);

  /** Starts Spark, and weaves {@link EmptyRdd} unless the benchmark is {@link #notWoven}. */
  @Setup
  public void start(BenchmarkParams benchmark) throws RoutingException {
    spark =
        new JavaSparkContext(
            new SparkConf()
                .setMaster("local[1]")
                .setAppName("route-benchmark")
                .set("spark.ui.enabled", "false")
                .set("spark.plugins", "io.sparkata.AtaPlugin")
                .set("spark.ata.enabled", "true")
                .set("spark.ata.route", "none")); // opened below
    stranger = (sum, element) -> sum;
    listed = seqOpOfLbfgs();
    empty = new EmptyRdd(spark.sc());
    if (!benchmark.getBenchmark().endsWith(".notWoven")) {
      WeavePoint point =
          new WeavePoint(
              EmptyRdd.class.getName(), "treeAggregate", WeavePoint.TREE_AGGREGATE.descriptor());
      route =
          Optional.of(WovenRoute.open(Attachment.instrumentation(), point, SumRoute::runRouted));
    }
    if (!Owners.of(listed) || Owners.of(stranger)) {
      throw new IllegalStateException("Owners takes one closure for the other");
    }
  }

  /** The closure that LBFGS passes to {@code treeAggregate}. */
  @SuppressWarnings({"unchecked", "try"})
  private Function2<Object, Object, Object> seqOpOfLbfgs() throws RoutingException {
    AtomicReference<Object> seqOp = new AtomicReference<>();
    try (WovenRoute spy =
        WovenRoute.open(
            Attachment.instrumentation(),
            WeavePoint.TREE_AGGREGATE,
            (rdd, arguments) -> {
              seqOp.compareAndSet(null, arguments[1]);
              return null;
            })) {
      new LBFGS(new LeastSquaresGradient(), new SquaredL2Updater())
          .setNumIterations(1)
          .optimize(
              spark.parallelize(List.of(new Tuple2<Object, Vector>(1.0, Vectors.dense(1)))).rdd(),
              Vectors.zeros(1));
    }
    return (Function2<Object, Object, Object>) seqOp.get();
  }

  /** Stops Spark. */
  @TearDown
  public void stop() {
    route.ifPresent(WovenRoute::close);
    spark.close();
  }

  @Benchmark
  public Object notWoven() {
    return empty.treeAggregate(ZERO, stranger, stranger, 2, false, tag);
  }

  /** A seqOp that no allowed owner has made. */
  @Benchmark
  public Object stranger() {
    return empty.treeAggregate(ZERO, stranger, stranger, 2, false, tag);
  }

  /** The seqOp of LBFGS, over an RDD that is not persisted. */
  @Benchmark
  public Object listedNotPersisted() {
    return empty.treeAggregate(ZERO, listed, listed, 2, false, tag);
  }

  @Benchmark
  public boolean ownerOfStranger() {
    return Owners.of(stranger);
  }

  @Benchmark
  public boolean ownerOfListed() {
    return Owners.of(listed);
  }

  /** Has no partitions. */
  private static final class EmptyRdd extends RootRdd<Object> {
    private static final long serialVersionUID = 1L;

    EmptyRdd(SparkContext context) {
      super(context, Object.class);
    }

    @Override
    public <U> U treeAggregate(
        U zero,
        Function2<U, Object, U> seqOp,
        Function2<U, U, U> combOp,
        int depth,
        boolean finalAggregateOnExecutor,
        ClassTag<U> tag) {
      return zero;
    }

    @Override
    public Partition[] getPartitions() {
      return new Partition[0];
    }

    @Override
    public Iterator<Object> compute(Partition split, TaskContext context) {
      throw new IllegalStateException("no partitions");
    }

    @Override
    protected List<String> preferredLocationsOf(Partition partition) {
      return List.of();
    }
  }
}
