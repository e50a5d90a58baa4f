package io.sparkata;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.sparkata.whatif.WhatIfRun;
import java.io.PrintStream;

/** Says what Spark ATA would have saved in past applications; {@code --help} says how to ask. */
public final class WhatIf {
  private WhatIf() {}

  /** Ends the JVM with an exit code. */
  public static void main(String[] arguments) {
    PrintStream out = new PrintStream(System.out, /* autoFlush= */ true, UTF_8);
    PrintStream err = new PrintStream(System.err, /* autoFlush= */ true, UTF_8);
    System.exit(new WhatIfRun(out, err).run(arguments));
  }
}
