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

// Each noun with its number, as languages that are not English need the words whole.
Message repeats(std::int64_t n) { return n == 1 ? sentence("{} repeat", n) : sentence("{} repeats", n); }
Message epochs(std::int64_t n) { return n == 1 ? sentence("{} epoch", n) : sentence("{} epochs", n); }
Message steps(std::int64_t n) { return n == 1 ? sentence("{} step", n) : sentence("{} steps", n); }
Message pairs(std::int64_t n) { return n == 1 ? sentence("{} pair", n) : sentence("{} pairs", n); }

Message lengthOf(const DataConfig& data) { return data.epochs ? epochs(*data.epochs) : steps(data.steps); }

/// "a; b; c".
Message inARow(const std::vector<Message>& words) {
  Message all;
  for (const Message& one : words) all = all.message.empty() ? one : sentence("{}; {}", all, one);
  return all;
}

/// "Accuracy after 5 epochs, mean of 2 repeats, measured: Single 98.9 % in training and 94.2 % in validation; Pipeline
/// ..."; empty without epochs.
Message accuracySentence(const RunRecord& record) {
  std::vector<Message> words;
  int most = 0;
  for (const VariantRecord& variant : record.variants) {
    const std::optional<FinalAccuracy> accuracy = finalAccuracy(variant);
    if (!accuracy) continue;
    most = std::max(most, accuracy->repeats);
    const std::string training = formatPercent(accuracy->training);
    words.push_back(accuracy->validation ? sentence("{} {} in training and {} in validation", variant.name, training,
                                                    formatPercent(*accuracy->validation))
                                         : sentence("{} {} in training", variant.name, training));
  }
  if (words.empty() || !record.experiment.data.epochs) return {};
  const Message length = lengthOf(record.experiment.data);
  return most > 1 ? sentence("Accuracy after {}, mean of up to {}, measured: {}.", length, repeats(most), inARow(words))
                  : sentence("Accuracy after {}, measured: {}.", length, inARow(words));
}

/// Of how many samples a batch norm takes mean and variance.
int samplesPerNorm(const RunRecord& record, const VariantRecord& variant) {
  const bool whole = variant.modes.batch_norm == BatchNormMode::Synchronised || variant.split_size == 0;
  return whole ? record.experiment.data.batch / std::max(1, variant.replicas) : variant.split_size;
}

/// What a variant of ResNets whose norms see fewer samples than those of another learned less, by 2 % or more; empty if
/// there is none.
Message smallNormSentence(const RunRecord& record, const VariantRecord& variant) {
  constexpr double kLess = 0.02;
  const std::optional<FinalAccuracy> own = finalAccuracy(variant);
  if (!own || record.experiment.model.file || !record.experiment.model.arch.starts_with("resnet")) return {};
  const int samples = samplesPerNorm(record, variant);
  for (const VariantRecord& other : record.variants) {
    const std::optional<FinalAccuracy> accuracy = finalAccuracy(other);
    const int others = samplesPerNorm(record, other);
    if (!accuracy || others <= samples || accuracy->value() - own->value() < kLess) continue;
    return sentence(
        "Batch norms of {} normalise {} samples at a time, those of {} {}, which can cost accuracy: larger "
        "micro-batches, or \"batch_norm\": \"synchronised\", normalise more.",
        variant.name, samples, other.name, others);
  }
  return {};
}

/// "Pipeline (suggested) (Move layer3.0 to cpu:0): predicted 11 % faster than Pipeline, measured 9 % faster (95 % CI 7
/// to 12 %, n = 10/10)." Without 5 repeats each it says so instead. Empty for a variant that was not suggested, and
/// until both have repeats.
Message suggestionSentence(const RunRecord& record, const VariantConfig& variant) {
  if (!variant.suggested_from) return {};
  const SuggestedFrom& suggestion = *variant.suggested_from;
  const VariantRecord *before = record.find(suggestion.of), *after = record.find(variant.name);
  if (before == nullptr || after == nullptr || before->repeats.empty() || after->repeats.empty()) return {};
  const Ratio measured = compareTimes(before->seconds(), after->seconds());
  if (measured.word == Ratio::Word::ZeroTime) return {};

  const Message name =
      suggestion.change.empty() ? verbatim(after->name) : sentence("{} ({})", after->name, suggestion.change);
  const Message predicted = predictedThan(before->name, suggestion.predicted_ratio, !suggestion.unclear);
  const Message clause = speedClause(measured, SpeedUnit::Percent);
  return measured.isClear() ? sentence("{}: {}, measured {}.", name, predicted, clause)
                            : sentence("{}: {}, measured: {}.", name, predicted, clause);
}

constexpr double kWideSpread = 0.10;  ///< of the median, as in torch.utils.benchmark

