// SPDX-License-Identifier: GPL-3.0-only
#include "tests/support/server/fake_server.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <stdexcept>
#include <tuple>
#include <utility>

namespace lanelab::test {
namespace {

constexpr int kBacklog = 600;

std::pair<int, int> listenerAndPort() {
  const int listener = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t size = sizeof address;
  auto* const plain = reinterpret_cast<sockaddr*>(&address);
  if (listener < 0 || ::bind(listener, plain, size) != 0 || ::listen(listener, kBacklog) != 0 ||
      ::getsockname(listener, plain, &size) != 0)
    throw std::runtime_error("no port of this machine could be listened at");
  return {listener, ntohs(address.sin_port)};
}

void sendAll(int connection, const std::string& bytes) {
  std::size_t sent = 0;
  while (sent < bytes.size()) {
    const ssize_t now = ::send(connection, bytes.data() + sent, bytes.size() - sent, MSG_NOSIGNAL);
    if (now <= 0) return;
    sent += static_cast<std::size_t>(now);
  }
}

/// Until the empty line; its first line.
std::string headOf(int connection) {
  std::string head;
  char bytes[4096];
  while (head.find("\r\n\r\n") == std::string::npos) {
    const ssize_t count = ::recv(connection, bytes, sizeof bytes, 0);
    if (count <= 0) break;
    head.append(bytes, static_cast<std::size_t>(count));
  }
  return head.substr(0, head.find("\r\n"));
}

std::string message(int status, const std::string& body) {
  return "HTTP/1.1 " + std::to_string(status) + " x\r\nContent-Length: " + std::to_string(body.size()) + "\r\n\r\n" +
         body;
}

}  // namespace

FakeReply FakeReply::ok(const std::string& body) { return status(200, body); }
FakeReply FakeReply::status(int status, const std::string& body) { return {message(status, body)}; }
FakeReply FakeReply::half(const std::string& body, Then then) {
  const std::string whole = message(200, body);
  return {whole.substr(0, whole.size() - body.size() / 2), then};
}

FakeServer::FakeServer(Answer answer) : m_answer(std::move(answer)) {
  std::tie(m_listener, m_port) = listenerAndPort();
  m_thread = std::thread([this] { serve(); });
}

FakeServer::~FakeServer() {
  m_ended = true;
  ::shutdown(m_listener, SHUT_RDWR);
  m_thread.join();
  ::close(m_listener);
}

std::vector<std::string> FakeServer::requests() const {
  const std::lock_guard lock(m_mutex);
  return m_requests;
}

void FakeServer::serve() {
  while (!m_ended) {
    const int connection = ::accept4(m_listener, nullptr, nullptr, SOCK_CLOEXEC);
    if (connection >= 0) answer(connection);
  }
  for (const int connection : m_held) ::close(connection);
}

void FakeServer::answer(int connection) {
  const std::string request = headOf(connection);
  {
    const std::lock_guard lock(m_mutex);
    m_requests.push_back(request);
  }
  const FakeReply reply = m_answer(request);
  sendAll(connection, reply.bytes);
  if (reply.then == FakeReply::Then::Hold)
    m_held.push_back(connection);
  else
    ::close(connection);
}

int unusedPort() {
  const auto [listener, port] = listenerAndPort();
  ::close(listener);
  return port;
}

std::string jobPage(const std::vector<std::string>& addresses) {
  std::string page = "<h1>Torch Distributed Debug Server</h1>\n<pre>\n";
  for (std::size_t rank = 0; rank < addresses.size(); ++rank)
    if (!addresses[rank].empty())
      page += "    debug_server/rank" + std::to_string(rank) + ": b'" + addresses[rank] + "'\n";
  return page + "none/torchelastic/assigned_ranks/0: b'[0, 2, 0, 2]'\n</pre>\n";
}

std::string rankTrace(int rank, int world_size) {
  const std::string number = std::to_string(rank);
  return R"({"schemaVersion":1,"distributedInfo":{"backend":"gloo","rank":)" + number + R"(,"world_size":)" +
         std::to_string(world_size) +
         R"(},"baseTimeNanoseconds":1790857026000000000,"traceEvents":[{"ph":"X","cat":"cpu_op","name":"aten::mm","pid":7)" +
         number + R"(,"tid":1,"ts":10,"dur":5}]})";
}

}  // namespace lanelab::test
