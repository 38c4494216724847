// SPDX-License-Identifier: GPL-3.0-only
#include "engine/library/run_index.h"

#include <sys/stat.h>

#include <chrono>
#include <filesystem>

#include "engine/library/index_file.h"
#include "engine/library/run_query.h"
#include "engine/record/run_store.h"

namespace lanelab {
namespace {

namespace fs = std::filesystem;

constexpr std::int64_t kSecond = 1'000'000'000;

FileStamp stampOfFile(const std::string& path) {
  struct stat info {};
  if (::stat(path.c_str(), &info) != 0) return {};
  return {info.st_mtim.tv_sec * kSecond + info.st_mtim.tv_nsec, info.st_size};
}

std::int64_t nowOnClock() {
  return std::chrono::duration_cast<std::chrono::nanoseconds>(std::chrono::system_clock::now().time_since_epoch())
      .count();
}

/// A file may be written twice within the tick of the clock that stamps it: a fresh stamp proves nothing.
bool isFresh(const RunStamp& stamp) { return std::max(stamp.record.time, stamp.labels.time) > nowOnClock() - kSecond; }

bool isUnchanged(const IndexedRun& known, const RunStamp& stamp) {
  if (!(known.stamp == stamp)) return false;
  return known.entry.status != RunStatus::Running || known.entry.damaged || isInProgress(known.entry.folder);
}

}  // namespace

/// A folder of runs, or one run.
class RunIndex::Root {
 public:
  explicit Root(const std::string& path) : m_path(path), m_file(path) { m_runs = m_file.load(); }

  const IndexedRuns& runs() const { return m_runs; }
  void forget() {
    for (auto& [name, run] : m_runs) run.stamp = {};
  }

  /// Whether any entry changed.
  bool refresh(const std::stop_token& stop) {
    IndexedRuns found;
    std::vector<const IndexedRun*> read;
    bool changed = false;
    for (const std::string& folder : folders()) {
      if (stop.stop_requested()) return false;
      const std::string name = fs::path(folder).filename().string();
      const RunStamp stamp{stampOfFile(folder + "/run.json"), stampOfFile(folder + "/labels.json")};
      if (stamp.record.time == 0) continue;
      const auto known = m_runs.find(name);
      if (known != m_runs.end() && isUnchanged(known->second, stamp)) {
        found.insert(*known);
        continue;
      }
      IndexedRun run{isFresh(stamp) ? RunStamp{} : stamp, readEntry(folder)};
      changed = changed || known == m_runs.end() || !(known->second.entry == run.entry);
      read.push_back(&found.emplace(name, std::move(run)).first->second);
    }
    std::vector<std::string> gone;
    for (const auto& [name, run] : m_runs)
      if (!found.contains(name)) gone.push_back(name);
    std::error_code error;  // nothing is made in the place of a folder that is absent, as on a disk that was removed
    if (!isOneRun() && fs::is_directory(m_path, error)) m_file.store(read, gone);
    m_runs = std::move(found);
    return changed || !gone.empty();
  }

 private:
  bool isOneRun() const { return holdsRun(m_path); }

  std::vector<std::string> folders() const {
    if (isOneRun()) return {m_path};
    std::vector<std::string> folders;
    std::error_code error;
    for (fs::directory_iterator it(m_path, error), end; !error && it != end; it.increment(error)) {
      std::error_code ignored;
      if (it->path().filename().native().front() != '.' && it->is_directory(ignored))
        folders.push_back(it->path().string());
    }
    return folders;
  }

  std::string m_path;
  IndexFile m_file;
  IndexedRuns m_runs;
};

RunIndex::RunIndex(const std::vector<std::string>& folders) {
  for (const std::string& folder : folders) m_roots.emplace_back(wholePath(folder).string());
  collect();
}
RunIndex::~RunIndex() = default;
RunIndex::RunIndex(RunIndex&&) noexcept = default;
RunIndex& RunIndex::operator=(RunIndex&&) noexcept = default;

bool RunIndex::refresh(const std::stop_token& stop) {
  bool changed = false;
  for (Root& root : m_roots) changed = root.refresh(stop) || changed;
  if (changed) collect();
  return changed;
}

void RunIndex::rebuild(const std::stop_token& stop) {
  for (Root& root : m_roots) root.forget();
  refresh(stop);
}

void RunIndex::collect() {
  auto all = std::make_shared<std::vector<RunEntry>>();
  for (const Root& root : m_roots)
    for (const auto& [name, run] : root.runs()) all->push_back(run.entry);
  sortRuns(*all, RunSort{});
  m_entries = std::move(all);
}

}  // namespace lanelab
