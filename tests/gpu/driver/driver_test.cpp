// SPDX-License-Identifier: GPL-3.0-only
// A driver that has no GPU: the CUDA part is loaded, and in time.
#include <ATen/TensorOperators.h>
#include <ATen/detail/CUDAHooksInterface.h>
#include <ATen/ops/ones.h>
#include <dlfcn.h>
#include <gtest/gtest.h>

#include "engine/torch/devices/cuda_platform.h"
#include "engine/torch/train/torch_executor.h"

namespace lanelab {
namespace {

class DriverWithoutGpu : public ::testing::Test {
 protected:
  void SetUp() override {
    // A library that is loaded answers to its name from then on.
    if (::dlopen("libcuda.so.1", RTLD_NOW | RTLD_NOLOAD) == nullptr && ::dlopen("libcuda.so.1", RTLD_NOW) != nullptr)
      GTEST_SKIP() << "needs a machine without NVIDIA's driver";
    ASSERT_NE(::dlopen(LANELAB_EMPTY_DRIVER, RTLD_NOW), nullptr) << ::dlerror();
  }
};

// PyTorch looks for its CUDA part once, at the latest in the first backward, and never again.
TEST_F(DriverWithoutGpu, AnExecutorLoadsTheCudaPartBeforePyTorchLooksForIt) {
  const auto executor = makeTorchExecutor();
  const at::Tensor x = at::ones({2}).requires_grad_();
  (x * x).sum().backward();
  EXPECT_TRUE(at::detail::getCUDAHooks().compiledWithCuDNN());
}

TEST_F(DriverWithoutGpu, IsASentence) {
  std::string why_not;
  EXPECT_EQ(cudaPlatform(&why_not), nullptr);
  EXPECT_EQ(why_not, "the NVIDIA driver reports no usable GPU");
}

}  // namespace
}  // namespace lanelab
