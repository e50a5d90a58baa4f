package io.sparkata.routing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sparkata.testing.Bytecode;
import io.sparkata.testing.LocalSpark;
import io.sparkata.testing.TestData;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BiFunction;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.mllib.linalg.Vector;
import org.apache.spark.mllib.linalg.Vectors;
import org.apache.spark.mllib.optimization.GradientDescent;
import org.apache.spark.mllib.optimization.GradientDescent$;
import org.apache.spark.mllib.optimization.LogisticGradient;
import org.apache.spark.mllib.optimization.SquaredL2Updater;
import org.apache.spark.rdd.RDD;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import scala.Function2;
import scala.Tuple2;
import scala.reflect.ClassTag;

/** The bytecode of Spark's methods, changed and restored. */
@Tag("spark")
class WovenRouteTest {
  private static final Object ANSWER = new Tuple2<>(Vectors.dense(7), new double[] {8});

  @Test
  void open_gradientDescentThenClose_mllibRunsItsOwnBodyAgain() throws Exception {
    AtomicInteger calls = new AtomicInteger();
    WovenRoute route =
        open(
            WeavePoint.GRADIENT_DESCENT,
            (callee, arguments) -> {
              assertThat(callee).isInstanceOf(GradientDescent$.class);
              assertThat(arguments).hasSize(9);
              calls.incrementAndGet();
              return ANSWER;
            });
    try (JavaSparkContext spark = LocalSpark.startPlain(Map.of())) {
      assertThat(train(spark)).isSameAs(ANSWER);
      route.close();
      assertThat(train(spark)._1().size()).isEqualTo(5);
    }
    assertThat(calls).hasValue(1);
    assertThat(Bytecode.isWoven(GradientDescent$.class)).isFalse();
  }

  @Test
  void open_treeAggregateThenClose_sparkRunsItsOwnBodyAgain() throws Exception {
    AtomicInteger calls = new AtomicInteger();
    try (JavaSparkContext spark = LocalSpark.startPlain(Map.of())) {
      JavaRDD<Integer> numbers = spark.parallelize(List.of(1, 2, 3), 2);
      WovenRoute route =
          open(
              WeavePoint.TREE_AGGREGATE,
              (callee, arguments) -> {
                assertThat(callee).isSameAs(numbers.rdd());
                assertThat(arguments).hasSize(6);
                assertThat(arguments[0]).isEqualTo(0);
                assertThat(arguments[1]).isInstanceOf(Function2.class);
                assertThat(arguments[2]).isInstanceOf(Function2.class);
                assertThat(arguments[3]).isEqualTo(3);
                assertThat(arguments[4]).isEqualTo(false);
                assertThat(arguments[5]).isInstanceOf(ClassTag.class);
                return calls.incrementAndGet() == 1 ? 42 : null;
              });
      assertThat(Bytecode.isWoven(RDD.class)).isTrue();
      assertThat(sum(numbers)).isEqualTo(42);
      assertThat(sum(numbers)).as("Spark's own body after null").isEqualTo(6);
      route.close();
      assertThat(sum(numbers)).isEqualTo(6);
    }
    assertThat(calls).hasValue(2);
    assertThat(Bytecode.isWoven(RDD.class)).isFalse();
  }

  @Test
  void close_oneOfBoth_leavesTheOtherOpen() throws Exception {
    WovenRoute sums = open(WeavePoint.TREE_AGGREGATE, (callee, arguments) -> null);
    try (WovenRoute trainings = open(WeavePoint.GRADIENT_DESCENT, (callee, arguments) -> ANSWER);
        JavaSparkContext spark = LocalSpark.startPlain(Map.of())) {
      assertThat(trainings).isNotNull();
      sums.close();
      assertThat(Bytecode.isWoven(RDD.class)).isFalse();
      assertThat(train(spark)).isSameAs(ANSWER);
    }
  }

  @Test
  void open_again_replacesTheFirstWhoseCloseChangesNothing() throws Exception {
    try (JavaSparkContext spark = LocalSpark.startPlain(Map.of())) {
      JavaRDD<Integer> numbers = spark.parallelize(List.of(1, 2, 3), 2);
      WovenRoute first = open(WeavePoint.TREE_AGGREGATE, (callee, arguments) -> 1);
      try (WovenRoute second = open(WeavePoint.TREE_AGGREGATE, (callee, arguments) -> 2)) {
        assertThat(second).isNotSameAs(first);
        first.close();
        assertThat(sum(numbers)).isEqualTo(2);
      }
      assertThat(sum(numbers)).isEqualTo(6);
    }
    assertThat(Bytecode.isWoven(RDD.class)).isFalse();
  }

  @Test
  void open_destinationThrows_theCallerGetsTheException() throws Exception {
    BiFunction<Object, Object[], Object> thrower =
        (callee, arguments) -> {
          throw new IllegalStateException("on purpose");
        };
    try (JavaSparkContext spark = LocalSpark.startPlain(Map.of());
        WovenRoute trainings = open(WeavePoint.GRADIENT_DESCENT, thrower)) {
      assertThat(trainings).isNotNull();
      assertThatThrownBy(() -> train(spark))
          .isInstanceOf(IllegalStateException.class)
          .hasMessage("on purpose");
    }
  }

  @Test
  void open_methodWithAnotherSignature_throwsAndChangesNothing() throws Exception {
    WeavePoint vendors = new WeavePoint(RDD.class.getName(), "treeAggregate", "(I)V");

    assertThatThrownBy(() -> open(vendors, (callee, arguments) -> null))
        .isInstanceOf(RoutingException.class)
        .hasMessage("org.apache.spark.rdd.RDD has no method treeAggregate(I)V");
    assertThat(Bytecode.isWoven(RDD.class)).isFalse();
  }

  @Test
  void open_classThatIsMissing_throwsItsName() {
    WeavePoint missing = new WeavePoint("org.apache.spark.NoSuchClass", "run", "()V");

    assertThatThrownBy(() -> open(missing, (callee, arguments) -> null))
        .isInstanceOf(RoutingException.class)
        .hasMessage("java.lang.ClassNotFoundException: org.apache.spark.NoSuchClass");
  }

  /** A static method has no object of the call. */
  static void standStill() {}

  @Test
  void open_methodThatCannotBeWoven_throwsTheCause() {
    WeavePoint unfit = new WeavePoint(WovenRouteTest.class.getName(), "standStill", "()V");

    assertThatThrownBy(() -> open(unfit, (callee, arguments) -> null))
        .isInstanceOf(RoutingException.class)
        .hasMessageStartingWith(
            "the bytecode of io.sparkata.routing.WovenRouteTest cannot be changed: ");
  }

  private static WovenRoute open(WeavePoint point, BiFunction<Object, Object[], Object> destination)
      throws RoutingException {
    return WovenRoute.open(WovenRoute.instrumentation(), point, destination);
  }

  private static int sum(JavaRDD<Integer> numbers) {
    return numbers.treeAggregate(0, Integer::sum, Integer::sum, /* depth= */ 3);
  }

  private static Tuple2<Vector, double[]> train(JavaSparkContext spark) {
    return new GradientDescent(new LogisticGradient(), new SquaredL2Updater())
        .setNumIterations(4)
        .setConvergenceTol(0)
        .optimizeWithLossReturned(
            TestData.partitions(spark, TestData.rows(100, 5, false, 1), 2), Vectors.zeros(5));
  }
}
