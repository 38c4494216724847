// SPDX-License-Identifier: GPL-3.0-only
#include "profiler/analysis/slowdown/job_reorder.h"

#include <algorithm>
#include <map>
#include <numeric>
#include <tuple>

#include "profiler/analysis/slowdown/job_order.h"

namespace lanelab {

namespace {

using Role = JobOperation::Role;

/// What a pass of the new order takes: shares of passes that were measured.
struct TakenLength {
  std::uint32_t pass = 0;
  double share = 1;
};
using TakenLengths = std::vector<TakenLength>;

constexpr double kHalf = 0.5;  ///< of a backward, that each of its parts takes

class Reordering {
 public:
  Reordering(const JobModel& model, const PassOrder& order) : m_model(model), m_order(order), m_result(model) {
    m_result.operations.clear();
    m_result.after.clear();
    m_result.groups.clear();
    m_result.lengths.clear();
    m_taken_share.resize(model.operations.size());
    for (std::uint32_t i = 0; i < model.operations.size(); ++i)
      if (const JobOperation& one = model.operations[i]; one.role == Role::Pass)
        m_passes.emplace(std::tuple(one.place, OrderedAction{one.stage, one.phase, one.micro_batch}), i);
  }

  std::optional<JobModel> run() {
    if (m_order.size() != m_model.pipeline_rank.size()) return std::nullopt;
    for (int place = 0; place < static_cast<int>(m_order.size()); ++place)
      if (!addPasses(place)) return std::nullopt;
    for (std::uint32_t i = 0; i < m_model.operations.size(); ++i)
      if (m_model.operations[i].role != Role::Pass)
        addOther(i);
      else if (m_taken_share[i] != 1)
        return std::nullopt;
    numberMoves();
    orderOperations(m_result);
    return std::move(m_result);
  }

 private:
  /// A place in the order counts as a nanosecond: receives go before their pass, sends behind it.
  static Nanoseconds timeOf(std::size_t rank) { return 4 * static_cast<Nanoseconds>(rank) + 2; }

  bool addPasses(int place) {
    const std::vector<OrderedAction>& row = m_order[static_cast<std::size_t>(place)];
    for (std::size_t rank = 0; rank < row.size(); ++rank) {
      const TakenLengths taken = takenBy(place, row[rank]);
      if (taken.empty()) return false;
      for (const TakenLength& one : taken) m_taken_share[one.pass] += one.share;
      JobOperation pass = m_model.operations[taken.front().pass];
      if (pass.phase != row[rank].phase) pass.type = typeOf(row[rank].phase);
      pass.phase = row[rank].phase;
      pass.ordinal = static_cast<int>(rank);
      pass.range = {timeOf(rank), timeOf(rank) + 1};
      m_time_of.emplace(std::tuple(place, isBackward(pass.phase), pass.stage, pass.micro_batch), pass.range.start);
      if (pass.phase == Phase::BackwardInput) m_splits = true;
      addOperation(pass, taken);
    }
    return true;
  }

  TakenLengths takenBy(int place, const OrderedAction& action) const {
    const auto passOf = [&](Phase phase) {
      return m_passes.find(std::tuple(place, OrderedAction{action.stage, phase, action.micro_batch}));
    };
    if (const auto same = passOf(action.phase); same != m_passes.end()) return {{same->second, 1}};
    if (action.phase == Phase::Backward) {
      const auto input = passOf(Phase::BackwardInput), weight = passOf(Phase::BackwardWeight);
      if (input == m_passes.end() || weight == m_passes.end()) return {};
      return {{input->second, 1}, {weight->second, 1}};
    }
    const auto whole = passOf(Phase::Backward);
    if (action.phase == Phase::Forward || whole == m_passes.end()) return {};
    return {{whole->second, kHalf}};
  }

  std::uint32_t typeOf(Phase phase) {
    const std::string_view name = phase == Phase::BackwardInput    ? "backward-input"
                                  : phase == Phase::BackwardWeight ? "backward-weight"
                                                                   : "backward";
    const auto known = std::ranges::find(m_result.types, name, &JobType::name);
    if (known == m_result.types.end()) m_result.types.push_back({std::string(name), false});
    return static_cast<std::uint32_t>(std::ranges::find(m_result.types, name, &JobType::name) - m_result.types.begin());
  }

  void addOperation(const JobOperation& operation, const TakenLengths& taken) {
    m_result.operations.push_back(operation);
    for (std::size_t k = 0; k < m_model.occurrences(); ++k) {
      double length = 0;
      for (const TakenLength& one : taken) length += one.share * m_model.lengths[m_model.at(one.pass, k)];
      m_result.lengths.push_back(length);
    }
  }

  static bool isMove(const JobOperation& one) {
    return one.role == Role::Send || one.role == Role::Receive || one.role == Role::Transfer;
  }

  /// What is not a pass. Transfers of no known pass go first.
  void addOther(std::uint32_t i) {
    JobOperation operation = m_model.operations[i];
    if (isMove(operation)) {
      const bool backward = isBackward(operation.phase);
      if (backward) operation.phase = m_splits ? Phase::BackwardInput : Phase::Backward;
      const bool receives = operation.role == Role::Receive;
      const int stage = operation.stage + (!receives ? 0 : backward ? -1 : 1);
      const auto pass = m_time_of.find({operation.place, backward, stage, operation.micro_batch});
      const Nanoseconds start = pass == m_time_of.end() ? 0 : pass->second + (receives ? -1 : 1);
      operation.range = {start, start + 1};
    }
    addOperation(operation, {{i, 1}});
  }

  void numberMoves() {
    std::vector<std::uint32_t> moves;
    for (std::uint32_t i = 0; i < m_result.operations.size(); ++i)
      if (isMove(m_result.operations[i])) moves.push_back(i);
    std::ranges::stable_sort(moves, {}, [this](std::uint32_t i) { return m_result.operations[i].range.start; });
    std::map<std::pair<int, std::uint32_t>, int> next;  // by place and type
    for (const std::uint32_t i : moves) {
      JobOperation& move = m_result.operations[i];
      move.ordinal = next[{move.place, move.type}]++;
    }
  }

  const JobModel& m_model;
  const PassOrder& m_order;
  JobModel m_result;
  std::map<std::tuple<int, OrderedAction>, std::uint32_t> m_passes;  ///< by place
  std::vector<double> m_taken_share;                                 ///< by operation of the model
  std::map<std::tuple<int, bool, int, int>, Nanoseconds> m_time_of;  ///< by place, backward, stage, micro-batch
  bool m_splits = false;                                             ///< the order has input parts
};

}  // namespace

PassOrder passOrderOf(const JobModel& model) {
  std::vector<std::uint32_t> passes;
  for (std::uint32_t i = 0; i < model.operations.size(); ++i)
    if (model.operations[i].role == Role::Pass) passes.push_back(i);
  std::ranges::stable_sort(passes, {}, [&](std::uint32_t i) { return model.operations[i].range.start; });
  PassOrder order(model.pipeline_rank.size());
  for (const std::uint32_t i : passes) {
    const JobOperation& pass = model.operations[i];
    order[static_cast<std::size_t>(pass.place)].push_back({pass.stage, pass.phase, pass.micro_batch});
  }
  return order;
}

std::optional<JobModel> reordered(const JobModel& model, const PassOrder& order) {
  return Reordering(model, order).run();
}

}  // namespace lanelab
