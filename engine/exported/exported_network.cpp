// SPDX-License-Identifier: GPL-3.0-only
#include "engine/exported/exported_network.h"

#include <sys/stat.h>

#include <algorithm>
#include <cstdint>
#include <deque>
#include <filesystem>
#include <mutex>
#include <utility>

#include "base/shipped_path.h"
#include "base/text.h"
#include "engine/exported/allowed_operators.h"
#include "engine/exported/sample_sizes.h"
#include "engine/exported/tensor_memory.h"

namespace lanelab {
namespace {

constexpr std::size_t kNetworksKept = 4;

/// A file at one moment.
struct FileState {
  std::string path;
  std::uint64_t device = 0, inode = 0;
  std::int64_t bytes = -1, seconds = 0, nanoseconds = 0;
  bool operator==(const FileState&) const = default;
};

FileState stateOf(const std::string& path) {
  struct stat facts {};
  if (::stat(path.c_str(), &facts) != 0) return {.path = path};
  return {path, facts.st_dev, facts.st_ino, facts.st_size, facts.st_mtim.tv_sec, facts.st_mtim.tv_nsec};
}

using Opened = Result<std::shared_ptr<const ExportedNetwork>>;

/// The networks that were asked for last.
class RecentNetworks {
 public:
  Opened open(const std::string& path, const ExportedBlockChoice& choice) {
    const std::lock_guard lock(m_mutex);
    const FileState state = stateOf(path);
    const auto known = std::ranges::find_if(
        m_entries, [&](const Entry& entry) { return entry.file == state && entry.choice == choice; });
    if (known != m_entries.end()) return known->network;
    Result<ExportedProgram> program = readExportedProgram(path);
    const Opened network = program.ok() ? networkOf(std::move(program).value(), path, choice) : Opened(program.error());
    std::erase_if(m_entries, [&](const Entry& entry) { return entry.file.path == path && entry.file != state; });
    m_entries.push_front({state, choice, network});
    if (m_entries.size() > kNetworksKept) m_entries.pop_back();
    return network;
  }

 private:
  struct Entry {
    FileState file;
    ExportedBlockChoice choice;
    Opened network;
  };
  std::mutex m_mutex;
  std::deque<Entry> m_entries;
};

}  // namespace

Result<std::shared_ptr<const ExportedNetwork>> networkOf(ExportedProgram program, const std::string& path,
                                                         const ExportedBlockChoice& choice) {
  auto network = std::make_shared<ExportedNetwork>();
  network->path = path;
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

namespace {

/// "it has 3 blocks now, not 5"
Message changeOf(const ModelSpec& now, const ModelSpec& before) {
  if (now.blocks.size() != before.blocks.size())
    return sentence("it has {} now, not {}", counted(static_cast<int>(now.blocks.size()), "block"),
                    before.blocks.size());
  for (std::size_t i = 0; i < now.blocks.size(); ++i)
    if (now.blocks[i].name != before.blocks[i].name)
      return sentence("block {} is {} now, not {}", i, now.blocks[i].name, before.blocks[i].name);
  const auto [other, was] = std::ranges::mismatch(now.blocks, before.blocks);
  if (other != now.blocks.end()) return sentence("the block {} has other layers now", other->name);
  return sentence("it has other inputs or outputs now");
}

}  // namespace

Status isAsResolved(const ExportedNetwork& network, const ModelSpec& resolved) {
  const ModelSpec& now = network.described.model;
  if (now == resolved) return {};
  return Error::badInput("{} changed since it was opened: {}. Open it again.", network.path, changeOf(now, resolved));
}

Result<std::shared_ptr<const ExportedNetwork>> openExported(const std::string& path,
                                                            const ExportedBlockChoice& choice) {
  static RecentNetworks recent;
  return recent.open(path, choice);
}

}  // namespace lanelab
