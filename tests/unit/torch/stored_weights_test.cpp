// SPDX-License-Identifier: GPL-3.0-only
#include "engine/torch/files/stored_weights.h"

#include <ATen/ops/arange.h>
#include <ATen/ops/equal.h>
#include <gtest/gtest.h>

#include <cstring>
#include <fstream>

#include "engine/torch/files/tensor_file.h"
#include "tests/support/temporary_folder.h"

namespace lanelab {
namespace {

TEST(StoredWeights, AreViewsOfTheFileAndStayGoodWhenDropped) {
  const test::TemporaryFile place("mapped.safetensors");
  const at::Tensor large = at::arange(1 << 16, at::kFloat).view({256, 256});
  ASSERT_TRUE(writeSafetensors(place.path, {{"large", large}, {"small", at::arange(3, at::kLong)}}).ok());
  auto tensors = mapSafetensors(place.path);
  ASSERT_TRUE(tensors.ok()) << tensors.error().message;
  EXPECT_EQ(tensors->tensors.size(), 2U);
  EXPECT_EQ(tensors->tensors.at("small").scalar_type(), at::kLong);
  const at::Tensor view = tensors->tensors.at("large");
  EXPECT_TRUE(tensors->files.front()->offsetOf(view.const_data_ptr())) << "nothing is copied";
  tensors->read(view);
  EXPECT_TRUE(at::equal(view, large));
  tensors->drop(view);
  EXPECT_TRUE(at::equal(view, large)) << "read from the file again";
  *tensors = StoredWeights();
  EXPECT_TRUE(at::equal(view, large)) << "a view keeps the file mapped";
}

TEST(StoredWeights, WhatDoesNotLieOnWholeElementsIsCopied) {
  const test::TemporaryFile place("odd.safetensors");
  const std::string header =
      R"({"a":{"dtype":"U8","shape":[1],"data_offsets":[0,1]},"b":{"dtype":"F32","shape":[2],"data_offsets":[1,9]}})";
  const std::uint64_t length = header.size();
  const float values[] = {1.5F, -2.25F};
  std::string bytes(sizeof length, '\0');
  std::memcpy(bytes.data(), &length, sizeof length);
  bytes += header + '\7' + std::string(reinterpret_cast<const char*>(values), sizeof values);
  std::ofstream(place.path, std::ios::binary) << bytes;
  const auto tensors = mapSafetensors(place.path);
  ASSERT_TRUE(tensors.ok()) << tensors.error().message;
  EXPECT_EQ(tensors->tensors.at("b")[0].item<float>(), 1.5F);
  EXPECT_EQ(tensors->tensors.at("b")[1].item<float>(), -2.25F);
}

TEST(StoredWeights, AnIndexMayNameOnlyFilesBesideIt) {
  const test::TemporaryFile place("index.json");
  for (const char* text : {R"({"weight_map": {"a": "../other.safetensors"}})", R"({"weight_map": {"a": 3}})",
                           R"({"weight_map": {}})", R"({})", "[]", "{"}) {
    std::ofstream(place.path) << text;
    const auto tensors = mapSafetensors(place.path);
    ASSERT_FALSE(tensors.ok()) << text;
    EXPECT_EQ(tensors.error().kind, Error::Kind::BadInput);
    EXPECT_EQ(tensors.error().message.rfind(place.path, 0), 0U) << tensors.error().message;
  }
}

}  // namespace
}  // namespace lanelab
