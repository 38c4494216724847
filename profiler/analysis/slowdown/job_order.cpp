// SPDX-License-Identifier: GPL-3.0-only
#include "profiler/analysis/slowdown/job_order.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <set>
#include <tuple>

namespace lanelab {

namespace {

using Role = JobOperation::Role;
using Numbers = std::vector<std::uint32_t>;

/// Which lanes a collective joins, by the names of StragglerAnalysis; of other names the replicas of a stage.
enum class Scope { Lane, Ends, Replicas, Everyone };

Scope scopeOf(std::string_view name) {
  if (name == "layernorm-grads-all-reduce") return Scope::Lane;
  if (name == "embedding-grads-all-reduce") return Scope::Ends;
  if (name == "optimizer-clip-main-grad") return Scope::Everyone;
  return Scope::Replicas;
}

constexpr std::string_view kGather = "params-all-gather";
constexpr std::string_view kScatter = "grads-reduce-scatter";
constexpr std::string_view kSeparate = "separate-grads-all-reduce";

/// What follows the last pass of a lane, in this order; kScatter there only if gradients are not reduced meanwhile.
constexpr std::string_view kAfterPasses[] = {
    "gc", "layernorm-grads-all-reduce", "embedding-grads-all-reduce", kScatter, kSeparate, "optimizer-clip-main-grad"};

bool isPass(const JobOperation& operation) { return operation.role == Role::Pass; }
bool isPassOf(const JobOperation& operation, Phase phase) {
  return isPass(operation) && (operation.phase == phase || (isBackward(phase) && isBackward(operation.phase)));
}

class Order {
 public:
  explicit Order(JobModel& model) : m_model(model) {
    m_model.after.assign(m_model.operations.size(), {});
    m_by_place.resize(m_model.pipeline_rank.size());
    for (std::uint32_t i = 0; i < m_model.operations.size(); ++i)
      m_by_place[static_cast<std::size_t>(m_model.operations[i].place)].push_back(i);
    for (Numbers& numbers : m_by_place)
      std::ranges::stable_sort(numbers, {}, [this](std::uint32_t i) {
        return std::tuple(operation(i).range.start, operation(i).ordinal, std::string_view(nameOf(i)));
      });
    m_reduces_meanwhile =
        std::ranges::any_of(m_model.types, [](const JobType& type) { return type.name == kSeparate; });
  }

  void run() {
    for (const Numbers& lane : m_by_place) orderLane(lane);
    orderProducers();
    joinTransfers();
    joinCollectives();
  }

 private:
  const JobOperation& operation(std::uint32_t i) const { return m_model.operations[i]; }
  const std::string& nameOf(std::uint32_t i) const { return m_model.types[operation(i).type].name; }
  void wait(std::uint32_t later, std::uint32_t before) { m_model.after[later].push_back(before); }
  void chain(const Numbers& numbers) {
    for (std::size_t i = 1; i < numbers.size(); ++i) wait(numbers[i], numbers[i - 1]);
  }
  template <class Is>
  Numbers chosen(const Numbers& from, const Is& is) const {
    Numbers numbers;
    std::ranges::copy_if(from, std::back_inserter(numbers), [&](std::uint32_t i) { return is(operation(i)); });
    return numbers;
  }
  Numbers named(const Numbers& from, std::string_view name) const {
    Numbers numbers;
    std::ranges::copy_if(from, std::back_inserter(numbers), [&](std::uint32_t i) { return nameOf(i) == name; });
    return numbers;
  }

  void orderLane(const Numbers& lane) {
    const Numbers passes = chosen(lane, isPass);
    chain(passes);
    for (const Phase phase : {Phase::Forward, Phase::Backward})
      for (const Role role : {Role::Send, Role::Receive, Role::Transfer}) orderMoves(lane, passes, role, phase);
    orderFirstBackward(lane, passes);
    orderGathers(lane, passes);
    if (m_reduces_meanwhile) orderScatters(lane, passes);
    orderEnd(lane, passes);
  }

