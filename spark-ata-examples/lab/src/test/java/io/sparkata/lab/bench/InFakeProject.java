package io.sparkata.lab.bench;

import io.sparkata.lab.AtaRun;
import io.sparkata.lab.cluster.FakeProject;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

/** Runs commands in a project whose scripts only note how they were called. */
abstract class InFakeProject {
  /** For {@code submit}: writes a turn as JSON, whose text may use the shell. */
  private static final String TURN =
      """
      n=$(grep -c TurnApplication "$root/calls") || true
      [[ $* != *TurnApplication* ]] || cat >"$(grep -o '"out":"[^"]*' <<<"$*" | cut -c8-)" <<JSON
      {"dataset":"rows","figures":{"secondsPerIteration":1,%s},"series":{"ends":[1,2,3,4]%s},"model":[1]}
      JSON
      """;

  @TempDir Path root;
  @AutoClose FakeProject fake;

  @BeforeEach
  void start() throws IOException {
    fake = new FakeProject(root).on("submit", turn("\"callSeconds\":$n", ""));
  }

  /**
   * What {@code submit} does.
   *
   * @param figures of the turn; {@code $n} is its number
   * @param series further ones, after a comma
   */
  static String turn(String figures, String series) {
    return TURN.formatted(figures, series);
  }

  /** Runs a command, by its words with a blank between. */
  static AtaRun run(String arguments) {
    return AtaRun.of(arguments.split(" ", -1));
  }

  /** The calls of {@code submit}. */
  final List<String> submissions() throws IOException {
    return fake.calls().stream().filter(call -> call.startsWith("submit ")).toList();
  }
}
