// SPDX-License-Identifier: GPL-3.0-only
// Fuzz target: archives of runs, and experiments in pictures.
#include <filesystem>

#include "base/atomic_file.h"
#include "engine/experiment/experiment_source.h"
#include "engine/library/run_archive.h"
#include "tests/fuzz/fuzz_result.h"
#include "tests/support/temporary_folder.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace lanelab;
  static const test::TemporaryFolder folder;
  const std::string bytes(textOf(data, size));
  requireOutcome(experimentInPng(bytes));
  const std::string archive = folder.file("input.zip"), runs = folder.file("runs");
  if (!writeFileAtomically(archive, bytes, Durable::No).ok()) return 0;
  constexpr ArchiveLimits kSmall{64, 16U << 20U, 16U << 20U, 32U << 20U};
  const Result<std::string> run = importRunArchive(archive, runs, {}, kSmall);
  requireOutcome(run);
  require(!run.ok() || run->starts_with(runs + "/"), "a run is extracted into the folder of the runs");
  std::error_code ignored;
  std::filesystem::remove_all(runs, ignored);
  return 0;
}
