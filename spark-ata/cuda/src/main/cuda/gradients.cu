// Gradients of chosen rows of packed blocks. Of losses that see a row through one margin x'w the row is read from device
// memory once: its margin is summed over the threads that hold it, and its multiple is added to the thread's own part of the
// gradient while it is still in registers. Rows that are too long for registers are read again, from cache; those of
// multinomial losses more often.
//
// A launch computes the rows of many blocks (`parts`), since a block of a few MB takes less time than its launch. The rows are
// counted through all parts. Each warp, or each block of threads, takes one stretch of them.
//
// With dense rows every block of threads owns one row of `partials`, to which launches add; `sum_partials` adds them up at the
// end, in a fixed order, so that a dense result is the same each time. Sparse rows are added by atomics to rows of `partials`
// that blocks share, in no fixed order.
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

// Threads of a block, as LaunchShape.java launches it: with a dense row to each warp, or with one to all of them.
constexpr int WARP_THREADS = 128;
#ifdef HOST_CUDA
#define BLOCK_THREADS blockDim.x  // its tests launch fewer
#else
constexpr int BLOCK_THREADS = 256;
#endif

constexpr unsigned ALL_LANES = 0xffffffffu;

// Of the parameter `loss`: the order of MarginLoss.java.
constexpr int LOGISTIC = 0;
constexpr int LEAST_SQUARES = 1;
constexpr int HINGE = 2;

// A packed block and the rows of it that are computed. LaunchTable.java writes it.
struct Part {
  const void* values;     // of the kernel's type
  const double* labels;
  const int* indices;     // of sparse rows
  const int* starts;      // of sparse rows; null for dense ones
  int offset;             // of the block's row from the count through all parts, where no rows are chosen
  int end;                // number of rows of this part and all before it
};

// The first of the `count` rows that are for one of `takers`.
__device__ int stretch_start(int taker, int takers, int count) {
  return static_cast<int>(static_cast<long long>(count) * taker / takers);
}

// The part with the row that is number i.
__device__ int part_with(const Part* parts, int part_count, int i) {
  int low = 0;
  int high = part_count - 1;
  while (low < high) {
    const int middle = (low + high) / 2;
    if (i < parts[middle].end) {
      high = middle;
    } else {
      low = middle + 1;
    }
  }
  return low;
}

// A row: its part and its position there. Moves forward only.
struct Cursor {
  const Part* parts;
  const int* rows;  // the position of each row; null where no rows are chosen
  int at;

  __device__ Cursor(const Part* all, int part_count, const int* chosen, int i)
      : parts(all), rows(chosen), at(part_with(all, part_count, i)) {}

  // Returns the position of row i, after which part() is its part.
  __device__ int move(int i) {
    while (i >= parts[at].end) {
      at++;
    }
    return rows == nullptr ? i + parts[at].offset : rows[i];
  }

  __device__ const Part& part() const { return parts[at]; }

  template <typename T>
  __device__ const T* values() const {
    return static_cast<const T*>(parts[at].values);
  }
};

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

// The sums of R numbers over a warp: each lane gets the sum number lane / (WARP / R). Takes fewer shuffles than R times
// warp_sum, since lanes halve what they still add up. Changes `parts`.
template <typename T, int R>
__device__ T warp_sums(T (&parts)[R]) {
  const int lane = threadIdx.x % WARP;
  int lanes = WARP / 2;
#pragma unroll
  for (int half = R / 2; half > 0; half /= 2) {
    const bool is_upper = (lane & lanes) != 0;
#pragma unroll
    for (int r = 0; r < half; r++) {
      const T other = __shfl_xor_sync(ALL_LANES, is_upper ? parts[r] : parts[r + half], lanes);
      parts[r] = (is_upper ? parts[r + half] : parts[r]) + other;
    }
    lanes /= 2;
  }
  T sum = parts[0];
  for (; lanes > 0; lanes /= 2) {
    sum += __shfl_xor_sync(ALL_LANES, sum, lanes);
  }
  return sum;
}

