// SPDX-License-Identifier: GPL-3.0-only
#include "ui/charts/comparison_view.h"

#include <QAction>
#include <QComboBox>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QPainter>
#include <QResizeEvent>
#include <QScrollArea>
#include <QScrollBar>
#include <QSplitter>
#include <QStackedLayout>
#include <QStyledItemDelegate>
#include <QTableWidget>
#include <QVBoxLayout>
#include <algorithm>
#include <functional>

#include "engine/report/comparison_text.h"
#include "ui/charts/chart_canvas.h"
#include "ui/charts/comparison_chart.h"
#include "ui/charts/comparison_rows.h"
#include "ui/look/brief_label.h"
#include "ui/look/parts.h"

namespace lanelab {

namespace {

Picture pictureOf(const ComparisonRows& rows, Spread spread, const QString& metadata) {
  const auto paint = [rows, spread](QPainter& painter, const QRectF& rect, const look::Palette& palette) {
    paintChart(makeComparisonChart(rows, spread, palette), painter, rect);
  };
  // In a picture nothing else says what speaks against the times.
  const QString caption = rows.doubtful ? rows.caption + QLatin1Char(' ') + rows.trust : rows.caption;
  return {rows.headline, caption, comparisonChartSize(rows), paint, metadata};
}

constexpr QSize kLeastChart(240, 96);
constexpr int kTrustLines = 4;  ///< of a low pane the chart and the table need the rest
constexpr int kLeastVariant = static_cast<int>(30 * look::kGrid);
/// "Speed-up vs Model parallel (95 % CI)" fits; of a longer name the middle is elided.
constexpr int kMostOfLastHeader = 60 * look::kGrid;

/// Names of one line, of which the end tells as much as the start.
class NameDelegate : public QStyledItemDelegate {
 public:
  using QStyledItemDelegate::QStyledItemDelegate;

 protected:
  void initStyleOption(QStyleOptionViewItem* option, const QModelIndex& index) const override {
    QStyledItemDelegate::initStyleOption(option, index);
    option->features &= ~QStyleOptionViewItem::WrapText;
    option->textElideMode = Qt::ElideMiddle;
  }
};

/// Knows how wide its columns want to be, shown or not, and tells when its own width changes. Of all columns only the
/// names, and names in headers, are elided.
class FittedTable : public QTableWidget {
 public:
  FittedTable() { setItemDelegateForColumn(0, new NameDelegate(this)); }

  std::function<void()> when_resized;

  void setTitles(const QStringList& titles) {
    m_titles = titles;
    setColumnCount(static_cast<int>(titles.size()));
    setHorizontalHeaderLabels(titles);
  }
  /// Of the last column, whose title has a name in it. A header by itself elides without its margins, and cuts letters.
  void elideLastTitle() {
    const int last = columnCount() - 1;
    int room = viewport()->width() - kTitleMargins;
    for (int column = 0; column < last; ++column) room -= columnWidth(column);  // 0 of a hidden one
    const QFontMetrics header(horizontalHeader()->font());
    horizontalHeaderItem(last)->setText(header.elidedText(m_titles[last], Qt::ElideMiddle, room));
  }

  int widthOfCells(int column) const {
    int width = 0;
    for (int row = 0; row < rowCount(); ++row) {
      const QTableWidgetItem* const cell = item(row, column);
      width = std::max(width, QFontMetrics(cell->font()).horizontalAdvance(cell->text()));
    }
    return width + 4 * look::kGrid;
  }
  int wantedWidth(int column) const {
    const QFontMetrics header(horizontalHeader()->font());
    return std::max(header.horizontalAdvance(m_titles[column]) + kTitleMargins, widthOfCells(column));
  }
  /// Below it a number would be cut; the last header has a name in it, which may be long.
  int leastWidth(int column) const {
    if (column == 0) return std::min(wantedWidth(0), kLeastVariant);
    return column + 1 == columnCount()
               ? std::max(widthOfCells(column), std::min(wantedWidth(column), kMostOfLastHeader))
               : wantedWidth(column);
  }

 protected:
  void resizeEvent(QResizeEvent* event) override {
    QTableWidget::resizeEvent(event);
    if (when_resized && event->size().width() != event->oldSize().width()) when_resized();
  }

 private:
  static constexpr int kTitleMargins = 5 * look::kGrid;

