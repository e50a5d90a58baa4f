package io.sparkata.spark;

import static org.assertj.core.api.Assertions.assertThat;

import org.apache.spark.scheduler.ExecutorCacheTaskLocation;
import org.apache.spark.scheduler.TaskLocation;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Tag("spark")
class SparkExecutorsTest {
  private static TaskLocation asSparkReads(String host) {
    return TaskLocation.apply(SparkExecutors.location(host, "7"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"worker-1.example.org", "10.0.0.1", "[2001:db8::1]"})
  void location_usualHost_isTheExecutor(String host) {
    assertThat(asSparkReads(host))
        .isInstanceOfSatisfying(
            ExecutorCacheTaskLocation.class,
            location -> {
              assertThat(location.host()).isEqualTo(host);
              assertThat(location.executorId()).isEqualTo("7");
            });
  }

  /** As of containers: Spark would look for executor {@code worker_1_7} on host {@code spark}. */
  @Test
  void location_hostWithUnderscores_isTheHost() {
    assertThat(asSparkReads("spark_worker_1"))
        .isNotInstanceOf(ExecutorCacheTaskLocation.class)
        .extracting(TaskLocation::host)
        .isEqualTo("spark_worker_1");
  }
}
