package io.sparkata.cluster;

/**
 * A live executor as the driver sees it.
 *
 * @param slots the tasks that it runs at once, at least 1
 * @param freeBytes storage memory that is not used
 * @param device what its kernels run on
 */
public record Executor(String id, String host, int slots, long freeBytes, Device device) {

  Executor without(int slotsTaken) {
    return slotsTaken == 0 ? this : new Executor(id, host, slots - slotsTaken, freeBytes, device);
  }
}
