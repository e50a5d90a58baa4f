package io.sparkata.config;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * Holds docs/troubleshooting.md to the warnings of the sources, both ways. A warning is what stands
 * in {@code LOG.warn(...)}: text literals, with {@code {}} for everything else.
 */
class TroubleshootingDocsTest {
  private static final Path ROOT = Path.of("..", "..");
  private static final List<String> SOURCES =
      List.of("spark-ata/allocation", "spark-ata/plugin", "spark-ata/cuda");

  /** Warnings whose text another class makes: the class that logs, and the call with the text. */
  private static final Map<String, String> MADE_ELSEWHERE =
      Map.of("UnknownKeys.in(", "config/UnknownKeys.java:found.add(");

  /** Its lines are no warnings; docs/monitoring.md shows them. */
  private static final Path REPORT = Path.of("report", "Reporter.java");

  private static final Pattern WARN = Pattern.compile("LOG(\\.warn\\(|::warn)");
  private static final Pattern DOCUMENTED = Pattern.compile("^\\| `([^`]+)`", Pattern.MULTILINE);
  private static final Pattern LITERAL = Pattern.compile("\"((?:[^\"\\\\]|\\\\.)*)\"");

  @Test
  void troubleshooting_always_listsEveryWarningOfTheCode() throws IOException {
    String page = Files.readString(ROOT.resolve("docs").resolve("troubleshooting.md"));
    SortedSet<String> documented = new TreeSet<>();
    DOCUMENTED.matcher(page).results().forEach(found -> documented.add(normal(found.group(1))));

    assertThat(documented)
        .as("warnings of docs/troubleshooting.md, compared with those of the sources")
        .containsExactlyElementsOf(warnings());
  }

  @Test
  void warningOf_literalsAndValues_hasPlaceholders() {
    assertThat(textOf("\"a {} b\"\n + \"c\" + value(\"x\", 1) + \" d\", error"))
        .isEqualTo("a {} bc{} d");
  }

  private static SortedSet<String> warnings() throws IOException {
    SortedSet<String> texts = new TreeSet<>();
    for (String module : SOURCES) {
      try (Stream<Path> files = Files.walk(ROOT.resolve(module).resolve("src/main"))) {
        for (Path file : files.filter(path -> path.toString().endsWith(".java")).toList()) {
          collect(file, texts);
        }
      }
    }
    return texts;
  }

  private static void collect(Path file, SortedSet<String> texts) throws IOException {
    String source = Files.readString(file);
    for (MatchResult warn : WARN.matcher(source).results().toList()) {
      String text =
          warn.group(1).equals("::warn")
              ? madeElsewhere(line(source, warn.start()))
              : textOf(firstArgument(source, warn));
      if (file.endsWith(REPORT)) {
        continue;
      }
      assertThat(text).as("text of a warning in " + file).matches(".*\\p{Alpha}.*");
      texts.add(normal(text));
    }
  }

  /** The expression of the text: the first argument, or what a variable of that name was set to. */
  private static String firstArgument(String source, MatchResult warn) {
    String rest = source.substring(warn.end());
    Matcher variable = Pattern.compile("(\\w+)[,)]").matcher(rest);
    if (!variable.lookingAt()) {
      return rest;
    }
    String assignment = "String " + variable.group(1) + " =";
    int set = source.lastIndexOf(assignment, warn.start());
    return source.substring(set + assignment.length());
  }

  private static String madeElsewhere(String line) throws IOException {
    for (Map.Entry<String, String> made : MADE_ELSEWHERE.entrySet()) {
      if (line.contains(made.getKey())) {
        String[] place = made.getValue().split(":", 2);
        Path file = ROOT.resolve("spark-ata/plugin/src/main/java/io/sparkata").resolve(place[0]);
        String source = Files.readString(file);
        return textOf(source.substring(source.indexOf(place[1]) + place[1].length()));
      }
    }
    return "";
  }

  private static String line(String source, int at) {
    return source.substring(source.lastIndexOf('\n', at) + 1, source.indexOf('\n', at));
  }

  /** The value of the expression that {@code source} begins with, {@code {}} for what varies. */
  private static String textOf(String source) {
    StringBuilder text = new StringBuilder();
    Matcher literal = LITERAL.matcher(source);
    boolean isValue = false;
    int depth = 0;
    for (int at = 0; at < source.length(); at++) {
      char next = source.charAt(at);
      if (depth == 0 && (next == ',' || next == ')' || next == ';')) {
        break;
      }
      if (depth == 0 && next == '"' && literal.find(at)) {
        text.append(literal.group(1));
        at = literal.end() - 1;
      } else if (next == '"' && literal.find(at)) {
        at = literal.end() - 1;
      } else if (next == '+' && depth == 0) {
        isValue = false;
      } else if (!Character.isWhitespace(next)) {
        depth += next == '(' ? 1 : next == ')' ? -1 : 0;
        if (!isValue) {
          text.append("{}");
        }
        isValue = true;
      }
    }
    return text.toString();
  }

  /** The same text for {@code <...>} and {@code {}}; several in a row count as one. */
  private static String normal(String text) {
    return text.replaceAll("<[^<>]*>", "{}").replaceAll("(\\{\\})+", "{}");
  }
}
