package io.sparkata.lab.simulate;

import static io.sparkata.lab.Markdown.cell;

import io.sparkata.lab.Markdown;
import io.sparkata.simulation.Totals;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The result as one JSON object or as a table.
 *
 * @param clocks what each contender took, by the start of its names in the JSON object
 */
record SimulateReport(Map<String, Object> setting, Map<String, Totals> clocks) {
  /** The policy's names start with nothing. */
  static final String POLICY = "";

  private static final String HEADING =
      "clock|runtime|per round|/ greedy|worker time|/ greedy|regret";

  /** For one JSON object, which has no regret where it is not defined. */
  Map<String, Object> fields() {
    Map<String, Object> fields = new LinkedHashMap<>(setting);
    clocks.forEach(
        (prefix, totals) -> {
          fields.put(prefix.isEmpty() ? "runtime" : prefix + "Runtime", totals.runtime());
          fields.put(prefix.isEmpty() ? "workerTime" : prefix + "WorkerTime", totals.workerTime());
          if (prefix.equals(POLICY) && !Double.isNaN(totals.regret())) {
            fields.put("regret", totals.regret());
          }
        });
    return fields;
  }

  /** A line per clock, with greedy next to it. */
  String table() {
    Totals greedy = clocks.get("greedy");
    List<List<String>> rows = new ArrayList<>();
    clocks.forEach(
        (prefix, totals) ->
            rows.add(
                List.of(
                    prefix.equals(POLICY) ? "policy" : prefix,
                    cell("%.6g", totals.runtime()),
                    cell("%.6g", totals.runtime() / totals.rounds()),
                    cell("%.3f", totals.runtime() / greedy.runtime()),
                    cell("%.6g", totals.workerTime()),
                    cell("%.3f", totals.workerTime() / greedy.workerTime()),
                    cell("%.6g", totals.regret()))));
    List<String> heading = List.of(HEADING.split("\\|", -1));
    List<String> settings = new ArrayList<>();
    setting.forEach((name, value) -> settings.add(name + " " + value));
    return String.join(", ", settings) + "\n\n" + Markdown.table(heading, rows);
  }
}
