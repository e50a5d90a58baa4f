// A CUDA driver as a shared library whose only device is the host: gradients.cu compiled by g++. It has the functions
// that CalledFunctions.java lists and the tools call, so tests run from a Spark job through LWJGL to the kernels without
// a GPU. Calls are synchronous. A pointer that was not allocated and a missing context give the driver's errors.
//
// If HOST_CUDA_LOG names a file, launches are appended to it, and what is still allocated when the context is
// released. If HOST_CUDA_IDLE is set, launches compute nothing.

#define HOST_CUDA
#include "../../main/cuda/gradients.cu"

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <map>
#include <mutex>
#include <set>
#include <string>
#include <utility>

namespace {

enum Result { SUCCESS = 0, INVALID_VALUE = 1, OUT_OF_MEMORY = 2, INVALID_CONTEXT = 201, NOT_FOUND = 500 };

constexpr std::size_t BYTES = 256 << 20;
constexpr std::size_t CONTEXT = 77;

using Kernel = std::function<void(void**)>;

std::mutex lock;
std::map<std::size_t, std::size_t> allocated;  // device memory: bytes by address
std::set<void*> pinned;
std::set<std::size_t> streams;
std::string module;
int contexts = 0;
std::size_t next_stream = 1;
thread_local std::size_t current = 0;

// Reads the arguments that cuLaunchKernel's array points to, by their types.
template <typename... Arguments, std::size_t... I>
Kernel kernel(void (*function)(Arguments...), std::index_sequence<I...>) {
  return [function](void** arguments) { function(*static_cast<Arguments*>(arguments[I])...); };
}

template <typename... Arguments>
Kernel kernel(void (*function)(Arguments...)) {
  return kernel(function, std::index_sequence_for<Arguments...>());
}

std::map<std::string, Kernel> kernels() {
  std::map<std::string, Kernel> all;
#define ADD(name) all[#name] = kernel(name);
#define ADD_OF(type)                                                                                             \
  ADD(dense_##type##_warp_1)                                                                                     \
  ADD(dense_##type##_warp_2)                                                                                     \
  ADD(dense_##type##_warp_4)                                                                                     \
  ADD(dense_##type##_warp_8)                                                                                     \
  ADD(dense_##type##_warp_16)                                                                                    \
  ADD(dense_##type##_warp_32)                                                                                    \
  ADD(dense_##type##_block_8)                                                                                    \
  ADD(dense_##type##_block_16)                                                                                   \
  ADD(dense_##type##_block_32)                                                                                   \
  ADD(dense_##type##_wide)                                                                                       \
  ADD(sparse_##type)                                                                                             \
  ADD(class_factors_##type)                                                                                      \
  ADD(dense_classes_##type)                                                                                      \
  ADD(sparse_classes_##type)
  ADD_OF(double)
  ADD_OF(float)
  ADD(sum_partials)
  return all;
}

const std::map<std::string, Kernel> KERNELS = kernels();

void log(const std::string& line) {
  if (const char* file = std::getenv("HOST_CUDA_LOG")) {
    std::FILE* out = std::fopen(file, "a");
    std::fprintf(out, "%s\n", line.c_str());
    std::fclose(out);
  }
}

std::size_t used() {
  std::size_t sum = 0;
  for (const auto& [address, bytes] : allocated) {
    sum += bytes;
  }
  return sum;
}

bool is_allocated(std::size_t address, std::size_t bytes) {
  auto after = allocated.upper_bound(address);
  if (after == allocated.begin()) {
    return false;
  }
  const auto& [start, size] = *--after;
  return address + bytes <= start + size;
}

bool is_stream(std::size_t stream) { return streams.count(stream) > 0; }

// Runs a call that needs a current context.
template <typename Work>
int in_context(Work work) {
  const std::lock_guard<std::mutex> held(lock);
  return current == CONTEXT && contexts > 0 ? work() : INVALID_CONTEXT;
}

}  // namespace

extern "C" {

int cuInit(unsigned) { return SUCCESS; }

int cuGetErrorName(int error, const char** name) {
  static const std::map<int, const char*> names = {{INVALID_VALUE, "CUDA_ERROR_INVALID_VALUE"},
                                                   {OUT_OF_MEMORY, "CUDA_ERROR_OUT_OF_MEMORY"},
                                                   {INVALID_CONTEXT, "CUDA_ERROR_INVALID_CONTEXT"},
                                                   {NOT_FOUND, "CUDA_ERROR_NOT_FOUND"}};
  const auto known = names.find(error);
  if (known == names.end()) {
    return INVALID_VALUE;
  }
  *name = known->second;
  return SUCCESS;
}

int cuDriverGetVersion(int* version) {
  *version = 13000;
  return SUCCESS;
}

int cuDeviceGetCount(int* count) {
  *count = 1;
  return SUCCESS;
}

int cuDeviceGet(int* device, int ordinal) {
  *device = 40 + ordinal;  // a handle, not the number
  return ordinal == 0 ? SUCCESS : INVALID_VALUE;
}

int cuDeviceGetPCIBusId(char* text, int bytes, int device) {
  std::snprintf(text, bytes, "0000:01:00.0");
  return device == 40 ? SUCCESS : INVALID_VALUE;
}

int cuDeviceGetName(char* text, int bytes, int device) {
  std::snprintf(text, bytes, "Host as a GPU");
  return device == 40 ? SUCCESS : INVALID_VALUE;
}

int cuDeviceGetAttribute(int* value, int attribute, int device) {
  const std::map<int, int> values = {{16, 1}, {75, 7}, {76, 5}};  // multiprocessors, compute capability 7.5
  if (device != 40 || values.count(attribute) == 0) {
    return INVALID_VALUE;
  }
  *value = values.at(attribute);
  return SUCCESS;
}

int cuDevicePrimaryCtxRetain(std::size_t* context, int device) {
  const std::lock_guard<std::mutex> held(lock);
  *context = CONTEXT;
  contexts++;
  return device == 40 ? SUCCESS : INVALID_VALUE;
}

int cuDevicePrimaryCtxRelease_v2(int device) {
  const std::lock_guard<std::mutex> held(lock);
  contexts--;
  log("left: " + std::to_string(allocated.size()) + " allocations, " + std::to_string(pinned.size()) +
      " of page-locked memory, " + std::to_string(streams.size()) + " streams, " + std::to_string(contexts) + " contexts");
  return device == 40 && contexts >= 0 ? SUCCESS : INVALID_VALUE;
}

int cuCtxSetCurrent(std::size_t context) {
  current = context;
  return context == CONTEXT ? SUCCESS : INVALID_VALUE;
}

int cuCtxGetDevice(int* device) {
  return in_context([&] {
    *device = 40;
    return SUCCESS;
  });
}

int cuModuleLoadData(std::size_t* loaded, const char* ptx) {
  return in_context([&] {
    module = ptx;
    *loaded = 88;
    return module.find(".version 6.3") == std::string::npos ? INVALID_VALUE : SUCCESS;
  });
}

int cuModuleGetFunction(std::size_t* function, std::size_t loaded, const char* name) {
  return in_context([&]() -> int {
    const auto found = KERNELS.find(name);
    if (loaded != 88 || found == KERNELS.end() || module.find(".entry " + std::string(name) + "(") == std::string::npos) {
      return NOT_FOUND;
    }
    *function = reinterpret_cast<std::size_t>(&*found);
    return SUCCESS;
  });
}

int cuMemGetInfo_v2(std::size_t* free, std::size_t* total) {
  return in_context([&] {
    *free = BYTES - used();
    *total = BYTES;
    return SUCCESS;
  });
}

int cuMemAlloc_v2(std::size_t* pointer, std::size_t bytes) {
  return in_context([&] {
    if (bytes == 0) {
      return INVALID_VALUE;
    }
    if (bytes > BYTES - used()) {
      return OUT_OF_MEMORY;
    }
    void* memory = std::malloc(bytes);
    std::memset(memory, 0x7f, bytes);  // as undefined as on a device
    *pointer = reinterpret_cast<std::size_t>(memory);
    allocated[*pointer] = bytes;
    return SUCCESS;
  });
}

int cuMemFree_v2(std::size_t pointer) {
  return in_context([&] {
    if (allocated.erase(pointer) == 0) {
      return INVALID_VALUE;
    }
    std::free(reinterpret_cast<void*>(pointer));
    return SUCCESS;
  });
}

int cuMemAllocHost_v2(void** memory, std::size_t bytes) {
  return in_context([&] {
    *memory = std::malloc(bytes);
    pinned.insert(*memory);
    return SUCCESS;
  });
}

int cuMemFreeHost(void* memory) {
  return in_context([&] {
    if (pinned.erase(memory) == 0) {
      return INVALID_VALUE;
    }
    std::free(memory);
    return SUCCESS;
  });
}

int cuStreamCreate(std::size_t* stream, unsigned flags) {
  return in_context([&] {
    *stream = next_stream++;
    streams.insert(*stream);
    return flags == 1 ? SUCCESS : INVALID_VALUE;  // not a stream that waits for all others
  });
}

int cuStreamDestroy_v2(std::size_t stream) {
  return in_context([&] { return streams.erase(stream) == 1 ? SUCCESS : INVALID_VALUE; });
}

int cuStreamSynchronize(std::size_t stream) {
  return in_context([&] { return is_stream(stream) ? SUCCESS : INVALID_VALUE; });
}

int cuMemcpyHtoDAsync_v2(std::size_t to, const void* from, std::size_t bytes, std::size_t stream) {
  return in_context([&] {
    if (!is_allocated(to, bytes) || !is_stream(stream)) {
      return INVALID_VALUE;
    }
    std::memcpy(reinterpret_cast<void*>(to), from, bytes);
    return SUCCESS;
  });
}

int cuMemcpyDtoHAsync_v2(void* to, std::size_t from, std::size_t bytes, std::size_t stream) {
  return in_context([&] {
    if (!is_allocated(from, bytes) || !is_stream(stream)) {
      return INVALID_VALUE;
    }
    std::memcpy(to, reinterpret_cast<void*>(from), bytes);
    return SUCCESS;
  });
}

int cuMemcpyDtoDAsync_v2(std::size_t to, std::size_t from, std::size_t bytes, std::size_t stream) {
  return in_context([&] {
    if (!is_allocated(from, bytes) || !is_allocated(to, bytes) || !is_stream(stream)) {
      return INVALID_VALUE;
    }
    std::memcpy(reinterpret_cast<void*>(to), reinterpret_cast<void*>(from), bytes);
    return SUCCESS;
  });
}

int cuMemsetD8Async(std::size_t to, unsigned char value, std::size_t bytes, std::size_t stream) {
  return in_context([&] {
    if (!is_allocated(to, bytes) || !is_stream(stream)) {
      return INVALID_VALUE;
    }
    std::memset(reinterpret_cast<void*>(to), value, bytes);
    return SUCCESS;
  });
}

int cuLaunchKernel(std::size_t function, unsigned blocks_x, unsigned blocks_y, unsigned blocks_z, unsigned threads_x,
                   unsigned threads_y, unsigned threads_z, unsigned shared_bytes, std::size_t stream, void** arguments,
                   void** extra) {
  return in_context([&] {
    if (blocks_x == 0 || blocks_y != 1 || blocks_z != 1 || threads_x == 0 || threads_x > 1024 || threads_y != 1 ||
        threads_z != 1 || shared_bytes > 48 << 10 || !is_stream(stream) || extra != nullptr) {
      return INVALID_VALUE;
    }
    const auto* found = reinterpret_cast<const std::pair<const std::string, Kernel>*>(function);
    log("launch " + found->first);
    if (std::getenv("HOST_CUDA_IDLE") == nullptr) {
      host_cuda::launch(blocks_x, threads_x, shared_bytes / sizeof(double), [&] { found->second(arguments); });
    }
    return SUCCESS;
  });
}

}  // extern "C"
