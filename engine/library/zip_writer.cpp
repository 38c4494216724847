// SPDX-License-Identifier: GPL-3.0-only
#include "engine/library/zip_writer.h"

#ifdef LANELAB_WRITES_ARCHIVES
#include <zip.h>  // minizip
#endif
#include <sys/stat.h>

#include <cerrno>
#include <cstdio>
#include <ctime>
#include <utility>

#include "base/regular_file.h"

namespace lanelab {

#ifdef LANELAB_WRITES_ARCHIVES

namespace {

constexpr std::size_t kPart = 1U << 20U;
constexpr std::uint64_t kNeedsZip64 = 0xffff'0000;
constexpr uLong kUtf8Names = 1U << 11U;  ///< flag of a record
constexpr uLong kMadeBy = 3U << 8U;      ///< Unix, so that the file's mode counts
constexpr uLong kPlainFile = 0100644U << 16U;

bool isPacked(const std::string& name) {
  for (const char* const extension : {".gz", ".perfetto-trace", ".png"})
    if (name.ends_with(extension)) return true;
  return false;
}

tm_zip dateOf(std::int64_t time) {
  const std::time_t seconds = time;
  std::tm parts{};
  ::localtime_r(&seconds, &parts);
  tm_zip date{};
  date.tm_sec = static_cast<decltype(date.tm_sec)>(parts.tm_sec);
  date.tm_min = static_cast<decltype(date.tm_min)>(parts.tm_min);
  date.tm_hour = static_cast<decltype(date.tm_hour)>(parts.tm_hour);
  date.tm_mday = static_cast<decltype(date.tm_mday)>(parts.tm_mday);
  date.tm_mon = static_cast<decltype(date.tm_mon)>(parts.tm_mon);
  date.tm_year = static_cast<decltype(date.tm_year)>(parts.tm_year + 1900);
  return date;
}

}  // namespace

ZipWriter::ZipWriter(const PartialFile& partial, const std::string& path, void* zip)
    : m_partial(&partial), m_path(std::move(path)), m_zip(zip) {}
ZipWriter::ZipWriter(ZipWriter&& other) noexcept
    : m_partial(other.m_partial), m_path(std::move(other.m_path)), m_zip(std::exchange(other.m_zip, nullptr)) {}
ZipWriter::~ZipWriter() {
  if (m_zip != nullptr) ::zipClose(m_zip, nullptr);
}

Result<ZipWriter> ZipWriter::create(PartialFile& partial, const std::string& path) {
  errno = 0;
  const bool made = partial.create().ok();  // minizip would follow a link that is there already
  zipFile zip = made ? ::zipOpen64(partial.path().c_str(), APPEND_STATUS_CREATE) : nullptr;
  if (zip == nullptr) return cannotWrite(path, errno);
  return ZipWriter(partial, path, zip);
}

Status ZipWriter::begin(const std::string& name, std::int64_t time, std::uint64_t bytes) {
  zip_fileinfo info{};
  info.tmz_date = dateOf(time);
  info.external_fa = kPlainFile;
  const bool stored = isPacked(name);
  errno = 0;
  const int state =
      ::zipOpenNewFileInZip4_64(m_zip, name.c_str(), &info, nullptr, 0, nullptr, 0, nullptr, stored ? 0 : Z_DEFLATED,
                                stored ? 0 : Z_DEFAULT_COMPRESSION, 0, -MAX_WBITS, DEF_MEM_LEVEL, Z_DEFAULT_STRATEGY,
                                nullptr, 0, kMadeBy, kUtf8Names, bytes >= kNeedsZip64 ? 1 : 0);
  return state == ZIP_OK ? Status() : cannotWrite(m_path, errno);
}

Status ZipWriter::add(const std::string& name, const std::string& content) {
  if (const Status begun = begin(name, std::time(nullptr), content.size()); !begun.ok()) return begun;
  const bool written = ::zipWriteInFileInZip(m_zip, content.data(), static_cast<unsigned>(content.size())) == ZIP_OK;
  return ::zipCloseFileInZip(m_zip) == ZIP_OK && written ? Status() : cannotWrite(m_path, errno);
}

Status ZipWriter::addFile(const std::string& name, const std::string& file, const std::stop_token& stop) {
  const OpenedFile opened = openRegularFile(file);
  struct stat info {};
  if (!opened.file || ::fstat(::fileno(opened.file.get()), &info) != 0)
    return Error::failed("{} cannot be read ({}). Check its permissions.", file, opened.reason);
  if (const Status begun = begin(name, info.st_mtime, static_cast<std::uint64_t>(info.st_size)); !begun.ok())
    return begun;
  std::string part(kPart, '\0');
  bool written = true;
  while (written && !stop.stop_requested()) {
    const std::size_t count = std::fread(part.data(), 1, part.size(), opened.file.get());
    if (count == 0) break;
    written = ::zipWriteInFileInZip(m_zip, part.data(), static_cast<unsigned>(count)) == ZIP_OK;
  }
  const bool closed = ::zipCloseFileInZip(m_zip) == ZIP_OK;
  if (stop.stop_requested()) return Error::cancelled("The export was cancelled.");
  if (std::ferror(opened.file.get()) != 0) return Error::failed("{} cannot be read to its end. Try again.", file);
  return closed && written ? Status() : cannotWrite(m_path, errno);
}

Status ZipWriter::finish() {
  errno = 0;
  if (::zipClose(std::exchange(m_zip, nullptr), nullptr) != ZIP_OK) return cannotWrite(m_path, errno);
  if (const int error = m_partial->renameTo(m_path)) return cannotWrite(m_path, error);
  return {};
}

#else

ZipWriter::ZipWriter(ZipWriter&&) noexcept = default;
ZipWriter::~ZipWriter() = default;

Result<ZipWriter> ZipWriter::create(PartialFile&, const std::string& path) {
  return Error::failed("{} cannot be written: this build has no minizip. Install libminizip-dev and build again.",
                       path);
}
Status ZipWriter::add(const std::string&, const std::string&) { return {}; }
Status ZipWriter::addFile(const std::string&, const std::string&, const std::stop_token&) { return {}; }
Status ZipWriter::finish() { return {}; }

#endif

}  // namespace lanelab
