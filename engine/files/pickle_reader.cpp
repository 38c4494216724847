// SPDX-License-Identifier: GPL-3.0-only
#include "engine/files/pickle_reader.h"

#include <bit>
#include <cstring>
#include <unordered_map>

#include "base/text.h"

namespace lanelab {

namespace {

using Kind = PickleNode::Kind;

constexpr std::size_t kDeepestMarks = 64;
/// Names are joined and may be recalled by two bytes each, so long ones would multiply.
constexpr std::size_t kLongestGlobal = 256;

/// Ends the reading; caught in readPickle.
struct UnsoundPickle {
  std::string why;
};

class Machine {
 public:
  Machine(std::string_view bytes, std::size_t most_values) : m_bytes(bytes), m_most_values(most_values) {}

  PickleTree run() {
    while (!m_tree.root) step(static_cast<unsigned char>(take(1)[0]));
    return std::move(m_tree);
  }

 private:
  std::string_view take(std::uint64_t n) {
    if (n > m_bytes.size() - m_at) throw UnsoundPickle{"it ends too early"};
    const std::string_view taken = m_bytes.substr(m_at, n);
    m_at += n;
    return taken;
  }

  template <class T>
  T number() {
    T value;
    std::memcpy(&value, take(sizeof value).data(), sizeof value);
    return value;
  }

  std::string_view line() {
    const std::size_t end = m_bytes.find('\n', m_at);
    if (end == std::string_view::npos) throw UnsoundPickle{"it ends too early"};
    const std::string_view text = m_bytes.substr(m_at, end - m_at);
    m_at = end + 1;
    return text;
  }

  PickleNode* make(Kind kind) {
    if (m_tree.nodes.size() == m_most_values)
      throw UnsoundPickle{"it holds more than " + groupedDigits(static_cast<std::int64_t>(m_most_values)) + " values"};
    PickleNode& node = m_tree.nodes.emplace_back();
    node.kind = kind;
    return &node;
  }
  void push(PickleNode* node) { m_stack.push_back(node); }
  void pushInt(std::int64_t value, Kind kind = Kind::Int) {
    push(make(kind));
    m_stack.back()->integer = value;
  }
  void pushText(std::string_view text, Kind kind = Kind::Text) {
    push(make(kind));
    m_stack.back()->text = text;
  }
  PickleNode* pop() {
    if (m_stack.empty() || (!m_marks.empty() && m_stack.size() <= m_marks.back()))
      throw UnsoundPickle{"its stack runs empty"};
    PickleNode* const node = m_stack.back();
    m_stack.pop_back();
    return node;
  }
  PickleNode* top() {
    PickleNode* const node = pop();
    push(node);
    return node;
  }

  std::vector<PickleNode*> popToMark() {
    if (m_marks.empty()) throw UnsoundPickle{"its stack has no mark"};
    const auto from = m_stack.begin() + static_cast<std::ptrdiff_t>(m_marks.back());
    std::vector<PickleNode*> items(from, m_stack.end());
    m_stack.erase(from, m_stack.end());
    m_marks.pop_back();
    return items;
  }

  void pushList(std::vector<PickleNode*> items) {
    push(make(Kind::List));
    m_stack.back()->items = std::move(items);
  }
  void pushTuple(int n) {
    std::vector<PickleNode*> items(static_cast<std::size_t>(n));
    for (auto it = items.rbegin(); it != items.rend(); ++it) *it = pop();
    pushList(std::move(items));
  }

  void setItems(const std::vector<PickleNode*>& items) {
    PickleNode* const dict = top();
    if ((dict->kind != Kind::Dict && dict->kind != Kind::Call) || items.size() % 2)
      throw UnsoundPickle{"it sets items of something that is not a dictionary"};
    for (std::size_t i = 0; i < items.size(); i += 2) dict->entries.emplace_back(items[i], items[i + 1]);
  }
  void append(const std::vector<PickleNode*>& items) {
    PickleNode* const list = top();
    if (list->kind != Kind::List) throw UnsoundPickle{"it appends to something that is not a list"};
    list->items.insert(list->items.end(), items.begin(), items.end());
  }

  void remember(std::uint32_t key) { m_memo[key] = top(); }
  void recall(std::uint32_t key) {
    const auto found = m_memo.find(key);
    if (found == m_memo.end()) throw UnsoundPickle{"it recalls what it never stored"};
    push(found->second);
  }

  void reduce() {
    PickleNode* const arguments = pop();
    PickleNode* const what = pop();
    push(make(Kind::Call));
    m_stack.back()->items = {what, arguments};
  }

