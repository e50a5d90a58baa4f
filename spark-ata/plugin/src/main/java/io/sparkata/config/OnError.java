package io.sparkata.config;

/** What happens if Spark ATA itself fails. */
public enum OnError {
  /** One WARN; MLlib's own expression runs the failed round and all later ones. */
  FALLBACK,
  /** The training fails with the exception. */
  FAIL
}
