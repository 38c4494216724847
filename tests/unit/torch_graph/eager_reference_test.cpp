// SPDX-License-Identifier: GPL-3.0-only
// The numbers of eager PyTorch that a file has, against the network of the file: relu(x W^T) times 2.
#include "engine/torch/train/eager_reference.h"

#include <ATen/CPUGeneratorImpl.h>
#include <ATen/core/Tensor.h>
#include <ATen/ops/linear.h>
#include <ATen/ops/randn.h>
#include <ATen/ops/relu.h>
#include <ATen/ops/tensor.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <cstring>
#include <functional>

#include "tests/support/temporary_folder.h"
#include "tests/unit/exported/written_program.h"

namespace lanelab {
namespace {

using test::PtJson;
using testing::HasSubstr;

constexpr std::array<float, 6> kWeight = {0.5F, -0.25F, 1.5F, 0.75F, -1.0F, 0.125F};

template <std::size_t Size>
std::string bytesOf(const std::array<float, Size>& numbers) {
  std::string bytes(sizeof numbers, '\0');
  std::memcpy(bytes.data(), numbers.data(), bytes.size());
  return bytes;
}

/// As the script writes it, computed by PyTorch's own functions.
PtJson stepOfPyTorch() {
  const at::Tensor x = at::randn({3, 2}, at::detail::createCPUGenerator(5), at::TensorOptions(at::kFloat));
  const at::Tensor weight = at::tensor(at::ArrayRef<float>(kWeight)).reshape({3, 2}).requires_grad_();
  const at::Tensor loss = at::relu(at::linear(x, weight)).mul(2).square().mean();
  loss.backward();
  const at::Tensor gradient = weight.grad().to(at::kDouble);
  return {{"version", 1},
          {"torch", "2.11.0"},
          {"batch", 3},
          {"seed", 5},
          {"input_sum", x.to(at::kDouble).abs().sum().item<double>()},
          {"loss", {loss.item<double>(), 1e-8}},
          {"gradients", {{"fc.weight", {gradient.norm().item<double>(), gradient.sum().item<double>(), 1e-8}}}}};
}

class EagerReference : public ::testing::Test {
 protected:
  Result<std::optional<EagerComparison>> compare(const std::string& record, bool other_weights = false) {
    test::WrittenProgram program;
    program.weightMeta()["requires_grad"] = true;
    program.records["net/data/weights/weight_0"] = bytesOf(kWeight);
    program.records["net/data/constants/tensor_0"] = bytesOf(std::array{2.0F});
    if (!record.empty()) program.records["net/extra/lanelab_eager.json"] = record;
    const std::string path = m_folder.write("net.pt2", program.zip());
    Experiment experiment;
    experiment.model = {.arch = {}, .classes = 0, .file = path};
    if (other_weights) experiment.model.weights = "other.safetensors";
    return compareWithEager(*resolve(experiment));
  }
  std::string text(const std::string& record, bool other_weights = false) {
    const auto comparison = compare(record, other_weights);
    return comparison.ok() ? eagerText(**comparison) : comparison.error().message;
  }

 private:
  test::TemporaryFolder m_folder;
};

TEST_F(EagerReference, TheSameNumbersAreEqual) {
  const auto comparison = compare(stepOfPyTorch().dump());
  ASSERT_TRUE(comparison.ok()) << comparison.error().message;
  EXPECT_EQ((*comparison)->gradients, 1U);
  EXPECT_LT((*comparison)->worst_difference, 1e-6);
  EXPECT_TRUE(eagerStatus(**comparison).ok());
  EXPECT_THAT(eagerText(**comparison), HasSubstr("eager PyTorch 2.11.0: loss and 1 gradient "));
}

TEST_F(EagerReference, OtherNumbersDifferByName) {
  const struct {
    std::function<void(PtJson&)> change;
    const char* says;
  } cases[] = {
      {[](PtJson& step) { step["loss"][0] = step["loss"][0].get<double>() * 1.01; }, "DIFFERS: the loss by 9.9e-03"},
      {[](PtJson& step) { step["gradients"]["fc.weight"][0] = 9.0; }, "DIFFERS: the gradient of fc.weight by "},
      {[](PtJson& step) { step["gradients"]["fc.weight"][1] = 9.0; }, "DIFFERS: the gradient of fc.weight by "},
      {[](PtJson& step) {
         step["gradients"]["fc.bias"] = {1.0, 1.0, 0.0};
       },
       "DIFFERS: the gradient of fc.bias by inf"},
  };
  for (const auto& c : cases) {
    PtJson step = stepOfPyTorch();
    c.change(step);
    const auto comparison = compare(step.dump());
    ASSERT_TRUE(comparison.ok()) << comparison.error().message;
    EXPECT_THAT(eagerText(**comparison), HasSubstr(c.says));
    EXPECT_EQ(eagerStatus(**comparison).error().kind, Error::Kind::Failed);
  }
}

TEST_F(EagerReference, WhatRoundingMovesIsAllowed) {
  PtJson step = stepOfPyTorch();
  step["gradients"]["fc.weight"][0] = step["gradients"]["fc.weight"][0].get<double>() + 0.5;
  step["gradients"]["fc.weight"][2] = 0.1;
  EXPECT_THAT(text(step.dump()), HasSubstr("loss and 1 gradient within "));
}

TEST_F(EagerReference, IsLeftOutWithItsReason) {
  PtJson other_input = stepOfPyTorch();
  other_input["input_sum"] = 1e6;
  EXPECT_THAT(text(other_input.dump()), HasSubstr("not compared, because its input cannot be drawn again"));
  EXPECT_THAT(text(R"({"version":1,"torch":"2.11.0","left_out":"random"})"), HasSubstr("draws random numbers"));
  EXPECT_THAT(text(""), HasSubstr("the file has no numbers of it"));
  EXPECT_THAT(text(stepOfPyTorch().dump(), true), HasSubstr("model.weights replaces the weights"));
  EXPECT_FALSE(*compareWithEager(*resolve(Experiment())));
}

TEST_F(EagerReference, ABatchThatTheFileDoesNotAllowIsAnError) {
  EXPECT_THAT(text(R"({"version":1,"torch":"2.11.0","batch":0})"), HasSubstr("0 is not a legal value"));
}

}  // namespace
}  // namespace lanelab
