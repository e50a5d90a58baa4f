package io.sparkata.rounds.crew;

import io.sparkata.cluster.Silence;
import io.sparkata.rounds.crew.CrewTrouble.SilentMember;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;

/**
 * Finds an executor that gives no sign of life before its task of a crew has started: it may be
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
    Optional<String> silent = silence.look(host::askForSigns, isAwaited);
    if (silent.isPresent()) {
      throw new SilentMember(silent.get(), questions * ASK_NANOS / 1e9);
    }
  }
}
