#include "profiler/io/chrome_event.h"

#include <simdjson.h>

#include "profiler/io/decimal.h"
#include "profiler/io/json_text.h"

namespace lanelab {

namespace {

namespace json = simdjson::ondemand;

std::string_view trimmed(std::string_view token) { return token.substr(0, token.find_last_not_of(" \t\r\n") + 1); }

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

}  // namespace

struct ChromeEventParser::State {
  std::map<std::string, std::int64_t>& problems;
  json::parser parser;
  simdjson::padded_string mended;
  ChromeEvent event;

  explicit State(std::map<std::string, std::int64_t>& counts) : problems(counts) {}

  simdjson::error_code number(json::value& value, int scale, std::optional<std::int64_t>& out) {
    std::string_view text;
    if (const auto error = readText(value, text)) return error;
    out = scaledDecimal(text, scale);
    if (!out) ++problems["bad_number"];
    return simdjson::SUCCESS;
  }
  simdjson::error_code time(json::value& value, std::optional<Nanoseconds>& out) { return number(value, 3, out); }
  /// Without these two the event is lost, and is counted where that is known.
  simdjson::error_code vitalTime(json::value& value, std::optional<Nanoseconds>& out) {
    std::string_view text;
    if (const auto error = readText(value, text)) return error;
    out = scaledDecimal(text, 3);
    return simdjson::SUCCESS;
  }

  simdjson::error_code argument(std::string_view key, json::value& value) {
    ChromeEvent::Args& args = event.args;
    if (key == "stage") return number(value, 0, args.stage);
    if (key == "from_stage") return number(value, 0, args.from_stage);
    if (key == "micro_batch") return number(value, 0, args.micro_batch);
    if (key == "step") return number(value, 0, args.step);
    if (key == "track") return number(value, 0, args.track);
    if (key == "sort_index") return number(value, 0, args.sort_index);
    if (key == "issued_us") return time(value, args.issued);
    if (key == "queued_us") return time(value, args.queued);
    if (key == "mark_us") return time(value, args.mark);
    if (key == "phase") return readText(value, args.phase);
    if (key == "device") return readText(value, args.device);
    if (key == "name") return readText(value, args.name);
    return simdjson::SUCCESS;
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
    if (key == "ts") return vitalTime(value, event.ts);
    if (key == "dur") return vitalTime(value, event.dur);
    if (key == "args") return arguments(value);
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
    event = {};
    json::document document;
    if (const auto error = parser.iterate(text).get(document)) return error;
    json::object object;
    if (const auto error = document.get_object().get(object)) return error;
    return eachField(object, [this](std::string_view key, json::value& value) { return member(key, value); });
  }
};

ChromeEventParser::ChromeEventParser(std::map<std::string, std::int64_t>& problems) : m_state(std::make_unique<State>(problems)) {}
ChromeEventParser::~ChromeEventParser() = default;

const ChromeEvent* ChromeEventParser::parse(std::string_view text, std::size_t readable) {
  simdjson::error_code error = m_state->read(simdjson::padded_string_view(text.data(), text.size(), readable));
  if (error == simdjson::UTF8_ERROR) {
    ++m_state->problems["invalid_utf8"];
    m_state->mended = simdjson::padded_string(validUtf8(text));
    error = m_state->read(m_state->mended);
  }
  if (error == simdjson::SUCCESS) return &m_state->event;
  ++m_state->problems["damaged_event"];
  return nullptr;
}

}  // namespace lanelab
