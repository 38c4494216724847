// Small traces with the gaps that are expected of them (tests/data/gaps). The expected ones were checked by a second implementation of the trace
// dialect's definition, written apart from this one.
#include <gtest/gtest.h>

#include <filesystem>

#include "profiler/io/causes_json.h"
#include "profiler/io/chrome_reader.h"
#include "tests/unit/io/small_world.h"

namespace lanelab {
namespace {

/// A mismatch leaves what came out beside the expected text, and says how to accept it.
void expectGaps(const std::string& name, const std::string& actual) {
  const std::string expected = std::string(LANELAB_SOURCE_DIR) + "/tests/data/gaps/" + name + ".gaps.json";
  std::filesystem::remove(expected + ".actual");
  if (contentOf(expected) == actual) return;
  writeContent(expected + ".actual", actual);
  EXPECT_EQ(contentOf(expected), actual) << "If the new text is right: mv '" << expected << ".actual' '" << expected << "'";
}

struct Golden {
  const char* name;
  Nanoseconds axis;
};

class GapsGolden : public testing::TestWithParam<Golden> {};

TEST_P(GapsGolden, AreAsExpected) {
  const auto [name, axis] = GetParam();
  const ReadTrace read = readChromeTrace(std::string(LANELAB_SOURCE_DIR) + "/tests/data/gaps/" + name + ".json");
  ASSERT_TRUE(read.trace) << read.error;
  EXPECT_TRUE(read.problems.empty());
  expectGaps(name, causesJson(*read.trace, explainIdle(*read.trace), axis));
}

// gpipe: three equal stages, no transfers. two_lanes: two steps with nearly every cause, times from a base. shared_gpu: unequal stages, split
// backward, one device.
INSTANTIATE_TEST_SUITE_P(Dialect, GapsGolden,
                         testing::Values(Golden{"gpipe", 0}, Golden{"two_lanes", 1'790'000'000'123'456'789}, Golden{"shared_gpu", 0}),
                         [](const auto& golden) { return std::string(golden.param.name); });

}  // namespace
}  // namespace lanelab
