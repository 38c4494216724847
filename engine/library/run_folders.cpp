// SPDX-License-Identifier: GPL-3.0-only
#include "engine/library/run_folders.h"

#include <pwd.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <functional>

#include "base/atomic_file.h"
#include "base/json_table.h"
#include "base/whole_file.h"
#include "engine/record/file_lock.h"
#include "engine/record/run_store.h"

namespace lanelab {
namespace {

namespace fs = std::filesystem;

constexpr int kFoldersSchema = 1;
constexpr std::uint64_t kLargestList = 1U << 20U;

struct AddedFolders {
  std::vector<std::string> folders;
};

fs::path homeFolder() {
  if (const char* home = std::getenv("HOME"); home != nullptr && *home == '/') return home;
  passwd* const user = ::getpwuid(::getuid());
  return user != nullptr && user->pw_dir != nullptr && *user->pw_dir == '/' ? fs::path(user->pw_dir) : fs::path("/tmp");
}

/// XDG base directories have to be absolute; another value counts as not set.
fs::path xdgFolder(const char* variable, const char* below_home) {
  const char* value = std::getenv(variable);
  return value != nullptr && *value == '/' ? fs::path(value) : homeFolder() / below_home;
}

fs::path listPath() { return xdgFolder("XDG_CONFIG_HOME", ".config") / "lanelab" / "run-folders.json"; }

}  // namespace

void fieldsOf(auto& field, StructOf<AddedFolders> auto& added) {
  field.schema(kFoldersSchema);
  field("folders", added.folders);
}

namespace {

/// Reads, changes and writes the list while no other process does.
Status changeAdded(const std::function<void(std::vector<std::string>&)>& change) {
  const fs::path path = listPath();
  std::error_code error;
  fs::create_directories(path.parent_path(), error);
  if (error)
    return Error::failed("The folder {} cannot be made: {}. Check its permissions.", path.parent_path().string(),
                         error.message());
  const Result<FileLock> lock = lockToChange(path.string());
  if (!lock.ok()) return lock.error();
  Result<std::vector<std::string>> added = addedRunFolders();
  if (!added.ok()) return added.error();
  const std::vector<std::string> before = *added;
  change(*added);
  if (*added == before) return {};
  return writeFileAtomically(path.string(), prettyJson(jsonOf(AddedFolders{*added})), Durable::No);
}

}  // namespace

std::string userRunsFolder() { return (xdgFolder("XDG_DATA_HOME", ".local/share") / "lanelab" / "runs").string(); }

std::vector<std::string> RunFolders::all() const {
  std::vector<std::string> folders = {own};
  folders.insert(folders.end(), added.begin(), added.end());
  return folders;
}

RunFolders runFolders(const std::string& chosen, std::string* warning) {
  if (!chosen.empty()) return {wholePath(chosen).string(), {}, true};
  RunFolders folders{userRunsFolder(), {}, false};
  Result<std::vector<std::string>> added = addedRunFolders();
  if (added.ok()) {
    folders.added = std::move(*added);
    std::erase(folders.added, folders.own);
  } else if (warning != nullptr) {
    *warning = added.error().message;
  }
  return folders;
}

Result<std::vector<std::string>> addedRunFolders() {
  const std::string path = listPath().string();
  std::error_code ignored;
  if (!fs::exists(path, ignored)) return std::vector<std::string>();
  const Result<std::string> text = readWholeFile(path, kLargestList);
  if (!text.ok()) return text.error();
  return readJson(*text, path, [](FieldErrors& errors, const Json& value) {
    FieldReader field(errors, value, "");
    AddedFolders added;
    fieldsOf(field, added);
    std::erase_if(added.folders, [](const std::string& folder) { return !folder.starts_with('/'); });
    return added.folders;
  });
}

Status addRunFolder(const std::string& folder) {
  const std::string path = wholePath(folder).string();
  std::error_code error;
  if (!fs::is_directory(path, error))
    return Error::badInput("{} is not a folder. Choose a folder that holds runs.", path);
  if (path == userRunsFolder()) return {};
  return changeAdded([&](std::vector<std::string>& added) {
    if (std::ranges::find(added, path) == added.end()) added.push_back(path);
  });
}

Status removeRunFolder(const std::string& folder) {
  const std::string path = wholePath(folder).string();
  const Result<std::vector<std::string>> listed = addedRunFolders();
  if (!listed.ok()) return listed.error();
  if (std::ranges::find(*listed, path) == listed->end())
    return Error::badInput("{} is not in the list of run folders. lanelab-cli runs folders prints the list.", path);
  return changeAdded([&](std::vector<std::string>& added) { std::erase(added, path); });
}

}  // namespace lanelab
