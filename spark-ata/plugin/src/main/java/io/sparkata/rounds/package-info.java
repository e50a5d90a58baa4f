/** One round after the other: who takes part, the plan, the run, the proof and the feedback. */
package io.sparkata.rounds;