// The type of a thread's sums: double for narrow rows, which are so many for each thread that floats would lose digits.
template <typename T, bool IS_NARROW>
struct Sum {
  using Type = double;
};
template <typename T>
struct Sum<T, false> {
  using Type = T;
};

// Dense rows of up to WARP * E features: a warp to R rows at a time, E features of each to a lane. The multipliers of the
// rows are computed at once, each by WARP / R lanes. Weights of dense rows are of the rows' type: a conversion for each
// product would take longer than the product.
template <typename T, int E, int R>
__device__ void dense_by_warp(const Part* parts, int part_count, const int* rows, int count, int width, const T* weights,
                              int loss, double* partials, double* losses) {
  DYNAMIC_SHARED(double, shared);  // width padded: first the weights, a T each, then the block's gradient
  T* model = reinterpret_cast<T*>(shared);
  constexpr int LANES = WARP / R;
  const int lane = threadIdx.x % WARP;
  const int warp = threadIdx.x / WARP;
  const int warps = blockDim.x / WARP;
  const int taker = blockIdx.x * warps + warp;
  const int end = stretch_start(taker + 1, gridDim.x * warps, count);
  int i = stretch_start(taker, gridDim.x * warps, count);
  for (int column = threadIdx.x; column < WARP * E; column += blockDim.x) {
    model[column] = column < width ? weights[column] : T(0);
  }
  __syncthreads();
  using G = typename Sum<T, (E <= 8)>::Type;
  G gradient[E];
#pragma unroll
  for (int e = 0; e < E; e++) {
    gradient[e] = 0;
  }
  double loss_sum = 0;
  Cursor cursor(parts, part_count, rows, i);  // of the lane's own row
  unsigned long long next_row = 0;  // address
  double next_label = 0;
  if (i < end) {
    const int row = cursor.move(min(i + lane / LANES, end - 1));
    next_row = reinterpret_cast<unsigned long long>(cursor.values<T>() + static_cast<size_t>(row) * width);
    next_label = cursor.part().labels[row];
  }
  for (; i < end; i += R) {
    T held[R][E];
#pragma unroll
    for (int r = 0; r < R; r++) {  // all of them on their way before the first is used
      const T* x = reinterpret_cast<const T*>(__shfl_sync(ALL_LANES, next_row, r * LANES));
#pragma unroll
      for (int e = 0; e < E; e++) {
        const int column = lane + WARP * e;
        held[r][e] = column < width ? x[column] : T(0);
      }
    }
    const double label = next_label;
    if (i + R < end) {
      const int row = cursor.move(min(i + R + lane / LANES, end - 1));
      next_row = reinterpret_cast<unsigned long long>(cursor.values<T>() + static_cast<size_t>(row) * width);
      next_label = cursor.part().labels[row];
    }
    T margins[R];
#pragma unroll
    for (int r = 0; r < R; r++) {
      margins[r] = 0;
    }
#pragma unroll
    for (int e = 0; e < E; e++) {
      const T weight = model[lane + WARP * e];
#pragma unroll
      for (int r = 0; r < R; r++) {
        margins[r] += held[r][e] * weight;
      }
    }
    const double margin = warp_sums<T, R>(margins);
    const bool is_row = i + lane / LANES < end;
    double own_loss = 0;
    const T own_factor = static_cast<T>(multiplier(loss, margin, label, own_loss));
    loss_sum += is_row ? own_loss : 0;
#pragma unroll
    for (int r = 0; r < R; r++) {
      const T factor = __shfl_sync(ALL_LANES, is_row ? own_factor : T(0), r * LANES);
      if (factor != 0) {
#pragma unroll
        for (int e = 0; e < E; e++) {
          gradient[e] += static_cast<G>(factor) * held[r][e];
        }
      }
    }
  }
  loss_sum = warp_sum(lane % LANES == 0 ? loss_sum : 0.0);
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

// The sum of a row's parts over a block of threads, the same in all of them. `sums` has room for one part of each warp,
// twice: those of a row are read while the next one's are written, so that `turn` must change from row to row.
template <typename T>
__device__ double block_sum(T part, double* sums, int turn) {
  const int warps = blockDim.x / WARP;
  part = warp_sum(part);
  if (threadIdx.x % WARP == 0) {
    sums[turn * warps + threadIdx.x / WARP] = part;
  }
  __syncthreads();
  double sum = 0;
  for (int warp = 0; warp < warps; warp++) {
    sum += sums[turn * warps + warp];
  }
  return sum;
}

// Dense rows of up to BLOCK_THREADS * E features: a block of so many threads to a row.
template <typename T, int E>
__device__ void dense_by_block(const Part* parts, int part_count, const int* rows, int count, int width, const T* weights,
                               int loss, double* partials, double* losses) {
  DYNAMIC_SHARED(double, sums);
  T gradient[E];
#pragma unroll
  for (int e = 0; e < E; e++) {
    gradient[e] = 0;
  }
  double loss_sum = 0;
  int turn = 0;
  const int end = stretch_start(blockIdx.x + 1, gridDim.x, count);
  int i = stretch_start(blockIdx.x, gridDim.x, count);
  for (Cursor cursor(parts, part_count, rows, i); i < end; i++) {
    const int row = cursor.move(i);
    const T* x = cursor.values<T>() + static_cast<size_t>(row) * width;
    T held[E];
#pragma unroll
    for (int e = 0; e < E; e++) {  // all of them on their way before the first is used
      const int column = threadIdx.x + BLOCK_THREADS * e;
      held[e] = column < width ? x[column] : T(0);
    }
    T part = 0;
#pragma unroll
    for (int e = 0; e < E; e++) {
      const int column = threadIdx.x + BLOCK_THREADS * e;
      part += held[e] * (column < width ? weights[column] : T(0));
    }
    const double margin = block_sum(part, sums, turn);
    turn = 1 - turn;
    const T factor = static_cast<T>(multiplier(loss, margin, cursor.part().labels[row], loss_sum));
    if (factor != 0) {
#pragma unroll
      for (int e = 0; e < E; e++) {
        gradient[e] += factor * held[e];
      }
    }
  }
#pragma unroll
  for (int e = 0; e < E; e++) {
    const int column = threadIdx.x + BLOCK_THREADS * e;
    if (column < width) {
      partials[static_cast<size_t>(blockIdx.x) * width + column] += gradient[e];
    }
  }
  if (threadIdx.x == 0) {
    losses[blockIdx.x] += loss_sum;
  }
}

// Dense rows of any length: a block of threads to a row. The second look at the row finds it in cache; the block's gradient
// stays in device memory. E is not used.
template <typename T, int E>
__device__ void dense_wide(const Part* parts, int part_count, const int* rows, int count, int width, const T* weights,
                           int loss, double* partials, double* losses) {
  DYNAMIC_SHARED(double, sums);
  double* gradient = partials + static_cast<size_t>(blockIdx.x) * width;
  double loss_sum = 0;
  int turn = 0;
  const int end = stretch_start(blockIdx.x + 1, gridDim.x, count);
  int i = stretch_start(blockIdx.x, gridDim.x, count);
  for (Cursor cursor(parts, part_count, rows, i); i < end; i++) {
    const int row = cursor.move(i);
    const T* x = cursor.values<T>() + static_cast<size_t>(row) * width;
    T part = 0;
    for (int column = threadIdx.x; column < width; column += blockDim.x) {
      part += x[column] * weights[column];
    }
    const double margin = block_sum(part, sums, turn);
    turn = 1 - turn;
    const double factor = multiplier(loss, margin, cursor.part().labels[row], loss_sum);
    if (factor != 0) {
      for (int column = threadIdx.x; column < width; column += blockDim.x) {
        gradient[column] += factor * x[column];
      }
    }
  }
  if (threadIdx.x == 0) {
    losses[blockIdx.x] += loss_sum;
  }
}

// Sparse rows: a warp to a row. The second look at the row's non-zeros finds them in cache.
template <typename T>
__device__ void sparse_by_warp(const Part* parts, int part_count, const int* rows, int count, int width, int copies,
                               const double* weights, int loss, double* partials, double* losses) {
  const int lane = threadIdx.x % WARP;
  const int warps = blockDim.x / WARP;
  const int taker = blockIdx.x * warps + threadIdx.x / WARP;
  const int end = stretch_start(taker + 1, gridDim.x * warps, count);
  int i = stretch_start(taker, gridDim.x * warps, count);
  double* gradient = partials + static_cast<size_t>(blockIdx.x % copies) * width;
  double loss_sum = 0;
  for (Cursor cursor(parts, part_count, rows, i); i < end; i++) {
    const int row = cursor.move(i);
    const T* values = cursor.values<T>();
    const int* indices = cursor.part().indices;
    const int row_end = cursor.part().starts[row + 1];
    double margin = 0;
    for (int k = cursor.part().starts[row] + lane; k < row_end; k += WARP) {
      margin += values[k] * weights[indices[k]];
    }
    margin = warp_sum(margin);
    const double factor = multiplier(loss, margin, cursor.part().labels[row], loss_sum);
    if (factor != 0 || loss != HINGE) {  // 0 times infinity must show, but for the hinge
      for (int k = cursor.part().starts[row] + lane; k < row_end; k += WARP) {
        atomicAdd(gradient + indices[k], factor * values[k]);
      }
    }
  }
  if (lane == 0) {
    atomicAdd(losses + blockIdx.x, loss_sum);
  }
}

// Of multinomial logistic losses, in two steps, since a row has a factor for each class but the first: a row's margins and
// factors, a warp to a row, `classes` of them side by side; then the sums. Both steps compute `count` rows from `from` on, as
// many as there is room for factors. MLlib leaves values of 0 out of its sums, which shows where a margin is not finite: then
// the loss is not a number, and the caller computes elsewhere.
template <typename T>
__device__ void class_factors(const Part* parts, int part_count, const int* rows, int from, int count, int width,
                              int classes, const double* weights, double* factors, double* losses) {
  const int lane = threadIdx.x % WARP;
  const int warps = blockDim.x / WARP;
  const int taker = blockIdx.x * warps + threadIdx.x / WARP;
  const int end = stretch_start(taker + 1, gridDim.x * warps, count);
  int i = stretch_start(taker, gridDim.x * warps, count);
  double loss_sum = 0;
  for (Cursor cursor(parts, part_count, rows, from + i); i < end; i++) {
    const int row = cursor.move(from + i);
    const T* values = cursor.values<T>();
    const int* indices = cursor.part().indices;
    const int* starts = cursor.part().starts;
    const size_t begin = starts == nullptr ? static_cast<size_t>(row) * width : starts[row];
    const int length = starts == nullptr ? width : starts[row + 1] - starts[row];
    double* own = factors + static_cast<size_t>(i) * classes;  // a lane reads what it wrote itself, only
    const double label = cursor.part().labels[row];
    double shift = 0;
    double of_label = 0;
    bool is_finite = true;
    for (int k = 0; k < classes; k++) {
      double margin = 0;
      for (int at = lane; at < length; at += WARP) {
        const int column = starts == nullptr ? at : indices[begin + at];
        margin += values[begin + at] * weights[static_cast<size_t>(k) * width + column];
      }
      margin = warp_sum(margin);
      is_finite = is_finite && margin - margin == 0;
      shift = margin > shift ? margin : shift;
      of_label = label >= k + 1 && label < k + 2 ? margin : of_label;
      if (lane == k % WARP) {
        own[k] = margin;
      }
    }
    double powers = 0;  // of all classes, the first one with margin 0, but for a largest, whose power is 1
    double largest = 0;
    for (int k = lane; k < classes; k += WARP) {
      const bool is_largest = own[k] == shift;
      largest += is_largest ? 1 : 0;
      own[k] = exp(own[k] - shift);
      powers += is_largest ? 0 : own[k];
    }
    powers = warp_sum(powers) + (warp_sum(largest) - (shift > 0 ? 1 : 0)) + (shift > 0 ? exp(-shift) : 0);
    for (int k = lane; k < classes; k += WARP) {
      own[k] = own[k] / (powers + 1) - (label == k + 1 ? 1 : 0);
    }
    loss_sum += log1p(powers) + shift - (label > 0 ? of_label : 0) + (is_finite ? 0 : nan(""));
  }
  for (int turn = 0; turn < warps; turn++) {  // one warp after the other, for a fixed order
    __syncthreads();
    if (turn * WARP == static_cast<int>(threadIdx.x)) {
      losses[blockIdx.x] += loss_sum;
    }
  }
}

// Dense rows times their factors: a block of threads to a stretch of rows, a thread to a column, C classes at a time.
template <typename T, int C>
__device__ void dense_classes(const Part* parts, int part_count, const int* rows, int from, int count, int width,
                              int classes, const double* factors, double* partials) {
  const int start = stretch_start(blockIdx.x, gridDim.x, count);
  const int end = stretch_start(blockIdx.x + 1, gridDim.x, count);
  const Cursor first(parts, part_count, rows, from + start);
  double* gradient = partials + static_cast<size_t>(blockIdx.x) * classes * width;
  for (int k = 0; k < classes; k += C) {
    for (int column = threadIdx.x; column < width; column += blockDim.x) {
      double sum[C];
#pragma unroll
      for (int c = 0; c < C; c++) {
        sum[c] = 0;
      }
      Cursor cursor = first;
      for (int i = start; i < end; i++) {
        const int row = cursor.move(from + i);
        const double x = cursor.values<T>()[static_cast<size_t>(row) * width + column];
#pragma unroll
        for (int c = 0; c < C; c++) {
          sum[c] += k + c < classes ? factors[static_cast<size_t>(i) * classes + k + c] * x : 0;
        }
      }
#pragma unroll
      for (int c = 0; c < C; c++) {
        if (k + c < classes) {
          gradient[static_cast<size_t>(k + c) * width + column] += sum[c];
        }
      }
    }
  }
}

// Sparse rows times their factors: a warp to a row.
template <typename T>
__device__ void sparse_classes(const Part* parts, int part_count, const int* rows, int from, int count, int width,
                               int classes, int copies, const double* factors, double* partials) {
  const int warps = blockDim.x / WARP;
  const int taker = blockIdx.x * warps + threadIdx.x / WARP;
  const int end = stretch_start(taker + 1, gridDim.x * warps, count);
  int i = stretch_start(taker, gridDim.x * warps, count);
  double* gradient = partials + static_cast<size_t>(blockIdx.x % copies) * classes * width;
  for (Cursor cursor(parts, part_count, rows, from + i); i < end; i++) {
    const int row = cursor.move(from + i);
    const T* values = cursor.values<T>();
    const int* indices = cursor.part().indices;
    const int row_end = cursor.part().starts[row + 1];
    for (int at = cursor.part().starts[row] + static_cast<int>(threadIdx.x) % WARP; at < row_end; at += WARP) {
      for (int k = 0; k < classes; k++) {
        atomicAdd(gradient + static_cast<size_t>(k) * width + indices[at],
                  factors[static_cast<size_t>(i) * classes + k] * values[at]);
      }
    }
  }
}

}  // namespace gradients

