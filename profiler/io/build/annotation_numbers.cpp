// SPDX-License-Identifier: GPL-3.0-only
#include "profiler/io/build/annotation_numbers.h"

#include <algorithm>
#include <array>
#include <limits>
#include <map>
#include <tuple>

#include "profiler/trace/profiler_step.h"

namespace lanelab {

namespace {

constexpr int kLargest = std::numeric_limits<std::int16_t>::max();

/// Numbers beyond those of a span are none.
std::int16_t smallNumber(const std::optional<int>& told, std::int16_t otherwise) {
  return told && *told <= kLargest ? static_cast<std::int16_t>(*told) : otherwise;
}

/// What only a new step begins with, after the updates of the one before.
bool beginsStep(const WorkPart& part) {
  return part.isPass() || part.work == JobWork::Receive || part.work == JobWork::Data;
}

void setStepsByUpdates(std::vector<Annotation>& annotations) {
  int step = 0;
  bool updated = false;
  for (Annotation& one : annotations) {
    if (updated && beginsStep(one.part)) {
      ++step;
      updated = false;
    }
    updated = updated || (one.part.work == JobWork::Compute && one.part.phase == Phase::Update);
    if (one.span.step < 0) one.span.step = step;
  }
}

bool isPlainMove(const Annotation& one) {
  return one.part.moves() && one.part.phase != Phase::None && one.span.micro_batch < 0;
}

/// Of moves without a step, that of the pass of the same direction that came last.
template <class Iterator>
void takeStepsOfPasses(Iterator begin, Iterator end, JobWork work) {
  std::array<int, 2> steps = {-1, -1};
  for (Iterator at = begin; at != end; ++at) {
    Annotation& one = *at;
    int& step = steps[one.part.phase == Phase::Forward ? 0 : 1];
    if (one.part.isPass()) step = one.span.step;
    if (one.part.work == work && isPlainMove(one) && one.span.step < 0) one.span.step = step;
  }
}

/// A send without a micro-batch is of the step of the pass before it, a receive of the pass behind it.
void setStepsByNames(std::vector<Annotation>& annotations) {
  std::map<std::tuple<std::uint32_t, JobWork, Phase>, int> next;
  for (Annotation& one : annotations) {
    if (isPlainMove(one)) continue;
    const int place = next[{one.span.name, one.part.work, one.part.phase}]++;
    if (one.span.step < 0) one.span.step = place;
  }
  takeStepsOfPasses(annotations.begin(), annotations.end(), JobWork::Send);
  takeStepsOfPasses(annotations.rbegin(), annotations.rend(), JobWork::Receive);
}

}  // namespace

void readNumbers(Annotation& annotation) {
  const NameNumbers& told = annotation.is->numbers;
  Span& span = annotation.span;
  if (told[NameNumber::Step]) span.step = *told[NameNumber::Step];
  span.stage = smallNumber(told[NameNumber::Stage], span.stage);
  span.micro_batch = smallNumber(told[NameNumber::MicroBatch], span.micro_batch);
  annotation.replica = smallNumber(told[NameNumber::Replica], static_cast<std::int16_t>(annotation.replica));
}

void setSteps(std::vector<Annotation>& annotations, const std::vector<StepWindow>& marked) {
  const bool numbered = std::ranges::all_of(
      annotations, [](const Annotation& one) { return !one.part.isPass() || one.span.micro_batch >= 0; });
  if (marked.empty()) return numbered ? setStepsByNames(annotations) : setStepsByUpdates(annotations);
  for (Annotation& one : annotations)
    if (one.span.step < 0) one.span.step = markedStepAt(marked, one.span.start);
}

void setPasses(std::vector<Annotation>& annotations, int stage) {
  std::map<std::tuple<int, Phase, int>, std::int16_t> next;
  for (Annotation& one : annotations) {
    if (one.span.stage < 0) one.span.stage = static_cast<std::int16_t>(stage);
    if (!one.part.isPass() || one.span.micro_batch >= 0) continue;
    std::int16_t& number = next[{one.span.step, one.part.phase, one.span.stage}];
    one.span.micro_batch = number;
    if (number < kLargest) ++number;
  }
}

void copyNumbers(const std::vector<Annotation>& host, std::vector<Annotation>& gpu) {
  std::map<std::uint32_t, std::vector<const Annotation*>> of_name;
  for (const Annotation& one : host)
    if (one.part == one.is->first()) of_name[one.span.name].push_back(&one);
  std::map<std::uint32_t, std::size_t> next;
  for (Annotation& one : gpu) {
    const std::vector<const Annotation*>& same = of_name[one.span.name];
    const std::size_t place = next[one.span.name]++;
    one.span.step = place < same.size() ? same[place]->span.step : -1;
    if (place >= same.size()) continue;
    one.span.stage = same[place]->span.stage;
    one.span.micro_batch = same[place]->span.micro_batch;
    one.replica = same[place]->replica;
  }
}

void numberOverReplicas(std::vector<Annotation>& annotations, int replica) {
  int count = 0;
  for (const Annotation& one : annotations) count = std::max(count, one.span.micro_batch + 1);
  for (Annotation& one : annotations) {
    const std::int64_t first = std::int64_t{one.replica >= 0 ? one.replica : replica} * count;
    if (one.span.micro_batch >= 0 && first + one.span.micro_batch <= kLargest)
      one.span.micro_batch = static_cast<std::int16_t>(first + one.span.micro_batch);
  }
}

}  // namespace lanelab
