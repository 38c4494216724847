// SPDX-License-Identifier: GPL-3.0-only
#include "engine/torch/files/state_dict_zip.h"

#include <ATen/ops/as_strided.h>
#include <ATen/ops/empty.h>

#include <unordered_map>

#include "base/text.h"
#include "engine/files/readable_bytes.h"
#include "engine/files/state_dict_archive.h"
#include "engine/torch/devices/available_memory.h"
#include "engine/torch/devices/torch_errors.h"
#include "engine/torch/files/tensor_file.h"

namespace lanelab {

namespace {

/// Each storage is read once.
class Storages {
 public:
  explicit Storages(const ZipArchive& archive) : m_archive(archive) {}

  Result<at::Tensor> of(const StoredTensor& tensor) {
    at::Tensor& storage = m_storages[tensor.record];
    if (storage.defined()) return storage;
    const auto type = scalarTypeOf(tensor.dtype);
    if (!type) return Error::badInput("its type {} is not supported", tensor.dtype);
    const ZipRecord& record = *m_archive.find(tensor.record);
    // Whole bytes first: a storage may end in a part of an element.
    at::Tensor bytes = at::empty({static_cast<std::int64_t>(record.bytes)}, at::TensorOptions().dtype(at::kByte));
    if (record.bytes > 0) {
      if (const Status read = m_archive.read(record, bytes.data_ptr()); !read.ok()) return read.error();
    }
    const auto whole = tensor.storage_elements * static_cast<std::int64_t>(c10::elementSize(*type));
    return storage = bytes.narrow(0, 0, whole).view(*type);
  }

 private:
  const ZipArchive& m_archive;
  std::unordered_map<std::string, at::Tensor> m_storages;
};

Result<TensorMap> readTensors(const StateDictArchive& dict) {
  if (static_cast<double>(dict.bytes) > 0.9 * static_cast<double>(availableMemory()))
    return Error::badInput("its {} of tensors do not fit into memory",
                           formatBytes(static_cast<std::int64_t>(dict.bytes)));
  Storages storages(dict.archive);
  TensorMap tensors;
  for (const auto& [name, stored] : dict.tensors) {
    Result<at::Tensor> storage = storages.of(stored);
    if (!storage.ok()) return storage.error();
    tensors[name] = at::as_strided(*storage, stored.shape, stored.strides, stored.offset).contiguous();
  }
  return tensors;
}

Result<TensorMap> readArchive(const std::string& path) {
  Result<ReadableBytes> source = openBytes(path);
  if (!source.ok()) return source.error();
  const Result<StateDictArchive> dict = openStateDict(std::move(*source));
  if (!dict.ok()) return dict.error();
  try {
    return readTensors(*dict);
  } catch (const std::exception& error) {
    return Error::badInput(verbatim(plainMessage(error)));
  }
}

}  // namespace

Result<TensorMap> readStateDictZip(const std::string& path) {
  Result<TensorMap> tensors = readArchive(path);
  if (tensors.ok()) return tensors;
  return Error::badInput(
      "{} cannot be read as a PyTorch state dict: {}. Save it with torch.save(model.state_dict(), path), or as "
      "safetensors.",
      path, tensors.error());
}

}  // namespace lanelab
