// SPDX-License-Identifier: GPL-3.0-only
#include "profiler/io/tables/root_tables.h"

#include <algorithm>
#include <array>

#include "base/terminal_text.h"
#include "base/utf8.h"
#include "profiler/io/tables/line_object.h"

namespace lanelab {

namespace {

/// Names of any length and any bytes are short and on one line.
std::string shortName(std::string_view name) {
  constexpr std::size_t kMost = 48;
  return onOneTerminalLine(cutInMiddle(name, kMost));
}
std::string laneName(const Trace& trace, int lane) {
  const LaneInfo* const info = trace.laneAt(lane);
  return info == nullptr || info->name.empty() ? "lane " + std::to_string(lane) : shortName(info->name);
}

/// By Root::Kind.
constexpr std::array<std::string_view, 5> kKindTexts = {"link", "delay", "stage", "replica", "unequal_actions"};

std::string partText(const Trace& trace, const PathPart& part) {
  const std::string text = std::to_string(part.stage) + letterOf(part.phase);
  return part.lane < 0 ? text : text + " on " + laneName(trace, part.lane);
}

}  // namespace

std::string rootText(const Trace& trace, const Root& root) {
  switch (root.kind) {
    case Root::Kind::Link:
      return "transfers between stage " + std::to_string(root.number) + " and " + std::to_string(root.number + 1);
    case Root::Kind::Delay: return std::string(wordsFor(root.cause)) + " on " + laneName(trace, root.number);
    case Root::Kind::Stage: return "more work of stage " + std::to_string(root.number) + " than of the mean stage";
    case Root::Kind::Replica: return "more time of " + laneName(trace, root.number) + " than of the other replicas";
    case Root::Kind::Unequal: return "slow actions of " + laneName(trace, root.number);
  }
  return {};
}

TableRows rootRows(const Trace& trace, const RootCosts& roots, std::size_t most) {
  TableRows rows = {{"Without", "Mean step (replayed)", "Saved"}};
  for (const RootCost& cost : roots.costs) {
    if (rows.size() > most) break;
    rows.push_back({rootText(trace, cost.root), plainDuration(cost.step),
                    plainDuration(cost.saved) + ", " + percentText(cost.saved, roots.step)});
  }
  return rows;
}

std::string stragglerSentence(const Trace& trace, const RootCosts& roots) {
  for (const RootCost& cost : roots.costs) {
    if (cost.root.kind != Root::Kind::Replica) continue;
    return "The slowest replica is " + laneName(trace, cost.root.number) +
           ": at the speed of the others, the mean step would take " + plainDuration(cost.step) + " instead of " +
           plainDuration(roots.step) + " (replayed).";
  }
  return {};
}

std::string rootsJson(const Trace& trace, const RootCosts& roots) {
  std::string out;
  appendLines(out, roots.costs, "    ", [&](LineObject& object, const RootCost& cost) {
    const bool of_stage = cost.root.kind == Root::Kind::Link || cost.root.kind == Root::Kind::Stage;
    object.text("root", kKindTexts[static_cast<std::size_t>(cost.root.kind)]);
    object.text("text", rootText(trace, cost.root));
    object.number(of_stage ? "stage" : "lane", cost.root.number);
    if (cost.root.kind == Root::Kind::Delay) object.text("cause", toString(cost.root.cause));
    object.time("step_us", cost.step);
    object.time("saved_us", cost.saved);
    object.number("saved_share", shareOf(cost.saved, roots.step));
  });
  return out;
}

TableRows pathRows(const Trace& trace, const PathParts& path, std::size_t most) {
  TableRows rows = {{"Stage and phase", "Of the critical path", "Slack"}};
  for (const PathPart& part : path.parts) {
    if (rows.size() > most) break;
    rows.push_back({partText(trace, part), percentText(part.time, path.path), plainDuration(part.slack)});
  }
  return rows;
}

std::string pathBlocksSentence(const PathParts& path) {
  constexpr std::size_t kMost = 3;
  std::string text;
  for (std::size_t i = 0; i < std::min(path.blocks.size(), kMost); ++i)
    text += (i == 0 ? "Blocks that take most of it: " : ", ") + shortName(path.blocks[i].name) + " " +
            percentText(path.blocks[i].time, path.path);
  return text.empty() ? text : text + ".";
}

std::string pathJson(const PathParts& path) {
  std::string out = "{ \"parts\": ";
  appendLines(out, path.parts, "      ", [&](LineObject& object, const PathPart& part) {
    object.number("stage", part.stage);
    object.text("phase", std::string(1, letterOf(part.phase)));
    if (part.lane >= 0) object.number("lane", part.lane);
    object.time("time_us", part.time);
    object.number("share", shareOf(part.time, path.path));
    object.time("slack_us", part.slack);
  });
  appendLines(out += ",\n    \"blocks\": ", path.blocks, "      ", [&](LineObject& object, const PathBlock& block) {
    object.text("name", block.name);
    object.time("time_us", block.time);
    object.number("share", shareOf(block.time, path.path));
  });
  return out + " }";
}

}  // namespace lanelab