  QStringList m_titles;
};

}  // namespace

Picture comparisonPicture(const RunRecord& record, Spread spread) {
  return pictureOf(comparisonRows(record, spread), spread, QString::fromStdString(toJson(record.experiment)));
}

class ComparisonView::Impl {
 public:
  explicit Impl(ComparisonView* owner) : m_owner(owner) {
    m_pages = new QStackedLayout(owner);
    m_pages->addWidget(m_empty = look::emptyLabel("comparisonEmpty", emptyText()));
    m_pages->addWidget(makeContent());
  }

  void setRuns(RunRecords runs) {
    m_runs = std::move(runs);
    m_baseline.clear();
    refresh();
  }

  void setSpread(Spread spread) {
    m_spread = spread;
    m_choice->setCurrentIndex(spread == Spread::Ci95 ? 0 : 1);
    refresh();
  }

  void choose(const QString& label) {
    if (m_runs.size() == 1) Q_EMIT m_owner->variantActivated(label);
  }

  void chooseBaseline(const QString& label) {
    m_baseline = label;
    refresh();
  }

  void arrange() {
    const bool wide = m_owner->width() > 2 * m_owner->height();
    const auto orientation = wide ? Qt::Horizontal : Qt::Vertical;
    const bool turned = m_split->orientation() != orientation;
    m_split->setOrientation(orientation);
    if (turned) m_moved = false;
    giveTableItsWidth();
    if (turned) showCaption();
  }

  Picture picture() const {
    if (m_rows.rows.empty()) return {};
    return pictureOf(m_rows, m_spread,
                     m_runs.empty() ? QString() : QString::fromStdString(toJson(m_runs.front()->experiment)));
  }

  std::string csv() const { return m_combined.record ? comparisonCsv(*m_combined.record) : std::string(); }

 private:
  QWidget* makeContent() {
    auto* content = new QWidget;
    auto* column = look::makeLayout<QVBoxLayout>(content, look::kGrid, look::kPaneMargins);
    column->addLayout(makeTop());
    m_trust = new look::BriefLabel(kTrustLines, nullptr);
    m_trust->setObjectName("comparisonTrust");
    m_trust->setTextInteractionFlags(Qt::TextSelectableByMouse);
    column->addWidget(m_trust);
    m_split = new QSplitter(Qt::Horizontal);
    m_split->setChildrenCollapsible(false);
    m_split->addWidget(makeChart());
    m_split->addWidget(makeTable());
    m_split->setStretchFactor(0, 1);
    m_split->setStretchFactor(1, 1);
    QObject::connect(m_split, &QSplitter::splitterMoved, m_owner, [this] { m_moved = true; });
    column->addWidget(m_split, 1);
    m_caption = look::wrappedLabel("comparisonCaption");
    m_caption->setFont(look::smallFont());
    column->addWidget(m_caption);
    return content;
  }

  QLayout* makeTop() {
    auto* row = new QHBoxLayout;
    m_headline = look::wrappedLabel("comparisonHeadline");
    m_headline->setFont(look::headlineFont());
    m_headline->setTextInteractionFlags(Qt::TextSelectableByMouse);
    row->addWidget(m_headline, 1);
    m_choice = new QComboBox;
    m_choice->setObjectName("spreadChoice");
    m_choice->setAccessibleName(ComparisonView::tr("Spread shown by the whiskers"));
    m_choice->setToolTip(ComparisonView::tr("What the whiskers show"));
    m_choice->addItems({ComparisonView::tr("mean ± 95 % CI"), ComparisonView::tr("mean ± std")});
    QObject::connect(m_choice, &QComboBox::activated, m_owner,
                     [this](int index) { setSpread(index == 0 ? Spread::Ci95 : Spread::Std); });
    row->addWidget(m_choice, 0, Qt::AlignTop);
    return row;
  }

  QWidget* makeChart() {
    m_canvas =
        new ChartCanvas("comparisonChart",
                        ComparisonView::tr("Bars of the mean time of each variant; the table holds the same numbers"));
    m_canvas->setMinimumSize(kLeastChart.width(), kLeastChart.height());
    offerExhibit(m_canvas, [this] { return m_owner->exhibit(); });
    QObject::connect(m_canvas, &ChartCanvas::paletteChanged, m_owner, [this] { refresh(); });
    // Many variants in a low pane scroll, rather than overlap.
    auto* area = look::scrollArea(m_canvas);
    area->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    area->setFocusPolicy(Qt::NoFocus);
    m_least_chart_width = kLeastChart.width() + area->verticalScrollBar()->sizeHint().width();
    area->setMinimumSize(m_least_chart_width, kLeastChart.height());
    return area;
  }

