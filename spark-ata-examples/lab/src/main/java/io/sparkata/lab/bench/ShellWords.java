package io.sparkata.lab.bench;

import java.util.List;
import java.util.stream.Collectors;

/** Command lines as a shell takes them. */
final class ShellWords {
  private ShellWords() {}

  /** One line; words that a shell would change are quoted. */
  static String join(List<String> words) {
    return words.stream().map(ShellWords::quoted).collect(Collectors.joining(" "));
  }

  private static String quoted(String word) {
    return word.matches("[\\w./:=,@%+-]+") ? word : "'" + word.replace("'", "'\\''") + "'";
  }
}
