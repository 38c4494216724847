// SPDX-License-Identifier: GPL-3.0-only
#include "engine/torch/inference/read_ahead.h"

#include <ATen/ops/full.h>
#include <gtest/gtest.h>

#include <atomic>
#include <stdexcept>

namespace lanelab {
namespace {

/// Tensors that hold their number; `alive` counts the bytes fetched and not given back.
std::vector<FetchedTensor> numbered(const std::vector<std::int64_t>& bytes, std::atomic<std::int64_t>& alive,
                                    std::atomic<std::int64_t>& most) {
  std::vector<FetchedTensor> tensors;
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    const std::int64_t size = bytes[i];
    tensors.push_back({size,
                       [i, size, &alive, &most] {
                         const std::int64_t now = alive += size;
                         std::int64_t before = most;
                         while (now > before && !most.compare_exchange_weak(before, now)) continue;
                         return at::full({}, static_cast<std::int64_t>(i));
                       },
                       [size, &alive] { alive -= size; }});
  }
  return tensors;
}

TEST(ReadAhead, KeepsTheOrderOverPassesAndTheLimit) {
  std::atomic<std::int64_t> alive = 0, most = 0;
  {
    ReadAhead ahead(numbered({10, 1, 1, 30, 5}, alive, most), 40, 50);
    for (int pass = 0; pass < 50; ++pass) {
      for (std::int64_t i = 0; i < 5; ++i) {
        EXPECT_EQ(ahead.acquire().item<std::int64_t>(), i);
        ahead.release();
      }
    }
    EXPECT_EQ(alive, 0);
  }
  EXPECT_LE(most, 40);
  EXPECT_GE(most, 30);
}

TEST(ReadAhead, ATensorAboveTheLimitIsFetchedAlone) {
  std::atomic<std::int64_t> alive = 0, most = 0;
  ReadAhead ahead(numbered({7, 100, 7}, alive, most), 8, 1);
  for (int i = 0; i < 3; ++i) {
    EXPECT_EQ(ahead.acquire().item<int>(), i);
    ahead.release();
  }
  EXPECT_EQ(most, 100);
}

TEST(ReadAhead, SeveralAreUsedAtOnceAndGivenBackInTheirOrder) {
  std::atomic<std::int64_t> alive = 0, most = 0;
  ReadAhead ahead(numbered({10, 20, 30}, alive, most), 90, 2);
  for (int pass = 0; pass < 2; ++pass) {
    for (int i = 0; i < 3; ++i) EXPECT_EQ(ahead.acquire().item<int>(), i);
    for (int i = 0; i < 3; ++i) ahead.release();
  }
  EXPECT_EQ(alive, 0);
  EXPECT_LE(most, 90);
}

TEST(ReadAhead, AFailureComesOutInItsPlace) {
  std::atomic<std::int64_t> alive = 0, most = 0;
  std::vector<FetchedTensor> tensors = numbered({1, 1, 1}, alive, most);
  tensors[1].fetch = []() -> at::Tensor { throw std::runtime_error("the disk is gone"); };
  ReadAhead ahead(std::move(tensors), 100, 1);
  EXPECT_EQ(ahead.acquire().item<int>(), 0);
  ahead.release();
  EXPECT_THROW(ahead.acquire(), std::runtime_error);
}

TEST(ReadAhead, EndsWithPassesLeftAndFetchesNoMore) {
  std::atomic<std::int64_t> alive = 0, most = 0;
  {
    ReadAhead ahead(numbered({1, 1, 1}, alive, most), 2, 1000000);
    EXPECT_EQ(ahead.acquire().item<int>(), 0);
  }
  EXPECT_GE(alive, 1) << "the tensor in use, which was not given back";
  EXPECT_LE(alive, 2) << "and at most the one that was fetched ahead of it";
}

TEST(ReadAhead, NothingToFetch) {
  const ReadAhead ahead({}, 0, 3);
  EXPECT_EQ(ahead.waitedSeconds(), 0);
}

}  // namespace
}  // namespace lanelab
