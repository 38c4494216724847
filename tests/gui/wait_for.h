// SPDX-License-Identifier: GPL-3.0-only
// Waits for what a window does in its own time, with an end.
#pragma once

#include <QTest>
#include <functional>

namespace lanelab::test {

inline constexpr int kLimit = 20'000;  ///< ms

/// Handles events until it has happened; false at the limit.
inline bool waitFor(const std::function<bool()>& happened, int limit = kLimit) {
  return QTest::qWaitFor(happened, limit);
}

}  // namespace lanelab::test
