// SPDX-License-Identifier: GPL-3.0-only
// Run folders: written as the run goes (aside, then renamed), so that a killed run keeps what it measured.
//
// A folder holds run.json (truth), samples.csv (one row a repeat), steps.csv, lanes.csv, with data.epochs epochs.csv,
// trace-<slug>.json.gz of each variant (written by the caller through tracePath, since engine/run knows no trace files)
// weights-<slug>.safetensors when asked for, and checkpoint-<slug>.safetensors and trace-<slug>.perfetto-trace of a
// repeat that goes.
#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "base/result.h"
#include "engine/record/file_lock.h"
#include "engine/record/run_record.h"

namespace lanelab {

/// Owns a run folder while the run goes; holds a lock file, so that a `running` record without its process reads as
/// interrupted.
class RunFolder {
 public:
  /// `path` must be absent or empty; parents are made. Errors name the path and the fix (exists, read-only, full disk).
  static Result<RunFolder> create(const std::string& path);
  /// What create() would refuse, without making anything.
  static Status checkFree(const std::string& path);
  RunFolder(RunFolder&&) noexcept = default;
  ~RunFolder();

  /// A folder that a run has written, to continue in. Errors name the path: no run, or one that another process is
  /// writing.
  static Result<RunFolder> reopen(const std::string& path);

  /// The folder of a run that another process writes: this one writes nothing there, and says of everything that it is
  /// written.
  static RunFolder ofAnotherProcess(const std::string& path);
  bool writes() const { return m_lock != nullptr; }

  const std::string& path() const { return m_path; }
  /// Writes run.json and the tables beside it.
  Status write(const RunRecord& record);
  /// Takes back what create() and write() made: for a run that could not begin.
  void discard();
  std::string tracePath(const std::string& variant) const { return pathOf("trace-", variant, ".json.gz"); }
  /// While it grows.
  std::string liveTracePath(const std::string& variant) const { return pathOf("trace-", variant, ".perfetto-trace"); }
  std::string weightsPath(const std::string& variant) const { return pathOf("weights-", variant, ".safetensors"); }
  std::string checkpointPath(const std::string& variant) const {
    return pathOf("checkpoint-", variant, ".safetensors");
  }

 private:
  explicit RunFolder(const std::filesystem::path& path);
  Status lock();
  std::string pathOf(const char* prefix, const std::string& variant, const char* extension) const;

  std::string m_path;
  std::shared_ptr<FileLock> m_lock;           ///< none where this process writes nothing
  std::vector<std::filesystem::path> m_made;  ///< outermost first
};

/// Whether a run has written into the folder.
bool holdsRun(const std::string& folder);

/// Whether a process is writing the run in the folder.
bool isInProgress(const std::string& folder);

/// runs/<slug>-<YYYYmmdd-HHMMSS>, with -2, -3 ... when taken.
std::string defaultRunPath(const std::string& runs_root, const std::string& experiment_name);

/// In full, without a slash at the end. Relative if `path` is empty or there is no current folder.
std::filesystem::path wholePath(const std::string& path);
/// `wanted`, or the first of -2, -3 ... behind it that is not taken, with `extension` behind that.
std::string freePath(const std::filesystem::path& wanted, const std::string& extension = {});
/// Errors name folder and fix; a damaged run.json is an error, never a crash.
Result<RunRecord> readRun(const std::string& folder);
/// Where to read a variant's trace: the whole one, or what a killed run left of it.
std::string tracePathOf(const std::string& folder, const std::string& variant);

/// Whether a run folder, damaged or not, is directly below `runs_root`.
bool holdsRuns(const std::string& runs_root);

}  // namespace lanelab
