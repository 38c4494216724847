// SPDX-License-Identifier: GPL-3.0-only
// Precompiled for the targets with c10d's headers: what nearly every file of them includes.
#pragma once

#include <torch/csrc/distributed/c10d/Backend.hpp>

#include "engine/torch/torch_pch.h"
