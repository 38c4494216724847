// SPDX-License-Identifier: GPL-3.0-only
// Reads SQLite exports of Nsight Systems (nsys export --type sqlite): kernels, copies, memsets, runtime calls and NVTX
// ranges.
//
// Nsight writes tables lazily and changes their columns from version to version, so that missing tables, columns and
// strings are normal.
#pragma once

#include <string>
#include <string_view>

#include "profiler/io/source/import_limits.h"

namespace lanelab {

/// Whether a file with these first bytes is one of Nsight Systems, be it a report that has to be exported first.
bool isNsightFile(const std::string& path, std::string_view head);

/// Reads the values that the export's tables store, never views or generated columns, and no more of them than the file
/// has room for. `progress` counts the bytes of these. Categories kernel, gpu_memcpy, gpu_memset, cuda_runtime and
/// nvtx; a process each GPU and each host process; NVTX marks are instants. Reports
/// (.nsys-rep), cut files and other databases are an error that says `nsys export`.
ReadImport importNsight(const std::string& path, const ImportLimits& limits = {}, ProgressCount* progress = nullptr);

}  // namespace lanelab
