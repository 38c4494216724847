// SPDX-License-Identifier: GPL-3.0-only
// How a measured ratio of times is said: the only place that makes words of one, for run.json, tables, sentences and
// the window. A ratio below 1 is "1.15x slower". A ratio that no interval bounds has no figure. Pure functions.
#pragma once

#include <string>

#include "base/message.h"
#include "engine/record/statistics.h"

namespace lanelab {

/// Times for comparisons, percent beside the percent of a prediction.
enum class SpeedUnit { Times, Percent };

/// "1.72x faster", "1.15x slower", "9 % faster", "no clear difference", "within the noise band", "too few repeats".
Message speedWords(const Ratio& ratio, SpeedUnit unit = SpeedUnit::Times);

/// What they rest on, for brackets: "95 % CI 1.69 to 1.75x; 10 repeats each", "95 % CI of the speed-up 0.945 to 1.06x;
/// 10 repeats each show differences of 8.1 % and more", "4 and 10 repeats; an interval needs 5". `per` follows the
/// repeats: ", per image".
Message speedEvidence(const Ratio& ratio, SpeedUnit unit = SpeedUnit::Times, const Message& per = {});

/// Both: "1.72x faster (95 % CI 1.69 to 1.75x; 10 repeats each)".
Message speedClause(const Ratio& ratio, SpeedUnit unit = SpeedUnit::Times);

/// Within a sentence on a candidate: "its repeats are 1.72x faster (...)", "there is no clear difference in speed
/// (...)".
Message speedPhrase(const Ratio& ratio);

/// "Pipeline is 1.72x faster than Single (95 % CI ...)." or "No clear difference between Pipeline and Single (...)."
Message speedSentence(const std::string& candidate, const std::string& baseline, const Ratio& ratio,
                      const Message& per = {});

/// In run.json: "slower (1.15x, 95 % CI 1.08 to 1.22, n = 10/10)".
Message verdictText(const Ratio& ratio);

/// Column of tables: "Speed-up vs Single (95 % CI)".
Message speedUpTitle(const std::string& baseline);
/// A cell of it: "1.72x (1.69 to 1.75)", "1.15x slower (1.08 to 1.22)", "no clear difference (0.980 to 1.05)".
Message speedUpText(const Ratio& ratio);

/// Of a prediction in percent with its range: "predicted 11 % faster (90 % range 6 to 16 %)". Of a range that has no
/// change in it nothing is faster: "no clear gain (predicted 11 %, 90 % range -5.3 to 29 %)", or "no clear loss".
Message predictedText(double ratio, double low, double high);
/// Without a range: "predicted 11 % faster than Pipeline", "no clear gain over Pipeline predicted (11 %)".
Message predictedThan(const std::string& baseline, double ratio, bool clear);

}  // namespace lanelab
