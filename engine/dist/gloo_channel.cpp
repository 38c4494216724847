// SPDX-License-Identifier: GPL-3.0-only
#include "engine/dist/gloo_channel.h"

#include <ATen/core/grad_mode.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/empty_strided.h>

#include <deque>
#include <map>
#include <optional>
#include <sstream>
#include <stdexcept>
#include <thread>
#include <utility>

#include "engine/torch/devices/torch_errors.h"

namespace lanelab {

namespace {

constexpr int kSender = 0, kReceiver = 1;
constexpr std::size_t kMostDimensions = 8;
constexpr std::size_t kFirstSize = 5, kFirstStride = kFirstSize + kMostDimensions;
constexpr std::size_t kHeaderWords = kFirstStride + kMostDimensions;
constexpr auto kNoLimit = std::chrono::hours(24 * 365);

/// The same values on the CPU in memory without holes; undefined stays undefined.
at::Tensor denseOf(const at::Tensor& tensor) {
  if (!tensor.defined()) return tensor;
  at::Tensor dense = tensor.detach().to(at::kCPU);
  return dense.is_non_overlapping_and_dense() ? dense : dense.contiguous();
}

/// Its memory as one row, which is how Gloo wants it.
at::Tensor rowOf(const at::Tensor& dense) { return dense.as_strided({dense.numel()}, {1}); }

/// What goes before each tensor.
struct TensorHeader {
  std::int64_t number = 0;  ///< of the packet
  std::int64_t place = 0;   ///< in the packet
  std::int64_t count = 1;   ///< of the packet's tensors
  at::ScalarType type = at::ScalarType::Undefined;
  std::vector<std::int64_t> sizes = {}, strides = {};  ///< strides of dense memory, so that the layout arrives too

  /// `dense` may be undefined.
  static TensorHeader of(int number, std::size_t place, std::size_t count, const at::Tensor& dense) {
    TensorHeader header{number, static_cast<std::int64_t>(place), static_cast<std::int64_t>(count)};
    if (!dense.defined()) return header;
    if (dense.dim() > static_cast<std::int64_t>(kMostDimensions))
      throw std::runtime_error("A tensor of more than 8 dimensions cannot go to another process");
    header.type = dense.scalar_type();
    header.sizes = dense.sizes().vec();
    header.strides = dense.strides().vec();
    return header;
  }
  bool defined() const { return type != at::ScalarType::Undefined; }

  at::Tensor toTensor() const {
    at::Tensor words = at::empty({static_cast<std::int64_t>(kHeaderWords)}, at::kLong);
    std::int64_t* const word = words.mutable_data_ptr<std::int64_t>();
    std::fill(word, word + kHeaderWords, 0);
    word[0] = number;
    word[1] = place;
    word[2] = count;
    word[3] = static_cast<std::int64_t>(type);
    word[4] = static_cast<std::int64_t>(sizes.size());
    std::copy(sizes.begin(), sizes.end(), word + kFirstSize);
    std::copy(strides.begin(), strides.end(), word + kFirstStride);
    return words;
  }

  static TensorHeader fromTensor(const at::Tensor& words) {
    const std::int64_t* const word = words.const_data_ptr<std::int64_t>();
    const auto dimensions = word[4];
    return {word[0],
            word[1],
            word[2],
            static_cast<at::ScalarType>(word[3]),
            {word + kFirstSize, word + kFirstSize + dimensions},
            {word + kFirstStride, word + kFirstStride + dimensions}};
  }

  /// "float32 [8, 64, 16, 16]".
  std::string text() const {
    std::ostringstream text;
    text << type << " " << at::IntArrayRef(sizes);
    return text.str();
  }
};

/// The shapes of all numbers and places. Only the first dimension may change, since the last batch of an epoch is
/// smaller.
class AgreedShapes {
 public:
  /// Throws std::runtime_error with a sentence where a tensor is not as agreed.
  void check(const TensorHeader& header) {
    checkCount(header);
    if (!header.defined()) return;
    const auto [place, is_new] = m_agreed.try_emplace({header.number, header.place}, header);
    if (is_new) return;
    const TensorHeader& agreed = place->second;
    const bool same_rank = agreed.sizes.size() == header.sizes.size() && agreed.type == header.type;
    const bool same = same_rank && (header.sizes.empty() ||
                                    std::equal(agreed.sizes.begin() + 1, agreed.sizes.end(), header.sizes.begin() + 1));
    if (same) return;
    const std::string where = header.place > 0 ? ", tensor " + std::to_string(header.place) + "," : "";
    throw std::runtime_error("Packet " + std::to_string(header.number) + where + " is " + header.text() +
                             ", but was agreed to be " + agreed.text() + ".");
  }

 private:
  void checkCount(const TensorHeader& header) {
    const std::int64_t agreed = m_counts.try_emplace(header.number, header.count).first->second;
    if (agreed == header.count) return;
    throw std::runtime_error("The number of tensors in packet " + std::to_string(header.number) + " is " +
                             std::to_string(header.count) + ", but was agreed to be " + std::to_string(agreed) + ".");
  }

  std::map<std::int64_t, std::int64_t> m_counts;                           ///< of tensors, by number
  std::map<std::pair<std::int64_t, std::int64_t>, TensorHeader> m_agreed;  ///< by number and place
};

class GlooSender final : public PeerChannel {
 public:
  GlooSender(std::shared_ptr<const GlooTransport> transport, const std::string& name, int to)
      : m_transport(std::move(transport)), m_to(to), m_connection(m_transport, name, kSender, 2) {}

