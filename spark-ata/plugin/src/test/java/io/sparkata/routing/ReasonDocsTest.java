package io.sparkata.routing;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Holds the table of reasons in docs/tuning.md to {@link Reason}; writes it on request. */
class ReasonDocsTest {
  private static final Path DOCS = Path.of("..", "..", "docs", "tuning.md");
  private static final String COMMAND =
      "mvn -q -pl spark-ata/plugin -am test -Data.skipAllocationTests=true"
          + " -Dtest=ReasonDocsTest -Dsurefire.failIfNoSpecifiedTests=false -Data.writeDocs=true";
  private static final String BEGIN = "<!-- Generated from io.sparkata.routing.Reason -->\n";
  private static final String END = "<!-- End of the generated part -->\n";

  @Test
  void tuningDocs_always_listTheReasons() throws IOException {
    String page = Files.readString(DOCS);
    assertThat(page).containsOnlyOnce(BEGIN).containsOnlyOnce(END);
    int from = page.indexOf(BEGIN) + BEGIN.length();
    String expected = page.substring(0, from) + rendered() + page.substring(page.indexOf(END));
    if (Boolean.getBoolean("ata.writeDocs")) {
      Files.writeString(DOCS, expected);
      page = expected;
    }

    assertThat(page)
        .withFailMessage(
            "docs/tuning.md does not say what Reason says. Write it anew with%n%n    %s%n", COMMAND)
        .isEqualTo(expected);
  }

  @ParameterizedTest
  @EnumSource
  void reason_always_readsAsARow(Reason reason) {
    assertThat(reason.meaning()).matches("[A-Z`][^|\n]*\\.");
    assertThat(reason.remedy()).matches("[A-Z][^|\n]*[^.|\n]");
    assertThat(reason.consequence()).matches("one [^|\n]*[^.|\n]");
  }

  private static String rendered() {
    StringBuilder text =
        new StringBuilder("\n| reason | when | what follows | remedy |\n|---|---|---|---|\n");
    for (Reason reason : Reason.values()) {
      text.append("| ")
          .append(reason.name().toLowerCase(Locale.ROOT).replace('_', ' '))
          .append(" | ")
          .append(reason.meaning())
          .append(" | ")
          .append(reason.consequence())
          .append(" | ")
          .append(reason.remedy())
          .append(" |\n");
    }
    return text.append('\n').toString();
  }
}
