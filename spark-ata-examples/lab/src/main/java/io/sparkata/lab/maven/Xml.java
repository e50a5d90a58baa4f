package io.sparkata.lab.maven;

import java.io.IOException;
import java.nio.file.Path;
import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.parsers.ParserConfigurationException;
import org.w3c.dom.Element;
import org.xml.sax.SAXException;

/** XML files. */
public final class Xml {
  private Xml() {}

  /** The root element of a file, read without its document type. */
  public static Element read(Path file) throws IOException {
    try {
      DocumentBuilderFactory factory = DocumentBuilderFactory.newInstance();
      factory.setFeature("http://apache.org/xml/features/disallow-doctype-decl", true);
      return factory.newDocumentBuilder().parse(file.toFile()).getDocumentElement();
    } catch (ParserConfigurationException | SAXException error) {
      throw new IOException("Invalid XML: " + file + " (" + error.getMessage() + ")", error);
    }
  }
}
