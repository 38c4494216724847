// SPDX-License-Identifier: GPL-3.0-only
#include "engine/torch/kernels/fused_norm.h"

#include <ATen/Parallel.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/empty_like.h>
#include <ATen/record_function.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

namespace lanelab {

namespace {

constexpr std::int64_t kChunkNumbers = 1 << 17;  ///< half a MiB, which a core's cache holds
constexpr std::int64_t kChunkRows = 32;          ///< at least
constexpr std::int64_t kChannelGrain = 256;      ///< channels that a thread is worth

/// Rows of `line`; Inverse is that of the deviation.
struct LineRow {
  enum : std::int64_t { Mean, Scale, Offset, Inverse, MeanRest, Count };
};

/// The rows of an image, cut in chunks by their number alone.
struct Chunks {
  explicit Chunks(const at::Tensor& x)
      : channels(x.size(1)),
        rows(x.size(0) * x.size(2) * x.size(3)),
        of_chunk(std::max(kChunkRows, kChunkNumbers / channels)) {}

  std::int64_t count() const { return (rows + of_chunk - 1) / of_chunk; }
  std::int64_t size(std::int64_t chunk) const { return std::min(of_chunk, rows - chunk * of_chunk); }
  NormRows of(std::int64_t chunk) const { return {size(chunk), channels}; }
  std::int64_t begin(std::int64_t chunk) const { return chunk * of_chunk * channels; }

  std::int64_t channels, rows, of_chunk;
};

/// work(chunk, scratch) with `numbers` numbers a channel for each chunk, on the threads of this lane. From the last
/// chunk to the first, because what wrote the rows ended there and left it in the cache.
template <class Work>
void forEachChunkFromLast(const Chunks& chunks, std::int64_t numbers, const Work& work) {
  at::parallel_for(0, chunks.count(), 1, [&](std::int64_t begin, std::int64_t end) {
    std::vector<float> scratch(static_cast<std::size_t>(numbers * chunks.channels));
    for (std::int64_t chunk = end; chunk-- > begin;) work(chunk, scratch.data());
  });
}

/// work(chunk) for each chunk, from the first to the last.
template <class Work>
void forEachChunk(const Chunks& chunks, const Work& work) {
  at::parallel_for(0, chunks.count(), 1, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t chunk = begin; chunk < end; ++chunk) work(chunk);
  });
}

/// Two sums a channel, for each chunk.
class ChunkSums {
 public:
  explicit ChunkSums(const Chunks& chunks)
      : m_channels(chunks.channels), m_sums(static_cast<std::size_t>(2 * chunks.channels * chunks.count())) {}

  double* first(std::int64_t chunk) { return m_sums.data() + 2 * chunk * m_channels; }
  double* second(std::int64_t chunk) { return first(chunk) + m_channels; }

  /// Calls join(chunk, channel, channels) for the chunks after the first in their order, by ranges of channels.
  template <class Join>
  void join(const Chunks& chunks, const Join& join) {
    at::parallel_for(0, m_channels, kChannelGrain, [&](std::int64_t begin, std::int64_t end) {
      for (std::int64_t chunk = 1; chunk < chunks.count(); ++chunk) join(chunk, begin, end - begin);
    });
  }

 private:
  std::int64_t m_channels;
  std::vector<double> m_sums;
};

/// Mean and squared deviations of each channel, left in the sums of chunk 0.
ChunkSums momentsOf(const at::Tensor& x, const Chunks& chunks, const NormLoops& loops) {
  ChunkSums sums(chunks);
  const float* const from = x.const_data_ptr<float>();
  forEachChunkFromLast(chunks, 3, [&](std::int64_t chunk, float* scratch) {
    loops.moments(from + chunks.begin(chunk), chunks.of(chunk), scratch, {sums.first(chunk), sums.second(chunk)});
  });
  sums.join(chunks, [&](std::int64_t chunk, std::int64_t c, std::int64_t count) {
    loops.join({sums.first(0) + c, sums.second(0) + c}, {sums.first(chunk) + c, sums.second(chunk) + c},
               chunk * chunks.of_chunk, chunks.size(chunk), count);
  });
  return sums;
}

