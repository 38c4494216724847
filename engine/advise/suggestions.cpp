// SPDX-License-Identifier: GPL-3.0-only
#include "engine/advise/suggestions.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <set>

#include "base/text.h"
#include "base/utf8.h"
#include "engine/advise/profile_caution.h"
#include "engine/advise/traced_profile.h"
#include "engine/experiment/edits/placement_edits.h"
#include "engine/experiment/edits/variant_edits.h"
#include "engine/experiment/lane_cores.h"
#include "engine/memory/variant_memory.h"
#include "engine/record/environment.h"
#include "engine/record/speed_words.h"
#include "engine/schedule/generate.h"
#include "engine/schedule/schedule_kind.h"
#include "profiler/trace/step_periods.h"

namespace lanelab {
namespace {

constexpr double kWorthIt = 1.02;
constexpr double kWorthNoBarrier = 1.01;  // it changes no number of a training, and nothing else of a run
constexpr double kCloseEnough = 0.1;
constexpr double kLeastExplained = 0.5;
constexpr int kMostTriedMicroBatches = 256;

/// The mean, as everything else that is said of the steps of a trace.
double meanStepSeconds(const Trace& trace) {
  return static_cast<double>(meanStepPeriod(trace).value_or(0)) * kNanosecond;
}

bool computesAlone(const VariantPlan& plan) { return plan.micro_batches.count() == 1 || plan.stages.size() == 1; }

/// "Pipeline (suggested)", or with a number behind it; a suggested one gets the next number. A long name is cut, so
/// that it remains within the limit.
std::string suggestedName(const Experiment& experiment, const std::string& present) {
  const std::string word = " (suggested)";
  const std::size_t at = present.find(word);
  constexpr std::size_t kRoomForNumber = 6;
  const std::string_view own = std::string_view(present).substr(0, at);
  const std::string stem = std::string(firstCharacters(own, kMostNameCharacters - word.size() - kRoomForNumber)) + word;
  return freeVariantName(experiment, stem);
}

constexpr int kMostMoved = 3;

bool alike(const LaneConfig& a, const LaneConfig& b) {
  return a.threads == b.threads && a.device.kind == b.device.kind;
}

/// `lane`: its title, as tables and the board name it.
Message wordsOf(const ModelSpec& model, std::size_t first, std::size_t end, const std::string& lane) {
  std::vector<Message> names;
  for (std::size_t i = first; i < end; ++i) names.push_back(verbatim(model.blocks[i].name));
  return sentence("Move {} to {}", listed(names), lane);
}

/// A change to try.
struct Candidate {
  Suggestion::Kind kind;
  VariantConfig variant;
  Message change;
};

class SuggestionSearch {
 public:
  SuggestionSearch(const MeasuredVariant& measured, const std::vector<DeviceInfo>& devices)
      : m_measured(measured), m_devices(devices), m_predictor(measured.predictor()) {}

  Suggestions search() {
    for (BlockMove& move : blockMoves(*m_measured.variant))
      consider({Suggestion::Kind::Move, std::move(move.variant), std::move(move.words)});
    trySplitSizes();
    trySchedules();
    tryWithoutBarrier();
    if (!fits(*m_measured.variant)) tryToFit();
    chooseBest();
    if (m_result.tried > 0) sayHowNear();
    m_result.sentence = !m_result.best.empty() ? m_result.best.front().text
                        : m_result.tried == 0  ? nothingTried()
                                               : nothingFound();
    return std::move(m_result);
  }

 private:
  /// Of which no times are known.
  std::vector<Message> unknownChanges() const {
    std::vector<Message> changes;
    if (m_result.sizes_not_tried) changes.push_back(sentence("other micro-batch sizes"));
    if (m_lacks_parts) changes.push_back(sentence("schedules that split the backward"));
    return changes;
  }

