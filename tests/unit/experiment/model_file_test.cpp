// SPDX-License-Identifier: GPL-3.0-only
// Experiments whose model is an exported network.
#include "engine/experiment/model_file.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/experiment/edits/network_edits.h"
#include "engine/experiment/resolution.h"
#include "engine/placement/tied_stages.h"
#include "tests/support/temporary_folder.h"

namespace lanelab {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

std::string sample(const std::string& name) {
  return std::string(LANELAB_SOURCE_DIR) + "/tests/data/exported/" + name + ".pt2";
}

/// An experiment on two lanes with this model and these variants, as JSON.
std::string text(const std::string& model, const std::string& variants = R"({"name": "Single", "strategy": "single"})",
                 const std::string& rest = "") {
  return R"({"model": )" + model + R"(, "lanes": [{"device": "cpu:0"}, {"device": "cpu:1"}], "variants": [)" +
         variants + "]" + rest + "}";
}

std::string fileModel(const std::string& name, const std::string& more = "") {
  return R"({"file": ")" + sample(name) + "\"" + more + "}";
}

/// The first problem; empty where there is none.
std::string problemOf(const std::string& json) {
  const Result<Experiment> experiment = parseExperiment(json, "test");
  if (!experiment.ok()) return experiment.error().message;
  const Status status = resolve(*experiment)->trainable();
  return status.ok() ? "" : std::string(status.error().message);
}

TEST(ModelFile, GivesTheExperimentItsClassesAndTheShapeOfASample) {
  const Experiment read = parseExperiment(text(fileModel("resnet18")), "test").value();
  EXPECT_EQ(read.model.arch, "");
  EXPECT_EQ(read.model.title(), "resnet18");
  const auto resolution = resolve(read);
  EXPECT_EQ(resolution->experiment().model.classes, 10);
  EXPECT_EQ(resolution->experiment().data.shape, (Shape{3, 32, 32}));
  EXPECT_EQ(resolution->model().arch, "resnet18");
  EXPECT_TRUE(resolution->trainable().ok()) << problemOf(text(fileModel("resnet18")));
}

TEST(ModelFile, IsWrittenWithoutArchitectureAndReadAgain) {
  for (const std::string& more :
       {std::string(), std::string(R"(, "blocks": 2)"), std::string(R"(, "blocks": ["layer1", "layer2"])")}) {
    const Experiment read = parseExperiment(text(fileModel("resnet18", more)), "test").value();
    EXPECT_EQ(parseExperiment(toJson(read), "again").value(), read) << more;
    EXPECT_EQ(toJson(read).find("arch"), std::string::npos) << more;
  }
}

struct RefusedCase {
  const char* what;
  std::string json;
  const char* sentence;
};

TEST(ModelFile, SaysWhatDoesNotFit) {
  const std::vector<RefusedCase> cases = {
      {"both", text(R"({"arch": "resnet18", "file": "a.pt2"})"), "model.file replaces arch, and both are given"},
      {"blocks of no file", text(R"({"arch": "resnet18", "blocks": 2})"), "model.blocks is for a model file only"},
      {"blocks of another kind", text(fileModel("resnet18", R"(, "blocks": "all")")), "model.blocks must be"},
      {"no such file", text(R"({"file": "/nowhere/net.pt2"})"), "model.file: /nowhere/net.pt2"},
      {"no such module", text(fileModel("resnet18", R"(, "blocks": ["layer9"])")), "layer9"},
      {"classes", text(fileModel("resnet18", R"(, "classes": 7)")), "resnet18 has 10 classes, not 7"},
      {"shape",
       text(fileModel("resnet18"), R"({"name": "Single", "strategy": "single"})",
            R"(, "data": {"shape": [3, 64, 64]})"),
       "was exported for samples of 3x32x32, not 3x64x64"},
      {"an unknown block",
       text(fileModel("resnet18"), R"({"name": "P", "strategy": "pipeline", "split_size": 4, "cuts": ["layer9"]})"),
       "layer9"},
  };
  for (const RefusedCase& refused : cases)
    EXPECT_THAT(problemOf(refused.json), HasSubstr(refused.sentence)) << refused.what;
}

TEST(ModelFile, SettingOneOfFileAndArchitectureDropsTheOther) {
  const std::string own = text(R"({"arch": "resnet18", "classes": 10})");
  const std::string exported = setJsonValue(own, "model.file=" + sample("resnet18")).value();
  EXPECT_EQ(parseExperiment(exported, "test").value().model.title(), "resnet18");
  const std::string back = setJsonValue(exported, "model.arch=toy").value();
  EXPECT_EQ(parseExperiment(back, "test").value().model.file, std::nullopt);
}

TEST(ModelFile, AChosenArchitectureReplacesIt) {
  Experiment experiment = parseExperiment(text(fileModel("gpt2")), "test").value();
  experiment = resolve(experiment)->experiment();
  setArchitecture(experiment, "resnet18");
  EXPECT_EQ(experiment.model.file, std::nullopt);
  EXPECT_EQ(experiment.model.classes, 1000);
  EXPECT_EQ(experiment.data.shape, (Shape{3, 64, 64}));
}

struct ChosenCase {
  const char* network;
  const char* rest;  ///< of the experiment before, as JSON
  DataSource source;
  Loss loss;
};

