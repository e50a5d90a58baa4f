package io.sparkata.lab.scripts;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * A command line of scripts/cluster.
 *
 * @param action what to do
 * @param values by the name of the option
 */
record ClusterOptions(String action, Map<String, String> values) {
  private static final String STANDALONE = "standalone";
  private static final String YARN = "yarn";
  private static final String JSON = "--json";
  private static final List<String> FOLDER = List.of("--manager", "--dir");

  private static final Map<String, List<String>> OPTIONS =
      Map.of(
          "start",
          List.of("--speeds", "--cores", "--memory", "--capacity", "--port", "--worker-opts", JSON),
          "stop",
          List.of(JSON),
          "status",
          List.of(JSON),
          "throttle",
          List.of("--worker", "--factor"),
          "lift",
          List.of(),
          "hold",
          List.of());

  private static final String ACTIONS = "start, stop, status, throttle, lift or hold";

  static ClusterOptions parse(List<String> args) {
    if (args.isEmpty()) {
      throw ScriptFailure.ofUsage("Invalid command line: empty (" + ACTIONS + ")");
    }
    String action = args.get(0);
    if (!OPTIONS.containsKey(action)) {
      throw ScriptFailure.ofUsage("Invalid action: " + action + " (" + ACTIONS + ")");
    }
    List<String> allowed = new ArrayList<>(OPTIONS.get(action));
    allowed.addAll(FOLDER);
    Map<String, String> values = new HashMap<>();
    for (int i = 1; i < args.size(); i++) {
      String[] parts = args.get(i).split("=", 2);
      String name = parts[0];
      if (!allowed.contains(name)) {
        String last = allowed.remove(allowed.size() - 1);
        throw ScriptFailure.ofUsage(
            String.format(
                "Invalid option: %s (%s takes %s and %s)",
                args.get(i), action, String.join(", ", allowed), last));
      }
      if (name.equals(JSON)) {
        values.put(name, "");
      } else if (parts.length == 2) {
        values.put(name, parts[1]);
      } else if (i + 1 < args.size()) {
        values.put(name, args.get(++i));
      } else {
        throw ScriptFailure.ofUsage("Invalid " + name + ": nothing (a value is needed)");
      }
    }
    ClusterOptions options = new ClusterOptions(action, values);
    options.require();
    return options;
  }

  private void require() {
    require("--manager", manager(), "standalone|yarn", "standalone or yarn");
    require("--cores", value("--cores", "1"), "[1-9][0-9]{0,3}", "a whole number from 1");
    require("--memory", memory(), "[1-9][0-9]{0,8}[mMgG]", "a number and m or g, e.g. 1g");
    String rule = "a number from 1024 to 65535";
    require("--port", value("--port", "1024"), "[1-9][0-9]{3,4}", rule);
    int port = Integer.parseInt(value("--port", "1024"));
    if (port < 1024 || port > 65535) {
      throw ScriptFailure.ofUsage("Invalid --port: " + port + " (" + rule + ")");
    }
    require("--dir", value("--dir", "."), ".+", "a folder");
    WorkerShare.parseSpeeds(speeds());
    if (action.equals("throttle")) {
      factor();
    }
  }

  private static void require(String name, String value, String pattern, String rule) {
    if (!value.matches(pattern)) {
      String shown = value.isEmpty() ? "nothing" : value;
      throw ScriptFailure.ofUsage("Invalid " + name + ": " + shown + " (" + rule + ")");
    }
  }

  /** The value of an option, or what it is without the option. */
  String value(String name, String otherwise) {
    return values.getOrDefault(name, otherwise);
  }

  String manager() {
    return value("--manager", STANDALONE);
  }

  boolean isYarn() {
    return manager().equals(YARN);
  }

  boolean isJson() {
    return values.containsKey(JSON);
  }

  String speeds() {
    return value("--speeds", "1,1,1");
  }

  int cores() {
    return Integer.parseInt(value("--cores", "1"));
  }

  String memory() {
    return value("--memory", "1g");
  }

  /** CPUs to divide; by default half a CPU is left to the driver. */
  double capacity(double cpusHere) {
    String capacity = value("--capacity", "");
    if (capacity.isEmpty()) {
      return cpusHere > 1 ? cpusHere - 0.5 : cpusHere / 2;
    }
    double cpus = Decimals.isNumber(capacity) ? Double.parseDouble(capacity) : 0;
    if (!(cpus > 0 && cpus <= cpusHere)) {
      throw ScriptFailure.ofUsage(
          String.format(
              "Invalid --capacity: %s (above 0, at most the %s CPUs here; less leaves some to the"
                  + " driver)",
              capacity, Decimals.text(cpusHere, 6)));
    }
    return cpus;
  }

  double factor() {
    String factor = value("--factor", "nothing");
    double number = Decimals.isNumber(factor) ? Double.parseDouble(factor) : 0;
    if (!(number > 0 && number <= 1)) {
      throw ScriptFailure.ofUsage("Invalid --factor: " + factor + " (above 0, at most 1)");
    }
    return number;
  }

  /** The cluster's folder. */
  Path folder(Path project) {
    Path standard = project.resolve("target").resolve(isYarn() ? "yarn" : "cluster");
    return Path.of(value("--dir", standard.toString())).toAbsolutePath().normalize();
  }
}