  /// Why: what has one stage has nothing to move, and of several stages something else is in the way.
  Message nothingTried() const {
    const std::string& name = m_measured.config().name;
    const bool replicas = m_measured.plan().replicas() > 1;
    if (m_measured.variant->stages().size() < 2)
      return replicas ? sentence("There is nothing to try: each replica of {} has one stage.", name)
                      : sentence("There is nothing to try: {} has one stage.", name);
    if (const std::vector<Message> unknown = unknownChanges(); !unknown.empty())
      return sentence("Nothing was tried: no block of {} can move to another lane, and the times of {} are not known.",
                      name, listed(unknown));
    if (replicas)
      return sentence(
          "There is nothing to try: no block of {} can move to another lane, and other micro-batch sizes and schedules "
          "are not tried for replicas.",
          name);
    if (splittable())
      return sentence(
          "There is nothing to try: no block of {} can move to another lane, and it has no other legal micro-batch "
          "size or schedule.",
          name);
    return sentence(
        "There is nothing to try: no block of {} can move to another lane, and other micro-batch sizes and schedules "
        "are not tried with synchronised batch norm.",
        name);
  }

  /// What was tried, and what was not.
  Message nothingFound() const {
    std::vector<Message> tried;
    for (const auto& [words, kind] : m_tried) tried.push_back(kind);
    const std::vector<Message> not_tried = unknownChanges();
    const Message none = sentence("None of the {} that were tried would be more than 2 % faster.", listed(tried));
    return not_tried.empty() ? none
                             : sentence("{} Not tried, as their times are not known: {}.", none, listed(not_tried));
  }

  /// As a reader counts them.
  static Message kindsOf(Suggestion::Kind kind) {
    switch (kind) {
      case Suggestion::Kind::Move: return sentence("moves of blocks");
      case Suggestion::Kind::SplitSize: return sentence("micro-batch sizes");
      case Suggestion::Kind::Schedule: return sentence("schedules");
      case Suggestion::Kind::StepBarrier: return sentence("steps without a barrier");
      case Suggestion::Kind::Memory: return sentence("kinds of recompute");
    }
    return {};
  }

  /// Before the other notes.
  void sayHowNear() {
    std::vector<Message> notes = {
        m_measured.completed
            ? sentence("Predicted with the block times of this run, and their proportions in the profile stored on "
                       "this machine; the range is of nine measurements in ten.")
            : sentence("Predicted with the block times of this run; the range is of nine measurements in ten.")};
    if (std::abs(m_measured.measured_step / m_measured.predicted_step - 1) > kCloseEnough)
      notes.push_back(
          sentence("The block times alone predict a step of {} where {} were measured (mean of the steps), "
                   "so only ratios are reported.",
                   formatSeconds(m_measured.predicted_step), formatSeconds(m_measured.measured_step)));
    m_result.notes.insert(m_result.notes.begin(), notes.begin(), notes.end());
  }

  void consider(Candidate candidate) {
    const auto resolution = m_measured.resolution->with(candidate.variant);
    const Result<VariantPlan>& plan = resolution->variants().front().plan();
    if (!plan.ok()) return;
    if (splitsBackward(plan->schedule) && !m_predictor.knowsParts()) {
      m_lacks_parts = true;
      return;
    }
    ++m_result.tried;
    const Message kind = kindsOf(candidate.kind);
    m_tried.emplace(kind.message, kind);
    const double seconds = m_predictor.seconds(*plan);
    if (!(seconds > 0)) return;
    const double ratio = m_measured.predicted_step / seconds;
    m_suggestions.push_back({candidate.kind, std::move(candidate.variant), seconds, ratio,
                             rangeOfRatio(ratio, m_measured.error), std::move(candidate.change)});
  }

  bool splittable() const {
    return m_measured.plan().stages.size() > 1 && m_measured.plan().replicas() == 1 &&
           m_measured.plan().strategy != Strategy::Single &&
           m_measured.plan().modes.batch_norm != BatchNormMode::Synchronised;
  }

  void trySplitSizes() {
    if (!splittable()) return;
    if (m_measured.times.sizes.size() < 2) {
      m_result.sizes_not_tried = true;
      m_result.notes.push_back(
          sentence("Other micro-batch sizes were not tried: the run measured its blocks at one size only (lanelab-cli "
                   "sweep tries others)."));
      return;
    }
    for (const int split : splitSizes()) {
      VariantConfig changed = m_measured.config();
      changed.strategy = Strategy::Pipeline;
      changed.split_size = split;
      const int count = MicroBatches{m_measured.experiment().data.batch, split}.count();
      consider({Suggestion::Kind::SplitSize, std::move(changed),
                count == 1 ? sentence("Use micro-batch size {} (1 micro-batch)", split)
                           : sentence("Use micro-batch size {} ({} micro-batches)", split, count)});
    }
  }

