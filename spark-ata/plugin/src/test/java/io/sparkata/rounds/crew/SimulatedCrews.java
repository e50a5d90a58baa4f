package io.sparkata.rounds.crew;

import io.sparkata.cluster.Executor;
import io.sparkata.cluster.ResidentRound;
import io.sparkata.rounds.RoundRunner;
import io.sparkata.rounds.SimulatedCluster;
import io.sparkata.rounds.SimulatedExecutors.Machine;
import io.sparkata.rounds.SimulatedFaults;
import io.sparkata.rounds.SimulatedFaults.Fault;
import io.sparkata.rounds.SimulatedJobs;
import io.sparkata.spark.Mailbox.Letter;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;

/**
 * Crews on a {@link SimulatedCluster}: what happens next is the first of what is due, on one
 * thread. Bytes are the numbers of objects.
 */
final class SimulatedCrews implements RoundHost {
  private static final long MILLI = 1_000_000;
  private static final long LOOK = Crew.LOOK_MILLIS * MILLI;

  private final SimulatedCluster cluster;
  private final SimulatedFaults faults;
  private final AtomicLong noCrewsUntil = new AtomicLong();
  private final PriorityQueue<Due> due =
      new PriorityQueue<>(Comparator.comparingLong(Due::at).thenComparingLong(Due::number));
  private final Map<String, Consumer<Letter>> mailboxes = new HashMap<>();
  private final List<SimulatedJob> jobs = new ArrayList<>();
  private final List<Object> sent = new ArrayList<>();
  private final Consumer<List<ResidentRound.Task>> times;
  private long events;

  private record Due(long at, long number, Runnable event) {}

  /**
   * @param times receives what rounds took
   */
  SimulatedCrews(SimulatedCluster cluster, Consumer<List<ResidentRound.Task>> times) {
    this.cluster = cluster;
    this.times = times;
    this.faults = cluster.faults;
    cluster.crews(this::crews, this::slotHolders);
  }

  /** Runs rounds by message where it can, whatever jobs cost. */
  static RoundRunner runner(SimulatedCluster cluster) {
    SimulatedJobs jobs = new SimulatedJobs(cluster);
    return new ResidentRunner(
        new SimulatedCrews(cluster, jobs::took), jobs, new JobCosts(/* areAlwaysHigh= */ true));
  }

  /** Something happens after a while. */
  void in(long nanos, Runnable event) {
    due.add(new Due(nanoTime() + nanos, events++, event));
  }

  /** Random nanoseconds. */
  long upTo(int millis) {
    return cluster.random.nextInt(millis) * MILLI;
  }

  /** Lets time pass up to a moment, and what is due happen. */
  private void passTo(long end) {
    while (!due.isEmpty() && due.peek().at() <= end) {
      Due next = due.poll();
      cluster.pass(Math.max(0, next.at() - nanoTime()));
      next.event().run();
    }
    cluster.pass(Math.max(0, end - nanoTime()));
  }

  @Override
  public long nanoTime() {
    return cluster.nanoTime();
  }

  @Override
  public void await(Object lock) throws InterruptedException {
    cluster.step();
    if (Thread.interrupted()) {
      throw new InterruptedException();
    }
    long end = nanoTime() + LOOK;
    passTo(due.isEmpty() ? end : Math.min(end, Math.max(nanoTime(), due.peek().at())));
  }

  @Override
  public Runnable open(String name, Consumer<Letter> receiver) {
    mailboxes.put(name, receiver);
    return () -> mailboxes.remove(name);
  }

  /** Who receives letters to a mailbox; null if it is closed. */
  Consumer<Letter> receiver(String mailbox) {
    return mailboxes.get(mailbox);
  }

  @Override
  public Job submit(String name, List<Executor> executors, Runnable atEnd) {
    SimulatedJob job = new SimulatedJob(name, atEnd);
    jobs.add(job);
    for (Executor executor : executors) {
      job.start(cluster.executors.machine(executor.id()));
    }
    return job;
  }

  @Override
  public Set<String> waiting() {
    Set<String> waiting = new HashSet<>();
    if (cluster.taken() != null) {
      waiting.add(cluster.taken());
    }
    jobs.stream()
        .filter(job -> job.members.stream().anyMatch(member -> !member.hasStarted()))
        .forEach(job -> waiting.add(job.name));
    return waiting;
  }

