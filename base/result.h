// SPDX-License-Identifier: GPL-3.0-only
// Result<T>: a value or an Error whose message a user can act on. Thread: plain values, no shared state.
#pragma once

#include <cassert>
#include <string>
#include <utility>
#include <variant>

#include "base/message.h"

namespace lanelab {

/// What went wrong, in one sentence that names the place and the fix. It is a code with values (base/message.h), so
/// that window and command line put it into their words; `message` is the sentence in English.
struct Error : Message {
  /// Decides the exit code of the command line: 2, 1 and 130.
  enum class Kind { BadInput, Failed, Cancelled };
  Kind kind = Kind::Failed;

  Error() = default;
  Error(Kind of_kind, Message said) : Message(std::move(said)), kind(of_kind) {}

  /// badInput("{} has no lane {}.", name, lane)
  template <class... Values>
  static Error badInput(MessageCode<std::type_identity_t<Values>...> code, const Values&... values) {
    return {Kind::BadInput, sentence<Values...>(code, values...)};
  }
  template <class... Values>
  static Error failed(MessageCode<std::type_identity_t<Values>...> code, const Values&... values) {
    return {Kind::Failed, sentence<Values...>(code, values...)};
  }
  static Error badInput(Message said) { return {Kind::BadInput, std::move(said)}; }
  static Error failed(Message said) { return {Kind::Failed, std::move(said)}; }
  template <class... Values>
  static Error cancelled(MessageCode<std::type_identity_t<Values>...> code, const Values&... values) {
    return {Kind::Cancelled, sentence<Values...>(code, values...)};
  }
  static Error cancelled() { return cancelled("The run was cancelled."); }
  static Error cancelled(Message said) { return {Kind::Cancelled, std::move(said)}; }
};

/// A value or an Error. Look with ok() before value() or error(); the wrong one is an assertion.
template <class T>
class [[nodiscard]] Result {
 public:
  Result(T value) : m_state(std::in_place_index<0>, std::move(value)) {}
  Result(Error error) : m_state(std::in_place_index<1>, std::move(error)) {}

  bool ok() const { return m_state.index() == 0; }

  const T& value() const& {
    assert(ok());
    return *std::get_if<0>(&m_state);
  }
  T& value() & {
    assert(ok());
    return *std::get_if<0>(&m_state);
  }
  T&& value() && {
    assert(ok());
    return std::move(*std::get_if<0>(&m_state));
  }
  const T& operator*() const& { return value(); }
  T& operator*() & { return value(); }
  T&& operator*() && { return std::move(*this).value(); }
  const T* operator->() const { return &value(); }
  T* operator->() { return &value(); }

  const Error& error() const& {
    assert(!ok());
    return *std::get_if<1>(&m_state);
  }
  Error&& error() && {
    assert(!ok());
    return std::move(*std::get_if<1>(&m_state));
  }

 private:
  std::variant<T, Error> m_state;
};

/// Success or an Error.
class [[nodiscard]] Status {
 public:
  Status() = default;
  Status(Error error) : m_error(std::move(error)), m_ok(false) {}

  bool ok() const { return m_ok; }
  const Error& error() const {
    assert(!m_ok);
    return m_error;
  }

 private:
  Error m_error;
  bool m_ok = true;
};

}  // namespace lanelab
