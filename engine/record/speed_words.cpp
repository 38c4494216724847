// SPDX-License-Identifier: GPL-3.0-only
#include "engine/record/speed_words.h"

#include <algorithm>
#include <cmath>

#include "base/text.h"

namespace lanelab {
namespace {

/// "11", "-3.4", "0.5".
std::string percentText(double percent) {
  const double size = std::abs(percent);
  return size >= 9.95 ? std::to_string(std::llround(percent)) : formatNumber(percent, size >= 0.95 ? 2 : 1);
}

/// "11 % faster", "3.4 % slower".
std::string fasterText(double ratio) {
  return percentText(std::abs(100 * (ratio - 1))) + " % " + (ratio >= 1 ? "faster" : "slower");
}

/// Whether a side has no repeat at all.
bool isMissing(const Ratio& ratio) { return std::ranges::find(ratio.repeats, 0) != ratio.repeats.end(); }

/// As many times faster or slower as this.
double timesOf(const Ratio& ratio) { return ratio.word == Ratio::Word::Slower ? 1 / ratio.ratio : ratio.ratio; }

/// The interval of those times: that of the inverse has its ends the other way round.
Interval endsOf(const Ratio& ratio) {
  if (ratio.word == Ratio::Word::Slower) return {1 / ratio.ci95->high, 1 / ratio.ci95->low};
  return *ratio.ci95;
}

std::string fromTo(const Interval& ends) { return formatFigures(ends.low) + " to " + formatFigures(ends.high); }

/// "7 to 12 %"; of a slower one as many percent less speed.
std::string percentFromTo(const Ratio& ratio) {
  const auto percent = [](double value) { return percentText(100 * (value - 1)); };
  if (ratio.word != Ratio::Word::Slower) return percent(ratio.ci95->low) + " to " + percent(ratio.ci95->high) + " %";
  return percentText(100 * (1 - ratio.ci95->high)) + " to " + percentText(100 * (1 - ratio.ci95->low)) + " %";
}

/// "5 repeats each", "5 and 4 repeats", "4 repeats each or more".
std::string repeatsText(const std::vector<int>& repeats) {
  if (repeats.empty()) return "no repeats";
  const auto [fewest, most] = std::ranges::minmax(repeats);
  if (fewest == most) return counted(fewest, "repeat") + " each";
  if (repeats.size() == 2) return std::to_string(repeats[0]) + " and " + std::to_string(repeats[1]) + " repeats";
  return counted(fewest, "repeat") + " each or more";
}

/// "n = 10/10", the baseline's first.
std::string countsText(const std::vector<int>& repeats) {
  if (repeats.size() == 2) return "n = " + std::to_string(repeats[1]) + "/" + std::to_string(repeats[0]);
  return repeats.empty() ? "n = 0" : "n = " + std::to_string(std::ranges::min(repeats)) + " each or more";
}

std::string wordText(Ratio::Word word) {
  switch (word) {
    case Ratio::Word::Faster: return "faster";
    case Ratio::Word::Slower: return "slower";
    case Ratio::Word::NoClearDifference: return "no clear difference";
    case Ratio::Word::WithinNoise: return "within noise band";
    case Ratio::Word::TooFewRepeats: return "too few repeats";
    case Ratio::Word::ZeroTime: return "no ratio";
    case Ratio::Word::OtherRun: return "different runs";
    case Ratio::Word::Baseline: return "baseline";
  }
  return "";
}

/// How much n repeats show.
std::string smallestText(const Ratio& ratio) {
  const double least = ratio.smallest_difference;
  return "differences of " + (least < 1 ? percentText(100 * least) + " %" : formatFigures(1 + least) + "x") +
         " and more";
}

}  // namespace

Message predictedText(double ratio, double low, double high) {
  const auto percent = [](double value) { return percentText(100 * (value - 1)); };
  const std::string change = percentText(std::abs(100 * (ratio - 1)));
  if (low > 1 || high < 1)
    return ratio >= 1 ? sentence("predicted {} % faster (90 % range {} to {} %)", change, percent(low), percent(high))
                      : sentence("predicted {} % slower (90 % range {} to {} %)", change, percent(low), percent(high));
  return ratio >= 1 ? sentence("no clear gain (predicted {} %, 90 % range {} to {} %)", percent(ratio), percent(low),
                               percent(high))
                    : sentence("no clear loss (predicted {} %, 90 % range {} to {} %)", percent(ratio), percent(low),
                               percent(high));
}

std::string predictedThan(const std::string& baseline, double ratio, bool clear) {
  if (clear) return "predicted " + fasterText(ratio) + " than " + baseline;
  return std::string("no clear ") + (ratio >= 1 ? "gain over " : "loss against ") + baseline + " predicted (" +
         percentText(100 * (ratio - 1)) + " %)";
}

std::string speedWords(const Ratio& ratio, SpeedUnit unit) {
  if (!ratio.isClear()) return wordText(ratio.word);
  return unit == SpeedUnit::Percent ? fasterText(ratio.ratio)
                                    : formatFigures(timesOf(ratio)) + "x " + wordText(ratio.word);
}

std::string speedEvidence(const Ratio& ratio, SpeedUnit unit, const std::string& per) {
  const bool unclear = ratio.word == Ratio::Word::NoClearDifference;
  const std::string repeats = repeatsText(ratio.repeats) + (unclear ? " show " + smallestText(ratio) : "") + per;
  if (ratio.word == Ratio::Word::ZeroTime) return "a repeat took 0 s; " + repeats;
  if (!ratio.ci95) return repeats + "; an interval needs " + std::to_string(kFewestForInterval);
  const std::string of = ratio.isClear() ? "" : unit == SpeedUnit::Percent ? "of the difference " : "of the speed-up ";
  const std::string ends = unit == SpeedUnit::Percent ? percentFromTo(ratio) : fromTo(endsOf(ratio)) + "x";
  return "95 % CI " + of + ends + "; " + repeats;
}

std::string speedClause(const Ratio& ratio, SpeedUnit unit) {
  return speedWords(ratio, unit) + " (" + speedEvidence(ratio, unit) + ")";
}

std::string speedPhrase(const Ratio& ratio) {
  const std::string evidence = " (" + speedEvidence(ratio) + ")";
  if (ratio.isClear()) return "its repeats are " + speedWords(ratio) + evidence;
  if (ratio.word == Ratio::Word::NoClearDifference) return "there is no clear difference in speed" + evidence;
  if (ratio.word == Ratio::Word::WithinNoise) return "the difference in speed is within the noise band" + evidence;
  return speedWords(ratio) + " to compare their speed" + evidence;
}

std::string speedSentence(const std::string& candidate, const std::string& baseline, const Ratio& ratio,
                          const std::string& per) {
  const std::string pair = candidate + " and " + baseline;
  const std::string evidence = " (" + speedEvidence(ratio, SpeedUnit::Times, per) + ").";
  switch (ratio.word) {
    case Ratio::Word::Faster:
    case Ratio::Word::Slower: return candidate + " is " + speedWords(ratio) + " than " + baseline + evidence;
    case Ratio::Word::WithinNoise: return "The difference between " + pair + " is within the noise band" + evidence;
    case Ratio::Word::NoClearDifference: return "No clear difference between " + pair + evidence;
    case Ratio::Word::OtherRun:
      if (!ratio.ci95) return pair + " are of different runs" + evidence;
      return pair + " are of different runs: ratio of times " + formatFigures(ratio.ratio) + "x (95 % CI " +
             fromTo(*ratio.ci95) + "x within the runs; " + repeatsText(ratio.repeats) + per + ").";
    case Ratio::Word::ZeroTime: return pair + " cannot be compared: a repeat took 0 s.";
    case Ratio::Word::TooFewRepeats:
    case Ratio::Word::Baseline: break;
  }
  return "Too few repeats to compare " + pair + evidence;
}

std::string verdictText(const Ratio& ratio) {
  const std::string word = wordText(ratio.word), counts = countsText(ratio.repeats);
  if (ratio.word == Ratio::Word::Baseline) return word;
  if (isMissing(ratio)) return "not measured (" + counts + ")";
  if (ratio.word == Ratio::Word::ZeroTime) return word + " (a repeat took 0 s, " + counts + ")";
  if (!ratio.ci95) return word + " (" + counts + "; " + std::to_string(kFewestForInterval) + " are needed)";
  return word + " (" + formatFigures(timesOf(ratio)) + "x, 95 % CI " + fromTo(endsOf(ratio)) + ", " + counts +
         (ratio.word == Ratio::Word::NoClearDifference ? "; " + smallestText(ratio) + " would show" : "") + ")";
}

std::string speedUpTitle(const std::string& baseline) { return "Speed-up vs " + baseline + " (95 % CI)"; }

std::string speedUpText(const Ratio& ratio) {
  if (ratio.word == Ratio::Word::ZeroTime) return "no ratio: a repeat took 0 s";
  if (isMissing(ratio)) return "nothing to compare with";
  if (!ratio.ci95) return wordText(ratio.word);
  const std::string interval = " (" + fromTo(endsOf(ratio)) + ")";
  switch (ratio.word) {
    case Ratio::Word::Faster: return formatFigures(ratio.ratio) + "x" + interval;
    case Ratio::Word::OtherRun: return formatFigures(ratio.ratio) + "x" + interval + ", different runs";
    default: return speedWords(ratio) + interval;
  }
}

}  // namespace lanelab
