package io.sparkata.placement;

import static org.assertj.core.api.Assertions.assertThat;

import io.sparkata.blocks.BlockRef;
import io.sparkata.blocks.Span;
import io.sparkata.cluster.Device;
import io.sparkata.cluster.Executor;
import io.sparkata.cluster.Members;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class PlacementPlanTest {
  private static final BlockRef FIRST = new BlockRef(1, 0, 0, 0, 10, 100, 1);
  private static final BlockRef SECOND = new BlockRef(1, 1, 0, 10, 10, 200, 1);

  /** 8 rows of the first block, 10 of the second. */
  private static final List<Span> SPANS =
      List.of(new Span(0, FIRST, 2, 10), new Span(1, SECOND, 0, 10));

  @Test
  void split_onePart_isAllSpans() {
    assertThat(PlacementPlan.split(SPANS, 1)).hasToString("[[rdd_1_0[2..10), rdd_1_1[0..10)]]");
  }

  @Test
  void split_twoParts_cutsASpanInTheMiddle() {
    assertThat(PlacementPlan.split(SPANS, 2))
        .hasToString("[[rdd_1_0[2..10), rdd_1_1[0..1)], [rdd_1_1[1..10)]]");
  }

  @Test
  void split_fourParts_mayCutOneSpanTwice() {
    assertThat(PlacementPlan.split(SPANS, 4))
        .hasToString(
            "[[rdd_1_0[2..6)], [rdd_1_0[6..10), rdd_1_1[0..1)], [rdd_1_1[1..5)],"
                + " [rdd_1_1[5..10)]]");
  }

  @Test
  void split_asManyPartsAsRows_givesOneRowEach() {
    List<List<Span>> runs = PlacementPlan.split(SPANS, 18);

    assertThat(runs).hasSize(18).allMatch(run -> run.size() == 1 && run.get(0).rows() == 1);
  }

  @Test
  void split_morePartsThanRows_leavesOutEmptyOnes() {
    List<Span> three = List.of(new Span(0, FIRST, 4, 7));

    assertThat(PlacementPlan.split(three, 16))
        .hasToString("[[rdd_1_0[4..5)], [rdd_1_0[5..6)], [rdd_1_0[6..7)]]");
  }

  @Test
  void split_noSpans_isEmpty() {
    assertThat(PlacementPlan.split(List.of(), 4)).isEmpty();
  }

  @Test
  void split_always_keepsThePositionInTheDriversList() {
    List<Span> spans = List.of(new Span(5, FIRST, 0, 10));

    assertThat(PlacementPlan.split(spans, 2).get(1).get(0).block()).isEqualTo(5);
  }

  @Test
  void rows_spansOfEachExecutor_areSummed() {
    PlacementPlan plan = planOfThree();

    assertThat(plan.rows()).containsExactly(18, 0, 2);
  }

  private static PlacementPlan planOfThree() {
    return new PlacementPlan(
        Members.of(
            Stream.of("a", "b", "c")
                .map(id -> new Executor(id, "host", 1, 0, Device.CPU))
                .toList()),
        List.of(SPANS, List.of(), List.of(new Span(0, FIRST, 0, 2))),
        /* fetches= */ List.of(),
        /* moves= */ List.of(),
        /* refused= */ 0,
        /* cuts= */ 1);
  }
}
