// SPDX-License-Identifier: GPL-3.0-only
#include "engine/experiment/edits/network_edits.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <map>
#include <vector>

#include "engine/experiment/edits/balanced_cuts.h"
#include "engine/experiment/experiment_checks.h"
#include "engine/experiment/model_file.h"
#include "engine/experiment/training_targets.h"
#include "engine/model/architectures.h"

namespace lanelab {
namespace {

/// The block of `after` (not its first) that starts nearest to where `block` starts in `before`.
int blockNearest(const std::vector<double>& before, std::size_t block, const std::vector<double>& after) {
  int best = 1;
  for (int i = 1; i + 1 < static_cast<int>(after.size()); ++i) {
    const auto distance = [&](int k) { return std::abs(after[static_cast<std::size_t>(k)] - before[block]); };
    if (distance(i) < distance(best)) best = i;
  }
  return best;
}

std::vector<std::string> carriedCuts(const std::vector<std::string>& cuts, const ModelSpec& before,
                                     const ModelSpec& after) {
  const std::vector<double> old_shares = startShares(before);
  const std::vector<double> new_shares = startShares(after);
  std::vector<std::string> carried;
  int last = 0;
  for (const std::string& cut : cuts) {
    const auto kept = after.find(cut);
    const auto gone = before.find(cut);
    if (!kept && !gone) continue;
    const int block = kept ? kept->value : blockNearest(old_shares, gone->index(), new_shares);
    if (block <= last || block >= static_cast<int>(after.blocks.size())) continue;
    carried.push_back(after.blocks[static_cast<std::size_t>(block)].name);
    last = block;
  }
  return carried;
}

std::map<std::string, int> carriedMap(const std::map<std::string, int>& lane_of, const ModelSpec& before,
                                      const ModelSpec& after) {
  const std::vector<double> old_shares = startShares(before);
  const std::vector<double> new_shares = startShares(after);
  std::map<std::string, int> carried;
  for (std::size_t i = 0; i < after.blocks.size(); ++i) {
    const double middle = (new_shares[i] + new_shares[i + 1]) / 2;
    const auto behind = std::upper_bound(old_shares.begin(), old_shares.end() - 1, middle);
    const auto twin = static_cast<std::size_t>(std::max<std::ptrdiff_t>(0, behind - old_shares.begin() - 1));
    const std::string& name = before.find(after.blocks[i].name) ? after.blocks[i].name : before.blocks[twin].name;
    const auto found = lane_of.find(name);
    carried[after.blocks[i].name] = found == lane_of.end() ? 0 : found->second;
  }
  return carried;
}

bool sameBlocks(const ModelSpec& a, const ModelSpec& b) {
  return std::ranges::equal(a.blocks, b.blocks, {}, &BlockSpec::name, &BlockSpec::name);
}

/// What only an exported network can have: tokens as samples, and its own loss.
void leaveTokens(Experiment& experiment) {
  TrainingConfig& training = experiment.training;
  training.loss_shift = false;
  if (training.loss == Loss::Output) training.loss = Loss::CrossEntropy;
  if (experiment.data.source != DataSource::Text) return;
  setDataSource(experiment, DataSource::Random);
  experiment.data.path.clear();
}

/// Whether the source gives samples as the network takes them. A file with tensors was made for another network.
bool givesSamples(const Experiment& experiment, const ModelSpec& model) {
  const bool one_class = model.gives_loss || outputShape(model).size() == 1;
  switch (experiment.data.source) {
    case DataSource::Random: return true;
    case DataSource::Text: return model.vocabulary > 0 && model.input.size() == 1;
    case DataSource::File: return false;
    case DataSource::Folder: return model.vocabulary == 0 && model.input.size() == 3 && one_class;
    case DataSource::Digits: return model.input == Shape{3, 16, 16} && model.classes == 10 && one_class;
    case DataSource::Cifar10: return model.input == Shape{3, 32, 32} && model.classes == 10 && one_class;
  }
  return false;
}

void fitSource(Experiment& experiment, const ModelSpec& model) {
  if (givesSamples(experiment, model)) return;
  DataConfig& data = experiment.data;
  setDataSource(experiment, DataSource::Random);
  data.path.clear();
  data.skip_unreadable = false;
}

void fitLoss(TrainingConfig& training, const ModelSpec& model) {
  const std::size_t sides = outputShape(model).size();
  const bool classes = sides == 1 || sides == 2;
  training.loss_shift = false;
  if (model.gives_loss)
    training.loss = Loss::Output;
  else if (classes && (model.vocabulary > 0 || training.loss == Loss::Output))
    training.loss = Loss::CrossEntropy;
  else if (!classes)
    training.loss = Loss::Mse;
}

/// Whether both take the same samples and give the same.
bool sameEnds(const ModelSpec& a, const ModelSpec& b) {
  return a.input == b.input && a.classes == b.classes && a.vocabulary == b.vocabulary && a.gives_loss == b.gives_loss &&
         outputShape(a) == outputShape(b);
}

/// The micro-batches that the file was exported for, where it was for some only.
void fitSamples(Experiment& experiment, const ModelSpec& model) {
  const int least = std::max(1, model.least_samples);
  const int most = model.most_samples;
  int& batch = experiment.data.batch;
  batch = std::max(batch, least);
  if (most == least) batch -= batch % most;
  for (VariantConfig& variant : experiment.variants) {
    const bool whole = variant.strategy == Strategy::ModelParallel;
    if (whole && most > 0) batch = std::min(batch, most);
    if (!whole && most > 0 && !variant.split_size && batch > most) variant.split_size = most;
    if (variant.split_size) variant.split_size = std::max(*variant.split_size, least);
    if (variant.split_size && most > 0) variant.split_size = std::min(*variant.split_size, most);
  }
  for (VariantConfig& variant : experiment.variants)
    if (variant.split_size) variant.split_size = std::min(*variant.split_size, std::max(1, batch));
}

}  // namespace

void setArchitecture(Experiment& experiment, const std::string& arch) {
  ModelConfig& model = experiment.model;
  const bool usual = model.file || model.classes == usualClasses(model.arch);
  const bool other_shape = model.file.has_value();
  if (other_shape) leaveTokens(experiment);
  model.file.reset();
  model.blocks.reset();
  model.arch = arch;
  if (usual) model.classes = usualClasses(arch);
  const bool flat = arch == "toy" || arch == "linear";
  const std::size_t dimensions = flat ? 1 : 3;
  if (!other_shape && experiment.data.shape.size() == dimensions &&
      (arch != "toy" || experiment.data.shape == usualInput(arch)))
    return;
  experiment.data.shape = flat ? usualInput(arch) : Shape{3, 64, 64};
  model.classes = usualClasses(arch);
}

void setModelFile(Experiment& experiment, const OpenedModel& opened) {
  experiment.model = {.arch = {}, .classes = 0, .file = opened.file.path};
  experiment.data.shape.clear();
  adoptModel(experiment, opened);
  const Result<ModelSpec> model = describeTrained(opened.network);
  if (!model.ok() || model->blocks.empty()) return;
  fitSource(experiment, *model);
  fitLoss(experiment.training, *model);
  fitSamples(experiment, *model);
}

void followModelFile(Experiment& experiment, const OpenedModel& opened, const ModelSpec& before) {
  const Result<ModelSpec> model = describeTrained(opened.network);
  if (!model.ok() || model->blocks.empty()) return;
  experiment.model.classes = 0;
  experiment.data.shape.clear();
  adoptModel(experiment, opened);
  if (!sameEnds(before, *model)) {
    fitSource(experiment, *model);
    fitLoss(experiment.training, *model);
  }
  fitSamples(experiment, *model);
  carryPlacements(experiment, opened.network, before);
}

void setBlockDepth(Experiment& experiment, std::optional<int> depth) {
  if (!experiment.model.file) return;
  experiment.model.blocks.reset();
  if (depth) experiment.model.blocks = ExportedBlockChoice{.depth = depth};
}

void setDataSource(Experiment& experiment, DataSource source) {
  DataConfig& data = experiment.data;
  data.source = source;
  const bool in_order = source == DataSource::Folder || source == DataSource::Text;  // neighbours are alike
  data.shuffle = source == DataSource::Random ? false : data.shuffle || in_order;
  if (source == DataSource::Random) data.epochs.reset();
  if (source != DataSource::Random) data.rows.reset();
  if (source == DataSource::Text && experiment.training.loss == Loss::Mse)
    experiment.training.loss = Loss::CrossEntropy;
  if (source != DataSource::Digits && source != DataSource::Cifar10) return;
  if (!experiment.model.file) {  // which has a shape and classes of its own
    data.shape = source == DataSource::Digits ? Shape{3, 16, 16} : Shape{3, 32, 32};
    experiment.model.classes = 10;
  }
  experiment.training.loss = Loss::CrossEntropy;
  data.shuffle = true;
}

void setToLearn(Experiment& experiment) {
  constexpr int kBatch = 64;
  const TrainingConfig fresh;
  TrainingConfig& training = experiment.training;
  const bool is_fresh = training.optimizer == OptimizerKind::Sgd && training.lr == fresh.lr && training.momentum == 0 &&
                        training.lr_schedule == fresh.lr_schedule && !experiment.data.epochs;
  if (!is_fresh) return;
  training.lr = 0.05;
  training.momentum = 0.9;
  training.lr_schedule = LrSchedule::Cosine;
  experiment.data.epochs = 6;
  experiment.repeats = 1;
  experiment.warmup = 0;
  if (experiment.data.batch >= kBatch) return;
  experiment.data.batch = kBatch;
  for (VariantConfig& variant : experiment.variants)
    if (variant.strategy == Strategy::Pipeline) variant.split_size = kBatch / 4;
}

void setOptimizer(Experiment& experiment, OptimizerKind optimizer) {
  experiment.training.optimizer = optimizer;
  if (optimizer == OptimizerKind::Sgd) return;
  experiment.training.momentum = 0;
  experiment.training.nesterov = false;
}

void carryPlacements(Experiment& experiment, const OpenedNetwork& network, const ModelSpec& before) {
  Problems problems;
  std::optional<ModelSpec> after;
  checkModelAndData(experiment, network, problems, after);
  if (!after || sameBlocks(before, *after)) return;
  for (VariantConfig& variant : experiment.variants) {
    if (variant.cuts) variant.cuts = carriedCuts(*variant.cuts, before, *after);
    if (variant.placement) variant.placement = carriedMap(*variant.placement, before, *after);
  }
}

}  // namespace lanelab
