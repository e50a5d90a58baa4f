package io.sparkata.config;

/** What Spark ATA does with a training. */
public enum Mode {
  /** Allocates its rounds. */
  TRAIN,
  /** Lets MLlib train and reports what allocation would have saved. */
  OBSERVE
}
