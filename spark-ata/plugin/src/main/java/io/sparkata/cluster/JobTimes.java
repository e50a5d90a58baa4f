package io.sparkata.cluster;

import io.sparkata.report.CoveredTime;
import java.util.HashMap;
import java.util.Map;
import java.util.Properties;
import org.apache.spark.scheduler.SparkListener;
import org.apache.spark.scheduler.SparkListenerJobEnd;
import org.apache.spark.scheduler.SparkListenerJobStart;

/** How long Spark ran jobs, and jobs of Spark ATA; a moment with several counts once. */
final class JobTimes extends SparkListener {
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
      all.add((double) start.time(), (double) event.time());
      Properties properties = start.properties();
      if (properties != null
          && properties.getProperty("spark.job.description", "").contains(OURS)) {
        ours.add((double) start.time(), (double) event.time());
      }
    }
  }

  /** The part of the time that was ours; 0 before the first job has ended. */
  double ourShare() {
    return all.length() == 0 ? 0 : ours.length() / all.length();
  }
}
