// SPDX-License-Identifier: GPL-3.0-only
#include "profiler/io/import/span_arguments.h"

#include <exception>

#include "profiler/io/chrome/event_arguments.h"
#include "profiler/io/nsight/nsight_arguments.h"
#include "profiler/io/nsight/nsight_import.h"
#include "profiler/io/perfetto/perfetto_arguments.h"
#include "profiler/io/perfetto/perfetto_import.h"
#include "profiler/io/source/byte_source.h"

namespace lanelab {

std::optional<SoughtEvent> soughtEvent(const ImportedTrace& imported, std::size_t track, const Span& span) {
  if (track >= imported.rows.size()) return std::nullopt;
  const ImportedRow& row = imported.rows[track];
  if (row.process >= imported.processes.size()) return std::nullopt;
  return SoughtEvent{imported.trace->nameOf(span),
                     imported.processes[row.process].pid.text,
                     row.part_of.text,
                     span.start - imported.base,
                     span.range().length(),
                     imported.base,
                     std::string(imported.trace->categoryNameOf(span)),
                     row.device,
                     row.stream};
}

Result<EventArguments> readArguments(const std::string& path, const SoughtEvent& event, const ImportLimits& limits) {
  constexpr std::size_t kEnough = 1U << 16U;
  try {
    const OpenedSource opened = openSource(path, limits);
    if (!opened.source) return Error::badInput(verbatim(opened.error));
    if (isNsightFile(path, opened.head)) return readNsightArguments(path, event, limits);
    return seemsPerfetto(readSome(*opened.source, kEnough)) ? readPerfettoArguments(path, event, limits)
                                                            : readChromeArguments(path, event, limits);
  } catch (const StoppedError&) {
    return Error::cancelled("The arguments were not read from {}: the reading was cancelled.", path);
  } catch (const std::exception& error) {
    return Error::badInput("{} could not be read: {}. Copy or record it again.", path, error.what());
  }
}

}  // namespace lanelab
