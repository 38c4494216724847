// SPDX-License-Identifier: GPL-3.0-only
// Prints as JSON what the window shows of runs and traces: for each path and each of its variants a list of what was
// said in which pane, with the name of the widget. Texts of labels and cells are as they are, those that a widget
// paints itself are what it draws into an SVG. statements_test.py computes the numbers in them again from the files.
//
//   pane_texts RUNS PATH...
//
// RUNS is the folder whose runs are listed. A PATH is a run folder, a trace, or two run folders as A+B, which are
// compared. Exit code 1: something was not shown within the limit.
#include <QApplication>
#include <QBuffer>
#include <QComboBox>
#include <QDialog>
#include <QDockWidget>
#include <QGraphicsView>
#include <QHeaderView>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QLabel>
#include <QLineEdit>
#include <QPainter>
#include <QPushButton>
#include <QRegularExpression>
#include <QStatusBar>
#include <QSvgGenerator>
#include <QTableView>
#include <QTest>
#include <QTreeWidget>
#include <QXmlStreamReader>
#include <cstdio>
#include <functional>

#include "tests/gui/gui_application.h"
#include "tests/support/fake_executor.h"
#include "ui/curve/memory_pane.h"
#include "ui/history/runs_list.h"
#include "ui/look/elided_label.h"
#include "ui/statistics/statistics_pane.h"
#include "ui/timeline/idle/idle_table.h"
#include "ui/timeline/model/timeline_data.h"
#include "ui/timeline/view/timeline_view.h"
#include "ui/what_if/what_if_dialog.h"
#include "ui/window/main_window.h"

namespace lanelab {
namespace {

constexpr int kLimit = 30'000;  ///< ms

/// The texts that a painter draws, in order, those at one place once.
QJsonArray paintedTexts(QSize size, const std::function<void(QPainter&)>& paint) {
  QBuffer svg;
  QSvgGenerator generator;
  generator.setOutputDevice(&svg);
  generator.setSize(size);
  generator.setViewBox(QRect(QPoint(), size));
  QPainter painter(&generator);
  paint(painter);
  painter.end();
  QJsonArray texts;
  QXmlStreamReader reader(svg.data());
  while (!reader.atEnd())
    if (reader.readNext() == QXmlStreamReader::StartElement && reader.name() == QLatin1String("text"))
      texts.append(reader.readElementText(QXmlStreamReader::IncludeChildElements).trimmed());
  return texts;
}

QJsonArray rowOf(const QAbstractItemModel& model, int row, int role, const QModelIndex& parent = {}) {
  QJsonArray cells;
  for (int column = 0; column < model.columnCount(parent); ++column)
    cells.append(model.index(row, column, parent).data(role).toString());
  return cells;
}

void addRows(const QAbstractItemModel& model, const QModelIndex& parent, QJsonArray& rows) {
  for (int row = 0; row < model.rowCount(parent); ++row) {
    rows.append(rowOf(model, row, Qt::DisplayRole, parent));
    addRows(model, model.index(row, 0, parent), rows);
  }
}

QJsonObject itemsOf(const QAbstractItemView& view) {
  const QAbstractItemModel& model = *view.model();
  QJsonArray columns, hidden, rows, tips;
  const auto* const table = qobject_cast<const QTableView*>(&view);
  for (int column = 0; column < model.columnCount(); ++column) {
    columns.append(model.headerData(column, Qt::Horizontal).toString());
    if (table && table->isColumnHidden(column)) hidden.append(column);
  }
  addRows(model, {}, rows);
  for (int row = 0; row < model.rowCount(); ++row) tips.append(rowOf(model, row, Qt::ToolTipRole));
  return {{"columns", columns}, {"hidden", hidden}, {"rows", rows}, {"tips", tips}};
}

/// What a widget says itself, without its children; nothing if that is nothing.
QJsonObject saidBy(QWidget& widget) {
  if (const auto* const label = qobject_cast<QLabel*>(&widget)) return {{"text", label->text()}};
  if (const auto* const label = qobject_cast<ElidedLabel*>(&widget)) return {{"text", label->text()}};
  if (const auto* const view = qobject_cast<QAbstractItemView*>(&widget))
    return qobject_cast<const QHeaderView*>(&widget) ? QJsonObject() : itemsOf(*view);
  if (const auto* const choice = qobject_cast<QComboBox*>(&widget)) return {{"text", choice->currentText()}};
  if (const auto* const field = qobject_cast<QLineEdit*>(&widget)) return {{"text", field->text()}};
  if (auto* const view = qobject_cast<QGraphicsView*>(&widget))
    return {{"painted", paintedTexts(view->viewport()->size(), [view](QPainter& p) { view->render(&p); })}};
  if (auto* const timeline = qobject_cast<TimelineView*>(&widget); timeline && timeline->trace()) {
    const Picture picture = timeline->picture();
    const QJsonArray texts = paintedTexts(picture.size.toSize(), [&picture](QPainter& painter) {
      picture.paint(painter, QRectF(QPointF(), picture.size), look::printPalette());
    });
    return {{"text", picture.caption}, {"painted", texts}};
  }
  const bool speaks = !widget.accessibleDescription().isEmpty() || !widget.toolTip().isEmpty();
  return speaks ? QJsonObject{{"text", QString()}} : QJsonObject();
}

void addTexts(const QString& pane, QWidget& root, QJsonArray& all) {
  for (auto* const widget : QList<QWidget*>{&root} + root.findChildren<QWidget*>()) {
    if (!widget->isVisibleTo(&root) && widget != &root) continue;
    QJsonObject said = saidBy(*widget);
    if (said.isEmpty()) continue;
    said["pane"] = pane;
    said["widget"] = widget->objectName();
    said["tip"] = widget->toolTip();
    said["spoken"] = widget->accessibleDescription();
    all.append(said);
  }
}

class Reader {
 public:
  explicit Reader(MainWindow& window) : m_window(window) {}

