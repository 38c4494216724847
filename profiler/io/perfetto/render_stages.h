// SPDX-License-Identifier: GPL-3.0-only
// GpuRenderStageEvents of a Perfetto trace: its own kind of GPU work.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "profiler/io/build/import_builder.h"
#include "profiler/io/perfetto/perfetto_fields.h"
#include "profiler/io/perfetto/perfetto_sequence.h"
#include "profiler/io/perfetto/protobuf.h"
#include "profiler/io/source/imported_id.h"

namespace lanelab {

/// Adds the event as a kernel on a row for its queue, in a process "GPU N". `sequence` knows the names of queues and
/// stages. Problems: bad_number.
inline void addRenderStage(std::string_view event, PerfettoSequence& sequence, std::optional<Nanoseconds> time,
                           ImportBuilder& builder) {
  std::uint64_t duration = 0, gpu = 0, queue = 0, stage = 0;
  eachField(event, [&](const ProtobufField& field) {
    switch (field.number) {
      case perfetto::render_stage::kDuration: duration = field.value; break;
      case perfetto::render_stage::kGpu: gpu = field.value; break;
      case perfetto::render_stage::kOldQueue:
      case perfetto::render_stage::kQueue: queue = field.value; break;
      case perfetto::render_stage::kOldStage:
      case perfetto::render_stage::kStage: stage = field.value; break;
      default: break;
    }
  });
  constexpr std::uint64_t kMostGpus = 1 << 10, kMostQueues = 1 << 12;
  if (!time || duration > static_cast<std::uint64_t>(kTimeLimit) || gpu >= kMostGpus || queue >= kMostQueues) {
    ++builder.problems()["bad_number"];
    return;
  }
  const std::string process_name = "GPU " + std::to_string(gpu);
  const std::uint32_t process = builder.processIndex({process_name, true});
  builder.process(process).setName(process_name);
  const ImportedId tid = importedId(std::to_string(queue));
  const std::uint32_t row = builder.rowIndex(process, tid);
  const auto nameOr = [&](const char* otherwise, std::uint64_t id) {
    const std::string name(sequence.viewOf(perfetto::interned::kGpuSpecifications, id));
    return name.empty() ? otherwise + std::to_string(id) : name;
  };
  builder.thread(process, tid).name = nameOr("queue ", queue);
  builder.row(row).device = static_cast<int>(gpu);
  builder.addSpan(row, ImportBuilder::spanOf(*time, *time + static_cast<Nanoseconds>(duration),
                                             builder.nameIndex(nameOr("stage ", stage)),
                                             builder.categoryKey("gpu_render_stage_event")));
}

}  // namespace lanelab
