package io.sparkata.spark;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.ObjectOutputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import org.apache.spark.SparkEnv;
import org.apache.spark.broadcast.Broadcast;
import org.apache.spark.serializer.Serializer;
import org.apache.spark.serializer.SerializerInstance;

/** Objects as bytes, as Spark sends them with its tasks and their results. */
public final class Serialized {
  private Serialized() {}

  /** What goes to a task, by the serializer of Spark's closures. */
  public static byte[] work(Object value) {
    return bytes(SparkEnv.get().closureSerializer(), value);
  }

  /** The work of {@link #work}, by the class loader of this thread. */
  public static Object work(byte[] bytes) {
    return value(SparkEnv.get().closureSerializer(), bytes);
  }

  /** A copy of what is sent with a task; null of null. */
  @SuppressWarnings("unchecked") // a copy is of the same class
  public static <T> T copy(T value) {
    return value == null ? null : (T) work(work(value));
  }

  /**
   * A copy that holds the values of its broadcasts: it can be sent after they are destroyed.
   *
   * @param mostBytes of the copy as bytes
   * @throws UncheckedIOException if it is larger, or one of the values cannot be serialised as Java
   *     objects are
   */
  @SuppressWarnings("unchecked") // a copy is of the same class
  public static <T> T copyWithBroadcasts(T value, int mostBytes) {
    BoundedBytes bytes = new BoundedBytes(mostBytes);
    try (ObjectOutputStream stream = new WithBroadcasts(bytes)) {
      stream.writeObject(value);
    } catch (IOException failed) {
      throw new UncheckedIOException(failed);
    }
    return (T) work(bytes.bytes.toByteArray());
  }

  private static final class BoundedBytes extends OutputStream {
    private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    private final int most;

    BoundedBytes(int most) {
      this.most = most;
    }

    @Override
    public void write(int one) throws IOException {
      write(new byte[] {(byte) one}, 0, 1);
    }

    @Override
    public void write(byte[] some, int from, int count) throws IOException {
      if (bytes.size() > most - count) {
        throw new IOException("more than " + most + " bytes with the values of broadcasts");
      }
      bytes.write(some, from, count);
    }
  }

  private static final class WithBroadcasts extends ObjectOutputStream {
    WithBroadcasts(OutputStream stream) throws IOException {
      super(stream);
      enableReplaceObject(true);
    }

    @Override
    protected Object replaceObject(Object value) {
      return value instanceof Broadcast<?> broadcast ? new InlineBroadcast<>(broadcast) : value;
    }
  }

  /** What a task returns, by the serializer of Spark's results. */
  public static byte[] result(Object value) {
    return bytes(SparkEnv.get().serializer(), value);
  }

  /** The result of {@link #result}, by the class loader of this thread. */
  public static Object result(byte[] bytes) {
    return value(SparkEnv.get().serializer(), bytes);
  }

  /** Whether serialised bytes name a class; so they do if they hold an object of it. */
  public static boolean names(byte[] bytes, Class<?> type) {
    return new String(bytes, StandardCharsets.ISO_8859_1).contains(type.getName());
  }

  private static byte[] bytes(Serializer serializer, Object value) {
    ByteBuffer buffer = serializer.newInstance().serialize(value, ExecutorInternals.anyTag());
    byte[] bytes = new byte[buffer.remaining()];
    buffer.get(bytes);
    return bytes;
  }

  private static Object value(Serializer serializer, byte[] bytes) {
    SerializerInstance instance = serializer.newInstance();
    ClassLoader loader = Thread.currentThread().getContextClassLoader();
    return loader == null
        ? instance.deserialize(ByteBuffer.wrap(bytes), ExecutorInternals.anyTag())
        : instance.deserialize(ByteBuffer.wrap(bytes), loader, ExecutorInternals.anyTag());
  }
}
