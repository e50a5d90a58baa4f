/**
 * The report of each training: what it gained or why MLlib ran it. Plain computation from what
 * rounds and listeners measure; only {@link io.sparkata.report.Reporter} logs. Driver only.
 */
package io.sparkata.report;
