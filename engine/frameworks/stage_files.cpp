// SPDX-License-Identifier: GPL-3.0-only
#include "engine/frameworks/stage_files.h"

#include <algorithm>
#include <filesystem>

#include "base/atomic_file.h"
#include "base/json_text.h"
#include "engine/exporter/child_process.h"
#include "engine/exporter/network_export.h"
#include "engine/frameworks/pytorch_script.h"
#include "engine/frameworks/rank_plan.h"
#include "engine/frameworks/script_texts.h"

namespace lanelab {
namespace {

namespace fs = std::filesystem;

/// The scripts while they are needed.
class ScriptFolder {
 public:
  explicit ScriptFolder(const std::string& beside) : m_path(pathBeside(beside)) {}
  ~ScriptFolder() {
    std::error_code ignored;
    fs::remove_all(m_path, ignored);
  }
  ScriptFolder(const ScriptFolder&) = delete;
  ScriptFolder& operator=(const ScriptFolder&) = delete;
  const std::string& path() const { return m_path; }

 private:
  std::string m_path;
};

Json valuesOf(const ExportedNetwork& network, const std::vector<ValueId>& values, int rows) {
  Json all = Json::array();
  for (const ValueId id : values) {
    const ExportedValue& value = network.program.graph.value(id);
    Json shape = Json::array(), by_rows = Json::array();
    for (const SizeExpression& size : value.sizes) {
      shape.push_back(size.evaluate({{network.program.batch_symbol, rows}}).value_or(-1));
      by_rows.push_back(size.text());
    }
    all.push_back({{"shape", shape},
                   {"size_by_batch", by_rows},
                   {"dtype", toWord(value.type)},
                   {"has_gradient", static_cast<bool>(network.differentiable[id.index()])}});
  }
  return all;
}

std::string stagesJson(const ResolvedVariant& variant, const RankPlan& plan) {
  const ExportedNetwork& network = *variant.network();
  const int rows = plan.micro_batches.front().front();
  Json stages = Json::array();
  for (const Stage& stage : plan.stages) {
    const StageGraph graph = stageOf(network.program, network.blocks, stage.first, stage.end);
    const std::string name = "stage" + std::to_string(stage.id.value);
    Json blocks = Json::array();
    for (BlockId id = stage.first; id < stage.end; ++id.value)
      blocks.push_back(variant.model().blocks[id.index()].name);
    stages.push_back({{"stage", stage.id.value},
                      {"rank", plan.stage_ranks[stage.id.index()]},
                      {"blocks", blocks},
                      {"program", name + ".pt2"},
                      {"weights", name + ".safetensors"},
                      {"inputs", valuesOf(network, graph.received, rows)},
                      {"outputs", valuesOf(network, graph.sent, rows)}});
  }
  const Json batch = network.program.batch_symbol.empty() ? Json(nullptr) : Json(network.program.batch_symbol);
  return jsonText(Json{{"variant", variant.config().name},
                       {"micro_batch_size", rows},
                       {"batch_symbol", batch},
                       {"stages", stages}},
                  2) +
         "\n";
}

/// What was written so far of an export that has failed.
void removeStages(const fs::path& folder, std::size_t stages, bool with_folder) {
  std::error_code ignored;
  fs::remove(folder / "stages.json", ignored);
  for (std::size_t stage = 0; stage < stages; ++stage)
    for (const char* const extension : {".pt2", ".safetensors"})
      fs::remove(folder / ("stage" + std::to_string(stage) + extension), ignored);
  if (with_folder) fs::remove(folder, ignored);
}

}  // namespace

Status writeStageFiles(const ResolvedVariant& variant, const std::string& folder,
                       const std::function<void(const std::string& line)>& line, const std::stop_token& stop) {
  Result<WrittenFiles> scripts = pytorchScript(variant);
  if (!scripts.ok()) return scripts.error();
  const Result<RankPlan> plan = rankPlanOf(variant);
  if (!plan.ok()) return plan.error();
  scripts->texts["export_stages.py"] = kExportStagesScript;
  std::error_code ignored;
  const bool is_new = !fs::exists(folder, ignored);
  if (const Status made = writeFiles({.texts = {{"stages.json", stagesJson(variant, *plan)}}}, folder); !made.ok())
    return made;
  const ScriptFolder beside(fs::absolute(folder).string());
  if (const Status made = writeFiles(*scripts, beside.path()); !made.ok()) return made;
  const std::string python = usualPython();
  std::string last;
  const ChildLines lines{line, [&](const std::string& message) { last = message; }};
  const Result<ChildEnd> end =
      runChild({python, "-B", (fs::path(beside.path()) / "export_stages.py").string(),
                std::to_string(plan->micro_batches.front().front()), fs::absolute(folder).string()},
               lines, stop);
  if (end.ok() && end->exit_code == 0 && end->signal == 0) return {};
  removeStages(folder, plan->stages.size(), is_new);
  if (!end.ok()) return end.error();
  return Error::failed("{} could not export the stages. Its last message: {}", python, last);
}

}  // namespace lanelab
