package io.sparkata.spark;

import org.apache.spark.SparkContext;
import org.apache.spark.sql.internal.SQLConf;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Settings that hold for a thread or a session of an application that others share. */
public final class LocalSettings {
  private static final Logger LOG = LoggerFactory.getLogger(LocalSettings.class);

  private LocalSettings() {}

  /**
   * The value of a key for this thread.
   *
   * @return the local property of the thread; without one that of its active session, which has
   *     those of the application; {@code other} without either, or if the session cannot be asked
   */
  public static String get(SparkContext context, String key, String other) {
    String local = context.getLocalProperty(key);
    if (local != null) {
      return local;
    }
    try {
      return SQLConf.get().getConfString(key, other);
    } catch (Exception | LinkageError broken) { // such as a session that lacks Hive's classes
      LOG.debug("Spark ATA: cannot ask the session for {}", key, broken);
      return other;
    }
  }
}
