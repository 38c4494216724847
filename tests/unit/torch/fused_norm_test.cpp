// SPDX-License-Identifier: GPL-3.0-only
// The fused batch norm against PyTorch's, in double precision and in fp32.
#include <ATen/Context.h>
#include <ATen/Parallel.h>
#include <ATen/TensorOperators.h>
#include <ATen/ops/batch_norm.h>
#include <ATen/ops/equal.h>
#include <ATen/ops/hardswish.h>
#include <ATen/ops/hardtanh.h>
#include <ATen/ops/ones.h>
#include <ATen/ops/randn.h>
#include <ATen/ops/relu.h>
#include <ATen/ops/silu.h>
#include <ATen/ops/zeros.h>
#include <gtest/gtest.h>

#include <limits>

#include "engine/torch/kernels/fused_norm.h"
#include "engine/torch/nn/norm_layer.h"

namespace lanelab {
namespace {

constexpr auto kChannelsLast = at::MemoryFormat::ChannelsLast;

struct NormShape {
  const char* name;
  std::int64_t n, channels, height, width;
  double mean = 0, deviation = 1;
};

constexpr NormShape kShapes[] = {{"plain", 8, 64, 16, 16},
                                 {"several_chunks", 16, 64, 28, 20, 2, 3},
                                 {"wide", 5, 2048, 4, 5},
                                 {"odd_channels", 7, 13, 9, 5, -1},
                                 {"one_channel", 4, 1, 6, 6},
                                 {"few_rows", 2, 5, 1, 1},
                                 {"three_channels", 3, 3, 33, 31, 1, 0.2},
                                 {"large_mean", 6, 24, 12, 12, 1e3, 1},
                                 {"large_mean_small_deviation", 6, 24, 40, 40, 1e3, 0.05},
                                 {"small_numbers", 4, 8, 8, 8, 0, 1e-4}};

/// Inputs and gradients of one norm, the same for all kernels.
struct NormCase {
  explicit NormCase(const NormShape& s)
      : x((at::randn({s.n, s.channels, s.height, s.width}) * s.deviation + s.mean).contiguous(kChannelsLast)),
        beside(at::randn(x.sizes()).contiguous(kChannelsLast)),
        gradient(at::randn(x.sizes()).contiguous(kChannelsLast)),
        weight(at::randn({s.channels}) + 1),
        bias(at::randn({s.channels})) {
    leaveOutKinks();
  }

  /// Where an output is nearly at a kink (0 and 6; -3 and 3 of a hardswish), rounding decides what passes the gradient:
  /// none is there.
  void leaveOutKinks() {
    const auto in_double = [](const at::Tensor& t) { return t.to(at::kDouble); };
    const at::Tensor y =
        at::batch_norm(in_double(x), in_double(weight), in_double(bias), {}, {}, true, 0.1, 1e-5, false);
    at::Tensor far = at::ones(y.sizes(), at::kBool);
    for (const double kink : {-3, 0, 3, 6})
      for (const at::Tensor& made : {y, y + in_double(beside)}) far = far & ((made - kink).abs() > 1e-3);
    gradient = (gradient * far).contiguous(kChannelsLast);
  }

