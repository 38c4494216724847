// SPDX-License-Identifier: GPL-3.0-only
// The first minute: the open experiment as another machine ran it, so that nothing is empty, with the strip that says
// so and leads on. It ends with the first run, with another experiment, and when the user closes it.
//
// Thread: the window's; the run is read off it.
#pragma once

#include <QObject>
#include <memory>

#include "engine/record/run_record.h"
#include "ui/first_steps/recorded_runs.h"
#include "ui/look/latest_work.h"
#include "ui/watch/window_parts.h"

namespace lanelab {

class PlacementForecast;
class WelcomeStrip;

class FirstMinute : public QObject {
  Q_OBJECT

 public:
  /// `forecast` says what the open experiment takes here.
  FirstMinute(const WindowParts& parts, WelcomeStrip* strip, const PlacementForecast* forecast,
              std::shared_ptr<RecordedRuns> recorded);

  /// Until the user ran something, or closed the strip.
  static bool isDue();
  /// Reads the recorded run of this name, and says recordedOpened() if its experiment is the open one.
  void begin(const QString& name);

 Q_SIGNALS:
  void recordedOpened(std::shared_ptr<const lanelab::RunRecord> record, const QString& folder);

 private:
  void showStrip();
  void showTimeHere();

  WindowParts m_parts;
  WelcomeStrip* m_strip;
  const PlacementForecast* m_forecast;
  std::shared_ptr<RecordedRuns> m_recorded;
  LatestWork m_reading;     ///< the run
  LatestWork m_predicting;  ///< how long the open experiment takes here
};

}  // namespace lanelab
