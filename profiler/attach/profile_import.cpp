// SPDX-License-Identifier: GPL-3.0-only
#include "profiler/attach/profile_import.h"

#include <stdlib.h>

#include <algorithm>
#include <cerrno>
#include <filesystem>
#include <memory>
#include <utility>

#include "base/atomic_file.h"
#include "base/termination.h"
#include "base/text.h"
#include "profiler/io/import/import_folder.h"
#include "profiler/io/import/trace_import.h"
#include "profiler/io/ranks/rank_files.h"

namespace lanelab {
namespace {

namespace fs = std::filesystem;

/// The nearest folder above `target` that is there.
fs::path folderAbove(const std::string& target) {
  std::error_code none;
  fs::path folder = fs::absolute(target, none).lexically_normal();
  if (!folder.has_filename()) folder = folder.parent_path();
  do {
    folder = folder.parent_path();
  } while (folder.has_relative_path() && !fs::is_directory(folder, none));
  return folder;
}

/// The sentence with the rank in the place of its file, which is gone when a user reads it.
Message aboutRank(Message said, const RankTrace& trace) {
  if (said.code == nullptr) return said;
  for (Message& value : said.values)
    if (value.message == trace.file) value = sentence("the answer of rank {}", trace.rank);
  return composed(said.code, std::move(said.values));
}

ReadImport readAll(const std::vector<RankTrace>& traces, const ImportLimits& limits) {
  std::vector<std::string> files;
  for (const RankTrace& trace : traces) files.push_back(trace.file);
  ReadImport read = importRanks(files, limits);
  return !read.ok() && limits.stop.stop_requested() ? Error::cancelled(verbatim(read.error().message)) : read;
}

/// Moves the traces that cannot be read to the missing ones.
void dropUnreadable(JobProfile& profile, const ImportLimits& limits) {
  std::erase_if(profile.traces, [&](const RankTrace& trace) {
    const ReadImport read = importTrace(trace.file, {limits.unpacked_bytes, limits.stop});
    if (!read.ok() && !limits.stop.stop_requested())
      profile.missing.push_back({trace.rank, aboutRank(read.error(), trace)});
    return !read.ok();
  });
}

/// A second file of a rank was left out: two addresses lead to one rank.
void dropDoubled(JobProfile& profile, const ImportedTrace& imported) {
  if (profile.traces.size() < 2) return;
  std::erase_if(profile.traces, [&](const RankTrace& trace) {
    const std::string name = fs::path(trace.file).filename().string();
    const auto of_trace = [&](const JoinedRank& rank) { return rank.file == name; };
    if (imported.ranks.empty() ? &trace == &profile.traces.front() : std::ranges::any_of(imported.ranks, of_trace))
      return false;
    profile.missing.push_back({trace.rank, sentence("Its answer is of another rank, which answered, too. Check the "
                                                    "addresses of the ranks.")});
    return true;
  });
}

std::string ranksText(const std::vector<int>& ranks) {
  std::vector<std::string> numbers;
  for (const int rank : ranks) numbers.push_back(std::to_string(rank));
  return (ranks.size() == 1 ? "rank " : "ranks ") + joinAnd(numbers);
}

/// A trace of one rank does not say by itself that others are missing.
std::shared_ptr<const ImportedTrace> withMissing(std::shared_ptr<const ImportedTrace> imported,
                                                 const std::vector<MissingRank>& missing) {
  if (missing.empty() || !imported->ranks.empty()) return imported;
  std::vector<int> ranks;
  for (const MissingRank& rank : missing) ranks.push_back(rank.rank);
  ImportedTrace noted = *imported;
  noted.counts.remarks.push_back("The job's " + ranksText(ranks) + " gave no trace.");
  return std::make_shared<const ImportedTrace>(std::move(noted));
}

}  // namespace

Result<AnswerFolder> AnswerFolder::beside(const std::string& target) {
  const fs::path place = folderAbove(target);
  std::string path = (place / ".lanelab-attach-XXXXXX").string();
  if (::mkdtemp(path.data()) == nullptr) return cannotWrite(place.string(), errno);
  return AnswerFolder(std::move(path));
}

void AnswerFolder::remove(const std::string& path) {
  std::error_code ignored;
  if (!path.empty()) fs::remove_all(path, ignored);
}

RemovedAtTheEnd::RemovedAtTheEnd(const AnswerFolder& answers) {
  setLastAct([folder = answers.path()] { AnswerFolder::remove(folder); });
}

RemovedAtTheEnd::~RemovedAtTheEnd() { setLastAct({}); }

Result<ImportedJob> importProfile(const JobProfile& profile, const std::string& out, const ImportLimits& limits) {
  JobProfile whole = profile;
  const ImportLimits reading{limits.unpacked_bytes, limits.stop, partOf(limits.report, 0, 2)};
  ReadImport read = whole.traces.empty() ? ReadImport(nullptr) : readAll(whole.traces, reading);
  if (!read.ok() && read.error().kind != Error::Kind::Cancelled) {
    dropUnreadable(whole, limits);
    read = whole.traces.empty() ? ReadImport(nullptr) : readAll(whole.traces, reading);
  }
  if (!read.ok()) return read.error();
  if (*read) dropDoubled(whole, **read);
  std::ranges::sort(whole.missing, {}, &MissingRank::rank);
  ImportedJob job{nullptr, {}, std::move(whole.missing)};
  if (!*read) return job;
  for (const RankTrace& trace : whole.traces) job.ranks.push_back(trace.rank);
  job.imported = withMissing(*read, job.missing);
  const WorkControl writing{partOf(limits.report, 1, 2), limits.stop};
  const std::string source = ranksText(job.ranks) + " of a running job";
  if (Status written = writeImport(*job.imported, source, out, writing); !written.ok()) return written.error();
  return job;
}

}  // namespace lanelab
