// SPDX-License-Identifier: GPL-3.0-only
// Precompiled for the targets with torch headers: what nearly every file of them includes.
#pragma once

#include <ATen/core/Tensor.h>
#include <ATen/core/grad_mode.h>
#include <ATen/record_function.h>

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>
