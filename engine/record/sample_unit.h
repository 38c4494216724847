// SPDX-License-Identifier: GPL-3.0-only
// How speed is said to readers: images per second, samples and tokens per second of networks that take tokens, or
// samples per second of all others. Files have samples per second, under the name samples_per_second.
#pragma once

#include <cstdint>
#include <string>

#include "engine/model/model_spec.h"

namespace lanelab {

struct SampleUnit {
  std::int64_t tokens = 0;  ///< of a sample; 0: samples are images, unless they are others
  bool others = false;      ///< neither images nor tokens, or of several runs whose samples differ

  static SampleUnit of(const ModelSpec& model);
  /// Channels, height and width.
  static bool isImage(const Shape& shape) { return shape.size() == 3; }
  /// What is true of both.
  static SampleUnit common(const SampleUnit& a, const SampleUnit& b);

  bool areImages() const { return tokens == 0 && !others; }
  /// "image" or "sample".
  std::string word() const;

  /// "images/s" or "samples/s".
  std::string perSecond() const;
  /// "12.3 images/s", or "12.3 samples/s, 1570 tokens/s".
  std::string speedText(double samples_per_second) const;
  bool operator==(const SampleUnit&) const = default;
};

}  // namespace lanelab
