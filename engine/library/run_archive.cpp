// SPDX-License-Identifier: GPL-3.0-only
#include "engine/library/run_archive.h"

#include <stdlib.h>
#include <sys/stat.h>
#include <zlib.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>

#include "base/atomic_file.h"
#include "base/regular_file.h"
#include "base/text.h"
#include "base/utf8.h"
#include "base/whole_file.h"
#include "engine/files/zip_archive.h"
#include "engine/library/own_folder.h"
#include "engine/library/zip_writer.h"
#include "engine/record/run_store.h"

namespace lanelab {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kMostNameBytes = 255;
constexpr std::uint64_t kLargestRunRecord = 1ULL << 30U;

bool isShared(const std::string& name) {
  return !name.starts_with('.') && !name.ends_with(".safetensors") && name != "experiment.json" &&
         name != "report.html";
}

Error cancelledExport() { return Error::cancelled("The export was cancelled."); }

/// Whether a name is one plain file name on every system: no folder, no hidden file, no control characters.
bool isPlainFileName(const std::string& name) {
  if (name.empty() || name.size() > kMostNameBytes || name.starts_with('.')) return false;
  if (name.find_first_of("/\\:") != std::string::npos) return false;
  for (std::string_view rest = name; !rest.empty();) {
    const Character first = firstCharacter(rest);
    if (!first.valid || !belongsInFileName(first.code)) return false;
    rest.remove_prefix(first.bytes);
  }
  return true;
}

Error refused(const std::string& path, const std::string& why) {
  return Error::badInput(
      "{} cannot be opened as a run: {}. Choose an archive that lanelab-cli export --what archive wrote.", path, why);
}

/// A folder that is removed with all it holds, unless it was moved away.
class Extraction {
 public:
  static Result<Extraction> below(const std::string& runs_folder) {
    const Result<std::string> parent = makeOwnFolder(runs_folder, "import");
    if (!parent.ok()) return parent.error();
    std::string pattern = *parent + "/XXXXXX";
    if (::mkdtemp(pattern.data()) == nullptr) {
      const int error = errno;
      return writeError(error, "A folder in {} cannot be made: {}.", *parent, reasonNotWritten(error));
    }
    ::chmod(pattern.c_str(), 0755);
    return Extraction(pattern);
  }
  Extraction(Extraction&& other) noexcept : m_path(std::exchange(other.m_path, {})) {}
  Extraction& operator=(Extraction&&) = delete;
  ~Extraction() {
    std::error_code ignored;
    if (!m_path.empty()) fs::remove_all(m_path, ignored);
  }
  const std::string& path() const { return m_path; }
  std::error_code moveTo(const std::string& target) {
    std::error_code error;
    fs::rename(m_path, target, error);
    if (!error) m_path.clear();
    return error;
  }

 private:
  explicit Extraction(std::string path) : m_path(std::move(path)) {}
  std::string m_path;
};

/// The names of the files within the archive's folder, or why the archive is refused.
Result<std::vector<std::string>> filesIn(const ZipArchive& archive, const ArchiveLimits& limits) {
  const std::string& folder = archive.folder();
  if (!isPlainFileName(folder.substr(0, folder.size() - std::min<std::size_t>(folder.size(), 1))))
    return Error::badInput("its files are not in one folder");
  std::vector<std::string> names;
  std::uint64_t bytes = 0;
  for (const std::string& whole : archive.names()) {
    if (whole == folder) continue;
    const std::string name = whole.starts_with(folder) ? whole.substr(folder.size()) : std::string();
    if (!isPlainFileName(name)) return Error::badInput("one of its files has a name that is not allowed");
    const ZipRecord& record = *archive.find(whole);
    if (record.bytes > (record.deflated ? limits.packed_file_bytes : limits.file_bytes))
      return Error::badInput("{} in it is too large", name);
    bytes += record.bytes;
    names.push_back(name);
  }
  if (names.size() > limits.files || bytes > limits.bytes)
    return Error::badInput("it holds more than {} or {}", counted(static_cast<std::int64_t>(limits.files), "file"),
                           formatBytes(static_cast<std::int64_t>(limits.bytes)));
  return names;
}

Result<std::string> checkedBytes(const ZipArchive& archive, const std::string& name) {
  const ZipRecord& record = *archive.find(archive.folder() + name);
  Result<std::string> bytes = archive.text(record, record.bytes);
  if (!bytes.ok()) return bytes;
  const uLong crc = ::crc32_z(0, reinterpret_cast<const Bytef*>(bytes->data()), bytes->size());
  if (crc != record.crc) return Error::badInput("{} in it is damaged", name);
  return bytes;
}

Status extractAll(const ZipArchive& archive, const std::vector<std::string>& names, const std::string& folder,
                  const WorkControl& control) {
  ProgressCount count(static_cast<std::int64_t>(names.size()), control.report);
  count.begin("Extracting the run");
  for (const std::string& name : names) {
    if (control.stop.stop_requested()) return Error::cancelled("The import was cancelled.");
    const Result<std::string> bytes = checkedBytes(archive, name);
    if (!bytes.ok()) return bytes.error();
    if (const Status written = writeFileAtomically(folder + "/" + name, *bytes, Durable::No); !written.ok())
      return written;
    count.add(1);
  }
  return {};
}

Result<ZipArchive> openArchive(const std::string& path) {
  Result<ReadableBytes> bytes = openBytes(path);
  return bytes.ok() ? ZipArchive::open(std::move(*bytes)) : Result<ZipArchive>(bytes.error());
}

/// The run of this name and with this run.json that is there already; empty for none.
std::string sameRun(const fs::path& folder, const std::string& record) {
  if (!holdsRun(folder.string())) return {};
  const Result<std::string> there = readWholeFile((folder / "run.json").string(), kLargestRunRecord);
  return there.ok() && *there == record ? folder.string() : std::string();
}

}  // namespace

