package io.sparkata.lab.scripts;

import java.io.IOException;
import java.io.Writer;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeSet;
import javax.xml.stream.XMLOutputFactory;
import javax.xml.stream.XMLStreamException;
import javax.xml.stream.XMLStreamWriter;

/** YARN: a ResourceManager and NodeManagers. */
record YarnManager(
    ClusterOptions options, ClusterFolder folder, SparkHere spark, int port, int webPort)
    implements ClusterManager {
  /** An application master of 1 GiB, with Spark's overhead; in cluster mode that is the driver. */
  private static final long MASTER_MIB = 1408;

  private static final long LEAST_OVERHEAD_MIB = 384;

  @Override
  public String title() {
    return "YARN " + spark.pom().profiles().get(spark.profile()).get("hadoop.version");
  }

  @Override
  public String inheritedOptions() {
    return spark.callersJvmOptions();
  }

  /** One configuration for all: by -D, ata.host and ata.work are each NodeManager's own. */
  @Override
  public void prepare() throws IOException {
    if (Caller.current().id() == 0) {
      System.err.println(
          "Warning: YARN has no secret here. While this cluster runs, every user of this machine"
              + " can run code as root.");
    }
    Path conf = Files.createDirectories(conf());
    write(conf.resolve("yarn-site.xml"), site());
    write(
        conf.resolve("core-site.xml"),
        Map.of("fs.defaultFS", "file:///", "hadoop.tmp.dir", folder.work().resolve("tmp")));
    String scheduler = "yarn.scheduler.capacity.";
    write(
        conf.resolve("capacity-scheduler.xml"),
        Map.of(
            scheduler + "root.queues", "default",
            scheduler + "root.default.capacity", 100,
            scheduler + "maximum-am-resource-percent", "1.0",
            scheduler + "resource-calculator",
                "org.apache.hadoop.yarn.util.resource.DominantResourceCalculator"));
    Files.write(
        conf.resolve(ClusterFolder.YARN_SETTINGS),
        List.of(
            "spark.yarn.jars=local:" + spark.home().resolve("jars") + "/*",
            "spark.yarn.stagingDir=file:" + folder.work().resolve("staging")));
  }

  private Map<String, Object> site() throws IOException {
    List<Integer> ports = Ports.free(3, port, webPort);
    String rm = "yarn.resourcemanager.";
    String nm = "yarn.nodemanager.";
    Map<String, Object> site = new LinkedHashMap<>();
    site.put(rm + "hostname", "127.0.0.1");
    site.put(rm + "address", "127.0.0.1:" + port);
    site.put(rm + "webapp.address", "127.0.0.1:" + webPort);
    site.put(rm + "scheduler.address", "127.0.0.1:" + ports.get(0));
    site.put(rm + "resource-tracker.address", "127.0.0.1:" + ports.get(1));
    site.put(rm + "admin.address", "127.0.0.1:" + ports.get(2));
    site.put(rm + "am.max-attempts", 1);
    site.put("yarn.scheduler.minimum-allocation-mb", 128);
    site.put("yarn.scheduler.maximum-allocation-mb", nodeMib());
    site.put(nm + "hostname", "${ata.host}");
    site.put(nm + "address", "${ata.host}:0");
    site.put(nm + "localizer.address", "${ata.host}:0");
    site.put(nm + "webapp.address", "${ata.host}:0");
    site.put(nm + "local-dirs", "${ata.work}/local");
    site.put(nm + "log-dirs", "${ata.work}/logs");
    site.put(nm + "delete.debug-delay-sec", 3600);
    site.put(nm + "resource.memory-mb", nodeMib());
    site.put(nm + "resource.cpu-vcores", options.cores() + 1);
    site.put(nm + "vmem-check-enabled", false);
    site.put(nm + "pmem-check-enabled", false);
    site.put(nm + "env-whitelist", "JAVA_HOME,JDK_JAVA_OPTIONS,SPARK_LOCAL_IP,ATA_CLUSTER_DIR");
    site.put(nm + "disk-health-checker.max-disk-utilization-per-disk-percentage", 100);
    return site;
  }

  /** What executors ask for, Spark's overhead and an application master. */
  private long nodeMib() {
    String memory = options.memory().toLowerCase(Locale.ROOT);
    long number = Long.parseLong(memory.substring(0, memory.length() - 1));
    long mib = memory.endsWith("g") ? number * 1024 : number;
    return mib + Math.max(mib / 10, LEAST_OVERHEAD_MIB) + MASTER_MIB;
  }

  private static void write(Path file, Map<String, ?> properties) throws IOException {
    try (Writer out = Files.newBufferedWriter(file)) {
      XMLStreamWriter xml = XMLOutputFactory.newFactory().createXMLStreamWriter(out);
      xml.writeStartDocument();
      xml.writeStartElement("configuration");
      for (Map.Entry<String, ?> property : properties.entrySet()) {
        xml.writeCharacters("\n  ");
        xml.writeStartElement("property");
        writeElement(xml, "name", property.getKey());
        writeElement(xml, "value", property.getValue().toString());
        xml.writeEndElement();
      }
      xml.writeEndElement();
      xml.writeEndDocument();
      xml.close();
    } catch (XMLStreamException failure) {
      throw new IOException(failure);
    }
  }

  private static void writeElement(XMLStreamWriter xml, String name, String text)
      throws XMLStreamException {
    xml.writeStartElement(name);
    xml.writeCharacters(text);
    xml.writeEndElement();
  }

  @Override
  public ClusterJvms.Launch master() throws IOException {
    Map<String, String> environment = new LinkedHashMap<>();
    environment.put("SPARK_LOCAL_IP", "127.0.0.1");
    if (!inheritedOptions().isEmpty()) {
      environment.put(SparkHere.JVM_OPTIONS, inheritedOptions());
    }
    return new ClusterJvms.Launch(
        "master",
        List.of(),
        List.of(logging()),
        classPath(),
        List.of("org.apache.hadoop.yarn.server.resourcemanager.ResourceManager"),
        environment);
  }

  @Override
  public ClusterJvms.Launch worker(
      String host, List<String> prefix, List<String> jvm, Map<String, String> environment)
      throws IOException {
    Path work = Files.createDirectories(folder.work().resolve(host));
    List<String> all = new ArrayList<>(jvm);
    all.addAll(List.of(logging(), "-Data.host=" + host, "-Data.work=" + work));
    return new ClusterJvms.Launch(
        "worker-" + host,
        prefix,
        all,
        classPath(),
        List.of("org.apache.hadoop.yarn.server.nodemanager.NodeManager"),
        environment);
  }

  private String logging() {
    return "-Dlog4j2.configurationFile=" + spark.project().resolve("conf/log4j2.properties");
  }

  private Path conf() {
    return folder.path().resolve("conf");
  }

  /** The client's jars first, as YARN needs it; Spark's last, because of its log filter. */
  private String classPath() throws IOException {
    StringBuilder path = new StringBuilder(conf().toString());
    Path jars = spark.home().resolve("jars");
    TreeSet<Path> clients = new TreeSet<>();
    try (DirectoryStream<Path> found = Files.newDirectoryStream(jars, "hadoop-client-*.jar")) {
      found.forEach(clients::add);
    }
    clients.forEach(jar -> path.append(':').append(jar));
    return path + ":" + spark.yarnServers() + "/*:" + jars + "/*";
  }

  @Override
  public String address() {
    return "yarn";
  }

  @Override
  public String webPath() {
    return "/ws/v1/cluster/metrics";
  }

  @Override
  public String countName() {
    return "activeNodes";
  }
}
