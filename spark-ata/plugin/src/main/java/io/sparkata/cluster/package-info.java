/** The executors as the driver sees them: live, slots, devices, demand, and the listener. */
package io.sparkata.cluster;
