package io.sparkata.rounds.crew;

import io.sparkata.blocks.BlockRef;
import io.sparkata.rounds.RoundResult;
import io.sparkata.rounds.RoundTask;
import io.sparkata.rounds.SimulatedCluster;
import io.sparkata.rounds.SimulatedExecutors.Machine;
import io.sparkata.rounds.SimulatedFaults;
import io.sparkata.rounds.SimulatedFaults.Fault;
import io.sparkata.rounds.WholeSum;
import io.sparkata.rounds.crew.CrewMessages.Answer;
import io.sparkata.rounds.crew.CrewMessages.Done;
import io.sparkata.rounds.crew.CrewMessages.Question;
import io.sparkata.rounds.crew.PullMessages.Next;
import io.sparkata.rounds.crew.PullMessages.Pulled;
import io.sparkata.spark.Mailbox.Letter;
import java.util.function.Consumer;

/**
 * An executor's part in a crew of {@link SimulatedCrews}. It does what {@link CrewMember} does, for
 * all slots of the executor.
 */
final class SimulatedMember {
  private static final long MILLI = 1_000_000;
  private static final long SIGN = 250 * MILLI;

  private final SimulatedCrews crews;
  private final SimulatedCrews.SimulatedJob job;
  private final SimulatedCluster cluster;
  private final SimulatedFaults faults;
  private final Machine machine;
  private boolean hasStarted;
  private boolean hasLeft;
  private byte[] share; // of the round's micro-tasks
  private long asked;

  SimulatedMember(SimulatedCrews crews, SimulatedCrews.SimulatedJob job, Machine machine) {
    this.crews = crews;
    this.job = job;
    this.cluster = crews.cluster();
    this.faults = cluster.faults;
    this.machine = machine;
  }

  /** Whether its task has a slot. */
  boolean hasStarted() {
    return hasStarted;
  }

  boolean isOn(Machine other) {
    return machine == other;
  }

  void start() {
    if (job.hasEnded()) {
      return;
    }
    if (cluster.taken() != null && cluster.taken().isEmpty()) {
      crews.in(crews.upTo(500), this::start); // its slot is taken
      return;
    }
    hasStarted = true;
    act(() -> ask(question(null)));
    sign();
  }

  /** Later, if its executor hangs now; never, if it is gone. */
  private void act(Runnable action) {
    if (hasLeft || job.hasEnded()) {
      return;
    }
    if (!machine.isUp()) {
      cluster.executors.notice(machine); // its task is lost
      job.startElsewhere();
      leave();
    } else if (cluster.executors.hangs(machine)) {
      crews.in(cluster.executors.hangsUntil(machine) - crews.nanoTime(), () -> act(action));
    } else {
      action.run();
    }
  }

  private void sign() {
    act(
        () -> {
          deliver(Question.signOf(machine.id), answer -> {});
          crews.in(SIGN, this::sign);
        });
  }

  private Object[] question(Done done) {
    return new Question(machine.id, /* isSign= */ false, done).toArray();
  }

  private void ask(Object[] question) {
    long number = ++asked;
    if (faults.strikes(Fault.LOST_MESSAGE, 0.01)) {
      leave();
      return;
    }
    long late = faults.strikes(Fault.LATE_MESSAGE, 0.02) ? crews.upTo(5000) : 0;
    Runnable message =
        () ->
            deliver(
                question,
                answer -> crews.in(crews.upTo(5), () -> act(() -> answered(number, answer))));
    crews.in(crews.upTo(5) + late, message);
    if (faults.strikes(Fault.DOUBLE_MESSAGE, 0.02)) {
      crews.in(crews.upTo(300), message);
    }
  }

  private void deliver(Object[] message, Consumer<Object[]> answer) {
    Consumer<Letter> receiver = crews.receiver(job.name());
    if (receiver == null) {
      crews.in(0, this::leave); // the endpoint is gone
      return;
    }
    receiver.accept(
        new Letter() {
          @Override
          public Object[] message() {
            return message;
          }

          @Override
          public void answer(Object... said) {
            answer.accept(said);
          }
        });
  }

  private void answered(long number, Object[] said) {
    if (number != asked) {
      return; // it has asked again meanwhile, or has its answer
    }
    asked++;
    if (Next.isIn(said)) {
      unlessItRestarts(() -> pull(Next.of(said)));
      return;
    }
    Answer answer = Answer.of(said);
    if (answer.isDismissal()) {
      leave();
    } else if (answer.hasWork()) {
      unlessItRestarts(() -> work(answer));
    } else {
      ask(question(null));
    }
  }

  private void unlessItRestarts(Runnable work) {
    if (faults.strikes(Fault.MEMBER_RESTARTS, 0.02)) {
      share = null;
      crews.in(crews.upTo(500), () -> act(() -> ask(question(null))));
    } else {
      work.run();
    }
  }

  private void work(Answer answer) {
    if (faults.strikes(Fault.MEMBER_FAILS, 0.02)) {
      Done failed = Done.failed(answer.round(), new ArithmeticException("the user's gradient"));
      ask(question(failed));
      return;
    }
    WholeSum summand = (WholeSum) ((RoundShared<?>) crews.result(answer.shared())).summand();
    RoundResult<Long> sum = null;
    long nanos = 0;
    for (byte[] bytes : answer.tasks()) {
      RoundTask task = (RoundTask) crews.result(bytes);
      RoundResult<Long> one = cluster.executors.work(machine, task, summand);
      nanos += one.reports().get(0).kernelNanos + one.reports().get(0).fetchNanos;
      sum = sum == null ? one : sum.merge(one, summand);
    }
    Done done = Done.of(answer.round(), crews.toBytes(sum));
    crews.in(nanos, () -> act(() -> ask(question(done))));
  }

  /** A micro-task, as {@link MicroTask} does it. */
  private void pull(Next next) {
    share = next.share() == null ? share : next.share();
    Pulled pulled = pulled(next);
    crews.in(pulled.nanos(), () -> act(() -> ask(pulled.with(question(null)))));
  }

  private Pulled pulled(Next next) {
    if (faults.strikes(Fault.MEMBER_FAILS, 0.005)) {
      return pulled(next, 0, null, "java.lang.ArithmeticException: the user's gradient");
    }
    @SuppressWarnings("unchecked") // a simulation has no other sums
    MicroShare<DrawnRows.Sum> own = (MicroShare<DrawnRows.Sum>) crews.result(share);
    long[] drawn = own.draw(next.number());
    DrawnRows.Part part =
        new DrawnRows.Part(
            next.round(), machine.id, next.number(), own.blocks(), own.rows(), drawn);
    long value = 0;
    int at = 0;
    long first = 0;
    for (BlockRef block : own.blocks()) {
      long end = first + block.rows();
      long[] rows = at < drawn.length && drawn[at] < end ? read(block) : new long[0];
      if (rows == null) {
        return pulled(next, 0, null, null);
      }
      for (; at < drawn.length && drawn[at] < end; at++) {
        value += rows[(int) (drawn[at] - first)];
      }
      first = end;
    }
    DrawnRows summand = (DrawnRows) own.summand();
    return pulled(next, drawn.length, crews.toBytes(summand.of(value, part)), null);
  }

  private long[] read(BlockRef block) {
    return cluster.executors.read(machine, block);
  }

  private Pulled pulled(Next next, int rows, byte[] sum, String failure) {
    long nanos = Math.max(1, cluster.executors.nanosOf(machine, rows));
    return new Pulled(machine.id, next.round(), next.number(), rows, nanos, nanos, sum, failure);
  }

  private void leave() {
    hasLeft = true;
    job.left(this);
  }
}
