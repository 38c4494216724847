// SPDX-License-Identifier: GPL-3.0-only
// runs compare: the settings of two runs that differ, their step times and losses.
#include <iostream>

#include "app/cli/runs/runs.h"
#include "app/cli/runs_option.h"
#include "base/text.h"
#include "base/text_table.h"
#include "engine/library/run_difference.h"
#include "engine/library/run_json.h"
#include "engine/record/run_store.h"

namespace lanelab {
namespace {

struct PairArguments {
  std::string runs;
  std::vector<std::string> words;
  bool json = false;
};

std::string orMissing(const std::string& text) { return text.empty() ? "-" : text; }

std::string figure(const std::optional<double>& value, double scale = 1) {
  return value ? formatFigures(*value * scale) : "-";
}

void printDifferences(const std::string& title, const std::vector<SettingDifference>& differences) {
  if (differences.empty()) return;
  std::vector<TextRow> rows = {{title, "A", "B"}};
  for (const SettingDifference& difference : differences)
    rows.push_back({difference.key, orMissing(difference.a), orMissing(difference.b)});
  std::cout << textTable(std::move(rows), 3) << "\n";
}

void printVariants(const RunDifference& difference) {
  const std::string speed = difference.unit.areImages() ? "Images/s" : "Samples/s";
  std::vector<TextRow> rows = {{"Variant", "Step time A (ms)", "Step time B (ms)", speed + " A", speed + " B",
                                "Repeats A/B", "B vs A (95 % CI)", "Last loss A", "Last loss B"}};
  for (const VariantDifference& variant : difference.variants) {
    const VariantEntry a = variant.a.value_or(VariantEntry{}), b = variant.b.value_or(VariantEntry{});
    rows.push_back({variant.name, figure(a.step_seconds, 1e3), figure(b.step_seconds, 1e3),
                    figure(a.samples_per_second), figure(b.samples_per_second),
                    std::to_string(a.repeats) + "/" + std::to_string(b.repeats), orMissing(variant.speed_up_text),
                    figure(a.last_loss), figure(b.last_loss)});
  }
  std::cout << textTable(std::move(rows), 1);
}

/// What a reader has to know before comparing figures.
std::string comparabilityNote(const RunDifference& difference) {
  const std::string what = differenceText(difference.comparability).message;
  switch (difference.comparability.kind) {
    case Comparability::Kind::Same: return difference.settings.empty() ? "Both runs have the same settings.\n" : "";
    case Comparability::Kind::PerSample:
      return "The runs differ in " + what + ": compare " + difference.unit.perSecond() + ", not step times.\n";
    case Comparability::Kind::No: break;
  }
  return "The runs did different work (" + what + "), so no speed-up is given.\n";
}

Result<NamedRun> readNamed(const RunEntry& entry, const std::string& name) {
  Result<RunRecord> record = readRun(entry.folder);
  if (!record.ok()) return record.error();
  return NamedRun{name, std::move(*record)};
}

Status comparePair(const PairArguments& options, const std::stop_token& stop) {
  const Result<std::vector<RunEntry>> found = findRuns(options.words, options.runs, stop);
  if (!found.ok()) return found.error();
  const std::vector<std::string> names = shortNames(*found);
  const Result<NamedRun> a = readNamed(found->front(), names.front());
  if (!a.ok()) return a.error();
  const Result<NamedRun> b = readNamed(found->back(), names.back());
  if (!b.ok()) return b.error();
  const RunDifference difference = differenceOf(*a, *b);
  if (options.json) {
    std::cout << differenceJson(difference);
    return {};
  }
  std::cout << "A is " << difference.name_a << ", B is " << difference.name_b << ".\n" << comparabilityNote(difference);
  for (const auto& [letter, trust] : {std::pair("A: ", &difference.trust_a), std::pair("B: ", &difference.trust_b)})
    if (!trust->empty()) std::cout << letter << *trust << "\n";
  std::cout << "\n";
  printDifferences("Setting", difference.settings);
  printDifferences("Environment", difference.environment);
  printVariants(difference);
  return {};
}

}  // namespace

void addRunCompare(const Command& runs, CliContext& context) {
  const Command command =
      runs.subcommand("compare", "Compare two runs: settings that differ, step times and losses of each variant");
  const auto options = std::make_shared<PairArguments>();
  command.option("RUN", options->words, "Two runs: folders, ids or their begins, or names").required().expected(2);
  addRunsOption(command, options->runs);
  command.json(options->json, "one JSON object, with the losses of each step");
  command.help(
      {.examples = {"runs compare demo-20261122-214712 demo-20261122-220101", "runs compare night-1 night-2 --json"}});
  chosen(command, context, [options, &context] { return comparePair(*options, context.stop); });
}

}  // namespace lanelab
