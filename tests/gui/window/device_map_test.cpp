// SPDX-License-Identifier: GPL-3.0-only
// The device map in the window: what is chosen, what comes of it at once, and its way to the board, the clipboard and a
// file.
#include <gtest/gtest.h>

#include <QClipboard>
#include <QComboBox>
#include <QGuiApplication>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QSignalSpy>
#include <QTableView>

#include "engine/placement/map_lookup.h"
#include "tests/gui/window/window_world.h"
#include "ui/device_map/device_map_dialog.h"
#include "ui/device_map/infer_dialog.h"
#include "ui/device_map/map_picture.h"

namespace lanelab {
namespace {

using test::waitFor;
using test::WindowWorld;

constexpr std::int64_t kGib = std::int64_t{1} << 30;

/// Counts on, and keeps what it was asked.
LlamaInference counting(std::shared_ptr<LlamaQuestion> asked) {
  return [asked](const LlamaQuestion& question, const WorkControl&) -> Result<LlamaAnswer> {
    *asked = question;
    if (question.prompt.back() >= question.config.vocabulary) return Error::badInput("The vocabulary is too small.");
    LlamaAnswer answer;
    answer.tokens = {question.prompt.back() + 1, question.prompt.back() + 2};
    return answer;
  };
}

FakeBehaviour twoCores() {
  FakeBehaviour behaviour;
  behaviour.devices = {{Device::cpu(0), "fake core 0", 4 * kGib}, {Device::cpu(1), "fake core 1", 4 * kGib}};
  return behaviour;
}

class DeviceMapWindow : public ::testing::Test {
 protected:
  void SetUp() override {
    w.window->document().setActiveVariant(2);
    w.trigger("deviceMap");
    dialog = w.find<DeviceMapDialog>("deviceMapDialog");
    ASSERT_NE(dialog, nullptr);
    ASSERT_TRUE(QTest::qWaitForWindowExposed(dialog));
  }
  template <class T>
  T* part(const char* name) const {
    T* const found = dialog->findChild<T*>(QLatin1String(name));
    EXPECT_NE(found, nullptr) << name;
    return found;
  }
  QString headline() const { return part<QLabel>("mapHeadline")->text(); }
  /// As typed by hand, and answered: the form asks once the keys rest.
  void type(const char* field, const char* text) const {
    auto* const line = part<QLineEdit>(field);
    const QSignalSpy edited(line, &QLineEdit::textEdited), answered(&dialog->form(), &MapForm::changed);
    line->selectAll();
    QTest::keyClick(line, Qt::Key_Delete);
    QTest::keyClicks(line, QLatin1String(text));
    EXPECT_TRUE(edited.isEmpty() || waitFor([&] { return !answered.isEmpty(); })) << field;
  }
  static QString modelFile(const char* name) {
    return QStringLiteral(LANELAB_SOURCE_DIR "/resources/models/") + QLatin1String(name);
  }

