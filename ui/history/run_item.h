// SPDX-License-Identifier: GPL-3.0-only
// A run in the list: what is said of it, and how that is drawn.
#pragma once

#include <QStyledItemDelegate>

#include "engine/record/run_store.h"

namespace lanelab {

/// What the list says of one run folder, in words.
struct RunSummary {
  QString folder;
  QString name;      ///< the experiment's; of a damaged run the folder's
  QString when;      ///< local time, "21 Nov 09:12"
  QString status;    ///< "done", "running", "damaged", ...
  QString headline;  ///< what it found, or why it failed or cannot be read
  bool readable = true;
  bool running = false;
};

/// Pure; any thread.
RunSummary summaryOf(const RunListing& listing);

/// An item's RunSummary, beside Qt::DisplayRole, which holds all of it as one sentence for screen readers.
inline constexpr int kSummaryRole = Qt::UserRole;

/// Name and time on the first line, status and headline under it.
class RunItemDelegate : public QStyledItemDelegate {
  Q_OBJECT

 public:
  using QStyledItemDelegate::QStyledItemDelegate;
  void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override;
  QSize sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const override;
};

}  // namespace lanelab
