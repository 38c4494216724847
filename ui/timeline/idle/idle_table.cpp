// SPDX-License-Identifier: GPL-3.0-only
#include "ui/timeline/idle/idle_table.h"

#include <QApplication>
#include <QClipboard>
#include <QComboBox>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QKeyEvent>
#include <QPushButton>
#include <QScrollArea>
#include <QTableWidget>
#include <QVBoxLayout>
#include <algorithm>
#include <cmath>
#include <functional>
#include <utility>

#include "base/text.h"
#include "profiler/analysis/causes_within.h"
#include "profiler/analysis/idle_waterfall.h"
#include "profiler/io/tables/gap_tables.h"
#include "profiler/trace/core_time.h"
#include "profiler/trace/step_periods.h"
#include "ui/help/glossary.h"
#include "ui/look/brief_label.h"
#include "ui/look/parts.h"
#include "ui/look/plain_label.h"
#include "ui/look/plain_text.h"
#include "ui/look/theme.h"
#include "ui/timeline/idle/suggestion_strip.h"
#include "ui/timeline/layout/ticks.h"
#include "ui/timeline/model/timeline_texts.h"

namespace lanelab {
namespace {

/// More gaps than a person reads; the longest are kept and the label says so.
constexpr std::size_t kMostGaps = 500;

constexpr int kNoteLines = 4;                    ///< as high as the lanes beside it, of two at least
constexpr int kLeastGapRows = 1;                 ///< seen under the header in a low pane; the table scrolls
constexpr int kRefillPause = 400;                // milliseconds
constexpr int kWidestColumn = 45 * look::kGrid;  ///< names of threads and kernels can be long

/// At most four digits: what follows is noise of the measurement. CSV exports have all of them.
QString milliseconds(Nanoseconds time) {
  const double value = static_cast<double>(time) * 1e-6;
  const double size = std::abs(value);
  return QString::number(value, 'f', size >= 1000 ? 0 : size >= 100 ? 1 : size >= 10 ? 2 : 3);
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

double percentOf(Nanoseconds part, Nanoseconds whole) {
  return whole > 0 ? 100.0 * static_cast<double>(part) / static_cast<double>(whole) : 0;
}

/// "drain 62 %, jitter 38 %": what makes up at least a tenth, the largest first.
QString reasons(const CauseTimes& causes) {
  const Nanoseconds whole = causes.total();
  std::vector<Cause> order = bySize(causes);
  std::erase_if(order, [&](Cause cause) { return 10 * causes[cause] < whole; });
  QStringList words;
  for (const Cause cause : order) {
    const QString name = causeText(cause);
    words << (order.size() == 1
                  ? name
                  : QStringLiteral("%1 %2 %").arg(name).arg(std::lround(percentOf(causes[cause], whole))));
  }
  return words.join(QStringLiteral(", "));
}

/// A lane without work is idle for no reason that could be removed, so it has a sentence in place of causes.
QString reasons(const LaneCauses& lane, const CauseTimes& causes) {
  return lane.hasWork() ? reasons(causes) : IdleTable::tr("no work in the steps");
}

/// Lanes of another program's trace have a name of their own; they need not be the trace's.
QString laneName(const Trace& trace, const LaneCauses& lane) {
  if (!lane.name.empty()) return look::shownName(lane.name);
  const auto index = static_cast<std::size_t>(lane.lane);
  return index < trace.lanes.size() ? look::shownName(trace.lanes[index].device)
                                    : IdleTable::tr("lane %1").arg(lane.lane);
}

/// What a replay of the order has, as the engine's words for it.
QString takesText(Takes takes) {
  switch (takes) {
    case Takes::Order: return IdleTable::tr("order");
    case Takes::Phases: return IdleTable::tr("phases");
    case Takes::Stages: return IdleTable::tr("stages");
    case Takes::Transfers: return IdleTable::tr("transfers");
    case Takes::Delays: return IdleTable::tr("delays");
    case Takes::All: break;
  }
  return IdleTable::tr("measured");
}

}  // namespace

/// A table whose selected rows Ctrl+C copies and whose current row Enter opens.
class CopyableTable : public QTableWidget {
 public:
  CopyableTable(const QString& name, const QString& accessible_name, const QStringList& header, QWidget* parent)
      : QTableWidget(parent) {
    setColumnCount(static_cast<int>(header.size()));
    setHorizontalHeaderLabels(header);
    const QStringList words{IdleTable::tr("Lane"), IdleTable::tr("Next action"), IdleTable::tr("Causes"),
                            IdleTable::tr("Main causes")};
    for (int column = 0; column < columnCount(); ++column)
      horizontalHeaderItem(column)->setTextAlignment((words.contains(header[column]) ? Qt::AlignLeft : Qt::AlignRight) |
                                                     Qt::AlignVCenter);
    look::setUpTable(*this, name, accessible_name);
    // Numbers take what they need, the reasons in the last column take the rest.
    horizontalHeader()->setStretchLastSection(true);
    horizontalHeader()->setMinimumSectionSize(-1);
    horizontalHeader()->setMaximumSectionSize(kWidestColumn);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    setAlternatingRowColors(true);
  }

