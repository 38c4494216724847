// SPDX-License-Identifier: GPL-3.0-only
#include "ui/experiment/variants_section.h"

#include <QCheckBox>
#include <QGridLayout>
#include <QGroupBox>
#include <QSignalBlocker>
#include <QVBoxLayout>
#include <algorithm>
#include <map>

#include "engine/experiment/edits/lane_edits.h"
#include "engine/experiment/edits/placement_edits.h"
#include "engine/experiment/edits/replica_edits.h"
#include "engine/experiment/edits/variant_edits.h"
#include "engine/experiment/lane_cores.h"
#include "engine/schedule/generate.h"
#include "ui/experiment/experiment_panel.h"
#include "ui/experiment/schedule_title.h"
#include "ui/look/name_field.h"
#include "ui/look/parts.h"
#include "ui/look/plain_text.h"
#include "ui/look/theme.h"

namespace lanelab {
namespace {

QString laneText(const Experiment& experiment, int lane) {
  return QObject::tr("%1: %2").arg(lane).arg(
      look::shownName(laneTitles(experiment.lanes)[static_cast<std::size_t>(lane)]));
}

VariantConfig newVariant(const Experiment& experiment, const ModelSpec& model) {
  VariantConfig variant;
  if (experiment.lanes.size() > 1) setStrategy(experiment, model, Strategy::Pipeline, variant);
  variant.name = freeVariantName(experiment, experiment.lanes.size() > 1 ? "Pipeline" : "Single");
  if (experiment.lanes.size() <= 1) variant.lanes = std::vector<int>{0};
  return variant;
}

}  // namespace

LanesChoice::LanesChoice(ExperimentDocument* document, QWidget* parent) : QWidget(parent), m_document(document) {
  look::makeLayout<QVBoxLayout>(this, 0);
}

void LanesChoice::refresh() {
  const Experiment& experiment = m_document->experiment();
  if (m_boxes.size() != experiment.lanes.size()) rebuild();
  if (m_document->active() == nullptr) return;
  const std::vector<LaneId>& used = m_document->active()->lanes();
  for (int lane = 0; QCheckBox* const box : m_boxes) {
    const QSignalBlocker quiet(box);
    box->setText(look::buttonText(look::briefName(laneText(experiment, lane))));
    box->setAccessibleName(tr("Use lane %1").arg(laneText(experiment, lane)));
    box->setChecked(std::ranges::find(used, LaneId(lane)) != used.end());
    box->setEnabled(used.size() > 1 || !box->isChecked());
    ++lane;
  }
}

void LanesChoice::rebuild() {
  qDeleteAll(m_boxes);
  m_boxes.clear();
  QWidget* before = m_tab_after;
  for (std::size_t lane = 0; lane < m_document->experiment().lanes.size(); ++lane) {
    auto* box = m_boxes.emplace_back(new QCheckBox(this));
    box->setObjectName(QStringLiteral("variantLane%1").arg(lane));
    box->setMinimumWidth(1);  // a wide name is cut rather than the form widened
    box->setVisible(true);
    layout()->addWidget(box);
    if (before) setTabOrder(before, box);
    before = box;
    connect(box, &QCheckBox::toggled, this, &LanesChoice::take);
  }
}

void LanesChoice::take() {
  std::vector<LaneId> lanes;
  for (std::size_t lane = 0; lane < m_boxes.size(); ++lane)
    if (m_boxes[lane]->isChecked()) lanes.emplace_back(lane);
  m_document->edit(tr("Lanes of the variant"), [&](Experiment& experiment) {
    setVariantLanes(experiment, m_document->model(), lanes, *m_document->activeIn(experiment));
  });
}

/// As tall as its rows, up to six: asked for by the layout, so that the style and font count that it is shown with.
class VariantList : public QListWidget {
 public:
  VariantList() {
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    setTextElideMode(Qt::ElideRight);
  }
  QSize sizeHint() const override { return {QListWidget::sizeHint().width(), heightOfRows()}; }
  QSize minimumSizeHint() const override { return {1, heightOfRows()}; }

