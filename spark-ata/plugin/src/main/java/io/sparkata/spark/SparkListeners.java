package io.sparkata.spark;

import java.util.concurrent.TimeoutException;
import org.apache.spark.SparkContext;
import org.apache.spark.scheduler.LiveListenerBus;
import org.apache.spark.scheduler.SparkListenerEvent;
import org.apache.spark.scheduler.SparkListenerInterface;

/** Spark's listener bus. Driver only. */
public final class SparkListeners {
  private SparkListeners() {}

  /** Adds a listener to the named queue, which has a thread of its own and is created if needed. */
  public static void addListener(
      SparkContext context, SparkListenerInterface listener, String queue) {
    context.listenerBus().addToQueue(listener, queue);
  }

  /** Posts an event of our own to all listeners; does not wait. */
  public static void post(SparkContext context, SparkListenerEvent event) {
    context.listenerBus().post(event);
  }

  /** Removes a listener. */
  public static void removeListener(SparkContext context, SparkListenerInterface listener) {
    context.listenerBus().removeListener(listener);
  }

  /** Whether Spark calls its listeners on this thread. */
  public static boolean isListenersThread() {
    return (Boolean) LiveListenerBus.withinListenerThread().value();
  }

  /**
   * Waits until listeners have received all events so far, at most {@code millis}. Returns at once
   * on a listeners' thread, which would wait for itself.
   */
  public static void awaitListeners(SparkContext context, long millis) {
    if (isListenersThread()) {
      return;
    }
    try {
      context.listenerBus().waitUntilEmpty(millis);
    } catch (TimeoutException busy) {
      return; // use what they have received by now
    } catch (Exception error) {
      if (!(error instanceof InterruptedException)) { // Scala does not declare it
        throw error;
      }
      Thread.currentThread().interrupt();
    }
  }
}
