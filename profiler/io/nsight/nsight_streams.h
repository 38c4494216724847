// SPDX-License-Identifier: GPL-3.0-only
// Rows of the streams of GPUs: one for each number of a device, and one more for each further process or context that
// uses the same number. Thread: one at a time.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "profiler/io/build/import_builder.h"

namespace lanelab {

/// What a record of GPU work says of its place: CUPTI's device and stream, and Nsight's global process and CUPTI's
/// context where the table has them.
struct NsightPlace {
  std::int64_t device = 0;
  std::int64_t stream = 0;
  std::optional<std::int64_t> process;
  std::optional<std::int64_t> context;
};

/// Whether one more row of a stream or thread may follow so many; if not that is counted. Each takes about a kilobyte,
/// while the row of the file that names it takes a few bytes.
bool hasRoomForRow(ImportBuilder& builder, std::size_t rows);

class NsightStreams {
 public:
  /// `builder` must outlive it.
  explicit NsightStreams(ImportBuilder& builder) : m_builder(builder) {}

  /// The builder's row. Nothing when there are too many, or the device is unknown, which are counted.
  std::optional<std::uint32_t> rowOf(const NsightPlace& place);
  /// The builder's process that stands for a device.
  std::uint32_t processOf(std::int64_t device);

 private:
  struct Stream {
    NsightPlace place;
    std::uint32_t row = 0;
  };
  std::optional<std::int64_t> deviceOf(const NsightPlace& place);
  std::uint32_t find(const NsightPlace& place);
  std::uint32_t add(const NsightPlace& place, const std::string& tid, const std::string& name);

  ImportBuilder& m_builder;
  std::map<std::pair<std::int64_t, std::int64_t>, std::vector<Stream>> m_streams;  ///< by device and number
  std::map<std::tuple<std::int64_t, std::int64_t, std::optional<std::int64_t>, std::optional<std::int64_t>>,
           std::uint32_t>
      m_rows;  ///< by device, number, process and context
  std::set<std::int64_t> m_devices;
  std::map<std::pair<std::optional<std::int64_t>, std::optional<std::int64_t>>, std::int64_t>
      m_device_of_context;  ///< by process and context
};

}  // namespace lanelab
