// SPDX-License-Identifier: GPL-3.0-only
// What a run tells on stderr while it goes, and how it can be repeated.
#pragma once

#include <chrono>
#include <string>
#include <vector>

#include "engine/experiment/resolution.h"
#include "engine/lanes/run_observer.h"
#include "engine/record/sample_unit.h"
#include "engine/run/time_left.h"

namespace lanelab {

/// A bar that stays on its line on a terminal, else one line a repeat. What it shows is cleared when it goes.
class RunProgress : public RunObserver {
 public:
  /// `resolution` must live as long. `first_warning` (empty: none) is printed once nothing refuses the run any more.
  RunProgress(const Resolution& resolution, bool terminal, std::string first_warning = {});
  ~RunProgress() override { clear(); }

  void preparing(const std::string& what) override;
  void repeatStarted(const RepeatStart& start) override;
  void stepDone(const StepDone& step) override;
  void epochDone(int variant, int epoch, const EpochResult& result) override;
  void repeatDone(double seconds) override;
  void warned(const std::string& sentence) override;

 private:
  using Clock = std::chrono::steady_clock;

  void showBar(int steps_done);
  std::string timeLeftText(double done) const;
  void show(const std::string& line);
  void clear();

  const Experiment& m_experiment;
  const SampleUnit m_unit_of_speed;
  const bool m_terminal;
  std::string m_first_warning;
  bool m_shown = false;
  int m_unit = 0;
  int m_units = 0;
  int m_steps = 0;
  std::string m_what;
  double m_samples_per_second = 0;
  TimeLeft m_time_left;
};

/// The command as a shell would take it again.
std::string commandLine(const std::vector<std::string>& arguments);

}  // namespace lanelab
