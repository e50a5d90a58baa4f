package io.sparkata.ui;

import java.util.Locale;

/** Writes HTML. Every text and every attribute is escaped. */
public final class Html {
  private final StringBuilder out = new StringBuilder();

  /** Opens an element; attributes are names, each followed by its value. */
  public Html open(String name, Object... attributes) {
    out.append('<').append(name);
    for (int i = 0; i < attributes.length; i += 2) {
      out.append(' ').append(attributes[i]).append("=\"");
      text(attributes[i + 1]);
      out.append('"');
    }
    out.append('>');
    return this;
  }

  /** Closes an element. */
  public Html close(String name) {
    out.append("</").append(name).append('>');
    return this;
  }

  /** An element with a text. */
  public Html element(String name, Object text, Object... attributes) {
    return open(name, attributes).text(text).close(name);
  }

  /** Adds a text, escaped. */
  public Html text(Object value) {
    String text = String.valueOf(value);
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      switch (c) {
        case '&' -> out.append("&amp;");
        case '<' -> out.append("&lt;");
        case '>' -> out.append("&gt;");
        case '"' -> out.append("&quot;");
        case '\'' -> out.append("&#39;");
        default -> out.append(c);
      }
    }
    return this;
  }

  /** Adds what another has written. */
  Html add(Html other) {
    out.append(other.out);
    return this;
  }

  /** Opens a table as Spark's pages have them, with sortable columns. */
  Html openTable(String... columns) {
    open("table", "class", "table table-bordered table-sm table-striped sortable");
    open("thead").open("tr");
    for (String column : columns) {
      element("th", column, "scope", "col");
    }
    return close("tr").close("thead").open("tbody");
  }

  Html closeTable() {
    return close("tbody").close("table");
  }

  /** A number of a table, with what to sort it by. */
  Html number(double value, String text) {
    return element(
        "td",
        text,
        "sorttable_customkey",
        Double.isNaN(value) ? "-1" : value,
        "align",
        "right",
        "style",
        "white-space:nowrap");
  }

  /** A count of a table. */
  Html count(long value) {
    return number((double) value, format("%,d", value));
  }

  static String format(String pattern, Object... values) {
    return String.format(Locale.ROOT, pattern, values);
  }

  static String count(long number, String noun) {
    return format("%,d %s", number, number == 1 ? noun : noun + "s");
  }

  /** A speed over the median's, so that a very slow executor's is not zero. */
  static String speed(double relative) {
    return Double.isNaN(relative)
        ? "not known"
        : format(relative < 0.0995 ? "%.1g" : "%.2f", relative);
  }

  /** As many digits as one reads at a glance. */
  static String seconds(double value) {
    return Double.isNaN(value)
        ? ""
        : format(value < 9.9995 ? "%.3f s" : value < 999.95 ? "%.1f s" : "%,.0f s", value);
  }

  @Override
  public String toString() {
    return out.toString();
  }
}
