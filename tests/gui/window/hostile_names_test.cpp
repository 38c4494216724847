// SPDX-License-Identifier: GPL-3.0-only
// Names that somebody chose to break the window: shown as they are, on every page, and nothing they name is opened.
#include <gtest/gtest.h>

#include <QAbstractButton>
#include <QAbstractItemView>
#include <QApplication>
#include <QClipboard>
#include <QComboBox>
#include <QDir>
#include <QGraphicsTextItem>
#include <QGraphicsView>
#include <QLabel>
#include <QLineEdit>
#include <QListWidget>
#include <QMenu>
#include <QMessageBox>
#include <QScreen>
#include <QScrollArea>
#include <QStyledItemDelegate>
#include <QTabBar>
#include <QTextBlock>
#include <QTextDocument>
#include <QToolTip>
#include <QTranslator>
#include <set>

#include "base/atomic_file.h"
#include "base/utf8.h"
#include "engine/record/run_store.h"
#include "tests/gui/window/hostile_names.h"
#include "tests/gui/window/window_world.h"
#include "ui/look/elided_label.h"
#include "ui/look/plain_label.h"
#include "ui/look/plain_text.h"
#include "ui/timeline/view/timeline_view.h"

namespace lanelab {
namespace {

using test::hostileNames;
using test::waitFor;
using test::WatchedPipe;
using test::WindowWorld;

constexpr int kWidest = 1440;
constexpr int kLongestText = 6000;

bool isClean(const QString& text) {
  for (const char32_t code : text.toUcs4())
    if ((isControl(code) && code != '\n' && code != '\t') || isNonCharacter(code) || isBidiOverride(code)) return false;
  return text.size() <= kLongestText;
}

std::string shortOf(const QString& text) {
  return text.left(80).toStdString() + " (" + std::to_string(text.size()) + ")";
}

/// Shows a text as Qt shows tooltips, and looks at the label that it makes for them.
void expectPlainTip(const QString& text, QWidget* over) {
  if (!Qt::mightBeRichText(text)) return;
  QToolTip::showText(over->mapToGlobal(QPoint(1, 1)), text, over);
  for (QWidget* top : QApplication::topLevelWidgets()) {
    auto* label = qobject_cast<QLabel*>(top);
    if (!label || label->windowType() != Qt::ToolTip || !label->isVisible()) continue;
    EXPECT_EQ(label->textFormat(), Qt::PlainText) << shortOf(text);
    EXPECT_LE(label->width(), label->screen()->availableSize().width());
  }
  QToolTip::hideText();
}

class Walk {
 public:
  /// All that the program shows now, hidden pages too.
  void all() {
    for (QWidget* widget : QApplication::allWidgets()) {
      widget->ensurePolished();
      see(widget->toolTip(), widget);
      see(widget->accessibleName(), widget);
      see(widget->windowTitle(), widget);
      for (const QAction* action : widget->actions()) {
        see(action->text(), widget);
        see(action->toolTip(), widget);
      }
      if (auto* label = qobject_cast<QLabel*>(widget)) seeLabel(*label);
      if (auto* button = qobject_cast<QAbstractButton*>(widget)) see(button->text(), widget);
      if (auto* bar = qobject_cast<QTabBar*>(widget)) seeTabs(*bar);
      if (auto* box = qobject_cast<QComboBox*>(widget)) seeChoices(*box);
      if (auto* view = qobject_cast<QAbstractItemView*>(widget)) seeItems(*view);
      if (auto* view = qobject_cast<QGraphicsView*>(widget)) seeScene(*view);
    }
  }
  int labels = 0, items = 0, drawn = 0;

