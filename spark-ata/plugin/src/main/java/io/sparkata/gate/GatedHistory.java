package io.sparkata.gate;

import java.util.Optional;
import org.apache.spark.scheduler.SparkListener;
import org.apache.spark.ui.SparkUI;
import org.apache.spark.util.kvstore.KVStore;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The part of the history server, if the jar fits. Where it does not, or fails, one WARN says so
 * and the server shows applications without the tab. Thread-safe.
 */
final class GatedHistory {
  private static final Logger LOG = LoggerFactory.getLogger(GatedHistory.class);

  private Optional<HistoryPart> part = Optional.empty();
  private boolean isLoaded;
  private boolean isWarned;

  Optional<SparkListener> listener(KVStore store) {
    try {
      return part().map(loaded -> loaded.listener(store));
    } catch (Throwable error) {
      warn(error);
      return Optional.empty();
    }
  }

  void show(SparkUI ui) {
    try {
      Optional<HistoryPart> loaded = part();
      if (loaded.isPresent()) {
        loaded.get().show(ui);
      }
    } catch (Throwable error) {
      warn(error);
    }
  }

  private synchronized Optional<HistoryPart> part() {
    if (!isLoaded) {
      isLoaded = true;
      Optional<Misfit> misfit =
          new Gate(Build.read(), GatedHistory.class.getClassLoader()).ofPlatform();
      if (misfit.isPresent()) {
        warn(misfit.get().cause(), misfit.get().remedy(), null);
      } else {
        part = Optional.of(Parts.load("io.sparkata.AtaHistory", HistoryPart.class));
      }
    }
    return part;
  }

  private void warn(Throwable error) {
    Trouble.rethrowFatal(error);
    warn("its page cannot be made, " + error, "Take the jar off the server's class path", error);
  }

  private synchronized void warn(String cause, String remedy, Throwable error) {
    if (!isWarned) {
      isWarned = true;
      LOG.warn("Spark ATA: {}; the history server shows no tab ATA. {}", cause, remedy, error);
    }
  }
}
