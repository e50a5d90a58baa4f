package io.sparkata.cuda;

import io.sparkata.cuda.GradientRequest.Part;
import java.util.List;

/**
 * What a kernel of gradients.cu reads besides rows and weights: a {@code Part} for each block, then
 * the position of each row if rows are chosen.
 */
final class LaunchTable {
  /** The size of gradients.cu's {@code Part}. */
  static final int PART_INTS = 10;

  private LaunchTable() {}

  /**
   * The table as the device stores it, with 8-byte pointers and the low bytes first.
   *
   * @param blocks the parts' blocks on the device
   */
  static int[] of(GradientRequest request, List<DeviceBlock> blocks) {
    List<Part> parts = request.parts();
    boolean hasPositions = request.hasPositions();
    int rowsAt = parts.size() * PART_INTS;
    int[] table = new int[Math.addExact(rowsAt, hasPositions ? request.count() : 0)];
    int begin = 0;
    for (int i = 0; i < blocks.size(); i++) {
      Part part = parts.get(i);
      DeviceBlock block = blocks.get(i);
      int at = i * PART_INTS;
      putPointer(table, at, block.values());
      putPointer(table, at + 2, block.labels());
      putPointer(table, at + 4, block.indices());
      putPointer(table, at + 6, block.starts());
      table[at + 8] = part.first() - begin;
      table[at + 9] = begin + part.count();
      if (part.rows() != null) {
        System.arraycopy(part.rows(), 0, table, rowsAt + begin, part.count());
      } else if (hasPositions) {
        for (int row = 0; row < part.count(); row++) {
          table[rowsAt + begin + row] = part.first() + row;
        }
      }
      begin += part.count();
    }
    return table;
  }

  private static void putPointer(int[] table, int at, long pointer) {
    table[at] = (int) pointer;
    table[at + 1] = (int) (pointer >>> Integer.SIZE);
  }
}
