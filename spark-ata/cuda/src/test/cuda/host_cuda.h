// The part of CUDA that gradients.cu uses, on the host: each thread of a block is a thread, and blocks run one by one.
#pragma once

#include <algorithm>
#include <atomic>
#include <barrier>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <thread>
#include <vector>

#define __global__
#define __device__
#define __restrict__
#define __launch_bounds__(...)

using std::exp;
using std::fabs;
using std::log1p;
using std::min;
using std::nan;

struct Dim {
  int x = 1;
};

inline thread_local Dim threadIdx;
inline thread_local Dim blockIdx;
inline Dim blockDim;
inline Dim gridDim;

namespace host_cuda {

constexpr int LANES = 32;

inline std::vector<double> shared;
inline std::unique_ptr<std::barrier<>> block_barrier;
inline std::vector<std::unique_ptr<std::barrier<>>> warp_barriers;
inline std::vector<std::uint64_t> exchanged;

// Runs kernel() as threads of `blocks` blocks of `threads`, a multiple of the lanes of a warp.
template <typename Kernel>
void launch(int blocks, int threads, std::size_t shared_doubles, Kernel kernel) {
  gridDim.x = blocks;
  blockDim.x = threads;
  shared.assign(shared_doubles, std::nan(""));  // as undefined as on a device
  exchanged.assign(threads, 0);
  block_barrier = std::make_unique<std::barrier<>>(threads);
  warp_barriers.clear();
  for (int warp = 0; warp < threads / LANES; warp++) {
    warp_barriers.push_back(std::make_unique<std::barrier<>>(LANES));
  }
  std::vector<std::thread> running;
  for (int thread = 0; thread < threads; thread++) {
    running.emplace_back([=] {
      threadIdx.x = thread;
      for (int block = 0; block < blocks; block++) {
        blockIdx.x = block;
        kernel();
        block_barrier->arrive_and_wait();
      }
    });
  }
  for (std::thread& one : running) {
    one.join();
  }
}

}  // namespace host_cuda

#define DYNAMIC_SHARED(type, name) type* name = reinterpret_cast<type*>(host_cuda::shared.data())

inline void __syncthreads() { host_cuda::block_barrier->arrive_and_wait(); }

namespace host_cuda {

// The value of another thread of the same warp.
template <typename T>
T exchange(T value, int thread) {
  static_assert(sizeof(T) <= sizeof(std::uint64_t));
  std::barrier<>& barrier = *warp_barriers[threadIdx.x / LANES];
  std::memcpy(&exchanged[threadIdx.x], &value, sizeof(T));
  barrier.arrive_and_wait();
  T other;
  std::memcpy(&other, &exchanged[thread], sizeof(T));
  barrier.arrive_and_wait();
  return other;
}

}  // namespace host_cuda

template <typename T>
T __shfl_xor_sync(unsigned, T value, int lanes) {
  return host_cuda::exchange(value, threadIdx.x ^ lanes);
}

template <typename T>
T __shfl_sync(unsigned, T value, int lane) {
  return host_cuda::exchange(value, threadIdx.x / host_cuda::LANES * host_cuda::LANES + lane);
}

inline double atomicAdd(double* sum, double value) { return std::atomic_ref<double>(*sum).fetch_add(value); }
