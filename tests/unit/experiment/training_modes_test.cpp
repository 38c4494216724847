// SPDX-License-Identifier: GPL-3.0-only
#include "engine/experiment/training_modes.h"

#include <gtest/gtest.h>

#include "engine/advise/profile_of.h"
#include "engine/experiment/edits/network_edits.h"
#include "engine/experiment/model_file.h"
#include "tests/support/fake_executor.h"
#include "tests/support/resolved.h"
#include "tests/unit/two_lane_pipeline.h"

namespace lanelab {
namespace {

constexpr Recompute kNothing = Recompute::None, kWhole = Recompute::Stage;

Experiment twoStages() {
  Experiment e = test::twoLanePipeline({"resnet18", 10, std::nullopt}, {3, 64, 64}, "layer3.0");
  e.data.batch = 12;
  e.variants[0].split_size = 5;
  return e;
}

VariantPlan planOf(const Experiment& experiment) { return test::planned(experiment, experiment.variants.front()); }

TEST(TrainingModes, AVariantsOwnModesWinOverTheExperiments) {
  Experiment e = twoStages();
  e.training.precision = Precision::Bf16;
  e.training.batch_norm = BatchNormMode::Deferred;
  e.training.recompute = Recompute::Stage;
  EXPECT_EQ(planOf(e).modes, (TrainingModes{Precision::Bf16, BatchNormMode::Deferred, {kWhole, kWhole}}));
  e.variants[0].precision = Precision::Fp32;
  e.variants[0].batch_norm = BatchNormMode::MicroBatch;
  e.variants[0].recompute = std::vector<int>{1};
  EXPECT_EQ(planOf(e).modes, (TrainingModes{Precision::Fp32, BatchNormMode::MicroBatch, {kNothing, kWhole}}));
  e.variants[0].recompute = Recompute::Activations;
  EXPECT_EQ(planOf(e).modes.recompute, (std::vector<Recompute>{Recompute::Activations, Recompute::Activations}));
  e.variants[0].recompute = std::vector<int>{};
  EXPECT_EQ(planOf(e).modes.recompute, (std::vector<Recompute>{kNothing, kNothing}));
}

TEST(TrainingModes, SynchronisedBatchNormsTakeTheWholeBatchStageByStage) {
  Experiment e = twoStages();
  e.variants[0].batch_norm = BatchNormMode::Synchronised;
  const VariantPlan plan = planOf(e);
  EXPECT_EQ(plan.micro_batches, (MicroBatches{12, 12}));
  EXPECT_EQ(toCsv(plan.schedule), "0F0,0B0\n1F0,1B0\n");
}

TEST(TrainingModes, AVariantIsProfiledInItsOwnPrecision) {
  Experiment e = twoStages();
  e.variants[0].precision = Precision::Bf16;
  const auto resolution = resolve(e);
  const auto executor = makeFakeExecutor();
  const ProfileKey key = profileKey(*resolve(e), resolution->variants()[0].modes(), *executor, LaneId(0));
  EXPECT_EQ(key.precision, "bf16");
  EXPECT_NE(key.training.find("batch norm micro-batch"), std::string::npos);
}

TEST(TrainingModes, AProfileNamesKernelsWhereTheyMatter) {
  struct Row {
    const char* what;
    void (*change)(Experiment&);
    bool named;
  };
  const auto executor = makeFakeExecutor();
  for (const Row& row : {Row{"built-in, fp32, channels_last, cpu", [](Experiment&) {}, true},
                         Row{"contiguous", [](Experiment& e) { e.training.layout = Layout::Contiguous; }, false},
                         Row{"bf16", [](Experiment& e) { e.variants[0].precision = Precision::Bf16; }, false},
                         Row{"GPU",
                             [](Experiment& e) {
                               e.lanes[0].device = {DeviceKind::Cuda, 0};
                             },
                             false},
                         Row{"exported",
                             [](Experiment& e) {
                               setModelFile(e, *openModelFile(LANELAB_SOURCE_DIR "/tests/data/exported/resnet18.pt2"));
                             },
                             true}}) {
    Experiment e = twoStages();
    e.training.layout = Layout::ChannelsLast;
    row.change(e);
    const TrainingModes modes = variantModes(e.training, e.variants[0], 2);
    e.training.kernels = Kernels::Fused;
    const ProfileKey fused = profileKey(*resolve(e), modes, *executor, LaneId(0));
    e.training.kernels = Kernels::Aten;
    const ProfileKey aten = profileKey(*resolve(e), modes, *executor, LaneId(0));
    EXPECT_EQ(fused != aten, row.named) << row.what;
    EXPECT_EQ(fused.training.find("kernels") != std::string::npos, row.named) << row.what;
  }
}

TEST(TrainingModes, RecomputeTakesAPartOfTheForwardAgain) {
  Experiment e = twoStages();
  EXPECT_EQ(planOf(e).forward_again, std::vector<double>(10, 0));
  e.training.recompute = Recompute::Activations;
  const std::vector<double> part = planOf(e).forward_again;
  for (std::size_t block = 0; block + 1 < part.size(); ++block) {
    EXPECT_GT(part[block], 0.001) << block;
    EXPECT_LT(part[block], 0.3) << block;
  }
  EXPECT_EQ(part.back(), 0) << "the head has no batch norm";
  e.variants[0].recompute = std::vector<int>{1};
  EXPECT_EQ(planOf(e).forward_again, (std::vector<double>{0, 0, 0, 0, 0, 1, 1, 1, 1, 1}));
}

TEST(TrainingModes, AreToldInWords) {
  EXPECT_EQ(modesText({}), "");
  EXPECT_EQ(modesText({Precision::Tf32, BatchNormMode::MicroBatch, {kNothing, kNothing}}), "tf32");
  EXPECT_EQ(modesText({Precision::Fp32, BatchNormMode::Deferred, {kWhole}}),
            "deferred batch norm, whole forward recomputed");
  EXPECT_EQ(modesText({Precision::Bf16, BatchNormMode::MicroBatch, {kWhole, kWhole}}),
            "bf16, whole forward recomputed");
  EXPECT_EQ(modesText({Precision::Fp32, BatchNormMode::MicroBatch, {kWhole, kWhole, kNothing, kWhole}}),
            "forward of stages 0, 1 and 3 recomputed");
  EXPECT_EQ(modesText({Precision::Fp32, BatchNormMode::MicroBatch, {Recompute::Activations, Recompute::Activations}}),
            "ReLUs of batch norms recomputed");
  EXPECT_NE(modesText({Precision::Fp32, BatchNormMode::Synchronised, {}}).find("slow"), std::string::npos);
}

}  // namespace
}  // namespace lanelab
