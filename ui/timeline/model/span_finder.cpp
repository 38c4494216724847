// SPDX-License-Identifier: GPL-3.0-only
#include "ui/timeline/model/span_finder.h"

namespace lanelab {
namespace {

constexpr std::size_t kMostAtOnce = 200'000;  ///< spans; a few milliseconds

}  // namespace

void SpanFinder::find(std::shared_ptr<const TimelineData> data, const QString& text) {
  m_stop.request_stop();
  m_stop = {};
  m_searching = false;
  m_text = text;
  if (!data || parseSearch(text.toStdString()).empty()) return give(nullptr);
  if (data->trace().spanCount() <= kMostAtOnce) return give(std::make_shared<const FoundSpans>(std::move(data), text));
  m_searching = true;
  m_background.run([this, data = std::move(data), text, stop = m_stop.get_token()]() -> Background::Then {
    auto found = std::make_shared<const FoundSpans>(data, text, stop);
    return [this, found = std::move(found), stop] {
      if (stop.stop_requested()) return;
      m_searching = false;
      give(found);
    };
  });
  give(nullptr);  // what was found of another text or trace is no answer to this one
}

void SpanFinder::give(std::shared_ptr<const FoundSpans> found) {
  m_found = std::move(found);
  Q_EMIT foundChanged();
}

}  // namespace lanelab
