// SPDX-License-Identifier: GPL-3.0-only
#include "base/terminal_stream.h"

#include <algorithm>
#include <mutex>
#include <ostream>
#include <string>
#include <string_view>

#include "base/terminal_text.h"

namespace lanelab {
namespace {

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
