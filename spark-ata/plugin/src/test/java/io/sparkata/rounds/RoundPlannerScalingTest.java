package io.sparkata.rounds;

import static org.assertj.core.api.Assertions.assertThat;

import io.sparkata.blocks.BlockRef;
import io.sparkata.blocks.Blocks;
import io.sparkata.cluster.Device;
import io.sparkata.cluster.Executor;
import java.util.AbstractList;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.RandomAccess;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * The driver's work per round grows with the number of executors, not with its square: counted in
 * look-ups of blocks and holders, which searching would repeat for every executor.
 */
class RoundPlannerScalingTest {
  private static final int ROUNDS = 4;
  private static final int FEW = 100;
  private static final int TIMES = 4;

  private long lookUps;

  /** With memory for all, what an executor holds decides; without, the blocks' sizes. */
  @ParameterizedTest
  @CsvSource({"adaptive, 1000000", "adaptive, 0", "uniform, 0"})
  void plan_fourTimesTheExecutors_looksUpFourTimesAsMuch(String policy, long freeBytes) {
    long few = lookUps(policy, freeBytes, FEW);
    long many = lookUps(policy, freeBytes, TIMES * FEW);

    assertThat((double) many / few).isBetween(0.8 * TIMES, 1.2 * TIMES); // searching: 16
  }

  /** In some rounds on executors of two speeds, with four blocks each. */
  private long lookUps(String policy, long freeBytes, int n) {
    PlannedRounds rounds = new PlannedRounds(policy, n, Map.of());
    List<Executor> executors = new ArrayList<>();
    List<BlockRef> blocks = new ArrayList<>();
    List<List<String>> holders = new ArrayList<>();
    double[] nanosPerRow = new double[n];
    for (int i = 0; i < n; i++) {
      executors.add(new Executor("e" + i, "host", /* slots= */ 2, freeBytes, Device.CPU));
      nanosPerRow[i] = i % 10 == 1 ? 4 : 1;
      for (int b = 0; b < 4; b++) {
        blocks.add(new BlockRef(1, 4 * i + b, i, 0, 300, 2400, 1));
        holders.add(new Counted<>(List.of("e" + i)));
      }
    }
    Blocks counted = new CountedBlocks(blocks);
    lookUps = 0;
    for (int round = 1; round <= ROUNDS; round++) {
      RoundPlan plan = rounds.plan(executors, counted, new Counted<>(holders));
      rounds.observe(plan, nanosPerRow, new double[n]);
    }
    return lookUps;
  }

  private final class CountedBlocks extends Blocks {
    CountedBlocks(List<BlockRef> blocks) {
      super(blocks);
    }

    @Override
    public BlockRef get(int block) {
      lookUps++;
      return super.get(block);
    }

    @Override
    public int rows(int block) {
      lookUps++;
      return super.rows(block);
    }

    @Override
    public long bytes(int block) {
      lookUps++;
      return super.bytes(block);
    }
  }

  private final class Counted<T> extends AbstractList<T> implements RandomAccess {
    private final List<T> list;

    Counted(List<T> list) {
      this.list = list;
    }

    @Override
    public T get(int index) {
      lookUps++;
      return list.get(index);
    }

    @Override
    public int size() {
      return list.size();
    }
  }
}