  QWidget* makeTable() {
    m_table = new FittedTable;
    look::setUpTable(*m_table, "comparisonTable", ComparisonView::tr("Times of the variants"));
    m_table->when_resized = [this] { showColumnsThatFit(); };
    m_table->setSelectionMode(QAbstractItemView::SingleSelection);
    m_table->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    m_table->setWordWrap(true);
    m_table->horizontalHeader()->setStretchLastSection(true);
    m_table->horizontalHeader()->setMinimumSectionSize(6 * look::kGrid);
    m_table->horizontalHeader()->setSectionResizeMode(QHeaderView::Interactive);
    m_table->setMinimumHeight(72);
    auto* show = new QAction(ComparisonView::tr("&Show on the Timeline"), m_table);
    auto* base = new QAction(ComparisonView::tr("Use as &Baseline"), m_table);
    m_table->addActions({show, base});
    offerExhibit(m_table, [this] { return m_owner->exhibit(); });
    QObject::connect(show, &QAction::triggered, m_owner, [this] { choose(chosenLabel()); });
    QObject::connect(base, &QAction::triggered, m_owner, [this] { chooseBaseline(chosenLabel()); });
    QObject::connect(m_table, &QTableWidget::itemActivated, m_owner, [this] { choose(chosenLabel()); });
    return m_table;
  }

  /// Side by side the table gets what it needs, up to the room that the chart leaves; until the user divides them.
  void giveTableItsWidth() {
    if (!m_moved && m_split->orientation() == Qt::Vertical)
      m_split->setSizes({2 * m_split->height() / 3, m_split->height() / 3});
    if (!m_moved && m_split->orientation() == Qt::Horizontal) {
      // Or bars would be stubs; a little less where else the table would cut its numbers.
      const int least_table = leastWidth(columnsToMiss()) + m_table->verticalScrollBar()->sizeHint().width();
      const int chart =
          std::max(m_least_chart_width, std::min(2 * m_split->width() / 5, m_split->width() - least_table));
      const int table = std::min(wantedWidth(), m_split->width() - chart);
      m_split->setSizes({m_split->width() - table, table});
    }
    showColumnsThatFit();
  }

  int wantedWidth() const {
    int width = 2 * look::kGrid;
    for (int column = 0; column < m_table->columnCount(); ++column) width += m_table->wantedWidth(column);
    return width;
  }

  /// Without as many columns of those that can best be missed, with the names as short as can be.
  int leastWidth(const QList<int>& missed) const {
    int width = 2 * look::kGrid;
    for (int column = 0; column < m_table->columnCount(); ++column)
      if (!missed.contains(column)) width += m_table->leastWidth(column);
    return width;
  }

  /// The spread that the chart does not show goes first, then what follows from other columns, at last, in a low pane,
  /// what the chart shows, too; the tool tips keep them all.
  QList<int> columnsToMiss() const {
    constexpr int kCount = 1, kStd = 3, kInterval = 4, kSpeed = 5;
    QList<int> columns{kStd, kSpeed, kCount, kInterval};
    if (m_spread == Spread::Std) std::swap(columns.front(), columns.back());
    if (m_split->orientation() == Qt::Vertical) columns.removeLast();
    return columns;
  }

  /// A table that had to be scrolled sideways would hide the ratios, so names are elided and columns go instead, and
  /// what is left wraps its words.
  void showColumnsThatFit() {
    const int room = m_table->viewport()->width();
    const int columns = m_table->columnCount();
    if (columns == 0) return;
    QList<int> missed;
    while (missed.size() < columnsToMiss().size() && leastWidth(missed) > room)
      missed.append(columnsToMiss()[missed.size()]);
    for (int column = 0; column < columns; ++column) {
      m_table->setColumnHidden(column, missed.contains(column));
      if (column > 0 && column + 1 < columns) m_table->setColumnWidth(column, m_table->wantedWidth(column));
    }
    const int names = m_table->leastWidth(0) + std::max(0, room - leastWidth(missed));
    m_table->setColumnWidth(0, std::min(names, m_table->wantedWidth(0)));
    m_table->elideLastTitle();
    m_table->resizeRowsToContents();
  }

  QString chosenLabel() const {
    const int row = m_table->currentRow();
    return row < 0 ? QString() : m_rows.rows[static_cast<std::size_t>(row)].label;
  }

