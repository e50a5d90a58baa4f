package io.sparkata.training;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sparkata.testing.LocalSpark;
import java.util.Map;
import org.apache.spark.SparkException;
import org.apache.spark.api.java.JavaSparkContext;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("spark")
class WeightsTest {
  @Test
  void lasting_largeOnesAreClosed_areThereAllTheSame() {
    try (JavaSparkContext spark = LocalSpark.startPlain(Map.of())) {
      Weights large = Weights.of(spark, new double[] {3, 5}, /* largestInline= */ 1);
      Weights lasting = large.lasting();
      assertThat(large.value()).containsExactly(3, 5);

      large.close();

      assertThatThrownBy(large::value).isInstanceOf(SparkException.class);
      assertThat(lasting.value()).containsExactly(3, 5);
    }
  }
}
