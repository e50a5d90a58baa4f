package io.sparkata.lab.scripts;

import java.io.IOException;
import java.net.ServerSocket;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;

/** Ports of this machine. */
final class Ports {
  /** Below those that the kernel gives to outgoing connections. */
  private static final int FIRST = 20000;

  private static final int COUNT = 12000;

  private Ports() {}

  static boolean isFree(int port) {
    try (ServerSocket socket = new ServerSocket(port)) {
      return socket.isBound();
    } catch (IOException taken) {
      return false;
    }
  }

  /** A number of free ports, none of which is one of the others. */
  static List<Integer> free(int count, Integer... others) {
    List<Integer> taken = new ArrayList<>(List.of(others));
    List<Integer> ports = new ArrayList<>();
    while (ports.size() < count) {
      int port = FIRST + ThreadLocalRandom.current().nextInt(COUNT);
      if (!taken.contains(port) && isFree(port)) {
        taken.add(port);
        ports.add(port);
      }
    }
    return ports;
  }
}