  /// Those of one kind in order; each with the pass whose result or input it carries.
  void orderMoves(const Numbers& lane, const Numbers& passes, Role role, Phase phase) {
    const Numbers moves = chosen(lane, [&](const JobOperation& move) {
      return move.role == role && isBackward(move.phase) == isBackward(phase);
    });
    const Numbers computes = chosen(passes, [&](const JobOperation& pass) { return isPassOf(pass, phase); });
    std::map<std::pair<int, int>, std::size_t> pass_of;  // by stage and micro-batch, in `computes`
    for (std::size_t i = 0; i < computes.size(); ++i)
      pass_of.emplace(std::pair(operation(computes[i]).stage, operation(computes[i]).micro_batch), i);
    const int receiver = role != Role::Receive ? 0 : isBackward(phase) ? -1 : 1;
    chain(moves);
    for (const std::uint32_t move : moves) {
      const auto pass = pass_of.find({operation(move).stage + receiver, operation(move).micro_batch});
      if (pass == pass_of.end()) continue;
      if (role != Role::Receive) {
        wait(move, computes[pass->second]);
      } else {
        wait(computes[pass->second], move);
        if (pass->second > 0) wait(move, computes[pass->second - 1]);
      }
    }
  }

  /// The first transfers of gradients are called one forward before the first backward.
  void orderFirstBackward(const Numbers& lane, const Numbers& passes) {
    const auto first = std::ranges::find_if(passes, [this](std::uint32_t i) { return isBackward(operation(i).phase); });
    if (first == passes.end() || first - passes.begin() < 2) return;
    for (const std::uint32_t i : lane) {
      const JobOperation& move = operation(i);
      if ((move.role == Role::Send || move.role == Role::Receive) && isBackward(move.phase) && move.ordinal == 0)
        wait(i, *(first - 2));
    }
  }

  /// The first forward of a stage waits for its parameters. Of several gathers of a stage the last one counts.
  void orderGathers(const Numbers& lane, const Numbers& passes) {
    chain(chosen(lane, [this](const JobOperation& one) {
      const std::string& name = m_model.types[one.type].name;
      return name == kGather || name == kScatter;
    }));
    std::map<int, std::uint32_t> last;
    for (const std::uint32_t gather : named(lane, kGather)) last.insert_or_assign(operation(gather).stage, gather);
    for (const auto& [stage, gather] : last) {
      const auto first = std::ranges::find_if(passes, [&, at = stage](std::uint32_t i) {
        return operation(i).stage == at && operation(i).phase == Phase::Forward;
      });
      if (first != passes.end()) wait(*first, gather);
    }
  }

  /// The first reduction of a stage's gradients waits for its last backward.
  void orderScatters(const Numbers& lane, const Numbers& passes) {
    std::map<int, std::uint32_t> first;
    for (const std::uint32_t scatter : named(lane, kScatter)) first.emplace(operation(scatter).stage, scatter);
    for (const auto& [stage, scatter] : first) {
      const Numbers backwards = chosen(
          passes, [&, at = stage](const JobOperation& pass) { return pass.stage == at && isBackward(pass.phase); });
      if (!backwards.empty()) wait(scatter, lastToEnd(backwards));
    }
  }

  std::uint32_t lastToEnd(const Numbers& numbers) const {
    return *std::ranges::max_element(numbers, {}, [this](std::uint32_t i) { return operation(i).range.end; });
  }

  /// What follows the passes: known names in their order, then others and updates by start.
  void orderEnd(const Numbers& lane, const Numbers& passes) {
    if (passes.empty()) return;
    Numbers end = {lastToEnd(passes)};
    const Numbers scatters = named(lane, kScatter);
    for (const std::string_view name : kAfterPasses) {
      if (name == kScatter && m_reduces_meanwhile) continue;
      std::ranges::copy(named(lane, name), std::back_inserter(end));
    }
    const std::size_t known = end.size();
    std::ranges::copy_if(lane, std::back_inserter(end), [&](std::uint32_t i) { return isOther(i); });
    chain(end);
    const auto after_scatter =
        std::ranges::find_if(end, [this](std::uint32_t i) { return !isPass(operation(i)) && nameOf(i) != "gc"; });
    if (m_reduces_meanwhile && !scatters.empty() && known > 1 && after_scatter != end.end())
      wait(*after_scatter, scatters.back());
  }

