package io.sparkata.tools.jmh;

import static io.sparkata.tools.jmh.KernelCase.IN_CACHE;
import static io.sparkata.tools.jmh.KernelCase.IN_MEMORY;
import static io.sparkata.tools.jmh.KernelCase.dense;
import static io.sparkata.tools.jmh.KernelCase.sparse;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.function.Predicate;
import java.util.stream.DoubleStream;
import org.junit.jupiter.api.Test;

class KernelGridTest {
  /** So many as docs/kernels.md and {@code scripts/ata bench-kernels --help} say. */
  @Test
  void full_always_has144CasesAndNoneTwice() {
    assertThat(KernelGrid.full()).hasSize(144).doesNotHaveDuplicates();
  }

  @Test
  void full_denseLogistic_hasEachWidthAndFractionInAndOutOfCache() {
    for (int width : new int[] {10, 100, 1000, 10_000}) {
      for (double fraction : new double[] {1, 0.1, 0.01}) {
        KernelCase inMemory = dense("logistic", width, fraction, IN_MEMORY);
        KernelCase inCache = dense("logistic", width, fraction, IN_CACHE);
        assertThat(KernelGrid.full()).contains(inMemory);
        if (inCache.sampledRows() > 0) {
          assertThat(KernelGrid.full()).contains(inCache);
        }
      }
    }
    assertThat(dense("logistic", 10_000, 0.1, IN_CACHE).sampledRows()).isEqualTo(1);
  }

  @Test
  void full_sparseLogistic_hasDensitiesFromAThousandthToAll() {
    for (int nonZeros : new int[] {10, 100, 1000}) {
      for (double fraction : new double[] {1, 0.1, 0.01}) {
        List<KernelCase> inMemory =
            cases(
                next ->
                    next.kernel().equals("logistic")
                        && next.layout().equals("sparse")
                        && next.nonZeros() == nonZeros
                        && next.fraction() == fraction
                        && next.bytes() == IN_MEMORY);
        DoubleStream densities =
            inMemory.stream().mapToDouble(next -> (double) nonZeros / next.width());
        assertThat(densities.toArray()).containsExactly(1, 0.1, 0.01, 0.001);
      }
      assertThat(KernelGrid.full()).contains(sparse("logistic", 10_000, nonZeros, 1, IN_CACHE));
    }
  }

  @Test
  void full_otherKernels_haveDenseAndSparseRowsInAndOutOfCacheAllAndSampled() {
    for (String kernel : List.of("least-squares", "hinge", "multinomial", "row-by-row")) {
      for (double fraction : new double[] {1, 0.1}) {
        for (long bytes : new long[] {IN_MEMORY, IN_CACHE}) {
          assertThat(KernelGrid.full())
              .contains(dense(kernel, 100, fraction, bytes))
              .contains(dense(kernel, 1000, fraction, bytes));
        }
        assertThat(KernelGrid.full()).contains(sparse(kernel, 10_000, 100, fraction, IN_MEMORY));
      }
    }
  }

  @Test
  void full_inCache_hasRoomForRowsWeightsAndSum() {
    List<KernelCase> inCache = cases(next -> next.bytes() <= IN_CACHE);
    assertThat(inCache)
        .allMatch(next -> next.bytes() + 16L * next.weights() <= 2 << 20)
        .allMatch(next -> next.sampledRows() > 0);
  }

  @Test
  void gpu_always_isOnTheGpu() {
    assertThat(KernelGrid.gpu()).isNotEmpty().allMatch(next -> next.device().equals("gpu"));
  }

  @Test
  void inTurn_always_isDenseAndSparsePlainAndCodedAllAndSampled() {
    assertThat(KernelGrid.inTurn())
        .hasSize(28)
        .doesNotHaveDuplicates()
        .allMatch(next -> next.bytes() == IN_MEMORY / 2)
        .allMatch(next -> next.nonZeros() == (next.layout().equals("dense") ? 0 : 100));
  }

  @Test
  void blocks_always_areOfEachLossDenseAndSparse() {
    assertThat(KernelGrid.blocks()).hasSize(24).doesNotHaveDuplicates();
    for (String loss : List.of("logistic", "least-squares", "hinge")) {
      assertThat(KernelGrid.blocks())
          .contains(new BlockCase(loss, 100, 0, /* isWeighted= */ false))
          .contains(new BlockCase(loss, 100_000, 10, /* isWeighted= */ false));
    }
  }

  private static List<KernelCase> cases(Predicate<KernelCase> which) {
    return KernelGrid.full().stream().filter(which).toList();
  }
}
