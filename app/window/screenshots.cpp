// SPDX-License-Identifier: GPL-3.0-only
#include "app/window/tasks.h"

#include <QDialog>
#include <QDir>
#include <QDockWidget>
#include <QElapsedTimer>
#include <QEventLoop>
#include <QLabel>
#include <QLineEdit>
#include <QMouseEvent>
#include <QPushButton>
#include <QTimer>
#include <cstdio>
#include <functional>
#include <optional>

#include "ui/board/board_view.h"
#include "ui/curve/memory_pane.h"
#include "ui/device_map/device_map_dialog.h"
#include "ui/first_steps/lesson_pane.h"
#include "ui/schedule/schedule_picture.h"
#include "ui/schedule/shown_schedule.h"
#include "ui/timeline/view/timeline_view.h"

namespace lanelab {

namespace {

constexpr QSize kLarge(1440, 900);
constexpr QSize kSmall(1280, 720);
constexpr int kRunLimit = 300'000;  ///< ms; the demo takes a minute on two cores
constexpr int kShortLimit = 20'000;

bool waitUntil(const std::function<bool()>& happened, int limit) {
  QElapsedTimer timer;
  timer.start();
  while (!happened() && timer.elapsed() < limit) letItPaint(20);
  return happened();
}

void mouse(QWidget* target, QEvent::Type type, QPoint position) {
  const bool held = type != QEvent::MouseButtonRelease;
  QMouseEvent event(type, position, target->mapToGlobal(position),
                    type == QEvent::MouseMove ? Qt::NoButton : Qt::LeftButton, held ? Qt::LeftButton : Qt::NoButton,
                    Qt::NoModifier);
  QApplication::sendEvent(target, &event);
}

/// Takes the pictures one after another and remembers the first that could not be saved.
class Camera {
 public:
  Camera(MainWindow& window, QString folder) : m_window(window), m_folder(std::move(folder)) {}

  void take(const QString& name) { take(name, m_window); }
  void takeDark(QApplication& app, const QString& name, QWidget& widget) {
    takeIn(look::Scheme::Dark, app, name, widget);
  }
  void takeIn(look::Scheme scheme, QApplication& app, const QString& name, QWidget& widget) {
    look::apply(app, scheme);
    take(name, widget);
    look::apply(app, look::Scheme::Light);
  }
  void take(const QString& name, QWidget& widget) {
    letItPaint(150);
    save(name, widget.grab().toImage());
  }
  void draw(const QString& name, const Picture& picture) { save(name, render(picture, look::printPalette(), 1.5)); }
  void miss(const std::string& what) {
    if (m_status.ok()) m_status = Error::failed("The screenshots stopped: {}", what);
  }
  const Status& status() const { return m_status; }

 private:
  void save(const QString& name, const QImage& image) {
    const QString path = QDir(m_folder).filePath(name + ".png");
    if (image.save(path)) {
      std::printf("Wrote %s\n", qPrintable(path));
      std::fflush(stdout);
    } else if (m_status.ok()) {
      m_status = Error::failed("The picture {} could not be written. Check the folder.", path.toStdString());
    }
  }

