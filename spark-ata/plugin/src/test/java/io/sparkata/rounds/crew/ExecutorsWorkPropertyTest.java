package io.sparkata.rounds.crew;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sparkata.blocks.BlockRef;
import io.sparkata.blocks.ElementBlock;
import io.sparkata.blocks.RowSampler;
import io.sparkata.blocks.RowSelection;
import io.sparkata.blocks.SharedSampler;
import io.sparkata.blocks.Span;
import io.sparkata.blocks.StoredBlock;
import io.sparkata.cluster.Device;
import io.sparkata.cluster.Executor;
import io.sparkata.rounds.CoveredRows;
import io.sparkata.rounds.RoundAccumulators;
import io.sparkata.rounds.RoundResult;
import io.sparkata.rounds.RoundTask;
import io.sparkata.rounds.Summand;
import io.sparkata.rounds.TaskWork;
import io.sparkata.rounds.crew.PullMessages.Next;
import io.sparkata.rounds.crew.PullMessages.Pulled;
import io.sparkata.spark.ExecutorInternals;
import io.sparkata.spark.Serialized;
import io.sparkata.spark.SparkBlocks;
import io.sparkata.testing.LocalSuite;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.apache.spark.SparkEnv;
import org.apache.spark.TaskContext;
import org.apache.spark.TaskContext$;
import org.apache.spark.TaskKilledException;
import org.apache.spark.util.LongAccumulator;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * What tasks do on an executor, on blocks of which some are lost, of another packing or of another
 * size: a sum is that of the rows which the task says it has read. Rows are whole numbers.
 */
@Tag("spark")
@Timeout(60) // a block whose lock is kept cannot be removed
class ExecutorsWorkPropertyTest extends LocalSuite {
  private static final String HERE = "driver"; // the one executor of local mode
  private static final int CASES = 150;
  private static final int PARTITIONS = 3;
  private static final int NEVER = -1;
  private static final long PACKING = 7;

  /** The sum of rows; the task is killed, or the gradient throws, at a block. */
  private record LongSum(int killedAt, int failsAt) implements Summand<Long> {

    @Override
    public Long zero() {
      return 0L;
    }

    @Override
    public Long merge(Long left, Long right) {
      return left + right;
    }

    @Override
    public int size() {
      return 1;
    }

    @Override
    public Partial<Long> begin(TaskContext task) {
      return new Partial<>() {
        private int blocks;
        private long sum;

        @Override
        public void add(StoredBlock block, int[] rows, int first, int count) {
          if (blocks == failsAt) {
            throw new ArithmeticException("the user's gradient");
          }
          for (int i = 0; i < count; i++) {
            sum += (Long) ((ElementBlock) block).element(rows == null ? first + i : rows[i]);
          }
          if (blocks++ == killedAt) {
            task.markInterrupted("a test");
          }
        }

        @Override
        public Long sum() {
          return sum;
        }
      };
    }
  }

  /** Blocks of one case, and the rows of those that can be read. */
  private final class Stored {
    private final Random random;
    private final int rddId = SparkBlocks.newRddId(sc());
    private final List<BlockRef> blocks = new ArrayList<>();
    private final Map<BlockRef, long[]> rows = new HashMap<>();

    Stored(long seed, int badOfTwelve) {
      random = new Random(seed);
      for (int partition = 0; partition < PARTITIONS; partition++) {
        int first = 0;
        for (int left = random.nextInt(3); left >= 0; left--) {
          BlockRef block = block(partition, first, 1 + random.nextInt(40));
          first += block.rows();
          store(block, random.nextInt(12) < badOfTwelve ? random.nextInt(3) : -1);
        }
      }
    }

    private BlockRef block(int partition, int first, int count) {
      BlockRef block =
          new BlockRef(rddId, blocks.size(), partition, first, count, 8L * count, PACKING);
      blocks.add(block);
      return block;
    }

    /**
     * @param bad 0 if it is lost, 1 if it is of another packing, 2 if of another size
     */
    private void store(BlockRef block, int bad) {
      if (bad != 0) {
        long[] values = random.longs(block.rows() + (bad == 2 ? 1 : 0), 0, 1 << 20).toArray();
        Object[] elements = Arrays.stream(values).boxed().toArray();
        ElementBlock made =
            new ElementBlock(bad == 1 ? PACKING + 1 : PACKING, elements, "", block.bytes(), null);
        assertThat(ExecutorInternals.put(block.id(), made)).isTrue();
        if (bad < 0) {
          rows.put(block, values);
        }
      }
    }

    /** Parts of blocks, none twice. */
    List<Span> spans() {
      List<Span> spans = new ArrayList<>();
      for (int i = 0; i < blocks.size(); i++) {
        int rows = blocks.get(i).rows();
        int from = random.nextInt(rows);
        if (random.nextInt(4) > 0) {
          spans.add(new Span(i, blocks.get(i), from, from + 1 + random.nextInt(rows - from)));
        }
        if (from > 0 && random.nextBoolean()) {
          spans.add(new Span(i, blocks.get(i), random.nextInt(from), from));
        }
      }
      return spans;
    }

    /** The sum of a span's rows that are in the selection. */
    long sum(Span span, RowSelection selection) {
      int[] taken = IntStream.range(span.from(), span.to()).toArray();
      if (selection.fraction() < 1) {
        RowSampler alone = new RowSampler(selection.fraction(), selection.seed());
        taken = Arrays.copyOf(taken, alone.take(span.ref(), span.from(), span.to(), taken));
      }
      return Arrays.stream(taken).mapToLong(row -> rows.get(span.ref())[row]).sum();
    }

    void remove() {
      SparkEnv.get().blockManager().removeRdd(rddId);
    }
  }

