package io.sparkata.blocks;

import io.sparkata.spark.ExecutorInternals;
import io.sparkata.spark.SizedForStorage;
import org.apache.spark.storage.RDDBlockId;

/**
 * Elements of the caller's RDD as they are. If Spark has cached their partition as objects, the
 * block refers to the same objects, adds only the references to storage memory, and may be read
 * while Spark keeps them.
 */
public final class ElementBlock extends StoredBlock implements SizedForStorage {
  private static final long serialVersionUID = 1L;
  private static final int REFERENCE_BYTES = 8;
  private static final int HEADER_BYTES = 64;

  private final Object[] elements;
  private final String layout;
  private final long bytes;

  /** Spark's own block with the same objects; null if there is none, as in every fetched copy. */
  private final transient RDDBlockId shared;

  /**
   * @param elements owned by the block
   * @param layout what the elements are
   * @param bytes of the elements on the heap
   * @param shared Spark's block of the same objects on this executor; null for none
   */
  public ElementBlock(
      long packingId, Object[] elements, String layout, long bytes, RDDBlockId shared) {
    super(packingId);
    this.elements = elements;
    this.layout = layout;
    this.bytes = bytes;
    this.shared = shared;
  }

  @Override
  public int rows() {
    return elements.length;
  }

  /** The element at {@code row}, counted from 0 within the block. */
  public Object element(int row) {
    return elements[row];
  }

  @Override
  public String layout() {
    return layout;
  }

  @Override
  public long bytes() {
    return bytes;
  }

  @Override
  long addedBytes() {
    return shared == null ? bytes : HEADER_BYTES + (long) REFERENCE_BYTES * elements.length;
  }

  @Override
  public long estimatedSize() {
    return addedBytes();
  }

  @Override
  boolean isReadable() {
    return shared == null || ExecutorInternals.holdsObjects(shared);
  }
}
