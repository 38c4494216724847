// SPDX-License-Identifier: GPL-3.0-only
// Several HTTP requests at the same time, each within limits of time and size: servers may be slow, hostile or gone.
// Plain HTTP to the named address alone: no proxy, no redirects, no cookies, no credentials. One thread at a time.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <stop_token>
#include <string>
#include <vector>

#include "base/result.h"

namespace lanelab {

struct HttpRequest {
  enum class Method { Get, Post };  ///< Post sends no body
  Method method = Method::Get;
  std::string url;
  std::string file = {};              ///< a new file for the body of an answer 200; "": the body is retained
  std::int64_t most_bytes = 1 << 20;  ///< of the body
  double limit_s = 10;                ///< from the start of the request to the end of its answer
};

/// How a request ended.
enum class HttpEnd {
  Answered,
  UnknownHost,
  Refused,  ///< nothing listens there
  Unreachable,
  Silent,  ///< connected, but not all of the answer came within the limit
  Cut,     ///< the connection ended before the answer
  NotHttp,
  TooLarge,
  NotStored,  ///< `words` says why
};

struct HttpAnswer {
  HttpEnd end = HttpEnd::Cut;
  int status = 0;          ///< of HTTP
  std::int64_t bytes = 0;  ///< of the body
  std::string body = {};   ///< unless it was written to the file; of an error with a file, the first 4 KiB
  std::string words = {};  ///< why, in libcurl's words or the system's

  bool ok() const { return end == HttpEnd::Answered && status == 200; }
};

/// Looks a host up once for all its requests.
class HttpSession {
 public:
  /// Called at least every 0.1 s with how many requests have ended.
  using Answered = std::function<void(std::size_t)>;

  static Result<HttpSession> open();
  HttpSession(HttpSession&&) noexcept;
  HttpSession& operator=(HttpSession&&) noexcept;
  ~HttpSession();

  /// The answers in the order of the requests, of which `at_once` are in progress at a time. Failed without libcurl;
  /// Cancelled within a fraction of a second after a stop. Files of answers that did not come whole are removed.
  Result<std::vector<HttpAnswer>> ask(const std::vector<HttpRequest>& requests, std::size_t at_once,
                                      const Answered& answered, const std::stop_token& stop);

 private:
  struct State;
  explicit HttpSession(std::unique_ptr<State> state);
  std::unique_ptr<State> m_state;
};

}  // namespace lanelab
