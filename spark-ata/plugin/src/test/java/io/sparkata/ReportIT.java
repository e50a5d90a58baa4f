package io.sparkata;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.example.BrokenGradient;
import io.sparkata.testing.CapturedLog;
import io.sparkata.testing.FailingPolicy;
import io.sparkata.testing.Mllib;
import io.sparkata.testing.TestCluster;
import io.sparkata.testing.TestData;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.apache.logging.log4j.Level;
import org.apache.spark.SparkContext;
import org.apache.spark.mllib.optimization.LogisticGradient;
import org.apache.spark.scheduler.SparkListener;
import org.apache.spark.scheduler.SparkListenerJobStart;
import org.apache.spark.util.CallSite;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/** The report of trainings on real executors, and the names of their jobs in Spark's UI. */
@Tag("spark")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class ReportIT {
  private static final int ITERATIONS = 9;
  private static final String DESCRIPTION = "spark.job.description";
  private static final String LAST = "the last job";

  private final Queue<Job> jobs = new ConcurrentLinkedQueue<>();
  private TestCluster cluster;
  private SparkContext spark;
  private List<String> firstLines;

  /** What Spark's UI shows of a job. */
  private record Job(String description, String group, String stage, int tasks) {}

  @BeforeAll
  void start() {
    try (CapturedLog log = CapturedLog.of("io.sparkata")) {
      cluster =
          TestCluster.start(
              Map.of(
                  "spark.ata.report", "warn",
                  "spark.ata.policy", "adaptive",
                  "spark.ata.execution", "stage", // each round is a job
                  "spark.ata.passThrough", "auto"));
      training(3000).trainBySparkAta(null);
      training(3000).trainBySparkAta(null);
      firstLines = log.lines();
    }
    spark = cluster.context().sc();
    spark.addSparkListener(
        new SparkListener() {
          @Override
          public void onJobStart(SparkListenerJobStart event) {
            jobs.add(
                new Job(
                    event.properties().getProperty(DESCRIPTION),
                    event.properties().getProperty("spark.jobGroup.id"),
                    event.stageInfos().last().name(),
                    event.stageInfos().last().numTasks()));
          }
        });
  }

  @AfterAll
  void stop() {
    cluster.close();
  }

  @BeforeEach
  void forget() {
    jobs.clear();
  }

  @AfterEach
  void clear() {
    spark.clearJobGroup();
    spark.clearCallSite();
  }

  @Test
  void train_bySparkAta_warnsOfTwoLinesWithSums() {
    try (CapturedLog log = CapturedLog.of("io.sparkata")) {
      training(3000).trainBySparkAta(null);

      List<String> lines = log.messages(Level.WARN);
      assertThat(lines).hasSize(2);
      assertThat(lines.get(0))
          .matches(
              "Spark ATA ran training \\d+: AtaGradientDescent.optimizeWithLossReturned at"
                  + " Mllib.java:\\d+: 10 rounds in [0-9.]+ s; .*even shares.*");
      assertThat(lines.get(1))
          .matches(
              "Spark ATA training \\d+: [0-9.]+ s a round; packing took [0-9.]+ s(; moved [0-9.]+ MB to"
                  + " [1-3] executors?, [0-9.]+ s of it waited for)?(; slowest host \\S+ \\(executor"
                  + " [0-2]\\): [0-9.]+ s for an even share [^;]*)?(; executor [0-2] had too few rows"
                  + " to tell its speed)?");
    }
  }

  @Test
  void train_inANewApplication_saysOnceWhatTheExecutorsComputeWith() {
    assertThat(firstLines.stream().filter(line -> line.contains(" compute with ")))
        .singleElement()
        .asString()
        .matches(".*: Spark ATA: 3 executors: 3 compute with .* on Java [0-9.]+");
    assertThat(firstLines).noneMatch(line -> line.contains(" computes with "));
  }

  @Test
  void train_fewRows_warnsOfOneLineWithTheReason() {
    try (CapturedLog log = CapturedLog.of("io.sparkata")) {
      training(60).trainBySparkAta(null);

      assertThat(log.messages(Level.WARN))
          .singleElement()
          .asString()
          .matches(
              "Spark ATA left training \\d+ to Spark:"
                  + " AtaGradientDescent.optimizeWithLossReturned at Mllib.java:\\d+, because a"
                  + " round of 60 rows x 0.5 is too small to share out among 3 executors\\. Use"
                  + " .*");
    }
  }

  @Test
  void train_bySparkAta_describesItsJobs() {
    long number = cluster.counters().calls.get() + 1;
    training(3000).trainBySparkAta(null);
    String training = "Spark ATA training " + number;

    List<Job> ours = jobsUntilNow();
    assertThat(ours).hasSize(1 + ITERATIONS + 1);
    assertThat(ours.get(0).description).isEqualTo(training + ": packing");
    for (int round = 1; round <= ITERATIONS + 1; round++) {
      int tasks = ours.get(round).tasks; // of one slot; one may only fetch blocks
      assertThat(ours.get(round).description)
          .matches(
              "%s, round %d of 10: 1,500 rows on (1 executor|[2-%d] executors)"
                  .formatted(training, round, Math.max(2, tasks)));
    }
    assertThat(ours)
        .allSatisfy(
            job ->
                assertThat(job.stage)
                    .matches("AtaGradientDescent.optimizeWithLossReturned at Mllib.java:\\d+"));
    assertThat(spark.getLocalProperty(DESCRIPTION)).isNull();
    assertThat(spark.getLocalProperty(CallSite.SHORT_FORM())).isNull();
    assertThat(spark.getLocalProperty(CallSite.LONG_FORM())).isNull();
  }

  @Test
  void train_callerHasNamedItsJobs_keepsTheNames() {
    setNames();
    training(3000).trainBySparkAta(null);

    assertThat(jobsUntilNow())
        .hasSize(1 + ITERATIONS + 1)
        .allSatisfy(
            job -> {
              assertThat(job.description).startsWith("nightly run: Spark ATA training ");
              assertThat(job.group).isEqualTo("nightly");
              assertThat(job.stage).isEqualTo("fit at notebook:3");
            });
    assertNames();
  }

  @Test
  void train_fails_restoresTheCallersNames() {
    setNames();
    Mllib failing = training(3000);
    assertThatThrownBy(() -> failing.trainBySparkAta(FailingPolicy.class.getName()))
        .hasMessage("the policy breaks on purpose");
    assertNames();

    Mllib broken = new Mllib(failing.data(), new BrokenGradient(), 0.5, 3, 10);
    assertThatThrownBy(() -> broken.trainBySparkAta(null)).isNotNull();
    assertNames();
  }

  private void setNames() {
    spark.setJobGroup("nightly", "nightly run", /* interruptOnCancel= */ false);
    spark.setCallSite("fit at notebook:3");
  }

  private void assertNames() {
    assertThat(spark.getLocalProperty(DESCRIPTION)).isEqualTo("nightly run");
    assertThat(spark.getLocalProperty("spark.jobGroup.id")).isEqualTo("nightly");
    assertThat(spark.getLocalProperty(CallSite.SHORT_FORM())).isEqualTo("fit at notebook:3");
    assertThat(spark.getLocalProperty(CallSite.LONG_FORM())).isNull();
  }

  /** Runs one more job, so that the listener has seen those before it. */
  private List<Job> jobsUntilNow() {
    String description = spark.getLocalProperty(DESCRIPTION);
    spark.setLocalProperty(DESCRIPTION, LAST);
    assertThat(cluster.context().parallelize(List.of(1)).count()).isEqualTo(1);
    spark.setLocalProperty(DESCRIPTION, description);
    Awaitility.await()
        .atMost(Duration.ofMinutes(1))
        .until(() -> jobs.stream().anyMatch(job -> job.description.equals(LAST)));
    return jobs.stream().filter(job -> !job.description.equals(LAST)).toList();
  }

  private Mllib training(int rows) {
    return new Mllib(
        TestData.partitions(cluster.context(), TestData.rows(rows, 10, /* sparse= */ false, 1), 3),
        new LogisticGradient(),
        /* fraction= */ 0.5,
        ITERATIONS,
        10);
  }
}
