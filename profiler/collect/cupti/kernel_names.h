// SPDX-License-Identifier: GPL-3.0-only
// Readable names of kernels, whose mangled ones CUPTI hands over as pointers into a module.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <unordered_map>

namespace lanelab {

/// Pointers are compared by what they point to, since a module that is unloaded may give its addresses to another.
class KernelNames {
 public:
  /// The number kept for the name by remember(), or nothing.
  const std::uint32_t* find(const char* mangled);
  void remember(const char* mangled, std::uint32_t number);
  static std::string readable(const char* mangled);

 private:
  struct Recent {
    const char* pointer = nullptr;
    const std::pair<const std::string, std::uint32_t>* entry = nullptr;
  };
  Recent& recent(const char* mangled);

  std::unordered_map<std::string, std::uint32_t> m_numbers;  ///< by mangled name
  std::array<Recent, 1024> m_recent{};  ///< by pointer, so that a long name is compared and not hashed
};

}  // namespace lanelab
