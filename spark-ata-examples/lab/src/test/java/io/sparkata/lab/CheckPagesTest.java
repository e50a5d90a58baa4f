package io.sparkata.lab;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What scripts/check-pages takes from a page, without running it. */
class CheckPagesTest {
  @TempDir private Path root;

  @BeforeEach
  void copyScript() throws IOException {
    Files.createDirectories(root.resolve("scripts"));
    Files.createDirectories(root.resolve("docs"));
    for (String name : new String[] {"check-pages", "lib.sh"}) {
      Files.copy(
          Project.path("scripts").resolve(name),
          root.resolve("scripts").resolve(name),
          StandardCopyOption.COPY_ATTRIBUTES);
    }
    write("docs/getting-started.md", "");
  }

  @Test
  void list_blocks_areCommandsWithTheirPlaces() throws Exception {
    write(
        "README.md",
        """
        # Page

        ```shell
        one --rows 300000
        ```

        ```text
        what it prints
        ```

        <!-- Not run by CI: it needs a cluster -->
        ```shell
        two
        ```

        <!-- CI: s/300000/20/; s/fast/slow/ -->
        ```shell
        three --rows 300000 fast
        ```
        """);

    assertThat(list())
        .isEqualTo(
            "0 BLOCK=README.md:4|one --rows 300000|BLOCK=README.md:18|" + "three --rows 20 slow|");
  }

  @Test
  void list_commentThatTouchesNoBlock_isForgotten() throws Exception {
    write("README.md", "<!-- Not run by CI: why -->\ntext\n```shell\none\n```\n");

    assertThat(list()).isEqualTo("0 BLOCK=README.md:4|one|");
  }

  @ParameterizedTest
  @CsvSource({
    "|```bash|one|```|, 1 README.md:2: Invalid block: ```bash (```shell or ```text)",
    "<!-- Not run in CI -->|```shell|one|```|, 1 README.md:1: Invalid comment: <!-- Not run in CI -->",
    "```text|one|, 1 README.md: a block has no end|"
  })
  void list_invalidBlock_isAnError(String page, String message) throws Exception {
    write("README.md", page.replace('|', '\n'));

    assertThat(list()).startsWith(message);
  }

  private void write(String page, String text) throws IOException {
    Files.writeString(root.resolve(page), text);
  }

  /** The exit status and what was printed, with a bar for each end of a line. */
  private String list() throws Exception {
    Process process =
        new ProcessBuilder(root.resolve("scripts/check-pages").toString(), "--list")
            .redirectErrorStream(true)
            .start();
    String printed = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    return process.waitFor() + " " + printed.replace('\n', '|');
  }
}
