// SPDX-License-Identifier: GPL-3.0-only
#include "engine/torch/inference/block_inference.h"

#include <gtest/gtest.h>

namespace lanelab {
namespace {

TEST(BlockInference, DividesRowsIntoChunksThatTheNetworkAllows) {
  struct Case {
    std::int64_t rows, least, most;
    RowChunks chunks;  ///< none: not possible
  };
  const std::vector<Case> cases = {{1, 1, 0, {1}},          {16, 1, 0, {16}},       {35, 1, 0, {16, 16, 3}},
                                   {5, 1, 2, {2, 2, 1}},    {6, 3, 3, {3, 3}},      {7, 3, 3, {}},
                                   {2, 3, 3, {}},           {17, 2, 4096, {9, 8}},  {17, 16, 4096, {17}},
                                   {17, 16, 16, {}},        {40, 20, 20, {20, 20}}, {33, 2, 16, {11, 11, 11}},
                                   {50, 24, 4096, {25, 25}}};
  for (const Case& each : cases)
    EXPECT_EQ(chunksOf(each.rows, each.least, each.most), each.chunks)
        << each.rows << " rows, " << each.least << " to " << each.most;
}

}  // namespace
}  // namespace lanelab
