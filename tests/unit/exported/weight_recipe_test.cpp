// SPDX-License-Identifier: GPL-3.0-only
#include "engine/exported/archive/weight_recipe.h"

#include <gtest/gtest.h>

#include <functional>

#include "engine/exported/exported_network.h"
#include "engine/files/shipped_files.h"
#include "tests/unit/exported/written_program.h"

namespace lanelab::test {
namespace {

const PtJson kNormal = {{"rule", "normal"}, {"mean", 0.0}, {"deviation", 0.02}};

WrittenProgram drawnProgram(const PtJson& draw = kNormal) {
  WrittenProgram program;
  program.drawWeight(draw);
  return program;
}

TEST(WeightRecipe, TakesThePlaceOfBytes) {
  WrittenProgram written = drawnProgram();
  PtJson draws = PtJson::parse(written.records["net/extra/lanelab_weights.json"])["draws"];
  draws.push_back({{"rule", "uniform"}, {"low", -1}, {"high", 1}, {"elements", 5}});
  written.setRecipe(draws);
  const Result<ExportedProgram> program = written.read();
  ASSERT_TRUE(program.ok()) << program.error().message;
  ASSERT_EQ(program->draws.size(), 2);
  EXPECT_EQ(program->draws[0].record, program->tensors.at("fc.weight").record);
  EXPECT_EQ(program->draws[0].rule, WeightDraw::Rule::Normal);
  EXPECT_EQ(program->draws[0].elements, 6);
  EXPECT_EQ(program->draws[0].deviation, 0.02);
  EXPECT_EQ(program->draws[1].record, "");
  EXPECT_EQ(program->draws[1].elements, 5);
  EXPECT_EQ(program->draws[1].low, -1);
}

TEST(WeightRecipe, IsRefusedByWhatIsWrong) {
  const auto with = [](const char* key, const PtJson& value) {
    PtJson draw = kNormal;
    draw[key] = value;
    return draw;
  };
  const struct {
    PtJson draw;
    const char* error;
  } cases[] = {
      {with("rule", "poisson"), "draw 0 of its recipe of weights: its rule poisson is not known"},
      {with("rule", 3), "draw 0 of its recipe of weights: a value is not a text"},
      {with("rule", "uniform"), "the field \"low\" is missing"},
      {with("mean", "NaN"), "its mean is not a finite number"},
      {with("deviation", -1), "in the wrong order"},
      {{{"rule", "uniform"}, {"low", 2}, {"high", 1}}, "in the wrong order"},
      {{{"rule", "truncated_normal"}, {"mean", 0}, {"deviation", 0}, {"low", 0}, {"high", 1}}, "in the wrong order"},
  };
  for (const auto& c : cases) {
    const Result<ExportedProgram> program = drawnProgram(c.draw).read();
    ASSERT_FALSE(program.ok()) << c.draw;
    EXPECT_NE(program.error().message.find(c.error), std::string::npos) << program.error().message;
  }
}

TEST(WeightRecipe, IsRefusedIfItDoesNotFitTheArchive) {
  const struct {
    std::function<void(WrittenProgram&)> change;
    const char* error;
  } cases[] = {
      {[](WrittenProgram& p) { p.records["net/data/weights/weight_0"] = std::string(24, '\0'); },
       "has both bytes and a recipe"},
      {[](WrittenProgram& p) { p.setRecipe(PtJson::array()); }, "weight_0 is missing"},
      {[](WrittenProgram& p) {
         PtJson draw = kNormal;
         draw["record"] = "weight_0";
         p.setRecipe({draw, draw});
       },
       "is drawn twice"},
      {[](WrittenProgram& p) {
         PtJson draw = kNormal, other = kNormal;
         draw["record"] = "weight_0";
         other["record"] = "weight_1";
         p.setRecipe({draw, other});
       },
       "weight_1, which is not a tensor"},
      {[](WrittenProgram& p) {
         PtJson draw = kNormal, other = kNormal;
         draw["record"] = "weight_0";
         other["elements"] = std::int64_t{1} << 33;
         p.setRecipe({draw, other, other, other});
       },
       "would draw more than 64 GiB"},
      {[](WrittenProgram& p) {
         p.weightMeta()["sizes"] = {sizeOf(2000000000), sizeOf(2000000000)};
       },
       "would draw more than 64 GiB"},
      {[](WrittenProgram& p) {
         p.weightMeta()["sizes"] = {sizeOf(0), sizeOf(2)};
       },
       "has no elements"},
      {[](WrittenProgram& p) {
         p.weightMeta()["strides"] = {sizeOf(1), sizeOf(3)};
       },
       "not all of its record in order"},
      {[](WrittenProgram& p) { p.weightMeta()["dtype"] = 5; }, "not float32"},
      {[](WrittenProgram& p) {
         p.weightMeta()["sizes"] = {sizeOf(4), sizeOf(2)};
       },
       "another shape or type"},
      {[](WrittenProgram& p) { p.records["net/extra/lanelab_weights.json"] = "{\"version\": 2}"; }, "has version 2"},
      {[](WrittenProgram& p) { p.records["net/extra/lanelab_weights.json"] = "{\"version\": 1"; }, "is not valid JSON"},
  };
  for (const auto& c : cases) {
    WrittenProgram program = drawnProgram();
    c.change(program);
    const Result<ExportedProgram> read = program.read();
    ASSERT_FALSE(read.ok()) << c.error;
    EXPECT_NE(read.error().message.find(c.error), std::string::npos) << read.error().message;
  }
}

TEST(ShippedNetworks, HaveTheParametersOfTheirOriginals) {
  // Counted by PyTorch for 10 classes (GPT-2: 1024 tokens instead of 50257, which is 37,810,944 less than 124,439,808).
  const struct {
    const char* name;
    std::int64_t parameters;
  } networks[] = {{"vit-s16", 21600394},   {"convnext-t", 27827818}, {"unet", 7760163},    {"swin-t", 27527044},
                  {"mixer-s16", 17281674}, {"gpt2-small", 86628864}, {"tiny-llama", 21664}};
  for (const auto& network : networks) {
    const auto opened = openExported("shipped:" + std::string(network.name) + ".pt2");
    ASSERT_TRUE(opened.ok()) << opened.error().message;
    const ModelSpec& model = (*opened)->described.model;
    EXPECT_EQ(model.parameters(), network.parameters) << network.name;
    EXPECT_EQ(model.arch, network.name);
    EXPECT_EQ((*opened)->program.batch_symbol.empty(), false) << network.name;
  }
}

TEST(ShippedFiles, AreNamedWhenOneIsNotThere) {
  const auto opened = openExported("shipped:vit.pt2");
  ASSERT_FALSE(opened.ok());
  EXPECT_NE(opened.error().message.find("shipped:vit-s16.pt2"), std::string::npos) << opened.error().message;
  const Result<ReadableBytes> text = openShipped("shipped:counting.txt");
  ASSERT_TRUE(text.ok()) << text.error().message;
  EXPECT_EQ(text->size, 48 * 5 * 24 + 1);
}

}  // namespace
}  // namespace lanelab::test
