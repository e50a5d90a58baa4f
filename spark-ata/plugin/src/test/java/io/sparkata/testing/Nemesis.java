package io.sparkata.testing;

import io.sparkata.spark.SparkBlocks;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;
import org.apache.spark.SparkContext;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.scheduler.SparkListener;
import org.apache.spark.scheduler.SparkListenerTaskStart;
import org.apache.spark.storage.BlockId;
import org.apache.spark.storage.RDDBlockId;
import org.apache.spark.storage.StorageStatus;
import scala.collection.Iterator;
import scala.collection.immutable.Map$;

/** Faults that strike a running training at any time, each on an executor or a size of chance. */
@SuppressWarnings("ImmutableEnumChecker")
public enum Nemesis {
  KILL {
    @Override
    void strike(Victims victims) {
      Processes.kill9(victims.any());
    }
  },
  KILL_TWO {
    @Override
    void strike(Victims victims) {
      victims.some(2).forEach(Processes::kill9);
    }
  },
  /** For up to six seconds, as by a long garbage collection or a migration. */
  STOP {
    @Override
    void strike(Victims victims) {
      long pid = victims.any();
      Processes.stop(pid);
      victims.pause(6_000);
      Processes.goOn(pid);
    }
  },
  /** To a tenth or so of its speed, for up to five seconds, so that rows and partitions move. */
  THROTTLE {
    @Override
    void strike(Victims victims) {
      Processes.throttle(victims.any(), 0.1, TimeUnit.SECONDS.toMillis(5));
    }
  },
  /** Some blocks of RDDs, packed or the caller's, without a word to their owner. */
  DROP {
    @Override
    void strike(Victims victims) {
      for (RDDBlockId block : victims.blocks()) {
        if (victims.random.nextInt(3) == 0) {
          SparkBlocks.removeBlock(victims.context.sc(), block);
        }
      }
    }
  },
  /** Caches more than there is room for, and drops it. */
  PRESSURE {
    @Override
    void strike(Victims victims) {
      int mebibytes = 3 * 600;
      JavaRDD<byte[]> filling =
          victims
              .context
              .parallelize(IntStream.range(0, mebibytes / 10).boxed().toList(), mebibytes / 50)
              .map(number -> new byte[10 << 20])
              .cache();
      try {
        filling.count();
      } finally {
        filling.unpersist(/* blocking= */ true);
      }
    }
  },
  /** Another job wants all slots. */
  JOB {
    @Override
    void strike(Victims victims) {
      int tasks = 3 + victims.random.nextInt(9);
      victims
          .context
          .parallelize(IntStream.range(0, tasks).boxed().toList(), tasks)
          .foreach(number -> LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(200)));
    }
  },
  /** Spark's listeners wait for one of the application's. */
  LISTENER {
    @Override
    void strike(Victims victims) {
      AtomicBoolean hasWaited = new AtomicBoolean();
      SparkListener slow =
          new SparkListener() {
            @Override
            public void onTaskStart(SparkListenerTaskStart event) {
              if (!hasWaited.getAndSet(true)) {
                LockSupport.parkNanos(TimeUnit.SECONDS.toNanos(2));
              }
            }
          };
      victims.context.sc().addSparkListener(slow);
      victims.pause(2_000);
      victims.context.sc().removeSparkListener(slow);
    }
  },
  DECOMMISSION {
    @Override
    void strike(Victims victims) {
      Processes.decommission(victims.any());
    }
  },
  /** All executors go, as by dynamic allocation, and as many come back. */
  SCALE {
    @Override
    void strike(Victims victims) {
      synchronized (LIMIT) {
        victims.limitExecutors(0);
        victims.pause(2_000);
        victims.limitExecutors(TestCluster.EXECUTORS);
      }
    }
  },
  /** Another application takes an executor's slots, and gives them back. */
  SECOND_APPLICATION {
    @Override
    boolean isPossible(JavaSparkContext context) {
      return SecondApplication.master(context).isPresent();
    }

    @Override
    void strike(Victims victims) {
      synchronized (LIMIT) {
        victims.limitExecutors(TestCluster.EXECUTORS - 1);
        Process second = SecondApplication.start(victims.context);
        try {
          while (second.isAlive()) {
            victims.limitExecutors(TestCluster.EXECUTORS - 1); // some may have been starting
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(100));
          }
        } finally {
          second.destroy();
          victims.limitExecutors(TestCluster.EXECUTORS);
        }
        if (second.exitValue() != 0) {
          throw new IllegalStateException("See target/second-application.log");
        }
      }
    }
  },
  /** An executor's network is slow, for up to four seconds. */
  NETWORK_SLOW {
    @Override
    boolean isPossible(JavaSparkContext context) {
      return Network.canBeChanged();
    }

    @Override
    void strike(Victims victims) {
      Network.slow(victims.any(), victims.millis(4_000));
    }
  },
  /** Nothing reaches an executor or leaves it, for up to four seconds. */
  NETWORK_CUT {
    @Override
    boolean isPossible(JavaSparkContext context) {
      return Network.canBeChanged();
    }

    @Override
    void strike(Victims victims) {
      Network.cut(victims.any(), victims.millis(4_000));
    }
  },
  /** An executor can create files, but not write to them, for up to four seconds. */
  FULL_DISK {
    @Override
    boolean isPossible(JavaSparkContext context) {
      return Processes.canFillDisk();
    }

    @Override
    void strike(Victims victims) {
      long pid = victims.any();
      Processes.fillDisk(pid);
      victims.pause(4_000);
      Processes.freeDisk(pid);
    }
  },
  /** The driver, for up to ten seconds. */
  STOP_DRIVER {
    @Override
    void strike(Victims victims) {
      Processes.pauseThisJvm(1 + victims.random.nextInt(10));
    }
  },
  /** The first attempt at each round's work fails. */
  ATTEMPTS {
    @Override
    void strike(Victims victims) {
      FaultPlugin.arm(FaultPlugin.Fault.FIRST_ATTEMPT);
      victims.pause(500);
      FaultPlugin.disarm();
    }
  };

  /** Of the number of executors, which one fault at a time may change. */
  private static final Object LIMIT = new Object();

  abstract void strike(Victims victims);

  boolean isPossible(JavaSparkContext context) {
    return true;
  }

  /** Those that cannot strike on this machine, for this user, or on this kind of cluster. */
  public static Set<Nemesis> impossible(JavaSparkContext context) {
    EnumSet<Nemesis> impossible = EnumSet.allOf(Nemesis.class);
    impossible.removeIf(nemesis -> nemesis.isPossible(context));
    return impossible;
  }

  /**
   * Strikes on the caller's thread.
   *
   * @param pids the executors' processes
   */
  public void strike(JavaSparkContext context, List<Long> pids, long seed) {
    List<Long> living = new ArrayList<>(pids);
    living.removeIf(pid -> !Processes.isAlive(pid));
    if (!living.isEmpty()) {
      strike(new Victims(context, living, new Random(seed)));
    }
  }

  /** The executors that a fault may strike, and its chance. */
  record Victims(JavaSparkContext context, List<Long> pids, Random random) {
    long any() {
      return pids.get(random.nextInt(pids.size()));
    }

    List<Long> some(int most) {
      List<Long> shuffled = new ArrayList<>(pids);
      Collections.shuffle(shuffled, random);
      return shuffled.subList(0, Math.min(most, shuffled.size()));
    }

    void pause(int mostMillis) {
      LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(millis(mostMillis)));
    }

    long millis(int most) {
      return 100L + random.nextInt(most);
    }

    /** Asks for so many executors, and ends those that are more. */
    void limitExecutors(int most) {
      SparkContext spark = context.sc();
      spark.requestTotalExecutors(most, 0, Map$.MODULE$.empty());
      Iterator<String> surplus = spark.getExecutorIds().iterator().drop(most);
      while (surplus.hasNext()) {
        spark.killExecutor(surplus.next());
        spark.requestTotalExecutors(most, 0, Map$.MODULE$.empty()); // the end has lowered it
      }
    }

    List<RDDBlockId> blocks() {
      List<RDDBlockId> found = new ArrayList<>();
      for (StorageStatus status : context.env().blockManager().master().getStorageStatus()) {
        Iterator<BlockId> blocks = status.rddBlocks().keysIterator();
        while (blocks.hasNext()) {
          if (blocks.next() instanceof RDDBlockId id) {
            found.add(id);
          }
        }
      }
      return found;
    }
  }
}
