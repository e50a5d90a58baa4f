package io.sparkata.config;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.parsers.ParserConfigurationException;
import org.junit.jupiter.api.Test;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;
import org.xml.sax.SAXException;

/** Holds docs/compatibility.md, and what the jar says of itself, to the profiles of pom.xml. */
class CompatibilityDocsTest {
  private static final Path ROOT = Path.of("..", "..");

  /** One profile of a Spark. */
  private record Profile(String id, String spark, String scala) {}

  @Test
  void table_always_hasARowForEachProfile() throws Exception {
    String docs = Files.readString(ROOT.resolve("docs").resolve("compatibility.md"));
    for (Profile profile : profiles()) {
      assertThat(docs)
          .contains("\n| " + profile.spark + " | " + profile.scala + " | `" + profile.id + "` | ");
    }
  }

  @Test
  void testedSparks_always_areThoseOfTheProfiles() throws Exception {
    Map<String, List<String>> byScala = new TreeMap<>();
    profiles().forEach(p -> byScala.computeIfAbsent(p.scala, s -> new ArrayList<>()).add(p.spark));
    String pom = Files.readString(ROOT.resolve("pom.xml"));

    assertThat(byScala).containsOnlyKeys("2.12", "2.13");
    byScala
        .values()
        .forEach(
            sparks ->
                assertThat(pom)
                    .contains("<ata.testedSparks>" + String.join(",", sparks) + "</")
                    .contains("<ata.compiledSpark>" + sparks.get(0) + "</"));
  }

  private static List<Profile> profiles()
      throws IOException, ParserConfigurationException, SAXException {
    NodeList found =
        DocumentBuilderFactory.newInstance()
            .newDocumentBuilder()
            .parse(ROOT.resolve("pom.xml").toFile())
            .getElementsByTagName("profile");
    List<Profile> profiles = new ArrayList<>();
    for (int i = 0; i < found.getLength(); i++) {
      Element profile = (Element) found.item(i);
      if (profile.getElementsByTagName("spark.version").getLength() == 0) {
        continue; // release and api-baseline: no Spark of their own
      }
      profiles.add(
          new Profile(
              text(profile, "id"),
              text(profile, "spark.version"),
              text(profile, "scala.binary.version")));
    }
    assertThat(profiles).hasSizeGreaterThan(1);
    return profiles;
  }

  private static String text(Element profile, String tag) {
    return profile.getElementsByTagName(tag).item(0).getTextContent();
  }
}
