// SPDX-License-Identifier: GPL-3.0-only
#include "profiler/io/tables/aligned_csv.h"

#include "base/csv.h"
#include "profiler/io/written/number_text.h"

namespace lanelab {

std::string alignedCsv(const AlignedRuns& runs) {
  std::string csv;
  CsvTable table(csv, "step,stage,phase,micro_batch,a_us,b_us,difference_us,b_later_by_us");
  for (const AlignedCell& cell : runs.cells) {
    table.integer(cell.key.step).integer(cell.key.stage);
    table.cell() += letterOf(cell.key.phase);
    table.integer(cell.key.micro_batch);
    for (const Nanoseconds time : {cell.a, cell.b, cell.difference(), cell.later_by})
      appendMicroseconds(table.cell(), time);
    table.endRow();
  }
  return csv;
}

}  // namespace lanelab
