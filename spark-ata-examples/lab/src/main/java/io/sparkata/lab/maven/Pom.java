package io.sparkata.lab.maven;

import io.sparkata.lab.Project;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.w3c.dom.Element;
import org.w3c.dom.Node;

/** The parent POM: its profiles and their properties. */
public final class Pom {
  private final Element project;

  private Pom(Element project) {
    this.project = project;
  }

  /** The POM of this project. */
  public static Pom read() {
    Path file = Project.path("pom.xml");
    try {
      return new Pom(Xml.read(file));
    } catch (IOException error) {
      throw new UncheckedIOException(error);
    }
  }

  /** A property that all profiles share. */
  public String property(String name) {
    return children(project, "properties")
        .flatMap(properties -> text(properties, name).stream())
        .findFirst()
        .orElseThrow(() -> new IllegalArgumentException("Invalid property: " + name + " (none)"));
  }

  /** A property of a profile, or else the one that all share. */
  public String property(String name, String profile) {
    return children(project, "profiles")
        .flatMap(profiles -> children(profiles, "profile"))
        .filter(one -> text(one, "id").filter(profile::equals).isPresent())
        .flatMap(one -> children(one, "properties"))
        .flatMap(properties -> text(properties, name).stream())
        .findFirst()
        .orElseGet(() -> property(name));
  }

  /** Where Maven builds a module, such as {@code spark-ata/plugin}, by a profile. */
  public Path target(String module, String profile) {
    return Project.path(module)
        .resolve("target")
        .resolve("scala-" + property("scala.binary.version", profile));
  }

  private static Optional<String> text(Element parent, String name) {
    return children(parent, name).map(child -> child.getTextContent().strip()).findFirst();
  }

  private static Stream<Element> children(Element parent, String name) {
    List<Element> found = new ArrayList<>();
    for (Node node = parent.getFirstChild(); node != null; node = node.getNextSibling()) {
      if (node instanceof Element element && element.getTagName().equals(name)) {
        found.add(element);
      }
    }
    return found.stream();
  }
}
