// SPDX-License-Identifier: GPL-3.0-only
#include "engine/jobs/job_answer.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <string>

#include "base/text.h"
#include "engine/advise/what_if_answer.h"
#include "engine/schedule/generate.h"
#include "profiler/analysis/slowdown/job_reorder.h"
#include "profiler/analysis/slowdown/job_what_if.h"

namespace lanelab {
namespace {

using Role = JobOperation::Role;

ActionKind kindOf(Phase phase) {
  return phase == Phase::Forward         ? ActionKind::Forward
         : phase == Phase::Backward      ? ActionKind::Backward
         : phase == Phase::BackwardInput ? ActionKind::BackwardInput
                                         : ActionKind::BackwardWeight;
}

/// The pipeline of a job, as schedules are made for it.
struct JobPipeline {
  std::vector<LaneId> lane_of_stage;  ///< lanes are places of the model
  int lanes = 0;
  int micro_batches = 0;
  std::vector<StageTimes> times;  ///< in millionths of a micro-batch's time in all stages together
};

Result<std::vector<LaneId>> lanesOfStagesOf(const JobModel& model) {
  std::map<int, int> place_of;
  for (const JobOperation& pass : model.operations)
    if (pass.role == Role::Pass && place_of.emplace(pass.stage, pass.place).first->second != pass.place)
      return Error::badInput("Stage {} of the job is on several ranks of a replica, so no schedule is made for it.",
                             pass.stage);
  std::vector<LaneId> lanes;
  for (const auto& [stage, place] : place_of) {
    if (stage != static_cast<int>(lanes.size()))
      return Error::badInput("The trace has no passes of stage {}, so no schedule is made for the job.", lanes.size());
    lanes.emplace_back(place);
  }
  return lanes;
}

/// By stage, the mean passes of a micro-batch.
std::vector<StageTimes> meanStageTimes(const JobModel& model, std::size_t stages) {
  std::vector<std::map<Phase, double>> seconds(stages);
  for (std::size_t i = 0; i < model.operations.size(); ++i)
    if (const JobOperation& pass = model.operations[i]; pass.role == Role::Pass)
      for (std::size_t k = 0; k < model.occurrences(); ++k)
        seconds[static_cast<std::size_t>(pass.stage)][pass.phase] += model.lengths[model.at(i, k)];
  double all = 0;
  for (const auto& stage : seconds)
    for (const auto& [phase, sum] : stage) all += sum;
  const auto units = [&](double part) { return std::max<std::int64_t>(1, std::llround(1e6 * part / all)); };
  std::vector<StageTimes> times;
  for (auto& of : seconds) {
    const double weight = of[Phase::BackwardWeight];
    StageTimes stage{units(of[Phase::Forward]), units(of[Phase::Backward] + of[Phase::BackwardInput] + weight), {}};
    if (weight > 0) stage.weight = units(weight);
    times.push_back(stage);
  }
  return times;
}

Result<JobPipeline> pipelineOf(const JobModel& model) {
  Result<std::vector<LaneId>> lanes = lanesOfStagesOf(model);
  if (!lanes.ok()) return lanes.error();
  JobPipeline pipeline{std::move(*lanes), static_cast<int>(model.pipeline_rank.size()), 0, {}};
  for (const JobOperation& operation : model.operations)
    if (operation.role == Role::Pass)
      pipeline.micro_batches = std::max(pipeline.micro_batches, operation.micro_batch + 1);
  pipeline.times = meanStageTimes(model, pipeline.lane_of_stage.size());
  return pipeline;
}

PassOrder orderOf(const Schedule& schedule) {
  PassOrder order(schedule.lanes.size());
  for (std::size_t lane = 0; lane < order.size(); ++lane)
    for (const Action& action : schedule.lanes[lane])
      order[lane].push_back({action.stage.value, phaseOfLetter(letterOf(action.kind)), action.micro_batch.value});
  return order;
}

Schedule recordedSchedule(const JobModel& model, const JobPipeline& pipeline) {
  Schedule schedule;
  schedule.stages = static_cast<int>(pipeline.lane_of_stage.size());
  schedule.micro_batches = pipeline.micro_batches;
  for (const std::vector<OrderedAction>& row : passOrderOf(model)) {
    schedule.lanes.emplace_back();
    for (const OrderedAction& action : row)
      schedule.lanes.back().push_back({StageId(action.stage), kindOf(action.phase), MicroBatchId(action.micro_batch)});
  }
  return schedule;
}

/// "1, 2 and 3"
std::string countsText(const std::vector<int>& counts) {
  std::vector<std::string> words;
  words.reserve(counts.size());
  for (const int count : counts) words.push_back(std::to_string(count));
  return joinAnd(words);
}

Message splitAssumption(bool recorded_split, bool split) {
  if (split && !recorded_split)
    return sentence(
        "The trace has whole backwards: the input part and the weight part take half of each. Record a job that "
        "splits its backward to have their own times.");
  if (recorded_split && !split)
    return sentence("A whole backward takes as long as its input part and its weight part.");
  return {};
}

struct OrderedJob {
  JobModel model;
  std::vector<Message> assumptions;
};

Result<OrderedJob> withSchedule(const JobModel& model, ScheduleKind kind) {
  const Result<JobPipeline> pipeline = pipelineOf(model);
  if (!pipeline.ok()) return pipeline.error();
  const Result<Schedule> schedule = generateSchedule(kind, pipeline->lane_of_stage, pipeline->lanes,
                                                     pipeline->micro_batches, WindowKind::Step, pipeline->times);
  if (!schedule.ok())
    return Error::badInput("{} cannot be the schedule of this job: {}", titleOf(kind), schedule.error());
  std::optional<JobModel> changed = reordered(model, orderOf(*schedule));
  if (!changed)
    return Error::badInput(
        "The passes of the trace are not those of {} stages with {} micro-batches each, so no schedule is made for it.",
        schedule->stages, schedule->micro_batches);
  const Schedule recorded = recordedSchedule(model, *pipeline);
  OrderedJob job{std::move(*changed), {}};
  job.assumptions.push_back(sentence(
      "Each pass and transfer takes what it took, in the order of {}. Memory is not looked at: by stage, at most {} "
      "micro-batches are in flight, and {} before.",
      titleOf(kind), countsText(mostInFlight(*schedule)), countsText(mostInFlight(recorded))));
  if (Message split = splitAssumption(splitsBackward(recorded), splitsBackward(*schedule)); split.code != nullptr)
    job.assumptions.push_back(std::move(split));
  return job;
}

std::vector<Message> replayAssumptions(const JobModel& model, double measured, double replayed) {
  std::vector<Message> assumptions{sentence(
      "Replayed by what operations wait for: passes of a rank follow each other, transfers their pass, collectives end "
      "together. Time between operations that none explains is left out: the measured step takes {}, the replayed one "
      "{}.",
      formatSeconds(measured), formatSeconds(replayed))};
  if (!model.skipped_steps.empty())
    assumptions.push_back(sentence("{} left out, since the operations are not those of most steps.",
                                   counted(static_cast<std::int64_t>(model.skipped_steps.size()), "step")));
  return assumptions;
}

Error circleError() {
  return Error::badInput(
      "Operations of the job wait for each other in a circle, so its steps cannot be replayed. Record it again.");
}

}  // namespace

Result<JobAnswer> answerOfJob(const Trace& trace, const JobQuestion& question) {
  const std::optional<JobModel> model = jobModelOf(trace);
  if (!model)
    return Error::badInput(
        "The trace does not name forward and backward passes of several ranks whose steps are alike, so nothing says "
        "which of its work waits for which. Record a job whose pipeline names them.");
  if (const std::string unknown = unknownName(*model, question.factors); !unknown.empty())
    return Error::badInput("The job has no {}.", unknown);
  std::optional<OrderedJob> ordered;
  if (question.schedule) {
    Result<OrderedJob> job = withSchedule(*model, *question.schedule);
    if (!job.ok()) return job.error();
    ordered = std::move(*job);
  }
  const JobModel& changed = ordered ? ordered->model : *model;
  const std::optional<ReplayedJob> before = replayJob(*model), after = replayJob(changed, question.factors);
  if (!before || !after) return circleError();
  JobAnswer answer;
  answer.before = std::make_shared<const Trace>(replayedTrace(trace, *model, *before));
  answer.after = std::make_shared<const Trace>(replayedTrace(trace, changed, *after));
  answer.measured_step = std::accumulate(model->measured_steps.begin(), model->measured_steps.end(), 0.0) /
                         static_cast<double>(model->measured_steps.size());
  answer.step_before = before->meanStep();
  answer.step_after = after->meanStep();
  answer.range = rangeOfReplay(*answer.before, *answer.after);
  answer.assumptions = replayAssumptions(*model, answer.measured_step, answer.step_before);
  if (ordered) std::ranges::copy(ordered->assumptions, std::back_inserter(answer.assumptions));
  return answer;
}

}  // namespace lanelab
