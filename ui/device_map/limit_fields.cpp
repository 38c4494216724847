// SPDX-License-Identifier: GPL-3.0-only
#include "ui/device_map/limit_fields.h"

#include <QGridLayout>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <algorithm>

#include "engine/experiment/lane_cores.h"
#include "engine/memory/variant_memory.h"
#include "ui/device_map/map_picture.h"
#include "ui/look/parts.h"
#include "ui/look/placeholder.h"
#include "ui/look/plain_text.h"

namespace lanelab {
namespace {

constexpr std::size_t kMostGpus = 16;

void mark(QLineEdit* field, bool wrong) {
  QPalette palette;  // all but the text as around it
  if (wrong) palette.setColor(QPalette::Text, look::current().error);
  field->setPalette(palette);
}

/// Rounded down, as a user would type it: "11.8GiB"; empty for nothing.
QString sizeText(std::int64_t bytes) {
  constexpr std::int64_t kMib = 1 << 20, kGib = 1 << 30;
  if (bytes <= 0) return {};
  if (bytes < kMib) return QString::number(bytes);
  if (bytes < kGib) return QStringLiteral("%1MiB").arg(bytes / kMib);
  const std::int64_t tenths = bytes / (kGib / 10);
  return tenths % 10 == 0 ? QStringLiteral("%1GiB").arg(tenths / 10)
                          : QStringLiteral("%1.%2GiB").arg(tenths / 10).arg(tenths % 10);
}

}  // namespace

std::vector<LimitFields::Gpu> gpusOfLanes(const std::vector<LaneConfig>& lanes,
                                          const std::vector<DeviceInfo>& devices) {
  const std::vector<std::string> titles = laneTitles(lanes);
  std::vector<LimitFields::Gpu> gpus;
  for (std::size_t lane = 0; lane < lanes.size(); ++lane) {
    const std::string memory = memoryOfDevice(lanes[lane].device);
    const auto sharing =
        std::ranges::count_if(lanes, [&](const LaneConfig& other) { return memoryOfDevice(other.device) == memory; });
    gpus.push_back({LimitFields::tr("lane %1 (%2)").arg(lane).arg(look::briefName(titles[lane])),
                    sizeText(memoryThere(memory, devices) / sharing)});
  }
  return gpus;
}

QString cpuBesideLanes(const std::vector<LaneConfig>& lanes, const std::vector<DeviceInfo>& devices) {
  const std::string cpu = memoryOfDevice(Device::cpu(0));
  const bool taken =
      std::ranges::any_of(lanes, [&](const LaneConfig& lane) { return memoryOfDevice(lane.device) == cpu; });
  return taken ? QString() : sizeText(memoryThere(cpu, devices));
}

LimitFields::LimitFields(QWidget* parent)
    : QWidget(parent),
      m_grid(new QGridLayout),
      m_add(look::button("mapAddGpu", tr("&Add GPU"), tr("Add a GPU to the map; this machine need not have it"), this)),
      m_remove(look::button("mapRemoveGpu", tr("Re&move GPU"), tr("Remove the last GPU from the map"), this)) {
  m_cpu = makeRow({MapDevice::Kind::Cpu, 0});
  m_disk = makeRow({MapDevice::Kind::Disk, 0});
  show(m_cpu, {}, {});
  show(m_disk, {}, {});
  look::showDefault(*m_cpu.size, tr("not used"));
  look::showDefault(*m_disk.size, tr("unlimited"));
  m_disk.size->setToolTip(
      tr("Holds everything that fits nowhere else. As in accelerate, a limit is recorded but not enforced."));
  m_add->setAutoDefault(false);
  m_remove->setAutoDefault(false);
  auto* buttons = new QHBoxLayout;
  buttons->addWidget(m_add);
  buttons->addWidget(m_remove);
  buttons->addStretch();
  auto* column = look::makeLayout<QVBoxLayout>(this, 2 * look::kGrid);
  m_grid->setHorizontalSpacing(2 * look::kGrid);
  m_grid->setVerticalSpacing(look::kGrid);
  m_grid->setColumnStretch(1, 1);
  column->addLayout(m_grid);
  column->addLayout(buttons);
  column->addStretch();
  connect(m_add, &QPushButton::clicked, this, [this] {
    addGpu({{}, m_gpus.empty() ? QString() : m_gpus.back().size->text()});
    layOut();
    m_gpus.back().size->setFocus();
    Q_EMIT changed();
  });
  connect(m_remove, &QPushButton::clicked, this, [this] {
    removeGpu();
    layOut();
    Q_EMIT changed();
  });
  layOut();
}

LimitFields::Row LimitFields::makeRow(MapDevice device) {
  Row row{device, new look::PlainLabel(this), new QLineEdit(this)};
  row.size->setObjectName(QStringLiteral("mapLimit-") + QString::fromStdString(toString(device)));
  row.size->setToolTip(
      tr("Bytes, or a number with a unit such as 10GiB or 500MB. Leave empty to exclude this device."));
  row.size->setAccessibleName(tr("Memory of %1").arg(deviceName(device)));
  row.size->setMinimumWidth(24 * look::kGrid);
  row.label->setBuddy(row.size);
  connect(row.size, &QLineEdit::textChanged, this, &LimitFields::changed);
  return row;
}

void LimitFields::show(Row& row, const QString& what, const QString& size) {
  row.label->setText(what.isEmpty() ? deviceName(row.device) : tr("%1, %2").arg(deviceName(row.device), what));
  if (!row.size->isModified() && row.size->text() != size) row.size->setText(size);
}

void LimitFields::addGpu(const Gpu& gpu) {
  Row row = makeRow({MapDevice::Kind::Gpu, static_cast<int>(m_gpus.size())});
  show(row, gpu.what, gpu.size);
  m_gpus.push_back(row);
}

void LimitFields::removeGpu() {
  delete m_gpus.back().label;
  delete m_gpus.back().size;
  m_gpus.pop_back();
}

void LimitFields::setMemory(const std::vector<Gpu>& gpus, const QString& cpu) {
  for (std::size_t i = 0; i < gpus.size(); ++i) {
    if (i < m_gpus.size())
      show(m_gpus[i], gpus[i].what, gpus[i].size);
    else
      addGpu(gpus[i]);
  }
  while (m_gpus.size() > gpus.size()) removeGpu();
  layOut();
  show(m_cpu, {}, cpu);
}

void LimitFields::follow(QWidget* before) {
  m_follows = before;
  layOut();
}

void LimitFields::layOut() {
  int line = 0;
  QWidget* before = m_follows;
  const auto place = [&](const Row& row) {
    m_grid->addWidget(row.label, line, 0);
    m_grid->addWidget(row.size, line, 1);
    row.label->show();  // at once, so that the keyboard can go there
    row.size->show();
    if (before) setTabOrder(before, row.size);
    before = row.size;
    ++line;
  };
  for (const Row& row : m_gpus) place(row);
  place(m_cpu);
  place(m_disk);
  if (before) setTabOrder(before, m_add);
  setTabOrder(m_add, m_remove);
  m_add->setEnabled(m_gpus.size() < kMostGpus);
  m_remove->setEnabled(!m_gpus.empty());
}

Result<MemoryLimits> LimitFields::limits() {
  MemoryLimits limits;
  std::optional<Error> first;
  std::vector<Row> rows = m_gpus;
  rows.insert(rows.end(), {m_cpu, m_disk});
  for (const Row& row : rows) {
    const std::string text = row.size->text().trimmed().toStdString();
    const Result<std::int64_t> bytes = parseMemorySize(text);
    mark(row.size, !text.empty() && !bytes.ok());
    if (text.empty()) continue;
    if (!bytes.ok()) {
      if (!first) first = Error::badInput("{}: {}", deviceName(row.device).toStdString(), bytes.error());
      continue;
    }
    if (row.device.kind == MapDevice::Kind::Gpu) limits.gpus[row.device.gpu] = *bytes;
    if (row.device.kind == MapDevice::Kind::Cpu) limits.cpu = *bytes;
    if (row.device.kind == MapDevice::Kind::Disk) limits.disk = *bytes;
  }
  if (first) return *first;
  return limits;
}

}  // namespace lanelab
