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
import java.util.function.Function;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.apache.logging.log4j.Level;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.scheduler.JobFailed;
import org.apache.spark.scheduler.SparkListener;
import org.apache.spark.scheduler.SparkListenerJobEnd;
import org.apache.spark.scheduler.SparkListenerJobStart;
import org.assertj.core.data.Offset;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Tests of situations in which MLlib or spark.ml says or throws something. Warnings, the final line
 * and exceptions of a routed call are theirs: the same situations once in a context without the
 * plugin, once routed, and once routed with {@code spark.ata.onError=fail}.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class Messages {
  private static final Pattern DECIMAL = Pattern.compile("\\d+\\.\\d+(E-?\\d+)?");
  private static final Pattern UID = Pattern.compile("(?<=\\[|_)[0-9a-f]{8,12}\\b");
  private static final Pattern JOB_NUMBER = Pattern.compile("(?i)(task|stage|TID) [0-9.]+");
  private static final Pattern EXECUTOR = Pattern.compile("\\(\\S+ executor \\S+\\)");

  private final List<String> loggers;
  private final Function<Map<String, String>, JavaSparkContext> start;
  private final Map<String, Outcome> stock = new HashMap<>();
  private final Map<String, Outcome> routed = new HashMap<>();
  private final Map<String, Outcome> failing = new HashMap<>();

  /**
   * What a call said and threw.
   *
   * @param lines level, logger and text of what stock's loggers said
   * @param ownWarnings what our loggers warned of
   * @param exception class and first line of the exception; empty if there was none
   * @param root those of its last cause
   * @param failedJobs of Spark
   * @param counters after it
   */
  protected record Outcome(
      List<String> lines,
      List<String> ownWarnings,
      String exception,
      String root,
      int failedJobs,
      String counters) {}

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
   * @param loggers whose lines are compared
   * @param start starts Spark with settings, where it starts with Spark ATA off without any
   */
  Messages(List<String> loggers, Function<Map<String, String>, JavaSparkContext> start) {
    this.loggers = loggers;
    this.start = start;
  }

  /** Anew at each call: an updater counts its calls. */
  abstract List<? extends Situation> situations();

  /** Names of those in which the user's code or data fails a job, which then fails only once. */
  abstract List<String> failingJobs();

  /** Names of those that throw the same with {@code spark.ata.onError=fail}. */
  abstract List<String> throwing();

  /** Of the route. */
  abstract Counters counters(AtaRuntime runtime);

  Outcome stock(String situation) {
    return stock.get(situation);
  }

  Outcome routed(String situation) {
    return routed.get(situation);
  }

  @BeforeAll
  void trainEverywhere() {
    runIn(Map.of(), stock);
    Map<String, String> settings =
        Map.of(
            "spark.plugins", "io.sparkata.AtaPlugin",
            "spark.ata.enabled", "true",
            "spark.ata.onError", "fallback",
            "spark.ata.report", "off",
            "spark.ata.passThrough", "never");
    runIn(settings, routed);
    Map<String, String> failFast = new HashMap<>(settings);
    failFast.put("spark.ata.onError", "fail");
    runIn(failFast, failing);
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
  @MethodSource("failingJobs")
  void train_usersCodeThrows_noJobFailsTwice(String situation) {
    assertThat(stock.get(situation).failedJobs).isEqualTo(1);
    assertThat(routed.get(situation).failedJobs).isEqualTo(1);
  }

  @ParameterizedTest
  @MethodSource("throwing")
  void train_onErrorFail_theUsersExceptionIsMllibs(String situation) {
    assertThat(stock.get(situation).root).isNotEmpty();
    assertThat(failing.get(situation).root).isEqualTo(stock.get(situation).root);
    assertThat(failing.get(situation).exception).isEqualTo(stock.get(situation).exception);
  }

  private void runIn(Map<String, String> settings, Map<String, Outcome> outcomes) {
    try (JavaSparkContext spark = start.apply(settings)) {
      situations().forEach(situation -> outcomes.put(situation.toString(), run(situation, spark)));
    }
  }

  private Outcome run(Situation situation, JavaSparkContext spark) {
    List<CapturedLog> stocks = loggers.stream().map(CapturedLog::of).toList();
    try (CapturedLog own = CapturedLog.of("io.sparkata")) {
      FailedJobs failed = new FailedJobs();
      spark.sc().addSparkListener(failed);
      Throwable thrown = catchThrowable(() -> situation.train(spark));
      int failedJobs = failed.await(spark);
      spark.sc().removeSparkListener(failed);
      return new Outcome(
          stocks.stream()
              .flatMap(log -> log.lines().stream())
              .filter(this::isCompared)
              .map(Messages::text)
              .toList(),
          own.messages(Level.WARN),
          text(thrown),
          text(rootOf(thrown)),
          failedJobs,
          AtaRuntime.of(spark.sc()).map(this::counters).map(Counters::toString).orElse(""));
    } finally {
      stocks.forEach(CapturedLog::close);
    }
  }

  /** Whether a line, which begins with its level, must be stock's. */
  boolean isCompared(String line) {
    return !line.isEmpty();
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
    return text(thrown.toString());
  }

  /** The first line, since stack traces follow, without numbers of this run. */
  private static String text(String message) {
    String firstLine = message.lines().findFirst().orElse("");
    return EXECUTOR
        .matcher(JOB_NUMBER.matcher(firstLine).replaceAll("$1 #"))
        .replaceAll("(an executor)");
  }

  private static List<String> texts(List<String> lines) {
    return lines.stream()
        .map(line -> UID.matcher(line).replaceAll("#"))
        .map(line -> DECIMAL.matcher(line).replaceAll("#"))
        .toList();
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
