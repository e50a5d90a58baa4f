package io.sparkata.plugin;

import static org.assertj.core.api.Assertions.assertThat;

import org.apache.spark.scheduler.SparkListenerExecutorAdded;
import org.apache.spark.scheduler.SparkListenerExecutorExcluded;
import org.apache.spark.scheduler.SparkListenerExecutorRemoved;
import org.apache.spark.scheduler.SparkListenerExecutorUnexcluded;
import org.apache.spark.scheduler.SparkListenerNodeExcluded;
import org.apache.spark.scheduler.SparkListenerNodeUnexcluded;
import org.apache.spark.scheduler.cluster.ExecutorInfo;
import org.junit.jupiter.api.Test;
import scala.collection.immutable.Map$;

class FeedbackListenerTest {
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

  private void added(String executor, int cores) {
    ExecutorInfo info = new ExecutorInfo("host", cores, Map$.MODULE$.empty(), Map$.MODULE$.empty());
    listener.onExecutorAdded(new SparkListenerExecutorAdded(0, executor, info));
  }
}
