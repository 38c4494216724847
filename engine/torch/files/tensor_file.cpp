// SPDX-License-Identifier: GPL-3.0-only
#include "engine/torch/files/tensor_file.h"

#include <ATen/ops/empty.h>
#include <unistd.h>

#include <algorithm>
#include <bit>
#include <cerrno>
#include <cstring>
#include <nlohmann/json.hpp>

#include "base/atomic_file.h"
#include "base/stop_point.h"
#include "base/text.h"
#include "engine/files/clipped_name.h"
#include "engine/files/file_checksum.h"
#include "engine/files/readable_bytes.h"
#include "engine/files/safetensors_header.h"
#include "engine/torch/devices/available_memory.h"
#include "engine/torch/files/state_dict_zip.h"

namespace lanelab {

namespace {

static_assert(std::endian::native == std::endian::little, "safetensors are little-endian");

constexpr std::uint64_t kBytesAtOnce = 16u << 20;  ///< read or written between two looks at whether to stop

struct TypeName {
  at::ScalarType type;
  std::string_view name;
};
constexpr TypeName kTypes[] = {{at::kFloat, "F32"}, {at::kDouble, "F64"}, {at::kHalf, "F16"},  {at::kBFloat16, "BF16"},
                               {at::kLong, "I64"},  {at::kInt, "I32"},    {at::kShort, "I16"}, {at::kChar, "I8"},
                               {at::kByte, "U8"},   {at::kBool, "BOOL"}};

/// The row whose `field` is `value`; null if there is none.
template <class Field>
const TypeName* typeWith(Field TypeName::*field, const Field& value) {
  const auto* const found = std::ranges::find(kTypes, value, field);
  return found == std::end(kTypes) ? nullptr : found;
}

bool writeAll(int fd, const void* from, std::uint64_t bytes) {
  const auto* in = static_cast<const char*>(from);
  while (bytes > 0) {
    stopPoint();
    const ssize_t n = ::write(fd, in, std::min(bytes, kBytesAtOnce));
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) return false;
    in += n;
    bytes -= static_cast<std::uint64_t>(n);
  }
  return true;
}

Error unreadable(const std::string& path, const std::string& why) {
  return Error::badInput("{} cannot be read: {}. Choose a safetensors file that exists and may be read.", path, why);
}

Error unsound(const std::string& path, const std::string& why) {
  return Error::badInput("{} is not a sound safetensors file: {}. Write or download it again.", path, why);
}

/// A file with its checked header.
struct OpenedTensors {
  ReadableBytes bytes;
  SafetensorsLayout layout;
};

Result<OpenedTensors> openTensors(const std::string& path) {
  Result<ReadableBytes> bytes = openBytes(path);
  if (!bytes.ok()) return unreadable(path, bytes.error().message);
  const std::uint64_t size = bytes->size;
  std::uint64_t length = 0;
  if (!bytes->read(0, &length, sizeof length)) return unsound(path, "it is shorter than a header");
  if (length > size - sizeof length || length > kMaxSafetensorsHeader)
    return unsound(path, "its header is longer than the file or 100 MB");
  std::string text(length, '\0');
  if (!bytes->read(sizeof length, text.data(), length)) return unsound(path, "it ends too early");
  const std::uint64_t data_at = sizeof length + length;
  Result<SafetensorsHeader> entries = parseSafetensorsHeader(text, size - data_at);
  if (!entries.ok()) return unsound(path, entries.error().message);
  return OpenedTensors{std::move(*bytes), {std::move(*entries), data_at, size}};
}

Result<at::Tensor> readTensor(const OpenedTensors& file, const SafetensorsEntry& entry) {
  const TypeName* const type = typeWith(&TypeName::name, std::string_view(entry.dtype));
  const std::uint64_t bytes = entry.end - entry.begin;
  if (!type) return Error::badInput("its type {} is not supported", entry.dtype);
  at::Tensor tensor = at::empty(entry.shape, at::TensorOptions().dtype(type->type));
  auto* const to = static_cast<char*>(tensor.data_ptr());
  for (std::uint64_t at = 0; at < bytes; at += kBytesAtOnce) {
    stopPoint();
    if (!file.bytes.read(file.layout.data_at + entry.begin + at, to + at, std::min(bytes - at, kBytesAtOnce)))
      return Error::badInput("it ends too early");
  }
  return tensor;
}

std::string headerText(const NamedTensors& tensors, Checksum checksum) {
  nlohmann::ordered_json json = nlohmann::ordered_json::object();
  if (checksum == Checksum::Yes) json["__metadata__"] = {{"crc32", kNoChecksum}};
  std::uint64_t at = 0;
  for (const auto& [name, tensor] : tensors) {
    const std::uint64_t end = at + tensor.nbytes();
    json[name] = {{"dtype", typeWith(&TypeName::type, tensor.scalar_type())->name},
                  {"shape", tensor.sizes().vec()},
                  {"data_offsets", {at, end}}};
    at = end;
  }
  std::string text = json.dump();
  text.resize((text.size() + 7) / 8 * 8, ' ');
  return text;
}

void addTo(FileChecksum& sum, const at::Tensor& tensor) {
  const auto* const from = static_cast<const char*>(tensor.const_data_ptr());
  for (std::uint64_t at = 0; at < tensor.nbytes(); at += kBytesAtOnce) {
    stopPoint();
    sum.add(from + at, std::min<std::uint64_t>(tensor.nbytes() - at, kBytesAtOnce));
  }
}

bool writeBody(int fd, const NamedTensors& tensors, Checksum checksum) {
  const std::string header = headerText(tensors, checksum);
  const std::uint64_t length = header.size();
  std::string begin(reinterpret_cast<const char*>(&length), sizeof length);
  begin += header;
  if (checksum == Checksum::Yes) {
    FileChecksum sum;
    sum.add(begin.data(), begin.size());
    for (const auto& [name, tensor] : tensors) addTo(sum, tensor);
    begin.replace(kChecksumAt, kNoChecksum.size(), sum.text());
  }
  if (!writeAll(fd, begin.data(), begin.size())) return false;
  return std::all_of(tensors.begin(), tensors.end(), [&](const auto& named) {
    return writeAll(fd, named.second.const_data_ptr(), named.second.nbytes());
  });
}

/// What cannot be opened is none: the reader of safetensors tells why.
bool isZip(const std::string& path) {
  const Result<ReadableBytes> bytes = openBytes(path);
  char magic[4] = {};
  return bytes.ok() && bytes->read(0, magic, sizeof magic) && std::memcmp(magic, "PK\3\4", sizeof magic) == 0;
}

}  // namespace

