// SPDX-License-Identifier: GPL-3.0-only
// The help window: contents, search, links, the way back, keys.
#include "ui/help/help_window.h"

#include <gtest/gtest.h>

#include <QDesktopServices>
#include <QLabel>
#include <QLineEdit>
#include <QListView>
#include <QSettings>
#include <QTest>
#include <QTextBlock>
#include <QToolButton>
#include <QTreeWidget>

#include "ui/help/page_view.h"
#include "ui/look/theme.h"

namespace lanelab {
namespace {

const HelpPlace kShare{"docs/guide.md", "share-a-run"};
const HelpPlace kDial{"docs/schedules.md", "memory-as-a-dial"};

class HelpWindowTest : public ::testing::Test {
 protected:
  HelpWindowTest() {
    QSettings(QSettings::IniFormat, QSettings::UserScope, "lanelab", "lanelab").remove("help");
    window.resize(1100, 700);
    window.open(kShare);
    EXPECT_TRUE(QTest::qWaitForWindowExposed(&window));
  }
  template <class T>
  T* find(const char* name) const {
    T* const found = window.findChild<T*>(name);
    EXPECT_NE(found, nullptr) << name;
    return found;
  }
  PageView* page() const { return find<PageView>("helpPage"); }
  QLineEdit* words() const { return find<QLineEdit>("helpWords"); }
  /// As a click on a link does.
  void follow(const QString& address) const { Q_EMIT page()->anchorClicked(QUrl(address)); }

  HelpWindow window;
};

TEST_F(HelpWindowTest, OpensAtTheSectionWithItsPageExpanded) {
  EXPECT_EQ(window.place(), kShare);
  const auto* const contents = find<QTreeWidget>("helpContents");
  ASSERT_NE(contents->currentItem(), nullptr);
  EXPECT_EQ(contents->currentItem()->text(0), "Share a run");
  EXPECT_TRUE(contents->currentItem()->parent()->isExpanded());
  EXPECT_TRUE(page()->textCursor().block().text().startsWith("Share a run"));
  EXPECT_TRUE(page()->hasFocus());
  EXPECT_FALSE(window.isModal());
}

TEST_F(HelpWindowTest, ContentsListEveryPage) {
  EXPECT_EQ(find<QTreeWidget>("helpContents")->topLevelItemCount(), helpPages().size());
}

TEST_F(HelpWindowTest, LinksWithinTheProgramLeadThereAndTheWayBack) {
  auto* const back = find<QToolButton>("helpBack");
  auto* const forward = find<QToolButton>("helpForward");
  EXPECT_FALSE(back->isEnabled());
  follow("help:docs/schedules.md#memory-as-a-dial");
  EXPECT_EQ(window.place(), kDial);
  EXPECT_TRUE(window.windowTitle().startsWith("Schedules"));
  back->click();
  EXPECT_EQ(window.place(), kShare);
  EXPECT_TRUE(forward->isEnabled());
  QTest::keyClick(&window, Qt::Key_Right, Qt::AltModifier);
  EXPECT_EQ(window.place(), kDial);
  QTest::keyClick(&window, Qt::Key_Left, Qt::AltModifier);
  follow("help:docs/planning.md");
  EXPECT_FALSE(forward->isEnabled());
}

TEST_F(HelpWindowTest, APlaceThatDoesNotExistIsTheFirstPage) {
  window.open({"docs/nowhere.md", "x"});
  EXPECT_EQ(window.place().page, "docs/guide.md");
}

/// Takes the place of the desktop's browser.
class Opened : public QObject {
  Q_OBJECT

 public:
  Opened() { QDesktopServices::setUrlHandler("https", this, "open"); }
  ~Opened() override { QDesktopServices::unsetUrlHandler("https"); }
  QList<QUrl> urls;

