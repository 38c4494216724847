// SPDX-License-Identifier: GPL-3.0-only
// A tool for NVTX: NVTX loads it from NVTX_INJECTION64_PATH and asks it in. It keeps every push and pop of a domain's
// ranges, by thread.
#include <nvtx3/nvToolsExt.h>

#include <map>
#include <mutex>
#include <string>
#include <thread>

namespace {

struct Heard {
  std::mutex mutex;
  std::string domain;
  std::map<std::thread::id, std::string> threads;  ///< "(name " for a push, ")" for a pop

  void add(const std::string& text) {
    const std::lock_guard lock(mutex);
    threads[std::this_thread::get_id()] += text;
  }
};

Heard& heard() {
  static Heard instance;
  return instance;
}

nvtxDomainHandle_t createDomain(const char* name) {
  const std::lock_guard lock(heard().mutex);
  heard().domain = name;
  return reinterpret_cast<nvtxDomainHandle_t>(&heard());
}

int push(nvtxDomainHandle_t, const nvtxEventAttributes_t* range) {
  heard().add("(" + std::string(range->message.ascii) + " ");
  return 0;
}

int pop(nvtxDomainHandle_t) {
  heard().add(")");
  return 0;
}

}  // namespace

extern "C" {

/// One line a thread; then all is forgotten. The caller frees nothing and copies it before the next call.
const char* takeHeard() {
  static std::string text;
  const std::lock_guard lock(heard().mutex);
  text = heard().domain + "\n";
  for (const auto& [thread, line] : heard().threads) text += line + "\n";
  heard().threads.clear();
  return text.c_str();
}

int InitializeInjectionNvtx2(NvtxGetExportTableFunc_t table_of) {
  const auto* const callbacks = static_cast<const NvtxExportTableCallbacks*>(table_of(NVTX_ETID_CALLBACKS));
  NvtxFunctionTable functions = nullptr;
  unsigned int count = 0;
  if (!callbacks || !callbacks->GetModuleFunctionTable(NVTX_CB_MODULE_CORE2, &functions, &count) ||
      count < NVTX_CBID_CORE2_SIZE)
    return 0;
  *functions[NVTX_CBID_CORE2_DomainCreateA] = reinterpret_cast<NvtxFunctionPointer>(&createDomain);
  *functions[NVTX_CBID_CORE2_DomainRangePushEx] = reinterpret_cast<NvtxFunctionPointer>(&push);
  *functions[NVTX_CBID_CORE2_DomainRangePop] = reinterpret_cast<NvtxFunctionPointer>(&pop);
  return 1;
}
}
