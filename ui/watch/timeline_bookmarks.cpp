// SPDX-License-Identifier: GPL-3.0-only
#include "ui/watch/timeline_bookmarks.h"

#include <memory>
#include <optional>
#include <vector>

#include "ui/bookmarks/bookmarks_dialog.h"
#include "ui/bookmarks/run_bookmarks.h"
#include "ui/look/message_strip.h"
#include "ui/look/plain_text.h"
#include "ui/run/shown_run.h"
#include "ui/timeline/view/timeline_view.h"
#include "ui/watch/timeline_presenter.h"

namespace lanelab {

TimelineBookmarks::TimelineBookmarks(const WindowParts& parts, TimelinePresenter* presenter, TimelineView* timeline,
                                     RunBookmarks* bookmarks)
    : QObject(parts.window), m_parts(parts), m_presenter(presenter), m_timeline(timeline), m_bookmarks(bookmarks) {
  connect(m_timeline, &TimelineView::bookmarkRequested, this, &TimelineBookmarks::add);
  connect(m_bookmarks, &RunBookmarks::problem, m_parts.messages, &MessageStrip::warn);
}

bool TimelineBookmarks::canAdd() const {
  const ShownTrace& shown = m_presenter->shown();
  const bool measured = std::holds_alternative<FinishedVariant>(shown) || std::holds_alternative<ImportedFile>(shown);
  return measured && analysedTrace(shown) && m_timeline->selection();
}

void TimelineBookmarks::add() {
  if (!canAdd()) return;
  const auto trace = analysedTrace(m_presenter->shown());
  const TimeRange range = *m_timeline->selection();
  const std::string name = defaultBookmarkName(*trace, range);
  m_bookmarks->add({name, importedFile(m_presenter->shown()) ? std::string() : trace->title, range});
  m_parts.messages->inform(
      tr("Bookmark \u201c%1\u201d added. Ctrl+Shift+B lists all bookmarks.").arg(look::shownName(name)));
}

void TimelineBookmarks::showDialog() {
  if (!m_dialog) {
    const auto start = [this](const QString& variant) -> std::optional<qint64> {
      const auto trace = m_presenter->traceOfBookmarks(variant);
      return trace ? std::optional<qint64>(trace->range().start) : std::nullopt;
    };
    m_dialog = new BookmarksDialog(m_bookmarks, start, m_parts.window);
    connect(m_dialog, &BookmarksDialog::jumpRequested, this, &TimelineBookmarks::goTo);
    connect(m_dialog, &BookmarksDialog::exportRequested, this, &TimelineBookmarks::exportRequested);
  }
  m_dialog->show();
  m_dialog->raise();
  m_dialog->activateWindow();
}

void TimelineBookmarks::goTo(std::size_t index) {
  if (m_presenter->isLive() || index >= m_bookmarks->all().size()) return;
  const Bookmark bookmark = m_bookmarks->all()[index];
  const QString variant = QString::fromStdString(bookmark.variant);
  if (!m_presenter->traceOfBookmarks(variant))
    return m_parts.messages->warn(tr("%1 has no timeline.").arg(look::shownName(variant)));
  m_presenter->showBookmarked(variant);
  m_presenter->goTo(bookmark.range);
}

std::string TimelineBookmarks::csv() const {
  const ImportedFile* const file = importedFile(m_presenter->shown());
  const std::vector<std::shared_ptr<const Trace>> traces =
      file ? std::vector{file->imported->trace} : m_parts.run->traces();
  std::string csv;
  for (const auto& trace : traces) {
    const std::string table = bookmarksCsv(m_bookmarks->all(), *trace);
    csv += csv.empty() ? table : table.substr(table.find('\n') + 1);  // one line of headings
  }
  return csv;
}

}  // namespace lanelab
