// SPDX-License-Identifier: GPL-3.0-only
#include "profiler/attach/profile_import.h"

#include <stdlib.h>

#include <algorithm>
#include <cerrno>
#include <filesystem>
#include <memory>
#include <utility>

#include "base/atomic_file.h"
#include "base/text.h"
#include "profiler/io/import/import_folder.h"
#include "profiler/io/import/trace_import.h"

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

ReadImport readAnswer(const RankTrace& trace, const ImportLimits& limits) {
  ReadImport read = importTrace(trace.file, limits);
  return !read.ok() && limits.stop.stop_requested() ? Error::cancelled(verbatim(read.error().message)) : read;
}

/// What a reader of the folder learns of where the trace came from.
std::string sourceOf(int rank) { return "rank " + std::to_string(rank) + " of a running job"; }

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

Result<ImportedJob> importProfile(JobProfile profile, const std::string& out, const ImportLimits& limits) {
  ImportedJob job{{}, std::move(profile.missing)};
  const bool one = profile.traces.size() + job.missing.size() == 1;
  const auto parts = static_cast<int>(2 * profile.traces.size());
  int part = 0;
  for (const RankTrace& trace : profile.traces) {
    const ImportLimits reading{limits.unpacked_bytes, limits.stop, partOf(limits.report, part++, parts)};
    ReadImport read = readAnswer(trace, reading);
    std::error_code ignored;
    fs::remove(trace.file, ignored);
    const WorkControl writing{partOf(limits.report, part++, parts), limits.stop};
    if (!read.ok() && read.error().kind == Error::Kind::Cancelled) return read.error();
    if (!read.ok()) {
      job.missing.push_back({trace.rank, aboutRank(read.error(), trace)});
      continue;
    }
    const std::string folder = one ? out : (fs::path(out) / ("rank" + std::to_string(trace.rank))).string();
    if (Status written = writeImport(**read, sourceOf(trace.rank), folder, writing); !written.ok())
      return written.error();
    job.ranks.push_back({trace.rank, folder, std::move(*read)});
  }
  std::ranges::sort(job.missing, {}, &MissingRank::rank);
  return job;
}

}  // namespace lanelab
