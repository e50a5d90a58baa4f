/** One typed entry per {@code spark.ata.*} key; docs/configuration.md is generated from them. */
package io.sparkata.config;
