/**
 * The rounds of a training: which executors take part, the plan, the run, the proof of coverage and
 * the feedback.
 */
package io.sparkata.rounds;