  /// The present schedule with each kind of recompute; of a pipeline every schedule, as memoryCurve() has them.
  void tryToFit() {
    considerRecompute(m_measured.config(), nullptr);
    for (const ScheduleKind kind : knownSchedules()) {
      if (m_measured.plan().strategy != Strategy::Pipeline || !splittable()) break;
      if (kind == m_measured.config().schedule) continue;
      VariantConfig changed = m_measured.config();
      setSchedule(m_measured.experiment(), m_measured.resolution->model(), kind, changed);
      const std::string title(titleOf(kind));
      consider({Suggestion::Kind::Memory, changed, sentence("Switch to schedule {}", title)});
      considerRecompute(changed, &title);
    }
    std::ranges::stable_sort(m_suggestions, std::greater(), &Suggestion::ratio);
    const auto fitting = std::ranges::find_if(m_suggestions, [&](const Suggestion& s) { return canRun(s.variant); });
    if (fitting != m_suggestions.end()) {
      Suggestion fit = *fitting;
      fit.kind = Suggestion::Kind::Memory;
      fit.text = withPeaks(fit.text, fit.variant);
      m_suggestions.erase(fitting);
      m_result.best.push_back(told(std::move(fit)));
    } else {
      m_result.notes.push_back(sentence("{} takes more memory than its lanes may, and no change that was tried fits.",
                                        m_measured.config().name));
    }
    std::erase_if(m_suggestions, [](const Suggestion& s) { return s.kind == Suggestion::Kind::Memory; });
  }

  /// `schedule`: the title of another one than the present; may be null.
  void considerRecompute(const VariantConfig& variant, const std::string* schedule) {
    for (const Recompute recompute : {Recompute::Activations, Recompute::Stage}) {
      VariantConfig changed = variant;
      changed.recompute = recompute;
      const Message change = recompute == Recompute::Stage ? sentence("Recompute all stages")
                                                           : sentence("Recompute the ReLUs of batch norms");
      consider({Suggestion::Kind::Memory, std::move(changed),
                schedule ? sentence("{} with schedule {}", change, *schedule) : change});
    }
  }

  /// With those of the lane that takes most: "... (peak 1.2 GiB instead of 3 GiB)".
  Message withPeaks(const Message& text, const VariantConfig& changed) const {
    const auto peak = [](const ResolvedVariant& variant) {
      std::int64_t most = 0;
      for (const LaneForecast& lane : forecastMemory(variant)) most = std::max(most, lane.at_peak.total());
      return formatBytes(most);
    };
    return sentence("{} (peak {} instead of {})", text, peak(m_measured.resolution->with(changed)->variants().front()),
                    peak(*m_measured.variant));
  }

  /// Ascending. Beyond twice what was measured no line holds.
  std::vector<int> splitSizes() const {
    const int batch = m_measured.experiment().data.batch;
    const int present = m_measured.plan().micro_batches.split_size;
    std::set<int> sizes = {present - 1, present + 1, present / 2, 2 * present};
    for (int size = 1; size <= batch; ++size)
      if (batch % size == 0) sizes.insert(size);
    const int smallest = m_measured.times.sizes.front().samples, largest = m_measured.times.sizes.back().samples;
    std::erase_if(sizes, [&](int size) {
      return size < 1 || size >= batch || size == present || 2 * size < smallest || size > 2 * largest ||
             MicroBatches{batch, size}.count() > kMostTriedMicroBatches;
    });
    return {sizes.begin(), sizes.end()};
  }

  void trySchedules() {
    if (m_measured.plan().strategy != Strategy::Pipeline || !splittable()) return;
    for (const ScheduleKind kind : knownSchedules()) {
      if (kind == m_measured.config().schedule && !m_measured.config().actions) continue;
      VariantConfig changed = m_measured.config();
      changeSchedule(changed, kind);
      consider({Suggestion::Kind::Schedule, std::move(changed), sentence("Switch to schedule {}", titleOf(kind))});
    }
    tryDeeperWarmUps();
    if (m_lacks_parts)
      m_result.notes.push_back(
          sentence("Schedules that split the backward were not tried: its parts were not measured (lanelab-cli profile "
                   "measures them)."));
  }

