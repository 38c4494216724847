// SPDX-License-Identifier: GPL-3.0-only
#include "profiler/attach/server_address.h"

#include <algorithm>

#include "base/parse_number.h"

namespace lanelab {
namespace {

constexpr std::size_t kLongestHost = 253;
constexpr int kLargestPort = 65535;
constexpr std::string_view kLettersAndDigits = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789";

bool isHostName(std::string_view host) {
  const std::string allowed = std::string(kLettersAndDigits) + "._-";
  return !host.empty() && host.size() <= kLongestHost && host.front() != '-' &&
         host.find_first_not_of(allowed) == std::string_view::npos;
}

bool isIpv6(std::string_view host) {
  return host.find(':') != std::string_view::npos &&
         host.find_first_not_of("0123456789abcdefABCDEF:.") == std::string_view::npos;
}

struct HostAndPort {
  std::string_view host;
  std::optional<std::string_view> port;
};

HostAndPort split(std::string_view text) {
  if (text.starts_with('[')) {
    const std::size_t end = text.find(']');
    if (end == std::string_view::npos || (end + 1 < text.size() && text[end + 1] != ':')) return {text, {}};
    const std::string_view host = text.substr(1, end - 1);
    return end + 1 < text.size() ? HostAndPort{host, text.substr(end + 2)} : HostAndPort{host, {}};
  }
  const std::size_t colon = text.rfind(':');
  if (colon == std::string_view::npos) return {text, {}};
  return {text.substr(0, colon), text.substr(colon + 1)};
}

}  // namespace

std::string ServerAddress::text() const {
  const std::string name = isIpv6(host) ? "[" + host + "]" : host;
  return name + ":" + std::to_string(port);
}

bool ServerAddress::isThisMachine() const { return host == "localhost" || host == "::1" || host.starts_with("127."); }

Result<ServerAddress> readServerAddress(std::string_view text, std::optional<int> usual_port) {
  std::string_view rest = text;
  if (constexpr std::string_view kScheme = "http://"; rest.starts_with(kScheme)) rest.remove_prefix(kScheme.size());
  if (rest.ends_with('/')) rest.remove_suffix(1);
  const HostAndPort parts = split(rest);
  const bool in_brackets = rest.starts_with('[');
  if (in_brackets ? !isIpv6(parts.host) : !isHostName(parts.host))
    return Error::badInput("\"{}\" is not an address. Write HOST:PORT, such as localhost:25999.", text);
  if (!parts.port && !usual_port)
    return Error::badInput("\"{}\" has no port. Write HOST:PORT, such as localhost:25999.", text);
  const std::optional<int> port = parts.port ? parseNumber<int>(*parts.port) : usual_port;
  if (!port || *port < 1 || *port > kLargestPort)
    return Error::badInput(
        "The port of \"{}\" is not a number from 1 to 65535. Write HOST:PORT, such as "
        "localhost:25999.",
        text);
  return ServerAddress{std::string(parts.host), *port};
}

}  // namespace lanelab
