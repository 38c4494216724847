#include "ui/timeline/idle_table.h"

#include <QApplication>
#include <QClipboard>
#include <QHeaderView>
#include <QKeyEvent>
#include <QLabel>
#include <QTableWidget>
#include <QVBoxLayout>
#include <algorithm>
#include <functional>

#include "profiler/analysis/gaps.h"
#include "ui/look/theme.h"

namespace lanelab {
namespace {

/// More gaps than a person reads; the longest are kept and the label says so.
constexpr std::size_t kMostGaps = 500;

constexpr int kRefillPause = 400;  // milliseconds

struct LaneGap {
  int lane = 0;
  Gap gap;
};

QString milliseconds(Nanoseconds time) { return QString::number(static_cast<double>(time) * 1e-6, 'f', 3); }

QTableWidgetItem* textItem(const QString& text) {
  auto* item = new QTableWidgetItem(text);
  item->setFlags(Qt::ItemIsSelectable | Qt::ItemIsEnabled);
  return item;
}

QTableWidgetItem* numberItem(const QString& text) {
  QTableWidgetItem* item = textItem(text);
  item->setTextAlignment(Qt::AlignRight | Qt::AlignVCenter);
  item->setFont(look::numberFont());
  return item;
}

/// Tab-separated with the header line, so that a spreadsheet takes it as cells.
QString selectedText(const QTableWidget& table) {
  QStringList lines, header;
  for (int column = 0; column < table.columnCount(); ++column) header << table.horizontalHeaderItem(column)->text();
  lines << header.join(QLatin1Char('\t'));
  for (int row = 0; row < table.rowCount(); ++row) {
    if (!table.selectionModel()->isRowSelected(row, QModelIndex())) continue;
    QStringList cells;
    for (int column = 0; column < table.columnCount(); ++column) cells << table.item(row, column)->text();
    lines << cells.join(QLatin1Char('\t'));
  }
  return lines.join(QLatin1Char('\n'));
}

/// A table whose selected rows Ctrl+C copies and whose current row Enter opens.
class CopyableTable : public QTableWidget {
 public:
  CopyableTable(const QString& name, const QString& accessible_name, const QStringList& header, QWidget* parent) : QTableWidget(parent) {
    setObjectName(name);
    setAccessibleName(accessible_name);
    setColumnCount(static_cast<int>(header.size()));
    setHorizontalHeaderLabels(header);
    horizontalHeaderItem(0)->setTextAlignment(Qt::AlignLeft | Qt::AlignVCenter);
    for (int column = 1; column < columnCount(); ++column) horizontalHeaderItem(column)->setTextAlignment(Qt::AlignRight | Qt::AlignVCenter);
    if (const auto text_column = header.indexOf(tr("Before")); text_column > 0) {
      horizontalHeaderItem(static_cast<int>(text_column))->setTextAlignment(Qt::AlignLeft | Qt::AlignVCenter);
    }
    verticalHeader()->hide();
    verticalHeader()->setDefaultSectionSize(6 * look::kGrid);
    horizontalHeader()->setSectionResizeMode(QHeaderView::Stretch);
    horizontalHeader()->setHighlightSections(false);
    setSelectionBehavior(QAbstractItemView::SelectRows);
    setEditTriggers(QAbstractItemView::NoEditTriggers);
    setTabKeyNavigation(false);
    setShowGrid(false);
    setAlternatingRowColors(true);
    setFrameShape(QFrame::NoFrame);
    setWordWrap(false);
  }

  std::function<void(int row)> on_enter;

 protected:
  void keyPressEvent(QKeyEvent* event) override {
    const bool enter = event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter;
    if (event->matches(QKeySequence::Copy)) return QApplication::clipboard()->setText(selectedText(*this));
    if (enter && on_enter && currentRow() >= 0) return on_enter(currentRow());
    QTableWidget::keyPressEvent(event);
  }
};

std::vector<LaneGap> longestFirst(const std::vector<LaneIdle>& lanes) {
  std::vector<LaneGap> gaps;
  for (const LaneIdle& lane : lanes) {
    for (const Gap& gap : lane.gaps) gaps.push_back({lane.lane, gap});
  }
  std::stable_sort(gaps.begin(), gaps.end(), [](const LaneGap& a, const LaneGap& b) { return a.gap.range.length() > b.gap.range.length(); });
  return gaps;
}

QString laneName(const Trace& trace, int lane) {
  const LaneInfo& info = trace.lanes[static_cast<std::size_t>(lane)];
  return QString::fromStdString(info.name.empty() ? info.device : info.name);
}

}  // namespace

class IdleTable::Tables {
 public:
  explicit Tables(IdleTable& owner)
      : lanes(new CopyableTable(QStringLiteral("idleLanes"), tr("Busy and idle time of each lane"),
                                {tr("Lane"), tr("Window (ms)"), tr("Busy (ms)"), tr("Idle (ms)"), tr("Busy (%)")}, &owner)),
        gaps(new CopyableTable(QStringLiteral("idleGaps"), tr("Idle gaps, longest first"),
                               {tr("Lane"), tr("Before"), tr("Step"), tr("Start (ms)"), tr("Length (ms)"), tr("Of window (%)")}, &owner)),
        note(new QLabel(&owner)) {
    note->setObjectName(QStringLiteral("idleNote"));
    note->setWordWrap(true);
    note->setContentsMargins(2 * look::kGrid, look::kGrid, 2 * look::kGrid, look::kGrid);
  }

