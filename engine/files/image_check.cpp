// SPDX-License-Identifier: GPL-3.0-only
#include "engine/files/image_check.h"

#include <algorithm>
#include <atomic>
#include <exception>
#include <mutex>
#include <optional>
#include <string_view>
#include <thread>

#include "base/stop_point.h"
#include "engine/files/image_pixels.h"

namespace lanelab {

namespace {

using std::string_view_literals::operator""sv;

constexpr std::uint64_t kLargestFile = std::uint64_t{1} << 30;
constexpr std::string_view kPngMark = "\x89PNG\r\n\x1a\n\0\0\0\rIHDR"sv, kPngEnd = "\0\0\0\0IEND\xae\x42\x60\x82"sv,
                           kJpegMark = "\xff\xd8\xff"sv, kJpegEnd = "\xff\xd9"sv;
constexpr std::size_t kPngSides = 16;  ///< behind the mark: width and height
constexpr int kMostSegments = 4096;
constexpr std::size_t kFilesAtOnce = 32;
constexpr std::size_t kMostThreads = 8;

/// Of a number in some bytes.
std::int64_t bigEndian(std::string_view bytes, std::size_t at, std::size_t count) {
  std::int64_t value = 0;
  for (const char byte : bytes.substr(at, count)) value = value << 8 | static_cast<unsigned char>(byte);
  return value;
}

bool endsWith(const ReadableBytes& source, std::string_view end) {
  return source.size >= end.size() && bytesAt(source, source.size - end.size(), end.size()) == end;
}

struct Sides {
  std::int64_t height = 0, width = 0;
};

std::optional<Sides> pngSides(const ReadableBytes& source) {
  const auto header = bytesAt(source, 0, 24);
  if (!header || !header->starts_with(kPngMark)) return std::nullopt;
  return Sides{bigEndian(*header, kPngSides + 4, 4), bigEndian(*header, kPngSides, 4)};
}

/// From the first frame header of a kind that every libjpeg decodes; nothing if another comes, or none.
std::optional<Sides> jpegSides(const ReadableBytes& source) {
  if (bytesAt(source, 0, kJpegMark.size()) != kJpegMark) return std::nullopt;
  std::uint64_t at = 2;
  for (int i = 0; i < kMostSegments; ++i) {
    const auto segment = bytesAt(source, at, 10);
    if (!segment || (*segment)[0] != '\xff') return std::nullopt;
    const auto kind = static_cast<unsigned char>((*segment)[1]);
    if (kind >= 0xc0 && kind <= 0xc2) {
      const auto channels = (*segment)[9];
      if ((*segment)[4] != 8 || (channels != 1 && channels != 3 && channels != 4)) return std::nullopt;
      return Sides{bigEndian(*segment, 5, 2), bigEndian(*segment, 7, 2)};
    }
    const bool frame = kind > 0xc2 && kind <= 0xcf && kind != 0xc4 && kind != 0xc8 && kind != 0xcc;
    if (frame || kind == 0xda || kind == 0xd9 || kind == 0xff) return std::nullopt;
    at += 2 + static_cast<std::uint64_t>(bigEndian(*segment, 2, 2));
  }
  return std::nullopt;
}

std::string decodingProblem(const ReadableBytes& source) {
  const Result<std::string> bytes = allBytes(source, kLargestFile);
  if (!bytes.ok()) return bytes.error().message;
  const Result<Pixels> image = decodeImage(*bytes);
  return image.ok() ? "" : image.error().message;
}

std::string problemOf(const std::string& path) {
  try {
    const Result<ReadableBytes> source = openBytes(path);
    return source.ok() ? imageProblem(*source) : source.error().message;
  } catch (const std::exception&) {  // no memory for this one
    return "it does not fit into memory";
  }
}

}  // namespace

Result<std::string> imageBytes(const std::string& path) {
  const Result<ReadableBytes> source = openBytes(path);
  return source.ok() ? allBytes(*source, kLargestFile) : Result<std::string>(source.error());
}

std::string imageProblem(const ReadableBytes& source) {
  if (std::string absent = whyNoImages(); !absent.empty()) return absent;
  const std::optional<Sides> png = pngSides(source), jpeg = png ? std::nullopt : jpegSides(source);
  if (!png && !jpeg) return decodingProblem(source);
  const Sides sides = png ? *png : *jpeg;
  if (std::string problem = sizeProblem(sides.height, sides.width); !problem.empty()) return problem;
  if (source.size > kLargestFile || !endsWith(source, png ? kPngEnd : kJpegEnd)) return decodingProblem(source);
  return "";
}

std::vector<UnreadableImage> findUnreadableImages(const std::vector<std::string>& paths) {
  std::vector<UnreadableImage> found;
  std::mutex mutex;  // guards `found`
  std::atomic<std::size_t> next = 0;
  const std::stop_token stop = currentStopToken();
  const auto look = [&] {
    for (std::size_t begin = next.fetch_add(kFilesAtOnce); begin < paths.size(); begin = next.fetch_add(kFilesAtOnce)) {
      if (stop.stop_requested()) return;
      for (std::size_t i = begin; i < std::min(begin + kFilesAtOnce, paths.size()); ++i) {
        std::string reason = problemOf(paths[i]);
        if (reason.empty()) continue;
        const std::lock_guard lock(mutex);
        found.push_back({i, std::move(reason)});
      }
    }
  };
  {
    std::vector<std::jthread> others;
    const std::size_t threads =
        std::min({kMostThreads, std::size_t{std::thread::hardware_concurrency()}, paths.size() / kFilesAtOnce});
    for (std::size_t i = 1; i < threads; ++i) others.emplace_back(look);
    look();
  }
  stopPoint();
  std::ranges::sort(found, {}, &UnreadableImage::index);
  return found;
}

}  // namespace lanelab
