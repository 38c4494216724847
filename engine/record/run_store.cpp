// SPDX-License-Identifier: GPL-3.0-only
#include "engine/record/run_store.h"

#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <ctime>
#include <filesystem>

#include "base/atomic_file.h"
#include "base/termination.h"
#include "base/text.h"
#include "base/whole_file.h"
#include "engine/record/begun_record.h"
#include "engine/record/file_lock.h"
#include "engine/record/run_tables.h"

namespace lanelab {
namespace {

namespace fs = std::filesystem;

constexpr const char* kRecordFile = "run.json";
constexpr const char* kLockFile = ".lock";
constexpr std::uint64_t kLargestRecord = 1ull << 30;

/// Makes `path` and its missing parents; `made` gets those that were missing, outermost first.
Status makeFolders(const fs::path& path, std::vector<fs::path>& made) {
  std::vector<fs::path> missing;
  std::error_code error;
  for (fs::path at = path; !at.empty() && !fs::exists(fs::symlink_status(at, error)); at = at.parent_path())
    missing.push_back(at);
  std::reverse(missing.begin(), missing.end());
  for (const fs::path& folder : missing) {
    if (::mkdir(folder.c_str(), 0777) != 0 && errno != EEXIST) {
      const int reason = errno;
      return writeError(reason,
                        sentence("The run folder {} cannot be made: {}.", folder.string(), reasonNotWritten(reason)));
    }
    made.push_back(folder);
  }
  return {};
}

std::string lockPath(const std::string& folder) { return (fs::path(folder) / kLockFile).string(); }

Error inUse(const std::string& folder) {
  return Error::badInput("Another process is using the run folder {}. Name another one.", folder);
}

Error notEmpty(const std::string& folder) {
  return Error::badInput("The run folder {} is not empty. Name another one, or remove its files first.", folder);
}

/// Whether a folder holds nothing but the lock.
bool holdsNothing(const fs::path& folder, std::error_code& error) {
  for (fs::directory_iterator it(folder, error), end; !error && it != end; it.increment(error)) {
    if (it->path().filename() != kLockFile) return false;
  }
  return !error;
}

/// Of the clock on the wall, for names.
std::string localNow() {
  const std::time_t now = std::time(nullptr);
  std::tm parts{};
  ::localtime_r(&now, &parts);
  char text[32];
  std::strftime(text, sizeof text, "%Y%m%d-%H%M%S", &parts);
  return text;
}

/// The record of a run whose process is ended in the middle: what was measured, as cancelled. Without a wait for the
/// disk, which nothing can end.
void markCancelled(const std::string& folder) {
  constexpr std::uint64_t kQuicklyRead = 16U << 20U;
  const std::string path = (fs::path(folder) / kRecordFile).string();
  const Result<std::string> text = readWholeFile(path, kQuicklyRead);
  if (!text.ok()) return;
  Result<RunRecord> record = parseRunRecord(*text, path);
  if (!record.ok() || record->status != RunStatus::Running) return;
  record->status = RunStatus::Cancelled;
  record->error = Error::cancelled().message;
  record->finished = utcNow();
  [[maybe_unused]] const Status written = writeFileAtomically(path, toJson(*record), Durable::No);
}

}  // namespace

RunFolder::RunFolder(const fs::path& path) : m_path(path.string()) {}

RunFolder::~RunFolder() {
  if (m_lock) setLastAct({});
}

Status RunFolder::checkFree(const std::string& path) {
  const fs::path folder = wholePath(path);
  if (!folder.is_absolute()) return Error::badInput("The run folder has no name. Name one, such as runs/first.");
  std::error_code error;
  if (!fs::exists(fs::symlink_status(folder, error))) return {};
  if (!fs::is_directory(folder, error))
    return Error::badInput("{} is not a folder. Name a folder that is absent or empty.", path);
  if (isInProgress(folder.string())) return inUse(path);
  const bool empty = holdsNothing(folder, error);
  if (error)
    return Error::failed("The run folder {} cannot be read: {}. Choose another folder.", path, error.message());
  return empty ? Status() : Status(notEmpty(path));
}

Result<RunFolder> RunFolder::create(const std::string& path) {
  if (const Status free = checkFree(path); !free.ok()) return free.error();
  RunFolder run_folder(wholePath(path));
  if (const Status made = makeFolders(run_folder.m_path, run_folder.m_made); !made.ok()) return made.error();
  if (const Status locked = run_folder.lock(); !locked.ok()) return locked.error();
  // A run may have come and gone since the folder was found empty.
  std::error_code error;
  if (!holdsNothing(run_folder.m_path, error)) return notEmpty(path);
  return run_folder;
}

Status RunFolder::lock() {
  auto lock = std::make_shared<FileLock>(FileLock::take(lockPath(m_path)));
  if (!lock->ok()) {
    const int error = errno;
    if (error == EWOULDBLOCK) return inUse(m_path);
    return Error::failed("The run folder {} cannot be used: {}.", m_path, reasonNotWritten(error));
  }
  m_lock = std::move(lock);
  setLastAct([lock = m_lock, path = m_path] {
    if (!lock->holds()) return;
    markCancelled(path);
    lock->remove();
  });
  return {};
}

Result<RunFolder> RunFolder::reopen(const std::string& path) {
  RunFolder run_folder(wholePath(path));
  if (path.empty() || !holdsRun(run_folder.m_path))
    return Error::badInput("{} has no run.json, so there is no run to resume. Name the folder of a run.", path);
  if (const Status locked = run_folder.lock(); !locked.ok()) return locked.error();
  removeLeftParts(run_folder.m_path);
  return run_folder;
}

RunFolder RunFolder::ofAnotherProcess(const std::string& path) {
  std::error_code error;
  return RunFolder(fs::absolute(path, error).lexically_normal());
}

Status RunFolder::write(const RunRecord& record) {
  if (!writes()) return {};
  const Error removed = Error::failed(
      "The run folder {} cannot be written: it was removed or moved in the meantime. Start the run again, and leave "
      "its folder until it ends.",
      m_path);
  if (!m_lock->holds()) return removed;
  // The truth first: on a disk that fills up it shall be what still fits.
  const std::pair<const char*, std::string> files[] = {{kRecordFile, toJson(record)},
                                                       {"samples.csv", samplesCsv(record)},
                                                       {"steps.csv", stepsCsv(record)},
                                                       {"lanes.csv", lanesCsv(record)},
                                                       {"epochs.csv", epochsCsv(record)}};
  for (const auto& [name, content] : files) {
    if (std::string_view(name) == "epochs.csv" && !record.experiment.data.epochs) continue;
    // The record alone waits for the disk: the tables can be made again from it.
    const Durable durable = std::string_view(name) == kRecordFile ? Durable::Yes : Durable::No;
    if (const Status written = writeFileAtomically(fs::path(m_path) / name, content, durable); !written.ok())
      return m_lock->holds() ? written : Status(removed);
  }
  return {};
}

void RunFolder::discard() {
  if (!writes() || !m_lock->holds()) return;
  std::error_code ignored;
  m_lock->remove();
  for (const char* name : {"samples.csv", "steps.csv", "lanes.csv", "epochs.csv", kRecordFile})
    fs::remove(fs::path(m_path) / name, ignored);
  for (auto folder = m_made.rbegin(); folder != m_made.rend(); ++folder) {
    if (::rmdir(folder->c_str()) != 0) return;
  }
}

std::string RunFolder::pathOf(const char* prefix, const std::string& variant, const char* extension) const {
  return (fs::path(m_path) / (prefix + slug(variant) + extension)).string();
}

bool holdsRun(const std::string& folder) {
  std::error_code error;
  return fs::exists(fs::path(folder) / kRecordFile, error);
}

bool isInProgress(const std::string& folder) { return FileLock::isHeld(lockPath(folder)); }

std::string tracePathOf(const std::string& folder, const std::string& variant) {
  const fs::path prefix = fs::path(folder) / "trace-";
  const std::string whole = prefix.string() + slug(variant) + ".json.gz";
  std::error_code error;
  if (fs::exists(whole, error)) return whole;
  // Earlier versions did not shorten names, and wrote what a killed run left as .lltrace, which is known to the reader
  // only to say so.
  for (const std::string& name : {slug(variant) + ".perfetto-trace", wholeSlug(variant) + ".json.gz",
                                  slug(variant) + ".lltrace", wholeSlug(variant) + ".lltrace"})
    if (fs::exists(prefix.string() + name, error)) return prefix.string() + name;
  return whole;
}

std::string defaultRunPath(const std::string& runs_root, const std::string& experiment_name) {
  const std::string name = slug(experiment_name);
  return freePath(fs::path(runs_root) / ((name.empty() ? "run" : name) + "-" + localNow()));
}

fs::path wholePath(const std::string& path) {
  std::error_code ignored;
  const fs::path whole = fs::absolute(path, ignored).lexically_normal();
  return whole.has_filename() ? whole : whole.parent_path();
}

std::string freePath(const fs::path& wanted, const std::string& extension) {
  std::string path = wanted.string() + extension;
  std::error_code ignored;
  for (int i = 2; fs::exists(fs::symlink_status(path, ignored)); ++i)
    path = wanted.string() + "-" + std::to_string(i) + extension;
  return path;
}

Result<RunRecord> readRun(const std::string& folder) {
  const std::string path = (fs::path(folder) / kRecordFile).string();
  std::error_code error;
  if (!fs::is_directory(folder, error))
    return Error::badInput("{} is not a run folder. Name a folder with a run.json.", folder);
  if (!fs::exists(path, error))
    return Error::badInput("{} has no run.json, so it is not a run folder. Name the folder of a run.", folder);
  Result<std::string> text = readWholeFile(path, kLargestRecord);
  if (!text.ok()) return text.error();
  Result<RunRecord> record = parseRunRecord(*text, path);
  if (!record.ok()) return record;
  if (record->status == RunStatus::Running && !isInProgress(folder)) record->status = RunStatus::Interrupted;
  return record;
}

bool holdsRuns(const std::string& runs_root) {
  std::error_code error;
  for (fs::directory_iterator it(runs_root, error), end; !error && it != end; it.increment(error))
    if (holdsRun(it->path().string())) return true;
  return false;
}

}  // namespace lanelab
