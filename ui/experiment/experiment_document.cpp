// SPDX-License-Identifier: GPL-3.0-only
#include "ui/experiment/experiment_document.h"

#include <QFileInfo>
#include <QSaveFile>
#include <QUndoCommand>
#include <algorithm>
#include <optional>
#include <utility>

#include "base/fingerprint.h"
#include "base/whole_file.h"
#include "engine/experiment/edits/network_edits.h"
#include "engine/experiment/edits/placement_edits.h"
#include "engine/experiment/edits/replica_edits.h"
#include "engine/experiment/edits/variant_edits.h"
#include "engine/experiment/model_file.h"
#include "ui/look/plain_text.h"

namespace lanelab {

namespace {

constexpr std::uint64_t kLargestFile = 16U << 20U;

/// What the model file held; nothing if there is none, or it cannot be read.
std::optional<ModelSpec> contentOf(const std::shared_ptr<const OpenedModel>& opened) {
  if (!opened) return std::nullopt;
  Result<ModelSpec> described = describeTrained(opened->network);
  return described.ok() ? std::optional(std::move(*described)) : std::nullopt;
}

/// Of what is in the file; 0 if there is none.
std::uint64_t contentOfFile(const QString& path) {
  const Result<std::string> text = path.isEmpty() ? std::string() : readWholeFile(path.toStdString(), kLargestFile);
  return text.ok() && !text->empty() ? fingerprintOf(*text) : 0;
}

}  // namespace

/// Whole values before and after; small, and so nothing can be forgotten.
class ExperimentEdit : public QUndoCommand {
 public:
  ExperimentEdit(ExperimentDocument& document, const QString& text, Experiment after, QString merge_key)
      : QUndoCommand(text),
        m_document(document),
        m_before(document.m_experiment),
        m_after(std::move(after)),
        m_variant(document.m_active),
        m_merge_key(std::move(merge_key)) {}

  void redo() override { show(m_after); }
  void undo() override { show(m_before); }
  int id() const override { return m_merge_key.isEmpty() ? -1 : 1; }

  bool mergeWith(const QUndoCommand* next) override {
    const auto* edit = static_cast<const ExperimentEdit*>(next);
    if (edit->m_merge_key != m_merge_key || edit->m_variant != m_variant) return false;
    m_after = edit->m_after;
    setObsolete(m_after == m_before);
    return true;
  }

 private:
  /// Goes to the variant that the edit was made in, so that the user sees the change.
  void show(const Experiment& value) {
    const int active = m_document.m_active;
    m_document.m_active = m_variant;
    m_document.set(value);
    if (m_document.m_active != active) Q_EMIT m_document.activeVariantChanged();
  }

