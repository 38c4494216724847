// SPDX-License-Identifier: GPL-3.0-only
// No word of c10d's, Gloo's or NCCL's reaches a user.
#include "engine/dist/rendezvous/connection_text.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace lanelab {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

struct Said {
  const char* what;
  const char* said;
  const char* meant;
};

class ConnectionSentences : public ::testing::TestWithParam<Said> {};

TEST_P(ConnectionSentences, SayWhatHappenedAndWhatToDo) {
  const std::string sentence = connectionSentence(GetParam().said);
  EXPECT_THAT(sentence, HasSubstr(GetParam().meant));
  EXPECT_THAT(sentence, ::testing::ContainsRegex("(Start|Check|Choose|start)"));
  for (const char* const word :
       {"gloo", "Gloo", "NCCL", "c10d", "third_party", ".cc", "preamble", "wait", "key", "Socket"})
    EXPECT_THAT(sentence, Not(HasSubstr(word)));
}

INSTANTIATE_TEST_SUITE_P(
    Texts, ConnectionSentences,
    ::testing::Values(
        Said{"Sizes",
             "[enforce fail at ../third_party/gloo/gloo/transport/tcp/pair.cc:446] op.preamble.length <= op.nbytes. "
             "8192 vs 152",
             "do not train in step"},
        Said{"Closed",
             "[../third_party/gloo/gloo/transport/tcp/pair.cc:547] Connection closed by peer [127.0.0.1]:22834",
             "was closed"},
        Said{"Reset",
             "[../third_party/gloo/gloo/transport/tcp/pair.cc:538] Read error [127.0.0.1]:4321: Connection reset by "
             "peer",
             "was closed"},
        Said{"Late",
             "[../third_party/gloo/gloo/transport/tcp/unbound_buffer.cc:78] Timed out waiting 60000ms for recv "
             "operation to complete",
             "did not answer"},
        Said{"Store", "wait timeout after 60000ms, keys: /lanelab/0/session 1/1/0", "did not answer"},
        Said{"Group",
             "the group world did not come together: Gloo connectFullMesh failed with "
             "[../third_party/gloo/gloo/transport/tcp/pair.cc:150] timed out",
             "same point"},
        Said{"Nccl", "NCCL error: unhandled system error", "broke"},
        Said{"Memory", "[enforce fail at alloc_cpu.cpp:127] err == 0. DefaultCPUAllocator: can't allocate memory",
             "memory"},
        Said{"Ours", "nothing came from rank 2 for 60 s", "Nothing came from rank 2 for 60 s"},
        Said{"Unknown", "something else", "broke"}),
    [](const auto& test) { return test.param.what; });

}  // namespace
}  // namespace lanelab