  void refresh() {
    m_combined = combined(m_runs, m_baseline);
    m_rows = comparisonRows(m_combined, m_spread);
    m_pages->setCurrentIndex(m_rows.rows.empty() ? 0 : 1);
    m_empty->setText(emptyText());
    m_headline->setText(m_rows.headline);
    m_headline->setForegroundRole(m_rows.clear_difference ? QPalette::WindowText : QPalette::PlaceholderText);
    m_trust->setSentence(m_rows.trust);
    m_trust->setForegroundRole(m_rows.doubtful ? QPalette::WindowText : QPalette::PlaceholderText);
    m_trust->setVisible(!m_rows.trust.isEmpty());
    showCaption();
    m_canvas->setMinimumHeight(std::max(kLeastChart.height(), leastComparisonHeight(m_rows)));
    m_canvas->showChart(
        makeComparisonChart(m_rows, m_spread, look::current(),
                            [this](int row) { choose(m_rows.rows[static_cast<std::size_t>(row)].label); }),
        comparisonWords(m_rows, m_spread));
    fillTable();
  }

  QString emptyText() const {
    if (m_runs.size() > 1 && !m_combined.record)
      return ComparisonView::tr("These runs cannot be compared: %1.\nSelect runs of one model on the same data.")
          .arg(m_combined.differ);
    return ComparisonView::tr("Run the experiment to compare step times with confidence intervals.");
  }

  /// The notes are read where there is room; where there is none, in the tool tip.
  void showCaption() {
    const bool room = m_split->orientation() == Qt::Vertical;
    const QString notes = m_rows.notes.join(' ');
    m_caption->setText(room && !notes.isEmpty() ? m_rows.caption + " " + notes : m_rows.caption);
    m_caption->setToolTip(notes);
    m_headline->setToolTip(notes);
  }

  void fillTable() {
    const QStringList header = m_rows.rows.empty() ? QStringList() : comparisonTableHeader(m_rows);
    m_table->setTitles(header);
    m_table->setRowCount(static_cast<int>(m_rows.rows.size()));
    for (int row = 0; row < m_table->rowCount(); ++row) {
      const auto& data = m_rows.rows[static_cast<std::size_t>(row)];
      const QStringList cells = comparisonTableCells(data, m_rows.measure);
      for (int column = 0; column < cells.size(); ++column) {
        auto* item = new QTableWidgetItem(cells[column]);
        const bool words = column == 0;
        item->setTextAlignment(Qt::AlignVCenter | (words ? Qt::AlignLeft : Qt::AlignRight));
        if (!words) item->setFont(look::numberFont());
        item->setToolTip(comparisonTip(data, m_spread, m_rows.measure));
        m_table->setItem(row, column, item);
      }
    }
    for (int column = 0; column < m_table->columnCount(); ++column) {
      QTableWidgetItem* const title = m_table->horizontalHeaderItem(column);
      title->setTextAlignment(Qt::AlignVCenter | (column == 0 ? Qt::AlignLeft : Qt::AlignRight));
      title->setToolTip(title->text());
    }
    giveTableItsWidth();
  }

  ComparisonView* m_owner;
  RunRecords m_runs;
  QString m_baseline;
  CombinedRuns m_combined;
  Spread m_spread = Spread::Ci95;
  bool m_moved = false;  ///< the user divided chart and table, so it stays as it is
  ComparisonRows m_rows;
  QStackedLayout* m_pages;
  QLabel* m_empty;
  QSplitter* m_split;
  QLabel* m_headline;
  look::BriefLabel* m_trust;
  QComboBox* m_choice;
  ChartCanvas* m_canvas;
  int m_least_chart_width = 0;  ///< with a scroll bar
  FittedTable* m_table;
  QLabel* m_caption;
};

ComparisonView::ComparisonView(QWidget* parent) : QWidget(parent), m_impl(std::make_unique<Impl>(this)) {}
ComparisonView::~ComparisonView() = default;

void ComparisonView::setRuns(std::vector<std::shared_ptr<const RunRecord>> runs) { m_impl->setRuns(std::move(runs)); }
void ComparisonView::setSpread(Spread spread) { m_impl->setSpread(spread); }
Picture ComparisonView::picture() const { return m_impl->picture(); }
std::string ComparisonView::csv() const { return m_impl->csv(); }

Exhibit ComparisonView::exhibit() const {
  return exhibitOf(*this, !picture().size.isEmpty(), "comparison", tr("Comparison"));
}

void ComparisonView::resizeEvent(QResizeEvent* event) {
  QWidget::resizeEvent(event);
  m_impl->arrange();
}

}  // namespace lanelab
