// SPDX-License-Identifier: GPL-3.0-only
#include "engine/experiment/experiment_checks.h"

#include <algorithm>
#include <cmath>

#include "base/json_text.h"
#include "base/terminal_text.h"
#include "base/text.h"
#include "base/utf8.h"

namespace lanelab {
namespace {

constexpr double kMostBatchElements = 68719476736.0;  // 2^36 numbers are 256 GiB

void checkPath(const DataConfig& data, Problems& problems) {
  if (!data.path.empty()) return;
  const auto need = [&](DataSource source, const std::string& what) {
    if (data.source == source)
      problems.add("data.path", "A data source \"" + toWord(source) + "\" needs data.path: " + what);
  };
  need(DataSource::File, "a safetensors file with `inputs` and `targets`.");
  need(DataSource::Cifar10, "the folder of its binary files, data_batch_1.bin and so on.");
  need(DataSource::Folder, "a folder that holds a folder of images for each class.");
}

/// Of one value by its row; `what` begins sentences.
template <class S>
struct ValueCheck {
  const FieldRules<S>& rules;
  std::string where;
  std::string what;
  Problems& problems;

  template <class T>
  void operator()(const T&) const {}
  template <class T>
  void operator()(const std::optional<T>& value) const {
    if (value) (*this)(*value);
  }
  void operator()(int value) const {
    if (value < rules.low || value > rules.high)
      problems.add(where, what + " must be from " + std::to_string(std::llround(rules.low)) + " to " +
                              std::to_string(std::llround(rules.high)) + ", not " + std::to_string(value) + ".");
  }
  void operator()(double value) const {
    if (!(value >= rules.low && value <= rules.high) || !std::isfinite(value))
      problems.add(where, what + " must be " + limits() + ", not " + exactNumber(value) + ".");
  }
  std::string limits() const {
    const std::string low = exactNumber(rules.low);
    return std::isfinite(rules.high) ? "from " + low + " to " + exactNumber(rules.high) : low + " or more and finite";
  }
  void operator()(const std::string& value) const {
    if (rules.most_characters > 0) checkName(where, value, problems);
    if (!rules.words) return;
    const std::vector<std::string>& known = rules.words();
    if (std::find(known.begin(), known.end(), value) == known.end())
      problems.add(where, unknownWord(what, value, known));
  }
};

}  // namespace

std::string unknownWord(const std::string& what, const std::string& word, const std::vector<std::string>& known) {
  const std::string nearest = nearestName(word, known);
  return what + " \"" + word + "\" is not known in this version. " +
         (nearest.empty() || known.size() == 1 ? "Use " + joinOr(known) + "."
                                               : "Did you mean \"" + nearest + "\"? Known are " + joinOr(known) + ".");
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

template <Described S>
void checkFields(const S& object, const std::string& path, Problems& problems) {
  forEachField<S>([&](const auto& field) {
    ValueCheck<S>{field.rules, joinPath(path, field.key), std::string("The ") + field.name,
                  problems}(object.*field.member);
  });
}

template void checkFields(const Experiment&, const std::string&, Problems&);

void checkModelAndData(const Experiment& experiment, Problems& problems, std::optional<ModelSpec>& model) {
  const std::size_t before = problems.found.size();
  const DataConfig& data = experiment.data;
  checkFields(experiment.model, "model", problems);
  checkPath(data, problems);
  bool sides = !data.shape.empty();
  for (const std::int64_t side : data.shape) sides = sides && side >= 1 && side <= kLargestInputSide;
  if (!sides) {
    problems.add("data.shape", "The shape needs numbers from 1 to " + std::to_string(kLargestInputSide) +
                                   ", such as [3, 64, 64] for images; it is [" + formatShape(data.shape) + "].");
  } else if (problems.found.size() == before) {
    Result<ModelSpec> described = describeModel(experiment.model.arch, experiment.model.classes, data.shape);
    if (described.ok()) {
      model = std::move(*described);
    } else {
      problems.add("data.shape", described.error().message);
    }
  }
  checkFields(data, "data", problems);
  if (data.epochs && data.source == DataSource::Random && !data.rows)
    problems.add(
        "data.epochs",
        "Random images have no epochs. Use data.steps, say how many `rows` there are, or take another data source.");
  if (data.rows && data.source != DataSource::Random)
    problems.add("data.rows", "Only random data are made in a number that one may choose. Leave `rows` out.");
  double elements = data.batch;
  for (const std::int64_t side : data.shape) elements *= static_cast<double>(side);
  if (sides && data.batch >= 1 && elements > kMostBatchElements)
    problems.add("data.batch",
                 "One batch would hold more than 256 GiB of numbers. Make the batch or the images smaller.");
}

void checkTraining(const TrainingConfig& training, Problems& problems) {
  checkFields(training, "training", problems);
  if (training.optimizer == OptimizerKind::Adam && training.momentum != 0)
    problems.add("training.momentum", "Adam takes no momentum; set it to 0 or use sgd.");
  if (training.nesterov && (training.optimizer != OptimizerKind::Sgd || !(training.momentum > 0)))
    problems.add("training.nesterov", "Nesterov needs sgd with a momentum above 0.");
}

void checkLanes(const std::vector<LaneConfig>& lanes, Problems& problems) {
  if (lanes.empty()) problems.add("lanes", "There is no lane. Add one, such as { \"device\": \"cpu:0\" }.");
  if (lanes.size() > kMostLanes)
    problems.add("lanes", "There are " + std::to_string(lanes.size()) + " lanes; at most " +
                              std::to_string(kMostLanes) + " are possible.");
  for (std::size_t i = 0; i < lanes.size(); ++i) checkFields(lanes[i], indexPath("lanes", i), problems);
}

}  // namespace lanelab
