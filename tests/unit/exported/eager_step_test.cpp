// SPDX-License-Identifier: GPL-3.0-only
#include "engine/exported/archive/eager_step.h"

#include <gtest/gtest.h>

#include <functional>
#include <string>

#include "tests/unit/exported/written_program.h"

namespace lanelab::test {
namespace {

PtJson someStep() {
  return {{"version", 1},
          {"torch", "2.11.0+cu130"},
          {"batch", 2},
          {"seed", 7},
          {"input_sum", 3.25},
          {"loss", {0.5, 1e-8}},
          {"gradients", {{"fc.weight", {0.25, -0.5, 1e-9}}}}};
}

Result<std::optional<EagerStep>> readWith(const std::string& record) {
  WrittenProgram program;
  program.records["net/extra/lanelab_eager.json"] = record;
  return readEagerStep(bytesInMemory(program.zip()), "net.pt2");
}

TEST(EagerStep, IsReadFromItsRecord) {
  PtJson json = someStep();
  json["ids"] = 60;
  const auto step = readWith(json.dump());
  ASSERT_TRUE(step.ok()) << step.error().message;
  ASSERT_TRUE(*step);
  EXPECT_EQ((*step)->torch_version, "2.11.0+cu130");
  EXPECT_EQ((*step)->left_out, EagerStep::LeftOut::Nothing);
  EXPECT_EQ((*step)->batch, 2);
  EXPECT_EQ((*step)->seed, 7U);
  EXPECT_EQ((*step)->ids, 60);
  EXPECT_EQ((*step)->input_sum, 3.25);
  EXPECT_EQ((*step)->loss, 0.5);
  EXPECT_EQ((*step)->loss_moved, 1e-8);
  ASSERT_EQ((*step)->gradients.size(), 1U);
  EXPECT_EQ((*step)->gradients[0].name, "fc.weight");
  EXPECT_EQ((*step)->gradients[0].norm, 0.25);
  EXPECT_EQ((*step)->gradients[0].sum, -0.5);
  EXPECT_EQ((*step)->gradients[0].moved, 1e-9);
}

TEST(EagerStep, MayBeAbsentOrLeftOut) {
  const auto absent = readEagerStep(bytesInMemory(WrittenProgram().zip()), "net.pt2");
  ASSERT_TRUE(absent.ok());
  EXPECT_FALSE(*absent);
  for (const char* why : {"random", "not finite", "too large"}) {
    const auto step = readWith(PtJson{{"version", 1}, {"torch", "2.9.0"}, {"left_out", why}}.dump());
    ASSERT_TRUE(step.ok()) << step.error().message;
    EXPECT_EQ(toWord((*step)->left_out), why);
  }
}

TEST(EagerStep, IsRefusedByWhatIsWrong) {
  const auto with = [](const char* key, const PtJson& value) {
    PtJson json = someStep();
    json[key] = value;
    return json.dump();
  };
  const struct {
    std::string record;
    const char* error;
  } cases[] = {
      {"{", "is not valid JSON"},
      {"[]", "a value is not an object"},
      {with("version", 2), "it has version 2, and only version 1 is supported. Use a newer version"},
      {with("left_out", "nothing"), "its reason for no numbers is not known"},
      {with("left_out", "luck"), "its reason for no numbers is not known"},
      {with("batch", 0), "0 is not a legal value"},
      {with("batch", 100000), "100000 is not a legal value"},
      {with("seed", -1), "-1 is not a legal value"},
      {with("ids", 0), "0 is not a legal value"},
      {with("input_sum", -1.0), "its input_sum is negative"},
      {with("input_sum", "NaN"), "a number is not finite"},
      {with("loss", 0.5), "a value is not a list"},
      {with("loss", {0.5, -1}), "its loss is not a number and a move"},
      {with("gradients", {1, 2}), "a value is not an object"},
      {with("gradients", {{"w", {1.0, 2.0}}}), "the gradient of w is not a norm, a sum and a move"},
      {with("gradients", {{"w", {-1.0, 2.0, 0.0}}}), "the gradient of w is not a norm, a sum and a move"},
      {with("gradients", {{"w", {1.0, "Infinity", 0.0}}}), "a number is not finite"},
      {someStep().dump() + std::string(5 << 20, ' '), "it is larger than 4 MiB"},
  };
  for (const auto& c : cases) {
    const auto step = readWith(c.record);
    ASSERT_FALSE(step.ok()) << c.error;
    const std::string message = step.error().message;
    EXPECT_EQ(message.find("net.pt2: its record "), 0U) << message;
    EXPECT_NE(message.find(c.error), std::string::npos) << message;
  }
  EXPECT_FALSE(readEagerStep(bytesInMemory("no zip"), "net.pt2").ok());
  EXPECT_FALSE(readEagerStep("absent.pt2").ok());
}

}  // namespace
}  // namespace lanelab::test
