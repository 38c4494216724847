// SPDX-License-Identifier: GPL-3.0-only
// What nearly every file of the larger libraries includes: to read it once takes a quarter off each of them.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>
