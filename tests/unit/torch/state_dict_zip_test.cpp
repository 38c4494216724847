// SPDX-License-Identifier: GPL-3.0-only
// The values of tensors in torch.save()'s archives; what is refused is tested without torch (tests/unit/files).
#include "engine/torch/files/state_dict_zip.h"

#include <ATen/ops/equal.h>
#include <ATen/ops/tensor.h>
#include <gmock/gmock.h>

#include "tests/unit/files/state_dict_writer.h"
#include "tests/unit/torch/data_world.h"

namespace lanelab {
namespace {

using ::testing::HasSubstr;

std::string bytesOfFloats(const std::vector<float>& values) {
  return {reinterpret_cast<const char*>(values.data()), values.size() * sizeof(float)};
}

TEST(StateDictZip, TensorsAreViewsOfTheirStorages) {
  const test::TemporaryFolder folder;
  const std::string pickle = "}(" + test::pickledText("rows") + test::pickledTensor({2, 3}, {3, 1}) +
                             test::pickledText("columns") + test::pickledTensor({3, 2}, {1, 3}) +
                             test::pickledText("none") + test::pickledTensor({0}, {1}) + "u.";
  const auto tensors =
      readStateDictZip(folder.write("a.pth", test::stateDict(pickle, bytesOfFloats({1, 2, 3, 4, 5, 6}))));
  ASSERT_TRUE(tensors.ok()) << tensors.error().message;
  EXPECT_TRUE(at::equal(tensors->at("rows"), at::tensor({1.f, 2.f, 3.f, 4.f, 5.f, 6.f}).view({2, 3})));
  EXPECT_TRUE(at::equal(tensors->at("columns"), tensors->at("rows").t()));
  EXPECT_TRUE(tensors->at("columns").is_contiguous());
  EXPECT_EQ(tensors->at("none").numel(), 0);
}

TEST(StateDictZip, ErrorsNameTheFileAndTheFix) {
  const test::TemporaryFolder folder;
  const std::string path =
      folder.write("a.pth", test::stateDict(test::pickledDict("a", test::pickledTensor({700'000'000}, {0})), "1234"));
  const auto tensors = readStateDictZip(path);
  ASSERT_FALSE(tensors.ok());
  EXPECT_EQ(tensors.error().message,
            path +
                " cannot be read as a PyTorch state dict: it holds a tensor that has more elements than its storage. "
                "Save it with torch.save(model.state_dict(), path), or as safetensors.");
}

}  // namespace
}  // namespace lanelab
