package io.sparkata.blocks;

import static org.assertj.core.api.Assertions.assertThat;

import io.sparkata.testing.LocalSuite;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.IntStream;
import org.apache.spark.api.java.JavaRDD;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Tag("spark")
class RowSamplerTest extends LocalSuite {
  private static final int[] SIZES = {0, 1, 700, 0, 37, 1300, 5, 0};
  private static final int BLOCK_ROWS = 100;
  private static final long[] SEEDS = {43, 44, -1};

  private JavaRDD<Integer> positions;

  /** Row r of each partition is the number r. */
  @BeforeAll
  void numberRows() {
    List<Integer> sizes = IntStream.of(SIZES).boxed().toList();
    positions =
        jsc()
            .parallelize(sizes, SIZES.length)
            .flatMap(size -> IntStream.range(0, size).boxed().iterator());
  }

  @ParameterizedTest
  @ValueSource(doubles = {0.01, 0.3, 0.4, 0.41, 0.5, 0.99, 1.0})
  void take_spansInOrder_takesWhatSampleTakes(double fraction) {
    for (long seed : SEEDS) {
      assertThat(takenInSpans(fraction, seed, spans(new Random(seed))))
          .isEqualTo(sampled(fraction, seed));
    }
  }

  @ParameterizedTest
  @ValueSource(doubles = {0.01, 0.3, 0.4, 0.41, 0.5, 0.99, 1.0})
  void take_spansOutOfOrder_takesWhatSampleTakes(double fraction) {
    for (long seed : SEEDS) {
      List<Span> backwards = spans(new Random(seed));
      Collections.reverse(backwards);
      List<Span> shuffled = spans(new Random(seed));
      Collections.shuffle(shuffled, new Random(seed));

      List<List<Integer>> expected = sampled(fraction, seed);
      assertThat(takenInSpans(fraction, seed, backwards)).isEqualTo(expected);
      assertThat(takenInSpans(fraction, seed, shuffled)).isEqualTo(expected);
    }
  }

  @ParameterizedTest
  @ValueSource(doubles = {0.01, 0.4, 0.5})
  void take_everySpanByASamplerOfItsOwn_takesWhatSampleTakes(double fraction) {
    List<List<Integer>> taken = emptyPartitions();
    for (Span span : spans(new Random(1))) {
      List<List<Integer>> part = takenInSpans(fraction, 43, List.of(span));
      for (int p = 0; p < SIZES.length; p++) {
        taken.get(p).addAll(part.get(p));
      }
    }

    assertThat(taken).isEqualTo(sampled(fraction, 43));
  }

  @Test
  void take_sameSpanTwice_takesTheSameRows() {
    RowSampler sampler = new RowSampler(0.5, 43);
    BlockRef block = new BlockRef(1, 0, 2, 300, BLOCK_ROWS, 0, 0);
    int[] first = new int[BLOCK_ROWS];
    int[] second = new int[BLOCK_ROWS];

    int count = sampler.take(block, 0, BLOCK_ROWS, first);

    assertThat(count).isBetween(30, 70);
    assertThat(sampler.take(block, 0, BLOCK_ROWS, second)).isEqualTo(count);
    assertThat(second).isEqualTo(first);
  }

  @ParameterizedTest
  @ValueSource(doubles = {0.01, 0.4, 0.5})
  void take_manyThreadsAtOnce_takesWhatSampleTakesAndDrawsOnce(double fraction) {
    RowSampler sampler = new RowSampler(fraction, 43);
    List<Span> shuffled = spans(new Random(2));
    Collections.shuffle(shuffled, new Random(2));

    List<List<Integer>> taken = emptyPartitions();
    shuffled.parallelStream()
        .map(span -> Map.entry(span.ref().partition(), taken(sampler, span)))
        .toList()
        .forEach(rows -> taken.get(rows.getKey()).addAll(rows.getValue()));
    taken.forEach(Collections::sort);

    assertThat(taken).isEqualTo(sampled(fraction, 43));
    assertThat(sampler.rowsDrawn()).isEqualTo(IntStream.of(SIZES).sum());
  }

  @Test
  void take_firstSpans_drawsNoFurther() {
    RowSampler sampler = new RowSampler(0.5, 43);

    taken(sampler, new Span(0, new BlockRef(1, 0, 2, 300, BLOCK_ROWS, 0, 0), 10, 20));
    taken(sampler, new Span(0, new BlockRef(1, 0, 7, 0, BLOCK_ROWS, 0, 0), 0, 5));

    assertThat(sampler.rowsDrawn()).isEqualTo(320 + 5);
  }

  @Test
  void takesAll_fractionOneOnly_isTrue() {
    assertThat(new RowSampler(1.0, 43).takesAll()).isTrue();
    assertThat(new RowSampler(0.99, 43).takesAll()).isFalse();
  }

  private List<List<Integer>> sampled(double fraction, long seed) {
    return positions.sample(/* withReplacement= */ false, fraction, seed).glom().collect();
  }

  /** All rows of all partitions in order, in blocks, cut at random. */
  private static List<Span> spans(Random random) {
    List<Span> spans = new ArrayList<>();
    int index = 0;
    for (int partition = 0; partition < SIZES.length; partition++) {
      for (int first = 0; first < SIZES[partition]; first += BLOCK_ROWS) {
        int rows = Math.min(BLOCK_ROWS, SIZES[partition] - first);
        BlockRef block = new BlockRef(1, index, partition, first, rows, 0, 0);
        int cut = random.nextInt(rows);
        if (cut > 0) {
          spans.add(new Span(index, block, 0, cut));
        }
        spans.add(new Span(index, block, cut, rows));
        index++;
      }
    }
    return spans;
  }

  /** What one sampler takes, as positions within the partition, sorted. */
  private static List<List<Integer>> takenInSpans(double fraction, long seed, List<Span> spans) {
    RowSampler sampler = new RowSampler(fraction, seed);
    List<List<Integer>> taken = emptyPartitions();
    spans.forEach(span -> taken.get(span.ref().partition()).addAll(taken(sampler, span)));
    taken.forEach(Collections::sort);
    return taken;
  }

  /** As positions within the partition. */
  private static List<Integer> taken(RowSampler sampler, Span span) {
    int[] rows = new int[BLOCK_ROWS];
    int count = sampler.take(span.ref(), span.from(), span.to(), rows);
    return Arrays.stream(rows, 0, count)
        .mapToObj(row -> (int) span.ref().firstRow() + row)
        .toList();
  }

  private static List<List<Integer>> emptyPartitions() {
    List<List<Integer>> partitions = new ArrayList<>();
    for (int p = 0; p < SIZES.length; p++) {
      partitions.add(new ArrayList<>());
    }
    return partitions;
  }
}
