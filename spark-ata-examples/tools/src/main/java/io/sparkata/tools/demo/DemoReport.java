package io.sparkata.tools.demo;

import java.util.List;

/** What a comparison found. */
sealed interface DemoReport permits FullReport, QuickReport {
  /** The figures of all sides, in the order of the table's columns. */
  List<DemoRun> runs();

  /** A column per side. */
  String table();
}
