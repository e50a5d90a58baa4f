/** The public doors: the plugin, and the drop-in for MLlib's GradientDescent. */
package io.sparkata;
