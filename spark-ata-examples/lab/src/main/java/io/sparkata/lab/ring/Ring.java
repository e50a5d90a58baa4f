package io.sparkata.lab.ring;

import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
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
  private final Socket right;
  private final Socket left;
  private final InputStream in;
  private final OutputStream out;
  private final ExecutorService sender =
      Executors.newSingleThreadExecutor(
          work -> {
            Thread thread = new Thread(work, "ring sender");
            thread.setDaemon(true);
            return thread;
          });

  private Ring(int rank, int members, Socket right, Socket left) throws IOException {
    this.rank = rank;
    this.members = members;
    this.right = right;
    this.left = left;
    this.in = left.getInputStream();
    this.out = right.getOutputStream();
  }

  /**
   * Connects to both neighbours.
   *
   * @param addresses of all members, in the order of the ring; all of them listen already
   * @param server this member's own
   */
  @SuppressWarnings("resource") // the ring closes its sockets
  static Ring join(int rank, List<InetSocketAddress> addresses, ServerSocket server)
      throws IOException {
    Socket right = new Socket();
    try {
      right.setTcpNoDelay(true);
      right.connect(addresses.get((rank + 1) % addresses.size()), MOST_MILLIS);
      server.setSoTimeout(MOST_MILLIS);
      Socket left = server.accept();
      left.setSoTimeout(MOST_MILLIS);
      return new Ring(rank, addresses.size(), right, left);
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
    Future<?> sending =
        sender.submit(
            () -> {
              send(values, chunk);
              return null;
            });
    receive(values, chunk - 1, isAdded);
    await(sending);
  }

  private void send(double[] values, int chunk) throws IOException {
    int from = begin(values, chunk);
    byte[] bytes = new byte[Double.BYTES * (end(values, chunk) - from)];
    numbers(bytes).put(values, from, bytes.length / Double.BYTES);
    out.write(bytes);
  }

  private void receive(double[] values, int chunk, boolean isAdded) throws IOException {
    int from = begin(values, chunk);
    double[] received = new double[end(values, chunk) - from];
    byte[] bytes = new byte[Double.BYTES * received.length];
    if (in.readNBytes(bytes, 0, bytes.length) < bytes.length) {
      throw new EOFException("Cannot go on: the ring's member before " + rank + " has left.");
    }
    numbers(bytes).get(received);
    if (isAdded) {
      for (int i = 0; i < received.length; i++) {
        values[from + i] += received[i];
      }
    } else {
      System.arraycopy(received, 0, values, from, received.length);
    }
  }

  private static DoubleBuffer numbers(byte[] bytes) {
    return ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN).asDoubleBuffer();
  }

  /** Chunks are numbered around the ring, so any whole number names one. */
  private int begin(double[] values, int chunk) {
    return (int) ((long) values.length * Math.floorMod(chunk, members) / members);
  }

  private int end(double[] values, int chunk) {
    return (int) ((long) values.length * (Math.floorMod(chunk, members) + 1) / members);
  }

  private static void await(Future<?> sending) throws IOException {
    try {
      sending.get(MOST_MILLIS, TimeUnit.MILLISECONDS);
    } catch (ExecutionException error) {
      throw new IOException("Cannot send along the ring: " + error.getCause(), error);
    } catch (TimeoutException error) {
      throw new IOException(
          "Cannot send along the ring: no room for " + MOST_MILLIS + " ms", error);
    } catch (InterruptedException error) {
      Thread.currentThread().interrupt();
      throw new InterruptedIOException("Interrupted.");
    }
  }

  /** Closes the connections, which also ends a write that waits. */
  @Override
  public void close() throws IOException {
    sender.shutdownNow();
    right.close();
    left.close();
  }
}