  /// With a barrier `list` has as many micro-batches in flight as there are lanes, and ZB-H1 hardly more; of twice as
  /// many the step can be shorter (ZB-H2 of Qi et al. 2023), if there is the memory.
  void tryDeeperWarmUps() {
    const int lanes = static_cast<int>(m_measured.variant->lanes().size());
    const int depth = std::min(2 * lanes - 1, m_measured.plan().micro_batches.count());
    if (depth <= lanes) return;
    for (const ScheduleKind kind : {ScheduleKind::List, ScheduleKind::ZbH1}) {
      VariantConfig changed = m_measured.config();
      if (kind != changed.schedule || changed.actions) changeSchedule(changed, kind);
      if (changed.warm_up.value_or(0) >= depth) continue;
      changed.warm_up = depth;
      consider({Suggestion::Kind::Schedule, std::move(changed),
                sentence("Use schedule {} with a warm-up depth of {}", titleOf(kind), depth)});
    }
  }

  void tryWithoutBarrier() {
    if (m_measured.variant->stepBarrier() != StepBarrier::Asked || m_measured.plan().stages.size() < 2) return;
    VariantConfig changed = m_measured.config();
    changed.step_barrier = false;
    const auto resolution = m_measured.resolution->with(changed);
    if (resolution->variants().front().stepBarrier() != StepBarrier::None) return;
    consider({Suggestion::Kind::StepBarrier, std::move(changed), sentence("Run without the step barrier")});
  }

  void chooseBest() {
    std::ranges::stable_sort(m_suggestions, std::greater(), &Suggestion::ratio);
    std::set<Suggestion::Kind> found;
    for (Suggestion& suggestion : m_suggestions) {
      if (suggestion.ratio < leastRatio(suggestion.kind)) continue;
      if (found.contains(suggestion.kind) || !canRun(suggestion.variant)) continue;
      found.insert(suggestion.kind);
      m_result.best.push_back(told(std::move(suggestion)));
    }
  }

  static double leastRatio(Suggestion::Kind kind) {
    return kind == Suggestion::Kind::StepBarrier ? kWorthNoBarrier : kWorthIt;
  }

  bool canRun(const VariantConfig& variant) const {
    const auto alone = m_measured.resolution->with(variant);
    if (!alone->trainable().ok()) return false;
    return alone->planned().ok() && fits(alone->variants().front());
  }

  bool fits(const ResolvedVariant& variant) const {
    return fitsLanes(variant.experiment(), forecastMemory(variant), m_devices);
  }

  Suggestion told(Suggestion suggestion) const {
    suggestion.variant.name = suggestedName(m_measured.experiment(), m_measured.config().name);
    suggestion.variant.suggested_from = SuggestedFrom{m_measured.config().name, suggestion.text.message,
                                                      suggestion.ratio, !isClearChange(suggestion.range)};
    suggestion.text = sentence("{}: {}.", suggestion.text,
                               predictedText(suggestion.ratio, suggestion.range.low, suggestion.range.high));
    return suggestion;
  }

