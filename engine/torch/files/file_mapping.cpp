// SPDX-License-Identifier: GPL-3.0-only
#include "engine/torch/files/file_mapping.h"

#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <system_error>

#include "base/regular_file.h"

namespace lanelab {

namespace {

std::uint64_t pageSize() {
  static const auto size = static_cast<std::uint64_t>(::sysconf(_SC_PAGESIZE));
  return size;
}

}  // namespace

Result<std::shared_ptr<const FileMapping>> FileMapping::open(const std::string& path, std::uint64_t bytes) {
  const OpenedFile opened = openRegularFile(path);
  const int fd = opened.file ? ::fileno(opened.file.get()) : -1;
  struct stat info {};
  const bool whole = fd >= 0 && ::fstat(fd, &info) == 0 && static_cast<std::uint64_t>(info.st_size) == bytes;
  void* const data = whole ? ::mmap(nullptr, bytes, PROT_READ, MAP_PRIVATE, fd, 0) : MAP_FAILED;
  const std::string reason = !opened.file ? opened.reason
                             : !whole     ? "it is being changed"
                                          : std::generic_category().message(errno);
  if (data == MAP_FAILED)
    return Error::badInput("{} cannot be mapped: {}. Choose a file on a disk that allows it.", path, reason);
  return std::shared_ptr<const FileMapping>(new FileMapping(static_cast<char*>(data), bytes));
}

FileMapping::~FileMapping() { ::munmap(m_data, m_bytes); }

std::optional<std::uint64_t> FileMapping::offsetOf(const void* place) const {
  const auto here = reinterpret_cast<std::uintptr_t>(place), begin = reinterpret_cast<std::uintptr_t>(m_data);
  return here >= begin && here - begin < m_bytes ? std::optional<std::uint64_t>(here - begin) : std::nullopt;
}

void FileMapping::read(std::uint64_t begin, std::uint64_t end) const {
  const std::uint64_t from = begin / pageSize() * pageSize();
#ifdef MADV_POPULATE_READ
  if (::madvise(at(from), end - from, MADV_POPULATE_READ) == 0) return;
#endif
  // Kernels before 5.14.
  ::madvise(at(from), end - from, MADV_WILLNEED);
  for (std::uint64_t offset = from; offset < end; offset += pageSize())
    static_cast<void>(*const_cast<volatile char*>(at(offset)));
}

void FileMapping::drop(std::uint64_t begin, std::uint64_t end) const {
  const std::uint64_t from = (begin + pageSize() - 1) / pageSize() * pageSize(), to = end / pageSize() * pageSize();
  if (from < to) ::madvise(at(from), to - from, MADV_DONTNEED);
}

}  // namespace lanelab
