// SPDX-License-Identifier: GPL-3.0-only
#include "profiler/io/html/timeline_html.h"

#include <zlib.h>

#include <algorithm>
#include <array>
#include <map>
#include <vector>

#include "base/escaped_text.h"
#include "base/text.h"
#include "profiler/analysis/idle_causes.h"
#include "profiler/trace/cut_trace.h"

namespace lanelab {
namespace {

constexpr std::array<std::string_view, 6> kRowKinds = {"compute", "detail", "transfer", "host", "stream", "step"};
constexpr const char* kTimelineStyle = R"css(<style>
.lanelab-timeline { --ground: #ffffff; --text: #1c2126; --soft: #5b6670; --line: #d5dbe1; position: relative; color: var(--text); font: 14px/1.4 system-ui, "Noto Sans", sans-serif; }
@media (prefers-color-scheme: dark) { .lanelab-timeline { --ground: #171b1f; --text: #e6eaee; --soft: #9aa5af; --line: #39424a; } }
.lanelab-timeline canvas { display: block; width: 100%; border: 1px solid var(--line); cursor: grab; touch-action: pan-y; }
.lanelab-timeline canvas:focus { outline: 2px solid #0072b2; }
.lanelab-timeline .tip { position: absolute; display: none; pointer-events: none; max-width: 24em; padding: .3em .6em; background: var(--ground); border: 1px solid var(--line); white-space: pre-line; z-index: 1; }
.lanelab-timeline .help, .lanelab-timeline .said { color: var(--soft); margin: .3em 0; }
.lanelab-timeline svg.paper { display: none; }
@media print { .lanelab-timeline canvas, .lanelab-timeline .bar { display: none; } .lanelab-timeline svg.paper { display: block; width: 100%; height: auto; } }
</style>)css";

/// Text for a script element: a string of JSON in which nothing ends the element, or a line of JavaScript.
std::string scriptString(std::string_view text) {
  std::string json;
  appendJsonString(json, text);
  std::string safe;
  for (std::size_t i = 0; i < json.size(); ++i) {
    const bool separator =
        json.compare(i, 2, "\xe2\x80") == 0 && i + 2 < json.size() && (json[i + 2] == '\xa8' || json[i + 2] == '\xa9');
    if (separator) {
      safe += json[i + 2] == '\xa8' ? "\\u2028" : "\\u2029";
      i += 2;
    } else if (json[i] == '<' || json[i] == '>' || json[i] == '&') {
      constexpr std::string_view kDigits = "0123456789abcdef";
      const auto code = static_cast<unsigned char>(json[i]);
      safe += std::string("\\u00") + kDigits[code >> 4U] + kDigits[code & 15U];
    } else {
      safe += json[i];
    }
  }
  return safe;
}

void appendNumber(std::string& out, std::int64_t value) {
  auto left = static_cast<std::uint64_t>(std::max<std::int64_t>(value, 0));
  while (left >= 0x80) {
    out += static_cast<char>(left | 0x80);
    left >>= 7U;
  }
  out += static_cast<char>(left);
}

std::string base64(std::string_view bytes) {
  constexpr std::string_view kLetters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string text;
  text.reserve((bytes.size() + 2) / 3 * 4);
  for (std::size_t i = 0; i < bytes.size(); i += 3) {
    std::uint32_t group = 0;
    for (std::size_t k = 0; k < 3; ++k)
      group = group << 8U | (i + k < bytes.size() ? static_cast<unsigned char>(bytes[i + k]) : 0U);
    for (std::size_t k = 0; k < 4; ++k) text += i + k > bytes.size() ? '=' : kLetters[group >> (18 - 6 * k) & 63U];
  }
  return text;
}

std::string packed(const std::string& bytes) {
  uLongf size = compressBound(static_cast<uLong>(bytes.size()));
  std::string out(size, '\0');
  compress2(reinterpret_cast<Bytef*>(out.data()), &size, reinterpret_cast<const Bytef*>(bytes.data()),
            static_cast<uLong>(bytes.size()), Z_DEFAULT_COMPRESSION);
  out.resize(size);
  return out;
}

/// What is drawn: as much of the trace as the limit allows.
struct ShownTrace {
  ImportedTrace imported;
  std::string note;
};

ShownTrace shownPart(const ImportedTrace& imported, std::size_t most) {
  const Trace& trace = *imported.trace;
  if (trace.spanCount() <= most) return {imported, {}};
  // Spans are spread evenly enough that a part of the time has about as large a part of them.
  const TimeRange all = trace.range();
  const double part = static_cast<double>(most) / static_cast<double>(trace.spanCount());
  Nanoseconds end = all.start + static_cast<Nanoseconds>(part * static_cast<double>(all.length()));
  for (const StepWindow& step : stepWindows(trace))
    if (step.range.end <= end) end = std::max(step.range.end, all.start + all.length() / 1000);
  return {*cutTrace(imported, {all.start, end}),
          "The first " + formatSeconds(static_cast<double>(end - all.start) * kNanosecond) + " of " +
              formatSeconds(static_cast<double>(all.length()) * kNanosecond) + " are shown."};
}

/// Rows of spans, and of what each lane was idle for.
class TimelineWriter {
 public:
  explicit TimelineWriter(const ImportedTrace& imported)
      : m_trace(*imported.trace),
        m_begin(m_trace.range().start),
        m_causes(imported.rows.empty() ? explainIdle(*imported.trace) : explainIdle(imported)) {
    for (const std::string& name : m_trace.names) m_names.push_back(name);
  }

  std::string json() {
    for (std::size_t lane = 0; lane < m_trace.lanes.size(); ++lane) addLane(static_cast<int>(lane));
    for (const Track& track : m_trace.tracks)
      if (m_trace.laneAt(track.lane) == nullptr) addTrack(track, {});
    std::string text =
        "{\"title\":" + scriptString(m_trace.title) + ",\"length_ns\":" + std::to_string(m_trace.range().length()) +
        ",\"begin_ns\":" + std::to_string(m_begin) + ",\"rows\":[" + joined(m_rows, ",") + "],\"names\":[";
    for (std::size_t i = 0; i < m_names.size(); ++i) text += (i > 0 ? "," : "") + scriptString(m_names[i]);
    text += "],\"categories\":[";
    for (int c = 0; c <= static_cast<int>(Category::Other); ++c)
      text += (c > 0 ? "," : "") + scriptString(toString(static_cast<Category>(c)));
    return text + "],\"spans\":\"" + base64(packed(m_bytes)) + "\"}";
  }

 private:
  struct Shown {
    TimeRange range;
    std::uint32_t name = 0;
    int category = 0, phase = 0, step = -1, stage = -1, micro_batch = -1;
  };

  void addRow(const std::string& lane, std::string_view name, std::string_view kind, const std::vector<Shown>& spans) {
    if (spans.empty()) return;
    m_rows.push_back("{\"lane\":" + scriptString(lane) + ",\"name\":" + scriptString(name) +
                     ",\"kind\":" + scriptString(kind) + ",\"spans\":" + std::to_string(spans.size()) + "}");
    Nanoseconds before = m_begin;
    for (const Shown& span : spans) {
      appendNumber(m_bytes, span.range.start - before);
      appendNumber(m_bytes, span.range.length());
      appendNumber(m_bytes, span.name);
      m_bytes += static_cast<char>(span.category);
      m_bytes += static_cast<char>(span.phase);
      appendNumber(m_bytes, span.step + 1);
      appendNumber(m_bytes, span.stage + 1);
      appendNumber(m_bytes, span.micro_batch + 1);
      before = span.range.start;
    }
  }

  void addTrack(const Track& track, const std::string& lane) {
    std::vector<Shown> spans;
    spans.reserve(track.spans.size());
    for (const Span& span : track.spans)
      spans.push_back({span.range(), span.name, static_cast<int>(span.category), letterOf(span.phase), span.step,
                       span.stage, span.micro_batch});
    addRow(lane, track.name, kRowKinds[static_cast<std::size_t>(track.kind)], spans);
  }

  void addLane(int lane) {
    const std::string& name = m_trace.laneAt(lane)->name;
    for (const Track& track : m_trace.tracks)
      if (track.lane == lane) addTrack(track, name);
    for (const LaneCauses& causes : m_causes.lanes)
      if (causes.lane == lane) addIdle(causes);
  }

  void addIdle(const LaneCauses& lane) {
    std::vector<Shown> spans;
    for (const ExplainedGap& gap : lane.gaps)
      for (std::uint32_t i = 0; i < gap.piece_count; ++i) {
        const CausePiece& piece = lane.pieces[gap.first_piece + i];
        spans.push_back({piece.range, nameOf(piece.cause), static_cast<int>(Category::Wait), '-', gap.step, -1, -1});
      }
    // Gaps of steps that overlap are listed by step.
    std::ranges::stable_sort(spans, {}, [](const Shown& span) { return span.range.start; });
    addRow(lane.name, "idle, by cause", "idle", spans);
  }

  std::uint32_t nameOf(Cause cause) {
    const auto [place, is_new] = m_cause_names.try_emplace(cause, static_cast<std::uint32_t>(m_names.size()));
    if (is_new) m_names.push_back("idle: " + std::string(toString(cause)));
    return place->second;
  }

  const Trace& m_trace;
  const Nanoseconds m_begin;
  const IdleCauses m_causes;
  std::vector<std::string> m_names, m_rows;
  std::map<Cause, std::uint32_t> m_cause_names;
  std::string m_bytes;
};

/// For paper: when each lane computed, by pixels.
std::string paperDrawing(const Trace& trace) {
  constexpr int kWidth = 1000, kLaneHeight = 22, kLabel = 150;
  const TimeRange all = trace.range();
  const double scale = all.empty() ? 0 : (kWidth - kLabel) / static_cast<double>(all.length());
  std::string shapes;
  int y = 0;
  for (std::size_t lane = 0; lane < trace.lanes.size(); ++lane) {
    std::vector<bool> busy(kWidth - kLabel + 1);
    bool has_row = false;
    for (const Track& track : trace.tracks) {
      const bool works = track.kind == Track::Kind::Compute || track.kind == Track::Kind::Stream;
      if (track.lane != static_cast<int>(lane) || !works) continue;
      has_row = true;
      for (const Span& span : track.spans) {
        const auto first = static_cast<std::size_t>(static_cast<double>(span.start - all.start) * scale);
        const auto last = static_cast<std::size_t>(static_cast<double>(span.end - all.start) * scale);
        for (std::size_t x = first; x <= std::min(last, busy.size() - 1); ++x) busy[x] = true;
      }
    }
    if (!has_row) continue;
    shapes += "<text x=\"0\" y=\"" + std::to_string(y + 15) + "\" font-size=\"13\">" +
              escapedMarkup(trace.lanes[lane].name) + "</text>";
    for (std::size_t x = 0; x < busy.size();) {
      std::size_t end = x;
      while (end < busy.size() && busy[end] == busy[x]) ++end;
      if (busy[x])
        shapes += "<rect x=\"" + std::to_string(kLabel + x) + "\" y=\"" + std::to_string(y + 3) + "\" width=\"" +
                  std::to_string(end - x) + "\" height=\"" + std::to_string(kLaneHeight - 6) + "\" fill=\"#0072b2\"/>";
      x = end;
    }
    y += kLaneHeight;
  }
  return "<svg class=\"paper\" xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 " + std::to_string(kWidth) + " " +
         std::to_string(std::max(y, 1)) + "\">" + shapes + "</svg>";
}

}  // namespace

std::string timelineElement(const ImportedTrace& imported, std::size_t most_spans) {
  const ShownTrace shown = shownPart(imported, most_spans);
  const std::string title = shown.imported.trace->title;
  return std::string("<div class=\"lanelab-timeline\">") + kTimelineStyle +
         "<canvas tabindex=\"0\" role=\"img\" aria-label=\"Timeline " + escapedMarkup(title) +
         "\"></canvas><div class=\"tip\"></div><div class=\"bar\"><p class=\"said\" aria-live=\"polite\"></p>"
         "<p class=\"help\">W and S or + and - zoom, A and D or the arrows pan, 0 shows all; drag to pan, Ctrl and the "
         "wheel zoom, a click describes a span. " +
         escapedMarkup(shown.note) + "</p></div>" + paperDrawing(*shown.imported.trace) +
         "<script type=\"application/json\">" + TimelineWriter(shown.imported).json() + "</script>\n<script>" +
         kTimelineScript + "</script></div>";
}

}  // namespace lanelab
