// SPDX-License-Identifier: GPL-3.0-only
#include "ui/timeline/change/timeline_changes.h"

#include <mutex>
#include <utility>

namespace lanelab {

/// Made when the first change is answered, since large traces take a while.
class TimelineChanges::PreparedSteps {
 public:
  explicit PreparedSteps(std::shared_ptr<const Trace> trace) : m_trace(std::move(trace)) {}
  const MeasuredSteps& get() {
    std::call_once(m_once, [this] { m_steps.emplace(m_trace); });
    return *m_steps;
  }

 private:
  std::shared_ptr<const Trace> m_trace;
  std::once_flag m_once;
  std::optional<MeasuredSteps> m_steps;
};

void TimelineChanges::setMeasured(std::shared_ptr<const TimelineData> measured) {
  const bool same = measured && m_measured && measured->shared() == m_measured->shared();
  m_measured = std::move(measured);
  if (same) return;
  m_prepared = m_measured ? std::make_shared<PreparedSteps>(m_measured->shared()) : nullptr;
  m_moves.clear();
  restore();
}

QString TimelineChanges::whyNot() const {
  if (!m_measured || m_measured->empty()) return tr("There is no timeline yet.");
  const Trace& trace = m_measured->trace();
  if (m_measured->aligned()) return tr("Two runs are on one axis. Stop comparing, then change the actions of one.");
  if (!trace.live.empty()) return tr("The run is in progress. Its actions can be changed when it has ended.");
  if (trace.origin == Origin::Predicted) return tr("These actions are predicted. Only measured ones can be changed.");
  if (trace.origin == Origin::Replayed)
    return tr("These steps are replayed already. Reset What If, then change the measured ones.");
  if (!m_measured->computes() || m_measured->steps().empty())
    return tr("This trace does not say which span waits for which, so nothing follows from a change.");
  return {};
}

QString TimelineChanges::whyNot(SpanRef ref) const {
  if (const QString why = whyNot(); !why.isEmpty()) return why;
  const Span span = m_measured->span(ref);
  const bool replayed = span.category == Category::Action || span.category == Category::Transfer;
  if (!replayed || span.phase == Phase::None)
    return tr("Only actions and transfers can be changed: F, B, I, W and U of a stage.");
  if (span.stage < 0 || span.step < 0)
    return tr("The trace does not name stage and step of this action, so nothing follows from a change.");
  return {};
}

QString TimelineChanges::whyNotMove(SpanRef ref, int lane) {
  if (const QString why = whyNot(ref); !why.isEmpty()) return why;
  const Span span = m_measured->span(ref);
  if (span.category == Category::Transfer) return tr("A transfer stays between its two lanes. Move one of the stages.");
  if (m_measured->replicaOf(m_measured->rows()[ref.row].lane) >= 0)
    return tr("Replicas are cut alike, so a stage of one cannot go to another lane.");
  std::map<int, int> lanes = withChange(m_pending, moveOf(ref, lane)).lanes;
  return lanes.empty() ? QString() : answerFor(lanes).why_not;
}

const TimelineChanges::MoveAnswer& TimelineChanges::answerFor(const std::map<int, int>& lanes) {
  const auto known = m_moves.find(lanes);
  if (known != m_moves.end()) return known->second;
  return m_moves.emplace(lanes, m_rule ? m_rule(lanes) : MoveAnswer{}).first->second;
}

ScaledSpans TimelineChanges::spansOf(SpanRef ref, bool all, double factor) const {
  const Span span = m_measured->span(ref);
  return {span.category == Category::Transfer, all, actionIdOf(span), m_measured->rows()[ref.row].lane, factor};
}

StageMove TimelineChanges::moveOf(SpanRef ref, int lane) const {
  return {m_measured->span(ref).stage, m_measured->rows()[ref.row].lane, lane};
}

int TimelineChanges::laneOf(SpanRef ref) const {
  const auto moved = m_changes.lanes.find(m_measured->span(ref).stage);
  return moved == m_changes.lanes.end() ? m_measured->rows()[ref.row].lane : moved->second;
}

void TimelineChanges::preview(const SpanChange& change) { this->change(withChange(m_pending, change), change); }

void TimelineChanges::keep() {
  m_pending = m_changes;
  m_pending_latest = m_latest;
  Q_EMIT pendingChanged();
}

void TimelineChanges::drop() { change(m_pending, m_pending_latest); }

void TimelineChanges::restore() {
  const bool was_pending = isPending();
  m_pending = {};
  m_pending_latest.reset();
  change({}, {});
  if (was_pending) Q_EMIT pendingChanged();
}

void TimelineChanges::change(WhatIf changes, std::optional<SpanChange> latest) {
  m_changes = std::move(changes);
  m_latest = latest;
  ++m_version;
  if (!m_changes.lanes.empty()) m_changes.order = answerFor(m_changes.lanes).order;
  if (!changesNothing(m_changes)) {
    if (!m_asking) ask();
    return;
  }
  m_work.cancel();
  m_asking = false;
  m_answered = m_version;
  if (std::exchange(m_shown, std::nullopt)) Q_EMIT shownChanged();
}

/// One question at a time: each is answered and shown, however fast the hand moves, and the newest comes next.
void TimelineChanges::ask() {
  m_asking = true;
  m_work.ask([this, measured = m_measured, prepared = m_prepared, changes = m_changes, latest = m_latest,
              version = m_version](const std::stop_token&) -> Background::Then {
    const MeasuredSteps& steps = prepared->get();
    AnsweredChanges answer{std::make_shared<const ChangedTimeline>(measured, steps.with(changes), changes), latest, {}};
    if (const auto* const scaled = latest ? std::get_if<ScaledSpans>(&*latest) : nullptr)
      answer.length = steps.lengthOf(*scaled, changes);
    return [this, answer = std::move(answer), version]() mutable { show(std::move(answer), version); };
  });
}

void TimelineChanges::show(AnsweredChanges answer, int version) {
  m_asking = false;
  m_shown = std::move(answer);
  m_answered = version;
  if (version != m_version) ask();
  Q_EMIT shownChanged();
}

}  // namespace lanelab
