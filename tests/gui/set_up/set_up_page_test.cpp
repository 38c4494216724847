// SPDX-License-Identifier: GPL-3.0-only
// The page that installs PyTorch, with scripts in place of lanelab-setup-torch.
#include <gtest/gtest.h>

#include <QLabel>
#include <QProgressBar>
#include <QPushButton>
#include <QSignalSpy>
#include <QTest>
#include <QToolButton>

#include "app/set_up/set_up_page.h"
#include "tests/support/temporary_folder.h"

namespace lanelab {
namespace {

constexpr int kLimitMs = 10'000;

/// A page over a script with these lines.
struct Installing {
  explicit Installing(const std::string& lines) : page(installer(lines)) {
    page.show();
    button()->click();
  }
  QString installer(const std::string& lines) {
    const std::string path = folder.write("lanelab-setup-torch", "#!/bin/sh\n" + lines + "\n");
    std::filesystem::permissions(path, std::filesystem::perms::owner_all);
    return QString::fromStdString(path);
  }
  QPushButton* button() { return page.findChild<QPushButton*>("setUpInstall"); }
  QString sentence() { return page.findChild<QLabel*>("setUpSentence")->text(); }
  QString progress() { return page.findChild<QLabel*>("setUpProgressWords")->text(); }

  /// Whether that is what the page says in the end.
  bool ends(const QString& words) {
    return QTest::qWaitFor([&] { return sentence() == words; }, kLimitMs);
  }

  test::TemporaryFolder folder;
  SetUpPage page;
};

TEST(SetUpPage, ReadsHowFarTheInstallationIs) {
  const auto progress = installProgress("PyTorch: 12 of 61 packages (torch, 912.3 MB)");
  ASSERT_TRUE(progress.has_value());
  EXPECT_EQ(progress->done, 12);
  EXPECT_EQ(progress->total, 61);
  EXPECT_FALSE(installProgress("Installing PyTorch in /data (a minute or more)").has_value());
}

TEST(SetUpPage, ShowsProgressAndIsAcceptedOncePytorchIsThere) {
  Installing installing("echo 'PyTorch: 1 of 4 packages (torch)' >&2; until [ -e \"$0.go\" ]; do sleep 0.01; done");
  QSignalSpy accepted(&installing.page, &QDialog::accepted);
  EXPECT_FALSE(installing.button()->isEnabled());
  EXPECT_TRUE(QTest::qWaitFor([&] { return installing.progress() == "PyTorch: 1 of 4 packages"; }, kLimitMs));
  EXPECT_EQ(installing.page.findChild<QProgressBar*>("setUpProgressBar")->value() * 4,
            installing.page.findChild<QProgressBar*>("setUpProgressBar")->maximum());
  EXPECT_EQ(accepted.count(), 0);
  installing.folder.write("lanelab-setup-torch.go", "");
  EXPECT_TRUE(QTest::qWaitFor([&] { return accepted.count() == 1; }, kLimitMs));
}

TEST(SetUpPage, ShowsTheLastLineOfAnInstallationThatFailed) {
  Installing installing("echo 'a word of pip' >&2; echo 'lanelab-setup-torch: disk: full. Free 6.7 GB.' >&2; exit 1");
  EXPECT_TRUE(installing.ends("lanelab-setup-torch: disk: full. Free 6.7 GB.")) << installing.sentence().toStdString();
  EXPECT_TRUE(installing.button()->isEnabled());
}

TEST(SetUpPage, CancelsTheInstallationWithAllThatItStarted) {
  Installing installing("echo 'PyTorch: 1 of 4 packages (torch)' >&2; sleep 1000");
  EXPECT_TRUE(QTest::qWaitFor([&] { return installing.progress() == "PyTorch: 1 of 4 packages"; }, kLimitMs));
  installing.page.findChild<QToolButton*>("setUpProgressCancel")->click();
  EXPECT_TRUE(installing.ends("The installation was cancelled.")) << installing.sentence().toStdString();
  EXPECT_TRUE(installing.button()->isEnabled());
}

TEST(SetUpPage, SaysIfTheInstallerCannotBeStarted) {
  SetUpPage page("/absent/lanelab-setup-torch");
  page.findChild<QPushButton*>("setUpInstall")->click();
  EXPECT_TRUE(QTest::qWaitFor(
      [&] { return page.findChild<QLabel*>("setUpSentence")->text().startsWith("/absent/lanelab-setup-torch "); },
      kLimitMs));
}

}  // namespace
}  // namespace lanelab
