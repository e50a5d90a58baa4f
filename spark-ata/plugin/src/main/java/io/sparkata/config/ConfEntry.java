package io.sparkata.config;

import java.util.Collection;
import java.util.Collections;
import java.util.EnumSet;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.apache.spark.SparkConf;

/**
 * One configuration key: its name, type, default, rule and description, each written once.
 *
 * @param key the full key
 * @param defaultText the default as a user would write it; empty if unset by default
 * @param rule the legal values, in words
 * @param doc what it does, one or two sentences
 * @param parser text to value; throws {@link IllegalArgumentException} on an illegal text
 * @param <T> type of the value
 */
public record ConfEntry<T>(
    String key, String defaultText, String rule, String doc, Function<String, T> parser) {

  static final String PREFIX = "spark.ata.";

  private static final String NONE = "none";

  static ConfEntry<Boolean> bool(String name, boolean defaultValue, String doc) {
    return new ConfEntry<>(
        PREFIX + name, Boolean.toString(defaultValue), "true or false", doc, ConfEntry::parseBool);
  }

  /** A number greater than 0, unset by default. */
  static ConfEntry<Double> positive(String name, String doc) {
    return new ConfEntry<>(
        PREFIX + name, "", "a number greater than 0", doc, ConfEntry::parsePositive);
  }

  static <E extends Enum<E>> ConfEntry<E> choice(
      String name, Class<E> type, E defaultValue, String doc) {
    StringBuilder names = new StringBuilder();
    E[] values = type.getEnumConstants();
    for (int i = 0; i < values.length; i++) {
      names.append(i == 0 ? "" : i == values.length - 1 ? " or " : ", ");
      names.append(textOf(values[i]));
    }
    return new ConfEntry<>(
        PREFIX + name,
        textOf(defaultValue),
        names.toString(),
        doc,
        text -> parseChoice(values, text));
  }

  /** Any of the choices, in their own order; by default all. */
  static <E extends Enum<E>> ConfEntry<Set<E>> choices(String name, Class<E> type, String doc) {
    Set<E> all = EnumSet.allOf(type);
    return new ConfEntry<>(
        PREFIX + name,
        textOf(all),
        "one or more of " + textOf(all).replace(",", ", ") + " with commas between, or " + NONE,
        doc,
        text -> parseChoices(type, text));
  }

  /** The value in {@code conf}, or the default. */
  public T in(SparkConf conf) {
    return parse(conf.get(key, defaultText));
  }

  /** The value in {@code conf}, empty if it is neither set nor has a default. */
  public Optional<T> optionalIn(SparkConf conf) {
    String text = conf.get(key, defaultText);
    return text.isEmpty() ? Optional.empty() : Optional.of(parse(text));
  }

  private T parse(String text) {
    try {
      return parser.apply(text);
    } catch (IllegalArgumentException illegal) {
      throw new IllegalArgumentException(
          "Invalid " + key + ": '" + text + "' (" + rule + ")", illegal);
    }
  }

  private static boolean parseBool(String text) {
    if (!text.equals("true") && !text.equals("false")) {
      throw new IllegalArgumentException(text);
    }
    return text.equals("true");
  }

  static double parsePositive(String text) {
    double value = Double.parseDouble(text);
    if (!(value > 0) || Double.isInfinite(value)) {
      throw new IllegalArgumentException(text);
    }
    return value;
  }

  private static <E extends Enum<E>> E parseChoice(E[] values, String text) {
    for (E value : values) {
      if (textOf(value).equals(text)) {
        return value;
      }
    }
    throw new IllegalArgumentException(text);
  }

  private static <E extends Enum<E>> Set<E> parseChoices(Class<E> type, String text) {
    Set<E> chosen = EnumSet.noneOf(type);
    if (!text.equals(NONE)) {
      for (String choice : text.split(",", -1)) {
        chosen.add(parseChoice(type.getEnumConstants(), choice.trim()));
      }
    }
    return Collections.unmodifiableSet(chosen);
  }

  /** A choice as a user writes it: GRADIENT_DESCENT is gradientDescent. */
  public static String textOf(Enum<?> value) {
    return Pattern.compile("_(.)")
        .matcher(value.name().toLowerCase(Locale.ROOT))
        .replaceAll(start -> start.group(1).toUpperCase(Locale.ROOT));
  }

  /** Choices as a user writes them: with commas between, or none. */
  public static String textOf(Collection<? extends Enum<?>> values) {
    return values.isEmpty()
        ? NONE
        : values.stream().map(ConfEntry::textOf).collect(Collectors.joining(","));
  }
}
