// SPDX-License-Identifier: GPL-3.0-only
#include "ui/import_model/export_log.h"

#include <QScrollBar>
#include <utility>

#include "ui/look/plain_text.h"
#include "ui/look/theme.h"

namespace lanelab {
namespace {

constexpr int kMostLines = 2000;

}  // namespace

ExportLog::ExportLog(QWidget* parent) : QPlainTextEdit(parent) {
  setObjectName(QStringLiteral("importLog"));
  setAccessibleName(tr("Log of the export"));
  setPlaceholderText(tr("The lines of the export appear here."));
  setReadOnly(true);
  setTabChangesFocus(true);
  setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
  setMaximumBlockCount(kMostLines);
  setUndoRedoEnabled(false);
}

void ExportLog::add(const std::string& line) {
  const std::lock_guard lock(m_mutex);
  m_new << QString::fromStdString(line);
  if (m_new.size() > kMostLines) m_new.removeFirst();
}

void ExportLog::showNew() {
  QStringList lines;
  {
    const std::lock_guard lock(m_mutex);
    lines = std::exchange(m_new, {});
  }
  for (const QString& line : lines) appendPlainText(look::shownText(line));
}

void ExportLog::resizeEvent(QResizeEvent* event) {
  const QScrollBar& bar = *verticalScrollBar();
  const bool at_end = bar.value() == bar.maximum();
  QPlainTextEdit::resizeEvent(event);
  if (at_end) verticalScrollBar()->setValue(bar.maximum());
}

void ExportLog::begin(const QString& first) {
  {
    const std::lock_guard lock(m_mutex);
    m_new.clear();
  }
  setPlainText(look::shownText(first));
}

}  // namespace lanelab
