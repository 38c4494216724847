// SPDX-License-Identifier: GPL-3.0-only
#include "base/text.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <numeric>

#include "base/fingerprint.h"
#include "base/utf8.h"

namespace lanelab {
namespace {

void stripTrailingZeros(std::string& text) {
  if (text.find('.') == std::string::npos) return;
  text.erase(text.find_last_not_of('0') + 1);
  if (text.back() == '.') text.pop_back();
}

double roundToDigits(double value, int digits) {
  if (value == 0 || !std::isfinite(value)) return value;
  const int magnitude = static_cast<int>(std::floor(std::log10(std::fabs(value))));
  const double unit = std::pow(10.0, digits - 1 - magnitude);
  return std::isfinite(unit) && unit > 0 ? std::round(value * unit) / unit : value;
}

// Divides by `base` until the printed number is below it: 999,999 is "1 M", never "1000 k". Bytes keep the whole
// numbers from 1000 to 1023.
std::string scaled(double value, double base, std::span<const std::string_view> units) {
  const auto digits = [](double number) { return std::fabs(number) >= 1000 ? 4 : 3; };
  std::size_t unit = 0;
  while (unit + 1 < units.size() && std::fabs(roundToDigits(value, digits(value))) >= base) {
    value /= base;
    ++unit;
  }
  std::string text = formatNumber(value, digits(value));
  if (!units[unit].empty()) text.append(" ").append(units[unit]);
  return text;
}

std::size_t editDistance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (std::size_t i = 1; i <= a.size(); ++i) {
    std::size_t diagonal = row[0];
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t replaced = diagonal + (a[i - 1] == b[j - 1] ? 0 : 1);
      diagonal = row[j];
      row[j] = std::min({row[j] + 1, row[j - 1] + 1, replaced});
    }
  }
  return row.back();
}

std::size_t commonPrefix(std::string_view a, std::string_view b) {
  return static_cast<std::size_t>(std::mismatch(a.begin(), a.end(), b.begin(), b.end()).first - a.begin());
}

char lowerAscii(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

bool staysInSlug(char c) {
  return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-' || c == '_' || c == '.';
}

/// What the first character of a name, which has `bytes`, becomes in a slug.
std::string slugOf(const Character& first, std::string_view bytes) {
  if (first.code >= 0x80) return first.valid && belongsInFileName(first.code) ? std::string(bytes) : std::string();
  const char c = bytes == " " || bytes == "\t" ? '-' : lowerAscii(bytes.front());
  return staysInSlug(c) ? std::string(1, c) : std::string();
}

std::string joinedSizes(std::span<const std::int64_t> shape, const char* between) {
  std::string text;
  for (const std::int64_t size : shape) text += (text.empty() ? "" : between) + std::to_string(size);
  return text;
}

/// `last` stands before the last one.
std::string joinedBefore(std::span<const std::string> words, const char* last) {
  std::string text;
  for (std::size_t i = 0; i < words.size(); ++i) text += (i == 0 ? "" : i + 1 == words.size() ? last : ", ") + words[i];
  return text;
}

}  // namespace

std::string nearestName(std::string_view word, std::span<const std::string> candidates) {
  // Nobody mistypes that much, and the distance costs the product of both lengths.
  if (word.empty() || word.size() > 200) return {};
  std::string best;
  std::size_t best_distance = word.size() / 2 + 1;
  for (const std::string& candidate : candidates) {
    const std::size_t distance = editDistance(word, candidate);
    // Of equally near ones the longest common beginning wins: "layer3" means layer3.0 rather than layer2.3.
    if (distance < best_distance ||
        (distance == best_distance && !best.empty() && commonPrefix(word, candidate) > commonPrefix(word, best))) {
      best = candidate;
      best_distance = distance;
    }
  }
  return best;
}

std::string nearestHint(std::string_view word, std::span<const std::string> candidates) {
  const std::string nearest = nearestName(word, candidates);
  return nearest.empty() ? "choose " + joinOr(candidates) + "." : "did you mean \"" + nearest + "\"?";
}

std::string joinOr(std::span<const std::string> words) { return joinedBefore(words, " or "); }
std::string joinAnd(std::span<const std::string> words) { return joinedBefore(words, " and "); }

std::string smallLetters(std::string text) {
  std::ranges::transform(text, text.begin(), lowerAscii);
  return text;
}

std::string joined(std::span<const std::string> words, std::string_view between) {
  std::string text;
  for (const std::string& word : words) {
    if (!text.empty()) text += between;
    text += word;
  }
  return text;
}

