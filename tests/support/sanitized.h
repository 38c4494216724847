// SPDX-License-Identifier: GPL-3.0-only
// Whether a sanitizer watches this build, which makes each case many times slower: release runs all of them, and a
// sanitizer, which looks at memory and not at figures, a share.
#pragma once

#include <algorithm>

namespace lanelab::test {

#if defined(__SANITIZE_ADDRESS__)
inline constexpr bool kAddressSanitizer = true;
#elif defined(__has_feature)
inline constexpr bool kAddressSanitizer = __has_feature(address_sanitizer);
#else
inline constexpr bool kAddressSanitizer = false;
#endif

/// How many of `all` cases to run, at least one.
template <class Number>
constexpr Number casesOf(Number all, Number share = 5) {
  return kAddressSanitizer ? std::max<Number>(1, all / share) : all;
}
/// From one case to the next.
inline constexpr int strideOf(int stride, int share = 5) { return kAddressSanitizer ? stride * share : stride; }

}  // namespace lanelab::test
