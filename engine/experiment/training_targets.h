// SPDX-License-Identifier: GPL-3.0-only
// What a network is trained towards, which follows from the loss and the shape of the output, and whether data and loss
// fit the network. Pure; any thread.
#pragma once

#include <cstdint>
#include <string>

#include "engine/experiment/experiment_checks.h"
#include "engine/experiment/resolution.h"

namespace lanelab {

/// Of a sample. Class: a class id, or a number for each class. Tokens: an id for each position. Values: numbers in the
/// output's shape. None: the network gives its loss.
enum class TargetKind { None, Class, Tokens, Values };

/// The model has blocks.
TargetKind targetKind(Loss loss, const ModelSpec& model);

/// Of one sample: [classes], [T, vocabulary], ...
const Shape& outputShape(const ModelSpec& model);

/// What its outputs can be trained towards, where this may surprise: a sentence for images of classes, else "".
std::string lossNote(const ModelSpec& model);

/// Answers of a sample that are right or wrong: one for a class, one for each position whose prediction is compared; 0
/// where the loss knows no right answer.
std::int64_t answersPerSample(const TrainingConfig& training, const ModelSpec& model);

/// What to do so that the network has `classes` classes, in one sentence without its full stop: never a value that the
/// experiment refuses.
std::string classesAdvice(const ModelConfig& model, std::int64_t classes);
/// What to do so that the network takes samples of `shape`, likewise.
std::string shapeAdvice(const ModelConfig& model, const Shape& shape);

/// Data and losses that the network can be planned with but not trained on.
void checkTargets(const Experiment& experiment, const ModelSpec& model, Problems& problems);

/// What a reader of results should know of a network that gives its loss, if a variant splits batches; else empty.
std::string ownLossNote(const Resolution& resolution);

}  // namespace lanelab
