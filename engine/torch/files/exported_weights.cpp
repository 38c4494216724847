// SPDX-License-Identifier: GPL-3.0-only
#include "engine/torch/files/exported_weights.h"

#include <ATen/ops/as_strided.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/from_blob.h>

#include <map>
#include <set>
#include <unordered_map>
#include <utility>

#include "base/stop_point.h"
#include "engine/exported/weight_ties.h"
#include "engine/files/clipped_name.h"
#include "engine/files/shipped_files.h"
#include "engine/files/zip_archive.h"
#include "engine/torch/devices/torch_errors.h"
#include "engine/torch/files/file_mapping.h"
#include "engine/torch/nn/drawn_weights.h"
#include "engine/torch/nn/scalar_types.h"

namespace lanelab {

namespace {

/// Each record once, as bytes.
class WeightRecords {
 public:
  /// Without a mapping records are copied, without an archive all are drawn.
  WeightRecords(const ZipArchive* archive, std::shared_ptr<const FileMapping> mapping, const TensorMap& drawn)
      : m_archive(archive), m_mapping(std::move(mapping)) {
    for (const auto& [name, tensor] : drawn) m_bytes[name] = tensor.view({-1}).view(at::kByte);
  }

  Result<at::Tensor> of(const std::string& name, std::size_t element_bytes) {
    at::Tensor& bytes = m_bytes[name];
    if (bytes.defined()) return bytes;
    const ZipRecord* const record = m_archive ? m_archive->find(name) : nullptr;
    if (record == nullptr) return Error::badInput("it lacks {}", name);
    const Result<std::uint64_t> at = m_archive->dataAt(*record);
    if (!at.ok()) return at.error();
    const auto size = static_cast<std::int64_t>(record->bytes);
    const auto options = at::TensorOptions().dtype(at::kByte);
    if (m_mapping && !record->deflated && size > 0 &&
        reinterpret_cast<std::uintptr_t>(m_mapping->at(*at)) % element_bytes == 0)
      return bytes = at::from_blob(
                 m_mapping->at(*at), {size}, [mapping = m_mapping](void*) {}, options);
    at::Tensor copy = at::empty({size}, options);
    if (size > 0) {
      if (const Status read = m_archive->read(*record, copy.data_ptr()); !read.ok()) return read.error();
    }
    return bytes = copy;
  }

 private:
  const ZipArchive* m_archive;
  std::shared_ptr<const FileMapping> m_mapping;
  std::unordered_map<std::string, at::Tensor> m_bytes;
};

Result<TensorMap> tensorsIn(WeightRecords& records, const ExportedProgram& program) {
  TensorMap tensors;
  for (const auto& [name, stored] : program.tensors) {
    const at::ScalarType type = torchTypeOf(stored.type);
    const std::size_t element = c10::elementSize(type);
    const Result<at::Tensor> bytes = records.of(stored.record, element);
    if (!bytes.ok()) return bytes.error();
    const auto whole = bytes->numel() / static_cast<std::int64_t>(element) * static_cast<std::int64_t>(element);
    tensors[name] = at::as_strided(bytes->narrow(0, 0, whole).view(type), stored.sizes, stored.strides, stored.offset);
  }
  return tensors;
}

Result<StoredWeights> tensorsOf(const ZipArchive* archive, std::shared_ptr<const FileMapping> mapping,
                                const ExportedProgram& program, std::uint64_t seed) {
  try {
    WeightRecords records(archive, mapping, drawWeights(program.draws, seed));
    Result<TensorMap> tensors = tensorsIn(records, program);
    if (!tensors.ok()) return tensors.error();
    StoredWeights weights{std::move(*tensors), {}};
    if (mapping) weights.files.push_back(std::move(mapping));
    return weights;
  } catch (const Stopped&) {
    throw;
  } catch (const std::exception& error) {
    return Error::badInput(verbatim(plainMessage(error)));
  }
}

Result<StoredWeights> readTensorsOf(const std::string& path, const ExportedProgram& program, std::uint64_t seed) {
  if (path.empty()) return tensorsOf(nullptr, nullptr, program, seed);
  Result<ReadableBytes> source = openBytes(path);
  if (!source.ok()) return source.error();
  std::shared_ptr<const FileMapping> mapping;
  if (!isShipped(path)) {
    const auto mapped = FileMapping::open(path, source->size);
    if (!mapped.ok()) return mapped.error();
    mapping = *mapped;
  }
  const Result<ZipArchive> archive = ZipArchive::open(std::move(*source));
  if (!archive.ok()) return archive.error();
  return tensorsOf(&*archive, mapping, program, seed);
}

}  // namespace

Result<StoredWeights> mapExportedWeights(const std::string& path, const ExportedProgram& program, std::uint64_t seed) {
  Result<StoredWeights> mapped = readTensorsOf(path, program, seed);
  if (mapped.ok()) return mapped;
  return Error::badInput("{}: its weights cannot be read: {}. Export the network again.", path, mapped.error());
}

Result<TensorMap> heldWeights(const ExportedProgram& program, const std::vector<TensorSlot>& slots, TensorMap given,
                              const TensorMap& own, const std::string& place) {
  const std::map<ValueId, std::string> names = heldNames(program);
  std::set<std::string> wanted;
  for (const TensorSlot& slot : slots) wanted.insert(slot.name);
  TensorMap held;
  std::map<std::string, std::string> found_as;
  for (const ExportedInput& input : program.graph.inputs) {
    if (input.kind == ExportedInput::Kind::User || input.kind == ExportedInput::Kind::Constant) continue;
    const std::string& name = names.at(input.value);
    auto found = given.extract(input.name);
    if (!wanted.contains(name)) continue;
    if (!found.empty()) {
      const auto [first, added] = held.try_emplace(name, found.mapped());
      if (added) found_as.emplace(name, input.name);
      if (!added && !(first->second.sizes() == found.mapped().sizes() && first->second.equal(found.mapped())))
        return Error::badInput(
            "{}: {} and {} are one parameter of the network, but have different values. Write the weights of a network "
            "whose parameters are tied.",
            place, clippedName(found_as.at(name)), clippedName(input.name));
    } else if (!input.persistent) {
      held.try_emplace(name, own.at(input.name));
    }
  }
  held.merge(given);
  return held;
}

NamedTensors withAllNames(const ExportedProgram& program, const TensorMap& held, const TensorMap& own) {
  const std::map<ValueId, std::string> names = heldNames(program);
  NamedTensors all;
  for (const ExportedInput& input : program.graph.inputs) {
    const bool stored =
        input.kind == ExportedInput::Kind::Parameter || (input.kind == ExportedInput::Kind::Buffer && input.persistent);
    if (!stored) continue;
    const auto found = held.find(names.at(input.value));
    all.emplace_back(input.name, found == held.end() ? own.at(input.name) : found->second);
  }
  return all;
}

}  // namespace lanelab
