// SPDX-License-Identifier: GPL-3.0-only
// The glossary of docs, and the labels whose tips come from it.
#include "ui/help/glossary.h"

#include <gtest/gtest.h>

#include <QHBoxLayout>
#include <QHeaderView>
#include <QHelpEvent>
#include <QLabel>
#include <QLineEdit>
#include <QTableWidget>
#include <QTest>
#include <QToolTip>

#include "ui/help/term_tips.h"

namespace lanelab {
namespace {

TEST(Glossary, HasTheTermsOfTheWindowEachWithASentenceAndASection) {
  QStringList words;
  for (const Term& term : glossary()) {
    words += term.words;
    EXPECT_TRUE(term.meaning.endsWith('.')) << term.meaning.toStdString();
    EXPECT_NE(findSection(term.more), nullptr) << term.words.front().toStdString();
  }
  EXPECT_EQ(QSet<QString>(words.begin(), words.end()).size(), words.size());
  for (const char* term : {"lane", "micro-batch", "bubble", "period", "MACs", "fill", "drain", "stage", "step",
                           "repeat", "idle", "imbalance", "critical path", "activation checkpointing", "recompute"})
    EXPECT_TRUE(words.contains(term)) << term;
}

TEST(Glossary, EachRowOfThePageIsATerm) {
  int rows = 0;
  for (const QString& line : findPage("docs/glossary.md")->markdown.split('\n')) rows += line.startsWith("| ");
  EXPECT_EQ(glossary().size(), rows - 1);  // without the header
}

TEST(Glossary, ALabelNamesItsTermWhateverItsUnitNumberAndCase) {
  const struct {
    const char *label, *term;
  } cases[] = {{"Lane", "lane"},
               {"Stages", "stage"},
               {"Periods (ms)", "period"},
               {"Idle (ms)", "idle time"},
               {"Idle time &in:", "idle time"},
               {"MACs (%)", "MACs"},
               {"Micro-batch size", "micro-batch"},
               {"Time per repeat (s)", "repeat"},
               {"Step time (ms)", "step"},
               {"Recompute", "activation checkpointing"},
               {"Critical path", "critical path"},
               {"Planet", ""},
               {"Duration (step)", ""},
               {"Name", ""},
               {"", ""}};
  for (const auto& [label, expected] : cases) {
    const Term* const term = termOf(label);
    EXPECT_EQ(term ? term->words.front().toStdString() : std::string(), expected) << label;
  }
}

TEST(Glossary, ATextIsExplainedTermByTermInItsOrder) {
  const QStringList lines = termsTip("drain 62 %, imbalance 31 %, drain").split('\n');
  ASSERT_EQ(lines.size(), 2);
  EXPECT_TRUE(lines[0].startsWith("Drain: ")) << lines[0].toStdString();
  EXPECT_TRUE(lines[1].startsWith("Imbalance: "));
  EXPECT_TRUE(termsTip("62 %").isEmpty());
}

/// What the filter shows; nothing where it leaves the tip to the widget.
class TermTipsTest : public ::testing::Test {
 protected:
  ~TermTipsTest() override { QToolTip::hideText(); }

  /// The tip that is shown when the pointer rests there.
  QString tipOf(QWidget& widget, QPoint point) {
    QHelpEvent event(QEvent::ToolTip, point, widget.mapToGlobal(point));
    return m_filter.eventFilter(&widget, &event) ? QToolTip::text() : QString();
  }

 private:
  TermTips m_filter;
};

TEST_F(TermTipsTest, HeadersOfTablesExplainTermsUnlessTheyHaveATip) {
  QTableWidget table(1, 3);
  table.setHorizontalHeaderLabels({"Periods (ms)", "Memory", "Stage"});
  table.horizontalHeaderItem(2)->setToolTip("A tip of its own");
  table.show();
  QWidget& header = *table.horizontalHeader()->viewport();
  const auto middle = [&](int column) {
    return QPoint(table.horizontalHeader()->sectionViewportPosition(column) + 5, header.height() / 2);
  };
  EXPECT_TRUE(tipOf(header, middle(0)).startsWith("Period: ")) << tipOf(header, middle(0)).toStdString();
  EXPECT_TRUE(tipOf(header, middle(1)).isEmpty());
  EXPECT_TRUE(tipOf(header, middle(2)).isEmpty());
}

TEST_F(TermTipsTest, LabelsExplainTheirFieldAndTheirTermSentencesDoNot) {
  QWidget form;
  auto* const row = new QHBoxLayout(&form);
  auto* const label = new QLabel("Recompute");
  auto* const field = new QLineEdit;
  auto* const sentence = new QLabel("Each step took longer than the one before.");
  field->setToolTip("What the field is for");
  for (QWidget* part : {static_cast<QWidget*>(label), static_cast<QWidget*>(field), static_cast<QWidget*>(sentence)})
    row->addWidget(part);
  form.show();
  EXPECT_TRUE(tipOf(*label, {2, 2}).startsWith("Activation checkpointing (recompute): "));
  label->setBuddy(field);
  EXPECT_TRUE(tipOf(*label, {2, 2}).startsWith("What the field is for\n"));
  EXPECT_TRUE(tipOf(*sentence, {2, 2}).isEmpty());
}

}  // namespace
}  // namespace lanelab
