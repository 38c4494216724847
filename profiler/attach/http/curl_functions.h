// SPDX-License-Identifier: GPL-3.0-only
// libcurl (https://curl.se), opened at run time: only one command and one dialog connect to anything, and its forty
// libraries would take three times the start of the others. Any thread.
#pragma once

#include <curl/curl.h>

#include "base/result.h"

namespace lanelab {

/// The library's functions that are used, under its names without "curl_".
struct CurlFunctions {
  decltype(&curl_global_init) global_init = nullptr;
  decltype(&curl_easy_init) easy_init = nullptr;
  decltype(&curl_easy_setopt) easy_setopt = nullptr;
  decltype(&curl_easy_getinfo) easy_getinfo = nullptr;
  decltype(&curl_easy_strerror) easy_strerror = nullptr;
  decltype(&curl_easy_cleanup) easy_cleanup = nullptr;
  decltype(&curl_multi_init) multi_init = nullptr;
  decltype(&curl_multi_setopt) multi_setopt = nullptr;
  decltype(&curl_multi_add_handle) multi_add_handle = nullptr;
  decltype(&curl_multi_remove_handle) multi_remove_handle = nullptr;
  decltype(&curl_multi_perform) multi_perform = nullptr;
  decltype(&curl_multi_poll) multi_poll = nullptr;
  decltype(&curl_multi_wakeup) multi_wakeup = nullptr;
  decltype(&curl_multi_info_read) multi_info_read = nullptr;
  decltype(&curl_multi_cleanup) multi_cleanup = nullptr;
};

/// Of this machine, opened and initialized by the first call, for good. Failed: there is none, or it is older
/// than 7.85.
Result<const CurlFunctions*> curlHere();

}  // namespace lanelab
