// SPDX-License-Identifier: GPL-3.0-only
// Above the centre while a stored run or an imported trace is viewed: whose timeline, comparison and losses are shown,
// and the way back to the open experiment, whose board is out of sight and whose form is grey meanwhile. Thread: GUI.
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
  /// While it says what is viewed; the open experiment is not shown then.
  bool isViewing() const { return m_viewing; }
  /// A message has the line's room: the buttons stay.
  void setBeside(bool message);
  /// The variant whose timeline is shown.
  void showVariant(const QString& variant);

 Q_SIGNALS:
  void viewingChanged();
  void variantChosen(const QString& variant);
  void useRequested();
  void closeRequested();

 protected:
  void paintEvent(QPaintEvent* event) override;

 private:
  void setViewing(bool viewing);

  bool m_viewing = false;
  ElidedLabel* m_text;
  QComboBox* m_variants;
  QPushButton* m_use;
};

}  // namespace lanelab
