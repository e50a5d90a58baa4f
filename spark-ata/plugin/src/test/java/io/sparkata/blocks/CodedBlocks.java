package io.sparkata.blocks;

import static org.assertj.core.api.Assertions.assertThat;

/** Blocks whose values are coded, for tests of what reads them. */
public final class CodedBlocks {
  private CodedBlocks() {}

  /** The same rows, coded; at most 256 of their values may differ. */
  public static SparseBlock coded(SparseBlock block) {
    DictionaryEncoder coder = new DictionaryEncoder();
    assertThat(coder.add(block.values())).as("few values differ").isTrue();
    double[] labels = new double[block.rows()];
    block.copyLabels(0, labels.length, labels);
    return new SparseBlock(
        block.packingId(),
        labels,
        block.width(),
        block.rowStarts(),
        block.indices(),
        coder.build());
  }
}
