// SPDX-License-Identifier: GPL-3.0-only
// Small zip archives that tests write themselves, also wrong ones.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace lanelab::test {

template <class T>
std::string littleEndian(T value) {
  return std::string(reinterpret_cast<const char*>(&value), sizeof value);
}

struct ZipPart {
  std::string name;
  std::string packed;
  std::uint32_t bytes = 0;  ///< unpacked
  std::uint16_t method = 0;
  std::uint32_t crc = 0;
};

inline ZipPart stored(std::string name, std::string bytes) {
  const auto size = static_cast<std::uint32_t>(bytes.size());
  return {std::move(name), std::move(bytes), size, 0, 0};
}

/// Without checksums unless parts have them, as torch.save() can write it.
inline std::string zipOf(const std::vector<ZipPart>& parts) {
  std::string file, directory;
  for (const ZipPart& part : parts) {
    const std::string sizes = littleEndian(part.crc) + littleEndian(static_cast<std::uint32_t>(part.packed.size())) +
                              littleEndian(part.bytes) + littleEndian(static_cast<std::uint16_t>(part.name.size())) +
                              littleEndian<std::uint16_t>(0);
    const std::string common = littleEndian<std::uint16_t>(20) + littleEndian<std::uint16_t>(0) +
                               littleEndian(part.method) + littleEndian<std::uint32_t>(0);
    directory += "PK\1\2" + littleEndian<std::uint16_t>(20) + common + sizes + std::string(10, '\0') +
                 littleEndian(static_cast<std::uint32_t>(file.size())) + part.name;
    file += "PK\3\4" + common + sizes + part.name + part.packed;
  }
  const auto count = littleEndian(static_cast<std::uint16_t>(parts.size()));
  return file + directory + "PK\5\6" + std::string(4, '\0') + count + count +
         littleEndian(static_cast<std::uint32_t>(directory.size())) +
         littleEndian(static_cast<std::uint32_t>(file.size())) + std::string(2, '\0');
}

}  // namespace lanelab::test
