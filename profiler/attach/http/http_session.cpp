// SPDX-License-Identifier: GPL-3.0-only
#include "profiler/attach/http/http_session.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <deque>
#include <string_view>
#include <utility>

#include "base/atomic_file.h"
#include "profiler/attach/http/curl_functions.h"

namespace lanelab {
namespace {

constexpr std::size_t kShownOfErrors = 4096;  // bytes of an answer that is not 200, where a file was wanted
constexpr long kConnectLimit_ms = 10'000, kTick_ms = 100, kBuffer_bytes = 256 * 1024;
constexpr long kProbeAfter_s = 20, kProbeEvery_s = 10;  // so that a machine that vanished is noticed

/// 0, or errno.
int append(const std::string& path, std::string_view bytes, bool first) {
  const int create = first ? O_CREAT | O_EXCL : 0;
  const FileHandle file(::open(path.c_str(), O_WRONLY | O_APPEND | O_CLOEXEC | O_NOFOLLOW | create, 0600));
  while (file.ok() && !bytes.empty()) {
    const ssize_t written = ::write(file.get(), bytes.data(), bytes.size());
    if (written < 0 && errno != EINTR) return errno;
    bytes.remove_prefix(static_cast<std::size_t>(std::max<ssize_t>(written, 0)));
  }
  return file.ok() ? 0 : errno;
}

HttpEnd endOf(CURLcode code) {
  switch (code) {
    case CURLE_OK: return HttpEnd::Answered;
    case CURLE_COULDNT_RESOLVE_HOST: return HttpEnd::UnknownHost;
    case CURLE_COULDNT_CONNECT: return HttpEnd::Refused;
    case CURLE_OPERATION_TIMEDOUT: return HttpEnd::Silent;
    case CURLE_FILESIZE_EXCEEDED: return HttpEnd::TooLarge;
    case CURLE_UNSUPPORTED_PROTOCOL:
    case CURLE_WEIRD_SERVER_REPLY:
    case CURLE_BAD_CONTENT_ENCODING: return HttpEnd::NotHttp;
    default: return HttpEnd::Cut;
  }
}

/// One request and what came of it. Its address must not change: libcurl holds it.
class Transfer {
 public:
  Transfer(const CurlFunctions& curl, const HttpRequest& request)
      : m_curl(curl), m_request(request), m_easy(curl.easy_init()) {}
  ~Transfer() { m_curl.easy_cleanup(m_easy); }
  Transfer(const Transfer&) = delete;
  Transfer& operator=(const Transfer&) = delete;

  CURL* prepared() {
    set(CURLOPT_URL, m_request.url.c_str());
    set(CURLOPT_PROTOCOLS_STR, "http");
    set(CURLOPT_PROXY, "");
    set(CURLOPT_NOSIGNAL, 1L);
    set(CURLOPT_QUICK_EXIT, 1L);  // a lookup of a name that is in progress does not delay a cancel
    set(CURLOPT_HTTP_VERSION, static_cast<long>(CURL_HTTP_VERSION_1_1));
    set(CURLOPT_FORBID_REUSE, 1L);
    set(CURLOPT_DNS_CACHE_TIMEOUT, -1L);
    set(CURLOPT_TCP_KEEPALIVE, 1L);
    set(CURLOPT_TCP_KEEPIDLE, kProbeAfter_s);
    set(CURLOPT_TCP_KEEPINTVL, kProbeEvery_s);
    set(CURLOPT_CONNECTTIMEOUT_MS, kConnectLimit_ms);
    set(CURLOPT_TIMEOUT_MS, static_cast<long>(m_request.limit_s * 1000));
    set(CURLOPT_MAXFILESIZE_LARGE, static_cast<curl_off_t>(m_request.most_bytes));
    set(CURLOPT_BUFFERSIZE, kBuffer_bytes);
    set(CURLOPT_PRIVATE, static_cast<void*>(this));
    set(CURLOPT_WRITEDATA, static_cast<void*>(this));
    set(CURLOPT_WRITEFUNCTION, &Transfer::received);
    if (m_request.method == HttpRequest::Method::Post) {
      set(CURLOPT_POST, 1L);
      set(CURLOPT_POSTFIELDSIZE, 0L);
      set(CURLOPT_POSTFIELDS, "");
    }
    return m_easy;
  }

  void end(CURLcode code) {
    m_answer.status = static_cast<int>(status());
    if (code != CURLE_WRITE_ERROR) {  // else receive() has said why
      m_answer.end = endOf(code);
      m_answer.words = m_curl.easy_strerror(code);
    }
    if (m_answer.end == HttpEnd::Silent && !connected()) m_answer.end = HttpEnd::Unreachable;
    if (m_answer.end == HttpEnd::Refused && systemError() != ECONNREFUSED) m_answer.end = HttpEnd::Unreachable;
    if (m_in_file && !m_answer.ok()) ::unlink(m_request.file.c_str());
  }

  HttpAnswer takeAnswer() { return std::move(m_answer); }
  CURL* easy() const { return m_easy; }
  void removeFile() const {
    if (m_in_file) ::unlink(m_request.file.c_str());
  }

