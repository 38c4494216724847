// SPDX-License-Identifier: GPL-3.0-only
#include "profiler/io/nsight/nsight_streams.h"

#include "profiler/io/nsight/global_id.h"
#include "profiler/io/source/imported_id.h"

namespace lanelab {

namespace {

/// Whether two records may be of one stream: what both have is equal.
bool mayBeOne(const NsightPlace& one, const NsightPlace& other) {
  return (!one.process || !other.process || one.process == other.process) &&
         (!one.context || !other.context || one.context == other.context);
}

}  // namespace

bool hasRoomForRow(ImportBuilder& builder, std::size_t rows) {
  constexpr std::size_t kMost = std::size_t{1} << 18U;
  if (rows < kMost) return true;
  ++builder.problems()["too_many_rows"];
  return false;
}

std::optional<std::uint32_t> NsightStreams::rowOf(const NsightPlace& place) {
  const auto device = deviceOf(place);
  if (!device) return std::nullopt;
  const std::tuple key(*device, place.stream, place.process, place.context);
  const auto known = m_rows.find(key);
  if (known != m_rows.end()) return known->second;
  if (!hasRoomForRow(m_builder, m_rows.size())) return std::nullopt;
  const std::uint32_t row = find({*device, place.stream, place.process, place.context});
  m_rows.emplace(key, row);
  return row;
}

std::uint32_t NsightStreams::processOf(std::int64_t device) {
  const std::string gpu = "GPU " + std::to_string(device);
  const std::uint32_t process = m_builder.processIndex({gpu, true});
  m_builder.process(process).setName(gpu);
  m_builder.process(process).known.sort_index = device < kTimeLimit ? device + 1 : kTimeLimit;
  return process;
}

/// A graph that starts on the host is of no device in CUPTI's records (INT_MAX); then its context shows it, or the only
/// device that there is. Nothing otherwise, which is noted.
std::optional<std::int64_t> NsightStreams::deviceOf(const NsightPlace& place) {
  constexpr std::int64_t kNone = 2147483647, kNoneUnsigned = 4294967295;
  const std::pair context(place.process, place.context);
  if (place.device >= 0 && place.device != kNone && place.device != kNoneUnsigned) {
    m_devices.insert(place.device);
    if (place.context) m_device_of_context.try_emplace(context, place.device);
    return place.device;
  }
  const auto known = m_device_of_context.find(context);
  if (known != m_device_of_context.end()) return known->second;
  if (m_devices.size() == 1) return *m_devices.begin();
  ++m_builder.notes()["graph_without_device"];
  return std::nullopt;
}

std::uint32_t NsightStreams::find(const NsightPlace& place) {
  constexpr std::size_t kMostOwners = 256;  // of one number; each is compared with all before it
  std::vector<Stream>& streams = m_streams[{place.device, place.stream}];
  for (const Stream& stream : streams)
    if (mayBeOne(stream.place, place)) return stream.row;
  if (streams.size() >= kMostOwners) return streams.back().row;
  const std::string number = std::to_string(place.stream), name = "stream " + number;
  const std::string further = name + " of context " + std::to_string(place.context.value_or(0)) + " in process " +
                              processOfGlobal(place.process.value_or(0)).text;
  streams.push_back({place, add(place, streams.empty() ? number : further, streams.empty() ? name : further)});
  if (place.process)
    m_builder.row(streams.back().row).launcher = m_builder.processIndex(processOfGlobal(*place.process));
  return streams.back().row;
}

std::uint32_t NsightStreams::add(const NsightPlace& place, const std::string& tid, const std::string& name) {
  const std::uint32_t process = processOf(place.device);
  const std::uint32_t row = m_builder.rowIndex(process, importedId(tid));
  m_builder.thread(process, importedId(tid)).name = name;
  m_builder.row(row).device = place.device >= 0 && place.device < 1 << 16 ? static_cast<int>(place.device) : 0;
  m_builder.row(row).stream = place.stream;
  return row;
}

}  // namespace lanelab
