// SPDX-License-Identifier: GPL-3.0-only
// Small data files that tests write themselves.
#pragma once

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <string>

#include "engine/experiment/experiment.h"

namespace lanelab {

/// A folder of the test's own that goes with it.
class DataFolder {
 public:
  DataFolder() {
    const auto* info = ::testing::UnitTest::GetInstance()->current_test_info();
    m_path = std::filesystem::temp_directory_path() /
             ("lanelab-data-" + std::string(info->test_suite_name()) + "-" + info->name());
    std::filesystem::remove_all(m_path);
    std::filesystem::create_directories(m_path);
  }
  ~DataFolder() { std::filesystem::remove_all(m_path); }
  DataFolder(const DataFolder&) = delete;
  DataFolder& operator=(const DataFolder&) = delete;

  std::string path() const { return m_path.string(); }

  std::string write(const std::string& name, const std::string& bytes) const {
    const std::filesystem::path file = m_path / name;
    std::filesystem::create_directories(file.parent_path());
    std::ofstream(file, std::ios::binary) << bytes;
    return file.string();
  }

 private:
  std::filesystem::path m_path;
};

inline Experiment experimentOn(DataSource source, Shape shape, const std::string& path = "") {
  Experiment experiment;
  experiment.model = {"resnet18", 10, std::nullopt};
  experiment.data.source = source;
  experiment.data.path = path;
  experiment.data.shape = std::move(shape);
  experiment.data.batch = 8;
  experiment.training.loss = Loss::CrossEntropy;
  experiment.lanes = {{Device::cpu(0), "", 1}, {Device::cpu(1), "", 1}};
  return experiment;
}

/// One record of CIFAR-10: a class, then planes of one value each.
inline std::string cifarRecord(int id, int red, int green, int blue) {
  std::string record(1, static_cast<char>(id));
  for (const int value : {red, green, blue}) record += std::string(1024, static_cast<char>(value));
  return record;
}

}  // namespace lanelab
