// SPDX-License-Identifier: GPL-3.0-only
#include <ATen/ops/empty.h>

#include <algorithm>
#include <filesystem>
#include <string>

#include "base/stop_point.h"
#include "base/whole_file.h"
#include "engine/experiment/training_targets.h"
#include "engine/files/shipped_files.h"
#include "engine/torch/data/data_sources.h"
#include "engine/torch/devices/available_memory.h"

namespace lanelab {

namespace {

constexpr std::size_t kTextAtOnce = std::size_t{1} << 24;  ///< between two looks at whether to stop

std::int64_t rowsIn(std::uint64_t bytes, std::int64_t tokens) {
  return bytes == 0 ? 0 : static_cast<std::int64_t>((bytes - 1) / static_cast<std::uint64_t>(tokens));
}

Error tooShort(const Experiment& experiment, std::uint64_t bytes) {
  const std::int64_t tokens = experiment.data.shape.front();
  return Error::badInput(
      "data.path: {} has {} bytes, and one sample needs {}: an input of {} tokens and the byte after it. Choose a "
      "longer text.",
      experiment.data.path, static_cast<std::int64_t>(bytes), tokens + 1, tokens);
}

/// Errors name the path.
Result<std::string> textOf(const std::string& path, std::uint64_t limit) {
  if (!isShipped(path)) return readWholeFile(path, limit);
  const Result<ReadableBytes> bytes = openBytes(path);
  Result<std::string> text = bytes.ok() ? allBytes(*bytes, limit) : Result<std::string>(bytes.error());
  return text.ok() ? text : Error::badInput("{} cannot be read: {}.", path, text.error());
}

Result<std::uint64_t> bytesOfText(const std::string& path) {
  if (isShipped(path)) {
    const Result<ReadableBytes> bytes = openBytes(path);
    return bytes.ok() ? Result<std::uint64_t>(bytes->size) : bytes.error();
  }
  std::error_code failure;
  const std::uint64_t bytes = std::filesystem::file_size(path, failure);
  if (failure) return Error::badInput(verbatim(failure.message()));
  return bytes;
}

/// The tokens that both the input and, where it predicts tokens, the output have.
std::int64_t tokensOf(const Experiment& experiment, const ModelSpec& model) {
  return targetKind(experiment.training.loss, model) == TargetKind::Tokens
             ? std::min(model.vocabulary, outputShape(model).back())
             : model.vocabulary;
}

Status checkBytes(const Experiment& experiment, const std::string& text, std::int64_t tokens) {
  const auto unknown = [tokens](char byte) { return static_cast<unsigned char>(byte) >= tokens; };
  for (std::size_t begin = 0; tokens < 256 && begin < text.size(); begin += kTextAtOnce) {
    stopPoint();
    const auto end = text.begin() + static_cast<std::ptrdiff_t>(std::min(text.size(), begin + kTextAtOnce));
    const auto found = std::find_if(text.begin() + static_cast<std::ptrdiff_t>(begin), end, unknown);
    if (found == end) continue;
    return Error::badInput(
        "data.path: byte {} of {}, in line {}, is {}, and the network has {} tokens, from 0 to {}. Remove such "
        "characters from the text, or use a network of 256 tokens.",
        static_cast<std::int64_t>(found - text.begin()), experiment.data.path,
        static_cast<std::int64_t>(std::count(text.begin(), found, '\n') + 1),
        static_cast<int>(static_cast<unsigned char>(*found)), tokens, tokens - 1);
  }
  return {};
}

/// Windows of a text, each with the byte after it.
class TextRows final : public RowSource {
 public:
  TextRows(std::string text, std::int64_t tokens) : m_text(std::move(text)), m_tokens(tokens) {}

  std::int64_t size() const override { return rowsIn(m_text.size(), m_tokens); }

  Samples rows(const std::vector<std::int64_t>& numbers) const override {
    const auto empty = [&] {
      return at::empty({static_cast<std::int64_t>(numbers.size()), m_tokens}, at::TensorOptions().dtype(at::kLong));
    };
    Samples samples{empty(), empty()};
    auto* input = samples.inputs.mutable_data_ptr<std::int64_t>();
    auto* target = samples.targets.mutable_data_ptr<std::int64_t>();
    for (const std::int64_t number : numbers) {
      const auto* const bytes = reinterpret_cast<const unsigned char*>(m_text.data()) + number * m_tokens;
      input = std::copy_n(bytes, m_tokens, input);
      target = std::copy_n(bytes + 1, m_tokens, target);
    }
    return samples;
  }

 private:
  const std::string m_text;
  const std::int64_t m_tokens;  ///< of a row
};

}  // namespace

Result<DataParts> openText(const Experiment& experiment, const ModelSpec& model) {
  // Of the memory there is, the network and its batches need some too.
  const std::int64_t limit = availableMemory() / 2;
  Result<std::string> text = textOf(experiment.data.path, static_cast<std::uint64_t>(limit));
  if (!text.ok()) return Error::badInput("data.path: {}", text.error());
  const std::int64_t tokens = experiment.data.shape.front();
  if (rowsIn(text->size(), tokens) < 1) return tooShort(experiment, text->size());
  if (const Status known = checkBytes(experiment, *text, tokensOf(experiment, model)); !known.ok())
    return known.error();
  return DataParts{std::make_shared<TextRows>(std::move(*text), tokens), nullptr};
}

Result<std::int64_t> countText(const Experiment& experiment) {
  const Result<std::uint64_t> bytes = bytesOfText(experiment.data.path);
  if (!bytes.ok())
    return Error::badInput("data.path: {} cannot be read: {}. Check the path.", experiment.data.path, bytes.error());
  const std::int64_t rows = rowsIn(*bytes, experiment.data.shape.front());
  if (rows < 1) return tooShort(experiment, *bytes);
  return rows;
}

}  // namespace lanelab
