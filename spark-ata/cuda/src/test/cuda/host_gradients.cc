// Runs the kernels of gradients.cu on the host for the Java tests: reads cases from standard input until its end, writes one
// result for each to standard output. Numbers are in the machine's own byte order.
//
// A case: int kind (0 dense by warp, 1 dense by block, 2 sparse, 3 dense wide, 4 classes of dense rows, 5 of sparse ones),
// precision (0 double, 1 single), E, blocks, threads, loss, all rows, width, non-zeros (sparse), whether rows are chosen,
// first, count, copies, classes but the first, parts that the block is cut into; then doubles values, int indices and starts (sparse), doubles labels, int rows
// if chosen, doubles weights. A result: doubles gradient, loss.

#define HOST_CUDA
#include "../../main/cuda/gradients.cu"

#include <cstdio>
#include <cstdlib>

namespace {

template <typename T>
std::vector<T> read(std::size_t count) {
  std::vector<T> numbers(count);
  if (count > 0 && std::fread(numbers.data(), sizeof(T), count, stdin) != count) {
    std::fprintf(stderr, "the input ends within a case\n");
    std::exit(1);
  }
  return numbers;
}

template <typename T>
struct Case {
  int kind, e, blocks, threads, loss, width, first, count, copies, classes;
  std::vector<T> values, model;  // the weights as dense rows take them
  std::vector<int> indices, starts, rows;
  std::vector<double> labels, weights, factors, partials, losses;
  std::vector<Part> parts;
  const int* chosen;  // the position of each row within its part; null where no rows are chosen

  // Cuts the block into parts of about as many rows each, and drops those without rows to compute.
  void cut(int part_count) {
    const int all = static_cast<int>(labels.size());
    const bool has_rows = !rows.empty();
    int begin = 0;
    for (int p = 0; p < part_count; p++) {
      const int from = stretch_start(p, part_count, all);
      const int to = stretch_start(p + 1, part_count, all);
      int end = begin;
      while (end < count && (has_rows ? rows[end] : first + end) < to) {
        end++;
      }
      if (end > begin) {
        const bool is_sparse = !starts.empty();
        parts.push_back({is_sparse ? values.data() : values.data() + static_cast<std::size_t>(from) * width,
                         labels.data() + from, indices.data(), is_sparse ? starts.data() + from : nullptr,
                         first - from, end});
        for (int i = begin; has_rows && i < end; i++) {
          rows[i] -= from;
        }
        begin = end;
      }
    }
    chosen = has_rows ? rows.data() : nullptr;
  }

  int part_count() const { return static_cast<int>(parts.size()); }

  template <int E>
  void dense() {
    constexpr int R = E <= 4 ? 8 : E == 8 ? 4 : 1;  // as gradients.cu has it
    const std::size_t shared = kind == 0 ? 32 * E : 2 * threads / 32;
    host_cuda::launch(blocks, threads, shared, [this] {
      (kind == 0   ? dense_by_warp<T, E, R>
       : kind == 1 ? dense_by_block<T, E>
                   : dense_wide<T, E>)(parts.data(), part_count(), chosen, count, width, model.data(), loss,
                                       partials.data(), losses.data());
    });
  }

  // In two launches, as if there were room for the factors of half of the rows.
  void by_class() {
    const bool is_sparse = kind == 5;
    const int half = (count + 1) / 2;
    for (int from = 0; from < count; from += half) {
      const int some = min(half, count - from);
      factors.assign(static_cast<std::size_t>(some) * classes, 0);
      host_cuda::launch(blocks, threads, 0, [&] {
        class_factors<T>(parts.data(), part_count(), chosen, from, some, width, classes, weights.data(), factors.data(),
                         losses.data());
      });
      host_cuda::launch(is_sparse ? blocks : copies, threads, 0, [&] {
        if (is_sparse) {
          sparse_classes<T>(parts.data(), part_count(), chosen, from, some, width, classes, copies, factors.data(),
                            partials.data());
        } else {
          dense_classes<T, 8>(parts.data(), part_count(), chosen, from, some, width, classes, factors.data(),
                              partials.data());
        }
      });
    }
  }

  void run() {
    if (kind >= 4) {
      return by_class();
    }
    switch (kind == 2 ? 0 : e) {
      case 1: return dense<1>();
      case 2: return dense<2>();
      case 4: return dense<4>();
      case 8: return dense<8>();
      case 16: return dense<16>();
      case 32: return dense<32>();
      default:
        host_cuda::launch(blocks, threads, 0, [this] {
          sparse_by_warp<T>(parts.data(), part_count(), chosen, count, width, copies, weights.data(), loss,
                            partials.data(), losses.data());
        });
    }
  }
};

template <typename T>
void run(const std::vector<int>& head) {
  Case<T> one;
  one.kind = head[0];
  one.e = head[2];
  one.blocks = head[3];
  one.threads = head[4];
  one.loss = head[5];
  const int all = head[6];
  one.width = head[7];
  one.classes = head[13];
  const bool is_sparse = one.kind == 2 || one.kind == 5;
  const int model = one.width * one.classes;
  const std::size_t stored = is_sparse ? head[8] : static_cast<std::size_t>(all) * one.width;
  one.first = head[10];
  one.count = head[11];
  one.copies = head[12];
  const std::vector<double> values = read<double>(stored);
  one.values.assign(values.begin(), values.end());
  one.indices = read<int>(is_sparse ? stored : 0);
  one.starts = read<int>(is_sparse ? all + 1 : 0);
  one.labels = read<double>(all);
  one.rows = read<int>(head[9] ? one.count : 0);
  one.weights = read<double>(model);
  one.model.assign(one.weights.begin(), one.weights.end());
  one.cut(head[14]);
  one.partials.assign(static_cast<std::size_t>(one.copies) * model, 0);
  one.losses.assign(one.blocks, 0);
  if (one.count > 0) {  // as in Java
    one.run();
  }
  std::vector<double> result(model + 1, 0);
  host_cuda::launch((model + 31) / 32, 64, 64,
                    [&] { sum_partials(one.partials.data(), one.copies, model, result.data()); });
  for (double loss : one.losses) {
    result[model] += loss;
  }
  std::fwrite(result.data(), sizeof(double), result.size(), stdout);
  std::fflush(stdout);
}

}  // namespace

int main() {
  std::vector<int> head(15);
  while (std::fread(head.data(), sizeof(int), head.size(), stdin) == head.size()) {
    head[1] == 0 ? run<double>(head) : run<float>(head);
  }
  return 0;
}
