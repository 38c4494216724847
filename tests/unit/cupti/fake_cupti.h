// SPDX-License-Identifier: GPL-3.0-only
// A CUPTI that a test fills by hand. Like the real one it holds a lock of its own while it calls back, so a collector
// that holds a lock across a flush is caught as a deadlock or by the thread sanitizer.
#pragma once

#include <unistd.h>

#include <chrono>
#include <condition_variable>
#include <cstring>
#include <map>
#include <mutex>
#include <set>
#include <string>
#include <thread>
#include <vector>

#include "profiler/collect/cupti/cupti_api.h"
#include "profiler/trace/trace_builder.h"
#include "tests/unit/cupti/activity_records.h"

namespace lanelab {

class FakeCupti final : public CuptiApi {
 public:
  static constexpr Nanoseconds kClockOffset = 1'790'000'000'000'000'000;

  // What the test tells it; set before start().
  CUptiResult subscribe_result = CUPTI_SUCCESS;
  std::string holder;
  std::map<CUpti_ActivityKind, CUptiResult> enable_results;
  CUptiResult register_result = CUPTI_SUCCESS;

  std::vector<CUpti_ActivityContext3> contexts;  ///< that there are before start()

  // What the test looks at, between start() and stop() only under the limits of its own calls.
  std::set<CUpti_ActivityKind> enabled;
  int subscriptions = 0;
  int ignored = 0;  ///< functions whose calls are not recorded

  /// As a launch on any thread: writes a record into a buffer that it asks for; drops it when it gets none.
  template <class Record>
  void emit(const Record& record) {
    const std::lock_guard lock(m_lock);
    std::uint8_t* buffer = nullptr;
    std::size_t size = 0;
    std::size_t most = 0;
    m_request(&buffer, &size, &most);
    if (buffer == nullptr || size < sizeof(Record)) {
      ++m_dropped;
      return;
    }
    std::memcpy(buffer, &record, sizeof(Record));
    m_filled.push_back({buffer, size, sizeof(Record)});
  }

  /// The id that the calling thread has pushed last; 0 when none.
  std::uint64_t pushedId() {
    const std::lock_guard lock(m_lock);
    const std::vector<std::uint64_t>& ids = m_pushed[std::this_thread::get_id()];
    return ids.empty() ? 0 : ids.back();
  }

  /// A launch call by this thread as CUPTI records it, with the id that is pushed.
  void emitCall(std::uint32_t correlation, std::uint64_t start, std::uint64_t end) {
    if (const std::uint64_t id = pushedId()) emit(externalId(correlation, id));
    emit(call(CUPTI_ACTIVITY_KIND_RUNTIME, 211, start, end, static_cast<std::uint32_t>(::gettid()), correlation));
  }

  /// A completed buffer that is none, and one without records, as CUPTI hands over now and then.
  void completeNothing() {
    const std::lock_guard lock(m_lock);
    m_complete(nullptr, 0, nullptr, 0, 0);
    std::uint8_t* buffer = nullptr;
    std::size_t size = 0;
    std::size_t most = 0;
    m_request(&buffer, &size, &most);
    if (buffer != nullptr) m_complete(nullptr, 0, buffer, size, 0);
  }

  /// True when two more flushes have begun, so all that was emitted before is in the builder; false after ten seconds.
  bool waitForFlushes() {
    std::unique_lock lock(m_count_lock);
    const int goal = m_flushes + 2;
    return m_flushed.wait_for(lock, std::chrono::seconds(10), [&] { return m_flushes >= goal; });
  }

  CUptiResult subscribe(std::string& name) override {
    name = holder;
    if (subscribe_result == CUPTI_SUCCESS) ++subscriptions;
    return subscribe_result;
  }
  RecordLibrary records() override { return test::recordLibrary(); }
  CUptiResult unsubscribe() override {
    --subscriptions;
    return CUPTI_SUCCESS;
  }
  CUptiResult useSystemThreadIds() override { return CUPTI_SUCCESS; }
  CUptiResult registerCallbacks(CUpti_BuffersCallbackRequestFunc request,
                                CUpti_BuffersCallbackCompleteFunc complete) override {
    m_request = request;
    m_complete = complete;
    return register_result;
  }
  CUptiResult enable(CUpti_ActivityKind kind) override {
    const auto result = enable_results.find(kind);
    if (result != enable_results.end()) return result->second;
    enabled.insert(kind);
    return CUPTI_SUCCESS;
  }
  CUptiResult enableAndDump(CUpti_ActivityKind kind) override {
    const CUptiResult result = enable(kind);
    if (result == CUPTI_SUCCESS)
      for (const CUpti_ActivityContext3& context : contexts) emit(context);
    return result;
  }
  CUptiResult ignoreFunction(bool, std::uint32_t) override {
    ++ignored;
    return CUPTI_SUCCESS;
  }
  CUptiResult pushExternalId(std::uint64_t id) override {
    const std::lock_guard lock(m_lock);
    m_pushed[std::this_thread::get_id()].push_back(id);
    return CUPTI_SUCCESS;
  }
  CUptiResult popExternalId() override {
    const std::lock_guard lock(m_lock);
    std::vector<std::uint64_t>& ids = m_pushed[std::this_thread::get_id()];
    if (ids.empty()) return CUPTI_ERROR_QUEUE_EMPTY;
    ids.pop_back();
    return CUPTI_SUCCESS;
  }
  CUptiResult disable(CUpti_ActivityKind kind) override {
    enabled.erase(kind);
    return CUPTI_SUCCESS;
  }
  CUptiResult flushAll(std::uint32_t flag) override {
    {
      const std::lock_guard lock(m_count_lock);
      ++m_flushes;
      forced = forced || flag == CUPTI_ACTIVITY_FLAG_FLUSH_FORCED;
    }
    m_flushed.notify_all();
    const std::lock_guard lock(m_lock);
    for (const Filled& filled : m_filled) m_complete(nullptr, 0, filled.buffer, filled.size, filled.valid);
    m_filled.clear();
    m_complete(nullptr, 0, nullptr, 0, 0);
    return CUPTI_SUCCESS;
  }
  CUptiResult droppedRecords(CUcontext, std::uint32_t, std::size_t& dropped) override {
    const std::lock_guard lock(m_lock);
    dropped = m_dropped;
    m_dropped = 0;
    return CUPTI_SUCCESS;
  }
  CUptiResult timestamp(std::uint64_t& time) override {
    time = static_cast<std::uint64_t>(monotonicNow() + kClockOffset);
    return CUPTI_SUCCESS;
  }
  std::string textOf(CUptiResult) override { return "text of the library"; }

  bool forced = false;  ///< a forced flush has happened

 private:
  struct Filled {
    std::uint8_t* buffer;
    std::size_t size;
    std::size_t valid;
  };
  std::recursive_mutex m_lock;  ///< CUPTI's own
  CUpti_BuffersCallbackRequestFunc m_request = nullptr;
  CUpti_BuffersCallbackCompleteFunc m_complete = nullptr;
  std::vector<Filled> m_filled;
  std::map<std::thread::id, std::vector<std::uint64_t>> m_pushed;
  std::size_t m_dropped = 0;
  std::mutex m_count_lock;
  std::condition_variable m_flushed;
  int m_flushes = 0;
};

}  // namespace lanelab
