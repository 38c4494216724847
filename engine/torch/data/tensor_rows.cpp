// SPDX-License-Identifier: GPL-3.0-only
#include "engine/torch/data/data_sources.h"

#include <ATen/CPUGeneratorImpl.h>
#include <ATen/ops/randint.h>
#include <ATen/ops/randn.h>

#include <algorithm>
#include <numeric>

#include "base/text.h"
#include "engine/torch/data/dataset.h"
#include "engine/torch/files/tensor_file.h"

namespace lanelab {

namespace {

constexpr std::int64_t kRandomBytes = std::int64_t{512} << 20;
/// Keeps the data's random numbers apart from the weights'.
constexpr std::uint64_t kDataStream = 0x9e3779b97f4a7c15u;

std::int64_t elements(const Shape& shape) {
  return std::accumulate(shape.begin(), shape.end(), std::int64_t{1}, std::multiplies<>());
}

bool isIdType(const std::string& type) {
  return type == "I64" || type == "I32" || type == "I16" || type == "I8" || type == "U8";
}

/// Empty when the two tensors fit the experiment.
std::string headerProblem(const SafetensorsHeader& header, const Experiment& experiment, const std::string& prefix) {
  const auto inputs = header.find(prefix + "inputs");
  const auto targets = header.find(prefix + "targets");
  if (inputs == header.end() || targets == header.end())
    return "it has no tensors named " + prefix + "inputs and " + prefix + "targets";
  const auto& in = inputs->second.shape;
  const auto& out = targets->second.shape;
  const std::string wanted = "N x " + formatShape(experiment.data.shape);
  if (in.empty() || Shape(in.begin() + 1, in.end()) != experiment.data.shape) {
    return prefix + "inputs are " + formatShape(in) + " and data.shape wants " + wanted;
  }
  if (out.empty() || out[0] != in[0]) return prefix + "inputs and " + prefix + "targets differ in their number of rows";
  if (in[0] < 1) return "it has no rows";
  const bool ids = out.size() == 1 && isIdType(targets->second.dtype);
  const bool rows = out.size() == 2 && out[1] == experiment.model.classes && !isIdType(targets->second.dtype);
  return ids || rows ? ""
                     : prefix + "targets are neither class ids [N] of an integer type nor numbers [N, " +
                           std::to_string(experiment.model.classes) + "]";
}

bool hasValidation(const SafetensorsHeader& header) {
  return header.count("validation_inputs") + header.count("validation_targets") > 0;
}

Error badData(const Experiment& experiment, const std::string& why) {
  return Error::badInput("data.path: " + experiment.data.path + " does not fit this experiment: " + why +
                         ". Change data.shape or model.classes, or write the file again.");
}

/// Images in the layout of training, targets as the loss wants them.
std::shared_ptr<const RowSource> rowsFor(const Experiment& experiment, at::Tensor inputs, const at::Tensor& targets) {
  if (inputs.dim() == 4) inputs = inputs.contiguous(imageFormat(experiment.training));
  return residentRows(std::move(inputs), targetsFor(experiment.training.loss, targets, experiment.model.classes));
}

Result<std::shared_ptr<const RowSource>> partOf(const Experiment& experiment, at::Tensor inputs, at::Tensor targets) {
  inputs = inputs.to(at::kFloat);
  if (targets.dim() == 1) {
    targets = targets.to(at::kLong);
    if (targets.min().item<std::int64_t>() < 0 || targets.max().item<std::int64_t>() >= experiment.model.classes) {
      return badData(experiment, "a class id is outside 0 ... " + std::to_string(experiment.model.classes - 1));
    }
  } else {
    targets = targets.to(at::kFloat);
  }
  return rowsFor(experiment, std::move(inputs), targets);
}

}  // namespace

DataParts randomRows(const Experiment& experiment) {
  const DataConfig& data = experiment.data;
  const std::int64_t batch_bytes = data.batch * elements(data.shape) * 4;
  const std::int64_t batches =
      std::clamp<std::int64_t>(kRandomBytes / std::max<std::int64_t>(batch_bytes, 1), 1, std::max(data.steps, 1));
  const at::Generator generator = at::detail::createCPUGenerator(experiment.training.seed ^ kDataStream);
  std::vector<std::int64_t> shape = {data.rows ? *data.rows : batches * data.batch};
  shape.insert(shape.end(), data.shape.begin(), data.shape.end());
  at::Tensor inputs = at::randn(shape, generator, at::TensorOptions().dtype(at::kFloat));
  const at::Tensor ids =
      at::randint(experiment.model.classes, {shape[0]}, generator, at::TensorOptions().dtype(at::kLong));
  return {rowsFor(experiment, std::move(inputs), ids), nullptr};
}

Result<std::int64_t> checkTensorFile(const Experiment& experiment) {
  const Result<SafetensorsLayout> file = readSafetensorsLayout(experiment.data.path);
  if (!file.ok()) return Error::badInput("data.path: " + file.error().message);
  const SafetensorsHeader& header = file->entries;
  std::string problem = headerProblem(header, experiment, "");
  if (problem.empty() && hasValidation(header)) problem = headerProblem(header, experiment, "validation_");
  if (!problem.empty()) return badData(experiment, problem);
  return header.at("inputs").shape[0];
}

Result<DataParts> openTensorFile(const Experiment& experiment) {
  if (const Result<std::int64_t> fits = checkTensorFile(experiment); !fits.ok()) return fits.error();
  Result<TensorMap> tensors =
      readSafetensors(experiment.data.path, {"inputs", "targets", "validation_inputs", "validation_targets"});
  if (!tensors.ok()) return Error::badInput("data.path: " + tensors.error().message);
  DataParts parts;
  for (const auto& [part, prefix] :
       {std::pair{&parts.training, std::string()}, std::pair{&parts.validation, std::string("validation_")}}) {
    if (!tensors->contains(prefix + "inputs")) continue;
    auto rows = partOf(experiment, tensors->at(prefix + "inputs"), tensors->at(prefix + "targets"));
    if (!rows.ok()) return rows.error();
    *part = std::move(*rows);
  }
  return parts;
}

}  // namespace lanelab
