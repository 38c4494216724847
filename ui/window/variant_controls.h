// SPDX-License-Identifier: GPL-3.0-only
// Which variant of the document is active, and what schedule it has.
#pragma once

#include <QComboBox>
#include <QTabBar>

namespace lanelab {

class ExperimentDocument;

/// One tab per variant; the current one is the variant that board and timeline show. `document` must outlive them.
QTabBar* makeVariantTabs(ExperimentDocument* document);
/// Marks the tab of the variant that runs; an empty name takes the mark away.
void markRunning(QTabBar& tabs, const QString& variant);

/// The schedule of the active variant, to choose from; only a pipeline has one.
class ScheduleChoice : public QComboBox {
  Q_OBJECT

 public:
  /// `document` must outlive it.
  explicit ScheduleChoice(ExperimentDocument* document, QWidget* parent = nullptr);
  void setReadOnly(bool read_only);  ///< while a run is in progress

 private:
  void showSchedule();
  void use(int index);

  ExperimentDocument* m_document;
  bool m_read_only = false;
};

}  // namespace lanelab
