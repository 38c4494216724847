// SPDX-License-Identifier: GPL-3.0-only
// Small text helpers for messages: nearest name, human sizes, counts, durations, names of files. C locale always.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace lanelab {

/// The candidate with the smallest edit distance to `word`, or "" when none is near enough (more than half of its
/// letters differ).
std::string nearestName(std::string_view word, std::span<const std::string> candidates);

/// "did you mean "resnet18"?", or "choose a, b or c." when none is near enough.
std::string nearestHint(std::string_view word, std::span<const std::string> candidates);

/// "a, b or c", "a, b and c".
std::string joinOr(std::span<const std::string> words);
std::string joinAnd(std::span<const std::string> words);
/// "a, b, c" with `between` = ", ".
std::string joined(std::span<const std::string> words, std::string_view between);

/// What is between any of the `separators`, in order; empty parts are left out. Views of `text`.
std::vector<std::string_view> partsBetween(std::string_view text, std::string_view separators);

/// Without any of the `characters` at its two ends; a view of `text`.
std::string_view trimmed(std::string_view text, std::string_view characters);

/// The letters A to Z small; others stay.
std::string smallLetters(std::string text);

/// 1536 -> "1.5 KiB"; 0 -> "0 B".
std::string formatBytes(std::int64_t bytes);

/// 25557032 -> "25.6 M"; at most three significant figures.
std::string formatCount(double count);

/// 12345 -> "12,345". Not negative.
std::string groupedDigits(std::int64_t count);

/// 0.0123 s -> "12.3 ms"; at most three significant figures.
std::string formatSeconds(double seconds);

/// At most `digits` significant figures, never in exponent form: 1.7234 -> "1.72", 38.21 -> "38.2".
std::string formatNumber(double value, int digits = 3);

/// Three significant figures with their zeros, so that the numbers of a column look alike: 0.983, 1.50, 12.0, 1234.
std::string formatFigures(double value);

/// 1.5 with 2 decimals -> "1.50".
std::string formatFixed(double value, int decimals);

/// 0.9416 -> "94.2 %"; always one decimal, so that a column lines up.
std::string formatPercent(double share);

/// 0.0261 -> "+2.6 %", -0.0001 -> "+0.0 %".
std::string formatChange(double share);

/// "1 step", "5 steps", "2 micro-batches".
std::string counted(std::int64_t count, std::string_view noun);

/// The shortest decimal text that reads back as the same double; "null" for NaN and infinities (JSON and CSV).
std::string exactNumber(double value);

/// "3x128x128" <-> {3,128,128}; an empty vector when the text is no shape.
std::string formatShape(std::span<const std::int64_t> shape);
/// "[3, 64, 64]", as experiment files have it.
std::string listText(std::span<const std::int64_t> shape);
std::vector<std::int64_t> parseShape(std::string_view text);

/// File-name form of a variant's or an experiment's name: lower case, blanks become dashes, other odd characters are
/// dropped. At most 80 bytes: shortFileName().
std::string slug(std::string_view name);
/// slug() at its full length.
std::string wholeSlug(std::string_view name);

/// Leaves room for a prefix, a time and a file extension: file systems allow 255 bytes.
inline constexpr std::size_t kMostFileNameBytes = 80;

/// A name of at most 80 bytes is returned unchanged. A longer one is cut between characters and ends in a hash of the
/// whole name, so that names remain different: "a-very-long-name-1a2b3c4d". The same name always gives the same result.
std::string shortFileName(std::string_view name);

/// Whether a character may be part of a file name: not a control character, not a mark that reorders text, not a
/// non-character.
bool belongsInFileName(char32_t code);

}  // namespace lanelab
