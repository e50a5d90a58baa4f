package io.sparkata.lab.ring;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;

/** A ring whose members are threads of this JVM. */
final class Threads {
  private static final long MOST_SECONDS = 60;

  private Threads() {}

  /** A member's part. */
  interface Part<T> {
    T run(Ring ring) throws Exception;
  }

  /** Connects so many members, runs the part in each, and returns their results by rank. */
  static <T> List<T> run(int members, Part<T> part) throws Exception {
    ExecutorService threads = Executors.newFixedThreadPool(members);
    List<ServerSocket> servers = new ArrayList<>();
    try {
      for (int i = 0; i < members; i++) {
        servers.add(new ServerSocket(0, 1, InetAddress.getLoopbackAddress()));
      }
      List<InetSocketAddress> addresses =
          servers.stream()
              .map(one -> new InetSocketAddress(one.getInetAddress(), one.getLocalPort()))
              .toList();
      List<Callable<T>> parts = new ArrayList<>();
      for (int i = 0; i < members; i++) {
        int rank = i;
        parts.add(
            () -> {
              try (Ring ring = new Ring(rank, addresses, servers.get(rank))) {
                return part.run(ring);
              }
            });
      }
      List<T> results = new ArrayList<>();
      for (Future<T> future : threads.invokeAll(parts, MOST_SECONDS, TimeUnit.SECONDS)) {
        results.add(future.get());
      }
      return results;
    } finally {
      threads.shutdownNow();
      for (ServerSocket server : servers) {
        server.close();
      }
    }
  }
}