 private:
  int heightOfRows() const {
    const int shown = std::clamp(count(), kFewestRows, kMostRows);
    int height = 2 * frameWidth();
    for (int row = 0; row < shown; ++row) height += row < count() ? sizeHintForRow(row) : sizeHintForRow(0);
    return height;
  }

  static constexpr int kFewestRows = 2, kMostRows = 6;
};

VariantsSection::VariantsSection(ExperimentDocument* document, QWidget* parent)
    : QWidget(parent),
      m_document(document),
      m_list(new VariantList),
      m_box(new QGroupBox),
      m_form(new RowsLayout),
      m_split_row(new QWidget),
      m_split_size(new SplitSizeControl(document)),
      m_split_sentence(new SentenceLabel),
      m_lanes(new LanesChoice(document)),
      m_placement_sentence(new SentenceLabel) {
  m_list->setObjectName("variantList");
  m_list->setAccessibleName(tr("Variants to compare"));
  m_list->setEditTriggers(QAbstractItemView::DoubleClicked | QAbstractItemView::EditKeyPressed);
  m_list->setItemDelegate(new look::NameDelegate(m_list));
  m_list->setVerticalScrollBarPolicy(Qt::ScrollBarAsNeeded);
  m_list->setToolTip(tr("The board shows the selected variant; press F2 to rename it"));
  auto* column = look::makeLayout<QVBoxLayout>(this, 2 * look::kGrid);
  column->addWidget(m_list);
  column->addLayout(makeButtons());
  m_box->setObjectName("variantBox");
  m_box->setMinimumWidth(1);  // a wide name is cut rather than the form widened
  m_box->setLayout(m_form);
  m_form->setContentsMargins(2 * look::kGrid, look::kGrid, 2 * look::kGrid, 2 * look::kGrid);
  column->addWidget(m_box);
  addFields();
  connect(m_list, &QListWidget::currentRowChanged, this, [this](int row) {
    if (row >= 0) m_document->setActiveVariant(row);
  });
  connect(m_list, &QListWidget::itemChanged, this, &VariantsSection::rename);
}

QLayout* VariantsSection::makeButtons() {
  auto* grid = new QGridLayout;
  grid->setSpacing(look::kGrid);
  const auto button = [&](const QString& text, const char* name, const auto& on_clicked) {
    auto* made = look::button(name, text, {});
    made->setAccessibleName(tr("%1 variant").arg(text));
    made->setAutoDefault(false);
    grid->addWidget(made, grid->count() / 3, grid->count() % 3);
    connect(made, &QPushButton::clicked, this, on_clicked);
    return made;
  };
  m_add = button(tr("Add"), "variantAdd", [this] { add(); });
  m_duplicate = button(tr("Duplicate"), "variantDuplicate", [this] { duplicate(); });
  m_remove = button(tr("Remove"), "variantRemove", [this] { remove(); });
  m_up = button(tr("Move Up"), "variantUp", [this] { move(-1); });
  m_down = button(tr("Move Down"), "variantDown", [this] { move(+1); });
  return grid;
}

FormField* VariantsSection::addChoice(const char* key, const QString& label, const QString& undo_text,
                                      std::function<ChoiceField::Choices()> choices, const ReadVariant& read,
                                      const WriteVariant& write) {
  return addRow(
      {label,
       new ChoiceField(
           m_document, [this, key] { return m_document->activePlace(key); }, label, undo_text, std::move(choices),
           [this, read](const Experiment&) {
             const ResolvedVariant* const variant = m_document->active();
             return variant ? read(*variant) : QString();
           },
           [this, write](Experiment& e, const QString& value) { write(e, *m_document->activeIn(e), value); })});
}

void VariantsSection::addFields() {
  addChoice(
      "strategy", tr("Strategy"), tr("Strategy"),
      [] {
        return ChoiceField::Choices{{"single", tr("Single device")},
                                    {"model-parallel", tr("Model parallel")},
                                    {"pipeline", tr("Pipeline")},
                                    {"data-parallel", tr("DataParallel")},
                                    {"ddp", tr("DDP")}};
      },
      [](const ResolvedVariant& variant) { return QString::fromStdString(toWord(variant.config().strategy)); },
      [this](Experiment& e, VariantConfig& variant, const QString& value) {
        setStrategy(e, m_document->model(), fromWord<Strategy>(value.toStdString()).value_or(variant.strategy),
                    variant);
      })
      ->setObjectName("variantStrategy");
  addReplicaField();
  addScheduleFields();
  auto* split = look::makeLayout<QVBoxLayout>(m_split_row, look::kGrid / 2);
  split->addWidget(m_split_size);
  split->addWidget(m_split_sentence);
  m_split_size->makeNarrow();
  m_form->addRow(fieldLabel(tr("Micro-batch size"), m_split_size->input()), m_split_row);

  m_single_lane = addChoice(
      "lanes", tr("Lane"), tr("Lane of the variant"),
      [this] {
        ChoiceField::Choices choices;
        for (int lane = 0; lane < static_cast<int>(m_document->experiment().lanes.size()); ++lane)
          choices.emplace_back(QString::number(lane), laneText(m_document->experiment(), lane));
        return choices;
      },
      [](const ResolvedVariant& variant) {
        return QString::number(variant.lanes().empty() ? 0 : variant.lanes().front().value);
      },
      [this](Experiment& e, VariantConfig& variant, const QString& value) {
        setVariantLanes(e, m_document->model(), {LaneId(value.toInt())}, variant);
      });
  m_single_lane->setObjectName("variantSingleLane");
  m_lanes->setTabAfter(m_single_lane->focusProxy());
  m_form->addRow(fieldLabel(tr("Lanes"), m_lanes), m_lanes);
  auto* const instead = look::wrappedLabel("variantInstead", tr("In place of Training above, for this variant only:"));
  instead->setFont(look::smallFont());
  m_form->addRow(instead);
  for (const FormRow& row :
       {variantRow(m_document, "precision"), variantRow(m_document, "batch_norm"), recomputeRow(m_document)})
    addRow(row);
  m_recomputed_stages = addRow(recomputedStagesRow(m_document));
  m_form->addRow(m_placement_sentence);
}

/// How many lanes a replica of ddp has, which is also its number of stages.
void VariantsSection::addReplicaField() {
  m_replica_lanes = addChoice(
      "replicas", tr("Lanes per replica"), tr("Lanes per replica"),
      [this] {
        ChoiceField::Choices choices;
        const ResolvedVariant* const variant = m_document->active();
        if (variant == nullptr) return choices;
        const auto lanes = static_cast<int>(variant->lanes().size());
        for (const int each : possibleLanesOfReplica(*variant))
          choices.emplace_back(QString::number(each), lanes == each
                                                          ? tr("%1: one replica").arg(each)
                                                          : tr("%1: %2 replicas").arg(each).arg(lanes / each));
        return choices;
      },
      [](const ResolvedVariant& variant) { return QString::number(variant.replicaLanes().front().size()); },
      [this](Experiment& e, VariantConfig& variant, const QString& value) {
        setLanesOfReplica(e, m_document->model(), value.toInt(), variant);
      });
  m_replica_lanes->setToolTip(
      tr("With one lane, a replica holds the whole model. With more, it is a pipeline of as many stages; its cuts are "
         "those of the first replica on the board."));
  m_replica_lanes->setObjectName("variantReplicaLanes");
}

/// The schedule and what some of them take besides.
void VariantsSection::addScheduleFields() {
  const auto shown = [](const VariantConfig& v) { return v.actions ? ScheduleKind::Custom : v.schedule; };
  m_schedule = addChoice(
      "schedule", tr("Schedule"), tr("Schedule"),
      [this] {
        ChoiceField::Choices choices;
        const VariantConfig* variant = m_document->activeIn(m_document->experiment());
        for (const ScheduleKind kind : knownSchedules()) {
          const bool fits =
              !variant || variant->strategy != Strategy::Ddp || !goesRoundTheLanes(kind) || kind == variant->schedule;
          if (fits) choices.emplace_back(QString::fromStdString(toWord(kind)), scheduleTitle(kind));
        }
        if (variant && variant->actions)
          choices.emplace_back(QString::fromStdString(toWord(ScheduleKind::Custom)),
                               scheduleTitle(ScheduleKind::Custom));
        return choices;
      },
      [shown](const ResolvedVariant& variant) { return QString::fromStdString(toWord(shown(variant.config()))); },
      [this](Experiment& e, VariantConfig& variant, const QString& value) {
        const auto kind = fromWord<ScheduleKind>(value.toStdString()).value_or(ScheduleKind::Custom);
        if (kind != ScheduleKind::Custom) setSchedule(e, m_document->model(), kind, variant);
      });
  m_schedule->setObjectName("variantSchedule");
  m_warm_up = addRow(variantRow(m_document, "warm_up"));
  m_activation_limit = addRow(variantRow(m_document, "activation_limit_mib"));
  m_stage_times = addRow(variantRow(m_document, "stage_times"));
}

FormField* VariantsSection::addRow(const FormRow& row) {
  m_form->addRow(fieldLabel(row.label, row.field->focusProxy()), row.field);
  m_fields.push_back(row.field);
  return row.field;
}

void VariantsSection::setReadOnly(bool read_only) {
  m_read_only = read_only;
  for (FormField* field : m_fields) field->setReadOnly(read_only);
  m_lanes->setEnabled(!read_only);
  m_list->setEditTriggers(read_only ? QAbstractItemView::NoEditTriggers
                                    : QAbstractItemView::DoubleClicked | QAbstractItemView::EditKeyPressed);
  m_split_row->setEnabled(!read_only);
  refresh();
}

void VariantsSection::refresh() {
  refreshList();
  refreshFields();
}

void VariantsSection::refreshList() {
  const QSignalBlocker quiet(m_list);
  const std::vector<VariantConfig>& variants = m_document->experiment().variants;
  while (m_list->count() > static_cast<int>(variants.size())) delete m_list->takeItem(m_list->count() - 1);
  while (m_list->count() < static_cast<int>(variants.size())) {
    auto* item = new QListWidgetItem(m_list);
    item->setFlags(item->flags() | Qt::ItemIsEditable);
  }
  for (int i = 0; i < m_list->count(); ++i)
    m_list->item(i)->setText(QString::fromStdString(variants[static_cast<std::size_t>(i)].name));
  m_list->setCurrentRow(variants.empty() ? -1 : m_document->activeVariant());
  m_list->updateGeometry();
}

void VariantsSection::refreshFields() {
  const Experiment& experiment = m_document->experiment();
  const int count = static_cast<int>(experiment.variants.size());
  const int active = m_document->activeVariant();
  m_add->setEnabled(!m_read_only);
  m_duplicate->setEnabled(!m_read_only && count > 0);
  m_remove->setEnabled(!m_read_only && count > 1);
  m_up->setEnabled(!m_read_only && active > 0);
  m_down->setEnabled(!m_read_only && active + 1 < count);
  for (FormField* field : m_fields) field->refresh();
  m_lanes->refresh();
  const VariantConfig* const variant = m_document->activeIn(experiment);
  m_box->setVisible(variant != nullptr);
  m_box->setTitle(variant ? look::buttonText(look::briefName(variant->name)) : QString());
  const std::optional<Strategy> strategy = variant ? std::optional(variant->strategy) : std::nullopt;
  const bool ddp = strategy == Strategy::Ddp;
  const bool scheduled =
      strategy == Strategy::Pipeline || (ddp && m_document->active()->replicaLanes().front().size() > 1);
  const ScheduleKind schedule = scheduled && !variant->actions ? variant->schedule : ScheduleKind::Custom;
  const std::map<QWidget*, bool> chosen = {{m_replica_lanes, ddp},
                                           {m_schedule, scheduled},
                                           {m_warm_up, takesWarmUp(schedule)},
                                           {m_activation_limit, schedule == ScheduleKind::List},
                                           {m_stage_times, schedule == ScheduleKind::List},
                                           {m_recomputed_stages, variant && namesStages(*variant)},
                                           {m_split_row, strategy == Strategy::Pipeline || ddp},
                                           {m_single_lane, strategy == Strategy::Single},
                                           {m_lanes, variant && strategy != Strategy::Single}};
  for (FormField* field : m_fields)
    if (!chosen.contains(field)) m_form->setRowShown(field, variant != nullptr);
  for (const auto& [field, shown] : chosen) m_form->setRowShown(field, shown);
  refreshSentences();
}

bool VariantsSection::shows(const QString& where) const {
  const QString place = QStringLiteral("variants[%1]").arg(m_document->activeVariant());
  return where == "variants" || where == place || where.startsWith(place + ".");
}

/// What has no field of its own, such as cuts and placements, stands under all fields of the variant.
void VariantsSection::refreshSentences() {
  const QString split_size = m_document->activePlace("split_size");
  const QString split_problem = m_document->problemAt(split_size);
  m_split_sentence->setSentence(split_problem);
  QString rest;
  for (const ExperimentProblem& problem : m_document->problems()) {
    const QString where = QString::fromStdString(problem.where);
    const bool has_field = std::any_of(m_fields.begin(), m_fields.end(), [&](const FormField* field) {
      return !field->isHidden() && field->where() == where;
    });
    const bool at_split_size = where == split_size && !m_split_row->isHidden();
    if (rest.isEmpty() && shows(where) && !has_field && !at_split_size) rest = look::shownText(problem);
  }
  m_placement_sentence->setSentence(rest);
}

void VariantsSection::add() {
  m_document->edit(tr("Add variant"), [&](Experiment& experiment) {
    experiment.variants.push_back(newVariant(experiment, m_document->model()));
  });
  m_document->setActiveVariant(static_cast<int>(m_document->experiment().variants.size()) - 1);
}

void VariantsSection::duplicate() {
  const int active = m_document->activeVariant();
  m_document->edit(tr("Duplicate variant"), [&](Experiment& experiment) {
    VariantConfig copy = *m_document->activeIn(experiment);
    copy.name = freeVariantName(experiment, copy.name);
    experiment.variants.insert(experiment.variants.begin() + active + 1, copy);
  });
  m_document->setActiveVariant(active + 1);
}

void VariantsSection::remove() {
  const int active = m_document->activeVariant();
  m_document->edit(tr("Remove variant"),
                   [&](Experiment& experiment) { experiment.variants.erase(experiment.variants.begin() + active); });
}

void VariantsSection::move(int by) {
  const int active = m_document->activeVariant();
  m_document->edit(tr("Move variant"), [&](Experiment& experiment) {
    std::swap(experiment.variants[static_cast<std::size_t>(active)],
              experiment.variants[static_cast<std::size_t>(active + by)]);
  });
  m_document->setActiveVariant(active + by);
}

void VariantsSection::rename(QListWidgetItem* item) {
  const auto row = static_cast<std::size_t>(m_list->row(item));
  const std::string name = item->text().trimmed().toStdString();
  m_document->edit(tr("Rename variant"), [&](Experiment& experiment) { experiment.variants[row].name = name; });
}

}  // namespace lanelab
