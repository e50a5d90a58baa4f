package io.sparkata.callers;

import static org.assertj.core.api.Assertions.assertThat;

import io.sparkata.cluster.AtaRuntime;
import io.sparkata.cluster.Counters;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.mllib.optimization.GradientDescent;
import org.junit.jupiter.api.Test;

/** Of {@code GradientDescent.runMiniBatchSGD}. */
abstract class DescentMessages extends Messages {
  private final int partitions;

  /**
   * @param partitions of the data
   */
  DescentMessages(int partitions, Function<Map<String, String>, JavaSparkContext> start) {
    super(List.of(GradientDescent.class.getName()), start);
    this.partitions = partitions;
  }

  @Override
  List<DescentSituation> situations() {
    return DescentSituation.all(partitions);
  }

  @Override
  List<String> failingJobs() {
    return List.of(
        "gradient throws",
        "gradient throws later",
        "a row that cannot be read",
        "a vector that MLlib refuses",
        "a row that a query refuses");
  }

  @Override
  List<String> throwing() {
    return List.of(
        "gradient throws",
        "gradient throws later",
        "updater throws",
        "updater throws later",
        "a row that cannot be read",
        "a vector that MLlib refuses",
        "a row that a query refuses",
        "null weights",
        "fraction above 1");
  }

  @Override
  Counters counters(AtaRuntime runtime) {
    return runtime.counters();
  }

  @Test
  void train_inAll_wasRoutedAndFellBackNever() {
    List<DescentSituation> all = situations();
    long complete = all.stream().filter(s -> !s.toString().startsWith("null ")).count();
    assertThat(routed(all.get(all.size() - 1).toString()).counters())
        .startsWith("calls=" + complete + " routed=" + complete + " ")
        .doesNotContain("rounds=0")
        .endsWith("fallbacks=0");
  }

  @Test
  void train_byStock_someSituationsThrowAndSomeDoNot() {
    assertThat(situations()).anyMatch(one -> stock(one.toString()).exception().isEmpty());
    assertThat(stock("gradient throws").root())
        .isEqualTo("java.lang.ArithmeticException: the user's gradient has a bug");
  }
}
