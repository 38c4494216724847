// SPDX-License-Identifier: GPL-3.0-only
#include "engine/experiment/device.h"

#include <gtest/gtest.h>

namespace lanelab {
namespace {

TEST(Device, NamesAreReadStrictly) {
  EXPECT_EQ(parseDevice("cpu:12"), Device::cpu(12));
  EXPECT_EQ(parseDevice("cuda:1"), Device::cuda(1));
  for (const char* text : {"cpu", "cpu:", "cpu:-1", "cpu:-1x", "cpu:-0", "cpu:+1", "cpu:1 ", "gpu:0", "", ":0",
                           "cpu:99999999999", "cuda:0/sm:8"})
    EXPECT_EQ(parseDevice(text), std::nullopt) << text;
}

TEST(Device, TextReadsBack) {
  for (const Device device : {Device::cpu(0), Device::cpu(31), Device::cuda(7)})
    EXPECT_EQ(parseDevice(toString(device)), device);
}

}  // namespace
}  // namespace lanelab
