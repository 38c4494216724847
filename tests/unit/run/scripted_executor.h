// SPDX-License-Identifier: GPL-3.0-only
// An executor that does what a test's script says, on the calling thread: the runner's own behaviour without threads or
// times.
#pragma once

#include <functional>
#include <stdexcept>
#include <string>
#include <vector>

#include "engine/lanes/executor.h"

namespace lanelab::test {

struct Script {
  /// What the n-th repeat of a variant (from 0, warm-ups too) gives; empty: every step takes 0.25 s.
  std::function<RepeatOutcome(const std::string& variant, int call)> repeat;
  std::function<Status(const std::string& variant)> prepare;
  std::function<Status(const std::string& path)> save;
  Status machine;
  std::int64_t memory_bytes = 0;  ///< of the host; 0: not known
  std::vector<std::string> warnings;
  bool holds_weights = false;    ///< while what checkMachine() read is there
  std::vector<std::string> log;  ///< "load with weights", "prepare Single", "run Single", "save Single"
};

inline RepeatOutcome steadyRepeat(int steps, double seconds = 0.25) {
  RepeatOutcome outcome;
  for (int step = 0; step < steps; ++step) {
    outcome.step_seconds.push_back(seconds);
    outcome.losses.push_back(2.0 - step);
  }
  outcome.peak_bytes = {4096, 0};
  return outcome;
}

class ScriptedSession : public Session {
 public:
  ScriptedSession(Script& script, VariantPlan plan, int steps)
      : m_script(script), m_plan(std::move(plan)), m_steps(steps) {}

  RepeatOutcome runRepeat(const RepeatRequest& request) override {
    m_script.log.push_back("run " + m_plan.name);
    RepeatOutcome outcome = m_script.repeat ? m_script.repeat(m_plan.name, m_calls) : steadyRepeat(m_steps);
    ++m_calls;
    for (std::size_t step = 0; step < outcome.step_seconds.size(); ++step) {
      if (request.trace != nullptr) record(*request.trace, static_cast<int>(step));
      request.on_step(static_cast<int>(step), outcome.step_seconds[step], outcome.losses[step]);
    }
    return outcome;
  }

  Status saveWeights(const std::string& path) override {
    m_script.log.push_back("save " + m_plan.name);
    return m_script.save ? m_script.save(path) : Status();
  }

 private:
  /// Lane 0 is busy for 600 of the 1000 ns of every step.
  void record(TraceBuilder& trace, int step) {
    const TrackIndex compute = trace.addTrack(0, Track::Kind::Compute, "compute");
    const TrackIndex steps = trace.addTrack(0, Track::Kind::Step, "steps");
    Span span;
    span.start = 1000 * step;
    span.end = span.start + 600;
    span.step = step;
    span.stage = 0;
    span.micro_batch = 0;
    span.category = Category::Action;
    span.phase = Phase::Forward;
    span.name = trace.intern("0F0");
    trace.append(compute, span);
    span.end = span.start + 1000;
    span.category = Category::Step;
    span.name = trace.intern("step " + std::to_string(step));
    trace.append(steps, span);
  }

  Script& m_script;
  VariantPlan m_plan;
  int m_steps;
  int m_calls = 0;
};

class ScriptedWeights : public CheckedWeights {
 public:
  explicit ScriptedWeights(Script& script) : m_script(script) { m_script.holds_weights = true; }
  ~ScriptedWeights() override { m_script.holds_weights = false; }
  ScriptedWeights(const ScriptedWeights&) = delete;
  ScriptedWeights& operator=(const ScriptedWeights&) = delete;

 private:
  Script& m_script;
};

class ScriptedExecutor : public Executor {
 public:
  explicit ScriptedExecutor(Script& script) : m_script(script) {}
  std::vector<std::pair<std::string, std::string>> describe() const override { return {{"scripted", "1"}}; }
  std::vector<DeviceInfo> devices() const override {
    const std::int64_t bytes = m_script.memory_bytes;
    return {{Device::cpu(0), "core 0", bytes}, {Device::cpu(1), "core 1", bytes}, {Device::cpu(2), "core 2", bytes}};
  }
  Result<SharedWeights> checkMachine(const Resolution&, std::vector<std::string>& warnings) const override {
    warnings = m_script.warnings;
    if (!m_script.machine.ok()) return m_script.machine.error();
    return SharedWeights(std::make_shared<const ScriptedWeights>(m_script));
  }
  Result<SessionMaker> load(const Resolution&, int steps, SharedWeights weights) override {
    m_script.log.push_back(weights ? "load with weights" : "load");
    return SessionMaker([this, steps](const ResolvedVariant& variant) -> Result<std::unique_ptr<Session>> {
      const VariantPlan& plan = *variant.plan();
      m_script.log.push_back("prepare " + plan.name);
      if (m_script.prepare) {
        if (const Status status = m_script.prepare(plan.name); !status.ok()) return status.error();
      }
      return std::unique_ptr<Session>(std::make_unique<ScriptedSession>(m_script, plan, steps));
    });
  }

 private:
  Script& m_script;
};

}  // namespace lanelab::test
