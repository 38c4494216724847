// SPDX-License-Identifier: GPL-3.0-only
// doctor: what was found on this machine, and what to do about what is missing.
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <iostream>
#include <memory>
#include <vector>

#include "app/cli/cli.h"
#include "app/cli/desktop_part.h"
#include "base/json_text.h"
#include "base/text.h"
#include "engine/record/machine_load.h"
#include "engine/record/run_trust.h"
#include "engine/torch/train/torch_executor.h"

namespace lanelab {
namespace {

// A run folder of the demo takes about a megabyte, its weights a hundred each.
constexpr std::uintmax_t kLittleDisk = std::uintmax_t{500} << 20;
// ResNet-50 with gradients, batch 120 at 128x128: parameters, and 28 MiB of activations a sample.
constexpr std::uint64_t kLittleMemory = std::uint64_t{4} << 30;

struct Finding {
  enum class State { Ok, Note, Problem };
  std::string what;
  std::string found;
  State state = State::Ok;
  std::string advice = {};  ///< what to do; empty when nothing
};

using enum Finding::State;

std::string_view wordOf(Finding::State state) { return state == Ok ? "ok" : state == Note ? "note" : "problem"; }

Finding cores(const std::vector<DeviceInfo>& devices) {
  const auto count = std::ranges::count_if(devices, [](const DeviceInfo& info) { return info.device.isCpu(); });
  if (count > 1)
    return {"CPU lanes", std::to_string(count) + " cores: cpu:0 to cpu:" + std::to_string(count - 1), Ok, ""};
  return {"CPU lanes", "1 core: cpu:0", Note, "Lanes share one core, so timings of several lanes are not meaningful."};
}

Finding gpu(const std::vector<DeviceInfo>& devices) {
  Finding finding{"GPU lanes", ""};
  for (const DeviceInfo& device : devices) {
    if (device.device.isCuda())
      finding.found += (finding.found.empty() ? "" : "; ") + toString(device.device) + " " + device.description;
  }
  if (!finding.found.empty()) return finding;
  return {"GPU lanes", "none: " + whyNoCuda(), Note,
          "Everything works on CPU lanes. For GPU lanes install NVIDIA's driver, 580 or later."};
}

std::vector<Finding> gpuRecording() {
  const std::optional<std::string> problem = gpuRecordingProblem();
  if (!problem) return {};
  if (problem->empty()) return {{"GPU activity", "can be recorded"}};
  return {{"GPU activity", *problem, Note, "Runs work, but their traces have no GPU kernels and copies."}};
}

Finding memory() {
  const auto pages = sysconf(_SC_PHYS_PAGES), page_size = sysconf(_SC_PAGESIZE);
  const std::uint64_t bytes = static_cast<std::uint64_t>(pages) * static_cast<std::uint64_t>(page_size);
  Finding finding{"Memory", formatBytes(static_cast<std::int64_t>(bytes))};
  if (bytes < kLittleMemory) {
    finding.state = Note;
    finding.advice =
        "The batch of 120 in tutorial.json does not fit. Choose smaller images or a smaller batch, as in demo.json.";
  }
  return finding;
}

Finding disk() {
  std::error_code error;
  const std::filesystem::path here = std::filesystem::current_path(error);
  const std::filesystem::space_info space = std::filesystem::space(here, error);
  if (error)
    return {"Disk", "the current folder cannot be read (" + error.message() + ")", Problem,
            "Change to another folder."};
  Finding finding{"Disk", formatBytes(static_cast<std::int64_t>(space.available)) + " free in " + here.string()};
  if (space.available < kLittleDisk) {
    finding.state = Problem;
    finding.advice = "Run folders may not fit. Free some space, or name another folder with run --out.";
  } else if (access(here.c_str(), W_OK) != 0) {
    finding.state = Note;
    finding.advice = "This folder cannot be written. Name another folder with run --out.";
  }
  return finding;
}

Finding load() {
  const std::optional<MachineLoad> load = measuredLoad();
  if (!load) return {"Load", "not known on this system"};
  const std::string found =
      "other programs use " + formatFigures(load->busy_cores) + " of " + counted(load->cores, "core");
  if (load->busy_cores <= kLittleLoad) return {"Load", found};
  return {"Load", found, Note, "Lanes on these cores are slowed down. Run when the machine is idle (run --when-idle)."};
}

Finding desktop() {
  const std::string program = desktopProgram();
  if (!program.empty()) return {"Desktop part", program};
  return {"Desktop part", "not beside this program", Note,
          "The window and figures need it: build with ./run.sh without --headless."};
}

std::vector<Finding> findAll() {
  const std::unique_ptr<Executor> executor = makeTorchExecutor();
  const std::vector<DeviceInfo> devices = executor->devices();
  std::vector<Finding> findings = {
      {"LaneLab", LANELAB_VERSION}, cores(devices), gpu(devices), load(), memory(), disk(), desktop()};
  const std::vector<Finding> recording = gpuRecording();
  findings.insert(findings.begin() + 3, recording.begin(), recording.end());
  for (const auto& [name, value] : executor->describe()) findings.push_back({name, value});
  return findings;
}

std::string toJson(const std::vector<Finding>& findings) {
  Json list = Json::array();
  for (const Finding& finding : findings) {
    list.push_back({{"what", finding.what},
                    {"state", wordOf(finding.state)},
                    {"found", finding.found},
                    {"advice", finding.advice}});
  }
  return jsonText({{"findings", std::move(list)}}, 2) + "\n";
}

std::string toText(const std::vector<Finding>& findings) {
  std::size_t width = 0;
  for (const Finding& finding : findings) width = std::max(width, finding.what.size());
  const std::string indent(width + 11, ' ');
  std::string text;
  for (const Finding& finding : findings) {
    const std::string word(wordOf(finding.state));
    text += word + std::string(9 - word.size(), ' ') + finding.what +
            std::string(width - finding.what.size() + 2, ' ') + finding.found + "\n";
    if (!finding.advice.empty()) text += indent + finding.advice + "\n";
  }
  return text;
}

}  // namespace

void addDoctor(const Command& app, CliContext& context) {
  const Command command = app.subcommand("doctor", "Check the set-up of this machine");
  command.help({.examples = {"doctor", "doctor --json"}});
  const auto json = std::make_shared<bool>(false);
  command.json(*json);
  chosen(command, context, [json]() -> Status {
    const std::vector<Finding> findings = findAll();
    std::cout << (*json ? toJson(findings) : toText(findings));
    return {};
  });
}

}  // namespace lanelab
