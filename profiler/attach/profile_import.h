// SPDX-License-Identifier: GPL-3.0-only
// Puts what the ranks of a job answered into folders of imported traces. No address of the job gets into them. Blocks;
// any thread.
#pragma once

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "profiler/attach/job_profile.h"
#include "profiler/io/source/import_limits.h"

namespace lanelab {

/// A new folder of the user's own for the answers of a job, beside `target`, so on the same disk; removed with all that
/// it holds when this goes.
class AnswerFolder {
 public:
  static Result<AnswerFolder> beside(const std::string& target);
  AnswerFolder(AnswerFolder&& other) noexcept : m_path(std::exchange(other.m_path, {})) {}
  AnswerFolder& operator=(AnswerFolder&& other) noexcept {
    std::swap(m_path, other.m_path);
    return *this;
  }
  ~AnswerFolder() { remove(m_path); }

  const std::string& path() const { return m_path; }
  static void remove(const std::string& path);

 private:
  explicit AnswerFolder(std::string path) : m_path(std::move(path)) {}
  std::string m_path;
};

struct ImportedRank {
  int rank = 0;
  std::string folder;
  std::shared_ptr<const ImportedTrace> imported;
};

struct ImportedJob {
  std::vector<ImportedRank> ranks;
  std::vector<MissingRank> missing;  ///< also those whose answer is not a trace
};

/// Into `out` itself for a job of one rank, else into OUT/rank<R> each. Answers are removed as they are imported.
/// Errors: a folder that cannot be written, or cancelled.
Result<ImportedJob> importProfile(JobProfile profile, const std::string& out, const ImportLimits& limits);

}  // namespace lanelab
