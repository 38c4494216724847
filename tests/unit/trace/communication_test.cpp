// SPDX-License-Identifier: GPL-3.0-only
#include "profiler/trace/communication.h"

#include <gtest/gtest.h>

#include "profiler/trace/span.h"

namespace lanelab {
namespace {

TEST(Communication, IsRecognisedByTheNamesThatLibrariesGiveTheirKernels) {
  for (const char* name : {"ncclDevKernel_AllGather_RING_LL(ncclDevKernelArgsStorage<4096ul>)",
                           "ncclKernel_SendRecv_RING_SIMPLE_Sum_int8_t(ncclDevComm*, unsigned long, ncclWork*)",
                           "ncclDevKernel_Generic(ncclDevKernelArgsStorage<4096ul>)",
                           "_Z23ncclDevKernel_AllReduce20ncclDevKernelArgs",
                           "void rccl_main_kernel<1>(int)",
                           "mscclKernel_Sum_half_LL(ncclDevComm*)",
                           "void dpsk::ep::internode::combine<false, 8, __nv_bfloat16, 8, 2, 16, 24>(int4*, float*)",
                           "void deep_ep::intranode::dispatch<8, 768, 8192>(int4*, float*)",
                           "void deep_ep::internode_ll::dispatch<true, 3, 7168>(void*)",
                           "nvshmemi_transfer_rma_p2p(void*)",
                           "void vllm::cross_device_reduce_1stage<__nv_bfloat16, 8>(vllm::RankData*)",
                           "void (anonymous namespace)::multimem_all_reduce_kernel<c10::BFloat16, 16>(c10::BFloat16*)",
                           "void (anonymous namespace)::two_shot_all_reduce_kernel<float, 16>(float**)",
                           "void flashinfer::trtllm_allreduce_fusion::allreduce_fusion_kernel_oneshot_lamport<1>(int)",
                           "hcclAllReduce_float",
                           "collective_subgraph_execution",
                           "void kuserbuffers_pushsend<__nv_bfloat16>(int, int)",
                           "userbuffers_fp16_sum_inplace_gpu_rr_rs_oop(int)",
                           "all-reduce-start.1",
                           "reduce-scatter.7",
                           "collective-permute-start"})
    EXPECT_TRUE(isCommunicationKernel(name)) << name;
}

TEST(Communication, IsNotWhatOnlyNamesItInItsArguments) {
  for (const char* name :
       {"void gemm<float, ncclComm>(float*, ncclDevComm*)", "sm80_xmma_gemm_f16f16_f16f32_f32_tn_n",
        "void at::native::batch_norm_collect_statistics_kernel<at::native::Var, float, float, float, int>(int)",
        "triton_per_fused__to_copy_all_gather_into_tensor_mean_3", "void softmax_warp_all_reduce<float, 32>(float*)",
        "void blockAllReduceSum<float>(float*)", "void dpsk::ep::cuda::get_dispatch_layout<256, 32, 8>(long const*)",
        "Memcpy DtoD (Device -> Device)", "operator()(nccl", ""})
    EXPECT_FALSE(isCommunicationKernel(name)) << name;
}

TEST(Communication, IsWorkOfAGpuThatFilesCallAKernel) {
  EXPECT_TRUE(isGpuWork(Category::Communication));
  EXPECT_EQ(toString(Category::Communication), "kernel");
  EXPECT_EQ(categoryOf("kernel"), Category::Kernel);
}

}  // namespace
}  // namespace lanelab
