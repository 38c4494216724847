// SPDX-License-Identifier: GPL-3.0-only
// Fuzz target: state dicts as torch.save() writes them, with their archive.
#include "engine/files/state_dict_archive.h"
#include "tests/fuzz/fuzz_result.h"
#include "tests/support/bytes_in_memory.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace lanelab;
  const Result<StateDictArchive> opened = openStateDict(test::bytesInMemory(textOf(data, size)));
  requireOutcome(opened);
  if (!opened.ok()) return 0;
  for (const auto& [name, tensor] : opened->tensors) {
    const ZipRecord* const record = opened->archive.find(tensor.record);
    require(record != nullptr, "the record of each tensor");
    constexpr std::uint64_t kMost = 1U << 20U;
    requireOutcome(opened->archive.text(*record, kMost));
  }
  return 0;
}
