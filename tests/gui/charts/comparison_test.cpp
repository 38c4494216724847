// SPDX-License-Identifier: GPL-3.0-only
// The comparison as a person sees it: the sentence, the whiskers, the table and the exported picture say the same.
#include <gtest/gtest.h>

#include <QAbstractAxis>
#include <QApplication>
#include <QComboBox>
#include <QGraphicsTextItem>
#include <QHeaderView>
#include <QLabel>
#include <QPainter>
#include <QTableWidget>
#include <QTest>
#include <algorithm>
#include <cmath>

#include "base/text.h"
#include "tests/gui/charts/tiny_records.h"
#include "ui/charts/chart_canvas.h"
#include "ui/charts/comparison_rows.h"
#include "ui/charts/comparison_view.h"
#include "ui/export/picture.h"
#include "ui/look/theme.h"

namespace lanelab {
namespace {

using test::shared;
using test::twoVariants;
using test::variantOf;

QStringList rowOf(const QTableWidget& table, int row) {
  QStringList cells;
  for (int column = 0; column < table.columnCount(); ++column) cells.append(table.item(row, column)->text());
  return cells;
}

TEST(Comparison, SaysBeforeAnyRunWhatWillStandThere) {
  ComparisonView view;
  view.show();
  auto* empty = view.findChild<QLabel*>("comparisonEmpty");
  ASSERT_NE(empty, nullptr);
  EXPECT_TRUE(empty->isVisible());
  EXPECT_TRUE(empty->text().contains("Run"));
  EXPECT_TRUE(view.csv().empty());
}

/// A run of so many variants, in a pane as low as a small window has it.
RunRecord manyVariants(int count) {
  RunRecord record = twoVariants();
  for (int i = 2; i < count; ++i) {
    const std::string name = "Variant " + std::to_string(i);
    record.variants.push_back(variantOf(name, {1.2, 1.3, 1.25, 1.28, 1.22}));
    record.experiment.variants.emplace_back().name = name;
  }
  const Status status = refreshStatistics(record);
  EXPECT_TRUE(status.ok());
  return record;
}

TEST(Comparison, InALowPaneNamesOfManyVariantsDoNotOverlap) {
  for (const int count : {2, 4, 10, 17}) {
    ComparisonView view;
    view.resize(720, 190);
    view.show();
    view.setRuns({shared(manyVariants(count))});
    QApplication::processEvents();
    const auto* const canvas = view.findChild<ChartCanvas*>("comparisonChart");
    const QFontMetricsF metrics(pixelFont(look::smallFont()));
    EXPECT_GE(canvas->chart()->plotArea().height(), count * metrics.ascent()) << count << " variants";
  }
}

TEST(Comparison, AtNoHeightTheAxisHasDotsForLabels) {
  for (const int count : {2, 4, 7}) {
    ComparisonView view;
    view.setRuns({shared(manyVariants(count))});
    view.show();
    for (int height = 130; height <= 330; height += 4) {
      view.resize(720, height);
      QApplication::processEvents();
      for (QGraphicsItem* const item : view.findChild<ChartCanvas*>("comparisonChart")->scene()->items()) {
        const auto* const text = qgraphicsitem_cast<QGraphicsTextItem*>(item);
        if (!text || !text->isVisible()) continue;
        EXPECT_FALSE(text->toPlainText().contains("...")) << count << " variants, " << height << " high";
      }
    }
    const auto* const canvas = view.findChild<ChartCanvas*>("comparisonChart");
    EXPECT_TRUE(canvas->chart()->axes(Qt::Horizontal).front()->labelsVisible()) << "there is room at last";
  }
}

TEST(Comparison, TableHoldsTheNumbersOfTheRecord) {
  const auto record = twoVariants();
  ComparisonView view;
  view.setRuns({shared(record)});
  const auto* table = view.findChild<QTableWidget*>("comparisonTable");
  ASSERT_EQ(table->rowCount(), 2);
  const QStringList single = rowOf(*table, 0);
  EXPECT_EQ(single[0], "Single");
  EXPECT_EQ(single[1], "5");
  EXPECT_EQ(single[2].toDouble(), 2.0);
  EXPECT_EQ(single[6], "baseline");
  const QStringList pipeline = rowOf(*table, 1);
  EXPECT_NEAR(pipeline[2].toDouble(), record.variants[1].summary.mean, 0.01);
  EXPECT_TRUE(pipeline[6].startsWith("1.7") && pipeline[6].contains("x (1.")) << pipeline[6].toStdString();
  EXPECT_EQ(table->horizontalHeaderItem(6)->text(), "Speed-up vs Single (95 % CI)");
  EXPECT_TRUE(table->item(0, 2)->textAlignment() & Qt::AlignRight);
}

TEST(Comparison, HeadlineNamesRatioIntervalAndCount) {
  const auto rows = comparisonRows(twoVariants(), Spread::Ci95);
  for (const char* part : {"Pipeline is 1.7", "x faster than Single", "95 % CI", "5 repeats each"})
    EXPECT_TRUE(rows.headline.contains(part)) << part << " in " << rows.headline.toStdString();
  EXPECT_TRUE(rows.clear_difference);
}

TEST(Comparison, EqualVariantsShowNoClearDifference) {
  auto record = twoVariants();
  record.variants[1] = variantOf("Pipeline", {2.01, 1.99, 2.02, 1.98, 2.00});
  ASSERT_TRUE(refreshStatistics(record).ok());
  const auto rows = comparisonRows(record, Spread::Ci95);
  EXPECT_FALSE(rows.clear_difference);
  EXPECT_FALSE(rows.headline.contains("faster")) << rows.headline.toStdString();
}

TEST(Comparison, WhiskerIsTheIntervalOrOneStandardDeviation) {
  const auto rows = comparisonRows(twoVariants(), Spread::Ci95);
  const auto& single = rows.rows[0];
  const auto ci = whiskerOf(single, Spread::Ci95);
  const auto std = whiskerOf(single, Spread::Std);
  ASSERT_TRUE(ci && std && single.summary.ci95);
  EXPECT_DOUBLE_EQ(ci->low, single.summary.ci95->low);
  EXPECT_DOUBLE_EQ(std->high, single.summary.mean + single.summary.std);
}

TEST(Comparison, BelowFiveRepeatsThereIsNoWhisker) {
  auto record = twoVariants();
  for (auto& variant : record.variants) variant.repeats.resize(4);
  ASSERT_TRUE(refreshStatistics(record).ok());
  const auto rows = comparisonRows(record, Spread::Std);
  EXPECT_FALSE(whiskerOf(rows.rows[0], Spread::Std));
  EXPECT_TRUE(rows.headline.contains("Too few repeats")) << rows.headline.toStdString();
  EXPECT_TRUE(rows.caption.contains("too few repeats")) << rows.caption.toStdString();
}

TEST(Comparison, CaptionSaysWhichSpreadAndHowMany) {
  ComparisonView view;
  view.setRuns({shared(twoVariants())});
  const auto* caption = view.findChild<QLabel*>("comparisonCaption");
  EXPECT_TRUE(caption->text().contains("95 % confidence interval"));
  EXPECT_TRUE(caption->text().contains("n = 5"));
  auto* choice = view.findChild<QComboBox*>("spreadChoice");
  choice->setFocus();
  QTest::keyClick(choice, Qt::Key_Down);
  EXPECT_TRUE(caption->text().contains("standard deviation")) << caption->text().toStdString();
  EXPECT_TRUE(view.picture().caption.contains("standard deviation"));
}

TEST(Comparison, SeveralRunsStandSideBySideAgainstOneBaseline) {
  auto other = twoVariants();
  other.id = "tiny-2";
  ComparisonView view;
  view.setRuns({shared(twoVariants()), shared(other)});
  const auto* table = view.findChild<QTableWidget*>("comparisonTable");
  ASSERT_EQ(table->rowCount(), 4);
  EXPECT_EQ(table->item(0, 0)->text(), "tiny-1/Single");
  EXPECT_EQ(table->item(2, 0)->text(), "tiny-2/Single");
  EXPECT_EQ(table->item(0, 6)->text(), "baseline");
  EXPECT_NE(table->item(2, 6)->text(), "baseline");
  const std::string csv = view.csv();
  EXPECT_NE(csv.find("tiny-2/Pipeline,"), std::string::npos) << csv;
}

TEST(Comparison, RunsOfAnotherModelAreRefusedAndWhatDiffersIsNamed) {
  auto other = twoVariants();
  other.id = "tiny-2";
  other.experiment.model.arch = "resnet18";
  ComparisonView view;
  view.show();
  view.setRuns({shared(twoVariants()), shared(other)});
  const auto* empty = view.findChild<QLabel*>("comparisonEmpty");
  EXPECT_TRUE(empty->isVisible());
  EXPECT_TRUE(empty->text().contains("cannot be compared: model ")) << empty->text().toStdString();
  EXPECT_TRUE(empty->text().contains("resnet18"));
  EXPECT_TRUE(view.csv().empty());
  EXPECT_TRUE(view.picture().size.isEmpty());
}

TEST(Comparison, RunsOfUnlikeBatchesAreComparedByThroughput) {
  auto other = twoVariants();
  other.id = "tiny-2";
  other.experiment.data.batch = 32;  // twice the images in the same time
  ASSERT_TRUE(refreshStatistics(other).ok());
  const CombinedRuns both = combined({shared(twoVariants()), shared(other)}, {});
  ASSERT_TRUE(both.record);
  const auto rows = comparisonRows(both, Spread::Ci95);
  EXPECT_EQ(rows.measure, Measure::SamplesPerSecond);
  EXPECT_NEAR(rows.rows[0].summary.mean, 16, 0.1);
  EXPECT_NEAR(rows.rows[2].summary.mean, 32, 0.2);
  EXPECT_NEAR(rows.rows[2].ratio.ratio, 2, 1e-9);
  EXPECT_TRUE(rows.caption.contains("batch 16 and 32")) << rows.caption.toStdString();
  EXPECT_FALSE(rows.caption.contains("batch 16;")) << "not true for half the bars";
  EXPECT_TRUE(rows.headline.endsWith(", per image).")) << rows.headline.toStdString();
  EXPECT_TRUE(comparisonTableHeader(rows)[2].contains("images/s"));
}

TEST(Comparison, OfNetworksOfTokensSaysSamplesAndTokens) {
  RunRecord record = twoVariants();
  record.unit = {64};
  const auto rows = comparisonRows(record, Spread::Ci95);
  const QStringList header = comparisonTableHeader(rows), cells = comparisonTableCells(rows.rows[0], rows.measure);
  ASSERT_EQ(header.size(), cells.size());
  const auto at = header.indexOf("Samples/s");
  ASSERT_GT(at, 0) << header.join(", ").toStdString();
  EXPECT_EQ(header[at + 1], "Tokens/s");
  EXPECT_EQ(cells[at + 1], QString::fromStdString(formatFigures(64 * record.variants[0].samples_per_second)));
  EXPECT_TRUE(comparisonTip(rows.rows[0], Spread::Ci95, rows.measure).contains(" samples/s, "));
  EXPECT_EQ(unitOf(Measure::SamplesPerSecond, rows.unit), "samples/s");
}

TEST(Comparison, HasAnAccuracyWhereTheEpochsOfAnyVariantHaveOne) {
  RunRecord record = twoVariants();
  const auto column = [&](std::size_t row) {
    const auto rows = comparisonRows(record, Spread::Ci95);
    const qsizetype at = comparisonTableHeader(rows).indexOf("Accuracy");
    return at < 0 ? QString() : comparisonTableCells(rows.rows[row], rows.measure)[at];
  };
  EXPECT_EQ(column(0), QString());
  for (RepeatRecord& repeat : record.variants[0].repeats) repeat.epochs = {{.loss = 1, .accuracy = 0.625}};
  EXPECT_EQ(column(0), "62.5 %");
  EXPECT_EQ(column(1), "-");
}

TEST(Comparison, RunsHaveShortNamesAndThoseOfEqualWorkLieNextToEachOther) {
  auto first = twoVariants(), second = twoVariants(), third = twoVariants();
  first.started = "2026-11-22T21:47:12Z", second.started = "2026-11-22T21:50:00Z",
  third.started = "2026-11-22T22:00:00Z";
  second.experiment.data.batch = 32;
  ASSERT_TRUE(refreshStatistics(second).ok());
  const auto rows = comparisonRows(combined({shared(first), shared(second), shared(third)}, {}), Spread::Ci95);
  ASSERT_EQ(rows.rows.size(), 6U);
  EXPECT_EQ(rows.rows[0].label, "tiny 11-22 21:47:12/Single");
  EXPECT_EQ(rows.rows[2].label, "tiny 11-22 22:00:00/Single") << "of the same batch";
  second.experiment.name = "large", second.experiment.data.batch = 16;
  EXPECT_EQ(comparisonRows(combined({shared(first), shared(second)}, {}), Spread::Ci95).rows[2].label, "large/Single");
}

/// Contrast ratio of WCAG 2.
double contrast(const QColor& a, const QColor& b) {
  const auto luminance = [](const QColor& color) {
    const auto linear = [](double c) { return c <= 0.04045 ? c / 12.92 : std::pow((c + 0.055) / 1.055, 2.4); };
    return 0.2126 * linear(color.redF()) + 0.7152 * linear(color.greenF()) + 0.0722 * linear(color.blueF());
  };
  const auto [low, high] = std::minmax(luminance(a), luminance(b));
  return (high + 0.05) / (low + 0.05);
}

TEST(Comparison, TheMainResultIsReadableInBothThemesAlsoWithoutAClearDifference) {
  auto record = twoVariants();
  record.variants[1] = variantOf("Pipeline", {2.01, 1.99, 2.02, 1.98, 2.00});
  ASSERT_TRUE(refreshStatistics(record).ok());
  for (const look::Scheme scheme : {look::Scheme::Light, look::Scheme::Dark}) {
    look::apply(*qApp, scheme);
    ComparisonView view;
    view.setRuns({shared(record)});
    auto* headline = view.findChild<QLabel*>("comparisonHeadline");
    headline->ensurePolished();
    const QColor ink = headline->palette().color(headline->isEnabled() ? QPalette::Active : QPalette::Disabled,
                                                 headline->foregroundRole());
    EXPECT_GE(contrast(ink, headline->palette().color(QPalette::Window)), 4.5);
  }
  look::apply(*qApp, look::Scheme::Light);
}

TEST(Comparison, AnotherBaselineChangesTheRatios) {
  ComparisonView view;
  view.setRuns({shared(twoVariants())});
  auto* table = view.findChild<QTableWidget*>("comparisonTable");
  table->setCurrentCell(1, 0);
  table->actions().at(1)->trigger();
  EXPECT_EQ(table->item(1, 6)->text(), "baseline");
  EXPECT_TRUE(table->item(0, 6)->text().startsWith("1.73x slower")) << table->item(0, 6)->text().toStdString();
}

TEST(Comparison, VariantWithoutRepeatsIsNamedAndHasNoBar) {
  auto record = twoVariants();
  record.status = RunStatus::Failed;
  record.variants[1].repeats.clear();
  ASSERT_TRUE(refreshStatistics(record).ok());
  ComparisonView view;
  view.setRuns({shared(record)});
  const auto* table = view.findChild<QTableWidget*>("comparisonTable");
  EXPECT_EQ(table->item(1, 6)->text(), "not measured");
  EXPECT_TRUE(view.picture().caption.contains("failed")) << view.picture().caption.toStdString();
}

/// How many pixels of a band [top, bottom) of the picture have the fill of a variant's bar.
int barPixels(const QImage& image, int variant, double top, double bottom) {
  const auto& palette = look::printPalette();
  QColor fill = palette.series(variant);
  fill.setAlphaF(0.75F);
  QImage one(1, 1, QImage::Format_ARGB32);
  one.fill(palette.surface);
  QPainter(&one).fillRect(one.rect(), fill);
  int count = 0;
  for (int y = static_cast<int>(top * image.height()); y < static_cast<int>(bottom * image.height()); ++y)
    for (int x = 0; x < image.width(); ++x) count += image.pixel(x, y) == one.pixel(0, 0);
  return count;
}

TEST(Comparison, BaselineWithoutRepeatsLeavesTheOthersWithoutARatio) {
  auto record = twoVariants();
  record.variants[0].repeats.clear();
  ASSERT_TRUE(refreshStatistics(record).ok());
  const auto rows = comparisonRows(record, Spread::Ci95);
  EXPECT_EQ(comparisonTableCells(rows.rows[1], rows.measure).last(), "nothing to compare with");
}

TEST(Comparison, TimesOfNothingLeaveNoRatioAndNoSpeed) {
  auto record = twoVariants();
  for (RepeatRecord& repeat : record.variants[0].repeats) repeat.seconds = 0;
  record.variants[1].repeats[3].seconds = 0;
  ASSERT_TRUE(refreshStatistics(record).ok());
  for (const bool all : {false, true}) {
    if (all) std::ranges::for_each(record.variants[1].repeats, [](RepeatRecord& repeat) { repeat.seconds = 0; });
    ASSERT_TRUE(refreshStatistics(record).ok());
    const auto rows = comparisonRows(record, Spread::Ci95);
    EXPECT_EQ(comparisonTableCells(rows.rows[1], rows.measure).last(), "no ratio: a repeat took 0 s");
    const QStringList cells = comparisonTableCells(rows.rows[0], rows.measure);
    EXPECT_EQ(cells[cells.size() - 2], "-") << cells.join('|').toStdString();
    for (const auto& row : rows.rows) {
      const QString tip = comparisonTip(row, Spread::Ci95, rows.measure);
      EXPECT_FALSE(tip.contains("nan") || tip.contains("inf")) << tip.toStdString();
    }
    EXPECT_FALSE(render(comparisonPicture(record, Spread::Ci95), look::printPalette()).isNull());
  }
}

TEST(Comparison, PictureDrawsTheVariantsFromTheTopAndLongerBarsForLongerTimes) {
  const Picture picture = comparisonPicture(twoVariants(), Spread::Ci95);
  QImage image(picture.size.toSize(), QImage::Format_ARGB32);
  image.fill(Qt::white);
  QPainter painter(&image);
  picture.paint(painter, QRectF(QPointF(0, 0), picture.size), look::printPalette());
  painter.end();
  const int single = barPixels(image, 0, 0, 1);
  const int pipeline = barPixels(image, 1, 0, 1);
  ASSERT_GT(pipeline, 500);
  EXPECT_NEAR(static_cast<double>(pipeline) / single, 1.162 / 2.0, 0.1);
  EXPECT_GT(barPixels(image, 0, 0, 0.4), 0.9 * single);
  EXPECT_EQ(barPixels(image, 1, 0, 0.3), 0);
}

TEST(Comparison, IntervalsOfTheAxisAreRound) {
  EXPECT_DOUBLE_EQ(niceInterval(2.5, 6), 0.5);
  EXPECT_DOUBLE_EQ(niceInterval(60, 6), 10);
  EXPECT_DOUBLE_EQ(niceInterval(0.0007, 5), 0.0002);
  EXPECT_DOUBLE_EQ(niceInterval(0, 5), 1);
}

/// Milliseconds until a layout that is never right counts as wrong.
constexpr int kLongestWait = 5000;

int widthShown(const QTableWidget& table) {
  int width = 0;
  for (int column = 0; column < table.columnCount(); ++column)
    width += table.isColumnHidden(column) ? 0 : table.columnWidth(column);
  return width;
}

TEST(Comparison, TableFitsItsPaneInsteadOfScrollingSideways) {
  ComparisonView view;
  view.setRuns({shared(twoVariants())});
  for (const QSize size : {QSize(760, 200), QSize(1100, 240), QSize(1700, 300), QSize(420, 700)}) {
    view.resize(size);
    view.show();
    QCoreApplication::processEvents();
    const auto* table = view.findChild<QTableWidget*>("comparisonTable");
    EXPECT_TRUE(QTest::qWaitFor([&] { return widthShown(*table) <= table->viewport()->width(); }, kLongestWait))
        << widthShown(*table) << " pixels of columns in " << table->viewport()->width() << " at " << size.width();
    for (const int kept : {0, 2, 4, 6}) EXPECT_FALSE(table->isColumnHidden(kept)) << kept << " of " << size.width();
  }
}

TEST(Comparison, LongNamesAreElidedAndNumbersNever) {
  RunRecord record = twoVariants();
  for (VariantRecord& variant : record.variants)
    variant.name = "experiment-with-a-long-name-of-the-22nd/" + variant.name;
  for (std::size_t i = 0; i < record.variants.size(); ++i) record.experiment.variants[i].name = record.variants[i].name;
  ASSERT_TRUE(refreshStatistics(record).ok());
  ComparisonView view;
  view.setRuns({shared(record)});
  view.resize(820, 300);
  view.show();
  const auto* table = view.findChild<QTableWidget*>("comparisonTable");
  const auto widthOf = [&](int row, int column) {
    const QTableWidgetItem& cell = *table->item(row, column);
    return QFontMetrics(cell.font()).horizontalAdvance(cell.text());
  };
  ASSERT_TRUE(QTest::qWaitFor([&] { return table->columnWidth(0) < widthOf(0, 0); }, kLongestWait)) << "it is elided";
  for (int row = 0; row < table->rowCount(); ++row) {
    for (int column = 1; column < table->columnCount(); ++column) {
      if (table->isColumnHidden(column)) continue;
      EXPECT_LT(widthOf(row, column), table->columnWidth(column)) << column;
    }
  }
  EXPECT_LE(widthShown(*table), table->viewport()->width());
  EXPECT_TRUE(table->item(1, 0)->toolTip().startsWith(record.variants[1].name.c_str()));
  const QTableWidgetItem& title = *table->horizontalHeaderItem(6);
  EXPECT_TRUE(title.toolTip().contains(record.baseline.c_str())) << "the tip has it whole";
  EXPECT_TRUE(title.text().contains(QChar(0x2026)));
  EXPECT_LT(table->horizontalHeader()->fontMetrics().horizontalAdvance(title.text()), table->columnWidth(6));
}

QStringList labelsShown(const ChartCanvas& canvas) {
  QStringList labels;
  for (const auto* item : canvas.scene()->items())
    if (const auto* text = qgraphicsitem_cast<const QGraphicsTextItem*>(item); text && text->isVisible())
      labels << text->toPlainText();
  return labels;
}

TEST(Comparison, NoAxisLabelIsCutInASmallChart) {
  ComparisonView view;
  view.setRuns({shared(twoVariants())});
  view.resize(760, 200);
  view.show();
  QCoreApplication::processEvents();
  const auto* canvas = view.findChild<ChartCanvas*>("comparisonChart");
  const auto allWhole = [&] {
    const QStringList labels = labelsShown(*canvas);
    return labels.size() >= 2 && labels.filter("...").isEmpty();
  };
  EXPECT_TRUE(QTest::qWaitFor(allWhole, kLongestWait)) << labelsShown(*canvas).join(" | ").toStdString();
}

TEST(Comparison, WhiskerBelowZeroIsCutAndSaysSo) {
  auto record = twoVariants();
  record.variants[1] = variantOf("Pipeline", {0.1, 0.1, 0.1, 0.1, 5.0});
  ASSERT_TRUE(refreshStatistics(record).ok());
  const auto rows = comparisonRows(record, Spread::Ci95);
  ASSERT_LT(rows.rows[1].summary.ci95->low, 0);
  EXPECT_TRUE(comparisonTip(rows.rows[1], Spread::Ci95, rows.measure).contains("cut at 0"));
  EXPECT_FALSE(comparisonTip(rows.rows[0], Spread::Ci95, rows.measure).contains("cut at 0"));
  EXPECT_TRUE(rows.caption.contains("(cut at 0)")) << rows.caption.toStdString();
}

}  // namespace
}  // namespace lanelab
