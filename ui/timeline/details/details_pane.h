// SPDX-License-Identifier: GPL-3.0-only
// The selected span in full: figures at the left; idle time, dependencies and arguments at the right. A dependency is a
// link to its span. Thread: GUI.
#pragma once

#include <QWidget>
#include <optional>

#include "ui/timeline/layout/span_details.h"

class QLabel;
class QPushButton;
class QSplitter;
class QTreeWidget;
class QTreeWidgetItem;

namespace lanelab {

class ElidedLabel;

class DetailsPane : public QWidget {
  Q_OBJECT

 public:
  explicit DetailsPane(QWidget* parent = nullptr);

  /// Nothing: a sentence on what to do. The same details again change nothing, so that what is selected here stays.
  void setDetails(std::optional<SpanDetails> details);
  const std::optional<SpanDetails>& details() const { return m_details; }
  /// In place of arguments: "Reading arguments...", or why there are none. Empty: nothing.
  void setNote(const QString& note);

  QSize sizeHint() const override { return {600, 180}; }

 Q_SIGNALS:
  void spanRequested(lanelab::SpanRef span);  ///< a click or Enter on a link

 protected:
  void resizeEvent(QResizeEvent* event) override;
  void changeEvent(QEvent* event) override;

 private:
  void fill();
  void fillContext();
  void addLinks(const QString& title, const std::vector<SpanLink>& links, QString (*text)(const SpanLink&));
  void openLink(const QTreeWidgetItem& item);

  QLabel* m_empty;
  QWidget* m_filled;
  ElidedLabel* m_title;
  QPushButton* m_copy;
  QPushButton* m_copy_json;
  QSplitter* m_parts;
  QTreeWidget* m_figures;
  QTreeWidget* m_context;
  std::optional<SpanDetails> m_details;
  QString m_note;
};

}  // namespace lanelab
