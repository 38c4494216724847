// SPDX-License-Identifier: GPL-3.0-only
#include "profiler/io/build/job_transfers.h"

#include <algorithm>

namespace lanelab {

namespace {

/// As far as clocks and stamps of one rank may be off.
constexpr Nanoseconds kStamps = 50'000;

std::vector<Span*> chosen(const std::vector<JobPass>& passes, JobWork work, Phase phase) {
  std::vector<Span*> found;
  for (const JobPass& pass : passes)
    if (pass.is.work == work && pass.is.phase == phase) found.push_back(pass.span);
  return found;
}

/// Receives that begin after the last pass began, and sends that end before the first one ended, carry nothing.
std::vector<Span*> thatCarry(std::vector<Span*> moves, const std::vector<Span*>& computes, JobWork work) {
  Nanoseconds last_start = computes.front()->start, first_end = computes.front()->end;
  for (const Span* const compute : computes) {
    last_start = std::max(last_start, compute->start);
    first_end = std::min(first_end, compute->end);
  }
  std::erase_if(moves, [&](const Span* move) {
    return work == JobWork::Receive ? move->start > last_start + kStamps : move->end < first_end - kStamps;
  });
  return moves;
}

/// The stage that sends what this stage sends or receives.
int sendingStage(int stage, JobWork work, Phase phase) {
  if (work == JobWork::Send) return stage;
  return phase == Phase::Forward ? stage - 1 : stage + 1;
}

void match(const std::vector<JobPass>& passes, JobWork work, Phase phase) {
  const std::vector<Span*> computes = chosen(passes, JobWork::Compute, phase);
  if (computes.empty()) return;
  const std::vector<Span*> moves = thatCarry(chosen(passes, work, phase), computes, work);
  // The first receive of the first stage moves nothing, and some recorders leave it out.
  std::size_t at = work == JobWork::Receive && moves.size() + 1 == computes.size() ? 1 : 0;
  for (Span* const move : moves) {
    if (at == computes.size()) return;
    move->stage = static_cast<std::int16_t>(sendingStage(computes[at]->stage, work, phase));
    move->micro_batch = computes[at++]->micro_batch;
  }
}

}  // namespace

void matchTransfers(const std::vector<JobPass>& passes) {
  for (const Phase phase : {Phase::Forward, Phase::Backward})
    for (const JobWork work : {JobWork::Send, JobWork::Receive}) match(passes, work, phase);
}

}  // namespace lanelab
