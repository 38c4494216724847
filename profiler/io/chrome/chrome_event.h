// SPDX-License-Identifier: GPL-3.0-only
// One event of a Chrome trace, taken out of its JSON text.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "profiler/io/names/action_map.h"
#include "profiler/trace/trace.h"

namespace lanelab {

/// Texts are views that live until the next event is parsed. Times are nanoseconds as written, without the file's base.
struct ChromeEvent {
  std::string_view phase, name, category;
  std::string_view pid, tid;  ///< as written, without quotes
  std::string_view id, local_id, global_id,
      bind_id;                         ///< as written, without quotes; local_id and global_id are those of `id2`
  std::string_view id_scope;           ///< `scope`
  std::string_view scope, bind_point;  ///< `s` of instants, `bp` of flows
  bool flow_in = false, flow_out = false;
  std::optional<Nanoseconds> ts, dur;

  struct Args {
    std::string_view name, labels, phase, device, part_of, launcher;
    std::string_view group, group_description, group_ranks;  ///< the process group of a collective
    std::string_view group_kind;                             ///< of our own files: what no description says
    std::string_view collective;
    std::optional<std::int64_t> source, destination;              ///< ranks, of a send or receive
    std::array<std::optional<std::int64_t>, kNameNumbers> named;  ///< by NameNumber, of the arguments of an action map
    std::optional<std::int64_t> stage, from_stage, micro_batch, step, track, sort_index, correlation, stream, part;
    std::optional<std::int64_t> chunk;  ///< of the model: which of a lane's stages, from 0; -1 for none
    std::optional<Nanoseconds> issued, queued, mark, cpu;
    bool async = false;
    bool communicates = false;  ///< a kernel of a collective, as Kineto says of those that it knows
    bool bad_number = false;    ///< stage, micro_batch, step, track, issued_us, queued_us or their like is no number
  };
  Args args;
  std::vector<std::pair<std::string_view, double>> values;  ///< numbers among the arguments of a counter (ph C)
  std::int64_t bad_values = 0;                              ///< arguments of a counter that are no numbers
};

/// Parses events one by one; counts in `problems` what it repairs, and what it cuts: long_name (names and other texts,
/// see cut_text.h), long_event.
class ChromeEventParser {
 public:
  /// `problems` must outlive the parser, as must the map, which may be null.
  explicit ChromeEventParser(std::map<std::string, std::int64_t>& problems, const ActionMap* map = nullptr);
  ~ChromeEventParser();

  /// `text` lies in a buffer in which `readable` bytes from its begin may be read. Null when the event is damaged.
  const ChromeEvent* parse(std::string_view text, std::size_t readable);

 private:
  struct State;
  std::unique_ptr<State> m_state;
};

}  // namespace lanelab
