// SPDX-License-Identifier: GPL-3.0-only
#include "profiler/trace/process_rank.h"

#include <algorithm>

#include "base/text.h"

namespace lanelab {

std::string rankIn(std::string_view text) {
  constexpr std::string_view kDigits = "0123456789";
  const std::string small = smallLetters(std::string(text));
  if (small.starts_with('[')) return small.substr(1, std::min(small.find(']'), small.size()) - 1);
  constexpr std::string_view kWord = "rank";
  for (std::size_t at = small.find(kWord); at != std::string::npos; at = small.find(kWord, at + 1)) {
    std::size_t number = small.find_first_not_of(" _-:#=", at + kWord.size());
    if (number == std::string::npos || kDigits.find(small[number]) == std::string_view::npos) continue;
    const std::size_t end = std::min(small.find_first_not_of(kDigits, number), small.size());
    number = std::min(small.find_first_not_of('0', number), end - 1);  // "rank 0" of "rank_00"
    return "rank " + small.substr(number, end - number);
  }
  return {};
}

std::string rankOf(const ImportedProcess& process) {
  for (const std::string* text : {&process.name, &process.pid.text, &process.labels})
    if (std::string rank = rankIn(*text); !rank.empty()) return rank;
  return {};
}

}  // namespace lanelab
