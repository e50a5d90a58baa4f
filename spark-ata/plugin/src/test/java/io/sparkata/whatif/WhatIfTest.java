package io.sparkata.whatif;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class WhatIfTest {
  private static final int ROUNDS = 21;
  private static final int STAGES = 20;

  /** Eight partitions each take 0.83, 0.83 and 3.23 s; 11, 11 and 2 take 1.14, 1.14 and 0.81 s. */
  private static final double EACH = 8 * 0.404 - 11 * 0.104;

  /** A stage takes 0.4 s longer than its tasks. */
  private static final double LONGER = 3.632 / 3.232;

  @TempDir Path folder;

  private final ByteArrayOutputStream out = new ByteArrayOutputStream();
  private final ByteArrayOutputStream err = new ByteArrayOutputStream();

  private int run(String... arguments) {
    out.reset();
    err.reset();
    return new WhatIfRun(
            new PrintStream(out, /* autoFlush= */ true, UTF_8),
            new PrintStream(err, /* autoFlush= */ true, UTF_8))
        .run(arguments);
  }

  private String out() {
    return out.toString(UTF_8);
  }

  private String err() {
    return err.toString(UTF_8);
  }

  /** One executor takes four times as long as each of the others. */
  private static MadeLog uneven(MadeLog log, String stage, int data, String level) {
    for (int round = 0; round < ROUNDS; round++) {
      log.round(stage, data, level, "", 100, 100, 400);
    }
    return log;
  }

  private JsonNode json(Path log) throws IOException {
    assertThat(run("--json", log.toString())).as(err()).isZero();
    return new ObjectMapper().readTree(out()).get("applications").get(0);
  }

  @Test
  void run_slowExecutor_saysWhatIsSaved() throws IOException {
    Path log = uneven(new MadeLog(3), MadeLog.LBFGS, 5, MadeLog.OBJECTS).write(log("app-1"));
    JsonNode training = json(log).get("trainings").get(0);

    // 3,000 rows at 10 + 10 + 2.5 a millisecond take 133 ms, not 400; jobs cost 10 ms each.
    double least = 20 * (0.4 - 3000 / 22_500.0);
    assertThat(training.get("savedLow").asDouble()).isBetween(least - 0.001, least + 0.001);
    assertThat(training.get("savedHigh").asDouble())
        .isBetween(least + 0.2 - 0.001, least + 0.2 + 0.001);
    assertThat(training.get("rounds").asInt()).isEqualTo(ROUNDS);
    assertThat(training.get("seconds").asDouble()).isCloseTo(ROUNDS * 0.41, within(1e-9));
    assertThat(training.get("relativeSpeeds").get("0").asDouble()).isEqualTo(4);
    assertThat(training.get("route").asText()).isEqualTo("lbfgs");
    assertThat(json(log).get("stages")).as("the training's are no others").isEmpty();

    assertThat(run(log.toString())).isZero();
    assertThat(out().lines())
        .containsExactly(
            "app-1 \"<b>made</b>\" (Spark 2.4.8): 8.610 s, 3 executors",
            "  8.610 s in rounds of 1 training that Spark ATA serves; it would have saved 5.333 to"
                + " 5.533 s",
            "  - treeAggregate at RDDLossFunction.scala:61: 21 rounds in 8.610 s; 5.333 to 5.533 s"
                + " (62 to 64 %) less; slowest executor 2 on host2; relative speeds 0=4.00 1=4.00"
                + " 2=1.00");
  }

  @Test
  void run_nothingToSave_saysWhy() throws IOException {
    MadeLog log = new MadeLog(3);
    uneven(log, "treeAggregate at RDDLossFunction.scala:61", 1, MadeLog.level(true, false));
    for (int round = 0; round < ROUNDS; round++) {
      log.round(MadeLog.LBFGS, 3, MadeLog.OBJECTS, "", 100 + round % 3, 101, 102 - round % 2);
      log.round("count at App.scala:3", 4, MadeLog.level(false, false), "", 1, 1, 9); // not cached
    }
    for (int round = 0; round < 5; round++) {
      log.round(MadeLog.LBFGS, 6, MadeLog.OBJECTS, "", 100, 100, 400);
    }
    for (int round = 0; round < ROUNDS; round++) {
      log.round(MadeLog.LBFGS, 7, MadeLog.OBJECTS, "", 100);
    }
    log.write(log("app-1"));

    assertThat(run(folder.toString())).isZero();
    assertThat(out())
        .contains("4 trainings that Spark ATA serves; it would have saved nothing")
        .contains("nothing to save: its data are not persisted in memory as objects (MEMORY_ONLY")
        .contains("nothing to save: its executors finish together")
        .contains("5 rounds in 2.050 s; nothing to save: it has fewer than 11 rounds")
        .contains("nothing to save: it ran on one executor")
        .doesNotContain("count at App.scala");
  }

  /** Such as those of k-means: Spark runs them, and their partitions move. */
  @Test
  void run_stagesOverCachedPartitions_saysWhatMovesSave() throws IOException {
    MadeLog log = new MadeLog(3);
    for (int stage = 0; stage < STAGES; stage++) {
      log.stage(7, MadeLog.OBJECTS, 100, 100, 400);
    }
    Path path = log.write(log("app-1"));
    JsonNode found = json(path).get("stages").get(0);

    // Partitions move after the third stage. Six of them, three to each receiver, take 6 s at
    // 10 MB/s: two stages. The spread is that of stages before and after.
    double spread = 2.26 * Math.sqrt(18 / 34.0);
    assertThat(found.get("savedLow").asDouble())
        .isCloseTo((STAGES - 5 - spread) * EACH, within(0.01));
    assertThat(found.get("savedHigh").asDouble())
        .isCloseTo((STAGES - 3 + spread) * EACH * LONGER, within(0.01));
    assertThat(found.get("stages").asInt()).isEqualTo(STAGES);
    assertThat(found.get("seconds").asDouble()).isCloseTo(STAGES * 3.632, within(1e-9));
    assertThat(run(path.toString())).isZero();
    assertThat(out().lines().skip(1))
        .containsExactly(
            "  No training that Spark ATA serves",
            "  72.6 s in 20 other stages over cached partitions; moved partitions would have saved"
                + " 27.9 to 43.7 s",
            "  - rdd (map at App.scala:1): 20 stages in 72.6 s; 27.9 to 43.7 s (38 to 60 %) less");
    Path page = folder.resolve("page.html");
    assertThat(run("--html", page.toString(), path.toString())).isZero();
    assertThat(Files.readString(page)).contains("<th scope=\"col\">Cached data", "27.9 to 43.7 s");
  }

  /** K-means reads its rows alone, and then with their norms: these move together. */
  @Test
  void run_stagesOverCachedPartitionsOfTwoLists_countForTheOldest() throws IOException {
    MadeLog log = new MadeLog(3);
    for (int stage = 0; stage < STAGES; stage++) {
      if (stage % 2 == 0) {
        log.stage(7, MadeLog.OBJECTS, 100, 100, 400);
      } else {
        log.stageOfTwo(7, 9, 100, 100, 400);
      }
    }
    JsonNode found = json(log.write(log("app-1"))).get("stages").get(0);

    // As above. If a list's stages counted for themselves, it would begin to save in its fourth.
    double spread = 2.26 * Math.sqrt(18 / 34.0);
    assertThat(found.get("savedHigh").asDouble())
        .isCloseTo((STAGES - 3 + spread) * EACH * LONGER, within(0.01));
  }

  @Test
  void run_stagesThatMovesCannotHelp_savesNothing() throws IOException {
    MadeLog log = new MadeLog(3);
    for (int stage = 0; stage < STAGES; stage++) {
      log.stage(7, MadeLog.OBJECTS, 100 + stage % 3, 101, 102 - stage % 2);
      log.stage(8, MadeLog.level(/* useMemory= */ true, true).replace("1}", "2}"), 100, 100, 400);
    }
    log.stage(9, MadeLog.OBJECTS, 100, 100, 400).stage(9, MadeLog.OBJECTS, 100, 100, 400);
    JsonNode application = json(log.write(log("app-1")));

    assertThat(application.get("savedHigh").asDouble()).isZero();
    assertThat(application.get("stages")).as("replicated ones stay").hasSize(1);
    assertThat(run(log("app-1").toString())).isZero();
    assertThat(out())
        .contains("moved partitions would have saved nothing certain")
        .contains("22 stages in 32.2 s; nothing certain");
  }

  private static final String REMOVED =
      "{'Event':'SparkListenerExecutorRemoved','Timestamp':2000000,'Executor ID':'2',"
          + "'Removed Reason':'gone'}";

  /** No partition would have moved to it, though it was the fastest. */
  @Test
  void run_executorRemoved_goesOnWithoutIt() throws IOException {
    MadeLog log = new MadeLog(3);
    for (int stage = 0; stage < STAGES; stage++) {
      log.stage(7, MadeLog.OBJECTS, 400, 400, 400);
    }
    for (int stage = 0; stage < 3; stage++) {
      log.stage(7, MadeLog.OBJECTS, 400, 400, 100);
    }
    log.add(REMOVED);
    for (int stage = 0; stage < STAGES; stage++) {
      log.stage(7, MadeLog.OBJECTS, 400, 400);
    }
    JsonNode found = json(log.write(log("app-1"))).get("stages").get(0);

    assertThat(found.get("savedHigh").asDouble()).isZero();
  }

  /** Spark reports some tasks late; a stage is not estimated where not all of it is known. */
  @Test
  void run_taskEndsAfterItsExecutorIsGone_countsForNothing() throws IOException {
    MadeLog log = new MadeLog(3);
    for (int stage = 0; stage < STAGES; stage++) {
      log.stage(7, MadeLog.OBJECTS, 100, 100, 400);
      if (stage == 5) {
        log.add(REMOVED);
      }
    }
    JsonNode found = json(log.write(log("app-1"))).get("stages").get(0);

    assertThat(found.get("stages").asInt()).isEqualTo(STAGES);
    assertThat(found.get("savedHigh").asDouble()).isFinite().isPositive();
    assertThat(found.get("savedLow").asDouble()).isFinite();
  }

  /** What is unpersisted is forgotten: another RDD of that id would begin anew. */
  @Test
  void run_unpersisted_beginsAnew() throws IOException {
    MadeLog log = new MadeLog(3);
    for (int stage = 0; stage < STAGES; stage++) {
      log.stage(7, MadeLog.OBJECTS, 100, 100, 400);
      if (stage % 3 == 2) {
        log.add("{'Event':'SparkListenerUnpersistRDD','RDD ID':7}");
      }
    }
    JsonNode found = json(log.write(log("app-1"))).get("stages").get(0);

    assertThat(found.get("savedSeconds").asDouble()).as("after three reads each").isZero();
  }

  /** Each iteration of gradient descent samples anew, from data that need not be cached. */
  @Test
  void run_gradientDescent_isNamedByItsCaller() throws IOException {
    String details =
        "org.apache.spark.rdd.RDD.treeAggregate(RDD.scala:1214)\\n"
            + "org.apache.spark.mllib.optimization.GradientDescent$."
            + "runMiniBatchSGD(GradientDescent.scala:239)\\n"
            + "org.apache.spark.mllib.classification.SVMWithSGD$.train(SVM.scala:250)\\n"
            + "com.acme.App.main(App.java:31)";
    MadeLog log = new MadeLog(2);
    for (int round = 0; round < ROUNDS; round++) {
      log.round(
          "treeAggregate at GradientDescent.scala:239",
          1,
          MadeLog.level(false, false),
          details,
          300,
          100);
    }
    log.add("{'Event':'com.acme.UnknownEvent','x':1}");
    log.add(
        "{'Event':'io.sparkata.events.TrainingStarted','training':1,'time':5,'name':'fit',"
            + "'kind':'lbfgs','policy':'adaptive'}");
    log.add("{'Event':'SparkListenerJobStart','Job ID':"); // cut
    JsonNode application = json(log.write(log("app-1.inprogress")));
    assertThat(err().lines()).hasSize(1); // its end may be missing

    JsonNode training = application.get("trainings").get(0);
    assertThat(training.get("name").asText()).isEqualTo("SVMWithSGD.train at App.java:31");
    assertThat(training.get("route").asText()).isEqualTo("gradientDescent");
    assertThat(training.get("savedLow").asDouble()).isPositive();
    assertThat(application.get("trainedByAta").asInt()).isEqualTo(1);
  }

  /** MLlib counts its rows from the same file, once or for each of several trainings. */
  @Test
  void run_countOfMllib_isNoRound() throws IOException {
    MadeLog log = new MadeLog(3);
    for (int round = 0; round < ROUNDS; round++) {
      log.round(
          "count at LBFGS.scala:196",
          5,
          MadeLog.OBJECTS,
          "org.apache.spark.mllib.optimization.LBFGS$.runLBFGS(LBFGS.scala:196)",
          100,
          100,
          400);
    }
    JsonNode application = json(log.write(log("app-1")));

    assertThat(application.get("secondsInRounds").asDouble()).isZero();
    assertThat(application.get("trainings")).isEmpty();
  }

  /** Four equal executors, of which three live at a time. */
  @Test
  void run_executorReplaced_savesNothing() throws IOException {
    MadeLog log = new MadeLog(4);
    for (int round = 0; round < 2 * ROUNDS; round++) {
      boolean isEarly = round < ROUNDS;
      log.round(
          MadeLog.LBFGS, 5, MadeLog.OBJECTS, "", 100, 100, isEarly ? 100 : 0, isEarly ? 0 : 100);
    }
    JsonNode application = json(log.write(log("app-1")));

    assertThat(application.get("savedHigh").asDouble()).isZero();
    assertThat(application.get("trainings").get(0).get("why").asText())
        .isEqualTo("its executors finish together");
  }

  /** Of a cached DataFrame Spark counts batches, not rows; these are not what is summed. */
  @Test
  void run_persistedFurtherBack_countsAsLittleAsAtaDoes() throws IOException {
    MadeLog log = new MadeLog(3);
    for (int round = 0; round < ROUNDS; round++) {
      log.roundOverMapped(MadeLog.LBFGS, 100, 100, 400);
    }
    JsonNode training = json(log.write(log("app-1"))).get("trainings").get(0);

    assertThat(training.get("why").asText()).startsWith("its data are not persisted in memory");
    assertThat(training.has("savedLow")).isFalse();
  }

  /** Trainings that overlap cannot save more than the time in which there are rounds. */
  @Test
  void run_trainingsAtOnce_saveNoMoreThanTheirTime() throws IOException {
    MadeLog log = new MadeLog(3);
    for (int round = 0; round < ROUNDS; round++) {
      for (int fit = 5; fit < 9; fit++) {
        log.round(MadeLog.LBFGS, fit, MadeLog.OBJECTS, "", 100, 100, 400).rewind(410);
      }
      log.rewind(-410);
    }
    JsonNode application = json(log.write(log("app-1")));

    assertThat(application.get("secondsInRounds").asDouble()).isCloseTo(8.61, within(1e-6));
    assertThat(application.get("savedLow").asDouble()).isCloseTo(8.61, within(1e-6));
    assertThat(application.get("trainings")).hasSize(4);
  }

  @Test
  void run_folder_isRankedAndDrawn() throws IOException {
    Path page = folder.resolve("page.html");
    Path logs = Files.createDirectory(folder.resolve("logs"));
    new MadeLog(3).write(logs.resolve("app-0"));
    uneven(new MadeLog(3), MadeLog.LBFGS, 5, MadeLog.OBJECTS).write(logs.resolve("app-1"));
    Files.writeString(logs.resolve(".other"), "no log");

    assertThat(run("--html", page.toString(), logs.toString())).as(err()).isZero();
    assertThat(out().lines().filter(line -> line.contains("that Spark ATA serves")))
        .first()
        .asString()
        .contains("saved 5.333");
    assertThat(Files.readString(page))
        .contains("<td>&lt;b&gt;made&lt;/b&gt;</td>")
        .contains("5.333 to 5.533 s")
        .contains("No training that Spark ATA serves.")
        .doesNotContain("<b>", "src=", "NaN");

    Files.delete(logs.resolve("app-1"));
    new MadeLog(3).write(logs.resolve("app-2"));
    assertThat(run("--html", page.toString(), logs.toString())).as(err()).isZero();
    assertThat(Files.readString(page)).doesNotContain("NaN");
  }

  @Test
  void run_badInput_saysWhatIsWrong() throws IOException {
    assertThat(run()).isEqualTo(2);
    assertThat(err()).startsWith("No LOG is given: the path of an event log or of a folder");
    assertThat(run("--csv", "x")).isEqualTo(2);
    assertThat(err()).startsWith("Unknown option --csv: --json, --html FILE and --help are known");
    assertThat(run("x", "--html")).isEqualTo(2);
    assertThat(err()).startsWith("--html has no value: a file to write is needed");
    assertThat(run("-h")).isZero();
    assertThat(out()).startsWith("Usage: java -cp ");
    assertThat(run("--help")).isZero();
    assertThat(out()).contains("--json").contains("Exit codes");

    assertThat(run(folder.resolve("none").toString())).isEqualTo(1);
    assertThat(err()).contains("Cannot read").contains("does not exist");
    assertThat(run(Files.createDirectory(folder.resolve("empty")).toString())).isEqualTo(1);
    assertThat(err()).contains("the folder has no event log");
    Path text = Files.writeString(folder.resolve("text"), "no log");
    assertThat(run(text.toString())).isEqualTo(1);
    assertThat(err()).contains("it is no event log of a Spark application");

    MadeLog made = uneven(new MadeLog(3), MadeLog.LBFGS, 5, MadeLog.OBJECTS);
    Path log = made.write(log("app-1"));
    made.add("{'Event':'SparkListenerJobStart'}").round(MadeLog.LBFGS, 5, MadeLog.OBJECTS, "", 1);
    assertThat(run(made.write(log("app-2")).toString())).isZero();
    assertThat(err()).contains("Read only a part of ").contains("an event is unknown");
    assertThat(run(text.toString(), log.toString())).as("one of two is read").isEqualTo(1);
    assertThat(out()).contains("saved 5.333");
    String nowhere = folder.resolve("none/x").toString();
    assertThat(run("--html", nowhere, log.toString())).isEqualTo(2);
    assertThat(err())
        .startsWith("Invalid --html: " + nowhere + " (there is no folder " + folder + "/none)");
    assertThat(run("--html", folder.toString(), log.toString())).isEqualTo(1);
    assertThat(err()).contains("Cannot write");
  }

  private Path log(String name) {
    return folder.resolve(name);
  }
}
