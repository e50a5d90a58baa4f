package io.sparkata.cluster;

import java.util.Collections;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * What an executor reports at its start, before its first task, and again when a GPU fails: what it
 * computes with, and which of its GPU addresses it can use. It is sent as a map of strings, because
 * Spark's own threads do not see classes of a jar on {@code --jars}.
 *
 * @param executorId its id
 * @param host its host, as Spark names it
 * @param kernel what it computes with, in words
 * @param java version of its JVM
 * @param causes for each GPU address why it cannot be used; empty if it can
 */
public record ExecutorCapabilities(
    String executorId, String host, String kernel, String java, SortedMap<String, String> causes) {
  private static final String EXECUTOR = "executor";
  private static final String HOST = "host";
  private static final String KERNEL = "kernel";
  private static final String JAVA = "java";
  private static final String ADDRESS = "gpu ";

  /** The message to the driver. */
  public TreeMap<String, String> toMessage() {
    TreeMap<String, String> message = new TreeMap<>();
    message.put(EXECUTOR, executorId);
    message.put(HOST, host);
    message.put(KERNEL, kernel);
    message.put(JAVA, java);
    causes.forEach((address, cause) -> message.put(ADDRESS + address, cause));
    return message;
  }

  /**
   * Reads the message.
   *
   * @throws IllegalArgumentException if it is another message
   */
  public static ExecutorCapabilities of(Object message) {
    if (!(message instanceof Map<?, ?> fields)
        || !(fields.get(EXECUTOR) instanceof String executorId)
        || !(fields.get(HOST) instanceof String host)
        || !(fields.get(KERNEL) instanceof String kernel)
        || !(fields.get(JAVA) instanceof String java)) {
      throw new IllegalArgumentException(
          "Invalid message to Spark ATA: '" + message + "' (an executor's statement is expected)");
    }
    SortedMap<String, String> causes = new TreeMap<>();
    fields.forEach(
        (name, cause) -> {
          if (name.toString().startsWith(ADDRESS)) {
            causes.put(name.toString().substring(ADDRESS.length()), cause.toString());
          }
        });
    return new ExecutorCapabilities(
        executorId, host, kernel, java, Collections.unmodifiableSortedMap(causes));
  }

  boolean hasUsableGpu() {
    return causes.containsValue("");
  }

  /** The sentence for the log. */
  @Override
  public String toString() {
    StringBuilder text = new StringBuilder();
    text.append("executor ").append(executorId).append(" on ").append(host);
    text.append(" computes with ").append(kernel);
    causes.forEach(
        (address, cause) -> {
          if (!cause.isEmpty()) {
            text.append("; not with GPU address ").append(address).append(": ").append(cause);
          }
        });
    return text.toString();
  }
}
