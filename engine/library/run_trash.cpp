// SPDX-License-Identifier: GPL-3.0-only
#include "engine/library/run_trash.h"

#include <algorithm>
#include <filesystem>

#include "base/atomic_file.h"
#include "engine/library/own_folder.h"
#include "engine/record/begun_record.h"
#include "engine/record/run_store.h"

namespace lanelab {
namespace {

namespace fs = std::filesystem;

constexpr const char* kTimeFormat = "%Y%m%dT%H%M%SZ";
constexpr std::size_t kTimeLength = 16;

/// None for a name that trashRun() did not make.
std::optional<std::time_t> timeIn(const std::string& name) {
  std::tm parts{};
  const char* end = ::strptime(name.c_str(), kTimeFormat, &parts);
  if (end != name.c_str() + kTimeLength || *end != '-' || end[1] == '\0') return std::nullopt;
  return ::timegm(&parts);
}

Error notMoved(const std::string& from, const std::string& to, const std::error_code& error) {
  return writeError(error.value(), "{} cannot be moved to {}: {}.", from, to, reasonNotWritten(error.value()));
}

}  // namespace

Result<TrashedRun> trashRun(const std::string& folder) {
  const fs::path original = wholePath(folder);
  std::error_code error;
  if (fs::is_symlink(original, error) || !holdsRun(original.string()))
    return Error::badInput("{} is not a run folder, so it was not deleted.", original.string());
  if (isInProgress(original.string()))
    return Error::badInput("The run in {} is in progress. Stop it before you delete it.", original.string());
  const Result<std::string> trash = makeOwnFolder(original.parent_path().string(), "trash");
  if (!trash.ok()) return trash.error();
  std::time_t now = std::time(nullptr);
  fs::path target;
  do {  // one run can be deleted, made again and deleted within a second
    target = fs::path(*trash) / (utcText(now++, kTimeFormat) + "-" + original.filename().string());
  } while (fs::exists(fs::symlink_status(target, error)));
  fs::rename(original, target, error);
  if (error) return notMoved(original.string(), target.string(), error);
  return TrashedRun{target.string(), original.string(), utcText(now - 1)};
}

Result<std::string> restoreRun(const TrashedRun& run) {
  std::error_code error;
  const std::string target = freePath(run.original);
  fs::rename(run.folder, target, error);
  if (error) return notMoved(run.folder, target, error);
  return target;
}

std::vector<TrashedRun> trashedRuns(const std::string& root) {
  std::vector<TrashedRun> runs;
  std::error_code error;
  const fs::path below = wholePath(root);
  for (fs::directory_iterator it(ownFolder(below.string(), "trash"), error), end; !error && it != end;
       it.increment(error)) {
    const std::string name = it->path().filename().string();
    const auto time = timeIn(name);
    std::error_code ignored;
    if (!time || !it->is_directory(ignored) || it->is_symlink(ignored)) continue;
    runs.push_back({it->path().string(), (below / name.substr(kTimeLength + 1)).string(), utcText(*time)});
  }
  std::ranges::sort(runs, [](const TrashedRun& a, const TrashedRun& b) {
    return std::tie(a.deleted, a.folder) > std::tie(b.deleted, b.folder);
  });
  return runs;
}

Result<int> emptyTrash(const std::string& root, int days) {
  const std::string latest = utcText(std::time(nullptr) - std::time_t{days} * 24 * 3600);
  int removed = 0;
  for (const TrashedRun& run : trashedRuns(root)) {
    if (days > 0 && run.deleted > latest) continue;
    std::error_code error;
    fs::remove_all(run.folder, error);
    if (error) return Error::failed("{} cannot be removed: {}. Check its permissions.", run.folder, error.message());
    ++removed;
  }
  return removed;
}

}  // namespace lanelab
