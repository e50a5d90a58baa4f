package io.sparkata.blocks;

import java.util.Arrays;
import java.util.BitSet;
import org.apache.spark.mllib.linalg.DenseVector;
import org.apache.spark.mllib.linalg.SparseVector;
import org.apache.spark.mllib.linalg.Vector;
import org.apache.spark.mllib.linalg.Vectors;

/**
 * Packs rows into one block after the other, each of at most a given size, in the tightest form
 * that keeps each row's vector class. Rows are copied at once, because an iterator may reuse one
 * vector object. The arrays grow with the first block and are reused for all.
 */
final class BlockBuilder {
  private static final int VECTOR_OVERHEAD_BYTES = 64;
  private static final int FIRST_ROWS = 64;

  /**
   * Reserved of the size for array headers and for the gaps of a copy on a GPU, where a slightly
   * larger block would take another page.
   */
  static final int ROOM_BYTES = 1 << 10;

  private final long packingId;
  private final long mostBytes;

  /** The most bytes of the larger one of sparse rows' two arrays. */
  private final long mostArrayBytes;

  private final BitSet sparseRows = new BitSet();
  private double[] labels = new double[FIRST_ROWS];
  private int[] widths = new int[FIRST_ROWS];

  /** Where each row starts in {@link #values}; sparse rows also have {@link #indices} there. */
  private int[] starts = new int[FIRST_ROWS + 1];

  private double[] values = new double[FIRST_ROWS];
  private int[] indices = new int[0];
  private int rows;
  private int sparseCount;
  private int sparseValues;

  /**
   * The dictionary of the values while rows are sparse, of equal length and have few different
   * values; else null.
   */
  private DictionaryEncoder coder = new DictionaryEncoder();

  /**
   * @param size the most bytes of a block, unless one row takes more
   */
  BlockBuilder(long packingId, long size) {
    this.packingId = packingId;
    this.mostBytes = size - ROOM_BYTES;
    this.mostArrayBytes = size / 2 - ROOM_BYTES / 2;
  }

  /**
   * Adds a row unless the block would become too large, also because the row's values end the
   * dictionary encoding. If it is not added, the caller builds this block and adds the row to the
   * next.
   *
   * @return whether the row was added
   */
  boolean add(double label, Vector row) {
    boolean isCodable = coder != null && isCodable(row);
    boolean fitsPlain = fits(row, /* isCoded= */ false);
    if (rows > 0 && !fitsPlain && !(isCodable && fits(row, /* isCoded= */ true))) {
      return false;
    }
    if (coder != null && !(isCodable && coder.add(((SparseVector) row).values()))) {
      if (rows > 0 && !fitsPlain) {
        return false;
      }
      coder = null;
    }
    if (rows == labels.length) {
      labels = Arrays.copyOf(labels, 2 * rows);
      widths = Arrays.copyOf(widths, 2 * rows);
      starts = Arrays.copyOf(starts, 2 * rows + 1);
    }
    labels[rows] = label;
    widths[rows] = row.size();
    if (row instanceof SparseVector sparse) {
      append(sparse.values());
      appendIndices(sparse.indices());
      sparseRows.set(rows);
      sparseCount++;
    } else {
      append(((DenseVector) row).values());
    }
    rows++;
    return true;
  }

  /**
   * Whether one more row fits. G1 gives an array larger than half a heap region regions of its own,
   * and a region's size is a power of two. So dense rows are one array of the full size and the
   * larger array of sparse rows has half of it, which leaves little of a region empty.
   */
  private boolean fits(Vector row, boolean isCoded) {
    boolean isSparse = row instanceof SparseVector;
    int more = isSparse ? ((SparseVector) row).values().length : row.size();
    long numbers = (long) starts[rows] + more;
    long values = Double.BYTES * numbers;
    long coded = isCoded ? coder.bytesWith(more) : values;
    long sparse = (long) Integer.BYTES * (sparseCount + sparseValues);
    sparse += isSparse ? Integer.BYTES * (1L + more) : 0;
    long bytes = Double.BYTES * (rows + 1L) + coded + sparse;
    long largest = isCoded ? Integer.BYTES * numbers : values;
    return bytes <= mostBytes && (sparse == 0 || largest <= mostArrayBytes);
  }

  private boolean isCodable(Vector row) {
    return row instanceof SparseVector && (rows == 0 || widths[0] == row.size());
  }

  private void append(double[] row) {
    int from = starts[rows];
    int to = Math.addExact(from, row.length);
    if (to > values.length) {
      values = Arrays.copyOf(values, Math.max(to, 2 * values.length));
    }
    System.arraycopy(row, 0, values, from, row.length);
    starts[rows + 1] = to;
  }

  private void appendIndices(int[] row) {
    if (indices.length < values.length) {
      indices = Arrays.copyOf(indices, values.length);
    }
    System.arraycopy(row, 0, indices, starts[rows], row.length);
    sparseValues += row.length;
  }

  int rows() {
    return rows;
  }

  private long plainBytes() {
    return (long) Double.BYTES * rows
        + valueBytes()
        + (long) Integer.BYTES * (sparseCount + sparseValues);
  }

  private long valueBytes() {
    return (long) Double.BYTES * starts[rows];
  }

  /** Without the dictionary if its table takes more than the codes save. */
  private boolean isCoded() {
    return coder != null && coder.bytes() < valueBytes();
  }

  /** The block of all rows added since the last one. */
  PackedBlock build() {
    PackedBlock block = packed();
    rows = 0;
    sparseCount = 0;
    sparseValues = 0;
    sparseRows.clear();
    coder = new DictionaryEncoder();
    return block;
  }

  private PackedBlock packed() {
    double[] exactLabels = Arrays.copyOf(labels, rows);
    boolean isUniform = Arrays.stream(widths, 0, rows).distinct().count() <= 1;
    int width = rows == 0 ? 0 : widths[0];
    if (isUniform && sparseCount == 0) {
      return new DenseBlock(packingId, exactLabels, width, values);
    }
    if (isUniform && sparseCount == rows) {
      int[] exactStarts = Arrays.copyOf(starts, rows + 1);
      int[] exactIndices = Arrays.copyOf(indices, starts[rows]);
      if (isCoded()) {
        return new SparseBlock(
            packingId, exactLabels, width, exactStarts, exactIndices, null, coder.build());
      }
      double[] exactValues = Arrays.copyOf(values, starts[rows]);
      return new SparseBlock(packingId, exactLabels, width, exactStarts, exactIndices, exactValues);
    }
    Vector[] features = new Vector[rows];
    for (int row = 0; row < rows; row++) {
      features[row] = vector(row);
    }
    long featureBytes = plainBytes() + (long) VECTOR_OVERHEAD_BYTES * rows;
    return new MixedBlock(packingId, exactLabels, features, featureBytes);
  }

  private Vector vector(int row) {
    double[] own = Arrays.copyOfRange(values, starts[row], starts[row + 1]);
    return sparseRows.get(row)
        ? Vectors.sparse(
            widths[row], Arrays.copyOfRange(indices, starts[row], starts[row + 1]), own)
        : Vectors.dense(own);
  }
}