/// What a channel's numbers become. The mean is held in two parts, so that a large one loses nothing.
at::Tensor lineOf(ChunkSums& moments, const Chunks& chunks, const NormTensors& norm) {
  const std::int64_t channels = chunks.channels;
  at::Tensor line = at::empty({LineRow::Count, channels}, norm.weight.options());
  const at::Tensor weights = norm.weight.contiguous(), biases = norm.bias.contiguous();
  const float *const weight = weights.const_data_ptr<float>(), *const bias = biases.const_data_ptr<float>();
  const double *const mean = moments.first(0), *const squares = moments.second(0);
  float* const to = line.mutable_data_ptr<float>();
  for (std::int64_t c = 0; c < channels; ++c) {
    const double inverse = 1 / std::sqrt(squares[c] / static_cast<double>(chunks.rows) + norm.epsilon);
    const double scale = inverse * weight[c];
    const auto rounded = static_cast<float>(mean[c]);
    const double rest = mean[c] - rounded;
    to[LineRow::Mean * channels + c] = rounded;
    to[LineRow::Scale * channels + c] = static_cast<float>(scale);
    to[LineRow::Offset * channels + c] = static_cast<float>(bias[c] - rest * scale);
    to[LineRow::Inverse * channels + c] = static_cast<float>(inverse);
    to[LineRow::MeanRest * channels + c] = static_cast<float>(rest);
  }
  return line;
}

/// As BatchNorm2d: the variance is the unbiased one, which a single value does not have.
void moveRunning(ChunkSums& moments, const Chunks& chunks, const NormTensors& norm) {
  if (!norm.running_mean.defined() || !norm.running_var.defined()) return;
  float *const mean = norm.running_mean.mutable_data_ptr<float>(), *const var =
                                                                       norm.running_var.mutable_data_ptr<float>();
  const double beside_one = static_cast<double>(chunks.rows - 1), old = 1 - norm.momentum;
  for (std::int64_t c = 0; c < chunks.channels; ++c) {
    mean[c] = static_cast<float>(norm.momentum * moments.first(0)[c] + old * mean[c]);
    var[c] = static_cast<float>(norm.momentum * (moments.second(0)[c] / beside_one) + old * var[c]);
  }
}

NormLine pointersOf(const at::Tensor& line) {
  const float* const first = line.const_data_ptr<float>();
  const std::int64_t channels = line.size(1);
  return {first + LineRow::Mean * channels, first + LineRow::Scale * channels, first + LineRow::Offset * channels};
}

/// activation(x's line + beside), where `beside` is defined.
at::Tensor linedUp(const at::Tensor& x, const at::Tensor& beside, const at::Tensor& line, NormActivation activation,
                   Simd simd) {
  const Chunks chunks(x);
  const NormLoops& loops = normLoops(simd);
  const NormLine numbers = pointersOf(line);
  at::Tensor output = at::empty_like(x, at::MemoryFormat::ChannelsLast);
  const at::Tensor added = beside.defined() ? beside.contiguous(at::MemoryFormat::ChannelsLast) : beside;
  const float* const from = x.const_data_ptr<float>();
  const float* const second = added.defined() ? added.const_data_ptr<float>() : nullptr;
  float* const to = output.mutable_data_ptr<float>();
  forEachChunk(chunks, [&](std::int64_t chunk) {
    const std::int64_t at = chunks.begin(chunk);
    loops.normalise(from + at, second ? second + at : nullptr, to + at, chunks.of(chunk), numbers, activation);
  });
  return output;
}

/// Gradients of weight and bias, and the two numbers of a channel that the input's gradient takes.
struct ChannelGradients {
  ChannelGradients(ChunkSums& sums, const Chunks& chunks, const at::Tensor& line)
      : weight(at::empty({chunks.channels}, line.options())),
        bias(at::empty({chunks.channels}, line.options())),
        slope(static_cast<std::size_t>(chunks.channels)),
        level(slope.size()) {
    const std::int64_t channels = chunks.channels;
    const float* const from = line.const_data_ptr<float>();
    float *const of_weight = weight.mutable_data_ptr<float>(), *const of_bias = bias.mutable_data_ptr<float>();
    const double part = 1 / static_cast<double>(chunks.rows);
    for (std::int64_t c = 0; c < channels; ++c) {
      const double scale = from[LineRow::Scale * channels + c], inverse = from[LineRow::Inverse * channels + c],
                   rest = from[LineRow::MeanRest * channels + c];
      const double gradient = sums.first(0)[c], product = sums.second(0)[c] - rest * gradient;
      const double by_deviation = scale * inverse * inverse * product * part;
      of_weight[c] = static_cast<float>(product * inverse);
      of_bias[c] = static_cast<float>(gradient);
      slope[static_cast<std::size_t>(c)] = static_cast<float>(by_deviation);
      level[static_cast<std::size_t>(c)] = static_cast<float>(scale * gradient * part - rest * by_deviation);
    }
  }

  at::Tensor weight, bias;
  std::vector<float> slope, level;
};

/// Whether nobody else sees what is written to a tensor that its holder was given alone.
bool isOurs(const at::Tensor& tensor) { return tensor.use_count() == 1 && tensor.storage().use_count() == 1; }

}  // namespace