 private:
  void see(const QString& text, QWidget* at) {
    if (!m_seen.insert(text).second) return;
    EXPECT_TRUE(isClean(text)) << at->objectName().toStdString() << " " << at->metaObject()->className() << ": "
                               << shortOf(text);
    expectPlainTip(text, at);
  }
  void seeLabel(QLabel& label) {
    ++labels;
    EXPECT_EQ(label.textFormat(), Qt::PlainText) << label.objectName().toStdString() << ": " << shortOf(label.text());
    see(label.text(), &label);
    EXPECT_TRUE(label.minimumWidth() > 0 || label.minimumSizeHint().width() < kWidest)
        << label.objectName().toStdString() << shortOf(label.text());
  }
  void seeTabs(QTabBar& bar) {
    for (int i = 0; i < bar.count(); ++i) {
      see(bar.tabText(i), &bar);
      see(bar.tabToolTip(i), &bar);
    }
  }
  void seeChoices(QComboBox& box) {
    for (int i = 0; i < box.count(); ++i) {
      see(box.itemText(i), &box);
      see(box.itemData(i, Qt::ToolTipRole).toString(), &box);
    }
  }
  void seeItems(QAbstractItemView& view) {
    const QAbstractItemModel* model = view.model();
    if (!model) return;
    const auto* delegate = qobject_cast<QStyledItemDelegate*>(view.itemDelegate());
    for (int column = 0; column < model->columnCount(); ++column) {
      see(model->headerData(column, Qt::Horizontal).toString(), &view);
      see(model->headerData(column, Qt::Horizontal, Qt::ToolTipRole).toString(), &view);
      for (int row = 0; row < model->rowCount(); ++row) {
        const QModelIndex index = model->index(row, column);
        const QVariant shown = index.data(Qt::DisplayRole);
        see(delegate ? delegate->displayText(shown, QLocale::c()) : shown.toString(), &view);
        see(index.data(Qt::ToolTipRole).toString(), &view);
        ++items;
      }
    }
  }
  void seeScene(QGraphicsView& view) {
    if (!view.scene()) return;
    for (const QGraphicsItem* item : view.scene()->items()) {
      see(item->toolTip(), &view);
      if (const auto* text = dynamic_cast<const QGraphicsTextItem*>(item)) seeDocument(*text->document());
    }
  }
  /// Qt Charts draws its texts as HTML: what is left of a name must be letters only.
  void seeDocument(const QTextDocument& document) {
    ++drawn;
    for (QTextBlock block = document.begin(); block.isValid(); block = block.next())
      for (auto at = block.begin(); !at.atEnd(); ++at) {
        const QTextCharFormat format = at.fragment().charFormat();
        EXPECT_FALSE(format.isImageFormat() || format.isAnchor() || format.fontWeight() > QFont::Normal)
            << shortOf(document.toPlainText());
      }
  }

  std::set<QString> m_seen;
};

Experiment experimentNamed(const std::vector<std::string>& names) {
  Experiment experiment = test::smallExperiment();
  experiment.name = names.front();
  experiment.repeats = 2;
  experiment.warmup = 0;
  experiment.data.steps = 1;
  experiment.lanes[0].name = names.front();
  experiment.lanes[1].name = names.back();
  const std::vector<VariantConfig> three = experiment.variants;
  experiment.variants.clear();
  for (std::size_t i = 0; i < names.size(); ++i) {
    experiment.variants.push_back(three[i % three.size()]);
    experiment.variants.back().name = names[i];
  }
  return experiment;
}

class HostileNames : public ::testing::Test {
 protected:
  void SetUp() override { ASSERT_TRUE(pipe.made()); }
  void TearDown() override { EXPECT_FALSE(pipe.wasRead()) << "a name was obeyed"; }
  std::string message() const { return w.window->messages().sentence().toStdString(); }
  void expectFits() const {
    for (const QWidget* top : QApplication::topLevelWidgets()) {
      if (!top->isVisible()) continue;
      EXPECT_LE(top->width(), kWidest) << top->objectName().toStdString();
      EXPECT_LE(top->minimumSizeHint().width(), kWidest) << top->objectName().toStdString();
    }
    const auto* form = w.find<QScrollArea>("experimentScroll");  // it cannot be scrolled sideways
    EXPECT_LE(form->widget()->minimumSizeHint().width(), form->viewport()->width());
  }

