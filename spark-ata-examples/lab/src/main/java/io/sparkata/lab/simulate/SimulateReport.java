package io.sparkata.lab.simulate;

import io.sparkata.simulation.Totals;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.StringJoiner;

/** The result as one JSON object or as a table. */
final class SimulateReport {

  /** Those whose fields in the JSON object begin with their name. */
  private static final String POLICY = "";

  private final Map<String, Object> facts = new LinkedHashMap<>();
  private final Map<String, Totals> clocks = new LinkedHashMap<>();

  /** One field of the setting. */
  void setting(String name, Object value) {
    facts.put(name, value);
  }

  /** What the policy asked for took. */
  void policy(Totals totals) {
    clocks.put(POLICY, totals);
  }

  /** What a baseline took; {@code prefix} such as {@code greedy} begins its fields. */
  void baseline(String prefix, Totals totals) {
    clocks.put(prefix, totals);
  }

  /** For one JSON object; what is not a number in it is left out. */
  Map<String, Object> fields() {
    Map<String, Object> fields = new LinkedHashMap<>(facts);
    clocks.forEach(
        (prefix, totals) -> {
          fields.put(name(prefix, "runtime"), totals.runtime());
          fields.put(name(prefix, "workerTime"), totals.workerTime());
          if (prefix.equals(POLICY) && !Double.isNaN(totals.regret())) {
            fields.put("regret", totals.regret());
          }
        });
    return fields;
  }

  /** A line per clock, each beside greedy. */
  String table() {
    StringJoiner settings = new StringJoiner(", ");
    facts.forEach((name, value) -> settings.add(name + " " + value));
    StringBuilder text = new StringBuilder(settings.toString()).append("\n\n");
    String pattern = "%-16s %15s %13s %9s %15s %9s %15s%n";
    text.append(
        String.format(
            pattern, "", "runtime", "per round", "/ greedy", "worker time", "/ greedy", "regret"));
    Totals greedy = clocks.get("greedy");
    clocks.forEach(
        (prefix, totals) ->
            text.append(
                String.format(
                    pattern,
                    prefix.equals(POLICY) ? "policy" : prefix,
                    number(totals.runtime()),
                    number(totals.runtime() / totals.rounds()),
                    ratio(totals.runtime(), greedy.runtime()),
                    number(totals.workerTime()),
                    ratio(totals.workerTime(), greedy.workerTime()),
                    Double.isNaN(totals.regret()) ? "-" : number(totals.regret()))));
    return text.toString();
  }

  private static String name(String prefix, String field) {
    return prefix.isEmpty()
        ? field
        : prefix + Character.toUpperCase(field.charAt(0)) + field.substring(1);
  }

  private static String number(double value) {
    return String.format(Locale.ROOT, "%.6g", value);
  }

  private static String ratio(double value, double base) {
    return String.format(Locale.ROOT, "%.3f", value / base);
  }
}
