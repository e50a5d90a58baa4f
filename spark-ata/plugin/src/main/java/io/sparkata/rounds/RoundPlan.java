package io.sparkata.rounds;

import io.sparkata.cluster.Members;
import io.sparkata.placement.PlacementPlan;
import io.sparkata.report.LackingMemory;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * The plan of a round.
 *
 * @param units per member
 * @param budget their sum
 * @param lacking the executor whose memory cuts its count most, if any does
 * @param placement which rows each member reads
 * @param tasks one per used slot
 * @param trials one for each executor of unknown speed, if the round takes trials: its sum does not
 *     count, and the round does not wait for it
 * @param contended executors that serve blocks to others in this round, so that their times say
 *     little about their speed
 * @param allocateNanos the policy's time
 * @param placeNanos the time of the rest of the planning
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
public record RoundPlan(
    int[] units,
    int budget,
    Optional<LackingMemory> lacking,
    PlacementPlan placement,
    List<RoundTask> tasks,
    List<RoundTask> trials,
    Set<String> contended,
    long allocateNanos,
    long placeNanos) {

  /** The executors of the round. */
  public Members members() {
    return placement.members();
  }

  /** Slots of an executor; 1 of one that is no member. */
  public int slots(String executorId) {
    int position = members().position(executorId);
    return position < 0 ? 1 : members().get(position).slots();
  }

  /** Members that read rows. */
  long readers() {
    return placement.spans().stream().filter(spans -> !spans.isEmpty()).count();
  }

  /** Whether executors fetch or drop blocks in it. */
  boolean movesBlocks() {
    return !placement.fetches().isEmpty()
        || !placement.moves().isEmpty()
        || tasks.stream().anyMatch(task -> !task.stale().isEmpty());
  }
}
