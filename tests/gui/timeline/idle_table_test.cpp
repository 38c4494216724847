// SPDX-License-Identifier: GPL-3.0-only
#include <gtest/gtest.h>

#include <QApplication>
#include <QClipboard>
#include <QLabel>
#include <QPushButton>
#include <QSignalSpy>
#include <QStyledItemDelegate>
#include <QTableWidget>
#include <QTest>

#include "base/text.h"
#include "profiler/analysis/idle_causes.h"
#include "profiler/analysis/idle_waterfall.h"
#include "profiler/io/tables/gap_tables.h"
#include "tests/gui/timeline/timeline_world.h"
#include "ui/look/brief_label.h"
#include "ui/timeline/idle/idle_table.h"
#include "ui/timeline/idle/suggestion_strip.h"
#include "ui/timeline/model/timeline_texts.h"

namespace lanelab {
namespace {

class IdleTableTest : public ::testing::Test {
 protected:
  void SetUp() override {
    table.resize(600, 400);
    table.show();
    table.setTrace(trace);
  }
  QTableWidget* lanes() { return table.findChild<QTableWidget*>(QStringLiteral("idleLanes")); }
  QTableWidget* gaps() { return table.findChild<QTableWidget*>(QStringLiteral("idleGaps")); }
  static double number(QTableWidget* widget, int row, int column) {
    return widget->item(row, column)->text().toDouble();
  }

