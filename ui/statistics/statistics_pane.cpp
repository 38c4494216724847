// SPDX-License-Identifier: GPL-3.0-only
#include "ui/statistics/statistics_pane.h"

#include <QCheckBox>
#include <QComboBox>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLineEdit>
#include <QScrollArea>
#include <QTabBar>
#include <QVBoxLayout>
#include <algorithm>
#include <initializer_list>
#include <utility>

#include "profiler/io/tables/statistics_tables.h"
#include "ui/export/exhibit.h"
#include "ui/look/flow_layout.h"
#include "ui/look/parts.h"
#include "ui/look/plain_text.h"
#include "ui/statistics/events_model.h"
#include "ui/statistics/flame_view.h"
#include "ui/statistics/groups_model.h"
#include "ui/statistics/overview_card.h"
#include "ui/statistics/statistics_table.h"
#include "ui/timeline/layout/ticks.h"

namespace lanelab {

namespace {

constexpr qint64 kLeastPause = 400;  // milliseconds
constexpr qint64 kPauses = 10;       // as long as the counting before
constexpr int kGroupsView = 0, kEventsView = 1, kFlameView = 2;
constexpr int kFilterWidth = 60 * look::kGrid;
constexpr int kLeastRows = 2;  ///< seen under the header in a low pane; the table scrolls

void setLeastHeight(StatisticsTable& table) {
  table.setMinimumHeight(table.horizontalHeader()->sizeHint().height() +
                         kLeastRows * table.verticalHeader()->defaultSectionSize());
}

}  // namespace

StatisticsPane::StatisticsPane(QWidget* parent)
    : QWidget(parent),
      m_filled(new QWidget),
      m_empty(
          look::emptyLabel("statisticsEmpty", tr("Statistics of the spans of a run or of an open trace appear here."))),
      m_card(new OverviewCard),
      m_views(new QTabBar),
      m_by(new QComboBox),
      m_filter(new QLineEdit),
      m_note(new look::PlainLabel),
      m_groups(new GroupsModel(this)),
      m_events(new EventsModel(this)),
      m_group_table(new StatisticsTable(QStringLiteral("statisticsGroups"), tr("Groups of spans"))),
      m_event_table(new StatisticsTable(QStringLiteral("statisticsEvents"), tr("Spans"))),
      m_flame(new FlameView),
      m_only_span(new QCheckBox(tr("&Only the selected span"))) {
  setObjectName(QStringLiteral("statisticsPane"));
  auto* const filled = look::makeLayout<QVBoxLayout>(m_filled, 0);
  filled->addWidget(m_card);
  filled->addWidget(makeControls());
  filled->addWidget(m_group_table, 1);
  filled->addWidget(m_event_table, 1);
  m_flame_page = look::scrollArea(m_flame);
  filled->addWidget(m_flame_page, 1);
  auto* const column = look::makeLayout<QVBoxLayout>(this, 0);
  column->addWidget(m_empty);
  column->addWidget(m_filled);
  connectTables();
  m_pause.setSingleShot(true);
  connect(&m_pause, &QTimer::timeout, this, &StatisticsPane::count);
  connect(m_card, &OverviewCard::clearRequested, this, &StatisticsPane::rangeClearRequested);
  connect(m_only_span, &QCheckBox::toggled, this, &StatisticsPane::drawFlame);
  connect(m_flame, &FlameView::spanRequested, this, [this](const StatisticsTrace& of, const SpanMatch& span) {
    m_requested = span;
    Q_EMIT spanRequested(of, span);
  });
  switchView();
  showEmpty();
}

void StatisticsPane::setUpControls() {
  m_views->setObjectName(QStringLiteral("statisticsViews"));
  m_views->setAccessibleName(tr("View of the statistics"));
  m_views->addTab(tr("Groups"));
  m_views->addTab(tr("Events"));
  m_views->addTab(tr("Flame Graph"));
  m_views->setTabToolTip(kGroupsView, tr("Count and times of the spans of each group"));
  m_views->setTabToolTip(kEventsView, tr("The spans themselves, of the chosen group or all"));
  m_views->setTabToolTip(
      kFlameView, tr("Nested spans by their names, as wide as their time: a click goes to the longest, Esc back"));
  m_only_span->setObjectName(QStringLiteral("statisticsOnlySpan"));
  m_only_span->setToolTip(tr("The flame graph within the span that is selected on the timeline, such as one action"));
  m_views->setExpanding(false);
  m_views->setDrawBase(false);
  m_by->setObjectName(QStringLiteral("statisticsBy"));
  m_by->setToolTip(
      tr("What spans are grouped by. Module: what contains a block, or nn.Module of PyTorch's profiler.\nOperation: "
         "forward, backward and update, transfers, and categories of all else."));
  m_filter->setObjectName(QStringLiteral("statisticsFilter"));
  m_filter->setAccessibleName(tr("Filter by name"));
  m_filter->setPlaceholderText(tr("Filter: conv, layer3, nccl ..."));
  m_filter->setClearButtonEnabled(true);
  m_filter->setFixedWidth(kFilterWidth);
  m_note->setObjectName(QStringLiteral("statisticsNote"));
  m_note->setFont(look::smallFont());
  connect(m_views, &QTabBar::currentChanged, this, &StatisticsPane::switchView);
  connect(m_by, &QComboBox::activated, this, [this] {
    const auto by = static_cast<Grouping>(m_by->currentData().toInt());
    if (std::exchange(m_wanted, by) == by) return;
    dropChoice();
    wantNow();
  });
  connect(m_filter, &QLineEdit::textChanged, this, [this](const QString& text) {
    m_groups->setFilter(text);
    m_flame->setFilter(text);
    showSentences();
    if (showsEvents()) listEvents();
  });
}

/// A narrow pane has them in several rows.
QWidget* StatisticsPane::makeControls() {
  setUpControls();
  m_by_choice = new QWidget;
  auto* const row = look::makeLayout<QHBoxLayout>(m_by_choice, look::kGrid);
  auto* const name = new look::PlainLabel(tr("&Group by:"));
  name->setBuddy(m_by);
  row->addWidget(name);
  row->addWidget(m_by);
  auto* const controls = new look::FlowLayout(2 * look::kGrid, look::kGrid);
  for (QWidget* const control : std::initializer_list<QWidget*>{m_views, m_by_choice, m_only_span, m_filter, m_note})
    controls->addWidget(control);
  m_note->setFixedHeight(m_filter->sizeHint().height());
  auto* const framed = new QWidget;
  auto* const frame = new QHBoxLayout(framed);
  frame->setContentsMargins(2 * look::kGrid, 0, 2 * look::kGrid, look::kGrid);
  frame->addLayout(controls);
  return framed;
}

void StatisticsPane::connectTables() {
  m_group_table->setModel(m_groups);
  m_event_table->setModel(m_events);
  m_group_table->setUpColumns({QString(), QStringLiteral("1000000"), QStringLiteral("10000.0"), QStringLiteral("100.0"),
                               QStringLiteral("10000.0"), QStringLiteral("10000.0"), QStringLiteral("10000.0"),
                               QStringLiteral("10000.0"), QStringLiteral("10000.0")},
                              GroupsModel::Name);
  m_event_table->setUpColumns(
      {QStringLiteral("10000.0000"), QStringLiteral("10000.00"), QString(), QStringLiteral("process 123456"),
       QStringLiteral("1000"), QStringLiteral("1000"), QStringLiteral("gpu_user_annotation")},
      EventsModel::Name);
  m_group_table->setSortingEnabled(true);
  m_group_table->sortByColumn(GroupsModel::Total, Qt::DescendingOrder);
  m_event_table->setSortingEnabled(true);
  m_event_table->sortByColumn(EventsModel::Start, Qt::AscendingOrder);
  for (StatisticsTable* const table : {m_group_table, m_event_table}) setLeastHeight(*table);
  connect(m_groups, &QAbstractItemModel::modelReset, this, &StatisticsPane::selectChosen);
  connect(m_group_table, &StatisticsTable::rowChosen, this, &StatisticsPane::choose);
  connect(m_group_table, &StatisticsTable::choiceDropped, this, &StatisticsPane::dropChoice);
  connect(m_group_table, &StatisticsTable::rowOpened, this, [this](int row) {
    choose(row);
    Q_EMIT spanRequested(m_shown->of(), m_groups->group(row).longest_span);
  });
  const auto go_to = [this](int row) { Q_EMIT spanRequested(m_shown->of(), m_events->span(row)); };
  connect(m_event_table, &StatisticsTable::rowChosen, this, go_to);
  connect(m_event_table, &StatisticsTable::rowOpened, this, go_to);
  connect(m_event_table, &StatisticsTable::choiceDropped, this, &StatisticsPane::dropChoice);
  offerExhibit(m_group_table, [this] {
    Exhibit exhibit{QStringLiteral("statistics"), tr("Statistics"), {}, {}};
    if (m_groups->rowCount() == 0) return exhibit;
    exhibit.csv = [shown = m_shown, groups = m_groups->groups()] {
      SpanStatistics listed = shown->figures();
      listed.groups = groups;
      return statisticsCsv({shown->trace(), shown->of().imported.get(), listed}, groups.size());
    };
    return exhibit;
  });
  offerExhibit(m_event_table, [this] {
    Exhibit exhibit{QStringLiteral("events"), tr("Events"), {}, {}};
    if (m_events->rowCount() > 0) exhibit.csv = [this] { return m_events->csv(); };
    return exhibit;
  });
}

bool StatisticsPane::showsEvents() const { return m_views->currentIndex() == kEventsView; }
bool StatisticsPane::showsFlame() const { return m_views->currentIndex() == kFlameView; }
QString StatisticsPane::filter() const { return m_filter->text(); }

void StatisticsPane::setTrace(StatisticsTrace trace) {
  if (trace == m_of) return;
  m_of = std::move(trace);
  if (!hasTrace()) return showEmpty();
  if (m_of.trace->live.empty()) m_span.reset();
  m_of.trace->live.empty() ? wantNow() : wantSoon();
}

void StatisticsPane::setRange(std::optional<TimeRange> range) {
  if (std::exchange(m_range, range) != range) wantNow();
}

/// What is counted for the wish before is given up.
void StatisticsPane::wantNow() {
  m_stale = hasTrace();
  m_counting = false;
  count();
}

/// While a run goes a new trace comes at each poll, so what is counted is awaited first.
void StatisticsPane::wantSoon() {
  m_stale = true;
  if (!m_pause.isActive()) count();
}

void StatisticsPane::count() {
  if (!m_stale || m_counting || !isVisible()) return;
  m_stale = false;
  m_counting = true;
  m_counted_for.start();
  m_work.ask([this, question = StatisticsQuestion{m_of, m_wanted, m_range}](const std::stop_token& stop) {
    auto shown = std::make_shared<const ShownStatistics>(question, stop);
    return Background::Then([this, shown] { present(shown); });
  });
}

void StatisticsPane::present(std::shared_ptr<const ShownStatistics> shown) {
  m_counting = false;
  m_pause.start(static_cast<int>(std::max(kLeastPause, kPauses * m_counted_for.elapsed())));
  const std::shared_ptr<const ShownStatistics> before = std::exchange(m_shown, std::move(shown));
  m_empty->hide();
  m_filled->show();
  showOffered();
  m_groups->show(m_shown);
  const TimeRange window = m_shown->figures().window;
  const bool selected = m_shown->figures().part.range.has_value();
  const QString sentence = selected ? tr("Selected range %1").arg(rangeText(window, m_shown->trace().range().start))
                                    : tr("All of the trace, %1").arg(durationText(window.length()));
  m_card->setOverview(m_shown->figures().overview, sentence, selected);
  showSentences();
  if (before) chooseAgain(*before);
  if (showsEvents()) listEvents();
  if (showsFlame()) switchView();
}

/// In another trace the chosen group is that of the same name, if there is one. While a run goes its spans are found in
/// each snapshot without a word from here.
void StatisticsPane::chooseAgain(const ShownStatistics& before) {
  const bool same_trace = before.of() == m_shown->of();
  if (!m_has_chosen || (same_trace && before.figures().part == m_shown->figures().part)) return;
  const std::optional<std::uint32_t> key = m_shown->keyOf(m_chosen);
  if (!key && !same_trace) return dropChoice();
  if (!key) return Q_EMIT groupDropped();  // nothing of it is in the range
  if (m_shown->trace().live.empty()) Q_EMIT groupChosen(m_shown, *key);
}

void StatisticsPane::showOffered() {
  m_by->clear();
  for (const Grouping by : m_shown->offered()) m_by->addItem(groupingText(by), static_cast<int>(by));
  m_by->setCurrentIndex(m_by->findData(static_cast<int>(m_shown->figures().by)));
}

void StatisticsPane::showEmpty() {
  m_work.cancel();
  m_listing.cancel();
  m_flaming.cancel();
  m_stale = m_counting = m_listing_events = m_adding_frames = false;
  m_span.reset();
  m_flame->setFlame(nullptr);
  m_shown.reset();
  m_groups->show(nullptr);
  m_events->show(nullptr, {});
  dropChoice();
  m_filled->hide();
  m_empty->show();
}

/// What the figures are of, where it is not all: beside the filter in short, and in full in its tip.
void StatisticsPane::showSentences() {
  if (!m_shown || showsFlame()) return;
  const SpanStatistics& figures = m_shown->figures();
  const int rows = showsEvents() ? m_events->rowCount() : m_groups->rowCount();
  QString note = showsEvents() ? tr("%n span(s)", nullptr, rows) : tr("%n group(s)", nullptr, rows);
  if (showsEvents() && m_has_chosen) note = tr("%1 of %2").arg(note, look::briefName(m_chosen));
  m_note->setText(note);
  const StatisticsSource source{m_shown->trace(), m_shown->of().imported.get(), figures};
  m_note->setToolTip(look::shownText(groupsSentence(source, figures.groups.size())));
}

void StatisticsPane::switchView() {
  m_group_table->setVisible(!showsEvents() && !showsFlame());
  m_event_table->setVisible(showsEvents());
  m_flame_page->setVisible(showsFlame());
  m_by_choice->setVisible(!showsFlame());
  m_only_span->setVisible(showsFlame());
  showSentences();
  if (showsEvents()) listEvents();
  if (!showsFlame() || !m_shown) return;
  Q_EMIT flameShown();
  drawFlame();
}

/// Of the range that the figures are of.
void StatisticsPane::drawFlame() {
  if (!m_shown) return;
  m_adding_frames = true;
  const std::optional<SpanMatch> within = m_only_span->isChecked() ? m_span : std::nullopt;
  m_flaming.ask([this, of = m_shown->of(), part = m_shown->figures().part, within](const std::stop_token& stop) {
    std::optional<FlameTree> tree =
        flameTree(*of.trace, of.imported.get(), within ? CountedPart{} : part, within, stop);
    auto flame = std::make_shared<const ShownFlame>(ShownFlame{of, std::move(tree).value_or(FlameTree{})});
    return Background::Then([this, flame, of_span = within.has_value()] { showFlame(flame, of_span); });
  });
}

void StatisticsPane::showFlame(std::shared_ptr<const ShownFlame> flame, bool of_span) {
  m_adding_frames = false;
  const Nanoseconds total = flame->tree.total;
  m_flame->setFlame(std::move(flame));
  if (m_only_span->isChecked() && !of_span)
    m_note->setText(tr("No span is selected: all of them, %1").arg(durationText(total)));
  else
    m_note->setText(tr("Time of all spans: %1").arg(durationText(total)));
  m_note->setToolTip(tr("Of all rows of all lanes together, so that it may be more than the time of the trace"));
}

void StatisticsPane::listEvents() {
  if (!m_shown) return;
  const std::optional<std::uint32_t> key = m_has_chosen ? m_shown->keyOf(m_chosen) : std::nullopt;
  m_listing_events = !m_has_chosen || key.has_value();
  if (!m_listing_events) {  // nothing of the group is in the range
    m_listing.cancel();
    m_events->show(m_shown, {});
    return showSentences();
  }
  m_listing.ask([this, shown = m_shown, key, text = filter()](const std::stop_token& stop) {
    auto spans = std::make_shared<std::vector<SpanMatch>>(shown->spans(key, text, stop));
    return Background::Then([this, shown, spans] {
      m_listing_events = false;
      m_events->show(shown, std::move(*spans));
      showSentences();
      Q_EMIT eventsListed();
    });
  });
}

void StatisticsPane::choose(int row) {
  const std::uint32_t key = m_groups->group(row).key;
  m_chosen = m_shown->nameOf(key);
  m_has_chosen = true;
  Q_EMIT groupChosen(m_shown, key);
}

void StatisticsPane::dropChoice() {
  if (!std::exchange(m_has_chosen, false)) return;
  m_chosen.clear();
  m_group_table->selectQuietly(-1);
  showSentences();
  if (showsEvents()) listEvents();
  Q_EMIT groupDropped();
}

/// A reset forgets the current row; a group that the new figures do not have is not chosen any more.
void StatisticsPane::selectChosen() {
  if (!m_has_chosen || !m_shown) return;
  const std::optional<std::uint32_t> key = m_shown->keyOf(m_chosen);
  m_group_table->selectQuietly(key ? m_groups->rowOf(*key) : -1);
}

void StatisticsPane::selectSpan(std::size_t track, std::size_t span) {
  if (showsFlame() && m_shown && track < m_shown->trace().tracks.size()) {
    const SpanColumns& spans = m_shown->trace().tracks[track].spans;
    if (span >= spans.size()) return;
    const SpanMatch chosen{spans.startOf(span), static_cast<std::uint32_t>(track), static_cast<std::uint32_t>(span)};
    if (std::exchange(m_requested, std::nullopt) == chosen || std::exchange(m_span, chosen) == chosen) return;
    if (m_only_span->isChecked()) drawFlame();
  }
  if (!showsEvents()) return;
  const int row = m_events->rowOf(track, span);
  if (row == m_event_table->currentIndex().row()) return;
  m_event_table->selectQuietly(row);
  if (row >= 0) m_event_table->scrollTo(m_events->index(row, 0));
}

void StatisticsPane::showEvent(QShowEvent* event) {
  QWidget::showEvent(event);
  count();
}

}  // namespace lanelab
