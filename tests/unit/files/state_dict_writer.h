// SPDX-License-Identifier: GPL-3.0-only
// Pickles and archives as torch.save() writes them, and such as only an attacker would.
#pragma once

#include "tests/unit/files/zip_writer.h"

namespace lanelab::test {

inline std::string pickledText(const std::string& text) {
  return "X" + littleEndian(static_cast<std::uint32_t>(text.size())) + text;
}

inline std::string pickledTuple(const std::vector<std::int64_t>& values) {
  std::string items = "(";
  for (const std::int64_t value : values) items += "\x8a\x08" + littleEndian(value);
  return items + "t";
}

/// A call of _rebuild_tensor_v2 on a storage of floats.
inline std::string pickledTensor(const std::vector<std::int64_t>& shape, const std::vector<std::int64_t>& strides,
                                 const std::string& storage = "0") {
  return "ctorch._utils\n_rebuild_tensor_v2\n((" + pickledText("storage") + "ctorch\nFloatStorage\n" +
         pickledText(storage) + pickledText("cpu") + std::string("K\x01tQK\0", 6) + pickledTuple(shape) +
         pickledTuple(strides) + "\x89)tR";
}

/// A dictionary of one entry.
inline std::string pickledDict(const std::string& name, const std::string& value) {
  return "\x80\x02}(" + pickledText(name) + value + "u.";
}

inline std::string stateDict(const std::string& pickle, const std::string& storage) {
  return zipOf(
      {stored("archive/data.pkl", pickle), stored("archive/byteorder", "little"), stored("archive/data/0", storage)});
}

}  // namespace lanelab::test
