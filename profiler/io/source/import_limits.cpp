// SPDX-License-Identifier: GPL-3.0-only
#include "profiler/io/source/import_limits.h"

#include <array>
#include <charconv>
#include <cstdlib>
#include <limits>
#include <utility>

#include "base/text.h"

namespace lanelab {

namespace {

struct Unit {
  std::string_view letters;  ///< in lower case
  std::int64_t bytes;
};
constexpr std::array<Unit, 10> kUnits = {{{"", 1},
                                          {"b", 1},
                                          {"kb", 1'000},
                                          {"mb", 1'000'000},
                                          {"gb", 1'000'000'000},
                                          {"tb", 1'000'000'000'000},
                                          {"kib", std::int64_t{1} << 10},
                                          {"mib", std::int64_t{1} << 20},
                                          {"gib", std::int64_t{1} << 30},
                                          {"tib", std::int64_t{1} << 40}}};

}  // namespace

std::optional<std::int64_t> bytesOfSize(std::string_view text) {
  std::int64_t number = 0;
  const auto parsed = std::from_chars(text.data(), text.data() + text.size(), number);
  if (parsed.ec != std::errc() || number <= 0) return std::nullopt;
  std::string letters = smallLetters({parsed.ptr, text.data() + text.size()});
  std::erase(letters, ' ');
  for (const Unit& unit : kUnits)
    if (unit.letters == letters && number <= std::numeric_limits<std::int64_t>::max() / unit.bytes)
      return number * unit.bytes;
  return std::nullopt;
}

std::string sizeOfBytes(std::int64_t bytes) {
  for (const auto& [name, unit] : {std::pair(" GiB", std::int64_t{1} << 30), std::pair(" MiB", std::int64_t{1} << 20)})
    if (bytes > 0 && bytes % unit == 0) return std::to_string(bytes / unit) + name;
  return std::to_string(bytes) + " bytes";
}

Message unpackedTooFar(const std::string& path, const ImportLimits& limits) {
  return sentence(
      "{} unpacks to more than {}. Record fewer steps, or allow more with --max-unpacked of lanelab-cli or with "
      "LANELAB_MAX_UNPACKED, such as 64GiB.",
      path, sizeOfBytes(limits.unpacked_bytes));
}

Status readEnvironment(ImportLimits& limits) {
  const char* const text = std::getenv("LANELAB_MAX_UNPACKED");
  if (text == nullptr || *text == '\0') return {};
  const std::optional<std::int64_t> bytes = bytesOfSize(text);
  if (!bytes)
    return Error::badInput("LANELAB_MAX_UNPACKED: \"{}\" is not a size. Write bytes or a unit, such as 20GiB.",
                           std::string(text));
  limits.unpacked_bytes = *bytes;
  return {};
}

}  // namespace lanelab