std::vector<Message> spreadSentences(const std::string& name, const Summary& summary) {
  std::vector<Message> sentences;
  const std::size_t outliers = summary.outliers.size();
  if (outliers == 1)
    sentences.push_back(sentence("{}: {} of {} is beyond 3 interquartile ranges; it is included.", name, outliers,
                                 repeats(static_cast<std::int64_t>(summary.n))));
  else if (outliers > 1)
    sentences.push_back(sentence("{}: {} of {} are beyond 3 interquartile ranges; they are included.", name, outliers,
                                 repeats(static_cast<std::int64_t>(summary.n))));
  if (summary.n > 1 && summary.median > 0 && summary.iqr > kWideSpread * summary.median)
    sentences.push_back(sentence("{}: the interquartile range is {} of the median, so its times are unsteady.", name,
                                 formatPercent(summary.iqr / summary.median)));
  if (summary.n > 0 && !summary.ci95)
    sentences.push_back(summary.n == 1 ? sentence("{}: an interval needs 5 repeats; there is 1.", name)
                                       : sentence("{}: an interval needs 5 repeats; there are {}.", name, summary.n));
  return sentences;
}

bool isBaselineSingle(const RunRecord& record) {
  const VariantRecord* const baseline = record.find(record.baseline);
  return baseline != nullptr && baseline->strategy == Strategy::Single;
}

Message severalComparisonsSentence(const RunRecord& record) {
  // Between runs no interval covers 95 %: the notes of several runs tell why.
  const auto compared = std::ranges::count_if(record.comparison, [](const ComparisonRow& row) {
    return row.ratio.ci95 && row.ratio.word != Ratio::Word::OtherRun;
  });
  if (compared < 2) return {};
  return sentence(
      "{} variants are compared with {}: each interval covers 95 % by itself, all of them together less (no Holm "
      "correction).",
      compared, record.baseline);
}

/// How many samples each replica of a data-parallel variant got; steps alike are counted together.
Message replicaSentence(const VariantRecord& variant) {
  std::vector<std::vector<int>> order;
  std::map<std::vector<int>, int> steps_of;
  for (const std::vector<int>& sizes : variant.replica_sizes) {
    if (++steps_of[sizes] == 1) order.push_back(sizes);
  }
  std::vector<Message> parts;
  for (const std::vector<int>& sizes : order) {
    std::vector<Message> numbers;
    for (const int size : sizes) numbers.push_back(verbatim(std::to_string(size)));
    parts.push_back(sentence("{} samples in {}", listed(numbers), steps(steps_of[sizes])));
  }
  return parts.empty() ? Message() : sentence("{}: the replicas got {}.", variant.name, inARow(parts));
}

/// Of all variants together; empty if no GPU was recorded.
Message gpuActivitySentence(const RunRecord& record) {
  GpuActivity all;
  bool any = false;
  for (const VariantRecord& variant : record.variants) {
    if (!variant.gpu) continue;
    all += *variant.gpu;
    any = true;
  }
  if (!any) return {};
  Message text = sentence("GPU activity: {} kernels, {} dropped, {} without time", groupedDigits(all.kernels),
                          groupedDigits(all.dropped), groupedDigits(all.without_time));
  if (all.unattributed > 0) text = sentence("{}, {} kernels of no known action", text, groupedDigits(all.unattributed));
  if (all.before_launch > 0)
    text = sentence("{}, {} kernels that seem to begin before their launch", text, groupedDigits(all.before_launch));
  text = sentence("{}, clocks agree within {}", text,
                  formatSeconds(static_cast<double>(all.clock_residual) * kNanosecond));
  if (all.clock_steps == 1) text = sentence("{}, and the system's clock was set {} time", text, all.clock_steps);
  if (all.clock_steps > 1)
    text = sentence("{}, and the system's clock was set {} times", text, groupedDigits(all.clock_steps));
  return sentence("{}.", text);
}

/// Empty for a run of one process, or without traces.
Message rankClockSentence(const RunRecord& record) {
  std::vector<RankClock> clocks;
  for (const VariantRecord& variant : record.variants) retainClocks(clocks, variant.rank_clocks);
  if (clocks.empty()) return {};
  Nanoseconds residual = 0;
  for (const RankClock& clock : clocks) residual = std::max(residual, clock.residual);
  return sentence("The lanes of {} processes are on one timeline; their clocks agree within {}.", clocks.size() + 1,
                  formatSeconds(static_cast<double>(residual) * kNanosecond));
}

/// One decimal, and no "-0.0".
std::string percent(double share) {
  const std::string text = formatFixed(100 * share, 1);
  return text == "-0.0" ? "0.0" : text;
}

Message percentInterval(const Interval& interval) {
  return sentence("{} to {} %", percent(interval.low), percent(interval.high));
}

/// A reason may be an error's sentence.
Message whyNot(std::string reason) {
  if (reason.ends_with('.')) reason.pop_back();
  if (reason == "the run is too short")
    return sentence(
        "not measured: the run is too short; \"record_cost\": true in the experiment measures it all the same");
  return sentence("not measured: {}", reason);
}

