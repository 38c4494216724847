// SPDX-License-Identifier: GPL-3.0-only
// Notices of work that took long, one each, while the user is elsewhere.
#include <gmock/gmock.h>

#include "tests/gui/window/window_world.h"
#include "ui/look/work.h"
#include "ui/notice/desktop_notice.h"
#include "ui/notice/end_notices.h"

namespace lanelab::test {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

struct NoticeWorld {
  qint64 now = 1000;
  bool elsewhere = true;
  std::vector<std::string> sent;
  EndNotices notices{{[this] { return now; }, [this] { return elsewhere; },
                      [this](const QString& title, const QString& text) {
                        sent.push_back(title.toStdString() + ": " + text.toStdString());
                      }}};

  void work(qint64 ms) {
    notices.begin("run");
    now += ms;
    notices.end("run", "Ended", "demo");
  }
};

TEST(EndNotices, LongWorkIsSaidOnceWhileTheUserIsElsewhere) {
  struct Case {
    const char* what;
    qint64 took;
    bool elsewhere;
    std::vector<std::string> sent;
  };
  const Case cases[] = {{"short", EndNotices::kLong - 1, true, {}},
                        {"long", EndNotices::kLong, true, {"Ended: demo"}},
                        {"long, but the user looks", EndNotices::kLong, false, {}}};
  for (const Case& c : cases) {
    SCOPED_TRACE(c.what);
    NoticeWorld w;
    w.elsewhere = c.elsewhere;
    w.work(c.took);
    EXPECT_EQ(w.sent, c.sent);
    w.notices.end("run", "Ended", "again");
    EXPECT_EQ(w.sent, c.sent) << "nothing began since";
  }
}

TEST(EndNotices, WorkBesideAnotherIsOfItsOwn) {
  NoticeWorld w;
  w.notices.begin("run");
  w.now += EndNotices::kLong;
  w.notices.begin("reading");
  w.now += 1;
  w.notices.end("reading", "Read");
  EXPECT_THAT(w.sent, IsEmpty());
  w.notices.end("run", "Ended");
  EXPECT_THAT(w.sent, ElementsAre("Ended: "));
}

TEST(EndNotices, FollowsWorkFromItsBeginToItsEnd) {
  NoticeWorld w;
  LongWork work;
  w.notices.follow(&work, "Read");
  for (int pieces = 1; pieces <= 2; ++pieces) {
    work.run([](const WorkControl&) -> LongWork::Then { return [] {}; });
    w.now += EndNotices::kLong;
    ASSERT_TRUE(waitFor([&] { return !work.busy(); }));
    EXPECT_EQ(w.sent.size(), static_cast<std::size_t>(pieces));
  }
}

TEST(EndNotices, FollowsWorkThatBeganBefore) {
  NoticeWorld w;
  LongWork work;
  work.run([](const WorkControl&) -> LongWork::Then { return [] {}; });
  w.notices.follow(&work, "Checked");
  w.now += EndNotices::kLong;
  ASSERT_TRUE(waitFor([&] { return !work.busy(); }));
  EXPECT_THAT(w.sent, ElementsAre("Checked: "));
}

TEST(DesktopNotice, WithoutAServiceTheOtherWayIsTaken) {
  qputenv("DBUS_SESSION_BUS_ADDRESS", "unix:path=/nonexistent/bus");
  bool otherwise = false;
  sendToDesktop("Ended", "<b>demo</b>", [&] { otherwise = true; });
  EXPECT_TRUE(waitFor([&] { return otherwise; }));
}

}  // namespace
}  // namespace lanelab::test
