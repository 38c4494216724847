// SPDX-License-Identifier: GPL-3.0-only
#include "base/terminal_text.h"

#include <algorithm>
#include <mutex>
#include <ostream>
#include <span>

#include "base/fingerprint.h"
#include "base/utf8.h"

namespace lanelab {
namespace {

bool isPlain(char c) { return (c >= ' ' && c <= '~') || c == '\n' || c == '\t'; }

struct CodeRange {
  char32_t first, last;
};

/// Combining marks, joiners and variation selectors, which take no column of their own.
constexpr CodeRange kJoining[] = {{0x0300, 0x036F}, {0x0483, 0x0489}, {0x0591, 0x05BD},  {0x064B, 0x065F},
                                  {0x1AB0, 0x1AFF}, {0x1DC0, 0x1DFF}, {0x200B, 0x200F},  {0x20D0, 0x20FF},
                                  {0xFE00, 0xFE0F}, {0xFE20, 0xFE2F}, {0xE0100, 0xE01EF}};
/// The blocks that are wide as a whole (Unicode's East Asian Width W and F).
constexpr CodeRange kWide[] = {{0x1100, 0x115F},  {0x2E80, 0x303E},   {0x3041, 0xA4CF},   {0xA960, 0xA97F},
                               {0xAC00, 0xD7A3},  {0xF900, 0xFAFF},   {0xFE30, 0xFE6F},   {0xFF01, 0xFF60},
                               {0xFFE0, 0xFFE6},  {0x1F300, 0x1F64F}, {0x1F680, 0x1F6FF}, {0x1F900, 0x1F9FF},
                               {0x20000, 0x3FFFD}};

bool isIn(std::span<const CodeRange> ranges, char32_t code) {
  return std::ranges::any_of(ranges, [&](CodeRange range) { return code >= range.first && code <= range.last; });
}

std::size_t columnsOf(char32_t code) { return isIn(kJoining, code) ? 0 : isIn(kWide, code) ? 2 : 1; }

/// Appends the first character, which is not plain, and returns how many bytes it had.
std::size_t appendFirst(std::string& out, std::string_view text) {
  const Character first = firstCharacter(text);
  if (!first.valid || first.code < 0x20) {
    out += "\\x" + hexDigits(static_cast<unsigned char>(text.front()), 2);
  } else if (isControl(first.code) || isBidiOverride(first.code)) {
    out += "\\u" + hexDigits(first.code, 4);
  } else {
    out += text.substr(0, first.bytes);
  }
  return first.bytes;
}

/// Appends forTerminal(text) to `out`.
void appendForTerminal(std::string& out, std::string_view text) {
  while (!text.empty()) {
    const auto plain = static_cast<std::size_t>(std::ranges::find_if_not(text, isPlain) - text.begin());
    out += text.substr(0, plain);
    text.remove_prefix(plain);
    if (!text.empty()) text.remove_prefix(appendFirst(out, text));
  }
}

constexpr std::size_t kLargestPiece = std::size_t{64} * 1024;

std::size_t lengthFromLead(unsigned char lead) { return lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : lead >= 0xC2 ? 2 : 1; }

/// How many bytes at the end of `text` begin a character whose rest may follow.
std::size_t cutBytes(std::string_view text) {
  for (std::size_t bytes = 1; bytes <= 3 && bytes <= text.size(); ++bytes) {
    const auto byte = static_cast<unsigned char>(text[text.size() - bytes]);
    if ((byte & 0xC0) != 0x80) return lengthFromLead(byte) > bytes ? bytes : 0;
  }
  return 0;
}

class EscapingBuffer : public std::streambuf {
 public:
  explicit EscapingBuffer(std::streambuf& out) : m_out(out) {}
  ~EscapingBuffer() override { put(forTerminal(m_cut)); }

  void control(std::string_view sequence) {
    const std::lock_guard lock(m_mutex);
    put(sequence);
  }

 protected:
  int_type overflow(int_type c) override {
    if (traits_type::eq_int_type(c, traits_type::eof())) return traits_type::not_eof(c);
    const char letter = traits_type::to_char_type(c);
    return xsputn(&letter, 1) == 1 ? c : traits_type::eof();
  }

  std::streamsize xsputn(const char* data, std::streamsize size) override {
    const std::lock_guard lock(m_mutex);
    for (std::string_view text(data, static_cast<std::size_t>(size)); !text.empty();
         text.remove_prefix(std::min(text.size(), kLargestPiece)))
      if (!escape(text.substr(0, kLargestPiece))) return 0;
    return size;
  }

  int sync() override {
    const std::lock_guard lock(m_mutex);
    return m_out.pubsync();
  }

 private:
  bool put(std::string_view text) {
    const auto size = static_cast<std::streamsize>(text.size());
    return m_out.sputn(text.data(), size) == size;
  }

  bool escape(std::string_view text) {
    m_cut += text;
    const std::size_t cut = cutBytes(m_cut);
    const std::string_view whole = std::string_view(m_cut).substr(0, m_cut.size() - cut);
    m_escaped.clear();
    appendForTerminal(m_escaped, whole);
    m_cut.erase(0, whole.size());
    return put(m_escaped);
  }

  std::streambuf& m_out;
  std::mutex m_mutex;
  std::string m_cut;  ///< the bytes of a character whose rest was not written yet
  std::string m_escaped;
};

}  // namespace

std::size_t terminalWidth(std::string_view text) {
  std::size_t width = 0;
  while (!text.empty()) {
    const Character first = firstCharacter(text);
    width += first.valid && first.code >= kJoining[0].first ? columnsOf(first.code) : 1;
    text.remove_prefix(first.bytes);
  }
  return width;
}

std::string forTerminal(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  appendForTerminal(out, text);
  return out;
}

std::string onOneTerminalLine(std::string_view text) {
  std::string line;
  for (const char c : forTerminal(text))
    line += c == '\n' ? std::string("\\n") : c == '\t' ? std::string("\\t") : std::string(1, c);
  return line;
}

TerminalStream::TerminalStream(std::ostream& stream)
    : m_stream(stream), m_plain(stream.rdbuf()), m_escaping(std::make_unique<EscapingBuffer>(*m_plain)) {
  m_stream.rdbuf(m_escaping.get());
}

TerminalStream::~TerminalStream() {
  const std::ios_base::iostate state = m_stream.rdstate();
  m_stream.rdbuf(m_plain);
  m_stream.clear(state);  // the exchange forgets that a write failed
}

void clearTerminalLine(std::ostream& stream) {
  constexpr std::string_view kSequence = "\r\033[K";
  if (auto* const escaping = dynamic_cast<EscapingBuffer*>(stream.rdbuf())) {
    escaping->control(kSequence);
  } else {
    stream << kSequence;
  }
}

}  // namespace lanelab
