package io.sparkata.gate;

import static org.assertj.core.api.Assertions.assertThat;

import io.sparkata.testing.CapturedLog;
import io.sparkata.ui.TrainingListener;
import java.util.ServiceLoader;
import java.util.stream.Stream;
import org.apache.logging.log4j.Level;
import org.apache.spark.status.AppHistoryServerPlugin;
import org.apache.spark.util.kvstore.InMemoryStore;
import org.junit.jupiter.api.Test;

class GatedHistoryTest {
  private final GatedHistory history = new GatedHistory();

  @Test
  void listener_jarFits_isOurs() {
    assertThat(history.listener(new InMemoryStore())).get().isInstanceOf(TrainingListener.class);
  }

  @Test
  void show_failure_warnsOnceAndThrowsNothing() {
    try (CapturedLog log = CapturedLog.of("io.sparkata.gate")) {
      history.show(null);
      history.show(null);

      assertThat(log.messages(Level.WARN))
          .singleElement()
          .asString()
          .matches(
              "Spark ATA: its page cannot be made, java.lang.NullPointerException.*; the history"
                  + " server shows no tab ATA. Take the jar off the server's class path");
    }
  }

  /** A server of the other Scala must reach the gate, which says what to do. */
  @Test
  void plugin_always_hasTheMethodOfBothScalas() {
    assertThat(Stream.of(HistoryPlugin.class.getMethods()))
        .filteredOn(method -> method.getName().equals("createListeners"))
        .extracting(method -> method.getReturnType().getName())
        .contains("scala.collection.Seq", "scala.collection.immutable.Seq");
  }

  /** As the history server finds it. */
  @Test
  void plugin_always_isAService() {
    assertThat(ServiceLoader.load(AppHistoryServerPlugin.class))
        .hasAtLeastOneElementOfType(HistoryPlugin.class);
  }
}
