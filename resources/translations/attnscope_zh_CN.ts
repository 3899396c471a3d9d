<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="zh_CN" sourcelanguage="en">
<context>
    <name>QApplication</name>
    <message>
        <source>Vision transformers with efficient attention, side by side.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Compare on the demo image right away.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>light, dark or system; may be repeated for screenshots.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>en, de, zh_CN or system.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Name of the model.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Checkpoint, or untrained.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Backend to select; may be repeated.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Your own attention: a TorchScript module or a library, which runs with all your rights; may be repeated.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Run, save a screenshot of the window once everything has been measured, and exit. With several themes or sizes: FILE-dark-1024x640.png and so on.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Run what the screen shows before the screenshot.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Seconds to wait at least before the screenshot.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Screen to show first and to open files on: compare, live, layers, batch, scale, train, results or neighbours.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Window size, for example 1280x800; may be repeated for screenshots.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Settings file to use instead of the default one.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Images or a checkpoint to open.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>--size %1: invalid window size; use WIDTHxHEIGHT, for example 1280x800.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>--after %1: invalid time; use seconds from 0 to 3600.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>--screen %1: unknown screen; the screens are %2.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>--theme %1: unknown theme; the themes are light, dark and system.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>--language %1: there is no such translation; give en, de, zh_CN or system.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Opens a window of its own even if there is one. Otherwise files go to that window, unless other options are given.</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>QObject</name>
    <message>
        <source>%1 (%2)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>scalar</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 weights</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>attnscope::ui</name>
    <message>
        <source>Both wrong</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1: unknown file format; use the extension svg, png or csv.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1: cannot be written; choose a writable folder.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>median, bars p5–p95</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>relative error</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>mean over seeds, bars ± standard deviation</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>attention time</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>model time</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>peak memory</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>attention memory</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>KL divergence</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>multiply-adds</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>1 − cosine of features</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>attention peak</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>MSE</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>mean of values</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>KL</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>class %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>None</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>One</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Two</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Three</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Four</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Five</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Six</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Seven</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Eight</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 predicts %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Both predict %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>All %1 predict %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 of %2 predict %3</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 predict otherwise</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Exact attention alone: its features are what others are compared with</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Feature cosine %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Feature cosine %1 to %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>error %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>attention time %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>memory %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Measuring %1: %2. Completed measurements are kept.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Loading the model and the image.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The features are not finite</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Features were not measured yet</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Not run yet</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Press Run (F5) to compare the features of every selected backend with those of exact attention.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Running each backend…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Compare costs only: these weights are untrained</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>This file could not be read</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Processing continues with the other inputs.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>No prediction: the logits are not finite</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Press Run (F5) to run every selected backend and measure its cost.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>; the logits of %1 are not finite</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>deterministic</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>= bias²</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>no variance</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>+ variance</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>zero</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>prefix tokens</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>patches</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>this layer alone</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>KL %1, same class</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>KL %1, ≠ class</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 has no %2 in any layer</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Error is largest</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source> is largest</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 in %2, head %3: %4</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source> relative</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 and %2 others</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The network has no head: there is no prediction that %1 could change</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The logits with %1 or with exact attention are not finite, so there is no prediction to compare</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 keeps the prediction</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 changes the prediction</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 keeps the prediction, although %2 alone would change it</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 changes the prediction: %2 alone is enough</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 keeps the prediction; %2 has the largest effect on its own, KL %3</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 changes the prediction, but no single layer does; %2 has the largest effect on its own, KL %3</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 could not be run</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>softmax</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 vs. %2 on %3</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 layers × %2 heads</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 weights</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>tensors only</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>mean over %1 seeds</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 of queries saw no key and used all</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>landmark (%1, %2)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>landmark token %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>query: class token</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>query: frame %1, patch (%2, %3)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>query: patch (%1, %2)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>keys seen</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>keys that the query sees</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>mass kept</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>exact attention&apos;s weight on the keys that each query sees</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>mass kept of exact</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>made with %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>made without an evaluation</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>made with all samples</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>made with %1 samples</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>made with the model&apos;s own attention</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>made with another distance</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>made with other settings</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 %</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>k</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Number of neighbours</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>λ</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Weight of the neighbours: 0 is the model alone, 1 the neighbours alone</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Top-1 %</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>95 % interval</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Wilson&apos;s interval</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Gain</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Difference to the model alone, in percentage points</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>k %1, λ %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>By</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Predicts</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Probability</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>model alone</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>%1 neighbour(s)</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>mixed, λ = %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1: %2, cosine similarity %3, weight %4</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1: %2, distance %3, weight %4</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1, the same class</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1, another class</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1, %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 features from %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>k = %1, λ = %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Best with %1: %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Neighbours do not help: the model alone gets %1 right</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Neighbours help: %1 gets %2 right, the model alone %3</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>No clear gain: %1 gets %2 right, the model alone %3</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>top-1 of %1 from %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>%1 sample(s)</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>%1 left themselves out</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 features of %2 numbers from %3</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 distance, temperature %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>95 % interval: %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>No sample could be read</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1: threshold %2 runs %3 of %4 blocks, %5 % top-1 instead of %6 %</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Heads trained for each exit</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Untrained exits: the network&apos;s own norm and head</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 unreadable</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Threshold</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>A sample leaves behind the first block whose largest probability is above it</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1: %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>top-1 %</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Accuracy at the exits, with half of its 95 % interval</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>blocks</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Blocks run, mean over samples</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>work %</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Multiply-adds, with a prediction behind every block on the way, as a fraction of the whole network&apos;s; not a measured time</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>threshold %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>top-1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>top-1, % (bars: 95 % interval)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>top-5</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>top-5, % (bars: 95 % interval)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>time per sample</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>time per sample, ms (median, bars p5–p95)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>attention time, ms (median, bars p5–p95)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>memory</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>peak memory, MiB</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>relative attention error (bars: ± standard deviation over seeds)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>nowhere</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>from %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Position</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Tokens so far</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Time</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Median time of one token, all heads, one thread</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>mean</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Mean time of the same tokens: what happens at the end of a segment counts with its frequency</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>State</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>What is kept between two tokens, all heads</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Mult.-adds</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Multiply-adds of one token, all heads</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Error</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Relative error of the timed tokens, with respect to softmax over all tokens so far, in float64</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Measured</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Number of tokens and the range of their times (5th to 95th percentile)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 tokens, %2 to %3</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Time ∝ tᵖ</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>p, the exponent of the time of a token over all positions t</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>State ∝ tᵖ</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>p, the exponent of the state over all positions t</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Faster</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Position from which a token takes less time than with the cache</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Smaller</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Position from which its state is smaller than the cache</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Less work</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Position from which a token needs fewer multiply-adds than with the cache</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Half-life</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Tokens after which a constant gate has halved what the state has kept</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Loss</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>What a compression changes in the output, mean over compressions and heads</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Parallel</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Largest difference between the outputs token by token and those of all tokens at once</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 tokens</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Weight of a token in the output that many tokens later</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1, state</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1, layer %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>correlated tokens</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>tokens to be recalled</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>independent tokens</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>No measurements yet</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>A token takes %1 with a cache of %2 tokens</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Nothing is clearly faster than the cache at %1 tokens</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 is faster than the cache at %2 tokens, with a relative error of %3</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 of %2 mechanisms are faster than the cache at %3 tokens; %4 is closest to it: relative error %5</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>%1 head(s)</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%1 channel(s)</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>one thread</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>load %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>made with other backends</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>made with %1 inputs</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>made with random q, k, v</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>made with the model&apos;s own q, k, v</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>made with %1 tokens, head size %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>made with the model&apos;s own image size</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>made with %1 px</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>made with seed %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>made with %1 to %2 tokens</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>made with %1 layers, dim %2, %3 heads</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>made with forward and backward passes</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>made with forward passes only</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>made with synthetic tokens</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>made with other mechanisms</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>made with the whole file</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>made with other tokens</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>made with layer %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>made with %1 of size %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>made with %1 to %2 samples</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>made with %1 seeds</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>made with %1 feature(s)</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>made for %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>made with the default approximations</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>made without labels</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>softmax, explicit</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>cache</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>window</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>trigonometric</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>positive</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>a plan</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Based on medians; the pass times still overlap at the longest length</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Attention</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Time ∝ Nᵖ, p =</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Exponent of encoder time over the longest lengths</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>attention only</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Exponent of the time inside attention</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Exponent of the peak memory of one attention</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>theoretical</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Exponents of time and memory stated in its paper</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Faster than explicit</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Length from which its encoder is faster than with explicit softmax</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>than fused</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Length from which its encoder is faster than with fused softmax</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Length from which its encoder needs less memory than with explicit softmax</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Tokens</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Encoder</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Median time of a pass</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>vs. softmax</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Relative to explicit softmax at the same length</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Attention only</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Median time inside attention</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Peak memory</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Peak tensor memory of a pass, above the level before it</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Peak memory of the attention in the largest layer</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Published</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Time and memory relative to softmax, LARA paper, table 6, 16 samples</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Number of passes and the range of their times (5th to 95th percentile)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Samples</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Mean squared error with respect to exact attention; mean over seeds</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>std. dev.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Standard deviation over seeds</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>bias²</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The part that more seeds do not average out</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>variance</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>relative</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Norm of the difference over the norm of the exact output</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Seeds</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>baseline</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>mean of the values</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1× %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Plan</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Latency</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Median latency of the whole model</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Relative error, mean over layers with the same q, k, v</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>KL divergence of the class distribution, in nats</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>top-1 agreement</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Fraction of inputs with the same top-1 class as softmax</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Of %1 labelled inputs, ± half the width of the 95 % interval</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>predicted: %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Layer</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Median time inside this layer&apos;s attention</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Median time inside exact softmax in this layer</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Relative error with the q, k, v of the exact pass</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>KL, this layer only</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>KL divergence of the class distribution when only this layer is replaced</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>at every length</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>from N ≈ %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 beats %2 %3</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 more at longer lengths</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 % ±%2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 times as fast as explicit softmax</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>within %1 ms</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 ms</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>with a relative error of at most %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>an error of %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>with a KL of at most %1 nats</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>a KL of %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>with a top-1 accuracy of at least %1 %</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>a top-1 of %1 %</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>with a top-1 loss of at most %1 point</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>with a top-1 loss of at most %1 points</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>a loss of %1 %</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>softmax, fused</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 and %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>“%1” is not a whole number from 1 to %2.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 comes after %2; list the numbers in ascending order without repeats.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>No numbers given; enter some separated by commas, such as 256,512,1024.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>fused softmax</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1; nothing beats fused softmax</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>explicit softmax</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>No difference beyond measurement noise up to %1 tokens</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Only softmax was measured; select other backends to see where they pay off</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Nothing is faster than softmax up to %1 tokens</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Under load: the load average was %1 on %2 threads at the start; on an idle machine it may be faster.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>encoder with random weights, %1 layers, dim %2, %3 heads, batch size 1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>forward and backward</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>forward</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>None of these backends could be measured</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 is closest to softmax: MSE %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 with %2 samples is closest: MSE %3</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>, scales as samples^%1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1, worse than the mean-of-values baseline</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>%1 input(s)</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%1 layer(s)</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%1 token(s)</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>exact: %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>No plan meets the budget; the fastest takes %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>No plan meets the budget</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 in every layer</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>A plan mixing %1 backends</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>: %1, top-1 %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>: %1, relative error %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1: nothing faster meets the budget</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1; softmax: %2, %3</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1; explicit: %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>top-1 on %1 labelled samples</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Norm</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>‖x‖, scaled as features see it</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>exp(x·y)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The exact value</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Estimate from all features, ± its standard deviation</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Head</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>‖q‖</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Mean norm of the queries, scaled as features see them</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>‖k‖</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Mean norm of the keys</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Standard deviation relative to the kernel, median over pairs of queries and keys</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>%1 pair(s) of vectors</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>%1 features are too few for this kernel: those of the best map, %2, vary by %3 times its value</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Best with %1 features: %2, with a standard deviation of %3 of the kernel&apos;s value</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>%1 feature(s)</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>seed %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 differs from the file by %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Choose the folder with the images or videos to train on.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 does not exist; choose a folder with one subfolder per class.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 does not exist; choose a checkpoint.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Choose where to save the trained weights.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 does not end in .safetensors, the only format that weights are saved in.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The folder %1 does not exist; choose an existing one.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 already exists; choose another name, or choose to replace it.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Choose the checkpoint to start from.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The batch size %1 is larger than the number of training samples, %2.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The learning rate must be above 0; 0.001 is typical when starting from random weights.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Warm-up takes %1 of %2 epochs; leave at least one epoch after it.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The final learning rate, %1, must not be above the peak learning rate, %2.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The minimum crop scale is larger than the maximum.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>At least one of the loss weights for attention, predictions and labels must be above 0.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Teacher</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>intervals overlap with %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 points more than %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 points less than %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>made with another model</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>made with other weights</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>made with device %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>made with %1 views</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Class</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1, top-1 %</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Wilson interval; wide for classes with few samples.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Points lost</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Top-1 of the reference minus that of the run; ≈: their intervals overlap.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>True class</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Predicted</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Of true class, %</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Fraction of the true class&apos;s samples that are predicted as the other class.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>A</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>B</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Both correct</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Only A</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Correct with A, wrong with B.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Only B</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Correct with B, wrong with A.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Same prediction, %</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Fraction of samples for which both predict the same class, correct or not.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>McNemar</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Probability of a difference at least this large if both were equally accurate: exact two-sided test on the samples that only one of them predicts correctly.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 misclassifies %2 samples that %3 gets right, and gets %4 right that %3 misclassifies: %5.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>a significant difference, McNemar %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>not significant, McNemar %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 (p5–p95 %2 to %3)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Top-5 %</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Unreadable</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Per sample</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Relative error</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Weight status</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Model</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Weights</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Weights, SHA-256</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Data</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Files, SHA-256</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Transform</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Views</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Device</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>dtype</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Threads</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Batch</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Seed</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Decoder</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Attnscope</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>LibTorch</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Notes</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 · %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The settings contain backends that this build does not support (%1); they are skipped.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The settings file was damaged (%1); defaults are used and the file was kept as %2.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The settings file is damaged (%1) and cannot be moved aside; defaults are used.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Settings could not be saved to %1; check that the folder is writable.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Unknown field “%1:”; the fields are %2.</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>attnscope::ui::AttentionChoice</name>
    <message>
        <source>More options</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Attention</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>native (model default)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Attention specification</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>More attention options</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Fewer options</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>attnscope::ui::BackendHeader</name>
    <message>
        <source>Backends</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>attnscope::ui::BackendList</name>
    <message>
        <source>same as run</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>on</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>off</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 weights</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>native means the model&apos;s own attention; specify that attention by name here</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Without training</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Paper, N = 196</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Paper, N = 784</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>All backends, defaults</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>attnscope::ui::BackendRow</name>
    <message>
        <source>Mixed</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>different attention per layer</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1: %2
