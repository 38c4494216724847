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

Status copyFile(const std::string& from, const std::string& to, const std::stop_token& stop) {
  const Result<ReadableBytes> source = openBytes(from);
  if (!source.ok()) return Error::badInput("{} cannot be copied: {}.", from, source.error());
  std::ofstream out(to, std::ios::binary | std::ios::trunc);
  for (std::uint64_t at = 0; out && at < source->size; at += kCopiedAtOnce) {
    if (stop.stop_requested()) return Error::cancelled("The export was cancelled.");
    const auto bytes = bytesAt(*source, at, std::min(kCopiedAtOnce, source->size - at));
    if (!bytes) return Error::failed("{} cannot be read to its end. Check its disk.", from);
    out.write(bytes->data(), static_cast<std::streamsize>(bytes->size()));
  }
  out.close();
  return out ? Status() : Error::failed("{} cannot be written. Check the free space of its disk.", to);
}

Status writeAll(const WrittenFiles& files, const fs::path& folder, const WorkControl& control) {
  const auto total = static_cast<std::int64_t>(files.texts.size() + files.copies.size());
  std::int64_t done = 0;
  const auto begin = [&](const std::string& name) {
    if (control.report) control.report({"Writing " + name, done++, total});
  };
  for (const auto& [name, text] : files.texts) {
    begin(name);
    if (const Status written = writeFileAtomically((folder / name).string(), text, Durable::No); !written.ok())
      return written;
  }
  for (const auto& [name, from] : files.copies) {
    begin(name);
    if (const Status copied = copyFile(from, (folder / name).string(), control.stop); !copied.ok()) return copied;
  }
  return {};
}

void removeAll(const WrittenFiles& files, const fs::path& folder, bool with_folder) {
  std::error_code ignored;
  for (const auto& [name, text] : files.texts) fs::remove(folder / name, ignored);
  for (const auto& [name, from] : files.copies) fs::remove(folder / name, ignored);
  if (with_folder) fs::remove(folder, ignored);
}

}  // namespace

Status writeFiles(const WrittenFiles& files, const std::string& folder, const WorkControl& control) {
  std::error_code ignored;
  const bool is_new = !fs::exists(folder, ignored);
  if (const Status ready = prepareFolder(folder); !ready.ok()) return ready;
  Status written = writeAll(files, folder, control);
  if (!written.ok() && written.error().kind == Error::Kind::Cancelled) removeAll(files, folder, is_new);
  return written;
}

}  // namespace lanelab
