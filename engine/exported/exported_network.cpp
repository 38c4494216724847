// SPDX-License-Identifier: GPL-3.0-only
#include "engine/exported/exported_network.h"

#include <atomic>
#include <filesystem>
#include <utility>

#include "base/shipped_path.h"
#include "engine/exported/operators/allowed_operators.h"
#include "engine/exported/operators/sample_sizes.h"
#include "engine/exported/tensor_memory.h"

namespace lanelab {
namespace {

std::atomic<std::int64_t> opened_networks = 0;

}  // namespace

Result<std::shared_ptr<const ExportedNetwork>> networkOf(ExportedProgram program, const ExportedBlockChoice& choice,
                                                         FileState file) {
  auto network = std::make_shared<ExportedNetwork>();
  const std::string& path = network->path = file.path;
  network->file = std::move(file);
  network->program = std::move(program);
  if (const Status allowed = refuseOperators(network->program.graph); !allowed.ok())
    return Error::badInput("{}: {}", path, allowed.error());
  Result<ExportedBlocks> blocks = blocksOf(network->program, choice);
  if (!blocks.ok()) return Error::badInput("{}: {}", path, blocks.error());
  network->blocks = std::move(blocks).value();
  network->described = describeExported(network->program, network->blocks);
  network->described.model.arch = std::filesystem::path(withoutShipped(path)).stem().string();
  network->differentiable = tensorMemoryOf(network->program.graph, SampleSizes(network->program)).gradient;
  return std::shared_ptr<const ExportedNetwork>(std::move(network));
}

Status checkUnchanged(const ExportedNetwork& network) {
  const FileState now = fileStateOf(network.path);
  if (now == network.file) return {};
  if (now.bytes < 0) return Error::badInput("{} is not there any more. Restore the file.", network.path);
  return Error::badInput("{} changed since it was opened. Open it again.", network.path);
}

Result<std::shared_ptr<const ExportedNetwork>> openExported(const std::string& path,
                                                            const ExportedBlockChoice& choice) {
  ++opened_networks;
  FileState state = fileStateOf(path);  // before it is read, so that a change meanwhile is one
  Result<ExportedProgram> program = readExportedProgram(path);
  if (!program.ok()) return program.error();
  return networkOf(std::move(program).value(), choice, std::move(state));
}

std::int64_t openedNetworks() { return opened_networks.load(); }

}  // namespace lanelab
