// SPDX-License-Identifier: GPL-3.0-only
#include "profiler/attach/rank_fault.h"

#include <string>

#include "base/terminal_text.h"
#include "base/text.h"
#include "base/utf8.h"
#include "profiler/io/source/import_limits.h"

namespace lanelab {
namespace {

constexpr std::size_t kShownOfAnswer = 200;  // characters

Message tooOld() { return sentence("Its PyTorch cannot be asked for a profile. PyTorch 2.11 or later can."); }

Message refused(const JobRank& rank) {
  const std::string at = rank.address.text();
  if (rank.named_host.empty() || !rank.address.isThisMachine() || rank.named_host == rank.address.host)
    return sentence("Nothing listens at {}. Its process may have ended.", at);
  const std::string port = std::to_string(rank.address.port);
  return sentence(
      "Nothing listens at {}. Its process may have ended; if the job is on another machine, add -L {} to "
      "your ssh.",
      at, port + ":localhost:" + port);
}

/// How a connection failed; none if there was an answer.
std::optional<Message> whyNoConnection(const JobRank& rank, const HttpAnswer& answer) {
  const std::string at = rank.address.text();
  switch (answer.end) {
    case HttpEnd::UnknownHost:
      return sentence(
          "The host of {} is not known here. Forward the port with ssh -L and name the address as {}=HOST:PORT "
          "(--rank-address), or attach on a machine of the job.",
          at, rank.rank);
    case HttpEnd::Refused: return refused(rank);
    case HttpEnd::Unreachable:
      return sentence(
          "{} cannot be reached ({}). Forward the port with ssh -L and name the address as {}=HOST:PORT "
          "(--rank-address), or attach on a machine of the job.",
          at, answer.words, rank.rank);
    case HttpEnd::NotHttp: return sentence("What listens at {} is not a server of start_debug_server().", at);
    default: return {};
  }
}

std::string firstLine(const std::string& body) {
  const std::string line = body.substr(0, body.find('\n'));
  return line.empty() ? "no text" : onOneTerminalLine(cutAfter(validUtf8(line), kShownOfAnswer));
}

Message otherStatus(const HttpAnswer& answer) {
  if (answer.status == 404) return tooOld();
  return sentence("It refused with HTTP status {}: {}", answer.status, firstLine(answer.body));
}

}  // namespace

std::optional<Message> whyNotAsked(const JobRank& rank, const HttpAnswer& greeting) {
  if (std::optional<Message> reason = whyNoConnection(rank, greeting)) return reason;
  if (greeting.end == HttpEnd::Silent)
    return sentence("Its process does not respond. It may be stopped, or its machine overloaded.");
  if (greeting.ok() && greeting.body.starts_with('[') && greeting.body.find("\"torch_profile\"") == std::string::npos)
    return tooOld();
  return {};
}

std::optional<Message> whyNoTrace(const JobRank& rank, const HttpAnswer& answer, const AttachRequest& request) {
  if (std::optional<Message> reason = whyNoConnection(rank, answer)) return reason;
  switch (answer.end) {
    case HttpEnd::Answered:
      if (answer.status != 200) return otherStatus(answer);
      return answer.bytes > 0 ? std::optional<Message>() : sentence("Its answer is empty.");
    case HttpEnd::Silent:
      return sentence(
          "It gave no whole trace within {} s. Its process may hang; if it only takes longer, give "
          "it more time to answer (--grace).",
          exactNumber(request.seconds + request.grace_s));
    case HttpEnd::TooLarge:
      return sentence("Its trace is larger than {}. Record fewer seconds, or raise the limit (--max-answer).",
                      sizeOfBytes(request.most_bytes));
    case HttpEnd::NotStored: return sentence("Its trace cannot be stored: {}.", answer.words);
    default: return sentence("The connection ended before its trace was whole. Its process may have ended.");
  }
}

}  // namespace lanelab