  @Override
  public Map<String, BooleanSupplier> askForSigns() {
    Map<String, BooleanSupplier> answers = new HashMap<>();
    for (String id : cluster.executors.upIds()) {
      Machine machine = cluster.executors.machine(id);
      answers.put(id, () -> !cluster.executors.hangs(machine));
    }
    return answers;
  }

  @Override
  public SimulatedCluster cluster() {
    return cluster;
  }

  @Override
  public void silent(String executorId, double seconds) {
    cluster.silent(executorId);
  }

  @Override
  public AtomicLong noCrewsUntil() {
    return noCrewsUntil;
  }

  @Override
  public void took(long round, List<ResidentRound.Task> tasks) {
    times.accept(tasks);
  }

  @Override
  public byte[] toBytes(Object work) {
    sent.add(work);
    return ByteBuffer.allocate(Integer.BYTES).putInt(sent.size() - 1).array();
  }

  @Override
  public Object result(byte[] bytes) {
    return sent.get(ByteBuffer.wrap(bytes).getInt());
  }

  private List<String> crews() {
    List<String> crews = new ArrayList<>(mailboxes.keySet());
    jobs.stream().filter(job -> !job.hasEnded).forEach(job -> crews.add(job.name));
    return crews;
  }

  private List<String> slotHolders() {
    return jobs.stream()
        .filter(job -> job.members.stream().anyMatch(SimulatedMember::hasStarted))
        .map(job -> job.name)
        .toList();
  }

  /** A crew's job. */
  final class SimulatedJob implements Job {
    private final String name;
    private final Runnable atEnd;
    private final Set<SimulatedMember> members = new HashSet<>();
    private boolean hasEnded;
    private boolean isCancelledByUser;
    private String failure;

    SimulatedJob(String name, Runnable atEnd) {
      this.name = name;
      this.atEnd = atEnd;
    }

    String name() {
      return name;
    }

    void start(Machine machine) {
      SimulatedMember member = new SimulatedMember(SimulatedCrews.this, this, machine);
      members.add(member);
      in(upTo(2000), member::start);
    }

    /** Spark runs lost tasks again. A second task on an executor only helps the first. */
    void startElsewhere() {
      List<String> up = List.copyOf(cluster.executors.upIds());
      Machine other = cluster.executors.machine(up.get(cluster.random.nextInt(up.size())));
      if (members.stream().noneMatch(member -> member.isOn(other))) {
        start(other);
      }
    }

    void left(SimulatedMember member) {
      if (members.remove(member) && members.isEmpty()) {
        end(null);
      }
    }

    void end(String reason) {
      if (!hasEnded) {
        failure = reason;
        hasEnded = true;
        members.clear();
        atEnd.run();
      }
    }

    @Override
    public boolean hasEnded() {
      return hasEnded;
    }

    @Override
    public void watch(BooleanSupplier look, Runnable atEnd) {
      in(
          LOOK,
          () -> {
            if (look.getAsBoolean()) {
              watch(look, atEnd);
            } else {
              atEnd.run();
            }
          });
    }

    @Override
    public void rethrowCancellation() {
      if (isCancelledByUser) {
        throw SimulatedCluster.cancelled();
      }
    }

    @Override
    public void check() throws CrewTrouble {
      if (!hasEnded && faults.strikes(Fault.CANCEL, 0.02)) {
        isCancelledByUser = true;
        end("cancelled");
      }
      rethrowCancellation();
      if (!hasEnded && faults.strikes(Fault.JOB_FAILS, 0.02)) {
        end("a stage failed");
      }
      if (failure != null) {
        throw new CrewTrouble("its job failed: " + failure);
      }
      if (hasEnded) {
        throw new CrewTrouble("its job ended");
      }
    }

    @Override
    public void cancel() {
      in(upTo(50), () -> end("cancelled"));
    }

    @Override
    public void close(long millis) {
      awaitEnd(millis);
      if (!hasEnded) {
        cancel();
        awaitEnd(CrewJob.LEAVING_MILLIS);
      }
    }

    private void awaitEnd(long millis) {
      long limit = nanoTime() + millis * MILLI;
      while (!hasEnded && nanoTime() < limit) {
        passTo(nanoTime() + LOOK);
      }
    }
  }
}
