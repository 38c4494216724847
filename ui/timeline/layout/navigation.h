// SPDX-License-Identifier: GPL-3.0-only
// Which part of the time is seen, and how it changes: zoom, pan, fit, steps, back, follow. A plain value; it knows no
// pixels and no widget.
#pragma once

#include <vector>

#include "ui/timeline/model/coordinates.h"

namespace lanelab {

class Navigation {
 public:
  TimeRange visible() const { return m_visible; }
  /// Everything there is, with a little air.
  TimeRange everything() const;
  bool showsEverything() const { return m_visible == everything(); }

  /// New data. Fits when asked to or when all was seen before; else what is seen stays.
  void setTrace(TimeRange range, std::vector<StepWindow> steps, bool fit_anew);

  void show(TimeRange range);  ///< exactly, remembered for previous()
  void fit() { show(everything()); }
  /// One of several changes of a gesture, which is one for previous().
  void showInGesture(TimeRange range);
  void zoomAt(Nanoseconds anchor, double factor) { showInGesture(zoomed(m_visible, anchor, factor)); }
  void pan(Nanoseconds by) { settle(panned(m_visible, by)); }
  /// A pan to an absolute place, for scroll bars.
  void moveTo(Nanoseconds start) { pan(start - m_visible.start); }
  void reveal(TimeRange range);  ///< pans as little as needed
  bool previous();               ///< false when there is none
  void nextStep() { showStep(+1); }
  void previousStep() { showStep(-1); }

  /// The newest step, or as many of the newest as make at least half a second. Not remembered.
  void follow(TimeRange newest);

 private:
  void showStep(int direction);
  void settle(TimeRange range) { m_visible = movedInto(range, everything()); }

  TimeRange m_trace;
  TimeRange m_visible;
  std::vector<StepWindow> m_steps;
  std::vector<TimeRange> m_history;
  bool m_in_gesture = false;
};

/// What a follower of a growing trace looks at: from the start of the step that is running to its expected end, which
/// is moved only when the step goes beyond it. `expected`: how long the first step will take; 0 where that is not
/// known.
TimeRange newestSteps(const std::vector<StepWindow>& steps, TimeRange trace, Nanoseconds expected = 0);

}  // namespace lanelab
