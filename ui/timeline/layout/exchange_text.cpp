// SPDX-License-Identifier: GPL-3.0-only
#include "ui/timeline/layout/exchange_text.h"

#include <array>
#include <string_view>
#include <utility>

#include "ui/timeline/model/timeline_texts.h"

namespace lanelab {

QString exchangeText(const std::string& name) {
  const std::array<std::pair<std::string_view, QString>, 6> all = {
      {{"all-reduce", TimelineTexts::tr("the gradients of one bucket become their mean over all replicas")},
       {"broadcast buffers", TimelineTexts::tr("running statistics come from replica 0")},
       {"replicate weights", TimelineTexts::tr("the weights of replica 0 are copied to this one")},
       {"gather outputs", TimelineTexts::tr("waits for the outputs of all replicas, to take the loss of them")},
       {"wait for the gradients", TimelineTexts::tr("waits for the gradients of all replicas, to add them up")},
       {"wait for the gradient", TimelineTexts::tr("waits for its part of the gradient of the loss")}}};
  for (const auto& [begin, text] : all)
    if (name.starts_with(begin)) return text;
  return {};
}

}  // namespace lanelab
