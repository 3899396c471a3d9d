# SPDX-License-Identifier: Apache-2.0
# Completion for bash, printed by `attnscope-cli completion bash`: put it into share/bash-completion/completions/attnscope-cli, or source it.

_attnscope_cli() {
    local current=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD-1]} command=${COMP_WORDS[1]}
    local words= files= value=yes
    COMPREPLY=()
    # Of --option=value the sign is a word of its own.
    [[ $current == = ]] && current=
    [[ $previous == = ]] && previous=${COMP_WORDS[COMP_CWORD-2]}
    case "$command $previous" in
        "models --json"|"backends --json"|"devices --json"|"classify --class-embeddings"|"classify --labels"|"classify --json"|"compare --class-embeddings"|"compare --labels"|"compare --json"|"compare --pca"|"attend --out"|"attend --json"|"approximate --class-embeddings"|"approximate --json"|"approximate --out"|"layers --class-embeddings"|"layers --json"|"layers --out"|"layers --figure"|"plan --class-embeddings"|"plan --json"|"plan --out"|"scale --out"|"scale --json"|"decode --out"|"decode --json"|"neighbours --class-embeddings"|"neighbours --datastore"|"neighbours --build"|"neighbours --evaluate"|"neighbours --labels"|"neighbours --out"|"neighbours --json"|"exits --class-embeddings"|"exits --out"|"exits --json"|"inspect --json"|"convert --labels"|"convert --json"|"train --val"|"train --out"|"train --distil-from"|"train --json"|"train --store"|"evaluate --labels"|"evaluate --class-embeddings"|"evaluate --train-folder"|"evaluate --store"|"evaluate --cache"|"evaluate --json"|"report --out"|"report --json"|"merge --json"|"demo --json"|"doctor --json") words="" files=yes ;;
        "classify --orientation"|"classify --rotation"|"compare --orientation"|"compare --rotation"|"approximate --orientation"|"approximate --rotation"|"layers --orientation"|"layers --rotation"|"plan --orientation"|"plan --rotation"|"neighbours --orientation"|"neighbours --rotation") words="ignore apply" files= ;;
        "classify --decoder"|"compare --decoder"|"approximate --decoder"|"layers --decoder"|"plan --decoder"|"neighbours --decoder") words="process inline" files= ;;
        "classify --limit-pixels"|"classify --limit-side"|"classify --limit-bytes"|"classify --limit-clip-bytes"|"classify --start"|"classify --duration"|"classify --checkpoint-key"|"classify --heads"|"classify --image-size"|"classify --resize"|"classify --topk"|"classify --threads"|"classify --seed"|"compare --limit-pixels"|"compare --limit-side"|"compare --limit-bytes"|"compare --limit-clip-bytes"|"compare --start"|"compare --duration"|"compare --checkpoint-key"|"compare --heads"|"compare --image-size"|"compare --resize"|"compare --topk"|"compare --threads"|"compare --seed"|"compare --seeds"|"compare --repetitions"|"compare --seconds"|"attend --grid"|"attend --frames"|"attend --tau"|"attend --repetitions"|"attend --seconds"|"attend --seeds"|"attend --threads"|"attend --seed"|"approximate --limit-pixels"|"approximate --limit-side"|"approximate --limit-bytes"|"approximate --limit-clip-bytes"|"approximate --start"|"approximate --duration"|"approximate --checkpoint-key"|"approximate --heads"|"approximate --image-size"|"approximate --resize"|"approximate --threads"|"approximate --seed"|"approximate --random"|"approximate --head-size"|"approximate --samples"|"approximate --tau"|"approximate --seeds"|"layers --limit-pixels"|"layers --limit-side"|"layers --limit-bytes"|"layers --limit-clip-bytes"|"layers --start"|"layers --duration"|"layers --checkpoint-key"|"layers --heads"|"layers --image-size"|"layers --resize"|"layers --threads"|"layers --seed"|"layers --query"|"layers --seeds"|"plan --limit-pixels"|"plan --limit-side"|"plan --limit-bytes"|"plan --limit-clip-bytes"|"plan --start"|"plan --duration"|"plan --checkpoint-key"|"plan --heads"|"plan --image-size"|"plan --resize"|"plan --threads"|"plan --seed"|"plan --budget"|"plan --labelled"|"plan --classes"|"plan --rounds"|"plan --seeds"|"scale --lengths"|"scale --layers"|"scale --dim"|"scale --heads"|"scale --repetitions"|"scale --seconds"|"scale --pass-budget"|"scale --point-budget"|"scale --time-budget"|"scale --memory-budget"|"scale --threads"|"scale --seed"|"decode --mechanism"|"decode --positions"|"decode --layer"|"decode --heads"|"decode --head-size"|"decode --tau"|"decode --repetitions"|"decode --memory-budget"|"decode --threads"|"decode --seed"|"neighbours --limit-pixels"|"neighbours --limit-side"|"neighbours --limit-bytes"|"neighbours --limit-clip-bytes"|"neighbours --start"|"neighbours --duration"|"neighbours --checkpoint-key"|"neighbours --heads"|"neighbours --image-size"|"neighbours --resize"|"neighbours --limit"|"neighbours --k"|"neighbours --mix"|"neighbours --temperature"|"neighbours --batch-size"|"neighbours --workers"|"neighbours --threads"|"neighbours --seed"|"exits --limit"|"exits --checkpoint-key"|"exits --heads"|"exits --image-size"|"exits --resize"|"exits --thresholds"|"exits --penalties"|"exits --batch-size"|"exits --workers"|"exits --threads"|"exits --seed"|"inspect --checkpoint-key"|"inspect --heads"|"convert --checkpoint-key"|"convert --heads"|"train --limit"|"train --workers"|"train --checkpoint-key"|"train --heads"|"train --epochs"|"train --batch-size"|"train --accumulate"|"train --lr"|"train --final-lr"|"train --warmup"|"train --weight-decay"|"train --clip"|"train --label-smoothing"|"train --drop-path"|"train --ema"|"train --crop-scale"|"train --flip"|"train --rand-augment"|"train --erasing"|"train --mixup"|"train --cutmix"|"train --attention-weight"|"train --layer-weights"|"train --logit-weight"|"train --label-weight"|"train --temperature"|"train --parameter-epochs"|"train --threads"|"train --seed"|"evaluate --limit"|"evaluate --shard"|"evaluate --checkpoint-key"|"evaluate --heads"|"evaluate --image-size"|"evaluate --resize"|"evaluate --knn"|"evaluate --train-limit"|"evaluate --batch-size"|"evaluate --workers"|"evaluate --cache-bytes"|"evaluate --threads"|"evaluate --seed"|"report --evaluation"|"report --model"|"report --attention"|"demo --train"|"demo --val"|"demo --seed") words="" files= ;;
        "classify --views"|"compare --views"|"approximate --views"|"layers --views"|"plan --views"|"neighbours --views"|"evaluate --views") words="10x3 1x3 1x1" files= ;;
        "classify --sampling"|"compare --sampling"|"approximate --sampling"|"layers --sampling"|"plan --sampling"|"neighbours --sampling") words="published ssv2" files= ;;
        "classify --start-time"|"compare --start-time"|"approximate --start-time"|"layers --start-time"|"plan --start-time"|"neighbours --start-time") words="subtract official" files= ;;
        "classify --weights"|"compare --weights"|"approximate --weights"|"layers --weights"|"plan --weights"|"neighbours --weights"|"exits --weights"|"train --init"|"evaluate --weights") words="untrained" files=yes ;;
        "classify --model"|"compare --model"|"approximate --model"|"layers --model"|"plan --model"|"neighbours --model"|"exits --model"|"inspect --model"|"convert --model"|"train --model"|"evaluate --model") words="deit_tiny_patch16_224 deit_small_patch16_224 deit_base_patch16_224 deit_tiny_distilled_patch16_224 deit_small_distilled_patch16_224 deit_base_distilled_patch16_224 deit_base_patch16_384 deit_base_distilled_patch16_384 evit_tiny_p16 evit_tiny_p8 evit_small_p16 evit_small_p8 pvt_v2_b0 pvt_v2_b1 pvt_v2_b2 pvt_v2_b2_li pvt_v2_b3 pvt_v2_b4 pvt_v2_b5 pvt_v2_b1_lara pvt_v2_b1_performer pvt_v2_b1_softmax pvt_v2_b2_lara pvt_v2_b2_performer pvt_v2_b2_softmax pvt_v2_b3_lara pvt_v2_b3_performer pvt_v2_b3_softmax pvt_v2_b4_lara pvt_v2_b4_performer pvt_v2_b4_softmax pvt_v2_b5_lara pvt_v2_b5_performer pvt_v2_b5_softmax motionformer_224_16x4 motionformer_336_16x8 motionformer_224_32x3 joint_224_16x4 divided_224_16x4" files=yes ;;
        "classify --position"|"compare --position"|"approximate --position"|"layers --position"|"plan --position"|"neighbours --position"|"exits --position"|"evaluate --position") words="own deit timm dinov2" files= ;;
        "classify --preset"|"compare --preset"|"approximate --preset"|"layers --preset"|"plan --preset"|"neighbours --preset"|"exits --preset"|"evaluate --preset") words="deit timm" files= ;;
        "classify --attention"|"compare --attention"|"attend --attention"|"approximate --attention"|"approximate --flat"|"layers --attention"|"plan --attention"|"scale --attention"|"neighbours --attention"|"exits --attention"|"train --attention"|"evaluate --attention") words="native softmax performer rfa ra lara nystrom orthoformer linformer elu pooled-sra local eva topk strided blockwise longformer etc bigbird lsh clustered span alibi distance sra" files= ;;
        "classify --features"|"compare --features"|"evaluate --features") words="pooled token avg token+avg" files= ;;
        "classify --device"|"compare --device"|"attend --device"|"approximate --device"|"layers --device"|"plan --device"|"scale --device"|"decode --device"|"neighbours --device"|"exits --device"|"train --device"|"evaluate --device") words="auto cpu cuda" files= ;;
        "classify --dtype"|"compare --dtype"|"approximate --dtype"|"layers --dtype"|"plan --dtype"|"scale --dtype"|"neighbours --dtype"|"exits --dtype"|"evaluate --dtype") words="float32 bfloat16 float16" files= ;;
        "attend --noise") words="file drawn" files= ;;
        "attend --dtype") words="auto float32 float64 bfloat16 float16" files= ;;
        "layers --figure-of") words="errors mass-kept seen" files= ;;
        "decode --tokens") words="normal smooth recall" files= ;;
        "decode --dtype") words="float32 float64" files= ;;
        "neighbours --layout"|"exits --layout"|"train --layout"|"evaluate --layout") words="auto imagenet kinetics list" files= ;;
        "neighbours --distance") words="l2 l2-squared cosine" files= ;;
        "convert --dtype") words="stored float32 float16 bfloat16" files= ;;
        "train --landmark-map") words="auto light dense none" files= ;;
        "train --augment") words="deit light none" files= ;;
        "train --dtype") words="float32" files= ;;
        "demo --only") words="scenes moves" files= ;;
        *) value= ;;
    esac
    if ((COMP_CWORD == 1)); then
        words="models backends devices classify compare attend approximate layers plan scale decode neighbours exits inspect convert train evaluate report merge demo doctor completion --help --version"
    elif [[ -n $value ]]; then
        [[ $words == native* ]] && compopt -o nospace
    elif [[ $current == -* ]]; then
        case $command in
            models) words="--help -h --version --json" ;;
            backends) words="--help -h --version --json" ;;
            devices) words="--help -h --version --json" ;;
            classify) words="--help -h --version --orientation --decoder --limit-pixels --limit-side --limit-bytes --limit-clip-bytes --views --sampling --start --duration --rotation --start-time --any-format --weights --model --checkpoint-key --heads --image-size --position --preset --resize --class-embeddings --plain --attention --labels --topk --logits --features --device --dtype --threads --seed --json --quiet" ;;
            compare) words="--help -h --version --orientation --decoder --limit-pixels --limit-side --limit-bytes --limit-clip-bytes --views --sampling --start --duration --rotation --start-time --any-format --weights --model --checkpoint-key --heads --image-size --position --preset --resize --class-embeddings --plain --attention --labels --topk --logits --features --device --dtype --threads --seed --json --quiet --seeds --repetitions --seconds --pca --no-latency --no-cuda-graphs --no-memory --no-error" ;;
            attend) words="--help -h --version --attention --out --grid --frames --tau --noise --repetitions --seconds --no-latency --check --seeds --device --dtype --threads --seed --json --quiet" ;;
            approximate) words="--help -h --version --orientation --decoder --limit-pixels --limit-side --limit-bytes --limit-clip-bytes --views --sampling --start --duration --rotation --start-time --any-format --weights --model --checkpoint-key --heads --image-size --position --preset --resize --class-embeddings --plain --attention --device --dtype --threads --seed --json --quiet --random --head-size --samples --kernel --flat --tau --out --seeds" ;;
            layers) words="--help -h --version --orientation --decoder --limit-pixels --limit-side --limit-bytes --limit-clip-bytes --views --sampling --start --duration --rotation --start-time --any-format --weights --model --checkpoint-key --heads --image-size --position --preset --resize --class-embeddings --plain --attention --device --dtype --threads --seed --json --quiet --query --out --figure --figure-of --teacher-forced --terms --seeds" ;;
            plan) words="--help -h --version --orientation --decoder --limit-pixels --limit-side --limit-bytes --limit-clip-bytes --views --sampling --start --duration --rotation --start-time --any-format --weights --model --checkpoint-key --heads --image-size --position --preset --resize --class-embeddings --plain --attention --device --dtype --threads --seed --json --quiet --budget --labelled --classes --rounds --out --seeds" ;;
            scale) words="--help -h --version --attention --lengths --layers --dim --heads --backward --repetitions --seconds --pass-budget --point-budget --time-budget --memory-budget --out --device --dtype --threads --seed --json --quiet" ;;
            decode) words="--help -h --version --mechanism --positions --layer --tokens --heads --head-size --tau --repetitions --memory-budget --out --device --dtype --threads --seed --json --quiet" ;;
            neighbours) words="--help -h --version --orientation --decoder --limit-pixels --limit-side --limit-bytes --limit-clip-bytes --views --sampling --start --duration --rotation --start-time --any-format --weights --model --checkpoint-key --heads --image-size --position --preset --resize --class-embeddings --plain --datastore --build --evaluate --layout --labels --limit --attention --k --mix --distance --temperature --batch-size --workers --out --device --dtype --threads --seed --json --quiet" ;;
            exits) words="--help -h --version --layout --limit --weights --model --checkpoint-key --heads --image-size --position --preset --resize --class-embeddings --plain --attention --thresholds --penalties --batch-size --workers --out --device --dtype --threads --seed --json --quiet" ;;
            inspect) words="--help -h --version --model --checkpoint-key --heads --sha256 --json" ;;
            convert) words="--help -h --version --overwrite --dtype --model --checkpoint-key --heads --labels --json" ;;
            train) words="--help -h --version --layout --val --limit --workers --model --checkpoint-key --heads --init --attention --landmark-map --exits --out --resume --overwrite --epochs --batch-size --accumulate --lr --final-lr --warmup --weight-decay --clip --label-smoothing --drop-path --ema --mixed-precision --augment --crop-scale --flip --rand-augment --erasing --mixup --cutmix --distil-from --attention-weight --layer-weights --logit-weight --label-weight --temperature --parameter-epochs --device --dtype --threads --seed --json --quiet --store" ;;
            evaluate) words="--help -h --version --layout --labels --limit --shard --views --weights --model --checkpoint-key --heads --image-size --position --preset --resize --class-embeddings --plain --attention --features --knn --probe --train-folder --train-limit --store --resume --batch-size --workers --cache --cache-bytes --error --no-measuring --dry-run --device --dtype --threads --seed --json --quiet" ;;
            report) words="--help -h --version --out --evaluation --model --attention --finished --list --json" ;;
            merge) words="--help -h --version --json" ;;
            demo) words="--help -h --version --only --train --val --seed --overwrite --json --quiet" ;;
            doctor) words="--help -h --version --json" ;;
            completion) words="--help -h --version" ;;
        esac
    else
        case $command in
            backends) words="native softmax performer rfa ra lara nystrom orthoformer linformer elu pooled-sra local eva topk strided blockwise longformer etc bigbird lsh clustered span alibi distance sra" ;;
            classify) files=yes ;;
            compare) files=yes ;;
            attend) files=yes ;;
            approximate) files=yes ;;
            layers) files=yes ;;
            plan) files=yes ;;
            decode) files=yes ;;
            neighbours) files=yes ;;
            exits) files=yes ;;
            inspect) files=yes ;;
            convert) files=yes ;;
            train) files=yes ;;
            evaluate) files=yes ;;
            report) files=yes ;;
            merge) files=yes ;;
            demo) files=yes ;;
            completion) words="bash zsh fish" ;;
        esac
    fi
    mapfile -t COMPREPLY < <(compgen -W "$words" -- "$current"; [[ -n $files ]] && compgen -f -- "$current")
}

complete -o filenames -F _attnscope_cli attnscope-cli
