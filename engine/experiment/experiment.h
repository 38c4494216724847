// SPDX-License-Identifier: GPL-3.0-only
// An Experiment is everything a run is made from: one value for the file, the form and the run record.
//
// File format: JSON with comments (resources/schema/experiment.schema.json). Unknown and double keys are errors.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "engine/experiment/choices.h"
#include "engine/experiment/device.h"
#include "engine/experiment/fields.h"
#include "engine/experiment/training_config.h"
#include "engine/experiment/variant_config.h"
#include "engine/exported/exported_block_choice.h"
#include "engine/model/architectures.h"
#include "engine/model/model_spec.h"

namespace lanelab {

/// A network of LaneLab's own by its name, or an exported one by its file.
struct ModelConfig {
  std::string arch = "resnet50";  ///< "" with a file
  int classes = 1000;             ///< 0 until the file is known
  std::optional<std::string> weights = {};
  std::optional<std::string> file = {};  ///< .pt2, of torch.export.save()
  std::optional<ExportedBlockChoice> blocks = {};
  /// For readers: the name, or the file's without its folder and ending.
  std::string title() const;
  bool operator==(const ModelConfig&) const = default;
};

template <class See>
void describeFields(const ModelConfig*, See& see) {
  using C = ModelConfig;
  const auto known = [](const C& model) { return !model.file.has_value(); };
  see(Field("arch", &C::arch, "model", "A network that LaneLab has. Instead of it: file.",
            {.words = knownArchitectures, .written = known, .label = "Network"}));
  see(Field(
      "file", &C::file, "model file",
      "A .pt2 file that torch.export.save() wrote, relative to this file's folder: a network of your own. Or one that "
      "is in the program, such as shipped:gpt2-small.pt2, whose weights are drawn from training.seed. Instead of "
      "arch."));
  see(Field("blocks", &C::blocks, "choice of blocks",
            "file only: a depth (1: the modules in the network itself), or a list of module paths. Default: chosen by "
            "what crosses between modules."));
  see(Field(
      "classes", &C::classes, "number of classes",
      "Outputs of the last layer. Default: as many as the network usually has: 5 for toy, 2 for linear, else 1000. A "
      "model file has its own.",
      {.low = 1,
       .high = kLargestCount,
       .written = [](const C& model) { return !model.file || model.classes != 0; },
       .own_default = true,
       .label = "Classes"}));
  see(Field(
      "weights", &C::weights, "weights",
      "A .safetensors or zip .pth file, relative to this file's folder. Default: random init from training.seed, or "
      "those in the model file.",
      {.label = "Weights", .placeholder = "random init"}));
}

struct DataConfig {
  DataSource source = DataSource::Random;
  Shape shape = {3, 128, 128};
  int batch = 120;
  int steps = 3;  ///< optimizer updates per repeat; with epochs what a runner makes of them
  std::string path;
  std::optional<int> epochs = {};
  std::optional<int> rows = {};
  bool shuffle = false;
  bool skip_unreadable = false;
  bool operator==(const DataConfig&) const = default;
};

template <class See>
void describeFields(const DataConfig*, See& see) {
  using C = DataConfig;
  see(Field("source", &C::source, "data source",
            "file: a safetensors file with `inputs` [N,...] and `targets` ([N] class ids, [N,T] token ids, or numbers "
            "in the shape of the output), and optional validation_inputs and validation_targets. text: a UTF-8 file "
            "whose bytes are the tokens; the targets are the next bytes. digits: 1797 bundled 8x8 images. cifar10: its "
            "binary files. folder: one folder of PNG and JPEG images per class. Step s uses the rows from s*batch and "
            "wraps round.",
            {.label = "Source"}));
  see(Field("path", &C::path, "data file",
            "The file of the sources file and text, or the folder of cifar10 and folder, relative to this file's "
            "folder. Texts in the program: shipped:documentation.txt, shipped:counting.txt.",
            {.if_changed = true, .label = "Path"}));
  see(Field("shape", &C::shape, "input size",
            "Of one sample: [channels, height, width], such as 3x64x64, [features] for toy and linear, or [tokens]. "
            "Default: 3x128x128, 10 for toy, or that of the model file.",
            {.low = 1, .high = kLargestInputSide, .fewest_items = 1, .own_default = true, .label = "Input size"}));
  see(Field("batch", &C::batch, "batch", "", {.low = 1, .high = kLargestCount, .label = "Batch"}));
  see(Field(
      "steps", &C::steps, "number of steps", "Optimizer updates per repeat.",
      {.low = 1, .high = kLargestCount, .written = [](const C& data) { return !data.epochs; }, .label = "Steps"}));
  see(Field("epochs", &C::epochs, "number of epochs",
            "Instead of steps: passes over all rows; the last batch of an epoch may be smaller. Gives accuracy per "
            "epoch.",
            {.low = 1, .high = kLargestCount, .label = "Epochs", .placeholder = "not set"}));
  see(Field("rows", &C::rows, "number of random samples",
            "random only: number of samples, the same in each epoch, which makes epochs possible. Default: as many as "
            "the steps use, up to a few batches.",
            {.low = 1, .high = kLargestCount, .label = "Samples", .placeholder = "automatic"}));
  see(Field("shuffle", &C::shuffle, "shuffling", "A different order in each epoch, derived from training.seed.",
            {.if_changed = true, .label = "Shuffle"}));
  see(Field("skip_unreadable", &C::skip_unreadable, "unreadable images",
            "folder only: skip images that cannot be read, with a warning, instead of an error.",
            {.if_changed = true, .label = "Unreadable images"}));
}

struct LaneConfig {
  Device device;
  std::string name;
  int threads = 1;
  int rank = 0;
  std::optional<double> memory_limit_mib = {};
  /// In bytes; 0 without one.
  std::int64_t memoryLimit() const {
    return memory_limit_mib ? static_cast<std::int64_t>(*memory_limit_mib * 1024 * 1024) : 0;
  }
  std::string title() const { return name.empty() ? toString(device) : name; }
  bool operator==(const LaneConfig&) const = default;
};

template <class See>
void describeFields(const LaneConfig*, See& see) {
  using C = LaneConfig;
  see(Field("device", &C::device, "device", "cpu:K is core K, cuda:K is GPU K.",
            {.pattern = "^(cpu|cuda):[0-9]+$", .required = true}));
  see(Field("name", &C::name, "name", "Default: the device.",
            {.most_characters = kMostNameCharacters, .if_changed = true}));
  see(Field("threads", &C::threads, "number of threads", "Threads within an operation, on a CPU lane.",
            {.low = 1, .high = kMostLaneThreads, .if_changed = true}));
  see(Field("rank", &C::rank, "rank",
            "Which process of the run has the lane, if torchrun, Slurm or mpirun starts several.",
            {.low = 0, .high = kMostLanes, .if_changed = true}));
  see(Field("memory_limit_mib", &C::memory_limit_mib, "memory limit",
            "Most MiB that the lane should take at its peak. Forecasts above it are warnings, and what is suggested "
            "remains within it. Default: as much as its device has.",
            {.low = kLeastLimitMib, .high = kMostLimitMib}));
}

/// The name of an experiment that nobody named.
inline constexpr const char* kUnnamedExperiment = "experiment";

struct Experiment {
  std::string name = kUnnamedExperiment;
  ModelConfig model;
  DataConfig data;
  TrainingConfig training;
  std::vector<LaneConfig> lanes;
  std::vector<VariantConfig> variants;
  int repeats = 10;
  int warmup = 1;
  RecordMode record = RecordMode::Blocks;
  std::optional<bool> record_cost = {};
  bool operator==(const Experiment&) const = default;
};

template <class See>
void describeFields(const Experiment*, See& see) {
  using C = Experiment;
  see(Field("name", &C::name, "name", "Run folders are named after it.", {.most_characters = kMostNameCharacters}));
  see(Field("model", &C::model, "model", ""));
  see(Field("data", &C::data, "data", ""));
  see(Field("training", &C::training, "training", ""));
  see(Field("lanes", &C::lanes, "lanes", "", {.fewest_items = 1, .most_items = kMostLanes, .required = true}));
  see(Field("variants", &C::variants, "variants", "",
            {.fewest_items = 1, .most_items = kMostVariants, .required = true}));
  see(Field("repeats", &C::repeats, "number of repeats",
            "Counted repeats of each variant; a confidence interval needs 5.",
            {.low = 1, .high = kLargestCount, .label = "Repeats"}));
  see(Field("warmup", &C::warmup, "number of warm-up repeats",
            "Repeats of each variant that run first and are not counted.",
            {.low = 0, .high = kLargestCount, .label = "Warm-up repeats"}));
  see(Field("record", &C::record, "record", "", {.label = "Record"}));
  see(Field("record_cost", &C::record_cost, "cost of recording",
            "Whether to measure the cost of recording, by more steps with and without it after each variant's last "
            "repeat. Default: if that takes at most a twentieth of the measured time, or a quarter of a second. "
            "true: always, false: never."));
}

/// Reads the JSON text. Errors (BadInput) name the place ("variants[2].split_size"), what is wrong and the fix. `place`
/// names the source.
Result<Experiment> parseExperiment(std::string_view json, const std::string& place);
/// Reads a file, standard input for "-", or a PNG that LaneLab exported (experiment_source.h); a text above 16 MiB is
/// refused. A relative data.path, model.file or model.weights counts from the file's folder. --set assignments are
/// applied before reading (see setJsonValue); a relative path given there counts from the current folder. The model
/// file is not opened: what the experiment leaves to it is put in by resolve().
Result<Experiment> readExperiment(const std::string& path, const std::vector<std::string>& assignments = {});
/// Pretty JSON that parses back to the same value.
std::string toJson(const Experiment& experiment);
/// --set a.b=v: changes one value of the JSON text before it is read, such as "training.lr=0.1",
/// "variants[2].split_size=12" or "variants.Pipeline.split_size=12". The value is read as JSON, and as text where it is
/// none.
Result<std::string> setJsonValue(const std::string& json, const std::string& assignment);

}  // namespace lanelab
