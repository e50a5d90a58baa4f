package io.sparkata.callers;

import io.sparkata.testing.LocalSpark;
import java.util.Map;
import org.apache.spark.api.java.JavaSparkContext;

/** In local mode. */
class MessagesTest extends Messages {
  MessagesTest() {
    super(/* partitions= */ 2);
  }

  @Override
  JavaSparkContext startStock() {
    return LocalSpark.startPlain(Map.of());
  }

  @Override
  JavaSparkContext start(Map<String, String> settings) {
    return LocalSpark.startPlain(settings);
  }
}
