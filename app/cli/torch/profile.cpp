// SPDX-License-Identifier: GPL-3.0-only
// profile: times the blocks of an experiment's model on this machine, and keeps them.
#include <cstdio>
#include <iostream>
#include <memory>

#include "app/cli/checked_experiment.h"
#include "app/cli/cli.h"
#include "app/cli/progress_lines.h"
#include "app/cli/torch/memory_refusal.h"
#include "base/text.h"
#include "engine/advise/profile_of.h"
#include "engine/record/training_length.h"
#include "engine/torch/train/torch_executor.h"

namespace lanelab {
namespace {

struct ProfileArguments {
  std::string file;
  std::vector<std::string> assignments;
  std::vector<int> samples;
  int lane = 0;
  bool refresh = false;
  bool force = false;
  bool json = false;
};

/// An experiment, and the weights that the check of the machine read.
struct CheckedProfile {
  std::shared_ptr<const Resolution> resolution;
  SharedWeights weights;
};

Result<CheckedProfile> readChecked(const ProfileArguments& options, const Executor& executor) {
  auto resolution = lanelab::readChecked(options.file, options.assignments);
  if (!resolution.ok()) return resolution.error();
  const std::size_t lanes = (*resolution)->experiment().lanes.size();
  if (options.lane < 0 || static_cast<std::size_t>(options.lane) >= lanes) {
    return Error::badInput("--lane {} does not exist. Choose a lane from 0 to {}.", options.lane, lanes - 1);
  }
  std::vector<std::string> warnings;
  Result<SharedWeights> weights = executor.checkMachine(**resolution, warnings);
  if (!weights.ok()) return weights.error();
  if (const auto length = trainingLength(**resolution, executor); !length.ok()) return length.error();
  for (const std::string& warning : warnings) std::cerr << "Warning: " << warning << "\n";
  return CheckedProfile{std::move(*resolution), std::move(*weights)};
}

std::string milliseconds(double seconds) { return formatFixed(seconds * 1e3, 2); }

/// "1.23 (1.21 to 1.26)", right-aligned.
std::string cell(const Timing& timing) {
  const std::string text = timing.n == 0 ? "-"
                                         : milliseconds(timing.median) + " (" + milliseconds(timing.low) + " to " +
                                               milliseconds(timing.high) + ")";
  return std::string(text.size() < 26 ? 26 - text.size() : 1, ' ') + text;
}

void printRow(const std::string& name, const std::vector<Timing>& timings) {
  std::string line = name + std::string(name.size() < 12 ? 12 - name.size() : 1, ' ');
  for (const Timing& timing : timings) line += cell(timing);
  std::cout << line << "\n";
}

void printSize(const BlockProfile& profile, const BlockProfile::Size& size, int lanes) {
  std::printf("\n%d %s per micro-batch, n = %d; medians in ms (quartiles)\n%-12s%26s%26s%26s%26s%26s\n", size.samples,
              size.samples == 1 ? "sample" : "samples", size.forward.n, "Block", "Forward", "Backward", "Input part",
              "Weight part", "Transfer");
  std::fflush(stdout);
  for (std::size_t i = 0; i < size.blocks.size(); ++i) {
    const BlockTiming& block = size.blocks[i];
    printRow(profile.block_names[i],
             {block.forward, block.backward, block.backward_input, block.backward_weight, block.transfer});
  }
  printRow("all", {size.forward, size.backward});
  if (lanes > 1)
    std::cout << "Slowdown while all " << lanes << " lanes compute: " << formatNumber(size.all_lanes_slowdown) << "x\n";
}

void print(const FoundProfile& found) {
  const BlockProfile& profile = found.profile;
  const ProfileKey& key = profile.key;
  std::cout << key.arch << ", " << formatShape(key.shape) << ", " << key.precision << ", " << key.layout << ", on "
            << key.machine << " (" << key.device << ", " << counted(key.threads, "thread") << " per lane, "
            << key.software << "), measured\n";
  for (const BlockProfile::Size& size : profile.sizes) printSize(profile, size, key.lanes);
  double update = 0;
  for (const Timing& timing : profile.updates) update += timing.median;
  std::cout << "\nOptimizer update of all blocks: " << formatSeconds(update)
            << ". Overhead per action: " << formatSeconds(profile.action_overhead.median) << ".\n";
}

Status profile(const ProfileArguments& options, const CliContext& context) {
  const std::unique_ptr<Executor> executor = makeTorchExecutor();
  Result<CheckedProfile> checked = readChecked(options, *executor);
  if (!checked.ok()) return checked.error();
  const Resolution& resolution = *checked->resolution;
  const ProfileStore store = ProfileStore::ofThisUser();
  ProfileOptions wanted;
  wanted.lane = LaneId(options.lane);
  wanted.samples = options.samples;
  wanted.refresh = options.refresh;
  wanted.memory = memoryRule(options.force);
  wanted.weights = std::move(checked->weights);
  const TrainingModes modes = commonModes(resolution.experiment().training);
  const Result<FoundProfile> found = [&] {
    ProgressLines lines(ProgressLines::Length::Long);
    wanted.report = lines.report();
    return profileOf(resolution, modes, *executor, store, wanted, context.stop);
  }();
  if (!found.ok()) return found.error();
  for (const std::string& warning : found->warnings) std::cerr << "Warning: " << warning << "\n";
  if (options.json) {
    std::cout << toJson(found->profile);
  } else {
    print(*found);
  }
  std::cerr << (found->measured.empty() ? "Stored by an earlier measurement" : "Stored") << " in "
            << store.pathOf(found->profile.key) << (found->measured.empty() ? " (--refresh measures again)" : "")
            << "\n";
  return {};
}

}  // namespace

void addProfile(const Command& app, CliContext& context) {
  const Command command = app.subcommand("profile", "Measure the time of each block on this machine and store it");
  command.help({.examples = {"profile resources/experiments/demo.json",
                             "profile resources/experiments/demo.json --samples 4,8 --refresh"},
                .notes = "Times are stored in the folder LANELAB_PROFILES, or in lanelab/profiles of the cache folder. "
                         "plan, simulate, sweep and gaps use them.",
                .failure = "a measurement failed"});
  const auto options = std::make_shared<ProfileArguments>();
  command.option("FILE", options->file, "Experiment").required();
  command
      .option("--samples N,...", options->samples,
              "Micro-batch sizes to measure, such as 1,4,8 (default: those of the variants, and half and twice each)")
      .commaSeparated();
  command.option("--lane", options->lane, "Lane to measure on, counted from 0").showDefault();
  command.assignments(options->assignments);
  command.flag("--refresh", options->refresh, "Measure again even if times are stored");
  addForce(command, options->force);
  command.json(options->json);
  chosen(command, context, [options, &context] { return profile(*options, context); });
}

}  // namespace lanelab
