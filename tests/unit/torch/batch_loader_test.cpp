// SPDX-License-Identifier: GPL-3.0-only
// Batches made ahead of time are those that the step would have made itself.
#include "engine/torch/data/batch_loader.h"

#include <ATen/ops/equal.h>
#include <gmock/gmock.h>

#include "tests/unit/files/image_writer.h"
#include "tests/unit/torch/data_world.h"

namespace lanelab {
namespace {

using ::testing::HasSubstr;

std::shared_ptr<const TrainingInputs> inputsOf(const Experiment& experiment) {
  Result<Dataset> data = Dataset::load(experiment, classifierFor(experiment));
  EXPECT_TRUE(data.ok()) << data.error().message;
  return std::make_shared<const TrainingInputs>(TrainingInputs{{}, std::move(data).value()});
}

TEST(BatchLoader, HandsOutWhatTheOrderSaysToEveryLaneThatAsks) {
  Experiment experiment = experimentOn(DataSource::Digits, {1, 8, 8});
  experiment.data.batch = 500;
  experiment.data.epochs = 2;
  experiment.data.shuffle = true;
  const auto inputs = inputsOf(experiment);
  BatchLoader loader(inputs, experiment.data);
  for (int repeat = 0; repeat < 2; ++repeat) {
    loader.start(0, 6);
    for (int step = 0; step < 6; ++step) {
      const StepRows rows = loader.rowsOf(step);
      const Samples wanted = inputs->data.rows(rows.begin, rows.count);
      for (int lane = 0; lane < 2; ++lane) {
        const auto batch = loader.batch(step);
        EXPECT_EQ(batch->inputs.size(0), step % 3 == 2 ? 437 : 500);
        EXPECT_TRUE(at::equal(batch->inputs, wanted.inputs)) << step;
        EXPECT_TRUE(at::equal(batch->targets, wanted.targets)) << step;
      }
    }
    loader.stop();
  }
}

TEST(BatchLoader, StopsInTheMiddleAndStartsAnywhere) {
  Experiment experiment = experimentOn(DataSource::Digits, {1, 8, 8});
  experiment.data.shuffle = true;
  const auto inputs = inputsOf(experiment);
  BatchLoader loader(inputs, experiment.data);
  loader.start(0, 1000000);
  EXPECT_EQ(loader.batch(0)->inputs.size(0), 8);
  loader.start(77, 1000000);
  EXPECT_TRUE(at::equal(loader.batch(77)->inputs, inputs->data.rows(77 * 8, 8).inputs));
}

TEST(BatchLoader, ThrowsWhereTheBatchCannotBeMade) {
  const test::TemporaryFolder folder;
  for (const char* name : {"a/0.png", "b/0.png"}) folder.write(name, test::pngOf(8, 8));
  Experiment experiment = experimentOn(DataSource::Folder, {3, 8, 8}, folder.path());
  const auto inputs = inputsOf(experiment);
  for (const char* name : {"a/0.png", "b/0.png"}) folder.write(name, "no image");  // after they were checked
  BatchLoader loader(inputs, experiment.data);
  loader.start(0, 3);
  try {
    loader.batch(0);
    FAIL() << "nothing was thrown";
  } catch (const std::exception& error) {
    EXPECT_THAT(error.what(), HasSubstr("0.png cannot be read: it is neither PNG nor JPEG"));
  }
}

}  // namespace
}  // namespace lanelab
