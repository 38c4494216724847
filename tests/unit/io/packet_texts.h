// SPDX-License-Identifier: GPL-3.0-only
// Packets of Perfetto traces for tests, field by field.
#pragma once

#include <functional>
#include <string>

#include "profiler/io/perfetto/protobuf.h"

namespace lanelab {

/// A message with the fields that `put` writes.
inline std::string message(const std::function<void(ProtobufText&)>& put) {
  std::string out;
  ProtobufText fields(out);
  put(fields);
  return out;
}

/// A packet of a trace with these fields.
inline std::string packet(const std::function<void(ProtobufText&)>& put) {
  std::string out;
  ProtobufText(out).bytes(1, message(put));
  return out;
}

}  // namespace lanelab
