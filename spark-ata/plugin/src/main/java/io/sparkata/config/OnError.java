package io.sparkata.config;

/** What happens on trouble of Spark ATA's own. */
public enum OnError {
  /** One WARN; the failed round and all later ones run MLlib's own expression. */
  FALLBACK,
  /** The training fails with the exception. */
  FAIL
}
