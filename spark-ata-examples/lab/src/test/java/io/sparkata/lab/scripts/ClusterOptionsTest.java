package io.sparkata.lab.scripts;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ClusterOptionsTest {
  private static final Path PROJECT = Path.of("/p");

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          begin                    | Invalid action: begin (start, stop, status, throttle, lift or hold)
          start --manager mesos    | Invalid --manager: mesos (standalone or yarn)
          start --manager=         | Invalid --manager: nothing (standalone or yarn)
          start --cores 0          | Invalid --cores: 0 (a whole number from 1)
          start --cores            | Invalid --cores: nothing (a value is needed)
          start --memory 1         | Invalid --memory: 1 (a number and m or g, e.g. 1g)
          start --port 80          | Invalid --port: 80 (a number from 1024 to 65535)
          start --port 70000       | Invalid --port: 70000 (a number from 1024 to 65535)
          start --dir=             | Invalid --dir: nothing (a folder)
          start --speeds 1,x       | Invalid --speeds: 1,x (positive numbers with commas between, 200 at most, e.g. 8,4,2,1)
          start --factor 1         | Invalid option: --factor (start takes --speeds, --cores, --memory, --capacity, --port, --worker-opts, --json, --manager and --dir)
          stop --speeds 1          | Invalid option: --speeds (stop takes --json, --manager and --dir)
          status now               | Invalid option: now (status takes --json, --manager and --dir)
          throttle --json          | Invalid option: --json (throttle takes --worker, --factor, --manager and --dir)
          throttle --factor 0      | Invalid --factor: 0 (above 0, at most 1)
          throttle --factor 1.1    | Invalid --factor: 1.1 (above 0, at most 1)
          throttle --worker h      | Invalid --factor: nothing (above 0, at most 1)
          lift --json              | Invalid option: --json (lift takes --manager and --dir)
          """)
  void parse_badCommandLine_saysWhatIsAllowed(String line, String message) {
    assertThatThrownBy(() -> parse(line))
        .hasMessage(message)
        .matches(failure -> ((ScriptFailure) failure).isUsageError());
  }

  @Test
  void parse_nothing_namesTheActions() {
    assertThatThrownBy(() -> ClusterOptions.parse(List.of()))
        .hasMessage("Invalid command line: empty (start, stop, status, throttle, lift or hold)");
  }

  @ParameterizedTest
  @CsvSource({
    "status, /p/target/cluster",
    "status --manager standalone, /p/target/cluster",
    "lift --manager yarn, /p/target/yarn",
    "stop --manager=yarn --dir=/x/../y, /y"
  })
  void folder_followsFromManagerAndDir(String line, Path folder) {
    assertThat(parse(line).folder(PROJECT)).isEqualTo(folder);
  }

  @Test
  void capacity_leavesSomeToTheDriver() {
    assertThat(parse("start").capacity(2)).isEqualTo(1.5);
    assertThat(parse("start").capacity(0.5)).isEqualTo(0.25);
    assertThat(parse("start --capacity 2").capacity(2)).isEqualTo(2);
    assertThatThrownBy(() -> parse("start --capacity 2.5").capacity(2))
        .hasMessage(
            "Invalid --capacity: 2.5 (above 0, at most the 2 CPUs here; less leaves some to the"
                + " driver)");
  }

  private static ClusterOptions parse(String line) {
    return ClusterOptions.parse(List.of(line.split(" ", -1)));
  }
}