%3</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Use %1 as reference</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>reference</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Drop-in form</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Drop-in form of %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Options that keep the accuracy of weights trained with softmax:
%1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>More options</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>More options of %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Specification of %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>tokens</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>all</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>every block has all tokens</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Tokens of %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>weights</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>own</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>How linear layers are stored: in the type of the computation, or in 8 bits with inputs rounded to 8 bits, which takes a quarter of the memory and less time</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Weights of %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Fewer options</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Use as reference</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Add another %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Reset to defaults</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Remove</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>attnscope::ui::BackendsPanel</name>
    <message>
        <source>Backends and presets</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Presets</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Preset %1</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>attnscope::ui::BatchDetails</name>
    <message>
        <source>Run details</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Classes</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Confusion</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Misclassified</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Pairwise comparison</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Unreadable</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Show</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Filter of misclassified samples</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Class</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>True class of the samples</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Accuracy by class</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Confused classes</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Pairwise comparison of backends</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Files that could not be read</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Select a run above that has started to see its classes, misclassified samples and pairwise comparison.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>All</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Classes that lose most compared with %1 come first. Click a class to see its misclassified samples.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Worst classes first. Click a class to see its misclassified samples.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 does not confuse any classes.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The %1 most frequent confusions of %2. Click a row to see its images.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 predicted as %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1: none yet</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1: %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>There is only one backend, so there is nothing to compare it with.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>All files could be read.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>They count as neither correct nor wrong.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Wrong where %1 is correct</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Correct where %1 is wrong</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Both wrong</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Prediction differs from %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>All misclassified</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>attnscope::ui::BatchPage</name>
    <message>
        <source>class folders (images)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>class folders (videos)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>list</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>This build cannot evaluate folders</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Build it with ATTNSCOPE_STORE=ON, which needs SQLite.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Copy as command</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The attnscope-cli command for the same evaluation</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Add folder</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Limit</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Maximum number of samples</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Number of samples, spread evenly over the folder</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>All</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Folder to evaluate</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Continue from %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Start</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Pause after this batch</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Move up</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Move down</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Show in Results</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Stop and remove from the queue</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Remove from the queue</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Results so far stay in the store</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 was stopped after %2 of %3 (%4).</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>%1 backend(s)</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%1 class(es)</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>%1 %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>videos</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>images</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>all sampled files can be read</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>%1 sampled file(s) cannot be read</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>%1 samples</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Cannot be evaluated</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Scanning…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Continue</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source> And %1 more.</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>attnscope::ui::BatchSession</name>
    <message>
        <source>Evaluate on %1: %2, %3 %4</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>%1 class(es)</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>videos</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>images</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>No backend is selected; select one under Backends, then add the folder again.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The evaluation of %1 was stopped after %2 of %3.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>evaluate · %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>write demo images</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Evaluation in progress</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 is at %2 of %3. Pausing loses nothing: all predictions so far are in the store.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Continue on the Batch screen, or with this command in a terminal:

