// SPDX-License-Identifier: GPL-3.0-only
// Replicas of a stage on lanes of one process: gradients are the mean over the replicas, buffers those of replica 0.
#include "tests/unit/dist/replica_world.h"

#include <ATen/Context.h>
#include <ATen/core/grad_mode.h>
#include <ATen/ops/allclose.h>
#include <ATen/ops/equal.h>
#include <gmock/gmock.h>

#include <stdexcept>

#include "engine/torch/nn/deferred_weights.h"
#include "engine/torch/nn/initial_weights.h"
#include "tests/support/described_model.h"
#include "tests/support/whole_network.h"

namespace lanelab {
namespace {

using ::testing::HasSubstr;

/// Networks that start different, so that only joining makes them equal, and the data of each replica's micro-batches.
struct Replicas {
  std::vector<std::unique_ptr<SmallNet>> nets;
  std::vector<std::vector<Sample>> samples;  ///< by replica, then micro-batch
};

template <class Net>
Replicas makeReplicas(int replicas, int micro_batches, const std::vector<std::int64_t>& shape) {
  Replicas all;
  for (int r = 0; r < replicas; ++r) {
    all.nets.push_back(std::make_unique<Net>(0.1 * (r + 1)));
    std::vector<std::int64_t> sizes{4};
    sizes.insert(sizes.end(), shape.begin(), shape.end());
    all.samples.emplace_back();
    for (int k = 0; k < micro_batches; ++k)
      all.samples.back().push_back({at::randn(sizes), at::randint(10, {4}, at::kLong)});
  }
  return all;
}

/// The gradients that each replica's micro-batches leave in a copy of `net`, without any link.
std::vector<at::Tensor> gradientsAlone(SmallNet& net, const std::vector<Sample>& samples) {
  std::vector<at::Tensor> gradients;
  std::vector<at::Tensor> buffers;
  for (const at::Tensor& buffer : net.buffers) buffers.push_back(buffer.clone());
  for (const Sample& sample : samples) lossOf(net, sample).backward();
  for (at::Tensor& parameter : net.parameters) {
    gradients.push_back(parameter.grad().clone());
    parameter.mutable_grad() = at::Tensor();
  }
  for (std::size_t i = 0; i < buffers.size(); ++i) net.buffers[i].copy_(buffers[i]);
  return gradients;
}

void trainStep(ReplicaLink& link, SmallNet& net, const std::vector<Sample>& samples) {
  link.beginStep();
  for (std::size_t k = 0; k < samples.size(); ++k) {
    const at::Tensor loss = lossOf(net, samples[k]);
    if (k + 1 == samples.size()) link.beforeLastBackward();
    loss.backward();
  }
  link.afterLastBackward();
}

/// Two steps of each replica; after each its gradients must be the mean of what the replicas have alone, bit for bit: a
/// half of each, added.
void expectMeanOfTwo(Replicas all) {
  const auto peers = lanePeers();
  std::vector<std::unique_ptr<ReplicaLink>> links(2);
  onReplicas(2, [&](int r) {
    const auto i = static_cast<std::size_t>(r);
    links[i] = peers->joinReplicas(all.nets[i]->member("net", r, 2));
  });
  for (std::size_t i = 0; i < all.nets[0]->parameters.size(); ++i) {
    ASSERT_TRUE(at::equal(all.nets[0]->parameters[i], all.nets[1]->parameters[i])) << all.nets[0]->names[i];
  }
  for (int step = 0; step < 3; ++step) {
    const auto first = gradientsAlone(*all.nets[0], all.samples[0]);
    const auto second = gradientsAlone(*all.nets[0], all.samples[1]);
    onReplicas(2, [&](int r) {
      const auto i = static_cast<std::size_t>(r);
      trainStep(*links[i], *all.nets[i], all.samples[i]);
    });
    for (std::size_t i = 0; i < first.size(); ++i) {
      const at::Tensor mean = first[i] * 0.5 + second[i] * 0.5;
      for (const auto& net : all.nets) {
        EXPECT_TRUE(at::equal(net->parameters[i].grad(), mean)) << net->names[i] << " in step " << step;
        const at::NoGradGuard no_grad;
        net->parameters[i].sub_(net->parameters[i].grad() * 0.1);
        net->parameters[i].mutable_grad() = at::Tensor();
      }
    }
  }
  onReplicas(2, [&](int r) { links[static_cast<std::size_t>(r)].reset(); });
}

TEST(ReducerLink, AveragesGradientsOfAPerceptron) {
  at::manual_seed(1);
  expectMeanOfTwo(makeReplicas<Mlp>(2, 1, {20}));
}

TEST(ReducerLink, AccumulatesMicroBatchesAndReducesOnce) {
  at::manual_seed(2);
  expectMeanOfTwo(makeReplicas<Mlp>(2, 3, {20}));
}

TEST(ReducerLink, AveragesGradientsOfAConvolutionWithBatchNorm) {
  at::manual_seed(3);
  expectMeanOfTwo(makeReplicas<ConvNet>(2, 2, {3, 8, 8}));
}

TEST(ReducerLink, TakesBuffersOfReplica0AtEachStep) {
  at::manual_seed(4);
  Replicas all = makeReplicas<ConvNet>(3, 1, {3, 8, 8});
  const auto peers = lanePeers();
  const at::Tensor mean = all.nets[0]->buffers[0].clone();
  onReplicas(3, [&](int r) {
    SmallNet& net = *all.nets[static_cast<std::size_t>(r)];
    const auto link = peers->joinReplicas(net.member("net", r, 3));
    EXPECT_TRUE(at::equal(net.buffers[0], mean));
    trainStep(*link, net, all.samples[static_cast<std::size_t>(r)]);
    const at::Tensor moved = net.buffers[0].clone();
    link->beginStep();
    EXPECT_EQ(at::equal(net.buffers[0], moved), r == 0) << "replica " << r;
  });
  for (std::size_t i = 0; i < all.nets[0]->buffers.size(); ++i) {
    EXPECT_TRUE(at::equal(all.nets[1]->buffers[i], all.nets[0]->buffers[i]));
    EXPECT_TRUE(at::equal(all.nets[2]->buffers[i], all.nets[0]->buffers[i]));
  }
}

TEST(ReducerLink, TellsOfEachBucketAsDistributedDataParallelCutsThem) {
  at::manual_seed(5);
  Replicas all = makeReplicas<Mlp>(2, 1, {20});
  const auto peers = lanePeers();
  std::vector<std::vector<std::int64_t>> by_step(2);
  onReplicas(2, [&](int r) {
    SmallNet& net = *all.nets[static_cast<std::size_t>(r)];
    ReplicaMember member = net.member("net", r, 2);
    std::size_t step = 0;
    member.reduced = [&](TimeRange time, std::int64_t bytes) {
      EXPECT_LT(time.start, time.end);
      if (r == 0) by_step[step].push_back(bytes);
    };
    const auto link = peers->joinReplicas(member);
    for (; step < 2; ++step) trainStep(*link, net, all.samples[static_cast<std::size_t>(r)]);
  });
  const std::int64_t last = (1200 * 10 + 10) * 4, middle = (600 * 1200 + 1200) * 4, first = (20 * 600 + 600) * 4;
  EXPECT_EQ(by_step[0], std::vector<std::int64_t>{last + middle + first}) << "one bucket in the first step";
  // Above 1 MiB the first bucket is full: it ends with the middle weight.
  EXPECT_EQ(by_step[1].size(), 2u);
  EXPECT_EQ(by_step[1][0] + by_step[1][1], last + middle + first);
  EXPECT_LT(by_step[1][1], by_step[1][0]);
}

TEST(ReducerLink, ReducesAfterASplitBackward) {
  at::manual_seed(6);
  Replicas all = makeReplicas<Mlp>(2, 2, {20});
  const auto peers = lanePeers();
  onReplicas(2, [&](int r) {
    SmallNet& net = *all.nets[static_cast<std::size_t>(r)];
    const auto link = peers->joinReplicas(net.member("net", r, 2));
    for (int step = 0; step < 2; ++step) {
      for (at::Tensor& parameter : net.parameters) parameter.mutable_grad() = at::Tensor();
      link->beginStep();
      for (const Sample& sample : all.samples[static_cast<std::size_t>(r)]) lossOf(net, sample).backward();
      link->afterLastBackward();
    }
  });
  for (at::Tensor& parameter : all.nets[1]->parameters) parameter.mutable_grad() = at::Tensor();
  const auto first = gradientsAlone(*all.nets[1], all.samples[0]);
  const auto second = gradientsAlone(*all.nets[1], all.samples[1]);
  for (std::size_t i = 0; i < first.size(); ++i)
    EXPECT_TRUE(at::equal(all.nets[0]->parameters[i].grad(), first[i] * 0.5 + second[i] * 0.5));
}

/// A ResNet by its graph, whose convolutions add their weight gradients within the product, to what earlier
/// micro-batches left.
struct OurResNet final : SmallNet {
  OurResNet(const TensorMap& weights, const ModelSpec& spec)
      : network(test::wholeOf(spec, weights, at::MemoryFormat::ChannelsLast)) {
    network->follow(Rules::all().without(Rule::RemadeActivation));
    for (const TensorSlot& slot : network->slots()) {
      if (!slot.traits.parameter) {
        buffers.push_back(*slot.tensor);
        continue;
      }
      names.push_back(slot.name);
      parameters.push_back(*slot.tensor);
    }
  }
  at::Tensor forward(const at::Tensor& x) override {
    return network->forward({x.contiguous(at::MemoryFormat::ChannelsLast)}, /*training=*/true, nullptr).front();
  }
  std::unique_ptr<StageModule> network;
};

Replicas makeResNets() {
  const auto spec = test::describeModel("resnet18", 10, {3, 32, 32});
  const TensorMap weights = test::initialOf(spec.value()).weights;
  Replicas all = makeReplicas<ConvNet>(2, 3, {3, 32, 32});
  for (auto& net : all.nets) net = std::make_unique<OurResNet>(weights, spec.value());
  return all;
}

TEST(ReducerLink, SeesGradientsThatConvolutionsAddThemselves) {
  at::manual_seed(7);
  expectMeanOfTwo(makeResNets());
}

TEST(ReducerLink, ReducesAfterTheWeightPartOfASplitBackward) {
  at::manual_seed(10);
  Replicas all = makeResNets();
  const auto peers = lanePeers();
  onReplicas(2, [&](int r) {
    SmallNet& net = *all.nets[static_cast<std::size_t>(r)];
    const auto link = peers->joinReplicas(net.member("net", r, 2));
    link->beginStep();
    for (const Sample& sample : all.samples[static_cast<std::size_t>(r)]) {
      DeferredWeights later;
      {
        const InputPartOnly input_part(later);
        lossOf(net, sample).backward();
      }
      later.run([](std::uint32_t) {});
    }
    link->afterLastBackward();
  });
  for (at::Tensor& parameter : all.nets[1]->parameters) parameter.mutable_grad() = at::Tensor();
  const auto first = gradientsAlone(*all.nets[1], all.samples[0]);
  const auto second = gradientsAlone(*all.nets[1], all.samples[1]);
  for (std::size_t i = 0; i < first.size(); ++i) {
    EXPECT_TRUE(at::equal(all.nets[0]->parameters[i].grad(), first[i] * 0.5 + second[i] * 0.5))
        << all.nets[0]->names[i];
  }
}

TEST(ReducerLink, NamesTheParameterThatDiffers) {
  const auto peers = lanePeers();
  std::string said;
  onReplicas(2, [&](int r) {
    Mlp mlp(0.1);
    if (r == 1) mlp.names[2] = "other.weight";
    try {
      peers->joinReplicas(mlp.member("net", r, 2));
    } catch (const std::runtime_error& error) {
      said = error.what();
      peers->abandon(said);
    }
  });
  EXPECT_THAT(said, HasSubstr("other.weight"));
  EXPECT_THAT(said, HasSubstr("layer1.weight"));
}

TEST(ReducerLink, EndsAllLanesWhenOneGivesUp) {
  at::manual_seed(8);
  Replicas all = makeReplicas<Mlp>(2, 1, {20});
  const auto peers = lanePeers();
  std::string said;
  onReplicas(2, [&](int r) {
    SmallNet& net = *all.nets[static_cast<std::size_t>(r)];
    try {  // lane 1 may give up while lane 0 still joins
      const auto link = peers->joinReplicas(net.member("net", r, 2));
      if (r == 1) return peers->abandon("Lane 1 has no memory left.");
      trainStep(*link, net, all.samples[0]);
    } catch (const std::runtime_error& error) {
      said = error.what();
    }
  });
  EXPECT_EQ(said, "Lane 1 has no memory left.");
}

TEST(ReducerLink, OfASoleReplicaLeavesGradientsAlone) {
  at::manual_seed(9);
  Replicas all = makeReplicas<Mlp>(1, 2, {20});
  const auto link = lanePeers()->joinReplicas(all.nets[0]->member("net", 0, 1));
  const auto alone = gradientsAlone(*all.nets[0], all.samples[0]);
  trainStep(*link, *all.nets[0], all.samples[0]);
  for (std::size_t i = 0; i < alone.size(); ++i) EXPECT_TRUE(at::equal(all.nets[0]->parameters[i].grad(), alone[i]));
}

}  // namespace
}  // namespace lanelab
