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
#if defined(__SANITIZE_THREAD__)
inline constexpr bool kThreadSanitizer = true;
#elif defined(__has_feature)
inline constexpr bool kThreadSanitizer = __has_feature(thread_sanitizer);
#else
inline constexpr bool kThreadSanitizer = false;
#endif
inline constexpr bool kSanitized = kAddressSanitizer || kThreadSanitizer;

/// How many of `all` cases to run, at least one.
template <class Number>
constexpr Number casesOf(Number all, Number share = 5) {
  return kSanitized ? std::max<Number>(1, all / share) : all;
}
/// From one case to the next.
inline constexpr int strideOf(int stride, int share = 5) { return kSanitized ? stride * share : stride; }

}  // namespace lanelab::test
