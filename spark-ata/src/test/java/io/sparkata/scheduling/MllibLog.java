package io.sparkata.scheduling;

import java.util.ArrayList;
import java.util.List;
import org.apache.logging.log4j.Level;
import org.apache.logging.log4j.LogManager;
import org.apache.logging.log4j.core.LogEvent;
import org.apache.logging.log4j.core.Logger;
import org.apache.logging.log4j.core.appender.AbstractAppender;
import org.apache.logging.log4j.core.config.Property;

/**
 * What is logged under the name of MLlib's GradientDescent, from INFO on, between start and close.
 */
final class MllibLog extends AbstractAppender implements AutoCloseable {
  private static final String NAME = "org.apache.spark.mllib.optimization.GradientDescent";

  private final List<LogEvent> events = new ArrayList<>();
  private Logger logger;
  private Level before;

  MllibLog() {
    super("MllibLog", null, null, /* ignoreExceptions= */ false, Property.EMPTY_ARRAY);
  }

  @Override
  public void start() {
    super.start();
    logger = (Logger) LogManager.getLogger(NAME);
    before = logger.getLevel();
    logger.setLevel(Level.INFO);
    logger.addAppender(this);
  }

  @Override
  public void append(LogEvent event) {
    events.add(event.toImmutable());
  }

  List<String> warnings() {
    return texts(Level.WARN);
  }

  List<String> infos() {
    return texts(Level.INFO);
  }

  /** Level and text of everything, in order. */
  List<String> lines() {
    return events.stream()
        .map(event -> event.getLevel() + " " + event.getMessage().getFormattedMessage())
        .toList();
  }

  private List<String> texts(Level level) {
    return events.stream()
        .filter(event -> event.getLevel().equals(level))
        .map(event -> event.getMessage().getFormattedMessage())
        .toList();
  }

  @Override
  public void close() {
    logger.removeAppender(this);
    logger.setLevel(before);
    stop();
  }
}
