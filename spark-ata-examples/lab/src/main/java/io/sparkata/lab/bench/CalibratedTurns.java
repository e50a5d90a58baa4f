package io.sparkata.lab.bench;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

/** Turns of some sides, with the executors calibrated before the first, in between, and at last. */
final class CalibratedTurns {
  private final Supplier<Map<String, Double>> calibration;
  private final Map<BenchSide, List<CalibratedRun>> calibrated = new HashMap<>();
  private final List<Map.Entry<BenchSide, SideRun>> sinceLast = new ArrayList<>();
  private Map<String, Double> last;

  /** Calibrates at once: gives rows per second by executor, empty if it cannot be measured. */
  CalibratedTurns(Supplier<Map<String, Double>> calibration) {
    this.calibration = calibration;
    last = calibration.get();
  }

  /** A turn that is over. */
  void add(BenchSide side, SideRun run) {
    sinceLast.add(Map.entry(side, run));
  }

  /** Calibrates again, for all turns since the last time. */
  void calibrate() {
    Map<String, Double> before = last;
    last = calibration.get();
    for (Map.Entry<BenchSide, SideRun> turn : sinceLast) {
      calibrated
          .computeIfAbsent(turn.getKey(), unused -> new ArrayList<>())
          .add(new CalibratedRun(turn.getValue(), before, last));
    }
    sinceLast.clear();
  }

  /** The side's turns up to the last calibration, in order. */
  List<CalibratedRun> calibrated(BenchSide side) {
    return calibrated.getOrDefault(side, List.of());
  }

  /** The same without the calibrations. */
  List<SideRun> of(BenchSide side) {
    return calibrated(side).stream().map(CalibratedRun::run).toList();
  }
}
