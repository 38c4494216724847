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
Message fasterText(double ratio) {
  const std::string percent = percentText(std::abs(100 * (ratio - 1)));
  return ratio >= 1 ? sentence("{} % faster", percent) : sentence("{} % slower", percent);
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

Message fromTo(const Interval& ends) { return sentence("{} to {}", formatFigures(ends.low), formatFigures(ends.high)); }

/// "7 to 12 %"; of a slower one as many percent less speed.
Message percentFromTo(const Ratio& ratio) {
  const auto percent = [](double value) { return percentText(100 * (value - 1)); };
  if (ratio.word != Ratio::Word::Slower)
    return sentence("{} to {} %", percent(ratio.ci95->low), percent(ratio.ci95->high));
  return sentence("{} to {} %", percentText(100 * (1 - ratio.ci95->high)), percentText(100 * (1 - ratio.ci95->low)));
}

/// "5 repeats each", "5 and 4 repeats", "4 repeats each or more".
Message repeatsText(const std::vector<int>& repeats) {
  if (repeats.empty()) return sentence("no repeats");
  const auto [fewest, most] = std::ranges::minmax(repeats);
  if (fewest == most) return fewest == 1 ? sentence("1 repeat each") : sentence("{} repeats each", fewest);
  if (repeats.size() == 2) return sentence("{} and {} repeats", repeats[0], repeats[1]);
  return fewest == 1 ? sentence("1 repeat each or more") : sentence("{} repeats each or more", fewest);
}

/// "n = 10/10", the baseline's first.
Message countsText(const std::vector<int>& repeats) {
  if (repeats.size() == 2) return sentence("n = {}/{}", repeats[1], repeats[0]);
  return repeats.empty() ? sentence("n = 0") : sentence("n = {} each or more", std::ranges::min(repeats));
}

Message wordText(Ratio::Word word) {
  switch (word) {
    case Ratio::Word::Faster: return sentence("faster");
    case Ratio::Word::Slower: return sentence("slower");
    case Ratio::Word::NoClearDifference: return sentence("no clear difference");
    case Ratio::Word::WithinNoise: return sentence("within noise band");
    case Ratio::Word::TooFewRepeats: return sentence("too few repeats");
    case Ratio::Word::ZeroTime: return sentence("no ratio");
    case Ratio::Word::OtherRun: return sentence("different runs");
    case Ratio::Word::Baseline: return sentence("baseline");
  }
  return {};
}

/// How much n repeats show.
Message smallestText(const Ratio& ratio) {
  const double least = ratio.smallest_difference;
  return sentence("differences of {} and more",
                  least < 1 ? percentText(100 * least) + " %" : formatFigures(1 + least) + "x");
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

Message predictedThan(const std::string& baseline, double ratio, bool clear) {
  if (clear) return sentence("predicted {} than {}", fasterText(ratio), baseline);
  const std::string percent = percentText(100 * (ratio - 1));
  return ratio >= 1 ? sentence("no clear gain over {} predicted ({} %)", baseline, percent)
                    : sentence("no clear loss against {} predicted ({} %)", baseline, percent);
}

Message speedWords(const Ratio& ratio, SpeedUnit unit) {
  if (!ratio.isClear()) return wordText(ratio.word);
  if (unit == SpeedUnit::Percent) return fasterText(ratio.ratio);
  const std::string times = formatFigures(timesOf(ratio));
  return ratio.word == Ratio::Word::Faster ? sentence("{}x faster", times) : sentence("{}x slower", times);
}

Message speedEvidence(const Ratio& ratio, SpeedUnit unit, const Message& per) {
  const bool unclear = ratio.word == Ratio::Word::NoClearDifference;
  const Message counts = repeatsText(ratio.repeats);
  const Message repeats =
      unclear ? sentence("{} show {}{}", counts, smallestText(ratio), per) : sentence("{}{}", counts, per);
  if (ratio.word == Ratio::Word::ZeroTime) return sentence("a repeat took 0 s; {}", repeats);
  if (!ratio.ci95) return sentence("{}; an interval needs {}", repeats, kFewestForInterval);
  if (unit == SpeedUnit::Percent)
    return ratio.isClear() ? sentence("95 % CI {}; {}", percentFromTo(ratio), repeats)
                           : sentence("95 % CI of the difference {}; {}", percentFromTo(ratio), repeats);
  const Message ends = fromTo(endsOf(ratio));
  return ratio.isClear() ? sentence("95 % CI {}x; {}", ends, repeats)
                         : sentence("95 % CI of the speed-up {}x; {}", ends, repeats);
}

Message speedClause(const Ratio& ratio, SpeedUnit unit) {
  return sentence("{} ({})", speedWords(ratio, unit), speedEvidence(ratio, unit));
}

Message speedPhrase(const Ratio& ratio) {
  const Message evidence = speedEvidence(ratio);
  if (ratio.isClear()) return sentence("its repeats are {} ({})", speedWords(ratio), evidence);
  if (ratio.word == Ratio::Word::NoClearDifference)
    return sentence("there is no clear difference in speed ({})", evidence);
  if (ratio.word == Ratio::Word::WithinNoise)
    return sentence("the difference in speed is within the noise band ({})", evidence);
  return sentence("{} to compare their speed ({})", speedWords(ratio), evidence);
}

Message speedSentence(const std::string& candidate, const std::string& baseline, const Ratio& ratio,
                      const Message& per) {
  const Message evidence = speedEvidence(ratio, SpeedUnit::Times, per);
  switch (ratio.word) {
    case Ratio::Word::Faster:
    case Ratio::Word::Slower:
      return sentence("{} is {} than {} ({}).", candidate, speedWords(ratio), baseline, evidence);
    case Ratio::Word::WithinNoise:
      return sentence("The difference between {} and {} is within the noise band ({}).", candidate, baseline, evidence);
    case Ratio::Word::NoClearDifference:
      return sentence("No clear difference between {} and {} ({}).", candidate, baseline, evidence);
    case Ratio::Word::OtherRun:
      if (!ratio.ci95) return sentence("{} and {} are of different runs ({}).", candidate, baseline, evidence);
      return sentence("{} and {} are of different runs: ratio of times {}x (95 % CI {}x within the runs; {}{}).",
                      candidate, baseline, formatFigures(ratio.ratio), fromTo(*ratio.ci95), repeatsText(ratio.repeats),
                      per);
    case Ratio::Word::ZeroTime:
      return sentence("{} and {} cannot be compared: a repeat took 0 s.", candidate, baseline);
    case Ratio::Word::TooFewRepeats:
    case Ratio::Word::Baseline: break;
  }
  return sentence("Too few repeats to compare {} and {} ({}).", candidate, baseline, evidence);
}

Message verdictText(const Ratio& ratio) {
  const Message word = wordText(ratio.word), counts = countsText(ratio.repeats);
  if (ratio.word == Ratio::Word::Baseline) return word;
  if (isMissing(ratio)) return sentence("not measured ({})", counts);
  if (ratio.word == Ratio::Word::ZeroTime) return sentence("{} (a repeat took 0 s, {})", word, counts);
  if (!ratio.ci95) return sentence("{} ({}; {} are needed)", word, counts, kFewestForInterval);
  const std::string times = formatFigures(timesOf(ratio));
  const Message ends = fromTo(endsOf(ratio));
  if (ratio.word != Ratio::Word::NoClearDifference)
    return sentence("{} ({}x, 95 % CI {}, {})", word, times, ends, counts);
  return sentence("{} ({}x, 95 % CI {}, {}; {} would show)", word, times, ends, counts, smallestText(ratio));
}

Message speedUpTitle(const std::string& baseline) { return sentence("Speed-up vs {} (95 % CI)", baseline); }

Message speedUpText(const Ratio& ratio) {
  if (ratio.word == Ratio::Word::ZeroTime) return sentence("no ratio: a repeat took 0 s");
  if (isMissing(ratio)) return sentence("nothing to compare with");
  if (!ratio.ci95) return wordText(ratio.word);
  const Message ends = fromTo(endsOf(ratio));
  switch (ratio.word) {
    case Ratio::Word::Faster: return sentence("{}x ({})", formatFigures(ratio.ratio), ends);
    case Ratio::Word::OtherRun: return sentence("{}x ({}), different runs", formatFigures(ratio.ratio), ends);
    default: return sentence("{} ({})", speedWords(ratio), ends);
  }
}

}  // namespace lanelab
