// SPDX-License-Identifier: GPL-3.0-only
#include "engine/torch/data/dataset.h"

#include <ATen/ops/cat.h>

#include <algorithm>
#include <numeric>

#include "engine/experiment/row_order.h"
#include "engine/experiment/training_targets.h"
#include "engine/torch/data/data_sources.h"

namespace lanelab {

namespace {

/// Neighbouring rows that lie in memory; where they wrap round, pieces put together.
Samples wrapped(const RowSource& source, std::int64_t begin, std::int64_t count) {
  begin %= source.size();
  if (begin + count <= source.size()) return *source.view(begin, count);
  std::vector<at::Tensor> inputs, targets;
  while (count > 0) {
    const std::int64_t n = std::min(count, source.size() - begin);
    const Samples part = *source.view(begin, n);
    inputs.push_back(part.inputs);
    targets.push_back(part.targets);
    count -= n;
    begin = 0;
  }
  return {at::cat(inputs), at::cat(targets)};
}

std::int64_t classesOf(const ModelSpec& model) {
  const Shape& output = outputShape(model);
  return output.empty() ? 0 : output.back();
}

}  // namespace

at::MemoryFormat imageFormat(const TrainingConfig& training) {
  return training.layout == Layout::ChannelsLast ? at::MemoryFormat::ChannelsLast : at::MemoryFormat::Contiguous;
}

Dataset::Dataset(const Experiment& experiment, const ModelSpec& model, DataParts parts)
    : m_parts(std::move(parts)), m_loss(experiment.training), m_classes(classesOf(model)) {
  m_order = std::make_shared<const RowOrder>(
      m_parts.training->size(), experiment.data.shuffle ? std::optional(experiment.training.seed) : std::nullopt);
}

Result<DataParts> Dataset::open(const Experiment& experiment, const ModelSpec& model,
                                std::vector<std::string>& warnings) {
  const DataSource source = experiment.data.source;
  if (source == DataSource::File) return openTensorFile(experiment, model);
  if (source == DataSource::Text) return openText(experiment, model);
  if (source == DataSource::Digits) return openDigits(experiment);
  if (source == DataSource::Cifar10) return openCifar10(experiment);
  if (source == DataSource::Folder) return openImageFolder(experiment, warnings);
  return randomRows(experiment, model);
}

Result<Dataset> Dataset::load(const Experiment& experiment, const ModelSpec& model) {
  std::vector<std::string> reported_by_check;
  Result<DataParts> parts = open(experiment, model, reported_by_check);
  if (!parts.ok()) return parts.error();
  return Dataset(experiment, model, std::move(*parts));
}

Status Dataset::check(const Experiment& experiment, const ModelSpec& model, std::vector<std::string>& warnings) {
  const DataSource source = experiment.data.source;
  if (source == DataSource::Digits) return checkDigits(experiment);
  if (source == DataSource::Cifar10) return checkCifar10(experiment, warnings);
  if (source == DataSource::Random) return {};
  if (source == DataSource::Folder && !experiment.data.shuffle)
    warnings.emplace_back(
        "The images of a folder come class by class, which teaches a network little. Set data.shuffle to true.");
  if (source == DataSource::File) return checkTensorFile(experiment, model);
  const Result<DataParts> parts = open(experiment, model, warnings);
  return parts.ok() ? Status() : Status(parts.error());
}

Result<std::int64_t> Dataset::countRows(const Experiment& experiment) {
  const DataSource source = experiment.data.source;
  if (source == DataSource::File) return countTensorFile(experiment);
  if (source == DataSource::Text) return countText(experiment);
  if (const auto known = knownRows(experiment.data)) return *known;
  if (source == DataSource::Cifar10) return countCifar10(experiment);
  if (source == DataSource::Random)
    return Error::badInput(
        "data.epochs: random data have no epochs. Use data.steps, or say how many `rows` there are.");
  return countImageFolder(experiment);
}

Samples Dataset::asTheLossWants(Samples samples) const {
  return {std::move(samples.inputs), targetsFor(m_loss, samples.targets, m_classes)};
}

/// Rows that have to be made have a target each.
std::int64_t Dataset::paddingOf(const RowSource& source, std::int64_t rows) const {
  const at::Tensor targets = source.targets();
  return targets.defined() ? countTargets(m_loss, targets.narrow(0, 0, rows)).padding : 0;
}

Samples Dataset::rows(std::int64_t begin, std::int64_t count) const {
  const Samples some =
      needsWork() ? m_parts.training->rows(m_order->rowsAt(begin, count)) : wrapped(*m_parts.training, begin, count);
  return asTheLossWants(some);
}

Samples Dataset::validationRows(std::int64_t begin, std::int64_t count) const {
  if (auto ready = m_parts.validation->view(begin, count)) return asTheLossWants(std::move(*ready));
  std::vector<std::int64_t> numbers(static_cast<std::size_t>(count));
  std::iota(numbers.begin(), numbers.end(), begin);
  return asTheLossWants(m_parts.validation->rows(numbers));
}

}  // namespace lanelab
