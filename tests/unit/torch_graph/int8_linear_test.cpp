// SPDX-License-Identifier: GPL-3.0-only
#include "engine/torch/graph/int8_linear.h"

#include <ATen/TensorOperators.h>
#include <ATen/ops/linear.h>
#include <ATen/ops/randn.h>
#include <ATen/ops/zeros.h>
#include <gtest/gtest.h>

namespace lanelab {
namespace {

double largest(const at::Tensor& difference) { return difference.abs().max().item<double>(); }

TEST(Int8Linear, ARowIsOffByHalfAStepAtMost) {
  const at::Tensor weight = at::randn({7, 65});
  const Int8Weight layer = quantised(weight);
  ASSERT_EQ(layer.rows.scalar_type(), at::kChar);
  const at::Tensor off = (layer.rows.to(at::kFloat) * layer.scale.unsqueeze(1) - weight).abs();
  EXPECT_TRUE((off <= layer.scale.unsqueeze(1) * 0.5001).all().item<bool>());
  EXPECT_EQ(largest(layer.rows.to(at::kFloat).abs().amax(1) - 127), 0) << "the whole range is used";
}

TEST(Int8Linear, ProductsAreThoseOfTheRoundedWeights) {
  struct Case {
    at::ScalarType type;
    std::int64_t rows, out, in;
    double most;  ///< of the largest product
  };
  for (const Case& test : {Case{at::kFloat, 1, 33, 70, 1e-5}, Case{at::kFloat, 40, 33, 70, 1e-5},
                           Case{at::kBFloat16, 1, 33, 70, 0.01}, Case{at::kBFloat16, 1, 192, 64, 0.01},
                           Case{at::kBFloat16, 3, 64, 192, 0.01}, Case{at::kBFloat16, 40, 64, 64, 0.01}}) {
    const at::Tensor weight = at::randn({test.out, test.in}).to(test.type), bias = at::randn({test.out}).to(test.type);
    const Int8Weight layer = quantised(weight);
    const at::Tensor x = at::randn({1, test.rows, test.in}).to(test.type);
    const at::Tensor rounded = layer.rows.to(at::kFloat) * layer.scale.to(at::kFloat).unsqueeze(1);
    const at::Tensor wanted = at::linear(x.to(at::kFloat), rounded, bias.to(at::kFloat));
    const at::Tensor found = int8Linear(x, layer, bias);
    EXPECT_EQ(found.scalar_type(), test.type);
    EXPECT_EQ(found.sizes(), wanted.sizes());
    EXPECT_LT(largest(found.to(at::kFloat) - wanted), test.most * largest(wanted))
        << toString(test.type) << ", " << test.rows << " rows of " << test.in;
  }
}

TEST(Int8Linear, ARowOfZerosStaysZero) {
  const Int8Weight layer = quantised(at::zeros({2, 3}));
  EXPECT_EQ(largest(int8Linear(at::randn({1, 3}), layer, {})), 0);
}

}  // namespace
}  // namespace lanelab
