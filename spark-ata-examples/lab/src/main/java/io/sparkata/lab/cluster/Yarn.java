package io.sparkata.lab.cluster;

import io.sparkata.lab.Project;
import io.sparkata.lab.cluster.ClusterStart.Servers;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** YARN: a ResourceManager and NodeManagers. */
final class Yarn {
  /** An application master of 1 GiB, with Spark's overhead; in cluster mode that is the driver. */
  private static final long MASTER_MIB = 1408;

  private static final long LEAST_OVERHEAD_MIB = 384;
  private static final String SERVER = "org.apache.hadoop.yarn.server.";

  private Yarn() {}

  /**
   * Writes the configuration: the files of conf/yarn, filled in, and settings for scripts/submit.
   *
   * @param jars folder with YARN's jars
   * @param port the first of five free ones, which ends in 0
   */
  static Servers prepare(
      ClusterPlan plan, ClusterFolder folder, Path sparkHome, Path jars, int port)
      throws IOException {
    if (System.getProperty("user.name").equals("root")) {
      System.err.println(
          "Warning: YARN has no secret here. While this cluster runs, every user of this machine"
              + " can run code as root.");
    }
    Path conf = Files.createDirectories(folder.path().resolve("conf"));
    long overheadMib = Math.max(plan.memoryMib() / 10, LEAST_OVERHEAD_MIB); // of an executor
    for (String file : List.of("yarn-site.xml", "core-site.xml", "capacity-scheduler.xml")) {
      Files.writeString(
          conf.resolve(file),
          Files.readString(Project.path("conf/yarn").resolve(file))
              .replace("@tmp@", folder.work("tmp").toString())
              .replace("@nodeMib@", "" + (plan.memoryMib() + overheadMib + MASTER_MIB))
              .replace("@nodeCores@", "" + (plan.cores() + 1))
              .replace("@ports@", "" + port / 10));
    }
    Files.write(
        conf.resolve("spark-yarn.conf"),
        List.of(
            "spark.yarn.jars=local:" + sparkHome + "/jars/*",
            "spark.yarn.stagingDir=file:" + folder.work("staging")));
    String logging = "-Dlog4j2.configurationFile=" + Project.path("conf/log4j2.properties");
    String classPath = classPath(conf, sparkHome, jars);
    return new Servers(
        "yarn",
        "/ws/v1/cluster/metrics",
        "activeNodes",
        List.of(logging, "-cp", classPath, SERVER + "resourcemanager.ResourceManager"),
        host -> {
          String name = "-Data.host=" + host;
          String work = "-Data.work=" + folder.work(host);
          String main = SERVER + "nodemanager.NodeManager";
          return List.of(logging, name, work, "-cp", classPath, main);
        });
  }

  /** The client's jars first, as YARN needs it; Spark's last, because of its log filter. */
  private static String classPath(Path conf, Path sparkHome, Path servers) throws IOException {
    List<String> entries = new ArrayList<>(List.of(conf.toString()));
    try (DirectoryStream<Path> clients =
        Files.newDirectoryStream(sparkHome.resolve("jars"), "hadoop-client-*")) {
      clients.forEach(jar -> entries.add(jar.toString()));
    }
    entries.addAll(List.of(servers + "/*", sparkHome + "/jars/*"));
    return String.join(":", entries);
  }
}
