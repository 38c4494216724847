// SPDX-License-Identifier: GPL-3.0-only
// Small images that tests write themselves, also such as no program would.
#pragma once

#include <jpeglib.h>
#include <png.h>
#include <zlib.h>
#include <cstdio>  // jpeglib.h needs it before

#include <cstdlib>
#include <string>
#include <vector>

namespace lanelab::test {

/// One color all over.
inline std::string pngOf(int height, int width) {
  const std::vector<unsigned char> pixels(static_cast<std::size_t>(height * width * 3), 77);
  png_image image{};
  image.version = PNG_IMAGE_VERSION;
  image.width = static_cast<png_uint_32>(width);
  image.height = static_cast<png_uint_32>(height);
  image.format = PNG_FORMAT_RGB;
  std::string bytes(static_cast<std::size_t>(height * width * 4 + 10'000), '\0');
  png_alloc_size_t size = bytes.size();
  if (!png_image_write_to_memory(&image, bytes.data(), &size, 0, pixels.data(), 0, nullptr)) return "";
  bytes.resize(size);
  return bytes;
}

inline std::string bigEndian(std::uint32_t value) {
  std::string bytes;
  for (int shift = 24; shift >= 0; shift -= 8) bytes += static_cast<char>(value >> shift);
  return bytes;
}

inline std::string pngChunk(const std::string& kind, const std::string& data) {
  const std::string both = kind + data;
  const auto sum = static_cast<std::uint32_t>(
      ::crc32(0, reinterpret_cast<const unsigned char*>(both.data()), static_cast<unsigned>(both.size())));
  return bigEndian(static_cast<std::uint32_t>(data.size())) + both + bigEndian(sum);
}

/// What a PNG of this size begins with, and an end.
inline std::string pngThatClaims(std::uint32_t height, std::uint32_t width) {
  using std::string_literals::operator""s;
  return "\x89PNG\r\n\x1a\n" + pngChunk("IHDR", bigEndian(width) + bigEndian(height) + "\x08\x00\x00\x00\x00"s) +
         pngChunk("IDAT", "x") + pngChunk("IEND", "");
}

struct JpegStyle {
  J_COLOR_SPACE colors = JCS_RGB;  ///< of the pixels
  J_COLOR_SPACE file = JCS_YCbCr;
  bool many_scans = false;  ///< one for each coefficient
};

/// One color all over.
inline std::string jpegOf(int height, int width, const std::vector<unsigned char>& color, const JpegStyle& style = {}) {
  jpeg_compress_struct info{};
  jpeg_error_mgr errors{};
  info.err = jpeg_std_error(&errors);
  jpeg_create_compress(&info);
  unsigned char* data = nullptr;
  unsigned long size = 0;
  jpeg_mem_dest(&info, &data, &size);
  info.image_width = static_cast<JDIMENSION>(width);
  info.image_height = static_cast<JDIMENSION>(height);
  info.input_components = static_cast<int>(color.size());
  info.in_color_space = style.colors;
  jpeg_set_defaults(&info);
  jpeg_set_colorspace(&info, style.file);
  jpeg_set_quality(&info, 100, TRUE);
  std::vector<jpeg_scan_info> scans{{info.num_components, {0, 1, 2, 3}, 0, 0, 0, 0}};
  for (int component = 0; component < info.num_components; ++component)
    for (int k = 1; k < 64; ++k) scans.push_back({1, {component, 0, 0, 0}, k, k, 0, 0});
  if (style.many_scans) {
    info.scan_info = scans.data();
    info.num_scans = static_cast<int>(scans.size());
  }
  jpeg_start_compress(&info, TRUE);
  std::vector<unsigned char> line;
  for (int x = 0; x < width; ++x) line.insert(line.end(), color.begin(), color.end());
  for (int y = 0; y < height; ++y) {
    JSAMPROW row = line.data();
    jpeg_write_scanlines(&info, &row, 1);
  }
  jpeg_finish_compress(&info);
  std::string bytes(reinterpret_cast<const char*>(data), size);
  jpeg_destroy_compress(&info);
  std::free(data);
  return bytes;
}

}  // namespace lanelab::test
