// SPDX-License-Identifier: GPL-3.0-only
#include "profiler/io/chrome/chrome_event.h"
#include "base/parse_number.h"
#include "base/utf8.h"

#include <simdjson.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <utility>

#include "profiler/io/chrome/event_digest.h"
#include "profiler/io/chrome/event_splitter.h"
#include "profiler/io/chrome/json_scan.h"
#include "profiler/io/source/cut_text.h"
#include "profiler/io/source/decimal.h"

namespace lanelab {

namespace {

namespace json = simdjson::ondemand;

static_assert(EventSplitter::kReadOver >= simdjson::SIMDJSON_PADDING);

/// First letters of the arguments that are read: most arguments of other programs begin with another one.
constexpr ByteSet kFirstOfArguments{"CDPScdfilmnpqst"};

std::string_view trimmed(std::string_view token) { return token.substr(0, token.find_last_not_of(" \t\r\n") + 1); }

bool isUpper(char c) { return c >= 'A' && c <= 'Z'; }
bool isLetter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }

/// A string unescaped, any other scalar as written; "" for objects and arrays.
simdjson::error_code readText(json::value& value, std::string_view& out) {
  json::json_type type{};
  if (const auto error = value.type().get(type)) {
    // NaN and Infinity are no JSON, but Python writes them; only the number is bad then, not the event.
    out = trimmed(value.raw_json_token());
    return !out.empty() && isLetter(out.front()) ? simdjson::SUCCESS : error;
  }
  if (type == json::json_type::string) return value.get_string().get(out);
  if (type == json::json_type::object || type == json::json_type::array) return simdjson::SUCCESS;
  out = trimmed(value.raw_json_token());
  return simdjson::SUCCESS;
}

struct RepairedJson {
  std::string text;
  std::set<std::string_view> repairs;  ///< as they are counted among the problems
};

/// Makes JSON out of what careless writers take for JSON: PyTorch and others have written raw control characters, bytes
/// that are no UTF-8, unescaped quotes and wrong escapes into names (pytorch#130622, pytorch#146900).
class Repairer {
 public:
  /// `json` is one value.
  explicit Repairer(std::string_view json) : m_in(validUtf8(json)) {
    if (m_in != json) m_result.repairs.insert("invalid_utf8");
  }

  RepairedJson run() {
    m_result.text.reserve(m_in.size() + 64);
    for (m_at = 0; m_at < m_in.size(); ++m_at) m_string ? inString() : outside();
    return std::move(m_result);
  }

 private:
  void keep() { m_result.text += m_in[m_at]; }

  void outside() {
    const char c = m_in[m_at];
    if (c == '{' || c == '[') m_open.push_back(c);
    if ((c == '}' || c == ']') && !m_open.empty()) m_open.pop_back();
    m_string = c == '"';
    keep();
  }

  bool inObject() const { return !m_open.empty() && m_open.back() == '{'; }

  void inString() {
    const char c = m_in[m_at];
    if (c == '\\') {
      escape();
    } else if (c == '"') {
      quote();
    } else if (static_cast<unsigned char>(c) < 0x20) {
      constexpr std::string_view kHexDigits = "0123456789abcdef";
      m_result.text += "\\u00";
      m_result.text += kHexDigits[static_cast<unsigned char>(c) >> 4];
      m_result.text += kHexDigits[static_cast<unsigned char>(c) & 15];
      m_result.repairs.insert("control_character");
    } else {
      keep();
    }
  }

  void escape() {
    const char next = m_at + 1 < m_in.size() ? m_in[m_at + 1] : '\0';
    keep();
    if (std::string_view("\"\\/bfnrtu").find(next) == std::string_view::npos || next == '\0') {
      m_result.text += '\\';
      m_result.repairs.insert("bad_escape");
    } else {
      ++m_at;
      keep();
    }
  }

  /// A quote ends a text only where JSON may continue behind it.
  void quote() {
    if (continues(m_at + 1)) {
      m_string = false;
    } else {
      m_result.text += '\\';
      m_result.repairs.insert("unescaped_quote");
    }
    keep();
  }

