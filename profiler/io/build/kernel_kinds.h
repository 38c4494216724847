// SPDX-License-Identifier: GPL-3.0-only
// What a span is that a file calls a kernel, as its name says.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "profiler/io/build/gpu_names.h"
#include "profiler/trace/communication.h"
#include "profiler/trace/name_table.h"
#include "profiler/trace/span.h"

namespace lanelab {

/// Files have one category for kernels that compute and those that communicate; MTIA's and unitrace's have copies and
/// what orders streams as well. Each name is looked at once.
class KernelKinds {
 public:
  /// `names` must outlive this. `mtia` and `any` are the labels of spans of MTIA's category and of one for all work of
  /// a GPU, 0 if the file has none.
  KernelKinds(const NameTable& names, std::uint16_t mtia, std::uint16_t any)
      : m_names(names), m_mtia(mtia), m_any(any) {}

  /// That of the span itself unless it is a kernel.
  Category of(const Span& span) {
    if (span.category != Category::Kernel) return span.category;
    const Source source = span.label == 0        ? Source::Kernels
                          : span.label == m_mtia ? Source::Mtia
                          : span.label == m_any  ? Source::AnyWork
                                                 : Source::Kernels;
    std::vector<std::optional<Category>>& known = m_known[static_cast<std::size_t>(source)];
    if (known.size() <= span.name) known.resize(m_names.size());
    std::optional<Category>& category = known[span.name];
    if (!category) category = kindOf(m_names.textOf(span.name), source);
    return *category;
  }

 private:
  enum class Source : std::uint8_t { Kernels, Mtia, AnyWork };
  static Category kindOf(std::string_view name, Source source) {
    const bool mtia = source == Source::Mtia;
    if (mtia && name.starts_with("dma")) return Category::Memcpy;
    if (mtia && (name.starts_with("event_") || name.find("Sync") != std::string_view::npos)) return Category::Other;
    const Category kind = source == Source::AnyWork ? deviceWorkOf(name) : Category::Kernel;
    if (kind != Category::Kernel) return kind;
    return isCommunicationKernel(name) ? Category::Communication : Category::Kernel;
  }

  const NameTable& m_names;
  std::uint16_t m_mtia;
  std::uint16_t m_any;
  std::array<std::vector<std::optional<Category>>, 3> m_known;  ///< by source and name
};

}  // namespace lanelab
