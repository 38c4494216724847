// SPDX-License-Identifier: GPL-3.0-only
// Opens What If on the shown trace and puts its answer on the timeline until the dialog closes.
//
// Thread: the window's.
#pragma once

#include <QObject>
#include <QPointer>
#include <memory>

#include "ui/watch/shown_trace.h"
#include "ui/what_if/what_if_dialog.h"

namespace lanelab {

class Executor;
class TimelinePresenter;

class WhatIfReplay : public QObject {
  Q_OBJECT

 public:
  WhatIfReplay(TimelinePresenter* presenter, std::shared_ptr<Executor> executor, QWidget* window);

  /// Whether a measured trace is shown, also behind a comparison.
  bool isPossible() const;
  void open();

 private:
  void makeDialog();
  void askAbout(const MeasuredTrace& measured);
  void show(std::shared_ptr<const Trace> trace, const QString& words);

  TimelinePresenter* m_presenter;
  std::shared_ptr<Executor> m_executor;
  QWidget* m_window;
  QPointer<WhatIfDialog> m_dialog;  ///< deletes itself when it closes
};

}  // namespace lanelab
