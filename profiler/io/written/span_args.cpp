// SPDX-License-Identifier: GPL-3.0-only
#include "profiler/io/written/span_args.h"

namespace lanelab {

namespace {

void writeAction(JsonObject& args, const Span& action, int lane, std::string_view device, Nanoseconds base) {
  args.number("lane", lane);
  args.number("stage", action.stage);
  args.number("micro_batch", action.micro_batch);
  args.letter("phase", action.phase);
  args.number("step", action.step);
  if (action.mark != 0) args.time("issued_us", action.mark - base);
  if (!device.empty()) args.text("device", device);
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

void writeOwn(JsonObject& args, const Span& span, int lane, std::string_view device, Nanoseconds base) {
  switch (span.category) {
    case Category::Action: return writeAction(args, span, lane, device, base);
    case Category::Transfer: return writeTransfer(args, span);
    case Category::Step: return args.number("step", span.step);
    default: return writeOther(args, span, lane, base);
  }
}

}  // namespace

void writeSpanArgs(JsonObject& args, const Span& span, int lane, std::string_view device, Nanoseconds base) {
  writeOwn(args, span, lane, device, base);
  if (span.cpu >= 0) args.time("cpu_us", span.cpu);
}

}  // namespace lanelab
