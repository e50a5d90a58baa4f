package io.sparkata.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import org.apache.spark.SparkConf;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TaskSlotsTest {
  @ParameterizedTest
  @CsvSource({"4, 1, 4", "5, 2, 2", "1, 2, 1"})
  void of_coresOnly_isByCpusPerTask(int cores, int perTask, int slots) {
    SparkConf conf = new SparkConf(false).set("spark.task.cpus", "" + perTask);

    assertThat(TaskSlots.of(conf).of(cores)).isEqualTo(slots);
  }

  @ParameterizedTest
  @CsvSource({
    "1, 1, 1",
    "2, 1, 2",
    "1, 0.25, 4",
    "2, 0.4, 4",
    "4, 2, 2",
    "5, 2, 2",
    "1, 0.05, 8",
    "1, 0, 8"
  })
  void of_addresses_isNoMoreThanTheyAllow(String perExecutor, String perTask, int slots) {
    SparkConf conf =
        new SparkConf(false)
            .set("spark.executor.resource.gpu.amount", perExecutor)
            .set("spark.task.resource.gpu.amount", perTask);

    assertThat(TaskSlots.of(conf).of(/* cores= */ 8)).isEqualTo(slots);
  }

  @Test
  void of_severalResources_isByTheScarcest() {
    SparkConf conf =
        new SparkConf(false)
            .set("spark.executor.resource.gpu.amount", "4")
            .set("spark.executor.resource.gpu.discoveryScript", "/x")
            .set("spark.task.resource.gpu.amount", "1")
            .set("spark.executor.resource.fpga.amount", "3")
            .set("spark.task.resource.fpga.amount", "1");

    assertThat(TaskSlots.of(conf).of(8)).isEqualTo(3);
  }
}
