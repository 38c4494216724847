// SPDX-License-Identifier: GPL-3.0-only
#include "engine/torch/data/data_sources.h"

#include <ATen/CPUGeneratorImpl.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/randint.h>
#include <ATen/ops/randn.h>

#include <algorithm>

#include "base/stop_point.h"
#include "base/text.h"
#include "engine/experiment/row_order.h"
#include "engine/model/block_op.h"
#include "engine/torch/data/dataset.h"
#include "engine/torch/files/tensor_file.h"
#include "engine/torch/nn/tensor_pieces.h"

namespace lanelab {

namespace {

/// Keeps the data's random numbers apart from the weights'.
constexpr std::uint64_t kDataStream = 0x9e3779b97f4a7c15u;

bool isIdType(const std::string& type) {
  return type == "I64" || type == "I32" || type == "I16" || type == "I8" || type == "U8";
}

/// As experiment files have it: "[3, 32, 32]".
std::string listText(const Shape& shape) {
  std::string text;
  for (const std::int64_t size : shape) text += (text.empty() ? "[" : ", ") + std::to_string(size);
  return text + "]";
}

std::string classCount(int classes) { return std::to_string(classes) + (classes == 1 ? " class" : " classes"); }

/// What is wrong with targets of the right number of rows, and the size that would be right; empty when they fit.
std::string targetsProblem(const SafetensorsEntry& targets, int classes, const std::string& name) {
  const Shape& shape = targets.shape;
  const bool whole = isIdType(targets.dtype);
  if (shape.size() == 1 && whole) return "";
  if (shape.size() == 2 && !whole) {
    if (shape[1] == classes) return "";
    return name + " are " + formatShape(shape) + ", " + std::to_string(shape[1]) +
           " numbers per row, and the model has " + classCount(classes) + ". Set model.classes to " +
           std::to_string(shape[1]);
  }
  return name + " are " + formatShape(shape) + " of type " + targets.dtype +
         ", and must be class ids [N] of an integer type, or numbers [N, " + std::to_string(classes) +
         "] of a floating-point type. Write the file again";
}

/// Empty when the two tensors fit the experiment.
std::string headerProblem(const SafetensorsHeader& header, const Experiment& experiment, const std::string& prefix) {
  const auto inputs = header.find(prefix + "inputs");
  const auto targets = header.find(prefix + "targets");
  if (inputs == header.end() || targets == header.end())
    return "it has no tensors named " + prefix + "inputs and " + prefix + "targets. Write the file again";
  const auto& in = inputs->second.shape;
  const auto& out = targets->second.shape;
  const std::string wanted = "N x " + formatShape(experiment.data.shape);
  if (in.empty() || Shape(in.begin() + 1, in.end()) != experiment.data.shape) {
    const bool any = in.size() > 1;
    return prefix + "inputs are " + formatShape(in) + ", and data.shape wants " + wanted + ". " +
           (any ? "Set data.shape to " + listText(Shape(in.begin() + 1, in.end())) : "Write the file again");
  }
  if (out.empty() || out[0] != in[0])
    return prefix + "inputs and " + prefix + "targets differ in their number of rows. Write the file again";
  if (in[0] < 1) return "it has no rows. Write the file again";
  return targetsProblem(targets->second, experiment.model.classes, prefix + "targets");
}

bool hasValidation(const SafetensorsHeader& header) {
  return header.count("validation_inputs") + header.count("validation_targets") > 0;
}

Error badData(const Experiment& experiment, const std::string& why) {
  return Error::badInput("data.path: {} does not fit this experiment: {}.", experiment.data.path, why);
}

/// Rows of images that are made or converted between two looks at whether to stop.
std::int64_t rowsAtOnce(const Shape& shape) {
  return std::max<std::int64_t>(1, kPiece / std::max<std::int64_t>(numbersOf(shape), 1));
}

/// Inputs as training wants them: numbers, images in its layout.
at::Tensor emptyInputs(const Experiment& experiment, std::int64_t rows) {
  Shape shape = experiment.data.shape;
  shape.insert(shape.begin(), rows);
  const auto format = shape.size() == 4 ? imageFormat(experiment.training) : at::MemoryFormat::Contiguous;
  return at::empty(shape, at::TensorOptions().dtype(at::kFloat), format);
}

at::Tensor asInputs(const Experiment& experiment, const at::Tensor& from) {
  const auto format = from.dim() == 4 ? imageFormat(experiment.training) : at::MemoryFormat::Contiguous;
  if (from.scalar_type() == at::kFloat && from.is_contiguous(format)) return from;
  const at::Tensor inputs = emptyInputs(experiment, from.size(0));
  const std::int64_t step = rowsAtOnce(experiment.data.shape);
  for (std::int64_t row = 0; row < from.size(0); row += step) {
    stopPoint();
    const std::int64_t rows = std::min(step, from.size(0) - row);
    inputs.narrow(0, row, rows).copy_(from.narrow(0, row, rows));
  }
  return inputs;
}

/// Normal numbers in the order of the rows, whatever the layout, as at::randn draws them for all rows at once.
void drawRows(const at::Tensor& inputs, std::int64_t at_once, const at::Generator& generator) {
  // PyTorch draws by sixteens, and fewer than that in another way.
  const std::int64_t rows = inputs.size(0), step = (at_once + 15) / 16 * 16;
  for (std::int64_t row = 0; row < rows;) {
    stopPoint();
    const std::int64_t count = rows - row < 2 * step ? rows - row : step;
    const at::Tensor some = inputs.narrow(0, row, count);
    some.copy_(at::randn(some.sizes(), generator, at::TensorOptions().dtype(at::kFloat)));
    row += count;
  }
}

/// Targets as the loss wants them.
std::shared_ptr<const RowSource> rowsFor(const Experiment& experiment, at::Tensor inputs, const at::Tensor& targets) {
  return residentRows(std::move(inputs), targetsFor(experiment.training.loss, targets, experiment.model.classes));
}

Result<std::shared_ptr<const RowSource>> partOf(const Experiment& experiment, at::Tensor inputs, at::Tensor targets) {
  inputs = asInputs(experiment, inputs);
  if (targets.dim() == 1) {
    targets = targets.to(at::kLong);
    const auto least = targets.min().item<std::int64_t>(), most = targets.max().item<std::int64_t>();
    if (least < 0) return badData(experiment, "a class id is " + std::to_string(least) + ". Count classes from 0");
    if (most >= experiment.model.classes) {
      return badData(experiment, "a class id is " + std::to_string(most) + ", and the model has " +
                                     classCount(experiment.model.classes) + ", counted from 0. Set model.classes to " +
                                     std::to_string(most + 1));
    }
  } else {
    targets = targets.to(at::kFloat);
  }
  return rowsFor(experiment, std::move(inputs), targets);
}

}  // namespace

DataParts randomRows(const Experiment& experiment) {
  const std::int64_t rows = randomRowCount(experiment.data);
  const at::Generator generator = at::detail::createCPUGenerator(experiment.training.seed ^ kDataStream);
  const at::Tensor inputs = emptyInputs(experiment, rows);
  drawRows(inputs, rowsAtOnce(experiment.data.shape), generator);
  const at::Tensor ids = at::randint(experiment.model.classes, {rows}, generator, at::TensorOptions().dtype(at::kLong));
  return {rowsFor(experiment, inputs, ids), nullptr};
}

Result<std::int64_t> checkTensorFile(const Experiment& experiment) {
  const Result<SafetensorsLayout> file = readSafetensorsLayout(experiment.data.path);
  if (!file.ok()) return Error::badInput("data.path: {}", file.error());
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
  if (!tensors.ok()) return Error::badInput("data.path: {}", tensors.error());
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
