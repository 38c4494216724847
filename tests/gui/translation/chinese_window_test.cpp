// SPDX-License-Identifier: GPL-3.0-only
// The window in Chinese: each text that it asks for is translated, what it shows is Chinese, and nothing is cut on a
// small screen.
#include <gtest/gtest.h>

#include <QAbstractButton>
#include <QCheckBox>
#include <QComboBox>
#include <QDialog>
#include <QDockWidget>
#include <QLabel>
#include <QMenu>
#include <QMenuBar>
#include <QPushButton>
#include <QRegularExpression>
#include <QSet>
#include <QTabBar>
#include <QTableView>
#include <QToolButton>
#include <QTranslator>

#include "tests/gui/window/window_world.h"
#include "ui/experiment/experiment_panel.h"
#include "ui/help/glossary.h"
#include "ui/look/language.h"
#include "ui/look/plain_text.h"
#include "ui/timeline/view/timeline_view.h"

namespace lanelab::test {
namespace {

constexpr QSize kSmallScreen(1280, 690);  ///< of 1280x720 without a window's frame

/// Asked last, for what no translation has. Qt's own texts come with Qt, whole or not.
class AskedInVain : public QTranslator {
 public:
  bool isEmpty() const override { return false; }
  QString translate(const char* context, const char* source, const char*, int) const override {
    const QString room = QString::fromUtf8(context), text = QString::fromUtf8(source);
    const bool own = room == QLatin1String("QObject") || !room.startsWith(QLatin1Char('Q'));
    if (own && text.contains(QRegularExpression("[A-Za-z]"))) m_texts.insert(room + ": " + text);
    return {};
  }
  QStringList texts() const { return m_texts.values(); }

 private:
  mutable QSet<QString> m_texts;
};

/// Names that stay as they are: of networks, schedules, programs, formats and keys, what users type, and units.
QStringList englishIn(QString text) {
  static const QRegularExpression names(
      "LaneLab|PyTorch|Perfetto|Nsight Systems|GPipe|ResNet|DataParallel|DDP|GPUs?|CPUs?|CSV|PNG|SVG|PDF|HTML|JSON|"
      "CIFAR|SGD|Adam|Nesterov|Gamma|Ctrl|Shift|Alt|Space|Enter|Esc|MiB|GiB|MACs|ReLU|fp32|cpu:|cuda:|fake "
      "core|resnet18|"
      "Single|Pipeline|Model parallel|small|layer\\d\\.\\d|stem|conv\\d|head|lanelab\\w*|ViT|ConvNeXt|U-Net|Swin|"
      "MLP-Mixer|GPT-2|Llama|torchtitan|DeepSpeed|Megatron|accelerate|BFS|ZB|DualPipeV|Hanayo|Half|Min|std|Qt|ATen|"
      "Holm|（blocks）",
      QRegularExpression::CaseInsensitiveOption);
  static const QRegularExpression word("[A-Za-z]{3,}");
  text.remove(names);
  QStringList found;
  for (auto matches = word.globalMatch(text); matches.hasNext();) found << matches.next().captured();
  return found;
}

void collectMenu(const QMenu& menu, QStringList& texts) {
  for (const QAction* action : menu.actions()) {
    texts << action->text();
    if (action->menu()) collectMenu(*action->menu(), texts);
  }
}

/// What the widgets of a room say, without what the user typed.
QStringList textsOf(const QWidget& room) {
  QStringList texts{room.windowTitle()};
  for (const QLabel* label : room.findChildren<QLabel*>()) texts << label->text();
  for (const QAbstractButton* button : room.findChildren<QAbstractButton*>()) texts << button->text();
  for (const QComboBox* box : room.findChildren<QComboBox*>())
    for (int i = 0; i < box->count(); ++i) texts << box->itemText(i);
  for (const QTabBar* tabs : room.findChildren<QTabBar*>())
    for (int i = 0; i < tabs->count(); ++i) texts << tabs->tabText(i);
  for (const QAbstractItemView* view : room.findChildren<QAbstractItemView*>())
    for (int column = 0; view->model() && column < view->model()->columnCount(); ++column)
      texts << view->model()->headerData(column, Qt::Horizontal).toString();
  return texts;
}

/// What a label or a button has to show in one line; empty for all else.
QString lineOf(const QWidget& widget) {
  const auto* label = qobject_cast<const QLabel*>(&widget);
  if (label) return label->wordWrap() ? QString() : label->text();
  const auto* tool = qobject_cast<const QToolButton*>(&widget);
  if (tool && tool->toolButtonStyle() == Qt::ToolButtonIconOnly) return {};
  const auto* button = qobject_cast<const QAbstractButton*>(&widget);
  return button ? look::withoutMnemonic(button->text()) : QString();
}

class ChineseWindow : public testing::Test {
 protected:
  static void SetUpTestSuite() {
    QCoreApplication::installTranslator(&vain());
    look::useLanguage(*qApp, QStringLiteral("zh_CN"));
  }
  static AskedInVain& vain() {
    static AskedInVain all;
    return all;
  }
  static void expectChinese(const QStringList& texts) {
    for (const QString& text : texts)
      EXPECT_TRUE(englishIn(text).isEmpty()) << text.toStdString() << ": " << englishIn(text).join(' ').toStdString();
  }
  static void expectWhole(QWidget& room) {
    int seen = 0;
    for (QWidget* widget : room.findChildren<QWidget*>()) {
      const QString line = lineOf(*widget);
      if (line.isEmpty() || widget->visibleRegion().isEmpty()) continue;
      ++seen;
      EXPECT_GE(widget->width(), widget->fontMetrics().horizontalAdvance(line))
          << widget->objectName().toStdString() << ": " << line.toStdString();
      EXPECT_GE(widget->height(), widget->fontMetrics().height()) << line.toStdString();
    }
    EXPECT_GT(seen, 20);
    for (QTabBar* tabs : room.findChildren<QTabBar*>())
      for (int i = 0; tabs->isVisible() && i < tabs->count(); ++i)
        EXPECT_GE(tabs->tabRect(i).width(),
                  tabs->fontMetrics().horizontalAdvance(look::withoutMnemonic(tabs->tabText(i))))
            << tabs->tabText(i).toStdString();
  }

