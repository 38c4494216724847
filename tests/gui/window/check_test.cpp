// SPDX-License-Identifier: GPL-3.0-only
// Run > Check Against a Single Device, over a check of the test's own.
#include <QDialog>
#include <QLabel>
#include <QTableWidget>

#include "tests/gui/window/window_world.h"

namespace lanelab {
namespace {

using test::waitFor;
using test::WindowWorld;

/// Two variants, of which the second has a gradient that is off by `difference`.
EqualityCheck checkWith(double difference) {
  return [difference](const Resolution& resolution, int steps, const WorkControl& control) {
    control.report({"Training " + resolution.experiment().variants.front().name, 0, 1});
    EqualityReport report;
    report.steps = steps;
    for (const char* name : {"Single", "Pipeline"}) {
      VariantEquality variant;
      variant.name = name;
      variant.micro_batches = 4;
      variant.equal = difference == 0 || name == std::string("Single");
      for (const char* what : {"losses", "gradients", "parameters", "buffers"})
        variant.groups.push_back({what, 2, 2, "", 0, ""});
      if (!variant.equal) variant.groups[1] = {"gradients", 2, 1, "fc.weight", difference, ""};
      report.variants.push_back(variant);
    }
    return Result<EqualityReport>(std::move(report));
  };
}

TEST(CheckWindow, ShowsEachVariantAgainstItsReferenceAndWhatDiffers) {
  const struct {
    double difference;
    const char* headline;
    const char* verdict;
  } cases[] = {{0, "All variants equal", "equal, bitwise"},
               {0.5, "variant \"Pipeline\" does not equal its reference", "DIFFERS"}};
  for (const auto& c : cases) {
    const WindowWorld w({}, {{"Small", test::smallExperiment()}}, checkWith(c.difference));
    w.trigger("check");
    auto* const table = w.find<QTableWidget>("checkTable");
    ASSERT_TRUE(waitFor([&] { return table->isVisible(); }));
    ASSERT_EQ(table->rowCount(), 2);
    EXPECT_EQ(table->horizontalHeaderItem(6)->text(), "Verdict");
    EXPECT_EQ(table->item(1, 1)->text(), "one device, 4 micro-batches in order");
    EXPECT_EQ(table->item(1, 6)->text(), c.verdict);
    EXPECT_TRUE(w.find<QLabel>("checkHeadline")->text().startsWith(c.headline))
        << w.find<QLabel>("checkHeadline")->text().toStdString();
  }
}

TEST(CheckWindow, WithoutACheckThereIsNoEntry) {
  const WindowWorld w;
  EXPECT_EQ(w.window->action("check"), nullptr);
}

}  // namespace
}  // namespace lanelab
