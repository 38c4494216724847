// SPDX-License-Identifier: GPL-3.0-only
#include "ui/statistics/events_model.h"

#include <algorithm>
#include <utility>

#include "base/csv.h"
#include "profiler/trace/number_text.h"
#include "ui/look/plain_text.h"
#include "ui/look/theme.h"

namespace lanelab {

namespace {

bool isWord(int column) {
  return column == EventsModel::Name || column == EventsModel::Lane || column == EventsModel::Category;
}

std::string laneOf(const Trace& trace, const SpanMatch& place) {
  const int lane = trace.tracks[place.track].lane;
  const LaneInfo* const info = trace.laneAt(lane);
  if (info && !info->name.empty()) return info->name;
  return info && !info->device.empty() ? info->device : std::to_string(lane);
}

/// -1 if there is none; updates are of no micro-batch.
int microBatchOf(const Span& span) { return span.phase == Phase::Update ? -1 : span.micro_batch; }

Span spanOf(const Trace& trace, const SpanMatch& place) { return trace.tracks[place.track].spans[place.span]; }

}  // namespace

void EventsModel::show(std::shared_ptr<const ShownStatistics> shown, std::vector<SpanMatch> spans) {
  beginResetModel();
  m_shown = std::move(shown);
  m_spans = std::move(spans);
  m_begin = m_shown ? m_shown->trace().range().start : 0;
  if (m_sort != Start || m_order != Qt::AscendingOrder) arrange();
  endResetModel();
}

void EventsModel::sort(int column, Qt::SortOrder order) {
  if (column != Start && column != Duration) return;
  beginResetModel();
  m_sort = column;
  m_order = order;
  arrange();
  endResetModel();
}

/// Of equally long spans the first goes first.
void EventsModel::arrange() {
  if (m_sort == Start) {
    std::ranges::sort(m_spans);
    if (m_order == Qt::DescendingOrder) std::ranges::reverse(m_spans);
    return;
  }
  std::vector<std::pair<Nanoseconds, SpanMatch>> lengths;
  lengths.reserve(m_spans.size());
  for (const SpanMatch& place : m_spans) {
    const Nanoseconds length = m_shown->trace().tracks[place.track].spans.endOf(place.span) - place.start;
    lengths.emplace_back(m_order == Qt::AscendingOrder ? length : -length, place);
  }
  std::ranges::sort(lengths);
  std::ranges::transform(lengths, m_spans.begin(), [](const auto& one) { return one.second; });
}

int EventsModel::rowOf(std::size_t track, std::size_t span) const {
  const auto found =
      std::ranges::find_if(m_spans, [&](const SpanMatch& place) { return place.track == track && place.span == span; });
  return found == m_spans.end() ? -1 : static_cast<int>(found - m_spans.begin());
}

std::string EventsModel::csv() const {
  std::string csv;
  CsvTable table(csv, "start_us,duration_us,name,lane,step,micro_batch,category");
  for (const SpanMatch& place : m_spans) {
    const Trace& trace = m_shown->trace();
    const Span span = spanOf(trace, place);
    appendMicroseconds(table.cell(), span.start - m_begin);
    appendMicroseconds(table.cell(), span.range().length());
    table.text(trace.nameOf(span)).text(laneOf(trace, place));
    for (const int number : {span.step, microBatchOf(span)})
      table.number(number < 0 ? std::string() : std::to_string(number));
    table.text(trace.categoryNameOf(span)).endRow();
  }
  return csv;
}

int EventsModel::rowCount(const QModelIndex& parent) const {
  return parent.isValid() ? 0 : static_cast<int>(m_spans.size());
}
int EventsModel::columnCount(const QModelIndex& parent) const { return parent.isValid() ? 0 : ColumnCount; }

QString EventsModel::text(const SpanMatch& place, int column) const {
  const Trace& trace = m_shown->trace();
  const Span span = spanOf(trace, place);
  switch (column) {
    case Start: return millisecondsCell(span.start - m_begin);
    case Duration: return millisecondsCell(span.range().length());
    case Name: return look::shownName(trace.nameOf(span));
    case Lane: return look::shownName(laneOf(trace, place));
    case Step: return span.step < 0 ? QString() : QString::number(shownStep(trace, span.step));
    case MicroBatch: return microBatchOf(span) < 0 ? QString() : QString::number(microBatchOf(span));
    case Category: return look::shownName(QString::fromStdString(std::string(trace.categoryNameOf(span))));
    default: return {};
  }
}

QVariant EventsModel::data(const QModelIndex& index, int role) const {
  const SpanMatch& place = span(index.row());
  const bool word = isWord(index.column());
  switch (role) {
    case Qt::DisplayRole: return text(place, index.column());
    case Qt::ToolTipRole: return word ? QVariant(text(place, index.column())) : QVariant();
    case Qt::TextAlignmentRole: return QVariant::fromValue((word ? Qt::AlignLeft : Qt::AlignRight) | Qt::AlignVCenter);
    case Qt::FontRole: return word ? QVariant() : QVariant(look::numberFont());
    default: return {};
  }
}

QVariant EventsModel::headerData(int section, Qt::Orientation orientation, int role) const {
  if (orientation != Qt::Horizontal) return {};
  if (role == Qt::TextAlignmentRole)
    return QVariant::fromValue((isWord(section) ? Qt::AlignLeft : Qt::AlignRight) | Qt::AlignVCenter);
  if (role != Qt::DisplayRole) return {};
  switch (section) {
    case Start: return tr("Start (ms)");
    case Duration: return tr("Duration (ms)");
    case Name: return tr("Name");
    case Lane: return tr("Lane");
    case Step: return tr("Step");
    case MicroBatch: return tr("Micro-batch");
    case Category: return tr("Category");
    default: return {};
  }
}

}  // namespace lanelab
