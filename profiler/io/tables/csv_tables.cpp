// SPDX-License-Identifier: GPL-3.0-only
#include "profiler/io/tables/csv_tables.h"

#include <functional>

#include "base/csv.h"
#include "profiler/io/tables/gap_tables.h"
#include "profiler/io/written/event_file.h"
#include "profiler/io/written/written_rows.h"
#include "profiler/trace/number_text.h"

namespace lanelab {

namespace {

void addIndex(CsvTable& table, std::int64_t value) {
  std::string& cell = table.cell();
  if (value >= 0) appendNumber(cell, value);
}

void writeTable(const ImportedTrace& imported, std::string& out, const std::function<void()>& flush) {
  const Trace& trace = *imported.trace;
  const WrittenRows written = writtenRowsOf(imported);
  CsvTable table(out, "process,thread,category,name,start_us,duration_us,step,stage,micro_batch,phase,cpu_us");
  for (const WrittenRow& row : written.rows) {
    std::string place;
    appendCsvText(place, written.processes[row.process]);
    appendCsvText(place += ',', row.name);
    for (const SpanPlace at : row.spans) {
      const Span span = spanAt(trace, at);
      table.ready(place).text(trace.categoryNameOf(span)).text(trace.nameOf(span));
      appendMicroseconds(table.cell(), span.start - imported.base);
      appendMicroseconds(table.cell(), span.end - span.start);
      for (const std::int64_t index :
           {std::int64_t{span.step}, std::int64_t{span.stage}, std::int64_t{span.micro_batch}})
        addIndex(table, index);
      std::string& phase = table.cell();
      if (span.phase != Phase::None) phase += letterOf(span.phase);
      std::string& cpu = table.cell();
      if (span.cpu >= 0) appendMicroseconds(cpu, span.cpu);
      table.endRow();
      flush();
    }
  }
}

}  // namespace

Status writeSpanTable(const ImportedTrace& imported, const std::string& path, const WorkControl& control) {
  constexpr int kSmall = 6;
  return writeEventFile(
      path, kSmall, static_cast<std::int64_t>(imported.trace->spanCount()), control,
      [&imported](std::string& text, const std::function<void()>& flush) { writeTable(imported, text, flush); });
}

std::string gapTableCsv(const Trace& trace, const IdleCauses& causes, Nanoseconds axis) {
  std::string columns = "lane,name,step,before,start_us,duration_us,cause";
  for (std::size_t i = 0; i < kCauseCount; ++i) columns += ',' + std::string(toString(static_cast<Cause>(i))) + "_us";
  columns += ",windows";
  std::string csv;
  CsvTable table(csv, columns);
  for (const GapPlace& place : longestGaps(causes)) {
    const LaneCauses& lane = *place.lane;
    const ExplainedGap& gap = *place.gap;
    const CauseTimes times = lane.causesOf(gap);
    table.integer(lane.lane).text(lane.name).integer(gap.step).text(beforeText(trace, gap));
    appendMicroseconds(table.cell(), gap.range.start - axis);
    appendMicroseconds(table.cell(), gap.range.length());
    table.text(causeWord(lane, times));
    for (const Nanoseconds time : times.times) appendMicroseconds(table.cell(), lane.hasWork() ? time : Nanoseconds{0});
    table.text(toWord(causes.window_kind)).endRow();
  }
  return csv;
}

std::string alignedCsv(const std::vector<AlignedCell>& cells) {
  std::string csv;
  CsvTable table(csv, "step,stage,phase,micro_batch,a_us,b_us,difference_us,b_later_by_us");
  for (const AlignedCell& cell : cells) {
    table.integer(cell.key.step).integer(cell.key.stage);
    table.cell() += letterOf(cell.key.phase);
    table.integer(cell.key.micro_batch);
    for (const Nanoseconds time : {cell.a, cell.b, cell.difference(), cell.later_by})
      appendMicroseconds(table.cell(), time);
    table.endRow();
  }
  return csv;
}

}  // namespace lanelab
