package io.sparkata.routing;

import java.lang.instrument.Instrumentation;
import net.bytebuddy.agent.ByteBuddyAgent;

/** Gets what changes classes of this JVM. Apart from {@link RoutingAgent}, which any Java loads. */
public final class Attachment {
  private Attachment() {}

  /**
   * What changes classes of this JVM: given by {@code -javaagent:}, or had by self-attachment.
   *
   * @throws RoutingException if the JVM forbids self-attachment
   */
  public static Instrumentation instrumentation() throws RoutingException {
    Instrumentation found = RoutingAgent.find();
    if (found != null) {
      return found;
    }
    try {
      return ByteBuddyAgent.install();
    } catch (RuntimeException | LinkageError error) {
      throw new RoutingException(error.toString(), error);
    }
  }
}
