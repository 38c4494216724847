// SPDX-License-Identifier: GPL-3.0-only
// Weights in memory-mapped safetensors files: tensors that are views of the file, read from disk when they are touched
// or asked for ahead.
//
// One file, or the shards of a larger network: a folder with model.safetensors.index.json (or one .safetensors), or
// that index itself. Any thread.
#pragma once

#include <ATen/core/Tensor.h>

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "base/result.h"

namespace lanelab {

class FileMapping;

class MappedTensors {
 public:
  /// Checks the headers of all files, not the values. Errors (BadInput) name the file, what is wrong and the fix.
  static Result<MappedTensors> open(const std::string& path);

  bool contains(const std::string& name) const { return m_tensors.contains(name); }
  std::vector<std::string> names() const;
  std::vector<std::shared_ptr<const FileMapping>> files() const;
  const std::vector<std::int64_t>& shape(const std::string& name) const { return m_tensors.at(name).shape; }
  at::ScalarType type(const std::string& name) const { return m_tensors.at(name).type; }
  std::int64_t bytes(const std::string& name) const;

  /// Shares the file's memory, which may not be written; a copy where the file's bytes do not lie on whole elements.
  at::Tensor view(const std::string& name) const;
  /// Reads the tensor's pages from disk unless they are in memory, and maps them; returns when that is done.
  void read(const std::string& name) const;
  /// Unmaps the tensor's whole pages: they no longer count as this process's memory. Views stay good and read them
  /// again.
  void drop(const std::string& name) const;

 private:
  struct Place {
    std::shared_ptr<const FileMapping> file;
    std::uint64_t begin = 0, end = 0;  ///< in the file
    std::vector<std::int64_t> shape;
    at::ScalarType type = at::kFloat;
  };
  Status add(const std::string& path);

  std::map<std::string, Place> m_tensors;
};

}  // namespace lanelab
