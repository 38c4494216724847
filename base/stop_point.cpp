// SPDX-License-Identifier: GPL-3.0-only
#include "base/stop_point.h"

#include <utility>

namespace lanelab {
namespace {

thread_local const std::stop_token* t_token = nullptr;

}  // namespace

StopScope::StopScope(std::stop_token token) : m_token(std::move(token)), m_before(std::exchange(t_token, &m_token)) {}

StopScope::~StopScope() { t_token = m_before; }

std::stop_token currentStopToken() { return t_token ? *t_token : std::stop_token(); }

void stopPoint() {
  if (t_token && t_token->stop_requested()) throw Stopped();
}

}  // namespace lanelab
