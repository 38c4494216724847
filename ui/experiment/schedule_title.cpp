// SPDX-License-Identifier: GPL-3.0-only
#include "ui/experiment/schedule_title.h"

#include <QCoreApplication>
#include <map>

#include "ui/look/plain_text.h"

namespace lanelab {
namespace {

struct Words {
  const char* title;
  const char* tip;
};

const std::map<std::string, Words>& words() {
  static const std::map<std::string, Words> all = {
      {"gpipe", {"GPipe", QT_TRANSLATE_NOOP("schedule", "All forwards, then all backwards")}},
      {"1f1b",
       {"1F1B", QT_TRANSLATE_NOOP(
                    "schedule",
                    "After a warm-up a forward and a backward in turn: less memory than GPipe, as much idle time")}},
      {"interleaved-1f1b",
       {"Interleaved 1F1B",
        QT_TRANSLATE_NOOP("schedule", "1F1B over several stages a lane: less idle time, more transfers")}},
      {"looped-bfs", {"Looped BFS", QT_TRANSLATE_NOOP("schedule", "GPipe over several stages a lane, stage by stage")}},
      {"zb-h1",
       {"ZB-H1",
        QT_TRANSLATE_NOOP("schedule", "1F1B with weight parts of the backward in its gaps, at 1F1B's memory")}},
      {"zb-v", {"ZB-V", QT_TRANSLATE_NOOP("schedule", "Two stages a lane in a V, weight parts in the gaps")}},
      {"list",
       {QT_TRANSLATE_NOOP("schedule", "By stage times"),
        QT_TRANSLATE_NOOP("schedule", "Made for the stages' times and a memory limit, on any placement")}},
      {"custom",
       {QT_TRANSLATE_NOOP("schedule", "Edited"),
        QT_TRANSLATE_NOOP("schedule", "The order that stands in the pane Schedule")}}};
  return all;
}

}  // namespace

QString scheduleTitle(const std::string& schedule) {
  const auto found = words().find(schedule);
  return found == words().end() ? look::shownName(schedule)
                                : QCoreApplication::translate("schedule", found->second.title);
}

QString scheduleTip(const std::string& schedule) {
  const auto found = words().find(schedule);
  return found == words().end() ? QString() : QCoreApplication::translate("schedule", found->second.tip);
}

}  // namespace lanelab
