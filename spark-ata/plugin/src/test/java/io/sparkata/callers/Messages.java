package io.sparkata.callers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.sparkata.cluster.AtaRuntime;
import io.sparkata.cluster.Counters;
import io.sparkata.spark.SparkListeners;
import io.sparkata.testing.CapturedLog;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.apache.logging.log4j.Level;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.mllib.optimization.GradientDescent;
import org.apache.spark.scheduler.JobFailed;
import org.apache.spark.scheduler.SparkListener;
import org.apache.spark.scheduler.SparkListenerJobEnd;
import org.apache.spark.scheduler.SparkListenerJobStart;
import org.assertj.core.data.Offset;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Tests of situations in which MLlib says or throws something. Warnings, the final line and
 * exceptions of a routed call are MLlib's: the same situations once in a context without the
 * plugin, once routed, and once routed with {@code spark.ata.onError=fail}.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class Messages {
  private static final Pattern DECIMAL = Pattern.compile("\\d+\\.\\d+(E-?\\d+)?");
  private static final Pattern JOB_NUMBER = Pattern.compile("(?i)(task|stage|TID) [0-9.]+");
  private static final Pattern EXECUTOR = Pattern.compile("\\(\\S+ executor \\S+\\)");

  private final int partitions;
  private final Map<String, Outcome> stock = new HashMap<>();
  private final Map<String, Outcome> routed = new HashMap<>();
  private final Map<String, Outcome> failing = new HashMap<>();
  private String counters;

  /**
   * What a call said and threw.
   *
   * @param lines level, logger and text of what MLlib's logger said
   * @param ownWarnings what our loggers warned of
   * @param exception class and first line of the exception; empty if there was none
   * @param root those of its last cause
   * @param failedJobs of Spark
   */
  private record Outcome(
      List<String> lines,
      List<String> ownWarnings,
      String exception,
      String root,
      int failedJobs) {}

  private static final class FailedJobs extends SparkListener {
    private final AtomicInteger running = new AtomicInteger();
    private final AtomicInteger count = new AtomicInteger();

    @Override
    public void onJobStart(SparkListenerJobStart start) {
      running.incrementAndGet();
    }

    @Override
    public void onJobEnd(SparkListenerJobEnd end) {
      if (end.jobResult() instanceof JobFailed) {
        count.incrementAndGet();
      }
      running.decrementAndGet();
    }

    /** Spark throws a job's exception before it posts the job's end. */
    int await(JavaSparkContext spark) {
      SparkListeners.awaitListeners(spark.sc(), /* millis= */ 10_000);
      Awaitility.await().until(() -> running.get() == 0);
      return count.get();
    }
  }

  /**
   * @param partitions of the data
   */
  Messages(int partitions) {
    this.partitions = partitions;
  }

  /** Starts Spark without Spark ATA. */
  abstract JavaSparkContext startStock();

  /** Starts Spark with Spark ATA on, and with settings. */
  abstract JavaSparkContext start(Map<String, String> settings);

  List<Situation> situations() {
    return Situation.all(partitions); // anew: an updater counts its calls
  }

  @BeforeAll
  void trainEverywhere() {
    runIn(startStock(), stock);
    Map<String, String> settings =
        Map.of(
            "spark.plugins", "io.sparkata.AtaPlugin",
            "spark.ata.enabled", "true",
            "spark.ata.onError", "fallback",
            "spark.ata.report", "off",
            "spark.ata.passThrough", "never");
    counters = runIn(start(settings), routed);
    Map<String, String> failFast = new HashMap<>(settings);
    failFast.put("spark.ata.onError", "fail");
    runIn(start(failFast), failing);
  }

  @ParameterizedTest
  @MethodSource("situations")
  void train_routed_saysAndThrowsWhatMllibDoes(Situation situation) {
    Outcome mllibs = stock.get(situation.toString());
    Outcome ours = routed.get(situation.toString());

    assertThat(ours.exception).isEqualTo(mllibs.exception);
    assertThat(ours.root).isEqualTo(mllibs.root);
    assertThat(texts(ours.lines)).isEqualTo(texts(mllibs.lines));
    List<Double> numbers = numbers(ours.lines);
    List<Double> expected = numbers(mllibs.lines);
    assertThat(numbers).hasSameSizeAs(expected);
    for (int i = 0; i < numbers.size(); i++) {
      assertThat(numbers.get(i))
          .isCloseTo(expected.get(i), Offset.offset(1e-9 * Math.max(1, expected.get(i))));
    }
  }

  @ParameterizedTest
  @MethodSource("situations")
  void train_routed_warnsOfNothingOfItsOwn(Situation situation) {
    assertThat(routed.get(situation.toString()).ownWarnings).isEmpty();
  }

  /** What stock Spark throws too is thrown at once. */
  @ParameterizedTest
  @ValueSource(strings = {"gradient throws", "gradient throws later", "a row that cannot be read"})
  void train_usersCodeThrows_noJobFailsTwice(String situation) {
    assertThat(stock.get(situation).failedJobs).isEqualTo(1);
    assertThat(routed.get(situation).failedJobs).isEqualTo(1);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "gradient throws",
        "gradient throws later",
        "updater throws",
        "updater throws later",
        "a row that cannot be read",
        "null weights",
        "fraction above 1"
      })
  void train_onErrorFail_theUsersExceptionIsMllibs(String situation) {
    assertThat(stock.get(situation).root).isNotEmpty();
    assertThat(failing.get(situation).root).isEqualTo(stock.get(situation).root);
    assertThat(failing.get(situation).exception).isEqualTo(stock.get(situation).exception);
  }

  @Test
  void train_inAll_wasRoutedAndFellBackNever() {
    long complete = situations().stream().filter(s -> !s.toString().startsWith("null ")).count();
    assertThat(counters)
        .startsWith("calls=" + complete + " routed=" + complete + " ")
        .doesNotContain("rounds=0")
        .endsWith("fallbacks=0");
  }

  @Test
  void train_byStock_someSituationsThrowAndSomeDoNot() {
    assertThat(stock.values()).anyMatch(outcome -> outcome.exception.isEmpty());
    assertThat(stock.get("gradient throws").root)
        .isEqualTo("java.lang.ArithmeticException: the user's gradient has a bug");
  }

  private String runIn(JavaSparkContext started, Map<String, Outcome> outcomes) {
    try (JavaSparkContext spark = started) {
      situations().forEach(situation -> outcomes.put(situation.toString(), run(situation, spark)));
      return AtaRuntime.of(spark.sc()).map(AtaRuntime::counters).map(Counters::toString).orElse("");
    }
  }

  private static Outcome run(Situation situation, JavaSparkContext spark) {
    try (CapturedLog mllib = CapturedLog.of(GradientDescent.class.getName());
        CapturedLog own = CapturedLog.of("io.sparkata")) {
      FailedJobs failed = new FailedJobs();
      spark.sc().addSparkListener(failed);
      Throwable thrown = catchThrowable(() -> situation.train(spark));
      int failedJobs = failed.await(spark);
      spark.sc().removeSparkListener(failed);
      return new Outcome(
          mllib.lines(), own.messages(Level.WARN), text(thrown), text(rootOf(thrown)), failedJobs);
    }
  }

  private static Throwable rootOf(Throwable thrown) {
    Throwable root = thrown;
    while (root != null && root.getCause() != null) {
      root = root.getCause();
    }
    return root;
  }

  private static String text(Throwable thrown) {
    if (thrown == null) {
      return "";
    }
    String firstLine = thrown.toString().lines().findFirst().orElse("");
    return EXECUTOR
        .matcher(JOB_NUMBER.matcher(firstLine).replaceAll("$1 #"))
        .replaceAll("(an executor)");
  }

  private static List<String> texts(List<String> lines) {
    return lines.stream().map(line -> DECIMAL.matcher(line).replaceAll("#")).toList();
  }

  private static List<Double> numbers(List<String> lines) {
    List<Double> numbers = new ArrayList<>();
    for (String line : lines) {
      DECIMAL
          .matcher(line)
          .results()
          .map(MatchResult::group)
          .map(Double::valueOf)
          .forEach(numbers::add);
    }
    return numbers;
  }
}
