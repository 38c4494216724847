// SPDX-License-Identifier: GPL-3.0-only
// All runs of some folders as entries. What was read once is cached in an SQLite file in each folder (.lanelab/index),
// which is never the truth: it can be deleted at any time, and one that is damaged or of another version is made again.
// Where it cannot be written, the runs are read without it.
#pragma once

#include <memory>
#include <stop_token>
#include <string>
#include <vector>

#include "engine/library/run_entry.h"

namespace lanelab {

/// Used by one thread at a time; entries are values that may go to others.
class RunIndex {
 public:
  /// A folder is one that holds run folders, or a run folder itself. Loads what is cached; reads no run.
  explicit RunIndex(const std::vector<std::string>& folders);
  ~RunIndex();
  RunIndex(RunIndex&&) noexcept;
  RunIndex& operator=(RunIndex&&) noexcept;

  /// Newest first. Valid until the next call that changes them.
  const std::vector<RunEntry>& entries() const { return *m_entries; }
  /// The same as a value for other threads, shared while nothing changes.
  std::shared_ptr<const std::vector<RunEntry>> snapshot() const { return m_entries; }

  /// Reads the runs whose run.json or labels.json changed (time or size), and those in progress. Returns whether any
  /// entry changed.
  bool refresh(const std::stop_token& stop = {});
  /// Reads all runs again, as if nothing were cached.
  void rebuild(const std::stop_token& stop = {});

 private:
  class Root;
  void collect();

  std::vector<Root> m_roots;
  std::shared_ptr<const std::vector<RunEntry>> m_entries;
};

}  // namespace lanelab
