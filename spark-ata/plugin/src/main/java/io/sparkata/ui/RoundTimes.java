package io.sparkata.ui;

import io.sparkata.events.Rounds;
import java.time.Instant;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** When the rounds of a training began. */
final class RoundTimes {
  private static final DateTimeFormatter TIME =
      DateTimeFormatter.ofPattern("HH:mm:ss").withZone(ZoneId.systemDefault());

  private final TreeMap<Long, StoredRounds> byFirst = new TreeMap<>();

  RoundTimes(List<StoredRounds> all) {
    all.forEach(some -> byFirst.put((long) some.rounds().first(), some));
  }

  /** Such as {@code 41 (10:36:25)}; of a round within a sum, its share of the sum's time. */
  String text(long round) {
    Map.Entry<Long, StoredRounds> sum = byFirst.floorEntry(round);
    return sum == null ? Long.toString(round) : round + " (" + TIME.format(time(sum, round)) + ")";
  }

  /**
   * The last change of an executor's speed; empty if it has not changed.
   *
   * @param history of the same rounds
   */
  Optional<SpeedChange> change(History history, int executor) {
    return history
        .change(executor)
        .filter(change -> byFirst.floorKey(history.sinceRound(change)) != null) // else dropped now
        .map(
            change -> {
              long round = history.sinceRound(change);
              long time = time(byFirst.floorEntry(round), round).toEpochMilli();
              String id = history.executors().get(executor);
              return new SpeedChange(id, change.factor(), round, time);
            });
  }

  /**
   * The round that ran at a time, in milliseconds since 1970: the first or last one outside.
   *
   * @param last round that is known elsewhere; more may have come since
   */
  long roundAt(long time, long last) {
    Map.Entry<Long, StoredRounds> sum = byFirst.firstEntry();
    if (sum == null) { // dropped now
      return last;
    }
    for (Map.Entry<Long, StoredRounds> next : byFirst.entrySet()) {
      if (next.getValue().start() <= time) {
        sum = next;
      }
    }
    Rounds rounds = sum.getValue().rounds();
    double since = (time - sum.getValue().start()) * 1e3 * rounds.count();
    long passed = (long) (since / Math.max(1, rounds.micros()));
    return Math.min(last, rounds.first() + Math.max(0, Math.min(rounds.count() - 1, passed)));
  }

  /** The time of day. */
  static String ofDay(long millis) {
    return TIME.format(Instant.ofEpochMilli(millis));
  }

  private static Instant time(Map.Entry<Long, StoredRounds> sum, long round) {
    double micros = (double) sum.getValue().rounds().micros() / sum.getValue().rounds().count();
    long since = Math.round((round - sum.getKey()) * micros / 1e3);
    return Instant.ofEpochMilli(sum.getValue().start() + since);
  }
}