using namespace gradients;

#define DENSE(name, bounds, type, ...)                                                                                  \
  extern "C" __global__ void bounds name(const Part* parts, int part_count, const int* rows, int count, int width,      \
                                         const type* weights, int loss, double* partials, double* losses) {            \
    __VA_ARGS__(parts, part_count, rows, count, width, weights, loss, partials, losses);                                \
  }

// By how many blocks a multiprocessor is to hold at once, as LaunchShape.java launches them.
#define DENSE_OF(type)                                                                               \
  DENSE(dense_##type##_warp_1, __launch_bounds__(WARP_THREADS, 8), type, dense_by_warp<type, 1, 8>)  \
  DENSE(dense_##type##_warp_2, __launch_bounds__(WARP_THREADS, 6), type, dense_by_warp<type, 2, 8>)  \
  DENSE(dense_##type##_warp_4, __launch_bounds__(WARP_THREADS, 4), type, dense_by_warp<type, 4, 8>)  \
  DENSE(dense_##type##_warp_8, __launch_bounds__(WARP_THREADS, 4), type, dense_by_warp<type, 8, 4>)  \
  DENSE(dense_##type##_warp_16, __launch_bounds__(WARP_THREADS, 4), type, dense_by_warp<type, 16, 1>) \
  DENSE(dense_##type##_warp_32, __launch_bounds__(WARP_THREADS, 2), type, dense_by_warp<type, 32, 1>) \
  DENSE(dense_##type##_block_8, __launch_bounds__(BLOCK_THREADS, 4), type, dense_by_block<type, 8>)  \
  DENSE(dense_##type##_block_16, __launch_bounds__(BLOCK_THREADS, 2), type, dense_by_block<type, 16>) \
  DENSE(dense_##type##_block_32, __launch_bounds__(BLOCK_THREADS), type, dense_by_block<type, 32>)   \
  DENSE(dense_##type##_wide, __launch_bounds__(BLOCK_THREADS), type, dense_wide<type, 0>)

DENSE_OF(double)
DENSE_OF(float)

#define OTHERS_OF(type)                                                                                                  \
  extern "C" __global__ void sparse_##type(const Part* parts, int part_count, const int* rows, int count, int width,     \
                                           int copies, const double* weights, int loss, double* partials,               \
                                           double* losses) {                                                             \
    sparse_by_warp<type>(parts, part_count, rows, count, width, copies, weights, loss, partials, losses);                \
  }                                                                                                                      \
  extern "C" __global__ void class_factors_##type(const Part* parts, int part_count, const int* rows, int from,          \
                                                  int count, int width, int classes, const double* weights,              \
                                                  double* factors, double* losses) {                                     \
    class_factors<type>(parts, part_count, rows, from, count, width, classes, weights, factors, losses);                 \
  }                                                                                                                      \
  extern "C" __global__ void dense_classes_##type(const Part* parts, int part_count, const int* rows, int from,          \
                                                  int count, int width, int classes, const double* factors,              \
                                                  double* partials) {                                                    \
    dense_classes<type, 8>(parts, part_count, rows, from, count, width, classes, factors, partials);                     \
  }                                                                                                                      \
  extern "C" __global__ void sparse_classes_##type(const Part* parts, int part_count, const int* rows, int from,         \
                                                   int count, int width, int classes, int copies,                        \
                                                   const double* factors, double* partials) {                            \
    sparse_classes<type>(parts, part_count, rows, from, count, width, classes, copies, factors, partials);               \
  }

OTHERS_OF(double)
OTHERS_OF(float)

// The sum of `copies` rows of `partials`, a block of threads to as many features as a warp has lanes: each of its warps adds
// up some of the copies, and the first one what the warps have, in their order.
extern "C" __global__ void sum_partials(const double* partials, int copies, int width, double* gradient) {
  DYNAMIC_SHARED(double, sums);  // one of each thread
  const int column = blockIdx.x * WARP + threadIdx.x % WARP;
  const int warps = blockDim.x / WARP;
  double sum = 0;
  if (column < width) {
#pragma unroll 8
    for (int copy = threadIdx.x / WARP; copy < copies; copy += warps) {
      sum += partials[static_cast<size_t>(copy) * width + column];
    }
  }
  sums[threadIdx.x] = sum;
  __syncthreads();
  if (threadIdx.x < WARP && column < width) {
    for (int warp = 1; warp < warps; warp++) {
      sum += sums[warp * WARP + threadIdx.x];
    }
    gradient[column] = sum;
  }
}
