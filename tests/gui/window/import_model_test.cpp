// SPDX-License-Identifier: GPL-3.0-only
// File > Import Model with a Python that a test writes: a script of the shell with the same arguments, which prints
// lines and copies a small network, or does not.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <QApplication>
#include <QFile>
#include <QLabel>
#include <QLineEdit>
#include <QPlainTextEdit>
#include <QProgressBar>
#include <QPushButton>
#include <QSettings>
#include <QSpinBox>
#include <QTableWidget>
#include <QToolButton>

#include "tests/gui/window/window_world.h"
#include "ui/import_model/import_form.h"
#include "ui/import_model/import_model_dialog.h"
#include "ui/look/theme.h"

namespace lanelab {
namespace {

using test::waitFor;
using testing::EndsWith;
using testing::HasSubstr;
using testing::StartsWith;

const char* const kNetwork = LANELAB_SOURCE_DIR "/tests/data/exported/unet.pt2";
const char* const kOther = LANELAB_SOURCE_DIR "/tests/data/exported/resnet18.pt2";
const char* const kMixtral = LANELAB_SOURCE_DIR "/tests/data/exported/mixtral.pt2";

/// Copies `network` to where the script of an export writes.
QByteArray writing(const char* network) {
  return QByteArray(R"(for word in "$@"; do case "$word" in --partial=*) cp )") + network +
         R"( "${word#--partial=}";; esac; done)"
         "\n";
}

/// While a process is running, not a zombie.
bool isRunning(const QString& pid) {
  QFile state("/proc/" + pid + "/stat");
  if (!state.open(QIODevice::ReadOnly)) return false;
  const QByteArray text = state.readAll();
  return text.mid(text.lastIndexOf(')') + 2, 1) != "Z";
}

class ImportModel : public ::testing::Test {
 protected:
  void SetUp() override {
    QSettings(QSettings::IniFormat, QSettings::UserScope, "lanelab", "lanelab").remove("import-model");
    ASSERT_TRUE(w.window->document().save(w.place.filePath("small.json")).ok());
    open();
  }

  void open() {
    w.trigger("importModel");
    dialog = w.find<ImportModelDialog>("importModelDialog");
    ASSERT_NE(dialog, nullptr);
    ASSERT_TRUE(QTest::qWaitForWindowExposed(dialog));
  }

  template <class T>
  T* part(const char* name) const {
    T* const found = dialog->findChild<T*>(QLatin1String(name));
    EXPECT_NE(found, nullptr) << name;
    return found;
  }
  void type(const char* field, const QString& text) const { part<QLineEdit>(field)->setText(text); }
  std::string sentence() const { return part<QLabel>("importSentence")->text().toStdString(); }
  /// What is wrong with a field, directly below it.
  std::string problem(const char* field) const {
    const auto* const label = part<QLabel>((std::string(field) + "Problem").c_str());
    if (label->isHidden()) return {};
    const auto* const input = part<QWidget>(field);
    const int below = label->mapTo(dialog, QPoint()).y() - input->mapTo(dialog, QPoint(0, input->height())).y();
    EXPECT_TRUE(below >= 0 && below < 8) << field << ": " << below << " px";
    return label->text().toStdString();
  }
  std::string log() const { return part<QPlainTextEdit>("importLog")->toPlainText().toStdString(); }
  QPushButton* use() const { return part<QPushButton>("importUse"); }
  QString out() const { return w.place.filePath("make.pt2"); }

  /// A program whose arguments are those of Python.
  QString python(const QByteArray& script) const {
    const QString path = w.place.filePath("python");
    QFile file(path);
    EXPECT_TRUE(file.open(QIODevice::WriteOnly));
    file.write("#!/bin/sh\n" + script);
    file.close();
    EXPECT_TRUE(file.setPermissions(QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner));
    return path;
  }

  void begin(const QString& python) const {
    type("importFactory", "net.py:make");
    type("importInput", "3x32x32");
    type("importPython", python);
    part<QPushButton>("importStart")->click();
  }
  void importBy(const QString& python) const {
    begin(python);
    ASSERT_TRUE(waitFor([&] { return !dialog->exporting(); }));
  }

  test::WindowWorld w;
  ImportModelDialog* dialog = nullptr;
};

TEST_F(ImportModel, ListsTheBlocksAndMakesTheFileTheModel) {
  importBy(python("echo Building net; echo Verified >&2\n" + writing(kNetwork)));
  EXPECT_THAT(sentence(), StartsWith("make.pt2 is written and verified: "));
  EXPECT_THAT(sentence(), HasSubstr("Cross entropy of a class for each pixel needs outputs [positions, classes]"));
  EXPECT_THAT(log(), StartsWith("lanelab-cli new-model "));
  EXPECT_THAT(log(), HasSubstr("Building net"));
  EXPECT_THAT(log(), HasSubstr("Verified"));
  EXPECT_GT(part<QTableWidget>("importBlocks")->rowCount(), 3);
  EXPECT_TRUE(use()->isDefault());
  QTest::keyClick(dialog, Qt::Key_Return);
  EXPECT_FALSE(dialog->isVisible());
  const Experiment& experiment = w.window->document().experiment();
  EXPECT_EQ(experiment.model.file, out().toStdString());
  EXPECT_EQ(experiment.model.arch, "");
  EXPECT_EQ(w.window->document().model().arch, "make") << "the board shows it";
  EXPECT_THAT(w.window->messages().sentence().toStdString(), StartsWith("make.pt2 is now the model"));
  w.window->document().undoStack()->undo();
  EXPECT_EQ(w.window->document().experiment().model.arch, "resnet18");
}

TEST_F(ImportModel, ImportedAgainToTheSameFileIsTheModelWithItsNewBlocks) {
  importBy(python(writing(kNetwork)));
  use()->click();
  const ModelSpec before = w.window->document().model();
  QCoreApplication::sendPostedEvents(nullptr, QEvent::DeferredDelete);
  open();
  importBy(python(writing(kOther)));
  use()->click();
  const ModelSpec now = w.window->document().model();
  EXPECT_EQ(w.window->document().experiment().model.file, out().toStdString());
  EXPECT_NE(now, before);
  EXPECT_TRUE(now.find("inner.layer1.0") || now.find("layer1.0")) << now.blocks.front().name;
  EXPECT_TRUE(w.window->document().problems().empty()) << w.window->document().problems().front().message;
}

TEST_F(ImportModel, GivesPythonWhatTheFieldsHold) {
  part<QPlainTextEdit>("importArguments")->setPlainText("width=64\n\n  name=a b \n");
  type("importConfig", "config.json");
  part<QSpinBox>("importSeed")->setValue(7);
  part<QSpinBox>("importBatch")->setValue(3);
  importBy(python(R"(shift 3; for word in "$@"; do echo "<$word>"; done; exit 1)"));
  const std::string folder = w.place.path().toStdString();
  for (const char* const word : {"--input=3x32x32", "--batch=3", "--seed=7", "--set=width=64", "--set=name=a b"})
    EXPECT_THAT(log(), HasSubstr("<" + std::string(word) + ">"));
  EXPECT_THAT(log(), HasSubstr("<--out=" + folder + "/make.pt2>"));
  EXPECT_THAT(log(), HasSubstr("<--config=" + folder + "/config.json>"));
  EXPECT_THAT(log(), HasSubstr("<" + folder + "/net.py:make>")) << "counts from the experiment's folder";
  EXPECT_THAT(log(), HasSubstr("--set width=64 --set 'name=a b'")) << "the same as a command";
}

TEST_F(ImportModel, ShowsTheSentenceOfTheCommandLineAndGoesToTheField) {
  struct Row {
    const char* script;
    const char* sentence;
    const char* focus;
  };
  const Row rows[] = {
      {"echo 'lanelab_export: --input: \"3x\" is not a shape.' >&2; exit 2", "--input: \"3x\" is not a shape.",
       "importInput"},
      {"echo 'lanelab_export: --config: it does not configure net.' >&2; exit 2", "--config: it does not",
       "importConfig"},
      {"echo 'lanelab_export: net.py cannot be imported.' >&2; exit 2", "net.py cannot be imported.", "importStart"},
      {"echo 'out of luck' >&2; exit 3", "ended with exit code 3 during the export. Its last message: out of luck",
       "importStart"},
  };
  for (const Row& row : rows) {
    SCOPED_TRACE(row.script);
    importBy(python(row.script));
    QApplication::sendPostedEvents(nullptr, QEvent::LayoutRequest);
    const bool of_field = std::string_view(row.focus) != "importStart";
    EXPECT_THAT(of_field ? problem(row.focus) : sentence(), HasSubstr(row.sentence));
    EXPECT_EQ(sentence().empty(), of_field) << "said once";
    EXPECT_EQ(dialog->focusWidget(), part<QWidget>(row.focus));
    EXPECT_FALSE(use()->isEnabled());
    EXPECT_TRUE(part<QPushButton>("importStart")->isDefault());
    EXPECT_FALSE(QFile::exists(out()));
  }
}

TEST_F(ImportModel, NamesAPythonThatIsMissing) {
  importBy(w.place.filePath("absent/python"));
  EXPECT_THAT(sentence(), HasSubstr("absent/python cannot be started: No such file"));
  EXPECT_THAT(sentence(), HasSubstr("Name a Python that has PyTorch"));
}

TEST_F(ImportModel, AFileThatCannotBeTrainedIsNotOffered) {
  importBy(python(writing(kMixtral)));
  EXPECT_THAT(sentence(), HasSubstr("make.pt2 was written, but LaneLab cannot train it: "));
  EXPECT_FALSE(use()->isEnabled());
}

TEST_F(ImportModel, AFileWithABlockThatCannotBeTrainedIsNotOffered) {
  FakeBehaviour behaviour;
  behaviour.network =
      Error::badInput("{}: aten.add_.Tensor: it changes the buffer steps.", w.place.filePath("make.pt2").toStdString());
  test::WindowWorld other(behaviour);
  ASSERT_TRUE(other.window->document().save(w.place.filePath("other.json")).ok());
  other.trigger("importModel");
  dialog = other.find<ImportModelDialog>("importModelDialog");
  importBy(python(writing(kNetwork)));
  EXPECT_THAT(sentence(), EndsWith("make.pt2 was written, but LaneLab cannot train it: aten.add_.Tensor: it changes "
                                   "the buffer steps."));
  EXPECT_FALSE(use()->isEnabled());
  EXPECT_TRUE(QFile::exists(out()));
}

TEST_F(ImportModel, EscEndsAPythonThatWouldRunOn) {
  begin(python("echo $$; sleep 600 & echo $!; wait\n"));
  auto* const bar = part<QProgressBar>("importProgressBar");
  const auto printed = [&] { return QString::fromStdString(log()).split('\n'); };
  ASSERT_TRUE(waitFor([&] { return printed().size() == 3 && bar->isVisible(); }));
  EXPECT_EQ(bar->maximum(), 0) << "how long it takes is not known";
  EXPECT_THAT(part<QLabel>("importProgressWords")->text().toStdString(), EndsWith("0:00"));
  EXPECT_FALSE(part<QPushButton>("importStart")->isEnabled());
  w.trigger("run");
  EXPECT_FALSE(w.window->controller().running()) << "Python would spoil what is measured";
  EXPECT_THAT(w.window->messages().sentence().toStdString(), HasSubstr("being exported"));
  QTest::keyClick(dialog->focusWidget(), Qt::Key_Escape);
  ASSERT_TRUE(waitFor([&] { return !dialog->exporting(); }));
  EXPECT_TRUE(waitFor([&] { return !isRunning(printed()[1]) && !isRunning(printed()[2]); }));
  EXPECT_EQ(sentence(), "The import was cancelled.");
  EXPECT_FALSE(QFile::exists(out()));
  EXPECT_TRUE(dialog->isVisible());
  QTest::keyClick(dialog->focusWidget(), Qt::Key_Escape);
  EXPECT_FALSE(dialog->isVisible());
}

TEST_F(ImportModel, ClosingEndsPython) {
  begin(python("echo $$; sleep 600\n"));
  const auto printed = [&] { return QString::fromStdString(log()).split('\n'); };
  ASSERT_TRUE(waitFor([&] { return printed().size() == 2; }));
  const QString pid = printed()[1];
  dialog->close();
  QCoreApplication::sendPostedEvents(nullptr, QEvent::DeferredDelete);
  EXPECT_FALSE(isRunning(pid));
}

TEST_F(ImportModel, WrongFieldsAreSentencesWithTheFix) {
  const auto refused = [&](const char* field) {
    part<QPushButton>("importStart")->click();
    QApplication::sendPostedEvents(nullptr, QEvent::LayoutRequest);
    EXPECT_EQ(dialog->focusWidget(), part<QWidget>(field));
    EXPECT_EQ(sentence(), "");
    return problem(field);
  };
  EXPECT_THAT(refused("importFactory"), StartsWith("Network: \"\" is not MODULE:FACTORY."));
  type("importFactory", "net:make");
  EXPECT_EQ(problem("importFactory"), "") << "it goes when it is edited";
  EXPECT_THAT(refused("importInput"), StartsWith("Input shape: it is not set."));
  type("importInput", "3x32x32");
  part<QPlainTextEdit>("importArguments")->setPlainText("width 64");
  EXPECT_THAT(refused("importArguments"), StartsWith("Arguments: \"width 64\" is not KEY=VALUE."));
  EXPECT_FALSE(dialog->exporting());
}

TEST_F(ImportModel, ExamplesLookUnlikeDefaults) {
  const auto tone = [&](const char* field) { return part<QWidget>(field)->palette().color(QPalette::PlaceholderText); };
  for (const char* field : {"importFactory", "importInput"}) {
    EXPECT_THAT(part<QLineEdit>(field)->placeholderText().toStdString(), StartsWith("e.g. "));
    EXPECT_NE(tone(field), look::current().text) << field;
  }
  EXPECT_THAT(part<QPlainTextEdit>("importArguments")->placeholderText().toStdString(), StartsWith("e.g. "));
  for (const char* field : {"importPython", "importOut"}) EXPECT_EQ(tone(field), look::current().text) << field;
}

TEST_F(ImportModel, RemembersTheFieldsButTheFileFollowsTheFactory) {
  part<QPlainTextEdit>("importArguments")->setPlainText("width=64\ndepth=2");
  part<QSpinBox>("importSeed")->setValue(7);
  const QString program = python("exit 1");
  type("importOut", "other.pt2");
  importBy(program);
  dialog->close();
  QCoreApplication::sendPostedEvents(nullptr, QEvent::DeferredDelete);
  open();
  const ImportFields fields = dialog->form().fields();
  EXPECT_EQ(fields, (ImportFields{"net.py:make", "3x32x32", "width=64\ndepth=2", "", 7, 2, program, ""}));
  EXPECT_EQ(part<QLineEdit>("importOut")->placeholderText(), out());
  type("importFactory", "torchvision.models:resnet18");
  EXPECT_EQ(part<QLineEdit>("importOut")->placeholderText(), w.place.filePath("resnet18.pt2"));
}

TEST_F(ImportModel, SaysThatAFileIsReplaced) {
  ASSERT_TRUE(QFile::copy(kNetwork, out()));
  type("importInput", "3x32x32");
  type("importFactory", "net.py:make");
  EXPECT_EQ(sentence(), "make.pt2 exists. It is replaced once the new file is verified.");
  type("importFactory", "net.py:other");
  EXPECT_EQ(sentence(), "");
}

TEST_F(ImportModel, AChosenFileOffersItsFactories) {
  const QString path = w.place.filePath("net.py");
  const auto write = [&](const char* text) {
    QFile file(path);
    ASSERT_TRUE(file.open(QIODevice::WriteOnly));
    file.write(text);
  };
  write(
      "import torch\n\nclass Net(torch.nn.Module):\n  def forward(self, x): ...\n\ndef _own(): ...\ndef make(): ...\n");
  EXPECT_EQ(factoryNames(path), QStringList({"Net", "make"}));
  dialog->form().chooseNetworkFile(path);
  EXPECT_EQ(dialog->form().fields().factory, path + ":");
  write("def make(): ...\n");
  dialog->form().chooseNetworkFile(path);
  EXPECT_EQ(dialog->form().fields().factory, path + ":make");
  EXPECT_TRUE(factoryNames(w.place.filePath("absent.py")).isEmpty());
}

TEST_F(ImportModel, EveryPartIsReachedByTab) {
  importBy(python(writing(kNetwork)));
  QList<QWidget*> seen;
  dialog->activateWindow();
  part<QLineEdit>("importFactory")->setFocus();
  for (int i = 0; i < 30; ++i) {
    seen.append(dialog->focusWidget());
    QTest::keyClick(dialog->focusWidget(), Qt::Key_Tab);
  }
  qsizetype before = -1;
  for (const char* name : {"importFactory", "importFile", "importInput", "importArguments", "importSeed", "importBatch",
                           "importConfig", "importConfigChoose", "importPython", "importPythonChoose", "importOut",
                           "importOutChoose", "importLog", "importBlocks", "importStart", "importUse"}) {
    const qsizetype place = seen.indexOf(part<QWidget>(name));
    EXPECT_GT(place, before) << name;
    before = place;
  }
}

}  // namespace
}  // namespace lanelab
