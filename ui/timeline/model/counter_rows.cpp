// SPDX-License-Identifier: GPL-3.0-only
#include "ui/timeline/model/counter_rows.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <string_view>

#include "base/text.h"
#include "profiler/analysis/derived_counters.h"
#include "profiler/trace/core_time.h"
#include "ui/look/plain_text.h"
#include "ui/look/quantity_text.h"
#include "ui/timeline/model/timeline_texts.h"

namespace lanelab {
namespace {

constexpr double kNearZero = 0.25;  ///< least over greatest: below it a chart begins at 0
constexpr double kMostBytes = 9e18;

constexpr std::array<std::string_view, 5> kUnits = {"bytes", "%", "loss", "value", ""};

bool isUnit(std::string_view series) { return std::find(kUnits.begin(), kUnits.end(), series) != kUnits.end(); }

/// Names that LaneLab gives; another program's stay as they are.
QString shownName(const std::string& name) {
  if (name == kUtilisationCounter) return TimelineTexts::tr("utilization");
  if (name == kBubbleCounter) return TimelineTexts::tr("bubble");
  if (name == "memory") return TimelineTexts::tr("memory");
  if (name == "loss") return TimelineTexts::tr("loss");
  if (name == kOtherProgramsCounter) return TimelineTexts::tr("other programs");
  return look::shownName(name);
}

MinMax scaleOf(const Counter& counter, const MinMax& values) {
  if (counter.series == "%" && values.least >= 0 && values.greatest <= 100) return {0, 100};
  MinMax scale = values;
  const bool share_or_size = counter.series == "%" || counter.series == "bytes";
  if (values.least >= 0 && (share_or_size || values.least <= kNearZero * values.greatest)) scale.least = 0;
  if (values.greatest <= 0) scale.greatest = 0;
  if (scale.greatest <= scale.least) scale.greatest = scale.least + std::max(1.0, std::abs(scale.least) * 0.1);
  return scale;
}

void addMissing(std::vector<Counter>& counters, Counter counter) {
  const bool known = counter.values.empty() || std::any_of(counters.begin(), counters.end(), [&](const Counter& other) {
                       return other.lane == counter.lane && other.name == counter.name;
                     });
  if (!known) counters.push_back(std::move(counter));
}

int rankOf(const Counter& counter) {
  return counter.name == kUtilisationCounter ? 0 : counter.name == kBubbleCounter ? 1 : 2;
}

bool isLess(const Counter& a, const Counter& b) {
  if (a.lane != b.lane) return b.lane < 0 || (a.lane >= 0 && a.lane < b.lane);
  return rankOf(a) < rankOf(b);
}

}  // namespace

CounterRow::CounterRow(Counter counter) : m_counter(std::move(counter)) {
  // Only what is finite can be drawn; a file may hold anything.
  std::size_t kept = 0;
  for (std::size_t i = 0; i < std::min(m_counter.times.size(), m_counter.values.size()); ++i) {
    if (!std::isfinite(m_counter.values[i])) continue;
    m_counter.times[kept] = m_counter.times[i];
    m_counter.values[kept++] = m_counter.values[i];
  }
  m_counter.times.resize(kept);
  m_counter.values.resize(kept);
  m_pyramid = MinMaxPyramid(m_counter.values);
  m_sums.resize(kept);
  for (std::size_t i = 1; i < kept; ++i)
    m_sums[i] =
        m_sums[i - 1] + m_counter.values[i - 1] * static_cast<double>(m_counter.times[i] - m_counter.times[i - 1]);
  m_scale = kept > 0 ? scaleOf(m_counter, m_pyramid.of(0, kept)) : MinMax{0, 1};
}

QString CounterRow::name() const {
  const QString name = shownName(m_counter.name);
  if (isUnit(m_counter.series) || m_counter.series == m_counter.name) return name;
  const QString series = look::shownName(m_counter.series);
  return name.isEmpty() ? series : TimelineTexts::tr("%1 · %2").arg(name, series);
}

QString CounterRow::explanation() const {
  if (m_counter.lane >= 0 || m_counter.name != kOtherProgramsCounter) return name();
  return TimelineTexts::tr(
      "Share of the machine's cores that other programs used: what lanes did not have. In a container it is usually "
      "that of all of its host, and other processes of the same run count as other programs");
}

QString CounterRow::text(double value) const {
  if (m_counter.series == "bytes") return bytesText(std::llround(std::clamp(value, -kMostBytes, kMostBytes)));
  if (m_counter.series == "%") return QString::fromStdString(formatNumber(value)) + QStringLiteral(" %");
  if (std::abs(value) >= 10'000) return QString::fromStdString(formatCount(value));
  return QString::fromStdString(formatNumber(value));
}

std::size_t CounterRow::countUntil(Nanoseconds time) const {
  return static_cast<std::size_t>(std::upper_bound(m_counter.times.begin(), m_counter.times.end(), time) -
                                  m_counter.times.begin());
}

double CounterRow::sumUntil(Nanoseconds time) const {
  const std::size_t count = countUntil(time);
  return count == 0
             ? 0
             : m_sums[count - 1] + m_counter.values[count - 1] * static_cast<double>(time - m_counter.times[count - 1]);
}

double CounterRow::meanWithin(TimeRange range) const {
  range.start = std::max(range.start, m_counter.times.front());
  if (range.empty()) return at(range.start).value_or(0);
  return (sumUntil(range.end) - sumUntil(range.start)) / static_cast<double>(range.length());
}

std::optional<double> CounterRow::at(Nanoseconds time) const {
  const std::size_t count = countUntil(time);
  return count == 0 ? std::nullopt : std::optional(m_counter.values[count - 1]);
}

std::optional<MinMax> CounterRow::within(TimeRange range) const {
  if (range.empty()) return std::nullopt;
  const std::size_t before = countUntil(range.start), last = countUntil(range.end - 1);
  if (last == 0) return std::nullopt;
  return m_pyramid.of(before > 0 ? before - 1 : 0, last);
}

std::vector<CounterRow::Stretch> CounterRow::stretches(const TimeScale& scale) const {
  std::vector<Stretch> stretches;
  if (scale.degenerate() || m_counter.times.empty()) return stretches;
  const double right = scale.left + scale.width;
  const auto add = [&](double x0, double x1, MinMax values, double mean) {
    const bool same = !stretches.empty() && stretches.back().values == values && stretches.back().mean == mean;
    if (same && stretches.back().x1 == x0)
      stretches.back().x1 = x1;
    else
      stretches.push_back({x0, x1, values, mean});
  };
  double x = std::max(scale.left, std::floor(scale.x(m_counter.times.front())));
  while (x < right) {
    const TimeRange pixel{scale.time(x), std::max(scale.time(x + 1), scale.time(x) + 1)};
    const std::size_t next = countUntil(pixel.start);
    const double next_x = next < m_counter.times.size() ? std::floor(scale.x(m_counter.times[next])) : right;
    const bool alone = next > 0 && next_x >= x + 1;
    const double end = std::min(alone ? next_x : x + 1, right);
    if (alone)
      add(x, end, {m_counter.values[next - 1], m_counter.values[next - 1]}, m_counter.values[next - 1]);
    else if (const auto values = within(pixel))
      add(x, end, *values, values->least == values->greatest ? values->least : meanWithin(pixel));
    x = end;
  }
  return stretches;
}

std::vector<CounterRow> counterRowsOf(const Trace& trace, const StepsOfLane& steps,
                                      const std::vector<std::vector<CausePiece>>& causes) {
  std::vector<Counter> counters = trace.counters;
  for (Counter& counter : counters) {
    if (counter.lane >= static_cast<int>(trace.lanes.size())) counter.lane = -1;
  }
  for (Counter& counter : utilisationCounters(trace, utilisationWindow(trace)))
    addMissing(counters, std::move(counter));
  for (std::size_t lane = 0; lane < causes.size() && causes.size() > 1; ++lane) {
    if (!causes[lane].empty())
      addMissing(counters, bubbleCounter(static_cast<int>(lane), steps(static_cast<int>(lane)), causes[lane]));
  }
  std::stable_sort(counters.begin(), counters.end(), isLess);
  std::vector<CounterRow> rows;
  rows.reserve(counters.size());
  for (Counter& counter : counters) {
    if (!counter.times.empty()) rows.emplace_back(std::move(counter));
  }
  return rows;
}

}  // namespace lanelab
