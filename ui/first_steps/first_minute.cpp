// SPDX-License-Identifier: GPL-3.0-only
#include "ui/first_steps/first_minute.h"

#include "engine/advise/run_length.h"
#include "ui/board/placement_forecast.h"
#include "ui/experiment/experiment_document.h"
#include "ui/first_steps/welcome_strip.h"
#include "ui/look/message_strip.h"
#include "ui/look/plain_text.h"
#include "ui/look/settings.h"
#include "ui/run/run_controller.h"
#include "ui/run/shown_run.h"

namespace lanelab {

namespace {

const QString kSeenKey = QStringLiteral("window/welcome");

void setSeen() { look::Settings().setValue(kSeenKey, "seen"); }

}  // namespace

FirstMinute::FirstMinute(const WindowParts& parts, WelcomeStrip* strip, const PlacementForecast* forecast,
                         std::shared_ptr<RecordedRuns> recorded)
    : QObject(parts.window), m_parts(parts), m_strip(strip), m_forecast(forecast), m_recorded(std::move(recorded)) {
  connect(m_parts.run, &ShownRun::recordChanged, this, &FirstMinute::showStrip);
  connect(m_parts.messages, &MessageStrip::shownChanged, this, &FirstMinute::showStrip);
  connect(m_forecast, &PlacementForecast::timesChanged, this, &FirstMinute::showTimeHere);
  connect(m_strip, &WelcomeStrip::closeRequested, this, setSeen);
  connect(m_parts.controller, &RunController::started, this, setSeen);
}

bool FirstMinute::isDue() { return look::Settings().value(kSeenKey).toString() != "seen"; }

void FirstMinute::begin(const QString& name) {
  m_reading.ask([this, recorded = m_recorded, name](const std::stop_token&) -> Background::Then {
    return [this, run = recorded->read(name)] {
      if (!run.ok()) return m_parts.messages->warn(look::shownText(run.error()));
      // What the user has begun meanwhile is not disturbed.
      if (m_parts.controller->running() || m_parts.run->record()) return;
      if (run->record->experiment != m_parts.document->experiment()) return;
      Q_EMIT recordedOpened(run->record, run->folder);
      showTimeHere();
    };
  });
}

/// One strip at a time: a message is in its place until it is closed.
void FirstMinute::showStrip() {
  const bool recorded = m_parts.run->isRecordedElsewhere() && m_parts.run->record();
  if (recorded && m_strip->isHidden()) m_strip->showRecorded(*m_parts.run->record());
  m_strip->setVisible(recorded && m_parts.messages->sentence().isEmpty());
}

void FirstMinute::showTimeHere() {
  if (!m_parts.run->isRecordedElsewhere() || !m_forecast->predictor()) return;
  m_predicting.ask([this, resolution = m_parts.document->resolution(),
                    predictor = m_forecast->predictor()](const std::stop_token&) -> Background::Then {
    return [this, seconds = predictedRunSeconds(*resolution, *predictor)] { m_strip->setSecondsHere(seconds); };
  });
}

}  // namespace lanelab
