package io.sparkata.spark;

import static org.assertj.core.api.Assertions.assertThat;

import io.sparkata.spark.TaskAttempts.Attempt;
import io.sparkata.spark.TaskAttempts.Second;
import io.sparkata.spark.TaskAttempts.State;
import io.sparkata.testing.PlainSpark;
import io.sparkata.testing.TestCluster;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.apache.spark.SparkContext;
import org.apache.spark.SparkEnv;
import org.apache.spark.TaskContext;
import org.apache.spark.api.java.JavaFutureAction;
import org.apache.spark.scheduler.SparkListener;
import org.apache.spark.scheduler.SparkListenerStageSubmitted;
import org.apache.spark.scheduler.StageInfo;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Three executors on hosts of their own, with a slot each. */
@Tag("spark")
class TaskAttemptsIT {
  private static final int JOBS = 6;

  @TempDir static Path folder;

  /** Spark offers slots in random order. */
  @Test
  void addSecond_severalExecutorsAreFree_runsOnTheChosenOne() throws Exception {
    try (PlainSpark spark = new PlainSpark(folder);
        TestCluster cluster =
            TestCluster.start(
                Map.of(
                    "spark.master", spark.startCluster(3),
                    "spark.executor.instances", "3",
                    "spark.executor.cores", "1",
                    "spark.cores.max", "3"))) {
      SparkContext context = cluster.context().sc();
      BlockingQueue<StageInfo> stages = stages(context);
      for (int job = 0; job < JOBS; job++) {
        JavaFutureAction<List<String>> executors =
            cluster
                .context()
                .parallelize(List.of(0, 1, 2), 3)
                .map(TaskAttemptsIT::executor)
                .collectAsync();
        StageInfo stage = stages.poll(1, TimeUnit.MINUTES);
        String slow = awaitLastTask(context, stage).executorId();
        List<String> free = new ArrayList<>(List.of("0", "1", "2"));
        free.remove(slow);
        String chosen = free.get(job % free.size());

        offer(context, stage, slow); // which is busy
        cluster.context().parallelize(List.of(0), 1).count(); // Spark offers the others' slots
        stages.poll(1, TimeUnit.MINUTES);
        assertThat(attempts(context, stage)).as("attempts at three tasks").hasSize(3);
        Awaitility.await()
            .atMost(Duration.ofMinutes(1))
            .until(
                () -> {
                  offer(context, stage, chosen); // Spark may pass over it once
                  return executors.isDone();
                });

        assertThat(executors.get(1, TimeUnit.MINUTES).get(2)).isEqualTo(chosen);
        Awaitility.await()
            .atMost(Duration.ofMinutes(1))
            .until(() -> runningTasks(context) == 0); // Spark interrupts the first attempt
      }
    }
  }

  private static void offer(SparkContext context, StageInfo stage, String executor) {
    TaskAttempts.addSecond(
        context, stage, attempts -> running(attempts).map(first -> new Second(first, executor)));
  }

  private static Optional<Attempt> running(List<Attempt> attempts) {
    return attempts.stream().filter(one -> one.state() == State.RUNNING).findFirst();
  }

  private static List<Attempt> attempts(SparkContext context, StageInfo stage) {
    List<Attempt> seen = new ArrayList<>();
    Function<List<Attempt>, Optional<Second>> look =
        attempts -> {
          seen.addAll(attempts);
          return Optional.empty();
        };
    TaskAttempts.addSecond(context, stage, look);
    return seen;
  }

  /** The third task's first attempt does not end. */
  private static String executor(int task) throws InterruptedException {
    if (task == 2 && TaskContext.get().attemptNumber() == 0) {
      new CountDownLatch(1).await();
    }
    return SparkEnv.get().executorId();
  }

  /** The attempt that runs once the two others are done. */
  private static Attempt awaitLastTask(SparkContext context, StageInfo stage) {
    return Awaitility.await()
        .atMost(Duration.ofMinutes(1))
        .until(
            () -> attempts(context, stage),
            all -> all.size() == 3 && all.stream().filter(TaskAttemptsIT::isDone).count() == 2)
        .stream()
        .filter(one -> !isDone(one))
        .findFirst()
        .orElseThrow();
  }

  private static boolean isDone(Attempt attempt) {
    return attempt.state() == State.SUCCESSFUL;
  }

  private static int runningTasks(SparkContext context) {
    return SparkExecutors.runningTasks(context).values().stream().mapToInt(i -> i).sum();
  }

  private static BlockingQueue<StageInfo> stages(SparkContext context) {
    BlockingQueue<StageInfo> stages = new LinkedBlockingQueue<>();
    context.addSparkListener(
        new SparkListener() {
          @Override
          public void onStageSubmitted(SparkListenerStageSubmitted event) {
            stages.add(event.stageInfo());
          }
        });
    return stages;
  }
}
