package io.sparkata.lab.bench;

import java.io.IOException;

/** Receives measurements as soon as they are complete, since later ones may fail. */
interface Results {
  void add(Measurement measurement) throws IOException;
}
