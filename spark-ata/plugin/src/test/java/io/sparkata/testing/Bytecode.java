package io.sparkata.testing;

import io.sparkata.routing.RoutingException;
import io.sparkata.routing.WovenRoute;
import java.lang.instrument.ClassFileTransformer;
import java.lang.instrument.Instrumentation;
import java.lang.instrument.UnmodifiableClassException;
import java.nio.charset.StandardCharsets;
import java.security.ProtectionDomain;
import java.util.concurrent.atomic.AtomicReference;

/** The bytecode that a class of this JVM runs. */
public final class Bytecode {
  private Bytecode() {}

  /** Whether the bytecode reads the field that {@code WovenRoute} adds. */
  public static boolean isWoven(Class<?> type) throws RoutingException, UnmodifiableClassException {
    Instrumentation instrumentation = WovenRoute.instrumentation();
    AtomicReference<String> seen = new AtomicReference<>();
    ClassFileTransformer reader =
        new ClassFileTransformer() {
          @Override
          public byte[] transform(
              ClassLoader loader,
              String name,
              Class<?> offered,
              ProtectionDomain domain,
              byte[] bytes) {
            if (offered == type) {
              seen.set(new String(bytes, StandardCharsets.ISO_8859_1));
            }
            return null;
          }
        };
    instrumentation.addTransformer(reader, /* canRetransform= */ true);
    try {
      instrumentation.retransformClasses(type);
    } finally {
      instrumentation.removeTransformer(reader);
    }
    return seen.get().contains("SparkAtaRoute");
  }
}
