package io.sparkata.lab;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import picocli.CommandLine.Option;

/** The option {@code --json}; mixed into the commands that have it. */
public final class JsonOption {
  private static final ObjectMapper JSON = new ObjectMapper();

  @Option(names = "--json", description = "Prints JSON alone on stdout instead of text.")
  private boolean isOn;

  /** Whether it was given. */
  public boolean isOn() {
    return isOn;
  }

  /** A record, map or list as one line of JSON. */
  public static String line(Object value) {
    try {
      return JSON.writeValueAsString(value) + "\n";
    } catch (JsonProcessingException e) {
      throw new IllegalArgumentException("Cannot write as JSON: " + value, e);
    }
  }
}
