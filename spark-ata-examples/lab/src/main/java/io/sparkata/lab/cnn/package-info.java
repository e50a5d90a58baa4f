/**
 * A small convolutional network in plain Java, trained for one real loss curve: {@link
 * io.sparkata.lab.cnn.TrainCnn}. The allocator never looks at the model, so that curve can be
 * replayed against any allocator's clock. One thread; on one kind of machine the same seed gives
 * the same curve.
 */
package io.sparkata.lab.cnn;
