package io.sparkata.gate;

import com.esotericsoftware.kryo.Kryo;
import java.lang.reflect.InvocationTargetException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Registers our classes with Kryo if the jar fits; else registers none. */
public final class GatedKryo {
  private static final Logger LOG = LoggerFactory.getLogger(GatedKryo.class);

  private static boolean isWarned;

  private GatedKryo() {}

  /**
   * Registers our classes with {@code kryo}.
   *
   * @param className of the class whose static method {@code register} does so
   */
  public static void register(String className, Kryo kryo) {
    ClassLoader ours = GatedKryo.class.getClassLoader();
    try {
      if (!new Gate(Build.read(), ours).ofPlatform().isPresent()) {
        Class.forName(className, /* initialize= */ true, ours)
            .getMethod("register", Kryo.class)
            .invoke(null, kryo);
      }
    } catch (InvocationTargetException error) {
      warn(error.getCause());
    } catch (ReflectiveOperationException | RuntimeException | LinkageError error) {
      warn(error);
    }
  }

  /** Warns once, because Spark creates a Kryo for every thread. */
  private static synchronized void warn(Throwable error) {
    Trouble.rethrowFatal(error);
    if (!isWarned) {
      isWarned = true;
      LOG.warn(
          "Spark ATA: cannot register its classes with Kryo; with"
              + " spark.kryo.registrationRequired=true trainings are left to Spark. Set"
              + " spark.ata.enabled=false",
          error);
    }
  }
}
