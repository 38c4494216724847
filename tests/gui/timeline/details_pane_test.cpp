// SPDX-License-Identifier: GPL-3.0-only
#include <gtest/gtest.h>

#include <QApplication>
#include <QClipboard>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QLabel>
#include <QPushButton>
#include <QSignalSpy>
#include <QTest>
#include <QTreeWidget>

#include "tests/gui/timeline/shown_view.h"
#include "ui/timeline/details/details_pane.h"
#include "ui/timeline/layout/ticks.h"

namespace lanelab {
namespace {

/// A timeline with the pane beside it, as the window joins them.
class DetailsPaneTest : public ::testing::Test {
 protected:
  void SetUp() override {
    QObject::connect(&view(), &TimelineView::currentChanged, &pane, [this] { pane.setDetails(view().spanDetails()); });
    QObject::connect(&pane, &DetailsPane::spanRequested, &view(), [this](SpanRef span) { view().moves().goTo(span); });
    pane.resize(900, 220);
    pane.show();
  }

  TimelineView& view() { return shown.view; }
  /// The first action of that name.
  SpanRef action(const std::string& name) {
    const TimelineData data(view().trace());
    for (std::size_t row = 0; row < data.rows().size(); ++row)
      for (std::size_t i = 0; data.rows()[row].kind == Track::Kind::Compute && i < data.rows()[row].spans.size(); ++i)
        if (data.trace().nameOf(data.span({row, i})) == name) return {row, i};
    ADD_FAILURE() << "no action " << name;
    return {};
  }
  QTreeWidget* tree(const char* name) { return pane.findChild<QTreeWidget*>(QLatin1String(name)); }
  QString figure(const QString& name) {
    const auto found = tree("detailFigures")->findItems(name, Qt::MatchExactly);
    return found.isEmpty() ? QString() : found.front()->text(1);
  }
  QStringList contextLines() {
    QStringList lines;
    for (QTreeWidgetItemIterator item(tree("detailContext")); *item; ++item)
      lines << (*item)->text(0) + QLatin1Char('|') + (*item)->text(1);
    return lines;
  }
  QTreeWidgetItem* link(const QString& begin) {
    for (QTreeWidgetItemIterator item(tree("detailContext")); *item; ++item)
      if ((*item)->text(1).startsWith(begin)) return *item;
    return nullptr;
  }

