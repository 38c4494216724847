// One event of a Chrome trace, taken out of its JSON text.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "profiler/trace/trace.h"

namespace lanelab {

/// Texts are views that live until the next event is parsed. Times are nanoseconds as written, without the file's base.
struct ChromeEvent {
  std::string_view phase, name, category;
  std::string_view pid, tid;  ///< as written, without quotes
  std::optional<Nanoseconds> ts, dur;

  struct Args {
    std::string_view name, phase, device;
    std::optional<std::int64_t> stage, from_stage, micro_batch, step, track, sort_index;
    std::optional<Nanoseconds> issued, queued, mark;
  };
  Args args;
};

/// Parses events one by one; counts what it mends or loses in `problems`.
class ChromeEventParser {
 public:
  /// `problems` must outlive the parser.
  explicit ChromeEventParser(std::map<std::string, std::int64_t>& problems);
  ~ChromeEventParser();

  /// `text` lies in a buffer in which `readable` bytes from its begin may be read. Null when the event is damaged.
  const ChromeEvent* parse(std::string_view text, std::size_t readable);

 private:
  struct State;
  std::unique_ptr<State> m_state;
};

}  // namespace lanelab
