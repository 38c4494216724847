// SPDX-License-Identifier: GPL-3.0-only
#include "ui/session/session_file.h"

#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <random>
#include <utility>
#include <vector>

#include "base/atomic_file.h"
#include "base/fingerprint.h"
#include "base/whole_file.h"
#include "engine/record/file_lock.h"

namespace lanelab {

namespace {

namespace fs = std::filesystem;

constexpr std::uint64_t kLargestSession = 64U << 20U;
constexpr const char* kExtension = ".session";

std::string lockOf(const std::string& path) { return path + ".lock"; }

std::string newPath(const std::string& folder) {
  std::random_device random;
  const std::uint64_t number = (std::uint64_t(random()) << 32U) | random();
  return (fs::path(folder) / ("window-" + std::to_string(::getpid()) + '-' + hexDigits(number) + kExtension)).string();
}

/// Absolute, without links, so that one file has one name.
fs::path samePath(const std::string& path) {
  std::error_code error;
  const fs::path found = fs::weakly_canonical(path, error);
  return error ? fs::path(path) : found;
}

bool comesFirst(const SessionFile::Claimed& a, const SessionFile::Claimed& b) {
  return std::pair(a.state.isUnsaved(), a.state.time) > std::pair(b.state.isUnsaved(), b.state.time);
}

std::vector<SessionFile::Claimed> endedWindows(const std::string& folder) {
  std::vector<SessionFile::Claimed> ended;
  for (const std::string& path : SessionFile::allIn(folder))
    if (auto claimed = SessionFile::claim(path)) ended.push_back(std::move(*claimed));
  std::sort(ended.begin(), ended.end(), comesFirst);
  return ended;
}

bool isWanted(const SessionState& state, const std::string& wanted, bool reopen) {
  if (wanted.empty()) return state.isUnsaved() || reopen;
  return state.isUnsaved() && !state.path.empty() && samePath(state.path) == samePath(wanted);
}

}  // namespace

std::string userSessionFolder() {
  const char* const state = std::getenv("XDG_STATE_HOME");
  if (state != nullptr && *state == '/') return (fs::path(state) / "lanelab").string();
  const char* const home = std::getenv("HOME");
  return (fs::path(home != nullptr && *home == '/' ? home : "/tmp") / ".local" / "state" / "lanelab").string();
}

SessionFile::SessionFile(std::string path, std::unique_ptr<FileLock> lock)
    : m_path(std::move(path)), m_lock(std::move(lock)) {}
SessionFile::SessionFile(SessionFile&&) noexcept = default;
SessionFile& SessionFile::operator=(SessionFile&&) noexcept = default;
SessionFile::~SessionFile() = default;

Result<SessionFile> SessionFile::create(const std::string& folder) {
  std::error_code error;
  fs::create_directories(folder, error);
  if (error) return Error::failed("The folder {} cannot be made: {}. Check its permissions.", folder, error.message());
  std::string path = newPath(folder);
  auto lock = std::make_unique<FileLock>(FileLock::take(lockOf(path)));
  if (!lock->ok()) return cannotWrite(path, errno);
  return SessionFile(std::move(path), std::move(lock));
}

std::optional<SessionFile::Claimed> SessionFile::claim(const std::string& path) {
  auto lock = std::make_unique<FileLock>(FileLock::take(lockOf(path)));
  if (!lock->ok()) return std::nullopt;
  const Result<std::string> text = readWholeFile(path, kLargestSession);
  if (!text.ok()) return std::nullopt;
  Result<SessionState> state = parseSession(*text, path);
  if (!state.ok()) return std::nullopt;
  return Claimed{SessionFile(path, std::move(lock)), std::move(*state)};
}

std::vector<std::string> SessionFile::allIn(const std::string& folder) {
  std::vector<std::string> paths;
  std::error_code error;
  for (const auto& entry : fs::directory_iterator(folder, error))
    if (entry.path().extension() == kExtension) paths.push_back(entry.path().string());
  return paths;
}

/// What a killed program wrote the kernel has all the same: only a power cut asks for more, and a slow disk would hold
/// the window up.
Status SessionFile::write(const SessionState& state) const {
  return writeFileAtomically(m_path, toJson(state), Durable::No);
}

void SessionFile::remove() const { ::unlink(m_path.c_str()); }

SessionStart startSession(const std::string& folder, const std::string& wanted, bool reopen) {
  SessionStart start;
  for (SessionFile::Claimed& ended : endedWindows(folder)) {
    if (!start.state && isWanted(ended.state, wanted, reopen)) {
      start.state = std::move(ended.state);
      start.file = std::move(ended.file);
    } else if (!ended.state.isUnsaved()) {
      ended.file.remove();
    } else {
      start.waiting += 1;
    }
  }
  if (start.file) return start;
  Result<SessionFile> made = SessionFile::create(folder);
  if (made.ok())
    start.file = std::move(*made);
  else
    start.written = made.error();
  return start;
}

}  // namespace lanelab
