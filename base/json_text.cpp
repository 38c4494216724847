// SPDX-License-Identifier: GPL-3.0-only
#include "base/json_text.h"

#include <algorithm>
#include <set>
#include <vector>

#include "base/escaped_text.h"
#include "base/text.h"

namespace lanelab {
namespace {

constexpr std::size_t kDeepest = 64;
constexpr std::size_t kLineWidth = 110;

/// Builds the value while the library reads, since its own builder keeps the last of two equal keys without a word.
class CheckedBuilder : public nlohmann::json_sax<Json> {
 public:
  explicit CheckedBuilder(std::string_view text) : m_text(text) {}

  Json root;
  std::string problem;  ///< without the place; empty when all was well

  bool null() override { return add(nullptr); }
  bool boolean(bool value) override { return add(value); }
  bool number_integer(number_integer_t value) override { return add(value); }
  bool number_unsigned(number_unsigned_t value) override { return add(value); }
  bool number_float(number_float_t value, const string_t&) override { return add(value); }
  bool string(string_t& value) override { return add(std::move(value)); }
  bool binary(binary_t&) override { return false; }
  bool start_object(std::size_t) override { return open(Json::object()); }
  bool start_array(std::size_t) override { return open(Json::array()); }
  bool end_object() override { return close(); }
  bool end_array() override { return close(); }

  bool key(string_t& name) override {
    Frame& frame = m_frames.back();
    frame.key = name;
    if (!frame.keys.insert(name).second) {
      problem = path() + " is given twice. Keep one of them.";
      return false;
    }
    return true;
  }

  bool parse_error(std::size_t position, const std::string&, const Json::exception& error) override {
    const std::string_view before = m_text.substr(0, std::min(position > 0 ? position - 1 : 0, m_text.size()));
    const auto line = 1 + std::ranges::count(before, '\n');
    const std::size_t line_start = before.rfind('\n') == std::string_view::npos ? 0 : before.rfind('\n') + 1;
    problem = "not valid JSON at line " + std::to_string(line) + ", column " +
              std::to_string(before.size() - line_start + 1) + ": " + detailOf(error.what()) +
              (beginsNonFinite(m_text.substr(before.size())) ? "; numbers must be finite" : "") +
              ". Fix the syntax there.";
    return false;
  }

 private:
  struct Frame {
    Json* node;
    std::string key;
    std::set<std::string> keys;
  };

  static bool beginsNonFinite(std::string_view text) {
    const auto words = {"NaN", "nan", "Inf", "inf"};
    return std::ranges::any_of(words, [text](const char* word) { return text.starts_with(word); });
  }

  static std::string detailOf(const std::string& what) {
    if (what.find("number overflow") != std::string::npos) return "the number is too large";
    for (const char* mark : {" - ", ": ", "] "}) {
      const std::size_t at = what.find(mark);
      if (at != std::string::npos) return printable(what.substr(at + std::string_view(mark).size()));
    }
    return printable(what);
  }

  /// The library repeats what it read, which may be no text at all.
  static std::string printable(std::string text) {
    std::ranges::replace_if(
        text, [](char c) { return c < ' ' || c > '~'; }, '?');
    return text;
  }

  /// Of the key just read: every list on the way already holds the element that is being built.
  std::string path() const {
    std::string path;
    for (const Frame& frame : m_frames) {
      path = frame.node->is_array() ? indexPath(path, frame.node->size() - 1) : joinPath(path, frame.key);
    }
    return path;
  }

  Json* place(Json value) {
    if (m_frames.empty()) {
      root = std::move(value);
      return &root;
    }
    Frame& frame = m_frames.back();
    if (frame.node->is_array()) {
      frame.node->push_back(std::move(value));
      return &frame.node->back();
    }
    // Straight to the end: the key is known to be new, and the library's own insertion searches the whole object.
    auto& object = frame.node->get_ref<Json::object_t&>();
    object.emplace_back(frame.key, std::move(value));
    return &object.back().second;
  }

  bool add(Json value) {
    place(std::move(value));
    return true;
  }

  bool open(Json empty) {
    if (m_frames.size() >= kDeepest) {
      problem = "nested deeper than " + std::to_string(kDeepest) +
                " levels, as no part of this format is. Remove the inner levels.";
      return false;
    }
    m_frames.push_back({place(std::move(empty)), {}, {}});
    return true;
  }

  bool close() {
    m_frames.pop_back();
    return true;
  }

  std::string_view m_text;
  std::vector<Frame> m_frames;
};

std::string quoted(const std::string& text) {
  std::string out;
  appendJsonString(out, text);
  return out;
}

std::string scalarText(const Json& value) {
  if (value.is_number_float()) return exactNumber(value.get<double>());
  if (value.is_string()) return quoted(value.get_ref<const std::string&>());
  return jsonText(value);
}

std::string onOneLine(const Json& value) {
  if (!value.is_structured()) return scalarText(value);
  if (value.empty()) return value.is_array() ? "[]" : "{}";
  std::string text = value.is_array() ? "[" : "{ ";
  bool first = true;
  for (const auto& [key, item] : value.items()) {
    if (!first) text += ", ";
    first = false;
    if (value.is_object()) text += quoted(key) + ": ";
    text += onOneLine(item);
  }
  return text + (value.is_array() ? "]" : " }");
}

bool isPlainList(const Json& value) {
  return value.is_array() && std::ranges::none_of(value, [](const Json& item) { return item.is_structured(); });
}

/// How deep it is nested; only flat values are pressed on one line, so that a user finds the parts of a deep one.
bool isFlat(const Json& value) {
  return std::ranges::all_of(value, [](const Json& item) { return !item.is_structured() || isPlainList(item); });
}

void print(const Json& value, std::size_t indent, std::string& out) {
  if (!value.is_structured() || value.empty() || isPlainList(value)) {
    out += onOneLine(value);
    return;
  }
  if (indent > 0 && isFlat(value)) {
    const std::string line = onOneLine(value);
    if (indent + line.size() <= kLineWidth) {
      out += line;
      return;
    }
  }
  out += value.is_array() ? "[\n" : "{\n";
  bool first = true;
  for (const auto& [key, item] : value.items()) {
    if (!first) out += ",\n";
    first = false;
    out.append(indent + 2, ' ');
    if (value.is_object()) out += quoted(key) + ": ";
    print(item, indent + 2, out);
  }
  out += "\n";
  out.append(indent, ' ');
  out += value.is_array() ? "]" : "}";
}

}  // namespace

Result<Json> parseJsonText(std::string_view text, const std::string& place) {
  CheckedBuilder builder(text);
  bool read = false;
  try {
    read = Json::sax_parse(text.begin(), text.end(), &builder, Json::input_format_t::json, true, true);
  } catch (const std::exception& error) {
    builder.problem = std::string("not valid JSON: ") + error.what();
  }
  if (!read || !builder.problem.empty()) return Error::badInput("{}: {}", place, builder.problem);
  return std::move(builder.root);
}

std::string prettyJson(const Json& value) {
  std::string text;
  print(value, 0, text);
  return text + "\n";
}

std::string jsonText(const Json& value, int indent) {
  return value.dump(indent, ' ', false, Json::error_handler_t::replace);
}

std::string joinPath(const std::string& path, std::string_view key) {
  return path.empty() ? std::string(key) : path + "." + std::string(key);
}

std::string indexPath(const std::string& path, std::size_t index) { return path + "[" + std::to_string(index) + "]"; }

}  // namespace lanelab
