// SPDX-License-Identifier: GPL-3.0-only
// The window's central states at four sizes in three themes, against stored images. After a change that is meant,
//
//   LANELAB_WRITE_IMAGES=1 QT_QPA_PLATFORM=offscreen build/release/bin/test_gui_images
//
// stores them again.
#include <gtest/gtest.h>

#include <QDockWidget>
#include <QPainter>
#include <QPointer>

#include "tests/gui/images/image_structure.h"
#include "tests/gui/window/window_world.h"
#include "ui/look/settings.h"
#include "ui/look/theme.h"
#include "ui/timeline/view/timeline_view.h"

namespace lanelab::test {
namespace {

const QString kStored = QStringLiteral(LANELAB_SOURCE_DIR "/tests/data/images/");
constexpr QSize kSizes[] = {{1280, 720}, {1600, 1000}, {3840, 2160}, {640, 400}};
constexpr QSize kUsualSizes[] = {{1280, 720}, {1600, 1000}};
constexpr std::pair<look::Scheme, const char*> kThemes[] = {
    {look::Scheme::Light, "light"}, {look::Scheme::Dark, "dark"}, {look::Scheme::HighContrast, "high-contrast"}};

/// The window that shows the demo as it was recorded, which is the same everywhere.
class CentralStates : public testing::Test {
 protected:
  static void SetUpTestSuite() {
    look::Settings().clear();
    world = std::make_unique<WindowWorld>(
        FakeBehaviour(),
        std::vector<MainWindow::Example>{
            {"Demo", *readExperiment(LANELAB_SOURCE_DIR "/resources/experiments/demo.json")}},
        EqualityCheck(), LlamaInference(), MeasureLoad(),
        std::make_shared<RecordedRuns>(QStringLiteral(LANELAB_SOURCE_DIR "/resources/runs")));
    world->window->welcome();
    ASSERT_TRUE(waitFor([] { return world->window->shownRun().trace("Pipeline") != nullptr; }));
  }
  static void TearDownTestSuite() {
    world.reset();
    look::apply(*qApp, look::Scheme::Light);
  }
  static QImage taken(const char* front, QSize size, look::Scheme theme) {
    look::apply(*qApp, theme);
    world->window->resize(size);
    auto* const pane = world->find<QDockWidget>(front);
    pane->raise();
    EXPECT_TRUE(waitFor([&] { return world->window->size() == size && !pane->visibleRegion().isEmpty(); }));
    // What is drawn later than it is asked for: until two pictures after one another are the same.
    QImage last, now;
    EXPECT_TRUE(waitFor([&] {
      last = std::exchange(now, world->window->grab().toImage());
      return now == last;
    }));
    return now;
  }
  static inline std::unique_ptr<WindowWorld> world;
};

struct CentralState {
  const char* name;
  const char* front;  ///< pane
  void (*prepare)(WindowWorld&);
};
constexpr CentralState kStates[] = {
    {"stages", "stagesDock", [](WindowWorld&) {}},
    {"compare", "compareDock", [](WindowWorld&) {}},
    {"gap", "detailsDock", [](WindowWorld& w) { w.find<TimelineView>("timeline")->moves().stepGap(+1); }},
};

TEST_F(CentralStates, LookAsStored) {
  const bool write = qEnvironmentVariableIsSet("LANELAB_WRITE_IMAGES");
  for (const auto& [state, front, prepare] : kStates) {
    prepare(*world);
    for (const QSize size : kSizes)
      for (const auto& [theme, theme_name] : kThemes) {
        const QString name = QStringLiteral("%1-%2-%3.png").arg(state).arg(size.width()).arg(theme_name);
        const QImage seen = structureOf(taken(front, size, theme));
        if (write) {
          ASSERT_TRUE(seen.save(kStored + name)) << name.toStdString();
        }
        const QStringList faults = structureFaults(QImage(kStored + name), seen);
        EXPECT_EQ(faults.join('\n').toStdString(), "")
            << name.toStdString() << ": if it is meant, run with LANELAB_WRITE_IMAGES=1";
        if (!faults.isEmpty()) seen.save(kStored + name + ".actual", "PNG");
      }
  }
}

/// What the comparison is for: each of these would be seen.
TEST_F(CentralStates, WouldNotPassWithAPaneThatIsBlankOrCutNorInAnotherTheme) {
  for (const QSize size : kUsualSizes)
    for (const auto& [theme, theme_name] : kThemes) {
      const QImage whole = taken("compareDock", size, theme);
      const QImage stored = structureOf(whole);
      const auto without = [&](const char* name, QRect part) {
        const auto* const widget = world->find<QWidget>(name);
        const QRect place(widget->mapTo(world->window.get(), QPoint()), widget->size());
        QImage damaged = whole;
        QPainter(&damaged).fillRect(part.isNull() ? place : part.translated(place.topLeft()).intersected(place),
                                    world->window->palette().window());
        return structureFaults(stored, structureOf(damaged)).size();
      };
      for (const char* pane : {"experimentPanel", "board", "timeline", "compareDock"})
        EXPECT_GT(without(pane, {}), 0) << pane << " blank, " << theme_name << ' ' << size.width();
      EXPECT_GT(without("timeline", {300, 0, 5000, 5000}), 0) << "cut at the right, " << theme_name;
      QImage moved(whole.size(), whole.format());
      moved.fill(world->window->palette().window().color());
      QPainter(&moved).drawImage(60, 0, whole);
      EXPECT_FALSE(structureFaults(stored, structureOf(moved)).isEmpty()) << "pushed out at the right";
      const auto other = theme == look::Scheme::Light ? look::Scheme::Dark : look::Scheme::Light;
      EXPECT_FALSE(structureFaults(stored, structureOf(taken("compareDock", size, other))).isEmpty()) << theme_name;
    }
}

}  // namespace
}  // namespace lanelab::test
