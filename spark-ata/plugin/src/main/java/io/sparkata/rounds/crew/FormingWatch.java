package io.sparkata.rounds.crew;

import io.sparkata.cluster.Silence;
import io.sparkata.rounds.crew.CrewTrouble.SilentMember;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;

/**
 * Finds executors that give no sign of life before their tasks of a crew have started: they may be
 * cold, or stopped. Driver only, one thread.
 */
final class FormingWatch {
  private static final long ASK_NANOS = TimeUnit.MILLISECONDS.toNanos(500);

  /** An executor with a tenth of a core may answer late: it has twice as long as in a round. */
  private static final int LOOKS_PER_QUESTION = 5;

  private static final int MOST_QUESTIONS = (int) (Crew.FORMING_NANOS / ASK_NANOS) - 2;

  private final CrewHost host;
  private final int questions;
  private final Silence silence;
  private long asked;

  /**
   * @param patience looks at members in a round; so many questions without an answer, at least, end
   *     before the time for forming does
   */
  FormingWatch(CrewHost host, int patience) {
    this.host = host;
    this.questions = Math.min(MOST_QUESTIONS, Math.max(1, patience / LOOKS_PER_QUESTION));
    this.silence = new Silence(questions);
    this.asked = host.nanoTime();
  }

  /**
   * Asks twice a second. The crew's lock must not be held: Spark's master is asked.
   *
   * @param isAwaited whether an executor has not come yet
   * @throws SilentMember if such an executor is silent
   */
  void look(Predicate<String> isAwaited) throws SilentMember {
    if (host.nanoTime() - asked < ASK_NANOS) {
      return;
    }
    asked = host.nanoTime();
    Set<String> silent = silence.look(host::askForSigns, isAwaited);
    if (!silent.isEmpty()) {
      throw new SilentMember(silent, questions * ASK_NANOS / 1e9);
    }
  }
}
