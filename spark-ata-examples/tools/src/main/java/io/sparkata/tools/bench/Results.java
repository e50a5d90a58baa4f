package io.sparkata.tools.bench;

import java.io.IOException;

/** Where measurements go as they come: what follows may fail. */
interface Results {
  void add(Measurement measurement) throws IOException;
}
