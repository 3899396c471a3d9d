#ifndef ATTNSCOPE_PLUGIN_H
#define ATTNSCOPE_PLUGIN_H

/* What a library exports to be an attention in Attnscope (--plugin): two C functions, in any language, without LibTorch. docs/plugins.md
 * has a complete example. */

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* float32 in memory: element (b,h,n,d) is data[b·stride[0] + h·stride[1] + n·stride[2] + d·stride[3]]. Strides count elements. */
typedef struct AttnscopeTensor {
    const float* data;
    int64_t size[4], stride[4];
} AttnscopeTensor;

/* A JSON object that lives as long as the library: {"abi": 1, "name": "relu-linear"}, and if you like "title", "help", "citation" and "kind"
 * (approximation, other-kernel or needs-training). A name has lower-case letters, digits and hyphens. */
const char* attnscope_describe_v1(void);

/* q (B,H,N,D), k (B,H,M,D) and v (B,H,M,Dv) → out (B,H,N,Dv), contiguous. `scale` multiplies q·k. Called by one thread at a time or by
 * several at once; the result depends on nothing but the arguments, and is linear in v. Returns 0, or another number and the reason as a
 * text of at most `room` bytes with its closing zero. */
int attnscope_attention_v1(const AttnscopeTensor* q, const AttnscopeTensor* k, const AttnscopeTensor* v,
                           double scale, float* out, char* text, int64_t room);

#ifdef __cplusplus
}
#endif

#endif