  const MeasuredVariant& m_measured;
  const std::vector<DeviceInfo>& m_devices;
  const StepPredictor m_predictor;
  std::vector<Suggestion> m_suggestions;
  std::map<std::string, Message> m_tried;  ///< kinds of changes, by their words in English
  bool m_lacks_parts = false;
  Suggestions m_result;
};

}  // namespace

std::vector<BlockMove> blockMoves(const ResolvedVariant& variant) {
  const ModelSpec& model = variant.model();
  const std::vector<LaneConfig>& lanes = variant.experiment().lanes;
  const std::vector<std::string> titles = laneTitles(lanes);
  const std::vector<Stage>& stages = variant.stages();
  std::vector<BlockMove> moves;
  for (std::size_t boundary = 0; boundary + 1 < stages.size(); ++boundary) {
    const Stage &before = stages[boundary], &after = stages[boundary + 1];
    if (before.lane == after.lane || !alike(lanes[before.lane.index()], lanes[after.lane.index()])) continue;
    // Blocks [first, end) at the boundary go to `lane`; `cut` is where its stages meet then.
    const auto add = [&](std::size_t first, std::size_t end, LaneId lane, std::size_t cut) {
      BlockMove move{variant.config(), wordsOf(model, first, end, titles[lane.index()])};
      if (move.variant.placement) {
        for (std::size_t i = first; i < end; ++i) (*move.variant.placement)[model.blocks[i].name] = lane.value;
      } else if (move.variant.cuts && boundary < move.variant.cuts->size()) {
        (*move.variant.cuts)[boundary] = model.blocks[cut].name;
      } else {
        return;
      }
      moves.push_back(std::move(move));
    };
    const std::size_t cut = after.first.index();
    for (std::size_t count = 1; count <= kMostMoved && cut + count < after.end.index(); ++count)
      add(cut, cut + count, before.lane, cut + count);
    for (std::size_t count = 1; count <= kMostMoved && cut - count > before.first.index(); ++count)
      add(cut - count, cut, after.lane, cut - count);
  }
  return moves;
}

Result<MeasuredVariant> measuredVariant(std::shared_ptr<const Resolution> resolution, const std::string& variant,
                                        const Trace& trace, const LaneProfiles* kept) {
  const ResolvedVariant* const resolved = resolution->find(variant);
  if (resolved == nullptr)
    return Error::badInput("No fix can be suggested: the experiment has no variant \"{}\".", variant);
  const Result<VariantPlan>& plan = resolved->plan();
  if (!plan.ok()) return plan.error();
  std::optional<BlockProfile> times = profileOfTrace(trace, *resolved);
  if (!times)
    return Error::badInput(
        "No fix can be suggested: the trace has no times of blocks. Run with \"record\": \"blocks\" on CPU lanes.");
  const std::size_t own_sizes = times->sizes.size();
  const bool own_parts = StepPredictor(*times, 1).knowsParts();
  if (kept != nullptr && !kept->profiles.empty())
    times = completedBy(std::move(*times), kept->profiles[kept->of_lane[plan->stages.front().lane.index()]],
                        computesAlone(*plan));
  MeasuredVariant measured{std::move(resolution), resolved, std::move(*times), meanStepSeconds(trace), 0};
  const StepPredictor predictor = measured.predictor();
  measured.completed = measured.times.sizes.size() > own_sizes || predictor.knowsParts() != own_parts;
  measured.predicted_step = predictor.seconds(*plan);
  const double explained = measured.measured_step > 0 ? measured.predicted_step / measured.measured_step : 0;
  if (explained < kLeastExplained || explained > 1 / kLeastExplained) {
    return Error::badInput(
        "No fix can be suggested: from its block times the predicted step is {}, but {} were measured (mean of "
        "the steps).",
        formatSeconds(measured.predicted_step), formatSeconds(measured.measured_step));
  }
  return measured;
}

Result<MeasuredVariant> measuredVariant(const RunRecord& record, const std::string& variant, const Trace& trace,
                                        const Executor& executor, const ProfileStore& store, const KnownModel& known) {
  const auto resolution = resolve(record.experiment, known);
  std::optional<LaneProfiles> kept;
  const ResolvedVariant* const resolved = resolution->find(variant);
  if (resolved != nullptr && isThisMachine(record.environment))
    kept = storedProfiles(*resolution, resolved->modes(), executor, store);
  Result<MeasuredVariant> measured = measuredVariant(resolution, variant, trace, kept ? &*kept : nullptr);
  const VariantRecord* const own = record.find(variant);
  if (measured.ok() && own != nullptr) measured->error = std::sqrt(logTimesOf(own->seconds()).squared_error);
  return measured;
}

Suggestions findSuggestions(const MeasuredVariant& measured, const std::vector<DeviceInfo>& devices) {
  Suggestions found = SuggestionSearch(measured, devices).search();
  found.caution = busyProfileText({&measured.times});
  return found;
}

Result<Suggestions> suggestionsOf(const RunRecord& record, const std::string& variant, const Trace& trace,
                                  const Executor& executor, const ProfileStore& store, const KnownModel& known) {
  const Result<MeasuredVariant> measured = measuredVariant(record, variant, trace, executor, store, known);
  if (!measured.ok()) return measured.error();
  return findSuggestions(*measured, isThisMachine(record.environment) ? executor.devices() : std::vector<DeviceInfo>{});
}

Experiment withSuggestion(const Experiment& experiment, const Suggestion& suggestion) {
  Experiment suggested = experiment;
  const auto isPresent = [&](const VariantConfig& variant) {
    return suggestion.variant.suggested_from && variant.name == suggestion.variant.suggested_from->of;
  };
  const auto present = std::ranges::find_if(suggested.variants, isPresent);
  suggested.variants.insert(present == suggested.variants.end() ? present : present + 1, suggestion.variant);
  return suggested;
}

}  // namespace lanelab
