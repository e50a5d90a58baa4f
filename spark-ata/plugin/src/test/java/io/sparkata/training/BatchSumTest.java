package io.sparkata.training;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class BatchSumTest {
  private static BatchSum sent(BatchSum sum) throws Exception {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (ObjectOutputStream out = new ObjectOutputStream(bytes)) {
      out.writeObject(sum);
    }
    return (BatchSum)
        new ObjectInputStream(new ByteArrayInputStream(bytes.toByteArray())).readObject();
  }

  @Test
  void sum_sent_arrivesToTheLastBit() throws Exception {
    double[] gradient = IntStream.range(0, 5000).mapToDouble(i -> 1.0 / (i - 7)).toArray();
    BatchSum sum = new BatchSum();
    sum.add(gradient.clone(), 0.1, 3);

    BatchSum there = sent(sum);

    assertThat(there.gradient()).isEqualTo(gradient);
    assertThat(there.loss()).isEqualTo(0.1);
    assertThat(there.count()).isEqualTo(3);
  }

  @Test
  void sumOfNothing_sent_hasNoGradient() throws Exception {
    BatchSum there = sent(new BatchSum());

    assertThat(there.gradient()).isNull();
    assertThat(there.count()).isZero();
  }
}
