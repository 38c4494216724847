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

constexpr std::string_view in_step = "Start all ranks with the same file and options";

constexpr std::string_view not_in_step =
    "The ranks sent each other tensors of different sizes, so they do not train in step. Start all ranks with the same "
    "file and options.";
constexpr std::string_view closed =
    "The connection to another rank was closed, and no rank reports a failure. Check the network between the machines, "
    "then start all ranks again.";
constexpr std::string_view memory =
    "The memory ran out while ranks exchanged tensors. Choose a smaller batch, image or model, or close other "
    "programs.";
constexpr std::string_view too_late =
    "Another rank is alive, but did not answer as long as LANELAB_DIST_TIMEOUT allows. Start all ranks with the same "
    "file and options, or set LANELAB_DIST_TIMEOUT to "
    "more seconds.";
constexpr std::string_view apart =
    "Not all ranks came to the same point of the run in time. Start all ranks with the same file and options, or set "
    "LANELAB_DIST_TIMEOUT to more seconds.";
constexpr std::string_view broken =
    "The connection to another rank broke, and no rank reports a failure. Check the network between the machines, then "
    "start all ranks again.";

constexpr std::array translations{
    Translation{"preamble", not_in_step},        Translation{"out of memory", memory},
    Translation{"not enough memory", memory},    Translation{"allocate memory", memory},
    Translation{"did not come together", apart}, Translation{"not all members", apart},
    Translation{"closed by peer", closed},       Translation{"reset by peer", closed},
    Translation{"Broken pipe", closed},          Translation{"Connection refused", closed},
    Translation{"imed out", too_late},           Translation{"imeout", too_late},
    Translation{"did not end within", too_late}, Translation{"was closed", closed}};

}  // namespace

std::string connectionSentence(std::string_view said) {
  constexpr std::string_view nothing_came = "nothing came from rank ";
  if (said.rfind(nothing_came, 0) == 0) {
    return "Nothing came" + std::string(said.substr(12)) + ", although it is alive. " + std::string(in_step) +
           ", or set LANELAB_DIST_TIMEOUT to more seconds.";
  }
  for (const auto& [words, sentence] : translations) {
    if (said.find(words) != std::string_view::npos) return std::string(sentence);
  }
  return std::string(broken);
}

void logConnectionText(const std::string& said) { LOG(INFO) << "LaneLab: a connection between ranks broke: " << said; }

}  // namespace lanelab
