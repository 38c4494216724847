// SPDX-License-Identifier: GPL-3.0-only
#include "engine/exported/operators/allowed_operators.h"

#include <algorithm>
#include <array>
#include <string>
#include <variant>
#include <vector>

#include "engine/exported/operators/operator_traits.h"

namespace lanelab {
namespace {

/// Names without an underscore at the end: with one it is the form in place. Left out are operators that map files
/// (from_file), change what a storage is (set_, resize_), trust indices or sizes that they are given (segment_reduce,
/// ctc_loss, native_group_norm, solvers with pivots), belong to one backend, or make sparse and quantized tensors.
constexpr std::string_view kAllowed =
    "__and__ __iand__ __ilshift__ __ior__ __irshift__ __ixor__ __lshift__ __or__ __rshift__ __xor__ "
    "_adaptive_avg_pool2d _adaptive_avg_pool3d _assert_async _assert_scalar _assert_tensor_metadata "
    "_batch_norm_no_update _batch_norm_with_update _cdist_forward _conj _conj_physical _convolution "
    "_embedding_bag _euclidean_dist _fake_quantize_learnable_per_channel_affine "
    "_fake_quantize_learnable_per_tensor_affine _fft_c2c _fft_c2r _fft_r2c _fused_rms_norm _grouped_mm "
    "_linalg_det _linalg_eigh _linalg_slogdet _linalg_solve_ex _linalg_svd _log_softmax _native_batch_norm_legit "
    "_native_batch_norm_legit_no_training _neg_view _pdist_forward _prelu_kernel _reshape_copy _safe_softmax "
    "_scaled_dot_product_attention_math _scaled_dot_product_flash_attention_for_cpu _shape_as_tensor _softmax "
    "_to_copy _trilinear _unsafe_index _unsafe_index_put _unsafe_view _upsample_bicubic2d_aa "
    "_upsample_bilinear2d_aa _upsample_nearest_exact1d _upsample_nearest_exact2d _upsample_nearest_exact3d "
    "_weight_norm abs absolute acos acosh adaptive_avg_pool1d adaptive_avg_pool2d adaptive_avg_pool3d "
    "adaptive_max_pool1d adaptive_max_pool2d adaptive_max_pool3d add addbmm addcdiv addcmul addmm addmv addr "
    "adjoint affine_grid_generator alias alias_copy all alpha_dropout amax amin aminmax angle any arange arccos "
    "arccosh arcsin arcsinh arctan arctan2 arctanh argmax argmin argsort as_strided as_strided_copy asin asinh "
    "atan atan2 atanh atleast_1d atleast_2d atleast_3d avg_pool1d avg_pool2d avg_pool3d baddbmm bartlett_window "
    "batch_norm bernoulli bilinear binary_cross_entropy binary_cross_entropy_with_logits bincount binomial "
    "bitwise_and bitwise_left_shift bitwise_not bitwise_or bitwise_right_shift bitwise_xor blackman_window "
    "block_diag bmm broadcast_tensors broadcast_to bucketize cartesian_prod cat cauchy cdist ceil celu "
    "chain_matmul channel_shuffle cholesky cholesky_inverse cholesky_solve chunk clamp clamp_max clamp_min clip "
    "clone col2im column_stack combinations complex concat concatenate conj conj_physical constant_pad_nd "
    "contiguous conv1d conv2d conv3d conv_tbc conv_transpose1d conv_transpose2d conv_transpose3d convolution copy "
    "copysign corrcoef cos cosh cosine_embedding_loss cosine_similarity count_nonzero cov cross "
    "cross_entropy_loss cummax cummin cumprod cumsum cumulative_trapezoid deg2rad det detach detach_copy diag "
    "diag_embed diagflat diagonal diagonal_copy diagonal_scatter diff digamma dist div divide dot dropout dsplit "
    "dstack einsum elu embedding embedding_bag embedding_renorm empty empty_like empty_permuted empty_strided eq "
    "erf erfc erfinv exp exp2 expand expand_as expand_copy expm1 exponential eye fake_quantize_per_channel_affine "
    "fake_quantize_per_channel_affine_cachemask fake_quantize_per_tensor_affine "
    "fake_quantize_per_tensor_affine_cachemask feature_alpha_dropout feature_dropout fft_fft fft_fft2 fft_fftfreq "
    "fft_fftn fft_fftshift fft_hfft fft_hfft2 fft_hfftn fft_ifft fft_ifft2 fft_ifftn fft_ifftshift fft_ihfft "
    "fft_ihfft2 fft_ihfftn fft_irfft fft_irfft2 fft_irfftn fft_rfft fft_rfft2 fft_rfftfreq fft_rfftn fill fix "
    "flatten flip fliplr flipud float_power floor floor_divide fmax fmin fmod frac frexp frobenius_norm full "
    "full_like gather gcd ge gelu geometric ger glu gradient greater greater_equal grid_sampler grid_sampler_2d "
    "grid_sampler_3d group_norm gru gru_cell gt hamming_window hann_window hardshrink hardsigmoid hardswish "
    "hardtanh heaviside hinge_embedding_loss histc histogram histogramdd hsplit hstack huber_loss hypot i0 igamma "
    "igammac im2col imag index index_add index_copy index_fill index_put index_reduce index_select inner "
    "instance_norm inverse isclose isfinite isin isinf isnan isneginf isposinf isreal istft kaiser_window kl_div "
    "kron kthvalue l1_loss layer_norm lcm ldexp le leaky_relu lerp less less_equal lgamma lift_fresh "
    "lift_fresh_copy linalg__powsum linalg_cholesky linalg_cholesky_ex linalg_cond linalg_cross linalg_det "
    "linalg_diagonal linalg_eig linalg_eigh linalg_eigvals linalg_eigvalsh linalg_householder_product linalg_inv "
    "linalg_inv_ex linalg_ldl_factor linalg_ldl_factor_ex linalg_lstsq linalg_lu linalg_lu_factor "
    "linalg_lu_factor_ex linalg_matmul linalg_matrix_exp linalg_matrix_norm linalg_matrix_power "
    "linalg_matrix_rank linalg_multi_dot linalg_norm linalg_pinv linalg_qr linalg_slogdet linalg_solve "
    "linalg_solve_ex linalg_solve_triangular linalg_svd linalg_svdvals linalg_tensorinv linalg_tensorsolve "
    "linalg_vander linalg_vecdot linalg_vector_norm linear linspace log log10 log1p log2 log_normal log_sigmoid "
    "log_sigmoid_forward log_softmax logaddexp logaddexp2 logcumsumexp logdet logical_and logical_not logical_or "
    "logical_xor logit logspace logsumexp lstm lstm_cell lt lu_unpack mH mT margin_ranking_loss masked_fill "
    "masked_scatter matmul matrix_H matrix_exp matrix_power max max_pool1d max_pool1d_with_indices max_pool2d "
    "max_pool2d_with_indices max_pool3d max_pool3d_with_indices max_unpool2d max_unpool3d maximum mean median "
    "meshgrid min minimum mish mm mode moveaxis movedim mse_loss msort mul multi_margin_loss "
    "multilabel_margin_loss multinomial multiply mv mvlgamma nan_to_num nanmean nanmedian nanquantile nansum "
    "narrow narrow_copy native_batch_norm native_channel_shuffle native_dropout native_layer_norm ne neg negative "
    "new_empty new_empty_strided new_full new_ones new_zeros nextafter nll_loss nll_loss2d nll_loss2d_forward "
    "nll_loss_forward nll_loss_nd nonzero_static norm norm_except_dim normal normal_functional not_equal "
    "nuclear_norm numpy_T one_hot ones ones_like outer pad pad_sequence pairwise_distance pdist permute "
    "permute_copy pinverse pixel_shuffle pixel_unshuffle poisson poisson_nll_loss polar polygamma positive pow "
    "prelu prod put qr quantile rad2deg rand rand_like randint randint_like randn randn_like random randperm "
    "range ravel real reciprocal reflection_pad1d reflection_pad2d reflection_pad3d relu relu6 remainder renorm "
    "repeat repeat_interleave replication_pad1d replication_pad2d replication_pad3d reshape reshape_as "
    "resolve_conj resolve_neg rms_norm rnn_relu rnn_relu_cell rnn_tanh rnn_tanh_cell roll rot90 round row_stack "
    "rrelu rrelu_with_noise rrelu_with_noise_functional rsqrt rsub scalar_tensor scaled_dot_product_attention "
    "scatter scatter_add scatter_reduce searchsorted select select_copy select_scatter selu sgn sigmoid sign "
    "signbit silu sin sinc sinh slice slice_copy slice_scatter slogdet smooth_l1_loss soft_margin_loss softmax "
    "softplus softshrink sort special_airy_ai special_bessel_j0 special_bessel_j1 special_bessel_y0 "
    "special_bessel_y1 special_chebyshev_polynomial_t special_chebyshev_polynomial_u "
    "special_chebyshev_polynomial_v special_chebyshev_polynomial_w special_digamma special_entr special_erf "
    "special_erfc special_erfcx special_erfinv special_exp2 special_expit special_expm1 special_gammainc "
    "special_gammaincc special_gammaln special_hermite_polynomial_h special_hermite_polynomial_he special_i0 "
    "special_i0e special_i1 special_i1e special_laguerre_polynomial_l special_legendre_polynomial_p special_log1p "
    "special_log_ndtr special_log_softmax special_logit special_logsumexp special_modified_bessel_i0 "
    "special_modified_bessel_i1 special_modified_bessel_k0 special_modified_bessel_k1 special_multigammaln "
    "special_ndtr special_ndtri special_polygamma special_psi special_round special_scaled_modified_bessel_k0 "
    "special_scaled_modified_bessel_k1 special_shifted_chebyshev_polynomial_t "
    "special_shifted_chebyshev_polynomial_u special_shifted_chebyshev_polynomial_v "
    "special_shifted_chebyshev_polynomial_w special_sinc special_softmax special_spherical_bessel_j0 "
    "special_xlog1py special_xlogy special_zeta split split_copy split_with_sizes split_with_sizes_copy sqrt "
    "square squeeze squeeze_copy stack std std_mean stft sub subtract sum sum_to_size svd swapaxes swapdims "
    "sym_constrain_range sym_constrain_range_for_size sym_is_contiguous sym_numel sym_size sym_storage_offset "
    "sym_stride t t_copy take take_along_dim tan tanh tensor_split tensordot threshold tile to topk trace "
    "transpose transpose_copy trapezoid trapz triangular_solve tril tril_indices triplet_margin_loss triu "
    "triu_indices true_divide trunc type_as unbind unbind_copy unflatten unfold unfold_copy uniform unsafe_chunk "
    "unsafe_split unsafe_split_with_sizes unsqueeze unsqueeze_copy upsample_bicubic2d upsample_bilinear2d "
    "upsample_linear1d upsample_nearest1d upsample_nearest2d upsample_nearest3d upsample_trilinear3d vander var "
    "var_mean vdot view view_as view_as_complex view_as_complex_copy view_as_real view_as_real_copy view_copy "
    "vsplit vstack where xlogy zero zeros zeros_like";

/// Forms in place of allowed operators that are not.
constexpr std::array<std::string_view, 1> kNeverInPlace = {"as_strided_"};

/// Arguments that may be texts.
constexpr std::array<std::string_view, 18> kTexts = {
    "UPLO", "approximate", "assert_msg", "driver",   "equation", "indexing", "interpolation", "mode", "msg",
    "norm", "ord",         "p",          "pad_mode", "padding",  "reduce",   "rounding_mode", "side", "padding_side"};

/// Functions of Python that torch.export uses for numbers; what they make is known before a step.
constexpr std::array<std::string_view, 4> kOfNumbers = {"_operator.", "builtins.", "math.", "torch."};
constexpr std::string_view kPyTorch = "aten.";
constexpr std::string_view kRunHere = "higher_order.wrap_with_set_grad_enabled";  ///< the one of a nested graph

bool isListed(std::string_view name) {
  static const std::vector<std::string_view> names = sortedWords(kAllowed);
  return std::ranges::binary_search(names, name);
}

std::string placeOf(const ExportedNode& node) {
  const std::string module = node.module();
  return (module.empty() ? std::string() : " of module " + module) +
         (node.source.empty() ? std::string() : " (" + node.source + ")");
}

bool isText(const ExportedArgument& argument) {
  return std::holds_alternative<std::string>(argument) || std::holds_alternative<std::vector<std::string>>(argument);
}

Status refuseCall(const ExportedNode& node) {
  const std::string& target = node.target;
  const auto is_in = [&](std::string_view space) { return target.starts_with(space); };
  if (target == kRunHere || std::ranges::any_of(kOfNumbers, is_in)) return {};
  if (!is_in(kPyTorch))
    return Error::badInput(
        "{}{}: this operator exists in Python only, and LaneLab runs PyTorch's own. Write a factory whose network does "
        "without it.",
        target, placeOf(node));
  if (!isAllowedOperator(operatorName(target)))
    return Error::badInput(
        "{}{}: LaneLab does not run this operator. It runs those that compute new tensors from tensors, and their "
        "forms "
        "in place. Write a factory whose network does without it.",
        target, placeOf(node));
  for (const NamedArgument& input : node.inputs) {
    if (isText(input.value) && std::ranges::find(kTexts, input.name) == kTexts.end())
      return Error::badInput(
          "{}{}: its argument {} is a text, which this operator does not take. Export the network again.", target,
          placeOf(node), input.name);
  }
  return {};
}

}  // namespace

bool isAllowedOperator(std::string_view name) {
  if (std::ranges::find(kNeverInPlace, name) != kNeverInPlace.end()) return false;
  return isListed(outOfPlace(name));
}

Status refuseOperators(const ExportedGraph& graph) {
  for (const ExportedNode& node : graph.nodes) {
    if (Status allowed = refuseCall(node); !allowed.ok()) return allowed;
    if (const ExportedGraph* const nested = nestedGraph(node); nested != nullptr) {
      if (Status allowed = refuseOperators(*nested); !allowed.ok()) return allowed;
    }
  }
  return {};
}

}  // namespace lanelab
