// SPDX-License-Identifier: GPL-3.0-only
// The network of an experiment is read from its file once, and travels as a value from its resolution to whoever
// forecasts, checks, measures, trains or tries it.
#include <gtest/gtest.h>

#include "engine/advise/profile_of.h"
#include "engine/experiment/edits/network_edits.h"
#include "engine/experiment/model_file.h"
#include "engine/memory/variant_memory.h"
#include "engine/torch/train/eager_reference.h"
#include "engine/torch/train/equality_check.h"
#include "engine/torch/train/torch_executor.h"
#include "tests/support/prepared.h"
#include "tests/support/temporary_folder.h"

namespace lanelab {
namespace {

class OpenedOnce : public testing::Test {
 protected:
  OpenedOnce() {
    m_folder.write("net.pt2", test::contentOf(std::string(LANELAB_SOURCE_DIR) + "/tests/data/exported/resnet18.pt2"));
    m_folder.write("e.json", R"({"model": {"file": "net.pt2"}, "data": {"batch": 4, "steps": 1}, "repeats": 1,
        "lanes": [{"device": "cpu:0"}, {"device": "cpu:1"}],
        "variants": [{"name": "Single", "strategy": "single"},
                     {"name": "Two", "strategy": "pipeline", "split_size": 2, "cuts": ["layer2.0"]}]})");
    const Result<Experiment> read = readExperiment(m_folder.file("e.json"));
    EXPECT_TRUE(read.ok()) << read.error().message;
    resolution = resolve(*read);
    EXPECT_TRUE(resolution->trainable().ok()) << resolution->trainable().error().message;
  }
  std::int64_t opened() const { return openedNetworks() - m_before; }

  const std::int64_t m_before = openedNetworks();
  const test::TemporaryFolder m_folder;
  const std::unique_ptr<Executor> executor = makeTorchExecutor();
  std::shared_ptr<const Resolution> resolution;
};

TEST_F(OpenedOnce, FromTheExperimentsFileToTheFirstStepOfEachVariant) {
  EXPECT_GT(forecastMemory(*resolution).front().front().at_peak.total(), 0);
  std::vector<std::string> warnings;
  ASSERT_TRUE(executor->checkMachine(*resolution, warnings).ok());
  for (const ResolvedVariant& variant : resolution->variants()) {
    const auto session = prepare(*executor, variant, 1);
    ASSERT_TRUE(session.ok()) << session.error().message;
    int steps = 0;
    EXPECT_TRUE((*session)->runRepeat({.on_step = [&](int, double, double) { ++steps; }}).failure.ok());
    EXPECT_EQ(steps, 1);
  }
  EXPECT_EQ(opened(), 1);
}

TEST_F(OpenedOnce, ByWhoMeasuresAndChecks) {
  const BlockProfile profile = executor->measureBlocks(*resolution, {LaneId(0), {}, {2}, {}}, {}).value();
  EXPECT_EQ(profile.block_names.size(), resolution->model().blocks.size());
  const ProfileKey key = profileKey(*resolution, resolution->variants()[0].modes(), *executor, LaneId(0));
  EXPECT_EQ(key.arch.rfind("net-", 0), 0U) << key.arch;
  EXPECT_TRUE(checkEquality(*resolution, 1, {}).ok());
  EXPECT_TRUE(compareWithEager(*resolution).ok());
  EXPECT_EQ(opened(), 1);
}

TEST_F(OpenedOnce, AfterAnEditThatLeavesTheModel) {
  Experiment edited = resolution->experiment();
  edited.repeats = 7;
  edited.model.weights = "other.safetensors";
  const auto after = resolve(edited, resolution->known());
  EXPECT_EQ(after->network(), resolution->network());
  EXPECT_EQ(after->with(edited.variants[1])->network(), resolution->network());
  EXPECT_EQ(opened(), 1);
}

TEST_F(OpenedOnce, ForEachChoiceOfBlocks) {
  Experiment edited = resolution->experiment();
  setBlockDepth(edited, 1);
  const auto after = resolve(edited, resolution->known());
  ASSERT_NE(after->network(), nullptr);
  EXPECT_NE(after->model().blocks.size(), resolution->model().blocks.size());
  EXPECT_EQ(resolve(edited, after->known())->network(), after->network());
  EXPECT_EQ(opened(), 2);
}

TEST_F(OpenedOnce, EvenIfItCannotBeRead) {
  m_folder.write("net.pt2", "no archive");
  const auto broken = resolve(resolution->experiment(), resolution->known());
  EXPECT_EQ(broken->network(), nullptr);
  EXPECT_EQ(broken->problems().front().where, "model.file");
  EXPECT_EQ(resolve(broken->experiment(), broken->known())->problems().front().where, "model.file");
  EXPECT_EQ(opened(), 2);
}

TEST_F(OpenedOnce, NetworksThatAreBuiltInAreBuiltOnce) {
  Experiment other = resolution->experiment();
  setArchitecture(other, "resnet18");
  const auto after = resolve(other, resolution->known());
  ASSERT_NE(after->network(), nullptr);
  EXPECT_FALSE(after->network()->described.model.imported);
  EXPECT_TRUE(after->isCurrent());
  EXPECT_TRUE(after->hasModel());
  ++other.data.batch;
  EXPECT_EQ(resolve(other, after->known())->network(), after->network());
  other.model.classes = 7;
  EXPECT_NE(resolve(other, after->known())->network(), after->network());
  EXPECT_EQ(opened(), 1);
}

}  // namespace
}  // namespace lanelab