std::vector<std::string> sharedFiles(const std::string& folder) {
  std::vector<std::string> names;
  std::error_code error;
  for (fs::directory_iterator it(folder, error), end; !error && it != end; it.increment(error)) {
    const std::string name = it->path().filename().string();
    std::error_code ignored;
    if (!it->is_symlink(ignored) && it->is_regular_file(ignored) && isShared(name)) names.push_back(name);
  }
  std::ranges::sort(names);
  return names;
}

Status writeRunArchive(const std::string& folder, const std::vector<std::pair<std::string, std::string>>& further,
                       const std::string& path, const WorkControl& control) {
  if (!holdsRun(folder)) return Error::badInput("{} is not a run folder. Name one that holds a run.json.", folder);
  const std::string prefix = wholePath(folder).filename().string() + "/";
  PartialFile partial = PartialFile::beside(path);
  Result<ZipWriter> zip = ZipWriter::create(partial, path);
  if (!zip.ok()) return zip.error();
  const std::vector<std::string> names = sharedFiles(folder);
  ProgressCount count(static_cast<std::int64_t>(names.size()), control.report);
  count.begin("Writing the archive");
  for (const std::string& name : names) {
    if (control.stop.stop_requested()) return cancelledExport();
    if (const Status added = zip->addFile(prefix + name, folder + "/" + name, control.stop); !added.ok()) return added;
    count.add(1);
  }
  for (const auto& [name, content] : further)
    if (const Status added = zip->add(prefix + name, content); !added.ok()) return added;
  if (control.stop.stop_requested()) return cancelledExport();
  return zip->finish();
}

bool isRunArchive(const std::string& path) {
  char begin[4] = {};
  const OpenedFile opened = openRegularFile(path);
  if (!opened.file || std::fread(begin, 1, sizeof begin, opened.file.get()) != sizeof begin) return false;
  if (std::string_view(begin, sizeof begin) != "PK\x03\x04") return false;
  const Result<ZipArchive> archive = openArchive(path);
  return archive.ok() && archive->find(archive->folder() + "run.json") != nullptr;
}

Result<std::string> importRunArchive(const std::string& path, const std::string& runs_folder,
                                     const WorkControl& control, const ArchiveLimits& limits) {
  const Result<ZipArchive> archive = openArchive(path);
  if (!archive.ok()) return refused(path, archive.error().message);
  if (archive->find(archive->folder() + "run.json") == nullptr) return refused(path, "it has no run.json");
  const Result<std::vector<std::string>> names = filesIn(*archive, limits);
  if (!names.ok()) return refused(path, names.error().message);
  const Result<std::string> record = checkedBytes(*archive, "run.json");
  if (!record.ok()) return refused(path, record.error().message);
  const std::string id = archive->folder().substr(0, archive->folder().size() - 1);
  const fs::path wanted = fs::path(runs_folder) / id;
  if (std::string same = sameRun(wanted, *record); !same.empty()) return same;

  Result<Extraction> extraction = Extraction::below(runs_folder);
  if (!extraction.ok()) return extraction.error();
  if (const Status done = extractAll(*archive, *names, extraction->path(), control); !done.ok())
    return done.error().kind == Error::Kind::BadInput ? refused(path, done.error().message) : done.error();
  if (const Result<RunRecord> run = readRun(extraction->path()); !run.ok())
    return refused(path, "its run.json cannot be read");
  const std::string target = freePath(wanted);
  if (const std::error_code moved = extraction->moveTo(target))
    return writeError(moved.value(), "{} cannot be made: {}.", target, reasonNotWritten(moved.value()));
  return target;
}

}  // namespace lanelab
