package io.sparkata.report;

import java.util.HashMap;
import java.util.Map;
import java.util.Properties;
import org.apache.spark.scheduler.SparkListener;
import org.apache.spark.scheduler.SparkListenerJobEnd;
import org.apache.spark.scheduler.SparkListenerJobStart;

/**
 * How long Spark has run jobs, and those of trainings that Spark ATA runs or observes, until the
 * last start or end of a job; a moment with several counts once. One thread adds jobs, others may
 * ask.
 */
public final class JobTimes extends SparkListener {
  /** Names the training in the properties of a job that is observed. */
  public static final String OBSERVED = "spark.ata.observed";

  private static final String OURS = "Spark ATA training "; // as JobDescriptions has it

  private final Map<Integer, Boolean> running = new HashMap<>(); // whether it is ours
  private long millis;
  private long ourMillis;
  private long last;

  @Override
  public synchronized void onJobStart(SparkListenerJobStart event) {
    passed(event.time());
    running.put(event.jobId(), event.properties() != null && isOurs(event.properties()));
  }

  @Override
  public synchronized void onJobEnd(SparkListenerJobEnd event) {
    passed(event.time());
    running.remove(event.jobId());
  }

  private void passed(long now) {
    long since = Math.max(0, now - last);
    millis += running.isEmpty() ? 0 : since;
    ourMillis += running.containsValue(true) ? since : 0;
    last = Math.max(last, now);
  }

  private static boolean isOurs(Properties properties) {
    return properties.getProperty("spark.job.description", "").contains(OURS)
        || properties.getProperty(OBSERVED) != null;
  }

  /** Of all jobs. */
  public synchronized double seconds() {
    return millis / 1e3;
  }

  /** Of those of trainings. */
  public synchronized double ourSeconds() {
    return ourMillis / 1e3;
  }

  /** The part of the time that was ours; 0 without a job. */
  public synchronized double ourShare() {
    return millis == 0 ? 0 : (double) ourMillis / millis;
  }
}
