#include "engine/plan/generate.h"

#include <algorithm>

#include "engine/base/text.h"

namespace lanelab {
namespace {

constexpr std::size_t most_cells = 1'000'000;  // (stage, micro-batch) pairs: bounds time and memory of the simulation

// The order in which one stage does its own actions: `warm_up` forwards, then a backward and a forward in turn, then the backwards
// that are left. With all forwards as warm-up this is GPipe, with S-s it is 1F1B.
std::vector<Action> stageOrder(StageId stage, int warm_up, int micro_batches) {
  std::vector<Action> order;
  order.reserve(2 * static_cast<std::size_t>(micro_batches));
  int forwards = 0;
  const auto forward = [&] { order.push_back({stage, ActionKind::Forward, MicroBatchId(forwards++)}); };
  while (forwards < warm_up) forward();
  for (int backward = 0; backward < micro_batches; ++backward) {
    order.push_back({stage, ActionKind::Backward, MicroBatchId(backward)});
    if (forwards < micro_batches) forward();
  }
  return order;
}

Status checkRequest(const std::string& name, const std::vector<LaneId>& lane_of_stage, int lanes, int micro_batches) {
  const auto& known = knownSchedules();
  if (std::find(known.begin(), known.end(), name) == known.end()) {
    const std::string near = nearestName(name, known);
    return Error::badInput("Unknown schedule \"" + name +
                           "\": " + (near.empty() ? "choose " + joinOr(known) + "." : "did you mean \"" + near + "\"?"));
  }
  if (lane_of_stage.empty()) return Error::badInput("A schedule needs at least 1 stage, not 0.");
  if (micro_batches < 1) return Error::badInput("A schedule needs at least 1 micro-batch, not " + std::to_string(micro_batches) + ".");
  if (lane_of_stage.size() > most_stages) {
    return Error::badInput("A schedule has at most " + std::to_string(most_stages) + " stages, not " + std::to_string(lane_of_stage.size()) + ".");
  }
  if (micro_batches > most_micro_batches) {
    return Error::badInput("A schedule has at most " + std::to_string(most_micro_batches) + " micro-batches, not " + std::to_string(micro_batches) +
                           ": choose a larger split size.");
  }
  if (lane_of_stage.size() * static_cast<std::size_t>(micro_batches) > most_cells) {
    return Error::badInput(std::to_string(lane_of_stage.size()) + " stages of " + std::to_string(micro_batches) +
                           " micro-batches make more actions than anyone can read or run: choose a larger split size or fewer stages.");
  }
  for (const LaneId lane : lane_of_stage) {
    if (lane.value < 0 || lane.value >= lanes) {
      return Error::badInput("A stage lies on lane " + std::to_string(lane.value) + ", but there are " + std::to_string(lanes) +
                             " lanes, counted from 0: place it on one of them.");
    }
  }
  return {};
}

}  // namespace

const std::vector<std::string>& knownSchedules() {
  static const std::vector<std::string> names = {"gpipe", "1f1b"};
  return names;
}

Result<Schedule> generateSchedule(const std::string& name, const std::vector<LaneId>& lane_of_stage, int lanes, int micro_batches,
                                  const std::vector<StageTimes>& times) {
  if (const Status request = checkRequest(name, lane_of_stage, lanes, micro_batches); !request.ok()) return request.error();
  const int stages = static_cast<int>(lane_of_stage.size());
  std::vector<std::vector<Action>> orders;
  for (int s = 0; s < stages; ++s) {
    const int warm_up = name == "1f1b" ? std::min(micro_batches, stages - s) : micro_batches;
    orders.push_back(stageOrder(StageId(s), warm_up, micro_batches));
  }
  const std::vector<StageTimes> known = times.empty() ? std::vector<StageTimes>(lane_of_stage.size()) : times;
  return Schedule{stages, micro_batches, mergeOrders(orders, lane_of_stage, known, lanes, micro_batches)};
}

}  // namespace lanelab
