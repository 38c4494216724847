// SPDX-License-Identifier: GPL-3.0-only
// The window's frame: panes by key, small and scaled screens, the strip of messages.
#include <gtest/gtest.h>

#include <QApplication>
#include <QComboBox>
#include <QDockWidget>
#include <QEvent>
#include <QLineEdit>
#include <QMouseEvent>
#include <QPaintEvent>
#include <QScreen>
#include <QScrollArea>
#include <QScrollBar>
#include <QSettings>
#include <QStyleOption>
#include <QTabBar>
#include <QTableView>
#include <functional>
#include <optional>
#include <vector>

#include "tests/gui/window/window_world.h"
#include "ui/history/runs_model.h"
#include "ui/look/message_strip.h"
#include "ui/window/pane_layout.h"
#include "ui/window/window_settings.h"

namespace lanelab {
namespace {

using test::waitFor;
using test::WindowWorld;

bool inFront(const QDockWidget& pane) { return pane.isVisible() && !pane.visibleRegion().isEmpty(); }

bool hasKeyboard(const QDockWidget& pane) {
  return QApplication::focusWidget() && pane.isAncestorOf(QApplication::focusWidget());
}

TEST(Panes, KeyOfAPaneBehindAnotherTabRaisesItAndGivesItTheKeyboard) {
  WindowWorld w;
  auto* idle = w.find<QDockWidget>("idleDock");
  ASSERT_FALSE(inFront(*idle)) << "behind Stages";
  QTest::keyClick(w.window.get(), Qt::Key_8, Qt::ControlModifier);
  EXPECT_TRUE(waitFor([&] { return inFront(*idle); }));
  EXPECT_TRUE(waitFor([&] { return hasKeyboard(*idle); }));
}

TEST(Panes, KeyOfAPaneClosesItOnlyWhenItHasTheKeyboard) {
  WindowWorld w;
  auto* stages = w.find<QDockWidget>("stagesDock");
  ASSERT_TRUE(waitFor([&] { return inFront(*stages); }));
  QTest::keyClick(w.window.get(), Qt::Key_3, Qt::ControlModifier);
  EXPECT_TRUE(waitFor([&] { return inFront(*stages) && hasKeyboard(*stages); })) << "it was in front without it";
  EXPECT_TRUE(w.find<QAction>("show-stagesDock")->isChecked());
  QTest::keyClick(w.window.get(), Qt::Key_3, Qt::ControlModifier);
  EXPECT_TRUE(waitFor([&] { return !stages->isVisible(); }));
  EXPECT_FALSE(w.find<QAction>("show-stagesDock")->isChecked());
  QTest::keyClick(w.window.get(), Qt::Key_3, Qt::ControlModifier);
  EXPECT_TRUE(waitFor([&] { return inFront(*stages) && hasKeyboard(*stages); })) << "and it comes back";
}

/// The mark of a pane's tab; nothing without a tab.
std::optional<bool> isMarked(const WindowWorld& w, const QDockWidget& pane) {
  for (const QTabBar* bar : w.window->findChildren<QTabBar*>(QString(), Qt::FindDirectChildrenOnly))
    for (int tab = 0; tab < bar->count(); ++tab)
      if (bar->tabText(tab) == pane.windowTitle()) return !bar->tabIcon(tab).isNull();
  return std::nullopt;
}

TEST(Panes, ARunRaisesNoTabButMarksWhereItsResultIs) {
  WindowWorld w;
  auto *schedule = w.find<QDockWidget>("scheduleDock"), *compare = w.find<QDockWidget>("compareDock");
  schedule->raise();
  ASSERT_TRUE(waitFor([&] { return inFront(*schedule) && isMarked(w, *compare) == false; }));
  ASSERT_TRUE(w.runToTheEnd());
  EXPECT_TRUE(waitFor([&] { return isMarked(w, *compare) == true; }));
  EXPECT_TRUE(inFront(*schedule)) << "the tab that the user chose";
  compare->raise();
  EXPECT_TRUE(waitFor([&] { return isMarked(w, *compare) == false; })) << "it was looked at";
}

TEST(Panes, OneIsDetachedAndDockedByKeysAlone) {
  WindowWorld w;
  const auto press = [](Qt::Key key, Qt::KeyboardModifiers modifiers) {
    QTest::keyClick(QApplication::activeWindow(), key, modifiers);
  };
  const struct {
    const char* name;
    Qt::Key key;
  } panes[] = {{"runsDock", Qt::Key_1}, {"experimentDock", Qt::Key_2}, {"idleDock", Qt::Key_8}};
  for (const auto& [name, key] : panes) {
    auto* const pane = w.find<QDockWidget>(name);
    const Qt::DockWidgetArea area = w.window->dockWidgetArea(pane);
    press(key, Qt::ControlModifier);
    ASSERT_TRUE(waitFor([&] { return hasKeyboard(*pane); })) << name;
    press(Qt::Key_F11, Qt::ControlModifier | Qt::ShiftModifier);
    EXPECT_TRUE(waitFor([&] { return pane->isFloating() && pane->isWindow() && hasKeyboard(*pane); })) << name;
    EXPECT_GE(pane->height(), 320) << name;
    press(Qt::Key_F6, {});
    EXPECT_TRUE(waitFor([&] { return !hasKeyboard(*pane); })) << name << ": the next pane is in the window";
    press(key, Qt::ControlModifier);
    EXPECT_TRUE(waitFor([&] { return hasKeyboard(*pane); })) << name;
    press(Qt::Key_F11, Qt::ControlModifier | Qt::ShiftModifier);
    EXPECT_TRUE(waitFor([&] { return !pane->isFloating() && inFront(*pane) && hasKeyboard(*pane); })) << name;
    EXPECT_EQ(w.window->dockWidgetArea(pane), area) << name;
  }
}

TEST(Panes, DetachedOnesReturnAsTheyWereLeft) {
  WindowSettings().setLayout({}, {}, {});
  {
    WindowWorld w;
    auto* const loss = w.find<QDockWidget>("lossDock");
    PaneLayout::goTo(*loss);
    ASSERT_TRUE(waitFor([&] { return hasKeyboard(*loss); }));
    w.find<QAction>("detachPane")->trigger();
    ASSERT_TRUE(loss->isFloating());
    w.window->close();
  }
  WindowWorld again;
  auto* const loss = again.find<QDockWidget>("lossDock");
  EXPECT_TRUE(loss->isFloating());
  again.find<QAction>("resetLayout")->trigger();
  EXPECT_TRUE(waitFor([&] { return !loss->isFloating(); }));
  again.window->close();
  WindowSettings().setLayout({}, {}, {});
}

TEST(Panes, OneIsShownAloneAndAllAgain) {
  WindowWorld w;
  auto *stages = w.find<QDockWidget>("stagesDock"), *runs = w.find<QDockWidget>("runsDock");
  auto *board = w.find<QWidget>("board"), *timeline = w.find<QWidget>("timeline");
  QAction* const alone = w.find<QAction>("maximisePane");
  ASSERT_TRUE(waitFor([&] { return inFront(*stages); }));
  const auto to_form = [&] { QTest::keyClick(w.window.get(), Qt::Key_2, Qt::ControlModifier); };
  const struct {
    std::function<void()> go;
    QWidget* seen;
    std::vector<QWidget*> hidden;
  } cases[] = {{[&] { timeline->setFocus(); }, timeline, {board, stages, runs}},
               {[&] { board->setFocus(); }, board, {timeline, stages, runs}},
               {to_form, w.find<QDockWidget>("experimentDock"), {board, timeline, stages}}};
  for (const auto& [go, seen, hidden] : cases) {
    go();
    ASSERT_TRUE(waitFor([&] {
      const QWidget* const focus = QApplication::focusWidget();
      return focus && (focus == seen || seen->isAncestorOf(focus));
    }));
    alone->trigger();
    EXPECT_TRUE(alone->isChecked());
    EXPECT_TRUE(waitFor([&] { return seen->isVisible(); }));
    for (const QWidget* part : hidden) EXPECT_FALSE(part->isVisible()) << part->objectName().toStdString();
    alone->trigger();
    EXPECT_FALSE(alone->isChecked());
    for (const QWidget* part : hidden)
      EXPECT_TRUE(waitFor([&] { return part->isVisible(); })) << part->objectName().toStdString();
  }
}

/// What of the window can be seen and used lies within its frame: nothing is pushed out at the right or below.
void expectNothingCut(const MainWindow& window) {
  for (const char* name : {"board", "timeline", "mainToolBar", "experimentDock", "variantTabs"}) {
    const auto* part = window.findChild<QWidget*>(name);
    ASSERT_NE(part, nullptr) << name;
    if (!part->isVisible()) continue;
    const auto place = [&] { return QRect(part->mapTo(&window, QPoint(0, 0)), part->size()); };
    EXPECT_TRUE(waitFor([&] { return window.rect().contains(place()); }, 2000))
        << name << " at " << place().right() << ", " << place().bottom() << " of " << window.width() << "x"
        << window.height();
  }
}

TEST(Panes, NothingIsCutInTheWindowOfASmallOrScaledScreen) {
  WindowWorld w;
  for (const QSize size : {QSize(1280, 690), QSize(853, 450), QSize(640, 340)}) {  // 1280x720 at 100, 150 and 200 %
    w.window->resize(size);
    ASSERT_TRUE(waitFor([&] { return w.window->size() == size; })) << "it can be made so small";
    auto* form = w.find<QScrollArea>("experimentScroll");
    w.find<QDockWidget>("experimentDock")->raise();
    EXPECT_TRUE(waitFor([&] { return inFront(*w.find<QDockWidget>("experimentDock")); }));
    EXPECT_TRUE(waitFor([&] { return form->widget()->width() <= form->viewport()->width(); }))
        << "no scrolling sideways";
    expectNothingCut(*w.window);
    EXPECT_TRUE(waitFor([&] { return w.find<QAbstractScrollArea>("board")->viewport()->width() >= 100; }))
        << "there is room for blocks";
  }
}

TEST(Panes, TheFirstLayoutShowsTheFiguresOfARunAndTheWholeBoard) {
  WindowSettings().setLayout({}, {}, {});
  QSettings(QSettings::IniFormat, QSettings::UserScope, "lanelab", "lanelab").remove("runs");
  WindowWorld w;
  ASSERT_TRUE(w.runToTheEnd());
  Experiment deep = test::smallExperiment();
  deep.model.arch = "resnet50";
  for (VariantConfig& variant : deep.variants) variant.cuts.reset();
  w.window->openExperiment(deep, {});
  auto* runs = w.find<QTableView>("runs");
  ASSERT_TRUE(waitFor([&] { return runs->isVisible(); }));
  for (const QSize size : {QSize(1440, 900), QSize(1280, 720)}) {
    w.window->resize(size);
    for (const RunColumn column : {RunColumn::Name, RunColumn::SpeedUp, RunColumn::Model}) {
      const int at = RunsModel::columnOf(column);
      EXPECT_TRUE(waitFor([&] {
        return runs->columnViewportPosition(at) + runs->columnWidth(at) <= runs->viewport()->width();
      })) << toWord(column)
          << " at " << size.width() << " ends at " << runs->columnViewportPosition(at) + runs->columnWidth(at) << " of "
          << runs->viewport()->width() << " dock " << w.find<QDockWidget>("runsDock")->width() << " "
          << w.find<QDockWidget>("experimentDock")->width() << " w " << w.window->width() << " board "
          << w.find<QAbstractScrollArea>("board")->width() << " min "
          << w.find<QAbstractScrollArea>("board")->minimumSizeHint().width();
    }
    EXPECT_TRUE(waitFor([&] { return w.find<QAbstractScrollArea>("board")->horizontalScrollBar()->maximum() == 0; }))
        << "the board scrolls by " << w.find<QAbstractScrollArea>("board")->horizontalScrollBar()->maximum() << " at "
        << size.width();
  }
}

TEST(Panes, ASmallWindowHasThemAsTabsOfOneSideAndAGrownOneWhereTheyWere) {
  WindowWorld w;
  auto* runs = w.find<QDockWidget>("runsDock");
  ASSERT_TRUE(waitFor([&] { return w.window->dockWidgetArea(runs) == Qt::LeftDockWidgetArea; }));
  w.window->resize(700, 400);
  EXPECT_TRUE(waitFor([&] { return w.window->dockWidgetArea(runs) == Qt::RightDockWidgetArea; }));
  w.window->resize(1440, 900);
  EXPECT_TRUE(waitFor([&] { return w.window->dockWidgetArea(runs) == Qt::LeftDockWidgetArea; }));
}

TEST(Panes, WhatWasChosenInASmallWindowIsInFrontOfAGrownOne) {
  WindowSettings().setLayout({}, {}, {});
  WindowWorld w;
  auto *stages = w.find<QDockWidget>("stagesDock"), *compare = w.find<QDockWidget>("compareDock");
  w.window->resize(1280, 720);
  ASSERT_TRUE(waitFor([&] { return inFront(*stages); }));
  const int timeline = w.find<QWidget>("timeline")->height();
  w.window->resize(640, 400);
  ASSERT_TRUE(waitFor([&] { return w.window->dockWidgetArea(stages) == Qt::RightDockWidgetArea; }));
  PaneLayout::goTo(*compare);
  ASSERT_TRUE(waitFor([&] { return inFront(*compare); }));
  w.window->resize(1280, 720);
  EXPECT_TRUE(waitFor([&] { return w.window->dockWidgetArea(compare) == Qt::BottomDockWidgetArea; }));
  EXPECT_TRUE(waitFor([&] { return inFront(*compare) && !inFront(*stages); }));
  EXPECT_TRUE(waitFor([&] { return w.find<QWidget>("timeline")->height() == timeline; }));
}

TEST(Panes, RunsHasItsWidthAgainAfterTheWindowWasNarrow) {
  WindowSettings().setLayout({}, {}, {});
  WindowWorld w;
  auto* runs = w.find<QDockWidget>("runsDock");
  w.window->resize(1440, 900);
  ASSERT_TRUE(waitFor([&] { return w.window->size() == QSize(1440, 900) && runs->width() > 200; }));
  w.window->resizeDocks({runs}, {330}, Qt::Horizontal);
  ASSERT_TRUE(waitFor([&] { return runs->width() == 330; }));
  auto* form = w.find<QDockWidget>("experimentDock");
  const int form_width = form->width();
  for (const QSize narrow : {QSize(640, 400), QSize(1110, 700), QSize(700, 400)}) {
    w.window->resize(narrow);
    ASSERT_TRUE(waitFor([&] { return w.window->size() == narrow; }));
    QTest::qWait(1);  // the panes move after the window
    w.window->resize(1440, 900);
    EXPECT_TRUE(waitFor([&] {
      return w.window->dockWidgetArea(runs) == Qt::LeftDockWidgetArea && runs->width() == 330 &&
             form->width() == form_width;
    })) << runs->width()
        << ", " << form->width() << " after " << narrow.width();
  }
}

TEST(Panes, TheFormShowsItsChoicesWholeAtItsFirstWidth) {
  WindowSettings().setLayout({}, {}, {});
  WindowWorld w;
  for (const QSize size : {QSize(1440, 900), QSize(1280, 720)}) {
    w.window->resize(size);
    const auto* const form = w.find<QDockWidget>("experimentDock");
    ASSERT_TRUE(waitFor([&] { return w.window->size() == size && form->width() >= 320; })) << form->width();
    for (const char* name : {"trainingLoss", "trainingBatchNorm", "dataSource"}) {
      const auto* const box = qobject_cast<QComboBox*>(w.find<QWidget>(name)->focusProxy());
      ASSERT_NE(box, nullptr) << name;
      QStyleOptionComboBox option;
      option.initFrom(box);
      const int room =
          box->style()->subControlRect(QStyle::CC_ComboBox, &option, QStyle::SC_ComboBoxEditField, box).width();
      EXPECT_GE(room, box->fontMetrics().horizontalAdvance(box->currentText())) << name << " at " << size.width();
    }
    for (const char* name : {"modelWeights", "dataEpochs"}) {
      const auto* const line = qobject_cast<QLineEdit*>(w.find<QWidget>(name)->focusProxy());
      ASSERT_NE(line, nullptr) << name;
      EXPECT_GE(line->width(), line->fontMetrics().horizontalAdvance(line->placeholderText()))
          << name << " at " << size.width();
    }
  }
}

/// The user drags the line at this pane's left edge by `pixels`.
void dragLeftEdge(const WindowWorld& w, const QDockWidget& pane, int pixels) {
  const QPoint edge = pane.geometry().topLeft() + QPoint(-2, pane.height() / 2);
  const auto send = [&](QEvent::Type type, QPoint at) {
    const auto button = type == QEvent::MouseMove ? Qt::NoButton : Qt::LeftButton;
    const auto held = type == QEvent::MouseButtonRelease ? Qt::NoButton : Qt::LeftButton;
    QMouseEvent event(type, at, w.window->mapToGlobal(at), button, held, Qt::NoModifier);
    QApplication::sendEvent(w.window.get(), &event);
    QCoreApplication::processEvents();  // the line moves with the next turn
  };
  send(QEvent::MouseButtonPress, edge);
  send(QEvent::MouseMove, edge + QPoint(pixels, 0));
  send(QEvent::MouseButtonRelease, edge + QPoint(pixels, 0));
}

TEST(Panes, APaneThatTheUserMadeNarrowerStaysSo) {
  WindowSettings().setLayout({}, {}, {});
  WindowWorld w;
  auto* const form = w.find<QDockWidget>("experimentDock");
  w.window->resize(1110, 700);
  const int before = form->width();
  ASSERT_TRUE(waitFor([&] { return w.window->width() == 1110; }));
  dragLeftEdge(w, *form, 4);
  ASSERT_TRUE(waitFor([&] { return form->width() < before; }, 2000));
  const int chosen = form->width();
  w.window->resize(1440, 900);
  ASSERT_TRUE(waitFor([&] { return w.window->width() == 1440; }));
  EXPECT_EQ(form->width(), chosen);
}

TEST(Panes, TheFirstWindowFitsTheScreen) {
  WindowSettings().setLayout({}, {}, {});
  WindowWorld w;
  MainWindow second(
      MainWindow::Setup{w.executor, {w.place.filePath("other").toStdString(), {}, false}, {}, {}, {}, {}});
  const QSize screen = second.screen()->availableSize();
  EXPECT_LE(second.width(), screen.width());
  EXPECT_LE(second.height(), screen.height());
}

TEST(Panes, ANameIsShownOnceByItsTabOrItsTitleBar) {
  WindowWorld w;
  auto* loss = w.find<QDockWidget>("lossDock");
  EXPECT_TRUE(waitFor([&] { return loss->titleBarWidget() != nullptr; })) << "its tab names it";
  EXPECT_TRUE(waitFor([&] { return w.find<QDockWidget>("runsDock")->titleBarWidget() == nullptr; })) << "no tab";
  loss->setFloating(true);
  EXPECT_TRUE(waitFor([&] { return loss->titleBarWidget() == nullptr; })) << "nor has this one now";
}

/// Collects what of a widget is painted again.
class PaintedParts : public QObject {
 public:
  QRegion painted;

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override {
    if (event->type() == QEvent::Paint) painted += static_cast<QPaintEvent*>(event)->region();
    return QObject::eventFilter(watched, event);
  }
};

TEST(MessageStrip, AGraverMessageIsPaintedOverAllOfTheStrip) {
  WindowWorld w;
  auto& strip = w.window->messages();
  strip.say(MessageStrip::Kind::Information, "one");
  ASSERT_TRUE(waitFor([&] { return strip.isVisible(); }));
  QTest::qWait(1);
  PaintedParts parts;
  strip.installEventFilter(&parts);
  strip.say(MessageStrip::Kind::Error, "two");
  EXPECT_TRUE(waitFor([&] { return parts.painted.contains(strip.rect()); }, 2000)) << "else it has two colours";
  EXPECT_EQ(parts.painted.boundingRect(), strip.rect());
}

}  // namespace
}  // namespace lanelab
