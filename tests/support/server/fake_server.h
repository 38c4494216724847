// SPDX-License-Identifier: GPL-3.0-only
// A server on a loopback port that answers as a test says: soundly, slowly, badly, or not at all.
#pragma once

#include <atomic>
#include <functional>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

namespace lanelab::test {

struct FakeReply {
  enum class Then { Close, Hold };  ///< Hold: the connection stays open until the server goes
  std::string bytes;                ///< as they are on the wire
  Then then = Then::Close;

  static FakeReply ok(const std::string& body);
  static FakeReply status(int status, const std::string& body);
  static FakeReply silence() { return {"", Then::Hold}; }
  /// All of `body` is announced, and half of it sent.
  static FakeReply half(const std::string& body, Then then);
};

class FakeServer {
 public:
  /// By the first line of a request, such as "GET / HTTP/1.1"; on any thread.
  using Answer = std::function<FakeReply(const std::string& request)>;

  explicit FakeServer(Answer answer);
  ~FakeServer();
  FakeServer(const FakeServer&) = delete;
  FakeServer& operator=(const FakeServer&) = delete;

  int port() const { return m_port; }
  std::string address() const { return "127.0.0.1:" + std::to_string(m_port); }
  /// The first lines of the requests so far.
  std::vector<std::string> requests() const;

 private:
  void serve();
  void answer(int connection);

  const Answer m_answer;
  int m_listener, m_port = 0;
  std::atomic<bool> m_ended = false;
  mutable std::mutex m_mutex;
  std::vector<std::string> m_requests;  ///< guarded by m_mutex
  std::vector<int> m_held;              ///< of the thread's own
  std::thread m_thread;
};

/// A port of this machine at which nothing listens.
int unusedPort();

/// The page of a job whose ranks have these addresses ("http://..."); "" for a rank without a server.
std::string jobPage(const std::vector<std::string>& addresses);

/// What a rank's server lists as its handlers.
inline const char* const kHandlers = R"(["torch_profile","ping"])";

/// A small trace of a rank, as PyTorch's profiler writes it.
std::string rankTrace(int rank, int world_size);

}  // namespace lanelab::test
