// SPDX-License-Identifier: GPL-3.0-only
#include "engine/report/run_notes.h"

#include <algorithm>
#include <map>

#include "base/text.h"
#include "engine/advise/suggestions.h"
#include "engine/record/run_trust.h"
#include "engine/record/speed_words.h"
#include "engine/report/bound_text.h"

namespace lanelab {
namespace {

/// "Accuracy after 5 epochs, mean of 2 repeats, measured: Single 98.9 % in training and 94.2 % in validation; Pipeline
/// ..."; empty without epochs.
std::string accuracySentence(const RunRecord& record) {
  std::string words;
  int most = 0;
  for (const VariantRecord& variant : record.variants) {
    const std::optional<FinalAccuracy> accuracy = finalAccuracy(variant);
    if (!accuracy) continue;
    most = std::max(most, accuracy->repeats);
    words += (words.empty() ? "" : "; ") + variant.name + " " + formatPercent(accuracy->training) + " in training";
    if (accuracy->validation) words += " and " + formatPercent(*accuracy->validation) + " in validation";
  }
  if (words.empty() || !record.experiment.data.epochs) return "";
  const std::string of = most > 1 ? ", mean of up to " + std::to_string(most) + " repeats" : "";
  return "Accuracy after " + lengthWords(record.experiment.data) + of + ", measured: " + words + ".";
}

/// Of how many samples a batch norm takes mean and variance.
int samplesPerNorm(const RunRecord& record, const VariantRecord& variant) {
  const bool whole = variant.modes.batch_norm == BatchNormMode::Synchronised || variant.split_size == 0;
  return whole ? record.experiment.data.batch / std::max(1, variant.replicas) : variant.split_size;
}

/// What a variant of ResNets whose norms see fewer samples than those of another learned less, by 2 % or more; empty if
/// there is none.
std::string smallNormSentence(const RunRecord& record, const VariantRecord& variant) {
  constexpr double kLess = 0.02;
  const std::optional<FinalAccuracy> own = finalAccuracy(variant);
  if (!own || record.experiment.model.file || !record.experiment.model.arch.starts_with("resnet")) return "";
  const int samples = samplesPerNorm(record, variant);
  for (const VariantRecord& other : record.variants) {
    const std::optional<FinalAccuracy> accuracy = finalAccuracy(other);
    const int others = samplesPerNorm(record, other);
    if (!accuracy || others <= samples || accuracy->value() - own->value() < kLess) continue;
    return "Batch norms of " + variant.name + " normalise " + std::to_string(samples) +
           " samples at a time, those of " + other.name + " " + std::to_string(others) +
           ", which can cost accuracy: larger micro-batches, or \"batch_norm\": \"synchronised\", normalise more.";
  }
  return "";
}

/// "Pipeline (suggested) (Move layer3.0 to cpu:0): predicted 11 % faster than Pipeline, measured 9 % faster (95 % CI 7
/// to 12 %, n = 10/10)." Without 5 repeats each it says so instead. Empty for a variant that was not suggested, and
/// until both have repeats.
std::string suggestionSentence(const RunRecord& record, const VariantConfig& variant) {
  if (!variant.suggested_from) return {};
  const SuggestedFrom& suggestion = *variant.suggested_from;
  const VariantRecord *before = record.find(suggestion.of), *after = record.find(variant.name);
  if (before == nullptr || after == nullptr || before->repeats.empty() || after->repeats.empty()) return {};
  const Ratio measured = compareTimes(before->seconds(), after->seconds());
  if (measured.word == Ratio::Word::ZeroTime) return {};

  return after->name + (suggestion.change.empty() ? "" : " (" + suggestion.change + ")") + ": " +
         predictedThan(before->name, suggestion.predicted_ratio, !suggestion.unclear).message +
         (measured.isClear() ? ", measured " : ", measured: ") + speedClause(measured, SpeedUnit::Percent).message +
         ".";
}

constexpr double kWideSpread = 0.10;  ///< of the median, as in torch.utils.benchmark

std::vector<std::string> spreadSentences(const std::string& name, const Summary& summary) {
  std::vector<std::string> sentences;
  if (!summary.outliers.empty())
    sentences.push_back(name + ": " + std::to_string(summary.outliers.size()) + " of " + counted(summary.n, "repeat") +
                        (summary.outliers.size() == 1 ? " is beyond 3 interquartile ranges; it is included."
                                                      : " are beyond 3 interquartile ranges; they are included."));
  if (summary.n > 1 && summary.median > 0 && summary.iqr > kWideSpread * summary.median)
    sentences.push_back(name + ": the interquartile range is " + formatPercent(summary.iqr / summary.median) +
                        " of the median, so its times are unsteady.");
  if (summary.n > 0 && !summary.ci95)
    sentences.push_back(name + ": an interval needs 5 repeats; there " +
                        (summary.n == 1 ? std::string("is 1.") : "are " + std::to_string(summary.n) + "."));
  return sentences;
}

bool isBaselineSingle(const RunRecord& record) {
  const VariantRecord* const baseline = record.find(record.baseline);
  return baseline != nullptr && baseline->strategy == Strategy::Single;
}

std::string severalComparisonsSentence(const RunRecord& record) {
  // Between runs no interval covers 95 %: the notes of several runs tell why.
  const auto compared = std::ranges::count_if(record.comparison, [](const ComparisonRow& row) {
    return row.ratio.ci95 && row.ratio.word != Ratio::Word::OtherRun;
  });
  if (compared < 2) return {};
  return std::to_string(compared) + " variants are compared with " + record.baseline +
         ": each interval covers 95 % by itself, all of them together less (no Holm correction).";
}

/// How many samples each replica of a data-parallel variant got; steps alike are counted together.
std::string replicaSentence(const VariantRecord& variant) {
  std::vector<std::vector<int>> order;
  std::map<std::vector<int>, int> steps;
  for (const std::vector<int>& sizes : variant.replica_sizes) {
    if (++steps[sizes] == 1) order.push_back(sizes);
  }
  std::string text;
  for (const std::vector<int>& sizes : order) {
    std::vector<std::string> words;
    for (const int size : sizes) words.push_back(std::to_string(size));
    text += (text.empty() ? variant.name + ": the replicas got " : "; ") + joinAnd(words) + " samples in " +
            counted(steps[sizes], "step");
  }
  return text.empty() ? text : text + ".";
}

/// Of all variants together; empty if no GPU was recorded.
std::string gpuActivitySentence(const RunRecord& record) {
  GpuActivity all;
  bool any = false;
  for (const VariantRecord& variant : record.variants) {
    if (!variant.gpu) continue;
    all += *variant.gpu;
    any = true;
  }
  if (!any) return {};
  std::string text = "GPU activity: " + groupedDigits(all.kernels) + " kernels, " + groupedDigits(all.dropped) +
                     " dropped, " + groupedDigits(all.without_time) + " without time";
  if (all.unattributed > 0) text += ", " + groupedDigits(all.unattributed) + " kernels of no known action";
  if (all.before_launch > 0)
    text += ", " + groupedDigits(all.before_launch) + " kernels that seem to begin before their launch";
  text += ", clocks agree within " + formatSeconds(static_cast<double>(all.clock_residual) * kNanosecond);
  if (all.clock_steps > 0)
    text += ", and the system's clock was set " + groupedDigits(all.clock_steps) +
            (all.clock_steps == 1 ? " time" : " times");
  return text + ".";
}

/// Empty for a run of one process, or without traces.
std::string rankClockSentence(const RunRecord& record) {
  std::vector<RankClock> clocks;
  for (const VariantRecord& variant : record.variants) retainClocks(clocks, variant.rank_clocks);
  if (clocks.empty()) return {};
  Nanoseconds residual = 0;
  for (const RankClock& clock : clocks) residual = std::max(residual, clock.residual);
  return "The lanes of " + std::to_string(clocks.size() + 1) +
         " processes are on one timeline; their clocks agree within " +
         formatSeconds(static_cast<double>(residual) * kNanosecond) + ".";
}

/// One decimal, and no "-0.0".
std::string percent(double share) {
  const std::string text = formatFixed(100 * share, 1);
  return text == "-0.0" ? "0.0" : text;
}

std::string percentInterval(const Interval& interval) {
  return percent(interval.low) + " to " + percent(interval.high) + " %";
}

/// A reason may be an error's sentence.
std::string whyNot(std::string reason) {
  if (reason.ends_with('.')) reason.pop_back();
  return "not measured: " + reason +
         (reason == "the run is too short" ? "; \"record_cost\": true in the experiment measures it all the same" : "");
}

/// A sentence for the variants where it was measured, and one for those where it was not, by reason; nothing with
/// record off.
std::vector<RunNote> recordingNotes(const RunRecord& record) {
  std::map<std::string, std::vector<std::string>> measured, not_measured;
  for (const VariantRecord& variant : record.variants) {
    if (!variant.recording) continue;
    if (variant.recording->pairs == 0)
      not_measured[variant.recording->not_measured].push_back(variant.name);
    else
      measured[variant.recording->mode].push_back(variant.name + " " + recordingCostText(*variant.recording));
  }
  std::vector<RunNote> notes;
  const auto add = [&](std::string sentence) {
    notes.push_back({RunNote::Kind::RecordingCost, "", std::move(sentence)});
  };
  for (const auto& [mode, costs] : measured) add("Recording cost (" + mode + "): " + joined(costs, "; ") + ".");
  for (const auto& [reason, names] : not_measured) {
    const std::string of = names.size() == record.variants.size() ? "" : " of " + joined(names, ", ");
    add("Recording cost" + of + ": " + whyNot(reason) + ".");
  }
  return notes;
}

}  // namespace

std::string recordingCostText(const RecordingCost& cost) {
  if (cost.pairs == 0) return whyNot(cost.not_measured);
  const std::string interval = cost.ci95 ? "95 % CI " + percentInterval(*cost.ci95) + ", " : "";
  const std::string step =
      percent(cost.cost_ratio) + " % of a step (" + interval + counted(cost.pairs, "pair") + ", measured)";
  if (!cost.cpu_ratio) return step;
  return step + ", " + percent(*cost.cpu_ratio) + " % of its processor time" +
         (cost.cpu_ci95 ? " (" + percentInterval(*cost.cpu_ci95) + ")" : "");
}

std::string slowerThanSingleText(const RunRecord& record, const std::string& variant) {
  const VariantRecord* const own = record.find(variant);
  const auto single = std::ranges::find(record.variants, Strategy::Single, &VariantRecord::strategy);
  if (own == nullptr || single == record.variants.end() || own->strategy == Strategy::Single) return {};
  if (own->split_size * own->micro_batches != single->split_size * single->micro_batches) return {};
  const Ratio ratio = compareTimes(single->seconds(), own->seconds());
  if (ratio.word != Ratio::Word::Slower || !ratio.ci95) return {};
  return own->name + " is " + speedWords(ratio).message + " than " + single->name + " of the same run (" +
         speedEvidence(ratio).message + "), so one lane alone does this work faster.";
}

std::string lengthWords(const DataConfig& data) {
  return data.epochs ? counted(*data.epochs, "epoch") : counted(data.steps, "step");
}

std::vector<RunNote> runNotes(const RunRecord& record) {
  using enum RunNote::Kind;
  std::vector<RunNote> notes;
  const auto add = [&](RunNote::Kind kind, const std::string& variant, const std::string& sentence) {
    if (!sentence.empty()) notes.push_back({kind, variant, sentence});
  };
  const auto addAll = [&](const std::vector<RunNote>& some) { notes.insert(notes.end(), some.begin(), some.end()); };
  add(Trust, "", runTrust(record).sentence.message);
  for (const std::string& warning : record.warnings) add(Warning, "", warning);
  add(Accuracy, "", accuracySentence(record));
  for (const VariantRecord& variant : record.variants) add(Accuracy, variant.name, smallNormSentence(record, variant));
  for (const VariantConfig& variant : record.experiment.variants)
    add(Suggestion, variant.name, suggestionSentence(record, variant));
  for (const VariantRecord& variant : record.variants) {
    if (const std::string modes = modesText(variant.modes); !modes.empty())
      add(Modes, variant.name, variant.name + " trains with " + modes + ".");
  }
  for (const VariantRecord& variant : record.variants)
    for (const std::string& sentence : spreadSentences(variant.name, variant.summary))
      add(Statistics, variant.name, sentence);
  // Of several runs Single is another run's, and a table with it as the baseline has these figures already.
  for (const VariantRecord& variant : record.variants)
    if (record.between_runs.empty() && !isBaselineSingle(record))
      add(Statistics, variant.name, slowerThanSingleText(record, variant.name));
  add(Statistics, "", severalComparisonsSentence(record));
  for (const std::string& sentence : record.between_runs) add(Statistics, "", sentence);
  addAll(recordingNotes(record));
  for (const VariantRecord& variant : record.variants) add(Replicas, variant.name, replicaSentence(variant));
  add(GpuActivity, "", gpuActivitySentence(record));
  add(RankClocks, "", rankClockSentence(record));
  addAll(boundNotes(record));
  return notes;
}

std::vector<std::string> noteSentences(const std::vector<RunNote>& notes, std::initializer_list<RunNote::Kind> kinds) {
  std::vector<std::string> sentences;
  for (const RunNote::Kind kind : kinds) {
    for (const RunNote& note : notes) {
      if (note.kind == kind) sentences.push_back(note.sentence);
    }
  }
  return sentences;
}

}  // namespace lanelab
