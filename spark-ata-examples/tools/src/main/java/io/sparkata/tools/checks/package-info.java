/** Applications that checks submit to a cluster, as any user's. */
package io.sparkata.tools.checks;
