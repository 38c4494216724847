#include "engine/torch/tensor_file.h"

#include <ATen/ops/empty.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <bit>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <nlohmann/json.hpp>
#include <system_error>

#include "engine/base/text.h"
#include "engine/torch/available_memory.h"
#include "engine/torch/safetensors_header.h"
#include "engine/torch/state_dict_zip.h"

namespace lanelab {

namespace {

static_assert(std::endian::native == std::endian::little, "safetensors are little-endian");

struct TypeName {
  at::ScalarType type;
  const char* name;
};
constexpr TypeName kTypes[] = {{at::kFloat, "F32"}, {at::kDouble, "F64"}, {at::kHalf, "F16"}, {at::kBFloat16, "BF16"},
                               {at::kLong, "I64"},  {at::kInt, "I32"},    {at::kShort, "I16"}, {at::kChar, "I8"},
                               {at::kByte, "U8"},   {at::kBool, "BOOL"}};

const TypeName* typeNamed(std::string_view name) {
  const auto* const found = std::find_if(std::begin(kTypes), std::end(kTypes), [&](const TypeName& t) { return name == t.name; });
  return found == std::end(kTypes) ? nullptr : found;
}

const TypeName* nameOf(at::ScalarType type) {
  const auto* const found = std::find_if(std::begin(kTypes), std::end(kTypes), [&](const TypeName& t) { return type == t.type; });
  return found == std::end(kTypes) ? nullptr : found;
}

/// A file descriptor that closes itself.
class File {
 public:
  explicit File(int fd) : m_fd(fd) {}
  ~File() { if (m_fd >= 0) ::close(m_fd); }
  File(const File&) = delete;
  File& operator=(const File&) = delete;
  int fd() const { return m_fd; }
  bool ok() const { return m_fd >= 0; }
  /// Closing can report what writing did not (full disk, network folder).
  bool close() { const int fd = m_fd; m_fd = -1; return ::close(fd) == 0; }

 private:
  int m_fd;
};

bool readAll(int fd, void* to, std::uint64_t bytes, std::uint64_t offset) {
  auto* out = static_cast<char*>(to);
  while (bytes > 0) {
    const ssize_t n = ::pread(fd, out, std::min<std::uint64_t>(bytes, 1u << 30), static_cast<off_t>(offset));
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) return false;
    out += n;
    offset += static_cast<std::uint64_t>(n);
    bytes -= static_cast<std::uint64_t>(n);
  }
  return true;
}

bool writeAll(int fd, const void* from, std::uint64_t bytes) {
  const auto* in = static_cast<const char*>(from);
  while (bytes > 0) {
    const ssize_t n = ::write(fd, in, std::min<std::uint64_t>(bytes, 1u << 30));
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) return false;
    in += n;
    bytes -= static_cast<std::uint64_t>(n);
  }
  return true;
}

std::string systemReason() { return std::generic_category().message(errno); }

Error unreadable(const std::string& path, const std::string& why) {
  return Error::badInput(path + " cannot be read: " + why + ". Choose a safetensors file that exists and may be read.");
}

Error unsound(const std::string& path, const std::string& why) {
  return Error::badInput(path + " is no sound safetensors file: " + why + ". Write or download it again.");
}

Result<SafetensorsLayout> readHeader(const File& file, const std::string& path) {
  struct stat info {};
  if (!file.ok() || ::fstat(file.fd(), &info) != 0) return unreadable(path, systemReason());
  if (!S_ISREG(info.st_mode)) return unreadable(path, "it is no regular file");
  const auto size = static_cast<std::uint64_t>(info.st_size);
  std::uint64_t length = 0;
  if (size < sizeof length || !readAll(file.fd(), &length, sizeof length, 0)) return unsound(path, "it is shorter than a header");
  if (length > size - sizeof length || length > kMaxSafetensorsHeader) return unsound(path, "its header is longer than the file or 100 MB");
  std::string text(length, '\0');
  if (!readAll(file.fd(), text.data(), length, sizeof length)) return unsound(path, "it ends too early");
  const std::uint64_t data_at = sizeof length + length;
  Result<SafetensorsHeader> entries = parseSafetensorsHeader(text, size - data_at);
  if (!entries.ok()) return unsound(path, entries.error().message);
  return SafetensorsLayout{std::move(*entries), data_at, size};
}

