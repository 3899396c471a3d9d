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
                'models:The models that can be named, with parameters and multiply-adds (the papers'\'' "FLOPs")'
                'backends:The attentions and their options'
                'devices:The devices that models can run on, and why others cannot be used'
                'classify:Predictions for pictures and videos'
                'compare:Predictions, latency, memory and approximation error of several attentions side by side'
                'attend:One attention on dumped q, k, v\: error against softmax, cost, difference to a reference'
                'approximate:Error of attentions against their number of samples, at the same q, k, v (the LARA paper'\''s figure 1)'
                'layers:Where in a network an attention goes wrong, and what it attends to instead'
                'plan:Which layers to give which attention, for a budget of time or error'
                'scale:Time and memory against the number of tokens, beside explicit and fused softmax (the LARA paper'\''s table 6)'
                'inspect:A checkpoint'\''s tensors, metadata, family and why it is taken for that; nothing in it is executed'
                'convert:Any supported checkpoint to safetensors, with its description in the header'
                'train:Trains from scratch, fine-tunes, or distils a softmax model into the same one with another attention'
                'evaluate:Answers a whole folder with any number of attentions\: accuracy, resumable and exact'
                'report:Tables and figures of stored evaluations\: HTML, Markdown or CSV'
                'merge:Join the parts of evaluations that ran with --shard, or on several machines, in one store'
                'demo:What there is to try Attnscope on; with DIR, pictures and videos to train and evaluate with'
                'doctor:What is installed, which device works, what is missing and how to get it'
                'completion:Prints the completion of these commands and options for a shell'
            )
            _describe command commands ;;
        argument)
            case $words[1] in
                models) _arguments -s \
                    '--help[Print this help message and exit]' \
                    '-h[Print this help message and exit]' \
                    '--version[Display program version information and exit]' \
                    '--json[Write the result as JSON to FILE, or to standard output instead of the tables]:value:_files' ;;
                backends) _arguments -s \
                    '--help[Print this help message and exit]' \
                    '-h[Print this help message and exit]' \
                    '--version[Display program version information and exit]' \
                    '--json[Write the result as JSON to FILE, or to standard output instead of the tables]:value:_files' \
                    '*:argument:(native softmax performer rfa ra lara nystrom orthoformer linformer elu pooled-sra local eva topk sra)' ;;
                devices) _arguments -s \
                    '--help[Print this help message and exit]' \
                    '-h[Print this help message and exit]' \
                    '--version[Display program version information and exit]' \
                    '--json[Write the result as JSON to FILE, or to standard output instead of the tables]:value:_files' ;;
                classify) _arguments -s \
                    '--help[Print this help message and exit]' \
                    '-h[Print this help message and exit]' \
                    '--version[Display program version information and exit]' \
                    '--orientation[Rotation noted by cameras]:value:(ignore apply)' \
                    '--decoder[Decode pictures in a process of its own, whose death costs one picture, or inline]:value:(process inline)' \
                    '--limit-pixels[Refuse pictures with more pixels]:value: ' \
                    '--limit-side[Refuse pictures that are wider or higher]:value: ' \
                    '--limit-bytes[Refuse larger picture files]:value: ' \
                    '--limit-clip-bytes[Hold at most so much of a video'\''s frames at a time]:value: ' \
                    '--views[Clips in time × crops in space of a video\: 10x3 is the published protocol, 1x1 the centre of its first clip]:value:(10x3 1x3 1x1)' \
                    '--sampling[Clips of a fixed length]:value:(published ssv2)' \
                    '--start[Use a video from this second on]:value: ' \
                    '--duration[Use so many seconds of a video]:value: ' \
                    '--rotation[Turning that a video asks of players\: ignore, as the published evaluation does, or apply]:value:(ignore apply)' \
                    '--start-time[Time of a video'\''s first frame\: subtract it, or leave it as the authors'\'' loader does]:value:(subtract official)' \
                    '--any-format[Read every video format that FFmpeg knows, not only those of docs/video.md]' \
                    '--weights[A checkpoint]:value:{compadd -- untrained; _files}' \
                    '--model[A name of `attnscope-cli models`, or a JSON file that describes the model]:value:{compadd -- deit_tiny_patch16_224 deit_small_patch16_224 deit_base_patch16_224 deit_tiny_distilled_patch16_224 deit_small_distilled_patch16_224 deit_base_distilled_patch16_224 deit_base_patch16_384 deit_base_distilled_patch16_384 evit_tiny_p16 evit_tiny_p8 evit_small_p16 evit_small_p8 pvt_v2_b0 pvt_v2_b1 pvt_v2_b2 pvt_v2_b2_li pvt_v2_b3 pvt_v2_b4 pvt_v2_b5 pvt_v2_b1_lara pvt_v2_b1_performer pvt_v2_b1_softmax pvt_v2_b2_lara pvt_v2_b2_performer pvt_v2_b2_softmax pvt_v2_b3_lara pvt_v2_b3_performer pvt_v2_b3_softmax pvt_v2_b4_lara pvt_v2_b4_performer pvt_v2_b4_softmax pvt_v2_b5_lara pvt_v2_b5_performer pvt_v2_b5_softmax motionformer_224_16x4 motionformer_336_16x8 motionformer_224_32x3 joint_224_16x4 divided_224_16x4; _files}' \
                    '--checkpoint-key[The key that the weights are under]:value: ' \
                    '--heads[Attention heads, where the checkpoint does not say and --model is left out]:value: ' \
                    '--image-size[Side of the input in pixels]:value: ' \
                    '--position[How position embeddings are resized to another image size\: deit or timm]:value:(deit timm)' \
                    '--preset[Short side before the crop\: deit]:value:(deit timm)' \
                    '--resize[That short side in pixels]:value: ' \
                    '--plain[Compute layers one after the other as they are written, the reference, instead of planned for speed]' \
                    '*--attention[An attention, name\[\:key=value,…\]]:value:(native softmax performer rfa ra lara nystrom orthoformer linformer elu pooled-sra local eva topk sra)' \
                    '--labels[Class names\: one a line, or a JSON list or object]:value:_files' \
                    '--topk[Classes to show for each attention]:value: ' \
                    '--logits[Put the logits into the JSON]' \
                    '--device[auto]:value:(auto cpu cuda)' \
                    '--dtype[Number type of the computation]:value:(float32 bfloat16 float16)' \
                    '--threads[Threads of the CPU]:value: ' \
                    '--seed[Seed of all random numbers]:value: ' \
                    '--json[Write the result as JSON to FILE, or to standard output instead of the tables]:value:_files' \
                    '--quiet[No progress on standard error]' \
                    '*:argument:_files' ;;
                compare) _arguments -s \
                    '--help[Print this help message and exit]' \
                    '-h[Print this help message and exit]' \
                    '--version[Display program version information and exit]' \
                    '--orientation[Rotation noted by cameras]:value:(ignore apply)' \
                    '--decoder[Decode pictures in a process of its own, whose death costs one picture, or inline]:value:(process inline)' \
                    '--limit-pixels[Refuse pictures with more pixels]:value: ' \
                    '--limit-side[Refuse pictures that are wider or higher]:value: ' \
                    '--limit-bytes[Refuse larger picture files]:value: ' \
                    '--limit-clip-bytes[Hold at most so much of a video'\''s frames at a time]:value: ' \
                    '--views[Clips in time × crops in space of a video\: 10x3 is the published protocol, 1x1 the centre of its first clip]:value:(10x3 1x3 1x1)' \
                    '--sampling[Clips of a fixed length]:value:(published ssv2)' \
                    '--start[Use a video from this second on]:value: ' \
                    '--duration[Use so many seconds of a video]:value: ' \
                    '--rotation[Turning that a video asks of players\: ignore, as the published evaluation does, or apply]:value:(ignore apply)' \
                    '--start-time[Time of a video'\''s first frame\: subtract it, or leave it as the authors'\'' loader does]:value:(subtract official)' \
                    '--any-format[Read every video format that FFmpeg knows, not only those of docs/video.md]' \
                    '--weights[A checkpoint]:value:{compadd -- untrained; _files}' \
                    '--model[A name of `attnscope-cli models`, or a JSON file that describes the model]:value:{compadd -- deit_tiny_patch16_224 deit_small_patch16_224 deit_base_patch16_224 deit_tiny_distilled_patch16_224 deit_small_distilled_patch16_224 deit_base_distilled_patch16_224 deit_base_patch16_384 deit_base_distilled_patch16_384 evit_tiny_p16 evit_tiny_p8 evit_small_p16 evit_small_p8 pvt_v2_b0 pvt_v2_b1 pvt_v2_b2 pvt_v2_b2_li pvt_v2_b3 pvt_v2_b4 pvt_v2_b5 pvt_v2_b1_lara pvt_v2_b1_performer pvt_v2_b1_softmax pvt_v2_b2_lara pvt_v2_b2_performer pvt_v2_b2_softmax pvt_v2_b3_lara pvt_v2_b3_performer pvt_v2_b3_softmax pvt_v2_b4_lara pvt_v2_b4_performer pvt_v2_b4_softmax pvt_v2_b5_lara pvt_v2_b5_performer pvt_v2_b5_softmax motionformer_224_16x4 motionformer_336_16x8 motionformer_224_32x3 joint_224_16x4 divided_224_16x4; _files}' \
                    '--checkpoint-key[The key that the weights are under]:value: ' \
                    '--heads[Attention heads, where the checkpoint does not say and --model is left out]:value: ' \
                    '--image-size[Side of the input in pixels]:value: ' \
                    '--position[How position embeddings are resized to another image size\: deit or timm]:value:(deit timm)' \
                    '--preset[Short side before the crop\: deit]:value:(deit timm)' \
                    '--resize[That short side in pixels]:value: ' \
                    '--plain[Compute layers one after the other as they are written, the reference, instead of planned for speed]' \
                    '*--attention[An attention, name\[\:key=value,…\]]:value:(native softmax performer rfa ra lara nystrom orthoformer linformer elu pooled-sra local eva topk sra)' \
                    '--labels[Class names\: one a line, or a JSON list or object]:value:_files' \
                    '--topk[Classes to show for each attention]:value: ' \
                    '--logits[Put the logits into the JSON]' \
                    '--device[auto]:value:(auto cpu cuda)' \
                    '--dtype[Number type of the computation]:value:(float32 bfloat16 float16)' \
                    '--threads[Threads of the CPU]:value: ' \
                    '--seed[Seed of all random numbers]:value: ' \
                    '--json[Write the result as JSON to FILE, or to standard output instead of the tables]:value:_files' \
                    '--quiet[No progress on standard error]' \
                    '--seeds[Draws over which the error of a random attention is averaged]:value: ' \
                    '--repetitions[Least number of timed passes of each attention]:value: ' \
                    '--seconds[Least time to spend on timing each attention]:value: ' \
                    '--no-latency[Leave time out]' \
                    '--no-cuda-graphs[On a GPU, time passes whose kernels are launched one by one]' \
                    '--no-memory[Leave memory out]' \
                    '--no-error[Leave the approximation error out]' \
                    '*:argument:_files' ;;
                attend) _arguments -s \
                    '--help[Print this help message and exit]' \
                    '-h[Print this help message and exit]' \
                    '--version[Display program version information and exit]' \
                    '*--attention[An attention, name\[\:key=value,…\]]:value:(native softmax performer rfa ra lara nystrom orthoformer linformer elu pooled-sra local eva topk sra)' \
                    '--out[Write the output tensors to this safetensors file]:value:_files' \
                    '--grid[How the tokens lie, rows x columns]:value: ' \
                    '--frames[Attend to the keys of each of N frames apart]:value: ' \
                    '--tau[Multiply the logits\: q and k are multiplied by the square root of X]:value: ' \
                    '--noise[Noise tensors of the file]:value:(file drawn)' \
                    '--repetitions[Least number of timed calls of each attention]:value: ' \
                    '--seconds[Least time to spend on timing each attention]:value: ' \
                    '--no-latency[Leave time out]' \
                    '--check[Exit code 1 when the result differs from the file'\''s own `out` by more than its tolerance]' \
                    '--seeds[Draws over which the error of a random attention is averaged]:value: ' \
                    '--device[auto]:value:(auto cpu cuda)' \
                    '--dtype[Number type of the computation]:value:(auto float32 float64 bfloat16 float16)' \
                    '--threads[Threads of the CPU]:value: ' \
                    '--seed[Seed of all random numbers]:value: ' \
                    '--json[Write the result as JSON to FILE, or to standard output instead of the tables]:value:_files' \
                    '--quiet[No progress on standard error]' \
                    '*:argument:_files' ;;
                approximate) _arguments -s \
                    '--help[Print this help message and exit]' \
                    '-h[Print this help message and exit]' \
                    '--version[Display program version information and exit]' \
                    '--orientation[Rotation noted by cameras]:value:(ignore apply)' \
                    '--decoder[Decode pictures in a process of its own, whose death costs one picture, or inline]:value:(process inline)' \
                    '--limit-pixels[Refuse pictures with more pixels]:value: ' \
                    '--limit-side[Refuse pictures that are wider or higher]:value: ' \
                    '--limit-bytes[Refuse larger picture files]:value: ' \
                    '--limit-clip-bytes[Hold at most so much of a video'\''s frames at a time]:value: ' \
                    '--views[Clips in time × crops in space of a video\: 10x3 is the published protocol, 1x1 the centre of its first clip]:value:(10x3 1x3 1x1)' \
                    '--sampling[Clips of a fixed length]:value:(published ssv2)' \
                    '--start[Use a video from this second on]:value: ' \
                    '--duration[Use so many seconds of a video]:value: ' \
                    '--rotation[Turning that a video asks of players\: ignore, as the published evaluation does, or apply]:value:(ignore apply)' \
                    '--start-time[Time of a video'\''s first frame\: subtract it, or leave it as the authors'\'' loader does]:value:(subtract official)' \
                    '--any-format[Read every video format that FFmpeg knows, not only those of docs/video.md]' \
                    '--weights[A checkpoint]:value:{compadd -- untrained; _files}' \
                    '--model[A name of `attnscope-cli models`, or a JSON file that describes the model]:value:{compadd -- deit_tiny_patch16_224 deit_small_patch16_224 deit_base_patch16_224 deit_tiny_distilled_patch16_224 deit_small_distilled_patch16_224 deit_base_distilled_patch16_224 deit_base_patch16_384 deit_base_distilled_patch16_384 evit_tiny_p16 evit_tiny_p8 evit_small_p16 evit_small_p8 pvt_v2_b0 pvt_v2_b1 pvt_v2_b2 pvt_v2_b2_li pvt_v2_b3 pvt_v2_b4 pvt_v2_b5 pvt_v2_b1_lara pvt_v2_b1_performer pvt_v2_b1_softmax pvt_v2_b2_lara pvt_v2_b2_performer pvt_v2_b2_softmax pvt_v2_b3_lara pvt_v2_b3_performer pvt_v2_b3_softmax pvt_v2_b4_lara pvt_v2_b4_performer pvt_v2_b4_softmax pvt_v2_b5_lara pvt_v2_b5_performer pvt_v2_b5_softmax motionformer_224_16x4 motionformer_336_16x8 motionformer_224_32x3 joint_224_16x4 divided_224_16x4; _files}' \
                    '--checkpoint-key[The key that the weights are under]:value: ' \
                    '--heads[Attention heads, where the checkpoint does not say and --model is left out]:value: ' \
                    '--image-size[Side of the input in pixels]:value: ' \
                    '--position[How position embeddings are resized to another image size\: deit or timm]:value:(deit timm)' \
                    '--preset[Short side before the crop\: deit]:value:(deit timm)' \
                    '--resize[That short side in pixels]:value: ' \
                    '--plain[Compute layers one after the other as they are written, the reference, instead of planned for speed]' \
                    '*--attention[An attention, name\[\:key=value,…\]]:value:(native softmax performer rfa ra lara nystrom orthoformer linformer elu pooled-sra local eva topk sra)' \
                    '--device[auto]:value:(auto cpu cuda)' \
                    '--dtype[Number type of the computation]:value:(float32 bfloat16 float16)' \
                    '--threads[Threads of the CPU]:value: ' \
                    '--seed[Seed of all random numbers]:value: ' \
                    '--json[Write the result as JSON to FILE, or to standard output instead of the tables]:value:_files' \
                    '--quiet[No progress on standard error]' \
                    '--random[Instead of INPUT\: q, k and v of so many tokens, independent standard normal numbers of 8 heads]:value: ' \
                    '--head-size[Channels of a head of random q, k and v]:value: ' \
                    '*--samples[Numbers of samples, with commas between them]:value: ' \
                    '*--flat[An attention that is measured once, as it is\: a line over all numbers of samples]:value:(native softmax performer rfa ra lara nystrom orthoformer linformer elu pooled-sra local eva topk sra)' \
                    '--tau[Multiply the logits of dumped or random q and k]:value: ' \
                    '--out[Write the figure]:value:_files' \
                    '--seeds[Draws over which the error of a random attention is averaged]:value: ' \
                    '*:argument:_files' ;;
                layers) _arguments -s \
                    '--help[Print this help message and exit]' \
                    '-h[Print this help message and exit]' \
                    '--version[Display program version information and exit]' \
                    '--orientation[Rotation noted by cameras]:value:(ignore apply)' \
                    '--decoder[Decode pictures in a process of its own, whose death costs one picture, or inline]:value:(process inline)' \
                    '--limit-pixels[Refuse pictures with more pixels]:value: ' \
                    '--limit-side[Refuse pictures that are wider or higher]:value: ' \
                    '--limit-bytes[Refuse larger picture files]:value: ' \
                    '--limit-clip-bytes[Hold at most so much of a video'\''s frames at a time]:value: ' \
                    '--views[Clips in time × crops in space of a video\: 10x3 is the published protocol, 1x1 the centre of its first clip]:value:(10x3 1x3 1x1)' \
                    '--sampling[Clips of a fixed length]:value:(published ssv2)' \
                    '--start[Use a video from this second on]:value: ' \
                    '--duration[Use so many seconds of a video]:value: ' \
                    '--rotation[Turning that a video asks of players\: ignore, as the published evaluation does, or apply]:value:(ignore apply)' \
                    '--start-time[Time of a video'\''s first frame\: subtract it, or leave it as the authors'\'' loader does]:value:(subtract official)' \
                    '--any-format[Read every video format that FFmpeg knows, not only those of docs/video.md]' \
                    '--weights[A checkpoint]:value:{compadd -- untrained; _files}' \
                    '--model[A name of `attnscope-cli models`, or a JSON file that describes the model]:value:{compadd -- deit_tiny_patch16_224 deit_small_patch16_224 deit_base_patch16_224 deit_tiny_distilled_patch16_224 deit_small_distilled_patch16_224 deit_base_distilled_patch16_224 deit_base_patch16_384 deit_base_distilled_patch16_384 evit_tiny_p16 evit_tiny_p8 evit_small_p16 evit_small_p8 pvt_v2_b0 pvt_v2_b1 pvt_v2_b2 pvt_v2_b2_li pvt_v2_b3 pvt_v2_b4 pvt_v2_b5 pvt_v2_b1_lara pvt_v2_b1_performer pvt_v2_b1_softmax pvt_v2_b2_lara pvt_v2_b2_performer pvt_v2_b2_softmax pvt_v2_b3_lara pvt_v2_b3_performer pvt_v2_b3_softmax pvt_v2_b4_lara pvt_v2_b4_performer pvt_v2_b4_softmax pvt_v2_b5_lara pvt_v2_b5_performer pvt_v2_b5_softmax motionformer_224_16x4 motionformer_336_16x8 motionformer_224_32x3 joint_224_16x4 divided_224_16x4; _files}' \
                    '--checkpoint-key[The key that the weights are under]:value: ' \
                    '--heads[Attention heads, where the checkpoint does not say and --model is left out]:value: ' \
                    '--image-size[Side of the input in pixels]:value: ' \
                    '--position[How position embeddings are resized to another image size\: deit or timm]:value:(deit timm)' \
                    '--preset[Short side before the crop\: deit]:value:(deit timm)' \
                    '--resize[That short side in pixels]:value: ' \
                    '--plain[Compute layers one after the other as they are written, the reference, instead of planned for speed]' \
                    '*--attention[An attention, name\[\:key=value,…\]]:value:(native softmax performer rfa ra lara nystrom orthoformer linformer elu pooled-sra local eva topk sra)' \
                    '--device[auto]:value:(auto cpu cuda)' \
                    '--dtype[Number type of the computation]:value:(float32 bfloat16 float16)' \
                    '--threads[Threads of the CPU]:value: ' \
                    '--seed[Seed of all random numbers]:value: ' \
                    '--json[Write the result as JSON to FILE, or to standard output instead of the tables]:value:_files' \
                    '--quiet[No progress on standard error]' \
                    '--query[Attention maps of one token\: class, ROW,COLUMN or FRAME,ROW,COLUMN of the patches, from 0]:value: ' \
                    '--out[Write the maps as tensors to this safetensors file]:value:_files' \
                    '--figure[Write the error map of the first attention]:value:_files' \
                    '--teacher-forced[Errors at the exact pass'\''s q, k, v alone\: no further passes]' \
                    '--seeds[Draws over which the error of a random attention is averaged]:value: ' \
                    '*:argument:_files' ;;
                plan) _arguments -s \
                    '--help[Print this help message and exit]' \
                    '-h[Print this help message and exit]' \
                    '--version[Display program version information and exit]' \
                    '--orientation[Rotation noted by cameras]:value:(ignore apply)' \
                    '--decoder[Decode pictures in a process of its own, whose death costs one picture, or inline]:value:(process inline)' \
                    '--limit-pixels[Refuse pictures with more pixels]:value: ' \
                    '--limit-side[Refuse pictures that are wider or higher]:value: ' \
                    '--limit-bytes[Refuse larger picture files]:value: ' \
                    '--limit-clip-bytes[Hold at most so much of a video'\''s frames at a time]:value: ' \
                    '--views[Clips in time × crops in space of a video\: 10x3 is the published protocol, 1x1 the centre of its first clip]:value:(10x3 1x3 1x1)' \
                    '--sampling[Clips of a fixed length]:value:(published ssv2)' \
                    '--start[Use a video from this second on]:value: ' \
                    '--duration[Use so many seconds of a video]:value: ' \
                    '--rotation[Turning that a video asks of players\: ignore, as the published evaluation does, or apply]:value:(ignore apply)' \
                    '--start-time[Time of a video'\''s first frame\: subtract it, or leave it as the authors'\'' loader does]:value:(subtract official)' \
                    '--any-format[Read every video format that FFmpeg knows, not only those of docs/video.md]' \
                    '--weights[A checkpoint]:value:{compadd -- untrained; _files}' \
                    '--model[A name of `attnscope-cli models`, or a JSON file that describes the model]:value:{compadd -- deit_tiny_patch16_224 deit_small_patch16_224 deit_base_patch16_224 deit_tiny_distilled_patch16_224 deit_small_distilled_patch16_224 deit_base_distilled_patch16_224 deit_base_patch16_384 deit_base_distilled_patch16_384 evit_tiny_p16 evit_tiny_p8 evit_small_p16 evit_small_p8 pvt_v2_b0 pvt_v2_b1 pvt_v2_b2 pvt_v2_b2_li pvt_v2_b3 pvt_v2_b4 pvt_v2_b5 pvt_v2_b1_lara pvt_v2_b1_performer pvt_v2_b1_softmax pvt_v2_b2_lara pvt_v2_b2_performer pvt_v2_b2_softmax pvt_v2_b3_lara pvt_v2_b3_performer pvt_v2_b3_softmax pvt_v2_b4_lara pvt_v2_b4_performer pvt_v2_b4_softmax pvt_v2_b5_lara pvt_v2_b5_performer pvt_v2_b5_softmax motionformer_224_16x4 motionformer_336_16x8 motionformer_224_32x3 joint_224_16x4 divided_224_16x4; _files}' \
                    '--checkpoint-key[The key that the weights are under]:value: ' \
                    '--heads[Attention heads, where the checkpoint does not say and --model is left out]:value: ' \
                    '--image-size[Side of the input in pixels]:value: ' \
                    '--position[How position embeddings are resized to another image size\: deit or timm]:value:(deit timm)' \
                    '--preset[Short side before the crop\: deit]:value:(deit timm)' \
                    '--resize[That short side in pixels]:value: ' \
                    '--plain[Compute layers one after the other as they are written, the reference, instead of planned for speed]' \
                    '*--attention[An attention, name\[\:key=value,…\]]:value:(native softmax performer rfa ra lara nystrom orthoformer linformer elu pooled-sra local eva topk sra)' \
                    '--device[auto]:value:(auto cpu cuda)' \
                    '--dtype[Number type of the computation]:value:(float32 bfloat16 float16)' \
                    '--threads[Threads of the CPU]:value: ' \
                    '--seed[Seed of all random numbers]:value: ' \
                    '--json[Write the result as JSON to FILE, or to standard output instead of the tables]:value:_files' \
                    '--quiet[No progress on standard error]' \
                    '--budget[latency=MS, speed=TIMES]:value: ' \
                    '--labelled[INPUT is a labelled folder or list, as evaluate takes it\: plan on N samples, spread over it]:value: ' \
                    '*--classes[The class of each input, in order, with commas between them]:value: ' \
                    '--rounds[Times that every candidate is timed in every layer]:value: ' \
                    '--out[Write the figure]:value:_files' \
                    '--seeds[Draws over which the error of a random attention is averaged]:value: ' \
                    '*:argument:_files' ;;
                scale) _arguments -s \
                    '--help[Print this help message and exit]' \
                    '-h[Print this help message and exit]' \
                    '--version[Display program version information and exit]' \
                    '*--attention[An attention, name\[\:key=value,…\]]:value:(native softmax performer rfa ra lara nystrom orthoformer linformer elu pooled-sra local eva topk sra)' \
                    '*--lengths[Numbers of tokens, in order, with commas between them]:value: ' \
                    '--layers[Encoder layers]:value: ' \
                    '--dim[Width of the encoder]:value: ' \
                    '--heads[Attention heads]:value: ' \
                    '--backward[Forward and backward pass, with the activations kept]' \
                    '--repetitions[Least number of timed passes of each attention and length]:value: ' \
                    '--seconds[Least time to spend on each]:value: ' \
                    '--pass-budget[Stop an attention whose single pass would take longer, in seconds]:value: ' \
                    '--point-budget[End repetitions after so many seconds, three at least]:value: ' \
                    '--time-budget[End after about so many seconds\: with fewer repetitions, and without lengths that would take longer]:value: ' \
                    '--memory-budget[Stop an attention that needs more GiB of tensors]:value: ' \
                    '--out[Write figures]:value:_files' \
                    '--device[auto]:value:(auto cpu cuda)' \
                    '--dtype[Number type of the computation]:value:(float32 bfloat16 float16)' \
                    '--threads[Threads of the CPU]:value: ' \
                    '--seed[Seed of all random numbers]:value: ' \
                    '--json[Write the result as JSON to FILE, or to standard output instead of the tables]:value:_files' \
                    '--quiet[No progress on standard error]' ;;
                inspect) _arguments -s \
                    '--help[Print this help message and exit]' \
                    '-h[Print this help message and exit]' \
                    '--version[Display program version information and exit]' \
                    '--model[A name of `attnscope-cli models`, or a JSON file that describes the model]:value:{compadd -- deit_tiny_patch16_224 deit_small_patch16_224 deit_base_patch16_224 deit_tiny_distilled_patch16_224 deit_small_distilled_patch16_224 deit_base_distilled_patch16_224 deit_base_patch16_384 deit_base_distilled_patch16_384 evit_tiny_p16 evit_tiny_p8 evit_small_p16 evit_small_p8 pvt_v2_b0 pvt_v2_b1 pvt_v2_b2 pvt_v2_b2_li pvt_v2_b3 pvt_v2_b4 pvt_v2_b5 pvt_v2_b1_lara pvt_v2_b1_performer pvt_v2_b1_softmax pvt_v2_b2_lara pvt_v2_b2_performer pvt_v2_b2_softmax pvt_v2_b3_lara pvt_v2_b3_performer pvt_v2_b3_softmax pvt_v2_b4_lara pvt_v2_b4_performer pvt_v2_b4_softmax pvt_v2_b5_lara pvt_v2_b5_performer pvt_v2_b5_softmax motionformer_224_16x4 motionformer_336_16x8 motionformer_224_32x3 joint_224_16x4 divided_224_16x4; _files}' \
                    '--checkpoint-key[The key that the weights are under]:value: ' \
                    '--heads[Attention heads, where the checkpoint does not say and --model is left out]:value: ' \
                    '--sha256[Hash the whole file, also where its name carries no digits to compare with]' \
                    '--json[Write the result as JSON to FILE, or to standard output instead of the tables]:value:_files' \
                    '*:argument:_files' ;;
                convert) _arguments -s \
                    '--help[Print this help message and exit]' \
                    '-h[Print this help message and exit]' \
                    '--version[Display program version information and exit]' \
                    '--overwrite[Replace OUT if it exists]' \
                    '--dtype[Type of the numbers that are written]:value:(stored float32 float16 bfloat16)' \
                    '--model[A name of `attnscope-cli models`, or a JSON file that describes the model]:value:{compadd -- deit_tiny_patch16_224 deit_small_patch16_224 deit_base_patch16_224 deit_tiny_distilled_patch16_224 deit_small_distilled_patch16_224 deit_base_distilled_patch16_224 deit_base_patch16_384 deit_base_distilled_patch16_384 evit_tiny_p16 evit_tiny_p8 evit_small_p16 evit_small_p8 pvt_v2_b0 pvt_v2_b1 pvt_v2_b2 pvt_v2_b2_li pvt_v2_b3 pvt_v2_b4 pvt_v2_b5 pvt_v2_b1_lara pvt_v2_b1_performer pvt_v2_b1_softmax pvt_v2_b2_lara pvt_v2_b2_performer pvt_v2_b2_softmax pvt_v2_b3_lara pvt_v2_b3_performer pvt_v2_b3_softmax pvt_v2_b4_lara pvt_v2_b4_performer pvt_v2_b4_softmax pvt_v2_b5_lara pvt_v2_b5_performer pvt_v2_b5_softmax motionformer_224_16x4 motionformer_336_16x8 motionformer_224_32x3 joint_224_16x4 divided_224_16x4; _files}' \
                    '--checkpoint-key[The key that the weights are under]:value: ' \
                    '--heads[Attention heads, where the checkpoint does not say and --model is left out]:value: ' \
                    '--labels[Class names to put into the header\: one a line, or JSON]:value:_files' \
                    '--json[Write the result as JSON to FILE, or to standard output instead of the tables]:value:_files' \
                    '*:argument:_files' ;;
                train) _arguments -s \
                    '--help[Print this help message and exit]' \
                    '-h[Print this help message and exit]' \
                    '--version[Display program version information and exit]' \
                    '--layout[How the folder is laid out]:value:(auto imagenet kinetics list)' \
                    '--val[Another folder to validate on, instead of `val` of FOLDER]:value:_files' \
                    '--limit[Use so many samples of the training set, spread evenly]:value: ' \
                    '--workers[Threads that read and augment]:value: ' \
                    '--model[A name of `attnscope-cli models`, or a JSON file that describes the model]:value:{compadd -- deit_tiny_patch16_224 deit_small_patch16_224 deit_base_patch16_224 deit_tiny_distilled_patch16_224 deit_small_distilled_patch16_224 deit_base_distilled_patch16_224 deit_base_patch16_384 deit_base_distilled_patch16_384 evit_tiny_p16 evit_tiny_p8 evit_small_p16 evit_small_p8 pvt_v2_b0 pvt_v2_b1 pvt_v2_b2 pvt_v2_b2_li pvt_v2_b3 pvt_v2_b4 pvt_v2_b5 pvt_v2_b1_lara pvt_v2_b1_performer pvt_v2_b1_softmax pvt_v2_b2_lara pvt_v2_b2_performer pvt_v2_b2_softmax pvt_v2_b3_lara pvt_v2_b3_performer pvt_v2_b3_softmax pvt_v2_b4_lara pvt_v2_b4_performer pvt_v2_b4_softmax pvt_v2_b5_lara pvt_v2_b5_performer pvt_v2_b5_softmax motionformer_224_16x4 motionformer_336_16x8 motionformer_224_32x3 joint_224_16x4 divided_224_16x4; _files}' \
                    '--checkpoint-key[The key that the weights are under]:value: ' \
                    '--heads[Attention heads, where the checkpoint does not say and --model is left out]:value: ' \
                    '--init[A checkpoint to begin with, or untrained\[\:SEED\]]:value:{compadd -- untrained; _files}' \
                    '--attention[The attention to train with, as `attnscope-cli backends` spells it]:value:(native softmax performer rfa ra lara nystrom orthoformer linformer elu pooled-sra local eva topk sra)' \
                    '--landmark-map[Learned map behind LARA'\''s pooling]:value:(auto light dense none)' \
                    '--out[The safetensors file to write]:value:_files' \
                    '--resume[Go on with the training that OUT was left by]' \
                    '--overwrite[Begin anew although OUT exists]' \
                    '--epochs[Times that the training set is gone through]:value: ' \
                    '--batch-size[Samples of a step, in all processes together]:value: ' \
                    '--accumulate[Steps whose gradients are added up before the weights move]:value: ' \
                    '--lr[Learning rate at the top of the schedule]:value: ' \
                    '--final-lr[Learning rate at its end]:value: ' \
                    '--warmup[Epochs until the top is reached]:value: ' \
                    '--weight-decay[Of AdamW]:value: ' \
                    '--clip[Largest norm of all gradients together]:value: ' \
                    '--label-smoothing[Share of a label that is spread over all classes]:value: ' \
                    '--drop-path[Stochastic depth of the last block]:value: ' \
                    '--ema[Decay of a moving average of the weights, which becomes the result]:value: ' \
                    '--mixed-precision[bfloat16 inside linear layers and convolutions]' \
                    '--augment[deit\: the whole recipe]:value:(deit light none)' \
                    '--crop-scale[Least and largest share of the picture that a random crop keeps]:value: ' \
                    '--flip[Probability of left and right changing places]:value: ' \
                    '--rand-augment[Operations of RandAugment and their magnitude]:value: ' \
                    '--erasing[Probability of random erasing]:value: ' \
                    '--mixup[α of mixup, 0\: none]:value: ' \
                    '--cutmix[α of CutMix, 0\: none]:value: ' \
                    '--distil-from[A checkpoint to learn from\: usually the softmax one that --init names too]:value:_files' \
                    '--attention-weight[Weight of matching each layer'\''s attention output]:value: ' \
                    '*--layer-weights[Weights of the layers in that, one each]:value: ' \
                    '--logit-weight[Weight of the Kullback-Leibler divergence of the answers]:value: ' \
                    '--label-weight[Weight of the labels]:value: ' \
                    '--temperature[Temperature of that divergence]:value: ' \
                    '--parameter-epochs[First epochs that train the attention'\''s own parameters alone]:value: ' \
                    '--device[auto]:value:(auto cpu cuda)' \
                    '--dtype[Number type of the computation]:value:(float32)' \
                    '--threads[Threads of the CPU]:value: ' \
                    '--seed[Seed of all random numbers]:value: ' \
                    '--json[Write the result as JSON to FILE, or to standard output instead of the tables]:value:_files' \
                    '--quiet[No progress on standard error]' \
                    '--store[A results store that keeps every epoch as well, for `report`]:value:_files' \
                    '*:argument:_files' ;;
                evaluate) _arguments -s \
                    '--help[Print this help message and exit]' \
                    '-h[Print this help message and exit]' \
                    '--version[Display program version information and exit]' \
                    '--layout[How it is laid out]:value:(auto imagenet kinetics list)' \
                    '--labels[What the model'\''s classes are called\: one name a line, or a JSON list or object]:value:_files' \
                    '--limit[Answer so many samples, spread evenly]:value: ' \
                    '--shard[Answer part I of N alone\: every N-th batch]:value: ' \
                    '--views[Clips in time × crops in space of a video]:value:(10x3 1x3 1x1)' \
                    '--weights[A checkpoint]:value:{compadd -- untrained; _files}' \
                    '--model[A name of `attnscope-cli models`, or a JSON file that describes the model]:value:{compadd -- deit_tiny_patch16_224 deit_small_patch16_224 deit_base_patch16_224 deit_tiny_distilled_patch16_224 deit_small_distilled_patch16_224 deit_base_distilled_patch16_224 deit_base_patch16_384 deit_base_distilled_patch16_384 evit_tiny_p16 evit_tiny_p8 evit_small_p16 evit_small_p8 pvt_v2_b0 pvt_v2_b1 pvt_v2_b2 pvt_v2_b2_li pvt_v2_b3 pvt_v2_b4 pvt_v2_b5 pvt_v2_b1_lara pvt_v2_b1_performer pvt_v2_b1_softmax pvt_v2_b2_lara pvt_v2_b2_performer pvt_v2_b2_softmax pvt_v2_b3_lara pvt_v2_b3_performer pvt_v2_b3_softmax pvt_v2_b4_lara pvt_v2_b4_performer pvt_v2_b4_softmax pvt_v2_b5_lara pvt_v2_b5_performer pvt_v2_b5_softmax motionformer_224_16x4 motionformer_336_16x8 motionformer_224_32x3 joint_224_16x4 divided_224_16x4; _files}' \
                    '--checkpoint-key[The key that the weights are under]:value: ' \
                    '--heads[Attention heads, where the checkpoint does not say and --model is left out]:value: ' \
                    '--image-size[Side of the input in pixels]:value: ' \
                    '--position[How position embeddings are resized to another image size\: deit or timm]:value:(deit timm)' \
                    '--preset[Short side before the crop\: deit]:value:(deit timm)' \
                    '--resize[That short side in pixels]:value: ' \
                    '--plain[Compute layers one after the other as they are written, the reference, instead of planned for speed]' \
                    '*--attention[An attention, name\[\:key=value,…\]]:value:(native softmax performer rfa ra lara nystrom orthoformer linformer elu pooled-sra local eva topk sra)' \
                    '--store[The results store to write]:value:_files' \
                    '--resume[Go on with the evaluation that the same command began]' \
                    '--batch-size[Samples of a batch]:value: ' \
                    '--workers[Threads that read and preprocess]:value: ' \
                    '--cache[Keep preprocessed pictures in this folder\: the next evaluation of them decodes nothing]:value:_files' \
                    '--cache-bytes[Keep at most so much there]:value: ' \
                    '--error[Measure the attention'\''s approximation error too, on the first sample]' \
                    '--no-measuring[Leave latency and memory out]' \
                    '--dry-run[Say what is there and what it will cost]' \
                    '--device[auto]:value:(auto cpu cuda)' \
                    '--dtype[Number type of the computation]:value:(float32 bfloat16 float16)' \
                    '--threads[Threads of the CPU]:value: ' \
                    '--seed[Seed of all random numbers]:value: ' \
                    '--json[Write the result as JSON to FILE, or to standard output instead of the tables]:value:_files' \
                    '--quiet[No progress on standard error]' \
                    '*:argument:_files' ;;
                report) _arguments -s \
                    '--help[Print this help message and exit]' \
                    '-h[Print this help message and exit]' \
                    '--version[Display program version information and exit]' \
                    '--out[Where the report goes]:value:_files' \
                    '*--evaluation[Only this evaluation, by its number]:value: ' \
                    '--model[Only models whose name contains this]:value: ' \
                    '--attention[Only attentions that begin with this]:value: ' \
                    '--finished[Leave unfinished evaluations out]' \
                    '--list[Print what the store holds]' \
                    '--json[Write the result as JSON to FILE, or to standard output instead of the tables]:value:_files' \
                    '*:argument:_files' ;;
                merge) _arguments -s \
                    '--help[Print this help message and exit]' \
                    '-h[Print this help message and exit]' \
                    '--version[Display program version information and exit]' \
                    '--json[Write the result as JSON to FILE, or to standard output instead of the tables]:value:_files' \
                    '*:argument:_files' ;;
                demo) _arguments -s \
                    '--help[Print this help message and exit]' \
                    '-h[Print this help message and exit]' \
                    '--version[Display program version information and exit]' \
                    '--only[One of the two sets]:value:(scenes moves)' \
                    '--train[Training samples of each class]:value: ' \
                    '--val[Validation samples of each class]:value: ' \
                    '--seed[Another seed gives other samples]:value: ' \
                    '--overwrite[Write into DIR although it is not empty]' \
                    '--json[Write the result as JSON to FILE, or to standard output instead of the tables]:value:_files' \
                    '--quiet[No progress on standard error]' \
                    '*:argument:_files' ;;
                doctor) _arguments -s \
                    '--help[Print this help message and exit]' \
                    '-h[Print this help message and exit]' \
                    '--version[Display program version information and exit]' \
                    '--json[Write the result as JSON to FILE, or to standard output instead of the tables]:value:_files' ;;
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