  testworld::ShownView shown;
  DetailsPane pane;
};

TEST_F(DetailsPaneTest, WithoutASpanItSaysHowToGetOne) {
  auto* const empty = pane.findChild<QLabel*>(QStringLiteral("detailsEmpty"));
  EXPECT_TRUE(empty->isVisible());
  EXPECT_TRUE(empty->text().contains(QStringLiteral("Click a span"))) << empty->text().toStdString();
  EXPECT_FALSE(pane.findChild<QPushButton*>(QStringLiteral("copyDetails"))->isVisible());
}

TEST_F(DetailsPaneTest, AClickedSpanIsDescribedAndStaysWhileThePointerMoves) {
  view().moves().goTo(action("1F2"));
  EXPECT_EQ(pane.details()->title, QStringLiteral("Forward, micro-batch 2"));
  EXPECT_EQ(figure(QStringLiteral("Lane")), QStringLiteral("lane 1 (cpu:1)"));
  const Span span = pane.details()->span;
  EXPECT_EQ(figure(QStringLiteral("Duration")), durationText(span.range().length()));
  EXPECT_FALSE(figure(QStringLiteral("Start")).isEmpty());
  EXPECT_FALSE(figure(QStringLiteral("Start in step")).isEmpty());
  QTest::mouseMove(&view(), QPoint(600, 100));
  QTest::mouseMove(&view(), QPoint(700, 120));
  EXPECT_EQ(pane.details()->span, span);
  QTest::keyClick(&view(), Qt::Key_Escape);
  EXPECT_FALSE(pane.details());
}

TEST_F(DetailsPaneTest, IdleTimeBeforeASpanIsDividedAmongItsCauses) {
  view().moves().goTo(action("1F0"));
  const auto& idle = pane.details()->idle;
  ASSERT_TRUE(idle);
  EXPECT_EQ(idle->length, idle->causes.total()) << "each nanosecond has a cause";
  const QStringList lines = contextLines();
  EXPECT_TRUE(lines.contains(QStringLiteral("Idle before|") + durationText(idle->length)))
      << lines.join('\n').toStdString();
  EXPECT_FALSE(lines.filter(QStringLiteral("fill|")).isEmpty()) << lines.join('\n').toStdString();
}

TEST_F(DetailsPaneTest, ALinkSelectsWhatTheSpanWaitedFor) {
  view().moves().goTo(action("1F2"));
  QTreeWidgetItem* const sender = link(QStringLiteral("Forward, micro-batch 2 on lane 0"));
  ASSERT_NE(sender, nullptr) << contextLines().join('\n').toStdString();
  QTest::mouseClick(tree("detailContext")->viewport(), Qt::LeftButton, {},
                    tree("detailContext")->visualItemRect(sender).center());
  ASSERT_TRUE(pane.details());
  EXPECT_EQ(pane.details()->lane, QStringLiteral("lane 0"));
  EXPECT_EQ(pane.details()->span.micro_batch, 2);
  QTreeWidgetItem* const taker = link(QStringLiteral("Forward, micro-batch 2 on lane 1"));
  ASSERT_NE(taker, nullptr) << contextLines().join('\n').toStdString();
  tree("detailContext")->setCurrentItem(taker);
  QTest::keyClick(tree("detailContext"), Qt::Key_Return);
  EXPECT_EQ(pane.details()->lane, QStringLiteral("lane 1")) << "by the keyboard, to what waits for it";
}

TEST_F(DetailsPaneTest, WhileThePaneIsSeenNoBoxCoversTheTimeline) {
  view().activateWindow();
  ASSERT_TRUE(QTest::qWaitForWindowActive(&view()));
  view().moves().goTo(action("1F2"));
  QApplication::processEvents();
  const QImage with_box = view().grab().toImage();
  view().setShowFacts(false);
  QApplication::processEvents();
  const QImage without = view().grab().toImage();
  EXPECT_NE(without, with_box);
  view().setShowFacts(true);
  QApplication::processEvents();
  EXPECT_EQ(view().grab().toImage(), with_box);
}

TEST_F(DetailsPaneTest, CopyGivesTextAndJson) {
  view().moves().goTo(action("1F2"));
  QTest::mouseClick(pane.findChild<QPushButton*>(QStringLiteral("copyDetails")), Qt::LeftButton);
  const QStringList lines = QApplication::clipboard()->text().split(QLatin1Char('\n'));
  EXPECT_EQ(lines.front(), QStringLiteral("Forward, micro-batch 2"));
  EXPECT_TRUE(lines.contains(QStringLiteral("Name: 1F2"))) << lines.join('\n').toStdString();
  QTest::mouseClick(pane.findChild<QPushButton*>(QStringLiteral("copyDetailsJson")), Qt::LeftButton);
  const QJsonObject json = QJsonDocument::fromJson(QApplication::clipboard()->text().toUtf8()).object();
  EXPECT_EQ(json["name"].toString(), QStringLiteral("1F2"));
  EXPECT_DOUBLE_EQ(json["duration_us"].toDouble(), static_cast<double>(pane.details()->span.range().length()) * 1e-3);
  EXPECT_FALSE(json["waited_for"].toArray().isEmpty());
}

TEST_F(DetailsPaneTest, TheShareOfCpuTimeIsShownAlsoWhenItIsWhole) {
  TraceBuilder builder("one", {{"", "cpu:0"}});
  Span span = testworld::named(builder, "0F0", Category::Action, Phase::Forward, {0, 10 * testworld::kMs}, 0, 0, 0);
  span.cpu = 10 * testworld::kMs;
  builder.append(builder.addTrack(0, Track::Kind::Compute, "compute"), span);
  view().setTrace(builder.snapshot());
  view().moves().goTo(SpanRef{0, 0});
  EXPECT_TRUE(figure(QStringLiteral("CPU")).startsWith(QStringLiteral("100 %"))) << figure("CPU").toStdString();
}

}  // namespace
}  // namespace lanelab
