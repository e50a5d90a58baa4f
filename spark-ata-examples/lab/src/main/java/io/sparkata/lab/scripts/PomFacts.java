package io.sparkata.lab.scripts;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import javax.xml.parsers.DocumentBuilder;
import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.parsers.ParserConfigurationException;
import org.w3c.dom.Element;
import org.w3c.dom.Node;
import org.xml.sax.SAXException;
import org.xml.sax.helpers.DefaultHandler;

/**
 * What the scripts need of pom.xml.
 *
 * @param version of this project
 * @param jvmOptions that Spark needs of Java 17
 * @param profiles by id: its properties
 */
record PomFacts(
    String version, List<String> jvmOptions, Map<String, Map<String, String>> profiles) {

  /** By the name of a shell variable: the property of the profiles that it holds. */
  private static final Map<String, String> BY_PROFILE =
      Map.of(
          "SCALA_OF", "scala.binary.version",
          "SPARK_OF", "spark.version",
          "HADOOP_OF", "hadoop.version");

  static PomFacts read(Path pom) throws IOException {
    Element project;
    try {
      DocumentBuilderFactory factory = DocumentBuilderFactory.newInstance();
      DocumentBuilder builder = factory.newDocumentBuilder();
      builder.setErrorHandler(new DefaultHandler()); // throws, and prints nothing
      project = builder.parse(pom.toFile()).getDocumentElement();
    } catch (ParserConfigurationException | SAXException failure) {
      throw new ScriptFailure("Cannot read " + pom + ": " + failure.getMessage());
    }
    Map<String, Map<String, String>> profiles = new LinkedHashMap<>();
    for (Element list : children(project, "profiles")) {
      for (Element profile : children(list, "profile")) {
        profiles.put(text(profile, "id"), properties(profile));
      }
    }
    String options = properties(project).getOrDefault("spark.jvm.opens", "");
    return new PomFacts(text(project, "version"), List.of(options.split("\\s+")), profiles);
  }

  /** Assignments for bash. */
  String toShell() {
    StringBuilder shell = new StringBuilder();
    shell.append("ATA_VERSION=").append(quote(version)).append('\n');
    shell.append(
        jvmOptions.stream()
            .map(PomFacts::quote)
            .collect(Collectors.joining(" ", "SPARK_JVM_OPTIONS=(", ")\n")));
    BY_PROFILE.forEach(
        (variable, property) ->
            shell.append(
                profiles.entrySet().stream()
                    .filter(profile -> profile.getValue().containsKey(property))
                    .map(
                        profile ->
                            "[" + profile.getKey() + "]=" + quote(profile.getValue().get(property)))
                    .collect(Collectors.joining(" ", "declare -gA " + variable + "=(", ")\n"))));
    return shell.toString();
  }

  private static String quote(String text) {
    return "'" + text.replace("'", "'\\''") + "'";
  }

  private static Map<String, String> properties(Element parent) {
    Map<String, String> properties = new LinkedHashMap<>();
    for (Element list : children(parent, "properties")) {
      for (Element property : children(list, "*")) {
        properties.put(property.getTagName(), property.getTextContent().trim());
      }
    }
    return properties;
  }

  private static String text(Element parent, String name) {
    return children(parent, name).get(0).getTextContent().trim();
  }

  private static List<Element> children(Element parent, String name) {
    List<Element> children = new ArrayList<>();
    for (Node node = parent.getFirstChild(); node != null; node = node.getNextSibling()) {
      if (node instanceof Element element
          && (name.equals("*") || name.equals(element.getTagName()))) {
        children.add(element);
      }
    }
    return children;
  }
}
