#include "profiler/io/span_csv.h"

#include <functional>

#include "profiler/io/csv_text.h"
#include "profiler/io/json_text.h"
#include "profiler/io/text_file.h"
#include "profiler/io/written_rows.h"

namespace lanelab {

namespace {

void appendField(std::string& line, std::int64_t value, bool applies) {
  line += ',';
  if (applies) appendInteger(line, value);
}

void writeTable(const ImportedTrace& imported, std::string& out, const std::function<void()>& flush) {
  const Trace& trace = *imported.trace;
  const WrittenRows written = writtenRowsOf(imported);
  out += "process,thread,category,name,start_us,duration_us,step,stage,micro_batch,phase,cpu_us\r\n";
  for (const WrittenRow& row : written.rows) {
    const std::string place = csvField(written.processes[row.process]) + ',' + csvField(row.name) + ',';
    for (const SpanPlace at : row.spans) {
      const Span span = trace.tracks[at.track].spans[at.span];
      out += place + csvField(trace.categoryNameOf(span)) + ',' + csvField(trace.nameOf(span)) + ',';
      appendMicroseconds(out, span.start - imported.base);
      out += ',';
      appendMicroseconds(out, span.end - span.start);
      appendField(out, span.step, span.step >= 0);
      appendField(out, span.stage, span.stage >= 0);
      appendField(out, span.micro_batch, span.micro_batch >= 0);
      out += ',';
      if (span.phase != Phase::None) out += letterOf(span.phase);
      out += ',';
      if (span.cpu >= 0) appendMicroseconds(out, span.cpu);
      out += "\r\n";
      flush();
    }
  }
}

}  // namespace

std::string spanTableCsv(const ImportedTrace& imported) {
  std::string table;
  writeTable(imported, table, [] {});
  return table;
}

std::string writeSpanTable(const ImportedTrace& imported, const std::string& path) {
  TextFile file(path);
  writeTable(imported, file.text(), [&file] { file.flushIfLarge(); });
  return file.finish();
}

}  // namespace lanelab
