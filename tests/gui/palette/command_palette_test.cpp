// SPDX-License-Identifier: GPL-3.0-only
// The palette over sources of the test: what it finds first, how long that takes, and how the keyboard goes through it.
#include "ui/palette/command_palette.h"

#include <gtest/gtest.h>

#include <QElapsedTimer>
#include <QLabel>
#include <QLineEdit>
#include <QTest>
#include <QTreeView>

#include "ui/palette/palette_model.h"

namespace lanelab {
namespace {

PaletteEntry command(const QString& menus, const QString& title, const QString& why_not = {}) {
  return {.kind = "Command", .title = title, .detail = menus, .why_not = why_not};
}

QStringList titlesOf(const QList<PaletteEntry>& entries, const QString& typed) {
  QStringList titles;
  for (const int index : PaletteSearch(entries).matches(typed)) titles << entries[index].title;
  return titles;
}

TEST(PaletteSearch, AllWordsCountInAnyCaseAndNamesThatBeginSoComeFirst) {
  const QList<PaletteEntry> entries{command("View", "Reopen"), command("File", "Open Recent"),
                                    command("File", "Open..."), command("File > Opened", "Report")};
  EXPECT_EQ(titlesOf(entries, "open"), QStringList({"Open Recent", "Open...", "Report", "Reopen"}));
  EXPECT_EQ(titlesOf(entries, "file REPORT"), QStringList({"Report"}));
  EXPECT_EQ(titlesOf(entries, "").size(), 4);
  EXPECT_TRUE(titlesOf(entries, "zoom").isEmpty());
}

TEST(PaletteSearch, WhatBelongsToTheFrontComesFirstIfItHasTheWords) {
  QList<PaletteEntry> entries{command("Edit > Copy as Command", "Export of the Report"),
                              command("File > Export", "Comparison..."), command("File > Export", "Timeline...")};
  EXPECT_EQ(titlesOf(entries, "export").front(), "Export of the Report");
  entries[2].belongs_to_front = true;
  EXPECT_EQ(titlesOf(entries, "export"), QStringList({"Timeline...", "Export of the Report", "Comparison..."}));
  EXPECT_EQ(titlesOf(entries, "comparison"), QStringList({"Comparison..."}));
}

TEST(PaletteSearch, OfEquallyGoodOnesThosePossibleComeFirst) {
  const QList<PaletteEntry> entries{command("Edit", "Redo One", "No."), command("Edit", "Redo Two")};
  EXPECT_EQ(titlesOf(entries, "redo"), QStringList({"Redo Two", "Redo One"}));
  EXPECT_EQ(titlesOf(entries, ""), QStringList({"Redo One", "Redo Two"}));  // all of them in order
}

TEST(PaletteSearch, AKindIsAWord) {
  QList<PaletteEntry> entries{command("Edit", "layer1"), command("Edit", "layer1")};
  entries[1].kind = "Block";
  EXPECT_EQ(PaletteSearch(entries).matches("block layer1"), std::vector<int>{1});
}

TEST(PaletteSearch, ALetterCostsLessThanAFrameWithThousandsOfEntries) {
  QList<PaletteEntry> entries;
  for (int i = 0; i < 1000; ++i)
    entries << PaletteEntry{.kind = "Run", .title = QString("demo run %1").arg(i), .detail = "resnet18, 1F1B, 3 Nov"};
  for (int i = 0; i < 500; ++i)
    entries << PaletteEntry{.kind = "Block", .title = QString("transformer.h.%1").arg(i), .detail = "gpt2"};
  const PaletteSearch search(entries);
  constexpr int kFrame = 16;  // milliseconds
  for (const char* typed : {"", "r", "run 7", "transformer", "1f1b demo"}) {
    qint64 shortest = 1000;
    for (int round = 0; round < 5; ++round) {
      QElapsedTimer timer;
      timer.start();
      EXPECT_FALSE(search.matches(typed).empty());
      shortest = std::min(shortest, timer.elapsed());
    }
    EXPECT_LT(shortest, kFrame) << typed;
  }
}

class CommandPaletteTest : public ::testing::Test {
 protected:
  CommandPaletteTest() {
    const PaletteSource source = [this] {
      PaletteEntry add = command("Edit", "Add Lane");
      add.run = [this] { ++runs; };
      return QList<PaletteEntry>{add, command("Edit", "Undo", "There is no edit to undo.")};
    };
    dialog = new CommandPalette(&window, {source});
    dialog->show();
    EXPECT_TRUE(QTest::qWaitForWindowExposed(dialog));
  }
  QLineEdit* words() const { return dialog->findChild<QLineEdit*>("commandWords"); }
  QTreeView* list() const { return dialog->findChild<QTreeView*>("commandList"); }
  QString whyNot() const { return dialog->findChild<QLabel*>("commandWhyNot")->text(); }

  QWidget window;
  QPointer<CommandPalette> dialog;
  int runs = 0;
};

TEST_F(CommandPaletteTest, EnterRunsTheChosenEntryOnceTheDialogHasClosed) {
  QTest::keyClicks(words(), "add lane");
  ASSERT_EQ(list()->model()->rowCount(), 1);
  QTest::keyClick(words(), Qt::Key_Return);
  EXPECT_EQ(runs, 0);
  EXPECT_TRUE(QTest::qWaitFor([&] { return runs == 1 && !dialog; }, 5000));
}

TEST_F(CommandPaletteTest, ArrowsWalkWhileTypingAndEscCloses) {
  EXPECT_EQ(list()->currentIndex().row(), 0);
  QTest::keyClick(words(), Qt::Key_Down);
  EXPECT_EQ(list()->currentIndex().row(), 1);
  QTest::keyClick(words(), Qt::Key_Escape);
  EXPECT_FALSE(dialog && dialog->isVisible());
}

TEST_F(CommandPaletteTest, AnEntryThatIsNotPossibleSaysWhyAndIsNotRun) {
  QTest::keyClicks(words(), "undo");
  EXPECT_EQ(whyNot(), "There is no edit to undo.");
  EXPECT_EQ(list()->model()->index(0, 0).data(Qt::ToolTipRole), "There is no edit to undo.");
  QTest::keyClick(words(), Qt::Key_Return);
  EXPECT_TRUE(dialog->isVisible());
  words()->selectAll();
  QTest::keyClicks(words(), "xyzzy");
  EXPECT_EQ(whyNot(), "Nothing has all these words.");
}

TEST_F(CommandPaletteTest, EachRowNamesItsKind) {
  for (int row = 0; row < list()->model()->rowCount(); ++row)
    EXPECT_EQ(list()->model()->index(row, PaletteModel::Kind).data(), "Command");
}

}  // namespace
}  // namespace lanelab
