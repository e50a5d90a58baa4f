/**
 * Which executor reads which rows, which replicas there are, and what a move costs. Driver only.
 */
package io.sparkata.placement;
