// SPDX-License-Identifier: GPL-3.0-only
#include "engine/experiment/training_targets.h"

#include <algorithm>

#include "base/text.h"
#include "engine/model/architectures.h"

namespace lanelab {
namespace {

bool isText(const Experiment& experiment) { return experiment.data.source == DataSource::Text; }

bool hasImagesOfClasses(DataSource source) {
  return source == DataSource::Digits || source == DataSource::Cifar10 || source == DataSource::Folder;
}

void checkShift(const Experiment& experiment, const ModelSpec& model, Problems& problems) {
  if (!experiment.training.loss_shift) return;
  constexpr auto kWhere = "training.loss_shift";
  const Shape& output = outputShape(model);
  if (targetKind(experiment.training.loss, model) != TargetKind::Tokens) {
    problems.add(kWhere,
                 "Only the cross entropy of tokens can be shifted: outputs [positions, classes] with an id for each "
                 "position. Set it to false.");
  } else if (isText(experiment)) {
    problems.add(kWhere, "The targets of a text are the next bytes already. Set it to false.");
  } else if (output[0] < 2) {
    problems.add(kWhere, "A shift needs two positions or more, and the network has 1. Set it to false.");
  }
}

void checkLoss(const Experiment& experiment, const ModelSpec& model, Problems& problems) {
  constexpr auto kWhere = "training.loss";
  const Loss loss = experiment.training.loss;
  const Shape& output = outputShape(model);
  if (model.gives_loss && loss != Loss::Output) {
    problems.add(kWhere, "The network returns its loss. Use the loss output.");
  } else if (loss == Loss::Output && !model.gives_loss) {
    problems.add(kWhere, "The loss output needs a network that returns its loss, a scalar. Use mse or cross_entropy.");
  } else if (loss == Loss::CrossEntropy && output.size() != 1 && output.size() != 2) {
    problems.add(kWhere,
                 "Cross entropy needs outputs [classes] or [positions, classes]; those of the network are {}. For a "
                 "class for each pixel, return output.flatten(2).transpose(1, 2); for numbers, use mse.",
                 listText(output));
  } else {
    checkShift(experiment, model, problems);
  }
}

void checkTextFits(const Experiment& experiment, const ModelSpec& model, Problems& problems) {
  const TargetKind kind = targetKind(experiment.training.loss, model);
  const Shape& output = outputShape(model);
  if (model.vocabulary == 0 || model.input.size() != 1) {
    problems.add(
        "data.source",
        "A text needs a network whose input is a row of tokens, and this one takes {}. Use another data source.",
        listText(model.input));
  } else if (kind == TargetKind::Class || kind == TargetKind::Values) {
    problems.add("training.loss",
                 "The targets of a text are the next bytes. Use cross_entropy, with a network that predicts a byte at "
                 "each position.");
  } else if (kind == TargetKind::Tokens && output[0] != model.input[0]) {
    problems.add("data.source",
                 "A text has a target for each of the {} positions of the input, and the network predicts {}. Use "
                 "another data source.",
                 model.input[0], output[0]);
  }
}

void checkSource(const Experiment& experiment, const ModelSpec& model, Problems& problems) {
  const DataSource source = experiment.data.source;
  if (experiment.data.shape != model.input) {
    problems.add("data.shape", "The network takes {}, and data.shape is {}. Set it to {}.", listText(model.input),
                 listText(experiment.data.shape), listText(model.input));
  } else if (isText(experiment)) {
    checkTextFits(experiment, model, problems);
  } else if (hasImagesOfClasses(source) && model.vocabulary > 0) {
    problems.add("data.source", "The network takes tokens, and \"{}\" has images. Use text, file or random.",
                 toWord(source));
  } else if (hasImagesOfClasses(source) && !model.gives_loss && outputShape(model).size() != 1) {
    problems.add("data.source",
                 "\"{}\" has one class for each image, and the outputs of the network are {}. Use file or random.",
                 toWord(source), listText(outputShape(model)));
  }
}

}  // namespace

const Shape& outputShape(const ModelSpec& model) { return model.blocks.back().output; }

std::string lossNote(const ModelSpec& model) {
  if (model.gives_loss || outputShape(model).size() < 3) return {};
  return "The outputs are " + listText(outputShape(model)) +
         ", which mse compares with numbers of this shape. Cross entropy of a class for each pixel needs outputs "
         "[positions, classes]: return output.flatten(2).transpose(1, 2).";
}

TargetKind targetKind(Loss loss, const ModelSpec& model) {
  const std::size_t sides = outputShape(model).size();
  if (loss == Loss::Output) return TargetKind::None;
  if (sides == 1) return TargetKind::Class;
  return sides == 2 && loss == Loss::CrossEntropy ? TargetKind::Tokens : TargetKind::Values;
}

std::int64_t answersPerSample(const TrainingConfig& training, const ModelSpec& model) {
  switch (targetKind(training.loss, model)) {
    case TargetKind::Class: return 1;
    case TargetKind::Tokens: return outputShape(model)[0] - (training.loss_shift ? 1 : 0);
    case TargetKind::None:
    case TargetKind::Values: break;
  }
  return 0;
}

std::string classesAdvice(const ModelConfig& model, std::int64_t classes) {
  if (classes < 1 || classes > kLargestCount)
    return "A network may have 1 to " + std::to_string(kLargestCount) + " classes. Write the data again";
  if (model.file) return "Use a network with " + std::to_string(classes) + " classes";
  return "Set model.classes to " + std::to_string(classes);
}

std::string shapeAdvice(const ModelConfig& model, const Shape& shape) {
  if (model.file) return "Use a network for samples of " + formatShape(shape);
  if (!checkArchitecture(model.arch, model.classes, shape).ok())
    return model.title() + " takes no samples of " + formatShape(shape) + ". Write the data again";
  return "Set data.shape to " + listText(shape);
}

void checkTargets(const Experiment& experiment, const ModelSpec& model, Problems& problems) {
  checkSource(experiment, model, problems);
  checkLoss(experiment, model, problems);
}

std::string ownLossNote(const Resolution& resolution) {
  const auto splits = [](const ResolvedVariant& variant) {
    return variant.replicas() > 1 || variant.microBatches().count() > 1;
  };
  if (resolution.experiment().training.loss != Loss::Output || std::ranges::none_of(resolution.variants(), splits))
    return "";
  return "The network returns its loss, and each micro-batch is weighted by its samples: a mean over valid tokens "
         "depends on the micro-batch size. Use cross_entropy with targets of -100 for padding, which does not.";
}

}  // namespace lanelab
