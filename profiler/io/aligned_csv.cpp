#include "profiler/io/aligned_csv.h"

#include "profiler/io/json_text.h"

namespace lanelab {

std::string alignedCsv(const AlignedRuns& runs) {
  std::string table = "step,stage,phase,micro_batch,a_us,b_us,difference_us,b_later_by_us\r\n";
  for (const AlignedCell& cell : runs.cells) {
    table += std::to_string(cell.key.step) + ',' + std::to_string(cell.key.stage) + ',' + letterOf(cell.key.phase) + ',' +
             std::to_string(cell.key.micro_batch);
    for (const Nanoseconds time : {cell.a, cell.b, cell.difference(), cell.later_by}) {
      table += ',';
      appendMicroseconds(table, time);
    }
    table += "\r\n";
  }
  return table;
}

}  // namespace lanelab
