// SPDX-License-Identifier: GPL-3.0-only
#include "engine/report/comparison_notes.h"

#include <algorithm>

#include "base/text.h"

namespace lanelab {
namespace {

constexpr double kWideSpread = 0.10;  ///< of the median, as in torch.utils.benchmark

std::vector<std::string> spreadSentences(const std::string& name, const Summary& summary) {
  std::vector<std::string> sentences;
  if (!summary.outliers.empty())
    sentences.push_back(name + ": " + std::to_string(summary.outliers.size()) + " of " + std::to_string(summary.n) +
                        " repeats lie beyond 3 interquartile ranges; they are counted in.");
  if (summary.n > 1 && summary.iqr > kWideSpread * summary.median)
    sentences.push_back(name + ": the interquartile range is " + formatNumber(100 * summary.iqr / summary.median) +
                        " % of the median, so its times are unsteady.");
  if (summary.n > 0 && !summary.ci95)
    sentences.push_back(name + ": an interval needs 5 repeats; there are " + std::to_string(summary.n) + ".");
  return sentences;
}

}  // namespace

std::vector<RunNote> modesNotes(const RunRecord& record) {
  std::vector<RunNote> notes;
  for (const VariantRecord& variant : record.variants) {
    if (const std::string modes = modesText(variant.modes); !modes.empty())
      notes.push_back({RunNote::Kind::Modes, variant.name, variant.name + " trains with " + modes + "."});
  }
  return notes;
}

std::vector<RunNote> statisticsNotes(const RunRecord& record) {
  std::vector<RunNote> notes;
  for (const VariantRecord& variant : record.variants) {
    for (std::string& sentence : spreadSentences(variant.name, variant.summary))
      notes.push_back({RunNote::Kind::Statistics, variant.name, std::move(sentence)});
  }
  const auto compared = std::count_if(record.comparison.begin(), record.comparison.end(),
                                      [](const ComparisonRow& row) { return row.ratio.ci95.has_value(); });
  if (compared > 1) {
    notes.push_back({RunNote::Kind::Statistics, "",
                     std::to_string(compared) + " variants are compared with " + record.baseline +
                         ": each interval covers 95 % by itself, all of them together less (no Holm correction)."});
  }
  return notes;
}

}  // namespace lanelab
