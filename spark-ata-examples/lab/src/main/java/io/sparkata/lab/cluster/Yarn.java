package io.sparkata.lab.cluster;

import io.sparkata.lab.Project;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** YARN: a ResourceManager and NodeManagers. */
final class Yarn {
  /** An application master of 1 GiB, with Spark's overhead; in cluster mode that is the driver. */
  private static final long MASTER_MIB = 1408;

  private static final long LEAST_OVERHEAD_MIB = 384;

  private Yarn() {}

  /**
   * Writes the configuration: the files of conf/yarn, filled in, and settings for scripts/submit.
   *
   * @param jars folder with YARN's jars
   * @param ports five free ones
   */
  static ClusterServers prepare(
      StartOptions options, ClusterFolder folder, SparkJars spark, Path jars, List<Integer> ports)
      throws IOException {
    if (System.getProperty("user.name").equals("root")) {
      System.err.println(
          "Warning: YARN has no secret here. While this cluster runs, every user of this machine"
              + " can run code as root.");
    }
    Path conf = Files.createDirectories(folder.path().resolve("conf"));
    Map<String, Object> values = new HashMap<>();
    values.put("tmp", folder.work("tmp"));
    values.put("nodeMib", nodeMib(options.memoryMib()));
    values.put("nodeCores", options.cores + 1);
    for (int i = 0; i < ports.size(); i++) {
      values.put("port" + i, ports.get(i));
    }
    for (String file : List.of("yarn-site.xml", "core-site.xml", "capacity-scheduler.xml")) {
      String text = Files.readString(Project.path("conf/yarn").resolve(file));
      for (Map.Entry<String, Object> value : values.entrySet()) {
        text = text.replace("@" + value.getKey() + "@", value.getValue().toString());
      }
      Files.writeString(conf.resolve(file), text);
    }
    Files.write(
        conf.resolve("spark-yarn.conf"),
        List.of(
            "spark.yarn.jars=local:" + spark.classPath(),
            "spark.yarn.stagingDir=file:" + folder.work("staging")));
    String logging = "-Dlog4j2.configurationFile=" + Project.path("conf/log4j2.properties");
    String classPath = classPath(conf, spark, jars);
    String main = "org.apache.hadoop.yarn.server.";
    return new ClusterServers(
        "yarn",
        "http://127.0.0.1:" + ports.get(1) + "/ws/v1/cluster/metrics",
        "activeNodes",
        ClusterServers.callersOptions(),
        List.of(logging, "-cp", classPath, main + "resourcemanager.ResourceManager"),
        host ->
            List.of(
                logging,
                "-Data.host=" + host,
                "-Data.work=" + folder.work(host),
                "-cp",
                classPath,
                main + "nodemanager.NodeManager"));
  }

  /** An executor of so many MiB, Spark's overhead, and an application master. */
  private static long nodeMib(long executorMib) {
    return executorMib + Math.max(executorMib / 10, LEAST_OVERHEAD_MIB) + MASTER_MIB;
  }

  /** The client's jars first, as YARN needs it; Spark's last, because of its log filter. */
  private static String classPath(Path conf, SparkJars spark, Path servers) throws IOException {
    try (Stream<Path> jars = Files.list(spark.home().resolve("jars"))) {
      String clients =
          jars.filter(jar -> jar.getFileName().toString().startsWith("hadoop-client-"))
              .sorted()
              .map(Path::toString)
              .collect(Collectors.joining(":"));
      return String.join(":", conf.toString(), clients, servers + "/*", spark.classPath());
    }
  }
}