%1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Pause and close</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 of %2 files</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>starting</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 of %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>waiting for measurement</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>disk full</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>pausing after this batch</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1/s</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Loading…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 %2/s</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 of %2 ready</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Bottleneck: decoding</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Bottleneck: inference</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Bottleneck: disk</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Scanning %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 cannot be evaluated</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 is ready</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 was stopped after %2 of %3</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Evaluating %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source> so far</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1%2: %3 % top-1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source> (reference)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 ≈ %2 % of %3</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1; %2 %3 % on the same samples</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 of %2 %3</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 in total</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 of results, %2 free</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>seed %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Evaluating: %1</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>attnscope::ui::CellModel</name>
    <message>
        <source>none</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1: %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1, %2: %3</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>attnscope::ui::CellTable</name>
    <message>
        <source>Mechanism</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>stopped: %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 passes, %2 to %3</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>any</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>deterministic</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 seeds</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>attnscope::ui::ChartView</name>
    <message>
        <source>Chart area</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>both axes logarithmic</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1: logarithmic axis</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 stopped: %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1: no data yet</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1: %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1: unknown file format; use the extension svg, png, pdf or csv.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1: cannot be written; choose a writable folder.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1
stopped: %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>scale</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Scale of the axes</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Automatic: an axis becomes logarithmic where a few large values would squeeze the others together</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>automatic</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>linear</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>logarithmic</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1, %2 %3: %4</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>attnscope::ui::CheckpointDialog</name>
    <message>
        <source>Checkpoint</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>According to its name its SHA-256 should begin with %1, but it begins with %2; the file was changed, or its download is incomplete.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Model</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>From the checkpoint</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Attention heads</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Heads</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The file does not contain the number of heads. With 64 channels per head, as in DeiT, it would be %1.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The file does not contain the number of heads.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Tensor</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Type</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Shape</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Report</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Missing</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Shape mismatch</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Unexpected</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Non-finite</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Resized</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Ignored</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Notes</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Tensors (%1)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Close</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Use these weights</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>attnscope::ui::ColourLegend</name>
    <message>
        <source>Colour scale of %1: %2 to %3</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>attnscope::ui::CommandPalette</name>
    <message>
        <source>Find a command</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Commands</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>attnscope::ui::CompareCard</name>
    <message>
        <source>Previous input</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Next input</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Comparison</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Comparison as a table</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Measurements</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 of %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Use as reference</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Pin reference first</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Move left</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Move right</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Remove</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Sort by %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 (%2): click to sort</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>ascending</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>descending</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>attnscope::ui::ComparePage</name>
    <message>
        <source> · %1 s</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Pareto</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Bars</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Table</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Compared</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Classes</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Features</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>What is compared: predicted classes, or the network&apos;s features with those of exact attention</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>View</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Cells</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Chart</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Copy as command</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The attnscope-cli command that repeats this comparison</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Kind of chart</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>lower left is better</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>y</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>x</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Vertical axis</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Horizontal axis</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Points appear as they are measured</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>All values</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1×%2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source> · rotated</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Rotated for display according to the file&apos;s metadata; the model sees it as stored, as in the published evaluation</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1: %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source> (and %1 more like it)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>lower is better</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>all values for this input</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>each view&apos;s probability of the class ranked first by their mean</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>patches merged into one token share an outline</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>n = %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Views</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Tokens</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Export chart</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>PNG, 2× (*.png);;PDF (*.pdf)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>and %1 more</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>attnscope::ui::CompareSession</name>
    <message>
        <source>compare</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>loading</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Measuring</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>attnscope::ui::ContextBar</name>
    <message>
        <source>untrained, seed 0</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>untrained, seed %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Model</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Weights</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Device</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>dtype</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Seed</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>dtype and seed</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Backends</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Run</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>CPU, 1 thread</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>CPU, %1 threads</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Open a checkpoint…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Open class embeddings…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Without class embeddings</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1
