// SPDX-License-Identifier: GPL-3.0-only
#include "engine/torch/files/checkpoint.h"

#include <ATen/ops/tensor.h>

#include <cmath>
#include <limits>

#include "engine/files/file_checksum.h"
#include "engine/torch/files/tensor_file.h"

namespace lanelab {

namespace {

constexpr std::int64_t kEpochColumns = 5;
constexpr double kNone = std::numeric_limits<double>::quiet_NaN();

at::Tensor tensorOf(const std::vector<double>& values) {
  return at::tensor(values, at::TensorOptions().dtype(at::kDouble));
}

std::vector<double> valuesOf(const at::Tensor& tensor) {
  const at::Tensor plain = tensor.contiguous();
  return {plain.const_data_ptr<double>(), plain.const_data_ptr<double>() + plain.numel()};
}

/// -1 for what no run writes.
int wholeNumber(double value) {
  return value >= 0 && value <= std::numeric_limits<int>::max() ? static_cast<int>(value) : -1;
}

std::optional<double> knownOf(double value) { return std::isnan(value) ? std::nullopt : std::optional(value); }

std::vector<double> rowsOf(const std::vector<EpochResult>& epochs) {
  std::vector<double> rows;
  for (const EpochResult& epoch : epochs) {
    rows.insert(rows.end(), {epoch.loss, epoch.accuracy.value_or(kNone), epoch.validation_loss.value_or(kNone),
                             epoch.validation_accuracy.value_or(kNone), static_cast<double>(epoch.last_step)});
  }
  return rows;
}

std::vector<EpochResult> epochsOf(const std::vector<double>& rows) {
  std::vector<EpochResult> epochs;
  for (std::size_t i = 0; i + kEpochColumns <= rows.size(); i += kEpochColumns) {
    EpochResult epoch{rows[i], knownOf(rows[i + 1]), rows[i + 2], knownOf(rows[i + 3]), wholeNumber(rows[i + 4])};
    // A loss that diverged is not a number either, and its accuracy is known.
    if (!epoch.validation_accuracy) epoch.validation_loss = knownOf(rows[i + 2]);
    epochs.push_back(epoch);
  }
  return epochs;
}

/// `why` is a sentence that names the file.
Error unusable(const std::string& why) {
  return Error::badInput("{} Remove it to start the repeat from scratch.", why);
}

}  // namespace

Status writeCheckpoint(const std::string& path, const Checkpoint& checkpoint) {
  NamedTensors tensors = checkpoint.state;
  tensors.emplace_back("run/repeat", tensorOf({static_cast<double>(checkpoint.repeat)}));
  tensors.emplace_back("run/step_seconds", tensorOf(checkpoint.step_seconds));
  tensors.emplace_back("run/losses", tensorOf(checkpoint.losses));
  tensors.emplace_back("run/epochs", tensorOf(rowsOf(checkpoint.epochs)));
  return writeSafetensors(path, tensors, Checksum::Yes, Durable::Yes);
}

Result<Checkpoint> readCheckpoint(const std::string& path) {
  if (const std::string damage = checkFileChecksum(path); !damage.empty())
    return unusable(path + " is damaged: " + damage + ".");
  Result<TensorMap> tensors = readSafetensors(path);
  if (!tensors.ok()) return unusable(tensors.error().message);
  for (const char* name : {"run/repeat", "run/step_seconds", "run/losses", "run/epochs"}) {
    const auto found = tensors->find(name);
    if (found == tensors->end() || found->second.scalar_type() != at::kDouble || found->second.dim() != 1)
      return unusable(path + " is not a checkpoint: it lacks " + name + ".");
  }
  Checkpoint checkpoint;
  const std::vector<double> repeat = valuesOf((*tensors)["run/repeat"]);
  checkpoint.repeat = repeat.empty() ? -1 : wholeNumber(repeat[0]);
  checkpoint.step_seconds = valuesOf((*tensors)["run/step_seconds"]);
  checkpoint.losses = valuesOf((*tensors)["run/losses"]);
  checkpoint.epochs = epochsOf(valuesOf((*tensors)["run/epochs"]));
  if (checkpoint.losses.size() != checkpoint.step_seconds.size())
    return unusable(path + " is not a sound checkpoint: its losses and times differ in number.");
  for (auto& [name, tensor] : *tensors) {
    if (!name.starts_with("run/")) checkpoint.state.emplace_back(name, std::move(tensor));
  }
  return checkpoint;
}

}  // namespace lanelab
