// SPDX-License-Identifier: GPL-3.0-only
#include "engine/torch/devices/torch_errors.h"

#include <c10/util/Exception.h>

#include <new>

namespace lanelab {

std::string plainMessage(const std::exception& error) {
  if (dynamic_cast<const std::bad_alloc*>(&error)) return "out of memory";
  const auto* const torch_error = dynamic_cast<const c10::Error*>(&error);
  std::string text = torch_error ? torch_error->what_without_backtrace() : error.what();
  if (const auto trace = text.find("\nException raised from"); trace != std::string::npos) text.resize(trace);
  for (char& c : text) {
    if (c == '\n') c = ' ';
  }
  // "[enforce fail at alloc_cpu.cpp:127] err == 0. message": the place in torch's source helps nobody here.
  if (text.rfind("[enforce fail", 0) == 0) {
    if (const auto end = text.find("] "); end != std::string::npos) text.erase(0, end + 2);
  }
  while (!text.empty() && (text.back() == ' ' || text.back() == '.')) text.pop_back();
  return text;
}

}  // namespace lanelab
