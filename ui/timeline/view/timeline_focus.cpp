// SPDX-License-Identifier: GPL-3.0-only
#include "ui/timeline/view/timeline_focus.h"

#include <QStringList>
#include <utility>

#include "ui/timeline/layout/gap_details.h"
#include "ui/timeline/layout/span_text.h"
#include "ui/timeline/layout/ticks.h"
#include "ui/timeline/model/timeline_texts.h"

namespace lanelab {

TimelineFocus::TimelineFocus(const TimelineContent& content, const TimelineViewport& viewport)
    : m_content(content), m_viewport(viewport) {}

std::optional<int> TimelineFocus::currentLane() const {
  if (m_content.empty()) return {};
  if (m_marks.current) return m_content.data()->rows()[m_marks.current->row].lane;
  if (m_marks.current_gap) return m_marks.current_gap->lane;
  return m_chosen_lane;
}

QString TimelineFocus::sentenceOf(SpanRef ref) const {
  const TimelineData& data = *m_content.data();
  const QString sentence = spanSentence(data, ref);
  return data.trace().failed(data.span(ref)) && !m_marks.failure.isEmpty()
             ? sentence + QStringLiteral("  ·  ") + m_marks.failure
             : sentence;
}

void TimelineFocus::setSelection(std::optional<TimeRange> range) {
  if (range && range->empty()) range.reset();
  if (std::exchange(m_marks.selection, range) == range) return;
  findSelectedBusy();
  Q_EMIT selectionChanged();
}

void TimelineFocus::findSelectedBusy() {
  m_selected_busy.clear();
  if (!m_marks.selection || m_content.empty()) return;
  const TimeRange range = *m_marks.selection;
  for (int lane = 0; lane < m_content.lanes(); ++lane)
    m_selected_busy.push_back(static_cast<double>(m_content.data()->busyWithin(lane, range)) /
                              static_cast<double>(range.length()));
}

std::optional<SpanIdentity> TimelineFocus::identityOf(const std::optional<SpanRef>& ref) const {
  return ref ? std::optional(m_content.data()->identityOf(*ref)) : std::nullopt;
}

QString TimelineFocus::sentenceOf(const std::optional<SpanRef>& ref, const std::optional<LaneGap>& gap) const {
  if (ref) return sentenceOf(*ref);
  return gap ? gapSentence(*m_content.data(), *gap) : QString();
}

/// Of what is under the pointer, else of the current span or gap.
void TimelineFocus::reportSentence() {
  QString sentence = sentenceOf(m_marks.hovered, m_marks.hovered_gap);
  if (sentence.isEmpty()) sentence = m_place_sentence;
  if (sentence.isEmpty()) sentence = sentenceOf(m_marks.current, m_marks.current_gap);
  if (std::exchange(m_sentence, sentence) != sentence) Q_EMIT sentenceChanged(sentence);
}

void TimelineFocus::setCurrent(std::optional<SpanRef> ref) { changeCurrent(ref, {}); }

void TimelineFocus::setCurrentGap(std::optional<LaneGap> gap) { changeCurrent({}, gap); }

void TimelineFocus::changeCurrent(std::optional<SpanRef> ref, std::optional<LaneGap> gap) {
  m_marks.current = ref;
  m_marks.current_gap = gap;
  m_current_span = identityOf(ref);
  if (ref || gap) Q_EMIT described(sentenceOf(ref, gap));
  reportSentence();
  updateArrows();
  Q_EMIT currentChanged();
}

void TimelineFocus::setHovered(std::optional<SpanRef> ref, std::optional<LaneGap> gap) {
  if (ref == m_marks.hovered && gap == m_marks.hovered_gap) {
    if (ref || gap) Q_EMIT hoverChanged();
    return;
  }
  m_marks.hovered = ref;
  m_marks.hovered_gap = gap;
  m_hovered_span = identityOf(ref);
  updateArrows();
  reportSentence();
  Q_EMIT hoverChanged();
}

void TimelineFocus::showFacts(bool show) {
  if (std::exchange(m_marks.facts, show) != show) Q_EMIT hoverChanged();
}

void TimelineFocus::showBoxes(bool show) {
  if (std::exchange(m_marks.boxes, show) != show) Q_EMIT hoverChanged();
}

void TimelineFocus::chooseLane(std::optional<int> lane) {
  if (lane && (m_marks.current || m_marks.current_gap) && currentLane() != lane) setCurrent({});
  m_chosen_lane = lane;
  Q_EMIT laneChosen();
  if (lane && !m_content.empty()) describeLane(*lane);
}

void TimelineFocus::describeLane(int lane) {
  const TimelineData& data = *m_content.data();
  QStringList words{data.laneName(lane)};
  if (data.replicaOf(lane) >= 0) words << replicaName(data.replicaOf(lane));
  if (m_viewport.arrangement().isCollapsed(lane)) words << TimelineTexts::tr("collapsed");
  if (m_viewport.arrangement().isPinned(lane)) words << TimelineTexts::tr("pinned");
  Q_EMIT described(words.join(QStringLiteral(", ")));
}

void TimelineFocus::describeRange() {
  const TimeRange all = m_content.data()->range();
  const TimeRange seen = intersection(m_viewport.visible(), all);
  Q_EMIT described(seen.empty() ? TimelineTexts::tr("Nothing is in sight")
                                : TimelineTexts::tr("In sight: %1").arg(rangeText(seen, all.start)));
}

void TimelineFocus::hoverLane(std::optional<int> lane) {
  const bool changed = std::exchange(m_hovered_lane, lane) != lane;
  if (m_content.empty()) return;
  if (changed || m_viewport.arrangement().shows(RowKind::Counters)) Q_EMIT headersChanged();
}

void TimelineFocus::reportPlace(const QString& sentence) {
  m_place_sentence = sentence;
  reportSentence();
}

/// As it is in a trace that continues the one before.
std::optional<LaneGap> TimelineFocus::again(const std::optional<LaneGap>& gap) const {
  return gap && gap->lane < m_content.lanes() ? gapAt(*m_content.data(), gap->lane, gap->range.start) : std::nullopt;
}

void TimelineFocus::setTrace(const TraceChange& change) {
  const auto found = [&](const std::optional<SpanIdentity>& span) {
    return change.continued && span ? m_content.data()->find(*span) : std::nullopt;
  };
  m_marks.hovered = found(m_hovered_span);
  m_marks.current = found(m_current_span);
  m_marks.hovered_gap = change.continued ? again(m_marks.hovered_gap) : std::nullopt;
  m_marks.current_gap = change.continued ? again(m_marks.current_gap) : std::nullopt;
  if (!m_marks.hovered) m_hovered_span.reset();
  if (!m_marks.current) m_current_span.reset();
  m_place_sentence.clear();
  updateArrows();
  reportSentence();
  Q_EMIT hoverChanged();
  Q_EMIT currentChanged();
  if (!change.same_lanes) {
    m_chosen_lane.reset();
    m_hovered_lane.reset();
  }
  if (change.continued)
    findSelectedBusy();
  else
    setSelection({});
}

void TimelineFocus::dropHidden() {
  const bool points = m_marks.current || m_marks.current_gap;
  const std::size_t row = m_marks.current ? m_marks.current->row : m_marks.current_gap ? m_marks.current_gap->row : 0;
  const bool hides_idle = m_marks.current_gap && !m_viewport.arrangement().shows(RowKind::Idle);
  if (!m_content.empty() && points && (hides_idle || !m_viewport.layout().boxOf(row))) {
    m_chosen_lane = currentLane();
    setCurrent({});
  }
  setHovered({});
}

void TimelineFocus::updateArrows() {
  m_marks.arrows.clear();
  if (!m_content.data()) return;
  const bool hovers = m_marks.hovered || m_marks.hovered_gap;
  const std::optional<SpanRef>& span = hovers ? m_marks.hovered : m_marks.current;
  const std::optional<LaneGap>& gap = hovers ? m_marks.hovered_gap : m_marks.current_gap;
  const std::optional<SpanRef> shown = span ? span : gap ? gap->after : std::nullopt;
  if (shown) m_marks.arrows = m_content.dependencies().arrowsOf(*shown);
  if (!span) std::erase_if(m_marks.arrows, [&](const Arrow& arrow) { return arrow.to != shown; });
}

}  // namespace lanelab
