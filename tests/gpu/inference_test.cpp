// SPDX-License-Identifier: GPL-3.0-only
// Inference under device maps with GPUs: the logits of the CPU.
#include <ATen/TensorOperators.h>
#include <ATen/ops/randint.h>
#include <ATen/ops/randn.h>
#include <gtest/gtest.h>

#include <functional>

#include "base/whole_file.h"
#include "engine/exported/exported_network.h"
#include "engine/model/llama.h"
#include "engine/networks/built_network.h"
#include "engine/record/run_store.h"
#include "engine/torch/devices/compute_devices.h"
#include "engine/torch/files/tensor_file.h"
#include "engine/torch/inference/inference.h"
#include "engine/torch/train/torch_executor.h"
#include "tests/support/source_folder.h"
#include "tests/support/temporary_folder.h"

namespace lanelab {
namespace {

class InferenceOnGpu : public ::testing::Test {
 protected:
  void SetUp() override {
    if (usableGpus() < 1) GTEST_SKIP() << "needs a GPU";
  }

  std::string path(const char* name) const { return m_folder.file(name); }

  static DeviceMap mapOf(std::initializer_list<std::pair<const std::string, MapDevice>> places) {
    DeviceMap map;
    map.places = places;
    return map;
  }

  at::Tensor logits(const std::function<Result<InferenceReport>(const InferenceFiles&)>& infer,
                    const std::string& weights) {
    const Result<InferenceReport> report = infer({weights, path("in.safetensors"), path("out.safetensors")});
    EXPECT_TRUE(report.ok()) << report.error().message;
    EXPECT_TRUE(report->missing_gpus.empty());
    return readSafetensors(path("out.safetensors"), {"logits"})->at("logits").clone();
  }

  static double farthest(const at::Tensor& a, const at::Tensor& b) { return (a - b).abs().max().item<double>(); }

  static constexpr MapDevice kGpu{MapDevice::Kind::Gpu, 0}, kCpu{MapDevice::Kind::Cpu, 0},
      kDisk{MapDevice::Kind::Disk, 0};

 private:
  const test::TemporaryFolder m_folder;
};

TEST_F(InferenceOnGpu, ResnetsAreWithinATenThousandthOfTheCpu) {
  const auto network = builtNetwork("resnet18", 10, {3, 64, 64});
  ASSERT_TRUE(writeInitialWeights(**network, 1, path("w.safetensors")).ok());
  ASSERT_TRUE(writeSafetensors(path("in.safetensors"), {{"inputs", at::randn({20, 3, 64, 64})}}).ok());
  const auto under = [&](const DeviceMap& map, bool int8 = false) {
    return logits([&](const InferenceFiles& files) { return inferNetwork(*network, files, map, int8); },
                  path("w.safetensors"));
  };
  const at::Tensor wanted = under(mapOf({{"", kCpu}}));
  for (const DeviceMap& map :
       {mapOf({{"", kGpu}}), mapOf({{"", kGpu}, {"layer2", kCpu}, {"layer3.0.conv1", kDisk}, {"layer4", kDisk}})})
    EXPECT_LT(farthest(under(map), wanted), 1e-4);
  EXPECT_LT(farthest(under(mapOf({{"", kGpu}}), true), under(mapOf({{"", kCpu}}), true)), 1e-4);
}

TEST_F(InferenceOnGpu, ExportedNetworksAreWithinATenThousandthOfTheCpu) {
  ASSERT_TRUE(writeSafetensors(path("in.safetensors"), {{"inputs", at::randn({20, 3, 32, 32})}}).ok());
  const auto network = openExported(test::sourceFolder() + "/tests/data/exported/resnet18.pt2").value();
  const auto under = [&](const DeviceMap& map, bool int8 = false) {
    return logits([&](const InferenceFiles& files) { return inferNetwork(network, files, map, int8); }, "");
  };
  const at::Tensor wanted = under(mapOf({{"", kCpu}}));
  for (const DeviceMap& map :
       {mapOf({{"", kGpu}}), mapOf({{"", kGpu}, {"layer2", kCpu}, {"layer3.0.conv1", kDisk}, {"layer4", kDisk}})})
    EXPECT_LT(farthest(under(map), wanted), 1e-4);
  EXPECT_LT(farthest(under(mapOf({{"", kGpu}}), true), under(mapOf({{"", kCpu}}), true)), 1e-4);
}

TEST_F(InferenceOnGpu, LlamaIsWithinATenThousandthOfTheCpu) {
  const std::string model = test::sourceFolder() + "/resources/models/tiny-llama";
  const Result<LlamaConfig> config = parseLlamaConfig(*readWholeFile(model + "/config.json", 1 << 20), model);
  ASSERT_TRUE(
      writeSafetensors(path("in.safetensors"), {{"input_ids", at::randint(config->vocabulary, {2, 9}, at::kLong)}})
          .ok());
  const auto under = [&](const DeviceMap& map, bool int8 = false) {
    return logits(
        [&](const InferenceFiles& files) {
          return inferLlama({*config, files.weights, {}, map, 4, int8}, files.input, files.out);
        },
        model + "/model.safetensors");
  };
  const at::Tensor wanted = under(mapOf({{"", kCpu}}));
  for (const DeviceMap& map :
       {mapOf({{"", kGpu}}),
        mapOf({{"", kGpu}, {"model.embed_tokens", kCpu}, {"model.layers.1", kDisk}, {"model.layers.0.mlp", kCpu}})})
    EXPECT_LT(farthest(under(map), wanted), 1e-4);
  EXPECT_LT(farthest(under(mapOf({{"", kGpu}}), true), under(mapOf({{"", kCpu}}), true)), 1e-4);
}

}  // namespace
}  // namespace lanelab
