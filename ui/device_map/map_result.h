// SPDX-License-Identifier: GPL-3.0-only
// A device map as shown: a sentence, the devices as bars, the modules as a table coloured by device; or why there is
// none.
#pragma once

#include <QWidget>

#include "engine/placement/map_table.h"
#include "ui/export/picture.h"

class QLabel;
class QScrollArea;
class QTableView;

namespace lanelab {

class PictureView;
class SentenceLabel;

class MapResult : public QWidget {
  Q_OBJECT

 public:
  explicit MapResult(QWidget* parent = nullptr);

  void showMap(const MapTable& table, const Picture& bars, const QString& headline, const QString& notes);
  void showError(const QString& sentence);
  /// Why the map is not for the experiment's lanes; empty: it is, or they are not in question.
  void setWhyNot(const QString& sentence);

 private:
  class Rows;
  void setHeadline(const QString& sentence, bool wrong);

  QLabel *m_headline, *m_notes;
  SentenceLabel* m_why_not;
  PictureView* m_bars;
  QScrollArea* m_bars_area;
  Rows* m_rows;
  QTableView* m_table;
};

}  // namespace lanelab
