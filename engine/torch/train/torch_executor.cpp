// SPDX-License-Identifier: GPL-3.0-only
#include "engine/torch/train/torch_executor.h"

#include <ATen/Context.h>
#include <ATen/Version.h>
#include <torch/version.h>

#include <algorithm>
#include <optional>

#include "base/stop_point.h"
#include "engine/experiment/lane_cores.h"
#include "engine/experiment/training_targets.h"
#include "engine/exported/exported_network.h"
#include "engine/files/file_packages.h"
#include "engine/torch/data/exported_inputs.h"
#include "engine/torch/devices/cpu_cores.h"
#include "engine/torch/devices/cuda_platform.h"
#include "engine/torch/devices/lane_memory.h"
#include "engine/torch/devices/thread_team.h"
#include "engine/torch/devices/torch_errors.h"
#include "engine/torch/devices/torch_version.h"
#include "engine/torch/files/exported_weights.h"
#include "engine/torch/files/tensor_file.h"
#include "engine/torch/train/block_profiler.h"
#include "engine/torch/train/machine_check.h"
#include "engine/torch/train/torch_session.h"

namespace lanelab {

namespace {

/// "Intel(R) MKL-DNN v3.10.2 (Git Hash ...)" -> "v3.10.2 ..." stays as torch says it, in one line.
std::string firstLine(const std::string& text) {
  const auto begin = text.find_first_not_of(" \n");
  if (begin == std::string::npos) return text;
  return text.substr(begin, text.find('\n', begin) - begin);
}

/// The version behind the `nth` place of `word` in what a library says of itself, such as "2024.2"; "" without any.
std::string versionAfter(const std::string& text, std::string_view word, int nth = 1) {
  std::size_t at = 0;
  for (int i = 0; i < nth; ++i) {
    at = text.find(word, at);
    if (at == std::string::npos) return {};
    at += word.size();
  }
  return text.substr(at, text.find_first_not_of("0123456789.", at) - at);
}

std::string torchVersion() {
  const std::string loaded = loadedTorchVersion();
  return loaded.empty() ? TORCH_VERSION : loaded;
}

std::string onOff(bool on) { return on ? "on" : "off"; }

/// What runs on a GPU depend on, and that there is none.
void addCudaFacts(std::vector<std::pair<std::string, std::string>>& facts) {
  std::string why_not;
  const CudaPlatform* const platform = cudaPlatform(&why_not);
  facts.emplace_back("gpu driver", platform ? platform->gpuDriver() : "none: " + why_not);
  if (platform) facts.emplace_back("cuda driver", platform->driverVersion());
  const Packages packages = platform ? platform->packages() : Packages();
  for (const char* name : {"CUDA", "cuDNN"}) {
    const auto found = std::ranges::find(packages, name, &Package::name);
    const bool known = found != packages.end() && !found->version.empty();
    facts.emplace_back(name, known ? found->version : "not loaded");
  }
  const at::Context& context = at::globalContext();
  facts.emplace_back("cuDNN flags", "benchmark " + onOff(context.benchmarkCuDNN()) + ", deterministic " +
                                        onOff(context.deterministicCuDNN()));
}

class TorchWeights final : public CheckedWeights {
 public:
  explicit TorchWeights(InitialNetwork network) : m_network(std::move(network)) {}

  /// Shares the tensors. Nothing if `weights` are null.
  static std::optional<InitialNetwork> networkOf(const SharedWeights& weights) {
    const auto* const own = dynamic_cast<const TorchWeights*>(weights.get());
    return own ? std::optional(own->m_network) : std::nullopt;
  }

 private:
  const InitialNetwork m_network;
};

class TorchExecutor final : public Executor {
 public:
  explicit TorchExecutor(PeersFactory peers) : m_peers(std::move(peers)) {}

  std::vector<std::pair<std::string, std::string>> describe() const override {
    std::vector<std::pair<std::string, std::string>> facts = {
        {"torch", torchVersion()},
        {"mkl", firstLine(at::get_mkl_version())},
        {"onednn", firstLine(at::get_mkldnn_version())},
        {"cpu", CpuCores::ofThisMachine().processor()},
        {"cpu cores", std::to_string(CpuCores::ofThisMachine().count())},
        {"cpu capability", at::get_cpu_capability()},
        {"cpu bf16", bf16Instructions()}};
    addCudaFacts(facts);
    return facts;
  }

  Packages packages() const override {
    Packages packages = {{"LibTorch", torchVersion()},
                         {"MKL", versionAfter(at::get_mkl_version(), "Version ")},
                         {"oneDNN", versionAfter(at::get_mkldnn_version(), "MKL-DNN v")},
                         {"OpenMP", versionAfter(at::get_openmp_version(), "OpenMP ", 2)},
                         {"hwloc", CpuCores::libraryVersion()}};
    if (const CudaPlatform* const platform = cudaPlatform()) packages = joined(packages, platform->packages());
    return joined(packages, filePackages());
  }

  std::vector<DeviceInfo> devices() const override { return devicesHere(); }