std::string formatBytes(std::int64_t bytes) {
  static constexpr std::array<std::string_view, 7> kUnits = {"B", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB"};
  if (bytes > -1024 && bytes < 1024) return std::to_string(bytes) + " B";
  return scaled(static_cast<double>(bytes), 1024, kUnits);
}

std::string formatCount(double count) {
  static constexpr std::array<std::string_view, 6> kUnits = {"", "k", "M", "G", "T", "P"};
  return scaled(count, 1000, kUnits);
}

std::string groupedDigits(std::int64_t count) {
  std::string text = std::to_string(count);
  for (auto at = static_cast<std::ptrdiff_t>(text.size()) - 3; at > 0; at -= 3)
    text.insert(static_cast<std::size_t>(at), ",");
  return text;
}

std::string formatSeconds(double seconds) {
  static constexpr std::array<std::string_view, 4> kUnits = {"ns", "\u00b5s", "ms", "s"};
  if (seconds == 0) return "0 s";
  return scaled(seconds * 1e9, 1000, kUnits);
}

std::string formatNumber(double value, int digits) {
  if (std::isnan(value)) return "nan";
  if (std::isinf(value)) return value < 0 ? "-inf" : "inf";
  const double rounded = roundToDigits(value, digits);
  if (rounded == 0) return "0";
  const int magnitude = static_cast<int>(std::floor(std::log10(std::fabs(rounded)) + 1e-12));
  std::string text = formatFixed(rounded, std::clamp(digits - 1 - magnitude, 0, 350));
  stripTrailingZeros(text);
  return text;
}

std::string formatFigures(double value) {
  if (!std::isfinite(value)) return formatNumber(value);
  const double rounded = roundToDigits(value, 3);
  const int magnitude = rounded == 0 ? 0 : static_cast<int>(std::floor(std::log10(std::fabs(rounded)) + 1e-12));
  return formatFixed(value, std::clamp(2 - magnitude, 0, 9));
}

// std::to_chars instead of printf: Qt sets the process locale, and these texts must not change with it.
std::string formatFixed(double value, int decimals) {
  std::array<char, 400> buffer;
  const auto end =
      std::to_chars(buffer.data(), buffer.data() + buffer.size(), value, std::chars_format::fixed, decimals).ptr;
  return {buffer.data(), end};
}

std::string formatPercent(double share) { return formatFixed(100 * share, 1) + " %"; }

std::string formatChange(double share) {
  const std::string text = formatPercent(share);
  return text.starts_with("-0.0 ") ? "+" + text.substr(1) : (std::signbit(share) ? "" : "+") + text;
}

std::string counted(std::int64_t count, std::string_view noun) {
  const bool hisses = noun.ends_with("tch") || noun.ends_with("s") || noun.ends_with("x");
  return std::to_string(count) + " " + std::string(noun) + (count == 1 ? "" : hisses ? "es" : "s");
}

std::string exactNumber(double value) {
  if (!std::isfinite(value)) return "null";
  std::array<char, 32> buffer;
  return {buffer.data(), std::to_chars(buffer.data(), buffer.data() + buffer.size(), value).ptr};
}

std::vector<std::string_view> partsBetween(std::string_view text, std::string_view separators) {
  std::vector<std::string_view> parts;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find_first_of(separators), text.size());
    if (end > 0) parts.push_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return parts;
}

std::string_view trimmed(std::string_view text, std::string_view characters) {
  const std::size_t first = text.find_first_not_of(characters);
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(characters) - first + 1);
}

std::string listText(std::span<const std::int64_t> shape) { return "[" + joinedSizes(shape, ", ") + "]"; }
std::string formatShape(std::span<const std::int64_t> shape) { return joinedSizes(shape, "x"); }

std::vector<std::int64_t> parseShape(std::string_view text) {
  std::vector<std::int64_t> shape;
  const char* at = text.data();
  const char* const end = at + text.size();
  while (true) {
    std::int64_t size = 0;
    const auto [next, error] = std::from_chars(at, end, size);
    if (error != std::errc() || size < 0) return {};
    shape.push_back(size);
    if (next == end) return shape;
    if (*next != 'x') return {};
    at = next + 1;
  }
}

std::string wholeSlug(std::string_view name) {
  std::string text;
  while (!name.empty()) {
    const Character first = firstCharacter(name);
    text += slugOf(first, name.substr(0, first.bytes));
    name.remove_prefix(first.bytes);
  }
  // A leading dot would hide the file, and ".." would leave the folder.
  text.erase(0, text.find_first_not_of('.'));
  return text.empty() ? "unnamed" : text;
}

std::string shortFileName(std::string_view name) {
  constexpr int kHashDigits = 8;
  if (name.size() <= kMostFileNameBytes) return std::string(name);
  std::string text(firstBytes(name, kMostFileNameBytes - kHashDigits - 1));
  text += '-';
  const std::uint64_t fingerprint = fingerprintOf(name);
  return text + hexDigits(fingerprint ^ (fingerprint >> 32), kHashDigits);
}

bool belongsInFileName(char32_t code) { return !isControl(code) && !isBidiMark(code) && !isNonCharacter(code); }

std::string slug(std::string_view name) { return shortFileName(wholeSlug(name)); }

}  // namespace lanelab
