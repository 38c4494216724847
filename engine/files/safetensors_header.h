// SPDX-License-Identifier: GPL-3.0-only
// The header of a safetensors file, read and checked without trusting any number in it.
//
// Format: u64 little-endian header length, a JSON object name -> {dtype, shape, data_offsets}, then the bytes. Offsets
// are relative to the bytes, in whole, without holes or overlaps (https://github.com/huggingface/safetensors).
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace lanelab {

struct SafetensorsEntry {
  std::string dtype;  ///< "F32", "I64", ...
  std::vector<std::int64_t> shape;
  std::uint64_t begin = 0;  ///< offset into the bytes behind the header
  std::uint64_t end = 0;
};

using SafetensorsHeader = std::map<std::string, SafetensorsEntry>;

/// Bytes of one element; 0 for a type that is not known.
std::uint64_t elementBytes(std::string_view dtype);

/// Longest header that is read.
inline constexpr std::uint64_t kMaxSafetensorsHeader = 100'000'000;

/// `json` is the header's text and `data_bytes` the size of what follows it. Time and memory are in proportion to the
/// text. Errors say what is wrong, without the file's name.
Result<SafetensorsHeader> parseSafetensorsHeader(std::string_view json, std::uint64_t data_bytes);

}  // namespace lanelab
