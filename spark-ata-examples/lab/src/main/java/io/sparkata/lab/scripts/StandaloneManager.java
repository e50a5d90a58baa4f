package io.sparkata.lab.scripts;

import java.io.IOException;
import java.security.SecureRandom;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;

/** Spark's own cluster manager, for the caller only: a secret keeps other users out. */
record StandaloneManager(
    ClusterOptions options, ClusterFolder folder, SparkHere spark, int port, int webPort)
    implements ClusterManager {
  @Override
  public String title() {
    return "Spark " + spark.version();
  }

  /** The secret travels in the environment, since every user sees command lines. */
  @Override
  public void prepare() throws IOException {
    byte[] secret = new byte[32];
    new SecureRandom().nextBytes(secret);
    folder.writeSecret(
        "-Dspark.authenticate=true\n-Dspark.authenticate.secret="
            + HexFormat.of().formatHex(secret)
            + "\n");
  }

  @Override
  public String inheritedOptions() {
    String secret = "\"@" + folder.path().resolve(ClusterFolder.SECRET) + "\"";
    return (spark.callersJvmOptions() + " " + secret).trim();
  }

  /** Without retries a taken port is an error. REST has a fixed port and is not needed. */
  @Override
  public ClusterJvms.Launch master() {
    return new ClusterJvms.Launch(
        "master",
        List.of(),
        List.of(
            "-Dspark.port.maxRetries=0",
            "-Dspark.master.rest.enabled=false",
            "-Dspark.ui.killEnabled=false"),
        classPath(),
        List.of(
            "org.apache.spark.deploy.master.Master",
            "--host",
            "127.0.0.1",
            "--port",
            "" + port,
            "--webui-port",
            "" + webPort),
        Map.of("SPARK_LOCAL_IP", "127.0.0.1", SparkHere.JVM_OPTIONS, inheritedOptions()));
  }

  @Override
  public ClusterJvms.Launch worker(
      String host, List<String> prefix, List<String> jvm, Map<String, String> environment) {
    return new ClusterJvms.Launch(
        "worker-" + host,
        prefix,
        jvm,
        classPath(),
        List.of(
            "org.apache.spark.deploy.worker.Worker",
            "--host",
            host,
            "--cores",
            "" + options.cores(),
            "--memory",
            options.memory(),
            "--webui-port",
            "0",
            "-d",
            folder.work().resolve(host).toString(),
            address()),
        environment);
  }

  private String classPath() {
    return spark.conf() + ":" + spark.home().resolve("jars") + "/*";
  }

  @Override
  public String address() {
    return "spark://127.0.0.1:" + port;
  }

  @Override
  public String webPath() {
    return "/json/";
  }

  @Override
  public String countName() {
    return "aliveworkers";
  }
}