  WindowWorld w;
  WatchedPipe pipe{w.place.filePath("pipe").toStdString()};
  std::vector<std::string> names = hostileNames(pipe.path());
};

TEST_F(HostileNames, OfARunAreShownAsTheyAre) {
  Walk walk;
  w.window->openExperiment(experimentNamed(names), {});
  w.trigger("run");  // control characters and 10,000 characters are refused in a sentence
  EXPECT_TRUE(w.window->messages().isVisible());
  QApplication::processEvents();
  walk.all();
  expectFits();
  for (std::string& name : names) name = look::typedName(QString::fromStdString(name)).toStdString();
  w.window->openExperiment(experimentNamed(names), {});
  ASSERT_TRUE(w.runToTheEnd());
  ASSERT_TRUE(w.record()) << message();
  ASSERT_EQ(w.record()->status, RunStatus::Done) << message();
  for (int i = 0; i < static_cast<int>(names.size()); i += 3) {
    w.window->document().setActiveVariant(i);
    ASSERT_TRUE(waitFor([&] {
      return w.find<TimelineView>("timeline")->trace() &&
             w.find<TimelineView>("timeline")->trace()->title == names[static_cast<std::size_t>(i)];
    }));
    QApplication::processEvents();
    walk.all();
    expectFits();
  }
  for (const char* dialog : {"bookmarks", "whatIf", "deviceMap", "cuts", "keys", "about"})
    if (w.window->action(dialog)->isEnabled()) w.trigger(dialog);
  w.window->document().edit("steps", [](Experiment& e) { e.data.steps = 3; });
  w.window->close();  // asks about unsaved changes
  EXPECT_NE(w.find<QMessageBox>("unsavedBox"), nullptr);
  QApplication::processEvents();
  walk.all();
  expectFits();
  EXPECT_GT(walk.labels, 20);
  EXPECT_GT(walk.items, 50);
  EXPECT_GT(walk.drawn, 5);
  EXPECT_EQ(w.find<QTableView>("runs")->model()->index(0, 1).data().toString().left(4), "<img");
}

TEST_F(HostileNames, OfAnImportedTraceAreShownAsTheyAre) {
  QByteArray json = "{\"traceEvents\":[";
  const auto quoted = [](const std::string& text) {
    std::string out;
    for (const char c : text) {
      char code[8];
      std::snprintf(code, sizeof code, "\\u%04x", static_cast<unsigned>(c));
      out += c == '"' || c == '\\' || (static_cast<unsigned char>(c) < 0x20) ? code : std::string(1, c);
    }
    return QByteArray::fromStdString('"' + out + '"');
  };
  for (std::size_t i = 0; i < names.size(); ++i) {
    const QByteArray pid = QByteArray::number(static_cast<int>(i + 1)), name = quoted(names[i]);
    json += "{\"ph\":\"M\",\"name\":\"process_name\",\"pid\":" + pid + ",\"tid\":1,\"args\":{\"name\":" + name + "}},";
    json += "{\"ph\":\"M\",\"name\":\"thread_name\",\"pid\":" + pid + ",\"tid\":1,\"args\":{\"name\":" + name + "}},";
    json += "{\"ph\":\"C\",\"name\":" + name + ",\"pid\":" + pid + ",\"ts\":1,\"args\":{" + name + ":3}},";
    for (const char* at : {"10", "40"})
      json += "{\"ph\":\"X\",\"cat\":" + name + ",\"name\":" + name + ",\"pid\":" + pid + ",\"tid\":1,\"ts\":" + at +
              ",\"dur\":20},";
  }
  json.chop(1);
  const QString path = w.place.filePath("<b>trace & %1</b>.json").replace("</b>", "<\u202Eb>");
  ASSERT_TRUE(writeFileAtomically(path.toStdString(), (json + "]}").toStdString()).ok());
  w.window->openPath(path);
  auto* const timeline = w.find<TimelineView>("timeline");
  ASSERT_TRUE(waitFor([&] { return timeline->trace() != nullptr; })) << message();
  QTest::keyClick(timeline, Qt::Key_Period);
  QTest::mouseMove(timeline, timeline->rect().center());
  w.window->findChild<QMenu*>("recentMenu")->aboutToShow();
  QApplication::processEvents();
  Walk walk;
  walk.all();
  expectFits();
  EXPECT_TRUE(w.find<ElidedLabel>("traceHeadline")->text().startsWith("<b>trace & %1<"))
      << w.find<ElidedLabel>("traceHeadline")->text().toStdString();
}

TEST_F(HostileNames, OfPipesAndDevicesAreRefusedInWords) {
  const QString run = w.place.filePath("run");
  ASSERT_TRUE(QDir().mkpath(run));
  ASSERT_EQ(::mkfifo((run + "/run.json").toStdString().c_str(), 0600), 0);
  for (const QString& path : {QString::fromStdString(pipe.path()), QStringLiteral("/dev/zero"), run}) {
    w.window->messages().clear();
    w.window->openPath(path);
    ASSERT_TRUE(waitFor([&] { return w.window->messages().isVisible(); })) << path.toStdString();
    EXPECT_TRUE(w.window->messages().sentence().contains("not a regular file")) << message();
  }
}

TEST_F(HostileNames, CannotBePastedIntoANameField) {
  auto* list = w.find<QListWidget>("variantList");
  list->setCurrentRow(1);
  list->editItem(list->item(1));
  auto* editor = list->findChild<QLineEdit*>();
  ASSERT_NE(editor, nullptr);
  QApplication::clipboard()->setText(QStringLiteral("a\x1b") + QStringLiteral("b\nc ") + QString(300, 'x'));
  editor->selectAll();
  editor->paste();
  EXPECT_EQ(editor->text(), "ab c " + QString(194, 'x'));
  QTest::keyClick(editor, Qt::Key_Return);
  EXPECT_TRUE(
      waitFor([&] { return w.window->document().experiment().variants[1].name == "ab c " + std::string(194, 'x'); }));
}

/// German, where the values change places.
class GermanMessages : public QTranslator {
 public:
  bool isEmpty() const override { return false; }
  QString translate(const char* context, const char* source, const char*, int) const override {
    if (QByteArray(context) != "messages" || QByteArray(source) != "{} has no lane {}.") return {};
    return "Eine Lane {1} gibt es in {0} nicht.";
  }
};

TEST(PlainText, PutsAnErrorIntoTheLanguageOfTheWindow) {
  const Error error = Error::badInput("{} has no lane {}.", "demo", 7);
  EXPECT_EQ(look::shownText(error), "demo has no lane 7.");
  GermanMessages german;
  QCoreApplication::installTranslator(&german);
  EXPECT_EQ(look::shownText(error), "Eine Lane 7 gibt es in demo nicht.");
  EXPECT_EQ(look::shownText(Error::failed("{} ({})", "Halt", error)), "Halt (Eine Lane 7 gibt es in demo nicht.)");
  QCoreApplication::removeTranslator(&german);
  EXPECT_EQ(look::shownText(Error::failed(verbatim("out of memory"))), "out of memory");
}

TEST(PlainText, ShowsNamesInOneLineAndShort) {
  EXPECT_EQ(look::shownName(QStringLiteral("Pipeline <b> & 1")), "Pipeline <b> & 1");
  EXPECT_EQ(look::shownName(QStringLiteral("a\nb\x1b")), QStringLiteral("a\uFFFDb\uFFFD"));
  EXPECT_EQ(look::shownName(std::string(10'000, 'w')).size(), 120);
  EXPECT_EQ(look::briefName(std::string(100, 'w')).size(), 28);
  EXPECT_EQ(look::buttonText(QStringLiteral("a & b")), "a && b");
  EXPECT_EQ(look::shownText(QStringLiteral("two\nlines of /a/path")), "two\nlines of /a/path");
  EXPECT_LT(look::shownText(std::string(10'000, 'w')).size(), 100);
  EXPECT_EQ(look::typedName(QStringLiteral("a\tb\x7f")), "a b");
  const QString chinese = QStringLiteral("泳道在等待。").repeated(50);
  EXPECT_EQ(look::shownText(chinese), chinese) << "lines may be broken between its characters";
}

TEST(PlainText, OfAnEntryHasNoMarkOfItsKey) {
  for (const auto& [text, shown] : {std::pair("&Open...", "Open..."), std::pair("打开(&O)...", "打开..."),
                                    std::pair("a && b", "a & b"), std::pair("f(x)", "f(x)")})
    EXPECT_EQ(look::withoutMnemonic(QString::fromUtf8(text)), QString::fromUtf8(shown));
}

TEST(PlainText, IsNotObeyedBeforeALabelIsShown) {
  QTemporaryDir place;
  const WatchedPipe pipe(place.filePath("pipe").toStdString());
  ASSERT_TRUE(pipe.made());
  for (const std::string& name : hostileNames(pipe.path())) {
    const QString text = QString::fromStdString(name);
    EXPECT_EQ(look::PlainLabel(text).text(), text);
    const std::unique_ptr<QMessageBox> box(
        look::plainBox("box", QMessageBox::Question, text, text, QMessageBox::Ok, nullptr));
    EXPECT_EQ(box->text(), look::shownText(text));
    EXPECT_EQ(box->textFormat(), Qt::PlainText);
  }
  EXPECT_FALSE(pipe.wasRead());
}

}  // namespace
}  // namespace lanelab
