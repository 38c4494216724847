// SPDX-License-Identifier: GPL-3.0-only
// A model file that is written again between the moment when the experiment was resolved and the run: it is never
// trained by the blocks that were resolved.
#include <gtest/gtest.h>

#include <filesystem>
#include <functional>

#include "engine/experiment/resolution.h"
#include "engine/torch/data/training_inputs.h"
#include "engine/torch/train/torch_executor.h"
#include "tests/support/prepared.h"
#include "tests/support/temporary_folder.h"
#include "tests/unit/exported/written_program.h"

namespace lanelab {
namespace {

/// fc with the ReLU behind it, and scale.
test::WrittenProgram twoBlocks() { return {}; }

void moveToModule(test::WrittenProgram& program, std::size_t node, const std::string& module) {
  program.node(node)["metadata"]["nn_module_stack"] =
      "L__self__,,tests.Net;L__self__" + module + "," + module + ",torch.nn.Module";
}

test::WrittenProgram oneBlock() {
  test::WrittenProgram program;
  moveToModule(program, 1, "fc");
  moveToModule(program, 2, "fc");
  return program;
}

test::WrittenProgram otherLayers() {
  test::WrittenProgram program;
  moveToModule(program, 1, "fc");
  return program;
}

test::WrittenProgram otherNames() {
  test::WrittenProgram program;
  moveToModule(program, 2, "gain");
  return program;
}

test::WrittenProgram otherLimits() {
  test::WrittenProgram program;
  program.model["range_constraints"] = {{"s77", {{"min_val", 1}, {"max_val", 32}}}};
  return program;
}

/// The same network with other numbers.
test::WrittenProgram otherWeights() {
  test::WrittenProgram program;
  program.records.at("net/data/weights/weight_0") = std::string(24, '\x3f');
  return program;
}

struct ChangedFile {
  const char* name;
  std::function<test::WrittenProgram()> before, after;
};

void PrintTo(const ChangedFile& changed, std::ostream* out) { *out << changed.name; }

class ChangedModelFile : public testing::TestWithParam<ChangedFile> {
 protected:
  ChangedModelFile() {
    m_folder.write("net.pt2", GetParam().before().zip());
    Experiment experiment;
    experiment.model = {.arch = {}, .classes = 0, .file = path};
    experiment.data.shape = {};
    experiment.data.batch = 4;
    experiment.data.steps = 1;
    experiment.training.loss = Loss::Mse;
    experiment.lanes = {{Device::cpu(0), "", 1}, {Device::cpu(1), "", 1}};
    VariantConfig single;
    single.name = "Single";
    single.strategy = Strategy::Single;
    experiment.variants = {single};
    resolution = resolve(experiment);
  }
  static Result<std::shared_ptr<const TrainingInputs>> inputsOf(const Resolution& resolution) {
    return loadTrainingInputs(resolution.experiment(), resolution.network());
  }
  /// As an export does: aside, then renamed.
  void change() const { std::filesystem::rename(m_folder.write("aside", GetParam().after().zip()), path); }

  const test::TemporaryFolder m_folder;
  const std::string path = m_folder.file("net.pt2");
  std::shared_ptr<const Resolution> resolution;
};

TEST_P(ChangedModelFile, IsRefusedUntilItIsResolvedAgain) {
  ASSERT_TRUE(resolution->trainable().ok()) << resolution->trainable().error().message;
  EXPECT_TRUE(resolution->isCurrent());
  ASSERT_TRUE(inputsOf(*resolution).ok());
  change();
  EXPECT_FALSE(resolution->isCurrent());
  const auto inputs = inputsOf(*resolution);
  ASSERT_FALSE(inputs.ok());
  EXPECT_EQ(inputs.error().kind, Error::Kind::BadInput);
  EXPECT_EQ(inputs.error().message, "model.file: " + path + " changed since it was opened. Open it again.");
  const auto again = resolve(resolution->experiment(), resolution->known());
  EXPECT_TRUE(again->isCurrent());
  EXPECT_TRUE(inputsOf(*again).ok());
}

TEST_P(ChangedModelFile, IsRefusedWhenItIsGone) {
  ASSERT_TRUE(std::filesystem::remove(path));
  EXPECT_FALSE(resolution->isCurrent());
  EXPECT_EQ(inputsOf(*resolution).error().message, "model.file: " + path + " is not there any more. Restore the file.");
}

TEST_P(ChangedModelFile, IsNotTrainedWithWhatTheExecutorReadBefore) {
  const auto executor = makeTorchExecutor();
  std::vector<std::string> warnings;
  ASSERT_TRUE(executor->checkMachine(*resolution, warnings).ok());
  const auto session = prepare(*executor, resolution->variants().front(), 1);
  ASSERT_TRUE(session.ok()) << session.error().message;
  change();
  EXPECT_FALSE(executor->checkMachine(*resolution, warnings).ok());
  const auto again = resolve(resolution->experiment());
  ASSERT_TRUE(again->trainable().ok()) << again->trainable().error().message;
  const auto trained = prepare(*executor, again->variants().front(), 1);
  ASSERT_TRUE(trained.ok()) << trained.error().message;
  EXPECT_TRUE((*trained)->runRepeat({}).failure.ok());
}

INSTANTIATE_TEST_SUITE_P(Files, ChangedModelFile,
                         testing::Values(ChangedFile{"fewer blocks", twoBlocks, oneBlock},
                                         ChangedFile{"more blocks", oneBlock, twoBlocks},
                                         ChangedFile{"other names", twoBlocks, otherNames},
                                         ChangedFile{"other layers", twoBlocks, otherLayers},
                                         ChangedFile{"other sizes", twoBlocks, otherLimits},
                                         ChangedFile{"other weights", twoBlocks, otherWeights}));

}  // namespace
}  // namespace lanelab