  WindowWorld w;
};

TEST_F(ChineseWindow, IsAmongTheLanguagesAndInUse) {
  EXPECT_EQ(look::currentLanguage(), QLatin1String("zh_CN"));
  QStringList codes;
  for (const look::Language& language : look::languages()) codes << language.code;
  EXPECT_TRUE(codes.contains("zh_CN"));
  EXPECT_EQ(QCoreApplication::translate("messages", "{} has no lane {}."), QStringLiteral("{} 没有泳道 {}。"));
}

TEST_F(ChineseWindow, HasNoEnglishInItsMenus) {
  QStringList texts;
  for (const QAction* top : w.window->menuBar()->actions()) {
    texts << top->text();
    if (top->menu()) collectMenu(*top->menu(), texts);
  }
  EXPECT_GT(texts.size(), 100);
  expectChinese(texts);
}

TEST_F(ChineseWindow, HasNoEnglishInItsFormAndPanes) {
  ASSERT_TRUE(w.runToTheEnd());
  ASSERT_TRUE(waitFor([&] { return w.find<TimelineView>("timeline")->trace() != nullptr; }));
  expectChinese(textsOf(*w.window->findChild<ExperimentPanel*>()));
  for (const QDockWidget* dock : w.window->findChildren<QDockWidget*>()) expectChinese({dock->windowTitle()});
}

TEST_F(ChineseWindow, HasNoEnglishInWhatItSaysOfARun) {
  ASSERT_TRUE(w.runToTheEnd());
  auto* const caption = w.find<QLabel>("comparisonCaption");
  ASSERT_TRUE(waitFor([&] { return !caption->toolTip().isEmpty(); })) << "notes on few repeats or several variants";
  for (const char* name : {"comparisonHeadline", "comparisonTrust", "comparisonCaption"})
    expectChinese({w.find<QLabel>(name)->text(), w.find<QLabel>(name)->toolTip()});
}

TEST_F(ChineseWindow, CutsNoTextOnASmallScreen) {
  w.window->resize(kSmallScreen);
  ASSERT_TRUE(w.runToTheEnd());
  ASSERT_TRUE(waitFor([&] { return w.find<TimelineView>("timeline")->trace() != nullptr; }));
  expectWhole(*w.window);
}

TEST_F(ChineseWindow, ExplainsItsTermsInChinese) {
  EXPECT_TRUE(termTip(QStringLiteral("气泡")).startsWith(QStringLiteral("气泡：")));
  for (const auto& [label, term] : {std::pair("微批次大小（样本）", "微批次"), std::pair("周期 (ms)", "周期"),
                                    std::pair("空闲时间所属(&I)：", "空闲"), std::pair("模块", "")}) {
    const Term* const found = termOf(QString::fromUtf8(label));
    EXPECT_EQ(found ? found->words.front() : QString(), QString::fromUtf8(term)) << label;
  }
  int rows = 0;
  for (const QString& line : findPage("docs/glossary.md")->markdown.split('\n')) rows += line.startsWith("| ");
  EXPECT_EQ(glossary().size(), rows - 1) << "as many as in English, without the header";
  for (const Term& term : glossary()) EXPECT_NE(findSection(term.more), nullptr) << term.words.front().toStdString();
}

/// Last: it hears what all of the others asked for, too.
TEST_F(ChineseWindow, LacksNoTranslationOfWhatItAsksFor) {
  ASSERT_TRUE(w.runToTheEnd());
  ASSERT_TRUE(waitFor([&] { return w.find<TimelineView>("timeline")->trace() != nullptr; }));
  for (const char* action : {"settings", "keys", "about", "commandPalette", "cuts", "deviceMap", "whatIf", "lessons",
                             "buildSchedule", "importModel", "attach", "exportScript"}) {
    QAction* const entry = w.window->action(action);
    if (!entry || !entry->isEnabled()) continue;
    QTimer::singleShot(0, w.window.get(), [] {
      for (QWidget* top : QApplication::topLevelWidgets())
        if (top->isModal()) top->close();
    });
    entry->trigger();
    QCoreApplication::processEvents();
  }
  EXPECT_EQ(vain().texts().join('\n').toStdString(), "");
}

}  // namespace
}  // namespace lanelab::test
