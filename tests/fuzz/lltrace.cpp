// SPDX-License-Identifier: GPL-3.0-only
// Fuzz target: LaneLab's own trace files. After a byte that is 0 the input is the file; after any other it is its
// records (kind, two bytes of length, payload), since no change at random gives a checksum that holds.
#include <zlib.h>

#include <vector>

#include "profiler/io/lltrace/trace_file.h"
#include "profiler/io/lltrace/trace_file_bytes.h"
#include "tests/fuzz/fuzz_import.h"

namespace lanelab {
namespace {

void addRecord(std::string& file, char kind, std::string_view payload) {
  uLongf size = compressBound(payload.size());
  std::string packed(size, '\0');
  compress2(reinterpret_cast<Bytef*>(packed.data()), &size, reinterpret_cast<const Bytef*>(payload.data()),
            payload.size(), 1);
  packed.resize(size);
  const RecordHead head = headOf(kind, payload.size(), packed);
  file.append(reinterpret_cast<const char*>(&head), sizeof head);
  file += packed;
}

std::string fileOf(std::string_view records) {
  std::string file(trace_file_magic);
  while (records.size() >= 3) {
    const std::size_t length = static_cast<unsigned char>(records[1]) + 256U * static_cast<unsigned char>(records[2]);
    addRecord(file, records[0], records.substr(3, length));
    records.remove_prefix(std::min(records.size(), 3 + length));
  }
  return file;
}

}  // namespace
}  // namespace lanelab

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace lanelab;
  if (size == 0) return 0;
  const std::string_view rest = textOf(data + 1, size - 1);
  const std::string file = data[0] == 0 ? std::string(rest) : fileOf(rest);
  if (isTraceFile(file)) requireWhole(parseTraceFile(file, "file"));
  return 0;
}
