// SPDX-License-Identifier: GPL-3.0-only
#include "engine/files/zip_archive.h"

#include <zlib.h>

#include <algorithm>
#include <bit>
#include <cstring>
#include <optional>
#include <utility>
#include <vector>

#include "base/text.h"
#include "engine/files/clipped_name.h"

namespace lanelab {

namespace {

static_assert(std::endian::native == std::endian::little, "zip archives are little-endian");

constexpr std::uint32_t kRecordMark = 0x04034b50, kDirectoryMark = 0x02014b50, kEndMark = 0x06054b50,
                        kEnd64Mark = 0x06064b50, kLocatorMark = 0x07064b50;
constexpr std::uint64_t kRecordHeader = 30, kDirectoryEntry = 46, kEnd = 22, kEnd64 = 56, kLocator = 20;
constexpr std::uint64_t kLongestComment = 65535;
constexpr std::uint64_t kLargestDirectory = std::uint64_t{64} << 20;
constexpr std::uint64_t kDeflateRatio = 1032;  ///< the most that deflate can make of a byte

template <class T>
T numberAt(std::string_view bytes, std::uint64_t at) {
  T value;
  std::memcpy(&value, bytes.data() + at, sizeof value);
  return value;
}

struct Directory {
  std::uint64_t at = 0, bytes = 0, entries = 0;
};

/// The 64-bit fields, if the end has a locator before it.
Result<Directory> directory64(const ReadableBytes& source, std::uint64_t end_at, Directory directory) {
  const auto locator = end_at < kLocator ? std::nullopt : bytesAt(source, end_at - kLocator, kLocator);
  if (!locator || numberAt<std::uint32_t>(*locator, 0) != kLocatorMark) return directory;
  const auto end = bytesAt(source, numberAt<std::uint64_t>(*locator, 8), kEnd64);
  if (!end || numberAt<std::uint32_t>(*end, 0) != kEnd64Mark) return Error::badInput("its 64-bit directory is missing");
  return Directory{numberAt<std::uint64_t>(*end, 48), numberAt<std::uint64_t>(*end, 40),
                   numberAt<std::uint64_t>(*end, 32)};
}

/// From the end of the file, behind which there is only a comment.
Result<Directory> findDirectory(const ReadableBytes& source) {
  const std::uint64_t tail = std::min(source.size, kEnd + kLongestComment);
  const auto bytes = bytesAt(source, source.size - tail, tail);
  if (!bytes) return Error::badInput("it ends too early");
  for (std::uint64_t at = tail; at-- > 0;) {
    if (tail - at < kEnd || numberAt<std::uint32_t>(*bytes, at) != kEndMark) continue;
    const std::uint64_t end_at = source.size - tail + at;
    const Directory small{numberAt<std::uint32_t>(*bytes, at + 16), numberAt<std::uint32_t>(*bytes, at + 12),
                          numberAt<std::uint16_t>(*bytes, at + 10)};
    Result<Directory> directory = directory64(source, end_at, small);
    if (directory.ok() && (directory->at > end_at || directory->bytes > end_at - directory->at))
      return Error::badInput("its directory is outside the file");
    return directory;
  }
  return Error::badInput("it has no zip directory: it is cut off, or is not a zip archive");
}

/// The 64-bit values of those fields that say 0xffffffff, in their order.
bool readZip64(std::string_view extra, ZipRecord& record) {
  std::uint64_t* const fields[] = {&record.bytes, &record.packed_bytes, &record.header_at};
  const bool any = std::any_of(std::begin(fields), std::end(fields),
                               [](const std::uint64_t* field) { return *field == 0xffffffff; });
  for (std::uint64_t at = 0; any && at + 4 <= extra.size();) {
    const auto id = numberAt<std::uint16_t>(extra, at);
    const auto size = numberAt<std::uint16_t>(extra, at + 2);
    at += 4;
    if (size > extra.size() - at) return false;
    if (id != 1) {
      at += size;
      continue;
    }
    const std::uint64_t end = at + size;
    for (std::uint64_t* const field : fields) {
      if (*field != 0xffffffff) continue;
      if (end - at < 8) return false;
      *field = numberAt<std::uint64_t>(extra, at);
      at += 8;
    }
    return true;
  }
  return !any;
}

/// Empty if the record can be one of a file whose directory begins at `limit`.
std::string problemOf(const ZipRecord& record, std::uint64_t limit) {
  if (record.header_at > limit || record.packed_bytes > limit - record.header_at) return "is outside the file";
  if (!record.deflated && record.bytes != record.packed_bytes) return "has two sizes";
  if (record.deflated && record.bytes / kDeflateRatio > record.packed_bytes)
    return "claims to unpack to more than it can";
  return "";
}

struct NamedRecord {
  std::string name;
  ZipRecord record;
};

/// Reads the entry at `at` and moves on to the next one.
Result<NamedRecord> readEntry(std::string_view bytes, std::uint64_t& at, std::uint64_t limit) {
  if (bytes.size() - at < kDirectoryEntry || numberAt<std::uint32_t>(bytes, at) != kDirectoryMark)
    return Error::badInput("its directory is damaged");
  const auto flags = numberAt<std::uint16_t>(bytes, at + 8), method = numberAt<std::uint16_t>(bytes, at + 10);
  const std::uint64_t name = numberAt<std::uint16_t>(bytes, at + 28), extra = numberAt<std::uint16_t>(bytes, at + 30),
                      comment = numberAt<std::uint16_t>(bytes, at + 32);
  if (bytes.size() - at < kDirectoryEntry + name + extra + comment) return Error::badInput("its directory is damaged");
  NamedRecord named{std::string(bytes.substr(at + kDirectoryEntry, name)),
                    {numberAt<std::uint32_t>(bytes, at + 42), 0, numberAt<std::uint32_t>(bytes, at + 20),
                     numberAt<std::uint32_t>(bytes, at + 24), method == 8, numberAt<std::uint32_t>(bytes, at + 16)}};
  const auto bad = [&](const std::string& what) {
    return Error::badInput("its record {} {}", clippedName(named.name), what);
  };
  if (flags & 1) return bad("is encrypted");
  if (method != 0 && method != 8)
    return bad("is packed by method " + std::to_string(method) + ", and only stored and deflated ones are read");
  if (!readZip64(bytes.substr(at + kDirectoryEntry + name, extra), named.record))
    return bad("has damaged 64-bit sizes");
  if (const std::string problem = problemOf(named.record, limit); !problem.empty()) return bad(problem);
  at += kDirectoryEntry + name + extra + comment;
  return named;
}

/// Empty if no two records share bytes; fills their end_limit.
std::string separate(std::unordered_map<std::string, ZipRecord>& records, std::uint64_t limit) {
  std::vector<std::pair<ZipRecord*, const std::string*>> order;
  order.reserve(records.size());
  for (auto& [name, record] : records) order.emplace_back(&record, &name);
  std::ranges::sort(order, [](const auto& a, const auto& b) { return a.first->header_at < b.first->header_at; });
  for (std::size_t i = 0; i < order.size(); ++i) {
    ZipRecord& record = *order[i].first;
    record.end_limit = i + 1 < order.size() ? order[i + 1].first->header_at : limit;
    if (record.end_limit - record.header_at < kRecordHeader + record.packed_bytes)
      return "its record " + clippedName(*order[i].second) + " overlaps the next one";
  }
  return "";
}

}  // namespace

Result<ZipArchive> ZipArchive::open(ReadableBytes source) {
  const Result<Directory> directory = findDirectory(source);
  if (!directory.ok()) return directory.error();
  if (directory->bytes > kLargestDirectory) return Error::badInput("its directory is larger than 64 MiB");
  const auto bytes = bytesAt(source, directory->at, directory->bytes);
  if (!bytes) return Error::badInput("it ends too early");
  ZipArchive archive(std::move(source));
  std::uint64_t at = 0;
  for (std::uint64_t i = 0; i < directory->entries; ++i) {
    Result<NamedRecord> named = readEntry(*bytes, at, directory->at);
    if (!named.ok()) return named.error();
    if (i == 0) archive.m_folder = named->name.substr(0, named->name.find('/') + 1);
    if (!archive.m_records.try_emplace(named->name, named->record).second)
      return Error::badInput("its record {} is there twice", clippedName(named->name));
  }
  if (const std::string problem = separate(archive.m_records, directory->at); !problem.empty())
    return Error::badInput(verbatim(problem));
  return archive;
}

std::vector<std::string> ZipArchive::names() const {
  std::vector<std::string> names;
  names.reserve(m_records.size());
  for (const auto& [name, record] : m_records) names.push_back(name);
  std::ranges::sort(names);
  return names;
}

const ZipRecord* ZipArchive::find(const std::string& name) const {
  const auto found = m_records.find(name);
  return found == m_records.end() ? nullptr : &found->second;
}

/// The record's own header may have other fields than the directory's.
Result<std::uint64_t> ZipArchive::dataAt(const ZipRecord& record) const {
  const auto header = bytesAt(m_source, record.header_at, kRecordHeader);
  if (!header || numberAt<std::uint32_t>(*header, 0) != kRecordMark) return Error::badInput("a record has no header");
  const std::uint64_t data_at =
      record.header_at + kRecordHeader + numberAt<std::uint16_t>(*header, 26) + numberAt<std::uint16_t>(*header, 28);
  if (data_at > record.end_limit || record.packed_bytes > record.end_limit - data_at)
    return Error::badInput("a record overlaps the next one");
  return data_at;
}

Status ZipArchive::read(const ZipRecord& record, void* to) const {
  const Result<std::uint64_t> at = dataAt(record);
  if (!at.ok()) return at.error();
  return record.deflated ? inflate(record, *at, to) : readStored(*at, to, record.bytes);
}

Status ZipArchive::readStored(std::uint64_t at, void* to, std::uint64_t bytes) const {
  return m_source.read(at, to, bytes) ? Status() : Status(Error::badInput("it ends too early"));
}

Status ZipArchive::inflate(const ZipRecord& record, std::uint64_t at, void* to) const {
  constexpr std::uint64_t kStep = std::uint64_t{1} << 30;  // zlib counts in 32 bits
  std::vector<unsigned char> packed(std::min<std::uint64_t>(record.packed_bytes, 1 << 18));
  z_stream stream{};
  if (::inflateInit2(&stream, -MAX_WBITS) != Z_OK) return Error::failed("zlib does not start");
  std::uint64_t taken = 0, made = 0;
  int state = Z_OK;
  while (state == Z_OK) {
    if (stream.avail_in == 0 && taken < record.packed_bytes) {
      const std::uint64_t some = std::min<std::uint64_t>(packed.size(), record.packed_bytes - taken);
      if (!m_source.read(at + taken, packed.data(), some)) break;
      stream.next_in = packed.data();
      stream.avail_in = static_cast<unsigned>(some);
      taken += some;
    }
    const auto room = static_cast<unsigned>(std::min(kStep, record.bytes - made));
    stream.next_out = static_cast<unsigned char*>(to) + made;
    stream.avail_out = room;
    state = ::inflate(&stream, Z_NO_FLUSH);
    made += room - stream.avail_out;
  }
  ::inflateEnd(&stream);
  return state == Z_STREAM_END && made == record.bytes
             ? Status()
             : Status(Error::badInput("a record does not unpack to its size"));
}

Result<std::string> ZipArchive::text(const ZipRecord& record, std::uint64_t most) const {
  if (record.bytes > most) return Error::badInput("it is larger than {}", formatBytes(static_cast<std::int64_t>(most)));
  std::string bytes(record.bytes, '\0');
  const Status done = read(record, bytes.data());
  return done.ok() ? Result<std::string>(std::move(bytes)) : Result<std::string>(done.error());
}

}  // namespace lanelab
