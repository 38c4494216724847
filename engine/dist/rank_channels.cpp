// SPDX-License-Identifier: GPL-3.0-only
#include "engine/dist/rank_channels.h"

#include <ATen/ops/empty.h>

#include <algorithm>
#include <cstring>
#include <utility>

#include "engine/torch/lanes/peers.h"
#include "profiler/trace/trace_builder.h"

namespace lanelab {

namespace {

constexpr int kRoundTrips = 25;
constexpr std::size_t kPieceBytes = std::size_t{1} << 20U;

enum Number : int { Stamps, Request, Length, Piece };

at::Tensor numbers(const std::vector<std::int64_t>& values) {
  at::Tensor tensor = at::empty({static_cast<std::int64_t>(values.size())}, at::kLong);
  std::copy(values.begin(), values.end(), tensor.mutable_data_ptr<std::int64_t>());
  return tensor;
}

std::int64_t numberAt(const at::Tensor& tensor, std::size_t place) {
  return tensor.const_data_ptr<std::int64_t>()[place];
}

at::Tensor bytesOf(const std::string& text, std::size_t from) {
  const std::size_t size = std::min(kPieceBytes, text.size() - from);
  at::Tensor tensor = at::empty({static_cast<std::int64_t>(size)}, at::kByte);
  std::memcpy(tensor.mutable_data_ptr(), text.data() + from, size);
  return tensor;
}

ClockReading readClock(RankChannels::Channel& way) {
  std::vector<RoundTrip> trips;
  for (int i = 0; i < kRoundTrips; ++i) {
    RoundTrip trip;
    trip.sent = monotonicNow();
    way.out->send(Request, {numbers({i})});
    const at::Tensor stamps = way.in->receive(Stamps).front();
    trip.received = monotonicNow();
    trip.taken = numberAt(stamps, 0);
    trip.answered = numberAt(stamps, 1);
    trips.push_back(trip);
  }
  return readingOf(trips);
}

void answerClock(RankChannels::Channel& way) {
  for (int i = 0; i < kRoundTrips; ++i) {
    way.in->receive(Request);
    const Nanoseconds taken = monotonicNow();
    way.out->send(Stamps, {numbers({taken, monotonicNow()})});
  }
}

std::string ask(RankChannels::Channel& way) {
  way.out->send(Request, {numbers({0})});
  const auto size = static_cast<std::size_t>(numberAt(way.in->receive(Length).front(), 0));
  std::string bytes;
  while (bytes.size() < size) {
    way.out->send(Request, {numbers({0})});
    const at::Tensor piece = way.in->receive(Piece).front();
    bytes.append(static_cast<const char*>(piece.const_data_ptr()), static_cast<std::size_t>(piece.numel()));
  }
  return bytes;
}

void answer(RankChannels::Channel& way, const std::string& bytes) {
  way.in->receive(Request);
  way.out->send(Length, {numbers({static_cast<std::int64_t>(bytes.size())})});
  for (std::size_t from = 0; from < bytes.size(); from += kPieceBytes) {
    way.in->receive(Request);
    way.out->send(Piece, {bytesOf(bytes, from)});
  }
}

}  // namespace

RankChannels::RankChannels(std::shared_ptr<Peers> peers) : m_peers(std::move(peers)) {
  const auto open = [&](int rank) {
    m_channels.push_back({m_peers->openSender(rank, "recorded"), m_peers->openReceiver(rank, "recorded")});
  };
  if (m_peers->rank() != 0) open(0);
  for (int rank = 1; m_peers->rank() == 0 && rank < m_peers->size(); ++rank) open(rank);
}

RankChannels::~RankChannels() = default;

std::vector<ClockReading> RankChannels::readClocks() {
  if (m_peers->rank() != 0) {
    answerClock(m_channels.front());
    return {};
  }
  std::vector<ClockReading> readings(1);
  for (Channel& way : m_channels) readings.push_back(readClock(way));
  return readings;
}

void RankChannels::gather(const std::string& mine, const std::function<void(int, std::string)>& take) {
  if (m_peers->rank() != 0) return answer(m_channels.front(), mine);
  for (std::size_t i = 0; i < m_channels.size(); ++i) take(static_cast<int>(i) + 1, ask(m_channels[i]));
}

}  // namespace lanelab