  std::shared_ptr<LlamaQuestion> asked = std::make_shared<LlamaQuestion>();
  WindowWorld w{twoCores(), {{"Small", test::smallExperiment()}}, {}, counting(asked)};
  DeviceMapDialog* dialog = nullptr;
};

TEST_F(DeviceMapWindow, OpensOnTheExperimentsNetworkWithItsLanesAsGpus) {
  EXPECT_EQ(part<QLineEdit>("mapLimit-0")->text(), "2GiB") << "the two lanes share four";
  EXPECT_EQ(part<QLineEdit>("mapLimit-1")->text(), "2GiB");
  EXPECT_EQ(part<QLineEdit>("mapLimit-cpu")->text(), "");
  EXPECT_EQ(part<QLineEdit>("mapKeptWhole")->text(), "BasicBlock");
  EXPECT_TRUE(headline().startsWith("resnet18 takes ")) << headline().toStdString();
  EXPECT_TRUE(headline().endsWith("fits on 2 devices (CPU lanes stand in for GPUs).")) << headline().toStdString();
  EXPECT_EQ(part<QTableView>("mapTable")->model()->rowCount(), static_cast<int>(dialog->answer()->map.places.size()));
}

TEST_F(DeviceMapWindow, ABarIsTheShareOfItsLimit) {
  type("mapLimit-0", "1GiB");
  type("mapLimit-1", "");
  const MapShare& gpu = dialog->answer()->table.devices.front();
  EXPECT_DOUBLE_EQ(fillOf(gpu, *dialog->answer()), static_cast<double>(gpu.held) / kGib);
  EXPECT_LT(fillOf(gpu, *dialog->answer()), 0.05) << "a small network leaves the bar nearly empty";
  const QString words = part<QWidget>("mapBars")->accessibleDescription();
  EXPECT_TRUE(words.startsWith("GPU 0 holds ") && words.contains(" of 1 GiB (")) << words.toStdString();
  type("mapLimit-0", "");
  type("mapLimit-disk", "1GiB");
  const MapShare& disk = dialog->answer()->table.devices.back();
  EXPECT_DOUBLE_EQ(fillOf(disk, *dialog->answer()), 1) << "a disk has no limit: all of the network is on it";
}

TEST_F(DeviceMapWindow, PlacesTheMapOnTheLanesAndUndoTakesItBack) {
  auto* const place = part<QPushButton>("mapPlace");
  const auto cuts = [&] { return *w.window->document().experiment().variants[2].cuts; };
  EXPECT_FALSE(place->isEnabled()) << "as placed now";
  part<QComboBox>("mapStrategy")->setCurrentText("sequential");
  type("mapLimit-0", "21500KB");
  ASSERT_TRUE(place->isEnabled());
  const std::vector<std::string> before = cuts();
  place->click();
  EXPECT_NE(cuts(), before);
  EXPECT_EQ(cuts().size(), 1U);
  EXPECT_EQ(dialog->answer()->map.places.at(cuts().front()), (MapDevice{MapDevice::Kind::Gpu, 1}));
  EXPECT_FALSE(place->isEnabled()) << "now it is placed";
  w.window->document().undoStack()->undo();
  EXPECT_EQ(cuts(), before);
  EXPECT_TRUE(place->isEnabled());
}

TEST_F(DeviceMapWindow, SaysWhyAMapIsNotForTheLanes) {
  type("mapLimit-0", "10MB");
  type("mapLimit-1", "");
  type("mapLimit-cpu", "1GiB");
  EXPECT_TRUE(headline().contains("on the CPU")) << headline().toStdString();
  EXPECT_FALSE(part<QPushButton>("mapPlace")->isEnabled());
  EXPECT_TRUE(part<QLabel>("mapWhyNot")->text().contains("which is not a lane"))
      << part<QLabel>("mapWhyNot")->text().toStdString();
}

TEST_F(DeviceMapWindow, WrongSizesAndEmptyFieldsAreSentencesWithTheFix) {
  type("mapLimit-1", "2TB");
  EXPECT_TRUE(headline().startsWith("GPU 1: \"2TB\" is not a size")) << headline().toStdString();
  EXPECT_FALSE(part<QPushButton>("mapCopy")->isEnabled());
  EXPECT_FALSE(part<QPushButton>("mapExport")->isEnabled());
  EXPECT_EQ(part<QTableView>("mapTable")->model()->rowCount(), 0);
  type("mapLimit-0", "");
  type("mapLimit-1", "");
  EXPECT_TRUE(headline().startsWith("No device has a limit")) << headline().toStdString();
  type("mapLimit-0", "1GiB");
  EXPECT_TRUE(headline().endsWith("fits on one device (a CPU lane stands in for a GPU).")) << headline().toStdString();
  type("mapKeptWhole", "BasicBlok");
  EXPECT_TRUE(part<QLabel>("mapNotes")->text().contains("did you mean \"BasicBlock\"?"));
}

TEST_F(DeviceMapWindow, ALlamaIsMappedByItsConfigurationAndCopiedForAccelerate) {
  dialog->form().openNetwork(modelFile("llama-2-7b/config.json"));
  EXPECT_EQ(part<QLineEdit>("mapKeptWhole")->text(), "LlamaDecoderLayer");
  EXPECT_FALSE(part<QPushButton>("mapPlace")->isVisible()) << "no lanes train a Llama";
  part<QComboBox>("mapStrategy")->setCurrentText("sequential");
  type("mapLimit-0", "10GiB");
  type("mapLimit-1", "");
  type("mapLimit-cpu", "30GiB");
  EXPECT_TRUE(headline().contains("takes 12.6 GiB")) << headline().toStdString();
  part<QPushButton>("mapCopy")->click();
  const auto copied = parseDeviceMap(QGuiApplication::clipboard()->text().toStdString(), "clipboard");
  ASSERT_TRUE(copied.ok()) << copied.error().message;
  EXPECT_EQ(copied->places.at("model.layers.23"), (MapDevice{MapDevice::Kind::Gpu, 0}));
  EXPECT_EQ(copied->places.at("model.layers.24"), (MapDevice{MapDevice::Kind::Cpu, 0}));
  part<QComboBox>("mapType")->setCurrentText("int8");
  EXPECT_TRUE(headline().contains("takes 6.28 GiB and fits on one device")) << headline().toStdString();
}

TEST_F(DeviceMapWindow, AnExportedNetworkIsMapped) {
  dialog->form().openNetwork(QStringLiteral(LANELAB_SOURCE_DIR "/tests/data/exported/resnet18.pt2"));
  EXPECT_EQ(part<QLineEdit>("mapKeptWhole")->text(), "BasicBlock");
  ASSERT_TRUE(dialog->answer()) << headline().toStdString();
  dialog->form().openNetwork(QStringLiteral(LANELAB_SOURCE_DIR "/tests/data/exported/none.pt2"));
  EXPECT_TRUE(headline().contains("none.pt2")) << headline().toStdString();
}

TEST_F(DeviceMapWindow, AFileThatIsNoNetworkIsNamed) {
  dialog->form().openNetwork(modelFile("tiny-llama/device_map.json"));
  EXPECT_TRUE(headline().contains("device_map.json is neither a Llama's config.json")) << headline().toStdString();
  EXPECT_FALSE(dialog->answer());
  dialog->form().openNetwork(modelFile("tied-tree.json"));
  EXPECT_TRUE(dialog->answer()) << headline().toStdString();
}

TEST_F(DeviceMapWindow, AMapOfOnesOwnIsCheckedAndShownAgainstTheMemory) {
  dialog->form().openNetwork(modelFile("tiny-llama/config.json"));
  dialog->form().openMap(modelFile("tiny-llama/device_map.json"));
  EXPECT_EQ(part<QComboBox>("mapStrategy")->currentText(), "device_map.json in tiny-llama");
  EXPECT_FALSE(part<QLineEdit>("mapKeptWhole")->isEnabled());
  ASSERT_TRUE(dialog->answer()) << headline().toStdString();
  EXPECT_TRUE(uses(dialog->answer()->map, MapDevice::Kind::Disk));
  EXPECT_TRUE(part<QPushButton>("mapInfer")->isEnabled());
  EXPECT_TRUE(dialog->picture().caption.startsWith("Map device_map.json")) << dialog->picture().caption.toStdString();
  type("mapLimit-cpu", "1KB");
  EXPECT_TRUE(part<QLabel>("mapNotes")->text().contains("CPU holds "))
      << part<QLabel>("mapNotes")->text().toStdString();
  dialog->form().openMap(modelFile("tied-tree.json"));
  EXPECT_TRUE(headline().contains("which is not a device")) << headline().toStdString();
  EXPECT_FALSE(dialog->answer());
  dialog->form().openMap(modelFile("tiny-llama/device_map.json"));
  dialog->form().openNetwork(modelFile("tied-tree.json"));
  EXPECT_TRUE(headline().startsWith("device_map.json: ")) << headline().toStdString();
  part<QComboBox>("mapStrategy")->setCurrentText("auto");
  EXPECT_TRUE(dialog->answer()) << headline().toStdString();
  EXPECT_TRUE(part<QLineEdit>("mapKeptWhole")->isEnabled());
}

TEST_F(DeviceMapWindow, ALlamaIsAskedUnderTheMap) {
  dialog->form().openNetwork(modelFile("tied-tree.json"));
  EXPECT_FALSE(part<QPushButton>("mapInfer")->isVisible()) << "a tree alone cannot compute";
  dialog->form().openNetwork(modelFile("tiny-llama/config.json"));
  type("mapLimit-0", "");
  type("mapLimit-1", "");
  type("mapLimit-disk", "1GB");
  part<QPushButton>("mapInfer")->click();
  auto* const asking = dialog->findChild<InferDialog*>();
  ASSERT_NE(asking, nullptr);
  const auto told = [&](const char* label) { return asking->findChild<QLabel*>(QLatin1String(label))->text(); };
  const auto ask = [&](const char* prompt) {
    asking->findChild<QLineEdit*>("inferPrompt")->setText(QLatin1String(prompt));
    asking->findChild<QPushButton*>("inferAsk")->click();
    ASSERT_TRUE(waitFor([&] { return !asking->computing(); }));
  };
  EXPECT_TRUE(asking->findChild<QLineEdit*>("inferWeights")->text().endsWith("tiny-llama/model.safetensors"));
  ask("3 four");
  EXPECT_TRUE(told("inferResult").contains("\"four\" is not a token ID")) << told("inferResult").toStdString();
  EXPECT_TRUE(asked->prompt.empty()) << "nothing was computed";
  ask("3, 4 5");
  EXPECT_EQ(told("inferResult"), "6 7");
  EXPECT_TRUE(told("inferCost").contains("for 2 tokens")) << told("inferCost").toStdString();
  EXPECT_EQ(asked->prompt, (std::vector<std::int64_t>{3, 4, 5}));
  EXPECT_EQ(asked->map.places, dialog->answer()->map.places);
  ask("99");
  EXPECT_EQ(told("inferResult"), "The vocabulary is too small.");
}

/// Any file of the program will do: nothing is computed.
TEST(Infer, BuiltInWeightsHaveANameAndAreReadFromAFile) {
  std::string weights;
  InferDialog asking({"Tiny Llama", {}, {}, ":/lanelab/icons/bars.svg", "3 4"},
                     [&](const LlamaQuestion& question, const WorkControl&) -> Result<LlamaAnswer> {
                       weights = question.weights;
                       return LlamaAnswer{};
                     });
  EXPECT_EQ(asking.findChild<QLineEdit*>("inferWeights")->text(), "Tiny Llama (built in)");
  asking.findChild<QPushButton*>("inferAsk")->click();
  ASSERT_TRUE(waitFor([&] { return !asking.computing(); }));
  EXPECT_TRUE(QString::fromStdString(weights).endsWith("/model.safetensors") && QFile::exists(weights.c_str()))
      << weights;
}

TEST_F(DeviceMapWindow, GpusCanBeAddedAndTakenAway) {
  part<QPushButton>("mapAddGpu")->click();
  EXPECT_EQ(dialog->answer()->table.devices.size(), 3U) << "asked for a moment later";
  ASSERT_TRUE(waitFor([&] { return dialog->answer()->table.devices.size() == 4; })) << "three GPUs and the disk";
  part<QPushButton>("mapRemoveGpu")->click();
  EXPECT_TRUE(waitFor([&] { return dialog->answer()->table.devices.size() == 3; }));
}

TEST_F(DeviceMapWindow, PictureAndTableAreWhatIsShown) {
  EXPECT_EQ(dialog->csv(), mapCsv(dialog->answer()->table));
  const QImage page = render(dialog->picture(), look::printPalette());
  EXPECT_GT(page.width(), 600);
  EXPECT_TRUE(dialog->picture().caption.contains("BasicBlock"));
}

TEST_F(DeviceMapWindow, EveryPartIsReachedByTab) {
  part<QComboBox>("mapStrategy")->setCurrentText("sequential");
  type("mapLimit-0", "21500KB");
  part<QPushButton>("mapAddGpu")->click();
  QSet<QWidget*> seen;
  dialog->activateWindow();
  for (int i = 0; i < 40; ++i) {
    QTest::keyClick(dialog->focusWidget() ? dialog->focusWidget() : dialog, Qt::Key_Tab);
    seen.insert(dialog->focusWidget());
  }
  for (const char* name : {"mapNetwork", "mapOpen", "mapStrategy", "mapLoad", "mapKeptWhole", "mapType", "mapLimit-0",
                           "mapLimit-1", "mapLimit-2", "mapLimit-cpu", "mapLimit-disk", "mapAddGpu", "mapRemoveGpu",
                           "mapTable", "mapPlace", "mapCopy", "mapExport"})
    EXPECT_TRUE(seen.contains(part<QWidget>(name))) << name;
  QTest::keyClick(dialog, Qt::Key_Escape);
  EXPECT_FALSE(dialog->isVisible());
}

}  // namespace
}  // namespace lanelab