  QJsonObject texts(const QString& path) {
    if (path.contains('+')) return comparison(path.split('+'));
    m_window.openPath(path);
    const auto opened = [&] {
      return m_window.shownRun().folder() == path || (timeline().trace() && !m_window.shownRun().record());
    };
    await("the run " + path, opened);
    if (!m_window.shownRun().record()) return {{"", panes()}};
    if (m_window.shownRun().isViewed()) m_window.findChild<QPushButton*>("useViewedRun")->click();
    await("the experiment of " + path, [&] { return m_window.shownRun().record() && !m_window.shownRun().isViewed(); });
    QJsonObject of_variants;
    const Experiment experiment = m_window.document().experiment();
    for (std::size_t i = 0; i < experiment.variants.size(); ++i) {
      m_window.document().setActiveVariant(static_cast<int>(i));
      const QString name = QString::fromStdString(experiment.variants[i].name);
      await("the trace of " + name, [&] { return !m_window.shownRun().reads(name); });
      of_variants[name] = panes();
    }
    return of_variants;
  }

  bool complete() const { return m_complete; }

 private:
  void await(const QString& what, const std::function<bool()>& happened) {
    if (QTest::qWaitFor(happened, kLimit)) return;
    std::fprintf(stderr, "%s was not shown: %s\n", qPrintable(what), qPrintable(m_window.messages().sentence()));
    m_complete = false;
  }

  TimelineView& timeline() const { return *m_window.findChild<TimelineView*>("timeline"); }

  QJsonArray panes() {
    QJsonArray all;
    for (auto* const dock : m_window.findChildren<QDockWidget*>()) {
      dock->raise();
      settle(dock->objectName());
      addTexts(dock->objectName(), *dock->widget(), all);
    }
    addTexts("centre", *m_window.centralWidget(), all);
    addTexts("statusBar", *m_window.statusBar(), all);
    addDetails(all);
    addWhatIf(all);
    return all;
  }

