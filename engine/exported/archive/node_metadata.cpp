// SPDX-License-Identifier: GPL-3.0-only
#include "engine/exported/archive/node_metadata.h"

#include <vector>

namespace lanelab {
namespace {

constexpr std::size_t kDeepestStack = 64;
constexpr std::string_view kFile = "File \"", kLine = "\", line ";

/// Parts between `separator`, except within brackets: a path may be "layers.slice(None, 2, None).0".
std::vector<std::string_view> partsOutsideBrackets(std::string_view text, char separator) {
  std::vector<std::string_view> parts;
  int depth = 0;
  std::size_t from = 0;
  for (std::size_t at = 0; at < text.size(); ++at) {
    if (text[at] == '[' || text[at] == '(') ++depth;
    if (text[at] == ']' || text[at] == ')') --depth;
    if (depth != 0 || text[at] != separator) continue;
    parts.push_back(text.substr(from, at - from));
    from = at + 1;
  }
  parts.push_back(text.substr(from));
  return parts;
}

/// "/a/b/resnet.py", line 92, in forward -> "resnet.py:92".
std::string shortLine(std::string_view frame) {
  const std::size_t end = frame.find(kLine);
  if (end == std::string_view::npos) return {};
  const std::string_view path = frame.substr(0, end);
  std::string_view number = frame.substr(end + kLine.size());
  number = number.substr(0, number.find_first_not_of("0123456789"));
  const std::size_t slash = path.find_last_of("/\\");
  return std::string(slash == std::string_view::npos ? path : path.substr(slash + 1)) + ":" + std::string(number);
}

bool isOfTorch(std::string_view frame) {
  const std::string_view path = frame.substr(0, frame.find(kLine));
  return path.starts_with("torch/") || path.find("/torch/") != std::string_view::npos;
}

}  // namespace

ModuleStack moduleStack(std::string_view text) {
  ModuleStack stack;
  for (const std::string_view item : partsOutsideBrackets(text, ';')) {
    const std::vector<std::string_view> fields = partsOutsideBrackets(item, ',');
    // A pass of torch.export that has no module puts its own name in all three.
    if (fields.size() < 3 || fields[0] == fields[1] || stack.size() == kDeepestStack) continue;
    const std::size_t dot = fields[2].rfind('.');
    stack.push_back(
        {std::string(fields[1]), std::string(dot == std::string_view::npos ? fields[2] : fields[2].substr(dot + 1))});
  }
  return stack;
}

std::string innermostLine(std::string_view trace) {
  std::string innermost;
  while (true) {
    const std::size_t at = trace.rfind(kFile);
    if (at == std::string_view::npos) return innermost;
    const std::string_view frame = trace.substr(at + kFile.size());
    std::string line = shortLine(frame);
    if (!isOfTorch(frame)) return line;
    if (innermost.empty()) innermost = std::move(line);
    trace = trace.substr(0, at);
  }
}

}  // namespace lanelab
