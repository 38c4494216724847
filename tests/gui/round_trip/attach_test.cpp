// SPDX-License-Identifier: GPL-3.0-only
// File > Attach to Job against servers of the test: what is asked of whom and when, what the timeline shows in the end,
// and what is said of ranks that do not answer.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <QApplication>
#include <QDir>
#include <QDoubleSpinBox>
#include <QLabel>
#include <QLineEdit>
#include <QProgressBar>
#include <QPushButton>
#include <QSettings>
#include <QTableWidget>

#include "profiler/io/import/import_folder.h"
#include "tests/gui/window/window_world.h"
#include "tests/support/file_content.h"
#include "tests/support/server/fake_server.h"
#include "ui/attach/attach_dialog.h"
#include "ui/look/elided_label.h"
#include "ui/timeline/view/timeline_view.h"

namespace lanelab {
namespace {

using test::FakeReply;
using test::FakeServer;
using test::waitFor;
using testing::ElementsAre;
using testing::HasSubstr;

FakeServer::Answer answeringRank(const FakeReply& profile) {
  return [profile](const std::string& request) {
    return request.starts_with("POST /handler/torch_profile?") ? profile : FakeReply::ok(test::kHandlers);
  };
}

FakeServer::Answer pageOf(const std::string& listing) {
  return [listing](const std::string& request) {
    return request.starts_with("GET /tcpstore ") ? FakeReply::ok(listing) : FakeReply::status(404, "");
  };
}

class AttachWindow : public ::testing::Test {
 protected:
  void SetUp() override {
    w.trigger("attach");
    dialog = w.find<AttachDialog>("attachDialog");
    ASSERT_NE(dialog, nullptr);
    ASSERT_TRUE(QTest::qWaitForWindowExposed(dialog));
    part<QDoubleSpinBox>("attachSeconds")->setValue(0.1);
    part<QDoubleSpinBox>("attachGrace")->setValue(1);
  }

  template <class T>
  T* part(const char* name) const {
    T* const found = dialog->findChild<T*>(QLatin1String(name));
    EXPECT_NE(found, nullptr) << name;
    return found;
  }
  std::string sentence() const { return part<QLabel>("attachSentence")->text().toStdString(); }
  std::string problem(const char* field) const {
    return part<QLabel>((std::string(field) + "Problem").c_str())->text().toStdString();
  }
  std::string cell(int row, int column) const {
    return part<QTableWidget>("attachRanks")->item(row, column)->text().toStdString();
  }
  std::string said() const { return w.window->messages().sentence().toStdString(); }
  QPushButton* record() const { return part<QPushButton>("attachRecord"); }

  /// By the keyboard: the page is typed where the focus is, Enter does the rest.
  void find(const std::string& page) const {
    part<QLineEdit>("attachPage")->clear();
    QTest::keyClicks(dialog->focusWidget(), QString::fromStdString(page));
    QTest::keyClick(dialog->focusWidget(), Qt::Key_Return);
    ASSERT_TRUE(waitFor([&] { return !dialog->busy(); }));
  }
  void findAndRecord(const std::string& page) const {
    find(page);
    ASSERT_TRUE(record()->isEnabled()) << sentence();
    QTest::keyClick(dialog->focusWidget(), Qt::Key_Return);
  }
  bool showsTrace() const {
    return waitFor([&] { return w.window->findChild<TimelineView*>("timeline")->trace() != nullptr; });
  }

