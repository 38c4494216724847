// SPDX-License-Identifier: GPL-3.0-only
// How speed is said to readers: images per second, or samples and tokens per second of networks that take tokens. Files
// have samples per second, under the name images_per_second.
#pragma once

#include <cstdint>
#include <string>

#include "engine/model/model_spec.h"

namespace lanelab {

struct SampleUnit {
  std::int64_t tokens = 0;  ///< of a sample; 0: samples are images
  bool mixed = false;       ///< of several runs whose samples differ: only samples/s is true of all

  static SampleUnit of(const ModelSpec& model);
  /// What is true of both.
  static SampleUnit common(const SampleUnit& a, const SampleUnit& b);

  bool areImages() const { return tokens == 0 && !mixed; }
  /// "image" or "sample".
  std::string word() const;

  /// "images/s" or "samples/s".
  std::string perSecond() const;
  /// "12.3 images/s", or "12.3 samples/s, 1570 tokens/s".
  std::string speedText(double samples_per_second) const;
  bool operator==(const SampleUnit&) const = default;
};

}  // namespace lanelab
