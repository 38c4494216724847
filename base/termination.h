// SPDX-License-Identifier: GPL-3.0-only
// How the program ends when it is asked to (SIGINT, SIGTERM), and how it does not end (SIGPIPE, SIGXFSZ): a write that
// fails is reported as an error.
#pragma once

#include <functional>
#include <stop_token>
#include <string>

#include "base/result.h"

namespace lanelab {

constexpr int kExitFailed = 1;
constexpr int kExitBadInput = 2;
constexpr int kExitCancelled = 130;

/// What a program exits with after this error.
int exitCodeOf(const Error& error);

/// Writes to a closed pipe and beyond a file size limit then fail with an error instead of ending the program.
void reportFailedWrites();

/// On SIGINT or SIGTERM: requests a stop, so that the work can end by itself; if the program still runs after 0.12 s,
/// or on a second signal, it does the last act, removes partial files, writes `farewell` to stderr and exits with code
/// 130. To be called once, before other threads start, since all threads inherit the blocked signals.
void endOnSignals(std::stop_source source, std::string farewell);

/// From here on nothing is written when the program is ended: the command has reported its end itself, and may still
/// take a while to return. Any thread.
void dropFarewell();

/// What is to be done when the program is ended although the work continues; replaces an earlier act; empty for
/// nothing. It is called in another thread and must be quick. Any thread; when it returns, the earlier act is not
/// running.
void setLastAct(std::function<void()> act);

/// Ends a program whose main() has returned `code`. What it wrote is written out, but libraries take nothing down:
/// LibTorch unregisters its operators one by one, which takes a tenth of a second. Beside a tool that was loaded into
/// the process, such as that of Nsight Systems, it ends as usual: tools write their records then.
[[noreturn]] void endProgram(int code);

/// Lets signals end the program again as they do by default, for a program that is about to replace this one.
void letSignalsEnd();

}  // namespace lanelab
