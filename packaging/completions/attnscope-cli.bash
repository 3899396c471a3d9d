# SPDX-License-Identifier: Apache-2.0
# Completion for bash: put it into /usr/share/bash-completion/completions/attnscope-cli, or source it.

_attnscope_cli_names() {
    # First words of a listing's lines: `attnscope-cli models`.
    "$1" "$2" 2>/dev/null | awk 'NR > 1 { print $1 }'
}

_attnscope_cli_attentions() {
    "$1" backends --json - 2>/dev/null | awk -F'"' '/^      "name"/ { print $4 }'
}

_attnscope_cli() {
    local program=${COMP_WORDS[0]} current=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD-1]}
    local command=${COMP_WORDS[1]}
    local shared="--help --version --json"
    local device="--device --dtype --threads --seed --quiet"
    local model="--weights --model --checkpoint-key --heads --image-size --position --preset --resize --plain --attention --labels --topk --logits
        --orientation --decoder --limit-pixels --limit-side --limit-bytes --limit-clip-bytes
        --views --sampling --start --duration --rotation --start-time --any-format"
    local timing="--seeds --repetitions --seconds --no-latency"
    local train="--layout --val --limit --workers --model --checkpoint-key --heads --init --attention --landmark-map --out --resume
        --overwrite --epochs --batch-size --accumulate --lr --final-lr --warmup --weight-decay --clip --label-smoothing --drop-path --ema
        --mixed-precision --augment --crop-scale --flip --rand-augment --erasing --mixup --cutmix --distil-from --attention-weight
        --layer-weights --logit-weight --label-weight --temperature --parameter-epochs --store"
    local evaluate="--layout --labels --limit --shard --views --weights --model --checkpoint-key --heads --image-size --position --preset --resize --plain
        --attention --store --resume --batch-size --workers --cache --cache-bytes --error --no-measuring --dry-run"
    COMPREPLY=()

    if ((COMP_CWORD == 1)); then
        COMPREPLY=($(compgen -W "models backends devices classify compare attend approximate layers plan scale inspect convert train evaluate report merge demo doctor --help --version" -- "$current"))
        return
    fi
    case $previous in
        --attention)
            COMPREPLY=($(compgen -W "native $(_attnscope_cli_attentions "$program")" -- "$current"))
            compopt -o nospace
            return ;;
        --model)
            COMPREPLY=($(compgen -W "$(_attnscope_cli_names "$program" models)" -- "$current") $(compgen -f -- "$current"))
            return ;;
        --weights)
            COMPREPLY=($(compgen -W "untrained" -- "$current") $(compgen -f -- "$current"))
            return ;;
        --device) COMPREPLY=($(compgen -W "auto cpu cuda" -- "$current")); return ;;
        --dtype) COMPREPLY=($(compgen -W "auto float32 float64 bfloat16 float16" -- "$current")); return ;;
        --position|--preset) COMPREPLY=($(compgen -W "deit timm" -- "$current")); return ;;
        --rotation) COMPREPLY=($(compgen -W "ignore apply" -- "$current")); return ;;
        --sampling) COMPREPLY=($(compgen -W "published ssv2" -- "$current")); return ;;
        --start-time) COMPREPLY=($(compgen -W "subtract official" -- "$current")); return ;;
        --views) COMPREPLY=($(compgen -W "10x3 1x3 1x1" -- "$current")); return ;;
        --orientation) COMPREPLY=($(compgen -W "ignore apply" -- "$current")); return ;;
        --decoder) COMPREPLY=($(compgen -W "process inline" -- "$current")); return ;;
        --init|--distil-from) COMPREPLY=($(compgen -W "untrained" -- "$current") $(compgen -f -- "$current")); return ;;
        --layout) COMPREPLY=($(compgen -W "auto imagenet kinetics list" -- "$current")); return ;;
        --augment) COMPREPLY=($(compgen -W "deit light none" -- "$current")); return ;;
        --landmark-map) COMPREPLY=($(compgen -W "auto light dense none" -- "$current")); return ;;
        --only) COMPREPLY=($(compgen -W "scenes moves" -- "$current")); return ;;
        --noise) COMPREPLY=($(compgen -W "file drawn" -- "$current")); return ;;
        --json|--labels|--out|--store|--cache) COMPREPLY=($(compgen -f -- "$current")); return ;;
    esac
    if [[ $current == -* ]]; then
        local words=$shared
        case $command in
            classify) words="$shared $device $model" ;;
            compare) words="$shared $device $model $timing --no-cuda-graphs --no-memory --no-error" ;;
            inspect) words="$shared --model --checkpoint-key --heads --sha256" ;;
            convert) words="$shared --model --checkpoint-key --heads --labels --overwrite --dtype" ;;
            train) words="$shared $device $train" ;;
            evaluate) words="$shared $device $evaluate" ;;
            report) words="--help --version --out --evaluation --model --attention --finished --list" ;;
            merge) words="--help --version" ;;
            demo) words="$shared --only --train --val --seed --overwrite" ;;
            approximate) words="$shared $device $model --seeds --samples --random --head-size --flat --tau --out" ;;
            layers) words="$shared $device $model --seeds --query --out --figure --teacher-forced" ;;
            plan) words="$shared $device $model --seeds --budget --classes --labelled --rounds --out" ;;
            scale) words="$shared $device --attention --lengths --layers --dim --heads --backward --repetitions --seconds --pass-budget
                --point-budget --memory-budget --out" ;;
            attend) words="$shared $device $timing --attention --out --grid --frames --tau --noise --check" ;;
        esac
        COMPREPLY=($(compgen -W "$words" -- "$current"))
        return
    fi
    case $command in
        backends) COMPREPLY=($(compgen -W "$(_attnscope_cli_attentions "$program")" -- "$current")) ;;
        classify|compare|attend|approximate|layers|plan|inspect|convert|train|evaluate|report|merge|demo) COMPREPLY=($(compgen -f -- "$current")) ;;
    esac
}

complete -o filenames -F _attnscope_cli attnscope-cli
