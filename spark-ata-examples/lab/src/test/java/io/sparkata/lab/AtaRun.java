package io.sparkata.lab;

import java.io.PrintWriter;
import java.io.StringWriter;
import picocli.CommandLine;

/** One run of {@code scripts/ata} in this JVM, without the script. */
public record AtaRun(int status, String out, String err) {

  /** Runs a command. */
  public static AtaRun of(String... arguments) {
    StringWriter out = new StringWriter();
    StringWriter err = new StringWriter();
    CommandLine ata =
        Ata.commandLine()
            .setOut(new PrintWriter(out, /* autoFlush= */ true))
            .setErr(new PrintWriter(err, /* autoFlush= */ true));
    return new AtaRun(ata.execute(arguments), out.toString(), err.toString());
  }
}
