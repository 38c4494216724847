// SPDX-License-Identifier: GPL-3.0-only
#include "engine/experiment/edits/experiment_edits.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <numeric>
#include <utility>

#include "base/text.h"
#include "engine/experiment/edits/replica_edits.h"
#include "engine/experiment/experiment_checks.h"
#include "engine/experiment/model_file.h"
#include "engine/experiment/training_targets.h"
#include "engine/experiment/variant_placement.h"
#include "engine/experiment/variant_replicas.h"
#include "engine/experiment/variant_schedule.h"
#include "engine/model/tutorial_models.h"

namespace lanelab {
namespace {

int laneCount(const Experiment& experiment) { return static_cast<int>(experiment.lanes.size()); }

/// The part of all MACs that lies before each block, and 1 at the end.
std::vector<double> startShares(const ModelSpec& model) {
  std::vector<double> shares{0};
  const double total = std::max<double>(1, static_cast<double>(model.macs()));
  for (const BlockSpec& block : model.blocks) shares.push_back(shares.back() + static_cast<double>(block.macs) / total);
  return shares;
}

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

/// Cuts so that `parts` consecutive parts of [first, end) come nearest to equal MACs; none where there are too few
/// blocks.
std::vector<std::string> balancedCuts(const ModelSpec& model, std::size_t first, std::size_t end, std::size_t parts) {
  std::vector<std::string> cuts;
  if (end - first < parts) return cuts;
  const std::vector<double> shares = startShares(model);
  std::size_t block = first;
  for (std::size_t part = 1; part < parts; ++part) {
    const double border =
        shares[first] + (shares[end] - shares[first]) * static_cast<double>(part) / static_cast<double>(parts);
    const std::size_t last = end - (parts - part);
    ++block;
    while (block < last && std::abs(shares[block + 1] - border) < std::abs(shares[block] - border)) ++block;
    cuts.push_back(model.blocks[block].name);
  }
  return cuts;
}

/// Each stage in two; over all blocks again if a stage has a single one; none where there are too few blocks.
std::vector<std::string> halvedCuts(const ModelSpec& model, const std::vector<Stage>& stages) {
  std::vector<std::string> cuts;
  for (const Stage& stage : stages) {
    const std::vector<std::string> middle = balancedCuts(model, stage.first.index(), stage.end.index(), 2);
    if (middle.empty()) return balancedCuts(model, 0, model.blocks.size(), 2 * stages.size());
    if (stage.first.value > 0) cuts.push_back(model.blocks[stage.first.index()].name);
    cuts.push_back(middle.front());
  }
  return cuts;
}

/// Where a schedule turns at an end of the lanes, two of its stages are one run of blocks on a lane.
bool turnsIn(const std::vector<Stage>& runs, std::size_t run) {
  if (runs.size() == 1) return true;
  return run > 0 && run + 1 < runs.size() && runs[run - 1].lane == runs[run + 1].lane;
}

/// Inside a run of blocks: the old one, or where its MACs halve; none for a single block.
std::vector<std::string> cutWithin(const ModelSpec& model, const Stage& run, const VariantConfig& before) {
  for (const std::string& cut : before.cuts.value_or(std::vector<std::string>{})) {
    const auto block = model.find(cut);
    if (block && *block > run.first && *block < run.end) return {cut};
  }
  return balancedCuts(model, run.first.index(), run.end.index(), 2);
}

/// The cuts that make a placement, with one more at each turn of a V or of waves.
std::vector<std::string> cutsOf(const ModelSpec& model, const Placement& placement, const VariantConfig& before) {
  if (!turnsAtTheLastLane(before.schedule)) return cutNames(model, placement);
  const std::vector<Stage> runs = stagesOf(placement);
  std::vector<std::string> cuts;
  for (std::size_t run = 0; run < runs.size(); ++run) {
    if (run > 0) cuts.push_back(model.blocks[runs[run].first.index()].name);
    if (!turnsIn(runs, run)) continue;
    const std::vector<std::string> within = cutWithin(model, runs[run], before);
    cuts.insert(cuts.end(), within.begin(), within.end());
  }
  return cuts;
}

/// Whether the schedule can lay so many stages on so many lanes.
bool takesStages(ScheduleKind schedule, std::size_t stages, std::size_t lanes) {
  switch (layoutOf(schedule)) {
    case StageLayout::V: return stages == 2 * lanes;
    case StageLayout::Waves: return stages % (2 * lanes) == 0;
    case StageLayout::RoundRobin: return stages >= 2 * lanes;
    case StageLayout::Any: break;
  }
  return true;
}

LaneId nearestOf(const std::vector<LaneId>& lanes, LaneId wanted) {
  return *std::ranges::min_element(lanes, {}, [&](LaneId lane) { return std::abs(lane.value - wanted.value); });
}

/// Where lane `lane` is after lane `removed` has gone and its work has moved to the neighbour.
LaneId afterRemoval(LaneId lane, LaneId removed) {
  if (lane == removed) return LaneId(std::max(0, removed.value - 1));
  return lane.value > removed.value ? LaneId(lane.value - 1) : lane;
}

void removeLaneFrom(VariantConfig& variant, LaneId removed) {
  if (!variant.lanes) return;
  std::vector<int> left;
  for (const int lane : *variant.lanes) {
    if (lane != removed.value) left.push_back(afterRemoval(LaneId(lane), removed).value);
  }
  if (left.empty()) left.push_back(afterRemoval(removed, removed).value);
  variant.lanes = left;
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

/// Stages of one replica stand for those of all.
void writeCutsOfReplica(const Experiment& experiment, const ModelSpec& model, const Placement& placement,
                        VariantConfig& variant) {
  VariantConfig one = replicaSplit(experiment, variant).one;
  const std::vector<Stage> before = stagesOf(model, one, readPlacement(experiment, model, one));
  if (variant.strategy != Strategy::Ddp || lanesOfStages(before) != lanesOfStages(stagesOf(placement))) return;
  writePlacement(experiment, model, placement, one);
  if (one.cuts) variant.cuts = one.cuts;
}

}  // namespace

bool writePlacement(const Experiment& experiment, const ModelSpec& model, const Placement& placement,
                    VariantConfig& variant) {
  if (isReplicated(variant)) return writeCutsOfReplica(experiment, model, placement, variant), false;
  const VariantConfig before = variant;
  const std::vector<Stage> stages = stagesOf(placement);
  dropLostRecompute(variant, std::max<std::size_t>(1, stages.size()));
  const bool single = variant.strategy == Strategy::Single;
  variant.cuts.reset();
  variant.placement.reset();
  if (single && stages.size() <= 1) {
    variant.lanes = std::vector<int>{stages.empty() ? 0 : stages.front().lane.value};
    return false;
  }
  if (single) {
    variant.strategy = Strategy::Pipeline;
    variant.schedule = ScheduleKind::Gpipe;
    if (!variant.split_size) variant.split_size = std::max(1, experiment.data.batch / 4);
  }
  if (variant.actions && lanesOfStages(stages) != lanesOfStages(stagesOf(readPlacement(experiment, model, before))))
    setActions(std::nullopt, variant);
  const std::vector<LaneId> allowed = variantLanes(experiment, variant);
  const bool within = std::ranges::all_of(
      stages, [&](const Stage& stage) { return std::ranges::find(allowed, stage.lane) != allowed.end(); });
  if (!within) variant.lanes.reset();
  variant.cuts = cutsOf(model, placement, before);
  const std::vector<LaneId> lanes = lanesForCuts(variant, variantLanes(experiment, variant));
  if (lanes.size() > variant.cuts->size() && placementByCuts(model, *variant.cuts, lanes) == placement) return single;
  variant.cuts.reset();
  std::map<std::string, int> lane_of;
  for (std::size_t i = 0; i < model.blocks.size(); ++i)
    lane_of[model.blocks[i].name] = placement.lane_of_block[i].value;
  variant.placement = std::move(lane_of);
  return single;
}

Placement balancedPlacement(const ModelSpec& model, const std::vector<LaneId>& lanes) {
  const std::vector<double> shares = startShares(model);
  const std::size_t blocks = model.blocks.size();
  const std::size_t parts = std::min(lanes.size(), blocks);
  Placement placement;
  std::size_t part = 0;
  for (std::size_t i = 0; i < blocks; ++i) {
    const std::size_t left = blocks - i;
    const double border = static_cast<double>(part + 1) / static_cast<double>(parts);
    const bool past = i > 0 && (shares[i] + shares[i + 1]) / 2 >= border;
    if (part + 1 < parts && (past || left < parts - part)) ++part;
    placement.lane_of_block.push_back(lanes[part]);
  }
  return placement;
}

void setSchedule(const Experiment& experiment, const ModelSpec& model, ScheduleKind schedule, VariantConfig& variant) {
  if (schedule == variant.schedule && !variant.actions) return;
  const bool kept = schedule == variant.schedule;
  const std::vector<Stage> stages = stagesOf(model, variant, readPlacement(experiment, model, variant));
  variant.schedule = schedule;
  setActions(std::nullopt, variant);
  if (kept) return;
  changeSchedule(variant, variant.schedule);
  const std::vector<LaneId> lanes =
      isReplicated(variant) ? replicaSplit(experiment, variant).lanes.front() : variantLanes(experiment, variant);
  const bool doubled = stages.size() == 2 * lanes.size() && lanes.size() > 1;
  std::vector<std::string> cuts;
  for (const Stage& stage : stages) {
    const bool stays = goesRoundTheLanes(schedule) || !doubled || stage.id.value % 2 == 0;
    if (stage.first.value > 0 && stays) cuts.push_back(model.blocks[stage.first.index()].name);
  }
  if (!lanes.empty() && !takesStages(schedule, stages.size(), lanes.size())) {
    const std::vector<std::string> even = balancedCuts(model, 0, model.blocks.size(), 2 * lanes.size());
    cuts = stages.size() == lanes.size() ? halvedCuts(model, stages) : even;
    if (cuts.empty()) return;
  }
  const bool was_cut = variant.cuts.has_value();
  if (!was_cut && !goesRoundTheLanes(schedule)) return;
  if (!goesRoundTheLanes(schedule) && cuts.size() >= lanes.size())
    cuts = balancedCuts(model, 0, model.blocks.size(), lanes.size());
  variant.cuts = cuts;
  variant.placement.reset();
}

void setActions(const std::optional<Schedule>& schedule, VariantConfig& variant) {
  variant.actions.reset();
  if (!schedule && variant.schedule == ScheduleKind::Custom) variant.schedule = ScheduleKind::Gpipe;
  if (!schedule) return;
  std::vector<std::string> rows;
  for (const std::vector<Action>& row : schedule->lanes) {
    const std::string csv = toCsv({schedule->stages, schedule->micro_batches, {row}});
    rows.push_back(csv.substr(0, csv.size() - 1));
  }
  variant.actions = std::move(rows);
}

void setStrategy(const Experiment& experiment, const ModelSpec& model, Strategy strategy, VariantConfig& variant) {
  if (strategy == variant.strategy) return;
  const bool was_single = variant.strategy == Strategy::Single;
  const bool was_replicated = isReplicated(variant);
  const std::vector<LaneId> lanes = variantLanes(experiment, variant);
  variant.strategy = strategy;
  if (isReplicated(variant)) {
    if (was_single) variant.lanes.reset();
    return becomeReplicated(experiment, variant);
  }
  variant.replicas.reset();
  if (strategy == Strategy::Single) {
    variant.lanes = std::vector<int>{lanes.empty() ? 0 : lanes.front().value};
    variant.cuts.reset();
    variant.placement.reset();
    dropLostRecompute(variant, 1);
  }
  if (strategy == Strategy::Pipeline) {
    if (!variant.split_size) variant.split_size = std::max(1, experiment.data.batch / 4);
  } else {
    variant.split_size.reset();
    changeSchedule(variant);
  }
  const bool cut = variant.placement || (variant.cuts && (!was_replicated || !variant.cuts->empty()));
  if (strategy == Strategy::Single || (!was_single && cut)) return;
  if (was_single) variant.lanes.reset();
  const std::vector<LaneId> all = variantLanes(experiment, variant);
  if (!all.empty()) writePlacement(experiment, model, balancedPlacement(model, all), variant);
}

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
      (arch != "toy" || experiment.data.shape == Shape{10}))
    return;
  experiment.data.shape = arch == "toy" ? Shape{10} : flat ? Shape{5} : Shape{3, 64, 64};
  model.classes = usualClasses(arch);
}

