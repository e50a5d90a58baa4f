/** The rounds of a training: the plan, the run, the proof of coverage and the feedback. */
package io.sparkata.rounds;
