// SPDX-License-Identifier: GPL-3.0-only
// The selected span or gap in full: figures at the left; idle time and its causes, dependencies and arguments at the
// right. A dependency is a link to its span. Thread: GUI.
#pragma once

#include <QWidget>
#include <optional>

#include "ui/timeline/layout/gap_details.h"
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
  /// In the place of a span.
  void setGap(GapDetails gap);
  const std::optional<GapDetails>& gap() const { return m_gap; }
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
  void fillSpan();
  void fillGap();
  void copy(bool as_json) const;
  void addSentence(const QString& name, const QString& sentence);
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
  std::optional<GapDetails> m_gap;  ///< while there are no m_details
  QString m_note;
};

}  // namespace lanelab
