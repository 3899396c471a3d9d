#compdef attnscope-cli
# SPDX-License-Identifier: Apache-2.0
# Completion for zsh, printed by `attnscope-cli completion zsh`: put it into share/zsh/site-functions/_attnscope-cli.

_attnscope_cli() {
    local curcontext=$curcontext context state line
    typeset -A opt_args
    _arguments -C '(- *)--help[explain the commands]' '(- *)--version[print the version]' \
        '1:command:->command' '*::argument:->argument' && return
    case $state in
        command)
            local -a commands
            commands=(
                'models:Lists the available models with parameters and multiply-adds (called "FLOPs" in the papers)'
                'backends:Lists the attention backends and their options'
                'devices:Lists the devices that models can run on, and why others cannot be used'
                'classify:Predicts classes of images and videos'
                'compare:Compares predictions, latency, memory and approximation error of several attentions side by side'
                'attend:Runs one attention on dumped q, k, v\: error compared with softmax, cost, difference from a reference'
                'approximate:Measures approximation error vs. number of samples on the same q, k, v (as in figure 1 of the LARA paper)'
                'layers:Shows where in a network an approximation goes wrong, and what it attends to instead'
                'plan:Chooses an attention for each layer within a time or error budget'
                'scale:Measures time and memory vs. number of tokens, compared with explicit and fused softmax (as in table 6 of the LARA paper)'
                'decode:Measures causal attention token by token\: time, state and error against the position, compared with softmax and a cache'
                'neighbours:Finds the images of a labelled folder with the nearest features, and classifies with them'
                'exits:Measures the accuracy of leaving a network early\: behind each block, under a confidence threshold, and at best'
                'inspect:Shows a checkpoint'\''s tensors, metadata, model family and how it was recognised; nothing in it is executed'
                'convert:Converts any supported checkpoint to safetensors with the model description in its header'
                'train:Trains from scratch, fine-tunes, or distils a softmax model into the same one with another attention'
                'evaluate:Evaluates the accuracy of any number of attentions on a whole folder; resumable and exact'
                'report:Writes tables and figures of stored evaluations as HTML, Markdown or CSV'
                'merge:Merges parts of evaluations that ran with --shard, or on several machines, into one store'
                'demo:Lists the demo files to try Attnscope with; with DIR, writes images and videos for training and evaluation'
                'doctor:Shows what is installed, which devices work, what is missing and how to get it'
                'completion:Prints a shell completion script for these commands and options'
            )
            _describe command commands ;;
        argument)
            case $words[1] in
                models) _arguments -s \
                    '--help[Print this help message and exit]' \
                    '-h[Print this help message and exit]' \
                    '--version[Display program version information and exit]' \
                    '--json[Write the result as JSON to FILE, or to standard output]:value:_files' ;;
                backends) _arguments -s \
                    '--help[Print this help message and exit]' \
                    '-h[Print this help message and exit]' \
                    '--version[Display program version information and exit]' \
                    '--json[Write the result as JSON to FILE, or to standard output]:value:_files' \
                    '*:argument:(native softmax performer rfa ra lara nystrom orthoformer linformer elu pooled-sra local eva topk strided blockwise longformer etc bigbird lsh clustered span alibi distance sra)' ;;
                devices) _arguments -s \
                    '--help[Print this help message and exit]' \
                    '-h[Print this help message and exit]' \
                    '--version[Display program version information and exit]' \
                    '--json[Write the result as JSON to FILE, or to standard output]:value:_files' ;;
                classify) _arguments -s \
                    '--help[Print this help message and exit]' \
                    '-h[Print this help message and exit]' \
                    '--version[Display program version information and exit]' \
                    '--orientation[Rotation recorded by cameras]:value:(ignore apply)' \
                    '--decoder[Decode images in a separate process, so that a crash costs only one image, or inline]:value:(process inline)' \
                    '--limit-pixels[Reject images with more pixels]:value: ' \
                    '--limit-side[Reject images that are wider or higher]:value: ' \
                    '--limit-bytes[Reject larger image files]:value: ' \
                    '--limit-clip-bytes[Maximum memory for a video'\''s frames at a time]:value: ' \
                    '--views[Clips in time × crops in space of a video\: 10x3 is the published protocol, 1x1 the centre of its first clip]:value:(10x3 1x3 1x1)' \
                    '--sampling[Clips of a fixed length]:value:(published ssv2)' \
                    '--start[Start time in a video, in seconds]:value: ' \
                    '--duration[Duration to use of a video, in seconds]:value: ' \
                    '--rotation[Rotation recorded in a video\: ignore, as the published evaluation does, or apply]:value:(ignore apply)' \
                    '--start-time[Time of a video'\''s first frame\: subtract it, or leave it as the authors'\'' loader does]:value:(subtract official)' \
                    '--any-format[Read every video format that FFmpeg supports, not only those in docs/video.md]' \
                    '--weights[A checkpoint]:value:{compadd -- untrained; _files}' \
                    '--model[A name listed by `attnscope-cli models`, or a JSON file that describes the model]:value:{compadd -- deit_tiny_patch16_224 deit_small_patch16_224 deit_base_patch16_224 deit_tiny_distilled_patch16_224 deit_small_distilled_patch16_224 deit_base_distilled_patch16_224 deit_base_patch16_384 deit_base_distilled_patch16_384 evit_tiny_p16 evit_tiny_p8 evit_small_p16 evit_small_p8 pvt_v2_b0 pvt_v2_b1 pvt_v2_b2 pvt_v2_b2_li pvt_v2_b3 pvt_v2_b4 pvt_v2_b5 pvt_v2_b1_lara pvt_v2_b1_performer pvt_v2_b1_softmax pvt_v2_b2_lara pvt_v2_b2_performer pvt_v2_b2_softmax pvt_v2_b3_lara pvt_v2_b3_performer pvt_v2_b3_softmax pvt_v2_b4_lara pvt_v2_b4_performer pvt_v2_b4_softmax pvt_v2_b5_lara pvt_v2_b5_performer pvt_v2_b5_softmax motionformer_224_16x4 motionformer_336_16x8 motionformer_224_32x3 joint_224_16x4 divided_224_16x4; _files}' \
                    '--checkpoint-key[The checkpoint key that contains the weights]:value: ' \
                    '--heads[Number of attention heads, if the checkpoint does not contain it and --model is not given]:value: ' \
                    '--image-size[Side length of the input in pixels]:value: ' \
                    '--position[How position embeddings are resized to another image size\: own rule of the model, deit, timm or dinov2]:value:(own deit timm dinov2)' \
                    '--preset[Short side before the crop\: deit]:value:(deit timm)' \
                    '--resize[Short side before the crop in pixels]:value: ' \
                    '--class-embeddings[Classify by the cosine of the network'\''s output with these embeddings of classes]:value:_files' \
                    '--plain[Run the unoptimized reference implementation of the layers instead of the one optimized for speed]' \
                    '*--attention[An attention, name\[\:key=value,…\]]:value:(native softmax performer rfa ra lara nystrom orthoformer linformer elu pooled-sra local eva topk strided blockwise longformer etc bigbird lsh clustered span alibi distance sra)' \
                    '--labels[Class names\: one per line, or a JSON list or object]:value:_files' \
                    '--topk[Classes to show for each attention]:value: ' \
                    '--logits[Include the logits in the JSON]' \
                    '--features[Also report features\: pooled]:value:(pooled token avg token+avg)' \
                    '--device[auto]:value:(auto cpu cuda)' \
                    '--dtype[Data type of the computation]:value:(float32 bfloat16 float16)' \
                    '--threads[CPU threads]:value: ' \
                    '--seed[Seed of all random numbers]:value: ' \
                    '--json[Write the result as JSON to FILE, or to standard output]:value:_files' \
                    '--quiet[Show no progress on standard error]' \
                    '*:argument:_files' ;;
                compare) _arguments -s \
                    '--help[Print this help message and exit]' \
                    '-h[Print this help message and exit]' \
                    '--version[Display program version information and exit]' \
                    '--orientation[Rotation recorded by cameras]:value:(ignore apply)' \
                    '--decoder[Decode images in a separate process, so that a crash costs only one image, or inline]:value:(process inline)' \
                    '--limit-pixels[Reject images with more pixels]:value: ' \
                    '--limit-side[Reject images that are wider or higher]:value: ' \
                    '--limit-bytes[Reject larger image files]:value: ' \
                    '--limit-clip-bytes[Maximum memory for a video'\''s frames at a time]:value: ' \
                    '--views[Clips in time × crops in space of a video\: 10x3 is the published protocol, 1x1 the centre of its first clip]:value:(10x3 1x3 1x1)' \
                    '--sampling[Clips of a fixed length]:value:(published ssv2)' \
                    '--start[Start time in a video, in seconds]:value: ' \
                    '--duration[Duration to use of a video, in seconds]:value: ' \
                    '--rotation[Rotation recorded in a video\: ignore, as the published evaluation does, or apply]:value:(ignore apply)' \
                    '--start-time[Time of a video'\''s first frame\: subtract it, or leave it as the authors'\'' loader does]:value:(subtract official)' \
                    '--any-format[Read every video format that FFmpeg supports, not only those in docs/video.md]' \
                    '--weights[A checkpoint]:value:{compadd -- untrained; _files}' \
                    '--model[A name listed by `attnscope-cli models`, or a JSON file that describes the model]:value:{compadd -- deit_tiny_patch16_224 deit_small_patch16_224 deit_base_patch16_224 deit_tiny_distilled_patch16_224 deit_small_distilled_patch16_224 deit_base_distilled_patch16_224 deit_base_patch16_384 deit_base_distilled_patch16_384 evit_tiny_p16 evit_tiny_p8 evit_small_p16 evit_small_p8 pvt_v2_b0 pvt_v2_b1 pvt_v2_b2 pvt_v2_b2_li pvt_v2_b3 pvt_v2_b4 pvt_v2_b5 pvt_v2_b1_lara pvt_v2_b1_performer pvt_v2_b1_softmax pvt_v2_b2_lara pvt_v2_b2_performer pvt_v2_b2_softmax pvt_v2_b3_lara pvt_v2_b3_performer pvt_v2_b3_softmax pvt_v2_b4_lara pvt_v2_b4_performer pvt_v2_b4_softmax pvt_v2_b5_lara pvt_v2_b5_performer pvt_v2_b5_softmax motionformer_224_16x4 motionformer_336_16x8 motionformer_224_32x3 joint_224_16x4 divided_224_16x4; _files}' \
                    '--checkpoint-key[The checkpoint key that contains the weights]:value: ' \
                    '--heads[Number of attention heads, if the checkpoint does not contain it and --model is not given]:value: ' \
                    '--image-size[Side length of the input in pixels]:value: ' \
                    '--position[How position embeddings are resized to another image size\: own rule of the model, deit, timm or dinov2]:value:(own deit timm dinov2)' \
                    '--preset[Short side before the crop\: deit]:value:(deit timm)' \
                    '--resize[Short side before the crop in pixels]:value: ' \
                    '--class-embeddings[Classify by the cosine of the network'\''s output with these embeddings of classes]:value:_files' \
                    '--plain[Run the unoptimized reference implementation of the layers instead of the one optimized for speed]' \
                    '*--attention[An attention, name\[\:key=value,…\]]:value:(native softmax performer rfa ra lara nystrom orthoformer linformer elu pooled-sra local eva topk strided blockwise longformer etc bigbird lsh clustered span alibi distance sra)' \
                    '--labels[Class names\: one per line, or a JSON list or object]:value:_files' \
                    '--topk[Classes to show for each attention]:value: ' \
                    '--logits[Include the logits in the JSON]' \
                    '--features[Also report features\: pooled]:value:(pooled token avg token+avg)' \
                    '--device[auto]:value:(auto cpu cuda)' \
                    '--dtype[Data type of the computation]:value:(float32 bfloat16 float16)' \
                    '--threads[CPU threads]:value: ' \
                    '--seed[Seed of all random numbers]:value: ' \
                    '--json[Write the result as JSON to FILE, or to standard output]:value:_files' \
                    '--quiet[Show no progress on standard error]' \
                    '--seeds[Number of seeds over which the error of a random attention is averaged]:value: ' \
                    '--repetitions[Minimum number of timed passes per attention]:value: ' \
                    '--seconds[Minimum time to spend on timing each attention]:value: ' \
                    '--pca[Write the principal components of the patches'\'' features as an image per input and attention into this folder, all in the colours of exact attention]:value:_files' \
                    '--no-latency[Skip timing]' \
                    '--no-cuda-graphs[On a GPU, launch kernels individually when timing instead of using a CUDA graph]' \
                    '--no-memory[Skip memory measurement]' \
                    '--no-error[Skip the approximation error]' \
                    '*:argument:_files' ;;
                attend) _arguments -s \
                    '--help[Print this help message and exit]' \
                    '-h[Print this help message and exit]' \
                    '--version[Display program version information and exit]' \
                    '*--attention[An attention, name\[\:key=value,…\]]:value:(native softmax performer rfa ra lara nystrom orthoformer linformer elu pooled-sra local eva topk strided blockwise longformer etc bigbird lsh clustered span alibi distance sra)' \
                    '--out[Write the output tensors to this safetensors file]:value:_files' \
                    '--grid[Token grid as ROWSxCOLUMNS]:value: ' \
                    '--frames[Attend to the keys of each of N frames separately]:value: ' \
                    '--tau[Multiply the logits by X\: q and k are each multiplied by its square root]:value: ' \
                    '--noise[Use the noise tensors in the file]:value:(file drawn)' \
                    '--repetitions[Minimum number of timed calls per attention]:value: ' \
                    '--seconds[Minimum time to spend on timing each attention]:value: ' \
                    '--no-latency[Skip timing]' \
                    '--check[Exit code 1 when the result differs from the file'\''s own `out` by more than its tolerance]' \
                    '--seeds[Number of seeds over which the error of a random attention is averaged]:value: ' \
                    '--device[auto]:value:(auto cpu cuda)' \
                    '--dtype[Data type of the computation]:value:(auto float32 float64 bfloat16 float16)' \
                    '--threads[CPU threads]:value: ' \
                    '--seed[Seed of all random numbers]:value: ' \
                    '--json[Write the result as JSON to FILE, or to standard output]:value:_files' \
                    '--quiet[Show no progress on standard error]' \
                    '*:argument:_files' ;;
                approximate) _arguments -s \
                    '--help[Print this help message and exit]' \
                    '-h[Print this help message and exit]' \
                    '--version[Display program version information and exit]' \
                    '--orientation[Rotation recorded by cameras]:value:(ignore apply)' \
                    '--decoder[Decode images in a separate process, so that a crash costs only one image, or inline]:value:(process inline)' \
                    '--limit-pixels[Reject images with more pixels]:value: ' \
                    '--limit-side[Reject images that are wider or higher]:value: ' \
                    '--limit-bytes[Reject larger image files]:value: ' \
                    '--limit-clip-bytes[Maximum memory for a video'\''s frames at a time]:value: ' \
                    '--views[Clips in time × crops in space of a video\: 10x3 is the published protocol, 1x1 the centre of its first clip]:value:(10x3 1x3 1x1)' \
                    '--sampling[Clips of a fixed length]:value:(published ssv2)' \
                    '--start[Start time in a video, in seconds]:value: ' \
                    '--duration[Duration to use of a video, in seconds]:value: ' \
                    '--rotation[Rotation recorded in a video\: ignore, as the published evaluation does, or apply]:value:(ignore apply)' \
                    '--start-time[Time of a video'\''s first frame\: subtract it, or leave it as the authors'\'' loader does]:value:(subtract official)' \
                    '--any-format[Read every video format that FFmpeg supports, not only those in docs/video.md]' \
                    '--weights[A checkpoint]:value:{compadd -- untrained; _files}' \
                    '--model[A name listed by `attnscope-cli models`, or a JSON file that describes the model]:value:{compadd -- deit_tiny_patch16_224 deit_small_patch16_224 deit_base_patch16_224 deit_tiny_distilled_patch16_224 deit_small_distilled_patch16_224 deit_base_distilled_patch16_224 deit_base_patch16_384 deit_base_distilled_patch16_384 evit_tiny_p16 evit_tiny_p8 evit_small_p16 evit_small_p8 pvt_v2_b0 pvt_v2_b1 pvt_v2_b2 pvt_v2_b2_li pvt_v2_b3 pvt_v2_b4 pvt_v2_b5 pvt_v2_b1_lara pvt_v2_b1_performer pvt_v2_b1_softmax pvt_v2_b2_lara pvt_v2_b2_performer pvt_v2_b2_softmax pvt_v2_b3_lara pvt_v2_b3_performer pvt_v2_b3_softmax pvt_v2_b4_lara pvt_v2_b4_performer pvt_v2_b4_softmax pvt_v2_b5_lara pvt_v2_b5_performer pvt_v2_b5_softmax motionformer_224_16x4 motionformer_336_16x8 motionformer_224_32x3 joint_224_16x4 divided_224_16x4; _files}' \
                    '--checkpoint-key[The checkpoint key that contains the weights]:value: ' \
                    '--heads[Number of attention heads, if the checkpoint does not contain it and --model is not given]:value: ' \
                    '--image-size[Side length of the input in pixels]:value: ' \
                    '--position[How position embeddings are resized to another image size\: own rule of the model, deit, timm or dinov2]:value:(own deit timm dinov2)' \
                    '--preset[Short side before the crop\: deit]:value:(deit timm)' \
                    '--resize[Short side before the crop in pixels]:value: ' \
                    '--class-embeddings[Classify by the cosine of the network'\''s output with these embeddings of classes]:value:_files' \
                    '--plain[Run the unoptimized reference implementation of the layers instead of the one optimized for speed]' \
                    '*--attention[An attention, name\[\:key=value,…\]]:value:(native softmax performer rfa ra lara nystrom orthoformer linformer elu pooled-sra local eva topk strided blockwise longformer etc bigbird lsh clustered span alibi distance sra)' \
                    '--device[auto]:value:(auto cpu cuda)' \
                    '--dtype[Data type of the computation]:value:(float32 bfloat16 float16)' \
                    '--threads[CPU threads]:value: ' \
                    '--seed[Seed of all random numbers]:value: ' \
                    '--json[Write the result as JSON to FILE, or to standard output]:value:_files' \
                    '--quiet[Show no progress on standard error]' \
                    '--random[Instead of INPUT\: q, k and v for this many tokens and 8 heads, drawn independently from a standard normal distribution]:value: ' \
                    '--head-size[Channels per head of the random q, k and v]:value: ' \
                    '*--samples[Sample counts, separated by commas]:value: ' \
                    '--kernel[Instead of attentions\: exp]' \
                    '*--flat[An attention measured once as specified and drawn as a horizontal line over all sample counts]:value:(native softmax performer rfa ra lara nystrom orthoformer linformer elu pooled-sra local eva topk strided blockwise longformer etc bigbird lsh clustered span alibi distance sra)' \
                    '--tau[Multiply the logits of dumped or random q and k]:value: ' \
                    '--out[Write the figure]:value:_files' \
                    '--seeds[Number of seeds over which the error of a random attention is averaged]:value: ' \
                    '*:argument:_files' ;;
                layers) _arguments -s \
                    '--help[Print this help message and exit]' \
                    '-h[Print this help message and exit]' \
                    '--version[Display program version information and exit]' \
                    '--orientation[Rotation recorded by cameras]:value:(ignore apply)' \
                    '--decoder[Decode images in a separate process, so that a crash costs only one image, or inline]:value:(process inline)' \
                    '--limit-pixels[Reject images with more pixels]:value: ' \
                    '--limit-side[Reject images that are wider or higher]:value: ' \
                    '--limit-bytes[Reject larger image files]:value: ' \
                    '--limit-clip-bytes[Maximum memory for a video'\''s frames at a time]:value: ' \
                    '--views[Clips in time × crops in space of a video\: 10x3 is the published protocol, 1x1 the centre of its first clip]:value:(10x3 1x3 1x1)' \
                    '--sampling[Clips of a fixed length]:value:(published ssv2)' \
                    '--start[Start time in a video, in seconds]:value: ' \
                    '--duration[Duration to use of a video, in seconds]:value: ' \
                    '--rotation[Rotation recorded in a video\: ignore, as the published evaluation does, or apply]:value:(ignore apply)' \
                    '--start-time[Time of a video'\''s first frame\: subtract it, or leave it as the authors'\'' loader does]:value:(subtract official)' \
                    '--any-format[Read every video format that FFmpeg supports, not only those in docs/video.md]' \
                    '--weights[A checkpoint]:value:{compadd -- untrained; _files}' \
                    '--model[A name listed by `attnscope-cli models`, or a JSON file that describes the model]:value:{compadd -- deit_tiny_patch16_224 deit_small_patch16_224 deit_base_patch16_224 deit_tiny_distilled_patch16_224 deit_small_distilled_patch16_224 deit_base_distilled_patch16_224 deit_base_patch16_384 deit_base_distilled_patch16_384 evit_tiny_p16 evit_tiny_p8 evit_small_p16 evit_small_p8 pvt_v2_b0 pvt_v2_b1 pvt_v2_b2 pvt_v2_b2_li pvt_v2_b3 pvt_v2_b4 pvt_v2_b5 pvt_v2_b1_lara pvt_v2_b1_performer pvt_v2_b1_softmax pvt_v2_b2_lara pvt_v2_b2_performer pvt_v2_b2_softmax pvt_v2_b3_lara pvt_v2_b3_performer pvt_v2_b3_softmax pvt_v2_b4_lara pvt_v2_b4_performer pvt_v2_b4_softmax pvt_v2_b5_lara pvt_v2_b5_performer pvt_v2_b5_softmax motionformer_224_16x4 motionformer_336_16x8 motionformer_224_32x3 joint_224_16x4 divided_224_16x4; _files}' \
                    '--checkpoint-key[The checkpoint key that contains the weights]:value: ' \
                    '--heads[Number of attention heads, if the checkpoint does not contain it and --model is not given]:value: ' \
                    '--image-size[Side length of the input in pixels]:value: ' \
                    '--position[How position embeddings are resized to another image size\: own rule of the model, deit, timm or dinov2]:value:(own deit timm dinov2)' \
                    '--preset[Short side before the crop\: deit]:value:(deit timm)' \
                    '--resize[Short side before the crop in pixels]:value: ' \
                    '--class-embeddings[Classify by the cosine of the network'\''s output with these embeddings of classes]:value:_files' \
                    '--plain[Run the unoptimized reference implementation of the layers instead of the one optimized for speed]' \
                    '*--attention[An attention, name\[\:key=value,…\]]:value:(native softmax performer rfa ra lara nystrom orthoformer linformer elu pooled-sra local eva topk strided blockwise longformer etc bigbird lsh clustered span alibi distance sra)' \
                    '--device[auto]:value:(auto cpu cuda)' \
                    '--dtype[Data type of the computation]:value:(float32 bfloat16 float16)' \
                    '--threads[CPU threads]:value: ' \
                    '--seed[Seed of all random numbers]:value: ' \
                    '--json[Write the result as JSON to FILE, or to standard output]:value:_files' \
                    '--quiet[Show no progress on standard error]' \
                    '--query[Attention maps of one query token\: class, or a patch as ROW,COLUMN or FRAME,ROW,COLUMN, counting from 0]:value: ' \
                    '--out[Write the maps as tensors to this safetensors file]:value:_files' \
                    '--figure[Write a figure of the first attention]:value:_files' \
                    '--figure-of[What --figure draws\: errors by layer and head]:value:(errors mass-kept seen)' \
                    '--teacher-forced[Only measure errors on the exact pass'\''s q, k, v, without further passes]' \
                    '--terms[Instead of attentions\: the logits of layer 0 as terms of content and position, with maps of the query]' \
                    '--seeds[Number of seeds over which the error of a random attention is averaged]:value: ' \
                    '*:argument:_files' ;;
                plan) _arguments -s \
                    '--help[Print this help message and exit]' \
                    '-h[Print this help message and exit]' \
                    '--version[Display program version information and exit]' \
                    '--orientation[Rotation recorded by cameras]:value:(ignore apply)' \
                    '--decoder[Decode images in a separate process, so that a crash costs only one image, or inline]:value:(process inline)' \
                    '--limit-pixels[Reject images with more pixels]:value: ' \
                    '--limit-side[Reject images that are wider or higher]:value: ' \
                    '--limit-bytes[Reject larger image files]:value: ' \
                    '--limit-clip-bytes[Maximum memory for a video'\''s frames at a time]:value: ' \
                    '--views[Clips in time × crops in space of a video\: 10x3 is the published protocol, 1x1 the centre of its first clip]:value:(10x3 1x3 1x1)' \
                    '--sampling[Clips of a fixed length]:value:(published ssv2)' \
                    '--start[Start time in a video, in seconds]:value: ' \
                    '--duration[Duration to use of a video, in seconds]:value: ' \
                    '--rotation[Rotation recorded in a video\: ignore, as the published evaluation does, or apply]:value:(ignore apply)' \
                    '--start-time[Time of a video'\''s first frame\: subtract it, or leave it as the authors'\'' loader does]:value:(subtract official)' \
                    '--any-format[Read every video format that FFmpeg supports, not only those in docs/video.md]' \
                    '--weights[A checkpoint]:value:{compadd -- untrained; _files}' \
                    '--model[A name listed by `attnscope-cli models`, or a JSON file that describes the model]:value:{compadd -- deit_tiny_patch16_224 deit_small_patch16_224 deit_base_patch16_224 deit_tiny_distilled_patch16_224 deit_small_distilled_patch16_224 deit_base_distilled_patch16_224 deit_base_patch16_384 deit_base_distilled_patch16_384 evit_tiny_p16 evit_tiny_p8 evit_small_p16 evit_small_p8 pvt_v2_b0 pvt_v2_b1 pvt_v2_b2 pvt_v2_b2_li pvt_v2_b3 pvt_v2_b4 pvt_v2_b5 pvt_v2_b1_lara pvt_v2_b1_performer pvt_v2_b1_softmax pvt_v2_b2_lara pvt_v2_b2_performer pvt_v2_b2_softmax pvt_v2_b3_lara pvt_v2_b3_performer pvt_v2_b3_softmax pvt_v2_b4_lara pvt_v2_b4_performer pvt_v2_b4_softmax pvt_v2_b5_lara pvt_v2_b5_performer pvt_v2_b5_softmax motionformer_224_16x4 motionformer_336_16x8 motionformer_224_32x3 joint_224_16x4 divided_224_16x4; _files}' \
                    '--checkpoint-key[The checkpoint key that contains the weights]:value: ' \
                    '--heads[Number of attention heads, if the checkpoint does not contain it and --model is not given]:value: ' \
                    '--image-size[Side length of the input in pixels]:value: ' \
                    '--position[How position embeddings are resized to another image size\: own rule of the model, deit, timm or dinov2]:value:(own deit timm dinov2)' \
                    '--preset[Short side before the crop\: deit]:value:(deit timm)' \
                    '--resize[Short side before the crop in pixels]:value: ' \
                    '--class-embeddings[Classify by the cosine of the network'\''s output with these embeddings of classes]:value:_files' \
                    '--plain[Run the unoptimized reference implementation of the layers instead of the one optimized for speed]' \
                    '*--attention[An attention, name\[\:key=value,…\]]:value:(native softmax performer rfa ra lara nystrom orthoformer linformer elu pooled-sra local eva topk strided blockwise longformer etc bigbird lsh clustered span alibi distance sra)' \
                    '--device[auto]:value:(auto cpu cuda)' \
                    '--dtype[Data type of the computation]:value:(float32 bfloat16 float16)' \
                    '--threads[CPU threads]:value: ' \
                    '--seed[Seed of all random numbers]:value: ' \
                    '--json[Write the result as JSON to FILE, or to standard output]:value:_files' \
                    '--quiet[Show no progress on standard error]' \
                    '--budget[latency=MS, speed=TIMES]:value: ' \
                    '--labelled[INPUT is a labelled folder or list, as for evaluate\: plan on N samples, spread evenly over it]:value: ' \
                    '*--classes[The class of each input, in order, separated by commas]:value: ' \
                    '--rounds[Number of timed runs of every candidate in every layer]:value: ' \
                    '--out[Write the figure]:value:_files' \
                    '--seeds[Number of seeds over which the error of a random attention is averaged]:value: ' \
                    '*:argument:_files' ;;
                scale) _arguments -s \
                    '--help[Print this help message and exit]' \
                    '-h[Print this help message and exit]' \
                    '--version[Display program version information and exit]' \
                    '*--attention[An attention, name\[\:key=value,…\]]:value:(native softmax performer rfa ra lara nystrom orthoformer linformer elu pooled-sra local eva topk strided blockwise longformer etc bigbird lsh clustered span alibi distance sra)' \
                    '*--lengths[Numbers of tokens in ascending order, separated by commas]:value: ' \
                    '--layers[Encoder layers]:value: ' \
                    '--dim[Embedding dimension of the encoder]:value: ' \
                    '--heads[Attention heads]:value: ' \
                    '--backward[Measure a forward and backward pass, with activations kept for it]' \
                    '--repetitions[Minimum number of timed passes per attention and length]:value: ' \
                    '--seconds[Minimum time to spend on each]:value: ' \
                    '--pass-budget[Stop an attention whose single pass would take longer than this, in seconds]:value: ' \
                    '--point-budget[End repetitions after this many seconds, but not before three of them]:value: ' \
                    '--time-budget[End after about this many seconds by using fewer repetitions and skipping lengths that would take longer]:value: ' \
                    '--memory-budget[Stop an attention that needs more than this many GiB of tensor memory]:value: ' \
                    '--out[Write figures]:value:_files' \
                    '--device[auto]:value:(auto cpu cuda)' \
                    '--dtype[Data type of the computation]:value:(float32 bfloat16 float16)' \
                    '--threads[CPU threads]:value: ' \
                    '--seed[Seed of all random numbers]:value: ' \
                    '--json[Write the result as JSON to FILE, or to standard output]:value:_files' \
                    '--quiet[Show no progress on standard error]' ;;
                decode) _arguments -s \
                    '--help[Print this help message and exit]' \
                    '-h[Print this help message and exit]' \
                    '--version[Display program version information and exit]' \
                    '*--mechanism[A mechanism, name\[\:key=value,…\], of cache, rfa, performer, elu, alibi, xl, compressive, window, retrieval]:value: ' \
                    '*--positions[Positions in ascending order, separated by commas]:value: ' \
                    '--layer[Layer of the file]:value: ' \
                    '--tokens[Made tokens\: independent normal numbers, neighbours alike, or queries for what came 128 tokens ago]:value:(normal smooth recall)' \
                    '--heads[Heads of made tokens]:value: ' \
                    '--head-size[Channels of a head of made tokens]:value: ' \
                    '--tau[Multiply the logits by X\: q and k are each multiplied by its square root]:value: ' \
                    '--repetitions[Minimum number of timed tokens at each position]:value: ' \
                    '--memory-budget[Refuse what needs more than this many GiB of state]:value: ' \
                    '--out[Write figures]:value:_files' \
                    '--device[auto]:value:(auto cpu cuda)' \
                    '--dtype[Data type of the computation]:value:(float32 float64)' \
                    '--threads[CPU threads]:value: ' \
                    '--seed[Seed of all random numbers]:value: ' \
                    '--json[Write the result as JSON to FILE, or to standard output]:value:_files' \
                    '--quiet[Show no progress on standard error]' \
                    '*:argument:_files' ;;
                neighbours) _arguments -s \
                    '--help[Print this help message and exit]' \
                    '-h[Print this help message and exit]' \
                    '--version[Display program version information and exit]' \
                    '--orientation[Rotation recorded by cameras]:value:(ignore apply)' \
                    '--decoder[Decode images in a separate process, so that a crash costs only one image, or inline]:value:(process inline)' \
                    '--limit-pixels[Reject images with more pixels]:value: ' \
                    '--limit-side[Reject images that are wider or higher]:value: ' \
                    '--limit-bytes[Reject larger image files]:value: ' \
                    '--limit-clip-bytes[Maximum memory for a video'\''s frames at a time]:value: ' \
                    '--views[Clips in time × crops in space of a video\: 10x3 is the published protocol, 1x1 the centre of its first clip]:value:(10x3 1x3 1x1)' \
                    '--sampling[Clips of a fixed length]:value:(published ssv2)' \
                    '--start[Start time in a video, in seconds]:value: ' \
                    '--duration[Duration to use of a video, in seconds]:value: ' \
                    '--rotation[Rotation recorded in a video\: ignore, as the published evaluation does, or apply]:value:(ignore apply)' \
                    '--start-time[Time of a video'\''s first frame\: subtract it, or leave it as the authors'\'' loader does]:value:(subtract official)' \
                    '--any-format[Read every video format that FFmpeg supports, not only those in docs/video.md]' \
                    '--weights[A checkpoint]:value:{compadd -- untrained; _files}' \
                    '--model[A name listed by `attnscope-cli models`, or a JSON file that describes the model]:value:{compadd -- deit_tiny_patch16_224 deit_small_patch16_224 deit_base_patch16_224 deit_tiny_distilled_patch16_224 deit_small_distilled_patch16_224 deit_base_distilled_patch16_224 deit_base_patch16_384 deit_base_distilled_patch16_384 evit_tiny_p16 evit_tiny_p8 evit_small_p16 evit_small_p8 pvt_v2_b0 pvt_v2_b1 pvt_v2_b2 pvt_v2_b2_li pvt_v2_b3 pvt_v2_b4 pvt_v2_b5 pvt_v2_b1_lara pvt_v2_b1_performer pvt_v2_b1_softmax pvt_v2_b2_lara pvt_v2_b2_performer pvt_v2_b2_softmax pvt_v2_b3_lara pvt_v2_b3_performer pvt_v2_b3_softmax pvt_v2_b4_lara pvt_v2_b4_performer pvt_v2_b4_softmax pvt_v2_b5_lara pvt_v2_b5_performer pvt_v2_b5_softmax motionformer_224_16x4 motionformer_336_16x8 motionformer_224_32x3 joint_224_16x4 divided_224_16x4; _files}' \
                    '--checkpoint-key[The checkpoint key that contains the weights]:value: ' \
                    '--heads[Number of attention heads, if the checkpoint does not contain it and --model is not given]:value: ' \
                    '--image-size[Side length of the input in pixels]:value: ' \
                    '--position[How position embeddings are resized to another image size\: own rule of the model, deit, timm or dinov2]:value:(own deit timm dinov2)' \
                    '--preset[Short side before the crop\: deit]:value:(deit timm)' \
                    '--resize[Short side before the crop in pixels]:value: ' \
                    '--class-embeddings[Classify by the cosine of the network'\''s output with these embeddings of classes]:value:_files' \
                    '--plain[Run the unoptimized reference implementation of the layers instead of the one optimized for speed]' \
                    '--datastore[The datastore of features]:value:_files' \
                    '--build[Build the datastore of the features of this labelled folder or list]:value:_files' \
                    '--evaluate[Measure the accuracy on this labelled folder or list against k and mix]:value:_files' \
                    '--layout[Layout of these folders]:value:(auto imagenet kinetics list)' \
                    '--labels[Class names of the model\: one per line, or a JSON list or object]:value:_files' \
                    '--limit[Number of samples of a folder, spread evenly]:value: ' \
                    '--attention[The attention with which features are computed]:value:(native softmax performer rfa ra lara nystrom orthoformer linformer elu pooled-sra local eva topk strided blockwise longformer etc bigbird lsh clustered span alibi distance sra)' \
                    '*--k[Numbers of neighbours]:value: ' \
                    '*--mix[Weights of the neighbours against the model, 0 to 1]:value: ' \
                    '--distance[Distance between features]:value:(l2 l2-squared cosine)' \
                    '--temperature[Neighbours weigh exp]:value: ' \
                    '--batch-size[Samples per batch]:value: ' \
                    '--workers[Threads that read and preprocess]:value: ' \
                    '--out[Write accuracy against the mix as a figure]:value:_files' \
                    '--device[auto]:value:(auto cpu cuda)' \
                    '--dtype[Data type of the computation]:value:(float32 bfloat16 float16)' \
                    '--threads[CPU threads]:value: ' \
                    '--seed[Seed of all random numbers]:value: ' \
                    '--json[Write the result as JSON to FILE, or to standard output]:value:_files' \
                    '--quiet[Show no progress on standard error]' \
                    '*:argument:_files' ;;
                exits) _arguments -s \
                    '--help[Print this help message and exit]' \
                    '-h[Print this help message and exit]' \
                    '--version[Display program version information and exit]' \
                    '--layout[Layout of the folder]:value:(auto imagenet kinetics list)' \
                    '--limit[Number of samples, spread evenly]:value: ' \
                    '--weights[A checkpoint]:value:{compadd -- untrained; _files}' \
                    '--model[A name listed by `attnscope-cli models`, or a JSON file that describes the model]:value:{compadd -- deit_tiny_patch16_224 deit_small_patch16_224 deit_base_patch16_224 deit_tiny_distilled_patch16_224 deit_small_distilled_patch16_224 deit_base_distilled_patch16_224 deit_base_patch16_384 deit_base_distilled_patch16_384 evit_tiny_p16 evit_tiny_p8 evit_small_p16 evit_small_p8 pvt_v2_b0 pvt_v2_b1 pvt_v2_b2 pvt_v2_b2_li pvt_v2_b3 pvt_v2_b4 pvt_v2_b5 pvt_v2_b1_lara pvt_v2_b1_performer pvt_v2_b1_softmax pvt_v2_b2_lara pvt_v2_b2_performer pvt_v2_b2_softmax pvt_v2_b3_lara pvt_v2_b3_performer pvt_v2_b3_softmax pvt_v2_b4_lara pvt_v2_b4_performer pvt_v2_b4_softmax pvt_v2_b5_lara pvt_v2_b5_performer pvt_v2_b5_softmax motionformer_224_16x4 motionformer_336_16x8 motionformer_224_32x3 joint_224_16x4 divided_224_16x4; _files}' \
                    '--checkpoint-key[The checkpoint key that contains the weights]:value: ' \
                    '--heads[Number of attention heads, if the checkpoint does not contain it and --model is not given]:value: ' \
                    '--image-size[Side length of the input in pixels]:value: ' \
                    '--position[How position embeddings are resized to another image size\: own rule of the model, deit, timm or dinov2]:value:(own deit timm dinov2)' \
                    '--preset[Short side before the crop\: deit]:value:(deit timm)' \
                    '--resize[Short side before the crop in pixels]:value: ' \
                    '--class-embeddings[Classify by the cosine of the network'\''s output with these embeddings of classes]:value:_files' \
                    '--plain[Run the unoptimized reference implementation of the layers instead of the one optimized for speed]' \
                    '*--attention[An attention, name\[\:key=value,…\]]:value:(native softmax performer rfa ra lara nystrom orthoformer linformer elu pooled-sra local eva topk strided blockwise longformer etc bigbird lsh clustered span alibi distance sra)' \
                    '*--thresholds[Confidences, 0 to 1, above which a sample leaves]:value: ' \
                    '*--penalties[What a block costs the oracles]:value: ' \
                    '--batch-size[Samples per batch]:value: ' \
                    '--workers[Threads that read and preprocess]:value: ' \
                    '--out[Write figures]:value:_files' \
                    '--device[auto]:value:(auto cpu cuda)' \
                    '--dtype[Data type of the computation]:value:(float32 bfloat16 float16)' \
                    '--threads[CPU threads]:value: ' \
                    '--seed[Seed of all random numbers]:value: ' \
                    '--json[Write the result as JSON to FILE, or to standard output]:value:_files' \
                    '--quiet[Show no progress on standard error]' \
                    '*:argument:_files' ;;
                inspect) _arguments -s \
                    '--help[Print this help message and exit]' \
                    '-h[Print this help message and exit]' \
                    '--version[Display program version information and exit]' \
                    '--model[A name listed by `attnscope-cli models`, or a JSON file that describes the model]:value:{compadd -- deit_tiny_patch16_224 deit_small_patch16_224 deit_base_patch16_224 deit_tiny_distilled_patch16_224 deit_small_distilled_patch16_224 deit_base_distilled_patch16_224 deit_base_patch16_384 deit_base_distilled_patch16_384 evit_tiny_p16 evit_tiny_p8 evit_small_p16 evit_small_p8 pvt_v2_b0 pvt_v2_b1 pvt_v2_b2 pvt_v2_b2_li pvt_v2_b3 pvt_v2_b4 pvt_v2_b5 pvt_v2_b1_lara pvt_v2_b1_performer pvt_v2_b1_softmax pvt_v2_b2_lara pvt_v2_b2_performer pvt_v2_b2_softmax pvt_v2_b3_lara pvt_v2_b3_performer pvt_v2_b3_softmax pvt_v2_b4_lara pvt_v2_b4_performer pvt_v2_b4_softmax pvt_v2_b5_lara pvt_v2_b5_performer pvt_v2_b5_softmax motionformer_224_16x4 motionformer_336_16x8 motionformer_224_32x3 joint_224_16x4 divided_224_16x4; _files}' \
                    '--checkpoint-key[The checkpoint key that contains the weights]:value: ' \
                    '--heads[Number of attention heads, if the checkpoint does not contain it and --model is not given]:value: ' \
                    '--sha256[Hash the whole file even if its name contains no digits to compare with]' \
                    '--json[Write the result as JSON to FILE, or to standard output]:value:_files' \
                    '*:argument:_files' ;;
                convert) _arguments -s \
                    '--help[Print this help message and exit]' \
                    '-h[Print this help message and exit]' \
                    '--version[Display program version information and exit]' \
                    '--overwrite[Replace OUT if it exists]' \
                    '--dtype[Data type to write]:value:(stored float32 float16 bfloat16)' \
                    '--model[A name listed by `attnscope-cli models`, or a JSON file that describes the model]:value:{compadd -- deit_tiny_patch16_224 deit_small_patch16_224 deit_base_patch16_224 deit_tiny_distilled_patch16_224 deit_small_distilled_patch16_224 deit_base_distilled_patch16_224 deit_base_patch16_384 deit_base_distilled_patch16_384 evit_tiny_p16 evit_tiny_p8 evit_small_p16 evit_small_p8 pvt_v2_b0 pvt_v2_b1 pvt_v2_b2 pvt_v2_b2_li pvt_v2_b3 pvt_v2_b4 pvt_v2_b5 pvt_v2_b1_lara pvt_v2_b1_performer pvt_v2_b1_softmax pvt_v2_b2_lara pvt_v2_b2_performer pvt_v2_b2_softmax pvt_v2_b3_lara pvt_v2_b3_performer pvt_v2_b3_softmax pvt_v2_b4_lara pvt_v2_b4_performer pvt_v2_b4_softmax pvt_v2_b5_lara pvt_v2_b5_performer pvt_v2_b5_softmax motionformer_224_16x4 motionformer_336_16x8 motionformer_224_32x3 joint_224_16x4 divided_224_16x4; _files}' \
                    '--checkpoint-key[The checkpoint key that contains the weights]:value: ' \
                    '--heads[Number of attention heads, if the checkpoint does not contain it and --model is not given]:value: ' \
                    '--labels[Class names to put into the header\: one per line, or JSON]:value:_files' \
                    '--json[Write the result as JSON to FILE, or to standard output]:value:_files' \
                    '*:argument:_files' ;;
                train) _arguments -s \
                    '--help[Print this help message and exit]' \
                    '-h[Print this help message and exit]' \
                    '--version[Display program version information and exit]' \
                    '--layout[Layout of the folder]:value:(auto imagenet kinetics list)' \
                    '--val[Folder to validate on instead of `val` in FOLDER]:value:_files' \
                    '--limit[Number of training samples to use, spread evenly]:value: ' \
                    '--workers[Threads that load and augment samples]:value: ' \
                    '--model[A name listed by `attnscope-cli models`, or a JSON file that describes the model]:value:{compadd -- deit_tiny_patch16_224 deit_small_patch16_224 deit_base_patch16_224 deit_tiny_distilled_patch16_224 deit_small_distilled_patch16_224 deit_base_distilled_patch16_224 deit_base_patch16_384 deit_base_distilled_patch16_384 evit_tiny_p16 evit_tiny_p8 evit_small_p16 evit_small_p8 pvt_v2_b0 pvt_v2_b1 pvt_v2_b2 pvt_v2_b2_li pvt_v2_b3 pvt_v2_b4 pvt_v2_b5 pvt_v2_b1_lara pvt_v2_b1_performer pvt_v2_b1_softmax pvt_v2_b2_lara pvt_v2_b2_performer pvt_v2_b2_softmax pvt_v2_b3_lara pvt_v2_b3_performer pvt_v2_b3_softmax pvt_v2_b4_lara pvt_v2_b4_performer pvt_v2_b4_softmax pvt_v2_b5_lara pvt_v2_b5_performer pvt_v2_b5_softmax motionformer_224_16x4 motionformer_336_16x8 motionformer_224_32x3 joint_224_16x4 divided_224_16x4; _files}' \
                    '--checkpoint-key[The checkpoint key that contains the weights]:value: ' \
                    '--heads[Number of attention heads, if the checkpoint does not contain it and --model is not given]:value: ' \
                    '--init[A checkpoint to start from, or untrained\[\:SEED\]]:value:{compadd -- untrained; _files}' \
                    '--attention[The attention to train with, as `attnscope-cli backends` spells it]:value:(native softmax performer rfa ra lara nystrom orthoformer linformer elu pooled-sra local eva topk strided blockwise longformer etc bigbird lsh clustered span alibi distance sra)' \
                    '--landmark-map[Learned map after LARA'\''s pooling]:value:(auto light dense none)' \
                    '--exits[Train only exit heads, a norm and a head behind each block but the last]' \
                    '--out[The safetensors file to write]:value:_files' \
                    '--resume[Resume the training run that wrote OUT]' \
                    '--overwrite[Start over even if OUT exists]' \
                    '--epochs[Number of passes over the training set]:value: ' \
                    '--batch-size[Samples per step, over all processes]:value: ' \
                    '--accumulate[Number of batches whose gradients are accumulated before each weight update]:value: ' \
                    '--lr[Peak learning rate of the schedule]:value: ' \
                    '--final-lr[Final learning rate of the schedule]:value: ' \
                    '--warmup[Number of warm-up epochs until the peak learning rate]:value: ' \
                    '--weight-decay[AdamW weight decay]:value: ' \
                    '--clip[Maximum total gradient norm]:value: ' \
                    '--label-smoothing[Label smoothing\: fraction of a label that is spread over all classes]:value: ' \
                    '--drop-path[Stochastic depth rate of the last block]:value: ' \
                    '--ema[Decay of an exponential moving average of the weights, which becomes the result]:value: ' \
                    '--mixed-precision[Use bfloat16 inside linear layers and convolutions]' \
                    '--augment[deit\: the full DeiT recipe]:value:(deit light none)' \
                    '--crop-scale[Minimum and maximum fraction of the image area kept by a random crop]:value: ' \
                    '--flip[Probability of a horizontal flip]:value: ' \
                    '--rand-augment[Number and magnitude of RandAugment operations]:value: ' \
                    '--erasing[Probability of random erasing]:value: ' \
                    '--mixup[α of mixup, 0\: none]:value: ' \
                    '--cutmix[α of CutMix, 0\: none]:value: ' \
                    '--distil-from[Teacher checkpoint for distillation\: usually the softmax one that is also given to --init]:value:_files' \
                    '--attention-weight[Loss weight of each layer'\''s attention output error]:value: ' \
                    '*--layer-weights[Relative weights of the layers in that loss, one per layer]:value: ' \
                    '--logit-weight[Loss weight of the Kullback-Leibler divergence of the predictions]:value: ' \
                    '--label-weight[Loss weight of the labels]:value: ' \
                    '--temperature[Softmax temperature of that divergence]:value: ' \
                    '--parameter-epochs[Number of initial epochs that train only the attention'\''s own parameters]:value: ' \
                    '--device[auto]:value:(auto cpu cuda)' \
                    '--dtype[Data type of the computation]:value:(float32)' \
                    '--threads[CPU threads]:value: ' \
                    '--seed[Seed of all random numbers]:value: ' \
                    '--json[Write the result as JSON to FILE, or to standard output]:value:_files' \
                    '--quiet[Show no progress on standard error]' \
                    '--store[A results store that also records every epoch, for `report`]:value:_files' \
                    '*:argument:_files' ;;
                evaluate) _arguments -s \
                    '--help[Print this help message and exit]' \
                    '-h[Print this help message and exit]' \
                    '--version[Display program version information and exit]' \
                    '--layout[Layout of the folder]:value:(auto imagenet kinetics list)' \
                    '--labels[Class names of the model\: one per line, or a JSON list or object]:value:_files' \
                    '--limit[Number of samples to evaluate, spread evenly]:value: ' \
                    '--shard[Evaluate only part I of N, that is every N-th batch]:value: ' \
                    '--views[Clips in time × crops in space of a video]:value:(10x3 1x3 1x1)' \
                    '--weights[A checkpoint]:value:{compadd -- untrained; _files}' \
                    '--model[A name listed by `attnscope-cli models`, or a JSON file that describes the model]:value:{compadd -- deit_tiny_patch16_224 deit_small_patch16_224 deit_base_patch16_224 deit_tiny_distilled_patch16_224 deit_small_distilled_patch16_224 deit_base_distilled_patch16_224 deit_base_patch16_384 deit_base_distilled_patch16_384 evit_tiny_p16 evit_tiny_p8 evit_small_p16 evit_small_p8 pvt_v2_b0 pvt_v2_b1 pvt_v2_b2 pvt_v2_b2_li pvt_v2_b3 pvt_v2_b4 pvt_v2_b5 pvt_v2_b1_lara pvt_v2_b1_performer pvt_v2_b1_softmax pvt_v2_b2_lara pvt_v2_b2_performer pvt_v2_b2_softmax pvt_v2_b3_lara pvt_v2_b3_performer pvt_v2_b3_softmax pvt_v2_b4_lara pvt_v2_b4_performer pvt_v2_b4_softmax pvt_v2_b5_lara pvt_v2_b5_performer pvt_v2_b5_softmax motionformer_224_16x4 motionformer_336_16x8 motionformer_224_32x3 joint_224_16x4 divided_224_16x4; _files}' \
                    '--checkpoint-key[The checkpoint key that contains the weights]:value: ' \
                    '--heads[Number of attention heads, if the checkpoint does not contain it and --model is not given]:value: ' \
                    '--image-size[Side length of the input in pixels]:value: ' \
                    '--position[How position embeddings are resized to another image size\: own rule of the model, deit, timm or dinov2]:value:(own deit timm dinov2)' \
                    '--preset[Short side before the crop\: deit]:value:(deit timm)' \
                    '--resize[Short side before the crop in pixels]:value: ' \
                    '--class-embeddings[Classify by the cosine of the network'\''s output with these embeddings of classes]:value:_files' \
                    '--plain[Run the unoptimized reference implementation of the layers instead of the one optimized for speed]' \
                    '*--attention[An attention, name\[\:key=value,…\]]:value:(native softmax performer rfa ra lara nystrom orthoformer linformer elu pooled-sra local eva topk strided blockwise longformer etc bigbird lsh clustered span alibi distance sra)' \
                    '--features[Evaluate features\: pooled]:value:(pooled token avg token+avg)' \
                    '*--knn[Accuracy of this many nearest neighbours among the training features]:value: ' \
                    '--probe[Accuracy of a linear probe of the features, trained on those of exact attention]' \
                    '--train-folder[Labelled folder or list whose features are trained on]:value:_files' \
                    '--train-limit[Number of training samples, spread evenly]:value: ' \
                    '--store[The results store to write]:value:_files' \
                    '--resume[Resume the evaluation that the same command started]' \
                    '--batch-size[Samples per batch]:value: ' \
                    '--workers[Threads that read and preprocess]:value: ' \
                    '--cache[Cache preprocessed images in this folder, so that the next evaluation skips decoding]:value:_files' \
                    '--cache-bytes[Maximum size of this cache]:value: ' \
                    '--error[Also measure the approximation error of the attention, on the first sample]' \
                    '--no-measuring[Skip latency and memory]' \
                    '--dry-run[Report what was found and the estimated cost without evaluating]' \
                    '--device[auto]:value:(auto cpu cuda)' \
                    '--dtype[Data type of the computation]:value:(float32 bfloat16 float16)' \
                    '--threads[CPU threads]:value: ' \
                    '--seed[Seed of all random numbers]:value: ' \
                    '--json[Write the result as JSON to FILE, or to standard output]:value:_files' \
                    '--quiet[Show no progress on standard error]' \
                    '*:argument:_files' ;;
                report) _arguments -s \
                    '--help[Print this help message and exit]' \
                    '-h[Print this help message and exit]' \
                    '--version[Display program version information and exit]' \
                    '--out[Report file\: .html, .md]:value:_files' \
                    '*--evaluation[Only the evaluation with this number]:value: ' \
                    '--model[Only models whose name contains this]:value: ' \
                    '--attention[Only attentions that start with this]:value: ' \
                    '--finished[Skip unfinished evaluations]' \
                    '--list[Print the contents of the store]' \
                    '--json[Write the result as JSON to FILE, or to standard output]:value:_files' \
                    '*:argument:_files' ;;
                merge) _arguments -s \
                    '--help[Print this help message and exit]' \
                    '-h[Print this help message and exit]' \
                    '--version[Display program version information and exit]' \
                    '--json[Write the result as JSON to FILE, or to standard output]:value:_files' \
                    '*:argument:_files' ;;
                demo) _arguments -s \
                    '--help[Print this help message and exit]' \
                    '-h[Print this help message and exit]' \
                    '--version[Display program version information and exit]' \
                    '--only[Write only one of the two data sets]:value:(scenes moves)' \
                    '--train[Training samples per class]:value: ' \
                    '--val[Validation samples per class]:value: ' \
                    '--seed[Random seed]:value: ' \
                    '--overwrite[Write into DIR even if it is not empty]' \
                    '--json[Write the result as JSON to FILE, or to standard output]:value:_files' \
                    '--quiet[Show no progress on standard error]' \
                    '*:argument:_files' ;;
                doctor) _arguments -s \
                    '--help[Print this help message and exit]' \
                    '-h[Print this help message and exit]' \
                    '--version[Display program version information and exit]' \
                    '--json[Write the result as JSON to FILE, or to standard output]:value:_files' ;;
                completion) _arguments -s \
                    '--help[Print this help message and exit]' \
                    '-h[Print this help message and exit]' \
                    '--version[Display program version information and exit]' \
                    '*:argument:(bash zsh fish)' ;;
            esac ;;
    esac
}

# Loaded by its name, or sourced.
if [[ $funcstack[1] == _attnscope-cli ]]; then
    _attnscope_cli "$@"
else
    compdef _attnscope_cli attnscope-cli
fi
