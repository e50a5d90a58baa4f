package io.sparkata.cache;

import static org.assertj.core.api.Assertions.assertThat;

import io.sparkata.testing.LocalSpark;
import java.util.Map;
import org.apache.spark.api.java.JavaSparkContext;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Tag("spark")
class LocalityWaitTest {
  private static String wait(JavaSparkContext spark) {
    return spark.sc().conf().get(LocalityWait.KEY, "Spark's");
  }

  @Test
  void settled_longStages_waitTwiceAsLongUntilTheRddIsGone() {
    try (JavaSparkContext spark = LocalSpark.startPlain(Map.of())) {
      LocalityWait wait = new LocalityWait(spark.sc());
      wait.settled(7, 1.4);
      assertThat(wait(spark)).as("short ones").isEqualTo("Spark's");

      wait.settled(7, 5);
      wait.settled(8, 4);
      assertThat(wait(spark)).isEqualTo("10000ms");

      wait.forget(7);
      assertThat(wait(spark)).isEqualTo("8000ms");
      wait.settled(8, 100);
      assertThat(wait(spark)).isEqualTo("30000ms");
      wait.forget(8);
      assertThat(wait(spark)).isEqualTo("Spark's");

      wait.settled(9, 5);
      wait.end();
      assertThat(wait(spark)).isEqualTo("Spark's");
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"spark.locality.wait", "spark.locality.wait.process"})
  void settled_userHasSetIt_staysTheUsers(String key) {
    try (JavaSparkContext spark = LocalSpark.startPlain(Map.of(key, "1s"))) {
      LocalityWait wait = new LocalityWait(spark.sc());
      wait.settled(7, 5);

      assertThat(spark.sc().conf().get(key)).isEqualTo("1s");
      assertThat(wait(spark)).isIn("Spark's", "1s");
    }
  }
}