  MainWindow& m_window;
  QString m_folder;
  Status m_status;
};

void raise(MainWindow& window, const char* dock) { window.findChild<QDockWidget*>(dock)->raise(); }

/// Before anything has run here, and a lesson.
void firstMinute(QApplication& app, MainWindow& window, Camera& camera) {
  window.welcome();
  const auto shows = [&](const char* experiment) {
    const auto record = window.shownRun().record();
    return record && record->experiment.name == experiment && !window.shownRun().traces().empty();
  };
  if (!waitUntil([&] { return shows("demo"); }, kShortLimit)) return camera.miss("the recorded demo was not shown.");
  raise(window, "compareDock");
  letItPaint(500);  // for the time that the run takes here
  camera.take("33-welcome");
  camera.takeDark(app, "34-welcome-dark", window);
  window.resize(kSmall);
  camera.take("35-welcome-small");
  window.resize(kLarge);
  window.action("lessons")->trigger();
  window.findChild<LessonPane*>("lessons")->choose(1);
  window.findChild<QPushButton*>("lessonStart")->click();
  if (!waitUntil([&] { return shows("cuts"); }, kShortLimit)) return camera.miss("the lesson's run was not shown.");
  window.findChild<TimelineView*>("timeline")->moves().stepGap(+1);
  camera.take("36-lesson");
  window.action("closeRun")->trigger();
  raise(window, "experimentDock");
  raise(window, "stagesDock");
}

void placing(MainWindow& window, Camera& camera) {
  camera.take("01-demo");
  window.openExperiment(blankExperiment(window.controller().executor().devices()), {});
  window.document().setActiveVariant(1);
  camera.take("02-new");
  auto& board = *window.findChild<BoardView*>("board");
  const auto& geometry = board.geometryNow();
  const QRectF chip = geometry.chips[geometry.chips.size() - 3].rect;
  const QPoint from = board.mapFromScene(chip.center());
  const QPoint to =
      board.mapFromScene(QPointF(chip.center().x() + chip.width() / 3, geometry.rows[1].band.center().y()));
  mouse(board.viewport(), QEvent::MouseButtonPress, from);
  for (int i = 1; i <= 10; ++i) mouse(board.viewport(), QEvent::MouseMove, from + (to - from) * i / 10);
  camera.take("03-drag");
  mouse(board.viewport(), QEvent::MouseButtonRelease, to);
}

/// Whether the run that the action starts ends with a result; `on_way` is called once, after `units` of its repeats.
bool runThrough(MainWindow& window, Camera& camera, const char* action, int units,
                const std::function<void()>& on_way) {
  int units_done = 0;
  const auto progress = QObject::connect(&window.controller(), &RunController::progressed, &window,
                                         [&](const RunProgress& p) { units_done = p.unit; });
  bool ended = false;
  const auto shown = QObject::connect(&window, &MainWindow::runShown, &window, [&] { ended = true; });
  window.action(action)->trigger();
  if (!waitUntil([&] { return ended || !window.controller().running() || units_done >= units; }, kRunLimit))
    camera.miss("the run did not get on.");
  letItPaint(700);
  on_way();
  waitUntil([&] { return !window.controller().running(); }, kRunLimit);
  QObject::disconnect(shown);
  QObject::disconnect(progress);
  if (!ended) camera.miss("the run failed: " + window.messages().sentence().toStdString());
  letItPaint(1000);
  return ended;
}

/// The run with its experiment.
void useRun(MainWindow& window, const QString& folder) {
  window.openPath(folder);
  letItPaint(1000);
  window.findChild<QPushButton*>("useViewedRun")->click();
  letItPaint(1000);
}

/// In the dialog that compares cuts, which stays open.
QDialog* measureBlocks(MainWindow& window, Camera& camera) {
  window.action("cuts")->trigger();
  auto* const dialog = window.findChild<QDialog*>("cutsDialog");
  auto* const measure = dialog->findChild<QPushButton*>("cutsMeasure");
  const auto compared = [&] { return dialog->findChild<QWidget*>("cutsBars")->isVisible(); };
  waitUntil([&] { return compared() || measure->isEnabled(); }, kRunLimit);
  if (measure->isEnabled()) measure->click();
  if (!waitUntil(compared, kRunLimit)) camera.miss("the blocks were not measured.");
  return dialog;
}

/// With the demo's blocks measured: the split sizes, the ways to cut, and the run's timeline over its prediction.
void planning(MainWindow& window, Camera& camera, const QString& finished) {
  if (!runThrough(window, camera, "adviseSplitSize", 1, [] {})) return;
  raise(window, "sweepDock");
  camera.take("15-split-sizes");
  QDialog* const dialog = measureBlocks(window, camera);
  camera.take("16-cuts", *dialog);
  dialog->close();
  useRun(window, finished);
  window.findChild<TimelineView*>("timeline")->nextStep();
  camera.take("17-predicted");
}

/// Time against memory of the example's last variant, predicted and as its run measured it.
void memoryDial(MainWindow& window, Camera& camera, const Experiment& memory) {
  window.openExperiment(memory, {});
  window.document().setActiveVariant(static_cast<int>(memory.variants.size()) - 1);
  measureBlocks(window, camera)->close();
  if (!runThrough(window, camera, "run", 1, [] {})) return;
  raise(window, "memoryDock");
  const auto& pane = *window.findChild<MemoryPane*>("memoryPane");
  if (!waitUntil([&] { return pane.isCurrent(); }, kShortLimit)) return camera.miss("there is no memory curve.");
  camera.take("29-memory");
  camera.draw("30-time-and-memory", pane.exhibit().figure());
}

/// An example that learns, and its losses.
void learning(MainWindow& window, Camera& camera, const Experiment& example, const QString& name) {
  window.openExperiment(example, {});
  if (!runThrough(window, camera, "run", 1, [] {})) return;
  raise(window, "lossDock");
  camera.take(name);
}

/// The order of each variant, as the pane Schedule draws it.
void orders(MainWindow& window, Camera& camera, const Experiment& schedules) {
  window.openExperiment(schedules, {});
  for (std::size_t i = 0; i < schedules.variants.size(); ++i) {
    window.document().setActiveVariant(static_cast<int>(i));
    const auto shown = shownSchedule(window.document());
    if (!shown) return camera.miss("a schedule has no order.");
    camera.draw(QStringLiteral("26-order-%1").arg(i),
                schedulePicture(*shown, QString::fromStdString(schedules.variants[i].name), {}));
  }
}

/// The first step of each variant of the shown run, all on the scale of the longest.
void steps(MainWindow& window, Camera& camera, int variants) {
  auto& timeline = *window.findChild<TimelineView*>("timeline");
  const auto stepOf = [&](int variant) {
    window.document().setActiveVariant(variant);
    letItPaint(300);
    timeline.fit();
    timeline.nextStep();
    letItPaint(500);
    return timeline.visibleRange();
  };
  Nanoseconds longest = 0;
  for (int i = 0; i < variants; ++i) longest = std::max(longest, stepOf(i).length());
  for (int i = 0; i < variants; ++i) {
    const Nanoseconds start = stepOf(i).start;
    Picture step = timeline.picture(TimeRange{start, start + longest});
    step.caption.clear();  // all are one figure
    camera.draw(QStringLiteral("27-step-%1").arg(i), step);
  }
}

/// Five ways to use two lanes, in a small window; then the lanes of replicas, light and dark.
void comparing(QApplication& app, MainWindow& window, Camera& camera, const Experiment& strategies) {
  window.openExperiment(strategies, {});
  window.document().setActiveVariant(2);
  if (!runThrough(window, camera, "run", 1, [] {})) return;
  window.resize(kSmall);
  raise(window, "compareDock");
  camera.take("19-strategies");
  window.resize(kLarge);
  raise(window, "idleDock");
  window.findChild<TimelineView*>("timeline")->nextStep();
  camera.take("20-replicas");
  camera.takeDark(app, "21-replicas-dark", window);
  steps(window, camera, static_cast<int>(strategies.variants.size()));
}

/// Where a network's modules go: the board's own, then Llama 2 7B on two small GPUs and the CPU, light and dark.
void mapping(QApplication& app, MainWindow& window, Camera& camera, const QString& llama, const QString& tiny) {
  window.action("deviceMap")->trigger();
  auto* const dialog = window.findChild<DeviceMapDialog*>();
  camera.take("22-device-map", *dialog);
  dialog->form().openNetwork(llama);
  for (const auto& [device, size] : {std::pair("0", "5GiB"), {"1", "5GiB"}, {"cpu", "2GiB"}})
    dialog->findChild<QLineEdit*>(QStringLiteral("mapLimit-") + QLatin1String(device))->setText(QLatin1String(size));
  if (!waitUntil([&] { return dialog->answer() && dialog->answer()->given.cpu; }, kShortLimit))
    camera.miss("the network was not mapped.");
  camera.take("23-device-map-llama", *dialog);
  camera.takeDark(app, "24-device-map-dark", *dialog);
  dialog->form().openNetwork(tiny);
  dialog->findChild<QPushButton*>("mapInfer")->click();
  auto* const question = dialog->findChild<QDialog*>("inferDialog");
  question->findChild<QPushButton*>("inferAsk")->click();
  if (!waitUntil([&] { return !question->findChild<QLabel*>("inferCost")->text().isEmpty(); }, kShortLimit))
    camera.miss("the Llama did not answer.");
  camera.take("25-infer", *question);
  dialog->close();
}

std::optional<Experiment> exampleOf(const MainWindow::Setup& setup, const std::string& name) {
  for (const MainWindow::Example& example : setup.examples)
    if (example.experiment.name == name) return example.experiment;
  return std::nullopt;
}

void results(MainWindow& window, Camera& camera) {
  raise(window, "compareDock");
  camera.take("05-compare");
  auto& timeline = *window.findChild<TimelineView*>("timeline");
  raise(window, "idleDock");
  timeline.nextStep();
  camera.take("06-timeline");
  timeline.fit();
  raise(window, "detailsDock");
  timeline.moves().stepGap(+1);
  camera.take("31-gap");
  timeline.moves().zoomToFocus();
  raise(window, "idleDock");
  camera.take("32-gap-zoomed");
  timeline.fit();
  for (const auto& [dock, name] : {std::pair("layersDock", "07-layers"),
                                   {"lossDock", "08-loss"},
                                   {"scheduleDock", "13-schedule"},
                                   {"stagesDock", "14-stages"}}) {
    raise(window, dock);
    camera.take(name);
  }
}

void errors(MainWindow& window, Camera& camera) {
  window.document().edit("split size", [](Experiment& e) { e.variants.back().split_size = 2 * e.data.batch; });
  window.action("run")->trigger();
  camera.take("10-error");
  window.document().undoStack()->undo();
  window.messages().clear();
}

}  // namespace

void letItPaint(int milliseconds) {
  QEventLoop loop;
  QTimer::singleShot(milliseconds, &loop, &QEventLoop::quit);
  loop.exec();
}

Status saveScreenshots(QApplication& app, MainWindow::Setup setup, const QString& folder) {
  if (!QDir().mkpath(folder))
    return Error::failed("The folder {} cannot be made. Choose another one.", folder.toStdString());
  if (setup.examples.empty()) return Error::failed("The bundled demo cannot be read.");
  const Experiment demo = setup.examples.front().experiment;
  const std::optional<Experiment> learnt = exampleOf(setup, "digits"), strategies = exampleOf(setup, "replicas"),
                                  schedules = exampleOf(setup, "schedules"), language = exampleOf(setup, "gpt2"),
                                  memory = exampleOf(setup, "memory");
  const std::vector<NetworkOffer> networks = setup.networks;
  MainWindow window(std::move(setup));
  window.setWindowState(Qt::WindowNoState);
  window.resize(kLarge);
  window.show();
  Camera camera(window, folder);
  firstMinute(app, window, camera);
  placing(window, camera);
  window.openExperiment(demo, {});
  if (runThrough(window, camera, "run", 5, [&] { camera.take("04-running"); })) results(window, camera);
  const QString finished = window.shownRun().folder();
  runThrough(window, camera, "run", 4, [&] { window.action("cancel")->trigger(); });
  raise(window, "compareDock");
  camera.take("09-cancelled");
  errors(window, camera);
  look::apply(app, look::Scheme::Dark);
  useRun(window, finished);
  camera.take("11-dark");
  camera.takeIn(look::Scheme::HighContrast, app, "33-high-contrast", window);
  look::apply(app, look::Scheme::Light);
  window.resize(kSmall);
  window.messages().clear();
  camera.take("12-small");
  window.resize(kLarge);
  planning(window, camera, finished);
  window.openExperiment(demo, {});
  window.document().setActiveVariant(1);
  if (networks.size() > 1) mapping(app, window, camera, networks[0].path, networks[1].path);
  if (learnt) learning(window, camera, *learnt, "18-accuracy");
  if (strategies) comparing(app, window, camera, *strategies);
  if (schedules) orders(window, camera, *schedules);
  if (language) learning(window, camera, *language, "28-language-model");
  if (memory) memoryDial(window, camera, *memory);
  return camera.status();
}

}  // namespace lanelab
