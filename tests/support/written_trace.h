// SPDX-License-Identifier: GPL-3.0-only
// What the writers of traces put into their files, as text. Throws what could not be written.
#pragma once

#include <functional>
#include <stdexcept>
#include <string>

#include "profiler/io/chrome/chrome_writer.h"
#include "profiler/io/import/imported_writer.h"
#include "profiler/io/perfetto/perfetto_writer.h"
#include "profiler/io/tables/csv_tables.h"
#include "tests/support/temporary_folder.h"

namespace lanelab {

inline std::string writtenText(const std::function<Status(const std::string& path)>& write) {
  static const test::TemporaryFolder folder;
  const std::string path = folder.file("written");
  if (const Status done = write(path); !done.ok()) throw std::runtime_error(done.error().message);
  return test::contentOf(path);
}

/// Of a trace or an imported one.
template <class AnyTrace>
std::string toChromeJson(const AnyTrace& trace) {
  return writtenText([&](const std::string& path) { return writeChromeTrace(trace, path); });
}
inline std::string toPerfetto(const ImportedTrace& trace) {
  return writtenText([&](const std::string& path) { return writePerfettoTrace(trace, path); });
}
inline std::string spanTableCsv(const ImportedTrace& trace) {
  return writtenText([&](const std::string& path) { return writeSpanTable(trace, path); });
}

}  // namespace lanelab
