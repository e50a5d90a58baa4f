/**
 * Data-parallel training by ring all-reduce, with the weights and the updater on every executor:
 * the decentralised training of Chao, Liao and Gao, for the benchmark {@code scripts/ata bench
 * ring}. A reproduction to measure, no way to train: members connect by plain TCP, without
 * authentication or encryption, and a lost member ends the training.
 */
package io.sparkata.lab.ring;
