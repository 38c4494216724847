// SPDX-License-Identifier: GPL-3.0-only
// lanelab as it is installed: finds the user's LibTorch and becomes the window. If there is none, a page offers to
// install it; without a display a sentence says what to do.
#include <cstdio>

#include "app/start/start_with_torch.h"
#include "base/terminal_text.h"
#include "base/termination.h"

int main(int, char** arguments) {
  using namespace lanelab;
  Error error = startWithTorch("lanelab", arguments);
  if (error.kind == Error::Kind::Failed) error = offerTorch(error, arguments);
  std::fprintf(stderr, "lanelab: %s\n", forTerminal(error.message).c_str());
  return exitCodeOf(error);
}
