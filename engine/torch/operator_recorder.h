// Spans of torch's operators on one lane's thread, by RecordFunction.
#pragma once

#include <ATen/record_function.h>

#include <cstdint>
#include <string>
#include <unordered_map>

#include "engine/plan/schedule.h"
#include "profiler/trace/trace_builder.h"

namespace lanelab {

/// Made, used and destroyed on the lane's thread: the callback is thread-local, so other lanes and threads pay nothing.
class OperatorRecorder {
 public:
  OperatorRecorder(TraceBuilder& trace, int lane);
  ~OperatorRecorder();
  OperatorRecorder(const OperatorRecorder&) = delete;
  OperatorRecorder& operator=(const OperatorRecorder&) = delete;

  /// Leaves steps out, at the cost of none; between steps.
  void pause(bool paused);
  void beginAction(int step, const Action& action);

 private:
  static std::unique_ptr<at::ObserverContext> begin(const at::RecordFunction& function);
  static void end(const at::RecordFunction& function, at::ObserverContext* context);
  std::uint32_t nameOf(const char* name);

  TraceBuilder& m_trace;
  TrackIndex m_track;
  at::CallbackHandle m_handle;
  bool m_paused = false;
  std::unordered_map<std::string, std::uint32_t> m_names;
  std::int32_t m_step = -1;
  Action m_action;
};

}  // namespace lanelab
