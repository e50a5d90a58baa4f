package io.sparkata.spark;

import static org.assertj.core.api.Assertions.assertThat;

import io.sparkata.testing.LocalSpark;
import io.sparkata.testing.SlowListener;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import org.apache.spark.api.java.JavaSparkContext;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("spark")
class SparkListenersTest {
  @Test
  void awaitListeners_busyOrInterrupted_returns() {
    CountDownLatch mayGoOn = new CountDownLatch(1);
    try (JavaSparkContext spark = LocalSpark.startPlain(Map.of())) {
      spark.sc().addSparkListener(new SlowListener(mayGoOn));
      assertThat(spark.parallelize(List.of(1)).count()).isEqualTo(1);

      try {
        SparkListeners.awaitListeners(spark.sc(), /* millis= */ 20);
        assertThat(Thread.currentThread().isInterrupted()).isFalse();

        Thread.currentThread().interrupt();
        SparkListeners.awaitListeners(spark.sc(), /* millis= */ 60_000);
        assertThat(Thread.interrupted()).isTrue();
      } finally {
        mayGoOn.countDown(); // else the context cannot stop
      }
    }
  }
}
