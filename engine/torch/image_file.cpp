#include "engine/torch/image_file.h"

#include <ATen/ops/empty.h>
#include <jpeglib.h>
#include <png.h>

#include <csetjmp>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <optional>
#include <vector>

namespace lanelab {

namespace {

constexpr std::int64_t kMostPixels = std::int64_t{1} << 28;
constexpr std::uintmax_t kLargestFile = std::uintmax_t{1} << 30;

Error unreadable(const std::string& path, const std::string& why) {
  return Error::badInput(path + " cannot be read: " + why + ". Take the image out of the folder, or save it again as PNG or JPEG.");
}

std::optional<std::vector<unsigned char>> bytesOf(const std::string& path) {
  std::error_code error;
  const std::uintmax_t size = std::filesystem::file_size(path, error);
  if (error || size > kLargestFile) return std::nullopt;
  std::vector<unsigned char> bytes(size);
  std::ifstream stream(path, std::ios::binary);
  stream.read(reinterpret_cast<char*>(bytes.data()), static_cast<std::streamsize>(size));
  return stream ? std::optional(std::move(bytes)) : std::nullopt;
}

at::Tensor pixels(std::int64_t height, std::int64_t width) { return at::empty({height, width, 3}, at::TensorOptions().dtype(at::kByte)); }

/// Empty where it went well.
std::string decodePng(const std::vector<unsigned char>& bytes, at::Tensor& out) {
  png_image image;
  std::memset(&image, 0, sizeof image);
  image.version = PNG_IMAGE_VERSION;
  if (!png_image_begin_read_from_memory(&image, bytes.data(), bytes.size())) return image.message;
  if (static_cast<std::int64_t>(image.width) * image.height > kMostPixels) {
    png_image_free(&image);
    return "it has more than 268 million pixels";
  }
  image.format = PNG_FORMAT_RGB;
  out = pixels(image.height, image.width);
  const png_color black{0, 0, 0};
  if (!png_image_finish_read(&image, &black, out.mutable_data_ptr<std::uint8_t>(), 0, nullptr)) return image.message;
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

/// Nothing with a destructor lives here, since a jump would leave it. Calls `room` for the place of the pixels, null to refuse.
bool decodeInto(jpeg_decompress_struct& info, JpegErrors& errors, const unsigned char* bytes, unsigned long size,
                unsigned char* (*room)(void* context, unsigned height, unsigned width), void* context) {
  info.err = jpeg_std_error(&errors.base);
  errors.base.error_exit = jumpBack;
  errors.base.output_message = stayQuiet;
  jpeg_create_decompress(&info);
  if (setjmp(errors.back) != 0) {
    jpeg_destroy_decompress(&info);
    return false;
  }
  jpeg_mem_src(&info, bytes, size);
  jpeg_read_header(&info, TRUE);
  info.out_color_space = JCS_RGB;
  jpeg_start_decompress(&info);
  unsigned char* const begin = room(context, info.output_height, info.output_width);
  while (begin && info.output_scanline < info.output_height) {
    JSAMPROW row = begin + static_cast<std::size_t>(info.output_scanline) * info.output_width * 3;
    jpeg_read_scanlines(&info, &row, 1);
  }
  // A file that was cut off ends in grey and a warning; it shall not be trained on unnoticed.
  const bool whole = errors.base.num_warnings == 0;
  if (!whole) errors.base.format_message(reinterpret_cast<j_common_ptr>(&info), errors.message);
  if (begin) jpeg_finish_decompress(&info);
  jpeg_destroy_decompress(&info);
  return begin && whole;
}

std::string decodeJpeg(const std::vector<unsigned char>& bytes, at::Tensor& out) {
  jpeg_decompress_struct info{};
  JpegErrors errors{};
  std::strcpy(errors.message, "it has more than 268 million pixels");
  const auto room = [](void* context, unsigned height, unsigned width) -> unsigned char* {
    if (static_cast<std::int64_t>(height) * width > kMostPixels) return nullptr;
    auto& tensor = *static_cast<at::Tensor*>(context);
    tensor = pixels(height, width);
    return tensor.mutable_data_ptr<std::uint8_t>();
  };
  return decodeInto(info, errors, bytes.data(), bytes.size(), room, &out) ? "" : errors.message;
}

bool beginsWith(const std::vector<unsigned char>& bytes, std::initializer_list<unsigned char> magic) {
  return bytes.size() >= magic.size() && std::equal(magic.begin(), magic.end(), bytes.begin());
}

}  // namespace

Result<at::Tensor> readImage(const std::string& path) {
  const auto bytes = bytesOf(path);
  if (!bytes) return unreadable(path, "it is no file, may not be read, or is larger than 1 GiB");
  at::Tensor image;
  std::string problem = "it is neither PNG nor JPEG";
  if (beginsWith(*bytes, {0x89, 'P', 'N', 'G'})) problem = decodePng(*bytes, image);
  if (beginsWith(*bytes, {0xff, 0xd8})) problem = decodeJpeg(*bytes, image);
  if (!problem.empty()) return unreadable(path, problem);
  return image.permute({2, 0, 1});
}

}  // namespace lanelab