Result<TensorMap> readSafetensors(const std::string& path, const std::vector<std::string>& only) {
  const Result<OpenedTensors> file = openTensors(path);
  if (!file.ok()) return file.error();
  const auto wanted = [&](const std::string& name) {
    return only.empty() || std::find(only.begin(), only.end(), name) != only.end();
  };
  std::uint64_t bytes = 0;
  for (const auto& [name, entry] : file->layout.entries) bytes += wanted(name) ? entry.end - entry.begin : 0;
  // A sparse file may be far larger than what the disk holds of it.
  if (static_cast<double>(bytes) > 0.9 * static_cast<double>(availableMemory()))
    return Error::badInput("{}: its {} of tensors do not fit into memory. Close other programs, or use a smaller file.",
                           path, formatBytes(static_cast<std::int64_t>(bytes)));
  TensorMap tensors;
  for (const auto& [name, entry] : file->layout.entries) {
    if (!wanted(name)) continue;
    Result<at::Tensor> tensor = readTensor(*file, entry);
    if (!tensor.ok()) return Error::badInput("{}, tensor \"{}\": {}.", path, clippedName(name), tensor.error());
    tensors[name] = std::move(*tensor);
  }
  return tensors;
}

Result<SafetensorsLayout> readSafetensorsLayout(const std::string& path) {
  Result<OpenedTensors> file = openTensors(path);
  if (!file.ok()) return file.error();
  return std::move(file->layout);
}

std::optional<at::ScalarType> scalarTypeOf(std::string_view dtype) {
  const TypeName* const type = typeWith(&TypeName::name, dtype);
  return type ? std::optional(type->type) : std::nullopt;
}

Status writeSafetensors(const std::string& path, const NamedTensors& tensors, Checksum checksum, Durable durable) {
  NamedTensors ordered;
  for (const auto& [name, tensor] : tensors) ordered.emplace_back(name, tensor.detach().to(at::kCPU).contiguous());
  // Larger elements first keeps every tensor aligned.
  std::stable_sort(ordered.begin(), ordered.end(),
                   [](const auto& a, const auto& b) { return a.second.element_size() > b.second.element_size(); });
  PartialFile partial = PartialFile::beside(path);
  FileHandle file = partial.create();
  if (!file.ok()) return cannotWrite(path, errno);
  errno = 0;
  // Closing can report what writing did not (full disk, network folder).
  if (!writeBody(file.get(), ordered, checksum) || ::close(file.release()) != 0)
    return cannotWrite(path, errno != 0 ? errno : ENOSPC);
  if (const int error = partial.renameTo(path, durable); error != 0) return cannotWrite(path, error);
  return {};
}

Result<TensorMap> readWeights(const std::string& path) {
  return isZip(path) ? readStateDictZip(path) : readSafetensors(path);
}

}  // namespace lanelab
