package io.sparkata.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.Properties;
import org.apache.spark.scheduler.JobSucceeded$;
import org.apache.spark.scheduler.SparkListenerJobEnd;
import org.apache.spark.scheduler.SparkListenerJobStart;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import scala.collection.immutable.List$;

@Tag("spark")
class JobTimesTest {
  private final JobTimes times = new JobTimes();

  @Test
  void ourShare_beforeAJobHasEnded_isNothing() {
    start(1, 0, "Spark ATA training 1: packing");

    assertThat(times.ourShare()).isZero();
  }

  @Test
  void ourShare_jobsAtTheSameTime_countsEachMomentOnce() {
    start(1, 0, "Spark ATA training 1: packing");
    start(2, 2, "my fit: Spark ATA training 2, round 1 of 9");
    start(3, 3, "count");
    end(1, 4);
    end(2, 6);
    end(3, 10);

    assertThat(times.ourShare()).isCloseTo(0.6, within(1e-9));
    assertThat(times.seconds()).isCloseTo(0.010, within(1e-9));
    assertThat(times.ourSeconds()).isCloseTo(0.006, within(1e-9));
  }

  /** Such as that of a crew, while a thousand short ones come and go. */
  @Test
  void seconds_jobThatRuns_isCountedUntilTheLastEvent() {
    start(1, 1000, "Spark ATA training 1, round 4: later rounds by message");
    for (int job = 0; job < 1000; job++) {
      start(2 + job, 2000 + 100 * job, "count");
      end(2 + job, 2050 + 100 * job);
    }

    assertThat(times.seconds()).isCloseTo(100.95, within(1e-9));
    assertThat(times.ourSeconds()).isCloseTo(100.95, within(1e-9));
  }

  @Test
  void ourShare_observedJobs_areOurs() {
    Properties properties = new Properties();
    properties.setProperty(JobTimes.OBSERVED, "3");
    times.onJobStart(new SparkListenerJobStart(1, 0, List$.MODULE$.empty(), properties));
    end(1, 10);
    start(2, 10, "count");
    end(2, 40);

    assertThat(times.ourShare()).isCloseTo(0.25, within(1e-9));
  }

  @Test
  void ourShare_jobsWithoutADescription_areSparks() {
    times.onJobStart(new SparkListenerJobStart(1, 5, List$.MODULE$.empty(), null));
    end(1, 15);
    start(2, 25, null);
    end(2, 35);
    start(3, 45, "Spark ATA training 1: packing");
    end(3, 65);
    end(4, 99); // started before the plugin

    assertThat(times.ourShare()).isCloseTo(0.5, within(1e-9));
  }

  private void start(int job, long millis, String description) {
    Properties properties = new Properties();
    if (description != null) {
      properties.setProperty("spark.job.description", description);
    }
    times.onJobStart(new SparkListenerJobStart(job, millis, List$.MODULE$.empty(), properties));
  }

  private void end(int job, long millis) {
    times.onJobEnd(new SparkListenerJobEnd(job, millis, JobSucceeded$.MODULE$));
  }
}
