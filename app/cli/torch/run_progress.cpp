// SPDX-License-Identifier: GPL-3.0-only
#include "app/cli/torch/run_progress.h"

#include <algorithm>
#include <iostream>
#include <utility>

#include "base/progress.h"
#include "base/shell_text.h"
#include "base/terminal_text.h"
#include "base/text.h"

namespace lanelab {

RunProgress::RunProgress(const Resolution& resolution, bool terminal, std::string first_warning)
    : m_experiment(resolution.experiment()),
      m_unit_of_speed(SampleUnit::of(resolution.model())),
      m_terminal(terminal),
      m_first_warning(std::move(first_warning)),
      m_time_left({static_cast<int>(m_experiment.variants.size()), m_experiment.warmup, m_experiment.repeats}) {}

void RunProgress::preparing(const std::string& what) {
  if (const std::string warning = std::exchange(m_first_warning, {}); !warning.empty()) warned(warning);
  if (m_terminal)
    show(what);
  else
    std::cerr << what << "\n";
}

void RunProgress::repeatStarted(const RepeatStart& start) {
  m_time_left.unitStarted(start.variant, start.warmup, start.steps, Clock::now());
  m_unit = start.unit;
  m_units = start.units;
  m_steps = start.steps;
  m_what = (start.warmup ? "warm-up " : "repeat ") + std::to_string(start.repeat + 1) + " of " +
           std::to_string(start.warmup ? m_experiment.warmup : m_experiment.repeats) + ", " + start.variant_name;
  if (m_terminal) showBar(0);
}

void RunProgress::stepDone(const StepDone& step) {
  m_time_left.stepDone(step.seconds, Clock::now());
  m_samples_per_second = step.seconds > 0 ? step.samples / step.seconds : 0;
  if (m_terminal) showBar(step.step + 1);
}

void RunProgress::epochDone(int /*variant*/, int epoch, const EpochResult& result) {
  clear();
  std::cerr << m_what << ", epoch " << epoch + 1 << " of " << m_experiment.data.epochs.value_or(0) << ": loss "
            << formatNumber(result.loss);
  if (result.accuracy) std::cerr << ", accuracy " << formatNumber(100 * *result.accuracy) << " %";
  if (result.validation_accuracy)
    std::cerr << ", in validation " << formatNumber(100 * *result.validation_accuracy) << " %";
  std::cerr << "\n";
}

void RunProgress::repeatDone(double seconds) {
  m_time_left.unitDone(Clock::now());
  if (m_terminal) return;
  std::cerr << "[" << m_unit + 1 << "/" << m_units << "] " << m_what << ": " << formatSeconds(seconds) << "\n";
}

void RunProgress::warned(const std::string& sentence) {
  clear();
  std::cerr << "Warning: " << sentence << "\n";
}

void RunProgress::showBar(int steps_done) {
  constexpr int kWidth = 24;
  const double done = (m_unit + (m_steps > 0 ? static_cast<double>(steps_done) / m_steps : 0)) / std::max(1, m_units);
  const int filled = static_cast<int>(done * kWidth);
  std::string line = "[" + std::string(static_cast<std::size_t>(filled), '#') +
                     std::string(static_cast<std::size_t>(kWidth - filled), '.') + "] " + m_what;
  if (m_samples_per_second > 0) line += ", " + m_unit_of_speed.speedText(m_samples_per_second);
  show(line + timeLeftText(done));
}

// Nothing before a tenth of the run is done, since the first warm-ups mislead.
std::string RunProgress::timeLeftText(double done) const {
  const std::string left = done < 0.1 ? "" : lanelab::timeLeftText(m_time_left.seconds(Clock::now()));
  return left.empty() ? left : ", " + left;
}

void RunProgress::show(const std::string& line) {
  clearTerminalLine(std::cerr);
  std::cerr << line << std::flush;
  m_shown = true;
}

void RunProgress::clear() {
  if (m_shown) clearTerminalLine(std::cerr);
  std::cerr.flush();
  m_shown = false;
}

std::string commandLine(const std::vector<std::string>& arguments) {
  return arguments.empty() ? "lanelab-cli" : "lanelab-cli " + shellLine(arguments);
}

}  // namespace lanelab