  at::Tensor x, beside, gradient, weight, bias;
};

/// All that a norm with what follows it computes.
struct NormResult {
  at::Tensor output, running_mean, running_var, dx, dweight, dbias, dbeside;
};

/// What follows the norm.
struct Form {
  bool sum = false;
  NormActivation activation = NormActivation::None;
};

constexpr Form kNorm{}, kRelu{false, NormActivation::Relu}, kSumRelu{true, NormActivation::Relu};
constexpr Form kForms[] = {kNorm,
                           kRelu,
                           kSumRelu,
                           {true, NormActivation::None},
                           {false, NormActivation::Relu6},
                           {true, NormActivation::Relu6},
                           {false, NormActivation::Silu},
                           {false, NormActivation::Hardswish}};

at::Tensor activated(const at::Tensor& y, NormActivation activation) {
  switch (activation) {
    case NormActivation::None: return y;
    case NormActivation::Relu: return at::relu(y);
    case NormActivation::Relu6: return at::hardtanh(y, 0, 6);
    case NormActivation::Silu: return at::silu(y);
    case NormActivation::Hardswish: return at::hardswish(y);
  }
  return y;
}

/// PyTorch's operators in the type of `type`.
NormResult composed(const NormCase& c, const Form& form, at::ScalarType type) {
  const auto leaf = [type](const at::Tensor& t) { return t.to(type).clone().detach().requires_grad_(); };
  const at::Tensor x = leaf(c.x), beside = leaf(c.beside), weight = leaf(c.weight), bias = leaf(c.bias);
  NormResult r{{}, at::zeros(c.weight.sizes(), type), at::ones(c.weight.sizes(), type), {}, {}, {}, {}};
  at::Tensor y = at::batch_norm(x, weight, bias, r.running_mean, r.running_var, true, 0.1, 1e-5, false);
  if (form.sum) y = y + beside;
  y = activated(y, form.activation);
  y.backward(c.gradient.to(type));
  r.output = y.detach();
  r.dx = x.grad(), r.dweight = weight.grad(), r.dbias = bias.grad(), r.dbeside = beside.grad();
  return r;
}

/// Given away, a gradient's memory may be used for the results.
enum class Gradient { Lent, GivenAway };

NormResult fusedBy(const NormCase& c, const Form& form, Simd simd, Gradient gradient = Gradient::Lent) {
  NormResult r{{}, at::zeros(c.weight.sizes()), at::ones(c.weight.sizes()), {}, {}, {}, {}};
  const at::Tensor beside = form.sum ? c.beside : at::Tensor();
  const NormForward made =
      fusedNorm(c.x, beside, {c.weight, c.bias, r.running_mean, r.running_var}, form.activation, simd);
  const NormGradients back =
      fusedNormBackward(gradient == Gradient::Lent ? c.gradient : c.gradient.clone(), c.x, made.output, made.line,
                        gradientMask(form.activation, form.sum), form.sum, simd);
  r.output = made.output;
  r.dx = back.input, r.dweight = back.weight, r.dbias = back.bias, r.dbeside = back.beside;
  return r;
}

/// The largest difference, in parts of the largest number, or of the terms that it is the sum of.
double largestApart(const at::Tensor& actual, const at::Tensor& wanted, double terms = 0) {
  return (actual.to(at::kDouble) - wanted.to(at::kDouble)).abs().max().item<double>() /
         std::max(terms, wanted.to(at::kDouble).abs().max().item<double>());
}

/// Of the three terms of dx the gradient's is as large as any: in a norm of two rows they leave nearly nothing.
double termsOfDx(const NormCase& c) {
  const at::Tensor deviation = (c.x.to(at::kDouble).var({0, 2, 3}, /*unbiased=*/false) + 1e-5).sqrt();
  return (c.weight / deviation).abs().max().item<double>() * c.gradient.abs().max().item<double>();
}

/// Of the sums over rows.
double termsOfSums(const NormCase& c) { return c.gradient.abs().sum({0, 2, 3}).max().item<double>(); }

class FusedNorms : public ::testing::TestWithParam<std::tuple<NormShape, Form, Simd>> {
 protected:
  void SetUp() override {
    if (std::get<Simd>(GetParam()) > widestSimd()) GTEST_SKIP() << "not an instruction set of this CPU";
    at::manual_seed(5);
  }
};

TEST_P(FusedNorms, AgreeWithPyTorchInDoublePrecision) {
  const auto& [shape, form, simd] = GetParam();
  const NormCase c(shape);
  const NormResult actual = fusedBy(c, form, simd), wanted = composed(c, form, at::kDouble);
  EXPECT_TRUE(actual.output.is_contiguous(kChannelsLast));
  EXPECT_LT(largestApart(actual.output, wanted.output), 1e-6);
  EXPECT_LT(largestApart(actual.running_mean, wanted.running_mean), 1e-6);
  EXPECT_LT(largestApart(actual.running_var, wanted.running_var), 1e-6);
  EXPECT_LT(largestApart(actual.dx, wanted.dx, termsOfDx(c)), 1e-6);
  EXPECT_LT(largestApart(actual.dweight, wanted.dweight, termsOfSums(c)), 1e-6);
  EXPECT_LT(largestApart(actual.dbias, wanted.dbias, termsOfSums(c)), 1e-6);
  if (form.sum) {
    EXPECT_LT(largestApart(actual.dbeside, wanted.dbeside), 1e-6);
  }
}

TEST_P(FusedNorms, GiveTheSameBitsForAnySetOfInstructionsAndNumberOfThreads) {
  const auto& [shape, form, simd] = GetParam();
  const NormCase c(shape);
  const NormResult wanted = fusedBy(c, form, Simd::Plain);
  const int before = at::get_num_threads();
  for (const int threads : {1, 2, 3}) {
    at::set_num_threads(threads);
    const NormResult actual = fusedBy(c, form, simd);
    EXPECT_TRUE(at::equal(actual.output, wanted.output)) << threads;
    EXPECT_TRUE(at::equal(actual.running_mean, wanted.running_mean)) << threads;
    EXPECT_TRUE(at::equal(actual.running_var, wanted.running_var)) << threads;
    EXPECT_TRUE(at::equal(actual.dx, wanted.dx)) << threads;
    EXPECT_TRUE(at::equal(actual.dweight, wanted.dweight)) << threads;
    EXPECT_TRUE(at::equal(actual.dbias, wanted.dbias)) << threads;
  }
  at::set_num_threads(before);
}

TEST_P(FusedNorms, GiveTheSameBitsInPlace) {
  const auto& [shape, form, simd] = GetParam();
  const NormCase c(shape);
  const at::Tensor before = c.gradient.clone();
  const NormResult lent = fusedBy(c, form, simd), given = fusedBy(c, form, simd, Gradient::GivenAway);
  EXPECT_TRUE(at::equal(c.gradient, before)) << "a gradient that others hold";
  EXPECT_TRUE(at::equal(given.dx, lent.dx));
  EXPECT_TRUE(at::equal(given.dweight, lent.dweight));
  EXPECT_TRUE(at::equal(given.dbias, lent.dbias));
  if (form.sum) {
    EXPECT_TRUE(at::equal(given.dbeside, lent.dbeside));
  }
}

std::string nameOf(const ::testing::TestParamInfo<FusedNorms::ParamType>& info) {
  const char* const activations[] = {"", "_relu", "_relu6", "_silu", "_hardswish"};
  const char* const sets[] = {"plain", "avx2", "avx512"};
  const Form& form = std::get<1>(info.param);
  return std::string(std::get<0>(info.param).name) + (form.sum ? "_sum" : "_norm") +
         activations[static_cast<int>(form.activation)] + "_" + sets[static_cast<int>(std::get<2>(info.param))];
}

INSTANTIATE_TEST_SUITE_P(Shapes, FusedNorms,
                         ::testing::Combine(::testing::ValuesIn(kShapes), ::testing::ValuesIn(kForms),
                                            ::testing::Values(Simd::Plain, Simd::Avx2, Simd::Avx512)),
                         nameOf);

TEST(FusedNorm, IsNotFurtherFromPyTorchThanRounding) {
  at::manual_seed(6);
  const NormCase c({"", 16, 64, 16, 16});
  for (const Form& form : kForms) {
    const NormResult actual = fusedBy(c, form, widestSimd()), wanted = composed(c, form, at::kFloat);
    EXPECT_LT(largestApart(actual.output, wanted.output), 2e-6);
    EXPECT_LT(largestApart(actual.dx, wanted.dx), 1e-6);
    EXPECT_LT(largestApart(actual.dweight, wanted.dweight), 4e-6) << "PyTorch's sum is one of fp32";
  }
}

TEST(FusedNorm, LeavesOnePixelItsBiasAndNoVariance) {
  const NormCase c({"", 1, 6, 1, 1});
  const NormResult actual = fusedBy(c, kNorm, widestSimd()), wanted = composed(c, kNorm, at::kFloat);
  EXPECT_TRUE(at::equal(actual.output, c.bias.view({1, 6, 1, 1})));
  EXPECT_TRUE(actual.running_var.isnan().all().item<bool>());
  EXPECT_TRUE(wanted.running_var.isnan().all().item<bool>());
  EXPECT_EQ(actual.dx.abs().max().item<double>(), 0);
}

TEST(FusedNorm, PassesOnWhatIsNotANumber) {
  NormCase c({"", 2, 8, 4, 4});
  c.x[1][3][2][2] = std::numeric_limits<float>::quiet_NaN();
  const NormResult r = fusedBy(c, kRelu, widestSimd());
  EXPECT_TRUE(r.output.select(1, 3).isnan().all().item<bool>());
  EXPECT_FALSE(r.output.select(1, 2).isnan().any().item<bool>());
  EXPECT_TRUE(r.dx.select(1, 3).isnan().all().item<bool>());
}

NormLayer layerOf(const NormCase& c, bool fused) {
  const std::int64_t channels = c.weight.size(0);
  NormLayer layer{channels,
                  c.weight.clone().requires_grad_(),
                  c.bias.clone().requires_grad_(),
                  at::zeros({channels}),
                  at::ones({channels}),
                  at::zeros({}, at::kLong)};
  layer.fused = fused;
  return layer;
}

struct LayerResult {
  at::Tensor output, dx, dbeside;
  NormLayer layer;
};

/// relu(norm(x) + beside) through a layer and autograd, with inputs in the given type and order.
LayerResult throughLayer(const NormCase& c, bool fused, bool training, at::ScalarType type, at::MemoryFormat format) {
  const auto leaf = [&](const at::Tensor& t) { return t.to(type).contiguous(format).detach().requires_grad_(); };
  const at::Tensor x = leaf(c.x), beside = leaf(c.beside);
  LayerResult r{{}, {}, {}, layerOf(c, fused)};
  r.output = r.layer.forwardSum(
      x, [&] { return beside; }, training, NormActivation::Relu);
  r.output.backward(c.gradient.to(type));
  r.dx = x.grad(), r.dbeside = beside.grad();
  return r;
}

TEST(FusedNormLayer, TrainsAsTheUnfusedOne) {
  at::manual_seed(7);
  const NormCase c({"", 8, 32, 10, 10});
  const LayerResult fused = throughLayer(c, true, true, at::kFloat, kChannelsLast),
                    plain = throughLayer(c, false, true, at::kFloat, kChannelsLast);
  EXPECT_FALSE(at::equal(fused.output, plain.output)) << "it rounds in another order";
  EXPECT_LT(largestApart(fused.output, plain.output), 1e-6);
  EXPECT_LT(largestApart(fused.dx, plain.dx), 2e-6);
  EXPECT_TRUE(at::equal(fused.dbeside, plain.dbeside));
  EXPECT_LT(largestApart(fused.layer.weight.grad(), plain.layer.weight.grad()), 2e-6);
  EXPECT_LT(largestApart(fused.layer.bias.grad(), plain.layer.bias.grad()), 2e-6);
  EXPECT_LT(largestApart(fused.layer.mean, plain.layer.mean), 1e-6);
  EXPECT_LT(largestApart(fused.layer.var, plain.layer.var), 1e-6);
  EXPECT_EQ(fused.layer.count.item<std::int64_t>(), 1);
}

struct Unfused {
  const char* why;
  bool training;
  at::ScalarType type;
  at::MemoryFormat format;
};

TEST(FusedNormLayer, LeavesTheRestToPyTorch) {
  const NormCase c({"", 4, 16, 6, 6});
  for (const Unfused& u : {Unfused{"evaluation", false, at::kFloat, kChannelsLast},
                           Unfused{"contiguous", true, at::kFloat, at::MemoryFormat::Contiguous},
                           Unfused{"bf16", true, at::kBFloat16, kChannelsLast}}) {
    const LayerResult fused = throughLayer(c, true, u.training, u.type, u.format),
                      plain = throughLayer(c, false, u.training, u.type, u.format);
    EXPECT_TRUE(at::equal(fused.output, plain.output)) << u.why;
    EXPECT_TRUE(at::equal(fused.dx, plain.dx)) << u.why;
    EXPECT_TRUE(at::equal(fused.layer.mean, plain.layer.mean)) << u.why;
  }
}

}  // namespace
}  // namespace lanelab