classes of %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>From the checkpoint</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>untrained</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Random weights; costs are meaningful, predictions are not.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>trained with %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 · %2 tokens</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 tokens</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>attention %1 · ≤ %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>swap ≤ %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Attention is %1 of the multiply-adds of a pass with the model&apos;s own attention, without the projections around it. Another attention makes a pass at most %2 as fast, as far as time follows arithmetic.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Click to choose another image size.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Stop</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Esc</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Backends %1</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>attnscope::ui::DecodeTab</name>
    <message>
        <source>Tokens</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Layer</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Heads</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Head size</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Positions in tokens</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Source of the tokens</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Independent</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Correlated</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>To be recalled</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>From a file…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>q, k and v of every token are independent standard normal numbers</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Neighbours are alike, as the frames of a video</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Every query asks for what came 128 tokens ago</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The tokens of one layer in a file of q, k and v</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Layer of the file</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Factor of the logits</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Factor of the logits: q and k are each multiplied by its square root</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The whole file</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Positions</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Quantity</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Time</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>State</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Error</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Time of one token</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Weight of a token in later outputs</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The response to a value of 1 at one token and 0 at all others: what a gate or a window forgets</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Points appear as positions are reached</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Needs more tokens</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Table</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Summary</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>All values</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Later weights</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>A file of q, k and v</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Tensors (*.safetensors);;All files (*)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>From %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Select a mechanism to compare with the cache.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Streams are not computed in %1; choose float32 or float64 in the bar above.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Positions in ascending order, separated by commas</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>What does one more token cost?</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Time, state and error of %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>%1 mechanism(s)</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>%1, over all tokens of %2.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1, up to token %2 of %3.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1, up to %2 tokens: %3.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Next to softmax with a cache, on one thread of the CPU. Errors are those from softmax over all tokens so far.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Stopping</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Measuring the first position</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Cost of a token vs. position</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Streams take turns over the same tokens; the last ones before each position are timed one by one.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 (stopped early)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1: %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>State between tokens</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Error vs. exact softmax</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Medians; bands: 5th to 95th percentile</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Bytes that are kept for the next token, all heads</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Relative error of the timed tokens; the cache&apos;s own is rounding</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>attnscope::ui::DistillationModel</name>
    <message>
        <source>Top-1 %</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Fraction of validation samples whose top prediction is correct.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Top-5 %</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Fraction of validation samples whose true class is among the top five predictions.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Agreement with teacher %</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Fraction of validation samples with the same top-1 class as the teacher, correct or not.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>KL divergence of the predictions, nats</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Mean Kullback-Leibler divergence from the teacher&apos;s probabilities.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Relative attention error</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Compared with exact attention on the same q, k, v; mean over all layers.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Relative error, layer %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Compared with exact attention on the same q, k, v of this layer.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Metric</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Before</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>After</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Change</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Teacher</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>attnscope::ui::DoctorDialog</name>
    <message>
        <source>Doctor</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>What is installed, what works, and what is missing</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Copy</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>attnscope-cli is not next to this program; install Attnscope again.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Looking at this machine…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 cannot be started (%2); install Attnscope again.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>attnscope-cli doctor ended without a report (%1).</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>attnscope::ui::EmptyScreen</name>
    <message>
        <source>Drop a folder of images or videos</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>See how accurate each backend is, which classes it loses on, and whether the difference is significant.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>ImageNet and Kinetics folders, any folder with one subfolder per class, or lists in CSV, TSV or text</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Try the demo</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Writes the demo scenes to a cache folder and evaluates them</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Open…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Drop an image</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>See what each attention backend predicts, what it costs and where it goes wrong.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>JPEG, PNG, WebP, BMP, PNM, TIFF, or paste from the clipboard</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Or with 1,028 tokens, where an approximation is faster than softmax</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The demo photograph in a network with as many tokens as DINOv2 has for an image of 448 pixels</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>See where an approximation goes wrong</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The error of every layer and head, and what each attends to instead.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Run</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Drop a video, or use a camera</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Each backend predicts during playback: see when they agree and how long they take.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>MP4, MOV, MKV, WebM, AVI, GIF, or a folder of frames</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Use the camera</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Which images look alike to the network?</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Classify by nearest features: accuracy against λ and k, and the neighbours of an image.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Drop a labelled folder to compute the features of its images, or open a datastore</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Writes demo scenes to a cache folder, computes their features and evaluates them</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Choose a folder…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>No evaluations yet</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>All runs are kept here: accuracy, latency, memory and error side by side, ready to filter and export.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Stores written by attnscope-cli evaluate (.sqlite) can be dropped anywhere</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Evaluate a folder</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Open store…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>LARA paper, table 6</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Selected backends only</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Open q, k, v…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Softmax weights lose accuracy with another attention: see how much training recovers.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>A folder with train and val, each with one subfolder per class; or class folders only; or lists of files</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Writes the demo scenes to a cache folder and fills in the form for a training run of a minute or two</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Show settings</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Model, attention, teacher and schedule; the folder can be chosen there, too</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Writing the demo images: %1</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>attnscope::ui::EpochsModel</name>
    <message>
        <source>Epoch</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Training loss</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Mean of the minimised loss over the epoch&apos;s steps; with distillation it includes more than the cross-entropy with the labels.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Validation loss</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Mean cross-entropy with the labels.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Top-1 %</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Fraction of validation samples whose top prediction is correct.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>95 % interval</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Wilson interval of top-1 (sampling uncertainty of the validation set).</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Top-5 %</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Fraction of validation samples whose true class is among the top five predictions.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Learning rate</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>At the epoch&apos;s last step.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Samples/s</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Training samples per second, without validation.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Time</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Training time of the epoch, without validation but including time spent waiting for measurements.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Note</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>best</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 samples, raw weights</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 samples, EMA weights</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>; %1 more were unreadable</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>epoch %1</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>attnscope::ui::ExitsTab</name>
    <message>
        <source>Made with other settings</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Run again</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Copy as command</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Labelled folder</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Limit</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The attnscope-cli command that gives the same results</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>A folder with one subfolder per class</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Number of samples</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>All</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Number of samples, spread evenly over the folder</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>View</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Thresholds</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Oracles</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Oracles know the label, and bound what any rule without it can do</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Accuracy against blocks run</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Curves appear once everything has been measured</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>How many blocks does a sample need?</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Select at least one backend.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Choose a labelled folder: every block&apos;s prediction for its samples is compared with the last one&apos;s.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Accuracy behind every block for %1, with %2.</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>%1 backend(s)</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>attnscope-cli exits measures the same; attnscope-cli train --exits trains a head for each block, without which exits say little.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Measuring early exits</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Early exits</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Accuracy behind each block, and what samples that leave early save</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>confidence</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>fixed depth</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>correctness oracle</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>likelihood oracle</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Export</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Chart as SVG (*.svg);;Chart as PNG, 2× (*.png);;Chart as PDF (*.pdf);;Table as CSV (*.csv);;Table as TSV (*.tsv)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>There is nothing to export yet; run a measurement first.</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>attnscope::ui::ExportDialog</name>
    <message>
        <source>Export network</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Writes %1 as an ONNX file that ONNX Runtime and OpenVINO run: preprocessed images in, predictions or features out, any batch size.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Attention of the exported network</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Attention</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>ONNX file to write</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Choose…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;File</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Attentions that draw anew for every image, such as RA, cannot be exported; the message then names the nearest that can.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Export</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>ONNX (*.onnx)</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>attnscope::ui::FeaturesPanel</name>
    <message>
        <source>Principal components of the patches</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Cosine of</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Drift by layer</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Tokens whose drift is shown</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>patches, behind each block</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>class token, behind each block</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Measured with the error, last</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>exact</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>exact for %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1: cosine %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The patches of this network are not known</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Images of the patches appear here</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>patches in exact attention&apos;s components (%1 of variance)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>cosine with the features of exact attention</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>block</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>attnscope::ui::FrameChooser</name>
    <message>
        <source>Frame whose patches are shown</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>frame %1 of %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>, %1 % of the attention weight</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>attnscope::ui::FrameStrip</name>
    <message>
        <source>Frames seen by the model</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>attnscope::ui::GalleryView</name>
    <message>
        <source>Cannot be shown</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Samples</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>attnscope::ui::HeatTable</name>
    <message>
        <source>Errors by layer and head</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>mean</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>attnscope::ui::HelpBrowser</name>
    <message>
        <source>Manual</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>attnscope::ui::HelpWindow</name>
    <message>
        <source>Manual</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 – Manual</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 is only in the source code</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>No browser opens %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 (%2)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Back</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Forward</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Contents</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Find in this page</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 is missing; install Attnscope again</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Not found</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 of %2</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>attnscope::ui::JobsBar</name>
    <message>
        <source>Stop this job</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Pause this job</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Running job</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Jobs</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>attnscope::ui::KernelTab</name>
    <message>
        <source>Features</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Number of random features of every map</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Angle between x and y</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>How y lies to x, of equal length</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>exp(x·y) and its estimates ± std. dev.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Std. dev. relative to exp(x·y)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Lines: in closed form, for this angle. Single marks: measured heads</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Table</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Measured heads</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Estimates</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>How well do random features estimate exp(q·k)?</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Open an image in Compare, or a file with q and k.</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>Positive, hyperbolic, trigonometric and cosine maps with %1 feature(s)</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>Exact values, estimates and their variance against the norm of q and k, before any normaliser.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Estimating the kernel %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Random features vs. norm</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Variances are exact, in closed form; estimates are one draw with the seed above.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>exact</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>exp(x·y)</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>attnscope::ui::LayerCells</name>
    <message>
        <source>none</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>NaN</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1, mean over heads</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1, head %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1, %2 %3</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1, replacing this layer alone changes the prediction</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>mean</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>head 0</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>attnscope::ui::LayerDepth</name>
    <message>
        <source>Error by depth</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Effect of replacing each layer alone, KL</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Effect of replacing each layer alone</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>layers</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>no data yet</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Relative drift of block outputs</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Relative error, mean over heads</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>layer</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>attnscope::ui::LayerDetails</name>
    <message>
        <source>View</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Maps</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Tokens</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Rollout</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Terms</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Depth</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Exact attention map</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Approximate attention map</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Difference of attention maps</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Query class token</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Show the maps of the class token</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>landmarks</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Show landmarks</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>opacity</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Opacity of the maps</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>weight</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>difference</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 %</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Class token</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>mean</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>head %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>All layers</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>By depth</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Logits of layer 0, %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1, %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>exact</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Attention rollout needs the same tokens in every layer, which this network does not have.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 leaves no keys out here: every query sees all of them.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Computing…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The keys of this layer have no position in the image.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>difference, and %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>landmarks %1×%1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>head 0</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>largest contribution from %1: %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 of %2 tokens are left behind this layer; outlines show patches that are one token</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>with the exact pass&apos;s q, k, v</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>weight on the class token: exact %1, %2 %3</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>First map of tokens</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Second map of tokens</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1: %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source> (class token: %1)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>sees no key, and uses all</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>sees %1 of %2 keys, with %3 of exact attention&apos;s weight</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the class token is seen</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the class token is not seen</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>mean over heads</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 of all pairs are seen</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>mass kept %1 on average</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 of queries saw no key and used all</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>attnscope::ui::LayerTerms</name>
    <message>
        <source>content–content</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>content–position</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>position–content</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>position–position</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>global–content</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>global–position</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Term of the logits: %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Computing…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>These tokens have no position in the image.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>logit</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1  %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>logit minus its mean over keys</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>head 0</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>First the query&apos;s part, then the key&apos;s; global: of all queries alike. The numbers are fractions of what softmax sees of this head&apos;s logits, and add up to 1.</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>attnscope::ui::LayersPage</name>
    <message>
        <source>View</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Errors</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Leaderboard</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 was added to the Backends and selected.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Export</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Figures as PNG, SVG or CSV, maps as tensors</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Copy as command</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The attnscope-cli command that repeats this inspection</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Run again</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Metric</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Mode</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Same q, k, v as softmax</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>End to end</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Seeds</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Number of seeds for random attention</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Errors are averaged over this many seeds; bias² and variance need more than one</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Backend</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Displayed backend</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Tensors only: no model is run, so there are no end-to-end results</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Arrow keys move between cells, Enter opens the maps</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Maps saved to %1.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1, log</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Computing…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Drop an image or a video</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Inspects %1 with the selected backends</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Try the demo</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Inspect the layers</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Inspect the layers with this input</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Error map…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Drift by depth…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Exact map…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Implied map…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Difference…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Keys seen…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Mass kept…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Terms of the logits…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>All maps as tensors…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Tensors (*.safetensors)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>SVG (*.svg);;PNG, 2× (*.png);;CSV (*.csv)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>There is nothing to export yet.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>There are no terms yet; show them first.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>There are no maps yet; wait until they have been computed.</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>attnscope::ui::LayersSession</name>
    <message>
        <source>waiting for another job&apos;s step</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Open an image or a video first.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Select a backend other than softmax; softmax is the reference that the others are compared with.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>loading</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>layers</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>There are no maps yet; wait until they have been computed.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>made with %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>made with %1 seeds</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>made with seed %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Inspecting the layers</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>A file of q, k and v has no position embeddings.</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>attnscope::ui::LeaderboardPanel</name>
    <message>
        <source>Run again</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Export</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The chart as SVG, PNG or PDF, the table as CSV or TSV, everything as JSON</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Copy as command</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The attnscope-cli command that measures the same</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Error</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>End to end</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Same q, k, v</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Cost</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Time</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Memory</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Seeds</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Number of seeds for random attention</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Errors of random attentions are averaged over this many seeds</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Run</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Error against cost</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Attentions appear as they are measured</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Best at equal: no other attention has both a smaller error and less time, or less memory</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Compare this one</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Adds the chosen attention to the Backends and selects it</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Leaderboard</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Open an image or a video first.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Stop</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Go on</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Measuring every attention that needs no training</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Rows appear as they are measured.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>What could replace softmax here?</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Every attention that needs no training, at several sizes: error, time and memory next to each other.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Drop an image, a video or a file of q, k and v</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Measured on %1 in about a minute; rows appear as they come</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Try the demo</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Chart as SVG (*.svg);;Chart as PNG, 2× (*.png);;Chart as PDF (*.pdf);;Table as CSV (*.csv);;Table as TSV (*.tsv);;All results as JSON (*.json)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>There is nothing to export yet; run a measurement first.</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>attnscope::ui::LeaderboardSession</name>
    <message>
        <source>waiting for another job&apos;s step</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>loading</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>leaderboard</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 of %2 attentions measured</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>made with %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>made with %1 seeds</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Measuring the leaderboard</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>attnscope::ui::LeaderboardTable</name>
    <message>
        <source>time, memory</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>time</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>memory</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>No other attention has both a smaller error and less of it</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>failed</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Attention</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Best at equal</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>No other has both a smaller error and less of it</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>KL</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Divergence of the classes from those of exact attention, nats, with this attention in all layers</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Same class</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Fraction of inputs and seeds with exact attention&apos;s first class</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>1 − cosine</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Of the features and those of exact attention, with this attention in all layers</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Relative error</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>For the same q, k, v as exact attention: mean over heads, layers, inputs and seeds</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Median</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The same over heads, layers, inputs and seeds</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Time</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Of attention in all layers, median of interleaved runs</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>of exact</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Time relative to exact attention</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Memory</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Largest tensors of one layer&apos;s attention</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Memory relative to exact attention</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1, %2 tokens. Times are of attention alone, on the first input, relative to %3; errors are over %4 seeds.</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>attnscope::ui::LegendRow</name>
    <message>
        <source>Show %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Legend</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>attnscope::ui::LengthTab</name>
    <message>
        <source>Quick</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Whole range</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>LARA paper, table 6</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Lengths</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Sequence lengths in tokens</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Layers</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Dim</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Heads</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Pass</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Set of lengths</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Custom</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Forward</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Forward + backward</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Must divide the embedding dimension</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Quantity</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Time</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Memory</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Values</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Absolute</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Relative to softmax</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Published</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Hollow markers: ratios from the LARA paper, table 6, 16 landmarks or samples; never connected to our own</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Whole encoder</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Attention only</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Points appear as they are measured</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Table</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Scaling and break-even</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>All values</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The embedding dimension %2 is not divisible by %1 heads; choose a multiple of the number of heads.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Numbers of tokens in ascending order, separated by commas</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>What does attention cost as sequences get longer?</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Time and memory of %1, %2 from %3 to %4 tokens: %5.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>explicit and fused softmax</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 alongside softmax</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>%1 length(s)</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>Uses an encoder with random weights, so neither an image nor a checkpoint is needed, and runs the backends selected under Backends.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Skipped: %1, which needs a network with spatial reduction.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Time and memory vs. number of tokens</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Stopping after this pass</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Measuring the first length</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 (stopped early)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Backends are timed in random order; time inside attention is reported next to the total.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Whole encoder, peak</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Attention only, one layer</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Attention only, all layers, forward</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Attention only, all layers</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>relative to explicit softmax at the same length; hollow: published, 16 samples</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>medians; bands: 5th to 95th percentile; ✕: stopped</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>tensor memory above the level before the pass; ✕: stopped</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>attnscope::ui::LiveImage</name>
    <message>
        <source>Image</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>camera on</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>attnscope::ui::LivePage</name>
    <message>
        <source>Record CSV</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Writes each prediction to a CSV file during playback. No frames are stored.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Export</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The timelines as CSV, or the whole run as JSON</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Copy as command</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The attnscope-cli command for the current clip</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Stop recording</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Opening %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>sees %1 frames, %2 s</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>image model: sees one frame at a time</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>No camera found. Connect one, or open a video.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Record predictions</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>CSV (*.csv)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Export timelines</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The whole run as JSON (*.json);;Timelines as CSV (*.csv)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Open a video</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>;;All files (*)</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>attnscope::ui::LiveRowsModel</name>
    <message>
        <source>Backend</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Timeline</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Latency</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>One forward pass, median of the last 20 clips, under load from decoding and drawing. Compare measures it without load.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Clips/s</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Clips per second that this backend could process on its own: 1 / latency.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Peak memory</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Peak tensor memory of the last clip&apos;s forward pass, above the level before it.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Agrees</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Fraction of predicted clips whose top-1 class is the same as the reference&apos;s.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>class %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>reference</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 of %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 segments, disagrees in %2 places</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>No backend could process this clip</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Waiting for the first clip</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1: %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 predicts %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Both predict %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>All %1 predict %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 and %2 differ</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 agrees on %2 of %3 clips</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>attnscope::ui::LiveSession</name>
    <message>
        <source>%1: %2 predictions recorded.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Saved %1.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Compare is measuring; playback now would distort its results.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The model is loading.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Waiting for another job to finish its step.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>No backend is selected.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>No further disagreement found so far; the rest has not been played yet.</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>attnscope::ui::MainWindow</name>
    <message>
        <source>Attnscope</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Report</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Show</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>%1 file(s) could not be read</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>Ready</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 of %2 in use</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>About Attnscope</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Attnscope %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>What efficient attention saves in a vision transformer, and what it costs.