  test::WindowWorld w;
  AttachDialog* dialog = nullptr;
};

TEST_F(AttachWindow, ListsTheAddressesBeforeAnyRankIsAskedAndOpensTheTrace) {
  const FakeServer zero(answeringRank(FakeReply::ok(test::rankTrace(0, 2))));
  const FakeServer one(answeringRank(FakeReply::ok(test::rankTrace(1, 2))));
  const FakeServer job(pageOf(test::jobPage({"http://" + zero.address(), "http://" + one.address()})));
  find(job.address());
  EXPECT_EQ(part<QTableWidget>("attachRanks")->rowCount(), 2);
  EXPECT_EQ(cell(0, 1), zero.address());
  EXPECT_EQ(cell(1, 1), one.address());
  EXPECT_EQ(cell(1, 2), "will be asked to record");
  EXPECT_TRUE(zero.requests().empty() && one.requests().empty());
  EXPECT_THAT(job.requests(), ElementsAre("GET /tcpstore HTTP/1.1"));
  EXPECT_THAT(sentence(), HasSubstr("2 ranks will record at the same time. Nothing is recorded yet."));
  EXPECT_TRUE(record()->isDefault());
  QTest::keyClick(dialog->focusWidget(), Qt::Key_Return);
  ASSERT_TRUE(showsTrace()) << sentence();
  EXPECT_THAT(one.requests(),
              ElementsAre("GET /handler/ HTTP/1.1", "POST /handler/torch_profile?duration=0.1 HTTP/1.1"));
  EXPECT_TRUE(holdsImport(w.place.filePath("runs/job").toStdString()));
  EXPECT_EQ(w.find<ElidedLabel>("viewedRunText")->text(), "Viewing trace job.");
  EXPECT_FALSE(dialog->isVisible());
}

TEST_F(AttachWindow, NamesTheRanksThatGaveNoTraceBesideTheOthers) {
  const std::string nobody = "127.0.0.1:" + std::to_string(test::unusedPort());
  const struct {
    const char* name;
    FakeServer::Answer answer;
    std::string address;
    const char* reason;
  } cases[] = {
      {"silent", answeringRank(FakeReply::silence()), {}, "Rank 1: It gave no whole trace within 1.1 s."},
      {"too old", [](const std::string&) { return FakeReply::ok(R"(["ping"])"); }, {}, "PyTorch 2.11 or later can."},
      {"gone", answeringRank({}), nobody, "Rank 1: Nothing listens at "},
  };
  for (const auto& given : cases) {
    SCOPED_TRACE(given.name);
    const FakeServer zero(answeringRank(FakeReply::ok(test::rankTrace(0, 2))));
    const FakeServer one(given.answer);
    const std::string second = given.address.empty() ? one.address() : given.address;
    const FakeServer job(pageOf(test::jobPage({"http://" + zero.address(), "http://" + second})));
    findAndRecord(job.address());
    ASSERT_TRUE(showsTrace());
    EXPECT_THAT(said(), HasSubstr("The job's rank 1 gave no trace."));
    EXPECT_THAT(said(), HasSubstr(given.reason));
    w.trigger("closeRun");
    QCoreApplication::sendPostedEvents(nullptr, QEvent::DeferredDelete);
    SetUp();
  }
}

TEST_F(AttachWindow, NoAddressGetsIntoTheFolderOrTheSettings) {
  const std::string nobody = "127.0.0.1:" + std::to_string(test::unusedPort());
  const FakeServer zero(answeringRank(FakeReply::ok(test::rankTrace(0, 2))));
  const FakeServer job(pageOf(test::jobPage({"http://" + zero.address(), "http://" + nobody})));
  findAndRecord(job.address());
  ASSERT_TRUE(showsTrace());
  const std::string folder = w.place.filePath("runs/job").toStdString();
  EXPECT_THAT(test::contentOf(folder + "/import.json"), HasSubstr("rank 0 of a running job"));
  EXPECT_THAT(test::contentOf(folder + "/import.json"), testing::Not(HasSubstr("127.0.0.1")));
  const QSettings settings(QSettings::IniFormat, QSettings::UserScope, "lanelab", "lanelab");
  EXPECT_THAT(test::contentOf(settings.fileName().toStdString()), testing::Not(HasSubstr(std::to_string(job.port()))));
  EXPECT_THAT(QDir(w.place.filePath("runs")).entryList(QDir::AllEntries | QDir::Hidden | QDir::NoDotAndDotDot),
              ElementsAre(QStringLiteral("job")))
      << "answers are removed";
}

TEST_F(AttachWindow, SaysBelowTheRanksWhyNoneAnswered) {
  const std::string nobody = "127.0.0.1:" + std::to_string(test::unusedPort());
  const FakeServer job(pageOf(test::jobPage({"http://" + nobody})));
  findAndRecord(job.address());
  ASSERT_TRUE(waitFor([&] { return !dialog->busy() && !sentence().empty(); }));
  EXPECT_EQ(sentence(), "No rank gave a trace, so nothing was written.");
  EXPECT_EQ(cell(0, 2), "Nothing listens at " + nobody + ". Its process may have ended.");
  EXPECT_FALSE(QFile::exists(w.place.filePath("runs/job")));
  EXPECT_TRUE(dialog->isVisible());
}

TEST_F(AttachWindow, RefusesAPageThatIsNotThereAndOneOfSomethingElse) {
  find("127.0.0.1:" + std::to_string(test::unusedPort()));
  EXPECT_THAT(sentence(), HasSubstr("Call torch.distributed.debug.start_debug_server() in the job"));
  EXPECT_FALSE(record()->isEnabled());
  const FakeServer site([](const std::string&) { return FakeReply::ok("<html>hello</html>"); });
  part<QLineEdit>("attachPage")->setFocus();
  find(site.address());
  EXPECT_THAT(sentence(), HasSubstr("is not the page of a job."));
}

TEST_F(AttachWindow, WrongFieldsAreSentencesBelowThemAndNobodyIsAsked) {
  const FakeServer job(pageOf(test::jobPage({"http://a:1"})));
  const auto refused = [&](const char* field) {
    part<QPushButton>("attachFind")->click();
    EXPECT_EQ(dialog->focusWidget(), part<QWidget>(field));
    return problem(field);
  };
  EXPECT_THAT(refused("attachPage"), HasSubstr("The page of the job is not set."));
  part<QLineEdit>("attachPage")->setText("a b:1");
  EXPECT_EQ(problem("attachPage"), "") << "it goes when it is edited";
  EXPECT_THAT(refused("attachPage"), HasSubstr("\"a b:1\" is not an address."));
  part<QLineEdit>("attachPage")->setText(QString::fromStdString(job.address()));
  const std::pair<const char*, const char*> wrong[] = {{"node2:4", "is not RANK=HOST:PORT"},
                                                       {"x=node2:4", "is not RANK=HOST:PORT"},
                                                       {"-1=node2:4", "is not RANK=HOST:PORT"},
                                                       {"1=node2", "has no port"},
                                                       {"1=a:1 1=b:2", "Rank 1 has two addresses."}};
  for (const auto& [typed, why] : wrong) {
    part<QLineEdit>("attachRankAddresses")->setText(QLatin1String(typed));
    EXPECT_THAT(refused("attachRankAddresses"), HasSubstr(why)) << typed;
  }
  EXPECT_TRUE(job.requests().empty());
}

TEST_F(AttachWindow, AnAddressOfARankTakesThePlaceOfThatOnThePage) {
  const FakeServer job(pageOf(test::jobPage({"http://head:1", "http://other:2"})));
  part<QLineEdit>("attachRankAddresses")->setText("1=localhost:5");
  find(job.address());
  EXPECT_EQ(cell(0, 1), "127.0.0.1:1") << "on the host of the page";
  EXPECT_EQ(cell(1, 1), "localhost:5");
  part<QLineEdit>("attachRankAddresses")->setText("1=localhost:6");
  EXPECT_EQ(part<QTableWidget>("attachRanks")->rowCount(), 0) << "others are to be found again";
  EXPECT_FALSE(record()->isEnabled());
}

TEST_F(AttachWindow, ARankWithoutAServerIsListedInItsPlace) {
  const FakeServer job(pageOf(test::jobPage({"http://head:1", "", "http://other:2"})));
  find(job.address());
  EXPECT_EQ(cell(1, 1), "none");
  EXPECT_EQ(cell(1, 2), "has no server: call start_debug_server() on every rank");
  EXPECT_EQ(cell(2, 1), "other:2");
}

TEST_F(AttachWindow, TheTabKeyGoesThroughTheFieldsInTheirOrder) {
  const char* const order[] = {"attachPage", "attachRankAddresses", "attachSeconds",   "attachGrace",
                               "attachMost", "attachOut",           "attachOutChoose", "attachFind"};
  part<QWidget>("attachPage")->setFocus();
  for (const char* const name : order) {
    EXPECT_EQ(dialog->focusWidget(), part<QWidget>(name));
    QTest::keyClick(dialog->focusWidget(), Qt::Key_Tab);
  }
}

TEST_F(AttachWindow, AFolderOfSomethingElseIsRefused) {
  const FakeServer zero(answeringRank(FakeReply::ok(test::rankTrace(0, 1))));
  const FakeServer job(pageOf(test::jobPage({"http://" + zero.address()})));
  ASSERT_TRUE(QDir().mkpath(w.place.filePath("mine")));
  test::writeContent(w.place.filePath("mine/notes.txt").toStdString(), "x");
  find(job.address());
  part<QLineEdit>("attachOut")->setText(w.place.filePath("mine"));
  record()->click();
  EXPECT_THAT(problem("attachOut"), HasSubstr("mine"));
  EXPECT_TRUE(zero.requests().empty());
}

TEST_F(AttachWindow, EscCancelsARecordingAndLeavesNothing) {
  part<QDoubleSpinBox>("attachSeconds")->setValue(600);
  const FakeServer silent(answeringRank(FakeReply::silence()));
  const FakeServer job(pageOf(test::jobPage({"http://" + silent.address()})));
  findAndRecord(job.address());
  auto* const words = part<QLabel>("attachProgressWords");
  ASSERT_TRUE(waitFor([&] { return words->text().startsWith("Recording on 1 rank"); })) << words->text().toStdString();
  EXPECT_TRUE(part<QProgressBar>("attachProgressBar")->isVisible());
  EXPECT_FALSE(record()->isEnabled());
  QTest::keyClick(dialog->focusWidget(), Qt::Key_Escape);
  ASSERT_TRUE(waitFor([&] { return !dialog->busy(); }));
  EXPECT_THAT(sentence(), HasSubstr("The recording was cancelled. The ranks still record until their 600 s are over"));
  EXPECT_TRUE(dialog->isVisible());
  EXPECT_FALSE(QFile::exists(w.place.filePath("runs/job")));
  QTest::keyClick(dialog->focusWidget(), Qt::Key_Escape);
  EXPECT_FALSE(dialog->isVisible());
}

TEST_F(AttachWindow, ClosingWhileRanksRecordEndsTheWait) {
  part<QDoubleSpinBox>("attachSeconds")->setValue(600);
  const FakeServer silent(answeringRank(FakeReply::silence()));
  const FakeServer job(pageOf(test::jobPage({"http://" + silent.address()})));
  findAndRecord(job.address());
  ASSERT_TRUE(waitFor([&] { return silent.requests().size() == 2; }));
  dialog->close();
  QCoreApplication::sendPostedEvents(nullptr, QEvent::DeferredDelete);
  EXPECT_TRUE(QDir(w.place.filePath("runs")).isEmpty());
  EXPECT_EQ(w.window->findChild<TimelineView*>("timeline")->trace(), nullptr);
}

TEST(AttachAction, IsNotPossibleDuringARun) {
  test::WindowWorld w(test::slow(std::chrono::milliseconds(5)));
  w.trigger("run");
  ASSERT_TRUE(waitFor([&] { return w.window->controller().running(); }));
  EXPECT_FALSE(w.window->action("attach")->isEnabled());
  w.trigger("cancel");
  ASSERT_TRUE(waitFor([&] { return !w.window->controller().running(); }));
  EXPECT_TRUE(w.window->action("attach")->isEnabled());
}

}  // namespace
}  // namespace lanelab
