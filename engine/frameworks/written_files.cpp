// SPDX-License-Identifier: GPL-3.0-only
#include "engine/frameworks/written_files.h"

#include <algorithm>
#include <filesystem>
#include <fstream>

#include "base/atomic_file.h"
#include "engine/files/readable_bytes.h"

namespace lanelab {
namespace {

namespace fs = std::filesystem;
constexpr std::uint64_t kCopiedAtOnce = 8 << 20;

Status prepareFolder(const std::string& folder) {
  std::error_code error;
  if (fs::exists(folder, error) && (!fs::is_directory(folder, error) || !fs::is_empty(folder, error)))
    return Error::badInput("--out: {} exists already and is not an empty folder. Choose a new folder.", folder);
  fs::create_directories(folder, error);
  if (error) return Error::failed("{} cannot be made: {}.", folder, error.message());
  return {};
}

Status copyFile(const std::string& from, const std::string& to) {
  const Result<ReadableBytes> source = openBytes(from);
  if (!source.ok()) return Error::badInput("{} cannot be copied: {}.", from, source.error());
  std::ofstream out(to, std::ios::binary | std::ios::trunc);
  for (std::uint64_t at = 0; out && at < source->size; at += kCopiedAtOnce) {
    const auto bytes = bytesAt(*source, at, std::min(kCopiedAtOnce, source->size - at));
    if (!bytes) return Error::failed("{} cannot be read to its end. Check its disk.", from);
    out.write(bytes->data(), static_cast<std::streamsize>(bytes->size()));
  }
  out.close();
  return out ? Status() : Error::failed("{} cannot be written. Check the free space of its disk.", to);
}

}  // namespace

Status writeFiles(const WrittenFiles& files, const std::string& folder) {
  if (const Status ready = prepareFolder(folder); !ready.ok()) return ready;
  for (const auto& [name, text] : files.texts)
    if (const Status done = writeFileAtomically((fs::path(folder) / name).string(), text, Durable::No); !done.ok())
      return done;
  for (const auto& [name, from] : files.copies)
    if (const Status done = copyFile(from, (fs::path(folder) / name).string()); !done.ok()) return done;
  return {};
}

}  // namespace lanelab
