package io.sparkata.objective;

import java.lang.reflect.Field;
import org.apache.spark.broadcast.Broadcast;

/** The broadcasts that an aggregator or a function holds, such as a model's coefficients. */
final class Broadcasts {
  private Broadcasts() {}

  /**
   * Fetches them now, so that the first element does not wait for them: a fetch takes an executor
   * as long for one row as for many, and is none of its time per row.
   */
  static void fetch(Object holder) {
    try {
      for (Field field : holder.getClass().getDeclaredFields()) {
        if (Broadcast.class.isAssignableFrom(field.getType()) && field.trySetAccessible()) {
          Object broadcast = field.get(holder);
          if (broadcast != null) {
            ((Broadcast<?>) broadcast).value();
          }
        }
      }
    } catch (IllegalAccessException unreadable) {
      throw new IllegalStateException(unreadable); // it was made accessible
    }
  }
}