Result<at::Tensor> readTensor(int fd, const SafetensorsEntry& entry, std::uint64_t data_at) {
  const TypeName* const type = typeNamed(entry.dtype);
  if (!type) return Error::badInput("its type " + entry.dtype + " is not supported");
  if (static_cast<double>(entry.end - entry.begin) > 0.9 * static_cast<double>(availableMemory())) {
    return Error::badInput("a tensor of " + formatBytes(static_cast<std::int64_t>(entry.end - entry.begin)) + " does not fit into memory");
  }
  at::Tensor tensor = at::empty(entry.shape, at::TensorOptions().dtype(type->type));
  if (!readAll(fd, tensor.data_ptr(), entry.end - entry.begin, data_at + entry.begin)) return Error::badInput("it ends too early");
  return tensor;
}

std::string headerText(const std::vector<std::pair<std::string, at::Tensor>>& tensors) {
  nlohmann::ordered_json json = nlohmann::ordered_json::object();
  std::uint64_t at = 0;
  for (const auto& [name, tensor] : tensors) {
    const std::uint64_t end = at + tensor.nbytes();
    json[name] = {{"dtype", nameOf(tensor.scalar_type())->name}, {"shape", tensor.sizes().vec()}, {"data_offsets", {at, end}}};
    at = end;
  }
  std::string text = json.dump();
  text.resize((text.size() + 7) / 8 * 8, ' ');
  return text;
}

bool writeBody(int fd, const std::vector<std::pair<std::string, at::Tensor>>& tensors) {
  const std::string header = headerText(tensors);
  const std::uint64_t length = header.size();
  if (!writeAll(fd, &length, sizeof length) || !writeAll(fd, header.data(), header.size())) return false;
  return std::all_of(tensors.begin(), tensors.end(), [&](const auto& named) {
    return writeAll(fd, named.second.const_data_ptr(), named.second.nbytes());
  });
}

bool isZip(const std::string& path) {
  const File file(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  char magic[4] = {};
  return file.ok() && readAll(file.fd(), magic, 4, 0) && std::memcmp(magic, "PK\3\4", 4) == 0;
}

}  // namespace

Result<TensorMap> readSafetensors(const std::string& path, const std::vector<std::string>& only) {
  const File file(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  const Result<SafetensorsLayout> header = readHeader(file, path);
  if (!header.ok()) return header.error();
  TensorMap tensors;
  for (const auto& [name, entry] : header->entries) {
    if (!only.empty() && std::find(only.begin(), only.end(), name) == only.end()) continue;
    Result<at::Tensor> tensor = readTensor(file.fd(), entry, header->data_at);
    if (!tensor.ok()) return Error::badInput(path + ", tensor \"" + name + "\": " + tensor.error().message + ".");
    tensors[name] = std::move(*tensor);
  }
  return tensors;
}

Result<SafetensorsLayout> readSafetensorsLayout(const std::string& path) {
  const File file(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  return readHeader(file, path);
}

Result<SafetensorsHeader> readSafetensorsHeader(const std::string& path) {
  Result<SafetensorsLayout> layout = readSafetensorsLayout(path);
  if (!layout.ok()) return layout.error();
  return std::move(layout->entries);
}

std::optional<at::ScalarType> scalarTypeOf(std::string_view dtype) {
  const TypeName* const type = typeNamed(dtype);
  return type ? std::optional(type->type) : std::nullopt;
}

Status writeSafetensors(const std::string& path, const std::vector<std::pair<std::string, at::Tensor>>& tensors) {
  std::vector<std::pair<std::string, at::Tensor>> ordered;
  for (const auto& [name, tensor] : tensors) ordered.emplace_back(name, tensor.detach().to(at::kCPU).contiguous());
  // Larger elements first keeps every tensor aligned.
  std::stable_sort(ordered.begin(), ordered.end(),
                   [](const auto& a, const auto& b) { return a.second.element_size() > b.second.element_size(); });
  const std::string aside = path + ".part";
  const auto failed = [&](const std::string& why) {
    ::unlink(aside.c_str());
    return Error::failed(path + " could not be written: " + why + ". Choose a folder that may be written and has room.");
  };
  File file(::open(aside.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666));
  if (!file.ok()) return failed(systemReason());
  errno = 0;
  if (!writeBody(file.fd(), ordered) || !file.close()) return failed(errno ? systemReason() : "the disk took no more");
  if (std::rename(aside.c_str(), path.c_str()) != 0) return failed(systemReason());
  return {};
}

Result<TensorMap> readWeights(const std::string& path) { return isZip(path) ? readStateDictZip(path) : readSafetensors(path); }

}  // namespace lanelab