  void send(int number, const TensorList& tensors) override {
    const at::NoGradGuard no_grad;
    if (!m_group) m_group = m_connection.group();
    for (std::size_t place = 0; place < tensors.size(); ++place) {
      const at::Tensor dense = withPlainErrors([&] { return denseOf(tensors[place]); });
      sendOne(TensorHeader::of(number, place, tensors.size(), dense), dense);
    }
  }

  TensorList receive(int) override {
    throw std::runtime_error("This end of the way to rank " + std::to_string(m_to) + " only sends.");
  }

 private:
  void sendOne(const TensorHeader& header, const at::Tensor& dense) {
    m_shapes.check(header);
    namingLostPeers(*m_transport, [&] {
      sendPart(header.toTensor());
      if (header.defined() && dense.numel() > 0) sendPart(rowOf(dense));
    });
  }

  void sendPart(at::Tensor part) {
    std::vector<at::Tensor> parts{std::move(part)};
    const auto work = m_group->send(parts, kReceiver, 0);
    const FaultBoard::Call on_fault(*m_transport->board, [work](const std::string&) { work->abort(); });
    work->wait(m_transport->timeout);
    m_transport->board->check();
  }

  std::shared_ptr<const GlooTransport> m_transport;
  int m_to;
  GroupConnection m_connection;
  c10::intrusive_ptr<c10d::Backend> m_group;
  AgreedShapes m_shapes;
};

class GlooReceiver final : public PeerChannel {
 public:
  GlooReceiver(std::shared_ptr<const GlooTransport> transport, const std::string& name, int from)
      : m_transport(std::move(transport)),
        m_from(from),
        m_connection(m_transport, name, kReceiver, 2),
        m_thread([this] { receiveAll(); }) {}

  ~GlooReceiver() override {
    {
      const std::lock_guard lock(m_mutex);
      m_closing = true;
      if (m_work) m_work->abort();
    }
    m_connection.giveUp();
    m_thread.join();
  }

  void send(int, const TensorList&) override {
    throw std::runtime_error("This end of the way from rank " + std::to_string(m_from) + " only receives.");
  }

  TensorList receive(int number) override {
    std::optional<std::string> fault;
    const FaultBoard::Call on_fault(*m_transport->board, [&](const std::string& sentence) {
      const std::lock_guard lock(m_mutex);
      fault = sentence;
      m_changed.notify_all();
    });
    std::unique_lock lock(m_mutex);
    const bool in_time =
        m_changed.wait_for(lock, m_transport->timeout, [&] { return !m_packets.empty() || m_broken || fault; });
    if (fault) throw std::runtime_error(*fault);
    if (m_packets.empty()) {
      const std::string what = in_time ? m_error
                                       : "nothing came from rank " + std::to_string(m_from) + " for " +
                                             std::to_string(m_transport->timeout.count() / 1000) + " s";
      lock.unlock();
      throw std::runtime_error(m_transport->cause(what));
    }
    Packet packet = std::move(m_packets.front());
    m_packets.pop_front();
    lock.unlock();
    const std::int64_t came = packet.headers.front().number;
    if (came != number) {
      throw std::runtime_error("Rank " + std::to_string(m_from) + " sent packet " + std::to_string(came) + " where " +
                               std::to_string(number) + " was expected: all processes must run the same experiment.");
    }
    for (const TensorHeader& header : packet.headers) m_shapes.check(header);
    return std::move(packet.tensors);
  }

 private:
  struct Packet {
    std::vector<TensorHeader> headers;
    TensorList tensors;
  };

  void receiveAll() {
    try {
      for (;;) {
        Packet packet = receivePacket();
        const std::lock_guard lock(m_mutex);
        m_packets.push_back(std::move(packet));
        m_changed.notify_all();
      }
    } catch (const std::exception& error) {
      const std::lock_guard lock(m_mutex);
      m_error = plainMessage(error);
      m_broken = true;
      m_changed.notify_all();
    }
  }

  Packet receivePacket() {
    Packet packet;
    do {
      packet.headers.push_back(
          TensorHeader::fromTensor(receivePart(at::empty({static_cast<std::int64_t>(kHeaderWords)}, at::kLong))));
      packet.tensors.push_back(receiveTensor(packet.headers.back()));
    } while (packet.headers.back().place + 1 < packet.headers.back().count);
    return packet;
  }

  at::Tensor receiveTensor(const TensorHeader& header) {
    if (!header.defined()) return {};
    at::Tensor tensor = at::empty_strided(header.sizes, header.strides, header.type);
    if (tensor.numel() > 0) receivePart(rowOf(tensor));
    return tensor;
  }

  at::Tensor receivePart(at::Tensor part) {
    std::vector<at::Tensor> parts{part};
    const auto group = m_connection.group();
    c10::intrusive_ptr<c10d::Work> work = group->recv(parts, kSender, 0);
    {
      const std::lock_guard lock(m_mutex);
      if (m_closing) work->abort();
      m_work = work;
    }
    const FaultBoard::Call on_fault(*m_transport->board, [work](const std::string&) { work->abort(); });
    const bool came = work->wait(std::chrono::duration_cast<std::chrono::milliseconds>(kNoLimit));
    const std::lock_guard lock(m_mutex);
    m_work.reset();
    if (!came) throw std::runtime_error("it was closed");
    return part;
  }

  std::shared_ptr<const GlooTransport> m_transport;
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

}  // namespace

std::unique_ptr<PeerChannel> openGlooSender(std::shared_ptr<const GlooTransport> transport, const std::string& name,
                                            int to) {
  return std::make_unique<GlooSender>(std::move(transport), name, to);
}

std::unique_ptr<PeerChannel> openGlooReceiver(std::shared_ptr<const GlooTransport> transport, const std::string& name,
                                              int from) {
  return std::make_unique<GlooReceiver>(std::move(transport), name, from);
}

}  // namespace lanelab
