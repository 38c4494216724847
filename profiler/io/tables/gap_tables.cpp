// SPDX-License-Identifier: GPL-3.0-only
#include "profiler/io/tables/gap_tables.h"
#include "base/text.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "base/terminal_text.h"
#include "base/utf8.h"
#include "profiler/io/tables/begin_time.h"
#include "profiler/io/tables/line_object.h"
#include "profiler/trace/core_time.h"
#include "profiler/trace/step_periods.h"

namespace lanelab {

namespace {

/// Names of kernels can be longer than a line.
std::string shortened(std::string_view text) {
  constexpr std::size_t kMost = 48;
  return cutInMiddle(text, kMost);
}

/// Other programs write names of any length, which would push the figures off every screen, and of several lines.
std::string laneText(const LaneCauses& lane) {
  constexpr std::size_t kMost = 200;
  return lane.name.empty() ? "lane " + std::to_string(lane.lane) : onOneTerminalLine(cutInMiddle(lane.name, kMost));
}

constexpr std::string_view kWithoutWork = "no work in the steps";

std::size_t countWithWork(const IdleCauses& causes) {
  return static_cast<std::size_t>(
      std::count_if(causes.lanes.begin(), causes.lanes.end(), [](const LaneCauses& lane) { return lane.hasWork(); }));
}

/// All where none has any. The idle time of the others has no cause, so a column of it would not add up.
std::vector<LaneCauses> lanesWithWork(const IdleCauses& causes) {
  std::vector<LaneCauses> lanes = causes.lanes;
  if (countWithWork(causes) > 0) std::erase_if(lanes, [](const LaneCauses& lane) { return !lane.hasWork(); });
  return lanes;
}

/// "cuda:1 computes in none of the steps."; "" where every lane does, or none.
Message workless(const IdleCauses& causes) {
  std::vector<std::string> names;
  for (const LaneCauses& lane : causes.lanes)
    if (!lane.hasWork()) names.push_back(laneText(lane));
  if (names.empty() || names.size() == causes.lanes.size()) return {};
  return names.size() == 1 ? sentence("{} computes in none of the steps.", names.front())
                           : sentence("{} compute in none of the steps.", joinAnd(names));
}

/// As wordsFor().
Message causeMessage(Cause cause) {
  return cause == Cause::TransferQueued ? sentence("transfer queued") : composed(toString(cause).data(), {});
}

const char* kindText(GroupKind kind) {
  for (const Word<GroupKind>& word : wordTable(GroupKind{}))
    if (word.value == kind) return word.text.data();
  return "";
}

/// "communication, longest in the data group", if the file names the groups.
Message communicationMessage(const LaneCauses& sum) {
  if (sum.groups.empty()) return causeMessage(Cause::Communication);
  const GroupTime& longest = sum.groups.front();
  if (longest.kind == GroupKind::Unknown) return sentence("communication, longest in {}", longest.title);
  return sentence("communication, longest in the {} group", composed(kindText(longest.kind), {}));
}

/// "drain", "drain 61.0 %, jitter 38.5 %"; what is below a hundredth is left out, and after the third largest all else
/// is "other".
std::string causesText(const CauseTimes& times) {
  constexpr std::size_t kMost = 3;
  std::vector<Cause> causes = bySize(times);
  std::erase_if(causes, [&](Cause cause) { return times[cause] < times.total() / 100; });
  if (causes.size() == 1) return std::string(wordsFor(causes.front()));
  std::string text;
  Nanoseconds other = times.total();
  for (std::size_t i = 0; i < std::min(causes.size(), kMost); ++i) {
    text += (text.empty() ? "" : ", ") + std::string(wordsFor(causes[i])) + ' ' +
            percentText(times[causes[i]], times.total());
    other -= times[causes[i]];
  }
  return causes.size() > kMost ? text + ", other " + percentText(other, times.total()) : text;
}

/// Of a trace without our actions, where what orders of actions and lanes could change does not help.
Message importedFixFor(Cause cause, IdleCauses::Work work) {
  if (work == IdleCauses::Work::Operators)
    return sentence(
        "The file has operators only, so what ran between them is not known. Record the GPU or Python stacks as "
        "well");
  switch (cause) {
    case Cause::Communication:
      return sentence("Start collectives earlier, in smaller buckets, or overlap them with compute");
    case Cause::Transfer: return sentence("Use pinned memory, copy ahead, or copy on a separate stream");
    case Cause::Host:
      return sentence("Kernels are launched late. Use larger batches, fewer small kernels, or CUDA graphs");
    default:
      return sentence(
          "The file does not name the cause. Look at what the host and the other streams did before the gaps");
  }
}

/// What the order does not do already.
Message orderFix(const IdleCauses& causes) {
  const bool barrier = causes.window_kind == WindowKind::Step;
  if (!causes.splits_backward && !causes.interleaves)
    return sentence("Use more micro-batches or an interleaved or zero-bubble schedule");
  if (!causes.splits_backward) return sentence("Use more micro-batches or a zero-bubble schedule");
  if (!causes.interleaves)
    return barrier ? sentence("Use more micro-batches, a deeper warm-up, or no step barrier")
                   : sentence("Use more micro-batches or a deeper warm-up");
  return barrier ? sentence("Use more micro-batches or no step barrier") : sentence("Use more micro-batches");
}

/// Of a trace without our actions a lane may have no steps.
std::string windowHeader(const IdleCauses& causes) {
  if (causes.work != IdleCauses::Work::Actions) return "Window";
  return causes.window_kind == WindowKind::Period ? "Periods" : "Step windows";
}

std::string nextHeader(IdleCauses::Work work) {
  constexpr std::array<const char*, 3> kHeaders = {"Next action", "Next kernel", "Next operator"};
  return kHeaders[static_cast<std::size_t>(work)];
}

}  // namespace

Message fixFor(Cause cause, const IdleCauses& causes) {
  switch (cause) {
    case Cause::Fill:
    case Cause::Drain: return orderFix(causes);
    case Cause::Imbalance: return sentence("Move blocks from the slowest stage to the others");
    case Cause::Jitter:
      return sentence(
          "The same work takes unequally long. Look for other programs, warm-up, or micro-batches of unequal size");
    case Cause::TransferQueued:
      return sentence(
          "Transfers queue behind each other. Use fewer boundaries between lanes, or cut where results are smaller");
    case Cause::Transfer:
    case Cause::Communication: return sentence("Cut where results are smaller, or use a faster link");
    case Cause::Data: return sentence("Load data ahead, or with more threads");
    case Cause::Sync:
      if (causes.replicas)
        return sentence(
            "Replicas wait for the slowest one and for the exchange of gradients. Give each the same work and equally "
            "fast cores or devices");
      return causes.processors ? sentence("Lanes wait for each other within a step. Give them equal work")
                               : sentence("Remove what makes the host wait for the device within a step");
    case Cause::Allocator: return sentence("Reuse memory between steps instead of allocating it again");
    case Cause::Host:
      return causes.processors ? sentence("Actions begin late. Use larger micro-batches")
                               : sentence("Actions are launched late. Use larger micro-batches or CUDA graphs");
    case Cause::Contention: return sentence("Give each lane a device of its own, or use fewer lanes per device");
    case Cause::Evaluation: return sentence("Evaluate after fewer epochs, or on fewer rows");
    case Cause::Profiler: return sentence("Record less");
    case Cause::Unresolved:
      return sentence("The trace does not show the cause. Record launch calls, transfers and the work of the host");
  }
  return {};
}

std::vector<Cause> bySize(const CauseTimes& times) {
  std::vector<Cause> causes;
  for (std::size_t i = 0; i < kCauseCount; ++i)
    if (times.times[i] > 0) causes.push_back(static_cast<Cause>(i));
  std::stable_sort(causes.begin(), causes.end(), [&](Cause a, Cause b) { return times[a] > times[b]; });
  return causes;
}

LaneCauses sumOf(const IdleCauses& causes) {
  const std::size_t working = countWithWork(causes);
  LaneCauses sum;
  sum.name = working > 0 && working < causes.lanes.size() ? "lanes with work" : "all lanes";
  for (const LaneCauses& lane : causes.lanes) {
    if (working > 0 && !lane.hasWork()) continue;
    sum.window += lane.window;
    sum.busy += lane.busy;
    sum.idle += lane.idle;
    sum.outside += lane.outside;
    sum.causes += lane.causes;
    addGroupTimes(sum.groups, lane.groups);
    if (!lane.gpu) continue;
    if (!sum.gpu) sum.gpu.emplace();
    *sum.gpu += *lane.gpu;
  }
  return sum;
}

std::string stepText(const Trace& trace, const LaneCauses& lane, const ExplainedGap& gap) {
  return lane.without_steps ? std::string() : std::to_string(shownStep(trace, gap.step));
}

std::string_view causeWord(const LaneCauses& lane, const CauseTimes& times) {
  return lane.hasWork() ? toString(times.largest()) : kWithoutWorkWord;
}

std::string_view wordsFor(Cause cause) { return cause == Cause::TransferQueued ? "transfer queued" : toString(cause); }

std::string percentText(Nanoseconds part, Nanoseconds whole) {
  return whole > 0 ? formatPercent(shareOf(part, whole)) : std::string();
}

TableRows laneRows(const IdleCauses& causes) {
  TableRows rows = {{"Lane", windowHeader(causes), "Busy", "Idle", "Utilization"}};
  const bool gpus = sumOf(causes).gpu.has_value();
  if (gpus) rows[0].insert(rows[0].end(), {"Communication", "Exposed"});
  const auto add = [&](const LaneCauses& lane) {
    std::vector<std::string>& row =
        rows.emplace_back(std::vector{laneText(lane), plainDuration(lane.window), plainDuration(lane.busy),
                                      plainDuration(lane.idle), percentText(lane.busy, lane.window)});
    if (gpus)
      row.insert(row.end(), {plainDuration(lane.gpu->communication), plainDuration(lane.gpu->exposed_communication)});
  };
  for (const LaneCauses& lane : causes.lanes) add(lane);
  if (causes.lanes.size() > 1) add(sumOf(causes));
  return rows;
}

TableRows causeRows(const IdleCauses& causes) {
  constexpr std::size_t kMostColumns = 8;
  const LaneCauses sum = sumOf(causes);
  std::vector<LaneCauses> columns = lanesWithWork(causes);
  if (columns.size() > kMostColumns) columns.clear();
  if (columns.size() != 1) columns.push_back(sum);
  TableRows rows;
  const auto add = [&](std::string_view name, const auto& timeOf, std::string share) {
    std::vector<std::string>& row = rows.emplace_back(1, std::string(name));
    for (const LaneCauses& lane : columns) row.push_back(timeOf(lane));
    row.push_back(std::move(share));
  };
  add("Cause", laneText, "Share of idle");
  for (const Cause cause : bySize(sum.causes))
    add(
        wordsFor(cause), [&](const LaneCauses& lane) { return plainDuration(lane.causes[cause]); },
        percentText(sum.causes[cause], sum.idle));
  add(
      "idle", [](const LaneCauses& lane) { return plainDuration(lane.idle); }, percentText(sum.idle, sum.idle));
  return rows;
}

TableRows gapRows(const Trace& trace, const IdleCauses& causes, std::size_t longest, std::optional<int> lane,
                  Nanoseconds axis) {
  TableRows rows = {{"Lane", nextHeader(causes.work), "Causes", "Step", "Start", "Duration"}};
  for (const GapPlace& place : longestGaps(causes)) {
    if (lane && place.lane->lane != *lane) continue;
    if (rows.size() > longest) break;
    const ExplainedGap& gap = *place.gap;
    rows.push_back({laneText(*place.lane), shortened(beforeText(trace, gap)),
                    place.lane->hasWork() ? causesText(place.lane->causesOf(gap)) : std::string(kWithoutWork),
                    stepText(trace, *place.lane, gap), microsecondsText(gap.range.start - axis) + " µs",
                    plainDuration(gap.range.length())});
  }
  return rows;
}

Message idleSentence(const IdleCauses& causes, bool with_fix) {
  IdleCauses working = causes;
  working.lanes = lanesWithWork(causes);
  const LaneCauses sum = sumOf(working);
  if (sum.window == 0) return sentence("The trace has no actions, kernels or operators that LaneLab knows.");
  const Message without = workless(causes);
  const bool all = without.message.empty(), alone = !all && working.lanes.size() == 1;
  if (sum.idle == 0 && std::ranges::all_of(working.lanes, &LaneCauses::without_steps))
    return causes.work == IdleCauses::Work::Operators
               ? sentence("No lane is idle between its first and its last operator.")
               : sentence("No lane is idle between its first and its last kernel.");
  if (sum.idle == 0)
    return all     ? sentence("No lane is ever idle.")
           : alone ? sentence("{} The other lane is never idle.", without)
                   : sentence("{} The other lanes are never idle.", without);
  // To fill and to drain the pipeline are one cost, with one fix.
  CauseTimes costs = sum.causes;
  costs[Cause::Drain] += std::exchange(costs[Cause::Fill], 0);
  const Cause cause = costs.largest();
  const Message words = cause == Cause::Drain           ? sentence("fill and drain")
                        : cause == Cause::Communication ? communicationMessage(sum)
                                                        : causeMessage(cause);
  const std::string idle = percentText(sum.idle, sum.window);
  const Message who = all     ? sentence("Lanes are idle {} of the time", idle)
                      : alone ? sentence("{} The other lane is idle {} of the time", without, idle)
                              : sentence("{} The other lanes are idle {} of the time", without, idle);
  const Message finding = sentence("{}; largest cause: {} ({}, {} of the idle time).", who, words,
                                   plainDuration(costs[cause]), percentText(costs[cause], sum.idle));
  if (!with_fix) return finding;
  return sentence(
      "{} {}.", finding,
      causes.work == IdleCauses::Work::Actions ? fixFor(cause, causes) : importedFixFor(cause, causes.work));
}

Message communicationSentence(const IdleCauses& causes) {
  const LaneCauses sum = sumOf(causes);
  if (!sum.gpu || sum.gpu->communication == 0) return {};
  return sentence(
      "Communication takes {}; {} of it ({}) is exposed: no kernel computes meanwhile, so it counts as idle time.",
      plainDuration(sum.gpu->communication), percentText(sum.gpu->exposed_communication, sum.gpu->communication),
      plainDuration(sum.gpu->exposed_communication));
}

std::string communicationGroupsSentence(const IdleCauses& causes) {
  constexpr std::size_t kMost = 6;
  const LaneCauses sum = sumOf(causes);
  std::vector<std::string> parts;
  for (const GroupTime& group : sum.groups) {
    if (parts.size() == kMost) break;
    parts.push_back(onOneTerminalLine(shortened(group.title)) + " " + plainDuration(group.time));
  }
  if (parts.empty()) return {};
  return "Idle time while a process group communicated: " + joined(parts, ", ") + ".";
}

std::string outsideSentence(const IdleCauses& causes) {
  const LaneCauses sum = sumOf(causes);
  const Nanoseconds communication = sum.gpu ? sum.gpu->outside_communication : 0;
  const Nanoseconds outside = sum.outside + communication;
  if (causes.work == IdleCauses::Work::Actions || outside == 0) return {};
  const Nanoseconds all = outside + sum.busy + (sum.gpu ? sum.gpu->communication : 0);
  const std::string of = causes.work == IdleCauses::Work::Operators ? "operators"
                         : causes.lanes.size() == 1                 ? "GPU\'s work"
                                                                    : "GPUs\' work";
  return percentText(outside, all) + " of the " + of + ", " + plainDuration(outside) +
         (communication > 0 && sum.outside > 0 ? " (" + plainDuration(communication) + " of it communication)" : "") +
         ", is outside of the steps, before the first, after the last or between them, and is not counted above. "
         "--windows trace counts it.";
}

std::string stepsSentence(const IdleCauses& causes) {
  std::string text;
  if (causes.steps_apart > 0)
    text = "Processes of this trace begin the same step up to " + plainDuration(causes.steps_apart) +
           " apart: each lane has the steps of its own process.";
  if (causes.without_steps > 0)
    text += (text.empty() ? "" : " ") + std::string("The file does not show which steps belong to ") +
            std::to_string(causes.without_steps) +
            (causes.without_steps == 1 ? " lane, whose window is" : " lanes, whose windows are") +
            " from the first to the last " + (causes.work == IdleCauses::Work::Operators ? "operator." : "kernel.");
  return text;
}

std::string launchSentence(const ImportedTrace& imported, const IdleCauses& causes) {
  if (causes.work != IdleCauses::Work::Kernels) return {};
  const auto countOf = [&](const char* kind) {
    const auto found = imported.counts.notes.find(kind);
    return found == imported.counts.notes.end() ? std::int64_t{0} : found->second;
  };
  std::string text;
  if (const std::int64_t unknown = countOf("kernel_without_launch"); unknown > 0)
    text = "Kernels without a launch call in this file: " + std::to_string(unknown) +
           ". Whether these were launched late is unknown.";
  if (const std::int64_t ambiguous = countOf("ambiguous_launch"); ambiguous > 0)
    text += (text.empty() ? "" : " ") + std::string("Kernels whose launch calls are ambiguous: ") +
            std::to_string(ambiguous) +
            ". Several processes of this file have calls with their ids (ambiguous_launch), so whether these were "
            "launched late is unresolved.";
  return text;
}

Message extentSentence(const Trace& trace) {
  if (trace.origin != Origin::Measured || trace.extent == Extent::Whole) return {};
  return trace.extent == Extent::WarmUp
             ? sentence("This is a warm-up, which is not counted: the run ended before a counted repeat.")
             : sentence("This repeat did not end, so it is not counted.");
}

std::string bubbleSentence(const IdleCauses& causes, const std::vector<WaterfallStep>& waterfall) {
  const BubbleShares bubble = bubbleShares(causes);
  if (bubble.of_total == 0) return {};
  const std::string text = "Bubble (fill and drain): " + formatPercent(bubble.of_total) +
                           " of the lane time (as in zero bubble), " + formatPercent(bubble.of_ideal) +
                           " of the busy time (as in Megatron-LM).";
  if (waterfall.empty()) return text;
  // Only of these orders do the rates follow from p lanes and m micro-batches alone.
  const bool plain = !causes.splits_backward && !causes.interleaves && causes.window_kind == WindowKind::Step;
  return text + " Ideal for this order, with equal stages and F = I = W: " + formatPercent(waterfall.front().of_total) +
         (plain ? ", which is (p-1)/(m+p-1) for GPipe and 1F1B, and " : " and ") +
         formatPercent(waterfall.front().of_busy) + (plain ? ", (p-1)/m." : ".");
}

std::string waterfallJson(const std::vector<WaterfallStep>& waterfall) {
  std::string out;
  appendLines(out, waterfall, "    ", [](LineObject& object, const WaterfallStep& step) {
    object.text("with", toWord(step.takes));
    object.number("idle_of_total", step.of_total);
    object.number("idle_of_busy", step.of_busy);
  });
  return out;
}

std::string pathSentence(const std::vector<CriticalPath>& paths) {
  if (paths.empty()) return {};
  Nanoseconds window = 0;
  std::array<Nanoseconds, 4> lengths{};
  for (const CriticalPath& path : paths) {
    window += path.window.length();
    for (const PathLink& link : path.links) lengths[static_cast<std::size_t>(link.kind)] += link.range.length();
  }
  std::string text = paths.size() == 1 ? "Critical path of the step:" : "Critical paths of the steps:";
  constexpr std::array<std::string_view, 4> kKinds = {"actions", "queued transfers", "transfers", "waits"};
  for (std::size_t i = 0; i < kKinds.size(); ++i) {
    if (i > 0 && lengths[i] == 0) continue;
    text += (i == 0 ? " " : ", ") + std::string(kKinds[i]) + " " + percentText(lengths[i], window);
  }
  return text + ".";
}

Message coreSentence(const Trace& trace) {
  if (trace.origin != Origin::Measured) return {};
  std::vector<std::string> names;
  for (const LaneInfo& lane : trace.lanes) names.push_back(onOneTerminalLine(lane.name));
  const Message taken = takenCoresText(names, coreShares(trace));
  if (taken.message.empty()) return {};
  return sentence(
      "{}: other programs or lanes used the cores, or threads waited for helper threads. Do not rely on these times, "
      "nor "
      "on what is predicted from them.",
      taken);
}

std::string whatIfSentence(const Trace& measured, const Trace& replayed) {
  const Nanoseconds before = meanStepPeriod(measured).value_or(0);
  const Nanoseconds after = meanStepPeriod(replayed).value_or(0);
  const std::string change = before == after
                                 ? "the same"
                                 : percentText(std::abs(before - after), before) + (after < before ? " less" : " more");
  return "Replayed, not measured: the mean step takes " + plainDuration(after) + " instead of " +
         plainDuration(before) + ", " + change + ".";
}

}  // namespace lanelab
