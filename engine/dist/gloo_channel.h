// SPDX-License-Identifier: GPL-3.0-only
// Tensors from one process to another by c10d's send and recv, a Gloo group of two for each pair and direction.
//
// Gloo's send ends when the receiver takes the tensor, so two processes that send to each other before they receive
// would wait for ever. A thread at the receiver therefore takes what comes at once and keeps it until it is asked for;
// how much that is, the schedule limits.
#pragma once

#include <deque>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "engine/dist/gloo_group.h"
#include "engine/torch/lanes/peers.h"

namespace lanelab {

/// What goes before each tensor.
struct PacketHeader {
  std::int64_t number = 0;
  at::ScalarType type = at::kFloat;
  std::vector<std::int64_t> sizes, strides;  ///< strides of dense memory, so that the layout arrives too

  static PacketHeader of(int number, const at::Tensor& dense);
  static PacketHeader fromTensor(const at::Tensor& words);
  at::Tensor toTensor() const;
  /// "float32 [8, 64, 16, 16]".
  std::string text() const;
};

/// The shapes of all numbers. Only the first dimension may change, since the last batch of an epoch is smaller.
class AgreedShapes {
 public:
  /// Throws std::runtime_error with a sentence where a packet is not as agreed.
  void check(const PacketHeader& header);

 private:
  std::map<std::int64_t, PacketHeader> m_agreed;
};

/// The sending end; receive() is a mistake that throws.
class GlooSender final : public PeerChannel {
 public:
  GlooSender(std::shared_ptr<const GlooWays> ways, const std::string& name, int to);
  void send(int number, const at::Tensor& tensor) override;
  at::Tensor receive(int number) override;

 private:
  void sendPart(at::Tensor part);

  std::shared_ptr<const GlooWays> m_ways;
  int m_to;
  GroupConnection m_connection;
  c10::intrusive_ptr<c10d::Backend> m_group;
  AgreedShapes m_shapes;
};

/// The receiving end; tensors come on the CPU.
class GlooReceiver final : public PeerChannel {
 public:
  GlooReceiver(std::shared_ptr<const GlooWays> ways, const std::string& name, int from);
  ~GlooReceiver() override;
  void send(int number, const at::Tensor& tensor) override;
  at::Tensor receive(int number) override;

 private:
  struct Packet {
    PacketHeader header;
    at::Tensor tensor;
  };
  void take();
  at::Tensor takePart(at::Tensor part);

  std::shared_ptr<const GlooWays> m_ways;
  int m_from;
  GroupConnection m_connection;
  std::mutex m_mutex;  ///< of all below but the shapes
  std::condition_variable m_changed;
  std::deque<Packet> m_packets;
  std::string m_error;  ///< why no more come
  bool m_broken = false, m_closing = false;
  c10::intrusive_ptr<c10d::Work> m_work;  ///< that the thread waits for
  AgreedShapes m_shapes;
  std::thread m_thread;
};

}  // namespace lanelab
