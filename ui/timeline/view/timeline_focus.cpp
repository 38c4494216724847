// SPDX-License-Identifier: GPL-3.0-only
#include "ui/timeline/view/timeline_focus.h"

#include <QStringList>
#include <utility>

#include "ui/timeline/layout/span_text.h"
#include "ui/timeline/model/timeline_texts.h"

namespace lanelab {

TimelineFocus::TimelineFocus(const TimelineContent& content, const TimelineViewport& viewport)
    : m_content(content), m_viewport(viewport) {}

std::optional<int> TimelineFocus::currentLane() const {
  if (m_content.empty()) return {};
  if (m_marks.current) return m_content.data()->rows()[m_marks.current->row].lane;
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

/// Of what is under the pointer, else of the current span.
void TimelineFocus::reportSentence() {
  const bool hovers = m_marks.hovered || !m_counter_sentence.isEmpty();
  const std::optional<SpanRef> span = hovers ? m_marks.hovered : m_marks.current;
  const QString sentence = span ? sentenceOf(*span) : m_counter_sentence;
  if (std::exchange(m_sentence, sentence) != sentence) Q_EMIT sentenceChanged(sentence);
}

void TimelineFocus::setCurrent(std::optional<SpanRef> ref) {
  m_marks.current = ref;
  m_current_span = identityOf(ref);
  if (ref) Q_EMIT described(sentenceOf(*ref));
  reportSentence();
  updateArrows();
  Q_EMIT currentChanged();
}

void TimelineFocus::setHovered(std::optional<SpanRef> ref) {
  if (ref == m_marks.hovered) {
    if (ref) Q_EMIT hoverChanged();
    return;
  }
  m_marks.hovered = ref;
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
  if (lane && m_marks.current && currentLane() != lane) setCurrent({});
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

void TimelineFocus::hoverLane(std::optional<int> lane) {
  const bool changed = std::exchange(m_hovered_lane, lane) != lane;
  if (m_content.empty()) return;
  if (changed || m_viewport.arrangement().shows(RowKind::Counters)) Q_EMIT headersChanged();
}

void TimelineFocus::reportCounter(const QString& sentence) {
  m_counter_sentence = sentence;
  reportSentence();
}

void TimelineFocus::setTrace(const TraceChange& change) {
  const auto again = [&](const std::optional<SpanIdentity>& span) {
    return change.continued && span ? m_content.data()->find(*span) : std::nullopt;
  };
  m_marks.hovered = again(m_hovered_span);
  m_marks.current = again(m_current_span);
  if (!m_marks.hovered) m_hovered_span.reset();
  if (!m_marks.current) m_current_span.reset();
  m_counter_sentence.clear();
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
  if (!m_content.empty() && m_marks.current && !m_viewport.layout().boxOf(m_marks.current->row)) {
    m_chosen_lane = currentLane();
    setCurrent({});
  }
  setHovered({});
}

void TimelineFocus::updateArrows() {
  m_marks.arrows.clear();
  const std::optional<SpanRef> shown = m_marks.hovered ? m_marks.hovered : m_marks.current;
  if (shown && m_content.data()) m_marks.arrows = m_content.dependencies().arrowsOf(*shown);
}

}  // namespace lanelab
