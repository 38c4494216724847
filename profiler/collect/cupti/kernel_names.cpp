// SPDX-License-Identifier: GPL-3.0-only
#include "profiler/collect/cupti/kernel_names.h"

#include <cxxabi.h>

#include <cstdlib>
#include <memory>
#include <string_view>

namespace lanelab {

KernelNames::Recent& KernelNames::recent(const char* mangled) {
  const auto address = reinterpret_cast<std::uintptr_t>(mangled);
  return m_recent[(address ^ address >> 10U) % m_recent.size()];
}

const std::uint32_t* KernelNames::find(const char* mangled) {
  Recent& last = recent(mangled);
  if (last.pointer == mangled && last.entry != nullptr && last.entry->first == mangled) return &last.entry->second;
  const auto found = m_numbers.find(mangled);
  if (found == m_numbers.end()) return nullptr;
  last = {mangled, &*found};
  return &found->second;
}

void KernelNames::remember(const char* mangled, std::uint32_t number) { m_numbers.emplace(mangled, number); }

std::string KernelNames::readable(const char* mangled) {
  int status = 0;
  const std::unique_ptr<char, void (*)(void*)> text(abi::__cxa_demangle(mangled, nullptr, nullptr, &status), std::free);
  // A plain name such as "f" is also a mangled type.
  return text && std::string_view(mangled).starts_with("_Z") ? text.get() : mangled;
}

}  // namespace lanelab
