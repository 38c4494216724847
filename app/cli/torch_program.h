// SPDX-License-Identifier: GPL-3.0-only
// The step from lanelab-cli, which starts at once since it has no LibTorch, to lanelab-cli-torch, which has all
// commands and all of torch.
//
// In this program makeTorchExecutor() (engine/torch/train/torch_executor.h) does it, too: a command that turns out to
// need torch begins anew in the other program, with the same arguments and the same process number. So nothing may have
// been printed or written before a command asks for an executor.
#pragma once

namespace lanelab {

/// What main was called with; kept for the step, which is taken from anywhere.
void rememberArguments(char** values);

/// Does not return. Throws a std::runtime_error with a sentence where lanelab-cli-torch, which lies beside this
/// program, cannot be started.
[[noreturn]] void becomeTorchProgram();

}  // namespace lanelab
