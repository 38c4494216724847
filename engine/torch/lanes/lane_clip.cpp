// SPDX-License-Identifier: GPL-3.0-only
#include "engine/torch/lanes/lane_clip.h"

#include <ATen/ops/empty.h>

#include <algorithm>
#include <cstring>
#include <set>
#include <utility>

namespace lanelab {

namespace {

/// Numbers, and the names as bytes, a line each.
TensorList asTensors(const GradientNorms& norms) {
  std::string names;
  at::Tensor numbers = at::empty({static_cast<std::int64_t>(norms.size())}, at::TensorOptions().dtype(at::kFloat));
  float* number = numbers.mutable_data_ptr<float>();
  for (const auto& [name, norm] : norms) {
    *number++ = norm;
    names += name + '\n';
  }
  at::Tensor bytes = at::empty({static_cast<std::int64_t>(names.size())}, at::TensorOptions().dtype(at::kByte));
  std::memcpy(bytes.mutable_data_ptr<std::uint8_t>(), names.data(), names.size());
  return {std::move(numbers), std::move(bytes)};
}

GradientNorms normsOf(const TensorList& tensors) {
  const at::Tensor &numbers = tensors.at(0), &bytes = tensors.at(1);
  const std::string names(reinterpret_cast<const char*>(bytes.const_data_ptr<std::uint8_t>()),
                          static_cast<std::size_t>(bytes.numel()));
  GradientNorms norms;
  std::size_t begin = 0;
  for (std::int64_t i = 0; i < numbers.numel(); ++i) {
    const std::size_t end = names.find('\n', begin);
    norms[names.substr(begin, end - begin)] = numbers.const_data_ptr<float>()[i];
    begin = end + 1;
  }
  return norms;
}

}  // namespace

LaneClip::LaneClip(const TrainingJob& job, LaneId lane, int replica, LaneStages& stages)
    : m_job(job), m_lane(lane), m_stages(stages), m_lanes(job.plan.stageLanes()[static_cast<std::size_t>(replica)]) {}

void LaneClip::join(const std::string& name, Peers* peers) {
  m_senders.clear();
  m_receivers.clear();
  if (!meetsOthers() || peers == nullptr || peers->size() == 1) return;
  const auto rankOf = [&](LaneId lane) { return m_job.experiment.lanes[lane.index()].rank; };
  const auto groupOf = [&](LaneId from, int to) {
    return name + "/norms of lane " + std::to_string(from.value) + " to rank " + std::to_string(to);
  };
  const std::set<LaneId> lanes(m_lanes.begin(), m_lanes.end());
  std::set<int> ranks;
  for (const LaneId lane : lanes) ranks.insert(rankOf(lane));
  const int here = peers->rank();
  ranks.erase(here);
  for (const int rank : ranks) m_senders.push_back(peers->openSender(rank, groupOf(m_lane, rank)));
  if (m_lane != *std::ranges::find_if(lanes, [&](LaneId lane) { return rankOf(lane) == here; })) return;
  for (const LaneId lane : lanes) {
    if (rankOf(lane) != here) m_receivers[lane] = peers->openReceiver(rankOf(lane), groupOf(lane, here));
  }
}

void LaneClip::beginStep() {
  ++m_round;
  m_factor.reset();
}

void LaneClip::gather() {
  GradientNorms own;
  for (const StageId stage : m_stages.ids()) {
    const StageNetwork& network = m_stages.at(stage).network();
    own.merge(gradientNorms(network.parameterNames(), network.parameters()));
  }
  for (const auto& channel : m_senders) channel->send(0, asTensors(own));
  m_job.norms->offer(m_lane, m_round, std::move(own));
  for (const auto& [lane, channel] : m_receivers) m_job.norms->offer(lane, m_round, normsOf(channel->receive(0)));
  GradientNorms all;
  for (GradientNorms& of_lane : m_job.norms->await(m_lanes, m_round)) all.merge(of_lane);
  m_factor = clipFactor(all, *m_job.experiment.training.clip_grad_norm);
}

void LaneClip::clip(const StageNetwork& network) const {
  const std::optional<double>& most = m_job.experiment.training.clip_grad_norm;
  if (!most) return;
  const auto alone = [&] { return clipFactor(gradientNorms(network.parameterNames(), network.parameters()), *most); };
  scaleGradients(network.parameters(), m_factor ? *m_factor : alone());
}

void LaneClip::leave() {
  if (m_job.norms) m_job.norms->close();
}

}  // namespace lanelab
