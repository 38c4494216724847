// SPDX-License-Identifier: GPL-3.0-only
// A process that may not join a run, or a run that cannot begin, by what the user chose.
#pragma once

#include <stdexcept>

namespace lanelab {

/// What it says is a sentence for the user: what is wrong, on which rank, what to do.
class RankRefused : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// The store went away before this process was part of the run: it was perhaps an earlier run's.
class StoreGone : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

}  // namespace lanelab
