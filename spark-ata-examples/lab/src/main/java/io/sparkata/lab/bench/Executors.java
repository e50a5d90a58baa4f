package io.sparkata.lab.bench;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import io.sparkata.lab.RunFailure;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.spark.SparkEnv;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.storage.BlockManagerId;
import scala.Tuple2;

/**
 * The executors of an application, of one slot each.
 *
 * @param ids in the order of their hosts, as {@code scripts/cluster} numbers the workers
 * @param pids of those on this machine
 */
record Executors(List<String> ids, List<Long> pids) {
  private static final long WAIT_NANOS = 120_000_000_000L;
  private static final long POLL_MILLIS = 200;

  /** Waits for {@code spark.cores.max} of them. */
  static Executors await(JavaSparkContext context) throws InterruptedException {
    return await(context, context.getConf().getInt("spark.cores.max", 0));
  }

  /** Waits until there are so many. */
  static Executors await(JavaSparkContext context, int wanted) throws InterruptedException {
    long deadline = System.nanoTime() + WAIT_NANOS;
    while (true) {
      List<BlockManagerId> managers = new ArrayList<>(memory().keySet());
      if (managers.size() == wanted) {
        return new Executors(
            managers.stream().map(BlockManagerId::executorId).toList(),
            pids(context.sc().applicationId()));
      }
      if (System.nanoTime() > deadline) {
        throw new RunFailure(
            "Cannot get all executors: %d of %d came. Set spark.cores.max to as many as there are."
                .formatted(managers.size(), wanted));
      }
      Thread.sleep(POLL_MILLIS);
    }
  }

  /** Storage memory in use by executor, in bytes. */
  private static Map<BlockManagerId, Long> memory() {
    Map<BlockManagerId, Long> used =
        new TreeMap<>(
            Comparator.comparing((BlockManagerId one) -> one.host().length())
                .thenComparing(BlockManagerId::host)
                .thenComparing(BlockManagerId::executorId));
    scala.collection.Iterator<Tuple2<BlockManagerId, Tuple2<Object, Object>>> all =
        SparkEnv.get().blockManager().master().getMemoryStatus().iterator();
    while (all.hasNext()) {
      Tuple2<BlockManagerId, Tuple2<Object, Object>> one = all.next();
      if (!one._1().isDriver()) {
        used.put(one._1(), (Long) one._2()._1() - (Long) one._2()._2());
      }
    }
    return used;
  }

  /** Storage memory in use on all executors, in bytes. */
  static long storageBytes() {
    return memory().values().stream().mapToLong(Long::longValue).sum();
  }

  int count() {
    return ids.size();
  }

  /** By their command lines. */
  private static List<Long> pids(String applicationId) {
    return ProcessHandle.allProcesses()
        .map(ProcessHandle::pid)
        .filter(pid -> isExecutor(pid, applicationId))
        .toList();
  }

  private static boolean isExecutor(long pid, String applicationId) {
    try {
      String command = Files.readString(Path.of("/proc", "" + pid, "cmdline"), ISO_8859_1);
      return command.contains("ExecutorBackend\0") && command.contains("\0" + applicationId);
    } catch (IOException gone) {
      return false; // it has ended meanwhile
    }
  }
}
