// SPDX-License-Identifier: GPL-3.0-only
// An Experiment is everything a run is made from: one value for the file, the form and the run record.
//
// File format: JSON with comments (resources/schema/experiment.schema.json). Unknown and double keys are errors.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "engine/experiment/choices.h"
#include "engine/experiment/device.h"
#include "engine/model/model_spec.h"
#include "engine/schedule/schedule_kind.h"

namespace lanelab {

struct ModelConfig {
  std::string arch = "resnet50";
  int classes = 1000;
  std::optional<std::string> weights;  ///< .safetensors or zip .pth; none: initialised from training.seed
  bool operator==(const ModelConfig&) const = default;
};

struct DataConfig {
  DataSource source = DataSource::Random;
  Shape shape = {3, 128, 128};
  int batch = 120;
  int steps = 3;                   ///< optimizer updates a repeat; with epochs what a runner makes of them
  std::string path;                ///< file: a safetensors with `inputs` and `targets`; cifar10 and folder: a folder
  std::optional<int> epochs = {};  ///< instead of steps: so often through all rows, the last batch of each smaller
  std::optional<int> rows =
      {};  ///< random only: so many samples, over and over; none: as many as the steps take, up to a few batches
  bool shuffle = false;  ///< each epoch in its own order, by training.seed
  bool skip_unreadable =
      false;  ///< folder only: images that cannot be read are left out, with a warning, instead of an error
  bool operator==(const DataConfig&) const = default;
};

struct TrainingConfig {
  Loss loss = Loss::Mse;
  OptimizerKind optimizer = OptimizerKind::Sgd;
  double lr = 0.001;
  double momentum = 0;
  double weight_decay = 0;
  bool nesterov = false;
  std::uint64_t seed = 0;
  Precision precision = Precision::Fp32;
  Layout layout = Layout::ChannelsLast;
  BatchNormMode batch_norm = BatchNormMode::MicroBatch;
  bool recompute = false;  ///< stages keep their input only and compute their activations again in the backward
  LrSchedule lr_schedule = LrSchedule::Constant;
  int lr_warmup = 0;      ///< steps that the rate rises over first
  int lr_step_size = 10;  ///< step: so many steps after each other have one rate
  double lr_gamma = 0.1;  ///< step: times this from one to the next
  double lr_min = 0;      ///< cosine: where it would end
  bool operator==(const TrainingConfig&) const = default;
};

/// Copies of the parameters that the optimizer keeps.
int optimizerStates(const TrainingConfig& training);

struct LaneConfig {
  Device device;
  std::string name;  ///< empty: the device
  int threads = 1;   ///< intra-op threads of a CPU lane
  int rank = 0;      ///< which process of the run has the lane; all are this one's where there is one
  std::string title() const { return name.empty() ? toString(device) : name; }
  bool operator==(const LaneConfig&) const = default;
};

/// Where a variant comes from that was made to be faster than another (fixes.h), so that a run can say what came of it.
struct SuggestedFrom {
  std::string of;              ///< the variant that it should be faster than
  std::string change;          ///< "Move layer3.0 to lane 0"
  double predicted_ratio = 1;  ///< that variant's predicted step over this one's
  bool operator==(const SuggestedFrom&) const = default;
};

struct VariantConfig {
  std::string name;
  Strategy strategy = Strategy::Single;
  ScheduleKind schedule = ScheduleKind::Gpipe;                ///< pipeline and ddp only; custom, where actions say all
  std::optional<int> split_size;                              ///< samples a micro-batch; none: the whole batch
  std::optional<std::vector<int>> lanes;                      ///< indices into Experiment::lanes; none: all
  std::optional<std::vector<std::string>> cuts;               ///< first block of each next stage
  std::optional<std::map<std::string, int>> placement;        ///< block by block, instead of cuts
  std::optional<int> warm_up = std::nullopt;                  ///< depth of the schedule's warm-up; none: its own
  std::optional<double> activation_limit_mib = std::nullopt;  ///< list only: most MiB of activations that a lane holds
  /// list only: F:I:W of each stage for one micro-batch, or one for all, in any unit; none: by the stages'
  /// multiply-adds.
  std::optional<std::vector<std::string>> stage_times = std::nullopt;
  /// An edited schedule, one CSV row a lane of the experiment, instead of the one that `schedule` makes; `cuts` lie on
  /// lanes as `schedule` has them.
  std::optional<std::vector<std::string>> actions = std::nullopt;
  std::optional<Precision> precision = {};         ///< instead of training.precision
  std::optional<BatchNormMode> batch_norm = {};    ///< instead of training.batch_norm
  std::optional<std::vector<int>> recompute = {};  ///< these stages, instead of training.recompute
  std::optional<int> replicas =
      {};  ///< ddp only, where a replica has not a lane for each stage; none: lanes over stages
  std::optional<SuggestedFrom> suggested_from = {};
  bool operator==(const VariantConfig&) const = default;
};

struct Experiment {
  std::string name = "experiment";
  ModelConfig model;
  DataConfig data;
  TrainingConfig training;
  std::vector<LaneConfig> lanes;
  std::vector<VariantConfig> variants;
  int repeats = 10;
  int warmup = 1;  ///< repeats of each variant that run first and are not counted
  RecordMode record = RecordMode::Blocks;
  /// Whether steps with and without recording are compared after the last repeat; none: where that takes a twentieth of
  /// the time or less.
  std::optional<bool> record_cost = {};
  bool operator==(const Experiment&) const = default;
};

/// Reads the JSON text. Errors (BadInput) name the place ("variants[2].split_size"), what is wrong and the fix. `place`
/// names the source.
Result<Experiment> parseExperiment(std::string_view json, const std::string& place);
/// Reads a file; one above 16 MiB is refused unread. A relative data.path or model.weights counts from the file's
/// folder.
Result<Experiment> readExperiment(const std::string& path);
/// The same with --set assignments applied before reading (see setJsonValue); a relative path given there counts from
/// the current folder.
Result<Experiment> readExperiment(const std::string& path, const std::vector<std::string>& assignments);
/// Pretty JSON that parses back to the same value.
std::string toJson(const Experiment& experiment);
/// --set a.b=v: changes one value of the JSON text before it is read, such as "training.lr=0.1",
/// "variants[2].split_size=12" or "variants.Pipeline.split_size=12". The value is read as JSON, and as text where it is
/// none.
Result<std::string> setJsonValue(const std::string& json, const std::string& assignment);

/// The keys the file format knows, by object: "" (the file), "model", "data", "training", "lanes[]", "variants[]",
/// "variants[].fix".
const std::map<std::string, std::vector<std::string>>& experimentKeys();

}  // namespace lanelab
