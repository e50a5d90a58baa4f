package io.sparkata.rounds.crew;

import static org.assertj.core.api.Assertions.assertThat;

import io.sparkata.blocks.BlockRef;
import io.sparkata.blocks.ElementBlock;
import io.sparkata.blocks.RowSampler;
import io.sparkata.blocks.RowSelection;
import io.sparkata.blocks.Span;
import io.sparkata.spark.ExecutorInternals;
import io.sparkata.spark.SparkBlocks;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.IntStream;
import org.apache.spark.SparkContext;
import org.apache.spark.SparkEnv;

/**
 * Blocks of whole numbers in the block manager of local mode. Some may be bad: lost, of another
 * packing or of another size.
 */
final class StoredRows {
  static final long PACKING = 7;
  private static final int PARTITIONS = 3;
  private static final int LOST = 0;
  private static final int OF_OTHER_PACKING = 1;
  private static final int OF_OTHER_SIZE = 2;
  private static final int GOOD = 3;

  private final Random random;
  private final int rddId;
  private final List<BlockRef> blocks = new ArrayList<>();
  private final Map<BlockRef, long[]> rows = new HashMap<>();

  StoredRows(SparkContext context, long seed, int badOfTwelve) {
    random = new Random(seed);
    rddId = SparkBlocks.newRddId(context);
    for (int partition = 0; partition < PARTITIONS; partition++) {
      int first = 0;
      for (int left = random.nextInt(3); left >= 0; left--) {
        int count = 1 + random.nextInt(40);
        BlockRef block =
            new BlockRef(rddId, blocks.size(), partition, first, count, 8L * count, PACKING);
        first += count;
        blocks.add(block);
        store(block, random.nextInt(12) < badOfTwelve ? random.nextInt(GOOD) : GOOD);
      }
    }
  }

  private void store(BlockRef block, int state) {
    if (state == LOST) {
      return;
    }
    int count = block.rows() + (state == OF_OTHER_SIZE ? 1 : 0);
    long[] values = random.longs(count, 0, 1 << 20).toArray();
    ElementBlock stored =
        new ElementBlock(
            state == OF_OTHER_PACKING ? PACKING + 1 : PACKING,
            Arrays.stream(values).boxed().toArray(),
            "",
            block.bytes(),
            /* shared= */ null);
    assertThat(ExecutorInternals.put(block.id(), stored)).isTrue();
    if (state == GOOD) {
      rows.put(block, values);
    }
  }

  Random random() {
    return random;
  }

  List<BlockRef> blocks() {
    return blocks;
  }

  boolean isGood(BlockRef block) {
    return rows.containsKey(block);
  }

  /** Parts of blocks, none twice. */
  List<Span> spans() {
    List<Span> spans = new ArrayList<>();
    for (int i = 0; i < blocks.size(); i++) {
      int count = blocks.get(i).rows();
      int from = random.nextInt(count);
      if (random.nextInt(4) > 0) {
        spans.add(new Span(i, blocks.get(i), from, from + 1 + random.nextInt(count - from)));
      }
      if (from > 0 && random.nextBoolean()) {
        spans.add(new Span(i, blocks.get(i), random.nextInt(from), from));
      }
    }
    return spans;
  }

  /** The sum of a good span's rows that are in the selection. */
  long sum(Span span, RowSelection selection) {
    int[] taken = IntStream.range(span.from(), span.to()).toArray();
    if (selection.fraction() < 1) {
      RowSampler alone = new RowSampler(selection.fraction(), selection.seed());
      taken = Arrays.copyOf(taken, alone.take(span.ref(), span.from(), span.to(), taken));
    }
    return Arrays.stream(taken).mapToLong(row -> rows.get(span.ref())[row]).sum();
  }

  /** The sum of rows by their positions in all blocks; null if one cannot be read. */
  Long sum(long[] drawn) {
    long sum = 0;
    long first = 0;
    for (BlockRef block : blocks) {
      for (long row : drawn) {
        if (row >= first && row < first + block.rows()) {
          if (!isGood(block)) {
            return null;
          }
          sum += rows.get(block)[(int) (row - first)];
        }
      }
      first += block.rows();
    }
    return sum;
  }

  /** Waits for ever if a lock on a block was kept. */
  void remove() {
    SparkEnv.get().blockManager().removeRdd(rddId);
  }
}
