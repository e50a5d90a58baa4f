package io.sparkata.cuda;

/** A call of the CUDA driver that failed. */
final class CudaException extends RuntimeException {
  private static final long serialVersionUID = 1L;
  private static final int OUT_OF_MEMORY = 2;

  private final int code;

  /**
   * @param call the driver's function
   * @param code its result, a CUresult
   * @param name the result's name
   */
  CudaException(String call, int code, String name) {
    super(call + " failed: " + name + " (" + code + ")");
    this.code = code;
  }

  /** A failure before the driver was reached. */
  CudaException(Throwable cause) {
    super(cause.toString(), cause);
    code = 0;
  }

  /** {@code bytes} do not fit: the limit for blocks is reached, and all blocks are in use. */
  static CudaException noRoom(long bytes, long limit) {
    return new CudaException(bytes, limit);
  }

  private CudaException(long bytes, long limit) {
    super("no room for " + bytes + " bytes (limit for blocks: " + limit + " bytes)");
    code = OUT_OF_MEMORY;
  }

  /** Whether the device stays usable. */
  boolean isOutOfMemory() {
    return code == OUT_OF_MEMORY;
  }
}
