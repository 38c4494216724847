// SPDX-License-Identifier: GPL-3.0-only
// For shipped_test.py: drawn_weights FILE.pt2 SEED OUT.safetensors. Writes the initial weights and the buffers of an
// exported network, tied ones under each of their names.
#include <iostream>

#include "engine/exported/archive/exported_archive.h"
#include "engine/torch/files/exported_weights.h"
#include "engine/torch/files/tensor_file.h"

namespace lanelab {
namespace {

int drawn(const std::string& file, const std::string& seed, const std::string& out) {
  const auto program = readExportedProgram(file);
  if (!program.ok()) throw std::runtime_error(program.error().message);
  const auto weights = mapExportedWeights(file, *program, std::stoull(seed));
  if (!weights.ok()) throw std::runtime_error(weights.error().message);
  NamedTensors named;
  for (const auto& [name, tensor] : weights->tensors) named.emplace_back(name, tensor.contiguous());
  const Status written = writeSafetensors(out, named);
  if (!written.ok()) throw std::runtime_error(written.error().message);
  return 0;
}

}  // namespace
}  // namespace lanelab

int main(int count, char** words) {
  try {
    if (count == 4) return lanelab::drawn(words[1], words[2], words[3]);
    std::cerr << "Usage: drawn_weights FILE.pt2 SEED OUT.safetensors\n";
  } catch (const std::exception& error) {
    std::cerr << error.what() << '\n';
  }
  return 1;
}
