// SPDX-License-Identifier: GPL-3.0-only
#include "engine/report/gpu_activity_text.h"

#include "base/grouped_digits.h"
#include "base/text.h"

namespace lanelab {

std::string gpuActivitySentence(const RunRecord& record) {
  GpuActivity all;
  bool any = false;
  for (const VariantRecord& variant : record.variants) {
    if (!variant.gpu) continue;
    all += *variant.gpu;
    any = true;
  }
  if (!any) return {};
  std::string text = "GPU activity: " + groupedDigits(all.kernels) + " kernels, " + groupedDigits(all.dropped) +
                     " dropped, " + groupedDigits(all.without_time) + " without time";
  if (all.unattributed > 0) text += ", " + groupedDigits(all.unattributed) + " kernels of no known action";
  if (all.before_launch > 0)
    text += ", " + groupedDigits(all.before_launch) + " kernels that seem to begin before their launch";
  text += ", clocks agree within " + formatNumber(static_cast<double>(all.clock_residual) * 1e-3) + " us";
  if (all.clock_steps > 0)
    text += ", and the system's clock was set " + groupedDigits(all.clock_steps) +
            (all.clock_steps == 1 ? " time" : " times");
  return text + ".";
}

}  // namespace lanelab
