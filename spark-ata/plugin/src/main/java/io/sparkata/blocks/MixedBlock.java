package io.sparkata.blocks;

import org.apache.spark.mllib.linalg.Vector;

/** Rows that no packed form fits: dense and sparse rows mixed, or rows of unequal length. */
public final class MixedBlock extends PackedBlock {
  private static final long serialVersionUID = 1L;

  private final Vector[] features;
  private final long featureBytes;

  /**
   * @param features one vector per row; owned by the block
   * @param featureBytes bytes of the vectors on the heap
   */
  public MixedBlock(long packingId, double[] labels, Vector[] features, long featureBytes) {
    super(packingId, labels);
    this.features = features;
    this.featureBytes = featureBytes;
  }

  @Override
  public int width() {
    return 0;
  }

  @Override
  public String layout() {
    return "mixed";
  }

  @Override
  public Vector features(int row) {
    return features[row];
  }

  @Override
  public long bytes() {
    return labelBytes() + featureBytes;
  }
}
