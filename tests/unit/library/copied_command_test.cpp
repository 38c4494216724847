// SPDX-License-Identifier: GPL-3.0-only
#include "engine/library/copied_command.h"

#include <gmock/gmock.h>

#include "tests/unit/experiment/small_experiment.h"

namespace lanelab {
namespace {

using testing::ElementsAre;
using testing::EndsWith;
using testing::StartsWith;

EditedExperiment savedAt(const std::string& file) {
  const Experiment experiment = test::smallExperiment();
  return {experiment, file, experiment};
}

TEST(CopiedCommand, OfASavedExperimentNamesItsFile) {
  EXPECT_EQ(experimentCommand("run", savedAt("/data/my runs/demo.json")), "lanelab-cli run '/data/my runs/demo.json'");
  EXPECT_EQ(experimentCommand("plan", savedAt("demo.json"), {"--stages", "2"}),
            "lanelab-cli plan demo.json --stages 2");
}

TEST(CopiedCommand, NamesTheEditsSinceTheFileWasSaved) {
  EditedExperiment edited = savedAt("demo.json");
  edited.experiment.training.lr = 0.5;
  edited.experiment.data.batch = 32;
  edited.experiment.name = "17";
  edited.experiment.lanes[1].device = Device::cpu(3);
  EXPECT_EQ(experimentCommand("run", edited),
            "lanelab-cli run demo.json --set 'name=\"17\"' --set data.batch=32 --set training.lr=0.5 --set "
            "'lanes[1].device=cpu:3'");
}

TEST(CopiedCommand, AssignmentsMakeTheEditedExperiment) {
  const Experiment stored = test::smallExperiment();
  Experiment edited = stored;
  edited.variants.push_back(edited.variants[0]);
  edited.variants[1].name = "It's two";
  edited.data.shape = {3, 64, 64};
  const auto assignments = assignmentsBetween(stored, edited);
  ASSERT_TRUE(assignments.has_value());
  EXPECT_EQ(assignments->size(), 2u);
  EXPECT_EQ(*assignmentsBetween(stored, stored), std::vector<std::string>());
}

TEST(CopiedCommand, HoldsTheExperimentWhereNoFileOrNoAssignmentDoes) {
  EditedExperiment unsaved{test::smallExperiment()};
  const std::string command = experimentCommand("run", unsaved, {"--runs", "here"});
  EXPECT_THAT(command, StartsWith("lanelab-cli run - --runs here <<'EOF'\n{\n"));
  EXPECT_THAT(command, EndsWith("}\nEOF"));
  EditedExperiment removed = savedAt("demo.json");
  removed.stored->variants[0].split_size = 4;
  EXPECT_THAT(experimentCommand("run", removed), StartsWith("lanelab-cli run - <<'EOF'\n"))
      << "--set cannot remove a value";
}

TEST(CopiedCommand, OfOtherActionsQuotesNames) {
  EXPECT_EQ(reportCommand("runs/a", "a b.html"),
            "lanelab-cli export runs/a --what report --format html --out 'a b.html'");
  EXPECT_EQ(gapsCommand("runs/a", "Model parallel"), "lanelab-cli gaps runs/a --variant 'Model parallel'");
  EXPECT_EQ(gapsCommand("a.json"), "lanelab-cli gaps a.json");
  EXPECT_EQ(compareCommand({"a", "b"}), "lanelab-cli compare a b");
  EXPECT_EQ(repeatCommand("/runs/a"), "lanelab-cli run /runs/a");
}

}  // namespace
}  // namespace lanelab
