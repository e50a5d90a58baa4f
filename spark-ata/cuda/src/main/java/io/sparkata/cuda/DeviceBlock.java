package io.sparkata.cuda;

import io.sparkata.blocks.DenseBlock;
import io.sparkata.blocks.PackedBlock;
import io.sparkata.blocks.SparseBlock;

/**
 * The addresses of a packed block's arrays in device memory: one allocation, which begins with the
 * values.
 *
 * @param values in the device's precision
 * @param labels a double for each row
 * @param indices the column of each value of sparse rows; 0 for dense rows
 * @param starts the first value of each sparse row and the end of the last one; 0 for dense rows
 * @param bytes the length of the allocation
 */
record DeviceBlock(long values, long labels, long indices, long starts, long bytes) {
  /** Each array starts at a multiple of this, as cuMemAlloc aligns its allocations. */
  private static final long ALIGNMENT = 256;

  /** The layout of a block, for an allocation at address 0. */
  static DeviceBlock layout(PackedBlock block, boolean isSingle) {
    boolean isSparse = block instanceof SparseBlock;
    long count =
        block instanceof SparseBlock sparse
            ? sparse.indices().length
            : ((DenseBlock) block).values().length - DenseBlock.START;
    long labels = roundUp(count * (isSingle ? Float.BYTES : Double.BYTES), ALIGNMENT);
    long end = labels + (long) block.rows() * Double.BYTES;
    if (!isSparse) {
      return new DeviceBlock(/* values= */ 0, labels, /* indices= */ 0, /* starts= */ 0, end);
    }
    long indices = roundUp(end, ALIGNMENT);
    long starts = roundUp(indices + count * Integer.BYTES, ALIGNMENT);
    end = starts + (block.rows() + 1L) * Integer.BYTES;
    return new DeviceBlock(/* values= */ 0, labels, indices, starts, end);
  }

  /** This layout in an allocation at {@code pointer}. */
  DeviceBlock at(long pointer) {
    return isSparse()
        ? new DeviceBlock(pointer, pointer + labels, pointer + indices, pointer + starts, bytes)
        : new DeviceBlock(pointer, pointer + labels, indices, starts, bytes);
  }

  boolean isSparse() {
    return starts != 0;
  }

  /** Copies the block's arrays to the device. */
  void fill(PackedBlock block, boolean isSingle, Staging staging) {
    if (block instanceof SparseBlock sparse) {
      staging.copy(sparse.values(), /* first= */ 0, isSingle, values);
      staging.copy(sparse.indices(), sparse.indices().length, indices);
      staging.copy(sparse.rowStarts(), sparse.rowStarts().length, starts);
    } else {
      staging.copy(((DenseBlock) block).values(), DenseBlock.START, isSingle, values);
    }
    double[] all = new double[block.rows()];
    block.copyLabels(0, all.length, all);
    staging.copy(all, /* first= */ 0, /* isSingle= */ false, labels);
  }

  static long roundUp(long number, long multiple) {
    return (number + multiple - 1) / multiple * multiple;
  }
}
