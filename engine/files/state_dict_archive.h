// SPDX-License-Identifier: GPL-3.0-only
// A state dict that torch.save() wrote, as names and places of its tensors: nothing in it is run, and no value is read
// yet.
//
// A zip archive with a pickle and one record a storage. An own reader of the few pickle instructions that a state dict
// uses: a general unpickler may run code, and here every instruction and every global that a state dict does not need
// is an error.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "base/result.h"
#include "engine/files/readable_bytes.h"
#include "engine/files/zip_archive.h"

namespace lanelab {

/// A tensor as a view of a storage, which it does not leave. It has no more elements than the storage.
struct StoredTensor {
  std::string dtype;   ///< as in safetensors: "F32"
  std::string record;  ///< of the storage, in the archive
  std::int64_t storage_elements = 0;
  std::int64_t offset = 0;  ///< in elements, as the strides are
  std::vector<std::int64_t> shape, strides;
};

struct StateDictArchive {
  ZipArchive archive;
  std::map<std::string, StoredTensor> tensors;
  std::uint64_t bytes = 0;  ///< of all storages, and of copies of the tensors that are not contiguous in theirs
};

/// The tensors of a state dict, or of a checkpoint that holds one under "state_dict", "model_state_dict" or "model"; a
/// common prefix "module." (DataParallel) is taken off. Errors (BadInput) are the reason alone, without the file's
/// name.
Result<StateDictArchive> openStateDict(ReadableBytes source);

}  // namespace lanelab
