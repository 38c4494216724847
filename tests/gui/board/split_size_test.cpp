// SPDX-License-Identifier: GPL-3.0-only
// The micro-batch size: slider, number and what it gives.

#include <QLabel>
#include <QSlider>
#include <QSpinBox>

#include "tests/gui/board/form_world.h"

namespace lanelab {
namespace {

TEST(SplitSize, ASplitSizeAboveTheBatchSaysSoUnderIt) {
  FormWorld world;
  world.document.edit("Split size", [](Experiment& e) { e.variants[1].split_size = 40; });
  EXPECT_FALSE(world.document.problemAt("variants[1].split_size").isEmpty());
  bool shown = false;
  for (const auto* label : world.panel.findChildren<SentenceLabel*>()) {
    shown = shown || (!label->isHidden() && label->text() == world.document.problemAt("variants[1].split_size"));
  }
  EXPECT_TRUE(shown);
}

TEST(SplitSize, SliderAndNumberAreOneStepAPull) {
  SmallWorld world;
  SplitSizeControl control(&world.document);
  auto* slider = control.findChild<QSlider*>("splitSizeSlider");
  auto* number = control.findChild<QSpinBox*>("splitSizeNumber");
  const auto* words = control.findChild<QLabel*>("splitSizeWords");
  EXPECT_EQ(words->text(), "= 4 micro-batches");
  for (const int value : {5, 6, 7}) slider->setValue(value);
  EXPECT_EQ(world.document.undoStack()->count(), 1);
  EXPECT_EQ(number->value(), 7);
  EXPECT_EQ(words->text(), "= 3 micro-batches, last 2");
  world.document.undoStack()->undo();
  EXPECT_EQ(slider->value(), 4);
}

TEST(SplitSize, WordsForWhatTheSplitGives) {
  EXPECT_EQ(wordsForMicroBatches(120, 20), "= 6 micro-batches");
  EXPECT_EQ(wordsForMicroBatches(120, 50), "= 3 micro-batches, last 20");
  EXPECT_EQ(wordsForMicroBatches(120, 120), "= 1 micro-batch");
}

}  // namespace
}  // namespace lanelab