Engine and command line: Apache-2.0. Desktop app: GPL-3.0-or-later (QCustomPlot).</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Stay</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 is no longer there; it was removed from the list.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Open a checkpoint</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Checkpoints (*.safetensors *.pth *.pt *.bin);;All files (*)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Open class embeddings</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Class embeddings (*.safetensors);;All files (*)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Model default</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Image size</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Side of a square, or WIDTHxHEIGHT, in pixels:</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>There is no image on the clipboard; copy one, or open a file.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Evaluate on %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Show the results of this store</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Use as weights, or inspect its q, k, v</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Use as weights</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Play this video in Live</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>Compare %1 image(s)</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>The dropped image cannot be read; save it to a file and open that file.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>A small demo model that knows only eight camera moves over the demo photographs.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>A small demo model that knows only twelve scenes of the demo photographs.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Find a command</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Backends</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Add another backend</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Hide backends</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Show unreadable files</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Unreadable files</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>%1 file(s) could not be read. Such files count as neither correct nor wrong.</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>Copy</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Compare at 1,028 tokens</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Open a checkpoint…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;File</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Open…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Open &amp;recent</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Open a &amp;checkpoint…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Evaluate a &amp;folder…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Open &amp;store…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Try the &amp;demo</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Try the demo with 1,028 &amp;tokens</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Export…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Quit</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Edit</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Copy values</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Copy values as &amp;Markdown</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Copy as c&amp;ommand</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Undo</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Paste image</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Settings…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;View</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Use a c&amp;amera</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Backends</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Next c&amp;hart view</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Light theme</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Dark theme</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Follow the syste&amp;m theme</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Reset lay&amp;out</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Full screen</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Run</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Stop</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Image size…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Previous input</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Next input</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Tools</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Find a command</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Doctor</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Help</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;This screen</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Manual</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;About Attnscope</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>L&amp;ive</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Ba&amp;tch</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Compare</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>La&amp;yers</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Scal&amp;e</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>T&amp;rain</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Re&amp;sults</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>k&amp;NN</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Export &amp;network…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Save &amp;picture</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Pr&amp;int…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Redo</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Whole window…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>PNG (*.png)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>SVG (*.svg);;PNG, 2× (*.png);;PDF (*.pdf)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Save picture</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1: cannot be written; choose a writable folder and the extension png.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Attnscope: %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The printer could not be opened; choose another one, or save a picture.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Replace the file?</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 already exists.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Replace</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Exporting to %1…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 was written: %2 with %3, %4 operators, %5.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Its weights are in %1, which belongs next to it.</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>attnscope::ui::MapView</name>
    <message>
        <source>; %1 tokens stand for several patches</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>query at row %1, column %2; </source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 of %2 patches are seen</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>no query saw a key, and each used all</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>smallest mass %1 at row %2, column %3</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>largest weight %1 at row %2, column %3</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>no patch has a number here</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 patches in %2 classes</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 of %2 patches have a number; the largest is %3 at row %4, column %5</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>none</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>saw no key and used all</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>class %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>row %1, column %2: %3</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1: %2</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>attnscope::ui::MeasurementDelegate</name>
    <message>
        <source>Details</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 of %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 more</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Fewer</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>untrained, class names hidden</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>attnscope::ui::MechanismRow</name>
    <message>
        <source>Options of %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Specification of %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Add another</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Add another %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Remove</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Remove %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1
