package io.sparkata.callers;

import static org.assertj.core.api.Assertions.assertThat;

import io.sparkata.testing.TestCluster;
import java.util.HashMap;
import java.util.Map;
import org.apache.spark.api.java.JavaSparkContext;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** On three executors, some of which have more partitions than others. */
@Tag("nightly")
class MessagesIT {
  private static final int PARTITIONS = 7;

  @Nested
  class OfDescentsByJobs extends DescentMessages {
    OfDescentsByJobs() {
      super(PARTITIONS, settings -> start("gradientDescent", "stage", settings));
    }
  }

  @Nested
  class OfDescentsByMessage extends DescentMessages {
    OfDescentsByMessage() {
      super(PARTITIONS, settings -> start("gradientDescent", "resident", settings));
    }
  }

  @Nested
  class OfFitsByJobs extends FitMessages {
    OfFitsByJobs() {
      super(PARTITIONS, settings -> start("lbfgs", "stage", settings));
    }
  }

  @Nested
  class OfFitsByMessage extends FitMessages {
    OfFitsByMessage() {
      super(PARTITIONS, settings -> start("lbfgs", "resident", settings));
    }

    @Test
    void train_inAll_wentByMessage() {
      assertThat(lastCounters()).contains(" byMessage=").doesNotContain(" byMessage=0 ");
    }
  }

  private static JavaSparkContext start(
      String route, String execution, Map<String, String> settings) {
    Map<String, String> all = new HashMap<>(settings);
    all.putIfAbsent("spark.ata.enabled", "false");
    all.put("spark.ata.execution", execution);
    all.put("spark.ata.route", route);
    all.put("spark.ata.policy", "adaptive");
    return TestCluster.start(all).context();
  }
}
