// SPDX-License-Identifier: GPL-3.0-only
#include "engine/experiment/experiment_checks.h"

#include <algorithm>
#include <cmath>

#include "base/terminal_text.h"
#include "base/text.h"
#include "base/utf8.h"

namespace lanelab {
namespace {

constexpr int kMostThreads = 1024;
constexpr std::int64_t kLargestSide = 65536;
constexpr double kMostBatchElements = 68719476736.0;  // 2^36 numbers are 256 GiB

void checkPath(const DataConfig& data, Problems& problems) {
  if (!data.path.empty()) return;
  if (data.source == DataSource::File)
    problems.add("data.path",
                 "A data source \"file\" needs data.path: a safetensors file with `inputs` and `targets`.");
  if (data.source == DataSource::Cifar10)
    problems.add(
        "data.path",
        "A data source \"cifar10\" needs data.path: the folder of its binary files, data_batch_1.bin and so on.");
  if (data.source == DataSource::Folder)
    problems.add("data.path",
                 "A data source \"folder\" needs data.path: a folder that holds a folder of images for each class.");
}

void checkLearningRate(const TrainingConfig& training, Problems& problems) {
  problems.notNegative("training.lr", "The learning rate", training.lr);
  problems.range("training.lr_warmup", "The number of warm-up steps of the learning rate", training.lr_warmup, 0,
                 kMost);
  problems.range("training.lr_step_size", "The number of steps that have one learning rate", training.lr_step_size, 1,
                 kMost);
  problems.notNegative("training.lr_gamma", "The factor from one learning rate to the next", training.lr_gamma);
  problems.notNegative("training.lr_min", "The lowest learning rate", training.lr_min);
}

}  // namespace

std::string unknownWord(const std::string& what, const std::string& word, const std::vector<std::string>& known) {
  const std::string nearest = nearestName(word, known);
  return what + " \"" + word + "\" is not known in this version. " +
         (nearest.empty() || known.size() == 1 ? "Use " + joinOr(known) + "."
                                               : "Did you mean \"" + nearest + "\"? Known are " + joinOr(known) + ".");
}

void Problems::range(const std::string& where, const std::string& what, std::int64_t value, std::int64_t low,
                     std::int64_t high) {
  if (value < low || value > high) {
    add(where, what + " must be from " + std::to_string(low) + " to " + std::to_string(high) + ", not " +
                   std::to_string(value) + ".");
  }
}

void Problems::notNegative(const std::string& where, const std::string& what, double value) {
  if (!(value >= 0) || !std::isfinite(value))
    add(where, what + " must be 0 or more and finite, not " + exactNumber(value) + ".");
}

bool Problems::oneOf(const std::string& where, const std::string& what, const std::string& value,
                     const std::vector<std::string>& allowed) {
  if (std::find(allowed.begin(), allowed.end(), value) != allowed.end()) return true;
  add(where, unknownWord(what, value, allowed));
  return false;
}

bool checkName(const std::string& where, const std::string& name, Problems& problems) {
  const std::size_t characters = countCharacters(name);
  if (characters > kMostNameCharacters) {
    problems.add(where, "The name has " + std::to_string(characters) + " characters; at most " +
                            std::to_string(kMostNameCharacters) + " are allowed. Shorten it.");
    return false;
  }
  for (std::string_view rest = name; !rest.empty(); rest.remove_prefix(firstCharacter(rest).bytes)) {
    const Character first = firstCharacter(rest);
    if (first.valid && !isControl(first.code)) continue;
    problems.add(where, "The name \"" + onOneTerminalLine(name) + "\" holds a control character. Remove it.");
    return false;
  }
  return true;
}

void checkModelAndData(const Experiment& experiment, Problems& problems, std::optional<ModelSpec>& model) {
  const std::size_t before = problems.found.size();
  const bool known = problems.oneOf("model.arch", "The model", experiment.model.arch, knownArchitectures());
  problems.range("model.classes", "The number of classes", experiment.model.classes, 1, kMost);
  const DataConfig& data = experiment.data;
  checkPath(data, problems);
  bool sides = !data.shape.empty();
  for (const std::int64_t side : data.shape) sides = sides && side >= 1 && side <= kLargestSide;
  if (!sides) {
    problems.add("data.shape", "The shape needs numbers from 1 to " + std::to_string(kLargestSide) +
                                   ", such as [3, 64, 64] for images; it is [" + formatShape(data.shape) + "].");
  } else if (known && problems.found.size() == before) {
    Result<ModelSpec> described = describeModel(experiment.model.arch, experiment.model.classes, data.shape);
    if (described.ok()) {
      model = std::move(*described);
    } else {
      problems.add("data.shape", described.error().message);
    }
  }
  problems.range("data.batch", "The batch", data.batch, 1, kMost);
  problems.range("data.steps", "The number of steps", data.steps, 1, kMost);
  if (data.epochs) problems.range("data.epochs", "The number of epochs", *data.epochs, 1, kMost);
  if (data.epochs && data.source == DataSource::Random && !data.rows)
    problems.add(
        "data.epochs",
        "Random images have no epochs. Use data.steps, say how many `rows` there are, or take another data source.");
  if (data.rows && data.source != DataSource::Random)
    problems.add("data.rows", "Only random data are made in a number that one may choose. Leave `rows` out.");
  if (data.rows) problems.range("data.rows", "The number of random samples", *data.rows, 1, kMost);
  double elements = data.batch;
  for (const std::int64_t side : data.shape) elements *= static_cast<double>(side);
  if (sides && data.batch >= 1 && elements > kMostBatchElements)
    problems.add("data.batch",
                 "One batch would hold more than 256 GiB of numbers. Make the batch or the images smaller.");
}

void checkTraining(const TrainingConfig& training, Problems& problems) {
  checkLearningRate(training, problems);
  problems.notNegative("training.momentum", "The momentum", training.momentum);
  if (training.optimizer == OptimizerKind::Adam && training.momentum != 0)
    problems.add("training.momentum", "Adam takes no momentum; set it to 0 or use sgd.");
  problems.notNegative("training.weight_decay", "The weight decay", training.weight_decay);
  if (training.nesterov && (training.optimizer != OptimizerKind::Sgd || !(training.momentum > 0)))
    problems.add("training.nesterov", "Nesterov needs sgd with a momentum above 0.");
}

void checkLanes(const std::vector<LaneConfig>& lanes, Problems& problems) {
  if (lanes.empty()) problems.add("lanes", "There is no lane. Add one, such as { \"device\": \"cpu:0\" }.");
  if (lanes.size() > kMostLanes)
    problems.add("lanes", "There are " + std::to_string(lanes.size()) + " lanes; at most " +
                              std::to_string(kMostLanes) + " are possible.");
  for (std::size_t i = 0; i < lanes.size(); ++i) {
    const std::string where = "lanes[" + std::to_string(i) + "]";
    checkName(where + ".name", lanes[i].name, problems);
    problems.range(where + ".rank", "The rank", lanes[i].rank, 0, kMostLanes);
    problems.range(where + ".threads", "The number of threads", lanes[i].threads, 1, kMostThreads);
  }
}

}  // namespace lanelab
