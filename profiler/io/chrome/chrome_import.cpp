// SPDX-License-Identifier: GPL-3.0-only
#include "profiler/io/chrome/chrome_import.h"

#include <array>
#include <cstdint>
#include <limits>
#include <string>

#include "profiler/io/chrome/chrome_event.h"
#include "profiler/io/source/decimal.h"
#include "profiler/io/source/imported_id.h"

namespace lanelab {

namespace {

/// -1 for what does not fit, and `fits` becomes false.
template <class Integer>
Integer fitted(std::optional<std::int64_t> value, bool& fits) {
  if (!value) return -1;
  if (*value >= std::numeric_limits<Integer>::min() && *value <= std::numeric_limits<Integer>::max())
    return static_cast<Integer>(*value);
  fits = false;
  return -1;
}

class ChromeImport {
 public:
  explicit ChromeImport(ImportBuilder& builder)
      : m_builder(builder), m_reads_arguments(builder.actions() && builder.actions()->readsArguments()) {}
  void add(const ChromeEvent& event) {
    if (event.phase.size() == 1) {
      addPhase(event);
    } else {
      ++m_builder.problems()["unknown_phase"];
    }
  }

 private:
  /// The last row of some pid and tid, since events of a thread follow each other.
  struct Known {
    std::string pid;
    std::string tid;
    std::uint32_t row = 0;
    bool filled = false;
  };

  void addPhase(const ChromeEvent& event) {
    switch (event.phase.front()) {
      case 'X': return addSpan(event);
      case 'B': return addHalf(event, true);
      case 'E': return addHalf(event, false);
      case 'b':
      case 'S': return addAsync(event, true);
      case 'e':
      case 'F': return addAsync(event, false);
      case 'i':
      case 'I':
      case 'R':
      case 'n': return addInstant(event);
      case 'C': return addCounter(event);
      case 's':
      case 't':
      case 'f': return addFlow(event);
      case 'M': return addMetadata(event);
      default: break;
    }
    constexpr std::string_view kOthers = "TpPNODvV(),=ca";
    ++m_builder.problems()[kOthers.find(event.phase) == std::string_view::npos ? "unknown_phase" : "unsupported_phase"];
  }

  void addSpan(const ChromeEvent& event) {
    if (!event.dur || *event.dur < 0 || !inReach(*event.dur)) {
      ++m_builder.problems()["bad_number"];
      return;
    }
    if (!timed(event)) return;
    Span span = ImportBuilder::spanOf(*event.ts, *event.ts + *event.dur, m_builder.nameIndex(event.name),
                                      m_builder.categoryKey(event.category));
    std::uint32_t row = rowOf(event);
    const bool other = span.category == Category::Other;
    const NamedWork* const work = m_reads_arguments || (other && event.args.step) ? workOf(span.name) : nullptr;
    if (work && work->mapped && m_reads_arguments) {
      readMapped(event, span);
    } else if (other && event.args.step && work && work->timeline) {
      readJob(event, span);
    } else if (span.label == 0) {
      readDialect(event, span);
    }
    if (isGpuWork(span.category)) row = gpuRowOf(event, row);
    if (span.category == Category::Kernel && event.args.communicates) span.category = Category::Communication;
    if (span.category == Category::Action && !event.args.device.empty())
      m_builder.process(m_builder.row(row).process).device = event.args.device;
    m_builder.addSpan(row, span, event.args.correlation.value_or(-1));
    if (work && work->mapped && event.args.named[kReplica]) m_builder.setReplica(row, replicaOf(event));
    if (!event.args.group.empty() || !event.args.group_kind.empty()) m_builder.setGroup(row, groupOf(event.args));
    if (!event.bind_id.empty()) addSecondFlow(event);
  }

  /// Arrows of the newer kind are identified by their id alone, and are on the spans themselves.
  void addSecondFlow(const ChromeEvent& event) {
    if (!event.flow_in && !event.flow_out) return;
    const char phase = event.flow_in ? (event.flow_out ? 't' : 'f') : 's';
    const std::uint32_t name = m_builder.nameIndex("flow");
    m_builder.addFlowEnd(m_builder.labelIndex("bind_id"), name, event.bind_id, {*event.ts, 0, rowOf(event), phase});
  }

  void addHalf(const ChromeEvent& event, bool begins) {
    if (timed(event)) m_builder.addHalf(halfOf(event, begins));
  }
  void addAsync(const ChromeEvent& event, bool begins) {
    if (!timed(event)) return;
    m_key.assign(event.category).append(1, '\0').append(event.id_scope).append(1, '\0');
    const auto appendId = [this](std::string_view id) {
      const auto whole = wholeId(id);
      whole ? m_key.append(std::to_string(*whole)) : m_key.append("t").append(id);
    };
    if (!event.local_id.empty()) {
      m_key.append("of ").append(event.pid).append(1, '\0');
      appendId(event.local_id);
    } else {
      appendId(event.global_id.empty() ? event.id : event.global_id);
    }
    m_builder.addAsyncHalf(m_key, halfOf(event, begins));
  }

