// SPDX-License-Identifier: GPL-3.0-only
// The fields of the form: what is typed, refused and shown.

#include <QApplication>
#include <QListWidget>
#include <QSlider>
#include <QSpinBox>
#include <QWheelEvent>
#include <map>

#include "engine/experiment/edits/network_edits.h"
#include "engine/experiment/model_file.h"
#include "tests/gui/board/form_world.h"
#include "ui/look/theme.h"

namespace lanelab {
namespace {

TEST(Form, WhatIsTypedGoesToTheDocumentAsOneStep) {
  FormWorld world;
  world.type("dataBatch", "120");
  EXPECT_EQ(world.experiment().data.batch, 120);
  EXPECT_EQ(world.document.undoStack()->count(), 1);
  EXPECT_EQ(world.document.undoStack()->undoText(), "Batch");
  world.document.undoStack()->undo();
  EXPECT_EQ(world.input("dataBatch")->text(), "16");
}

TEST(Form, EveryKindOfFieldEdits) {
  FormWorld world;
  world.choose("modelArch", "resnet50");
  world.type("dataShape", "3x96x96");
  world.type("trainingLr", "0.05");
  world.type("trainingSeed", "18446744073709551615");
  world.choose("trainingLoss", "cross_entropy");
  world.choose("trainingLayout", "contiguous");
  world.choose("record", "actions");
  world.type("repeats", "7");
  world.type("warmup", "0");
  EXPECT_EQ(world.experiment().model.arch, "resnet50");
  EXPECT_EQ(world.experiment().data.shape, (Shape{3, 96, 96}));
  EXPECT_EQ(world.experiment().training.lr, 0.05);
  EXPECT_EQ(world.experiment().training.seed, 18446744073709551615ULL);
  EXPECT_EQ(world.experiment().training.loss, Loss::CrossEntropy);
  EXPECT_EQ(world.experiment().training.layout, Layout::Contiguous);
  EXPECT_EQ(world.experiment().record, RecordMode::Actions);
  EXPECT_EQ(world.experiment().repeats, 7);
  EXPECT_EQ(world.experiment().warmup, 0);
  EXPECT_TRUE(world.document.problems().empty());
}

TEST(Form, WhatIsNoNumberStaysInTheFieldWithASentence) {
  FormWorld world;
  world.type("dataBatch", "12x");
  EXPECT_EQ(world.input("dataBatch")->text(), "12x");
  EXPECT_EQ(world.experiment().data.batch, 12);
  EXPECT_TRUE(world.sentence("dataBatch").contains("12x")) << world.sentence("dataBatch").toStdString();
  EXPECT_FALSE(world.document.problems().empty()) << "it must not run with half a number";
  world.input("trainingLr")->setFocus();
  EXPECT_EQ(world.input("dataBatch")->text(), "12x");
  world.type("dataBatch", "32");
  EXPECT_EQ(world.sentence("dataBatch"), "");
  EXPECT_TRUE(world.document.problems().empty());
}

TEST(Form, RefusedTextGoesWithTheExperimentItWasTypedInto) {
  FormWorld world;
  world.type("dataBatch", "abc");
  ASSERT_NE(world.sentence("dataBatch"), "");
  Experiment other = smallExperiment();
  other.name = "other with the same batch";
  world.document.reset(other, {});
  EXPECT_EQ(world.input("dataBatch")->text(), "16");
  EXPECT_EQ(world.sentence("dataBatch"), "");
}

TEST(Form, ValuesThatCannotRunSayWhy) {
  FormWorld world;
  const std::pair<const char*, const char*> bad[] = {
      {"dataBatch", "0"}, {"dataSteps", "-3"},     {"trainingLr", "nan"},       {"trainingLr", "-1"},
      {"repeats", "0"},   {"dataShape", "square"}, {"dataShape", "3x0x0"},      {"modelClasses", "0"},
      {"warmup", "-1"},   {"trainingSeed", "-1"},  {"dataBatch", "99999999999"}};
  for (const auto& [name, text] : bad) {
    const QString good = world.input(name)->text();
    world.type(name, text);
    EXPECT_FALSE(world.sentence(name).isEmpty()) << name << " = " << text;
    EXPECT_EQ(world.input(name)->text(), text);
    world.type(name, good);
    EXPECT_EQ(world.sentence(name), "") << name << " = " << good.toStdString();
  }
}

/// Where each visible field of the form is on its page, by name.
std::map<QString, int> placesOf(const ExperimentPanel& panel) {
  QApplication::sendPostedEvents(nullptr, QEvent::LayoutRequest);
  const auto* page = panel.findChild<QWidget*>("experimentPage");
  std::map<QString, int> places;
  for (const FormField* field : page->findChildren<FormField*>())
    if (field->isVisible()) places[field->objectName()] = field->mapTo(page, QPoint()).y();
  return places;
}

TEST(Form, EpochsTakeThePlaceOfStepsWhichRemainWithAWordWhy) {
  FormWorld world;
  const auto unused = [&](const char* name) {
    const auto* why = world.panel.findChild<FormField*>(name)->findChild<QLabel*>("unusedField");
    EXPECT_EQ(why->isHidden(), world.input(name)->isEnabled()) << name;
    return why->isHidden() ? QString() : why->text();
  };
  EXPECT_EQ(unused("dataEpochs"), "needs Samples") << "random data have no end";
  EXPECT_EQ(unused("dataSteps"), "");
  world.document.edit("source", [](Experiment& e) { setDataSource(e, DataSource::Digits); });
  EXPECT_TRUE(world.document.problems().empty());
  EXPECT_EQ(unused("dataEpochs"), "");
  world.type("dataEpochs", "4");
  EXPECT_EQ(world.experiment().data.epochs, 4);
  EXPECT_EQ(unused("dataSteps"), "Epochs are set");
  world.panel.setReadOnly(true);
  world.panel.setReadOnly(false);
  EXPECT_EQ(unused("dataSteps"), "Epochs are set") << "also after a run";
  world.type("dataEpochs", "");
  EXPECT_EQ(world.experiment().data.epochs, std::nullopt);
  EXPECT_EQ(unused("dataSteps"), "");
  world.type("dataEpochs", "2");
  world.document.edit("source", [](Experiment& e) { setDataSource(e, DataSource::Random); });
  EXPECT_TRUE(world.document.problems().empty());
  EXPECT_EQ(unused("dataEpochs"), "needs Samples");
}

TEST(Form, NoRowMovesWhileOneTypes) {
  const struct {
    const char* field;
    const char* text;
  } cases[] = {{"dataRows", "64"},
               {"dataEpochs", "4"},
               {"dataEpochs", ""},
               {"dataRows", ""},
               {"dataBatch", "32"},
               {"trainingLabelSmoothing", "0.1"},
               {"trainingLabelSmoothing", "0"}};
  FormWorld world;
  world.choose("trainingLoss", "cross_entropy");
  for (const auto& c : cases) {
    const auto before = placesOf(world.panel);
    world.type(c.field, c.text);
    EXPECT_EQ(placesOf(world.panel), before) << c.field << " = " << c.text;
  }
}

TEST(Form, AProblemElsewhereMovesNoRow) {
  FormWorld world;
  const auto before = placesOf(world.panel);
  world.document.edit("Split size of another variant", [](Experiment& e) { e.variants[0].split_size = 99; });
  EXPECT_FALSE(world.panel.findChild<SentenceLabel*>("otherProblem")->isHidden());
  EXPECT_EQ(placesOf(world.panel), before);
}

TEST(Form, AllFieldsBeginInOneColumn) {
  FormWorld world;
  world.document.setActiveVariant(1);
  QApplication::sendPostedEvents(nullptr, QEvent::LayoutRequest);
  const auto* page = world.panel.findChild<QWidget*>("experimentPage");
  std::map<int, QStringList> columns;
  for (const FormField* field : page->findChildren<FormField*>())
    if (field->isVisible()) columns[field->mapTo(page, QPoint()).x()] << field->objectName();
  EXPECT_EQ(columns.size(), 1U) << columns.begin()->second.join(' ').toStdString() << " | "
                                << columns.rbegin()->second.join(' ').toStdString();
}

TEST(Form, ADefaultIsInTheToneOfValuesInEveryScheme) {
  FormWorld world;
  for (const look::Scheme scheme : {look::Scheme::Light, look::Scheme::Dark}) {
    look::apply(*qApp, scheme);
    QApplication::processEvents();
    const QPalette tone = world.input("trainingClipGradNorm")->palette();
    EXPECT_EQ(tone.color(QPalette::PlaceholderText), look::current().text);
    EXPECT_EQ(tone.color(QPalette::Text), look::current().text);
    EXPECT_NE(QApplication::palette().color(QPalette::PlaceholderText), look::current().text) << "that of examples";
  }
  look::apply(*qApp, look::Scheme::Light);
}

/// Those of a new experiment, which compares times, learn nothing.
TEST(Form, DigitsComeWithSettingsThatLearnThemUnlessTheUserHasSome) {
  FormWorld world;
  world.panel.show();
  world.choose("dataSource", "digits");
  const Experiment& chosen = world.experiment();
  EXPECT_TRUE(world.document.problems().empty());
  EXPECT_EQ(chosen.data.epochs, 6);
  EXPECT_EQ(chosen.repeats, 1);
  EXPECT_DOUBLE_EQ(chosen.training.lr, 0.05);
  EXPECT_DOUBLE_EQ(chosen.training.momentum, 0.9);
  FormWorld own;
  own.panel.show();
  own.document.edit("lr", [](Experiment& e) { e.training.lr = 0.3; });
  own.choose("dataSource", "digits");
  EXPECT_EQ(own.experiment().data.epochs, std::nullopt);
  EXPECT_DOUBLE_EQ(own.experiment().training.lr, 0.3);
}

TEST(Form, ATextHasAPathAndTheLossOfItsTokens) {
  FormWorld world;
  world.panel.show();
  world.choose("dataSource", "text");
  EXPECT_EQ(world.experiment().data.source, DataSource::Text);
  EXPECT_EQ(world.experiment().training.loss, Loss::CrossEntropy);
  EXPECT_TRUE(world.experiment().data.shuffle);
  EXPECT_FALSE(world.panel.findChild<QWidget*>("dataPath")->isHidden());
  EXPECT_EQ(world.input("dataPath")->placeholderText(), "UTF-8 text");
  EXPECT_TRUE(world.panel.findChild<QWidget*>("trainingLossShift")->isHidden()) << "of networks of tokens only";
  world.document.edit("shift", [](Experiment& e) { e.training.loss_shift = true; });
  EXPECT_FALSE(world.panel.findChild<QWidget*>("trainingLossShift")->isHidden()) << "what is set is shown";
}

TEST(Form, LabelsAreSmoothedWithCrossEntropyOnly) {
  FormWorld world;
  world.panel.show();
  const auto hidden = [&] { return world.panel.findChild<QWidget*>("trainingLabelSmoothing")->isHidden(); };
  world.choose("trainingLoss", "mse");
  EXPECT_TRUE(hidden());
  world.choose("trainingLoss", "cross_entropy");
  EXPECT_FALSE(hidden());
  world.type("trainingLabelSmoothing", "0.1");
  EXPECT_EQ(world.experiment().training.label_smoothing, 0.1);
  EXPECT_TRUE(world.document.problems().empty());
  world.choose("trainingLoss", "mse");
  EXPECT_FALSE(hidden()) << "what is set is shown";
  EXPECT_FALSE(world.sentence("trainingLabelSmoothing").isEmpty());
  world.type("trainingLabelSmoothing", "0");
  EXPECT_FALSE(hidden()) << "no row goes while one types";
  world.choose("trainingLoss", "cross_entropy");
  world.choose("trainingLoss", "mse");
  EXPECT_TRUE(hidden());
}

TEST(Form, AnEmptyLimitOfTheGradientNormIsNone) {
  FormWorld world;
  EXPECT_EQ(world.input("trainingClipGradNorm")->placeholderText(), "not clipped");
  world.type("trainingClipGradNorm", "1.5");
  EXPECT_EQ(world.experiment().training.clip_grad_norm, 1.5);
  world.type("trainingClipGradNorm", "0");
  EXPECT_FALSE(world.sentence("trainingClipGradNorm").isEmpty());
  world.type("trainingClipGradNorm", "");
  EXPECT_EQ(world.experiment().training.clip_grad_norm, std::nullopt);
  EXPECT_EQ(world.sentence("trainingClipGradNorm"), "");
}

TEST(Form, TheLearningRatesScheduleShowsWhatItNeeds) {
  FormWorld world;
  world.panel.show();
  const auto hidden = [&](const char* name) { return world.panel.findChild<QWidget*>(name)->isHidden(); };
  const struct {
    const char* schedule;
    bool falls, ends;
  } cases[] = {{"step", true, false}, {"cosine", false, true}, {"constant", false, false}};
  for (const auto& c : cases) {
    world.choose("trainingLrSchedule", c.schedule);
    EXPECT_EQ(toWord(world.experiment().training.lr_schedule), c.schedule);
    EXPECT_EQ(!hidden("trainingLrStepSize"), c.falls) << c.schedule;
    EXPECT_EQ(!hidden("trainingLrGamma"), c.falls) << c.schedule;
    EXPECT_EQ(!hidden("trainingLrMin"), c.ends) << c.schedule;
  }
  world.type("trainingLrWarmup", "5");
  EXPECT_EQ(world.experiment().training.lr_warmup, 5);
  world.type("trainingLrWarmup", "-5");
  EXPECT_FALSE(world.sentence("trainingLrWarmup").isEmpty());
}

TEST(Form, TheDocumentShowsInTheForm) {
  FormWorld world;
  world.document.edit("Change", [](Experiment& e) {
    e.data.batch = 64;
    e.training.optimizer = OptimizerKind::Adam;
  });
  EXPECT_EQ(world.input("dataBatch")->text(), "64");
  EXPECT_FALSE(world.field("trainingMomentum")->isVisibleTo(&world.panel));
  world.choose("trainingOptimizer", "sgd");
  EXPECT_TRUE(world.field("trainingMomentum")->isVisibleTo(&world.panel));
}

TEST(Form, AValueFromAFileThatIsNoChoiceIsShownAsItIs) {
  FormWorld world;
  world.document.edit("Model", [](Experiment& e) { e.model.arch = "vgg16"; });
  EXPECT_EQ(world.panel.findChild<ChoiceField*>("modelArch")->input()->currentText(), "vgg16");
  EXPECT_FALSE(world.sentence("modelArch").isEmpty());
}

TEST(Form, WhileReadOnlyNothingCanBeTyped) {
  FormWorld world;
  world.panel.setReadOnly(true);
  world.type("dataBatch", "99");
  world.click("variantAdd");
  EXPECT_EQ(world.experiment(), smallExperiment());
  world.panel.setReadOnly(false);
  world.type("dataBatch", "99");
  EXPECT_EQ(world.experiment().data.batch, 99);
}

TEST(Form, ARunInProgressIsNamedBelowTheForm) {
  FormWorld world;
  const auto* running = world.panel.findChild<SentenceLabel*>("runningSentence");
  EXPECT_TRUE(running->isHidden());
  world.panel.setReadOnly(true);
  EXPECT_EQ(running->text(), "Run in progress: settings are read-only.");
  world.panel.setReadOnly(false);
  EXPECT_TRUE(running->isHidden());
}

TEST(Form, ADisabledPlaceholderIsFainterThanADisabledValue) {
  look::apply(*qApp, look::Scheme::Light);
  const QPalette palette = QApplication::palette();
  const auto contrast = [&](QPalette::ColorRole role) {
    return std::abs(palette.color(QPalette::Disabled, role).lightnessF() -
                    palette.color(QPalette::Disabled, QPalette::Base).lightnessF());
  };
  EXPECT_LT(contrast(QPalette::PlaceholderText), contrast(QPalette::Text));
}

TEST(Form, AdamTakesNoMomentumAlong) {
  FormWorld world;
  world.type("trainingMomentum", "0.9");
  world.choose("trainingNesterov", "on");
  world.choose("trainingOptimizer", "adam");
  EXPECT_TRUE(world.document.problems().empty());
  world.document.undoStack()->undo();
  EXPECT_EQ(world.experiment().training.momentum, 0.9);
}

TEST(Form, BatchNormAndRecomputeAreChosenThere) {
  FormWorld world;
  world.choose("trainingBatchNorm", "deferred");
  world.choose("trainingRecompute", "stage");
  EXPECT_EQ(world.experiment().training.batch_norm, BatchNormMode::Deferred);
  EXPECT_EQ(world.experiment().training.recompute, Recompute::Stage);
  EXPECT_TRUE(world.document.problems().empty());
}

TEST(Form, ProblemsThatHaveNoFieldAreBelowTheForm) {
  FormWorld world;
  const auto* other = world.panel.findChild<SentenceLabel*>("otherProblem");
  EXPECT_TRUE(other->isHidden());
  world.document.edit("Threads", [](Experiment& e) { e.lanes[0].threads = 0; });
  EXPECT_TRUE(other->text().startsWith("lanes[0].threads")) << other->text().toStdString();
  world.document.undoStack()->undo();
  world.document.edit("Split size of another variant", [](Experiment& e) { e.variants[0].split_size = 99; });
  EXPECT_TRUE(other->text().startsWith("variants[0].split_size")) << other->text().toStdString();
}

TEST(Form, TabGoesDownTheForm) {
  FormWorld world;
  world.panel.findChild<ChoiceField*>("modelArch")->input()->setFocus();
  int last = -1;
  int stops = 0;
  const QWidget* page = world.panel.findChild<QWidget*>("experimentPage");
  for (; stops < 60; ++stops) {
    const QWidget* here = QApplication::focusWidget();
    const int y = here->mapTo(page, here->rect().center()).y();
    if (y < last - 4) break;
    last = y;
    QTest::keyClick(QApplication::focusWidget(), Qt::Key_Tab);
  }
  EXPECT_GE(stops, 25);
  EXPECT_EQ(QApplication::focusWidget(), world.panel.findChild<ChoiceField*>("modelArch")->input())
      << "after the last field comes the first, not " << QApplication::focusWidget()->metaObject()->className() << " "
      << QApplication::focusWidget()->objectName().toStdString();
}

TEST(Form, TheWheelScrollsByAndChangesNothing) {
  FormWorld world;
  world.input("dataBatch")->setFocus();
  for (QWidget* input : {static_cast<QWidget*>(world.panel.findChild<ChoiceField*>("modelArch")->input()),
                         static_cast<QWidget*>(world.panel.findChild<QSlider*>("splitSizeSlider")),
                         static_cast<QWidget*>(world.panel.findChild<QSpinBox*>("splitSizeNumber"))}) {
    const QPointF middle = input->rect().center();
    QWheelEvent wheel(middle, input->mapToGlobal(middle), {}, {0, -120}, Qt::NoButton, Qt::NoModifier,
                      Qt::NoScrollPhase, false);
    QApplication::sendEvent(input, &wheel);
  }
  EXPECT_EQ(world.experiment(), smallExperiment());
}

TEST(Form, EveryInputHasAName) {
  FormWorld world;
  for (const QWidget* widget : world.panel.findChildren<QWidget*>()) {
    const bool input = qobject_cast<const QLineEdit*>(widget) || qobject_cast<const QComboBox*>(widget) ||
                       qobject_cast<const QAbstractSpinBox*>(widget) || qobject_cast<const QAbstractSlider*>(widget) ||
                       qobject_cast<const QListWidget*>(widget) || qobject_cast<const QPushButton*>(widget);
    const bool part = widget->objectName().startsWith("qt_");
    const bool scroll_bar = widget->inherits("QScrollBar");
    if (!input || part || scroll_bar) continue;
    EXPECT_FALSE(widget->accessibleName().isEmpty())
        << widget->metaObject()->className() << " " << widget->objectName().toStdString();
  }
}

QString exported(const char* name) {
  return QStringLiteral(LANELAB_SOURCE_DIR "/tests/data/exported/%1.pt2").arg(QLatin1String(name));
}

TEST(Form, ShowsAModelFileAsTheNetworkAndLeadsBackToAName) {
  SmallWorld world;
  ExperimentPanel panel(&world.document);
  panel.show();
  auto* const network = panel.findChild<ChoiceField*>("modelArch");
  auto* const blocks = panel.findChild<ChoiceField*>("modelBlocks");
  ASSERT_TRUE(network && blocks);
  EXPECT_EQ(network->input()->itemText(network->input()->count() - 1), "Choose File...");
  EXPECT_TRUE(blocks->isHidden());
  const Experiment before = world.document.experiment();
  world.document.useModel("Network", openModelFile(exported("gpt2").toStdString()));
  EXPECT_EQ(network->input()->currentText(), "gpt2.pt2");
  EXPECT_EQ(blocks->input()->currentText(), "Automatic");
  EXPECT_FALSE(blocks->isHidden());
  EXPECT_TRUE(world.document.problems().empty()) << world.document.problems().front().message;
  blocks->input()->setCurrentIndex(1);
  Q_EMIT blocks->input()->activated(1);
  EXPECT_EQ(world.document.experiment().model.blocks->depth, 1);
  world.document.undoStack()->undo();
  world.document.undoStack()->undo();
  EXPECT_EQ(world.document.experiment(), before);
  world.document.undoStack()->redo();
  const int resnet = network->input()->findData("resnet18");
  Q_EMIT network->input()->activated(resnet);
  EXPECT_EQ(world.document.experiment().model.file, std::nullopt);
  EXPECT_EQ(network->input()->currentText(), "ResNet-18");
}

TEST(Form, AModelFileThatCannotBeReadIsAProblemOfItsRow) {
  SmallWorld world;
  ExperimentPanel panel(&world.document);
  panel.show();
  world.document.useModel("Network", openModelFile("/nowhere/net.pt2"));
  auto* const network = panel.findChild<ChoiceField*>("modelArch");
  ASSERT_NE(network, nullptr);
  EXPECT_EQ(network->input()->currentText(), "net.pt2");
  EXPECT_TRUE(network->findChild<SentenceLabel*>()->text().contains("net.pt2"));
  EXPECT_TRUE(panel.findChild<SentenceLabel*>("otherProblem")->isHidden());
  EXPECT_FALSE(world.document.model().blocks.empty()) << "the board shows the network before";
}

}  // namespace
}  // namespace lanelab
