// SPDX-License-Identifier: GPL-3.0-only
// The session of one variant alone, where runs make those of all.
#pragma once

#include <memory>

#include "engine/lanes/executor.h"

namespace lanelab {

inline Result<std::unique_ptr<Session>> prepare(Executor& executor, const ResolvedVariant& variant, int steps) {
  if (!variant.plan().ok()) return variant.plan().error();
  const Result<SessionMaker> sessionOf = executor.load(variant.resolution(), steps, nullptr);
  if (!sessionOf.ok()) return sessionOf.error();
  return (*sessionOf)(variant);
}

}  // namespace lanelab
