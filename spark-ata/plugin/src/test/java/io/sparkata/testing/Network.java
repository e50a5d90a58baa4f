package io.sparkata.testing;

import static java.util.stream.Collectors.joining;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Slows down or cuts the connections of one process over the loopback device, by {@code tc}. The
 * packets from and to the ports that the process has open go through a class of their own; nothing
 * else on the machine is affected. The shell takes the class away, even if this JVM dies.
 */
final class Network {
  private static final Logger LOG = LoggerFactory.getLogger(Network.class);

  private static final String SCRIPT =
      """
      until tc qdisc add dev lo root handle 1: htb; do # another run has one
        [ $((tries += 1)) -lt 300 ] || exit 1
        sleep 0.1
      done
      trap 'tc qdisc del dev lo root' EXIT
      trap exit INT TERM
      set -e
      tc class add dev lo parent 1: classid 1:1 htb rate 1mbit
      if [ $1 = cut ]; then tc qdisc add dev lo parent 1:1 blackhole; fi
      for port in $3; do
        for side in sport dport; do
          tc filter add dev lo parent 1: protocol ip u32 match ip $side $port 0xffff flowid 1:1
        done
      done
      sleep $2
      tc -s class show dev lo | grep Sent
      """;

  private Network() {}

  /** Whether this user may do so and has the commands; tried in a network of its own. */
  static boolean canBeChanged() {
    return Commands.canRun("ss", "-Htanp")
        && Commands.canRun("unshare", "--net", "sh", "-c", SCRIPT, "sh", "cut", "0", "1");
  }

  /** To one megabit per second, for so long. */
  static void slow(long pid, long millis) {
    change("slow", pid, millis);
  }

  /** Drops all packets for so long; the connections stay, and TCP sends the packets again. */
  static void cut(long pid, long millis) {
    change("cut", pid, millis);
  }

  private static void change(String how, long pid, long millis) {
    String ports = ports(pid);
    if (!ports.isEmpty() || Processes.isAlive(pid)) {
      String seconds = Double.toString(millis / 1000.0);
      LOG.info("{} {}", how, Commands.run("sh", "-c", SCRIPT, "sh", how, seconds, ports).strip());
    }
  }

  private static String ports(long pid) {
    return Commands.run("ss", "-Htanp")
        .lines()
        .filter(line -> line.contains("pid=" + pid + ","))
        .map(line -> line.split(" +", -1)[3])
        .map(address -> address.substring(address.lastIndexOf(':') + 1))
        .distinct()
        .collect(joining(" "));
  }
}
