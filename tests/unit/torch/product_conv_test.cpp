// SPDX-License-Identifier: GPL-3.0-only
#include <ATen/ops/conv2d.h>
#include <ATen/ops/randn.h>
#include <gtest/gtest.h>

#include "engine/torch/graph/graph_convolution.h"
#include "engine/torch/nn/product_conv.h"

namespace lanelab {
namespace {

struct ConvShape {
  std::int64_t n, in, out, side, kernel, stride;
};

class ProductConvs : public ::testing::TestWithParam<ConvShape> {};

at::Tensor leaf(const at::Tensor& tensor) { return tensor.clone(at::MemoryFormat::ChannelsLast).requires_grad_(); }

at::Tensor leafOf(const at::Tensor& tensor) { return tensor.clone().requires_grad_(); }

double largestError(const at::Tensor& actual, const at::Tensor& wanted) {
  return actual.sub(wanted).abs().max().item<double>() / wanted.abs().max().item<double>();
}

TEST_P(ProductConvs, AgreeWithPyTorchInAllThreeParts) {
  const ConvShape s = GetParam();
  const at::Tensor x = at::randn({s.n, s.in, s.side, s.side}), w = at::randn({s.out, s.in, s.kernel, s.kernel});
  const at::Tensor x1 = leaf(x), w1 = leaf(w), x2 = leaf(x), w2 = leaf(w);
  const std::int64_t pad = s.kernel / 2;
  const auto way =
      c10::make_intrusive<ConvolutionWay>(ConvolutionWindows{.stride = {s.stride, s.stride}, .padding = {pad, pad}});
  way->products = {true, true, true};
  const at::Tensor bias = at::randn({s.out}), b1 = leafOf(bias), b2 = leafOf(bias);
  const at::Tensor y1 = convolved(x1, w1, b1, way);
  const at::Tensor y2 = at::conv2d(x2, w2, b2, {s.stride, s.stride}, {pad, pad});
  ASSERT_EQ(y1.sizes(), y2.sizes());
  EXPECT_TRUE(y1.is_contiguous(at::MemoryFormat::ChannelsLast));
  const at::Tensor g = at::randn(y1.sizes());
  y1.backward(g);
  y2.backward(g);
  EXPECT_LT(largestError(y1, y2), 1e-6);
  EXPECT_LT(largestError(x1.grad(), x2.grad()), 1e-6);
  EXPECT_LT(largestError(w1.grad(), w2.grad()), 1e-6);
  EXPECT_LT(largestError(b1.grad(), b2.grad()), 1e-6);
}

INSTANTIATE_TEST_SUITE_P(Shapes, ProductConvs,
                         ::testing::Values(ConvShape{2, 8, 16, 5, 1, 1}, ConvShape{3, 8, 16, 5, 1, 2},
                                           ConvShape{2, 8, 4, 4, 1, 2}, ConvShape{2, 8, 16, 5, 3, 1},
                                           ConvShape{3, 4, 8, 5, 3, 2}, ConvShape{2, 8, 8, 4, 3, 2},
                                           ConvShape{1, 16, 8, 1, 3, 1}, ConvShape{2, 8, 8, 2, 3, 1}));

/// Of a layer with as many channels out as in, stride 1.
ProductChoice choose(Simd simd, std::int64_t n, std::int64_t channels, std::int64_t side, std::int64_t kernel) {
  return chooseProducts(ConvGeometry{n, channels, side, side, channels, kernel, 1}, simd);
}

TEST(ProductChoices, FollowTheShape) {
  constexpr Simd kSimd = Simd::Avx512;
  EXPECT_TRUE(choose(kSimd, 8, 512, 2, 3).forward);
  EXPECT_TRUE(choose(kSimd, 64, 512, 2, 3).forward) << "the pixels grow with the weights";
  EXPECT_FALSE(choose(kSimd, 64, 256, 4, 3).forward);
  EXPECT_TRUE(choose(kSimd, 64, 256, 4, 3).weight_gradient);
  EXPECT_FALSE(choose(kSimd, 64, 256, 8, 3).weight_gradient);
  EXPECT_TRUE(choose(kSimd, 8, 64, 8, 1).forward);
  EXPECT_EQ(choose(kSimd, 64, 64, 16, 1), ProductChoice{});
}

TEST(ProductChoices, FollowTheInstructions) {
  EXPECT_TRUE(choose(Simd::Avx2, 64, 64, 16, 1).weight_gradient) << "all 1x1 kernels";
  EXPECT_FALSE(choose(Simd::Avx2, 64, 64, 16, 1).forward);
  EXPECT_TRUE(choose(Simd::Avx2, 64, 256, 8, 3).weight_gradient);
  EXPECT_FALSE(choose(Simd::Avx2, 64, 64, 16, 3).weight_gradient) << "few weights";
  for (const Simd simd : {Simd::Avx2, Simd::Avx512})
    EXPECT_EQ(choose(simd, 1, 3, 224, 7), ProductChoice{}) << "the stem";
}

TEST(ProductChoices, AreForImagesInChannelsLastOrder) {
  const at::Tensor x = at::randn({2, 64, 4, 4}), weight = at::randn({64, 64, 1, 1});
  EXPECT_EQ(chooseProducts(x, weight, 1), ProductChoice{});
  EXPECT_EQ(chooseProducts(x.contiguous(at::MemoryFormat::ChannelsLast), weight, 1),
            chooseProducts(ConvGeometry{2, 64, 4, 4, 64, 1, 1}, widestSimd()));
}

}  // namespace
}  // namespace lanelab
