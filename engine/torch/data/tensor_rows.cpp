// SPDX-License-Identifier: GPL-3.0-only
#include "engine/torch/data/data_sources.h"

#include <ATen/CPUGeneratorImpl.h>
#include <ATen/ops/argmax.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/randint.h>
#include <ATen/ops/randn.h>

#include <algorithm>
#include <optional>

#include "base/stop_point.h"
#include "base/text.h"
#include "engine/experiment/row_order.h"
#include "engine/experiment/training_targets.h"
#include "engine/model/shape.h"
#include "engine/torch/data/dataset.h"
#include "engine/torch/files/tensor_file.h"
#include "engine/torch/nn/tensor_pieces.h"

namespace lanelab {

namespace {

/// Keeps the data's random numbers apart from the weights'.
constexpr std::uint64_t kDataStream = 0x9e3779b97f4a7c15u;

/// What the network takes and is trained towards.
struct Wanted {
  Wanted(const Experiment& experiment, const ModelSpec& model)
      : vocabulary(model.vocabulary),
        targets(targetKind(experiment.training.loss, model)),
        output(outputShape(model)) {}
  std::int64_t classes() const { return output.empty() ? 0 : output.back(); }

  std::int64_t vocabulary;  ///< of the inputs; 0: numbers
  TargetKind targets;
  Shape output;
};

bool isIdType(const std::string& type) {
  return type == "I64" || type == "I32" || type == "I16" || type == "I8" || type == "U8";
}

std::string classCount(std::int64_t classes) {
  return std::to_string(classes) + (classes == 1 ? " class" : " classes");
}

Shape withoutRows(const Shape& shape) { return {shape.begin() + 1, shape.end()}; }

/// "targets are 5x7 of type I64, and must be ".
std::string insteadOf(const SafetensorsEntry& tensor, const std::string& name) {
  return name + " are " + formatShape(tensor.shape) + " of type " + tensor.dtype + ", and must be ";
}

/// "[N, 16]".
std::string rowsOf(Shape shape) { return "[N" + (shape.empty() ? "]" : ", " + listText(shape).substr(1)); }

std::string classTargetsProblem(const SafetensorsEntry& targets, const ModelConfig& model, std::int64_t classes,
                                const std::string& name) {
  const Shape& shape = targets.shape;
  const bool whole = isIdType(targets.dtype);
  if (shape.size() == 1 && whole) return "";
  if (shape.size() == 2 && !whole) {
    if (shape[1] == classes) return "";
    return name + " are " + formatShape(shape) + ", " + std::to_string(shape[1]) +
           " numbers per row, and the model has " + classCount(classes) + ". " + classesAdvice(model, shape[1]);
  }
  return insteadOf(targets, name) + "class ids [N] of an integer type, or numbers [N, " + std::to_string(classes) +
         "] of a floating-point type. Write the file again";
}

/// What is wrong with targets of the right number of rows, and what would be right; empty when they fit.
std::string targetsProblem(const SafetensorsEntry& targets, const ModelConfig& model, const Wanted& wanted,
                           const std::string& name) {
  const Shape each = withoutRows(targets.shape);
  switch (wanted.targets) {
    case TargetKind::None: break;
    case TargetKind::Class: return classTargetsProblem(targets, model, wanted.output[0], name);
    case TargetKind::Tokens:
      if (isIdType(targets.dtype) && each == Shape{wanted.output[0]}) return "";
      return insteadOf(targets, name) + "token ids " + rowsOf(Shape{wanted.output[0]}) +
             " of an integer type. Write the file again";
    case TargetKind::Values:
      if (!isIdType(targets.dtype) && each == wanted.output) return "";
      return insteadOf(targets, name) + "numbers " + rowsOf(wanted.output) +
             " of a floating-point type. Write the file again";
  }
  return "";
}

/// Empty when the inputs fit the experiment.
std::string inputsProblem(const SafetensorsHeader& header, const Experiment& experiment, const std::string& prefix) {
  const auto inputs = header.find(prefix + "inputs");
  if (inputs == header.end()) return "it has no tensor named " + prefix + "inputs. Write the file again";
  const Shape& in = inputs->second.shape;
  if (in.empty() || withoutRows(in) != experiment.data.shape) {
    const bool any = in.size() > 1;
    return prefix + "inputs are " + formatShape(in) + ", and data.shape wants N x " +
           formatShape(experiment.data.shape) + ". " +
           (any ? shapeAdvice(experiment.model, withoutRows(in)) : "Write the file again");
  }
  return in[0] < 1 ? "it has no rows. Write the file again" : "";
}

/// Empty when the tensors of this prefix fit experiment and network.
std::string headerProblem(const SafetensorsHeader& header, const Experiment& experiment, const Wanted& wanted,
                          const std::string& prefix) {
  const auto inputs = header.find(prefix + "inputs");
  const auto targets = header.find(prefix + "targets");
  if (wanted.targets != TargetKind::None && (inputs == header.end() || targets == header.end()))
    return "it has no tensors named " + prefix + "inputs and " + prefix + "targets. Write the file again";
  if (std::string problem = inputsProblem(header, experiment, prefix); !problem.empty()) return problem;
  if (wanted.vocabulary > 0 && !isIdType(inputs->second.dtype))
    return insteadOf(inputs->second, prefix + "inputs") + "tokens " + rowsOf(experiment.data.shape) +
           " of an integer type. Write the file again";
  if (wanted.targets == TargetKind::None) return "";
  const Shape& out = targets->second.shape;
  if (out.empty() || out[0] != inputs->second.shape[0])
    return prefix + "inputs and " + prefix + "targets differ in their number of rows. Write the file again";
  return targetsProblem(targets->second, experiment.model, wanted, prefix + "targets");
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

Shape withRows(std::int64_t rows, Shape shape) {
  shape.insert(shape.begin(), rows);
  return shape;
}

/// Inputs as training wants them: numbers, images in its layout.
at::Tensor emptyInputs(const Experiment& experiment, std::int64_t rows) {
  const Shape shape = withRows(rows, experiment.data.shape);
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

/// Tensors of the file that begin with `prefix`, as training wants them.
class PartOfFile {
 public:
  PartOfFile(const Experiment& experiment, const ModelSpec& model, std::string prefix)
      : m_experiment(experiment), m_wanted(experiment, model), m_prefix(std::move(prefix)) {}

  Result<std::shared_ptr<const RowSource>> rows(const TensorMap& tensors) const {
    at::Tensor inputs = tensors.at(m_prefix + "inputs");
    if (m_wanted.vocabulary == 0) {
      inputs = asInputs(m_experiment, inputs);
    } else if (const Status known = checkTokens(inputs, m_wanted.vocabulary, "inputs"); !known.ok()) {
      return known.error();
    }
    const bool has_targets = m_wanted.targets != TargetKind::None;
    Result<at::Tensor> targets = has_targets ? targetsFrom(tensors.at(m_prefix + "targets")) : inputs;
    if (!targets.ok()) return targets.error();
    return residentRows(std::move(inputs), targetsFor(LossRule(m_experiment.training), *targets, m_wanted.classes()));
  }

 private:
  Result<at::Tensor> targetsFrom(const at::Tensor& targets) const {
    if (m_wanted.targets == TargetKind::Tokens) {
      const Status known = checkTokens(targets, m_wanted.classes(), "targets", kPaddingTarget);
      return known.ok() ? Result<at::Tensor>(targets) : known.error();
    }
    if (targets.dim() != 1) return targets.to(at::kFloat);
    at::Tensor ids = targets.to(at::kLong);
    if (const Status known = checkClasses(ids); !known.ok()) return known.error();
    return ids;
  }

  Status checkClasses(const at::Tensor& ids) const {
    const bool may_pad = m_experiment.training.loss == Loss::CrossEntropy;
    const at::Tensor given = may_pad ? ids.masked_select(ids.ne(kPaddingTarget)) : ids;
    if (given.numel() == 0) return {};
    const auto least = given.min().item<std::int64_t>(), most = given.max().item<std::int64_t>();
    if (least < 0)
      return badData(m_experiment, "a class id is " + std::to_string(least) + ". Count classes from 0" +
                                       (may_pad ? ", and write -100 for padding, which the loss leaves out"
                                                : "; only cross_entropy leaves out targets of -100 as padding"));
    if (most < m_wanted.classes()) return {};
    return badData(m_experiment, "a class id is " + std::to_string(most) + ", and the model has " +
                                     classCount(m_wanted.classes()) + ", counted from 0. " +
                                     classesAdvice(m_experiment.model, most <= kLargestCount ? most + 1 : most));
  }

  /// Names the first of [N, T] ids that is not from 0 to one below `count`, nor `padding`.
  Status checkTokens(const at::Tensor& ids, std::int64_t count, const std::string& what,
                     std::optional<std::int64_t> padding = {}) const {
    if (ids.min().item<std::int64_t>() >= 0 && ids.max().item<std::int64_t>() < count) return {};
    const at::Tensor wide = ids.to(at::kLong).flatten();
    at::Tensor unknown = wide.lt(0).logical_or_(wide.ge(count));
    if (padding) unknown.logical_and_(wide.ne(*padding));
    const auto first = at::argmax(unknown.to(at::kByte)).item<std::int64_t>();
    if (!unknown[first].item<bool>()) return {};
    const auto id = wide[first].item<std::int64_t>();
    const std::int64_t in_row = ids.numel() / ids.size(0);
    return badData(m_experiment, m_prefix + what + "[" + std::to_string(first / in_row) + ", " +
                                     std::to_string(first % in_row) + "] is " + std::to_string(id) +
                                     ", and the network has " + std::to_string(count) + " tokens, from 0 to " +
                                     std::to_string(count - 1) + ". Write the file again, " +
                                     (id < 0 && padding ? "with -100 for padding, which the loss leaves out"
                                                        : "or use a network with a larger vocabulary"));
  }

  const Experiment& m_experiment;
  const Wanted m_wanted;
  const std::string m_prefix;
};

/// All as likely, one after the other.
at::Tensor drawnIds(std::int64_t below, const Shape& shape, const at::Generator& generator) {
  return at::randint(below, shape, generator, at::TensorOptions().dtype(at::kLong));
}

at::Tensor drawnInputs(const Experiment& experiment, const Wanted& wanted, std::int64_t rows,
                       const at::Generator& generator) {
  if (wanted.vocabulary > 0) return drawnIds(wanted.vocabulary, withRows(rows, experiment.data.shape), generator);
  at::Tensor inputs = emptyInputs(experiment, rows);
  drawRows(inputs, rowsAtOnce(experiment.data.shape), generator);
  return inputs;
}

at::Tensor drawnTargets(const Wanted& wanted, std::int64_t rows, const at::Generator& generator) {
  const Shape& output = wanted.output;
  switch (wanted.targets) {
    case TargetKind::None: break;
    case TargetKind::Class: return drawnIds(output[0], {rows}, generator);
    case TargetKind::Tokens: return drawnIds(output[1], {rows, output[0]}, generator);
    case TargetKind::Values: {
      at::Tensor values = at::empty(withRows(rows, output), at::TensorOptions().dtype(at::kFloat));
      drawRows(values, rowsAtOnce(output), generator);
      return values;
    }
  }
  return at::empty({rows, 0});
}

}  // namespace

DataParts randomRows(const Experiment& experiment, const ModelSpec& model) {
  const std::int64_t rows = randomRowCount(experiment.data);
  const at::Generator generator = at::detail::createCPUGenerator(experiment.training.seed ^ kDataStream);
  const Wanted wanted(experiment, model);
  const at::Tensor inputs = drawnInputs(experiment, wanted, rows, generator);
  const at::Tensor targets = drawnTargets(wanted, rows, generator);
  return {residentRows(inputs, targetsFor(LossRule(experiment.training), targets, wanted.classes())), nullptr};
}

Status checkTensorFile(const Experiment& experiment, const ModelSpec& model) {
  const Result<SafetensorsLayout> file = readSafetensorsLayout(experiment.data.path);
  if (!file.ok()) return Error::badInput("data.path: {}", file.error());
  const SafetensorsHeader& header = file->entries;
  const Wanted wanted(experiment, model);
  std::string problem = headerProblem(header, experiment, wanted, "");
  if (problem.empty() && hasValidation(header)) problem = headerProblem(header, experiment, wanted, "validation_");
  return problem.empty() ? Status() : Status(badData(experiment, problem));
}

Result<std::int64_t> countTensorFile(const Experiment& experiment) {
  const Result<SafetensorsLayout> file = readSafetensorsLayout(experiment.data.path);
  if (!file.ok()) return Error::badInput("data.path: {}", file.error());
  if (const std::string problem = inputsProblem(file->entries, experiment, ""); !problem.empty())
    return badData(experiment, problem);
  return file->entries.at("inputs").shape[0];
}

Result<DataParts> openTensorFile(const Experiment& experiment, const ModelSpec& model) {
  if (const Status fits = checkTensorFile(experiment, model); !fits.ok()) return fits.error();
  Result<TensorMap> tensors =
      readSafetensors(experiment.data.path, {"inputs", "targets", "validation_inputs", "validation_targets"});
  if (!tensors.ok()) return Error::badInput("data.path: {}", tensors.error());
  DataParts parts;
  for (const auto& [part, prefix] :
       {std::pair{&parts.training, std::string()}, std::pair{&parts.validation, std::string("validation_")}}) {
    if (!tensors->contains(prefix + "inputs")) continue;
    auto rows = PartOfFile(experiment, model, prefix).rows(*tensors);
    if (!rows.ok()) return rows.error();
    *part = std::move(*rows);
  }
  return parts;
}

}  // namespace lanelab