  void fillLanes(const Trace& trace, const std::vector<LaneIdle>& idle) {
    lanes->setRowCount(static_cast<int>(idle.size()));
    for (int row = 0; row < lanes->rowCount(); ++row) {
      const LaneIdle& lane = idle[static_cast<std::size_t>(row)];
      const double share = lane.window > 0 ? 100.0 * static_cast<double>(lane.busy) / static_cast<double>(lane.window) : 0;
      lanes->setItem(row, 0, textItem(laneName(trace, lane.lane)));
      lanes->setItem(row, 1, numberItem(milliseconds(lane.window)));
      lanes->setItem(row, 2, numberItem(milliseconds(lane.busy)));
      lanes->setItem(row, 3, numberItem(milliseconds(lane.idle)));
      lanes->setItem(row, 4, numberItem(QString::number(share, 'f', 1)));
    }
    const int rows = std::clamp(lanes->rowCount(), 1, 6);
    lanes->setFixedHeight(lanes->horizontalHeader()->sizeHint().height() + rows * lanes->verticalHeader()->defaultSectionSize() + look::kGrid);
  }

  void fillGaps(const Trace& trace, const std::vector<LaneIdle>& idle) {
    std::vector<LaneGap> all = longestFirst(idle);
    const std::size_t total = all.size();
    if (total > kMostGaps) all.resize(kMostGaps);
    shown = std::move(all);
    const Nanoseconds zero = trace.range().start;
    gaps->setRowCount(static_cast<int>(shown.size()));
    for (int row = 0; row < gaps->rowCount(); ++row) {
      const LaneGap& gap = shown[static_cast<std::size_t>(row)];
      const Nanoseconds window = windowOf(idle, gap.lane);
      const double share = window > 0 ? 100.0 * static_cast<double>(gap.gap.range.length()) / static_cast<double>(window) : 0;
      gaps->setItem(row, 0, textItem(laneName(trace, gap.lane)));
      gaps->setItem(row, 2, numberItem(QString::number(gap.gap.step)));
      gaps->setItem(row, 1, textItem(gap.gap.before == "end" ? tr("step's end") : QString::fromStdString(gap.gap.before)));
      gaps->setItem(row, 3, numberItem(milliseconds(gap.gap.range.start - zero)));
      gaps->setItem(row, 4, numberItem(milliseconds(gap.gap.range.length())));
      gaps->setItem(row, 5, numberItem(QString::number(share, 'f', 1)));
    }
    if (total > kMostGaps) {
      note->setText(tr("The %1 longest of %2 gaps. A click or Enter shows a gap in the timeline.").arg(kMostGaps).arg(total));
    } else if (total > 0) {
      note->setText(tr("%1 gaps, longest first. A click or Enter shows a gap in the timeline.").arg(total));
    } else {
      note->setText(tr("No lane stood idle inside a step."));
    }
  }

  void clear() {
    shown.clear();
    lanes->setRowCount(0);
    gaps->setRowCount(0);
    note->setText(tr("Idle time is listed here after a run: how long each lane worked, and its gaps, longest first."));
  }

  CopyableTable* lanes;
  CopyableTable* gaps;
  QLabel* note;
  std::vector<LaneGap> shown;

 private:
  static Nanoseconds windowOf(const std::vector<LaneIdle>& idle, int lane) {
    const auto found = std::find_if(idle.begin(), idle.end(), [lane](const LaneIdle& one) { return one.lane == lane; });
    return found == idle.end() ? 0 : found->window;
  }
};

IdleTable::IdleTable(QWidget* parent) : QWidget(parent), m_tables(std::make_unique<Tables>(*this)) {
  setObjectName(QStringLiteral("idleTable"));
  auto* layout = new QVBoxLayout(this);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->setSpacing(0);
  layout->addWidget(m_tables->lanes);
  layout->addWidget(m_tables->note);
  layout->addWidget(m_tables->gaps, 1);
  const auto jump = [this](int row) { Q_EMIT jumpRequested(m_tables->shown[static_cast<std::size_t>(row)].gap.range); };
  connect(m_tables->gaps, &QTableWidget::cellClicked, this, jump);
  m_tables->gaps->on_enter = jump;
  m_pause.setSingleShot(true);
  m_pause.setInterval(kRefillPause);
  connect(&m_pause, &QTimer::timeout, this, &IdleTable::refill);
  setTrace(nullptr);
  m_pause.stop();
}

IdleTable::~IdleTable() = default;

/// While a run goes a new trace comes many times a second; the tables are filled at once when quiet, else a little later, and only when seen.
void IdleTable::setTrace(std::shared_ptr<const Trace> trace) {
  if (trace && trace == m_trace) return;
  m_trace = std::move(trace);
  m_stale = true;
  if (!m_pause.isActive()) refill();
}

void IdleTable::refill() {
  if (!m_stale || (m_trace && !isVisible())) return;
  m_stale = false;
  m_pause.start();
  const std::vector<LaneIdle> idle = m_trace ? findGaps(*m_trace) : std::vector<LaneIdle>{};
  const bool any = std::any_of(idle.begin(), idle.end(), [](const LaneIdle& lane) { return lane.window > 0; });
  m_tables->lanes->setVisible(any);
  m_tables->gaps->setVisible(any);
  m_tables->note->setAlignment(any ? Qt::AlignLeft | Qt::AlignVCenter : Qt::AlignCenter);
  if (!any) return m_tables->clear();
  m_tables->fillLanes(*m_trace, idle);
  m_tables->fillGaps(*m_trace, idle);
}

void IdleTable::showEvent(QShowEvent* event) {
  QWidget::showEvent(event);
  refill();
}

}  // namespace lanelab
