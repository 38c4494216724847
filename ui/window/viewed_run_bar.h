// SPDX-License-Identifier: GPL-3.0-only
// Above the centre while a stored run or an imported trace is viewed: whose timeline, comparison and losses are shown,
// while board and form keep the open experiment. Thread: GUI.
#pragma once

#include <QFrame>

class QComboBox;
class QPushButton;

namespace lanelab {

class ElidedLabel;
class ShownRun;

class ViewedRunBar : public QFrame {
  Q_OBJECT

 public:
  explicit ViewedRunBar(QWidget* parent = nullptr);
  /// Hides where the run is not a viewed one.
  void showRun(const ShownRun& run);
  /// The file of an imported trace, in the place of a run.
  void showTrace(const QString& path);
  /// The variant whose timeline is shown.
  void showVariant(const QString& variant);

 Q_SIGNALS:
  void variantChosen(const QString& variant);
  void useRequested();
  void closeRequested();

 protected:
  void paintEvent(QPaintEvent* event) override;

 private:
  ElidedLabel* m_text;
  QComboBox* m_variants;
  QPushButton* m_use;
};

}  // namespace lanelab