  private static RoundTask task(List<Span> spans) {
    Executor here = new Executor(HERE, "host", /* slots= */ 1, 0, Device.CPU);
    return new RoundTask(here, spans, List.of(), List.of());
  }

  @Test
  void run_someBlocksAreBad_sumsAndReportsTheOthers() {
    for (long seed = 1; seed <= CASES; seed++) {
      Stored stored = new Stored(seed, /* badOfTwelve= */ 3);
      List<Span> spans = stored.spans();
      boolean takesAll = stored.random.nextInt(3) == 0;
      RowSelection selection =
          takesAll ? RowSelection.all() : new RowSelection(stored.random.nextDouble(), seed);

      RoundResult<Long> result =
          new TaskWork<>(task(spans), new LongSum(NEVER, NEVER), TaskContext$.MODULE$.empty())
              .run(-seed, selection);

      List<Span> good = spans.stream().filter(one -> stored.rows.containsKey(one.ref())).toList();
      assertThat(result.sum())
          .as("seed %s", seed)
          .isEqualTo(good.stream().mapToLong(one -> stored.sum(one, selection)).sum());
      assertThat(result.covered())
          .as("seed %s", seed)
          .usingRecursiveFieldByFieldElementComparator()
          .containsExactlyElementsOf(
              good.stream()
                  .map(one -> new CoveredRows(one.block(), PACKING, one.from(), one.to()))
                  .toList());
      assertThat(result.reports().get(0).rows)
          .as("seed %s", seed)
          .isEqualTo(good.stream().mapToLong(Span::rows).sum());
      assertThat(SharedSampler.openRounds()).isZero();
      stored.remove();
    }
  }

  @Test
  void run_killedOrThrown_leavesNothingBehind() {
    for (long seed = 1; seed <= CASES; seed++) {
      Stored stored = new Stored(seed, /* badOfTwelve= */ 0);
      List<Span> spans =
          IntStream.range(0, stored.blocks.size())
              .mapToObj(i -> new Span(i, stored.blocks.get(i), 0, stored.blocks.get(i).rows()))
              .toList();
      int at = stored.random.nextInt(spans.size() - 1);
      boolean isKilled = stored.random.nextBoolean();
      LongSum summand = isKilled ? new LongSum(at, NEVER) : new LongSum(NEVER, at);
      TaskWork<Long> work = new TaskWork<>(task(spans), summand, TaskContext$.MODULE$.empty());
      long round = -seed;

      assertThatThrownBy(() -> work.run(round, RowSelection.all()))
          .isInstanceOf(isKilled ? TaskKilledException.class : ArithmeticException.class);

      assertThat(SharedSampler.openRounds()).isZero();
      stored.remove();
    }
  }

  @Test
  void await_microTask_hasTheSumOfAllItsRowsOrNone() throws InterruptedException {
    for (long seed = 1; seed <= CASES; seed++) {
      Stored stored = new Stored(seed, /* badOfTwelve= */ seed % 2 == 0 ? 1 : 0);
      int unit = 1 + stored.random.nextInt(60);
      int number = stored.random.nextInt(10);
      int at = stored.random.nextInt(2);
      LongSum summand =
          switch (stored.random.nextInt(4)) {
            case 0 -> new LongSum(at, NEVER);
            case 1 -> new LongSum(NEVER, at);
            default -> new LongSum(NEVER, NEVER);
          };
      MicroShare<Long> share = new MicroShare<>(summand, stored.blocks, unit, seed);
      Pulled pulled = pulled(new Next(seed, number, null), share, 1 + stored.random.nextInt(3));

      long[] drawn = share.draw(number);
      Long expected = expected(stored, drawn);
      assertThat(pulled.round()).isEqualTo(seed);
      if (pulled.failure() != null) {
        assertThat(summand.failsAt).as("seed %s", seed).isNotEqualTo(NEVER);
        assertThat(pulled.failure()).contains("the user's gradient");
      } else if (pulled.rows() > 0) {
        assertThat(pulled.rows()).as("seed %s", seed).isEqualTo(drawn.length);
        assertThat(Serialized.result(pulled.sum())).as("seed %s", seed).isEqualTo(expected);
      } else {
        boolean isComplete = expected != null && summand.killedAt == NEVER;
        assertThat(isComplete).as("seed %s: nothing kept it from a sum", seed).isFalse();
      }
      assertThat(pulled.sum() == null).isEqualTo(pulled.rows() == 0);
      stored.remove();
    }
  }

  /** By several slots at once. */
  private static Pulled pulled(Next next, MicroShare<Long> share, int slots)
      throws InterruptedException {
    byte[] bytes = Serialized.work(share);
    MicroTask work = new MicroTask(next, bytes, slot(), slots);
    List<CompletableFuture<Void>> others = new ArrayList<>();
    for (int slot = 1; slot < work.parts(); slot++) {
      others.add(CompletableFuture.runAsync(() -> work.run(slot())));
    }
    work.run(slot());
    others.forEach(CompletableFuture::join);
    return work.await();
  }

  private static CrewMember.Slot slot() {
    RoundAccumulators totals =
        new RoundAccumulators(new LongAccumulator(), new LongAccumulator(), new LongAccumulator());
    return new CrewMember.Slot(TaskContext$.MODULE$.empty(), totals);
  }

  /** The sum of rows; null if one cannot be read. */
  private static Long expected(Stored stored, long[] drawn) {
    long sum = 0;
    long first = 0;
    for (BlockRef block : stored.blocks) {
      for (long row : drawn) {
        if (row >= first && row < first + block.rows()) {
          if (!stored.rows.containsKey(block)) {
            return null;
          }
          sum += stored.rows.get(block)[(int) (row - first)];
        }
      }
      first += block.rows();
    }
    return sum;
  }
}