  bool isOther(std::uint32_t i) const {
    const JobOperation& one = operation(i);
    if (one.role == Role::Update) return true;
    if (one.role != Role::Collective && one.role != Role::Local) return false;
    const std::string& name = nameOf(i);
    return name != kGather && std::ranges::find(kAfterPasses, name) == std::end(kAfterPasses);
  }

  /// Where nothing was recorded of how a pass received its input, it waits for the one transfer or the send of that, or
  /// for the pass that made it.
  void orderProducers() {
    using Result = std::tuple<bool, int, int>;  // backward, stage, micro-batch
    std::map<Result, std::uint32_t> passes, transfers;
    std::set<Result> received;
    for (std::uint32_t i = 0; i < m_model.operations.size(); ++i) {
      const JobOperation& one = operation(i);
      const Result result{isBackward(one.phase), one.stage, one.micro_batch};
      if (one.role == Role::Receive) received.insert(result);
      if (one.role == Role::Transfer || one.role == Role::Send) transfers.emplace(result, i);
      if (isPassOf(one, Phase::Forward) || isPassOf(one, Phase::Backward)) passes.emplace(result, i);
    }
    for (const auto& [result, pass] : passes) {
      const auto& [backward, stage, micro_batch] = result;
      const Result input{backward, backward ? stage + 1 : stage - 1, micro_batch};
      const auto transfer = transfers.find(input), producer = passes.find(input);
      if (received.contains(input)) continue;
      if (transfer != transfers.end()) {
        wait(pass, transfer->second);
      } else if (producer != passes.end()) {
        wait(pass, producer->second);
      }
    }
  }

  /// A send ends with its receive; what has no peer ends by itself.
  void joinTransfers() {
    std::map<std::tuple<bool, int, int>, Numbers> pairs;
    for (std::uint32_t i = 0; i < m_model.operations.size(); ++i) {
      const JobOperation& move = operation(i);
      if (move.role != Role::Send && move.role != Role::Receive) continue;
      if (move.micro_batch < 0) {
        m_model.groups.push_back({{i}, false});
      } else {
        pairs[{isBackward(move.phase), move.stage, move.micro_batch}].push_back(i);
      }
    }
    for (auto& [key, members] : pairs) m_model.groups.push_back({std::move(members), false});
  }

  void joinCollectives() {
    std::map<std::tuple<std::uint32_t, int, int>, Numbers> groups;  // by type, ordinal, and place where it is of one
    const int last = *std::ranges::max_element(m_model.pipeline_rank);
    for (std::uint32_t i = 0; i < m_model.operations.size(); ++i) {
      const JobOperation& one = operation(i);
      if (one.role != Role::Collective) continue;
      const Scope scope = scopeOf(nameOf(i));
      const int rank = m_model.pipeline_rank[static_cast<std::size_t>(one.place)];
      if (scope == Scope::Lane || (scope == Scope::Ends && rank != 0 && rank != last)) continue;
      groups[{one.type, one.ordinal, scope == Scope::Replicas ? one.place : -1}].push_back(i);
    }
    for (auto& [key, members] : groups) {
      const bool ends = scopeOf(m_model.types[std::get<0>(key)].name) == Scope::Ends;
      m_model.groups.push_back({std::move(members), !ends});
    }
  }

  JobModel& m_model;
  std::vector<Numbers> m_by_place;  ///< by start
  bool m_reduces_meanwhile = false;
};

}  // namespace

void orderOperations(JobModel& model) { Order(model).run(); }

}  // namespace lanelab
