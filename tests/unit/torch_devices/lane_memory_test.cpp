// SPDX-License-Identifier: GPL-3.0-only
#include <ATen/ops/empty.h>
#include <ATen/ops/zeros.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <thread>

#include "engine/torch/devices/lane_memory.h"

namespace lanelab {
namespace {

at::Tensor bytes(std::int64_t n) { return at::empty({n}, at::TensorOptions().dtype(at::kByte)); }

class LaneMemory : public ::testing::Test {
 protected:
  void SetUp() override {
    installLaneAllocator();
    chargeThread(m_account);
  }
  void TearDown() override {
    chargeThread(nullptr);
    releaseKeptBlocks();
  }
  std::shared_ptr<LaneAccount> m_account = std::make_shared<LaneAccount>(63);
};

TEST_F(LaneMemory, CountsExactlyWhatTensorsHold) {
  const at::Tensor small = bytes(100);
  {
    const at::Tensor large = bytes(1'000'000);
    EXPECT_EQ(m_account->live(), 1'000'100);
  }
  EXPECT_EQ(m_account->live(), 100);
  EXPECT_EQ(m_account->peak(), 1'000'100);
  m_account->restartPeak();
  EXPECT_EQ(m_account->peak(), 100);
}

TEST_F(LaneMemory, ATensorFreedByAnotherLaneIsTakenFromItsOwner) {
  at::Tensor tensor = bytes(500'000);
  const auto other = std::make_shared<LaneAccount>(62);
  std::thread([&] {
    chargeThread(other);
    tensor.reset();
  }).join();
  EXPECT_EQ(m_account->live(), 0);
  EXPECT_EQ(other->live(), 0);
}

TEST_F(LaneMemory, ALargeBlockServesTheNextTensorOfItsSize) {
  at::Tensor first = bytes(3'000'000);
  const void* const data = first.data_ptr();
  first.reset();
  EXPECT_EQ(bytes(2'999'000).data_ptr(), data);
}

TEST_F(LaneMemory, DataIsAlignedForTheWidestVectors) {
  for (const std::int64_t n : {1, 63, 1000, 65536, 5'000'000}) {
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(bytes(n).data_ptr()) % 64, 0u) << n;
  }
}

TEST_F(LaneMemory, BeyondTheLimitATensorIsRefusedAndTheNextStillWorks) {
  const std::int64_t limit = laneMemoryLimit();
  setLaneMemoryLimit(std::int64_t{64} << 20);
  EXPECT_THROW(
      {
        try {
          bytes(std::int64_t{65} << 20);
        } catch (const OutOfLaneMemory& error) {
          EXPECT_THAT(error.what(), ::testing::HasSubstr("out of memory"));
          throw;
        }
      },
      OutOfLaneMemory);
  EXPECT_EQ(m_account->live(), 0);
  EXPECT_EQ(bytes(std::int64_t{10} << 20).numel(), std::int64_t{10} << 20);
  setLaneMemoryLimit(limit);
}

TEST_F(LaneMemory, KeptBlocksMakeRoomWhenMemoryIsShort) {
  const std::int64_t limit = laneMemoryLimit();
  setLaneMemoryLimit(std::int64_t{64} << 20);
  bytes(std::int64_t{40} << 20);
  EXPECT_NO_THROW(bytes(std::int64_t{50} << 20));
  setLaneMemoryLimit(limit);
}

}  // namespace
}  // namespace lanelab
