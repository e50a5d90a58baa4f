package io.sparkata.tools.demo;

import io.sparkata.tools.Progress;
import java.util.Locale;
import java.util.Map;
import java.util.Timer;
import java.util.TimerTask;
import java.util.function.Supplier;

/** Says once a second how far a side is: the last round, its seconds, and who had what share. */
final class LiveLine extends TimerTask implements AutoCloseable {
  private static final long MILLIS = 1_000;

  private final DemoSide side;
  private final UnevenExecutors executors;
  private final BudgetUpdater rounds;
  private final Supplier<Map<String, Long>> samples;
  private final Progress progress;

  /**
   * @param samples of the last round by executor id, empty while there is none
   */
  LiveLine(
      DemoSide side,
      UnevenExecutors executors,
      BudgetUpdater rounds,
      Supplier<Map<String, Long>> samples,
      Progress progress) {
    this.side = side;
    this.executors = executors;
    this.rounds = rounds;
    this.samples = samples;
    this.progress = progress;
  }

  /** Starts to say lines, until closed. */
  LiveLine start() {
    new Timer("demo-live-line", /* isDaemon= */ true).schedule(this, MILLIS, MILLIS);
    return this;
  }

  @Override
  public void run() {
    int round = rounds.rounds();
    double seconds = round == 0 ? 0 : rounds.secondsOf(round);
    String bars = round == 0 ? "" : ShareBars.bars(executors, samples.get());
    progress.say("%s", text(side, round, seconds, bars));
  }

  /**
   * @param round the last that has ended, 0 for none
   */
  static String text(DemoSide side, int round, double seconds, String bars) {
    String name = String.format(Locale.ROOT, "%-17s", side.id());
    if (round == 0) {
      return name + (side.isStock() ? " first round" : " packing, first round");
    }
    return String.format(Locale.ROOT, "%s round %3d %6.2f s  %s", name, round, seconds, bars);
  }

  @Override
  public void close() {
    cancel();
  }
}
