// SPDX-License-Identifier: GPL-3.0-only
// Long work: what is being done, a bar with its percentage, the time left, and Cancel. For status bars and dialogs.
// Thread: the window's.
#pragma once

#include <QWidget>

#include "base/progress.h"

class QProgressBar;
class QToolButton;

namespace lanelab {

class Work;

namespace look {
class PlainLabel;
}

/// "about 2 minutes left", rounded as a user would say it; "" when unknown.
QString wordsForTimeLeft(double seconds);

class WorkBar : public QWidget {
  Q_OBJECT

 public:
  /// Everything in one line, as in a status bar; or the words above the bar.
  enum class Shape { Line, Stacked };

  /// Its parts are called `name`Words, `name`Bar and `name`Cancel. Bar and button are hidden while nothing is done.
  /// It shows the `followed` work from its first progress to its end, and cancels it.
  explicit WorkBar(const QString& name, Shape shape, QWidget* parent = nullptr, Work* followed = nullptr);

  /// Without its button, where another one that is always in sight cancels this work.
  void hideCancel() { m_has_cancel = false; }

  void showProgress(const Progress& progress, double seconds_left);
  /// The bar and the button, with other words. A total of 0 is not known.
  void showWords(const QString& words, const Progress& progress);
  /// After a request to stop: progress does not change the words any more.
  void setStopping(const QString& words);
  /// Hides bar and button; `words` stay.
  void setEnded(const QString& words = {});

 Q_SIGNALS:
  void cancelRequested();

 private:
  look::PlainLabel* m_words;
  QProgressBar* m_bar;
  QToolButton* m_cancel;
  bool m_has_cancel = true;
  bool m_stopping = false;
};

}  // namespace lanelab
