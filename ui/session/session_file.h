// SPDX-License-Identifier: GPL-3.0-only
// The file of one window in the folder of sessions, locked for as long as the window lives: two windows never write the
// same one, and a file that nobody locks is of a window that ended, in whichever way.
//
// Files are written aside and renamed. Thread: each object is used by one at a time.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "ui/session/session_state.h"

namespace lanelab {

class FileLock;

/// lanelab in $XDG_STATE_HOME, or in ~/.local/state.
std::string userSessionFolder();

class SessionFile {
 public:
  /// A new one; the folder is made if it is absent. Errors name it.
  static Result<SessionFile> create(const std::string& folder);
  /// That of a window that ended, with what it holds. Nothing if its window is open, or another one was faster, or it
  /// cannot be read: it stays where it is then.
  struct Claimed;
  static std::optional<Claimed> claim(const std::string& path);
  /// Those in `folder`, of open windows too.
  static std::vector<std::string> allIn(const std::string& folder);

  SessionFile(SessionFile&&) noexcept;
  SessionFile& operator=(SessionFile&&) noexcept;
  ~SessionFile();  ///< the file stays

  const std::string& path() const { return m_path; }
  /// Errors name the path.
  Status write(const SessionState& state) const;
  void remove() const;

 private:
  SessionFile(std::string path, std::unique_ptr<FileLock> lock);

  std::string m_path;
  std::unique_ptr<FileLock> m_lock;
};

struct SessionFile::Claimed {
  SessionFile file;
  SessionState state;
};

/// What a window begins with.
struct SessionStart {
  std::optional<SessionFile> file;    ///< of this window; none if it cannot be written
  std::optional<SessionState> state;  ///< where the user was, to be restored
  int waiting = 0;                    ///< windows that were lost with unsaved edits and are not restored here
  Status written;                     ///< why there is no file
};

/// Chooses among the windows that ended: one with unsaved edits first, of the file `wanted` if one is named, the newest
/// among several; without `wanted` and unsaved edits the newest, if `reopen`. Older ones without unsaved edits are
/// removed; others wait for the next start.
SessionStart startSession(const std::string& folder, const std::string& wanted, bool reopen);

}  // namespace lanelab
