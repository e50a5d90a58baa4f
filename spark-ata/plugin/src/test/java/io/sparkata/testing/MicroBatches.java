package io.sparkata.testing;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntFunction;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.mllib.regression.LabeledPoint;
import org.apache.spark.mllib.regression.StreamingLinearAlgorithm;
import org.apache.spark.rdd.RDD;
import org.apache.spark.streaming.Durations;
import org.apache.spark.streaming.StreamingContext;
import org.apache.spark.streaming.Time;
import org.apache.spark.streaming.api.java.JavaDStream;
import org.apache.spark.streaming.api.java.JavaStreamingContext;
import org.apache.spark.streaming.dstream.InputDStream;
import org.awaitility.Awaitility;
import scala.Option;
import scala.reflect.ClassTag;
import scala.reflect.ClassTag$;

/**
 * A streaming model of MLlib and the micro-batches that it trains on. A micro-batch is made when
 * the training of the one before has ended.
 */
@SuppressWarnings("deprecation") // DStreams: it is they that MLlib's streaming models want
public final class MicroBatches implements AutoCloseable {
  private static final int INTERVAL_MILLIS = 20;
  private static final ClassTag<LabeledPoint> POINT = ClassTag$.MODULE$.apply(LabeledPoint.class);

  private final JavaStreamingContext streaming;
  private volatile int wanted;
  private final AtomicInteger trained = new AtomicInteger();

  private MicroBatches(JavaSparkContext spark) {
    streaming = new JavaStreamingContext(spark, Durations.milliseconds(INTERVAL_MILLIS));
  }

  /**
   * Starts to stream; the first micro-batch waits for {@link #train}.
   *
   * @param batches the rows of a micro-batch by its number, from 0
   */
  public static MicroBatches of(
      JavaSparkContext spark,
      StreamingLinearAlgorithm<?, ?> algorithm,
      IntFunction<JavaRDD<LabeledPoint>> batches) {
    MicroBatches all = new MicroBatches(spark);
    JavaDStream<LabeledPoint> stream =
        JavaDStream.fromDStream(new Source(all.streaming.ssc(), all, batches), POINT);
    algorithm.trainOn(stream);
    // After the training of its micro-batch.
    stream.foreachRDD(rdd -> all.trained.incrementAndGet());
    all.streaming.start();
    return all;
  }

  /** Trains on the next micro-batches, up to {@code count} in all; throws what they throw. */
  public void train(int count) {
    wanted = count;
    Awaitility.await()
        .atMost(Duration.ofMinutes(2).plusSeconds(count))
        .until(
            () -> {
              streaming.awaitTerminationOrTimeout(1); // throws the failure of a batch
              return trained.get() >= count;
            });
  }

  @Override
  public void close() {
    streaming.stop(/* stopSparkContext= */ false, /* stopGracefully= */ true);
  }

  /** Has a micro-batch for an interval, or none. */
  private static final class Source extends InputDStream<LabeledPoint> {
    private static final long serialVersionUID = 1;

    private final transient MicroBatches all;
    private final transient IntFunction<JavaRDD<LabeledPoint>> batches;
    private transient Time last;
    private int made;

    Source(
        StreamingContext streaming, MicroBatches all, IntFunction<JavaRDD<LabeledPoint>> batches) {
      super(streaming, POINT);
      this.all = all;
      this.batches = batches;
    }

    @Override
    public Option<RDD<LabeledPoint>> compute(Time time) {
      boolean isAskedAgain = time.equals(last); // by the second output, if the first got none
      last = time;
      return isAskedAgain || made > all.trained.get() || made >= all.wanted
          ? Option.empty()
          : Option.apply(batches.apply(made++).rdd());
    }

    @Override
    public void start() {}

    @Override
    public void stop() {}
  }
}