%2: %3
%4</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>attnscope::ui::MechanismsPanel</name>
    <message>
        <source>Mechanisms</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>attnscope::ui::MergedPanel</name>
    <message>
        <source>Behind</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Patches that have become one token</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Block behind which tokens are shown</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>block %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 of %2 tokens</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1: %2 behind block %3</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>No tokens merge</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>attnscope::ui::MessageBar</name>
    <message>
        <source>Close message</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>attnscope::ui::MessageStack</name>
    <message>
        <source>fold</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>and %1 more</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>These weights are random (untrained); costs are meaningful, predictions are not.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Open a checkpoint</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>attnscope::ui::NeighbourView</name>
    <message>
        <source>The image</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The image %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Neighbours</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>How many neighbours are shown and mixed with the model&apos;s prediction</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Weight of the neighbours</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>λ, the weight of the neighbours: 0 is the model alone, 1 the neighbours alone</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Predictions for the image</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Neighbours, nearest first</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Neighbours of an image</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 · %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Choose a sample, or drop an image here.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Searching…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Its neighbours are looked for once the datastore is there.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Its neighbours were not found.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Nearest first, with cosine similarity; below: file and weight.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Nearest first, with distance; below: file and weight.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>✓: the class of the image, ≠: another one.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The image is in the datastore, and not its own neighbour.</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>attnscope::ui::NeighboursPage</name>
    <message>
        <source>Run again</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Export</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Accuracy as SVG, PNG or PDF, its table as CSV or TSV, all results as JSON</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Copy as command</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The attnscope-cli command that gives the same results</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Top-1 vs. λ</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>λ is the weight of the neighbours: 0 is the model alone, 1 the neighbours alone; bands: 95 % intervals</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>k</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Number of neighbours of the curve</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The curve that is drawn with its intervals; those of the others are pale</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Accuracy as</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Chart</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Table</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Accuracy against λ</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Accuracy for every k and λ</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Samples to look at</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Those of the evaluated folder come here; any other image can be dropped.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 of %2 files</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Compute the features again?</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 already exists. To use it, choose Open a datastore.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Replace</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Its neighbours are looked for once a datastore is there: run first.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Curves appear once all samples are classified</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Evaluate on a labelled folder to see its accuracy</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Stopped before all samples were classified</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Classify by nearest features</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Run computes what is missing and measures the accuracy.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Stopping after this batch</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Waiting for the current measurement or evaluation</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Computing the features of %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Classifying %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Accuracy as SVG (*.svg);;Accuracy as PNG, 2× (*.png);;Accuracy as PDF (*.pdf);;Table as CSV (*.csv);;Table as TSV (*.tsv);;All results as JSON (*.json)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>There is nothing to export yet; run a search first.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>There is no accuracy to export; evaluate on a labelled folder first.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Find the neighbours of this image</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Compute the features of this folder</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Evaluate on this folder</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>attnscope::ui::NeighboursSession</name>
    <message>
        <source>%1: %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>%1 more file(s) could not be read; the exported JSON lists them.</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>stopping after this batch</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>waiting for the current measurement or evaluation</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 of %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>neighbours · %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>neighbours · features of %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>neighbours · accuracy on %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>starting</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Searching for neighbours</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>attnscope::ui::NowPanel</name>
    <message>
        <source>Current predictions</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1: %2, %3</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Waiting for the next clip</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Waiting for the first clip</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Select a backend to see its predictions.</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>attnscope::ui::OptionForm</name>
    <message>
        <source> (%1 to %2)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Same as run</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>attnscope::ui::Page</name>
    <message>
        <source>A pasted image has no file name to use in a command; save it to a file and open that file.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>There is nothing yet that a command could repeat.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Videos (*.mp4 *.m4v *.mov *.mkv *.webm *.avi *.gif *.mpg *.mpeg *.ts *.3gp *.ogv)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Images (*.jpg *.jpeg *.png *.webp *.bmp *.ppm *.pgm *.pnm *.tif *.tiff)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>q, k, v tensors (*.safetensors)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>All files (*)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Open images or videos</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>attnscope::ui::PathField</name>
    <message>
        <source>%1: choose…</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>attnscope::ui::PhotoView</name>
    <message>
        <source>Input image</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>attnscope::ui::PlanTab</name>
    <message>
        <source>speed</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>latency</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>relative error</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>KL</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>top-1 loss</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Budget</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Candidates</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Labelled folder…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Samples</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Budget type</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Default</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Selected</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Number of samples of the labelled folder, spread over its classes, that every plan is evaluated on</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>A folder with one subfolder of images or videos per class</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Choose a labelled folder</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Labelled folder: %1; click to choose another</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Images or videos in subfolders named after the model&apos;s classes</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Attention error vs. latency</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Plans appear once all layers have been measured</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Measured plans</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Plans</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Use this plan</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Adds its specification to the Backends and selects it</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Layers of the plan</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Choose a labelled folder, whose subfolder names give the true classes.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Open an image in Compare, on which the cost and error of every layer are measured.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Select a backend other than softmax, or use the default approximations.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Which layers can use a cheaper attention?</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 samples from %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 inputs</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Plan %1: %2 for every layer, on %3; takes a few minutes.</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>%1 candidate(s)</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>Measures the cost and error of each candidate in each layer, combines them into Pareto-optimal plans, and measures those end to end.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Measuring every candidate in every layer</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>A backend for each layer, within a budget</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Layer times and errors are added up; the Pareto front is searched, then measured.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Top-1 on labelled samples vs. model latency; bars: 95 % interval</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Relative attention error vs. model latency</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1; logarithmic</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>softmax, explicit</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>mixed plans</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Layers</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>attnscope::ui::QuantitiesModel</name>
    <message>
        <source>deterministic</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>backend</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>whole model</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>p5 – p95</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>attention</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>n</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>peak</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>attention peak</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>weights</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>rel. error</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>std. dev. (seeds)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>MSE</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>mean of values</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>KL</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>features, cosine</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>class token</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>patch mean</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>each patch</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>5 % of patches</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>multiply-adds</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>weight status</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>notes</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>attnscope::ui::QueueModel</name>
    <message>
        <source>Run</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>One backend on one folder. All backends of a folder see the same samples, each decoded once.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Progress</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Samples processed by every backend; unreadable ones count as done.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Top-1 %, 95 % interval</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Fraction of readable samples whose top prediction is correct, with its 95 % Wilson interval (sampling uncertainty).</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Top-5 %</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Fraction of readable samples whose true class is among the top five predictions.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Unreadable</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Files that could not be read; they count as neither correct nor wrong.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Time left</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Before the start: the time this backend is estimated to take, measured on 20 of the files.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 of %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1
