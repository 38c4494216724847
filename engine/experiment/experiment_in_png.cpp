// SPDX-License-Identifier: GPL-3.0-only
#include <algorithm>
#include <csetjmp>
#include <cstring>

#include "engine/experiment/experiment_source.h"

#ifdef LANELAB_READS_PNG
#include <png.h>
#endif

namespace lanelab {

#ifdef LANELAB_READS_PNG

namespace {

constexpr const char* kKey = "lanelab";
constexpr png_alloc_size_t kLargestChunk = 16U << 20U;
constexpr png_uint_32 kMostChunks = 1000;

struct PngBytes {
  std::string_view left;
  std::string problem;
};

/// Whether no chunk claims more bytes than the file has: libpng makes room for a chunk of text before it reads it.
bool chunksFit(std::string_view bytes) {
  constexpr std::size_t kSignature = 8, kAround = 12;  // length and type before, checksum behind
  bytes.remove_prefix(std::min(bytes.size(), kSignature));
  while (bytes.size() >= kAround) {
    std::size_t length = 0;
    for (int i = 0; i < 4; ++i) length = length << 8U | static_cast<unsigned char>(bytes[static_cast<std::size_t>(i)]);
    if (length > bytes.size() - kAround) return false;
    bytes.remove_prefix(length + kAround);
  }
  return true;
}

void readPngBytes(png_structp png, png_bytep to, png_size_t count) {
  PngBytes& bytes = *static_cast<PngBytes*>(png_get_io_ptr(png));
  if (count > bytes.left.size()) png_error(png, "the PNG ends too early");
  std::memcpy(to, bytes.left.data(), count);
  bytes.left.remove_prefix(count);
}

void endPngReading(png_structp png, png_const_charp message) {
  static_cast<PngBytes*>(png_get_error_ptr(png))->problem = message;
  std::longjmp(png_jmpbuf(png), 1);
}

/// PNG's older text chunks are in Latin-1.
std::string fromLatin1(std::string_view text) {
  std::string utf8;
  for (const char c : text) {
    const auto code = static_cast<unsigned char>(c);
    if (code < 0x80) {
      utf8 += c;
    } else {
      utf8 += static_cast<char>(0xc0 | (code >> 6U));
      utf8 += static_cast<char>(0x80 | (code & 0x3fU));
    }
  }
  return utf8;
}

std::string textOfKey(png_structp png, png_infop info) {
  png_textp texts = nullptr;
  int count = 0;
  png_get_text(png, info, &texts, &count);
  for (int i = 0; i < count; ++i) {
    const png_text& text = texts[i];
    if (std::strcmp(text.key, kKey) != 0 || text.text == nullptr) continue;
    const bool is_utf8 = text.compression >= PNG_ITXT_COMPRESSION_NONE;
    return is_utf8 ? std::string(text.text, text.itxt_length) : fromLatin1({text.text, text.text_length});
  }
  return {};
}

/// Nothing with a destructor may live between setjmp and longjmp, so results are the caller's.
void readPng(png_structp png, png_infop info, std::string& found) {
  if (setjmp(png_jmpbuf(png)) != 0) return;
  png_set_chunk_malloc_max(png, kLargestChunk);
  png_set_chunk_cache_max(png, kMostChunks);
  png_set_user_limits(png, 1U << 20U, 1U << 20U);  // the pixels are not read
  png_read_info(png, info);
  found = textOfKey(png, info);
}

}  // namespace

Result<std::string> experimentInPng(std::string_view bytes) {
  if (!chunksFit(bytes)) return Error::badInput("the PNG is damaged (a part is longer than the file)");
  PngBytes source{bytes, {}};
  const auto ignore = [](png_structp, png_const_charp) {};
  png_structp png = png_create_read_struct(PNG_LIBPNG_VER_STRING, &source, endPngReading, ignore);
  png_infop info = png == nullptr ? nullptr : png_create_info_struct(png);
  std::string found;
  if (info != nullptr) {
    png_set_read_fn(png, &source, readPngBytes);
    readPng(png, info, found);
  }
  png_destroy_read_struct(&png, &info, nullptr);
  if (!source.problem.empty()) return Error::badInput("the PNG is damaged ({})", source.problem);
  return found;
}

#else

Result<std::string> experimentInPng(std::string_view) {
  return Error::badInput("this build has no libpng, so it cannot read an experiment from a PNG file");
}

#endif

}  // namespace lanelab
