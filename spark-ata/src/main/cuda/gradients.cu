// Gradients of chosen rows of a packed block, for losses that see a row through its margin x'w only: the row is read from
// device memory once, its margin is summed over the threads that hold it, and its multiple is added to the thread's own part
// of the gradient while it is still in registers.
//
// Every block of threads owns one row of `partials`, to which launches add; `sum_partials` adds them up at the end, in a
// fixed order, so that a dense result is the same each time. Sparse rows are added by atomics, whose order is not fixed.
//
// Compiled to PTX by scripts/compile-gpu-kernels, and for the host, with src/test/cuda/host_cuda.h in place of CUDA, by tests.

#ifdef HOST_CUDA
#include "host_cuda.h"
#else
extern __shared__ __align__(16) unsigned char shared_bytes[];
#define DYNAMIC_SHARED(type, name) type* name = reinterpret_cast<type*>(shared_bytes)
#endif

namespace gradients {

constexpr int WARP = 32;
constexpr unsigned ALL_LANES = 0xffffffffu;

// Of the parameter `loss`: the order of MarginLoss.java.
constexpr int LOGISTIC = 0;
constexpr int LEAST_SQUARES = 1;
constexpr int HINGE = 2;

// The factor of a row in the gradient; adds its loss. MLlib's formulas, with one power and no overflow.
__device__ double multiplier(int loss, double margin, double label, double& loss_sum) {
  if (loss == LOGISTIC) {
    const double power = exp(-fabs(margin));
    const double of_positive = (margin < 0 ? -margin : margin == margin ? 0.0 : margin) + log1p(power);
    loss_sum += label > 0 ? of_positive : of_positive + margin;
    return (margin < 0 ? power : 1.0) / (1.0 + power) - label;
  }
  if (loss == LEAST_SQUARES) {
    const double difference = margin - label;
    loss_sum += difference * difference / 2;
    return difference;
  }
  const double sign = 2 * label - 1;
  if (!(1 > sign * margin)) {
    return 0;
  }
  loss_sum += 1 - sign * margin;
  return -sign;
}

// The sum over a warp, the same in all of its lanes.
template <typename T>
__device__ T warp_sum(T value) {
  for (int lanes = WARP / 2; lanes > 0; lanes /= 2) {
    value += __shfl_xor_sync(ALL_LANES, value, lanes);
  }
  return value;
}

// Dense rows of up to WARP * E features: a warp to a row, E features to a lane.
template <typename T, int E>
__device__ void dense_by_warp(const T* values, const double* labels, const int* rows, int first, int count, int width,
                              const double* weights, int loss, double* partials, double* losses) {
  DYNAMIC_SHARED(double, shared);  // width padded: first the weights, then the block's gradient
  const int lane = threadIdx.x % WARP;
  const int warp = threadIdx.x / WARP;
  const int warps = blockDim.x / WARP;
  for (int column = threadIdx.x; column < WARP * E; column += blockDim.x) {
    shared[column] = column < width ? weights[column] : 0;
  }
  __syncthreads();
  T gradient[E];
#pragma unroll
  for (int e = 0; e < E; e++) {
    gradient[e] = 0;
  }
  double loss_sum = 0;
  for (int i = blockIdx.x * warps + warp; i < count; i += gridDim.x * warps) {
    const int row = rows == nullptr ? first + i : rows[i];
    const T* x = values + static_cast<size_t>(row) * width;
    T held[E];
#pragma unroll
    for (int e = 0; e < E; e++) {
      const int column = lane + WARP * e;
      held[e] = column < width ? x[column] : T(0);
    }
    T margin = 0;
#pragma unroll
    for (int e = 0; e < E; e++) {
      margin += held[e] * static_cast<T>(shared[lane + WARP * e]);
    }
    margin = warp_sum(margin);
    const T factor = static_cast<T>(multiplier(loss, margin, labels[row], loss_sum));
    if (factor != 0) {
#pragma unroll
      for (int e = 0; e < E; e++) {
        gradient[e] += factor * held[e];
      }
    }
  }
  __syncthreads();
  for (int column = threadIdx.x; column < width; column += blockDim.x) {
    shared[column] = 0;
  }
  for (int turn = 0; turn < warps; turn++) {  // one warp after the other, for a fixed order
    __syncthreads();
    if (turn == warp) {
#pragma unroll
      for (int e = 0; e < E; e++) {
        const int column = lane + WARP * e;
        if (column < width) {
          shared[column] += gradient[e];
        }
      }
      if (lane == 0) {
        losses[blockIdx.x] += loss_sum;
      }
    }
  }
  __syncthreads();
  for (int column = threadIdx.x; column < width; column += blockDim.x) {
    partials[static_cast<size_t>(blockIdx.x) * width + column] += shared[column];
  }
}

// Dense rows of up to blockDim.x * E features: a block of threads to a row.
template <typename T, int E>
__device__ void dense_by_block(const T* values, const double* labels, const int* rows, int first, int count, int width,
                               const double* weights, int loss, double* partials, double* losses) {
  DYNAMIC_SHARED(double, sums);  // one for each warp, twice: a row's sums are read while the next one's are written
  const int lane = threadIdx.x % WARP;
  const int warp = threadIdx.x / WARP;
  const int warps = blockDim.x / WARP;
  T gradient[E];
#pragma unroll
  for (int e = 0; e < E; e++) {
    gradient[e] = 0;
  }
  double loss_sum = 0;
  int turn = 0;
  for (int i = blockIdx.x; i < count; i += gridDim.x) {
    const int row = rows == nullptr ? first + i : rows[i];
    const T* x = values + static_cast<size_t>(row) * width;
    T held[E];
    T part = 0;
#pragma unroll
    for (int e = 0; e < E; e++) {
      const int column = threadIdx.x + blockDim.x * e;
      held[e] = column < width ? x[column] : T(0);
      part += column < width ? held[e] * static_cast<T>(weights[column]) : T(0);
    }
    part = warp_sum(part);
    if (lane == 0) {
      sums[turn * warps + warp] = part;
    }
    __syncthreads();
    double margin = 0;
    for (int other = 0; other < warps; other++) {
      margin += sums[turn * warps + other];
    }
    turn = 1 - turn;
    double row_loss = 0;
    const T factor = static_cast<T>(multiplier(loss, margin, labels[row], row_loss));
    loss_sum += row_loss;
    if (factor != 0) {
#pragma unroll
      for (int e = 0; e < E; e++) {
        gradient[e] += factor * held[e];
      }
    }
  }
#pragma unroll
  for (int e = 0; e < E; e++) {
    const int column = threadIdx.x + blockDim.x * e;
    if (column < width) {
      partials[static_cast<size_t>(blockIdx.x) * width + column] += gradient[e];
    }
  }
  if (threadIdx.x == 0) {
    losses[blockIdx.x] += loss_sum;
  }
}

// Sparse rows: a warp to a row. The second look at the row's non-zeros finds them in cache.
template <typename T>
__device__ void sparse_by_warp(const T* values, const int* indices, const int* starts, const double* labels, const int* rows,
                               int first, int count, int width, int copies, const double* weights, int loss,
                               double* partials, double* losses) {
  const int lane = threadIdx.x % WARP;
  const int warps = blockDim.x / WARP;
  double* gradient = partials + static_cast<size_t>(blockIdx.x % copies) * width;
  double loss_sum = 0;
  for (int i = blockIdx.x * warps + threadIdx.x / WARP; i < count; i += gridDim.x * warps) {
    const int row = rows == nullptr ? first + i : rows[i];
    const int end = starts[row + 1];
    double margin = 0;
    for (int k = starts[row] + lane; k < end; k += WARP) {
      margin += values[k] * weights[indices[k]];
    }
    margin = warp_sum(margin);
    const double factor = multiplier(loss, margin, labels[row], loss_sum);
    if (factor != 0 || loss != HINGE) {  // 0 times infinity must show, but for the hinge
      for (int k = starts[row] + lane; k < end; k += WARP) {
        atomicAdd(gradient + indices[k], factor * values[k]);
      }
    }
  }
  if (lane == 0) {
    atomicAdd(losses + blockIdx.x, loss_sum);
  }
}

}  // namespace gradients

