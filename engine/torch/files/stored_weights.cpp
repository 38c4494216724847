// SPDX-License-Identifier: GPL-3.0-only
#include "engine/torch/files/stored_weights.h"

#include <ATen/ops/empty.h>
#include <ATen/ops/from_blob.h>

#include <cstring>
#include <filesystem>
#include <set>

#include "base/json_text.h"
#include "engine/files/clipped_name.h"
#include "engine/files/readable_bytes.h"
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

/// Shares the file's memory, which may not be written; a copy where the file's bytes do not lie on whole elements.
at::Tensor viewOf(const std::shared_ptr<const FileMapping>& file, std::uint64_t begin, std::uint64_t end,
                  const std::vector<std::int64_t>& shape, at::ScalarType type) {
  const at::TensorOptions options = at::TensorOptions().dtype(type);
  char* const data = file->at(begin);
  if (begin != end && reinterpret_cast<std::uintptr_t>(data) % c10::elementSize(type) == 0)
    return at::from_blob(
        data, shape, [file](void*) {}, options);
  at::Tensor copy = at::empty(shape, options);
  if (begin != end) std::memcpy(copy.data_ptr(), data, end - begin);
  return copy;
}

Status addFile(const std::string& path, StoredWeights& weights) {
  const Result<SafetensorsLayout> layout = readSafetensorsLayout(path);
  if (!layout.ok()) return layout.error();
  const auto file = FileMapping::open(path, layout->file_bytes);
  if (!file.ok()) return file.error();
  weights.files.push_back(*file);
  for (const auto& [name, entry] : layout->entries) {
    const auto type = scalarTypeOf(entry.dtype);
    if (!type)
      return Error::badInput("{}, tensor \"{}\": its type {} is not supported.", path, clippedName(name), entry.dtype);
    const at::Tensor view =
        viewOf(*file, layout->data_at + entry.begin, layout->data_at + entry.end, entry.shape, *type);
    if (!weights.tensors.emplace(name, view).second)
      return Error::badInput("{}, tensor \"{}\": another of the files holds it too. Keep one of them.", path,
                             clippedName(name));
  }
  return {};
}

/// From the first of its elements to the last.
std::uint64_t spanOf(const at::Tensor& tensor) {
  if (tensor.numel() == 0) return 0;
  std::int64_t elements = 1;
  for (std::int64_t i = 0; i < tensor.dim(); ++i) elements += (tensor.size(i) - 1) * tensor.stride(i);
  return static_cast<std::uint64_t>(elements) * tensor.element_size();
}

template <class Use>
void withinFile(const StoredWeights& weights, const at::Tensor& tensor, const Use& use) {
  const std::uint64_t bytes = spanOf(tensor);
  if (bytes == 0) return;
  for (const auto& file : weights.files)
    if (const auto begin = file->offsetOf(tensor.const_data_ptr())) return use(*file, *begin, *begin + bytes);
}

}  // namespace

void StoredWeights::read(const at::Tensor& tensor) const {
  withinFile(*this, tensor,
             [](const FileMapping& file, std::uint64_t begin, std::uint64_t end) { file.read(begin, end); });
}

void StoredWeights::drop(const at::Tensor& tensor) const {
  withinFile(*this, tensor,
             [](const FileMapping& file, std::uint64_t begin, std::uint64_t end) { file.drop(begin, end); });
}

Result<StoredWeights> mapSafetensors(const std::string& path) {
  const Result<std::set<std::string>> files = filesOf(path);
  if (!files.ok()) return files.error();
  StoredWeights weights;
  for (const std::string& file : *files)
    if (const Status added = addFile(file, weights); !added.ok()) return added.error();
  return weights;
}

}  // namespace lanelab
