// SPDX-License-Identifier: GPL-3.0-only
#include "profiler/io/build/gpu_names.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <string>

#include "base/text.h"

namespace lanelab {

namespace {

using Words = std::initializer_list<std::string_view>;

std::string lowered(std::string_view text) {
  constexpr std::size_t kMost = 1024;
  return smallLetters(std::string(text.substr(0, kMost)));
}

template <class Number>
std::optional<Number> numberAt(std::string_view text) {
  constexpr Number kMost = 1 << 16;
  text.remove_prefix(std::min(text.find_first_not_of(" _:#-["), text.size()));
  Number number = 0;
  const auto read = std::from_chars(text.data(), text.data() + text.size(), number);
  return read.ec == std::errc() && number >= 0 && number < kMost ? std::optional(number) : std::nullopt;
}

bool startsWithAny(std::string_view text, Words words) {
  return std::ranges::any_of(words, [&](std::string_view word) { return text.starts_with(word); });
}

}  // namespace

std::optional<int> deviceOfProcess(std::string_view name) {
  const std::string small = lowered(name);
  const std::string_view text = small;
  for (const std::string_view path : {"/device:", "/gpu:"}) {
    const std::size_t at = text.find(path);
    if (at == std::string_view::npos) continue;
    std::string_view rest = text.substr(at + path.size());
    if (rest.starts_with("cpu")) return std::nullopt;
    if (path == "/device:") rest.remove_prefix(std::min(rest.find(':'), rest.size()));
    return numberAt<int>(rest);
  }
  if (text.starts_with("ascend hardware")) return numberAt<int>(text.substr(15)).value_or(0);
  for (const std::string_view word : {"gpu", "npu", "xpu", "tpu", "device", "cuda device", "hip device", "cuda", "hip"})
    if (text.starts_with(word))
      if (const auto number = numberAt<int>(text.substr(word.size()))) return number;
  return std::nullopt;
}

DeviceThread deviceThreadOf(std::string_view name) {
  const std::string small = lowered(name);
  if (small.find("stream") != std::string::npos) return DeviceThread::Stream;
  if (small == "xla ops") return DeviceThread::Operators;
  const bool repeats =
      startsWithAny(small, {"xla ", "steps", "tensorflow ", "framework ", "source code", "launch stats", "async xla"});
  return repeats ? DeviceThread::Repeated : DeviceThread::Other;
}

std::optional<std::int64_t> streamOfThread(std::string_view name) {
  const std::string small = lowered(name);
  const std::size_t at = small.find("stream");
  return at == std::string::npos ? std::nullopt : numberAt<std::int64_t>(std::string_view(small).substr(at + 6));
}

std::optional<int> agentOfTrack(std::string_view name) {
  constexpr std::string_view kWord = "AGENT [";
  const std::size_t at = name.find(kWord);
  return at == std::string_view::npos ? std::nullopt : numberAt<int>(name.substr(at + kWord.size()));
}

Category deviceWorkOf(std::string_view name) {
  const std::string small = lowered(name);
  if (startsWithAny(small,
                    {"memcpy", "copydeviceto", "copyhostto", "copybuffer", "zecommandlistappendmemorycopy", "sdma"}))
    return Category::Memcpy;
  if (startsWithAny(small, {"memset", "fillbuffer", "zecommandlistappendmemoryfill"})) return Category::Memset;
  if (startsWithAny(small, {"event_", "notify_", "notify ", "event ", "place_holder", "profiler_", "capture_wait",
                            "zecommandlistappendbarrier", "zecommandlistappendsignal", "zecommandlistappendwait"}))
    return Category::Other;
  return Category::Kernel;
}

bool isBesideWork(std::string_view category) {
  constexpr std::array<std::string_view, 7> kOthers = {"user_annotation",  "gpu_user_annotation", "python_function",
                                                       "overhead",         "cuda_sync",           "nvtx",
                                                       "cpu_instant_event"};
  return std::ranges::find(kOthers, category) != kOthers.end();
}

}  // namespace lanelab
