// Runs the kernels of gradients.cu on the host for the Java tests: reads cases from standard input until its end, writes one
// result for each to standard output. Numbers are in the machine's own byte order.
//
// A case: int kind (0 dense by warp, 1 dense by block, 2 sparse, 3 dense wide, 4 classes of dense rows, 5 of sparse ones),
// precision (0 double, 1 single), E, blocks, threads, loss, all rows, width, non-zeros (sparse), whether rows are chosen,
// first, count, copies, classes but the first; then doubles values, int indices and starts (sparse), doubles labels, int rows
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
  const int* chosen;

  template <int E>
  void dense() {
    const std::size_t shared = kind == 0 ? 32 * E : 2 * threads / 32;
    host_cuda::launch(blocks, threads, shared, [this] {
      (kind == 0   ? dense_by_warp<T, E>
       : kind == 1 ? dense_by_block<T, E>
                   : dense_wide<T, E>)(values.data(), labels.data(), chosen, first, count, width,
                                                               model.data(), loss, partials.data(), losses.data());
    });
  }

  void by_class() {
    const bool is_sparse = kind == 5;
    factors.assign(static_cast<std::size_t>(count) * classes, 0);
    host_cuda::launch(blocks, threads, 0, [&] {
      class_factors<T>(values.data(), indices.data(), is_sparse ? starts.data() : nullptr, labels.data(), chosen, first,
                       count, width, classes, weights.data(), factors.data(), losses.data());
    });
    host_cuda::launch(is_sparse ? blocks : copies, threads, 0, [&] {
      if (is_sparse) {
        sparse_classes<T>(values.data(), indices.data(), starts.data(), chosen, first, count, width, classes, copies,
                          factors.data(), partials.data());
      } else {
        dense_classes<T, 8>(values.data(), chosen, first, count, width, classes, factors.data(), partials.data());
      }
    });
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
          sparse_by_warp<T>(values.data(), indices.data(), starts.data(), labels.data(), chosen, first, count, width,
                            copies, weights.data(), loss, partials.data(), losses.data());
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
  one.chosen = head[9] ? one.rows.data() : nullptr;
  one.partials.assign(static_cast<std::size_t>(one.copies) * model, 0);
  one.losses.assign(one.blocks, 0);
  one.run();
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
  std::vector<int> head(14);
  while (std::fread(head.data(), sizeof(int), head.size(), stdin) == head.size()) {
    head[1] == 0 ? run<double>(head) : run<float>(head);
  }
  return 0;
}
