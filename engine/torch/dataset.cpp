#include "engine/torch/dataset.h"

#include <ATen/CPUGeneratorImpl.h>
#include <ATen/ops/cat.h>
#include <ATen/ops/randint.h>
#include <ATen/ops/randn.h>

#include <algorithm>
#include <numeric>

#include "engine/base/text.h"
#include "engine/torch/tensor_file.h"

namespace lanelab {

namespace {

constexpr std::int64_t kRandomBytes = std::int64_t{512} << 20;
/// Keeps the data's random numbers apart from the weights'.
constexpr std::uint64_t kDataStream = 0x9e3779b97f4a7c15u;

std::int64_t elements(const Shape& shape) {
  return std::accumulate(shape.begin(), shape.end(), std::int64_t{1}, std::multiplies<>());
}

at::Tensor wrapped(const at::Tensor& rows, std::int64_t begin, std::int64_t count) {
  begin %= rows.size(0);
  if (begin + count <= rows.size(0)) return rows.narrow(0, begin, count);
  std::vector<at::Tensor> parts;
  while (count > 0) {
    const std::int64_t n = std::min(count, rows.size(0) - begin);
    parts.push_back(rows.narrow(0, begin, n));
    count -= n;
    begin = 0;
  }
  return at::cat(parts);
}

bool isIdType(const std::string& type) { return type == "I64" || type == "I32" || type == "I16" || type == "I8" || type == "U8"; }

/// Empty when the file's tensors fit the experiment.
std::string headerProblem(const SafetensorsHeader& header, const Experiment& experiment) {
  const auto inputs = header.find("inputs");
  const auto targets = header.find("targets");
  if (inputs == header.end() || targets == header.end()) return "it has no tensors named inputs and targets";
  const auto& in = inputs->second.shape;
  const auto& out = targets->second.shape;
  const std::string wanted = "N x " + formatShape(experiment.data.shape);
  if (in.empty() || Shape(in.begin() + 1, in.end()) != experiment.data.shape) {
    return "inputs are " + formatShape(in) + " and data.shape wants " + wanted;
  }
  if (out.empty() || out[0] != in[0]) return "inputs and targets differ in their number of rows";
  if (in[0] < 1) return "it has no rows";
  const bool ids = out.size() == 1 && isIdType(targets->second.dtype);
  const bool rows = out.size() == 2 && out[1] == experiment.model.classes && !isIdType(targets->second.dtype);
  return ids || rows ? "" : "targets are neither class ids [N] of an integer type nor numbers [N, " + std::to_string(experiment.model.classes) + "]";
}

Error badData(const Experiment& experiment, const std::string& why) {
  return Error::badInput("data.path: " + experiment.data.path + " does not fit this experiment: " + why +
                         ". Change data.shape or model.classes, or write the file anew.");
}

}  // namespace

at::MemoryFormat imageFormat(const TrainingConfig& training) {
  return training.layout == "channels_last" ? at::MemoryFormat::ChannelsLast : at::MemoryFormat::Contiguous;
}

Status Dataset::checkFile(const Experiment& experiment) {
  const Result<SafetensorsHeader> header = readSafetensorsHeader(experiment.data.path);
  if (!header.ok()) return Error::badInput("data.path: " + header.error().message);
  const std::string problem = headerProblem(*header, experiment);
  return problem.empty() ? Status() : Status(badData(experiment, problem));
}

Result<Dataset> Dataset::load(const Experiment& experiment) {
  const DataConfig& data = experiment.data;
  if (data.source == "file") {
    if (const Status fits = checkFile(experiment); !fits.ok()) return fits.error();
    Result<TensorMap> tensors = readSafetensors(data.path, {"inputs", "targets"});
    if (!tensors.ok()) return Error::badInput("data.path: " + tensors.error().message);
    return prepared(experiment, (*tensors)["inputs"].to(at::kFloat), (*tensors)["targets"]);
  }
  const std::int64_t batch_bytes = data.batch * elements(data.shape) * 4;
  const std::int64_t batches = std::clamp<std::int64_t>(kRandomBytes / std::max<std::int64_t>(batch_bytes, 1), 1, std::max(data.steps, 1));
  const at::Generator generator = at::detail::createCPUGenerator(experiment.training.seed ^ kDataStream);
  std::vector<std::int64_t> shape = {batches * data.batch};
  shape.insert(shape.end(), data.shape.begin(), data.shape.end());
  at::Tensor inputs = at::randn(shape, generator, at::TensorOptions().dtype(at::kFloat));
  at::Tensor ids = at::randint(experiment.model.classes, {shape[0]}, generator, at::TensorOptions().dtype(at::kLong));
  return prepared(experiment, std::move(inputs), std::move(ids));
}

Result<Dataset> Dataset::prepared(const Experiment& experiment, at::Tensor inputs, at::Tensor targets) {
  if (targets.dim() == 1) {
    targets = targets.to(at::kLong);
    if (targets.min().item<std::int64_t>() < 0 || targets.max().item<std::int64_t>() >= experiment.model.classes) {
      return badData(experiment, "a class id is outside 0 ... " + std::to_string(experiment.model.classes - 1));
    }
  } else {
    targets = targets.to(at::kFloat);
  }
  if (inputs.dim() == 4) inputs = inputs.contiguous(imageFormat(experiment.training));
  return Dataset(std::move(inputs), targetsFor(lossKindOf(experiment.training.loss), targets, experiment.model.classes));
}

Samples Dataset::rows(std::int64_t begin, std::int64_t count) const {
  return {wrapped(m_inputs, begin, count), wrapped(m_targets, begin, count)};
}

}  // namespace lanelab
