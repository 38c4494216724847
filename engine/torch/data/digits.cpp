// SPDX-License-Identifier: GPL-3.0-only
#include "engine/torch/data/data_sources.h"

#include <ATen/ops/empty.h>
#include <zlib.h>

#include <charconv>
#include <stdexcept>
#include <string>

#include "base/text.h"
#include "engine/experiment/row_order.h"
#include "engine/experiment/training_targets.h"
#include "engine/torch/data/digits_bytes.h"

namespace lanelab {

namespace {

constexpr std::int64_t kSide = 8, kRows = kDigitsTraining + kDigitsValidation;
constexpr std::int64_t kLargestSide = 128;
constexpr float kHalf = 8;  ///< of the largest value

/// gzip's content. Throws where the bundled bytes are damaged, which only a broken build can do.
std::string unpacked() {
  std::string text(std::size_t{1} << 20, '\0');
  z_stream stream{};
  if (::inflateInit2(&stream, 16 + MAX_WBITS) != Z_OK) throw std::runtime_error("zlib does not start");
  stream.next_in = const_cast<unsigned char*>(digits_bytes);
  stream.avail_in = static_cast<unsigned>(digits_bytes_size);
  stream.next_out = reinterpret_cast<unsigned char*>(text.data());
  stream.avail_out = static_cast<unsigned>(text.size());
  const int end = ::inflate(&stream, Z_FINISH);
  text.resize(stream.total_out);
  ::inflateEnd(&stream);
  if (end != Z_STREAM_END) throw std::runtime_error("the bundled digits are damaged: build the program again");
  return text;
}

/// [1797, 1, 8, 8] and [1797].
Samples smallDigits() {
  const std::string text = unpacked();
  Samples all{at::empty({kRows, 1, kSide, kSide}, at::TensorOptions().dtype(at::kFloat)),
              at::empty({kRows}, at::TensorOptions().dtype(at::kLong))};
  float* pixel = all.inputs.mutable_data_ptr<float>();
  auto* id = all.targets.mutable_data_ptr<std::int64_t>();
  const char* at = text.data();
  const char* const end = at + text.size();
  const auto next = [&] {
    int value = -1;
    const auto [stop, error] = std::from_chars(at, end, value);
    if (error != std::errc() || value < 0)
      throw std::runtime_error("the bundled digits are damaged: build the program again");
    at = stop;
    while (at < end && (*at == ',' || *at == '\n' || *at == '\r')) ++at;
    return value;
  };
  for (std::int64_t row = 0; row < kRows; ++row) {
    for (std::int64_t i = 0; i < kSide * kSide; ++i) *pixel++ = (static_cast<float>(next()) - kHalf) / kHalf;
    *id++ = next();
  }
  return all;
}

/// Each pixel as a square, on all channels alike: [1797, channels, height, width].
at::Tensor enlarged(const at::Tensor& small, const Shape& shape) {
  const std::int64_t high = shape[1] / kSide, wide = shape[2] / kSide;
  return small.view({kRows, 1, kSide, 1, kSide, 1})
      .expand({kRows, shape[0], kSide, high, kSide, wide})
      .reshape({kRows, shape[0], shape[1], shape[2]});
}

}  // namespace

Status checkDigits(const Experiment& experiment) {
  const Shape& shape = experiment.data.shape;
  const auto fits = [](std::int64_t side) { return side % kSide == 0 && side >= kSide && side <= kLargestSide; };
  if (shape.size() != 3 || (shape[0] != 1 && shape[0] != 3) || !fits(shape[1]) || !fits(shape[2])) {
    return Error::badInput(
        "data.shape: the digits are 8x8 pixels, so the shape must be 1 or 3 channels with sides of 8, 16, 24 ... 128, "
        "such as [3, 32, 32]; it is [{}].",
        formatShape(shape));
  }
  if (experiment.model.classes < 10) {
    return Error::badInput("model.classes: there are 10 digits, and the model has {} classes. {}.",
                           experiment.model.classes, classesAdvice(experiment.model, 10));
  }
  return {};
}

Result<DataParts> openDigits(const Experiment& experiment) {
  if (const Status fits = checkDigits(experiment); !fits.ok()) return fits.error();
  const Samples small = smallDigits();
  const at::Tensor inputs = enlarged(small.inputs, experiment.data.shape);
  const auto part = [&](std::int64_t begin, std::int64_t count) {
    return residentRows(inputs.narrow(0, begin, count), small.targets.narrow(0, begin, count));
  };
  return DataParts{part(0, kDigitsTraining), part(kDigitsTraining, kDigitsValidation)};
}

}  // namespace lanelab
