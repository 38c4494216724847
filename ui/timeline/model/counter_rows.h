// SPDX-License-Identifier: GPL-3.0-only
// Counters as rows of a timeline: those that were recorded and those that the trace itself tells (utilisation of each
// lane, bubble of each step).
#pragma once

#include <QString>
#include <functional>
#include <optional>
#include <vector>

#include "profiler/analysis/cause.h"
#include "ui/timeline/model/coordinates.h"
#include "ui/timeline/model/min_max_pyramid.h"

namespace lanelab {

/// Something that keeps each value until the next. Its pyramid looks at its values, so it moves but is not copied.
class CounterRow {
 public:
  explicit CounterRow(Counter counter);
  CounterRow(CounterRow&&) = default;
  CounterRow(const CounterRow&) = delete;

  int lane() const { return m_counter.lane; }  ///< -1: of the whole run
  QString name() const;                        ///< "memory"; with its series where that is no unit: "queue · depth"
  QString explanation() const;                 ///< what it counts, where the name does not say it; else the name
  /// "1.2 GiB", "83 %", "2.31".
  QString text(double value) const;

  /// What holds at `time`; nothing before the first value.
  std::optional<double> at(Nanoseconds time) const;
  /// Of all values that hold somewhere in the range; nothing where none does.
  std::optional<MinMax> within(TimeRange range) const;
  /// What a chart of it spans: from 0 where the values are not far from it or are shares and sizes, else around the
  /// values. Never empty.
  MinMax scale() const { return m_scale; }

  /// A stretch of pixels with the least and greatest value in it, the same where it is a single one, and the mean over
  /// its time.
  struct Stretch {
    double x0 = 0;
    double x1 = 0;
    MinMax values;
    double mean = 0;
    bool operator==(const Stretch&) const = default;
  };
  /// From left to right, each beginning where the one before ended. A value that holds for a pixel or more is a stretch
  /// of its own.
  std::vector<Stretch> stretches(const TimeScale& scale) const;

 private:
  std::size_t countUntil(Nanoseconds time) const;  ///< values whose time is at most `time`
  double sumUntil(Nanoseconds time) const;         ///< of value times nanoseconds, from the first value on
  double meanWithin(TimeRange range) const;        ///< of what holds in it; the first value must not lie behind it

  Counter m_counter;
  MinMaxPyramid m_pyramid;
  std::vector<double> m_sums;  ///< sumUntil() each time
  MinMax m_scale;
};

/// The steps of a lane's own run: two runs may share an axis.
using StepsOfLane = std::function<const std::vector<StepWindow>&(int lane)>;

/// By lane, those of the whole run last; of a lane utilisation, bubble, then what was recorded. `causes`: by lane, may
/// be empty where they are not known. Derived ones that the trace has recorded already are left out, and so are bubbles
/// of a single lane.
std::vector<CounterRow> counterRowsOf(const Trace& trace, const StepsOfLane& steps,
                                      const std::vector<std::vector<CausePiece>>& causes);

}  // namespace lanelab
