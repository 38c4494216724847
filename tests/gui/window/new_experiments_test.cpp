// SPDX-License-Identifier: GPL-3.0-only
// What File > New offers runs as it is.
#include "ui/window/new_experiments.h"

#include <gtest/gtest.h>

#include <QMenu>
#include <set>

#include "engine/experiment/resolution.h"
#include "tests/gui/window/window_world.h"

namespace lanelab {
namespace {

TEST(Templates, EachRunsAsItIsOnTwoCoresAndOnOne) {
  for (const std::size_t cores : {1U, 2U}) {
    std::vector<DeviceInfo> devices;
    for (std::size_t core = 0; core < cores; ++core) devices.push_back({Device::cpu(static_cast<int>(core)), "core"});
    for (const ExperimentTemplate& offer : experimentTemplates(devices)) {
      const Status trainable = resolve(offer.experiment())->trainable();
      EXPECT_TRUE(trainable.ok()) << offer.title.toStdString() << ": " << trainable.error().message;
    }
  }
}

TEST(Templates, AllStrategiesHasEachStrategyOnce) {
  const Experiment all = experimentTemplates({}).back().experiment();
  std::set<Strategy> strategies;
  for (const VariantConfig& variant : all.variants) strategies.insert(variant.strategy);
  EXPECT_EQ(strategies.size(), 5U);
  EXPECT_EQ(all.data.source, DataSource::Digits);
}

TEST(Templates, OpenFromTheFileMenuAndAreRefusedWhileARunIsInProgress) {
  test::WindowWorld w(test::slow(std::chrono::milliseconds(20)));
  w.trigger("template-Pipeline on 2 Lanes");
  ASSERT_TRUE(test::waitFor([&] { return w.window->document().experiment().name == "pipeline"; }));
  EXPECT_EQ(w.window->document().activeVariantName(), "Pipeline");
  EXPECT_TRUE(w.window->document().problems().empty());
  w.trigger("run");
  EXPECT_FALSE(w.find<QMenu>("templateMenu")->isEnabled());
  w.trigger("cancel");
  EXPECT_TRUE(test::waitFor([&] { return !w.window->controller().running(); }));
}

}  // namespace
}  // namespace lanelab
