// SPDX-License-Identifier: GPL-3.0-only
// Which data and losses fit which network.
#include "engine/experiment/training_targets.h"

#include <gtest/gtest.h>

#include "tests/support/described_model.h"

namespace lanelab {
namespace {

ModelSpec network(Shape input, Shape output, std::int64_t vocabulary = 0) {
  ModelSpec spec;
  spec.input = std::move(input);
  spec.vocabulary = vocabulary;
  spec.gives_loss = output.empty();
  spec.blocks.resize(1);
  spec.blocks[0].output = std::move(output);
  return spec;
}

const ModelSpec kImages = network({3, 8, 8}, {10}), kSegments = network({3, 8, 8}, {2, 8, 8}),
                kWords = network({16}, {16, 256}, 256), kShorter = network({16}, {8, 256}, 256),
                kOneWord = network({1}, {1, 256}, 256), kSentences = network({16}, {2}, 256),
                kGivesLoss = network({16}, {}, 256);

struct Fit {
  const char* name;
  const ModelSpec& model;
  DataSource source;
  Loss loss;
  bool shift = false;
  const char* where = "";  ///< empty: it fits
  const char* says = "";
};

class Fits : public ::testing::TestWithParam<Fit> {};

TEST_P(Fits, OrAreRefused) {
  const Fit& fit = GetParam();
  Experiment experiment;
  experiment.data.shape = fit.model.input;
  experiment.data.source = fit.source;
  experiment.training.loss = fit.loss;
  experiment.training.loss_shift = fit.shift;
  Problems problems;
  checkTargets(experiment, fit.model, problems);
  const std::string where = problems.found.empty() ? "" : problems.found.front().where;
  EXPECT_EQ(where, fit.where);
  if (where.empty()) return;
  EXPECT_NE(problems.found.front().message.find(fit.says), std::string::npos) << problems.found.front().message;
}

INSTANTIATE_TEST_SUITE_P(
    All, Fits,
    ::testing::Values(
        Fit{"Images", kImages, DataSource::Digits, Loss::CrossEntropy},
        Fit{"OneHot", kImages, DataSource::Random, Loss::Mse}, Fit{"Segments", kSegments, DataSource::File, Loss::Mse},
        Fit{"Words", kWords, DataSource::Text, Loss::CrossEntropy},
        Fit{"WordsShifted", kWords, DataSource::File, Loss::CrossEntropy, true},
        Fit{"WordsAsNumbers", kWords, DataSource::File, Loss::Mse},
        Fit{"Sentences", kSentences, DataSource::File, Loss::CrossEntropy},
        Fit{"TextWithItsLoss", kGivesLoss, DataSource::Text, Loss::Output},
        Fit{"LossOfANetworkWithout", kImages, DataSource::Random, Loss::Output, false, "training.loss",
            "a network that returns its loss"},
        Fit{"OtherLossOfANetworkWithOne", kGivesLoss, DataSource::Random, Loss::CrossEntropy, false, "training.loss",
            "Use the loss output"},
        Fit{"CrossEntropyOfSegments", kSegments, DataSource::Random, Loss::CrossEntropy, false, "training.loss",
            "those of the network are [2, 8, 8]. For a class for each pixel, return output.flatten(2)"},
        Fit{"ClassesOfSegments", kSegments, DataSource::Digits, Loss::Mse, false, "data.source",
            "one class for each image"},
        Fit{"ImagesForWords", kWords, DataSource::Cifar10, Loss::CrossEntropy, false, "data.source", "takes tokens"},
        Fit{"TextForImages", kImages, DataSource::Text, Loss::CrossEntropy, false, "data.source", "takes [3, 8, 8]"},
        Fit{"TextForSentences", kSentences, DataSource::Text, Loss::CrossEntropy, false, "training.loss",
            "the next bytes"},
        Fit{"TextAsNumbers", kWords, DataSource::Text, Loss::Mse, false, "training.loss", "Use cross_entropy"},
        Fit{"TextForFewerPositions", kShorter, DataSource::Text, Loss::CrossEntropy, false, "data.source",
            "the network predicts 8"},
        Fit{"ShiftedText", kWords, DataSource::Text, Loss::CrossEntropy, true, "training.loss_shift",
            "next bytes already"},
        Fit{"ShiftedClasses", kImages, DataSource::Random, Loss::CrossEntropy, true, "training.loss_shift",
            "Set it to false"},
        Fit{"ShiftedNumbers", kWords, DataSource::Random, Loss::Mse, true, "training.loss_shift", "Set it to false"},
        Fit{"ShiftOfOnePosition", kOneWord, DataSource::Random, Loss::CrossEntropy, true, "training.loss_shift",
            "two positions"}),
    [](const auto& named) { return std::string(named.param.name); });

TEST(TrainingTargets, HaveTheShapeOfTheInputInTheData) {
  Experiment experiment;
  experiment.data.shape = {32};
  Problems problems;
  checkTargets(experiment, network({16}, {2}), problems);
  ASSERT_EQ(problems.found.size(), 1u);
  EXPECT_EQ(problems.found[0].where, "data.shape");
  EXPECT_EQ(problems.found[0].message, "The network takes [16], and data.shape is [32]. Set it to [16].");
}

TEST(TrainingTargets, ALossOfTheNetworkComesWithANoteIfBatchesAreSplit) {
  Experiment experiment;
  experiment.model = {"toy", 5, std::nullopt};
  experiment.data.shape = {10};
  experiment.data.batch = 8;
  experiment.lanes = {{Device::cpu(0), "", 1}, {Device::cpu(1), "", 1}};
  VariantConfig single, split, replicas;
  split.strategy = Strategy::Pipeline;
  split.split_size = 3;
  split.cuts = std::vector<std::string>{"net2"};
  replicas.strategy = Strategy::Ddp;
  const auto noteOf = [&](Loss loss, const VariantConfig& variant) {
    experiment.training.loss = loss;
    experiment.variants = {single, variant};
    return ownLossNote(*resolve(experiment));
  };
  EXPECT_EQ(noteOf(Loss::Output, single), "");
  EXPECT_EQ(noteOf(Loss::CrossEntropy, split), "");
  for (const VariantConfig& variant : {split, replicas})
    EXPECT_NE(noteOf(Loss::Output, variant).find("depends on the micro-batch size"), std::string::npos);
}

TEST(TrainingTargets, AreNeverAdvisedToBeWhatTheExperimentRefuses) {
  const ModelConfig toy{"toy", 5, std::nullopt}, own{"", 0, std::nullopt, "own.pt2"},
      resnet{"resnet18", 10, std::nullopt}, linear{"linear", 2, std::nullopt};
  const std::tuple<ModelConfig, std::int64_t, const char*> classes[] = {
      {toy, 1, "Set model.classes to 1"},
      {toy, 1'000'000, "Set model.classes to 1000000"},
      {toy, 1'000'001, "A network may have 1 to 1000000 classes. Write the data again"},
      {toy, 0, "A network may have 1 to 1000000 classes. Write the data again"},
      {own, 7, "Use a network with 7 classes"}};
  for (const auto& [model, count, advice] : classes) EXPECT_EQ(classesAdvice(model, count), advice);
  const std::tuple<ModelConfig, Shape, const char*> shapes[] = {
      {linear, {7}, "Set data.shape to [7]"},
      {toy, {7}, "toy takes no samples of 7. Write the data again"},
      {resnet, {3, 64, 64}, "Set data.shape to [3, 64, 64]"},
      {resnet, {7}, "resnet18 takes no samples of 7. Write the data again"},
      {own, {3, 8, 8}, "Use a network for samples of 3x8x8"}};
  for (const auto& [model, shape, advice] : shapes) {
    EXPECT_EQ(shapeAdvice(model, shape), advice);
    if (model.file || !shapeAdvice(model, shape).starts_with("Set")) continue;
    EXPECT_TRUE(test::describeModel(model.arch, model.classes, shape).ok());
  }
}

TEST(TrainingTargets, CountAnswers) {
  TrainingConfig training;
  training.loss = Loss::CrossEntropy;
  EXPECT_EQ(answersPerSample(training, kImages), 1);
  EXPECT_EQ(answersPerSample(training, kWords), 16);
  training.loss_shift = true;
  EXPECT_EQ(answersPerSample(training, kWords), 15);
  training.loss = Loss::Mse;
  EXPECT_EQ(answersPerSample(training, kImages), 1);
  EXPECT_EQ(answersPerSample(training, kSegments), 0);
  training.loss = Loss::Output;
  EXPECT_EQ(answersPerSample(training, kGivesLoss), 0);
}

TEST(LossNote, NamesWhatOutputsOfPixelsCanBeTrainedTowards) {
  EXPECT_EQ(lossNote(kSegments),
            "The outputs are [2, 8, 8], which mse compares with numbers of this shape. Cross entropy of a class for "
            "each pixel needs outputs [positions, classes]: return output.flatten(2).transpose(1, 2).");
  for (const ModelSpec& model : {kImages, kWords, kSentences, kGivesLoss}) EXPECT_EQ(lossNote(model), "");
}

}  // namespace
}  // namespace lanelab
