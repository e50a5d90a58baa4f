package io.sparkata.whatif;

import io.sparkata.cache.PastStages.Past;
import io.sparkata.report.ReportText;
import io.sparkata.ui.Html;
import java.util.Comparator;
import java.util.List;
import java.util.Map;

/** The estimate as one page of HTML that needs nothing else. */
final class WhatIfPage {
  private static final String STYLE =
      """
      body{font:15px/1.5 sans-serif;max-width:70em;margin:2em auto;padding:0 1em}
      table{border-collapse:collapse;margin:1em 0}
      th,td{border:1px solid #ccc;padding:.3em .6em;text-align:left;vertical-align:top}
      .bar{background:#0072b2;height:.8em;display:inline-block;margin-right:.5em}
      """;

  private static final int BAR = 12; // em

  private WhatIfPage() {}

  static String of(List<PastApplication> applications) {
    Html html =
        new Html()
            .open("html", "lang", "en")
            .open("head")
            .open("meta", "charset", "utf-8")
            .element("title", "What Spark ATA would have saved")
            .element("style", STYLE)
            .close("head")
            .open("body")
            .element("h1", "What Spark ATA would have saved");
    if (applications.size() > 1) {
      ranking(html, applications);
    }
    applications.forEach(one -> section(html, one));
    return "<!doctype html>" + html.close("body").close("html");
  }

  private static void ranking(Html html, List<PastApplication> applications) {
    double most = applications.stream().mapToDouble(one -> one.saved().seconds()).max().orElse(0);
    header(html, "Application", "Name", "Seconds", "Saved");
    for (PastApplication one : applications) {
      html.open("tr")
          .open("td")
          .element("a", one.id(), "href", "#" + one.id())
          .close("td")
          .element("td", one.name())
          .element("td", ReportText.seconds(one.seconds()))
          .open("td");
      bar(html, most > 0 ? one.saved().seconds() / most : 0);
      html.text(one.saved().low() > 0 ? WhatIfText.range(one.saved()) : "nothing")
          .close("td")
          .close("tr");
    }
    html.close("table");
  }

  private static void section(Html html, PastApplication application) {
    List<String> lines = WhatIfText.lines(application);
    html.element("h2", lines.get(0), "id", application.id())
        .element("p", WhatIfText.verdict(application) + ".");
    if (!application.trainings().isEmpty()) {
      trainings(html, application);
    }
    if (!application.stages().isEmpty()) {
      html.element("p", WhatIfText.verdictOnStages(application) + ".");
      stages(html, application);
    }
  }

  private static void stages(Html html, PastApplication application) {
    header(html, "Cached data", "Stages", "Seconds", "Saved");
    for (Past one : application.stages()) {
      html.open("tr")
          .element("td", one.name())
          .element("td", one.stages())
          .element("td", ReportText.seconds(one.seconds()))
          .element("td", one.isCertain() ? WhatIfText.range(one.saved()) : "nothing certain")
          .close("tr");
    }
    html.close("table");
  }

  private static void trainings(Html html, PastApplication application) {
    header(html, "Training", "Rounds", "Seconds", "Saved", "Relative speeds of its executors");
    for (PastTraining one : application.trainings()) {
      html.open("tr")
          .element("td", one.name())
          .element("td", one.rounds().rounds())
          .element("td", ReportText.seconds(one.rounds().seconds()))
          .element("td", one.saved().map(WhatIfText::range).orElse("nothing: " + one.why()))
          .open("td");
      speeds(html, WhatIfText.relativeSpeeds(one));
      html.close("td").close("tr");
    }
    html.close("table");
  }

  /** The slowest first. */
  private static void speeds(Html html, Map<String, Double> relative) {
    double fastest = relative.values().stream().mapToDouble(Double::doubleValue).max().orElse(1);
    relative.entrySet().stream()
        .sorted(Comparator.comparingDouble(Map.Entry<String, Double>::getValue))
        .limit(WhatIfText.NAMED)
        .forEach(
            one -> {
              html.open("div");
              bar(html, one.getValue() / fastest);
              html.text(ReportText.format("%s: %.2f", one.getKey(), one.getValue())).close("div");
            });
    if (relative.size() > WhatIfText.NAMED) {
      html.element("div", "and " + (relative.size() - WhatIfText.NAMED) + " faster ones");
    }
  }

  private static void bar(Html html, double share) {
    String width = ReportText.format("width:%.2fem", BAR * Math.max(0, share));
    html.element("span", "", "class", "bar", "style", width);
  }

  private static void header(Html html, String... columns) {
    html.open("table").open("tr");
    for (String column : columns) {
      html.element("th", column, "scope", "col");
    }
    html.close("tr");
  }
}
