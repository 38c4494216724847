// SPDX-License-Identifier: GPL-3.0-only
#include "engine/torch/nn/row_functions.h"

#include <ATen/Parallel.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/empty_like.h>
#include <ATen/record_function.h>
#include <torch/csrc/autograd/custom_function.h>

#include <algorithm>
#include <array>
#include <vector>

#include "engine/torch/kernels/row_loops.h"

namespace lanelab {

namespace {

using torch::autograd::AutogradContext;
using torch::autograd::variable_list;

constexpr std::int64_t kRowChunkNumbers = 1 << 14;  ///< 64 KiB, which a core's inner cache holds

const RowLoops& loops() {
  static const RowLoops& widest = rowLoops(widestSimd());
  return widest;
}

/// Rows cut in chunks by their shape alone.
struct RowChunks {
  explicit RowChunks(const at::Tensor& x)
      : width(std::max<std::int64_t>(1, x.size(-1))),
        rows(x.numel() / width),
        of_chunk(std::max<std::int64_t>(1, kRowChunkNumbers / width)) {}

  std::int64_t count() const { return (rows + of_chunk - 1) / of_chunk; }
  /// work(chunk, first row, rows) on the threads of this lane.
  template <class Work>
  void forEach(const Work& work) const {
    at::parallel_for(0, count(), 1, [&](std::int64_t begin, std::int64_t end) {
      for (std::int64_t chunk = begin; chunk < end; ++chunk)
        work(chunk, chunk * of_chunk, Rows{std::min(of_chunk, rows - chunk * of_chunk), width});
    });
  }

  std::int64_t width, rows, of_chunk;
};

/// By the sums of chunks, in their order.
at::Tensor sumOfChunks(const std::vector<float>& sums, const RowChunks& chunks, const at::Tensor& like) {
  at::Tensor whole = at::empty_like(like);
  float* const to = whole.mutable_data_ptr<float>();
  for (std::int64_t c = 0; c < chunks.width; ++c) {
    double sum = 0;
    for (std::int64_t chunk = 0; chunk < chunks.count(); ++chunk)
      sum += sums[static_cast<std::size_t>(chunk * chunks.width + c)];
    to[c] = static_cast<float>(sum);
  }
  return whole;
}

class RmsNorm : public torch::autograd::Function<RmsNorm> {
 public:
  static at::Tensor forward(AutogradContext* context, const at::Tensor& given, const at::Tensor& weight,
                            double epsilon) {
    RECORD_FUNCTION("lanelab::rms_norm", (std::array<c10::IValue, 2>{given, weight}));
    const at::Tensor x = given.contiguous(), scale = weight.contiguous();
    const RowChunks chunks(x);
    TORCH_CHECK(scale.numel() == chunks.width, "a norm's weight has ", scale.numel(), " numbers for rows of ",
                chunks.width);
    at::Tensor y = at::empty_like(x), inverse = at::empty({chunks.rows}, x.options());
    const float *const from = x.const_data_ptr<float>(), *const by = scale.const_data_ptr<float>();
    float *const to = y.mutable_data_ptr<float>(), *const roots = inverse.mutable_data_ptr<float>();
    chunks.forEach([&](std::int64_t, std::int64_t row, Rows rows) {
      const std::int64_t at = row * rows.width;
      loops().rms(from + at, by, to + at, roots + row, rows, static_cast<float>(epsilon));
    });
    context->save_for_backward({x, scale, inverse});
    return y;
  }

  static variable_list backward(AutogradContext* context, const variable_list& gradients) {
    RECORD_FUNCTION("lanelab::rms_norm_backward", (std::array<c10::IValue, 1>{gradients[0]}));
    const variable_list saved = context->get_saved_variables();
    const at::Tensor g = gradients[0].contiguous();
    const RowChunks chunks(g);
    at::Tensor dx = at::empty_like(g);
    std::vector<float> sums(static_cast<std::size_t>(chunks.count() * chunks.width));
    const float *const from = g.const_data_ptr<float>(), *const x = saved[0].const_data_ptr<float>();
    const float *const by = saved[1].const_data_ptr<float>(), *const roots = saved[2].const_data_ptr<float>();
    float* const to = dx.mutable_data_ptr<float>();
    chunks.forEach([&](std::int64_t chunk, std::int64_t row, Rows rows) {
      const std::int64_t at = row * rows.width;
      loops().rmsGradients(from + at, x + at, by, roots + row, to + at, sums.data() + chunk * rows.width, rows);
    });
    return {dx, context->needs_input_grad(1) ? sumOfChunks(sums, chunks, saved[1]) : at::Tensor(), {}};
  }
};

class GatedProduct : public torch::autograd::Function<GatedProduct> {
 public:
  static at::Tensor forward(AutogradContext* context, const at::Tensor& gate, const at::Tensor& factor) {
    RECORD_FUNCTION("lanelab::gated_product", (std::array<c10::IValue, 2>{gate, factor}));
    TORCH_CHECK(gate.sizes() == factor.sizes(), "a gate of ", gate.sizes(), " has a factor of ", factor.sizes());
    const at::Tensor a = gate.contiguous(), b = factor.contiguous();
    at::Tensor y = at::empty_like(a);
    const float *const from = a.const_data_ptr<float>(), *const by = b.const_data_ptr<float>();
    float* const to = y.mutable_data_ptr<float>();
    at::parallel_for(0, a.numel(), kRowChunkNumbers, [&](std::int64_t begin, std::int64_t end) {
      loops().gate(from + begin, by + begin, to + begin, end - begin);
    });
    context->save_for_backward({a, b});
    return y;
  }

