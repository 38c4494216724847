// SPDX-License-Identifier: GPL-3.0-only
// The experiment that is open: one value, its undo stack, its file. Board, table and form all edit it here and listen
// to it here.
//
// Thread: the window's. An edit is a function on a copy of the value; undo and redo put whole values back (they are
// small), so nothing can be forgotten.
#pragma once

#include <QObject>
#include <QString>
#include <QUndoStack>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "engine/experiment/experiment.h"
#include "engine/experiment/resolution.h"

namespace lanelab {

class ExperimentDocument : public QObject {
  Q_OBJECT

 public:
  explicit ExperimentDocument(QObject* parent = nullptr, Experiment first = {});

  const Experiment& experiment() const { return m_experiment; }
  /// What the present value means, worked out once an edit. Where it describes no model, placements are those of the
  /// last one that did.
  const std::shared_ptr<const Resolution>& resolution() const { return m_resolution; }
  /// The model of the experiment as it is; where its values describe none, the last one (never empty).
  const ModelSpec& model() const { return m_resolution->model(); }
  /// All that is wrong now, by place ("data.batch"); empty when it can run.
  const std::vector<ExperimentProblem>& problems() const { return m_problems; }
  QString problemAt(const QString& where) const;
  /// A text in a field that is not a value yet ("12x") is a problem at that place, with this sentence, until the text
  /// is corrected; an empty sentence removes the problem.
  void setTyping(const QString& where, const QString& sentence);

  /// The variant that the board shows and edits.
  int activeVariant() const { return m_active; }
  void setActiveVariant(int variant);
  /// The same by name, as views and run records know it: empty for an experiment without variants. To activate a name
  /// that no variant has does nothing.
  QString activeVariantName() const;
  void activateVariant(const QString& name);
  /// Where the active variant has a key: "variants[2].warm_up".
  QString activePlace(const QString& key) const { return QStringLiteral("variants[%1].%2").arg(m_active).arg(key); }
  /// The active variant within `experiment`, which is this document's or a copy being edited; null if there is none.
  template <class E>
  auto* activeIn(E& experiment) const {
    const auto active = static_cast<std::size_t>(m_active);
    return active < experiment.variants.size() ? &experiment.variants[active] : nullptr;
  }
  /// As it is worked out; null if there are no variants. Valid until the next change.
  const ResolvedVariant* active() const;
  /// Its plan; null when its values are bad.
  const VariantPlan* activePlan() const;
  /// Its placement block by block, from cuts, placement or the default (all on its first lane), as long as the model
  /// has blocks.
  Placement activePlacement() const;

  /// Works everything out again if the model file was written again since: blocks, cuts and placements are those of its
  /// new content, which noticed() says. Edits do so by themselves; call it before what depends on the file, as a run.
  void followModelFile();
  /// Makes what was opened the model, as an edit; it is not read again.
  void useModel(const QString& text, const std::shared_ptr<const OpenedModel>& opened);

  /// One undo step named `text`. Edits with the same `merge_key` (not empty) directly after one another are one step,
  /// as a drag or a slider makes them.
  void edit(const QString& text, const std::function<void(Experiment&)>& change, const QString& merge_key = {});
  /// Sets the active variant's placement (written as `cuts` where that says the same, so that files stay readable) and
  /// makes a `single` variant of several stages a pipeline.
  void setPlacement(const QString& text, const Placement& placement);
  /// All of it becomes `experiment` as it is, as one edit: of what was edited elsewhere or before.
  void replaceBy(const QString& text, const Experiment& experiment);
  QUndoStack* undoStack() { return &m_undo; }
  /// How many edits can be undone, 0: all; of the next experiment, unless there is no edit yet.
  void setUndoLimit(int edits);

  /// Replaces everything (open, new); clears the undo stack. Path empty: unsaved.
  void reset(const Experiment& experiment, const QString& path);
  const QString& path() const { return m_path; }
  Status save(const QString& path);
  /// Whether another program wrote the file since it was opened or saved here. Reads it.
  bool isFileChanged() const;
  /// The file counts as changed until it is saved here: its content is not what these edits were made of.
  void doubtFile() { m_file_content.reset(); }

  /// Calls `show` of `watcher` whenever a value changed or another variant is active.
  template <class Watcher, class Show>
  void tell(Watcher* watcher, Show show) const {
    connect(this, &ExperimentDocument::changed, watcher, show);
    connect(this, &ExperimentDocument::activeVariantChanged, watcher, show);
  }

 Q_SIGNALS:
  void replaced();  ///< by reset(), before changed(): what was typed into fields belongs to the experiment before
  void changed();   ///< any value, also by undo; read what you show again
  void activeVariantChanged();
  void pathChanged();
  void noticed(const QString& sentence);  ///< what an edit changed beyond what was asked for, such as "Single became a
                                          ///< pipeline ..."

 private:
  friend class ExperimentEdit;
  void set(const Experiment& experiment);
  void collectProblems();

  Experiment m_experiment;
  std::shared_ptr<const Resolution> m_resolution;  ///< of m_experiment; never null
  std::shared_ptr<const OpenedModel> m_opened;     ///< of m_resolution, or for the next one; null without a model file
  std::vector<ExperimentProblem> m_problems;
  std::vector<ExperimentProblem> m_typing;
  int m_active = 0;
  QString m_path;
  std::optional<std::uint64_t> m_file_content;  ///< fingerprint of the file as it was opened or saved; none: in doubt
  int m_undo_limit = 0;
  QUndoStack m_undo;
};

}  // namespace lanelab
