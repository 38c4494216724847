// SPDX-License-Identifier: GPL-3.0-only
// Whether a sanitizer watches this build, which makes each case many times slower: release runs all of them, and a
// sanitizer, which looks at memory and not at figures, a share.
#pragma once

#include <algorithm>
#include <string_view>

namespace lanelab::test {

#ifndef LANELAB_SANITIZE
#define LANELAB_SANITIZE ""  // as CMake's variable
#endif
inline constexpr std::string_view kSanitizers = LANELAB_SANITIZE;
inline constexpr bool kAddressSanitizer = kSanitizers.find("address") != std::string_view::npos;
inline constexpr bool kSanitized = !kSanitizers.empty();

/// How many of `all` cases to run, at least one.
template <class Number>
constexpr Number casesOf(Number all, Number share = 5) {
  return kSanitized ? std::max<Number>(1, all / share) : all;
}
/// From one case to the next.
inline constexpr int strideOf(int stride, int share = 5) { return kSanitized ? stride * share : stride; }

}  // namespace lanelab::test
