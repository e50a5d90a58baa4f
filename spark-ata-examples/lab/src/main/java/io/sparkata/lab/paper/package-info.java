/**
 * The ATA paper's experiments (arXiv 2502.00775) on the simulator: {@link
 * io.sparkata.lab.paper.ReproducePaper} runs them and writes tables, figures and a report.
 */
package io.sparkata.lab.paper;
