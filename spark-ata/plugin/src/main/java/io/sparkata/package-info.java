/** The public entry points: the plugin, and the replacement for MLlib's GradientDescent. */
package io.sparkata;
