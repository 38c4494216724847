// SPDX-License-Identifier: GPL-3.0-only
// The cache of a runs folder: an SQLite file with a row per run and per variant. Whatever goes wrong with it, the runs
// hold all of it, so nothing here is an error: a file that cannot be used loads as empty and stores nothing.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "engine/library/run_entry.h"

struct sqlite3;

namespace lanelab {

/// Zeros for a file that is not there.
struct FileStamp {
  std::int64_t time = 0;  ///< ns
  std::int64_t size = 0;
  bool operator==(const FileStamp&) const = default;
};

/// Of a run's files when it was read. All 0: never.
struct RunStamp {
  FileStamp record, labels;
  bool operator==(const RunStamp&) const = default;
};

struct IndexedRun {
  RunStamp stamp;
  RunEntry entry;
};

/// By the name of the run's folder. Used by one thread at a time.
using IndexedRuns = std::map<std::string, IndexedRun>;

class IndexFile {
 public:
  /// Of the runs folder `root`; opened when it is used.
  explicit IndexFile(std::string root);

  IndexedRuns load();
  /// Writes these runs and forgets those of the names in `gone`.
  void store(const std::vector<const IndexedRun*>& runs, const std::vector<std::string>& gone);

 private:
  struct Close {
    void operator()(sqlite3* database) const;
  };
  using Database = std::unique_ptr<sqlite3, Close>;
  sqlite3* opened(bool make);
  static Database open(const std::string& path, bool make);

  std::string m_root;
  Database m_database;
  bool m_unusable = false;
};

}  // namespace lanelab
