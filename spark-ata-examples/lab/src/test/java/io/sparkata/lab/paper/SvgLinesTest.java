package io.sparkata.lab.paper;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class SvgLinesTest {

  @Test
  void join_linesInStyleAndPlace_becomeOneEach() {
    String red = "<line style=\"red\" x1=\"0\" x2=\"1\" y1=\"5\" y2=\"6\"\n/>";
    String redOn = "<line style=\"red\" x1=\"1\" x2=\"2\" y1=\"6\" y2=\"7\"\n/>";
    String redElsewhere = "<line style=\"red\" x1=\"8\" x2=\"9\" y1=\"8\" y2=\"9\"/>";
    String blueOn = "<line style=\"blue\" x1=\"9\" x2=\"3\" y1=\"9\" y2=\"3\"/>";

    assertThat(SvgLines.join("<g>" + red + redOn + redElsewhere + blueOn + "</g>"))
        .isEqualTo(
            "<g><polyline style=\"red\" points=\"0,5 1,6 2,7\"/>"
                + "<polyline style=\"red\" points=\"8,8 9,9\"/>"
                + "<polyline style=\"blue\" points=\"9,9 3,3\"/></g>");
  }

  @Test
  void join_somethingBetween_keepsLinesApart() {
    String first = "<line x1=\"0\" x2=\"1\" y1=\"5\" y2=\"6\"/>";
    String second = "<line x1=\"1\" x2=\"2\" y1=\"6\" y2=\"7\"/>";

    assertThat(SvgLines.join(first + "<rect/>" + second))
        .isEqualTo("<polyline points=\"0,5 1,6\"/><rect/><polyline points=\"1,6 2,7\"/>");
  }

  @Test
  void join_noLines_changesNothing() {
    assertThat(SvgLines.join("<svg><path d=\"M0 0\"/></svg>"))
        .isEqualTo("<svg><path d=\"M0 0\"/></svg>");
  }
}
