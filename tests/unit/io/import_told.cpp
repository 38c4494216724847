// SPDX-License-Identifier: GPL-3.0-only
#include "tests/unit/io/import_told.h"

#include <sstream>

namespace lanelab {

namespace {

class Teller {
 public:
  explicit Teller(const ImportedTrace& imported) : m_imported(imported), m_trace(*imported.trace) {}

  std::string text() {
    m_text << "base " << m_imported.base << '\n';
    for (const LaneInfo& lane : m_trace.lanes)
      m_text << "lane " << lane.name << (lane.device.empty() ? "" : " on " + lane.device) << '\n';
    for (std::size_t i = 0; i < m_trace.tracks.size(); ++i) track(i);
    for (const ImportedInstant& i : m_imported.instants)
      m_text << i.scope << " instant " << label(i.label) << m_trace.names[i.name] << " at " << i.time - m_imported.base
             << ' ' << place(i.row) << '\n';
    for (const Counter& counter : m_imported.trace->counters) {
      m_text << "counter " << label(counter.label) << counter.name << '.' << counter.series << " of "
             << pid(counter.process) << ':';
      for (std::size_t i = 0; i < counter.times.size(); ++i)
        m_text << ' ' << counter.times[i] - m_imported.base << '=' << counter.values[i];
      m_text << '\n';
    }
    for (const ImportedFlowEnd& end : m_imported.flow_ends) flowEnd(end);
    return m_text.str();
  }

 private:
  std::string label(std::uint16_t label) const {
    return label == 0 ? std::string() : "[" + m_trace.labels[label - 1U] + "] ";
  }
  static std::string idText(const ImportedId& id) { return id.is_text ? "'" + id.text + "'" : id.text; }
  std::string pid(std::uint32_t process) const { return idText(m_imported.processes[process].pid); }
  std::string place(std::size_t row) const {
    return "on " + pid(m_imported.rows[row].process) + "/" + idText(m_imported.rows[row].tid);
  }

  void track(std::size_t index) {
    const Track& track = m_trace.tracks[index];
    const ImportedRow& row = m_imported.rows[index];
    m_text << "lane " << track.lane << " kind " << static_cast<int>(track.kind) << " \"" << track.name << "\" "
           << place(index);
    if (row.part > 0) m_text << (row.async ? " async" : "") << " part " << row.part << " of " << idText(row.part_of);
    if (row.device >= 0) m_text << " gpu " << row.device << " stream " << row.stream;
    m_text << '\n';
    for (std::size_t i = 0; i < track.spans.size(); ++i) {
      const Span span = track.spans[i];
      m_text << "  [" << m_trace.categoryNameOf(span) << "] " << m_trace.nameOf(span) << ' '
             << span.start - m_imported.base << '+' << span.end - span.start;
      if (span.mark != 0) m_text << " mark " << span.mark - m_imported.base;
      if (i < row.correlations.size() && row.correlations[i] > 0) m_text << " correlation " << row.correlations[i];
      m_text << '\n';
    }
  }

  void flowEnd(const ImportedFlowEnd& end) {
    const ImportedFlow& flow = m_imported.flows[end.flow];
    m_text << end.phase << ' ' << label(flow.label) << m_trace.names[flow.name] << ' '
           << (flow.text_id ? m_imported.flow_texts[flow.id] : std::to_string(flow.id)) << " at "
           << end.time - m_imported.base << ' ' << place(end.row) << '\n';
  }

  const ImportedTrace& m_imported;
  const Trace& m_trace;
  std::ostringstream m_text;
};

}  // namespace

std::string told(const ImportedTrace& imported) { return Teller(imported).text(); }

}  // namespace lanelab
