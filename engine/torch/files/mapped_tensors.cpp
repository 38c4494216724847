// SPDX-License-Identifier: GPL-3.0-only
#include "engine/torch/files/mapped_tensors.h"

#include <ATen/ops/empty.h>
#include <ATen/ops/from_blob.h>

#include <cstring>
#include <filesystem>
#include <set>
#include <utility>

#include "base/json_text.h"
#include "engine/files/clipped_name.h"
#include "engine/files/readable_bytes.h"
#include "engine/torch/files/file_mapping.h"
#include "engine/torch/files/tensor_file.h"

namespace lanelab {

namespace {

namespace fs = std::filesystem;
constexpr const char* kIndexName = "model.safetensors.index.json";
constexpr std::uint64_t kLargestIndex = std::uint64_t{64} << 20;

/// The shards that an index names, in its folder.
Result<std::set<std::string>> shardsOf(const std::string& index) {
  const Result<ReadableBytes> file = openBytes(index);
  const Result<std::string> text = file.ok() ? allBytes(*file, kLargestIndex) : Result<std::string>(file.error());
  if (!text.ok())
    return Error::badInput("{} cannot be read: {}. Choose a file that exists and may be read.", index, text.error());
  const Result<Json> json = parseJsonText(*text, index);
  if (!json.ok()) return json.error();
  const auto map = json->is_object() ? json->find("weight_map") : json->end();
  if (!json->is_object() || map == json->end() || !map->is_object() || map->empty())
    return Error::badInput("{}: weight_map is missing: an index names the file of each tensor there.", index);
  std::set<std::string> shards;
  for (const auto& [name, shard] : map->items()) {
    const std::string file_name = shard.is_string() ? shard.get<std::string>() : "";
    if (file_name.empty() || fs::path(file_name).filename() != file_name)
      return Error::badInput("{}: weight_map.{} must be the name of a file in the same folder.", index,
                             clippedName(name));
    shards.insert((fs::path(index).parent_path() / file_name).string());
  }
  return shards;
}

Result<std::set<std::string>> filesOf(const std::string& path) {
  if (path.ends_with(".json")) return shardsOf(path);
  std::error_code ignored;
  if (!fs::is_directory(path, ignored)) return std::set<std::string>{path};
  const fs::path index = fs::path(path) / kIndexName;
  if (fs::exists(index, ignored)) return shardsOf(index.string());
  std::set<std::string> files;
  for (const auto& entry : fs::directory_iterator(path, ignored))
    if (entry.path().extension() == ".safetensors") files.insert(entry.path().string());
  if (files.size() == 1) return files;
  return Error::badInput("{} holds {} .safetensors files and no {}: name the file of the weights itself.", path,
                         files.empty() ? "no" : "several", kIndexName);
}

}  // namespace

Result<MappedTensors> MappedTensors::open(const std::string& path) {
  const Result<std::set<std::string>> files = filesOf(path);
  if (!files.ok()) return files.error();
  MappedTensors tensors;
  for (const std::string& file : *files)
    if (const Status added = tensors.add(file); !added.ok()) return added.error();
  return tensors;
}

Status MappedTensors::add(const std::string& path) {
  Result<SafetensorsLayout> layout = readSafetensorsLayout(path);
  if (!layout.ok()) return layout.error();
  const auto file = FileMapping::open(path, layout->file_bytes);
  if (!file.ok()) return file.error();
  for (auto& [name, entry] : layout->entries) {
    const auto type = scalarTypeOf(entry.dtype);
    if (!type)
      return Error::badInput("{}, tensor \"{}\": its type {} is not supported.", path, clippedName(name), entry.dtype);
    const Place place{*file, layout->data_at + entry.begin, layout->data_at + entry.end, std::move(entry.shape), *type};
    if (!m_tensors.emplace(name, place).second)
      return Error::badInput("{}, tensor \"{}\": another of the files holds it too. Keep one of them.", path,
                             clippedName(name));
  }
  return {};
}

std::vector<std::string> MappedTensors::names() const {
  std::vector<std::string> names;
  for (const auto& [name, place] : m_tensors) names.push_back(name);
  return names;
}

std::vector<std::shared_ptr<const FileMapping>> MappedTensors::files() const {
  std::set<std::shared_ptr<const FileMapping>> files;
  for (const auto& [name, place] : m_tensors) files.insert(place.file);
  return {files.begin(), files.end()};
}

std::int64_t MappedTensors::bytes(const std::string& name) const {
  const Place& place = m_tensors.at(name);
  return static_cast<std::int64_t>(place.end - place.begin);
}

at::Tensor MappedTensors::view(const std::string& name) const {
  const Place& place = m_tensors.at(name);
  const at::TensorOptions options = at::TensorOptions().dtype(place.type);
  char* const data = place.file->at(place.begin);
  if (place.begin != place.end && reinterpret_cast<std::uintptr_t>(data) % c10::elementSize(place.type) == 0)
    return at::from_blob(
        data, place.shape, [file = place.file](void*) {}, options);
  at::Tensor copy = at::empty(place.shape, options);
  if (place.begin != place.end) std::memcpy(copy.data_ptr(), data, place.end - place.begin);
  return copy;
}

void MappedTensors::read(const std::string& name) const {
  const Place& place = m_tensors.at(name);
  if (place.begin != place.end) place.file->read(place.begin, place.end);
}

void MappedTensors::drop(const std::string& name) const {
  const Place& place = m_tensors.at(name);
  place.file->drop(place.begin, place.end);
}

}  // namespace lanelab
