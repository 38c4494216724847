// SPDX-License-Identifier: GPL-3.0-only
#include "profiler/analysis/slowdown/pass_times.h"

#include <algorithm>
#include <limits>
#include <map>
#include <tuple>
#include <utility>

#include "base/quantile.h"

namespace lanelab {

namespace {

using Role = JobOperation::Role;

/// What a pass makes: backward or not, the stage and the micro-batch.
using ResultKey = std::tuple<bool, int, int>;

ResultKey resultOf(const JobOperation& operation) {
  return {isBackward(operation.phase), operation.stage, operation.micro_batch};
}
ResultKey inputOf(const JobOperation& pass) {
  const bool backward = isBackward(pass.phase);
  return {backward, backward ? pass.stage + 1 : pass.stage - 1, pass.micro_batch};
}

}  // namespace

PassTimes::PassTimes(const JobModel& model, std::vector<std::optional<Nanoseconds>> begins)
    : m_model(&model), m_begins(std::move(begins)) {
  findPasses();
  sortByWaits();
  findMoves();
  m_lane_ends.assign(model.pipeline_rank.size(),
                     std::vector<Nanoseconds>(model.occurrences(), std::numeric_limits<Nanoseconds>::min()));
  for (std::uint32_t i = 0; i < model.operations.size(); ++i) {
    std::vector<Nanoseconds>& ends = m_lane_ends[static_cast<std::size_t>(model.operations[i].place)];
    for (std::size_t k = 0; k < model.occurrences(); ++k) ends[k] = std::max(ends[k], rangeOf(i, k).end);
  }
}

void PassTimes::findPasses() {
  const std::vector<JobOperation>& operations = m_model->operations;
  for (std::uint32_t i = 0; i < operations.size(); ++i)
    if (operations[i].role == Role::Pass) m_passes.push_back({i});
  std::ranges::stable_sort(m_passes, {}, [&](const TimedPass& pass) { return operations[pass.operation].range.start; });
  std::map<ResultKey, std::uint32_t> makers;
  std::map<int, std::uint32_t> last_of_place;
  for (std::uint32_t i = 0; i < m_passes.size(); ++i) {
    const JobOperation& pass = operations[m_passes[i].operation];
    if (pass.phase != Phase::BackwardWeight) makers.emplace(resultOf(pass), i);
    const auto [last, is_first] = last_of_place.try_emplace(pass.place, i);
    if (!is_first) m_passes[i].before = std::exchange(last->second, i);
  }
  for (TimedPass& pass : m_passes) {
    const JobOperation& operation = operations[pass.operation];
    const auto maker = makers.find(inputOf(operation));
    if (operation.phase == Phase::BackwardWeight || maker == makers.end()) continue;
    if (operations[m_passes[maker->second].operation].place != operation.place) pass.producer = maker->second;
  }
}

/// The order of Kahn; clocks may have a pass begin before what it waits for.
void PassTimes::sortByWaits() {
  std::vector<std::uint32_t> order, place(m_passes.size(), kNoOperation);
  std::vector<std::vector<std::uint32_t>> next(m_passes.size());
  std::vector<int> waits(m_passes.size(), 0);
  for (std::uint32_t i = 0; i < m_passes.size(); ++i) {
    for (const std::uint32_t awaited : {m_passes[i].before, m_passes[i].producer}) {
      if (awaited == kNoOperation) continue;
      next[awaited].push_back(i);
      ++waits[i];
    }
    if (waits[i] == 0) order.push_back(i);
  }
  for (std::size_t done = 0; done < order.size(); ++done) {
    place[order[done]] = static_cast<std::uint32_t>(done);
    for (const std::uint32_t later : next[order[done]])
      if (--waits[later] == 0) order.push_back(later);
  }
  std::vector<TimedPass> sorted;
  for (const std::uint32_t i : order) {
    TimedPass pass = m_passes[i];
    if (pass.before != kNoOperation) pass.before = place[pass.before];
    if (pass.producer != kNoOperation) pass.producer = place[pass.producer];
    sorted.push_back(pass);
  }
  if (sorted.size() < m_passes.size()) sorted.clear();
  m_passes = std::move(sorted);
}

void PassTimes::findMoves() {
  std::map<std::tuple<Role, int, ResultKey>, std::uint32_t> moves;
  for (std::uint32_t i = 0; i < m_model->operations.size(); ++i) {
    const JobOperation& move = m_model->operations[i];
    if ((move.role == Role::Send || move.role == Role::Receive) && move.micro_batch >= 0)
      moves.emplace(std::tuple(move.role, move.place, resultOf(move)), i);
  }
  const auto moveAt = [&](Role role, int place, const ResultKey& result) {
    const auto move = moves.find({role, place, result});
    return move == moves.end() ? kNoOperation : move->second;
  };
  for (TimedPass& pass : m_passes) {
    if (pass.producer == kNoOperation) continue;
    const JobOperation& operation = m_model->operations[pass.operation];
    const JobOperation& producer = m_model->operations[m_passes[pass.producer].operation];
    pass.send = moveAt(Role::Send, producer.place, inputOf(operation));
    pass.receive = moveAt(Role::Receive, operation.place, inputOf(operation));
  }
}

Nanoseconds PassTimes::laneReady(const TimedPass& pass, std::size_t occurrence) const {
  const std::size_t step = stepOf(occurrence);
  const auto place = static_cast<std::size_t>(m_model->operations[pass.operation].place);
  if (followsAnother(step)) return m_lane_ends[place][occurrence - m_model->replicas()];
  const Nanoseconds start = rangeOf(pass.operation, occurrence).start;
  return std::min(start, m_begins[step].value_or(start));
}

Nanoseconds PassTimes::ready(const TimedPass& pass, std::size_t occurrence) const {
  const Nanoseconds lane = pass.before == kNoOperation ? laneReady(pass, occurrence)
                                                       : rangeOf(m_passes[pass.before].operation, occurrence).end;
  return pass.producer == kNoOperation ? lane
                                       : std::max(lane, rangeOf(m_passes[pass.producer].operation, occurrence).end);
}

TimeRange PassTimes::hullOfStep(std::size_t step) const {
  std::optional<TimeRange> hull;
  for (std::uint32_t i = 0; i < m_model->operations.size(); ++i)
    for (std::size_t replica = 0; replica < m_model->replicas(); ++replica) {
      const TimeRange range = rangeOf(i, step * m_model->replicas() + replica);
      hull = hull ? hullOf(*hull, range) : range;
    }
  return hull.value_or(TimeRange{});
}

double PassTimes::stepSeconds() const {
  std::vector<double> seconds;
  Nanoseconds last_end = 0;
  for (std::size_t step = 0; step < m_model->steps.size(); ++step) {
    const TimeRange hull = hullOfStep(step);
    const Nanoseconds begin = followsAnother(step) ? last_end : hull.start;
    seconds.push_back(static_cast<double>(hull.end - begin) * kNanosecond);
    last_end = hull.end;
  }
  return medianOf(std::move(seconds));
}

}  // namespace lanelab
