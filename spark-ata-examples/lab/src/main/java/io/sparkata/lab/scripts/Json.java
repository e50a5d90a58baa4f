package io.sparkata.lab.scripts;

import java.math.BigDecimal;
import java.util.Collection;
import java.util.Map;
import java.util.stream.Collectors;

/** Writes JSON on one line: maps, collections, texts, numbers, booleans and null. */
final class Json {
  private Json() {}

  static String of(Object value) {
    if (value instanceof Map<?, ?> map) {
      return map.entrySet().stream()
          .map(entry -> quote(String.valueOf(entry.getKey())) + ":" + of(entry.getValue()))
          .collect(Collectors.joining(",", "{", "}"));
    }
    if (value instanceof Collection<?> items) {
      return items.stream().map(Json::of).collect(Collectors.joining(",", "[", "]"));
    }
    if (value instanceof BigDecimal number) {
      return number.toPlainString();
    }
    boolean isBare = value == null || value instanceof Number || value instanceof Boolean;
    return isBare ? String.valueOf(value) : quote(value.toString());
  }

  private static String quote(String text) {
    StringBuilder quoted = new StringBuilder("\"");
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      switch (c) {
        case '"', '\\' -> quoted.append('\\').append(c);
        case '\n' -> quoted.append("\\n");
        case '\t' -> quoted.append("\\t");
        default -> {
          if (c < ' ') {
            quoted.append(String.format("\\u%04x", (int) c));
          } else {
            quoted.append(c);
          }
        }
      }
    }
    return quoted.append('"').toString();
  }
}
