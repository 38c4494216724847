// SPDX-License-Identifier: GPL-3.0-only
// Command lines that a POSIX shell reads back as the same words. Pure functions; any thread.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace lanelab {

/// The word itself if a shell takes it literally, else in single quotes.
std::string shellWord(std::string_view word);
/// The words, quoted if needed, with spaces between them.
std::string shellLine(std::span<const std::string> words);

/// As the system's calls that start programs take the words, which must outlive it: pointers to them, and a null at the
/// end.
inline std::vector<char*> argumentVector(std::vector<std::string>& words) {
  std::vector<char*> pointers;
  for (std::string& word : words) pointers.push_back(word.data());
  pointers.push_back(nullptr);
  return pointers;
}

}  // namespace lanelab
