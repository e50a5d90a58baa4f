package io.sparkata.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Properties;
import org.apache.spark.Success$;
import org.apache.spark.executor.ExecutorMetrics;
import org.apache.spark.scheduler.SparkListenerExecutorAdded;
import org.apache.spark.scheduler.SparkListenerExecutorExcluded;
import org.apache.spark.scheduler.SparkListenerExecutorRemoved;
import org.apache.spark.scheduler.SparkListenerExecutorUnexcluded;
import org.apache.spark.scheduler.SparkListenerNodeExcluded;
import org.apache.spark.scheduler.SparkListenerNodeUnexcluded;
import org.apache.spark.scheduler.SparkListenerStageCompleted;
import org.apache.spark.scheduler.SparkListenerStageSubmitted;
import org.apache.spark.scheduler.SparkListenerTaskEnd;
import org.apache.spark.scheduler.SparkListenerTaskStart;
import org.apache.spark.scheduler.TaskInfo;
import org.apache.spark.scheduler.TaskLocality;
import org.apache.spark.scheduler.cluster.ExecutorInfo;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import scala.collection.immutable.Map$;

@Tag("spark")
class FeedbackListenerTest {
  private static final long LAUNCHED = 1_000;

  private final FeedbackListener listener = new FeedbackListener();

  @Test
  void coresOf_executorHeardOf_isItsCores() {
    added("1", 4);
    added("2", 8);

    assertThat(listener.coresOf("1", /* otherwise= */ 1)).isEqualTo(4);
    assertThat(listener.coresOf("2", /* otherwise= */ 1)).isEqualTo(8);
  }

  @Test
  void coresOf_executorNeverHeardOf_isTheOtherwise() {
    added("1", 4);

    assertThat(listener.coresOf("2", /* otherwise= */ 3)).isEqualTo(3);
  }

  @Test
  void coresOf_executorGone_isForgotten() {
    added("1", 4);

    listener.onExecutorRemoved(new SparkListenerExecutorRemoved(1, "1", "lost"));

    assertThat(listener.coresOf("1", /* otherwise= */ 3)).isEqualTo(3);
  }

  @Test
  void isOfOtherProfile_executorOfAnother_untilItIsGone() {
    added("1", 4);
    ExecutorInfo ofOther =
        new ExecutorInfo(
            "host",
            4,
            Map$.MODULE$.empty(),
            Map$.MODULE$.empty(),
            Map$.MODULE$.empty(),
            /* resourceProfileId= */ 1);
    listener.onExecutorAdded(new SparkListenerExecutorAdded(0, "2", ofOther));

    assertThat(listener.isOfOtherProfile("1")).isFalse();
    assertThat(listener.isOfOtherProfile("2")).isTrue();
    assertThat(listener.isOfOtherProfile("3")).as("unknown").isFalse();

    listener.onExecutorRemoved(new SparkListenerExecutorRemoved(3, "2", "lost"));
    assertThat(listener.isOfOtherProfile("2")).isFalse();
  }

  @Test
  void isExcluded_executor_untilSparkTakesItBackOrItIsGone() {
    assertThat(listener.isExcluded("1", "host")).isFalse();

    listener.onExecutorExcluded(new SparkListenerExecutorExcluded(0, "1", 2));
    assertThat(listener.isExcluded("1", "host")).isTrue();
    assertThat(listener.isExcluded("2", "host")).isFalse();

    listener.onExecutorUnexcluded(new SparkListenerExecutorUnexcluded(1, "1"));
    assertThat(listener.isExcluded("1", "host")).isFalse();

    listener.onExecutorExcluded(new SparkListenerExecutorExcluded(2, "1", 2));
    listener.onExecutorRemoved(new SparkListenerExecutorRemoved(3, "1", "lost"));
    assertThat(listener.isExcluded("1", "host")).isFalse();
  }

  @Test
  void isExcluded_host_holdsForAllItsExecutors() {
    listener.onNodeExcluded(new SparkListenerNodeExcluded(0, "host", 2));
    assertThat(listener.isExcluded("1", "host")).isTrue();
    assertThat(listener.isExcluded("2", "host")).isTrue();
    assertThat(listener.isExcluded("3", "other")).isFalse();

    listener.onNodeUnexcluded(new SparkListenerNodeUnexcluded(1, "host"));
    assertThat(listener.isExcluded("1", "host")).isFalse();
  }

  @Test
  void runningTasks_startsEndsAndExecutorsGone_areTakenIn() {
    listener.onTaskStart(new SparkListenerTaskStart(1, 0, task(10, "1")));
    listener.onTaskStart(new SparkListenerTaskStart(1, 0, task(11, "1")));
    listener.onTaskStart(new SparkListenerTaskStart(1, 0, task(12, "2")));
    assertThat(listener.runningTasks().countSince("1", LAUNCHED, /* running= */ 2)).isEqualTo(2);

    listener.onTaskEnd(
        new SparkListenerTaskEnd(
            1, 0, "ResultTask", Success$.MODULE$, task(10, "1"), new ExecutorMetrics(), null));
    assertThat(listener.runningTasks().countSince("1", LAUNCHED, /* running= */ 2)).isEqualTo(1);

    listener.onExecutorRemoved(new SparkListenerExecutorRemoved(3, "2", "lost"));
    assertThat(listener.runningTasks().countSince("2", LAUNCHED, /* running= */ 1)).isZero();
  }

  @Test
  void onTaskStart_taskOfACrew_holdsNoSlotOfOthers() {
    Properties ofCrew = new Properties();
    ofCrew.setProperty(ResidentRound.CREW, "spark-ata-crew-1");
    listener.onStageSubmitted(new SparkListenerStageSubmitted(TaskEvents.stage(1, 7), ofCrew));
    listener.onTaskStart(new SparkListenerTaskStart(1, 0, task(10, "1")));
    assertThat(listener.runningTasks().hasAnySince(Long.MAX_VALUE)).isFalse();

    listener.onStageCompleted(new SparkListenerStageCompleted(TaskEvents.stage(1, 7)));
    listener.onTaskStart(new SparkListenerTaskStart(1, 0, task(10, "1")));
    assertThat(listener.runningTasks().hasAnySince(Long.MAX_VALUE)).as("forgotten").isTrue();
  }

  private static TaskInfo task(long id, String executor) {
    return new TaskInfo(
        id, 0, 0, 0, LAUNCHED, executor, "host", TaskLocality.PROCESS_LOCAL(), false);
  }

  private void added(String executor, int cores) {
    ExecutorInfo info = new ExecutorInfo("host", cores, Map$.MODULE$.empty(), Map$.MODULE$.empty());
    listener.onExecutorAdded(new SparkListenerExecutorAdded(0, executor, info));
  }
}