  void bigInteger() {
    const std::string_view digits = take(number<std::uint8_t>());
    if (digits.size() > 8) throw UnsoundPickle{"it holds an integer of more than 64 bits"};
    std::uint64_t value = !digits.empty() && (digits.back() & 0x80) ? ~std::uint64_t{0} : 0;
    for (std::size_t i = digits.size(); i-- > 0;) value = value << 8 | static_cast<unsigned char>(digits[i]);
    pushInt(static_cast<std::int64_t>(value));
  }

  void pushFloat() {
    std::uint64_t bits = 0;
    for (const char byte : take(8)) bits = bits << 8 | static_cast<unsigned char>(byte);
    push(make(Kind::Float));
    m_stack.back()->number = std::bit_cast<double>(bits);
  }

  void pushGlobal(std::string_view module, std::string_view name) {
    if (module.size() + name.size() > kLongestGlobal)
      throw UnsoundPickle{"it names a global of more than " + std::to_string(kLongestGlobal) + " characters"};
    pushText(std::string(module) + " " + std::string(name), Kind::Global);
  }
  void lineGlobal() {
    const std::string_view module = line();
    pushGlobal(module, line());
  }
  void stackGlobal() {
    const PickleNode* const name = pop();
    const PickleNode* const module = pop();
    pushGlobal(module->text, name->text);
  }

  void mark() {
    if (m_marks.size() == kDeepestMarks)
      throw UnsoundPickle{"it is nested deeper than " + std::to_string(kDeepestMarks) + " levels"};
    m_marks.push_back(m_stack.size());
  }

  void step(unsigned char code) {
    if (!atom(code) && !structure(code))
      throw UnsoundPickle{"it uses instruction " + std::to_string(code) + ", which a state dict does not need"};
  }

  /// Instructions that push one value.
  bool atom(unsigned char code) {
    switch (code) {
      case 'N': push(make(Kind::None)); return true;
      case 0x88: pushInt(1, Kind::Bool); return true;
      case 0x89: pushInt(0, Kind::Bool); return true;
      case 'K': pushInt(number<std::uint8_t>()); return true;
      case 'M': pushInt(number<std::uint16_t>()); return true;
      case 'J': pushInt(number<std::int32_t>()); return true;
      case 0x8a: bigInteger(); return true;
      case 'G': pushFloat(); return true;
      case 'X': pushText(take(number<std::uint32_t>())); return true;
      case 0x8c: pushText(take(number<std::uint8_t>())); return true;
      case 0x8d: pushText(take(number<std::uint64_t>())); return true;
      case 'c': lineGlobal(); return true;
      case 0x93: stackGlobal(); return true;
      case ')':
      case ']': pushList({}); return true;
      case '}': push(make(Kind::Dict)); return true;
      default: return false;
    }
  }

  /// Instructions that move, combine or end.
  bool structure(unsigned char code) {
    switch (code) {
      case 0x80: number<std::uint8_t>(); return true;
      case 0x95: number<std::uint64_t>(); return true;
      case '(': mark(); return true;
      case 't': pushList(popToMark()); return true;
      case 0x85: pushTuple(1); return true;
      case 0x86: pushTuple(2); return true;
      case 0x87: pushTuple(3); return true;
      case 'q': remember(number<std::uint8_t>()); return true;
      case 'r': remember(number<std::uint32_t>()); return true;
      case 0x94: remember(static_cast<std::uint32_t>(m_memo.size())); return true;
      case 'h': recall(number<std::uint8_t>()); return true;
      case 'j': recall(number<std::uint32_t>()); return true;
      case 'R': reduce(); return true;
      case 'b': pop(); return true;  // attributes (_metadata) are of no use here
      case 's': {
        PickleNode* const value = pop();
        PickleNode* const key = pop();
        setItems({key, value});
        return true;
      }
      case 'u': setItems(popToMark()); return true;
      case 'a': append({pop()}); return true;
      case 'e': append(popToMark()); return true;
      case 'Q': {
        PickleNode* const id = pop();
        push(make(Kind::Persistent));
        m_stack.back()->items = {id};
        return true;
      }
      case '0': pop(); return true;
      case '.': m_tree.root = pop(); return true;
      default: return false;
    }
  }

  std::string_view m_bytes;
  std::size_t m_most_values;
  std::size_t m_at = 0;
  PickleTree m_tree;
  std::vector<PickleNode*> m_stack;
  std::vector<std::size_t> m_marks;
  std::unordered_map<std::uint32_t, PickleNode*> m_memo;
};

}  // namespace

Result<PickleTree> readPickle(std::string_view bytes, std::size_t most_values) {
  try {
    return Machine(bytes, most_values).run();
  } catch (const UnsoundPickle& unsound) {
    return Error::badInput(verbatim(unsound.why));
  }
}

}  // namespace lanelab
