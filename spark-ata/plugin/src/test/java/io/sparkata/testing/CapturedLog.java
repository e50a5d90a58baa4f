package io.sparkata.testing;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.apache.logging.log4j.Level;
import org.apache.logging.log4j.LogManager;
import org.apache.logging.log4j.core.LogEvent;
import org.apache.logging.log4j.core.LoggerContext;
import org.apache.logging.log4j.core.appender.AbstractAppender;
import org.apache.logging.log4j.core.config.LoggerConfig;
import org.apache.logging.log4j.core.config.Property;

/** What one logger and those below it say while this is open. */
public final class CapturedLog implements AutoCloseable {
  private final List<LogEvent> events = new CopyOnWriteArrayList<>();
  private final LoggerContext context;
  private final String logger;
  private final LoggerConfig configured; // what had the name before; null if nothing had

  private CapturedLog(String logger, Level level) {
    this.logger = logger;
    context = (LoggerContext) LogManager.getContext(false);
    configured = context.getConfiguration().getLoggers().get(logger);
    Capture capture = new Capture(logger, events);
    capture.start();
    LoggerConfig config = new LoggerConfig(logger, level, /* additive= */ true);
    config.addAppender(capture, level, null);
    context.getConfiguration().removeLogger(logger);
    context.getConfiguration().addLogger(logger, config);
    context.updateLoggers();
  }

  /** From INFO on. */
  public static CapturedLog of(String logger) {
    return new CapturedLog(logger, Level.INFO);
  }

  /** From DEBUG on. */
  public static CapturedLog atDebug(String logger) {
    return new CapturedLog(logger, Level.DEBUG);
  }

  /** The messages at a level, oldest first. */
  public List<String> messages(Level level) {
    return events.stream()
        .filter(event -> event.getLevel().equals(level))
        .map(event -> event.getMessage().getFormattedMessage())
        .toList();
  }

  /** Everything, oldest first: level, logger and message. */
  public List<String> lines() {
    return events.stream()
        .map(
            event ->
                event.getLevel()
                    + " "
                    + event.getLoggerName()
                    + ": "
                    + event.getMessage().getFormattedMessage())
        .toList();
  }

  @Override
  public void close() {
    context.getConfiguration().removeLogger(logger);
    if (configured != null) {
      context.getConfiguration().addLogger(logger, configured);
    }
    context.updateLoggers();
  }

  private static final class Capture extends AbstractAppender {
    private final List<LogEvent> events;

    Capture(String logger, List<LogEvent> events) {
      super("capture of " + logger, null, null, /* ignoreExceptions= */ true, Property.EMPTY_ARRAY);
      this.events = events;
    }

    @Override
    public void append(LogEvent event) {
      events.add(event.toImmutable());
    }
  }
}