  std::shared_ptr<const Trace> trace = testworld::pipelineTrace();
  IdleTable table;
};

TEST_F(IdleTableTest, BusyAndIdleMakeTheWindow) {
  const std::vector<LaneCauses> idle = explainIdle(*trace).lanes;
  ASSERT_EQ(lanes()->rowCount(), 2);
  for (int row = 0; row < 2; ++row) {
    EXPECT_NEAR(number(lanes(), row, 1), static_cast<double>(idle[static_cast<std::size_t>(row)].window) * 1e-6, 1e-3);
    EXPECT_NEAR(number(lanes(), row, 2) + number(lanes(), row, 3), number(lanes(), row, 1), 2e-3);
    EXPECT_NEAR(number(lanes(), row, 4), 100 * number(lanes(), row, 2) / number(lanes(), row, 1), 0.06);
  }
}

TEST_F(IdleTableTest, GapsComeLongestFirst) {
  ASSERT_GT(gaps()->rowCount(), 5);
  for (int row = 1; row < gaps()->rowCount(); ++row) EXPECT_GE(number(gaps(), row - 1, 4), number(gaps(), row, 4));
}

TEST_F(IdleTableTest, EveryGapNamesTheNextActionWithItsStage) {
  const IdleCauses causes = explainIdle(*trace);
  const std::vector<GapPlace> longest = longestGaps(causes);
  for (int row = 0; row < gaps()->rowCount(); ++row) {
    const std::string_view id = beforeText(*trace, *longest[static_cast<std::size_t>(row)].gap);
    const QString text = gaps()->item(row, 1)->text();
    if (id == "end")
      EXPECT_EQ(text, "end of step");
    else
      EXPECT_TRUE(text.endsWith(QString(" (stage %1)").arg(id.front()))) << text.toStdString();
  }
  EXPECT_EQ(actionText("12B34"), "B34 (stage 12)");
  EXPECT_EQ(actionText("0U"), "U (stage 0)");
  for (const char* other : {"aten::addmm", "F1", "1F2x", "end"}) EXPECT_EQ(actionText(other), other);
}

TEST_F(IdleTableTest, EveryGapAndLaneSaysWhy) {
  const IdleCauses causes = explainIdle(*trace);
  const std::vector<GapPlace> longest = longestGaps(causes);
  ASSERT_EQ(static_cast<std::size_t>(gaps()->rowCount()), longest.size());
  for (int row = 0; row < gaps()->rowCount(); ++row) {
    const GapPlace& place = longest[static_cast<std::size_t>(row)];
    const QString largest = causeText(place.lane->causesOf(*place.gap).largest());
    EXPECT_TRUE(gaps()->item(row, 6)->text().startsWith(largest))
        << row << ": " << gaps()->item(row, 6)->text().toStdString();
  }
  for (int row = 0; row < lanes()->rowCount(); ++row) {
    const QString largest = causeText(causes.lanes[static_cast<std::size_t>(row)].causes.largest());
    EXPECT_TRUE(lanes()->item(row, 5)->text().startsWith(largest)) << lanes()->item(row, 5)->text().toStdString();
  }
  const QString note = table.findChild<QLabel*>(QStringLiteral("idleNote"))->text();
  EXPECT_TRUE(note.contains(QStringLiteral(" of the time; largest cause: "))) << note.toStdString();
}

TEST_F(IdleTableTest, FiguresOverTheTablesAreThoseOfTheAnalysis) {
  const IdleCauses causes = explainIdle(*trace);
  const auto textOf = [&](const char* name) { return table.findChild<QLabel*>(QLatin1String(name))->text(); };
  const BubbleShares bubble = bubbleShares(causes);
  ASSERT_GT(bubble.of_total, 0);
  EXPECT_EQ(textOf("bubbleFigure"), QStringLiteral("Bubble: %1 % of total, %2 % of ideal")
                                        .arg(100 * bubble.of_total, 0, 'f', 1)
                                        .arg(100 * bubble.of_ideal, 0, 'f', 1));
  EXPECT_EQ(textOf("utilisationFigure"), QStringLiteral("Utilization: %1 %").arg(100 * utilisation(causes), 0, 'f', 1));
  EXPECT_EQ(laneRows(causes).back().back(),
            QStringLiteral("%1 %").arg(100 * utilisation(causes), 0, 'f', 1).toStdString())
      << "as the tables say";
  EXPECT_TRUE(textOf("pathFigure").startsWith(QStringLiteral("Critical path: "))) << textOf("pathFigure").toStdString();
  for (const char* name : {"bubbleFigure", "utilisationFigure", "pathFigure"})
    EXPECT_FALSE(table.findChild<QLabel*>(QLatin1String(name))->toolTip().isEmpty()) << name;
  EXPECT_FALSE(table.findChild<QLabel*>(QStringLiteral("recordingFigure"))->isVisibleTo(&table))
      << "not known of this trace";
}

TEST_F(IdleTableTest, TheWaterfallHasTheFiguresOfGaps) {
  const auto* const label = table.findChild<QLabel*>(QStringLiteral("waterfallFigure"));
  const std::vector<WaterfallStep> waterfall = idleWaterfall(*trace, explainIdle(*trace));
  ASSERT_GT(waterfallRows(waterfall).size(), 2U);
  for (const WaterfallStep& step : tellingSteps(waterfall))
    EXPECT_TRUE(label->text().contains(QString::fromStdString(toWord(step.takes) + " " + formatPercent(step.of_total))))
        << label->text().toStdString();
  for (const std::vector<std::string>& row : waterfallRows(waterfall))
    EXPECT_TRUE(label->toolTip().contains(QString::fromStdString(row[0]))) << label->toolTip().toStdString();
  table.setRange(TimeRange{trace->range().start, trace->range().start + trace->range().length() / 2});
  ASSERT_TRUE(QTest::qWaitFor([&] { return label->text().isEmpty(); }, 5000)) << "it is of the whole trace";
}

TEST_F(IdleTableTest, DoubtsAreOverTheFigures) {
  const auto* const doubt = table.findChild<QLabel*>(QStringLiteral("idleDoubt"));
  EXPECT_EQ(doubt->text(), "");
  struct Case {
    double share;
    Extent extent;
    const char* text;
  };
  for (const Case& each : {Case{0.5, Extent::Whole, "had a core for only 50.0 %"}, Case{0.9, Extent::Whole, ""},
                           Case{1, Extent::WarmUp, "This is a warm-up, which is not counted"},
                           Case{1, Extent::Unfinished, "This repeat did not end, so it is not counted."}}) {
    auto other = std::make_shared<Trace>(*trace);
    other->origin = Origin::Measured;
    other->extent = each.extent;
    for (Track& track : other->tracks) {
      std::vector<Span> spans(track.spans.begin(), track.spans.end());
      for (Span& span : spans)
        if (span.category == Category::Action)
          span.cpu = static_cast<Nanoseconds>(each.share * static_cast<double>(span.range().length()));
      track.spans = spans;
    }
    table.setTrace(other);
    const QString text = QLatin1String(each.text);
    EXPECT_TRUE(
        QTest::qWaitFor([&] { return text.isEmpty() ? doubt->text().isEmpty() : doubt->text().contains(text); }, 5000))
        << each.text << " but " << doubt->text().toStdString();
  }
}

TEST_F(IdleTableTest, FiguresWithoutRoomGoOnInTheNextRow) {
  const auto placeOf = [&](const char* name) { return table.findChild<QLabel*>(QLatin1String(name))->geometry(); };
  table.strip().setRecordingCost(QStringLiteral("Recording: 0.4 % of a step"), {});
  table.show();
  table.resize(1400, 400);
  ASSERT_TRUE(QTest::qWaitFor([&] { return placeOf("recordingFigure").top() == placeOf("bubbleFigure").top(); }, 5000));
  EXPECT_LT(table.strip().minimumSizeHint().width(), 400);
  table.resize(400, 400);
  ASSERT_TRUE(
      QTest::qWaitFor([&] { return placeOf("recordingFigure").top() > placeOf("bubbleFigure").bottom(); }, 5000));
  for (const char* name : {"bubbleFigure", "utilisationFigure", "pathFigure", "recordingFigure"})
    EXPECT_TRUE(table.strip().rect().contains(placeOf(name))) << name;
}

TEST_F(IdleTableTest, ASuggestionIsShownAndRunByItsButton) {
  SuggestionStrip& strip = table.strip();
  auto* button = table.findChild<QPushButton*>(QStringLiteral("suggestionRun"));
  EXPECT_FALSE(button->isVisibleTo(&table));
  auto* const sizes = strip.findChild<QPushButton*>("suggestionSizes");
  EXPECT_TRUE(sizes->isHidden());
  strip.offerSizes(true);
  EXPECT_FALSE(sizes->isHidden());
  strip.setSweepsShownRun(false);
  EXPECT_TRUE(sizes->isHidden()) << "it would sweep another experiment";
  strip.setSuggestion(QStringLiteral("Move layer3.0 to cpu:0: predicted 11 % faster."), {}, true);
  EXPECT_EQ(table.findChild<QLabel*>(QStringLiteral("suggestionSentence"))->text(),
            QStringLiteral("Move layer3.0 to cpu:0: predicted 11 % faster."));
  QSignalSpy runs(&strip, &SuggestionStrip::runRequested);
  QTest::mouseClick(button, Qt::LeftButton);
  EXPECT_EQ(runs.count(), 1);
  strip.setReadOnly(true);
  EXPECT_FALSE(button->isEnabled());
  strip.setSuggestion(QStringLiteral("No change that was tried would be faster."), {}, false);
  EXPECT_FALSE(button->isVisibleTo(&table));
}

TEST_F(IdleTableTest, LongSentencesEndInAnEllipsisAndATip) {
  SuggestionStrip& strip = table.strip();
  table.resize(720, 232);
  const auto* const sentence = table.findChild<look::BriefLabel*>(QStringLiteral("suggestionSentence"));
  const auto* const outcome = table.findChild<look::BriefLabel*>(QStringLiteral("suggestionOutcome"));
  const QString brief = QStringLiteral("Move layer3.0 to cpu:0: predicted 11 % faster (90 % range 6 to 16 %).");
  for (const int times : {1, 3, 8}) {
    const QString text = (brief + QLatin1Char(' ')).repeated(times).trimmed();
    strip.setSuggestion(text, QStringLiteral("Other changes."), true);
    strip.setOutcome(text);
    QApplication::processEvents();
    for (const look::BriefLabel* label : {sentence, outcome}) {
      const QStringList lines = label->shownLines();
      EXPECT_LE(lines.size(), 2) << text.toStdString();
      EXPECT_GE(label->height(), lines.size() * label->fontMetrics().height() - 1) << "no line is cut";
      EXPECT_TRUE(lines.back().endsWith(QChar(0x2026)) || lines.join(QLatin1Char(' ')) == text)
          << lines.back().toStdString();
      EXPECT_TRUE(label->toolTip().startsWith(text)) << label->toolTip().toStdString();
      EXPECT_EQ(label->text(), text) << "what is read aloud is whole";
    }
    EXPECT_TRUE(sentence->toolTip().endsWith(QStringLiteral("Other changes.")));
  }
  EXPECT_TRUE(sentence->shownLines().back().endsWith(QChar(0x2026)));
}

TEST_F(IdleTableTest, InALowPaneItScrollsAndCutsNoLine) {
  SuggestionStrip& strip = table.strip();
  strip.setDoubt(QStringLiteral("cpu:0 had a core for only 60 % of its compute time."), {});
  strip.setSuggestion(QStringLiteral("Move layer3.0 to cpu:0."), {}, true);
  strip.setWaterfall(QStringLiteral("Idle: order 20.0 %, phases 19.7 %, stages 18.9 %, delays 19.0 %"), {});
  const auto* const run = table.findChild<QWidget*>(QStringLiteral("suggestionRun"));
  const auto* const waterfall = table.findChild<QWidget*>(QStringLiteral("waterfallFigure"));
  for (const QSize size : {QSize(720, 400), QSize(720, 232), QSize(720, 150), QSize(500, 232)}) {
    table.resize(size);
    for (const char* const outcome : {"", "Pipeline (suggested): no clear gain over Pipeline predicted (4.2 %)."}) {
      strip.setOutcome(QString::fromLatin1(outcome));
      QApplication::processEvents();
      const std::string what = std::to_string(size.width()) + 'x' + std::to_string(size.height()) + ' ' + outcome;
      EXPECT_TRUE(strip.rect().contains(waterfall->geometry())) << what;
      EXPECT_GE(run->height(), run->sizeHint().height()) << what;
      EXPECT_GE(gaps()->height(), gaps()->minimumHeight()) << what;
    }
  }
}

TEST_F(IdleTableTest, AdvisesNothingThatWasTriedInVain) {
  const auto* const note = table.findChild<QLabel*>(QStringLiteral("idleNote"));
  const QString advised = note->text();
  table.strip().setSuggestion(QStringLiteral("No change that was tried would be faster."), {}, false);
  EXPECT_TRUE(note->text().endsWith(QStringLiteral("of the idle time)."))) << note->text().toStdString();
  table.strip().setSuggestion(QStringLiteral("Move layer3.0 to cpu:0."), {}, true);
  EXPECT_EQ(note->text(), advised);
}

TEST_F(IdleTableTest, TimesHaveFourDigitsAtMost) {
  for (const QTableWidget* of : {lanes(), gaps()})
    for (int row = 0; row < of->rowCount(); ++row)
      for (const int column : {of == lanes() ? 1 : 3, of == lanes() ? 2 : 4}) {
        QString digits = of->item(row, column)->text();
        EXPECT_LE(digits.remove('.').size(), 4) << of->item(row, column)->text().toStdString();
      }
}

TEST_F(IdleTableTest, NumbersStandRightAndHeadersHaveUnits) {
  EXPECT_TRUE(lanes()->item(0, 2)->textAlignment() & Qt::AlignRight);
  EXPECT_EQ(lanes()->horizontalHeaderItem(2)->text(), QStringLiteral("Busy (ms)"));
  EXPECT_EQ(gaps()->horizontalHeaderItem(4)->text(), QStringLiteral("Length (ms)"));
}

TEST_F(IdleTableTest, AClickAndEnterAskToJumpToTheGap) {
  QSignalSpy jumps(&table, &IdleTable::jumpRequested);
  QTest::mouseClick(gaps()->viewport(), Qt::LeftButton, Qt::NoModifier,
                    gaps()->visualItemRect(gaps()->item(0, 0)).center());
  ASSERT_EQ(jumps.count(), 1);
  const auto first = jumps.at(0).at(1).value<TimeRange>();
  EXPECT_NEAR(static_cast<double>(first.length()) * 1e-6, number(gaps(), 0, 4), 0.05);
  gaps()->setCurrentCell(2, 0);
  QTest::keyClick(gaps(), Qt::Key_Return);
  ASSERT_EQ(jumps.count(), 2);
  EXPECT_NEAR(static_cast<double>(jumps.at(1).at(1).value<TimeRange>().length()) * 1e-6, number(gaps(), 2, 4), 0.05);
}

TEST_F(IdleTableTest, CopyTakesTheSelectedRowsWithTheirHeader) {
  lanes()->selectRow(1);
  QTest::keyClick(lanes(), Qt::Key_C, Qt::ControlModifier);
  const QStringList lines = QApplication::clipboard()->text().split(QLatin1Char('\n'));
  ASSERT_EQ(lines.size(), 2);
  EXPECT_TRUE(lines[0].startsWith(QStringLiteral("Lane\tStep windows (ms)")));
  EXPECT_TRUE(lines[1].startsWith(QStringLiteral("lane 1\t")));
}

TEST_F(IdleTableTest, WithoutATraceItSaysWhatWillBeHere) {
  IdleTable empty;
  empty.show();
  EXPECT_FALSE(empty.findChild<QTableWidget*>(QStringLiteral("idleGaps"))->isVisible());
  EXPECT_TRUE(empty.findChild<QLabel*>(QStringLiteral("idleNote"))->text().contains(QStringLiteral("after a run")));
}

TEST_F(IdleTableTest, ASelectedRangeDrivesTablesAndFiguresUntilItIsCleared) {
  auto* const name = table.findChild<QLabel*>(QStringLiteral("idleRange"));
  EXPECT_FALSE(name->isVisible());
  const double whole = number(lanes(), 0, 1);
  const int all_gaps = gaps()->rowCount();
  const auto figures = [&] {
    return table.findChild<QLabel*>(QStringLiteral("utilisationFigure"))->text() +
           table.findChild<QLabel*>(QStringLiteral("pathFigure"))->text();
  };
  const QString figures_of_all = figures();
  const Nanoseconds zero = trace->range().start;
  table.setRange(TimeRange{zero + 20 * testworld::kMs, zero + 45 * testworld::kMs});
  ASSERT_TRUE(QTest::qWaitFor([&] { return name->isVisible(); }, 5000));
  EXPECT_EQ(name->text(), QStringLiteral("Selected range 20.0 ms to 45.0 ms"));
  EXPECT_DOUBLE_EQ(number(lanes(), 0, 1), 25) << "the window is the range";
  EXPECT_LT(gaps()->rowCount(), all_gaps);
  for (int row = 0; row < gaps()->rowCount(); ++row) {
    EXPECT_GE(number(gaps(), row, 3), 20);
    EXPECT_LE(number(gaps(), row, 3) + number(gaps(), row, 4), 45.02) << "each is rounded";
  }
  EXPECT_NE(figures(), figures_of_all);
  const QSignalSpy clears(&table, &IdleTable::rangeClearRequested);
  QTest::mouseClick(table.findChild<QPushButton*>(QStringLiteral("clearRange")), Qt::LeftButton);
  EXPECT_EQ(clears.count(), 1);
  table.setRange({});
  ASSERT_TRUE(QTest::qWaitFor([&] { return !name->isVisible(); }, 5000));
  EXPECT_DOUBLE_EQ(number(lanes(), 0, 1), whole);
  EXPECT_EQ(gaps()->rowCount(), all_gaps);
  EXPECT_EQ(figures(), figures_of_all);
}

/// Counts how often a cell is measured.
class CountingDelegate : public QStyledItemDelegate {
 public:
  using QStyledItemDelegate::QStyledItemDelegate;
  QSize sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const override {
    ++measured;
    return QStyledItemDelegate::sizeHint(option, index);
  }
  mutable int measured = 0;
};

TEST_F(IdleTableTest, AnItemDoesNotMeasureAllRowsAgain) {
  auto* const delegate = new CountingDelegate(gaps());
  gaps()->setItemDelegate(delegate);
  table.setTrace(testworld::pipelineTrace({.lanes = 3, .steps = 10}));
  ASSERT_TRUE(QTest::qWaitFor([this] { return lanes()->rowCount() == 3; }, 5000));
  const int cells = gaps()->rowCount() * gaps()->columnCount();
  ASSERT_GT(gaps()->rowCount(), 50);
  EXPECT_GT(delegate->measured, 0);
  EXPECT_LE(delegate->measured, 10 * cells) << cells << " cells";
}

TEST_F(IdleTableTest, AGrowingTraceIsShownALittleLater) {
  table.setTrace(testworld::pipelineTrace({.lanes = 3}));
  EXPECT_EQ(lanes()->rowCount(), 2) << "not filled anew many times a second";
  EXPECT_TRUE(QTest::qWaitFor([this] { return lanes()->rowCount() == 3; }, 5000));
}

}  // namespace
}  // namespace lanelab
