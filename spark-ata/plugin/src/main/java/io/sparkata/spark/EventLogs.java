package io.sparkata.spark;

import java.io.BufferedInputStream;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.spark.SparkConf;
import org.apache.spark.deploy.SparkHadoopUtil;
import org.apache.spark.deploy.history.EventLogFileReader;
import org.apache.spark.scheduler.ReplayListenerBus;
import org.apache.spark.scheduler.SparkListenerInterface;
import scala.Option;

/**
 * Event logs of past applications, plain, compressed or rolled, in any of Hadoop's file systems.
 */
public final class EventLogs {
  private static final String ROLLED = "eventlog_v2_";

  private final Configuration hadoop = SparkHadoopUtil.get().newConfiguration(new SparkConf());

  /**
   * The logs at a path.
   *
   * @return the path, if it is a file or a rolled log, else what is in that folder, by name
   */
  public List<Path> at(String path) throws IOException {
    Path asked = new Path(path);
    FileSystem files = asked.getFileSystem(hadoop);
    FileStatus status = files.getFileStatus(asked);
    if (isLog(status)) {
      return List.of(asked);
    }
    List<Path> found = new ArrayList<>();
    for (FileStatus child : files.listStatus(asked)) {
      boolean isHidden = child.getPath().getName().startsWith("."); // such as a checksum
      if (isLog(child) && !isHidden) {
        found.add(child.getPath());
      }
    }
    return found.stream().sorted().toList();
  }

  private static boolean isLog(FileStatus status) {
    return status.isFile() || status.getPath().getName().startsWith(ROLLED);
  }

  /**
   * Reads a log whose end may be missing. Events of classes that are not known here are left out.
   *
   * @param events names, as in the log, of the events that the listener needs; others are skipped
   * @return whether all of it was read: else its end is missing, or an event is not as this Spark
   *     knows it
   * @throws IOException if it cannot be opened
   */
  public boolean replay(Path log, List<String> events, SparkListenerInterface listener)
      throws IOException {
    FileSystem files = log.getFileSystem(hadoop);
    Option<EventLogFileReader> reader = EventLogFileReader.apply(files, log);
    if (reader.isEmpty()) {
      throw new FileNotFoundException("it is no event log");
    }
    List<String> starts = events.stream().map(event -> "{\"Event\":\"" + event + "\"").toList();
    ReplayListenerBus bus = new ReplayListenerBus();
    bus.addListener(listener);
    boolean isWhole = true;
    for (FileStatus part : Scala.each(reader.get().listEventLogFiles())) {
      try (InputStream in =
          new BufferedInputStream(EventLogFileReader.openEventLog(part.getPath(), files))) {
        isWhole &=
            bus.replay(
                in,
                part.getPath().toString(),
                /* maybeTruncated= */ true,
                line -> starts.stream().anyMatch(line::startsWith));
      }
    }
    return isWhole;
  }
}
