#include "ui/timeline/exchange_text.h"

#include <QCoreApplication>
#include <array>
#include <string_view>
#include <utility>

namespace lanelab {

QString exchangeText(const std::string& name) {
  struct Texts {
    Q_DECLARE_TR_FUNCTIONS(TimelineView)
  };
  const std::array<std::pair<std::string_view, QString>, 6> all = {
      {{"all-reduce", Texts::tr("the gradients of one bucket become their mean over all replicas")},
       {"broadcast buffers", Texts::tr("running statistics come from replica 0")},
       {"replicate weights", Texts::tr("the weights of replica 0 are copied to this one")},
       {"gather outputs", Texts::tr("waits for the outputs of all replicas, to take the loss of them")},
       {"wait for the gradients", Texts::tr("waits for the gradients of all replicas, to add them up")},
       {"wait for the gradient", Texts::tr("waits for its part of the gradient of the loss")}}};
  for (const auto& [begin, text] : all)
    if (name.starts_with(begin)) return text;
  return {};
}

}  // namespace lanelab
