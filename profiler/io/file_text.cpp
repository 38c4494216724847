#include "profiler/io/file_text.h"

#include <zlib.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <memory>

namespace lanelab {

namespace {

constexpr std::size_t piece = 1U << 20U;

bool isGzip(const std::string& bytes) { return bytes.size() >= 2 && bytes[0] == '\x1f' && bytes[1] == '\x8b'; }

/// 0 on success, otherwise errno.
int readBytes(const std::string& path, std::string& bytes) {
  const std::unique_ptr<std::FILE, int (*)(std::FILE*)> file(std::fopen(path.c_str(), "rb"), std::fclose);
  if (!file) return errno;
  std::size_t read = 0;
  do {
    const std::size_t size = bytes.size();
    bytes.resize(size + piece);
    read = std::fread(bytes.data() + size, 1, piece, file.get());
    bytes.resize(size + read);
  } while (read > 0);
  return std::ferror(file.get()) != 0 ? (errno != 0 ? errno : EIO) : 0;
}

/// Unzips all members one after another; false when the data is damaged or cut, `text` is then what came before.
bool unzip(const std::string& bytes, std::string& text) {
  z_stream stream{};
  if (inflateInit2(&stream, MAX_WBITS + 16) != Z_OK) return false;
  const std::unique_ptr<z_stream, int (*)(z_stream*)> closer(&stream, inflateEnd);
  std::size_t taken = 0;
  int state = Z_OK;
  while (state == Z_OK) {
    const std::size_t offered = std::min(piece, bytes.size() - taken);
    // zlib reads only; its older signature lacks the const.
    stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(bytes.data() + taken));
    stream.avail_in = static_cast<uInt>(offered);
    const std::size_t size = text.size();
    text.resize(size + piece);
    stream.next_out = reinterpret_cast<Bytef*>(text.data() + size);
    stream.avail_out = static_cast<uInt>(piece);
    state = inflate(&stream, Z_NO_FLUSH);
    text.resize(size + piece - stream.avail_out);
    taken += offered - stream.avail_in;
    if (state == Z_STREAM_END && bytes.size() - taken >= 2 && isGzip(bytes.substr(taken, 2))) state = inflateReset(&stream);
  }
  return state == Z_STREAM_END;
}

}  // namespace

FileText readFileText(const std::string& path) {
  FileText file;
  std::string bytes;
  if (const int reason = readBytes(path, bytes); reason != 0) {
    file.error = path + " could not be read: " + std::strerror(reason) + "; choose a trace file that you may read.";
    return file;
  }
  if (!isGzip(bytes)) {
    file.text = std::move(bytes);
    return file;
  }
  file.damaged_gzip = !unzip(bytes, file.text);
  if (file.damaged_gzip && file.text.empty()) file.error = path + " is a damaged gzip file; copy or record it again.";
  return file;
}

}  // namespace lanelab
