package io.sparkata.lab.cluster;

import java.io.IOException;
import java.nio.file.Files;
import java.security.SecureRandom;
import java.util.HexFormat;
import java.util.List;

/** Spark's own cluster manager, for the caller only: a secret keeps other users out. */
final class Standalone {
  private Standalone() {}

  /** The secret travels in the environment, since every user sees command lines. */
  static ClusterServers prepare(
      StartOptions options, ClusterFolder folder, SparkJars spark, int port, int webPort)
      throws IOException {
    byte[] secret = new byte[32];
    new SecureRandom().nextBytes(secret);
    String text = HexFormat.of().formatHex(secret);
    Files.writeString(
        folder.secret(), "-Dspark.authenticate=true\n-Dspark.authenticate.secret=" + text + "\n");
    folder.linkMaster(port);
    String address = "spark://127.0.0.1:" + port;
    String conf = System.getenv().getOrDefault("SPARK_CONF_DIR", "");
    String classPath = (conf.isEmpty() ? spark.home() + "/conf" : conf) + ":" + spark.classPath();
    List<String> master =
        List.of(
            "-Dspark.port.maxRetries=0", // a taken port is an error
            "-Dspark.master.rest.enabled=false", // has a fixed port and is not needed
            "-Dspark.ui.killEnabled=false",
            "-cp",
            classPath,
            "org.apache.spark.deploy.master.Master",
            "--host",
            "127.0.0.1",
            "--port",
            "" + port,
            "--webui-port",
            "" + webPort);
    return new ClusterServers(
        address,
        "http://127.0.0.1:" + webPort + "/json/",
        "aliveworkers",
        (ClusterServers.callersOptions() + " \"@" + folder.secret() + "\"").strip(),
        master,
        host ->
            List.of(
                "-cp",
                classPath,
                "org.apache.spark.deploy.worker.Worker",
                "--host",
                host,
                "--cores",
                "" + options.cores,
                "--memory",
                options.memory,
                "--webui-port",
                "0",
                "-d",
                folder.work(host).toString(),
                address));
  }
}
