// SPDX-License-Identifier: GPL-3.0-only
#include "engine/sim/cost_file.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <filesystem>

#include "tests/support/temporary_folder.h"

namespace lanelab {
namespace {

using testing::HasSubstr;

constexpr const char* kTwoBlocks = R"({
  "blocks": [ { "name": "stem", "forward_ms": 1, "backward_ms": 2.5, "backward_weight_ms": 1 },  // comments are allowed
              { "name": "head", "forward_ms": 0, "backward_ms": 4 } ],
  "transfers_ms": [ 0.5 ] })";

TEST(CostFile, ReadsMillisecondsAsSeconds) {
  const Result<CostModel> costs = parseCosts(kTwoBlocks, "costs.json");
  ASSERT_TRUE(costs.ok()) << costs.error().message;
  EXPECT_EQ(costs->blocks, (std::vector<BlockCost>{{"stem", 0.001, 0.0025, 0.001, 0}, {"head", 0, 0.004, 0, 0}}));
  EXPECT_EQ(costs->transfers, std::vector<double>{0.0005});
  EXPECT_EQ(costs->action_overhead, 0);
  EXPECT_EQ(costs->contention, 0);
}

TEST(CostFile, TransfersAreFreeWhereNoneAreGiven) {
  const Result<CostModel> costs = parseCosts(
      R"({"blocks":[{"name":"a","forward_ms":1,"backward_ms":1},{"name":"b","forward_ms":1,"backward_ms":1}]})", "c");
  ASSERT_TRUE(costs.ok()) << costs.error().message;
  EXPECT_EQ(costs->transfers, std::vector<double>{0});
}

std::string withBlock(const std::string& fields) {
  return R"({"blocks":[{"name":"a","forward_ms":1,"backward_ms":1},)" + fields + "]}";
}

TEST(CostFile, EveryFaultIsOneSentenceThatNamesThePlace) {
  const std::pair<std::string, std::string> cases[] = {
      {"", "not valid JSON"},
      {"[]", "must be an object"},
      {"{}", "blocks is missing"},
      {R"({"blocks":[]})", "blocks is empty"},
      {R"({"blocks":[1]})", "blocks[0] must be an object"},
      {R"({"blocks":{}})", "blocks must be a list"},
      {withBlock(R"({"name":"b","forward_ms":-1,"backward_ms":1})"), "blocks[1].forward_ms must be from 0"},
      {withBlock(R"({"name":"b","forward_ms":NaN,"backward_ms":1})"), "numbers must be finite"},
      {withBlock(R"({"name":"b","forward_ms":1e999,"backward_ms":1})"), "too large"},
      {withBlock(R"({"name":"b","forward_ms":1e13,"backward_ms":1})"),
       "blocks[1].forward_ms must be from 0 to 1000000000000"},
      {withBlock(R"({"name":"b","forward_ms":"1","backward_ms":1})"), "blocks[1].forward_ms must be a finite number"},
      {withBlock(R"({"name":"b","forward_ms":null,"backward_ms":1})"), "blocks[1].forward_ms must be a finite number"},
      {withBlock(R"({"name":"b","forward_ms":1})"), "blocks[1].backward_ms is missing"},
      {withBlock(R"({"forward_ms":1,"backward_ms":1})"), "blocks[1].name is missing"},
      {withBlock(R"({"name":"","forward_ms":1,"backward_ms":1})"), "blocks[1].name is empty"},
      {withBlock(R"({"name":"a","forward_ms":1,"backward_ms":1})"), "like an earlier block's"},
      {withBlock(R"({"name":"b","forward_ms":1,"backward_ms":1,"backward_weight_ms":2})"), "must not be above it"},
      {withBlock(R"({"name":"b","foward_ms":1,"backward_ms":1})"), "Did you mean \"forward_ms\""},
      {withBlock(R"({"name":"b","forward_ms":1,"forward_ms":2,"backward_ms":1})"), "given twice"},
      {R"({"blocks":[{"name":"a","forward_ms":1,"backward_ms":1}],"transfer_ms":[]})", "transfers_ms"},
      {R"({"blocks":[{"name":"a","forward_ms":1,"backward_ms":1}],"transfers_ms":[1]})", "holds 1 values for 1 blocks"},
      {R"({"blocks":[{"name":"a","forward_ms":1,"backward_ms":1},{"name":"b","forward_ms":1,"backward_ms":1}],"transfers_ms":[-1]})",
       "transfers_ms[0] must be from 0"},
      {R"({"blocks":[{"name":"a","forward_ms":1,"backward_ms":1},{"name":"b","forward_ms":1,"backward_ms":1}],"transfers_ms":[null]})",
       "transfers_ms[0] must be a number"},
  };
  for (const auto& [text, words] : cases) {
    const Result<CostModel> costs = parseCosts(text, "costs.json");
    ASSERT_FALSE(costs.ok()) << text;
    EXPECT_EQ(costs.error().kind, Error::Kind::BadInput);
    EXPECT_THAT(costs.error().message, testing::StartsWith("costs.json"));
    EXPECT_THAT(costs.error().message, HasSubstr(words)) << text;
  }
}

TEST(CostFile, ReadsPipeDreamsProfile) {
  const Result<CostModel> costs = readCosts(LANELAB_SOURCE_DIR "/tests/data/costs/pipedream_resnet50.json");
  ASSERT_TRUE(costs.ok()) << costs.error().message;
  double total = 0;
  for (const BlockCost& block : costs->blocks) total += block.forward + block.backward;
  EXPECT_EQ(costs->blocks.size(), 18u);
  EXPECT_NEAR(total, 0.443419, 1e-9);
}

TEST(CostFile, SaysWhichFileCannotBeReadAndWaitsForNone) {
  const test::TemporaryFolder folder;
  const std::string fifo = folder.file("costs.json"), link = folder.file("link.json");
  ASSERT_EQ(::mkfifo(fifo.c_str(), 0600), 0);
  std::filesystem::create_symlink("/dev/zero", link);
  folder.write("large.json", std::string((16U << 20U) + 1, ' '));
  const std::pair<std::string, std::string> cases[] = {
      {"/no/such/costs.json", "/no/such/costs.json does not exist"},
      {folder.path(), "is a folder. Name a file."},
      {fifo, "a named pipe, not a regular file"},
      {link, "a device, not a regular file"},
      {"/proc/self/mem", "/proc/self/mem cannot be read"},
      {folder.file("large.json"), "is larger than 16 MiB"},
  };
  for (const auto& [path, words] : cases) {
    const Result<CostModel> costs = readCosts(path);
    ASSERT_FALSE(costs.ok()) << path;
    EXPECT_EQ(costs.error().kind, Error::Kind::BadInput) << path;
    EXPECT_THAT(costs.error().message, HasSubstr(words)) << path;
  }
}

}  // namespace
}  // namespace lanelab