using namespace gradients;

#define DENSE(name, way, type, features)                                                                                  \
  extern "C" __global__ void name(const type* values, const double* labels, const int* rows, int first, int count,       \
                                  int width, const double* weights, int loss, double* partials, double* losses) {        \
    way<type, features>(values, labels, rows, first, count, width, weights, loss, partials, losses);                      \
  }

#define DENSE_OF(type)                                 \
  DENSE(dense_##type##_warp_1, dense_by_warp, type, 1)   \
  DENSE(dense_##type##_warp_2, dense_by_warp, type, 2)   \
  DENSE(dense_##type##_warp_4, dense_by_warp, type, 4)   \
  DENSE(dense_##type##_warp_8, dense_by_warp, type, 8)   \
  DENSE(dense_##type##_warp_16, dense_by_warp, type, 16) \
  DENSE(dense_##type##_warp_32, dense_by_warp, type, 32) \
  DENSE(dense_##type##_block_8, dense_by_block, type, 8) \
  DENSE(dense_##type##_block_16, dense_by_block, type, 16) \
  DENSE(dense_##type##_block_32, dense_by_block, type, 32)

DENSE_OF(double)
DENSE_OF(float)

#define SPARSE_OF(type)                                                                                                    \
  extern "C" __global__ void sparse_##type(const type* values, const int* indices, const int* starts,                      \
                                           const double* labels, const int* rows, int first, int count, int width,         \
                                           int copies, const double* weights, int loss, double* partials,                  \
                                           double* losses) {                                                               \
    sparse_by_warp<type>(values, indices, starts, labels, rows, first, count, width, copies, weights, loss, partials,      \
                         losses);                                                                                          \
  }

SPARSE_OF(double)
SPARSE_OF(float)

// The sum of `copies` rows of `partials`, a thread to a feature.
extern "C" __global__ void sum_partials(const double* partials, int copies, int width, double* gradient) {
  const int column = blockIdx.x * blockDim.x + threadIdx.x;
  if (column < width) {
    double sum = 0;
    for (int copy = 0; copy < copies; copy++) {
      sum += partials[static_cast<size_t>(copy) * width + column];
    }
    gradient[column] = sum;
  }
}