bool fitsFusedNorm(const at::Tensor& x) {
  return x.is_cpu() && x.scalar_type() == at::kFloat && x.dim() == 4 && x.numel() > 0 &&
         x.is_contiguous(at::MemoryFormat::ChannelsLast);
}

NormForward fusedNorm(const at::Tensor& x, const at::Tensor& beside, const NormTensors& norm, NormActivation activation,
                      Simd simd) {
  RECORD_FUNCTION("lanelab::fused_norm", (std::array<c10::IValue, 2>{x, beside}));
  const Chunks chunks(x);
  ChunkSums moments = momentsOf(x, chunks, normLoops(simd));
  moveRunning(moments, chunks, norm);
  NormForward made;
  made.line = lineOf(moments, chunks, norm);
  made.output = linedUp(x, beside, made.line, activation, simd);
  if (guard.needsOutputs()) guard.setOutputs(std::vector<c10::IValue>{made.output});  // of RECORD_FUNCTION
  return made;
}

at::Tensor fusedNormAgain(const at::Tensor& x, const at::Tensor& line, NormActivation activation, Simd simd) {
  RECORD_FUNCTION("lanelab::fused_norm_again", (std::array<c10::IValue, 1>{x}));
  at::Tensor output = linedUp(x, {}, line, activation, simd);
  if (guard.needsOutputs()) guard.setOutputs(std::vector<c10::IValue>{output});
  return output;
}

GradientMask gradientMask(NormActivation activation, bool has_beside) {
  switch (activation) {
    case NormActivation::None: break;
    case NormActivation::Relu: return has_beside ? GradientMask::ReluOutput : GradientMask::Relu;
    case NormActivation::Relu6: return has_beside ? GradientMask::Relu6Output : GradientMask::Relu6;
    case NormActivation::Silu: return GradientMask::Silu;
    case NormActivation::Hardswish: return GradientMask::Hardswish;
  }
  return GradientMask::None;
}

NormGradients fusedNormBackward(at::Tensor gradient, const at::Tensor& x, const at::Tensor& output,
                                const at::Tensor& line, GradientMask mask, bool has_beside, Simd simd) {
  RECORD_FUNCTION("lanelab::fused_norm_backward", (std::array<c10::IValue, 3>{gradient, x, output}));
  const Chunks chunks(x);
  const NormLoops& loops = normLoops(simd);
  const NormLine numbers = pointersOf(line);
  const bool masks = isLeftMasked(mask);
  gradient = gradient.contiguous(at::MemoryFormat::ChannelsLast);
  const bool in_place = isOurs(gradient);
  // Behind the activation.
  const at::Tensor passed = masks && !in_place ? at::empty_like(x, at::MemoryFormat::ChannelsLast) : gradient;
  const float *const from = x.const_data_ptr<float>(), *const before = gradient.const_data_ptr<float>(),
                     *const out = readsOutput(mask) ? output.const_data_ptr<float>() : from;
  float* const behind = masks ? passed.mutable_data_ptr<float>() : nullptr;
  ChunkSums sums(chunks);
  forEachChunkFromLast(chunks, 2, [&](std::int64_t chunk, float* scratch) {
    const std::int64_t at = chunks.begin(chunk);
    loops.sumGradients(before + at, from + at, out + at, behind ? behind + at : nullptr, chunks.of(chunk), numbers,
                       mask, scratch, {sums.first(chunk), sums.second(chunk)});
  });
  sums.join(chunks, [&](std::int64_t chunk, std::int64_t c, std::int64_t count) {
    loops.add(sums.first(0) + c, sums.first(chunk) + c, count);
    loops.add(sums.second(0) + c, sums.second(chunk) + c, count);
  });
  const ChannelGradients channel(sums, chunks, line);
  NormGradients made{{}, channel.weight, channel.bias, has_beside ? passed : at::Tensor()};
  const bool over = !has_beside && (in_place || masks);
  made.input = over ? passed : at::empty_like(x, at::MemoryFormat::ChannelsLast);
  const float* const read = passed.const_data_ptr<float>();
  float* const to = made.input.mutable_data_ptr<float>();
  forEachChunk(chunks, [&](std::int64_t chunk) {
    const std::int64_t at = chunks.begin(chunk);
    loops.inputGradient(read + at, from + at, to + at, chunks.of(chunk), numbers, channel.slope.data(),
                        channel.level.data(), mask);
  });
  if (guard.needsOutputs()) guard.setOutputs(std::vector<c10::IValue>{made.input, made.beside});
  return made;
}

}  // namespace lanelab
