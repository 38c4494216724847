// SPDX-License-Identifier: GPL-3.0-only
#include "profiler/io/build/job_names.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "base/parse_number.h"

namespace lanelab {

namespace {

using Work = JobName::Work;

struct KnownName {
  std::string_view name;
  JobName is;
};

constexpr KnownName kKnownNames[] = {{"forward-compute", {Work::Compute, Phase::Forward}},
                                     {"backward-compute", {Work::Compute, Phase::Backward}},
                                     {"backward-wgrad-compute", {Work::Compute, Phase::BackwardWeight}},
                                     {"optimizer", {Work::Compute, Phase::Update}},
                                     {"forward-send", {Work::Send, Phase::Forward}},
                                     {"forward-recv", {Work::Receive, Phase::Forward}},
                                     {"backward-send", {Work::Send, Phase::Backward}},
                                     {"backward-recv", {Work::Receive, Phase::Backward}},
                                     {"params-all-gather", {Work::Collective, Phase::None}},
                                     {"params-all-gather-nonoverlapping", {Work::Collective, Phase::None}},
                                     {"grads-reduce-scatter", {Work::Collective, Phase::None}},
                                     {"grads-reduce-scatter-nonoverlapping", {Work::Collective, Phase::None}},
                                     {"separate-grads-all-reduce", {Work::Collective, Phase::None}},
                                     {"layernorm-grads-all-reduce", {Work::Collective, Phase::None}},
                                     {"embedding-grads-all-reduce", {Work::Collective, Phase::None}},
                                     {"optimizer-clip-main-grad", {Work::Collective, Phase::None}},
                                     {"gc", {Work::Host, Phase::None}}};

/// The digits at the front of the text, which are taken off it.
std::optional<int> takeNumber(std::string_view& text) {
  const std::size_t end = std::min(text.find_first_not_of("0123456789"), text.size());
  const auto number = parseNumber<int>(text.substr(0, end));
  text.remove_prefix(end);
  return number;
}

struct KnownAction {
  std::string_view word;
  AnnotationName::Work work;
  Phase phase;
};

constexpr KnownAction kPipelineActions[] = {{"F", AnnotationName::Work::Compute, Phase::Forward},
                                            {"B", AnnotationName::Work::Compute, Phase::Backward},
                                            {"I", AnnotationName::Work::Compute, Phase::BackwardInput},
                                            {"W", AnnotationName::Work::Compute, Phase::BackwardWeight},
                                            {"SEND_F", AnnotationName::Work::Send, Phase::Forward},
                                            {"RECV_F", AnnotationName::Work::Receive, Phase::Forward},
                                            {"SEND_B", AnnotationName::Work::Send, Phase::Backward},
                                            {"RECV_B", AnnotationName::Work::Receive, Phase::Backward}};

/// "2F0", "0RECV_B1".
std::optional<AnnotationName> pipelineActionOf(std::string_view text) {
  const std::optional<int> stage = takeNumber(text);
  const std::string_view word = text.substr(0, text.find_first_of("0123456789"));
  text.remove_prefix(word.size());
  const std::optional<int> micro_batch = takeNumber(text);
  const auto* const known = std::ranges::find(kPipelineActions, word, &KnownAction::word);
  if (!stage || !micro_batch || !text.empty() || known == std::end(kPipelineActions)) return std::nullopt;
  return AnnotationName{known->work, known->phase, *stage, *micro_batch};
}

/// "Forward 3" of ScheduleGPipe, whose only stage is the rank's.
std::optional<AnnotationName> numberedPassOf(std::string_view name) {
  for (const auto& [word, phase] : {std::pair("Forward ", Phase::Forward), std::pair("Backward ", Phase::Backward)}) {
    if (!name.starts_with(word)) continue;
    std::string_view rest = name.substr(std::string_view(word).size());
    const std::optional<int> micro_batch = takeNumber(rest);
    if (micro_batch && rest.empty()) return AnnotationName{AnnotationName::Work::Compute, phase, -1, *micro_batch};
  }
  return std::nullopt;
}

}  // namespace

std::optional<AnnotationName> annotationNameOf(std::string_view name) {
  constexpr std::string_view kPipeline = "PP:", kGloo = "gloo:";
  if (name.starts_with(kPipeline)) return pipelineActionOf(name.substr(kPipeline.size()));
  if (name == "gloo:send") return AnnotationName{AnnotationName::Work::Send, Phase::None};
  if (name == "gloo:recv") return AnnotationName{AnnotationName::Work::Receive, Phase::None};
  if (name.starts_with(kGloo)) return AnnotationName{AnnotationName::Work::Collective, Phase::None};
  if (name.starts_with("Optimizer.step#")) return AnnotationName{AnnotationName::Work::Compute, Phase::Update};
  if (name.starts_with("enumerate(DataLoader)")) return AnnotationName{AnnotationName::Work::Data, Phase::None};
  return numberedPassOf(name);
}

std::optional<JobName> jobNameOf(std::string_view name) {
  const auto* const known = std::ranges::find(kKnownNames, name, &KnownName::name);
  return known == std::end(kKnownNames) ? std::nullopt : std::optional(known->is);
}

}  // namespace lanelab
