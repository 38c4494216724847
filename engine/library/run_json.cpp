// SPDX-License-Identifier: GPL-3.0-only
#include "engine/library/run_json.h"

#include "base/json_table.h"

namespace lanelab {

void fieldsOf(auto& field, StructOf<VariantEntry> auto& variant) { variantFields(field, variant); }

void fieldsOf(auto& field, StructOf<RunEntry> auto& run) {
  field("id", run.id);
  field("folder", run.folder);
  field("name", run.name());
  field("experiment", run.experiment);
  field("status", run.damaged ? std::string("damaged") : toWord(run.status));
  field("error", run.error);
  field("started", run.started);
  field("finished", run.finished);
  field("model", run.work.arch);
  field("classes", run.work.classes);
  field("data", run.work.source);
  field("shape", run.work.shape);
  field("batch", run.work.batch);
  field("tokens_per_sample", run.unit.tokens);
  field("machine", run.machine);
  field("tags", run.labels.tags);
  field("note", run.labels.note);
  field("star", run.labels.star);
  field("baseline", run.baseline);
  field("shown", run.shownVariant() == nullptr ? std::string() : run.shownVariant()->name);
  field("variants", run.variants);
}

void fieldsOf(auto& field, StructOf<SettingDifference> auto& setting) {
  field("setting", setting.key);
  field("a", setting.a);
  field("b", setting.b);
}

void fieldsOf(auto& field, StructOf<VariantDifference> auto& variant) {
  field("name", variant.name);
  field("a", variant.a);
  field("b", variant.b);
  field("speed_up", variant.speed_up);
  field("speed_up_text", variant.speed_up_text);
  field("losses_a", variant.losses_a);
  field("losses_b", variant.losses_b);
}

namespace {

const char* wordOf(Comparability::Kind kind) {
  switch (kind) {
    case Comparability::Kind::Same: return "same";
    case Comparability::Kind::PerSample: return "per image";
    case Comparability::Kind::No: break;
  }
  return "no";
}

}  // namespace

std::string runsJson(const std::vector<RunEntry>& runs) { return prettyJson({{"runs", jsonOf(runs)}}); }

std::string groupsJson(const std::vector<RunEntry>& runs, const std::vector<RunGroup>& groups, RunGrouping by) {
  Json list = Json::array();
  for (const RunGroup& group : groups) {
    std::vector<std::string> ids;
    for (const std::size_t run : group.runs) ids.push_back(runs[run].id);
    list.push_back({{"value", group.value.empty() ? Json() : Json(group.value)},
                    {"runs", ids},
                    {"best_step_seconds", jsonOf(group.best_step_seconds)},
                    {"best_images_per_second", jsonOf(group.best_samples_per_second)},
                    {"first", group.first},
                    {"last", group.last}});
  }
  return prettyJson({{"group_by", toWord(by)}, {"groups", std::move(list)}});
}

std::string differenceJson(const RunDifference& difference) {
  return prettyJson({{"a", difference.name_a},
                     {"b", difference.name_b},
                     {"trust_a", difference.trust_a},
                     {"trust_b", difference.trust_b},
                     {"comparable", wordOf(difference.comparability.kind)},
                     {"work_differs", jsonOf(difference.comparability.differences)},
                     {"settings", jsonOf(difference.settings)},
                     {"environment", jsonOf(difference.environment)},
                     {"variants", jsonOf(difference.variants)}});
}

}  // namespace lanelab
