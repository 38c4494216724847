// SPDX-License-Identifier: GPL-3.0-only
#include "profiler/io/tables/gap_comparison.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "base/terminal_text.h"
#include "base/text.h"
#include "base/utf8.h"
#include "profiler/io/tables/line_object.h"

namespace lanelab {

namespace {

std::string changeText(Nanoseconds change) { return (change > 0 ? "+" : "") + plainDuration(change); }

std::string nameText(const std::string& name) {
  constexpr std::size_t kMost = 60;
  return onOneTerminalLine(cutInMiddle(name, kMost));
}

const LaneCauses* laneNamed(const IdleCauses& causes, const std::string& name) {
  const auto found = std::ranges::find(causes.lanes, name, &LaneCauses::name);
  return found == causes.lanes.end() ? nullptr : &*found;
}

using LanePair = std::pair<const LaneCauses*, const LaneCauses*>;

std::vector<LanePair> lanesOfBoth(const GapComparison& compared) {
  if (compared.one_lane) return {{&compared.before.lanes.front(), &compared.after.lanes.front()}};
  std::vector<LanePair> pairs;
  for (const LaneCauses& lane : compared.before.lanes)
    if (const LaneCauses* const after = laneNamed(compared.after, lane.name)) pairs.emplace_back(&lane, after);
  return pairs;
}

std::vector<std::string> namesOnlyIn(const IdleCauses& causes, const IdleCauses& others) {
  std::vector<std::string> names;
  for (const LaneCauses& lane : causes.lanes)
    if (laneNamed(others, lane.name) == nullptr) names.push_back(lane.name);
  return names;
}

std::string pairName(const std::string& before, const std::string& after) {
  return before == after ? nameText(before) : nameText(before) + " / " + nameText(after);
}

/// Lanes without work have no causes (kWithoutWorkWord).
CauseTimes causesShown(const LaneCauses& lane) { return lane.hasWork() ? lane.causes : CauseTimes(); }

std::size_t mostWindows(const IdleCauses& causes) {
  std::size_t most = 0;
  for (const LaneCauses& lane : causes.lanes) most = std::max(most, lane.windows.size());
  return most;
}

std::string workText(IdleCauses::Work work) {
  constexpr std::array<const char*, 3> kTexts = {"actions", "kernels", "operators"};
  return kTexts[static_cast<std::size_t>(work)];
}

void putDifference(LineObject& object, const LaneCauses& before, const LaneCauses& after) {
  object.time("window_us", after.window - before.window);
  object.time("busy_us", after.busy - before.busy);
  object.time("idle_us", after.idle - before.idle);
  if (before.gpu && after.gpu) {
    object.time("communication_us", after.gpu->communication - before.gpu->communication);
    object.time("exposed_communication_us", after.gpu->exposed_communication - before.gpu->exposed_communication);
  }
  const CauseTimes causes_before = causesShown(before), causes_after = causesShown(after);
  LineObject causes(object.key("causes"));
  for (std::size_t i = 0; i < kCauseCount; ++i)
    if (causes_before.times[i] != 0 || causes_after.times[i] != 0)
      causes.time(kCauseTexts[i], causes_after.times[i] - causes_before.times[i]);
  const auto unexplained = [](const LaneCauses& lane) { return lane.hasWork() ? Nanoseconds{0} : lane.idle; };
  if (unexplained(before) != 0 || unexplained(after) != 0)
    causes.time(kWithoutWorkWord, unexplained(after) - unexplained(before));
  causes.close();
}

std::string namesJson(const std::vector<std::string>& names) {
  std::string out = "[";
  for (const std::string& name : names) appendJsonString(out += out.size() > 1 ? ", " : "", name);
  return out + "]";
}

}  // namespace

std::string whyNotCompared(const IdleCauses& before, const IdleCauses& after) {
  if (before.work != after.work)
    return "the lanes of the first are idle between " + workText(before.work) + ", those of the second between " +
           workText(after.work) + ". Compare traces of one kind.";
  if (before.window_kind != after.window_kind)
    return "idle time counts in a " + std::string(toWord(before.window_kind)) + " in the first, and in a " +
           std::string(toWord(after.window_kind)) + " in the second. Choose --windows step or period for both.";
  return {};
}

TableRows laneDifferenceRows(const GapComparison& compared) {
  TableRows rows = {
      {"Lane", "Window before", "after", "Idle before", "after", "Difference", "Utilization before", "after"}};
  const auto add = [&](const LaneCauses& before, const LaneCauses& after) {
    rows.push_back({pairName(before.name, after.name), plainDuration(before.window), plainDuration(after.window),
                    plainDuration(before.idle), plainDuration(after.idle), changeText(after.idle - before.idle),
                    percentText(before.busy, before.window), percentText(after.busy, after.window)});
  };
  const std::vector<LanePair> pairs = lanesOfBoth(compared);
  for (const auto& [before, after] : pairs) add(*before, *after);
  if (pairs.size() != 1 || compared.before.lanes.size() > 1 || compared.after.lanes.size() > 1)
    add(sumOf(compared.before), sumOf(compared.after));
  return rows;
}

TableRows causeDifferenceRows(const GapComparison& compared) {
  const LaneCauses before = sumOf(compared.before), after = sumOf(compared.after);
  std::vector<std::size_t> causes;
  const auto sizeOf = [&](std::size_t i) { return std::max(before.causes.times[i], after.causes.times[i]); };
  for (std::size_t i = 0; i < kCauseCount; ++i)
    if (sizeOf(i) > 0) causes.push_back(i);
  std::ranges::stable_sort(causes, std::greater(), sizeOf);
  TableRows rows = {{"Cause", "Before", "After", "Difference", "Share of windows before", "after"}};
  const auto add = [&](std::string_view name, Nanoseconds was, Nanoseconds is) {
    rows.push_back({std::string(name), plainDuration(was), plainDuration(is), changeText(is - was),
                    percentText(was, before.window), percentText(is, after.window)});
  };
  for (const std::size_t i : causes)
    add(wordsFor(static_cast<Cause>(i)), before.causes.times[i], after.causes.times[i]);
  add("idle", before.idle, after.idle);
  add("busy", before.busy, after.busy);
  add("windows", before.window, after.window);
  return rows;
}

std::string differenceSentence(const GapComparison& compared) {
  const LaneCauses before = sumOf(compared.before), after = sumOf(compared.after);
  std::string text = (compared.one_lane ? "The lane is idle " : "Lanes are idle ") +
                     formatPercent(shareOf(before.idle, before.window)) + " of the time before and " +
                     formatPercent(shareOf(after.idle, after.window)) + " after";
  std::size_t most = 0;
  double largest = 0;
  for (std::size_t i = 0; i < kCauseCount; ++i) {
    const double change =
        std::abs(shareOf(after.causes.times[i], after.window) - shareOf(before.causes.times[i], before.window));
    if (change <= largest) continue;
    largest = change;
    most = i;
  }
  constexpr double kVisible = 0.0005;
  if (largest < kVisible) return text + "; no cause changes by 0.1 % of the time.";
  return text + "; largest change: " + std::string(wordsFor(static_cast<Cause>(most))) + ", from " +
         formatPercent(shareOf(before.causes.times[most], before.window)) + " to " +
         formatPercent(shareOf(after.causes.times[most], after.window)) + " of the time.";
}

std::string unlikeWindowsSentence(const GapComparison& compared) {
  const std::size_t before = mostWindows(compared.before), after = mostWindows(compared.after);
  if (before == after || compared.before.whole_trace) return {};
  return "A lane has up to " + counted(static_cast<std::int64_t>(before), "window") + " before and " +
         std::to_string(after) + " after, so compare the shares of the time.";
}

std::string unmatchedLanesSentence(const GapComparison& compared) {
  if (compared.one_lane) return {};
  std::string text;
  const auto add = [&](std::string_view when, std::vector<std::string> names) {
    constexpr std::size_t kMost = 5;
    const std::size_t all = names.size();
    if (all == 0) return;
    if (all > kMost) names.resize(kMost);
    for (std::string& name : names) name = nameText(name);
    if (all > kMost) names.push_back(std::to_string(all - kMost) + " more");
    text += (text.empty() ? "" : " ") + std::string("Only ") + std::string(when) + ": " + joinAnd(names) + ".";
  };
  add("before", namesOnlyIn(compared.before, compared.after));
  add("after", namesOnlyIn(compared.after, compared.before));
  return text;
}

std::string differenceJson(const GapComparison& compared) {
  std::string out = "{\n  \"lanes\": ";
  appendLines(out, lanesOfBoth(compared), "    ", [](LineObject& object, const LanePair& lanes) {
    object.text("name", lanes.first->name);
    putDifference(object, *lanes.first, *lanes.second);
  });
  LineObject total(out += ",\n  \"total\": ");
  putDifference(total, sumOf(compared.before), sumOf(compared.after));
  total.close();
  return out + ",\n  \"only_before\": " + namesJson(namesOnlyIn(compared.before, compared.after)) +
         ",\n  \"only_after\": " + namesJson(namesOnlyIn(compared.after, compared.before)) + "\n}";
}

}  // namespace lanelab