 private:
  template <class Value>
  void set(CURLoption option, Value value) {
    m_curl.easy_setopt(m_easy, option, value);
  }
  long number(CURLINFO what) const {
    long value = 0;
    m_curl.easy_getinfo(m_easy, what, &value);
    return value;
  }
  long status() const { return number(CURLINFO_RESPONSE_CODE); }
  long systemError() const { return number(CURLINFO_OS_ERRNO); }
  bool connected() const {
    curl_off_t microseconds = 0;
    m_curl.easy_getinfo(m_easy, CURLINFO_CONNECT_TIME_T, &microseconds);
    return microseconds > 0;
  }

  static std::size_t received(const char* bytes, std::size_t, std::size_t count, void* self) {
    return static_cast<Transfer*>(self)->receive({bytes, count}) ? count : CURL_WRITEFUNC_ERROR;
  }

  bool receive(std::string_view bytes) {
    m_answer.bytes += static_cast<std::int64_t>(bytes.size());
    if (m_answer.bytes > m_request.most_bytes) return fail(HttpEnd::TooLarge, {});
    if (m_request.file.empty()) {
      m_answer.body += bytes;
    } else if (status() != 200) {
      m_answer.body += bytes.substr(0, kShownOfErrors - std::min(kShownOfErrors, m_answer.body.size()));
    } else if (const int error = append(m_request.file, bytes, !std::exchange(m_in_file, true)); error != 0) {
      return fail(HttpEnd::NotStored, reasonNotWritten(error));
    }
    return true;
  }

  bool fail(HttpEnd end, std::string words) {
    m_answer.end = end;
    m_answer.words = std::move(words);
    return false;
  }

  const CurlFunctions& m_curl;
  const HttpRequest& m_request;
  CURL* const m_easy;
  HttpAnswer m_answer;
  bool m_in_file = false;
};

/// Adds the transfers to a multi handle, and takes out what is still in it when this goes.
class Transfers {
 public:
  Transfers(const CurlFunctions& curl, CURLM* multi, const std::vector<HttpRequest>& requests)
      : m_curl(curl), m_multi(multi) {
    for (const HttpRequest& request : requests) m_all.emplace_back(curl, request);
  }
  ~Transfers() {
    for (std::size_t i = 0; i < m_begun; ++i) m_curl.multi_remove_handle(m_multi, m_all[i].easy());
  }
  Transfers(const Transfers&) = delete;
  Transfers& operator=(const Transfers&) = delete;

  std::size_t ended() const { return m_ended; }
  bool done() const { return m_ended == m_all.size(); }

  void begin(std::size_t at_once) {
    for (; m_begun < m_all.size() && m_begun - m_ended < at_once; ++m_begun)
      m_curl.multi_add_handle(m_multi, m_all[m_begun].prepared());
  }

  void proceed() {
    int running = 0, left = 0;
    m_curl.multi_perform(m_multi, &running);
    while (const CURLMsg* const message = m_curl.multi_info_read(m_multi, &left)) {
      if (message->msg != CURLMSG_DONE) continue;
      void* transfer = nullptr;
      m_curl.easy_getinfo(message->easy_handle, CURLINFO_PRIVATE, &transfer);
      static_cast<Transfer*>(transfer)->end(message->data.result);
      ++m_ended;
    }
  }

  std::vector<HttpAnswer> takeAnswers() {
    std::vector<HttpAnswer> answers;
    answers.reserve(m_all.size());
    for (Transfer& transfer : m_all) answers.push_back(transfer.takeAnswer());
    return answers;
  }

  void removeFiles() const {
    for (const Transfer& transfer : m_all) transfer.removeFile();
  }

 private:
  const CurlFunctions& m_curl;
  CURLM* const m_multi;
  std::deque<Transfer> m_all;
  std::size_t m_begun = 0, m_ended = 0;
};

}  // namespace

struct HttpSession::State {
  const CurlFunctions& curl;
  CURLM* const multi;

  explicit State(const CurlFunctions& of) : curl(of), multi(of.multi_init()) {}
  ~State() { curl.multi_cleanup(multi); }
  State(const State&) = delete;
  State& operator=(const State&) = delete;
};

HttpSession::HttpSession(std::unique_ptr<State> state) : m_state(std::move(state)) {}
HttpSession::HttpSession(HttpSession&&) noexcept = default;
HttpSession& HttpSession::operator=(HttpSession&&) noexcept = default;
HttpSession::~HttpSession() = default;

Result<HttpSession> HttpSession::open() {
  const Result<const CurlFunctions*> curl = curlHere();
  if (!curl.ok()) return curl.error();
  return HttpSession(std::make_unique<State>(**curl));
}

Result<std::vector<HttpAnswer>> HttpSession::ask(const std::vector<HttpRequest>& requests, std::size_t at_once,
                                                 const Answered& answered, const std::stop_token& stop) {
  Transfers transfers(m_state->curl, m_state->multi, requests);
  const std::stop_callback wake(stop, [this] { m_state->curl.multi_wakeup(m_state->multi); });
  while (!transfers.done()) {
    if (stop.stop_requested()) {
      transfers.removeFiles();
      return Error::cancelled("The request was cancelled.");
    }
    transfers.begin(at_once);
    transfers.proceed();
    if (answered) answered(transfers.ended());
    if (!transfers.done()) m_state->curl.multi_poll(m_state->multi, nullptr, 0, kTick_ms, nullptr);
  }
  return transfers.takeAnswers();
}

}  // namespace lanelab
