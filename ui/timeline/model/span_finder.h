// SPDX-License-Identifier: GPL-3.0-only
// Searches a timeline: at once where that takes no time, else off the window's thread, so that typing never waits.
#pragma once

#include <QObject>
#include <stop_token>

#include "ui/look/background.h"
#include "ui/timeline/model/found_spans.h"

namespace lanelab {

class SpanFinder : public QObject {
  Q_OBJECT

 public:
  explicit SpanFinder(QObject* parent = nullptr) : QObject(parent) {}
  ~SpanFinder() override { m_stop.request_stop(); }

  /// A search that still goes is given up. Null data or empty text: nothing is found.
  void find(std::shared_ptr<const TimelineData> data, const QString& text);
  const QString& text() const { return m_text; }
  /// Null while nothing is looked for, and while the first search of a text goes on.
  const std::shared_ptr<const FoundSpans>& found() const { return m_found; }
  bool searching() const { return m_searching; }

 Q_SIGNALS:
  void foundChanged();

 private:
  void give(std::shared_ptr<const FoundSpans> found);

  QString m_text;
  std::shared_ptr<const FoundSpans> m_found;
  bool m_searching = false;
  std::stop_source m_stop;  ///< of the search that goes
  Background m_background;
};

}  // namespace lanelab
