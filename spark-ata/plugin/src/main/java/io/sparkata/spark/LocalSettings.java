package io.sparkata.spark;

import org.apache.spark.SparkContext;
import org.apache.spark.sql.internal.SQLConf;

/** Settings that hold for a thread or a session of an application that others share. */
public final class LocalSettings {
  private LocalSettings() {}

  /**
   * The value of a key for this thread.
   *
   * @return the local property of the thread; without one that of its session, which has those of
   *     the application; else {@code other}
   */
  public static String get(SparkContext context, String key, String other) {
    String local = context.getLocalProperty(key);
    return local != null ? local : SQLConf.get().getConfString(key, other);
  }
}