  bool continues(std::size_t behind) const {
    const std::size_t next = m_in.find_first_not_of(kJsonBlanks, behind);
    if (next == std::string::npos) return true;
    const char c = m_in[next];
    return c == ':' || c == '}' || c == ']' || (c == ',' && (!inObject() || isKey(next + 1)));
  }

  /// Whether a text and a colon follow, as behind each comma of an object.
  bool isKey(std::size_t from) const {
    const std::size_t begin = m_in.find_first_not_of(kJsonBlanks, from);
    if (begin == std::string::npos || m_in[begin] != '"') return false;
    std::size_t end = begin + 1;
    while (end < m_in.size() && m_in[end] != '"') end += m_in[end] == '\\' ? 2 : 1;
    const std::size_t behind = end < m_in.size() ? m_in.find_first_not_of(kJsonBlanks, end + 1) : std::string::npos;
    return behind != std::string::npos && m_in[behind] == ':';
  }

  std::string m_in;
  RepairedJson m_result;
  std::string m_open;  ///< brackets around the place
  std::size_t m_at = 0;
  bool m_string = false;
};

}  // namespace

struct ChromeEventParser::State {
  std::map<std::string, std::int64_t>& problems;
  json::parser parser;
  simdjson::padded_string repaired;
  simdjson::padded_string digested;
  ChromeEvent event;
  bool counting = false;       ///< the arguments are those of a counter
  const ActionMap* const map;  ///< null unless it names arguments

  State(std::map<std::string, std::int64_t>& counts, const ActionMap* actions)
      : problems(counts), map(actions != nullptr && actions->readsArguments() ? actions : nullptr) {}

  /// Hands the text of a scalar to `take`.
  template <class Take>
  static simdjson::error_code scalar(json::value& value, const Take& take) {
    std::string_view text;
    if (const auto error = readText(value, text)) return error;
    take(text);
    return simdjson::SUCCESS;
  }
  /// Of the times of an event, without which it is lost, what is no number is counted where that is known; without the
  /// correlation of imported traces little is lost.
  static simdjson::error_code plainNumber(json::value& value, int scale, std::optional<std::int64_t>& out) {
    return scalar(value, [&](std::string_view text) { out = scaledDecimal(text, scale); });
  }
  simdjson::error_code number(json::value& value, int scale, std::optional<std::int64_t>& out) {
    const auto error = plainNumber(value, scale, out);
    event.args.bad_number = event.args.bad_number || (!error && !out);
    return error;
  }
  static simdjson::error_code flag(json::value& value, bool& out) {
    return scalar(value, [&](std::string_view text) { out = text == "true" || text == "1"; });
  }

  simdjson::error_code argument(std::string_view key, json::value& value) {
    ChromeEvent::Args& args = event.args;
    if (counting) return counterValue(key, value);
    if (map != nullptr && isMapped(key)) return mappedNumber(key, value);
    if (key.empty() || !kFirstOfArguments.holds(key.front())) return simdjson::SUCCESS;
    if (isUpper(key.front())) return groupArgument(key, value);
    if (key == "stage") return number(value, 0, args.stage);
    if (key == "from_stage") return number(value, 0, args.from_stage);
    if (key == "micro_batch") return number(value, 0, args.micro_batch);
    if (key == "step") return number(value, 0, args.step);
    if (key == "mb_id") return plainNumber(value, 0, args.micro_batch);
    if (key == "model_chunk") return plainNumber(value, 0, args.chunk);
    if (key == "track") return number(value, 0, args.track);
    if (key == "sort_index") return number(value, 0, args.sort_index);
    if (key == "issued_us") return number(value, 3, args.issued);
    if (key == "queued_us") return number(value, 3, args.queued);
    if (key == "mark_us") return number(value, 3, args.mark);
    if (key == "cpu_us") return number(value, 3, args.cpu);
    if (key == "phase") return readText(value, args.phase);
    if (key == "device") return readText(value, args.device);
    if (key == "name") return readText(value, args.name);
    if (key == "labels") return readText(value, args.labels);
    if (key == "correlation" || key == "correlationId" || key == "correlation_id")
      return plainNumber(value, 0, args.correlation);
    if (key == "stream") return plainNumber(value, 0, args.stream);
    if (key == "lanelab_part") return plainNumber(value, 0, args.part);
    if (key == "lanelab_part_of") return readText(value, args.part_of);
    if (key == "lanelab_launcher") return readText(value, args.launcher);
    if (key == "lanelab_async") return flag(value, args.async);
    if (key == "lanelab_communication") args.communicates = true;
    if (key == "lanelab_group") return readText(value, args.group_kind);
    return simdjson::SUCCESS;
  }