  void addInstant(const ChromeEvent& event) {
    if (!timed(event)) return;
    const char scope = event.scope == "p" || event.scope == "g" ? event.scope.front() : 't';
    m_builder.addInstant(
        {*event.ts, m_builder.nameIndex(event.name), rowOf(event), m_builder.labelIndex(event.category), scope});
  }

  void addCounter(const ChromeEvent& event) {
    m_builder.countBadCounters(event.bad_values);
    if (!timed(event)) return m_builder.countBadCounters(1);
    m_builder.countCounter();
    const std::uint32_t process = m_builder.processIndex(importedId(event.pid));
    const std::uint16_t label = m_builder.labelIndex(event.category);
    m_key.assign(event.name);
    if (!event.id.empty()) m_key.append(" ").append(event.id);
    for (const auto& [series, value] : event.values)
      m_builder.addCounterValue(process, m_key, series, label, *event.ts, value);
  }

  void addFlow(const ChromeEvent& event) {
    if (!timed(event)) return;
    const char phase = event.phase.front();
    const ImportedFlowEnd end{*event.ts, 0, rowOf(event), phase, phase != 'f' || event.bind_point == "e"};
    const std::string_view id = !event.id.empty() ? event.id : !event.bind_id.empty() ? event.bind_id : event.global_id;
    if (id.empty()) {
      ++m_builder.problems()["missing_id"];
      return;
    }
    m_builder.addFlowEnd(m_builder.labelIndex(event.category), m_builder.nameIndex(event.name), id, end);
  }

  void addMetadata(const ChromeEvent& event) {
    const std::uint32_t index = m_builder.processIndex(importedId(event.pid));
    DraftProcess& process = m_builder.process(index);
    if (event.name == "process_name") {
      process.setName(event.args.name);
    } else if (event.name == "process_labels") {
      process.known.labels = event.args.labels;
    } else if (event.name == "process_sort_index") {
      process.known.sort_index = event.args.sort_index;
    } else if (event.name == "thread_name") {
      DraftThread& thread = m_builder.thread(index, importedId(event.tid));
      thread.name = event.args.name;
      constexpr std::int64_t kMostParts = 1 << 30;
      const std::int64_t part = event.args.part.value_or(0);
      if (part > 0 && part < kMostParts)
        thread.part = {importedId(event.args.part_of), static_cast<int>(part), event.args.async};
    } else if (event.name == "thread_sort_index" && event.args.sort_index) {
      m_builder.thread(index, importedId(event.tid)).sort_index = event.args.sort_index;
    }
  }

  static std::optional<int> deviceIn(std::string_view text) {
    constexpr std::int64_t kMostDevices = 1 << 16;
    const auto device = scaledDecimal(text, 0);
    return device && *device >= 0 && *device < kMostDevices ? std::optional(static_cast<int>(*device)) : std::nullopt;
  }

  /// A number of a process on the host is none of a device.
  static std::optional<int> deviceOfPid(std::string_view pid) {
    constexpr int kMost = 1024;
    const auto device = deviceIn(pid);
    return !device ? std::optional(0) : *device < kMost ? device : std::nullopt;
  }

  /// Kineto's pid is the device and its tid the stream; where the arguments say it, they win.
  std::uint32_t gpuRowOf(const ChromeEvent& event, std::uint32_t index) {
    const GpuPlace told{deviceIn(event.args.device), event.args.stream};
    std::uint32_t place = index;
    if (event.args.track) {
      DraftRow& row = m_builder.row(index);
      if (row.device < 0) row.device = told.device.value_or(deviceOfPid(event.pid).value_or(-1));
      if (row.stream < 0) row.stream = told.stream.value_or(scaledDecimal(event.tid, 0).value_or(-1));
    } else {
      place = m_builder.gpuRow(index, told, {deviceOfPid(event.pid), scaledDecimal(event.tid, 0)});
    }
    if (!event.args.launcher.empty() && !m_builder.row(place).launcher)
      m_builder.row(place).launcher = m_builder.processIndex(importedId(event.args.launcher));
    return place;
  }

  void readDialect(const ChromeEvent& event, Span& span) {
    const ChromeEvent::Args& args = event.args;
    const bool ours =
        span.category == Category::Action || span.category == Category::Transfer || span.category == Category::Step;
    bool good = !args.bad_number;
    span.phase = args.phase.size() == 1 ? phaseOfLetter(args.phase.front()) : Phase::None;
    span.step = fitted<std::int32_t>(args.step, good);
    span.stage = fitted<std::int16_t>(args.from_stage ? args.from_stage : args.stage, good);
    span.micro_batch = fitted<std::int16_t>(args.micro_batch, good);
    const std::optional<Nanoseconds> mark = args.issued ? args.issued : args.mark;
    if (mark && inReach(*mark)) span.mark = *mark;
    if (args.queued && inReach(*args.queued)) span.mark = span.start - *args.queued;
    if (args.cpu && inReach(*args.cpu) && *args.cpu >= 0) span.cpu = *args.cpu;
    // Elsewhere the same words may mean other things.
    if (ours && !good) ++m_builder.problems()["bad_number"];
  }

