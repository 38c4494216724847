// SPDX-License-Identifier: GPL-3.0-only
// Progress values that long work reports: collected, held to what every one of them promises, or answered by a cancel.
#pragma once

#include <gtest/gtest.h>

#include <vector>

#include "base/progress.h"

namespace lanelab::test {

inline ReportProgress into(std::vector<Progress>& seen) {
  return [&seen](const Progress& progress) { seen.push_back(progress); };
}

/// One total from the start, units that never fall, all of them done at the end, and each phase named.
inline void expectSteadyProgress(const std::vector<Progress>& seen) {
  ASSERT_GE(seen.size(), 2u);
  EXPECT_GT(seen.front().total, 0);
  EXPECT_LT(seen.front().done, seen.front().total);
  EXPECT_EQ(seen.back().done, seen.back().total);
  for (std::size_t i = 0; i < seen.size(); ++i) {
    EXPECT_EQ(seen[i].total, seen.front().total) << i;
    EXPECT_FALSE(seen[i].phase.empty()) << i;
    if (i > 0) {
      EXPECT_GE(seen[i].done, seen[i - 1].done) << i;
    }
  }
}

/// Requests a stop at the n-th value (from 1) and counts what comes all the same.
class CancelAfter {
 public:
  explicit CancelAfter(int values) : m_values(values) {}
  WorkControl control() {
    return {[this](const Progress&) {
              if (++m_seen == m_values) m_stop.request_stop();
            },
            m_stop.get_token()};
  }
  int seen() const { return m_seen; }

 private:
  int m_values;
  int m_seen = 0;
  std::stop_source m_stop;
};

}  // namespace lanelab::test
