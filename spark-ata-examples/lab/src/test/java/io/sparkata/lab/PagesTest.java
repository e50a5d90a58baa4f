package io.sparkata.lab;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import picocli.CommandLine;

/** Links, commands and lengths of the pages that people read. */
class PagesTest {
  private static final Path ROOT = Path.of("..", "..").toAbsolutePath().normalize();

  /** The most lines that a page may have; no limit for those that are generated. */
  private static final Map<String, Integer> MOST_LINES =
      """
      README.md 120
      docs/README.md 25
      docs/getting-started.md 110
      docs/tuning.md 100
      docs/monitoring.md 120
      docs/round-log.md 60
      docs/what-if.md 60
      docs/troubleshooting.md 80
      docs/operations.md 100
      docs/compatibility.md 80
      docs/gpu.md 60
      docs/architecture.md 130
      docs/algorithm.md 130
      docs/kernels.md 80
      docs/benchmarks/README.md 60
      docs/benchmarks/method.md 100
      """
          .lines()
          .map(line -> line.split(" ", 2))
          .collect(Collectors.toMap(line -> line[0], line -> Integer.valueOf(line[1])));

  private static final int MOST_LINES_OF_A_DECISION = 50;

  /** Stored results name the command of their time. */
  private static final Pattern STORED_RESULT = Pattern.compile("docs/benchmarks/.+/.+\\.md");

  /** The group of the changelog that names commands that are gone. */
  private static final Pattern REMOVED = Pattern.compile("(?s)\n### Removed\n.*?(?=\n##|$)");

  private static final Pattern FENCED =
      Pattern.compile("^```[^\n]*\n(.*?)^```", Pattern.MULTILINE | Pattern.DOTALL);
  private static final Pattern INLINE = Pattern.compile("`([^`\n]+)`");
  private static final Pattern LINK = Pattern.compile("\\]\\(([^)\\s]+)\\)");
  private static final Pattern HEADING = Pattern.compile("^#+ (.*)$", Pattern.MULTILINE);
  private static final Pattern COMMAND =
      Pattern.compile("(?<![\\w./-])scripts/([\\w.-]+)([^\n|;&#)]*)");
  private static final Pattern OPTION = Pattern.compile("(?<= )--[a-z][a-zA-Z-]*");
  private static final Pattern WORD = Pattern.compile("(?<= )[a-z][\\w-]*");

  /** Whose options are another program's. */
  private static final List<String> PASS_ON = List.of("submit", "ata what-if");

  static List<String> pages() throws IOException {
    List<String> pages = new ArrayList<>();
    for (String page : List.of("README.md", "CONTRIBUTING.md", "SECURITY.md", "CHANGELOG.md")) {
      if (Files.exists(ROOT.resolve(page))) {
        pages.add(page);
      }
    }
    try (Stream<Path> files = Files.walk(ROOT.resolve("docs"))) {
      files
          .map(file -> ROOT.relativize(file).toString())
          .filter(file -> file.endsWith(".md"))
          .sorted()
          .forEach(pages::add);
    }
    return pages;
  }

  @ParameterizedTest
  @MethodSource("pages")
  void page_always_hasLinksThatResolve(String page) throws IOException {
    List<String> broken = new ArrayList<>();
    String prose = INLINE.matcher(FENCED.matcher(read(page)).replaceAll("")).replaceAll("");
    for (MatchResult link : LINK.matcher(prose).results().toList()) {
      String target = link.group(1);
      if (!target.startsWith("https://") && !resolves(page, target)) {
        broken.add(target);
      }
    }

    assertThat(broken).as("links of " + page + " that lead nowhere").isEmpty();
  }

  @ParameterizedTest
  @MethodSource("pages")
  void page_always_namesCommandsAndOptionsThatExist(String page) throws IOException {
    List<String> wrong = new ArrayList<>();
    if (!STORED_RESULT.matcher(page).matches()) {
      for (String code : codeOf(REMOVED.matcher(read(page)).replaceAll(""))) {
        COMMAND.matcher(code).results().forEach(found -> wrong.addAll(faultsOf(found)));
      }
    }

    assertThat(wrong).as("commands of " + page).isEmpty();
  }

  @ParameterizedTest
  @MethodSource("pages")
  void page_always_isNoLongerThanItMayBe(String page) throws IOException {
    int most = MOST_LINES.getOrDefault(page, Integer.MAX_VALUE);
    if (page.startsWith("docs/decisions/")) {
      most = MOST_LINES_OF_A_DECISION;
    }

    assertThat(read(page).lines().count()).as("lines of " + page).isLessThanOrEqualTo(most);
  }

