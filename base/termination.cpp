// SPDX-License-Identifier: GPL-3.0-only
#include "base/termination.h"

#include <pthread.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <iostream>
#include <mutex>
#include <thread>
#include <utility>

#include "base/atomic_file.h"

namespace lanelab {
namespace {

constexpr std::chrono::milliseconds kTimeToStop{120};
constexpr std::chrono::milliseconds kTimeToAct{60};

struct LastAct {
  std::mutex mutex;
  std::function<void()> act;
};

/// Never destroyed: the thread that waits for signals outlives static objects.
LastAct& lastAct() {
  static LastAct* const last = new LastAct;
  return *last;
}

std::atomic<bool> farewell_dropped{false};

sigset_t endSignals() {
  sigset_t signals;
  sigemptyset(&signals);
  sigaddset(&signals, SIGINT);
  sigaddset(&signals, SIGTERM);
  return signals;
}

void doLastAct() {
  const std::lock_guard lock(lastAct().mutex);
  if (lastAct().act) lastAct().act();
}

void endNow(const std::string& farewell) {
  // An act that hangs must not delay the end.
  std::thread([] {
    std::this_thread::sleep_for(kTimeToAct);
    _exit(kExitCancelled);
  }).detach();
  try {
    doLastAct();
  } catch (...) {  // the program ends all the same
  }
  removePartialFiles();
  if (!farewell_dropped) {
    [[maybe_unused]] const auto written =
        ::write(STDERR_FILENO, farewell.data(), farewell.size());  // unlike std::cerr, safe at any moment
  }
  _exit(kExitCancelled);
}

}  // namespace

int exitCodeOf(const Error& error) {
  switch (error.kind) {
    case Error::Kind::BadInput: return kExitBadInput;
    case Error::Kind::Cancelled: return kExitCancelled;
    case Error::Kind::Failed: break;
  }
  return kExitFailed;
}

void endProgram(int code) {
  for (const char* const loads : {"LD_PRELOAD", "CUDA_INJECTION64_PATH", "NVTX_INJECTION64_PATH"})
    if (std::getenv(loads) != nullptr) std::exit(code);
  std::cout.flush();
  std::fflush(nullptr);
  std::_Exit(code);
}

void reportFailedWrites() {
  std::signal(SIGPIPE, SIG_IGN);
  std::signal(SIGXFSZ, SIG_IGN);
}

void endOnSignals(std::stop_source source, std::string farewell) {
  const sigset_t signals = endSignals();
  pthread_sigmask(SIG_BLOCK, &signals, nullptr);
  std::thread([signals, source = std::move(source), farewell = std::move(farewell)]() mutable {
    int number = 0;
    sigwait(&signals, &number);
    source.request_stop();
    const timespec limit{0, std::chrono::nanoseconds(kTimeToStop).count()};
    sigtimedwait(&signals, nullptr, &limit);
    endNow(farewell);
  }).detach();
}

void dropFarewell() { farewell_dropped = true; }

void setLastAct(std::function<void()> act) {
  const std::lock_guard lock(lastAct().mutex);
  lastAct().act = std::move(act);
}

void letSignalsEnd() {
  const sigset_t signals = endSignals();
  pthread_sigmask(SIG_UNBLOCK, &signals, nullptr);
}

}  // namespace lanelab
