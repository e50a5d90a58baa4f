package io.sparkata.whatif;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/** The event log of an application that never ran, in the form of Spark 2.4. */
final class MadeLog {
  static final String LBFGS = "treeAggregate at RDDLossFunction.scala:61";
  static final String OBJECTS = level(true, true);

  private static final int ROWS = 1000; // of a task
  private static final int PARTITIONS = 24;
  private static final int BESIDES = 4; // milliseconds of a task besides its run
  private static final int SCHEDULING = 400; // milliseconds of a stage besides its tasks

  private final List<String> lines = new ArrayList<>();
  private final int executors;
  private long now = 1_000_000;
  private int jobs;
  private int tasks;
  private boolean mapped;

  MadeLog(int executors) {
    this.executors = executors;
    add("{'Event':'SparkListenerLogStart','Spark Version':'2.4.8'}");
    add(
        "{'Event':'SparkListenerApplicationStart','App Name':'<b>made</b>','App ID':'app-1',"
            + "'Timestamp':%d,'User':'me'}",
        now);
    add(
        "{'Event':'SparkListenerEnvironmentUpdate','JVM Information':{},'Spark Properties':"
            + "{'spark.task.cpus':'2'},'System Properties':{},'Classpath Entries':{}}");
    for (int executor = 0; executor < executors; executor++) {
      add(
          "{'Event':'SparkListenerExecutorAdded','Timestamp':%d,'Executor ID':'%d',"
              + "'Executor Info':{'Host':'host%d','Total Cores':2,'Log Urls':{}}}",
          now, executor, executor);
    }
  }

  /** Of Spark; neither is that of an RDD that is not persisted. */
  static String level(boolean useMemory, boolean deserialized) {
    return "{'Use Disk':%s,'Use Memory':%s,'Deserialized':%s,'Replication':1}"
        .formatted(useMemory, useMemory, deserialized);
  }

  /** Adds any line, whose quotes are single ones. */
  MadeLog add(String line, Object... values) {
    lines.add(String.format(Locale.ROOT, line, values).replace('\'', '"'));
    return this;
  }

  /**
   * Adds a round with a task of equal rows on each executor.
   *
   * @param data id of the RDD
   * @param details the stack, with {@code \\n} between its lines
   * @param millis that each task ran; 0 for none
   */
  MadeLog round(String stage, int data, String level, String details, long... millis) {
    int id = jobs++;
    long start = now;
    String info =
        info(
            id,
            stage,
            executors,
            details,
            rdd(data, level, "map at App.scala:1", 0),
            rdd(500, level(false, false), "map at App.scala:2", data),
            rdd(1000 + id, level(false, false), stage, mapped ? 500 : data));
    add(
        "{'Event':'SparkListenerJobStart','Job ID':%d,'Submission Time':%d,'Stage Infos':["
            + "{'Stage ID':%d,'Stage Attempt ID':0,'Stage Name':'map at App.scala:1',"
            + "'Number of Tasks':9,'RDD Info':[%s],'Parent IDs':[],'Details':'','Accumulables':[]},"
            + "%s],'Stage IDs':[],'Properties':{}}",
        id,
        start,
        2 * id,
        rdd(0, OBJECTS, "map at App.scala:1", 0), // skipped, since what it makes is cached
        info);
    submitted(info, start);
    long longest = 0;
    for (int executor = 0; executor < millis.length; executor++) {
      if (millis[executor] == 0) {
        continue;
      }
      task(id, executor, executor, start, millis[executor], /* bytes= */ 1);
      longest = Math.max(longest, millis[executor]);
    }
    now = start + longest + 10;
    completed(info, start);
    return add(
        "{'Event':'SparkListenerJobEnd','Job ID':%d,'Completion Time':%d,"
            + "'Job Result':{'Result':'JobSucceeded'}}",
        id, now);
  }

  /**
   * Adds a stage over a cached RDD of {@value #PARTITIONS} partitions of 20 MB.
   *
   * @param millis that each task of an executor ran; executors have equally many
   */
  MadeLog stage(int data, String level, long... millis) {
    int own = 1000 + jobs;
    return stage(
        20_000_000,
        millis,
        rdd(own, level(false, false), "map at KMeans.scala:300", data, PARTITIONS),
        rdd(data, level, "map at App.scala:1", 0, PARTITIONS));
  }

