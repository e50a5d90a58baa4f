package io.sparkata.cluster;

/** What an executor's kernels run on, as the driver knows it. */
public enum Device {
  /** It may have a GPU and has not reported yet whether it can use it. */
  UNKNOWN,
  /** The CPU only. */
  CPU,
  /** At least one usable GPU. */
  GPU
}
