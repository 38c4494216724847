// SPDX-License-Identifier: GPL-3.0-only
#include "app/cli/import_choice.h"

#include "profiler/io/import/trace_import.h"

namespace lanelab {

void addImportOptions(const Command& command, ImportChoice& choice) {
  command
      .option("--max-unpacked", choice.max_unpacked,
              "Read at most so much of a gzipped trace after unpacking (default: LANELAB_MAX_UNPACKED, else 8GiB)")
      .typeName("SIZE")
      .check([](const std::string& size) {
        return bytesOfSize(size) ? std::string()
                                 : "\"" + size + "\" is not a size; write bytes or a unit, such as 20GiB";
      });
}

Result<std::shared_ptr<const ImportedTrace>> importChosen(const std::string& path, const ImportChoice& choice,
                                                          const std::stop_token& stop) {
  ImportLimits limits{.stop = stop};
  if (!choice.max_unpacked.empty()) {
    limits.unpacked_bytes = bytesOfSize(choice.max_unpacked).value_or(limits.unpacked_bytes);
  } else if (const Status known = readEnvironment(limits); !known.ok()) {
    return known.error();
  }
  ReadImport read = importTrace(path, limits);
  return !read.ok() && stop.stop_requested() ? Error::cancelled(read.error().message) : read;
}

}  // namespace lanelab
