package io.sparkata.spark;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.function.UnaryOperator;

/** A page of a {@link UiTab}. Called on the threads of Spark's web server, several at a time. */
public interface UiPage {
  /** The part of the address behind the tab's; empty for the tab's first page. */
  String path();

  /** The heading, as plain text. */
  String title();

  /**
   * The content as HTML, in which every text is escaped.
   *
   * @param parameters the value of a parameter of the request by its name; null if it has none
   */
  String html(UnaryOperator<String> parameters);

  /** The same numbers, at the address of the page and {@code json}. */
  JsonNode json(UnaryOperator<String> parameters);
}
