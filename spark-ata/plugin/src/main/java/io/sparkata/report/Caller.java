package io.sparkata.report;

/**
 * What trains.
 *
 * @param site the method and the user's line, such as {@code SVMWithSGD.train at App.java:31}
 * @param name the same with the fit, if it is one
 * @param level how Spark stores the data, such as {@code Disk Serialized 1x Replicated}
 */
record Caller(String site, String name, String level) {}
