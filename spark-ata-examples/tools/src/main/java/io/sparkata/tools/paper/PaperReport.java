package io.sparkata.tools.paper;

import java.util.List;
import java.util.Locale;

/**
 * The report in Markdown. It holds nothing of the machine, so the same command writes the same
 * report.
 *
 * @param command that writes it
 * @param cnnCommand that made the loss curve, or what is known of it
 */
record PaperReport(String command, String version, long rounds, long seed, String cnnCommand) {

  /** The whole text. */
  String text(
      PosterTable poster,
      List<List<Experiment>> figures,
      List<Experiment> mixed,
      CnnReplay replay) {
    StringBuilder text = new StringBuilder();
    text.append(head()).append(posterSection(poster));
    text.append(figureHead());
    for (List<Experiment> figure : figures) {
      text.append(figureSection(figure));
    }
    text.append(mixedSection(mixed)).append(cnnSection(replay)).append(OPEN_POINTS);
    return text.toString();
  }

  private static final String OPEN_POINTS =
      """
      ## Where the sources leave a choice

      - Width constants differ between the posters and the authors' runs. Used here: those of the runs,
        `ata` with 4e and alpha = 2 max mu_i, `ata-empirical` with 4e and eta = 2.
      - Times: c_i + Exp(mean c_i) as in the runs; the first poster names plain exponential times.
      - Which law Figure 1 shows: both candidates are above.
      - Gradient noise: 0.001; one source has 0.01.
      - The mixed laws: that every mean is c, and the shapes of the log-normal and the gamma law.
      - Axes: all logarithmic here; the sources do not say.
      - `adaptive` is this project's own policy and no part of the paper.
      """;

  private String head() {
    return String.format(
        Locale.ROOT,
        """
        # The paper's experiments, run again

        Made by `%s` (Spark ATA %s, seed %d) on the simulator of `io.sparkata.simulation`; written by the program, not by
        hand. Paper: Maranjyan, Saad, Richtárik, Orabona, ICML 2025, arXiv 2502.00775. Everywhere B = %d. A round of an
        allocator lasts as long as its slowest worker; worker time is the sum of all task times, under greedy all workers
        for the whole runtime. Times are in the unit of the laws; the CSV files hold sums over all rounds so far.

        """,
        command,
        version,
        seed,
        Experiment.BATCH);
  }

  private static String posterSection(PosterTable poster) {
    String verdict =
        !poster.isComparable()
            ? "The poster ran 750,000 rounds: run as many to compare."
            : poster.isMet()
                ? "All published figures are met within 1 %."
                : "Not all published figures are met within 1 %.";
    return String.format(
            Locale.ROOT,
            """
            ## The poster's table

            Times c_i + Exp(mean c_i), c_i = 29 i, n = %d, after %,d rounds. Published: the ends of the poster's curves, read off
            its figure. %s

            """,
            PosterTable.WORKERS,
            poster.round(),
            verdict)
        + poster.markdown()
        + "\n";
  }

  private String figureHead() {
    return String.format(
        Locale.ROOT,
        """
        ## Figure 1

        SGD on f(x) = x'Ax/2 - b'x, A = tridiag(-1, 2, -1)/4, b = (-1, 0, ..., 0)/4, d = %d, from (sqrt(d), 0, ..., 0), step
        %s, noise %s on each coordinate of each of the B gradients; %,d rounds. The path depends on the round alone, so one
        path serves all methods ([quadratic.csv](quadratic.csv)). Columns: runtime and worker time against suboptimality,
        average iteration time C_k / k, averaged proxy regret (none for greedy, which does not allocate; 0 for
        optimal-fixed, off a logarithmic axis).

        """,
        Quadratic.DIMENSION,
        Quadratic.STEP,
        Quadratic.NOISE,
        rounds);
  }

  private static String figureSection(List<Experiment> figure) {
    String law = figure.get(0).law();
    String c = law.equals("sqrt") ? "29 sqrt(i)" : "29 i";
    String stem = "figure1-" + law;
    return "### c_i = " + c + "\n\n" + image(stem) + ends(figure);
  }

  private static String mixedSection(List<Experiment> mixed) {
    return """
    ## Mixed laws

    Exponential, uniform, half-normal, log-normal and gamma times in turn, c = 29 (5g + 1) in the g-th group of five.

    """
        + image("mixed")
        + ends(mixed);
  }

  private String cnnSection(CnnReplay replay) {
    return String.format(
            Locale.ROOT,
            """
            ## A CNN's loss against the allocators' clocks

            The allocator never looks at the model, so one real loss curve can be replayed against any clock: here that of
            c_i = 29 i, n = %d. The network is the poster's (convolutions of 16, 32 and 64 filters, 128 hidden units, Adam 8e-5,
            B = %d), but the images are Fashion-MNIST's (28 x 28 x 1, 10 classes), not CIFAR-100's. The curve
            ([cnn-loss.csv](cnn-loss.csv), mean training loss of each 100 updates; where it comes from:
            [cnn-loss.json](cnn-loss.json)) ends where the training ended, at update %,d; it is replayed up to update %,d, the
            poster's up to 750,000. Made by: %s.

            Runtime, 1e6, until the training loss is first reached; between recorded rounds the clocks are taken as straight lines:

            """,
            replay.experiment().workers(),
            Experiment.BATCH,
            replay.losses().updates(),
            replay.lastUpdate(),
            cnnCommand)
        + replay.markdown()
        + "\n"
        + image("cnn");
  }

  private static String image(String stem) {
    return String.format(
        Locale.ROOT, "![%s](%s.png)\n\n[SVG](%s.svg), [CSV](%s.csv)\n\n", stem, stem, stem, stem);
  }

  /** Runtime and work at the last round, over those of optimal-fixed. */
  private static String ends(List<Experiment> experiments) {
    StringBuilder text =
        new StringBuilder("Runtime (and worker time) after all rounds, over optimal-fixed's:\n\n");
    text.append("| n |");
    for (Method method : Method.values()) {
      text.append(' ').append(method.label()).append(" |");
    }
    text.append("\n|---|").append("---|".repeat(Method.values().length)).append('\n');
    for (Experiment experiment : experiments) {
      Curve.Point fixed = experiment.curve(Method.OPTIMAL_FIXED).last();
      text.append("| ").append(experiment.workers()).append(" |");
      for (Method method : Method.values()) {
        Curve.Point end = experiment.curve(method).last();
        text.append(
            String.format(
                Locale.ROOT,
                " %.3f (%.3f) |",
                end.runtime() / fixed.runtime(),
                end.workerTime() / fixed.workerTime()));
      }
      text.append('\n');
    }
    return text.append('\n').toString();
  }
}
