// The part of CUDA that gradients.cu uses, on the host: each thread of a block is a thread, and blocks run one by one.
#pragma once

#include <atomic>
#include <barrier>
#include <cmath>
#include <cstddef>
#include <cstdint>
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
inline std::vector<double> exchanged;

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

template <typename T>
T __shfl_xor_sync(unsigned, T value, int lanes) {
  std::barrier<>& barrier = *host_cuda::warp_barriers[threadIdx.x / host_cuda::LANES];
  host_cuda::exchanged[threadIdx.x] = value;
  barrier.arrive_and_wait();
  const T other = static_cast<T>(host_cuda::exchanged[threadIdx.x ^ lanes]);
  barrier.arrive_and_wait();
  return other;
}

inline double atomicAdd(double* sum, double value) { return std::atomic_ref<double>(*sum).fetch_add(value); }
