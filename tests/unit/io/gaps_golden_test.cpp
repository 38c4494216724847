// SPDX-License-Identifier: GPL-3.0-only
// Small traces with the gaps that are expected of them (tests/data/gaps). The expected ones were checked by a second
// implementation of the trace dialect's definition, written apart from this one.
#include <gtest/gtest.h>

#include <filesystem>

#include "profiler/io/import/trace_import.h"
#include "profiler/io/tables/causes_json.h"
#include "tests/unit/io/small_world.h"

namespace lanelab {
namespace {

/// A mismatch leaves what came out beside the expected text, and says how to accept it.
void expectGaps(const std::string& name, const std::string& actual) {
  const std::string expected = std::string(LANELAB_SOURCE_DIR) + "/tests/data/gaps/" + name + ".gaps.json";
  std::filesystem::remove(expected + ".actual");
  if (contentOf(expected) == actual) return;
  writeContent(expected + ".actual", actual);
  EXPECT_EQ(contentOf(expected), actual) << "If the new text is right: mv '" << expected << ".actual' '" << expected
                                         << "'";
}

struct Golden {
  const char* name;
  Nanoseconds axis;
};

class GapsGolden : public testing::TestWithParam<Golden> {};

TEST_P(GapsGolden, AreAsExpected) {
  const auto [name, axis] = GetParam();
  const ReadImport read = importTrace(std::string(LANELAB_SOURCE_DIR) + "/tests/data/gaps/" + name + ".json");
  ASSERT_TRUE(read.ok()) << read.error().message;
  EXPECT_TRUE((*read)->counts.problems.empty());
  EXPECT_EQ((*read)->base, axis);
  expectGaps(name, causesJson(*(*read)->trace, explainIdle(**read), (*read)->base));
}

// gpipe: three equal stages, no transfers. two_lanes: two steps with nearly every cause, times from a base. shared_gpu:
// unequal stages, split backward, one device. kernels: a GPU of another program, launched late, with copies. threads:
// operators of another program on two threads.
INSTANTIATE_TEST_SUITE_P(Small, GapsGolden,
                         testing::Values(Golden{"gpipe", 0}, Golden{"two_lanes", 1'790'000'000'123'456'789},
                                         Golden{"shared_gpu", 0}, Golden{"kernels", 0}, Golden{"threads", 0}),
                         [](const auto& golden) { return std::string(golden.param.name); });

}  // namespace
}  // namespace lanelab
