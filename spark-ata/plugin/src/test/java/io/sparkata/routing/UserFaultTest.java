package io.sparkata.routing;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import org.apache.spark.SparkException;
import org.junit.jupiter.api.Test;

class UserFaultTest {
  private static final String TASK = "io.sparkata.rounds.RoundTask";
  private static final String GRADIENT = "org.apache.spark.mllib.optimization.LogisticGradient";

  /** A job that failed by an exception with these classes on its stack, from the top. */
  private static Throwable job(Throwable root, String... classes) {
    root.setStackTrace(
        Arrays.stream(classes)
            .map(name -> new StackTraceElement(name, "run", "File.java", 1))
            .toArray(StackTraceElement[]::new));
    return new SparkException("Job aborted due to stage failure", root);
  }

  private static boolean isUsers(String... classes) {
    return UserFault.isCauseOf(job(new ArithmeticException(), classes));
  }

  @Test
  void isCauseOf_usersCode_isIt() {
    assertThat(isUsers("com.example.Own", TASK)).as("a gradient").isTrue();
    assertThat(isUsers("java.util.ArrayList", "com.example.Own", TASK)).as("in the JDK").isTrue();
    assertThat(
            isUsers(
                "com.example.Parse",
                "scala.collection.Iterator",
                "org.apache.spark.storage.BlockManager",
                "org.apache.spark.rdd.RDD",
                "io.sparkata.blocks.PackTask"))
        .as("what makes rows, while they are packed")
        .isTrue();
    assertThat(isUsers("com.example.Parse", "org.apache.spark.rdd.RDD"))
        .as("in a stage before ours")
        .isTrue();
  }

  @Test
  void isCauseOf_mllibsCodeForARow_isIt() {
    assertThat(isUsers("scala.Predef", "org.apache.spark.mllib.linalg.BLAS", GRADIENT, TASK))
        .isTrue();
    assertThat(isUsers("org.apache.spark.ml.optim.aggregator.HingeAggregator", TASK)).isTrue();
  }

  /** It is the same code, over the same rows, that Spark's own path would run. */
  @Test
  void isCauseOf_sparksCodeThatMakesRows_isIt() {
    assertThat(
            isUsers(
                "scala.Predef$",
                "org.apache.spark.mllib.linalg.SparseVector",
                "com.example.Parse",
                "scala.collection.Iterator$$anon$9",
                "io.sparkata.blocks.PackTask"))
        .as("called by the user's code")
        .isTrue();
    assertThat(
            isUsers(
                "org.apache.spark.sql.catalyst.expressions.GeneratedClass",
                "org.apache.spark.sql.execution.BufferedRowIterator",
                "scala.collection.Iterator$$anon$9",
                "io.sparkata.blocks.PackTask"))
        .as("a query")
        .isTrue();
    assertThat(
            isUsers(
                "org.apache.spark.storage.BlockManager",
                "scala.collection.Iterator$$anon$9",
                "io.sparkata.blocks.PackTask"))
        .as("storage")
        .isFalse();
  }

  @Test
  void isCauseOf_ours_isNot() {
    assertThat(isUsers(TASK)).isFalse();
    assertThat(isUsers("java.util.Arrays", TASK, "com.example.Own")).isFalse();
    assertThat(isUsers("org.apache.spark.mllib.linalg.Vectors", TASK)).as("by our call").isFalse();
    assertThat(isUsers("org.apache.spark.storage.BlockManager", TASK)).isFalse();
  }

  /** We keep and send rows in another form than Spark. */
  @Test
  void isCauseOf_serializer_isNot() {
    assertThat(
            isUsers(
                "com.example.Own",
                "com.esotericsoftware.kryo.Kryo",
                "org.apache.spark.serializer.KryoSerializationStream",
                TASK))
        .isFalse();
  }

  @Test
  void isCauseOf_noTasksException_isNot() {
    Throwable onDriver = new ArithmeticException();
    onDriver.setStackTrace(
        new StackTraceElement[] {new StackTraceElement("com.example.Own", "run", "File.java", 1)});
    assertThat(UserFault.isCauseOf(onDriver)).isFalse();
    assertThat(UserFault.isCauseOf(new SparkException("Executor lost"))).isFalse();
    assertThat(UserFault.isCauseOf(job(new StackOverflowError(), "com.example.Own", TASK)))
        .isFalse();
    assertThat(isUsers()).as("a JVM that leaves out stacks").isFalse();
  }
}
