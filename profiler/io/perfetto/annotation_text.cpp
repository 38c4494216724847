// SPDX-License-Identifier: GPL-3.0-only
#include "profiler/io/perfetto/annotation_text.h"

#include <bit>
#include <charconv>
#include <cmath>

#include "base/escaped_text.h"
#include "profiler/io/perfetto/perfetto_fields.h"
#include "profiler/io/perfetto/protobuf.h"
#include "profiler/io/source/cut_text.h"
#include "profiler/trace/number_text.h"

namespace lanelab {
namespace {

constexpr int kDeepestAnnotation = 32;

/// JSON has no number that is not finite.
void appendDouble(std::string& out, std::uint64_t bits) {
  const auto number = std::bit_cast<double>(bits);
  if (std::isfinite(number)) return appendNumber(out, number);
  out += std::isnan(number) ? "\"nan\"" : number > 0 ? "\"inf\"" : "\"-inf\"";
}

void appendPointer(std::string& out, std::uint64_t pointer) {
  std::array<char, 16> digits{};
  const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), pointer, 16).ptr;
  out += "\"0x" + std::string(digits.data(), end) + '"';
}

/// Appends values as JSON; stops soon after kMostArgumentBytes, since nobody sees more.
class AnnotationJson {
 public:
  AnnotationJson(std::string& out, const InternedLookup& interned) : m_out(out), m_interned(interned) {}

  void value(std::string_view annotation, int depth) {
    const Kind kind = kindOf(annotation);
    if (kind != Kind::Scalar && depth >= kDeepestAnnotation) {
      m_out += "null";
    } else if (kind == Kind::Dict) {
      open('{', '}', annotation, perfetto::annotation::kDictEntry, [&](const ProtobufField& entry) {
        appendJsonString(m_out, nameOf(entry.bytes));
        m_out += ':';
        value(entry.bytes, depth + 1);
      });
    } else if (kind == Kind::Array) {
      open('[', ']', annotation, perfetto::annotation::kArrayValue,
           [&](const ProtobufField& item) { value(item.bytes, depth + 1); });
    } else {
      scalar(annotation, depth);
    }
  }

  std::string_view nameOf(std::string_view annotation) const {
    std::string_view name;
    eachField(annotation, [&](const ProtobufField& field) {
      if (field.number == perfetto::annotation::kName) name = field.bytes;
      if (field.number == perfetto::annotation::kNameId)
        name = m_interned(perfetto::interned::kAnnotationNames, field.value);
    });
    return cutText(name, kMostArgumentBytes);
  }

 private:
  enum class Kind { Scalar, Dict, Array };

  static Kind kindOf(std::string_view annotation) {
    Kind kind = Kind::Scalar;
    eachField(annotation, [&](const ProtobufField& field) {
      if (field.number == perfetto::annotation::kDictEntry) kind = Kind::Dict;
      if (field.number == perfetto::annotation::kArrayValue) kind = Kind::Array;
    });
    return kind;
  }

  bool full() const { return m_out.size() > kMostArgumentBytes; }

  /// The fields of that number between brackets.
  template <class Put>
  void open(char begin, char end, std::string_view fields, std::uint32_t number, const Put& put) {
    m_out += begin;
    bool first = true;
    eachField(fields, [&](const ProtobufField& field) {
      if (field.number != number || full()) return;
      if (!first) m_out += ',';
      first = false;
      put(field);
    });
    m_out += end;
  }

  void scalar(std::string_view annotation, int depth) {
    const std::size_t before = m_out.size();
    eachField(annotation, [&](const ProtobufField& field) {
      if (m_out.size() != before) return;
      switch (field.number) {
        case perfetto::annotation::kBoolValue: m_out += field.value != 0 ? "true" : "false"; break;
        case perfetto::annotation::kUintValue: appendNumber(m_out, field.value); break;
        case perfetto::annotation::kIntValue: appendNumber(m_out, static_cast<std::int64_t>(field.value)); break;
        case perfetto::annotation::kDoubleValue: appendDouble(m_out, field.value); break;
        case perfetto::annotation::kPointerValue: appendPointer(m_out, field.value); break;
        case perfetto::annotation::kStringValue: text(field.bytes); break;
        case perfetto::annotation::kTextId: text(m_interned(perfetto::interned::kAnnotationTexts, field.value)); break;
        case perfetto::annotation::kJsonValue: m_out += cutText(field.bytes, kMostArgumentBytes); break;
        case perfetto::annotation::kNestedValue: nested(field.bytes, depth + 1); break;
        default: break;
      }
    });
    if (m_out.size() == before) m_out += "null";
  }

  /// The older form: keys and values of a dictionary are lists of their own.
  void nested(std::string_view message, int depth) {
    if (depth >= kDeepestAnnotation) {
      m_out += "null";
      return;
    }
    std::uint64_t type = perfetto::nested::Scalar;
    std::vector<std::string_view> keys;
    eachField(message, [&](const ProtobufField& field) {
      if (field.number == perfetto::nested::kType) type = field.value;
      if (field.number == perfetto::nested::kDictKey && keys.size() < kMostArgumentBytes) keys.push_back(field.bytes);
    });
    std::size_t next = 0;
    if (type == perfetto::nested::Dict) {
      open('{', '}', message, perfetto::nested::kDictValue, [&](const ProtobufField& field) {
        text(next < keys.size() ? keys[next] : std::string_view());
        ++next;
        m_out += ':';
        nested(field.bytes, depth + 1);
      });
    } else if (type == perfetto::nested::Array) {
      open('[', ']', message, perfetto::nested::kArrayValue,
           [&](const ProtobufField& field) { nested(field.bytes, depth + 1); });
    } else {
      nestedScalar(message);
    }
  }

  void nestedScalar(std::string_view message) {
    const std::size_t before = m_out.size();
    eachField(message, [&](const ProtobufField& field) {
      if (m_out.size() != before) return;
      switch (field.number) {
        case perfetto::nested::kIntValue: appendNumber(m_out, static_cast<std::int64_t>(field.value)); break;
        case perfetto::nested::kDoubleValue: appendDouble(m_out, field.value); break;
        case perfetto::nested::kBoolValue: m_out += field.value != 0 ? "true" : "false"; break;
        case perfetto::nested::kStringValue: text(field.bytes); break;
        default: break;
      }
    });
    if (m_out.size() == before) m_out += "null";
  }

  void text(std::string_view text) { appendJsonString(m_out, cutText(text, kMostArgumentBytes)); }

  std::string& m_out;
  const InternedLookup& m_interned;
};

/// A text is not quoted; nothing for other values.
std::optional<std::string_view> plainText(std::string_view annotation, const InternedLookup& interned) {
  std::optional<std::string_view> text;
  eachField(annotation, [&](const ProtobufField& field) {
    if (field.number == perfetto::annotation::kStringValue) text = field.bytes;
    if (field.number == perfetto::annotation::kTextId)
      text = interned(perfetto::interned::kAnnotationTexts, field.value);
  });
  return text;
}

}  // namespace

EventArguments annotationTexts(std::string_view event, const InternedLookup& interned) {
  EventArguments found;
  eachField(event, [&](const ProtobufField& field) {
    if (field.number != perfetto::event::kAnnotation || found.size() == kMostArguments) return;
    std::string json;
    AnnotationJson writer(json, interned);
    const auto text = plainText(field.bytes, interned);
    if (!text) writer.value(field.bytes, 0);
    found.emplace_back(writer.nameOf(field.bytes), cutText(text ? *text : std::string_view(json), kMostArgumentBytes));
  });
  return found;
}

}  // namespace lanelab