/// A sentence for the variants where it was measured, and one for those where it was not, by reason; nothing with
/// record off.
std::vector<RunNote> recordingNotes(const RunRecord& record) {
  std::map<std::string, std::vector<Message>> measured;
  std::map<std::string, std::vector<std::string>> not_measured;
  for (const VariantRecord& variant : record.variants) {
    if (!variant.recording) continue;
    if (variant.recording->pairs == 0)
      not_measured[variant.recording->not_measured].push_back(variant.name);
    else
      measured[variant.recording->mode].push_back(
          sentence("{} {}", variant.name, recordingCostText(*variant.recording)));
  }
  std::vector<RunNote> notes;
  const auto add = [&](Message message) { notes.push_back({RunNote::Kind::RecordingCost, "", std::move(message)}); };
  for (const auto& [mode, costs] : measured) add(sentence("Recording cost ({}): {}.", mode, inARow(costs)));
  for (const auto& [reason, names] : not_measured) {
    if (names.size() == record.variants.size())
      add(sentence("Recording cost: {}.", whyNot(reason)));
    else
      add(sentence("Recording cost of {}: {}.", joined(names, ", "), whyNot(reason)));
  }
  return notes;
}

}  // namespace

Message recordingCostText(const RecordingCost& cost) {
  if (cost.pairs == 0) return whyNot(cost.not_measured);
  const Message measured = pairs(cost.pairs);
  const std::string share = percent(cost.cost_ratio);
  const Message step =
      cost.ci95 ? sentence("{} % of a step (95 % CI {}, {}, measured)", share, percentInterval(*cost.ci95), measured)
                : sentence("{} % of a step ({}, measured)", share, measured);
  if (!cost.cpu_ratio) return step;
  const std::string time = percent(*cost.cpu_ratio);
  return cost.cpu_ci95 ? sentence("{}, {} % of its processor time ({})", step, time, percentInterval(*cost.cpu_ci95))
                       : sentence("{}, {} % of its processor time", step, time);
}

Message slowerThanSingleText(const RunRecord& record, const std::string& variant) {
  const VariantRecord* const own = record.find(variant);
  const auto single = std::ranges::find(record.variants, Strategy::Single, &VariantRecord::strategy);
  if (own == nullptr || single == record.variants.end() || own->strategy == Strategy::Single) return {};
  if (own->split_size * own->micro_batches != single->split_size * single->micro_batches) return {};
  const Ratio ratio = compareTimes(single->seconds(), own->seconds());
  if (ratio.word != Ratio::Word::Slower || !ratio.ci95) return {};
  return sentence("{} is {} than {} of the same run ({}), so one lane alone does this work faster.", own->name,
                  speedWords(ratio), single->name, speedEvidence(ratio));
}

std::string lengthWords(const DataConfig& data) { return lengthOf(data).message; }

std::vector<RunNote> runNotes(const RunRecord& record) {
  using enum RunNote::Kind;
  std::vector<RunNote> notes;
  const auto add = [&](RunNote::Kind kind, const std::string& variant, const Message& message) {
    if (!message.message.empty()) notes.push_back({kind, variant, message});
  };
  const auto addAll = [&](const std::vector<RunNote>& some) { notes.insert(notes.end(), some.begin(), some.end()); };
  add(Trust, "", runTrust(record).sentence);
  for (const std::string& warning : record.warnings) add(Warning, "", verbatim(warning));
  add(Accuracy, "", accuracySentence(record));
  for (const VariantRecord& variant : record.variants) add(Accuracy, variant.name, smallNormSentence(record, variant));
  for (const VariantConfig& variant : record.experiment.variants)
    add(Suggestion, variant.name, suggestionSentence(record, variant));
  for (const VariantRecord& variant : record.variants) {
    if (const std::string modes = modesText(variant.modes); !modes.empty())
      add(Modes, variant.name, sentence("{} trains with {}.", variant.name, modes));
  }
  for (const VariantRecord& variant : record.variants)
    for (const Message& message : spreadSentences(variant.name, variant.summary))
      add(Statistics, variant.name, message);
  // Of several runs Single is another run's, and a table with it as the baseline has these figures already.
  for (const VariantRecord& variant : record.variants)
    if (record.between_runs.empty() && !isBaselineSingle(record))
      add(Statistics, variant.name, slowerThanSingleText(record, variant.name));
  add(Statistics, "", severalComparisonsSentence(record));
  for (const std::string& words : record.between_runs) add(Statistics, "", verbatim(words));
  addAll(recordingNotes(record));
  for (const VariantRecord& variant : record.variants) add(Replicas, variant.name, replicaSentence(variant));
  add(GpuActivity, "", gpuActivitySentence(record));
  add(RankClocks, "", rankClockSentence(record));
  addAll(boundNotes(record));
  return notes;
}

std::vector<Message> noteMessages(const std::vector<RunNote>& notes, std::initializer_list<RunNote::Kind> kinds) {
  std::vector<Message> messages;
  for (const RunNote::Kind kind : kinds) {
    for (const RunNote& note : notes) {
      if (note.kind == kind) messages.push_back(note.sentence);
    }
  }
  return messages;
}

std::vector<std::string> noteSentences(const std::vector<RunNote>& notes, std::initializer_list<RunNote::Kind> kinds) {
  std::vector<std::string> sentences;
  for (Message& message : noteMessages(notes, kinds)) sentences.push_back(std::move(message.message));
  return sentences;
}

}  // namespace lanelab
