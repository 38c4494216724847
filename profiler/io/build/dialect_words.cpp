// SPDX-License-Identifier: GPL-3.0-only
#include "profiler/io/build/dialect_words.h"

#include <algorithm>
#include <array>

namespace lanelab {

namespace {

// In the order of the enumerators.
constexpr std::array<std::string_view, 3> kOrigins = {"measured", "replayed", "predicted"};
constexpr std::array<std::string_view, 6> kKinds = {"compute", "detail", "transfer", "host", "stream", "step"};

template <class Enum, std::size_t n>
std::optional<Enum> find(const std::array<std::string_view, n>& words, std::string_view word) {
  const auto found = std::find(words.begin(), words.end(), word);
  if (found == words.end()) return std::nullopt;
  return static_cast<Enum>(found - words.begin());
}

}  // namespace

std::string_view toString(Origin origin) { return kOrigins.at(static_cast<std::size_t>(origin)); }
std::string_view toString(Track::Kind kind) { return kKinds.at(static_cast<std::size_t>(kind)); }
std::optional<Origin> originOf(std::string_view word) { return find<Origin>(kOrigins, word); }
std::optional<Track::Kind> trackKindOf(std::string_view word) { return find<Track::Kind>(kKinds, word); }

}  // namespace lanelab