  static variable_list backward(AutogradContext* context, const variable_list& gradients) {
    RECORD_FUNCTION("lanelab::gated_product_backward", (std::array<c10::IValue, 1>{gradients[0]}));
    const variable_list saved = context->get_saved_variables();
    const at::Tensor g = gradients[0].contiguous();
    at::Tensor da = at::empty_like(g), db = at::empty_like(g);
    const float *const from = g.const_data_ptr<float>(), *const a = saved[0].const_data_ptr<float>(),
                       *const b = saved[1].const_data_ptr<float>();
    float *const to_a = da.mutable_data_ptr<float>(), *const to_b = db.mutable_data_ptr<float>();
    at::parallel_for(0, g.numel(), kRowChunkNumbers, [&](std::int64_t begin, std::int64_t end) {
      loops().gateGradients(from + begin, a + begin, b + begin, to_a + begin, to_b + begin, end - begin);
    });
    return {da, db};
  }
};

using RotateRow = void (*)(const float* x, const float* cosines, const float* sines, float* y, std::int64_t half);

/// Numbers of a row one behind the other.
at::Tensor inRows(const at::Tensor& x) { return x.stride(-1) == 1 ? x : x.contiguous(); }

/// Rows in the order of memory, for which tables are expanded to x.
at::Tensor rotated(const at::Tensor& given, const at::Tensor& cosines, const at::Tensor& sines, RotateRow rotate) {
  at::Tensor x = inRows(given), made = at::empty_like(x);
  at::Tensor c = inRows(cosines).expand(x.sizes()), s = inRows(sines).expand(x.sizes()), y = made;
  if (x.stride(1) < x.stride(2))
    for (at::Tensor* const each : {&x, &c, &s, &y}) *each = each->transpose(1, 2);
  const std::int64_t outer = x.size(1), inner = x.size(2), half = x.size(3) / 2;
  const float *const from = x.const_data_ptr<float>(), *const by_c = c.const_data_ptr<float>(),
                     *const by_s = s.const_data_ptr<float>();
  float* const to = y.mutable_data_ptr<float>();
  const auto placeIn = [](const at::Tensor& t, std::int64_t i, std::int64_t j) {
    return i * t.stride(0) + j * t.stride(1);
  };
  const std::int64_t grain = std::max<std::int64_t>(1, kRowChunkNumbers / std::max<std::int64_t>(1, inner * half * 2));
  at::parallel_for(0, x.size(0) * outer, grain, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t at = begin; at < end; ++at) {
      const std::int64_t i = at / outer, j = at % outer;
      const float *const row = from + placeIn(x, i, j), *const row_c = by_c + placeIn(c, i, j),
                         *const row_s = by_s + placeIn(s, i, j);
      float* const row_y = to + placeIn(y, i, j);
      for (std::int64_t k = 0; k < inner; ++k)
        rotate(row + k * x.stride(2), row_c + k * c.stride(2), row_s + k * s.stride(2), row_y + k * y.stride(2), half);
    }
  });
  return made;
}

class RotaryEmbedding : public torch::autograd::Function<RotaryEmbedding> {
 public:
  static at::Tensor forward(AutogradContext* context, const at::Tensor& x, const at::Tensor& cosines,
                            const at::Tensor& sines) {
    RECORD_FUNCTION("lanelab::rotary_embedding", (std::array<c10::IValue, 3>{x, cosines, sines}));
    context->save_for_backward({cosines, sines});
    return rotated(x, cosines, sines, loops().rotate);
  }

  static variable_list backward(AutogradContext* context, const variable_list& gradients) {
    RECORD_FUNCTION("lanelab::rotary_embedding_backward", (std::array<c10::IValue, 1>{gradients[0]}));
    const variable_list saved = context->get_saved_variables();
    return {rotated(gradients[0], saved[0], saved[1], loops().rotateGradients), {}, {}};
  }
};

}  // namespace

at::Tensor rmsNormOf(const at::Tensor& x, const at::Tensor& weight, double epsilon) {
  return RmsNorm::apply(x, weight, epsilon);
}

at::Tensor gatedProduct(const at::Tensor& gate, const at::Tensor& factor) { return GatedProduct::apply(gate, factor); }

at::Tensor rotaryEmbedding(const at::Tensor& x, const at::Tensor& cosines, const at::Tensor& sines) {
  return RotaryEmbedding::apply(x, cosines, sines);
}

}  // namespace lanelab
