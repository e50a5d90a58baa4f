package io.sparkata;

import io.sparkata.testing.YarnCluster;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Tag;

/** The same on YARN, with executors of one slot on the cluster of {@link YarnIT}. */
@Tag("yarn")
class CacheYarnIT extends CacheSlotsIT {
  @Override
  Map<String, String> settings() {
    Map<String, String> settings = new HashMap<>(YarnCluster.settings("--speeds 2,1"));
    settings.put("spark.executor.cores", "1");
    settings.put("spark.executor.instances", "2");
    return settings;
  }
}