%2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 on %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>No samples yet</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Scanning…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Scanning the folder…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Failed</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Not started</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Queued</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Loading…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Loading model and data…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Estimating…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Waiting</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Waiting for measurement</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Disk full</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Pausing…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Paused</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>attnscope::ui::QueueView</name>
    <message>
        <source>Evaluations</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Top-5 %</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Unreadable</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>about 59 min</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>attnscope::ui::Rail</name>
    <message>
        <source>%1 (Ctrl+%2)</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>attnscope::ui::RecentFiles</name>
    <message>
        <source>Nothing has been opened yet</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Clear the list</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>attnscope::ui::ResultsPage</name>
    <message>
        <source>This build does not store results</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>All runs would be kept here, ready to filter and export.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Build it with ATTNSCOPE_STORE=ON, which needs SQLite.</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>%1 run(s)</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>%1 of %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1; best top-1: %2 with %3 % on %4</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1; no clear winner on %4 (%2: %3 % top-1)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Select runs to compare them side by side</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>First %1 runs of the table; select runs or filter to see others</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>All runs of the table; select runs to see only those</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>%1 selected run(s)</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>%1, published</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 % (LARA paper, ImageNet-1k)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The evaluation of %1 with its %2 was moved to the trash.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Undo</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Delete for good what was moved to the trash: %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>%1 evaluation(s)</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>Empty the trash?</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 of %2 will be deleted from %3 for good.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Delete %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Keep</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Deselect (Space)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Select (Space)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Clear reference (R)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Use as reference (R)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Edit note (F2)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Copy as command</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Move to Trash (Del)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Empty Trash…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Results</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Runs</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Early exits</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The attnscope-cli command that repeats the current row&apos;s evaluation</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Open store</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Report</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>One file with tables, figures, settings and the commands to repeat them: HTML, Markdown or CSV</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Filter runs</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Filter, e.g. model:deit attention:lara folder:imagenet-val, or any word</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Fields: %1. Use quotation marks for text with spaces; a minus sign excludes a word.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Empty Trash</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>View</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Scatter</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Side by side</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>y</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Vertical axis</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>x</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Horizontal axis</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Differences only</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Show only settings that differ</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Scatter chart of runs</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Select runs that have values for both axes</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Runs side by side</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Open a results store</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Results stores (*.sqlite *.db);;All files (*)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Export</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Table as CSV (*.csv);;Table as TSV (*.tsv);;Table as Markdown (*.md);;Table as LaTeX (*.tex);;Chart as SVG (*.svg);;Chart as PNG, 2× (*.png);;Chart as PDF (*.pdf)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Runs in %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1: unknown file format; use the extension csv, tsv, md, tex, svg, png or pdf.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>HTML (*.html);;Markdown (*.md);;CSV (*.csv)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Report saved to %1.</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>attnscope::ui::ResultsSession</name>
    <message>
        <source>exits · accuracy behind each block</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Measuring: %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>waiting for the current measurement or evaluation</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 of %2 samples</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>starting</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>attnscope::ui::RunTableModel</name>
    <message>
        <source>pooled</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>class token</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>patch mean</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>token and mean</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>class %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>not finite</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>token</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>mean</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>each patch</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>5th percentile</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>trained</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>swapped</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>untrained</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Prediction</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Whole model</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Attention only</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Peak memory</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Relative error</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Features</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>top 5</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>median, p5–p95</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>activations</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>teacher-forced</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>cosine with exact attention&apos;s</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>± %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>, largest in %1 (%2)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>same</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the same as %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 vs. %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>no clear difference from %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 faster than %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 slower than %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Not enough memory</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Could not run</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>made with %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>reference</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 of %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 of %2 agree with %3</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>same top-1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>different</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>same top-1 as %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>differs from %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>same neighbour: %1 of %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>unreadable</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>not run yet</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>waiting for the model</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>waiting for memory</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>waiting for latency</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>waiting for predictions</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>measuring</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>not measured</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>not reached</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>exact</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Run measures them</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>no classes</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 %2, differs</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>, reference</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>attnscope::ui::RunsModel</name>
    <message>
        <source>%1 of %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>no change</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 less</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 more</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>intervals overlap</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 speed</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>today %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>yesterday</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 days ago</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Run</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Number in the store. Selected runs are compared side by side.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Attention</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Weights</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>trained: weights trained with this attention; swapped: trained with a different one; untrained: cost is meaningful, accuracy is not.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Model</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Data</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Top-1 %</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Of the readable samples, ± half the width of the 95 % Wilson interval. ≈: the interval overlaps the reference&apos;s.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Top-5 %</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Fraction of readable samples whose true class is among the top five predictions.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Per sample</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Median of one forward pass of the whole model. ≈: p5–p95 overlaps the reference&apos;s.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Memory</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Peak tensor memory of a forward pass, without weights.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Error</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Relative error of the attention output compared with softmax, mean over layers and heads.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>When</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Note</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Your note on the evaluation; press F2 to edit.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1, %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 of %2 samples, 95 % interval %3; %4 unreadable</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>median of %1 repetitions, p5–p95 %2 to %3</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>run %1, %2: %3</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>attnscope::ui::SamplesModel</name>
    <message>
        <source>class %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1
%2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1, true class %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>, %1 predicts %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>true class: %1</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>attnscope::ui::SamplesTab</name>
    <message>
        <source>Sample counts</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Seeds</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Number of seeds for each random attention</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Error component</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Variance</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Bias²</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Mean squared error</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Curves appear once everything has been measured</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Errors</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Sample counts in ascending order, separated by commas</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>How many samples does an approximation need?</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Select a backend other than softmax, which is the reference for the error.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Open an image in Compare, or a file with q, k and v.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Error of %1 with %3 to %4 samples (%2), %5: %6.</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>%1 value(s)</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>Mean, standard deviation, bias² and variance over seeds, with a 1/samples line and two baselines. Exact softmax is 0.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Measuring the error %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Error vs. number of samples</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>As in figure 1 of the LARA paper: the same q, k, v for all, averaged over heads, layers and inputs.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>mean of the values</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Baseline: every query outputs the mean of v</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>zero</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Baseline: every query outputs 0</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Variance and 1/samples</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Deterministic backends have no variance</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>No bias² above 0</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>attnscope::ui::ScalePage</name>
    <message>
        <source>Run again</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Copy as command</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Export</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Measurement</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Length</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Decode</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Samples</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Kernel</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Plan</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The attnscope-cli command that gives the same results</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Charts as SVG, PNG or PDF, the table as CSV or TSV, all results as JSON</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The plan was added to the Backends and selected; Compare and Batch use it.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Charts as SVG (*.svg);;Charts as PNG, 2× (*.png);;Charts as PDF (*.pdf);;Table as CSV (*.csv);;Table as TSV (*.tsv);;All results as JSON (*.json)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Replace the second chart?</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The second chart is saved next to the first one, but %1 already exists.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Replace</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>attnscope::ui::ScaleSession</name>
    <message>
        <source>%1: %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>stopping after %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>this step</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>waiting for the current measurement or evaluation</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 of %2 points</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>, %1 of %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>starting</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>scale · time and memory vs. tokens</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>decode · cost of a token vs. position</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>approximate · error vs. samples</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>approximate · random features vs. norm</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>plan · backend for each layer</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Measuring: %1</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>attnscope::ui::ScaleTab</name>
    <message>
        <source>Waiting for the current measurement or evaluation</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Image</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Image size, which determines the number of tokens</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Same as run</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The size in the bar above, or else the model&apos;s own</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 px</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>There is nothing to export yet; run a measurement first.</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>attnscope::ui::Screenshots</name>
    <message>
        <source>--run: there is nothing to run on this screen; name files or use --demo.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1: cannot be written; choose a writable folder.</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>attnscope::ui::SearchForm</name>
    <message>
        <source>Limit</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Attention</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Distance</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>All</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Number of samples of each folder, spread evenly</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Attention with which features are computed</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Features of other attentions come from the backends that are selected</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Numbers of neighbours</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Distance between features</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>L2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>L2, squared</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Cosine</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Temperature</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Neighbours weigh exp(−distance/temperature); by default 1, or 0.07 for the cosine</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>τ default</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>k</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Build from a labelled folder…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Open a datastore…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Model&apos;s own</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Build from %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Datastore…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1
