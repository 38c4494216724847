// SPDX-License-Identifier: GPL-3.0-only
// The functions and classes of a Python file, to offer them as factories of networks. Pure function; any thread.
#pragma once

#include <QString>
#include <QStringList>

namespace lanelab {

/// Names defined without indentation, in order; those that begin with an underscore are left out. Nothing is run. Empty
/// for a file that cannot be read; of a long file the first MiB is read.
QStringList factoryNames(const QString& path);

}  // namespace lanelab
