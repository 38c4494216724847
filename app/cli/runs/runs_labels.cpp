// SPDX-License-Identifier: GPL-3.0-only
// runs tag, untag, note, star, unstar, rename: the user's own data of runs.
#include <functional>
#include <iostream>

#include "app/cli/runs/runs.h"
#include "app/cli/runs_option.h"
#include "engine/library/run_labels.h"

namespace lanelab {
namespace {

struct LabelArguments {
  std::string runs;
  std::string run;
  std::vector<std::string> chosen;
  std::vector<std::string> tags;
  std::string text;
};

using ChangeLabels = std::function<void(RunLabels&)>;

Status labelRuns(const std::vector<std::string>& words, const std::string& runs, const ChangeLabels& change,
                 const std::stop_token& stop) {
  const Result<std::vector<RunEntry>> found = findRuns(words, runs, stop);
  if (!found.ok()) return found.error();
  for (const RunEntry& run : *found) {
    if (const Status changed = changeLabels(run.folder, change); !changed.ok()) return changed;
    std::cout << run.folder << "\n";
  }
  return {};
}

/// A subcommand that changes one run with further words.
std::shared_ptr<LabelArguments> addOneRun(const Command& command) {
  const auto options = std::make_shared<LabelArguments>();
  command.option("RUN", options->run, "A run folder, an id or its begin, or a name").required();
  addRunsOption(command, options->runs);
  return options;
}

void addTagging(const Command& runs, CliContext& context, bool add) {
  const Command command = runs.subcommand(add ? "tag" : "untag", add ? "Add tags to a run" : "Remove tags from a run");
  const auto options = addOneRun(command);
  command.option("TAG", options->tags, "One or more tags").required();
  const std::string name = add ? "runs tag" : "runs untag";
  command.help({.examples = {name + " demo-20261122-214712 night", name + " demo-20261122-214712 night cpu"}});
  chosen(command, context, [options, add, &context] {
    const auto change = [&](RunLabels& labels) {
      for (const std::string& tag : options->tags) add ? addTag(labels, tag) : removeTag(labels, tag);
    };
    return labelRuns({options->run}, options->runs, change, context.stop);
  });
}

void addText(const Command& runs, CliContext& context, const std::string& name, const std::string& description,
             const std::string& example, std::string RunLabels::*member) {
  const Command command = runs.subcommand(name, description);
  const auto options = addOneRun(command);
  command.option("TEXT", options->text, "The text; \"\" removes it").required();
  command.help({.examples = {"runs " + name + " demo-20261122-214712 " + example,
                             "runs " + name + " demo-20261122-214712 \"\""}});
  chosen(command, context, [options, member, &context] {
    const auto change = [&](RunLabels& labels) { labels.*member = options->text; };
    return labelRuns({options->run}, options->runs, change, context.stop);
  });
}

void addStar(const Command& runs, CliContext& context, bool star) {
  const Command command = runs.subcommand(star ? "star" : "unstar", star ? "Star runs" : "Remove the star of runs");
  const auto options = std::make_shared<LabelArguments>();
  command.option("RUN", options->chosen, "Run folders, ids or their begins, or names").required();
  addRunsOption(command, options->runs);
  const std::string name = star ? "runs star" : "runs unstar";
  command.help({.examples = {name + " demo-20261122-214712", name + " night-1 night-2"}});
  chosen(command, context, [options, star, &context] {
    return labelRuns(
        options->chosen, options->runs, [&](RunLabels& labels) { labels.star = star; }, context.stop);
  });
}

}  // namespace

void addRunLabels(const Command& runs, CliContext& context) {
  for (const bool add : {true, false}) addTagging(runs, context, add);
  addText(runs, context, "note", "Write a note about a run", "\"Faster after the cut at layer3.0\"", &RunLabels::note);
  addText(runs, context, "rename", "Give a run a name; its folder remains", "\"Two cores, digits\"", &RunLabels::name);
  for (const bool star : {true, false}) addStar(runs, context, star);
}

}  // namespace lanelab
