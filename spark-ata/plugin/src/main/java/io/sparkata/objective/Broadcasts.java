package io.sparkata.objective;

import io.sparkata.gate.Trouble;
import java.lang.reflect.Field;
import org.apache.spark.broadcast.Broadcast;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The broadcasts that an aggregator or a function holds, such as a model's coefficients. */
final class Broadcasts {
  private static final Logger LOG = LoggerFactory.getLogger(Broadcasts.class);

  private Broadcasts() {}

  /**
   * Fetches them now, so that the first element does not wait for them: a fetch takes an executor
   * as long for one row as for many, and is none of its time per row.
   */
  static void fetch(Object holder) {
    for (Field field : holder.getClass().getDeclaredFields()) {
      try {
        if (Broadcast.class.isAssignableFrom(field.getType())
            && field.trySetAccessible()
            && field.get(holder) instanceof Broadcast<?> broadcast) {
          broadcast.value();
        }
      } catch (Exception failed) { // an element that needs the broadcast throws it again
        Trouble.rethrowFatal(failed);
        LOG.debug("Spark ATA: cannot fetch the broadcast in {}", field, failed);
      }
    }
  }
}
