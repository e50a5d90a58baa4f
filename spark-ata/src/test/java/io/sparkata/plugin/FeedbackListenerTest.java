package io.sparkata.plugin;

import static org.assertj.core.api.Assertions.assertThat;

import org.apache.spark.scheduler.SparkListenerExecutorAdded;
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

  private void added(String executor, int cores) {
    ExecutorInfo info = new ExecutorInfo("host", cores, Map$.MODULE$.empty(), Map$.MODULE$.empty());
    listener.onExecutorAdded(new SparkListenerExecutorAdded(0, executor, info));
  }
}
