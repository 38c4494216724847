// SPDX-License-Identifier: GPL-3.0-only
// Functions over rows against PyTorch's operators in double precision, forward and backward.
#include "engine/torch/nn/row_functions.h"

#include <ATen/Context.h>
#include <ATen/Parallel.h>
#include <ATen/TensorOperators.h>
#include <ATen/ops/arange.h>
#include <ATen/ops/cat.h>
#include <ATen/ops/equal.h>
#include <ATen/ops/randn.h>
#include <ATen/ops/silu.h>
#include <gtest/gtest.h>

#include <functional>
#include <vector>

#include "engine/torch/kernels/row_loops.h"

namespace lanelab {
namespace {

using Tensors = std::vector<at::Tensor>;
using Function = std::function<at::Tensor(const Tensors&)>;

constexpr double kEpsilon = 1e-6;

at::Tensor writtenNorm(const Tensors& read) {
  return read[1] * (read[0] * (read[0].pow(2).mean({-1}, true) + kEpsilon).rsqrt());
}
at::Tensor writtenRotary(const Tensors& read) {
  const std::int64_t half = read[0].size(-1) / 2;
  const at::Tensor low = read[0].narrow(-1, 0, half), high = read[0].narrow(-1, half, half);
  return read[0] * read[1] + at::cat({-high, low}, -1) * read[2];
}

struct RowCase {
  const char* name;
  std::function<Tensors()> given;
  std::size_t followed;  ///< the first have gradients
  Function function, written;
};

at::Tensor heads(std::int64_t b, std::int64_t h, std::int64_t t, std::int64_t d) { return at::randn({b, h, t, d}); }

const Function kWrittenNorm = [](const Tensors& read) { return rmsNormOf(read[0], read[1], kEpsilon); };
const Function kGate = [](const Tensors& read) { return gatedProduct(read[0], read[1]); };
const Function kGateWritten = [](const Tensors& read) { return at::silu(read[0]) * read[1]; };
const Function kRotary = [](const Tensors& read) { return rotaryEmbedding(read[0], read[1], read[2]); };

const std::vector<RowCase> kRowCases = {
    {"norm",
     [] {
       return Tensors{at::randn({3, 5, 64}), at::randn({64})};
     },
     2, kWrittenNorm, writtenNorm},
    {"norm of odd rows",
     [] {
       return Tensors{at::randn({7, 37}), at::randn({37})};
     },
     2, kWrittenNorm, writtenNorm},
    {"norm of one number a row",
     [] {
       return Tensors{at::randn({7, 1}) * 0.1 + 3, at::randn({1})};
     },
     2, kWrittenNorm, writtenNorm},
    {"norm of many chunks",
     [] {
       return Tensors{at::randn({16, 97, 256}) * 5, at::randn({256})};
     },
     2, kWrittenNorm, writtenNorm},
    {"norm of one long row",
     [] {
       return Tensors{at::randn({1, 40000}), at::randn({40000})};
     },
     2, kWrittenNorm, writtenNorm},
    {"norm of no rows",
     [] {
       return Tensors{at::randn({0, 8}), at::randn({8})};
     },
     2, kWrittenNorm, writtenNorm},
    {"norm of columns",
     [] {
       return Tensors{at::randn({64, 9}).t(), at::randn({64})};
     },
     2, kWrittenNorm, writtenNorm},
    {"norm with a frozen weight",
     [] {
       return Tensors{at::randn({9, 64}), at::randn({64})};
     },
     1, kWrittenNorm, writtenNorm},
    {"gate",
     [] {
       return Tensors{at::randn({3, 5, 33}) * 4, at::randn({3, 5, 33})};
     },
     2, kGate, kGateWritten},
    {"gate of large numbers",
     [] {
       return Tensors{at::randn({400}) * 60, at::randn({400})};
     },
     2, kGate, kGateWritten},
    {"gate of halves",
     [] {
       const at::Tensor both = at::randn({16, 2, 300});
       return Tensors{both.select(1, 0), both.select(1, 1)};
     },
     2, kGate, kGateWritten},
    {"rotary",
     [] {
       return Tensors{heads(2, 3, 5, 8), heads(1, 1, 5, 8), heads(1, 1, 5, 8)};
     },
     1, kRotary, writtenRotary},
    {"rotary of transposed heads",
     [] {
       return Tensors{heads(2, 50, 4, 32).transpose(1, 2), heads(2, 1, 50, 32), heads(2, 1, 50, 32)};
     },
     1, kRotary, writtenRotary},
    {"rotary of a part of its rows",
     [] {
       return Tensors{heads(2, 3, 5, 24).narrow(-1, 8, 8), heads(1, 1, 5, 8), heads(1, 1, 1, 8)};
     },
     1, kRotary, writtenRotary},
    {"rotary of columns",
     [] {
       return Tensors{heads(2, 3, 8, 5).transpose(2, 3), heads(1, 1, 5, 8), heads(1, 3, 5, 8)};
     },
     1, kRotary, writtenRotary}};

/// The result and the gradients of what is followed.
Tensors passed(const RowCase& c, const Function& function, const Tensors& given, at::ScalarType type) {
  Tensors read;
  for (std::size_t i = 0; i < given.size(); ++i) {
    // A leaf that keeps the layout.
    read.push_back(given[i].to(type).detach().alias());
    if (i < c.followed) read.back().requires_grad_(true);
  }
  Tensors results = {function(read)};
  const at::Tensor weights = at::arange(results[0].numel(), at::kDouble).sin().reshape(results[0].sizes());
  (results[0] * weights.to(type)).sum().backward();
  for (std::size_t i = 0; i < c.followed; ++i) results.push_back(read[i].grad());
  return results;
}

TEST(RowFunctions, GiveTheNumbersOfTheOperators) {
  for (const RowCase& c : kRowCases) {
    at::manual_seed(1);
    const Tensors given = c.given();
    const Tensors wanted = passed(c, c.written, given, at::kDouble), got = passed(c, c.function, given, at::kFloat);
    for (std::size_t i = 0; i < wanted.size(); ++i) {
      ASSERT_EQ(got[i].sizes(), wanted[i].sizes()) << c.name;
      const double apart = (got[i].to(at::kDouble) - wanted[i]).norm().item<double>();
      EXPECT_LE(apart, 1e-6 * (1 + wanted[i].norm().item<double>())) << c.name << ", tensor " << i;
    }
  }
}

TEST(RowFunctions, GiveTheSameBitsWithAnyNumberOfThreads) {
  for (const RowCase& c : kRowCases) {
    at::manual_seed(1);
    const Tensors given = c.given();
    at::set_num_threads(1);
    const Tensors alone = passed(c, c.function, given, at::kFloat);
    at::set_num_threads(3);
    const Tensors together = passed(c, c.function, given, at::kFloat);
    for (std::size_t i = 0; i < alone.size(); ++i)
      EXPECT_TRUE(alone[i].equal(together[i])) << c.name << ", tensor " << i;
  }
}

TEST(RowLoops, GiveTheSameBitsWithAllInstructions) {
  constexpr std::int64_t kRows = 5, kWidth = 83;
  const at::Tensor x = at::randn({kRows, kWidth}) * 3, other = at::randn({kRows, kWidth}),
                   g = at::randn({kRows, kWidth});
  const float *const a = x.const_data_ptr<float>(), *const b = other.const_data_ptr<float>(),
                     *const up = g.const_data_ptr<float>();
  const auto all = [&](Simd simd) {
    const RowLoops& loops = rowLoops(simd);
    std::vector<float> made(6 * kRows * kWidth);
    float* const to = made.data();
    const auto part = [&](int i) { return to + i * kRows * kWidth; };
    loops.rms(a, b, part(0), part(1), {kRows, kWidth}, 1e-6F);
    loops.rmsGradients(up, a, b, part(1), part(2), part(1) + kRows, {kRows, kWidth});
    loops.gate(a, b, part(3), kRows * kWidth);
    loops.gateGradients(up, a, b, part(4), part(5), kRows * kWidth);
    return made;
  };
  const std::vector<float> plain = all(Simd::Plain);
  for (int level = 0; level <= static_cast<int>(widestSimd()); ++level)
    EXPECT_EQ(all(static_cast<Simd>(level)), plain) << level;
}

}  // namespace
}  // namespace lanelab
