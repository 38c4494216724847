// SPDX-License-Identifier: GPL-3.0-only
#include "engine/dist/device_work.h"

#include <c10/core/DeviceGuard.h>
#include <c10/core/impl/VirtualGuardImpl.h>

#include <condition_variable>
#include <deque>
#include <mutex>
#include <thread>
#include <utility>

#include "engine/torch/devices/torch_errors.h"
#include "profiler/trace/trace_builder.h"

namespace lanelab {

namespace {

using namespace std::chrono_literals;

constexpr auto kAskingPeriod = 50us;

/// Work that was launched.
struct Followed {
  c10::intrusive_ptr<c10d::Work> work;
  std::optional<c10::Event> begin;
  DeviceWorkWatch::Ended ended;
  Nanoseconds launched = 0;
  std::optional<Nanoseconds> begun = {};
};

std::string errorOf(const c10d::Work& work) {
  try {
    if (const auto error = work.exception()) std::rethrow_exception(error);
    return "";
  } catch (const std::exception& error) {
    return plainMessage(error);
  }
}

/// How it ended; nothing while it is in progress.
std::optional<DeviceWorkWatch::End> endOf(Followed& one, std::chrono::nanoseconds timeout) {
  try {
    if (!one.begun && (!one.begin || one.begin->query())) one.begun = monotonicNow();
    const bool completed = one.work->isCompleted();
    const Nanoseconds now = monotonicNow();
    if (completed) return DeviceWorkWatch::End{{one.begun.value_or(one.launched), now}, errorOf(*one.work)};
    if (now - one.launched < timeout.count()) return std::nullopt;
    return DeviceWorkWatch::End{{one.launched, now},
                                "it did not end within " +
                                    std::to_string(std::chrono::duration_cast<std::chrono::seconds>(timeout).count()) +
                                    " s"};
  } catch (const std::exception& error) {
    return DeviceWorkWatch::End{{one.launched, monotonicNow()}, plainMessage(error)};
  }
}

}  // namespace

struct DeviceWorkWatch::State {
  std::mutex mutex;
  std::condition_variable changed;
  std::deque<Followed> followed;
  bool stop = false, stopped = false;

  /// The oldest is asked alone, since a stream ends one after the other.
  void run(c10::Device device, std::chrono::milliseconds timeout) {
    const c10::OptionalDeviceGuard guard(device.is_cpu() ? std::nullopt : std::optional(device));
    std::unique_lock lock(mutex);
    while (!stop) {
      if (followed.empty()) {
        changed.wait(lock);
        continue;
      }
      Followed& oldest = followed.front();  // only this thread takes from the front
      lock.unlock();
      const auto end = endOf(oldest, timeout);
      if (end) oldest.ended(*end);
      lock.lock();
      if (!end) {
        changed.wait_for(lock, kAskingPeriod);
        continue;
      }
      std::optional<Followed> done = std::move(followed.front());
      followed.pop_front();
      lock.unlock();
      done.reset();
      lock.lock();
    }
    std::deque<Followed> forgotten = std::exchange(followed, {});
    lock.unlock();
    forgotten.clear();
    lock.lock();
    stopped = true;
    changed.notify_all();
  }
};

DeviceWorkWatch::DeviceWorkWatch(c10::Device device, std::chrono::milliseconds timeout)
    : m_device(device), m_state(std::make_shared<State>()) {
  std::thread([state = m_state, device, timeout] { state->run(device, timeout); }).detach();
}

DeviceWorkWatch::~DeviceWorkWatch() {
  std::unique_lock lock(m_state->mutex);
  m_state->stop = true;
  m_state->changed.notify_all();
  m_state->changed.wait_for(lock, 1s, [this] { return m_state->stopped; });
}

std::optional<c10::Event> DeviceWorkWatch::now() const {
  if (m_device.is_cpu()) return std::nullopt;
  c10::Event event(m_device.type());
  event.record(c10::impl::VirtualGuardImpl(m_device.type()).getStream(m_device));
  return event;
}

void DeviceWorkWatch::follow(c10::intrusive_ptr<c10d::Work> work, std::optional<c10::Event> begin, Ended ended) {
  const std::lock_guard lock(m_state->mutex);
  m_state->followed.push_back({std::move(work), std::move(begin), std::move(ended), monotonicNow()});
  m_state->changed.notify_all();
}

}  // namespace lanelab
