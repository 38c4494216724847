// SPDX-License-Identifier: GPL-3.0-only
#include "ui/device_map/device_map_dialog.h"

#include <QClipboard>
#include <QGuiApplication>
#include <QHBoxLayout>
#include <QPushButton>
#include <QVBoxLayout>
#include <algorithm>

#include "base/text.h"
#include "engine/placement/map_lookup.h"
#include "engine/placement/map_placement.h"
#include "ui/device_map/infer_dialog.h"
#include "ui/device_map/map_result.h"
#include "ui/look/parts.h"
#include "ui/look/plain_text.h"
#include "ui/look/quantity_text.h"

namespace lanelab {
namespace {

constexpr QSize kFirstSize(1000, 600);

std::int64_t heldOn(const MapTable& table, MapDevice::Kind kind) {
  std::int64_t held = 0;
  for (const MapShare& share : table.devices)
    if (share.device.kind == kind) held += share.held;
  return held;
}

bool fits(const MapTable& table) {
  return std::ranges::all_of(table.devices, [](const MapShare& share) {
    return share.held == 0 || (share.limit && share.held <= *share.limit);
  });
}

/// A map from a file may exceed the limits.
QStringList overfull(const MapTable& table) {
  QStringList sentences;
  for (const MapShare& share : table.devices)
    if (share.device.kind != MapDevice::Kind::Disk && share.limit && share.held > *share.limit)
      sentences << DeviceMapDialog::tr("%1 holds %2 more than its limit.")
                       .arg(deviceName(share.device), bytesText(share.held - *share.limit));
  return sentences;
}

}  // namespace

DeviceMapDialog::DeviceMapDialog(ExperimentDocument& document, std::vector<DeviceInfo> devices,
                                 std::vector<NetworkOffer> offers, LlamaInference infer, QWidget* parent)
    : QDialog(parent),
      m_document(document),
      m_devices(std::move(devices)),
      m_infer(std::move(infer)),
      m_form(new MapForm(std::move(offers), this)),
      m_result(new MapResult(this)),
      m_ask(look::button("mapInfer", tr("&Infer..."), tr("Generate tokens with the network placed by this map"), this)),
      m_place(look::button("mapPlace", tr("&Place on Lanes"),
                           tr("Place the blocks on the lanes that stand in for the GPUs; can be undone"), this)),
      m_copy(look::button(
          "mapCopy", tr("Cop&y as JSON"),
          tr("Copy the map in the form that from_pretrained, dispatch_model and infer --device-map read"), this)),
      m_export(look::button("mapExport", tr("&Export..."), tr("Save the bars as PNG, SVG or PDF, or the table as CSV"),
                            this)) {
  setObjectName(QStringLiteral("deviceMapDialog"));
  setWindowTitle(tr("Device Map"));
  resize(kFirstSize);
  auto* shut = look::button("mapClose", tr("&Close"), {}, this);
  auto* buttons = new QHBoxLayout;  // a QDialogButtonBox sends Tab to its first button, hidden as it may be
  buttons->addStretch();
  for (QPushButton* button : {m_ask, m_place, m_copy, m_export, shut}) buttons->addWidget(button);
  for (QPushButton* button : findChildren<QPushButton*>())
    button->setAutoDefault(false);  // Enter in a field answers, and closes nothing
  auto* row = new QHBoxLayout;
  row->setSpacing(5 * look::kGrid);
  row->addWidget(m_form);
  row->addWidget(m_result, 1);
  auto* column = look::dialogColumn(this);
  column->addLayout(row, 1);
  column->addLayout(buttons);

  offerExhibit(m_result, [this] { return exhibit(); });
  connect(m_form, &MapForm::changed, this, &DeviceMapDialog::ask);
  connect(m_ask, &QPushButton::clicked, this, &DeviceMapDialog::infer);
  connect(m_copy, &QPushButton::clicked, this, &DeviceMapDialog::copy);
  connect(m_export, &QPushButton::clicked, this, &DeviceMapDialog::exportRequested);
  connect(m_place, &QPushButton::clicked, this, [this] {
    if (m_placement) Q_EMIT placeRequested(*m_placement);
  });
  connect(shut, &QPushButton::clicked, this, &QDialog::reject);
  connect(&m_document, &ExperimentDocument::changed, this, &DeviceMapDialog::showDocument);
  connect(&m_document, &ExperimentDocument::activeVariantChanged, this, &DeviceMapDialog::showPlacing);
  showDocument();
  m_form->focusFirst();
}

void DeviceMapDialog::showDocument() {
  const std::vector<LaneConfig>& lanes = m_document.experiment().lanes;
  if (lanes != m_lanes) {
    m_lanes = lanes;
    m_form->limits().setMemory(gpusOfLanes(lanes, m_devices), cpuBesideLanes(lanes, m_devices));
  }
  m_form->setExperiment(*m_document.resolution());
}

void DeviceMapDialog::ask() {
  const Result<MapQuestion> asked = m_form->question();
  showAnswer(asked.ok() ? answerTo(*asked, *m_form->network()->tree) : Result<MapAnswer>(asked.error()));
}

void DeviceMapDialog::showAnswer(const Result<MapAnswer>& answer) {
  m_answer = answer.ok() ? std::optional(*answer) : std::nullopt;
  if (m_answer)
    m_result->showMap(m_answer->table, picture(), headline(), notes());
  else
    m_result->showError(look::shownText(answer.error()));
  m_ask->setVisible(m_infer && m_form->network() && m_form->network()->llama);
  for (QPushButton* button : {m_ask, m_copy, m_export}) button->setEnabled(m_answer.has_value());
  showPlacing();
}

/// Whether the map can be placed, and why not.
void DeviceMapDialog::showPlacing() {
  m_placement.reset();
  m_result->setWhyNot({});
  m_place->setVisible(m_form->ofExperiment());
  if (!m_form->ofExperiment() || !m_answer) return m_place->setEnabled(false);
  const Result<Placement> placement =
      placementOfMap(m_document.model(), m_answer->map, static_cast<int>(m_document.experiment().lanes.size()));
  const bool good = placement.ok() && m_document.problems().empty();
  m_place->setEnabled(good && *placement != m_document.activePlacement());
  if (good) m_placement = *placement;
  if (!placement.ok()) m_result->setWhyNot(tr("Not for these lanes: %1").arg(look::shownText(placement.error())));
}

/// Whether a GPU of the map is a CPU lane of the experiment: its limit is then a share of this machine's memory.
bool DeviceMapDialog::lanesStandIn() const {
  return std::ranges::any_of(m_answer->table.devices, [this](const MapShare& share) {
    const auto lane = static_cast<std::size_t>(std::max(share.device.gpu, 0));
    return share.device.kind == MapDevice::Kind::Gpu && share.entries > 0 && lane < m_lanes.size() &&
           m_lanes[lane].device.isCpu();
  });
}

QString DeviceMapDialog::devicesText(int count) const {
  if (!lanesStandIn()) return count == 1 ? tr("one GPU") : tr("%1 GPUs").arg(count);
  return count == 1 ? tr("one device (a CPU lane stands in for a GPU)")
                    : tr("%1 devices (CPU lanes stand in for GPUs)").arg(count);
}

QString DeviceMapDialog::headline() const {
  const MapTable& table = m_answer->table;
  const std::int64_t gpu = heldOn(table, MapDevice::Kind::Gpu), cpu = heldOn(table, MapDevice::Kind::Cpu),
                     disk = heldOn(table, MapDevice::Kind::Disk);
  const QString whole = tr("%1 takes %2").arg(m_form->network()->title, bytesText(table.total));
  if (cpu == 0 && disk == 0) {
    const auto used = std::ranges::count_if(table.devices, [](const MapShare& share) { return share.entries > 0; });
    return (fits(table) ? tr("%1 and fits on %2.") : tr("%1 and is placed on %2."))
        .arg(whole, devicesText(static_cast<int>(used)));
  }
  QStringList parts;
  if (gpu > 0)
    parts << (lanesStandIn() ? tr("%1 on CPU lanes, which stand in for GPUs") : tr("%1 on GPUs")).arg(bytesText(gpu));
  if (cpu > 0) parts << tr("%1 on the CPU").arg(bytesText(cpu));
  if (disk > 0) parts << tr("%1 on disk").arg(bytesText(disk));
  return tr("%1: %2.").arg(whole, parts.join(QStringLiteral(", ")));
}

QString DeviceMapDialog::notes() const {
  QStringList sentences{m_form->caption()};
  const std::vector<std::string> classes = classesOf(*m_form->network()->tree);
  for (const std::string& name : m_form->noSplitClasses()) {
    if (std::binary_search(classes.begin(), classes.end(), name)) continue;
    const std::string near = nearestName(name, classes);
    sentences << (near.empty() ? tr("No module is of class \"%1\".").arg(look::shownName(name))
                               : tr("No module is of class \"%1\": did you mean \"%2\"?")
                                     .arg(look::shownName(name), look::shownName(near)));
  }
  if (!m_answer->map.lost_buffers.empty())
    sentences << tr("%1 are in no entry, because their module was split and accelerate omits its own buffers. Add "
                    "its class to the no-split classes.")
                     .arg(QString::fromStdString(joined(m_answer->map.lost_buffers, ", ")));
  return (sentences + overfull(m_answer->table)).join(QLatin1Char(' '));
}

Picture DeviceMapDialog::picture() const {
  return m_answer ? mapPicture(*m_answer, tr("Device map of %1").arg(m_form->network()->title), m_form->caption())
                  : Picture{};
}

std::string DeviceMapDialog::csv() const { return m_answer ? mapCsv(m_answer->table) : std::string(); }

Exhibit DeviceMapDialog::exhibit() const {
  return exhibitOf(*this, m_answer.has_value(), "device-map", tr("Device Map"));
}

void DeviceMapDialog::infer() {
  if (!m_answer || !m_form->network()->llama) return;
  const MapNetwork& network = *m_form->network();
  auto* dialog =
      new InferDialog({network.title, *network.llama, m_answer->map, network.weights, m_form->prompt()}, m_infer, this);
  dialog->setAttribute(Qt::WA_DeleteOnClose);
  dialog->open();
}

void DeviceMapDialog::copy() {
  if (m_answer) QGuiApplication::clipboard()->setText(QString::fromStdString(placesJson(m_answer->map)));
}

}  // namespace lanelab
