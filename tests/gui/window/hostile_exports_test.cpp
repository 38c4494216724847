// SPDX-License-Identifier: GPL-3.0-only
// Names that somebody chose to break files: each drawing is well-formed SVG that only draws, and the report has no tag
// more than usual.
#include <gtest/gtest.h>

#include <QFile>
#include <QPainter>
#include <QRegularExpression>
#include <QXmlStreamReader>
#include <set>

#include "engine/run/runner.h"
#include "tests/gui/window/hostile_names.h"
#include "tests/gui/window/measured_run.h"
#include "tests/gui/window/window_world.h"
#include "ui/charts/comparison_view.h"
#include "ui/charts/cuts_picture.h"
#include "ui/charts/sweep_view.h"
#include "ui/device_map/map_picture.h"
#include "ui/export/picture.h"
#include "ui/report/report_files.h"
#include "ui/timeline/view/timeline_picture.h"

namespace lanelab {
namespace {

const std::set<QString> kDrawing = {"svg",    "title",   "desc",     "defs",           "g",
                                    "text",   "path",    "polyline", "polygon",        "rect",
                                    "circle", "ellipse", "line",     "linearGradient", "radialGradient",
                                    "stop",   "pattern", "clipPath", "mask",           "use"};

void expectOnlyDraws(const QString& svg, const std::string& what) {
  ASSERT_FALSE(svg.isEmpty()) << what;
  QXmlStreamReader xml(svg);
  while (!xml.atEnd()) {
    if (xml.readNext() != QXmlStreamReader::StartElement) continue;
    EXPECT_TRUE(kDrawing.contains(xml.name().toString())) << what << ": " << xml.name().toString().toStdString();
    for (const auto& attribute : xml.attributes()) {
      EXPECT_FALSE(attribute.name().startsWith(QLatin1String("on"))) << what;
      EXPECT_TRUE(attribute.name() != QLatin1String("href") || attribute.value().startsWith(QLatin1Char('#'))) << what;
    }
  }
  EXPECT_FALSE(xml.hasError()) << what << ": " << xml.errorString().toStdString() << " in line " << xml.lineNumber();
}

RunRecord recordNamed(const std::vector<std::string>& names) {
  RunRecord record;
  record.id = names[0];
  record.status = RunStatus::Failed;
  record.error = names[1] + " failed.";
  record.experiment = test::oneBlockTooMany();
  record.experiment.name = names[0];
  record.baseline = names[0];
  record.environment = {{"host", names[2]}, {"command", names[3]}};
  record.warnings = names;
  record.experiment.variants.clear();
  for (const std::string& name : names) {
    record.experiment.variants.push_back(test::pipelineCutAt({"layer3.0"}));
    record.experiment.variants.back().name = name;
    VariantRecord measured;
    measured.name = name;
    measured.strategy = Strategy::Pipeline;
    measured.stages = 2;
    measured.split_size = 4;
    measured.micro_batches = 8;
    for (int i = 0; i < 3; ++i) measured.repeats.push_back({0.1 + 0.001 * i, {0.1}, {1.0, 0.5}, {}});
    measured.repeats.back().epochs = {{0.5, 0.5, std::nullopt, 0.6, 1}};
    record.variants.push_back(measured);
  }
  EXPECT_TRUE(refreshStatistics(record).ok());
  return record;
}

std::shared_ptr<const Trace> traceNamed(const RunRecord& record, std::size_t variant, const std::string& name) {
  Experiment experiment = record.experiment;
  for (LaneConfig& lane : experiment.lanes) lane.name = name;
  const ModelSpec model = test::modelIn(experiment);
  const VariantPlan plan = test::planned(experiment, experiment.variants[variant]);
  auto trace = std::make_shared<Trace>(*test::traceOf(experiment, model, plan, test::randomCosts(model, 1)));
  for (std::string& span : trace->names) span = name + span;
  return trace;
}

class HostileExports : public ::testing::Test {
 protected:
  QTemporaryDir place;
  std::vector<std::string> names = test::hostileNames("/dev/zero");
};

TEST_F(HostileExports, AreWellFormedSvgThatOnlyDraws) {
  const RunRecord record = recordNamed(names);
  expectOnlyDraws(svgElement(comparisonPicture(record, Spread::Ci95)), "comparison");
  expectOnlyDraws(svgElement(lossPicture(record)), "loss");
  for (std::size_t i = 0; i < names.size(); ++i) {
    const QString name = QString::fromStdString(names[i]);
    expectOnlyDraws(svgElement(timelinePicture(traceNamed(record, i, names[i]))), "timeline " + std::to_string(i));
    expectOnlyDraws(svgElement(cutsPicture({{name, name, 0.1, 0.1, true}, {"other", name, 0.2, 0.2, false}}, name)),
                    "cuts " + std::to_string(i));
    Picture words;
    words.title = words.caption = name;
    words.size = {200, 40};
    words.paint = [name](QPainter& painter, const QRectF& rect, const look::Palette&) {
      painter.drawText(rect, 0, name);
    };
    expectOnlyDraws(svgElement(words), "words " + std::to_string(i));
  }
}

const QRegularExpression& drawingPattern() {
  static const QRegularExpression pattern("<svg.*?</svg>", QRegularExpression::DotMatchesEverythingOption);
  return pattern;
}

QStringList drawingsOf(const QString& html) {
  QStringList drawings;
  for (auto found = drawingPattern().globalMatch(html); found.hasNext();) drawings << found.next().captured();
  return drawings;
}

/// The tags of a page without its drawings, with the names of their attributes.
QStringList tagsOf(QString html) {
  static const QRegularExpression tag("<[a-zA-Z!/][^>]*>"), value("\"[^\"]*\"");
  html.remove(drawingPattern());
  QStringList tags;
  for (auto found = tag.globalMatch(html); found.hasNext();) tags << found.next().captured().remove(value);
  return tags;
}

QString reportOf(const RunRecord& record, const Traces& traces, const QString& path) {
  EXPECT_TRUE(runAll(htmlReportSteps(std::make_shared<const RunRecord>(record), traces, path)).ok());
  QFile file(path);
  EXPECT_TRUE(file.open(QIODevice::ReadOnly));
  return QString::fromUtf8(file.readAll());
}

TEST_F(HostileExports, PutNoTagMoreIntoTheReport) {
  std::vector<std::string> harmless;
  for (std::size_t i = 0; i < names.size(); ++i) harmless.push_back("name" + std::to_string(i));
  const auto page = [&](const std::vector<std::string>& used) {
    const RunRecord record = recordNamed(used);
    return reportOf(record, {traceNamed(record, 0, used[2])}, place.filePath("report.html"));
  };
  const QString plain = page(harmless), hostile = page(names);
  EXPECT_EQ(tagsOf(hostile), tagsOf(plain));
  const QStringList drawings = drawingsOf(hostile);
  EXPECT_EQ(drawings.size(), drawingsOf(plain).size());
  for (const QString& drawing : drawings) expectOnlyDraws(drawing, "report");
}

}  // namespace
}  // namespace lanelab