  ExperimentDocument& m_document;
  Experiment m_before;
  Experiment m_after;
  int m_variant;
  QString m_merge_key;
};

ExperimentDocument::ExperimentDocument(QObject* parent, Experiment first)
    : QObject(parent), m_experiment(std::move(first)), m_resolution(resolve(m_experiment)) {
  m_opened = m_resolution->known().opened;
  m_experiment = m_resolution->experiment();
  collectProblems();
}

QString ExperimentDocument::problemAt(const QString& where) const {
  const auto found = std::ranges::find(m_problems, where.toStdString(), &ExperimentProblem::where);
  return found == m_problems.end() ? QString() : QString::fromStdString(found->message);
}

void ExperimentDocument::setTyping(const QString& where, const QString& sentence) {
  const std::string place = where.toStdString();
  const std::string words = sentence.toStdString();
  const auto found = std::ranges::find(m_typing, place, &ExperimentProblem::where);
  if (found == m_typing.end() ? words.empty() : found->message == words) return;
  if (found != m_typing.end()) m_typing.erase(found);
  if (!words.empty()) m_typing.emplace_back(place, verbatim(words));
  collectProblems();
  Q_EMIT changed();
}

void ExperimentDocument::setActiveVariant(int variant) {
  const int last = std::max(0, static_cast<int>(m_experiment.variants.size()) - 1);
  const int wanted = std::clamp(variant, 0, last);
  if (wanted == m_active) return;
  m_active = wanted;
  Q_EMIT activeVariantChanged();
}

QString ExperimentDocument::activeVariantName() const {
  const VariantConfig* const variant = activeIn(m_experiment);
  return variant ? QString::fromStdString(variant->name) : QString();
}

void ExperimentDocument::activateVariant(const QString& name) {
  const auto& variants = m_experiment.variants;
  for (std::size_t i = 0; i < variants.size(); ++i)
    if (QString::fromStdString(variants[i].name) == name) return setActiveVariant(static_cast<int>(i));
}

const ResolvedVariant* ExperimentDocument::active() const {
  const auto active = static_cast<std::size_t>(m_active);
  return active < m_resolution->variants().size() ? &m_resolution->variants()[active] : nullptr;
}

const VariantPlan* ExperimentDocument::activePlan() const {
  const ResolvedVariant* const variant = active();
  return variant != nullptr && variant->plan().ok() ? &*variant->plan() : nullptr;
}

Placement ExperimentDocument::activePlacement() const {
  if (const ResolvedVariant* const variant = active()) return variant->placement();
  return Placement{std::vector<LaneId>(model().blocks.size(), LaneId(0))};
}

void ExperimentDocument::followModelFile() {
  if (m_resolution->isCurrent()) return;
  const std::optional<ModelSpec> before = contentOf(m_resolution->known().opened);
  m_opened = openModel(m_experiment.model, m_opened);
  const std::optional<ModelSpec> now = contentOf(m_opened);
  Experiment after = m_experiment;
  if (now != before) lanelab::followModelFile(after, *m_opened, before ? *before : model());
  if (after == m_experiment)
    set(m_experiment);
  else
    m_undo.push(new ExperimentEdit(*this, tr("Model File Changed"), std::move(after), {}));
  if (now && now != before)
    Q_EMIT noticed(tr("%1 was written again, so its new blocks are shown.")
                       .arg(look::shownName(QFileInfo(QString::fromStdString(*m_experiment.model.file)).fileName())));
}

void ExperimentDocument::edit(const QString& text, const std::function<void(Experiment&)>& change,
                              const QString& merge_key) {
  followModelFile();
  Experiment after = m_experiment;
  change(after);
  if (after == m_experiment) return;
  m_opened = openModel(after.model, m_opened);
  if (after.model != m_experiment.model || after.data.shape != m_experiment.data.shape)
    carryPlacements(after, networkOf(after, m_opened.get(), m_resolution->network()), model());
  dropStaleSuggestions(m_experiment, after);
  m_undo.push(new ExperimentEdit(*this, text, std::move(after), merge_key));
}

void ExperimentDocument::replaceBy(const QString& text, const Experiment& experiment) {
  if (experiment == m_experiment) return;
  m_opened = openModel(experiment.model, m_opened);
  m_undo.push(new ExperimentEdit(*this, text, experiment, {}));
}

void ExperimentDocument::useModel(const QString& text, const std::shared_ptr<const OpenedModel>& opened) {
  m_opened = opened;  // if the file was written again since, this is its new content
  followModelFile();
  m_opened = opened;
  edit(text, [&](Experiment& after) { setModelFile(after, *opened); });
}

void ExperimentDocument::setPlacement(const QString& text, const Placement& placement) {
  followModelFile();  // its blocks may be others than those that were placed
  if (active() == nullptr || placement.lane_of_block.size() != model().blocks.size()) return;
  if (placement == activePlacement()) return;
  const auto index = static_cast<std::size_t>(m_active);
  bool became_pipeline = false;
  const Experiment before = m_experiment;
  edit(text,
       [&](Experiment& after) { became_pipeline = writePlacement(after, model(), placement, after.variants[index]); });
  const VariantConfig& variant = m_experiment.variants[index];
  if (m_experiment == before && isReplicated(variant)) Q_EMIT noticed(QString::fromStdString(whyReplicasStay(variant)));
  if (!became_pipeline) return;
  Q_EMIT noticed(
      tr("%1 now uses several lanes, so it became a pipeline (GPipe, micro-batch size %2). Undo to restore the "
         "single device.")
          .arg(QString::fromStdString(variant.name))
          .arg(variant.split_size.value_or(m_experiment.data.batch)));
}

/// Qt takes a limit for an empty stack only.
void ExperimentDocument::setUndoLimit(int edits) {
  m_undo_limit = edits;
  if (m_undo.count() == 0) m_undo.setUndoLimit(edits);
}

void ExperimentDocument::reset(const Experiment& experiment, const QString& path) {
  m_undo.clear();
  setUndoLimit(m_undo_limit);
  m_typing.clear();
  m_path = path;
  m_file_content = contentOfFile(path);
  const bool moved = m_active != 0;
  m_active = 0;
  Q_EMIT replaced();
  set(experiment);
  if (moved) Q_EMIT activeVariantChanged();
  Q_EMIT pathChanged();
}

Status ExperimentDocument::save(const QString& path) {
  QSaveFile file(path);
  const QByteArray json = QByteArray::fromStdString(toJson(m_experiment));
  if (!file.open(QIODevice::WriteOnly) || file.write(json) != json.size() || !file.commit()) {
    return look::failed(
        tr("%1 cannot be written (%2). Choose another folder or free some space.").arg(path, file.errorString()));
  }
  m_path = path;
  m_file_content = contentOfFile(path);
  m_undo.setClean();
  Q_EMIT pathChanged();
  return {};
}

bool ExperimentDocument::isFileChanged() const {
  if (m_path.isEmpty()) return false;
  const std::uint64_t now = contentOfFile(m_path);
  return now != 0 && now != m_file_content;
}

void ExperimentDocument::set(const Experiment& value) {
  m_resolution = resolve(value, {m_resolution->known().if_none, m_opened, m_resolution->network()});
  m_opened = m_resolution->known().opened;
  m_experiment = m_resolution->experiment();  // with what it leaves to its network
  collectProblems();
  m_active = std::clamp(m_active, 0, std::max(0, static_cast<int>(value.variants.size()) - 1));
  Q_EMIT changed();
}

void ExperimentDocument::collectProblems() {
  m_problems = m_typing;
  const std::vector<ExperimentProblem>& found = m_resolution->problems();
  m_problems.insert(m_problems.end(), found.begin(), found.end());
}

}  // namespace lanelab
