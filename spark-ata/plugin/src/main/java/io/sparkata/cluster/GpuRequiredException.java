package io.sparkata.cluster;

/** A training cannot satisfy {@code spark.ata.gpu=required}. */
public final class GpuRequiredException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /**
   * @param reason a clause without a full stop
   */
  public GpuRequiredException(String reason) {
    super(
        "Cannot train with spark.ata.gpu=required: "
            + reason
            + ". Set spark.ata.gpu=auto to compute on the CPU where there is no usable GPU");
  }
}
