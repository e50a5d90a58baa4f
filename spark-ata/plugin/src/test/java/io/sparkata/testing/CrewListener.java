package io.sparkata.testing;

import io.sparkata.cluster.ResidentRound;
import io.sparkata.spark.SparkListeners;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import org.apache.spark.SparkContext;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.scheduler.AccumulableInfo;
import org.apache.spark.scheduler.SparkListener;
import org.apache.spark.scheduler.SparkListenerEvent;
import org.apache.spark.scheduler.SparkListenerStageSubmitted;
import org.apache.spark.scheduler.SparkListenerTaskEnd;
import scala.collection.Iterator;

/** What Spark's listener bus says of rounds by message. */
public final class CrewListener extends SparkListener {
  private final SparkContext context;
  private final Map<String, LongAdder> rowsByExecutor = new ConcurrentHashMap<>();
  private final Set<Integer> crewStages = ConcurrentHashMap.newKeySet();
  private final LongAdder rounds = new LongAdder();
  private final LongAdder accumulatedRows = new LongAdder();

  private CrewListener(SparkContext context) {
    this.context = context;
  }

  /** Starts to listen; for as long as the context lives. */
  public static CrewListener of(JavaSparkContext context) {
    CrewListener listener = new CrewListener(context.sc());
    context.sc().addSparkListener(listener);
    return listener;
  }

  /** Rounds by message so far. */
  public long rounds() {
    return rounds.sum();
  }

  /** Executors that had rows in these rounds. */
  public Set<String> executors() {
    return Set.copyOf(rowsByExecutor.keySet());
  }

  /** Sampled rows by the events of these rounds. */
  public long rows() {
    return rowsByExecutor.values().stream().mapToLong(LongAdder::sum).sum();
  }

  /** Sampled rows by the accumulators of the tasks that ran these rounds and have ended. */
  public long accumulatedRows() {
    return accumulatedRows.sum();
  }

  /** Waits until it has received all events so far. */
  public void catchUp() {
    SparkListeners.awaitListeners(context, TimeUnit.MINUTES.toMillis(1));
  }

  @Override
  public void onOtherEvent(SparkListenerEvent event) {
    if (event instanceof ResidentRound round) {
      rounds.increment();
      for (ResidentRound.Task task : round.tasks()) {
        if (task.rows() > 0) {
          rowsByExecutor
              .computeIfAbsent(task.executorId(), unseen -> new LongAdder())
              .add(task.rows());
        }
      }
    }
  }

  @Override
  public void onStageSubmitted(SparkListenerStageSubmitted event) {
    if (event.properties().getProperty(ResidentRound.CREW) != null) {
      crewStages.add(event.stageInfo().stageId());
    }
  }

  @Override
  public void onTaskEnd(SparkListenerTaskEnd event) {
    if (!crewStages.contains(event.stageId())) {
      return;
    }
    Iterator<AccumulableInfo> infos = event.taskInfo().accumulables().iterator();
    while (infos.hasNext()) {
      AccumulableInfo info = infos.next();
      if (info.name().isDefined()
          && info.name().get().equals("Spark ATA sampled rows")
          && info.update().isDefined()) {
        accumulatedRows.add(((Number) info.update().get()).longValue());
      }
    }
  }
}
