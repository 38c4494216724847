// SPDX-License-Identifier: GPL-3.0-only
#include "engine/advise/profile_of.h"

#include <algorithm>
#include <set>

#include "base/fingerprint.h"
#include "engine/advise/profile_caution.h"
#include "engine/memory/variant_memory.h"
#include "engine/record/environment.h"

namespace lanelab {
namespace {

/// "cpu", or what the executor says of another device: two GPUs of one model are one kind.
std::string kindOf(Device device, const Executor& executor) {
  if (device.isCpu()) return toWord(device.kind);
  for (const DeviceInfo& info : executor.devices()) {
    if (info.device == device) return info.description;
  }
  return toWord(device.kind);
}

/// The least that a measurement takes: one micro-batch of the largest size through the whole model, on all lanes of
/// the kind at the same time.
Status measurementFits(const Resolution& resolution, const ProfileRequest& request, const Executor& executor,
                       const MemoryRule& rule) {
  const Experiment& experiment = resolution.experiment();
  Experiment one = experiment;
  one.data = {};
  one.data.shape = experiment.data.shape;
  one.data.batch = request.samples.back();
  one.data.steps = 1;
  VariantConfig whole;
  whole.name = "Measuring the blocks";
  whole.lanes = {request.lane.value};
  whole.precision = request.modes.precision;
  one.variants = {whole};
  const auto alone = resolve(one, resolution.known());
  std::vector<LaneForecast> lanes = forecastMemory(alone->variants().front());
  if (lanes.empty()) return {};
  for (const LaneId peer : request.peers) lanes[peer.index()] = lanes[request.lane.index()];
  const std::vector<std::vector<LaneForecast>> forecasts = {lanes};
  return fitsMemory({one, forecasts, executor.devices(), Together::OneVariant, one.lanes[request.lane.index()].rank},
                    rule);
}

std::vector<int> ascending(const std::set<int>& sizes) { return {sizes.begin(), sizes.end()}; }

/// Those of `samples` that no stored profile has, ascending.
std::vector<int> sizesToMeasure(const std::optional<BlockProfile>& stored, const std::vector<int>& samples,
                                bool refresh) {
  const std::set<int> distinct(samples.begin(), samples.end());
  std::vector<int> missing;
  std::ranges::copy_if(distinct, std::back_inserter(missing),
                       [&](int size) { return refresh || !stored || !stored->find(size); });
  return missing;
}

/// Whether training.kernels may change times: the fused kernels are for CPUs, in fp32 and channels_last.
bool kernelsMatter(const TrainingConfig& training, const TrainingModes& modes, Device device) {
  return device.isCpu() && modes.precision == Precision::Fp32 && training.layout == Layout::ChannelsLast;
}

/// Under which measured times of the model's blocks are stored: its title, for an exported network with a fingerprint
/// of its blocks and their costs.
std::string costName(const Resolution& resolution) {
  const std::string title = resolution.experiment().model.title();
  if (!resolution.model().imported) return title;
  std::string costs;
  for (const BlockSpec& block : resolution.model().blocks)
    costs += block.name + " " + std::to_string(block.macs) + " " + std::to_string(block.parameters) +
             (block.frozen_parameters > 0 ? " " + std::to_string(block.frozen_parameters) : std::string()) + "\n";
  return title + "-" + hexDigits(fingerprintOf(costs), 8);
}

/// The experiment's lanes by kind.
struct LaneKinds {
  std::vector<ProfileKey> keys;      ///< of each kind
  std::vector<LaneId> first;         ///< lane of each kind
  std::vector<std::size_t> of_lane;  ///< index of each lane's kind
};

LaneKinds laneKinds(const Resolution& resolution, const TrainingModes& modes, const Executor& executor) {
  LaneKinds kinds;
  for (std::size_t i = 0; i < resolution.experiment().lanes.size(); ++i) {
    ProfileKey key = profileKey(resolution, modes, executor, LaneId(i));
    const auto known = std::ranges::find(kinds.keys, key);
    kinds.of_lane.push_back(static_cast<std::size_t>(known - kinds.keys.begin()));
    if (known != kinds.keys.end()) continue;
    kinds.keys.push_back(std::move(key));
    kinds.first.emplace_back(i);
  }
  return kinds;
}

void addCaution(const std::vector<const BlockProfile*>& profiles, std::vector<std::string>& warnings) {
  if (Message text = busyProfileText(profiles); !text.message.empty()) warnings.push_back(std::move(text.message));
}

}  // namespace

std::vector<int> microBatchSizes(int batch, const std::vector<int>& split_sizes) {
  std::set<int> sizes;
  for (const int split : split_sizes) {
    sizes.insert(split);
    if (batch % split != 0) sizes.insert(batch % split);
  }
  return ascending(sizes);
}

std::vector<int> profileSizes(const Experiment& experiment) {
  const int batch = experiment.data.batch;
  std::set<int> sizes;
  for (const VariantConfig& variant : experiment.variants) {
    const int split = std::clamp(variant.split_size.value_or(batch), 1, batch);
    for (const int size : microBatchSizes(batch, {split})) sizes.insert(size);
    if (split == batch) continue;
    sizes.insert(std::max(1, split / 2));
    sizes.insert(std::min(batch, 2 * split));
  }
  return ascending(sizes);
}

std::vector<LaneId> peerLanes(const Experiment& experiment, const Executor& executor, LaneId lane) {
  const LaneConfig& own = experiment.lanes[lane.index()];
  std::set<Device> taken = {own.device};
  std::vector<LaneId> peers;
  for (std::size_t i = 0; i < experiment.lanes.size(); ++i) {
    const LaneConfig& other = experiment.lanes[i];
    if (other.threads != own.threads || kindOf(other.device, executor) != kindOf(own.device, executor)) continue;
    if (taken.insert(other.device).second) peers.emplace_back(i);
  }
  return peers;
}

ProfileKey profileKey(const Resolution& resolution, const TrainingModes& modes, const Executor& executor, LaneId lane) {
  const Experiment& experiment = resolution.experiment();
  const auto machine = environmentFacts();
  const auto software = executor.describe();
  const LaneConfig& config = experiment.lanes[lane.index()];
  const TrainingConfig& training = experiment.training;
  ProfileKey key;
  key.machine = factOf(machine, "cpu") + ", " + factOf(machine, "cores") + " cores";
  key.device = kindOf(config.device, executor);
  key.arch = costName(resolution);
  key.classes = experiment.model.classes;
  key.shape = experiment.data.shape;
  key.precision = toWord(modes.precision);
  key.layout = toWord(training.layout);
  key.optimizer = toWord(training.optimizer) + (training.momentum != 0 ? " with momentum" : "") +
                  (training.weight_decay != 0 ? " with weight decay" : "");
  key.training = toWord(training.loss) + ", batch norm " + toWord(modes.batch_norm);
  if (kernelsMatter(training, modes, config.device)) key.training += ", kernels " + toWord(training.kernels);
  for (const Rule rule : training.rules_off) key.training += ", without " + toWord(rule);
  key.threads = config.threads;
  key.lanes = static_cast<int>(peerLanes(experiment, executor, lane).size()) + 1;
  if (!software.empty()) key.software = software.front().first + " " + software.front().second;
  return key;
}

Result<FoundProfile> profileOf(const Resolution& resolution, const TrainingModes& modes, Executor& executor,
                               const ProfileStore& store, const ProfileOptions& options, std::stop_token stop) {
  const Experiment& experiment = resolution.experiment();
  if (const Status described = resolution.describedModel(); !described.ok()) return described.error();
  if (options.lane.index() >= experiment.lanes.size())
    return Error::badInput("lanes: There is no lane {}.", options.lane.value);
  const std::vector<int> samples = options.samples.empty() ? profileSizes(experiment) : options.samples;
  for (const int size : samples) {
    if (size < 1 || size > experiment.data.batch) {
      return Error::badInput("A micro-batch must have from 1 to {} samples (the batch), not {}.", experiment.data.batch,
                             size);
    }
  }
  FoundProfile found;
  const ProfileKey key = profileKey(resolution, modes, executor, options.lane);
  std::optional<BlockProfile> kept = store.find(key, found.warnings);
  found.measured = sizesToMeasure(kept, samples, options.refresh);
  if (found.measured.empty()) {
    found.profile = std::move(*kept);
    return found;
  }
  const ProfileRequest request{options.lane,   peerLanes(experiment, executor, options.lane),
                               found.measured, options.report,
                               modes,          options.weights};
  if (const Status fits = measurementFits(resolution, request, executor, options.memory); !fits.ok())
    return fits.error();
  Result<BlockProfile> measured = executor.measureBlocks(resolution, request, stop);
  if (!measured.ok()) return measured.error();
  measured->key = key;
  found.profile = kept ? merged(std::move(*kept), std::move(*measured)) : std::move(*measured);
  if (const Status written = store.keep(found.profile); !written.ok()) {
    found.warnings.push_back("The profile is used but could not be stored: " + written.error().message);
  }
  return found;
}

std::vector<const BlockProfile*> LaneProfiles::ofLanes() const {
  std::vector<const BlockProfile*> lanes;
  for (const std::size_t index : of_lane) lanes.push_back(&profiles[index]);
  return lanes;
}

Result<LaneProfiles> profilesOf(const Resolution& resolution, const TrainingModes& modes, Executor& executor,
                                const ProfileStore& store, const ProfileOptions& options, std::stop_token stop) {
  const Experiment& experiment = resolution.experiment();
  if (experiment.lanes.empty())
    return Error::badInput("lanes: There is no lane. Add one, such as { \"device\": \"cpu:0\" }.");
  LaneKinds kinds = laneKinds(resolution, modes, executor);
  const std::vector<int> samples = options.samples.empty() ? profileSizes(experiment) : options.samples;
  std::vector<std::string> ignored;  // profileOf() warns of the same
  const auto isMeasured = [&](const ProfileKey& key) {
    return !sizesToMeasure(store.find(key, ignored), samples, options.refresh).empty();
  };
  const auto parts = static_cast<int>(std::ranges::count_if(kinds.keys, isMeasured));
  LaneProfiles all;
  all.of_lane = std::move(kinds.of_lane);
  int part = 0;
  for (std::size_t kind = 0; kind < kinds.keys.size(); ++kind) {
    ProfileOptions own = options;
    own.lane = kinds.first[kind];
    if (parts > 1) own.report = partOf(options.report, part, parts);
    Result<FoundProfile> found = profileOf(resolution, modes, executor, store, own, stop);
    if (!found.ok()) return found.error();
    if (!found->measured.empty()) ++part;
    found->profile.key = kinds.keys[kind];
    all.profiles.push_back(std::move(found->profile));
    all.warnings.insert(all.warnings.end(), found->warnings.begin(), found->warnings.end());
  }
  addCaution(all.ofLanes(), all.warnings);
  return all;
}

std::optional<LaneProfiles> storedProfiles(const Resolution& resolution, const TrainingModes& modes,
                                           const Executor& executor, const ProfileStore& store) {
  LaneKinds kinds = laneKinds(resolution, modes, executor);
  LaneProfiles all;
  all.of_lane = std::move(kinds.of_lane);
  for (const ProfileKey& key : kinds.keys) {
    std::optional<BlockProfile> kept = store.find(key, all.warnings);
    if (!kept || kept->sizes.empty()) return std::nullopt;
    all.profiles.push_back(std::move(*kept));
  }
  if (all.profiles.empty()) return std::nullopt;
  addCaution(all.ofLanes(), all.warnings);
  return all;
}

}  // namespace lanelab