  /// As Kineto writes them to kernels of collectives and to record_param_comms.
  simdjson::error_code groupArgument(std::string_view key, json::value& value) {
    ChromeEvent::Args& args = event.args;
    if (key == "Process Group Name") return readText(value, args.group);
    if (key == "Process Group Description") return readText(value, args.group_description);
    if (key == "Process Group Ranks") return readText(value, args.group_ranks);
    if (key == "Src Rank") return plainNumber(value, 0, args.source);
    if (key == "Dst Rank") return plainNumber(value, 0, args.destination);
    if (key != "Collective name") return simdjson::SUCCESS;
    args.communicates = true;
    return readText(value, args.collective);
  }

  bool isMapped(std::string_view key) const {
    return !key.empty() && std::ranges::find(map->arguments, key) != map->arguments.end();
  }

  /// A value is read once, so an argument that is known without a map, too, gets both its places.
  simdjson::error_code mappedNumber(std::string_view key, json::value& value) {
    ChromeEvent::Args& args = event.args;
    std::optional<std::int64_t> number;
    if (const auto error = plainNumber(value, 0, number)) return error;
    for (std::size_t i = 0; i < kNameNumbers; ++i)
      if (map->arguments[i] == key) args.named[i] = number;
    for (const auto& [known, place] :
         {std::pair("step", &args.step), std::pair("stage", &args.stage), std::pair("micro_batch", &args.micro_batch),
          std::pair("mb_id", &args.micro_batch), std::pair("model_chunk", &args.chunk)})
      if (key == known) *place = number;
    return simdjson::SUCCESS;
  }

  simdjson::error_code counterValue(std::string_view key, json::value& value) {
    return scalar(value, [&](std::string_view text) {
      const auto number = parseNumber<double>(text);
      if (number && std::isfinite(*number)) {
        event.values.emplace_back(key, *number);
      } else {
        ++problems["bad_number"];
        ++event.bad_values;
      }
    });
  }

  simdjson::error_code secondId(json::value& value) {
    json::object object;
    if (value.get_object().get(object)) return simdjson::SUCCESS;
    return eachField(object, [this](std::string_view key, json::value& inner) {
      if (key == "local") return readText(inner, event.local_id);
      if (key == "global") return readText(inner, event.global_id);
      return simdjson::SUCCESS;
    });
  }

  simdjson::error_code arguments(json::value& value) {
    json::json_type type{};
    if (const auto error = value.type().get(type)) return error;
    if (type != json::json_type::object) return simdjson::SUCCESS;
    json::object object;
    if (const auto error = value.get_object().get(object)) return error;
    return eachField(object, [this](std::string_view key, json::value& inner) { return argument(key, inner); });
  }

  simdjson::error_code member(std::string_view key, json::value& value) {
    if (key == "ph") return readText(value, event.phase);
    if (key == "name") return readText(value, event.name);
    if (key == "cat") return readText(value, event.category);
    if (key == "pid") return readText(value, event.pid);
    if (key == "tid") return readText(value, event.tid);
    if (key == "ts") return plainNumber(value, 3, event.ts);
    if (key == "dur") return plainNumber(value, 3, event.dur);
    if (key == "args") return arguments(value);
    if (key == "id") return readText(value, event.id);
    if (key == "id2") return secondId(value);
    if (key == "bind_id") return readText(value, event.bind_id);
    if (key == "scope") return readText(value, event.id_scope);
    if (key == "s") return readText(value, event.scope);
    if (key == "bp") return readText(value, event.bind_point);
    if (key == "flow_in") return flag(value, event.flow_in);
    if (key == "flow_out") return flag(value, event.flow_out);
    return simdjson::SUCCESS;
  }