void setModelFile(Experiment& experiment, const std::string& path) {
  experiment.model = {.arch = {}, .classes = 0, .file = path};
  experiment.data.shape.clear();
  adoptModelFile(experiment);
  const Result<ModelSpec> model = describeModelFile(experiment.model);
  if (!model.ok() || model->blocks.empty()) return;
  fitSource(experiment, *model);
  fitLoss(experiment.training, *model);
  fitSamples(experiment, *model);
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

void setOptimizer(Experiment& experiment, OptimizerKind optimizer) {
  experiment.training.optimizer = optimizer;
  if (optimizer == OptimizerKind::Sgd) return;
  experiment.training.momentum = 0;
  experiment.training.nesterov = false;
}

void carryPlacements(Experiment& experiment, const ModelSpec& before) {
  Problems problems;
  std::optional<ModelSpec> after;
  checkModelAndData(experiment, problems, after);
  if (!after || sameBlocks(before, *after)) return;
  for (VariantConfig& variant : experiment.variants) {
    if (variant.cuts) variant.cuts = carriedCuts(*variant.cuts, before, *after);
    if (variant.placement) variant.placement = carriedMap(*variant.placement, before, *after);
  }
}

void addLane(Experiment& experiment, Device device) {
  // Replicas of several lanes keep those they have: one more would leave a replica that is not whole.
  for (VariantConfig& variant : experiment.variants) {
    if (variant.strategy != Strategy::Ddp || variant.lanes || !variant.cuts || variant.cuts->empty()) continue;
    variant.lanes.emplace(experiment.lanes.size());
    std::iota(variant.lanes->begin(), variant.lanes->end(), 0);
  }
  experiment.lanes.push_back({device, {}});
}

void removeLane(Experiment& experiment, const ModelSpec& model, LaneId removed) {
  if (experiment.lanes.size() <= 1 || removed.value < 0 || removed.value >= laneCount(experiment)) return;
  const Experiment before = experiment;
  experiment.lanes.erase(experiment.lanes.begin() + removed.value);
  for (std::size_t v = 0; v < experiment.variants.size(); ++v) {
    VariantConfig& variant = experiment.variants[v];
    Placement placement = readPlacement(before, model, before.variants[v]);
    for (LaneId& lane : placement.lane_of_block) lane = afterRemoval(lane, removed);
    removeLaneFrom(variant, removed);
    if (isReplicated(variant))
      settleReplicas(experiment, variant);
    else
      writePlacement(experiment, model, placement, variant);
  }
}

void setVariantLanes(const Experiment& experiment, const ModelSpec& model, const std::vector<LaneId>& lanes,
                     VariantConfig& variant) {
  if (lanes.empty()) return;
  Placement placement = readPlacement(experiment, model, variant);
  for (LaneId& lane : placement.lane_of_block) lane = nearestOf(lanes, lane);
  std::vector<int> numbers;
  for (const LaneId lane : lanes) numbers.push_back(lane.value);
  variant.lanes = numbers;
  if (isReplicated(variant)) settleReplicas(experiment, variant);
  if (lanes.size() == experiment.lanes.size() && std::is_sorted(lanes.begin(), lanes.end())) variant.lanes.reset();
  writePlacement(experiment, model, placement, variant);
}

std::vector<LaneConfig> withoutMemoryLimits(std::vector<LaneConfig> lanes) {
  for (LaneConfig& lane : lanes) lane.memory_limit_mib.reset();
  return lanes;
}

void dropStaleSuggestions(const Experiment& before, Experiment& after) {
  const auto named = [](const Experiment& experiment, const std::string& name) {
    const auto found = std::ranges::find(experiment.variants, name, &VariantConfig::name);
    return found == experiment.variants.end() ? nullptr : &*found;
  };
  const auto same = [&](const std::string& name) {
    const VariantConfig *old = named(before, name), *now = named(after, name);
    return old != nullptr && now != nullptr && *old == *now;
  };
  TrainingConfig training = after.training;
  training.seed = before.training.seed;
  const bool common = after.model == before.model && after.data.shape == before.data.shape &&
                      after.data.batch == before.data.batch && training == before.training &&
                      withoutMemoryLimits(after.lanes) == withoutMemoryLimits(before.lanes);
  for (VariantConfig& variant : after.variants) {
    if (!variant.suggested_from) continue;
    const bool is_new = named(before, variant.name) == nullptr;
    if (!common || (!is_new && !same(variant.name)) || !same(variant.suggested_from->of))
      variant.suggested_from.reset();
  }
}

std::string freeVariantName(const Experiment& experiment, const std::string& name) {
  const auto taken = [&](const std::string& wanted) {
    return std::ranges::any_of(experiment.variants, [&](const auto& v) { return slug(v.name) == slug(wanted); });
  };
  std::string candidate = name;
  for (int number = 2; taken(candidate); ++number) candidate = name + " " + std::to_string(number);
  return candidate;
}

}  // namespace lanelab
