// SPDX-License-Identifier: GPL-3.0-only
// The part of the form that edits the variants.
#include <gmock/gmock.h>

#include <QCheckBox>
#include <QGroupBox>
#include <QListWidget>

#include "tests/gui/board/form_world.h"

namespace lanelab {
namespace {

using ::testing::ElementsAre;
using ::testing::Optional;

TEST(VariantForm, RefusedTextOfAVariantGoesWithItsExperiment) {
  FormWorld world;
  world.document.edit("Schedule", [](Experiment& e) { e.variants[1].schedule = ScheduleKind::OneFOneB; });
  const Experiment same = world.experiment();
  world.type("variantWarmUp", "deep");
  ASSERT_NE(world.sentence("variantWarmUp"), "");
  world.document.reset(same, {});
  world.document.setActiveVariant(1);
  EXPECT_EQ(world.input("variantWarmUp")->text(), "");
  EXPECT_EQ(world.sentence("variantWarmUp"), "");
}

TEST(VariantForm, VariantsAreAddedDuplicatedMovedRenamedAndRemoved) {
  FormWorld world;
  world.click("variantAdd");
  EXPECT_EQ(world.experiment().variants.size(), 3U);
  EXPECT_EQ(world.document.activeVariant(), 2);
  EXPECT_EQ(world.experiment().variants[2].name, "Pipeline 2");
  world.click("variantDuplicate");
  EXPECT_EQ(world.experiment().variants[3].name, "Pipeline 2 2");
  world.click("variantUp");
  EXPECT_EQ(world.document.activeVariant(), 2);
  EXPECT_EQ(world.experiment().variants[2].name, "Pipeline 2 2");
  world.panel.findChild<QListWidget*>("variantList")->item(2)->setText("Mine");
  EXPECT_EQ(world.experiment().variants[2].name, "Mine");
  world.click("variantRemove");
  EXPECT_EQ(world.experiment().variants.size(), 3U);
  EXPECT_TRUE(world.document.problems().empty());
  while (world.document.undoStack()->canUndo()) world.document.undoStack()->undo();
  EXPECT_EQ(world.experiment(), smallExperiment());
}

TEST(VariantForm, TheListChoosesTheVariantThatTheBoardShows) {
  FormWorld world;
  world.panel.findChild<QListWidget*>("variantList")->setCurrentRow(0);
  EXPECT_EQ(world.document.activeVariant(), 0);
  EXPECT_TRUE(world.panel.findChild<FormField*>("variantSingleLane")->isVisibleTo(&world.panel));
  EXPECT_FALSE(world.panel.findChild<FormField*>("variantSchedule")->isVisibleTo(&world.panel));
  world.choose("variantSingleLane", "1");
  EXPECT_THAT(world.variant().lanes, Optional(ElementsAre(1)));
}

TEST(VariantForm, ALaneTakenFromAVariantGivesItsBlocksToTheNearest) {
  FormWorld world;
  auto* box = world.panel.findChild<QCheckBox*>("variantLane0");
  ASSERT_NE(box, nullptr);
  box->click();
  EXPECT_THAT(world.variant().lanes, Optional(ElementsAre(1)));
  EXPECT_EQ(stagesOf(world.document.activePlacement()).size(), 1U);
  EXPECT_TRUE(world.document.problems().empty());
  EXPECT_FALSE(world.panel.findChild<QCheckBox*>("variantLane1")->isEnabled()) << "one lane must stay";
}

TEST(VariantForm, AListOfFiveVariantsShowsTheFifth) {
  FormWorld world;
  world.document.edit("Variants", [](Experiment& e) {
    for (const char* name : {"Third", "Fourth", "Fifth"}) {
      e.variants.push_back(e.variants.back());
      e.variants.back().name = name;
    }
  });
  auto* list = world.panel.findChild<QListWidget*>("variantList");
  ASSERT_TRUE(
      QTest::qWaitFor([&] { return list->visualItemRect(list->item(4)).bottom() < list->viewport()->height(); }, 5000));
  EXPECT_GE(list->visualItemRect(list->item(0)).top(), 0);
}

TEST(VariantForm, PrecisionIsChosenForAllVariantsOrForOne) {
  FormWorld world;
  world.choose("trainingPrecision", "bf16");
  EXPECT_EQ(world.experiment().training.precision, Precision::Bf16);
  EXPECT_FALSE(world.experiment().variants[0].precision.has_value());
  world.choose("variantPrecision", "fp32");
  world.choose("variantBatchNorm", "synchronised");
  const auto active = static_cast<std::size_t>(world.document.activeVariant());
  EXPECT_EQ(world.experiment().variants[active].precision, Precision::Fp32);
  EXPECT_EQ(world.experiment().variants[active].batch_norm, BatchNormMode::Synchronised);
  world.choose("variantPrecision", "");
  EXPECT_FALSE(world.experiment().variants[active].precision.has_value());
  world.choose("trainingPrecision", "tf32");
  EXPECT_FALSE(world.document.problemAt("training.precision").isEmpty()) << "the lanes are CPUs";
}

TEST(VariantForm, RecomputedStagesAreReadFromTheirNumbers) {
  std::vector<int> stages;
  EXPECT_EQ(readRecomputedStages("0, 2", stages), QString());
  EXPECT_THAT(stages, ElementsAre(0, 2));
  EXPECT_TRUE(readRecomputedStages("first", stages).contains("\"first\" is not a list of stages."));
  EXPECT_THAT(stages, ElementsAre(0, 2)) << "what is no stage changes nothing";
  EXPECT_EQ(readRecomputedStages(" ", stages), QString());
  EXPECT_THAT(stages, ElementsAre());
}

TEST(VariantForm, RecomputeIsAsInTheExperimentUntilTheVariantHasItsOwn) {
  FormWorld world;
  const auto recompute = [&] { return world.variant().recompute; };
  const auto shown = [&] { return world.panel.findChild<ChoiceField*>("variantRecompute")->input()->currentText(); };
  const auto* const stages = world.panel.findChild<TextField*>("variantRecomputedStages");
  world.choose("trainingRecompute", "stage");
  EXPECT_EQ(shown(), "As above (Whole stages)");
  EXPECT_FALSE(stages->isVisible());
  const struct {
    const char* chosen;
    Recompute mode;
  } modes[] = {{"none", Recompute::None}, {"activations", Recompute::Activations}, {"stage", Recompute::Stage}};
  for (const auto& [chosen, mode] : modes) {
    world.choose("variantRecompute", chosen);
    EXPECT_EQ(recompute(), VariantRecompute(mode)) << chosen;
  }
  world.choose("variantRecompute", "stages");
  EXPECT_TRUE(stages->isVisible());
  EXPECT_EQ(world.input("variantRecomputedStages")->text(), "0, 1") << "all at first";
  world.type("variantRecomputedStages", "");
  EXPECT_EQ(recompute(), VariantRecompute(std::vector<int>{}));
  EXPECT_TRUE(stages->isVisible()) << "the row remains while one types";
  world.type("variantRecomputedStages", "7");
  EXPECT_FALSE(world.sentence("variantRecomputedStages").isEmpty());
  EXPECT_EQ(world.sentence("variantRecompute"), "") << "said once";
  world.type("variantRecomputedStages", "all");
  world.choose("variantRecompute", "");
  EXPECT_EQ(recompute(), std::nullopt);
  EXPECT_TRUE(world.document.problems().empty()) << "refused text goes with its row";
}

TEST(VariantForm, TheFieldsOfAVariantAreInABoxWithItsName) {
  FormWorld world;
  const auto* const box = world.panel.findChild<QGroupBox*>("variantBox");
  ASSERT_NE(box, nullptr);
  for (std::size_t i = 0; i < world.experiment().variants.size(); ++i) {
    world.document.setActiveVariant(static_cast<int>(i));
    EXPECT_EQ(box->title().toStdString(), world.experiment().variants[i].name);
  }
  for (const char* name : {"variantStrategy", "variantSchedule", "splitSizeControl", "variantPrecision",
                           "variantBatchNorm", "variantRecompute"})
    EXPECT_NE(box->findChild<QWidget*>(name), nullptr) << name;
  EXPECT_EQ(box->findChild<QWidget*>("trainingPrecision"), nullptr);
  EXPECT_EQ(world.panel.findChild<ChoiceField*>("variantPrecision")->input()->currentText(), "As above (fp32)");
}

TEST(VariantForm, ProblemsOfAPlacementStandUnderTheVariant) {
  FormWorld world;
  world.document.edit("Cut", [](Experiment& e) { e.variants[1].cuts = std::vector<std::string>{"layer9.0"}; });
  bool shown = false;
  for (const auto* label : world.panel.findChildren<SentenceLabel*>())
    shown = shown || (!label->isHidden() && label->text().contains("layer9.0"));
  EXPECT_TRUE(shown);
}

}  // namespace
}  // namespace lanelab
