// SPDX-License-Identifier: GPL-3.0-only
#include "profiler/attach/http/curl_functions.h"

#include <dlfcn.h>

#include <optional>

namespace lanelab {
namespace {

template <class Function>
bool found(void* library, const char* name, Function& function) {
  function = reinterpret_cast<Function>(::dlsym(library, name));
  return function != nullptr;
}

bool findAll(void* library, CurlFunctions& curl) {
  return found(library, "curl_global_init", curl.global_init) && found(library, "curl_easy_init", curl.easy_init) &&
         found(library, "curl_easy_setopt", curl.easy_setopt) &&
         found(library, "curl_easy_getinfo", curl.easy_getinfo) &&
         found(library, "curl_easy_strerror", curl.easy_strerror) &&
         found(library, "curl_easy_cleanup", curl.easy_cleanup) && found(library, "curl_multi_init", curl.multi_init) &&
         found(library, "curl_multi_setopt", curl.multi_setopt) &&
         found(library, "curl_multi_add_handle", curl.multi_add_handle) &&
         found(library, "curl_multi_remove_handle", curl.multi_remove_handle) &&
         found(library, "curl_multi_perform", curl.multi_perform) &&
         found(library, "curl_multi_poll", curl.multi_poll) && found(library, "curl_multi_wakeup", curl.multi_wakeup) &&
         found(library, "curl_multi_info_read", curl.multi_info_read) &&
         found(library, "curl_multi_cleanup", curl.multi_cleanup);
}

/// CURLOPT_PROTOCOLS_STR, without which other protocols than HTTP would be spoken, came with 7.85.
constexpr unsigned kOldestVersion = 0x075500;

std::optional<CurlFunctions> opened() {
  void* const library = ::dlopen("libcurl.so.4", RTLD_NOW | RTLD_LOCAL);
  CurlFunctions curl;
  decltype(&curl_version_info) version_info = nullptr;
  if (library == nullptr || !findAll(library, curl) || !found(library, "curl_version_info", version_info)) return {};
  if (version_info(CURLVERSION_NOW)->version_num < kOldestVersion) return {};
  if (curl.global_init(CURL_GLOBAL_NOTHING) != CURLE_OK) return {};
  return curl;
}

}  // namespace

Result<const CurlFunctions*> curlHere() {
  static const std::optional<CurlFunctions> curl = opened();
  if (!curl) return Error::failed("There is no libcurl 7.85 or later here. Install the package libcurl4.");
  return &*curl;
}

}  // namespace lanelab
