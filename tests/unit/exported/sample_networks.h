// SPDX-License-Identifier: GPL-3.0-only
// The networks in tests/data/exported, which tests/data/make_exported.py writes.
#pragma once

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "engine/exported/archive/exported_archive.h"

namespace lanelab::test {

inline std::vector<std::string> sampleNetworkNames() {
  return {"resnet18", "convnext", "efficientnet", "densenet", "unet", "vit",   "encoder",
          "swin",     "lstm",     "gpt2",         "bert",     "t5",   "llama", "mixtral"};
}

inline ExportedProgram sampleNetwork(const std::string& name) {
  Result<ExportedProgram> program =
      readExportedProgram(std::string(LANELAB_SOURCE_DIR) + "/tests/data/exported/" + name + ".pt2");
  EXPECT_TRUE(program.ok()) << program.error().message;
  return program.ok() ? std::move(program).value() : ExportedProgram();
}

}  // namespace lanelab::test
