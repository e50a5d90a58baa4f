package io.sparkata.objective;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sparkata.spark.Serialized;
import io.sparkata.testing.LocalSpark;
import java.io.NotSerializableException;
import java.io.Serializable;
import java.util.Map;
import org.apache.spark.SparkException;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.broadcast.Broadcast;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import scala.Function2;

@Tag("spark")
class FoldSumTest {
  /** As spark.ml's: the zero and the function hold broadcasts, the caller's of one evaluation. */
  private record Aggregator(Broadcast<double[]> coefficients, double sum) implements Serializable {}

  private static FoldSum sum(Broadcast<double[]> coefficients, Broadcast<?> deviations) {
    Function2<Object, Object, Object> add =
        (Function2<Object, Object, Object> & Serializable)
            (zero, element) ->
                ((Aggregator) zero).coefficients.value()[0]
                    * ((double[]) deviations.value())[0]
                    * (Double) element;
    Function2<Object, Object, Object> merge =
        (Function2<Object, Object, Object> & Serializable)
            (left, right) -> (Double) left + (Double) right;
    return new FoldSum(new Aggregator(coefficients, 0), add, merge, /* size= */ 1);
  }

  /** As an executor sums one element. */
  private static Object sumOf(FoldSum sent, double element) {
    FoldSum sum = Serialized.copy(sent);
    return sum.add().apply(sum.zero(), element);
  }

  @Test
  void lasting_broadcastsAreDestroyed_sumsAllTheSame() {
    try (JavaSparkContext spark = LocalSpark.startPlain(Map.of())) {
      Broadcast<double[]> coefficients = spark.broadcast(new double[] {3});
      Broadcast<double[]> deviations = spark.broadcast(new double[] {5});
      FoldSum sum = sum(coefficients, deviations);
      FoldSum lasting = sum.lasting();
      assertThat(sumOf(sum, 2)).isEqualTo(30.0);

      coefficients.destroy();
      deviations.destroy();

      assertThatThrownBy(() -> sumOf(sum, 2)).hasCauseInstanceOf(SparkException.class);
      assertThat(sumOf(lasting, 2)).isEqualTo(30.0);
      assertThat(lasting.merge(3.0, 4.0)).isEqualTo(7.0);
      assertThat(lasting.size()).isOne();
    }
  }

  /** Spark's serializer of broadcasts may be Kryo. */
  @Test
  void lasting_valueIsNotSerializable_throws() {
    try (JavaSparkContext spark =
        LocalSpark.startPlain(
            Map.of("spark.serializer", "org.apache.spark.serializer.KryoSerializer"))) {
      FoldSum sum = sum(spark.broadcast(new double[] {3}), spark.broadcast(new NotSerializable()));

      assertThatThrownBy(sum::lasting)
          .hasCauseInstanceOf(NotSerializableException.class)
          .hasMessageContaining(NotSerializable.class.getName());
    }
  }

  /** Such as a table of the user's, which would take the driver's memory. */
  @Test
  void lasting_valueIsLarge_throws() {
    try (JavaSparkContext spark = LocalSpark.startPlain(Map.of())) {
      FoldSum sum = sum(spark.broadcast(new double[] {3}), spark.broadcast(new double[5 << 20]));

      assertThatThrownBy(sum::lasting)
          .hasMessageContaining("more than 33554432 bytes with the values of broadcasts");
    }
  }

  private static final class NotSerializable {}
}