  /// Words and numbers as the header is aligned; the reasons in the last column may be cut.
  void setCells(int row, const QStringList& cells) {
    for (int column = 0; column < columnCount(); ++column) {
      auto* const cell = new QTableWidgetItem(cells[column]);
      cell->setFlags(Qt::ItemIsSelectable | Qt::ItemIsEnabled);
      if (horizontalHeaderItem(column)->textAlignment() & Qt::AlignRight) {
        cell->setTextAlignment(Qt::AlignRight | Qt::AlignVCenter);
        cell->setFont(look::numberFont());
      }
      setItem(row, column, cell);
    }
    QStringList tip{cells.back(), termsTip(cells.back())};
    tip.removeAll(QString());
    item(row, columnCount() - 1)->setToolTip(tip.join('\n'));
  }

  /// Columns that fit their contents measure all rows at every item that is set; here they do so once, at the end.
  void fillRows(std::size_t count, const std::function<void(int row)>& fill) {
    horizontalHeader()->setSectionResizeMode(QHeaderView::Fixed);
    setRowCount(static_cast<int>(count));
    for (int row = 0; row < rowCount(); ++row) fill(row);
    horizontalHeader()->setSectionResizeMode(QHeaderView::ResizeToContents);
  }

  /// No more than it needs at least: it gets what is left.
  QSize sizeHint() const override { return {QTableWidget::sizeHint().width(), minimumHeight()}; }

  std::function<void(int row)> on_enter;