TEST(ModelFile, AChosenFileGetsDataAndALossThatFit) {
  const std::vector<ChosenCase> cases = {
      {"gpt2", R"(, "data": {"source": "digits", "shape": [3, 16, 16]})", DataSource::Random, Loss::CrossEntropy},
      {"gpt2", R"(, "training": {"loss": "mse"})", DataSource::Random, Loss::CrossEntropy},
      {"gpt2", R"(, "data": {"source": "text", "path": "a.txt"})", DataSource::Text, Loss::CrossEntropy},
      {"vit", R"(, "data": {"source": "cifar10", "path": "c"})", DataSource::Cifar10, Loss::Mse},
      {"vit", R"(, "data": {"source": "text", "path": "a.txt"})", DataSource::Random, Loss::Mse},
      {"resnet18", R"(, "training": {"loss": "mse"})", DataSource::Random, Loss::Mse},
      {"unet", R"(, "training": {"loss": "cross_entropy"})", DataSource::Random, Loss::Mse},
  };
  const std::string pipeline = R"({"name": "P", "strategy": "pipeline", "split_size": 4, "cuts": ["layer3.0"]})";
  for (const ChosenCase& chosen : cases) {
    Experiment experiment =
        parseExperiment(text(R"({"arch": "resnet18", "classes": 10})", pipeline, chosen.rest), "test").value();
    const ModelSpec before = resolve(experiment)->model();
    const auto opened = openModelFile(sample(chosen.network));
    setModelFile(experiment, *opened);
    if (!before.blocks.empty()) carryPlacements(experiment, opened->network, before);
    EXPECT_EQ(experiment.data.source, chosen.source) << chosen.network << chosen.rest;
    EXPECT_EQ(experiment.training.loss, chosen.loss) << chosen.network << chosen.rest;
    const Status status = resolve(experiment)->trainable();
    EXPECT_TRUE(status.ok() || before.blocks.empty()) << chosen.network << ": " << status.error().message;
  }
}

/// A file that is written again: cuts follow, and what the user chose stays where the new network can take it.
TEST(ModelFile, WrittenAgainIsFollowed) {
  const test::TemporaryFolder folder;
  const std::string path = folder.file("net.pt2");
  const auto write = [&](const std::string& name) { test::writeContent(path, test::contentOf(sample(name))); };
  write("resnet18");
  Experiment experiment = parseExperiment(text(R"({"file": ")" + path + "\", \"weights\": \"mine.safetensors\"}",
                                               R"({"name": "P", "strategy": "pipeline", "split_size": 4})"),
                                          "test")
                              .value();
  experiment.data.path = "mine";
  experiment.data.source = DataSource::File;
  const ModelSpec before = describeTrained(openModel(experiment.model)->network).value();
  experiment.variants.front().cuts = std::vector<std::string>{before.blocks[3].name};

  Experiment same = experiment;
  followModelFile(same, *openModelFile(path), before);
  EXPECT_EQ(same.variants, experiment.variants);
  EXPECT_EQ(same.data.source, DataSource::File) << "it takes the same samples";
  EXPECT_EQ(same.model.weights, "mine.safetensors");

  write("gpt2");
  Experiment other = experiment;
  const auto opened = openModelFile(path);
  followModelFile(other, *opened, before);
  const ModelSpec now = describeTrained(opened->network).value();
  ASSERT_NE(now, before);
  ASSERT_EQ(other.variants.front().cuts->size(), 1u);
  EXPECT_TRUE(now.find(other.variants.front().cuts->front())) << other.variants.front().cuts->front();
  EXPECT_EQ(other.data.shape, now.input);
  EXPECT_EQ(other.model.classes, now.classes);
  EXPECT_EQ(other.data.source, DataSource::Random) << "images are no tokens";
  EXPECT_EQ(other.model.file, path);
}

TEST(ModelFile, AnArchitectureInItsPlaceTakesNoTokens) {
  Experiment experiment = parseExperiment(text(R"({"arch": "resnet18"})"), "test").value();
  setModelFile(experiment, *openModelFile(sample("gpt2")));
  setDataSource(experiment, DataSource::Text);
  experiment.data.path = "a.txt";
  setBlockDepth(experiment, 2);
  EXPECT_EQ(experiment.model.blocks->depth, 2);
  setArchitecture(experiment, "resnet50");
  EXPECT_EQ(experiment.data.source, DataSource::Random);
  EXPECT_EQ(experiment.model.blocks, std::nullopt);
  EXPECT_TRUE(resolve(experiment)->trainable().ok()) << problemOf(toJson(experiment));
}

TEST(ModelFile, AChosenFileThatCannotBeReadIsAProblem) {
  Experiment experiment = parseExperiment(text(R"({"arch": "resnet18"})"), "test").value();
  setModelFile(experiment, *openModelFile("/nowhere/net.pt2"));
  ASSERT_FALSE(resolve(experiment)->problems().empty());
  EXPECT_EQ(resolve(experiment)->problems().front().where, "model.file");
}

TEST(ModelFile, ATiedParameterIsInTheStagesThatUseIt) {
  const std::string variants =
      R"({"name": "P", "strategy": "pipeline", "split_size": 4, "cuts": ["inner.transformer.h.1"]})";
  const auto resolution = resolve(parseExperiment(text(fileModel("gpt2"), variants), "test").value());
  const ResolvedVariant& variant = resolution->variants().front();
  ASSERT_TRUE(variant.plan().ok()) << variant.plan().error().message;
  const TiedStages tied = tiedStages(resolution->model(), variant.plan()->stages);
  ASSERT_EQ(tied.size(), 1U);
  EXPECT_EQ(tied.begin()->first, "inner.transformer.wte.weight");
  EXPECT_THAT(tied.begin()->second, ElementsAre(StageId(0), StageId(1)));
  EXPECT_TRUE(variant.plan()->schedule.updates_last);
}

}  // namespace
}  // namespace lanelab
