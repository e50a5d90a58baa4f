package io.sparkata.blocks;

import java.util.AbstractList;
import java.util.List;
import java.util.RandomAccess;

/**
 * The packed blocks of one training, in row order. The figures that the driver needs in every round
 * are in arrays, because following a reference for each takes several times as long. Immutable.
 * Driver only.
 */
public class Blocks extends AbstractList<BlockRef> implements RandomAccess {
  private final BlockRef[] refs;
  private final int[] rows;
  private final long[] bytes;
  private final long[] packingIds;
  private final long allRows;
  private final long allBytes;
  private final long leastBytes;

  /** Package-private for a test that counts accesses. */
  protected Blocks(List<BlockRef> blocks) {
    this.refs = blocks.toArray(new BlockRef[0]);
    this.rows = new int[refs.length];
    this.bytes = new long[refs.length];
    this.packingIds = new long[refs.length];
    long rowsSoFar = 0;
    long bytesSoFar = 0;
    long least = Long.MAX_VALUE;
    for (int b = 0; b < refs.length; b++) {
      rows[b] = refs[b].rows();
      bytes[b] = refs[b].bytes();
      packingIds[b] = refs[b].packingId();
      rowsSoFar += rows[b];
      bytesSoFar += bytes[b];
      least = Math.min(least, bytes[b]);
    }
    this.allRows = rowsSoFar;
    this.allBytes = bytesSoFar;
    this.leastBytes = least;
  }

  /** These blocks; the same object if it is one already. */
  public static Blocks of(List<BlockRef> blocks) {
    return blocks instanceof Blocks same ? same : new Blocks(blocks);
  }

  @Override
  public BlockRef get(int block) {
    return refs[block];
  }

  @Override
  public int size() {
    return refs.length;
  }

  /** Rows of one block. */
  public int rows(int block) {
    return rows[block];
  }

  /** Rows of all blocks. */
  public long rows() {
    return allRows;
  }

  /** Bytes of one block. */
  public long bytes(int block) {
    return bytes[block];
  }

  /** Bytes of one copy of all blocks. */
  public long bytes() {
    return allBytes;
  }

  /** Bytes of the smallest block; {@link Long#MAX_VALUE} if there are none. */
  public long leastBytes() {
    return leastBytes;
  }

  /** Mark of the packing attempt of one block. */
  public long packingId(int block) {
    return packingIds[block];
  }
}