 protected:
  void keyPressEvent(QKeyEvent* event) override {
    const bool enter = event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter;
    if (event->matches(QKeySequence::Copy)) return QApplication::clipboard()->setText(selectedText(*this));
    if (enter && on_enter && currentRow() >= 0) return on_enter(currentRow());
    QTableWidget::keyPressEvent(event);
  }
};

IdleTable::IdleTable(QWidget* parent)
    : QWidget(parent),
      m_lanes(new CopyableTable(
          QStringLiteral("idleLanes"), tr("Busy and idle time of each lane"),
          {tr("Lane"), tr("Window (ms)"), tr("Busy (ms)"), tr("Idle (ms)"), tr("Busy (%)"), tr("Main causes")}, this)),
      m_gaps(new CopyableTable(QStringLiteral("idleGaps"), tr("Idle gaps, longest first"),
                               {tr("Lane"), tr("Next action"), tr("Step"), tr("Start (ms)"), tr("Length (ms)"),
                                tr("Of window (%)"), tr("Causes")},
                               this)),
      m_note(new look::BriefLabel(kNoteLines, this)),
      m_strip(new SuggestionStrip(this)),
      m_range_strip(new QWidget(this)),
      m_range_name(new look::PlainLabel),
      m_windows_strip(new QWidget(this)),
      m_windows(new QComboBox(m_windows_strip)) {
  setObjectName(QStringLiteral("idleTable"));
  m_note->setObjectName(QStringLiteral("idleNote"));
  m_note->setContentsMargins(look::kPaneMargins);
  m_range_name->setObjectName(QStringLiteral("idleRange"));
  m_range_name->setFont(look::headlineFont());
  auto* const clear = look::button("clearRange", tr("Clear &Selection"), tr("Show the whole trace again"));
  connect(clear, &QPushButton::clicked, this, &IdleTable::rangeClearRequested);
  auto* const range = new QHBoxLayout(m_range_strip);
  range->setContentsMargins(2 * look::kGrid, look::kGrid, 2 * look::kGrid, 0);
  range->addWidget(m_range_name);
  range->addWidget(clear);
  range->addStretch(1);
  connect(m_strip, &SuggestionStrip::suggestionChanged, this, [this] {
    if (m_gaps->isVisible()) sayWhy();
  });
  m_range_strip->hide();
  makeWindowsChoice();
  auto* const content = new QWidget;
  auto* const layout = look::makeLayout<QVBoxLayout>(content, 0);
  layout->addWidget(m_range_strip);
  layout->addWidget(m_strip);
  // Words and lanes side by side: the pane is wide and low.
  auto* const words = new QVBoxLayout;
  words->addWidget(m_windows_strip);
  words->addWidget(m_note, 1);
  auto* const top = new QHBoxLayout;
  top->setSpacing(0);
  top->addLayout(words, 2);
  top->addWidget(m_lanes, 3, Qt::AlignTop);
  layout->addLayout(top);
  layout->addWidget(m_gaps, 1);
  // A pane too low for all of it scrolls, and squeezes no line.
  auto* const scroll = new QScrollArea(this);
  scroll->setWidgetResizable(true);
  scroll->setFrameShape(QFrame::NoFrame);
  scroll->setFocusPolicy(Qt::NoFocus);
  scroll->setWidget(content);
  for (QWidget* const part : {scroll->viewport(), content}) part->setAutoFillBackground(false);  // the pane's own shows
  look::makeLayout<QVBoxLayout>(this, 0)->addWidget(scroll);
  const auto jump = [this](int row) {
    const GapPlace& place = m_shown[static_cast<std::size_t>(row)];
    Q_EMIT jumpRequested(place.lane->lane, place.gap->range);
  };
  connect(m_gaps, &QTableWidget::cellClicked, this, jump);
  m_gaps->on_enter = jump;
  m_gaps->setMinimumHeight(m_gaps->horizontalHeader()->sizeHint().height() +
                           kLeastGapRows * m_gaps->verticalHeader()->defaultSectionSize());
  m_gaps->setTextElideMode(Qt::ElideMiddle);  // kernels of one library differ at the end of their names
  m_pause.setSingleShot(true);
  m_pause.setInterval(kRefillPause);
  connect(&m_pause, &QTimer::timeout, this, &IdleTable::refill);
  setTrace(nullptr);
  m_pause.stop();
}

void IdleTable::makeWindowsChoice() {
  m_windows->setObjectName(QStringLiteral("idleWindows"));
  m_windows->addItem(tr("Periods"), static_cast<int>(WindowKind::Period));
  m_windows->addItem(tr("Step windows"), static_cast<int>(WindowKind::Step));
  m_windows->setToolTip(
      tr("Periods: of each lane, from its first action of a step to its first action of the next.\nStep windows: from "
         "the first start of a step to its last end, one for all lanes. They overlap, so time in two steps "
         "counts twice."));
  auto* const name = new look::PlainLabel(tr("Idle time &in:"), m_windows_strip);
  name->setBuddy(m_windows);
  auto* const row = new QHBoxLayout(m_windows_strip);
  row->setContentsMargins(2 * look::kGrid, look::kGrid, 2 * look::kGrid, 0);
  row->addWidget(name);
  row->addWidget(m_windows);
  row->addStretch(1);
  m_windows_strip->hide();
  connect(m_windows, &QComboBox::activated, this, [this] {
    const auto windows = static_cast<WindowKind>(m_windows->currentData().toInt());
    if (std::exchange(m_wanted_windows, windows) == windows) return;
    m_explained.reset();
    m_stale = true;
    refill();
  });
}

/// Where lanes meet after each step, periods would only leave out where a lane waits for the others.
bool IdleTable::offersPeriods() const { return m_trace && stepsOverlap(*m_trace); }

void IdleTable::showWindows() {
  m_windows_strip->setVisible(m_whole.work == IdleCauses::Work::Actions && offersPeriods());
  m_windows->setCurrentIndex(m_windows->findData(static_cast<int>(m_whole.window_kind)));
  const bool periods = m_whole.window_kind == WindowKind::Period;
  m_lanes->horizontalHeaderItem(1)->setText(m_whole.work != IdleCauses::Work::Actions ? tr("Window (ms)")
                                            : periods                                 ? tr("Periods (ms)")
                                                                                      : tr("Step windows (ms)"));
  m_gaps->horizontalHeaderItem(5)->setText(periods ? tr("Of periods (%)") : tr("Of window (%)"));
}

void IdleTable::fillLanes() {
  m_lanes->setRowCount(static_cast<int>(causes().lanes.size()));
  for (int row = 0; row < m_lanes->rowCount(); ++row) {
    const LaneCauses& lane = causes().lanes[static_cast<std::size_t>(row)];
    m_lanes->setCells(
        row, {laneName(*m_trace, lane), milliseconds(lane.window), milliseconds(lane.busy), milliseconds(lane.idle),
              QString::number(percentOf(lane.busy, lane.window), 'f', 1), reasons(lane, lane.causes)});
  }
  const int rows = std::clamp(m_lanes->rowCount(), 1, 6);
  m_lanes->setFixedHeight(m_lanes->horizontalHeader()->sizeHint().height() +
                          rows * m_lanes->verticalHeader()->defaultSectionSize() + look::kGrid);
}

void IdleTable::fillGaps() {
  m_shown = longestGaps(causes());
  m_found = m_shown.size();
  if (m_found > kMostGaps) m_shown.resize(kMostGaps);
  const Nanoseconds zero = m_trace->range().start;
  m_gaps->fillRows(m_shown.size(), [&](int row) {
    const auto& [lane, gap] = m_shown[static_cast<std::size_t>(row)];
    m_gaps->setCells(
        row, {laneName(*m_trace, *lane), nextActionText(*m_trace, *gap),
              QString::fromStdString(stepText(*m_trace, *lane, *gap)), milliseconds(gap->range.start - zero),
              milliseconds(gap->range.length()), QString::number(percentOf(gap->range.length(), lane->window), 'f', 1),
              reasons(*lane, lane->causesOf(*gap))});
  });
  sayWhy();
}

void IdleTable::sayWhy() {
  const std::size_t total = m_found;
  if (total == 0)
    return m_note->setText(m_range ? tr("No lane was idle in the selected range.")
                                   : tr("No lane was idle inside a step."));
  const QString found =
      total > kMostGaps
          ? tr("The %1 longest of %2 gaps; a click or Enter shows one in the timeline.").arg(kMostGaps).arg(total)
          : tr("%1 gaps, longest first. Click a gap or press Enter to show it in the timeline.").arg(total);
  // The pane is low: what does not fit beside the lanes stands in the tip.
  const QString communication = look::shownText(communicationSentence(causes()));
  const QString sentence = (communication.isEmpty() ? QString() : communication + QLatin1Char(' ')) +
                           look::shownText(idleSentence(causes(), !m_strip->rulesOutFixes()));
  m_note->setText(total > kMostGaps ? sentence + QLatin1Char(' ') + found : sentence);
  m_note->setToolTip(sentence + QLatin1Char(' ') + found);
}

/// While a run goes a new trace comes many times a second; the tables are filled at once when quiet, else a little
/// later, and only when seen.
void IdleTable::setTrace(std::shared_ptr<const Trace> trace) {
  if (trace && trace == m_trace) return;
  m_imported.reset();
  m_trace = std::move(trace);
  m_stale = true;
  if (!m_pause.isActive()) refill();
}

void IdleTable::setImported(std::shared_ptr<const ImportedTrace> imported) {
  if (imported->trace == m_trace) return;
  m_trace = imported->trace;
  m_imported = std::move(imported);
  m_stale = true;
  if (!m_pause.isActive()) refill();
}

void IdleTable::setRange(std::optional<TimeRange> range) {
  if (std::exchange(m_range, range) == range) return;
  m_stale = true;
  if (!m_pause.isActive()) refill();
}

void IdleTable::refill() {
  if (!m_stale || (m_trace && !isVisible())) return;
  m_stale = false;
  m_pause.start();
  m_shown.clear();
  if (m_explained != m_trace || !m_trace) {
    // What was chosen for one trace is kept for the next, but does not hold where there is no choice.
    const std::optional<WindowKind> windows = offersPeriods() ? m_wanted_windows : std::nullopt;
    m_whole = m_imported ? explainIdle(*m_imported, windows) : m_trace ? explainIdle(*m_trace, windows) : IdleCauses{};
  }
  if (std::exchange(m_explained, m_trace) != m_trace && m_imported) Q_EMIT importExplained(importSentences());
  m_part = m_range && m_trace ? std::optional(causesWithin(m_whole, *m_range)) : std::nullopt;
  m_range_strip->setVisible(m_part.has_value());
  if (m_part) m_range_name->setText(tr("Selected range %1").arg(rangeText(*m_range, m_trace->range().start)));
  showWindows();
  const auto& lanes = m_whole.lanes;
  const bool any = std::any_of(lanes.begin(), lanes.end(), [](const LaneCauses& lane) { return lane.window > 0; });
  m_lanes->setVisible(any);
  m_gaps->setVisible(any);
  m_note->setAlignment(any ? Qt::AlignLeft | Qt::AlignVCenter : Qt::AlignCenter);
  m_strip->setVisible(any);
  if (!any) {
    for (QTableWidget* table : {m_lanes, m_gaps}) table->setRowCount(0);
    return m_note->setText(tr("Idle time of each lane and its gaps appear here after a run."));
  }
  m_strip->setFigures(*m_trace, causes(), m_range);
  showDoubt();
  showWaterfall();
  fillLanes();
  fillGaps();
}

/// As `gaps` prints them.
QString IdleTable::importSentences() const {
  if (!m_imported) return {};
  std::vector<std::string> sentences = {outsideSentence(m_whole), stepsSentence(m_whole),
                                        launchSentence(*m_imported, m_whole)};
  std::erase(sentences, std::string());
  return look::shownText(joined(sentences, " "));
}

/// Of the whole trace, whichever part is selected. The pane is low: what follows from it is in the tip.
void IdleTable::showDoubt() {
  std::vector<std::string> names;
  for (const LaneInfo& lane : m_trace->lanes) names.push_back(lane.name);
  QStringList doubts = {look::shownText(extentSentence(*m_trace))};
  const Message core = coreSentence(*m_trace);
  if (!core.message.empty()) doubts << look::shownText(sentence("{}.", takenCoresText(names, coreShares(*m_trace))));
  doubts.removeAll(QString());
  m_strip->setDoubt(doubts.join(QLatin1Char(' ')), look::shownText(core));
}

void IdleTable::showWaterfall() {
  const std::vector<WaterfallStep> waterfall =
      m_range ? std::vector<WaterfallStep>() : idleWaterfall(*m_trace, m_whole);
  QStringList steps, lines;
  for (const WaterfallStep& step : tellingSteps(waterfall))
    steps << QStringLiteral("%1 %2").arg(takesText(step.takes), look::shownText(formatPercent(step.of_total)));
  for (const std::vector<std::string>& row : waterfallRows(waterfall)) lines << look::shownText(joined(row, "  "));
  m_strip->setWaterfall(
      steps.isEmpty() ? QString() : tr("Idle: %1").arg(steps.join(QStringLiteral(" \u2192 "))),
      tr("Replays of this order of actions, each with all before it; the last is measured. Behind the share the change "
         "in percentage points.") +
          QLatin1Char('\n') + lines.join(QLatin1Char('\n')));
}

void IdleTable::showEvent(QShowEvent* event) {
  QWidget::showEvent(event);
  refill();
}

}  // namespace lanelab
