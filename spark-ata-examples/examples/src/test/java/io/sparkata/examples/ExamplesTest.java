package io.sparkata.examples;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.example.LastSpeedPolicy;
import io.sparkata.allocation.PolicySettings;
import io.sparkata.allocation.Prior;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.apache.spark.mllib.linalg.Vector;
import org.apache.spark.mllib.linalg.Vectors;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Runs each example in local mode as spark-submit would, with Spark ATA on and off. */
class ExamplesTest {
  private static final int ROWS = 400;

  @TempDir private Path folder;
  private String data;

  @BeforeEach
  void writeData() throws IOException {
    StringBuilder text = new StringBuilder();
    for (double[] row : rows(/* seed= */ 1)) {
      text.append(row[0]).append(" 1:" + row[1]).append(" 2:" + row[2]).append('\n');
    }
    data = Files.writeString(folder.resolve("data.libsvm"), text).toString();
  }

  @Test
  @Tag("nightly") // README runs it
  void logisticByFlag_onAndOff_trainsTheSameWeights() throws IOException {
    assertSame(LogisticByFlag::main);
  }

  @Test
  void logisticByFlag_ownPolicy_trainsTheSameWeights() throws IOException {
    Map<String, String> ownPolicy = Map.of("spark.ata.policy", LastSpeedPolicy.class.getName());

    assertSame(LogisticByFlag::main, ownPolicy);
  }

  @Test
  void ownGradient_onAndOff_trainsTheSameWeights() throws IOException {
    assertSame(OwnGradient::main);
  }

  @Test
  void ownUpdater_onAndOff_trainsTheSameWeights() throws IOException {
    assertSame(OwnUpdater::main);
  }

  @Test
  @Tag("nightly") // the guide runs it
  void factorizationMachine_onAndOff_trainsTheSameWeights() throws IOException {
    assertSame(FactorizationMachine::main);
  }

  @Test
  @Tag("nightly") // the demo runs a pipeline
  void pipelineByFlag_onAndOff_trainsTheSameWeights() throws IOException {
    String flights = folder.resolve("flights.parquet").toString();
    Submitted.run(someFlights(), Map.of(), flights);
    Map<String, String> few = Map.of("spark.default.parallelism", "1"); // tasks of hundreds of jobs

    Vector stock = Submitted.weights(Submitted.run(PipelineByFlag::main, few, flights)).get(0);
    Vector ours = Submitted.weights(Submitted.run(PipelineByFlag::main, on(few), flights)).get(0);

    assertThat(stock.numNonzeros()).isGreaterThan(3);
    assertThat(Math.sqrt(Vectors.sqdist(ours, stock)) / Vectors.norm(stock, 2))
        .isLessThanOrEqualTo(1e-6);
    // Three folds of two parameters each, and the best one on all rows.
    assertThat(roundsOfEachTraining()).hasSize(7).allMatch(rounds -> rounds > 1);
  }

  @Test
  void streamingLogistic_twoFilesOnAndOff_trainsTheSameWeights() throws Exception {
    List<Vector> stock = stream("off", Map.of());
    List<Vector> ours = stream("on", on(Map.of()));

    assertThat(stock).hasSize(2);
    assertThat(stock.get(1)).isNotEqualTo(stock.get(0));
    assertThat(ours).hasSize(2);
    for (int batch = 0; batch < 2; batch++) {
      assertClose(ours.get(batch), stock.get(batch));
    }
    assertThat(roundsOfEachTraining()).hasSize(2).allMatch(rounds -> rounds > 0);
  }

  @Test
  @Tag("nightly") // the guide runs it
  void readRoundLog_logOfOneTraining_printsRoundsAndSamplesByExecutor() throws IOException {
    Submitted.run(LogisticByFlag::main, on(Map.of()), data);

    String printed =
        Submitted.run(ReadRoundLog::main, Map.of(), roundLog().toString()).replace(" ", "");

    assertThat(printed).contains("|call|rounds|medianMillis|", "|1|31|"); // 30 and the final loss
    assertThat(printed).contains("|call|id|host|samples|nanosPerSample|fetchMillis|", "|1|driver|");
  }

  @Test
  void lastSpeedPolicy_timesOneAndThree_givesThreeQuartersToTheFaster() {
    LastSpeedPolicy policy = new LastSpeedPolicy(PolicySettings.defaults());
    assertThat(policy.allocate(List.of("a", "b"), 8)).containsExactly(4, 4);

    policy.observe("a", 4, 12);
    policy.observe("b", 4, 4);

    assertThat(policy.allocate(List.of("a", "b"), 8)).containsExactly(2, 6);
    assertThat(policy.allocate(List.of("a", "b", "new"), 9))
        .satisfies(units -> assertThat(Arrays.stream(units).sum()).isEqualTo(9));
  }

