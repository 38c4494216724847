// SPDX-License-Identifier: GPL-3.0-only
#include "profiler/io/written/span_args.h"

namespace lanelab {

namespace {

void writeAction(JsonObject& args, const Span& action, int lane, const LaneInfo* info, Nanoseconds base) {
  args.number("lane", lane);
  args.number("stage", action.stage);
  args.number("micro_batch", action.micro_batch);
  args.letter("phase", action.phase);
  args.number("step", action.step);
  if (action.mark != 0) args.time("issued_us", action.mark - base);
  if (info != nullptr && !info->device.empty()) args.text("device", info->device);
}

void writeTransfer(JsonObject& args, const Span& transfer) {
  args.number("from_stage", transfer.stage);
  args.number("micro_batch", transfer.micro_batch);
  args.letter("phase", transfer.phase);
  args.number("step", transfer.step);
  args.time("queued_us", transfer.mark != 0 ? transfer.start - transfer.mark : 0);
}

void writeOther(JsonObject& args, const Span& other, int lane, Nanoseconds base) {
  args.number("lane", lane);
  if (other.step != -1) args.number("step", other.step);
  if (other.stage != -1) args.number("stage", other.stage);
  if (other.micro_batch != -1) args.number("micro_batch", other.micro_batch);
  if (other.phase != Phase::None) args.letter("phase", other.phase);
  if (other.mark != 0) args.time("mark_us", other.mark - base);
}

}  // namespace

void writeSpanArgs(JsonObject& args, const Span& span, int lane, const LaneInfo* info, Nanoseconds base) {
  switch (span.category) {
    case Category::Action: writeAction(args, span, lane, info, base); break;
    case Category::Transfer: writeTransfer(args, span); break;
    case Category::Step: args.number("step", span.step); break;
    default: writeOther(args, span, lane, base);
  }
  if (span.cpu >= 0) args.time("cpu_us", span.cpu);
}

}  // namespace lanelab