  /// Until the rows of the job are known (JobRows), the stage is the place of the chunk among those of its lane.
  static void readJob(const ChromeEvent& event, Span& span) {
    bool fits = true;
    span.step = fitted<std::int32_t>(event.args.step, fits);
    span.stage = fitted<std::int16_t>(event.args.chunk, fits);
    span.micro_batch = fitted<std::int16_t>(event.args.micro_batch, fits);
  }

  static constexpr auto kStep = static_cast<std::size_t>(NameNumber::Step);
  static constexpr auto kStage = static_cast<std::size_t>(NameNumber::Stage);
  static constexpr auto kMicroBatch = static_cast<std::size_t>(NameNumber::MicroBatch);
  static constexpr auto kReplica = static_cast<std::size_t>(NameNumber::Replica);

  const NamedWork* workOf(std::uint32_t name) {
    const std::optional<NamedWork>& work = m_builder.namedWork(name);
    return work ? &*work : nullptr;
  }

  /// What the arguments of an action map say, until the job is known (AnnotatedJob).
  static void readMapped(const ChromeEvent& event, Span& span) {
    bool fits = true;
    span.step = fitted<std::int32_t>(event.args.named[kStep], fits);
    span.stage = fitted<std::int16_t>(event.args.named[kStage], fits);
    span.micro_batch = fitted<std::int16_t>(event.args.named[kMicroBatch], fits);
  }
  static std::int32_t replicaOf(const ChromeEvent& event) {
    bool fits = true;
    return fitted<std::int16_t>(event.args.named[kReplica], fits);
  }

  std::uint32_t groupOf(const ChromeEvent::Args& args) {
    m_key.clear();
    for (const std::string_view text :
         {args.group, args.group_description, args.group_ranks, args.group_kind, args.collective})
      m_key.append(text).append(1, '\0');
    m_key.append(std::to_string(args.source.value_or(-1))).append(1, ' ');
    m_key.append(std::to_string(args.destination.value_or(-1)));
    return m_builder.groupIndex(m_key, [&args] { return madeGroup(args); });
  }

  static ProcessGroup madeGroup(const ChromeEvent::Args& args) {
    bool fits = true;
    ProcessGroup group;
    group.name = args.group;
    group.description = args.group_description;
    group.ranks = ranksOfText(args.group_ranks);
    group.kind = fromWord<GroupKind>(args.group_kind).value_or(groupKindOf(args.group_description));
    if (args.collective == "send") group.moves = ProcessGroup::Moves::Sends;
    if (args.collective == "recv") group.moves = ProcessGroup::Moves::Receives;
    if (group.moves == ProcessGroup::Moves::None) return group;
    group.source = fitted<int>(args.source, fits);
    group.destination = fitted<int>(args.destination, fits);
    return group;
  }

  HalfSpan halfOf(const ChromeEvent& event, bool begins) {
    const auto [category, label] = m_builder.categoryKey(event.category);
    return {*event.ts, m_builder.nameIndex(event.name), rowOf(event), label, category, begins, !event.name.empty()};
  }
  std::uint32_t rowOf(const ChromeEvent& event) {
    const std::size_t hash = TextHash()(event.pid) * 31 + TextHash()(event.tid);
    Known& known = m_known[hash % m_known.size()];
    if (known.filled && known.pid == event.pid && known.tid == event.tid && !event.args.track) return known.row;
    const std::uint32_t row = m_builder.rowIndex(m_builder.processIndex(importedId(event.pid)), importedId(event.tid),
                                                 event.args.track.value_or(-1));
    if (!event.args.track) known = {std::string(event.pid), std::string(event.tid), row, true};
    return row;
  }

  /// Whether the event's time is a number in reach; counts it where not.
  bool timed(const ChromeEvent& event) {
    if (event.ts && inReach(*event.ts)) return true;
    ++m_builder.problems()["bad_number"];
    return false;
  }

  ImportBuilder& m_builder;
  const bool m_reads_arguments;  ///< an action map names some
  std::array<Known, 64> m_known;
  std::string m_key;
};

/// "{}", with which writers that put a comma behind each event end the list, or begin it.
bool isEmpty(std::string_view event) {
  return event.size() < 64 && event.find_first_not_of("{} \t\r\n,") == std::string_view::npos;
}

}  // namespace

ReadEvents importChrome(EventSplitter& splitter, ImportBuilder& builder) {
  ChromeImport chrome(builder);
  ChromeEventParser parser(builder.problems(), builder.actions().get());
  ReadEvents read;
  while (const auto text = splitter.next()) {
    if (isEmpty(*text)) continue;
    ++read.count;
    const ChromeEvent* event = parser.parse(*text, splitter.readable());
    if (event == nullptr) {
      if (const auto front = splitter.shorten()) event = parser.parse(*front, splitter.readable());
    }
    if (event == nullptr) {
      ++builder.problems()["damaged_event"];
    } else {
      read.any_phase = read.any_phase || !event->phase.empty();
      chrome.add(*event);
    }
  }
  return read;
}

}  // namespace lanelab
