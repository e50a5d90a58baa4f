package io.sparkata.lab.ring;

import java.io.EOFException;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.DoubleBuffer;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * A member's place in a ring of TCP connections: it sends to its right neighbour and receives from
 * its left one. Anyone who can reach the port can take part: there is no authentication. For
 * measurements only. For one thread besides its own, which sends, so that full socket buffers
 * cannot stop all members at once. No wait is longer than a minute.
 */
final class Ring implements AutoCloseable {
  private static final int MOST_MILLIS = 60_000;

  private final int rank;
  private final int members;
  private final Socket right = new Socket();
  private final Socket left;
  private final ExecutorService sender = Executors.newSingleThreadExecutor();

  /**
   * Connects to both neighbours.
   *
   * @param addresses of all members, in the order of the ring; all of them listen already
   * @param server this member's own
   */
  Ring(int rank, List<InetSocketAddress> addresses, ServerSocket server) throws IOException {
    this.rank = rank;
    this.members = addresses.size();
    try {
      right.setTcpNoDelay(true);
      right.connect(addresses.get((rank + 1) % members), MOST_MILLIS);
      server.setSoTimeout(MOST_MILLIS);
      left = server.accept();
      left.setSoTimeout(MOST_MILLIS);
    } catch (IOException error) {
      right.close();
      throw error;
    }
  }

  int rank() {
    return rank;
  }

  int members() {
    return members;
  }

  /**
   * Replaces each number by its sum over all members, in 2 (n - 1) steps: n - 1 that leave each
   * member with one chunk's sums, n - 1 that hand these on. One member adds up a chunk, so all
   * members end with the same bits.
   *
   * @param values as many in every member
   */
  void allReduce(double[] values) throws IOException {
    for (int step = 0; step < members - 1; step++) {
      exchange(values, rank - step, /* isAdded= */ true);
    }
    for (int step = 0; step < members - 1; step++) {
      exchange(values, rank + 1 - step, /* isAdded= */ false);
    }
  }

  /** Sends a chunk, and receives the one before it. */
  private void exchange(double[] values, int chunk, boolean isAdded) throws IOException {
    byte[] sent = new byte[Double.BYTES * length(values, chunk)];
    numbers(sent).put(values, begin(values, chunk), length(values, chunk));
    Future<?> sending =
        sender.submit(
            () -> {
              right.getOutputStream().write(sent);
              return null;
            });
    byte[] received = new byte[Double.BYTES * length(values, chunk - 1)];
    if (left.getInputStream().readNBytes(received, 0, received.length) < received.length) {
      throw new EOFException("Cannot go on: the ring's member before " + rank + " has left.");
    }
    DoubleBuffer numbers = numbers(received);
    for (int i = begin(values, chunk - 1); numbers.hasRemaining(); i++) {
      values[i] = isAdded ? values[i] + numbers.get() : numbers.get();
    }
    try {
      sending.get(MOST_MILLIS, TimeUnit.MILLISECONDS);
    } catch (ExecutionException | TimeoutException error) {
      throw new IOException("Cannot send along the ring within " + MOST_MILLIS + " ms", error);
    } catch (InterruptedException error) {
      Thread.currentThread().interrupt();
      throw new InterruptedIOException("Interrupted.");
    }
  }

  private static DoubleBuffer numbers(byte[] bytes) {
    return ByteBuffer.wrap(bytes).asDoubleBuffer();
  }

  /** Chunks are numbered around the ring, so any whole number names one. */
  private int begin(double[] values, int chunk) {
    return (int) ((long) values.length * Math.floorMod(chunk, members) / members);
  }

  private int length(double[] values, int chunk) {
    long next = Math.floorMod(chunk, members) + 1L;
    return (int) (values.length * next / members) - begin(values, chunk);
  }

  /** Closes the connections, which also ends a write that waits. */
  @Override
  public void close() throws IOException {
    sender.shutdownNow();
    right.close();
    left.close();
  }
}