  /// What a pane reads or predicts off the window's thread.
  void settle(const QString& dock) {
    if (dock == "idleDock") {
      const auto& idle = *m_window.findChild<IdleTable*>();
      await("idle times", [&] { return idle.isCurrent(); });
    }
    if (dock == "idleDock" && m_window.shownRun().record() && timeline().trace())
      await("a suggestion", [&] { return !m_window.findChild<QLabel*>("suggestionSentence")->text().isEmpty(); });
    if (dock == "statisticsDock") {
      const auto& statistics = *m_window.findChild<StatisticsPane*>();
      await("statistics", [&] { return statistics.isCurrent(); });
    }
    if (dock == "runsDock")
      await("the list of runs", [&] { return m_window.findChild<QTableView*>("runs")->model()->rowCount() > 0; });
    const auto& memory = *m_window.findChild<MemoryPane*>("memoryPane");
    const auto* const headline = m_window.findChild<QLabel*>("memoryHeadline");
    if (dock == "memoryDock")
      await("the curve", [&] { return memory.isCurrent() || !headline->text().startsWith("Predicting"); });
    QApplication::processEvents();
  }

  /// Of the first span of each kind of action and of each transfer.
  void addDetails(QJsonArray& all) {
    if (!timeline().trace()) return;
    auto* const pane = m_window.findChild<QDockWidget*>("detailsDock");
    pane->raise();
    const TimelineData data(timeline().trace());
    QStringList seen;
    for (std::size_t row = 0; row < data.rows().size(); ++row) {
      for (std::size_t i = 0; i < data.rows()[row].spans.size(); ++i) {
        const Span& span = data.span({row, i});
        const QString kind = QStringLiteral("%1 %2 %3 %4")
                                 .arg(static_cast<int>(span.category))
                                 .arg(static_cast<int>(span.phase))
                                 .arg(span.stage)
                                 .arg(row);
        if (span.category != Category::Action || seen.contains(kind)) continue;
        seen << kind;
        timeline().moves().goTo(SpanRef{row, i});
        QApplication::processEvents();
        addTexts("details of " + QString::fromStdString(data.trace().nameOf(span)) +
                     QStringLiteral(" at %1").arg(span.start - data.trace().range().start),
                 *pane->widget(), all);
      }
    }
  }

  void addWhatIf(QJsonArray& all) {
    if (!m_window.action("whatIf")->isEnabled()) return;
    m_window.action("whatIf")->trigger();
    await("What If", [&] { return m_window.findChild<WhatIfDialog*>() != nullptr; });
    auto* const dialog = m_window.findChild<WhatIfDialog*>();
    auto* const result = dialog->findChild<QLabel*>("whatIfResult");
    await("the measured step", [&] { return !result->text().endsWith("..."); });
    addTexts("whatIf", *dialog, all);
    const QString before = result->text();
    dialog->setFactor(0.5);
    await("an answer", [&] { return result->text() != before; });
    addTexts("whatIf of half of the first stage", *dialog, all);
    dialog->reject();
    QApplication::sendPostedEvents(nullptr, QEvent::DeferredDelete);
  }

  QJsonObject comparison(const QStringList& folders) {
    Q_EMIT m_window.findChild<RunsList*>()->compareRequested(folders);
    const auto dialog = [&] { return m_window.findChild<QDialog*>("runsComparison"); };
    await("the comparison", [&] { return dialog() != nullptr; });
    QJsonArray all;
    if (dialog()) addTexts("runsComparison", *dialog(), all);
    auto* const compare = m_window.findChild<QDockWidget*>("compareDock");
    compare->raise();
    QApplication::processEvents();
    addTexts("compareDock", *compare->widget(), all);
    if (dialog()) dialog()->reject();
    QApplication::sendPostedEvents(nullptr, QEvent::DeferredDelete);
    return {{"", all}};
  }

  MainWindow& m_window;
  bool m_complete = true;
};

}  // namespace
}  // namespace lanelab

int main(int argc, char** argv) {
  const lanelab::test::GuiApplication app(argc, argv);
  const QStringList words = QApplication::arguments();
  if (words.size() < 3) {
    std::fprintf(stderr, "pane_texts RUNS PATH...\n");
    return 2;
  }
  lanelab::MainWindow window({lanelab::makeFakeExecutor(), lanelab::runFolders(words[1].toStdString()), {}, {}});
  window.resize(1440, 900);
  window.show();
  lanelab::Reader reader(window);
  QJsonObject all;
  for (const QString& path : words.mid(2)) all[path] = reader.texts(path);
  std::puts(QJsonDocument(all).toJson(QJsonDocument::Compact).constData());
  return reader.complete() ? 0 : 1;
}
