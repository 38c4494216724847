// SPDX-License-Identifier: GPL-3.0-only
#include "engine/dist/rendezvous/connection_text.h"

#include <c10/util/Logging.h>

#include <array>

namespace lanelab {

namespace {

/// The first row whose words are in the text counts.
struct Translation {
  std::string_view words, sentence;
};

constexpr std::string_view kInStep = "Start all ranks with the same file and options";

constexpr std::string_view kNotInStep =
    "The ranks sent each other tensors of different sizes, so they do not train in step. Start all ranks with the same "
    "file and options.";
constexpr std::string_view kClosed =
    "The connection to another rank was closed, and no rank reports a failure. Check the network between the machines, "
    "then start all ranks again.";
constexpr std::string_view kMemory =
    "The memory ran out while ranks exchanged tensors. Choose a smaller batch, input or model, or close other "
    "programs.";
constexpr std::string_view kTooLate =
    "Another rank is alive, but did not answer as long as LANELAB_DIST_TIMEOUT allows. Start all ranks with the same "
    "file and options, or set LANELAB_DIST_TIMEOUT to more seconds.";
constexpr std::string_view kApart =
    "Not all ranks came to the same point of the run in time. Start all ranks with the same file and options, or set "
    "LANELAB_DIST_TIMEOUT to more seconds.";
constexpr std::string_view kBroken =
    "The connection to another rank broke, and no rank reports a failure. Check the network between the machines, then "
    "start all ranks again.";

constexpr std::array kTranslations{Translation{"preamble", kNotInStep},
                                   Translation{"out of memory", kMemory},
                                   Translation{"not enough memory", kMemory},
                                   Translation{"allocate memory", kMemory},
                                   Translation{"did not come together", kApart},
                                   Translation{"not all members", kApart},
                                   Translation{"closed by peer", kClosed},
                                   Translation{"reset by peer", kClosed},
                                   Translation{"Broken pipe", kClosed},
                                   Translation{"Connection refused", kClosed},
                                   Translation{"imed out", kTooLate},
                                   Translation{"imeout", kTooLate},
                                   Translation{"did not end within", kTooLate},
                                   Translation{"was closed", kClosed}};

}  // namespace

std::string connectionSentence(std::string_view said) {
  constexpr std::string_view kNothingCame = "nothing came from rank ";
  if (said.rfind(kNothingCame, 0) == 0) {
    return "Nothing came" + std::string(said.substr(12)) + ", although it is alive. " + std::string(kInStep) +
           ", or set LANELAB_DIST_TIMEOUT to more seconds.";
  }
  for (const auto& [words, sentence] : kTranslations) {
    if (said.find(words) != std::string_view::npos) return std::string(sentence);
  }
  return std::string(kBroken);
}

void logConnectionText(const std::string& said) { LOG(INFO) << "LaneLab: a connection between ranks broke: " << said; }

}  // namespace lanelab