Features go to %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The features that are searched: of a labelled folder, or from a file</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Choose a datastore</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Datastore: %1; click to choose another</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Evaluate on…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Evaluate on %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>A labelled folder with the classes of the datastore, for accuracy and for images to look at</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Choose a folder to evaluate on</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Evaluated folder: %1; click to choose another</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>A folder with one subfolder of images or videos per class</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>A datastore of features</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Datastores (*.safetensors);;All files (*)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>A labelled folder to evaluate on</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>“%1” is not a number of neighbours from 1 to %2.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Choose a labelled folder whose features are computed, or a datastore of features.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Choose a labelled folder to evaluate on.</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>attnscope::ui::Segments</name>
    <message>
        <source>%1 of %2: %3</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>attnscope::ui::Session</name>
    <message>
        <source>%1 of %2 steps</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1/s</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>attnscope::ui::SettingsDialog</name>
    <message>
        <source>Settings</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Follow the system</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Light</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Dark</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Theme</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Default: follow the system.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Language</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>From the next start. Sentences of the command line stay English.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Threads</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Threads for models on the CPU. Default: one per core.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>One per core</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Seeds</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Number of seeds over which errors of random backends are averaged. Default: 3.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Repetitions</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Minimum number of timed passes per backend. Default: 20.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source> s</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Minimum measuring time</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>For each backend. Default: 1 s.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Maximum image size</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Checked before anything is decoded. Default: 100 megapixels.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source> megapixels</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Maximum image file size</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Default: 512 MiB.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source> MiB</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Maximum side length</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Default: 16384 pixels.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source> pixels</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Crop cache on disk</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Lets repeated evaluations of a folder skip decoding; 150 KB per image. Default: none.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source> GiB</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>In %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>None</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>attnscope::ui::TabStrip</name>
    <message>
        <source>%1: %2</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>attnscope::ui::TensorSource</name>
    <message>
        <source>q, k, v</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Tokens</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Head size</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Source of q, k and v</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>From the model</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>From a file…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Random</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Independent standard normal values, drawn with the seed from the bar above, so there is no structure to find</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>224, 384 and 448 pixels give 196, 576 and 784 patches of 16×16, as in the paper&apos;s figure</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>A file of q, k and v</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Tensors (*.safetensors);;All files (*)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>From %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>on random q, k, v</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>on q, k, v from %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 inputs</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>on the model&apos;s own q, k, v for %1</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>attnscope::ui::TimelineView</name>
    <message>
        <source>Column headers and time axis</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Timelines</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Could not run</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>attnscope::ui::TrainForm</name>
    <message>
        <source>Start training</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Data folder</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Drop a folder here</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Data</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Folder</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>With the folders train and val, each with one subfolder per class; or class folders only.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Network</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Model</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Selected in the bar above, for all screens.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Random weights</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Other checkpoint…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Start from</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The weights that training starts from.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Attention</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The attention that the weights are trained for.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>None</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Teacher</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>A checkpoint whose attention outputs and predictions are distilled; usually the softmax model itself.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Checkpoint to start from</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Schedule</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Epochs</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Number of passes over the training set.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Batch size</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Number of samples per step.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Learning rate</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Peak learning rate; the schedule is a linear warm-up followed by cosine decay.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Warm-up</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Number of epochs in which the learning rate rises from 0.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>More</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>More training settings</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Less</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Result</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Trained weights</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Checkpoints (*.safetensors)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Save to</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The weights after each epoch; next to it, the best weights, the data needed to resume, and the history.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>If the file exists</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>What to do with the existing file.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Restore training settings</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Fill in the form with the settings of the training run saved next to this file</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Resuming needs the same data, attention, teacher and schedule</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>From the checkpoint</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Checkpoints (*.safetensors *.pth *.pt *.bin);;All files (*)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Resume training</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Keep it</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Choose another name for the new one.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Replace it</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>videos</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>images</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>ImageNet folders</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Kinetics folders</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Lists</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1: %2 classes, %3 training %4, </source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 for validation.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>none for validation.</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>attnscope::ui::TrainMore</name>
    <message>
        <source>Distillation</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Attention</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Weight of the relative squared error of each layer&apos;s attention output; 0 disables it.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Predictions</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Weight of the Kullback-Leibler divergence of the predictions; 0 disables it.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Labels</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Weight of the cross-entropy with the labels; 0 disables it.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Temperature</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Softmax temperature of the divergence; higher values give unlikely classes more weight.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Landmark-only epochs</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Number of initial epochs that train only the attention&apos;s own parameters (landmark maps).</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Optimizer</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Final learning rate</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Learning rate at the end of the cosine decay.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Weight decay</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>AdamW weight decay; not applied to biases, norms, tokens and position embeddings.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Gradient clipping</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Maximum total gradient norm; 0: no limit.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Accumulation steps</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Number of batches whose gradients are accumulated before each weight update.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Label smoothing</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Fraction of the probability that is spread over all classes.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Drop path</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Stochastic depth: fraction of samples that skip the last block, decreasing linearly towards the first.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>EMA decay</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Decay of the exponential moving average of the weights; 0: none.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>bfloat16 inside layers</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Precision</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Mixed precision: linear layers and convolutions are computed in bfloat16.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>train exit heads alone</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Early exits</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>A norm and a head behind each block but the last are trained; the network to start from stays as it is, with its attention.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Augmentation</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>none</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>light</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>DeiT</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>custom</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Recipe</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Augmentation of training images: none; crop and flip; or the full DeiT recipe.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Min. crop scale</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Minimum fraction of the image area kept by a random crop.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Max. crop scale</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Maximum fraction of the image area kept by a random crop.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Flip</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Probability of a horizontal flip.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Operations</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Number of RandAugment operations per image; 0: none.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Magnitude</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Magnitude of the RandAugment operations, 0 to 10.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Random erasing</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Probability of random erasing.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Mixup</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>α of mixup; 0: none.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>CutMix</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>α of CutMix; 0: none.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Data</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Layout</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>How the folder is organised: one subfolder of images or videos per class, or lists of files.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Validation folder</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Validation set</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Separate folder for validation; empty: use the one inside the data folder.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Limit</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Number of training samples to use; 0: all.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Loader threads</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Threads that load and augment samples; 0: one per processor thread.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Landmarks</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Learned map after LARA&apos;s pooling; auto: as in the checkpoint.</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>attnscope::ui::TrainPage</name>
    <message>
        <source>Copy as command</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The attnscope-cli command for the same training run</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Loss</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Top-1 on the validation set, %</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Points appear as training progresses</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Table</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Epochs</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Distillation</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 of %2 files</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Training is in progress; pause or finish it before choosing another folder.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Folder to train on</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Train %1 with %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Distil %1 into %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Each epoch writes a self-describing checkpoint; training can be paused and continued at any time.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>epoch</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>training</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>validation</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Teacher</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Before and after distillation</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>on validation samples, compared with the teacher</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>One row per epoch: losses, accuracy, learning rate</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>newest epoch first</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Resume this training run</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Train on this folder</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Softmax weights lose most of their accuracy with Performer; two epochs of distillation, a minute or two, recover most of it. Press F5 to start.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the settings</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>attnscope::ui::TrainProgress</name>
    <message>
        <source>%1 percent of all steps</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Progress of the training</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Pause</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Finish this epoch and stop</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Compare the checkpoint now</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Continue</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Continues after the last finished epoch, exactly as if training had never stopped.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Stops after this step. Progress in the current epoch is lost; Continue resumes after the last finished one.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Continue after this epoch</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Finish epoch</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Training stops once this epoch is saved; click to undo.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Stops once this epoch is finished, validated and saved; nothing is lost.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Compare now</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>There is no checkpoint until the first epoch is finished.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Opens %1 as of its last epoch in Compare. Training pauses while it is measured.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Not started</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Loading data and weights</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Paused</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Stopping after this step</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Stopped by an error</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>All epochs finished</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Waiting for measurement</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 · waiting for measurement</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source> · stopping after this epoch</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>attnscope::ui::TrainSession</name>
    <message>
        <source>%1: there is no training state next to it to resume from.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Training in progress</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Stopping now loses all training progress because the first epoch is not finished.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Stopping now loses progress in the current epoch; earlier epochs are kept in %1.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Continue on the Train screen with the same file under “Save to”, or with this command in a terminal:

%1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Stop and close</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>clips/s</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>img/s</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>epoch %1/%2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>validating %1/%2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1/%2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 % waiting for data</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 % top-1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Loading data and weights</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Waiting for measurement between two steps</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Stopping after this step</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Paused before the end of the first epoch</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Paused after epoch %1 of %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Training stopped before the end of the first epoch</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Stopped by an error after epoch %1 of %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 epochs finished</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 after %2 epochs, best at epoch %3</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>; teacher %1 %</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Epoch %1 of %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1: %2 % top-1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1, best so far</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1, best %2 % at epoch %3</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1; teacher %2 %</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Teacher: %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 training and %2 validation samples, %3 classes</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 of %2 parameters trained</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Training: %1</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>attnscope::ui::TransportBar</name>
    <message>
        <source>Previous frame</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Play</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Space</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Next frame</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Position</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Loop</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Next disagreement</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Speed</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Speed ([ and ])</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Prediction interval</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Predict every clip</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Playback waits for the predictions instead of skipping clips.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Inference progress</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 (%2)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>every %1 s</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>every frame</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>every 2nd frame</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>every %1th frame</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Processed %1 %</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Lag %1 s</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Dropped 0</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Dropped %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Pause</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 / %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1
Processed: fraction of the scheduled clips that were predicted. Dropped: frames that came too late to be shown.</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>attnscope::ui::UnreadableModel</name>
    <message>
        <source>File</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Reason</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1: %2</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>attnscope::ui::ViewsModel</name>
    <message>
        <source>Backend</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Mean</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>centre crop</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>left crop</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>top crop</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>right crop</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>bottom crop</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>clip %1 of %2, %3</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>, at %1 s</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>, %1 s to %2 s</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>not run yet</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>could not run</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>mean over the views: %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1: %2 %3</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>, but top-1 is %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1: not predicted yet</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>attnscope::ui::ViewsPanel</name>
    <message>
        <source>Views</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Temporal clips times spatial crops</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Temporal clips × spatial crops; published Kinetics-400 accuracies use 10×3</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Prediction of each view</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source> · time, memory and error are measured on this view</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Frames appear once the view has been decoded.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Run the comparison again to see the frames of this view.</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>attnscope::ui::Workspace</name>
    <message>
        <source>pasted image %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1: %2.</source>
        <translation type="unfinished"></translation>
    </message>
</context>
</TS>
