package io.sparkata.lab.cluster;

import io.sparkata.lab.Launch;
import io.sparkata.lab.cluster.UnevenCluster.Manager;
import java.nio.file.Path;
import java.util.List;

/**
 * The script that starts and stops clusters, for the one in a given folder.
 *
 * @param folder for logs, work folders and state
 */
record ClusterScript(Manager manager, Path folder) {

  /** A run of it. */
  Program program(String action, String... options) {
    return new Program(command(action, options));
  }

  /** The command line of a run. */
  List<String> command(String action, String... options) {
    List<String> command = Launch.script("cluster", action);
    if (manager == Manager.YARN) {
      command.addAll(List.of("--manager", "yarn"));
    }
    command.addAll(List.of("--dir", folder.toString()));
    command.addAll(List.of(options));
    return command;
  }

  /** How to end the cluster by hand. */
  String stopCommand() {
    return "scripts/cluster stop --dir " + folder;
  }
}
