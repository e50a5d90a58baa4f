package io.sparkata.report;

import java.util.HashMap;
import java.util.Map;
import java.util.Properties;
import org.apache.spark.scheduler.SparkListener;
import org.apache.spark.scheduler.SparkListenerJobEnd;
import org.apache.spark.scheduler.SparkListenerJobStart;

/**
 * How long Spark ran jobs that have ended, and those of trainings that Spark ATA runs or observes;
 * a moment with several counts once.
 */
public final class JobTimes extends SparkListener {
  /** Names the training in the properties of a job that is observed. */
  public static final String OBSERVED = "spark.ata.observed";

  private static final String OURS = "Spark ATA training "; // as JobDescriptions has it

  private final Map<Integer, SparkListenerJobStart> running = new HashMap<>(); // listener's thread
  private final CoveredTime all = new CoveredTime();
  private final CoveredTime ours = new CoveredTime();

  @Override
  public void onJobStart(SparkListenerJobStart event) {
    running.put(event.jobId(), event);
  }

  @Override
  public void onJobEnd(SparkListenerJobEnd event) {
    SparkListenerJobStart start = running.remove(event.jobId());
    if (start != null) {
      all.add(start.time() / 1e3, event.time() / 1e3);
      if (start.properties() != null && isOurs(start.properties())) {
        ours.add(start.time() / 1e3, event.time() / 1e3);
      }
    }
  }

  private static boolean isOurs(Properties properties) {
    return properties.getProperty("spark.job.description", "").contains(OURS)
        || properties.getProperty(OBSERVED) != null;
  }

  /** Of all jobs. */
  public double seconds() {
    return all.length();
  }

  /** Of those of trainings. */
  public double ourSeconds() {
    return ours.length();
  }

  /** The part of the time that was ours; 0 before the first job has ended. */
  public double ourShare() {
    return all.length() == 0 ? 0 : ours.length() / all.length();
  }
}
