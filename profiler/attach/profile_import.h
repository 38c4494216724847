// SPDX-License-Identifier: GPL-3.0-only
// Makes one imported trace of what the ranks of a job answered. No address of the job gets into its folder. Blocks; any
// thread.
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

/// While it lives, a signal that ends the program removes the files of the answers, too.
class RemovedAtTheEnd {
 public:
  explicit RemovedAtTheEnd(const AnswerFolder& answers);
  ~RemovedAtTheEnd();
  RemovedAtTheEnd(const RemovedAtTheEnd&) = delete;
  RemovedAtTheEnd& operator=(const RemovedAtTheEnd&) = delete;
};

struct ImportedJob {
  std::shared_ptr<const ImportedTrace> imported;  ///< of all ranks that answered; null if none did
  std::vector<int> ranks;                         ///< that it is of
  std::vector<MissingRank> missing;               ///< also those whose answer is not a trace
};

/// Joins the answers and writes them into `out`; nothing is written if there is none. An answer that cannot be read
/// does not cost the others. Errors: a folder that cannot be written, or cancelled.
Result<ImportedJob> importProfile(const JobProfile& profile, const std::string& out, const ImportLimits& limits);

}  // namespace lanelab
