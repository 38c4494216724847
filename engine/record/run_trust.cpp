// SPDX-License-Identifier: GPL-3.0-only
#include "engine/record/run_trust.h"

#include <algorithm>
#include <charconv>
#include <cmath>

#include "base/text.h"
#include "engine/experiment/lane_cores.h"
#include "engine/record/environment.h"
#include "profiler/trace/core_time.h"

namespace lanelab {
namespace {

using Kind = TrustReason::Kind;

/// Of the lanes of a variant, the mean over its counted repeats; of earlier versions' runs that of the last one.
struct VariantCoreShares {
  std::vector<double> shares;
  int repeats = 0;  ///< that these are of; 0: nothing is known
};

VariantCoreShares coreSharesOf(const VariantRecord& variant) {
  VariantCoreShares known;
  for (const RepeatRecord& repeat : variant.repeats) {
    if (repeat.core_shares.empty()) continue;
    known.shares.resize(std::max(known.shares.size(), repeat.core_shares.size()));
    for (std::size_t lane = 0; lane < repeat.core_shares.size(); ++lane) known.shares[lane] += repeat.core_shares[lane];
    ++known.repeats;
  }
  for (double& share : known.shares) share /= known.repeats;
  known.shares.resize(variant.lanes.size());
  if (known.repeats > 0 || variant.repeats.empty()) return known;
  for (std::size_t lane = 0; lane < variant.lanes.size(); ++lane) {
    const LaneRecord& own = variant.lanes[lane];
    if (own.cpu_seconds <= 0 || own.busy_seconds <= 0) continue;
    known.shares[lane] = std::min(1.0, own.cpu_seconds / own.busy_seconds);
    known.repeats = 1;
  }
  return known;
}

/// CPU threads that compute at once in the experiment's variant that has most of them.
int threadsAtOnce(const Experiment& experiment) {
  int most = 0;
  for (const VariantConfig& variant : experiment.variants) {
    int threads = 0;
    for (const LaneConfig& lane : lanesAtOnce(experiment, variant)) threads += lane.threads;
    most = std::max(most, threads);
  }
  return most;
}

bool hasRepeats(const RunRecord& record) {
  return std::ranges::any_of(record.variants, [](const VariantRecord& variant) { return !variant.repeats.empty(); });
}

Message countedRepeats(std::int64_t count) { return count == 1 ? sentence("1 repeat") : sentence("{} repeats", count); }

Message endText(RunStatus status, std::int64_t done, const Message& all) {
  switch (status) {
    case RunStatus::Cancelled: return sentence("the run was cancelled with {} of {} done", done, all);
    case RunStatus::Failed: return sentence("the run failed with {} of {} done", done, all);
    default: return sentence("the run was interrupted with {} of {} done", done, all);
  }
}

void addEnd(const RunRecord& record, std::vector<TrustReason>& reasons) {
  if (record.status == RunStatus::Done || record.status == RunStatus::Running) return;
  std::int64_t done = 0;
  for (const VariantRecord& variant : record.variants) done += static_cast<std::int64_t>(variant.repeats.size());
  const std::int64_t all =
      std::int64_t{record.experiment.repeats} * static_cast<std::int64_t>(record.experiment.variants.size());
  reasons.push_back({Kind::Ended, static_cast<double>(all - done), endText(record.status, done, countedRepeats(all))});
}

void addCoreTime(const RunRecord& record, std::vector<TrustReason>& reasons) {
  for (const VariantRecord& variant : record.variants) {
    const VariantCoreShares known = coreSharesOf(variant);
    std::vector<std::string> names;
    for (const LaneRecord& lane : variant.lanes) names.push_back(lane.name);
    const Message taken = takenCoresText(names, known.shares);
    if (taken.message.empty()) continue;
    const Message text = known.repeats > 1
                             ? sentence("in {} {} (mean of {} repeats)", variant.name, taken, known.repeats)
                             : sentence("in {} {} (one repeat)", variant.name, taken);
    reasons.push_back({Kind::CoreTime, leastCoreShare(known.shares)->share, text});
  }
}

/// Of the machine that ran; 0 if the record does not tell.
int coresOf(const RunRecord& record) {
  std::string text = factOf(record.environment, "cpu cores");
  if (text.empty()) text = factOf(record.environment, "cores");
  int cores = 0;
  std::from_chars(text.data(), text.data() + text.size(), cores);
  return cores;
}

void addSharedCores(const RunRecord& record, std::vector<TrustReason>& reasons) {
  for (const VariantConfig& variant : record.experiment.variants)
    if (const auto shared = sharedCores(lanesAtOnce(record.experiment, variant), coresOf(record)))
      reasons.push_back(
          {Kind::SharedCores, static_cast<double>(shared->threads), sentence("{} in {}", shared->who, variant.name)});
}

void addLoad(const RunRecord& record, std::vector<TrustReason>& reasons) {
  if (!record.load) return;
  if (const Message text = loadText(*record.load, record.experiment); !text.message.empty())
    reasons.push_back({Kind::Load, record.load->busy_cores, sentence("{} at the start", text)});
}

/// One slope over all variants, each about its own mean: of the logarithm of a repeat's time by its place.
struct Trend {
  double slope = 0;
  double t = 0;
  int freedom = 0;
  int longest = 0;  ///< repeats of the variant that has most
};

Trend trendOf(const RunRecord& record) {
  double xx = 0, xy = 0, yy = 0;
  Trend trend;
  for (const VariantRecord& variant : record.variants) {
    const auto n = static_cast<double>(variant.repeats.size());
    if (std::ranges::any_of(variant.repeats, [](const RepeatRecord& repeat) { return repeat.seconds <= 0; })) continue;
    double mean = 0;
    for (const RepeatRecord& repeat : variant.repeats) mean += std::log(repeat.seconds) / n;
    for (std::size_t i = 0; i < variant.repeats.size(); ++i) {
      const double x = static_cast<double>(i) - (n - 1) / 2, y = std::log(variant.repeats[i].seconds) - mean;
      xx += x * x;
      xy += x * y;
      yy += y * y;
    }
    if (variant.repeats.empty()) continue;
    trend.freedom += static_cast<int>(variant.repeats.size()) - 1;
    trend.longest = std::max(trend.longest, static_cast<int>(variant.repeats.size()));
  }
  trend.freedom -= 1;
  if (xx <= 0 || trend.freedom < 1) return trend;
  trend.slope = xy / xx;
  const double rest = std::max((yy - trend.slope * xy) / trend.freedom, 1e-18);
  trend.t = trend.slope / std::sqrt(rest / xx);
  return trend;
}

bool tellsDrift(const Trend& trend) {
  return trend.longest >= static_cast<int>(kFewestForInterval) && trend.freedom > 0;
}

void addDrift(const RunRecord& record, std::vector<TrustReason>& reasons) {
  constexpr double kLittle = 0.05, kSure = 0.995;
  const Trend trend = trendOf(record);
  if (!tellsDrift(trend) || std::abs(trend.t) < studentQuantile(kSure, trend.freedom)) return;
  const double change = std::expm1(trend.slope * (trend.longest - 1));
  if (std::abs(change) < kLittle) return;
  reasons.push_back({Kind::Drift, change,
                     sentence("times drift by {} from the first to the last of {}", formatChange(change),
                              countedRepeats(trend.longest))});
}

/// What was found to be right, as far as anything is known.
Message goodSentence(const RunRecord& record) {
  std::vector<Message> facts;
  double least = 2;
  for (const VariantRecord& variant : record.variants)
    if (const auto share = leastCoreShare(coreSharesOf(variant).shares)) least = std::min(least, share->share);
  if (least <= 1)
    facts.push_back(sentence("lanes had a core for at least {} of their compute time", formatPercent(least)));
  const Trend trend = trendOf(record);
  if (tellsDrift(trend)) facts.push_back(sentence("no drift over {}", countedRepeats(trend.longest)));
  if (record.load) facts.push_back(sentence("no load at the start"));
  if (facts.empty())
    return sentence("Nothing speaks against these times, but core time, load and drift are not known.");
  Message all = facts.front();
  for (std::size_t i = 1; i < facts.size(); ++i) all = sentence("{}, {}", all, facts[i]);
  return sentence("These times can be trusted: {}.", all);
}

Message sentenceOf(const RunRecord& record, const std::vector<TrustReason>& reasons) {
  if (!hasRepeats(record)) return {};
  if (reasons.empty()) return goodSentence(record);
  Message all = reasons.front().text;
  for (std::size_t i = 1; i < reasons.size(); ++i) all = sentence("{}; {}", all, reasons[i].text);
  return sentence("Trust these times with care: {}.", all);
}

}  // namespace

Message loadText(const MachineLoad& load, const Experiment& experiment) {
  if (load.cores < 1 || load.busy_cores + threadsAtOnce(experiment) <= load.cores + kLittleLoad) return {};
  const std::string used = formatFigures(load.busy_cores);
  return load.cores == 1 ? sentence("other programs used {} of 1 core", used)
                         : sentence("other programs used {} of {} cores", used, load.cores);
}

RunTrust runTrust(const RunRecord& record) {
  RunTrust trust;
  if (record.between_runs.empty()) {
    addEnd(record, trust.reasons);
    addCoreTime(record, trust.reasons);
    addSharedCores(record, trust.reasons);
    addLoad(record, trust.reasons);
    addDrift(record, trust.reasons);
  } else {
    trust.reasons = record.doubts_of_runs;
  }
  trust.sentence = sentenceOf(record, trust.reasons);
  return trust;
}

}  // namespace lanelab
