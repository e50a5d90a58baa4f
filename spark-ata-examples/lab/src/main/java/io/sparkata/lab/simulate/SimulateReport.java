package io.sparkata.lab.simulate;

import io.sparkata.simulation.Totals;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.StringJoiner;

/**
 * The result as one JSON object or as a table.
 *
 * @param clocks what each contender took, by the start of its names in the JSON object
 */
record SimulateReport(Map<String, Object> setting, Map<String, Totals> clocks) {
  /** The policy's names start with nothing. */
  static final String POLICY = "";

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
    StringJoiner settings = new StringJoiner(", ", "", "\n\n");
    setting.forEach((name, value) -> settings.add(name + " " + value));
    StringBuilder text = new StringBuilder(settings.toString());
    text.append(
        "%-16s %15s %13s %9s %15s %9s %15s%n"
            .formatted(
                "", "runtime", "per round", "/ greedy", "worker time", "/ greedy", "regret"));
    Totals greedy = clocks.get("greedy");
    clocks.forEach(
        (prefix, totals) ->
            text.append(
                String.format(
                    Locale.ROOT,
                    "%-16s %15.6g %13.6g %9.3f %15.6g %9.3f %15s%n",
                    prefix.equals(POLICY) ? "policy" : prefix,
                    totals.runtime(),
                    totals.runtime() / totals.rounds(),
                    totals.runtime() / greedy.runtime(),
                    totals.workerTime(),
                    totals.workerTime() / greedy.workerTime(),
                    Double.isNaN(totals.regret())
                        ? "-"
                        : String.format(Locale.ROOT, "%.6g", totals.regret()))));
    return text.toString();
  }
}
