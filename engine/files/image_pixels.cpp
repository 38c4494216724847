// SPDX-License-Identifier: GPL-3.0-only
#include "engine/files/image_pixels.h"

#ifdef LANELAB_READS_IMAGES
#include <jpeglib.h>
#include <png.h>
#include <cstdio>  // jpeglib.h needs it before
#endif

#include <algorithm>
#include <array>
#include <csetjmp>
#include <cstring>
#include <new>

#include "base/text.h"

namespace lanelab {

std::string sizeProblem(std::int64_t height, std::int64_t width) {
  const std::string sides = "it is " + std::to_string(width) + " x " + std::to_string(height) + " pixels, ";
  if (height < 1 || width < 1) return sides + "which is none";
  if (height > kMostPixels / width)
    return sides + "and at most " + std::to_string(kMostPixels / 1'000'000) + " million are read";
  const auto [shorter, longer] = std::minmax(height, width);
  return longer / kLongestStrip <= shorter
             ? ""
             : sides + "one side more than " + std::to_string(kLongestStrip) + " times the other";
}

bool isImageName(const std::string& name) {
  const std::string lower = smallLetters(name);
  constexpr std::array<std::string_view, 3> kEndings = {".png", ".jpg", ".jpeg"};
  return std::ranges::any_of(kEndings, [&](std::string_view ending) { return lower.ends_with(ending); });
}

#ifdef LANELAB_READS_IMAGES

namespace {

/// Progressive images have about ten; each of thousands goes through all the pixels again.
constexpr int kMostScans = 100;

constexpr const char* kNoMemory = "it does not fit into memory";

/// Without bytes if there is no memory for them.
Pixels roomFor(std::int64_t height, std::int64_t width) {
  return {
      height, width,
      std::shared_ptr<unsigned char[]>(new (std::nothrow) unsigned char[static_cast<std::size_t>(height * width * 3)])};
}

/// Empty if it went well.
std::string decodePng(std::string_view bytes, Pixels& out) {
  png_image image;
  std::memset(&image, 0, sizeof image);
  image.version = PNG_IMAGE_VERSION;
  if (!png_image_begin_read_from_memory(&image, bytes.data(), bytes.size())) return image.message;
  if (std::string problem = sizeProblem(image.height, image.width); !problem.empty()) {
    png_image_free(&image);
    return problem;
  }
  image.format = PNG_FORMAT_RGB;
  out = roomFor(image.height, image.width);
  if (!out.bytes) {
    png_image_free(&image);
    return kNoMemory;
  }
  const png_color black{0, 0, 0};
  if (!png_image_finish_read(&image, &black, out.bytes.get(), 0, nullptr)) return image.message;
  return "";
}

/// libjpeg tells of errors by a call that must not return: it jumps back to where decoding began.
struct JpegErrors {
  jpeg_error_mgr base;
  std::jmp_buf back;
  char message[JMSG_LENGTH_MAX];
};

void jumpBack(j_common_ptr info) {
  auto* const errors = reinterpret_cast<JpegErrors*>(info->err);
  errors->base.format_message(info, errors->message);
  std::longjmp(errors->back, 1);
}

void stayQuiet(j_common_ptr) {}

void limitScans(j_common_ptr info) {
  if (reinterpret_cast<j_decompress_ptr>(info)->input_scan_number <= kMostScans) return;
  auto* const errors = reinterpret_cast<JpegErrors*>(info->err);
  std::strcpy(errors->message, "it has more than 100 scans");
  std::longjmp(errors->back, 1);
}

/// a * b / 255, rounded as in Pillow.
unsigned char product(unsigned a, unsigned b) {
  const unsigned both = a * b + 128;
  return static_cast<unsigned char>(((both >> 8) + both) >> 8);
}

/// Four channels as Adobe's programs write them, upside down, which Pillow takes all for.
void rgbOfCmyk(const unsigned char* cmyk, unsigned width, unsigned char* rgb) {
  for (unsigned x = 0; x < width; ++x, cmyk += 4, rgb += 3) {
    for (int channel = 0; channel < 3; ++channel)
      rgb[channel] = static_cast<unsigned char>(cmyk[3] - product(255u - cmyk[channel], cmyk[3]));
  }
}

void readRows(jpeg_decompress_struct& info, unsigned char* to) {
  const unsigned width = info.output_width;
  // The rows of the pool go with the decoder, also by a jump.
  JSAMPROW four = info.out_color_space == JCS_CMYK
                      ? (*info.mem->alloc_sarray)(reinterpret_cast<j_common_ptr>(&info), JPOOL_IMAGE, width * 4, 1)[0]
                      : nullptr;
  for (; info.output_scanline < info.output_height; to += static_cast<std::size_t>(width) * 3) {
    JSAMPROW row = four ? four : to;
    jpeg_read_scanlines(&info, &row, 1);
    if (four) rgbOfCmyk(four, width, to);
  }
}

/// Nothing with a destructor lives here, since a jump would leave it. Calls `room` for the place of the pixels, null to
/// refuse.
bool decodeInto(jpeg_decompress_struct& info, JpegErrors& errors, const char* bytes, unsigned long size,
                unsigned char* (*room)(void* context, unsigned height, unsigned width), void* context) {
  jpeg_progress_mgr progress{};
  progress.progress_monitor = limitScans;
  info.err = jpeg_std_error(&errors.base);
  errors.base.error_exit = jumpBack;
  errors.base.output_message = stayQuiet;
  jpeg_create_decompress(&info);
  if (setjmp(errors.back) != 0) {
    jpeg_destroy_decompress(&info);
    return false;
  }
  info.progress = &progress;
  jpeg_mem_src(&info, reinterpret_cast<const unsigned char*>(bytes), size);
  jpeg_read_header(&info, TRUE);
  info.out_color_space = info.num_components == 4 ? JCS_CMYK : JCS_RGB;
  // Before the start, which makes room for all coefficients of a progressive image.
  unsigned char* const begin = room(context, info.image_height, info.image_width);
  if (begin) {
    jpeg_start_decompress(&info);
    readRows(info, begin);
  }
  // A file that was cut off ends in grey and a warning; it shall not be trained on unnoticed.
  const bool whole = errors.base.num_warnings == 0;
  if (!whole) errors.base.format_message(reinterpret_cast<j_common_ptr>(&info), errors.message);
  if (begin) jpeg_finish_decompress(&info);
  jpeg_destroy_decompress(&info);
  return begin && whole;
}

struct JpegRoom {
  Pixels& pixels;
  std::string problem;  ///< why there is none
};

std::string decodeJpeg(std::string_view bytes, Pixels& out) {
  jpeg_decompress_struct info{};
  JpegErrors errors{};
  JpegRoom jpeg{out, ""};
  const auto room = [](void* context, unsigned height, unsigned width) -> unsigned char* {
    auto& [pixels, problem] = *static_cast<JpegRoom*>(context);
    problem = sizeProblem(height, width);
    if (!problem.empty()) return nullptr;
    pixels = roomFor(height, width);
    if (!pixels.bytes) problem = kNoMemory;
    return pixels.bytes.get();
  };
  if (decodeInto(info, errors, bytes.data(), bytes.size(), room, &jpeg)) return "";
  return jpeg.problem.empty() ? errors.message : jpeg.problem;
}

}  // namespace

Result<Pixels> decodeImage(std::string_view bytes) {
  Pixels image;
  std::string problem = "it is neither PNG nor JPEG";
  if (bytes.starts_with("\x89PNG")) problem = decodePng(bytes, image);
  if (bytes.starts_with("\xff\xd8")) problem = decodeJpeg(bytes, image);
  if (!problem.empty()) return Error::badInput(verbatim(problem));
  return image;
}

std::string whyNoImages() { return ""; }

#else  // CMake found no libpng or libjpeg

Result<Pixels> decodeImage(std::string_view) { return Error::badInput(verbatim(whyNoImages())); }

std::string whyNoImages() {
  return "this program was built without libpng and libjpeg: install libpng-dev and libjpeg-dev and build it again";
}

#endif

}  // namespace lanelab