  @Test
  void faultsOf_commandsThatDoNotExist_areNamed() {
    assertThat(faults("scripts/ata simulate --trace FILE")).isEmpty();
    assertThat(faults("scripts/ata COMMAND --help")).isEmpty();
    assertThat(faults("scripts/nothing --x")).containsExactly("scripts/nothing: no such script");
    assertThat(faults("scripts/ata fly")).containsExactly("scripts/ata fly: no such command");
    assertThat(faults("scripts/ata simulate --wings 2"))
        .containsExactly("scripts/ata simulate --wings: no such option");
    assertThat(faults("scripts/cluster start --wings 2"))
        .containsExactly("scripts/cluster --wings: no such option");
  }

  @Test
  void anchorsOf_headings_areGithubs() {
    assertThat(anchorsOf("# A `b`\n\n## Spark's UI: x, y\n\n## A b\n"))
        .containsExactly("a-b", "sparks-ui-x-y", "a-b-1");
  }

  private static List<String> faults(String line) {
    return COMMAND.matcher(line).results().flatMap(found -> faultsOf(found).stream()).toList();
  }

  private static List<String> faultsOf(MatchResult command) {
    String script = command.group(1);
    String arguments = command.group(2);
    Path file = ROOT.resolve("scripts").resolve(script);
    if (!Files.exists(file)) {
      return List.of("scripts/" + script + ": no such script");
    }
    if (PASS_ON.stream().anyMatch((script + arguments)::startsWith)) {
      return List.of();
    }
    if (script.equals("demo")) {
      return toolFaults(" demo" + arguments);
    }
    if (script.equals("ata")) {
      return toolFaults(arguments);
    }
    String text = read(file);
    return OPTION
        .matcher(arguments)
        .results()
        .map(MatchResult::group)
        .filter(option -> !text.contains(option))
        .map(option -> "scripts/" + script + " " + option + ": no such option")
        .toList();
  }

  private static List<String> toolFaults(String arguments) {
    CommandLine command = Ata.commandLine();
    String name = "scripts/ata";
    List<MatchResult> words = WORD.matcher(arguments).results().toList();
    if (!words.isEmpty() && !arguments.startsWith(" -")) {
      name += " " + words.get(0).group();
      command = command.getSubcommands().get(words.get(0).group());
    }
    if (command == null) {
      return List.of(name + ": no such command");
    }
    List<String> faults = new ArrayList<>();
    for (MatchResult option : OPTION.matcher(arguments).results().toList()) {
      boolean isKnown = command.getCommandSpec().optionsMap().containsKey(option.group());
      if (!isKnown && !option.group().equals("--help")) {
        faults.add(name + " " + option.group() + ": no such option");
      }
    }
    return faults;
  }

  /** Fenced blocks, with continued lines joined, and inline code. */
  private static List<String> codeOf(String page) {
    List<String> code = new ArrayList<>();
    FENCED.matcher(page).results().forEach(b -> code.add(b.group(1).replaceAll("\\\\\n *", " ")));
    INLINE
        .matcher(FENCED.matcher(page).replaceAll(""))
        .results()
        .forEach(span -> code.add(span.group(1)));
    return code;
  }

  private static boolean resolves(String page, String target) {
    String[] parts = target.split("#", 2);
    Path from = ROOT.resolve(page);
    Path file = parts[0].isEmpty() ? from : from.resolveSibling(parts[0]).normalize();
    return Files.exists(file) && (parts.length == 1 || anchorsOf(read(file)).contains(parts[1]));
  }

  /** As GitHub makes them of headings. */
  private static List<String> anchorsOf(String page) {
    Map<String, Integer> seen = new HashMap<>();
    return HEADING
        .matcher(FENCED.matcher(page).replaceAll(""))
        .results()
        .map(heading -> heading.group(1).trim().toLowerCase(Locale.ROOT))
        .map(text -> text.replaceAll("[^\\w -]", "").replace(' ', '-'))
        .map(
            anchor -> {
              int before = seen.merge(anchor, 1, Integer::sum) - 1;
              return before == 0 ? anchor : anchor + "-" + before;
            })
        .toList();
  }

  private static String read(String page) {
    return read(ROOT.resolve(page));
  }

  private static String read(Path file) {
    try {
      return Files.readString(file);
    } catch (IOException error) {
      throw new UncheckedIOException(error);
    }
  }
}
