// SPDX-License-Identifier: GPL-3.0-only
// What the rows of a trace are, and what a user reads beside them.
#pragma once

#include <QString>
#include <vector>

#include "ui/timeline/model/row_arrangement.h"
#include "ui/timeline/model/rows.h"

namespace lanelab {

/// Of each row. Rows of operators are distinguished by their spans, and from threads of another program by their
/// lane, which has actions.
std::vector<RowKind> rowKindsOf(const Trace& trace, const std::vector<Row>& rows);

/// "blocks", "operators", "transfers", the name of the thread or stream. Empty for a lane's actions and for all but the
/// first depth of a track's rows.
QString rowName(const Trace& trace, const std::vector<Row>& rows, const std::vector<RowKind>& kinds, std::size_t row);

QString replicaName(int replica);  ///< "Replica 0"

}  // namespace lanelab