  template <class Visit>
  static simdjson::error_code eachField(json::object& object, const Visit& visit) {
    for (auto entry : object) {
      json::field field;
      if (const auto error = std::move(entry).get(field)) return error;
      std::string_view key;
      if (const auto error = field.unescaped_key().get(key)) return error;
      json::value value = field.value();
      if (const auto error = visit(key, value)) return error;
    }
    return simdjson::SUCCESS;
  }

  simdjson::error_code read(simdjson::padded_string_view text) {
    const auto error = readOnce(text, false);
    // What the arguments of an event are good for is known only when its phase is.
    return error == simdjson::SUCCESS && event.phase == "C" ? readOnce(text, true) : error;
  }

  simdjson::error_code readOnce(simdjson::padded_string_view text, bool counter) {
    std::vector<std::pair<std::string_view, double>> values = std::move(event.values);
    values.clear();
    event = {};
    event.values = std::move(values);
    counting = counter;
    json::document document;
    if (const auto error = parser.iterate(text).get(document)) return error;
    json::object object;
    if (const auto error = document.get_object().get(object)) return error;
    return eachField(object, [this](std::string_view key, json::value& value) { return member(key, value); });
  }

  /// So that a few huge texts, which many spans and rows may show, do not fill the memory.
  void cutTexts() {
    std::int64_t cut = 0;
    const auto limit = [&](std::string_view& text, std::size_t most) {
      const std::string_view front = cutText(text, most);
      cut += front.size() < text.size() ? 1 : 0;
      text = front;
    };
    const bool is_span = event.phase == "X" || event.phase == "B" || event.phase == "b";
    limit(event.name, is_span ? kMostNameBytes : kMostLabelBytes);
    limit(event.category, kMostNameBytes);
    for (std::string_view* text :
         {&event.pid, &event.tid, &event.id, &event.local_id, &event.global_id, &event.bind_id, &event.id_scope})
      limit(*text, kMostLabelBytes);
    for (std::string_view* text : {&event.args.name, &event.args.labels, &event.args.device, &event.args.part_of,
                                   &event.args.launcher, &event.args.group})
      limit(*text, kMostLabelBytes);
    for (auto& [series, value] : event.values) limit(series, kMostLabelBytes);
    if (cut > 0) problems["long_name"] += cut;
  }

  bool readDigest(std::string_view text) {
    EventDigest digest = eventDigest(text);
    if (digest.cut) ++problems["long_event"];
    digested = simdjson::padded_string(digest.text);
    return read(digested) == simdjson::SUCCESS || readRepaired(digest.text);
  }

  bool readRepaired(std::string_view text) {
    // Spaces and commas may follow the event.
    const RepairedJson repairing = Repairer(text.substr(0, text.find_last_not_of(" \t\r\n,") + 1)).run();
    if (repairing.repairs.empty() && repairing.text.size() == text.size()) return false;
    repaired = simdjson::padded_string(repairing.text);
    if (read(repaired) != simdjson::SUCCESS) return false;
    for (const std::string_view repair : repairing.repairs) ++problems[std::string(repair)];
    return true;
  }
};

ChromeEventParser::ChromeEventParser(std::map<std::string, std::int64_t>& problems, const ActionMap* map)
    : m_state(std::make_unique<State>(problems, map)) {}
ChromeEventParser::~ChromeEventParser() = default;

const ChromeEvent* ChromeEventParser::parse(std::string_view text, std::size_t readable) {
  State& state = *m_state;
  const bool whole = text.size() <= kMostEventBytes;
  const bool good =
      whole ? state.read(simdjson::padded_string_view(text.data(), text.size(), readable)) == simdjson::SUCCESS ||
                  state.readRepaired(text)
            : state.readDigest(text);
  if (!good) return nullptr;
  if (text.size() > kMostLabelBytes) state.cutTexts();
  return &state.event;
}

}  // namespace lanelab
