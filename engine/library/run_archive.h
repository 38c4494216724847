// SPDX-License-Identifier: GPL-3.0-only
// A run as one file to share: a zip archive of its folder with its experiment and report, that opens on another
// machine.
//
// Everything is in one folder named after the run: run.json, the tables, traces, labels, bookmarks, experiment.json
// and report.html. Weights and checkpoints, which may be gigabytes, are left out. An archive from others is read within
// limits, only files directly in that folder are extracted, and none under a name that means another place.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "base/progress.h"
#include "base/result.h"

namespace lanelab {

/// What reading an archive may cost.
struct ArchiveLimits {
  std::size_t files = 4096;
  std::uint64_t packed_file_bytes = 256ULL << 20U;  ///< of a deflated file, unpacked
  std::uint64_t file_bytes = 2ULL << 30U;           ///< of a stored one
  std::uint64_t bytes = 8ULL << 30U;                ///< of all
};

/// The names of the files that others get of a run folder: all directly in it but weights, checkpoints and hidden ones,
/// experiment.json and report.html, which are written again. Sorted.
std::vector<std::string> sharedFiles(const std::string& folder);

/// Writes `path` aside and renames it. `further` are files that the folder does not have, by name, such as the report.
/// Errors name the path; after a stop Cancelled, and nothing is left. Progress counts files.
Status writeRunArchive(const std::string& folder, const std::vector<std::pair<std::string, std::string>>& further,
                       const std::string& path, const WorkControl& control = {});

/// Whether the file is a zip archive that holds a run. Reads its directory only.
bool isRunArchive(const std::string& path);

/// Extracts the run into `runs_folder` and returns its folder. A run that is there already, with the same run.json, is
/// not extracted again; another one of that name gets "-2" ... behind it. Errors (BadInput) name the file and what is
/// wrong with it; nothing is left then.
Result<std::string> importRunArchive(const std::string& path, const std::string& runs_folder,
                                     const WorkControl& control = {}, const ArchiveLimits& limits = {});

}  // namespace lanelab
