// SPDX-License-Identifier: GPL-3.0-only
// A line for each device with the memory that a map may fill on it, in accelerate's units; an empty one takes the
// device away.
#pragma once

#include <QWidget>
#include <vector>

#include "engine/lanes/executor.h"
#include "engine/placement/device_map.h"
#include "engine/placement/memory_limits.h"

class QGridLayout;
class QLabel;
class QLineEdit;
class QPushButton;

namespace lanelab {

class LimitFields : public QWidget {
  Q_OBJECT

 public:
  explicit LimitFields(QWidget* parent = nullptr);

  /// "GPU 0" .. with what stands beside it ("lane 0"), and the size that is typed there at first. Sizes that a user
  /// has typed stay.
  struct Gpu {
    QString what;
    QString size;
  };
  void setMemory(const std::vector<Gpu>& gpus, const QString& cpu);

  /// The keyboard comes to the fields from there.
  void follow(QWidget* before);

  /// BadInput names the device and the fix; its field has the focus mark.
  Result<MemoryLimits> limits();

 Q_SIGNALS:
  void changed();

 private:
  struct Row {
    MapDevice device;
    QLabel* label = nullptr;
    QLineEdit* size = nullptr;
  };
  Row makeRow(MapDevice device);
  void show(Row& row, const QString& what, const QString& size);
  void addGpu(const Gpu& gpu);
  void removeGpu();
  void layOut();

  QGridLayout* m_grid;
  QWidget* m_follows = nullptr;
  std::vector<Row> m_gpus;
  Row m_cpu, m_disk;
  QPushButton *m_add, *m_remove;
};

/// What a map may fill at first: the lanes of the experiment stand for GPUs, in their order. Lanes that share a memory
/// share it equally; where its size is not known, the field stays empty.
std::vector<LimitFields::Gpu> gpusOfLanes(const std::vector<LaneConfig>& lanes, const std::vector<DeviceInfo>& devices);

/// The machine's memory where no lane has it, else empty.
QString cpuBesideLanes(const std::vector<LaneConfig>& lanes, const std::vector<DeviceInfo>& devices);

}  // namespace lanelab
