package io.sparkata.blocks;

/** Blocks whose values are coded, for tests of what reads them. */
public final class CodedBlocks {
  private CodedBlocks() {}

  /** The same rows, coded; at most 256 of their values may differ. */
  public static SparseBlock coded(SparseBlock block) {
    return block.coded().orElseThrow();
  }
}