  /** The same with a cached RDD that is made from it, of 10 MB a partition. */
  MadeLog stageOfTwo(int data, int younger, long... millis) {
    int own = 1000 + jobs;
    String zipped = rdd(own, level(false, false), "map at KMeans.scala:300", data, PARTITIONS);
    return stage(
        30_000_000,
        millis,
        zipped.replace("'Parent IDs':[" + data, "'Parent IDs':[" + younger + "," + data),
        rdd(younger, OBJECTS, "map at App.scala:2", data, PARTITIONS),
        rdd(data, OBJECTS, "map at App.scala:1", 0, PARTITIONS));
  }

  private MadeLog stage(long bytes, long[] millis, String... rdds) {
    int id = jobs++;
    long start = now;
    String info = info(id, "collect at KMeans.scala:300", PARTITIONS, "", rdds);
    submitted(info, start);
    long[] ends = new long[millis.length];
    Arrays.fill(ends, start);
    for (int partition = 0; partition < PARTITIONS; partition++) {
      int executor = partition % millis.length;
      task(id, partition, executor, ends[executor], millis[executor], bytes);
      ends[executor] += millis[executor] + BESIDES;
    }
    now = Arrays.stream(ends).max().orElseThrow() + SCHEDULING;
    return completed(info, start);
  }

  private static String info(int id, String stage, int tasks, String details, String... rdds) {
    return ("{'Stage ID':%d,'Stage Attempt ID':0,'Stage Name':'%s','Number of Tasks':%d,"
            + "'RDD Info':[%s],'Parent IDs':[],'Details':'%s','Accumulables':[]}")
        .formatted(2 * id + 1, stage, tasks, String.join(",", rdds), details);
  }

  private void submitted(String info, long start) {
    add("{'Event':'SparkListenerStageSubmitted','Stage Info':%s,'Properties':{}}", at(info, start));
  }

  private MadeLog completed(String info, long start) {
    return add(
        "{'Event':'SparkListenerStageCompleted','Stage Info':%s}",
        at(info, start).replaceFirst(".$", ",'Completion Time':" + now + "}"));
  }

  private static String at(String info, long start) {
    return info.replaceFirst(".$", ",'Submission Time':" + start + "}");
  }

  /** The next line is so much earlier. */
  MadeLog rewind(long millis) {
    now -= millis;
    return this;
  }

  /** A round over an RDD that is not persisted, and comes from one that is. */
  MadeLog roundOverMapped(String stage, long... millis) {
    mapped = true;
    try {
      return round(stage, 5, OBJECTS, "", millis);
    } finally {
      mapped = false;
    }
  }

  private static String rdd(int id, String level, String site, int parent) {
    return rdd(id, level, site, parent, 3);
  }

  private static String rdd(int id, String level, String site, int parent, int partitions) {
    return ("{'RDD ID':%d,'Name':'rdd','Callsite':'%s','Parent IDs':[%d],'Storage Level':%s,"
            + "'Number of Partitions':%d,'Number of Cached Partitions':3,'Memory Size':0,"
            + "'Disk Size':0}")
        .formatted(id, site, parent, level, partitions);
  }

  private void task(int job, int index, int executor, long start, long millis, long bytes) {
    add(
        "{'Event':'SparkListenerTaskEnd','Stage ID':%d,'Stage Attempt ID':0,"
            + "'Task Type':'ResultTask','Task End Reason':{'Reason':'Success'},'Task Info':"
            + "{'Task ID':%d,'Index':%d,'Attempt':0,'Launch Time':%d,'Executor ID':'%d',"
            + "'Host':'host%d','Locality':'PROCESS_LOCAL','Speculative':false,"
            + "'Getting Result Time':0,'Finish Time':%d,'Failed':false,'Accumulables':[]},"
            + "'Task Metrics':{'Executor Deserialize Time':0,'Executor Run Time':%d,"
            + "'Result Size':1,'JVM GC Time':0,'Result Serialization Time':0,"
            + "'Memory Bytes Spilled':0,'Disk Bytes Spilled':0,"
            + "'Input Metrics':{'Bytes Read':%d,'Records Read':%d}}}",
        2 * job + 1,
        tasks++,
        index,
        start,
        executor,
        executor,
        start + millis + BESIDES,
        millis,
        bytes,
        ROWS);
  }

  Path write(Path file) throws IOException {
    return Files.write(file, lines);
  }
}
