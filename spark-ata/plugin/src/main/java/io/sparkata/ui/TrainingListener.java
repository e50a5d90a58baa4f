package io.sparkata.ui;

import io.sparkata.events.CachedStages;
import io.sparkata.events.Rounds;
import io.sparkata.events.RoundsCompleted;
import io.sparkata.events.TrainingEnded;
import io.sparkata.events.TrainingLeft;
import io.sparkata.events.TrainingStarted;
import io.sparkata.report.JobTimes;
import io.sparkata.spark.UiStore;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.UnaryOperator;
import org.apache.spark.scheduler.SparkListener;
import org.apache.spark.scheduler.SparkListenerEvent;
import org.apache.spark.scheduler.SparkListenerJobEnd;
import org.apache.spark.scheduler.SparkListenerJobStart;

/**
 * Writes the events of trainings into Spark's store. Of more than {@value #MOST_TRAININGS}
 * trainings the first that do not run are dropped, and of more than {@value #MOST_CELLS} figures of
 * executors those of the first trainings: about 40 MB. One thread.
 */
public final class TrainingListener extends SparkListener {
  static final int MOST_TRAININGS = 1000;
  static final int MOST_CACHES = 1000;
  static final int MOST_CELLS = 1_000_000;

  private final UiStore store;
  private final Trainings trainings;
  private final Map<Long, Integer> cells =
      new LinkedHashMap<>(); // by training, the first one first
  private final Set<Integer> caches = new LinkedHashSet<>(); // RDDs, the first one first
  private final JobTimes jobs = new JobTimes();
  private int allCells;

  public TrainingListener(UiStore store) {
    this.store = store;
    this.trainings = new Trainings(store, /* isOver= */ false);
  }

  @Override
  public void onJobStart(SparkListenerJobStart event) {
    jobs.onJobStart(event);
  }

  @Override
  public void onJobEnd(SparkListenerJobEnd event) {
    jobs.onJobEnd(event);
    if (!cells.isEmpty() || !caches.isEmpty()) { // else there is no tab
      write(jobs);
    }
  }

  @Override
  public void onOtherEvent(SparkListenerEvent event) {
    if (event instanceof TrainingStarted started) {
      update(started.training(), one -> one.with(started));
    } else if (event instanceof RoundsCompleted rounds) {
      update(rounds.training(), one -> one.with(rounds));
      add(rounds);
    } else if (event instanceof TrainingLeft left) {
      update(left.training(), one -> one.with(left));
    } else if (event instanceof TrainingEnded ended) {
      List<SpeedChange> changes = trainings.changes(ended.training());
      update(ended.training(), one -> one.with(ended, changes));
    } else if (event instanceof CachedStages stages) {
      write(stages);
    }
  }

  private void write(JobTimes times) {
    store.write(new StoredJobTimes(times.seconds(), times.ourSeconds()));
  }

  private void write(CachedStages stages) {
    store.write(new StoredCache(stages));
    caches.add(stages.rdd());
    if (caches.size() > MOST_CACHES) {
      int first = caches.iterator().next();
      caches.remove(first);
      store.remove(StoredCache.class, first);
    }
  }

  private void update(long id, UnaryOperator<StoredTraining> change) {
    StoredTraining before =
        store.read(StoredTraining.class, id).orElseGet(() -> StoredTraining.of(id));
    store.write(change.apply(before));
    cells.putIfAbsent(id, 0);
    if (cells.size() > MOST_TRAININGS) {
      long first = firstToDrop();
      store.remove(StoredTraining.class, first);
      dropRounds(first);
      cells.remove(first);
    }
  }

  private long firstToDrop() {
    return cells.keySet().stream()
        .filter(id -> !store.read(StoredTraining.class, id).orElseThrow().isRunning())
        .findFirst()
        .orElseGet(() -> cells.keySet().iterator().next());
  }

  private void add(RoundsCompleted event) {
    long start = event.time();
    for (Rounds sum : event.rounds()) {
      start -= sum.micros() / 1000;
    }
    for (Rounds sum : event.rounds()) {
      add(new StoredRounds(event.training(), start, sum));
      start += sum.micros() / 1000;
    }
  }

  private void add(StoredRounds rounds) {
    store.write(rounds);
    cells.merge(rounds.training(), rounds.cells(), Integer::sum);
    allCells += rounds.cells();
    for (Iterator<Long> ids = cells.keySet().iterator(); allCells > MOST_CELLS; ) {
      long first = ids.next();
      if (first == rounds.training()) {
        return; // it is the last one
      }
      dropRounds(first);
    }
  }

  private void dropRounds(long training) {
    int dropped = cells.put(training, 0);
    if (dropped > 0) {
      store.remove(StoredRounds.class, StoredRounds.TRAINING, training);
      allCells -= dropped;
    }
  }
}
