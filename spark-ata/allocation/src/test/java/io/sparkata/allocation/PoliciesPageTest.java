package io.sparkata.allocation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.sparkata.allocation.PolicyEvaluation.Part;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * docs/paper/policies.md has the tables that {@link PolicyEvaluation} prints: the same rows,
 * columns and verdicts. Figures may differ by a twentieth, for another processor may round a
 * logarithm otherwise. All parts take two to seven minutes on two cores.
 */
@Tag("nightly")
class PoliciesPageTest {
  private static final Path PAGE = Path.of("..", "..", "docs", "paper", "policies.md");
  private static final Pattern NUMBER = Pattern.compile("\\d+(,\\d{3})*(\\.\\d+)?");

  @Test
  void bars_always_areThoseOfThePage() throws IOException {
    assertOnPage(Part.BARS);
  }

  @Test
  void drift_always_isThatOfThePage() throws IOException {
    assertOnPage(Part.DRIFT);
  }

  @Test
  void churn_always_isThatOfThePage() throws IOException {
    assertOnPage(Part.CHURN);
  }

  @Test
  void priors_always_areThoseOfThePage() throws IOException {
    assertOnPage(Part.PRIORS);
  }

  @Test
  void ablations_always_areThoseOfThePage() throws IOException {
    assertOnPage(Part.ABLATIONS);
  }

  private static void assertOnPage(Part part) throws IOException {
    String page = Files.readString(PAGE);
    Effort effort = new Effort(/* seeds= */ 20, /* isQuick= */ false, Optional.empty());
    for (EvaluationTable table : part.tables(effort)) {
      String printed = table.markdown();
      String title = printed.substring(0, printed.indexOf('\n') + 1);
      assertThat(page).contains(title);
      String found = page.substring(page.indexOf(title)).replaceFirst("(?s)\n\n## .*", "\n");

      assertThat(NUMBER.matcher(found).replaceAll("#"))
          .isEqualTo(NUMBER.matcher(printed).replaceAll("#"));
      double[] figures = numbers(found);
      double[] expected = numbers(printed);
      for (int i = 0; i < expected.length; i++) {
        assertThat(figures[i])
            .as("number %d of '%s'", i, title.strip())
            .isCloseTo(expected[i], within(0.005 + 0.05 * expected[i]));
      }
    }
  }

  private static double[] numbers(String text) {
    return NUMBER
        .matcher(text)
        .results()
        .mapToDouble(number -> Double.parseDouble(number.group().replace(",", "")))
        .toArray();
  }
}