  @Test
  void lastSpeedPolicy_priors_startsFromThem() {
    Map<String, Prior> priors = Map.of("a", new Prior(3, 64), "b", new Prior(1, 64));

    LastSpeedPolicy policy = new LastSpeedPolicy(PolicySettings.defaults().withPriors(priors));

    assertThat(policy.meanTime("a")).isEqualTo(3);
    assertThat(policy.meanTime("new")).isNaN();
    assertThat(policy.allocate(List.of("a", "b"), 8)).containsExactly(2, 6);
  }

  /** Its share is a ninth of a unit, so it is due about every ninth round. */
  @Test
  void lastSpeedPolicy_workerTooSlowForOneUnit_getsOneNowAndThen() {
    LastSpeedPolicy policy = new LastSpeedPolicy(PolicySettings.defaults());
    policy.observe("fast", 8, 8);
    policy.observe("slow", 1, 71);
    int unitsOfSlow = 0;

    for (int round = 0; round < 90; round++) {
      unitsOfSlow += policy.allocate(List.of("fast", "slow"), 8)[1];
    }

    assertThat(unitsOfSlow).isBetween(9, 11);
  }

  private void assertSame(Submitted.Program program) throws IOException {
    assertSame(program, Map.of());
  }

  private void assertSame(Submitted.Program program, Map<String, String> settings)
      throws IOException {
    Vector stock = Submitted.weights(Submitted.run(program, Map.of(), data)).get(0);
    Vector ours = Submitted.weights(Submitted.run(program, on(settings), data)).get(0);

    assertClose(ours, stock);
    assertThat(roundsOfEachTraining()).singleElement().satisfies(n -> assertThat(n).isPositive());
  }

  private static void assertClose(Vector ours, Vector stock) {
    assertThat(stock.numNonzeros()).isEqualTo(2);
    for (int i = 0; i < stock.size(); i++) {
      assertThat(ours.apply(i)).isCloseTo(stock.apply(i), within(1e-9));
    }
  }

  private Map<String, String> on(Map<String, String> settings) {
    Map<String, String> all = new HashMap<>(settings);
    all.put("spark.ata.enabled", "true");
    all.put("spark.ata.passThrough", "never"); // one executor only
    all.put("spark.ata.onError", "fail");
    all.put("spark.ata.roundLog.path", roundLog().toUri().toString());
    return all;
  }

  private Path roundLog() {
    return folder.resolve("rounds");
  }

  private List<Long> roundsOfEachTraining() throws IOException {
    try (var logs = Files.list(roundLog())) {
      List<Long> rounds = new ArrayList<>();
      for (Path log : logs.toList()) {
        try (var lines = Files.lines(log)) {
          rounds.add(lines.count());
        }
      }
      return rounds;
    }
  }

  /** Writes about 500 of the flights in the data folder. */
  private static Submitted.Program someFlights() {
    return arguments -> {
      try (SparkSession spark = SparkSession.builder().appName("flights").getOrCreate()) {
        spark
            .read()
            .parquet("../data/flights-2.5m.parquet")
            .sample(/* fraction= */ 0.0002, /* seed= */ 1)
            .write()
            .parquet(arguments[0]);
      }
    };
  }

  /** The weights after each of two micro-batches. */
  private List<Vector> stream(String name, Map<String, String> settings) throws Exception {
    Path inbox = Files.createDirectory(folder.resolve("inbox-" + name));
    List<String> batches = List.of(points(/* seed= */ 2), points(/* seed= */ 3));
    String printed = Submitted.runStreaming(StreamingLogistic::main, settings, inbox, batches, "2");
    return Submitted.weights(printed);
  }

  private static String points(long seed) {
    StringBuilder text = new StringBuilder();
    for (double[] row : rows(seed)) {
      text.append("(" + row[0] + ",[" + row[1] + "," + row[2] + "])").append('\n');
    }
    return text.toString();
  }

  /** A label and two features each. */
  private static double[][] rows(long seed) {
    Random random = new Random(seed);
    double[][] rows = new double[ROWS][];
    for (int i = 0; i < ROWS; i++) {
      double x = random.nextGaussian();
      double y = random.nextGaussian();
      rows[i] = new double[] {x + 0.5 * y > 0 ? 1 : 0, x, y};
    }
    return rows;
  }
}
