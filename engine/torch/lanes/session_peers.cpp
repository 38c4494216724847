// SPDX-License-Identifier: GPL-3.0-only
#include "engine/torch/lanes/session_peers.h"

#include <algorithm>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "base/atomic_file.h"
#include "engine/torch/devices/device_lane.h"
#include "engine/torch/devices/torch_errors.h"
#include "engine/torch/files/tensor_file.h"

namespace lanelab {

namespace {

template <class T>
std::string bytesOf(const std::vector<T>& values) {
  return std::string(reinterpret_cast<const char*>(values.data()), values.size() * sizeof(T));
}

template <class T>
std::vector<T> valuesOf(const std::string& bytes) {
  std::vector<T> values(bytes.size() / sizeof(T));
  std::memcpy(values.data(), bytes.data(), values.size() * sizeof(T));
  return values;
}

/// What every process gives, by rank; exceptions of peers name what went wrong.
Result<std::vector<std::string>> exchanged(Peers& peers, const std::string& mine) {
  try {
    return peers.exchange(mine);
  } catch (const std::exception& error) {
    return Error::failed(verbatim(plainMessage(error)));
  }
}

template <class T>
Result<std::vector<std::vector<T>>> exchangedValues(Peers& peers, const std::vector<T>& mine) {
  const auto all = exchanged(peers, bytesOf(mine));
  if (!all.ok()) return all.error();
  std::vector<std::vector<T>> values;
  for (const std::string& bytes : *all) values.push_back(valuesOf<T>(bytes));
  return values;
}

/// A safetensors file for as long as it is looked at: the format's reader and writer know files only.
class PassingFile {
 public:
  PassingFile() : m_file(pathBeside((std::filesystem::temp_directory_path() / "lanelab.safetensors").string())) {}
  const std::string& path() const { return m_file.path(); }

  std::string bytes() const {
    std::ifstream file(path(), std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
  }
  Status setBytes(const std::string& bytes) const { return writeFileAtomically(path(), bytes, Durable::No); }

 private:
  PartialFile m_file;
};

class ChannelCarrier final : public PacketCarrier {
 public:
  explicit ChannelCarrier(std::unique_ptr<PeerChannel> channel) : m_channel(std::move(channel)) {}

  void send(int mailbox, const Packet& packet) override {
    const auto& sent = *static_cast<const SentTensors*>(packet.get());
    if (sent.pending) sent.pending->waitOnHost();
    m_channel->send(mailbox, sent.tensors);
  }
  Packet receive(int mailbox) override {
    return std::make_shared<SentTensors>(SentTensors{m_channel->receive(mailbox), nullptr});
  }

 private:
  std::unique_ptr<PeerChannel> m_channel;
};

}  // namespace

Status settleStep(Peers& peers, double& seconds, double& loss) {
  const auto all = exchangedValues<double>(peers, {seconds, loss});
  if (!all.ok()) return all.error();
  seconds = loss = 0;
  for (const std::vector<double>& values : *all) {
    seconds = std::max(seconds, values.at(0));
    loss += values.at(1);
  }
  return {};
}

Result<TensorMap> tensorsOfAll(Peers& peers, const TensorMap& mine) {
  const PassingFile file;
  std::string bytes;
  if (!mine.empty()) {
    const Status written = writeSafetensors(file.path(), {mine.begin(), mine.end()});
    if (!written.ok()) return written.error();
    bytes = file.bytes();
  }
  const auto all = exchanged(peers, bytes);
  if (!all.ok()) return all.error();
  TensorMap tensors;
  for (const std::string& some : *all) {
    if (some.empty()) continue;
    if (const Status written = file.setBytes(some); !written.ok()) return written.error();
    Result<TensorMap> read = readSafetensors(file.path());
    if (!read.ok()) return read.error();
    tensors.merge(*read);
  }
  return tensors;
}

Result<std::vector<std::int64_t>> largestOfAll(Peers& peers, const std::vector<std::int64_t>& mine) {
  const auto all = exchangedValues(peers, mine);
  if (!all.ok()) return all.error();
  std::vector<std::int64_t> largest = mine;
  for (const std::vector<std::int64_t>& values : *all) {
    for (std::size_t i = 0; i < std::min(largest.size(), values.size()); ++i)
      largest[i] = std::max(largest[i], values[i]);
  }
  return largest;
}

Result<std::int64_t> sumOfAll(Peers& peers, std::int64_t mine) {
  const auto all = exchangedValues<std::int64_t>(peers, {mine});
  if (!all.ok()) return all.error();
  std::int64_t sum = 0;
  for (const std::vector<std::int64_t>& values : *all) sum += values.at(0);
  return sum;
}

Status settleRecording(Peers& peers, std::optional<GpuActivity>& gpu, std::string& notice) {
  const auto counts = exchangedValues(peers, gpu ? std::vector{*gpu} : std::vector<GpuActivity>());
  if (!counts.ok()) return counts.error();
  const auto notices = exchanged(peers, notice);
  if (!notices.ok()) return notices.error();
  gpu.reset();
  notice.clear();
  for (std::size_t rank = 0; rank < counts->size(); ++rank) {
    for (const GpuActivity& activity : (*counts)[rank]) {
      if (!gpu) gpu.emplace();
      *gpu += activity;
    }
    const std::string& said = (*notices)[rank];
    if (said.empty()) continue;
    notice += (notice.empty() ? "" : " ") + (rank == 0 ? "" : "Rank " + std::to_string(rank) + ": ") + said;
  }
  return {};
}

Result<bool> asRankZeroSays(Peers& peers, bool mine) {
  const auto all = exchanged(peers, mine ? "1" : "0");
  if (!all.ok()) return all.error();
  return all->front() == "1";
}

std::unique_ptr<PacketCarrier> carryByPeers(Peers& peers, const LinkPlan& link, int peer, const std::string& group) {
  return std::make_unique<ChannelCarrier>(link.outgoing ? peers.openSender(peer, group)
                                                        : peers.openReceiver(peer, group));
}

}  // namespace lanelab
