package io.sparkata.testing;

import java.util.concurrent.CountDownLatch;
import org.apache.spark.scheduler.SparkListener;
import org.apache.spark.scheduler.SparkListenerJobStart;

/** Holds up its queue of Spark's listener bus from the next job's start on. */
public final class SlowListener extends SparkListener {
  private final CountDownLatch mayGoOn;

  public SlowListener(CountDownLatch mayGoOn) {
    this.mayGoOn = mayGoOn;
  }

  @Override
  public void onJobStart(SparkListenerJobStart event) {
    try {
      mayGoOn.await();
    } catch (InterruptedException stopped) {
      Thread.currentThread().interrupt();
    }
  }
}