  Result<SharedWeights> checkMachine(const Resolution& resolution, std::vector<std::string>& warnings) const override {
    const ThreadTeamScope team;
    const Experiment& experiment = resolution.experiment();
    if (const Status lanes = checkLanes(lanesHere(experiment)); !lanes.ok()) return lanes.error();
    const int cores = CpuCores::ofThisMachine().count();
    if (std::string shared = sharedCoresWarning(experiment, cores, rank().value_or(0)); !shared.empty())
      warnings.push_back(std::move(shared));
    if (std::string note = ownLossNote(resolution); !note.empty()) warnings.push_back(std::move(note));
    if (const Status described = resolution.describedModel(); !described.ok()) return described.error();
    if (std::string slow = slowBf16Warning(experiment, bf16Instructions(), hasFastBf16()); !slow.empty())
      warnings.push_back(std::move(slow));
    if (const Status data = Dataset::check(experiment, resolution.model(), warnings); !data.ok()) return data.error();
    if (!experiment.model.weights && !resolution.model().imported) return SharedWeights();
    auto initial = initialNetwork(resolution.network(), experiment.model, experiment.training.seed);
    if (!initial.ok()) return initial.error();
    return SharedWeights(std::make_shared<const TorchWeights>(std::move(*initial)));
  }

  Status checkNetwork(const std::shared_ptr<const ExportedNetwork>& network) const override {
    const auto exported = loadExported(network, 0);
    if (!exported.ok()) return exported.error();
    for (std::size_t i = 0; i < network->blocks.blocks.size(); ++i)
      if (const auto block = exported->modules(BlockId(i), BlockId(i + 1)); !block.ok()) return block.error();
    return {};
  }

  Status readData(const Resolution& resolution) const override {
    if (resolution.experiment().data.source != DataSource::File) return {};  // the others are read by the check
    const ThreadTeamScope team;
    try {
      const Result<Dataset> data = Dataset::load(resolution.experiment(), resolution.model());
      return data.ok() ? Status() : Status(data.error());
    } catch (const Stopped&) {
      return Error::cancelled();
    } catch (const std::exception& error) {
      return Error::failed("The data could not be read: {}.", plainMessage(error));
    }
  }

  Result<std::int64_t> trainingRows(const Experiment& experiment) const override {
    return Dataset::countRows(experiment);
  }

  Result<SessionMaker> load(const Resolution& resolution, int steps, SharedWeights weights) override {
    installLaneAllocator();
    Experiment experiment = resolution.experiment();
    experiment.data.steps = steps;
    const auto inputs = loadTrainingInputs(experiment, resolution.network(), TorchWeights::networkOf(weights));
    if (!inputs.ok()) return inputs.error();
    return SessionMaker([inputs = *inputs, steps, peers = m_peers](const ResolvedVariant& variant) {
      return sessionOf(variant, steps, inputs, peers);
    });
  }

  Result<BlockProfile> measureBlocks(const Resolution& resolution, const ProfileRequest& request,
                                     std::stop_token stop) override {
    return profileBlocks(resolution, request, TorchWeights::networkOf(request.weights), std::move(stop));
  }

 private:
  /// Other processes look at theirs.
  std::vector<LaneConfig> lanesHere(const Experiment& experiment) const {
    std::vector<LaneConfig> lanes = experiment.lanes;
    if (const std::optional<int> own = rank())
      std::erase_if(lanes, [&](const LaneConfig& lane) { return lane.rank != *own; });
    return lanes;
  }
  /// Nothing in a run of one process.
  std::optional<int> rank() const {
    const std::shared_ptr<Peers> peers = m_peers ? m_peers() : nullptr;
    return peers && peers->size() > 1 ? std::optional(peers->rank()) : std::nullopt;
  }

  static Result<std::unique_ptr<Session>> sessionOf(const ResolvedVariant& variant, int steps,
                                                    const std::shared_ptr<const TrainingInputs>& inputs,
                                                    const PeersFactory& peers) {
    if (!variant.plan().ok()) return variant.plan().error();
    Experiment experiment = variant.experiment();
    experiment.data.steps = steps;
    return TorchSession::open(std::make_shared<const TrainingJob>(
        TrainingJob{std::move(experiment), variant.model(), *variant.plan(), inputs, nullptr, peers}));
  }

  const PeersFactory m_peers;
};

}  // namespace

std::unique_ptr<Executor> makeTorchExecutor(PeersFactory peers) {
  // PyTorch looks for its CUDA part once, at the latest in the first backward, and would not see one that is loaded
  // later.
  cudaPlatform();
  return std::make_unique<TorchExecutor>(std::move(peers));
}

std::string whyNoCuda() {
  std::string reason;
  cudaPlatform(&reason);
  return reason;
}

std::optional<std::string> gpuRecordingProblem() {
  const CudaPlatform* const platform = cudaPlatform();
  if (!platform) return std::nullopt;
  TraceBuilder nothing("", {});
  const std::unique_ptr<Collector> collector = platform->makeCollector(false);
  const std::string problem = collector->start(nothing);
  if (problem.empty()) collector->stop();
  return problem.empty() ? collector->notice() : problem;
}

Status writeInitialWeights(const ExportedNetwork& network, std::uint64_t seed, const std::string& path) {
  const Result<StoredWeights> own = mapExportedWeights(network.path, network.program, seed);
  if (!own.ok()) return own.error();
  try {
    return writeSafetensors(path, withAllNames(network.program, own->tensors, own->tensors));
  } catch (const std::exception& error) {
    return Error::failed("The weights could not be written: {}.", plainMessage(error));
  }
}

}  // namespace lanelab
