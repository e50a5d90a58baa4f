package io.sparkata.callers;

import io.sparkata.testing.TestCluster;
import java.util.HashMap;
import java.util.Map;
import org.apache.spark.api.java.JavaSparkContext;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Tag;

/** On three executors, some of which have more partitions than others. */
@Tag("nightly")
class MessagesIT {

  @Nested
  class OfJobs extends OnExecutors {
    OfJobs() {
      super("stage");
    }
  }

  @Nested
  class ByMessage extends OnExecutors {
    ByMessage() {
      super("resident");
    }
  }

  private abstract static class OnExecutors extends Messages {
    private final String execution;

    OnExecutors(String execution) {
      super(/* partitions= */ 7);
      this.execution = execution;
    }

    @Override
    JavaSparkContext startStock() {
      return TestCluster.start(Map.of("spark.ata.enabled", "false")).context();
    }

    @Override
    JavaSparkContext start(Map<String, String> settings) {
      Map<String, String> all = new HashMap<>(settings);
      all.put("spark.ata.execution", execution);
      all.put("spark.ata.route", "gradientDescent");
      all.put("spark.ata.policy", "adaptive");
      return TestCluster.start(all).context();
    }
  }
}
