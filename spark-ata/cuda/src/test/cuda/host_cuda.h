// The part of CUDA that gradients.cu uses, on the host. Blocks run one by one. The threads of a block take turns on the
// caller's thread: each runs until it waits for others, and a warp until it waits for other warps. The turns go up and down
// the lanes and the warps, so that code without a barrier that it needs gives wrong sums, each time.
#pragma once

#undef _FORTIFY_SOURCE  // its longjmp refuses another stack

#include <csetjmp>
#include <ucontext.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <memory>
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

inline Dim threadIdx;
inline Dim blockIdx;
inline Dim blockDim;
inline Dim gridDim;

namespace host_cuda {

constexpr int LANES = 32;
constexpr std::size_t STACK_BYTES = 64 << 10;

struct Thread {
  std::unique_ptr<char[]> stack{new char[STACK_BYTES]};
  std::jmp_buf at;
  bool has_begun, has_ended;
};

inline std::vector<Thread> threads;  // as many as any block had
inline std::function<void()> work;   // of each thread
inline std::jmp_buf turns;           // where a thread's turn began
inline bool has_moved;               // whether a thread has come to a barrier or to its end

inline std::vector<double> shared;
inline std::vector<std::uint64_t> exchanged;

[[gnu::noinline]] inline void end_turn() {
  if (_setjmp(threads[threadIdx.x].at) == 0) {
    _longjmp(turns, 1);
  }
}

[[noreturn]] inline void run_thread() {
  work();
  threads[threadIdx.x].has_ended = true;
  has_moved = true;
  _longjmp(turns, 1);
}

// Runs a thread until it waits or ends.
[[gnu::noinline]] inline void give_turn(Thread& thread) {
  if (_setjmp(turns) != 0) {
    return;
  }
  if (thread.has_begun) {
    _longjmp(thread.at, 1);
  }
  thread.has_begun = true;
  ucontext_t context;
  getcontext(&context);
  context.uc_stack.ss_sp = thread.stack.get();
  context.uc_stack.ss_size = STACK_BYTES;
  makecontext(&context, run_thread, 0);
  setcontext(&context);
}

struct Barrier {
  int size;
  int waiting = 0;
  int times = 0;  // that all have come

  void arrive_and_wait() {
    has_moved = true;
    if (++waiting == size) {
      waiting = 0;
      times++;
      return;
    }
    for (const int before = times; times == before;) {
      end_turn();
    }
  }
};

// Runs the threads of a warp until all that have not ended wait for other warps. Returns whether one has moved.
inline bool run_warp(int first) {
  bool have_moved = false;
  for (bool is_up = true;; is_up = !is_up) {
    has_moved = false;
    for (int lane = 0; lane < LANES; lane++) {
      threadIdx.x = first + (is_up ? lane : LANES - 1 - lane);
      if (!threads[threadIdx.x].has_ended) {
        give_turn(threads[threadIdx.x]);
      }
    }
    if (!has_moved) {
      return have_moved;
    }
    have_moved = true;
  }
}

inline Barrier block_barrier;
inline std::vector<Barrier> warp_barriers;

// Runs kernel() as threads of `blocks` blocks of `block_threads`, a multiple of the lanes of a warp.
template <typename Kernel>
void launch(int blocks, int block_threads, std::size_t shared_doubles, Kernel kernel) {
  gridDim.x = blocks;
  blockDim.x = block_threads;
  work = kernel;
  while (static_cast<int>(threads.size()) < block_threads) {
    threads.emplace_back();
  }
  exchanged.assign(block_threads, 0);
  for (blockIdx.x = 0; blockIdx.x < blocks; blockIdx.x++) {
    shared.assign(shared_doubles, std::nan(""));  // as undefined as on a device
    block_barrier = {block_threads};
    warp_barriers.assign(block_threads / LANES, {LANES});
    for (Thread& thread : threads) {
      thread.has_begun = thread.has_ended = false;
    }
    const auto has_ended = [](const Thread& thread) { return thread.has_ended; };
    for (bool is_up = true; !std::all_of(threads.begin(), threads.begin() + block_threads, has_ended); is_up = !is_up) {
      bool have_moved = false;
      for (int i = 0; i < block_threads; i += LANES) {
        have_moved |= run_warp(is_up ? i : block_threads - LANES - i);
      }
      if (!have_moved) {
        std::fprintf(stderr, "a block's threads wait at barriers that the others never reach\n");
        std::abort();
      }
    }
  }
}

}  // namespace host_cuda

#define DYNAMIC_SHARED(type, name) type* name = reinterpret_cast<type*>(host_cuda::shared.data())

inline void __syncthreads() { host_cuda::block_barrier.arrive_and_wait(); }

namespace host_cuda {

// The value of another thread of the same warp.
template <typename T>
T exchange(T value, int thread) {
  static_assert(sizeof(T) <= sizeof(std::uint64_t));
  Barrier& barrier = warp_barriers[threadIdx.x / LANES];
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