 public Q_SLOTS:
  void open(const QUrl& url) { urls << url; }
};

TEST_F(HelpWindowTest, LinksToSitesOpenOutsideAndOnlyWhenClicked) {
  Opened opened;
  window.open({"docs/models.md"});
  EXPECT_TRUE(opened.urls.isEmpty());
  follow("https://ui.perfetto.dev");
  EXPECT_EQ(opened.urls, QList<QUrl>{QUrl("https://ui.perfetto.dev")});
  EXPECT_EQ(window.place().page, "docs/models.md");
}

TEST_F(HelpWindowTest, ALinkToASiteHasAMark) {
  window.open(kShare);
  int marks = 0;
  for (QTextBlock block = page()->document()->begin(); block.isValid(); block = block.next())
    for (auto it = block.begin(); !it.atEnd(); ++it)
      marks += it.fragment().charFormat().toImageFormat().name() == "external-link";
  EXPECT_GE(marks, 1);
}

TEST_F(HelpWindowTest, ASearchListsSectionsAndEnterGoesThereWithTheWordsMarked) {
  QTest::keyClick(&window, Qt::Key_F, Qt::ControlModifier);
  EXPECT_TRUE(words()->hasFocus());
  QTest::keyClicks(words(), "memory dial");
  const auto* const found = find<QListView>("helpFound");
  EXPECT_TRUE(found->isVisible());
  ASSERT_GT(found->model()->rowCount(), 0);
  EXPECT_EQ(found->model()->index(0, 0).data().toString(), "Schedules > Memory as a dial");
  QTest::keyClick(words(), Qt::Key_Return);
  EXPECT_EQ(window.place(), kDial);
  EXPECT_FALSE(page()->extraSelections().isEmpty());
  EXPECT_TRUE(page()->viewport()->rect().contains(page()->cursorRect().center()));
  words()->clear();
  EXPECT_TRUE(find<QTreeWidget>("helpContents")->isVisible());
  EXPECT_TRUE(page()->extraSelections().isEmpty());
}

TEST_F(HelpWindowTest, DownWalksThroughWhatWasFoundWhileTyping) {
  QTest::keyClicks(words(), "idle");
  const auto* const found = find<QListView>("helpFound");
  ASSERT_GT(found->model()->rowCount(), 2);
  QTest::keyClick(words(), Qt::Key_Down);
  EXPECT_EQ(found->currentIndex().row(), 1);
  QTest::keyClick(words(), Qt::Key_Return);
  EXPECT_NE(window.place(), kShare);
}

TEST_F(HelpWindowTest, WordsThatNoPageHasAreReported) {
  QTest::keyClicks(words(), "xyzzy");
  EXPECT_TRUE(find<QLabel>("helpNothing")->isVisible());
}

TEST_F(HelpWindowTest, EscClosesItFromEverywhereAndItsSizeIsRemembered) {
  for (const char* part : {"helpWords", "helpContents", "helpPage"}) {
    window.resize(900, 640);
    window.open(kShare);
    EXPECT_TRUE(QTest::qWaitForWindowActive(&window));
    QWidget* const widget = find<QWidget>(part);
    widget->setFocus();
    QTest::keyClick(widget, Qt::Key_Escape);
    EXPECT_FALSE(window.isVisible()) << part;
  }
  EXPECT_EQ(HelpWindow().size(), QSize(900, 640));
}

TEST_F(HelpWindowTest, TheKeyboardReachesAllPartsWhichHaveNames) {
  for (const char* part : {"helpWords", "helpBack", "helpForward", "helpContents", "helpPage"}) {
    const auto* const widget = find<QWidget>(part);
    EXPECT_FALSE(widget->accessibleName().isEmpty()) << part;
    EXPECT_NE(widget->focusPolicy() & Qt::TabFocus, 0) << part;
  }
}

TEST_F(HelpWindowTest, AChangeOfTheThemeColoursThePageAgain) {
  const auto inkOfLinks = [this] {
    for (QTextBlock block = page()->document()->begin(); block.isValid(); block = block.next())
      for (auto it = block.begin(); !it.atEnd(); ++it)
        if (it.fragment().charFormat().isAnchor()) return it.fragment().charFormat().foreground().color();
    return QColor();
  };
  EXPECT_EQ(inkOfLinks(), look::lightPalette().accent);
  look::apply(*qApp, look::Scheme::Dark);
  EXPECT_TRUE(QTest::qWaitFor([&] { return inkOfLinks() == look::darkPalette().accent; }, 5000));
  EXPECT_EQ(window.place(), kShare);
  look::apply(*qApp, look::Scheme::Light);
}

}  // namespace
}  // namespace lanelab

#include "help_window_test.moc"
