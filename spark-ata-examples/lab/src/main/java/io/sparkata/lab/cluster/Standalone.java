package io.sparkata.lab.cluster;

import io.sparkata.lab.cluster.ClusterStart.Servers;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;

/** Spark's own cluster manager, for the caller only: a secret keeps other users out. */
final class Standalone {
  private static final List<String> MASTER_OPTIONS =
      List.of(
          "-Dspark.port.maxRetries=0", // a taken port is an error
          "-Dspark.master.rest.enabled=false", // has a fixed port and is not needed
          "-Dspark.ui.killEnabled=false");

  private Standalone() {}

  /** The secret travels in the environment, since every user sees command lines. */
  static Servers prepare(ClusterPlan plan, ClusterFolder folder, Path sparkHome, int port)
      throws IOException {
    byte[] secret = new byte[32];
    new SecureRandom().nextBytes(secret);
    Files.writeString(
        folder.secret(),
        "-Dspark.authenticate=true\n-Dspark.authenticate.secret="
            + HexFormat.of().formatHex(secret)
            + "\n");
    folder.linkMaster(port);
    String address = "spark://127.0.0.1:" + port;
    String conf = System.getenv().getOrDefault("SPARK_CONF_DIR", "");
    String classPath = (conf.isEmpty() ? sparkHome + "/conf" : conf) + ":" + sparkHome + "/jars/*";
    List<String> master = new ArrayList<>(MASTER_OPTIONS);
    master.addAll(server(classPath, "master.Master --host 127.0.0.1 --port " + port, port + 1));
    return new Servers(
        address,
        "/json/",
        "aliveworkers",
        master,
        host -> {
          String sizes = " --cores %d --memory %dm".formatted(plan.cores(), plan.memoryMib());
          List<String> worker =
              server(classPath, "worker.Worker --host " + host + sizes, /* webPort= */ 0);
          worker.addAll(List.of("--work-dir", folder.work(host).toString(), address));
          return worker;
        });
  }

  /** A class with arguments that have no blanks. */
  private static List<String> server(String classPath, String line, int webPort) {
    List<String> words = new ArrayList<>(List.of("-cp", classPath));
    words.addAll(
        List.of(("org.apache.spark.deploy." + line + " --webui-port " + webPort).split(" ", -1)));
    return words;
  }
}
