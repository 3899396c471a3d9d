<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="zh_CN" sourcelanguage="en">
<context>
    <name>QApplication</name>
    <message>
        <source>Vision transformers with efficient attention, side by side.</source>
        <translation>并排比较采用高效注意力的视觉 Transformer。</translation>
    </message>
    <message>
        <source>Compare on the demo image right away.</source>
        <translation>立即在演示图像上进行比较。</translation>
    </message>
    <message>
        <source>light, dark or system; may be repeated for screenshots.</source>
        <translation>light、dark 或 system；用于截图时可重复给出。</translation>
    </message>
    <message>
        <source>en, de, zh_CN or system.</source>
        <translation>en、de、zh_CN 或 system。</translation>
    </message>
    <message>
        <source>Name of the model.</source>
        <translation>模型名称。</translation>
    </message>
    <message>
        <source>Backend to select; may be repeated.</source>
        <translation>要选择的后端；可重复给出。</translation>
    </message>
    <message>
        <source>Your own attention: a TorchScript module or a library, which runs with all your rights; may be repeated.</source>
        <translation>您自己的注意力：TorchScript 模块或库，将以您的全部权限运行；可重复给出。</translation>
    </message>
    <message>
        <source>Run, save a screenshot of the window once everything has been measured, and exit. With several themes or sizes: FILE-dark-1024x640.png and so on.</source>
        <translation>运行，在全部测量完成后保存窗口截图并退出。有多个主题或尺寸时：FILE-dark-1024x640.png 等。</translation>
    </message>
    <message>
        <source>Run what the screen shows before the screenshot.</source>
        <translation>截图前运行页面所显示的内容。</translation>
    </message>
    <message>
        <source>Seconds to wait at least before the screenshot.</source>
        <translation>截图前至少等待的秒数。</translation>
    </message>
    <message>
        <source>Screen to show first and to open files on: compare, live, layers, batch, scale, train, results or neighbours.</source>
        <translation>首先显示并用于打开文件的页面：compare、live、layers、batch、scale、train、results 或 neighbours。</translation>
    </message>
    <message>
        <source>Window size, for example 1280x800; may be repeated for screenshots.</source>
        <translation>窗口大小，例如 1280x800；用于截图时可重复给出。</translation>
    </message>
    <message>
        <source>Settings file to use instead of the default one.</source>
        <translation>用来代替默认设置文件的设置文件。</translation>
    </message>
    <message>
        <source>Images or a checkpoint to open.</source>
        <translation>要打开的图像或检查点。</translation>
    </message>
    <message>
        <source>--size %1: invalid window size; use WIDTHxHEIGHT, for example 1280x800.</source>
        <translation>--size %1：窗口大小无效；请使用 WIDTHxHEIGHT，例如 1280x800。</translation>
    </message>
    <message>
        <source>--after %1: invalid time; use seconds from 0 to 3600.</source>
        <translation>--after %1：时间无效；请使用 0 至 3600 秒。</translation>
    </message>
    <message>
        <source>--screen %1: unknown screen; the screens are %2.</source>
        <translation>--screen %1：未知页面；可用的页面为 %2。</translation>
    </message>
    <message>
        <source>--theme %1: unknown theme; the themes are light, dark and system.</source>
        <translation>--theme %1：未知主题；可用的主题为 light、dark 和 system。</translation>
    </message>
    <message>
        <source>--language %1: there is no such translation; give en, de, zh_CN or system.</source>
        <translation>--language %1：没有这种翻译；可用 en、de、zh_CN 或 system。</translation>
    </message>
    <message>
        <source>Opens a window of its own even if there is one. Otherwise files go to that window, unless other options are given.</source>
        <translation>即使已有窗口也打开新窗口。否则，若没有其他选项，文件会交给已有窗口。</translation>
    </message>
    <message>
        <source>Results store to use instead of the default one.</source>
        <translation>使用此结果库代替默认的结果库。</translation>
    </message>
    <message>
        <source>Checkpoint, or untrained; may be repeated for further networks to compare.</source>
        <translation>检查点或 untrained；可重复给出，以比较更多网络。</translation>
    </message>
</context>
<context>
    <name>QObject</name>
    <message>
        <source>%1 (%2)</source>
        <translation>%1（%2）</translation>
    </message>
    <message>
        <source>scalar</source>
        <translation>标量</translation>
    </message>
</context>
<context>
    <name>attnscope</name>
    <message>
        <source>%1 weights</source>
        <translation>%1 权重</translation>
    </message>
    <message>
        <source>nowhere</source>
        <translation>从不</translation>
    </message>
    <message>
        <source>from %1</source>
        <translation>从 %1 起</translation>
    </message>
    <message>
        <source>Mechanism</source>
        <translation>机制</translation>
    </message>
    <message>
        <source>Position</source>
        <translation>位置</translation>
    </message>
    <message>
        <source>Tokens so far</source>
        <translation>到目前为止的 token 数</translation>
    </message>
    <message>
        <source>Time</source>
        <translation>时间</translation>
    </message>
    <message>
        <source>Median time of one token, all heads, one thread</source>
        <translation>一个 token 的时间中位数，所有头，一个线程</translation>
    </message>
    <message>
        <source>5 % – 95 %</source>
        <translation>5 % – 95 %</translation>
    </message>
    <message>
        <source>Percentiles of the time of one token</source>
        <translation>单个 token 时间的百分位数</translation>
    </message>
    <message>
        <source>mean</source>
        <translation>均值</translation>
    </message>
    <message>
        <source>Mean time of the same tokens: what happens at the end of a segment counts with its frequency</source>
        <translation>相同 token 的平均时间：分段末尾发生的计算按其频率计入</translation>
    </message>
    <message>
        <source>State</source>
        <translation>状态</translation>
    </message>
    <message>
        <source>What is kept between two tokens, all heads</source>
        <translation>两个 token 之间保留的内容，所有头</translation>
    </message>
    <message>
        <source>Mult.-adds</source>
        <translation>乘加</translation>
    </message>
    <message>
        <source>Multiply-adds of one token, all heads</source>
        <translation>一个 token 的乘加运算，所有头</translation>
    </message>
    <message>
        <source>Error</source>
        <translation>误差</translation>
    </message>
    <message>
        <source>Relative error of the timed tokens, with respect to softmax over all tokens so far, in float64</source>
        <translation>计时 token 的相对误差，相对于对目前所有 token 的 softmax，以 float64 计算</translation>
    </message>
    <message>
        <source>MSE</source>
        <translation>MSE</translation>
    </message>
    <message>
        <source>Measured</source>
        <translation>测得</translation>
    </message>
    <message>
        <source>Number of timed tokens</source>
        <translation>计时的 token 数</translation>
    </message>
    <message>
        <source>Time ∝ tᵖ</source>
        <translation>时间 ∝ tᵖ</translation>
    </message>
    <message>
        <source>p, the exponent of the time of a token over all positions t</source>
        <translation>p，一个 token 的时间在所有位置 t 上的指数</translation>
    </message>
    <message>
        <source>State ∝ tᵖ</source>
        <translation>状态 ∝ tᵖ</translation>
    </message>
    <message>
        <source>p, the exponent of the state over all positions t</source>
        <translation>p，状态在所有位置 t 上的指数</translation>
    </message>
    <message>
        <source>Faster</source>
        <translation>更快</translation>
    </message>
    <message>
        <source>Position from which a token takes less time than with the cache</source>
        <translation>从此位置起，一个 token 所需时间少于使用缓存</translation>
    </message>
    <message>
        <source>Smaller</source>
        <translation>更小</translation>
    </message>
    <message>
        <source>Position from which its state is smaller than the cache</source>
        <translation>从此位置起，其状态小于缓存</translation>
    </message>
    <message>
        <source>Less work</source>
        <translation>运算更少</translation>
    </message>
    <message>
        <source>Position from which a token needs fewer multiply-adds than with the cache</source>
        <translation>从此位置起，一个 token 所需的乘加运算少于使用缓存</translation>
    </message>
    <message>
        <source>Half-life</source>
        <translation>半衰期</translation>
    </message>
    <message>
        <source>Tokens after which a constant gate has halved what the state has kept</source>
        <translation>恒定门控使状态所保留的内容减半所需的 token 数</translation>
    </message>
    <message>
        <source>Loss</source>
        <translation>损失</translation>
    </message>
    <message>
        <source>What a compression changes in the output, mean over compressions and heads</source>
        <translation>压缩对输出造成的改变，各次压缩和各头的均值</translation>
    </message>
    <message>
        <source>Parallel</source>
        <translation>并行</translation>
    </message>
    <message>
        <source>Largest difference between the outputs token by token and those of all tokens at once</source>
        <translation>逐 token 输出与一次性处理所有 token 的输出之间的最大差异</translation>
    </message>
    <message>
        <source>%1 tokens</source>
        <translation>%1 个 token</translation>
    </message>
    <message>
        <source>Weight of a token in the output that many tokens later</source>
        <translation>token 在相隔该 token 数之后的输出中的权重</translation>
    </message>
    <message>
        <source>%1, state</source>
        <translation>%1，状态</translation>
    </message>
    <message>
        <source>No measurements yet</source>
        <translation>尚无测量</translation>
    </message>
    <message>
        <source>A token takes %1 with a cache of %2 tokens</source>
        <translation>使用 %2 个 token 的缓存时，一个 token 需要 %1</translation>
    </message>
    <message>
        <source>Nothing is clearly faster than the cache at %1 tokens</source>
        <translation>在 %1 个 token 处没有明显快于缓存的机制</translation>
    </message>
    <message>
        <source>%1 is faster than the cache at %2 tokens, with a relative error of %3</source>
        <translation>%1 在 %2 个 token 处快于缓存，相对误差为 %3</translation>
    </message>
    <message>
        <source>%1 of %2 mechanisms are faster than the cache at %3 tokens; %4 is closest to it: relative error %5</source>
        <translation>在 %3 个 token 处，%2 种机制中有 %1 种快于缓存；%4 与其最接近：相对误差 %5</translation>
    </message>
    <message>
        <source>%1, layer %2</source>
        <translation>%1，第 %2 层</translation>
    </message>
    <message>
        <source>correlated tokens</source>
        <translation>相关的 token</translation>
    </message>
    <message>
        <source>tokens to be recalled</source>
        <translation>待回忆的 token</translation>
    </message>
    <message>
        <source>independent tokens</source>
        <translation>独立的 token</translation>
    </message>
    <message numerus="yes">
        <source>%1 head(s)</source>
        <translation>
            <numerusform>%1 个头</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%1 channel(s)</source>
        <translation>
            <numerusform>%1 个通道</numerusform>
        </translation>
    </message>
    <message>
        <source>one thread</source>
        <translation>一个线程</translation>
    </message>
    <message>
        <source>load %1</source>
        <translation>负载 %1</translation>
    </message>
    <message>
        <source>Depth</source>
        <translation>深度</translation>
    </message>
    <message>
        <source>Blocks that every sample runs</source>
        <translation>每个样本运行的块数</translation>
    </message>
    <message>
        <source>Threshold</source>
        <translation>阈值</translation>
    </message>
    <message>
        <source>A sample leaves behind the first block whose largest probability is above it</source>
        <translation>样本在最大概率高于该值的第一个块之后退出</translation>
    </message>
    <message>
        <source>Penalty</source>
        <translation>惩罚</translation>
    </message>
    <message>
        <source>What a block costs the oracle</source>
        <translation>每个块对理想规则的代价</translation>
    </message>
    <message>
        <source>top-1</source>
        <translation>top-1</translation>
    </message>
    <message>
        <source>Accuracy at the exits, with its 95 % interval</source>
        <translation>退出处的准确率，附其 95 % 区间</translation>
    </message>
    <message>
        <source>blocks</source>
        <translation>块</translation>
    </message>
    <message>
        <source>Blocks run, mean over samples</source>
        <translation>运行的块数，各样本的均值</translation>
    </message>
    <message>
        <source>multiply-adds</source>
        <translation>乘加运算</translation>
    </message>
    <message>
        <source>With a prediction behind every block on the way, and as a fraction of the whole network&apos;s; not a measured time</source>
        <translation>包括途中每个块之后的预测，并以占整个网络的比例表示；并非测得的时间</translation>
    </message>
    <message>
        <source>No sample could be read</source>
        <translation>没有可读取的样本</translation>
    </message>
    <message>
        <source>%1: threshold %2 runs %3 of %4 blocks, %5 top-1 instead of %6</source>
        <translation>%1：阈值 %2 运行 %3 / %4 个块，top-1 为 %5，而非 %6</translation>
    </message>
    <message>
        <source>Heads trained for each exit</source>
        <translation>每个退出都有训练过的头</translation>
    </message>
    <message>
        <source>Untrained exits: the network&apos;s own norm and head</source>
        <translation>未训练的退出：网络自身的归一化层和头</translation>
    </message>
    <message numerus="yes">
        <source>%1 sample(s)</source>
        <translation>
            <numerusform>%1 个样本</numerusform>
        </translation>
    </message>
    <message>
        <source>%1 unreadable</source>
        <translation>%1 个无法读取</translation>
    </message>
    <message>
        <source>Based on medians; at the longest length the difference is not clear</source>
        <translation>基于中位数；在最长的长度上差异不明显</translation>
    </message>
    <message>
        <source>stopped: %1</source>
        <translation>已停止：%1</translation>
    </message>
    <message>
        <source>any</source>
        <translation>任意</translation>
    </message>
    <message>
        <source>deterministic</source>
        <translation>确定性</translation>
    </message>
    <message numerus="yes">
        <source>%1 seed(s)</source>
        <translation>
            <numerusform>%1 个种子</numerusform>
        </translation>
    </message>
    <message>
        <source>softmax, explicit</source>
        <translation>softmax，显式</translation>
    </message>
    <message>
        <source>softmax, fused</source>
        <translation>softmax，融合</translation>
    </message>
    <message>
        <source>Attention</source>
        <translation>注意力</translation>
    </message>
    <message>
        <source>Time ∝ Nᵖ, p =</source>
        <translation>时间 ∝ Nᵖ，p =</translation>
    </message>
    <message>
        <source>Exponent of encoder time over the longest lengths</source>
        <translation>编码器时间在最长几种长度上的指数</translation>
    </message>
    <message>
        <source>attention only</source>
        <translation>仅注意力</translation>
    </message>
    <message>
        <source>Exponent of the time inside attention</source>
        <translation>注意力内部时间的指数</translation>
    </message>
    <message>
        <source>memory</source>
        <translation>内存</translation>
    </message>
    <message>
        <source>Exponent of the peak memory of one attention</source>
        <translation>一次注意力的峰值内存的指数</translation>
    </message>
    <message>
        <source>theoretical</source>
        <translation>理论</translation>
    </message>
    <message>
        <source>Exponents of time and memory stated in its paper</source>
        <translation>其论文所述的时间和内存的指数</translation>
    </message>
    <message>
        <source>Faster than explicit</source>
        <translation>快于显式</translation>
    </message>
    <message>
        <source>Length from which its encoder is faster than with explicit softmax</source>
        <translation>从此长度起，其编码器快于使用显式 softmax</translation>
    </message>
    <message>
        <source>than fused</source>
        <translation>快于融合</translation>
    </message>
    <message>
        <source>Length from which its encoder is faster than with fused softmax</source>
        <translation>从此长度起，其编码器快于使用融合 softmax</translation>
    </message>
    <message>
        <source>Length from which its encoder needs less memory than with explicit softmax</source>
        <translation>从此长度起，其编码器所需内存少于使用显式 softmax</translation>
    </message>
    <message>
        <source>ratio</source>
        <translation>比值</translation>
    </message>
    <message>
        <source>Relative to explicit softmax at the same length</source>
        <translation>相对于相同长度的显式 softmax</translation>
    </message>
    <message>
        <source>Tokens</source>
        <translation>Token</translation>
    </message>
    <message>
        <source>Encoder</source>
        <translation>编码器</translation>
    </message>
    <message>
        <source>Median time of a pass</source>
        <translation>一次传播的时间中位数</translation>
    </message>
    <message>
        <source>Attention only</source>
        <translation>仅注意力</translation>
    </message>
    <message>
        <source>Median time inside attention</source>
        <translation>注意力内部的时间中位数</translation>
    </message>
    <message>
        <source>Peak memory</source>
        <translation>峰值内存</translation>
    </message>
    <message>
        <source>Peak tensor memory of a pass, above the level before it</source>
        <translation>一次传播的张量内存峰值，高出其之前水平的部分</translation>
    </message>
    <message>
        <source>attention peak</source>
        <translation>注意力峰值</translation>
    </message>
    <message>
        <source>Peak memory of the attention in the largest layer</source>
        <translation>最大层的注意力的峰值内存</translation>
    </message>
    <message>
        <source>Published</source>
        <translation>已发表</translation>
    </message>
    <message>
        <source>Time and memory relative to softmax, LARA paper, table 6, 16 samples</source>
        <translation>相对于 softmax 的时间和内存，LARA 论文，表 6，采样数 16</translation>
    </message>
    <message>
        <source>Passes</source>
        <translation>次数</translation>
    </message>
    <message>
        <source>Number of timed passes</source>
        <translation>计时的传播次数</translation>
    </message>
    <message>
        <source>Percentiles of the time of a pass, or why there is none</source>
        <translation>单次传播时间的百分位数，或没有的原因</translation>
    </message>
    <message>
        <source>Samples S</source>
        <translation>采样数 S</translation>
    </message>
    <message>
        <source>Number of random features or landmarks</source>
        <translation>随机特征或地标的数量</translation>
    </message>
    <message>
        <source>Mean squared error with respect to exact attention; mean over seeds</source>
        <translation>相对于精确注意力的均方误差；各种子的均值</translation>
    </message>
    <message>
        <source>std. dev.</source>
        <translation>标准差</translation>
    </message>
    <message>
        <source>Standard deviation over seeds</source>
        <translation>各种子的标准差</translation>
    </message>
    <message>
        <source>bias²</source>
        <translation>偏差²</translation>
    </message>
    <message>
        <source>The part that more seeds do not average out</source>
        <translation>增加种子也无法平均掉的部分</translation>
    </message>
    <message>
        <source>variance</source>
        <translation>方差</translation>
    </message>
    <message>
        <source>relative</source>
        <translation>相对</translation>
    </message>
    <message>
        <source>Norm of the difference over the norm of the exact output</source>
        <translation>差异的范数除以精确输出的范数</translation>
    </message>
    <message>
        <source>Seeds</source>
        <translation>种子</translation>
    </message>
    <message>
        <source>baseline</source>
        <translation>基线</translation>
    </message>
    <message>
        <source>mean of the values</source>
        <translation>值的均值</translation>
    </message>
    <message>
        <source>zero</source>
        <translation>零</translation>
    </message>
    <message>
        <source>Plan</source>
        <translation>方案</translation>
    </message>
    <message>
        <source>Latency</source>
        <translation>延迟</translation>
    </message>
    <message>
        <source>Median latency of the whole model</source>
        <translation>整个模型延迟的中位数</translation>
    </message>
    <message>
        <source>Relative error, mean over layers with the same q, k, v</source>
        <translation>相对误差，使用相同 q、k、v 时各层的均值</translation>
    </message>
    <message>
        <source>KL</source>
        <translation>KL</translation>
    </message>
    <message>
        <source>KL divergence of the class distribution, in nats</source>
        <translation>类别分布的 KL 散度，单位奈特</translation>
    </message>
    <message>
        <source>top-1 agreement</source>
        <translation>top-1 一致率</translation>
    </message>
    <message>
        <source>Fraction of inputs with the same top-1 class as softmax</source>
        <translation>top-1 类别与 softmax 相同的输入所占比例</translation>
    </message>
    <message>
        <source>predicted latency</source>
        <translation>预测延迟</translation>
    </message>
    <message>
        <source>Sum over the layers, and what is outside attention</source>
        <translation>各层之和，加上注意力之外的部分</translation>
    </message>
    <message>
        <source>predicted error</source>
        <translation>预测误差</translation>
    </message>
    <message>
        <source>Mean over the layers</source>
        <translation>各层的平均</translation>
    </message>
    <message>
        <source>Top-1</source>
        <translation>Top-1</translation>
    </message>
    <message numerus="yes">
        <source>Of %1 labelled input(s), with the 95 % interval</source>
        <translation>
            <numerusform>针对 %1 个带标签的输入，附 95 % 区间</numerusform>
        </translation>
    </message>
    <message>
        <source>Layer</source>
        <translation>层</translation>
    </message>
    <message>
        <source>Median time inside this layer&apos;s attention</source>
        <translation>此层注意力内部的时间中位数</translation>
    </message>
    <message>
        <source>softmax</source>
        <translation>softmax</translation>
    </message>
    <message>
        <source>Median time inside exact softmax in this layer</source>
        <translation>此层精确 softmax 内部的时间中位数</translation>
    </message>
    <message>
        <source>Relative error with the q, k, v of the exact pass</source>
        <translation>使用精确传播的 q、k、v 时的相对误差</translation>
    </message>
    <message>
        <source>KL, this layer only</source>
        <translation>KL，仅此层</translation>
    </message>
    <message>
        <source>KL divergence of the class distribution when only this layer is replaced</source>
        <translation>仅替换此层时类别分布的 KL 散度</translation>
    </message>
    <message>
        <source>Norm</source>
        <translation>范数</translation>
    </message>
    <message>
        <source>‖x‖, scaled as features see it</source>
        <translation>‖x‖，按特征所见缩放</translation>
    </message>
    <message>
        <source>exp(x·y)</source>
        <translation>exp(x·y)</translation>
    </message>
    <message>
        <source>The exact value</source>
        <translation>精确值</translation>
    </message>
    <message>
        <source>Estimate from all features, ± its standard deviation</source>
        <translation>由所有特征得到的估计值，± 其标准差</translation>
    </message>
    <message>
        <source>Standard deviation relative to the kernel, median over pairs of queries and keys</source>
        <translation>相对于核的标准差，各查询–键对的中位数</translation>
    </message>
    <message>
        <source>Head</source>
        <translation>头</translation>
    </message>
    <message>
        <source>‖q‖</source>
        <translation>‖q‖</translation>
    </message>
    <message>
        <source>Mean norm of the queries, scaled as features see them</source>
        <translation>查询的平均范数，按特征所见缩放</translation>
    </message>
    <message>
        <source>‖k‖</source>
        <translation>‖k‖</translation>
    </message>
    <message>
        <source>Mean norm of the keys</source>
        <translation>键的平均范数</translation>
    </message>
    <message>
        <source>at every length</source>
        <translation>在所有长度上</translation>
    </message>
    <message>
        <source>from N ≈ %1</source>
        <translation>从 N ≈ %1 起</translation>
    </message>
    <message>
        <source>%1 beats %2 %3</source>
        <translation>%1 %3优于%2</translation>
    </message>
    <message>
        <source>%1 more at longer lengths</source>
        <translation>另有 %1 个在更长的长度上</translation>
    </message>
    <message>
        <source>fused softmax</source>
        <translation>融合 softmax</translation>
    </message>
    <message>
        <source>%1; nothing beats fused softmax</source>
        <translation>%1；没有后端优于融合 softmax</translation>
    </message>
    <message>
        <source>explicit softmax</source>
        <translation>显式 softmax</translation>
    </message>
    <message>
        <source>No difference beyond measurement noise up to %1 tokens</source>
        <translation>在 %1 个 token 以内没有超出测量噪声的差异</translation>
    </message>
    <message>
        <source>Only softmax was measured; select other backends to see where they pay off</source>
        <translation>仅测量了 softmax；请选择其他后端以查看它们从何处起更有利</translation>
    </message>
    <message>
        <source>Nothing is faster than softmax up to %1 tokens</source>
        <translation>在 %1 个 token 以内没有快于 softmax 的后端</translation>
    </message>
    <message>
        <source>encoder with random weights</source>
        <translation>随机权重的编码器</translation>
    </message>
    <message numerus="yes">
        <source>%1 layer(s)</source>
        <translation>
            <numerusform>%1 层</numerusform>
        </translation>
    </message>
    <message>
        <source>dim %1</source>
        <translation>维度 %1</translation>
    </message>
    <message>
        <source>batch size 1</source>
        <translation>批大小 1</translation>
    </message>
    <message>
        <source>forward and backward</source>
        <translation>前向和反向</translation>
    </message>
    <message>
        <source>forward</source>
        <translation>前向</translation>
    </message>
    <message>
        <source>None of these backends could be measured</source>
        <translation>这些后端均无法测量</translation>
    </message>
    <message>
        <source>%1 is closest to softmax: MSE %2</source>
        <translation>%1 最接近 softmax：MSE %2</translation>
    </message>
    <message>
        <source>%1 with %2 samples is closest: MSE %3</source>
        <translation>采样数为 %2 的 %1 最接近：MSE %3</translation>
    </message>
    <message>
        <source>scales as samples^%1</source>
        <translation>按 采样数^%1 变化</translation>
    </message>
    <message>
        <source>%1, worse than the mean-of-values baseline</source>
        <translation>%1，差于值的均值基线</translation>
    </message>
    <message numerus="yes">
        <source>%1 input(s)</source>
        <translation>
            <numerusform>%1 个输入</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%1 token(s)</source>
        <translation>
            <numerusform>%1 个 token</numerusform>
        </translation>
    </message>
    <message>
        <source>exact: %1</source>
        <translation>精确：%1</translation>
    </message>
    <message>
        <source>No plan was chosen</source>
        <translation>未选择任何方案</translation>
    </message>
    <message>
        <source>No plan meets the budget; the fastest takes %1</source>
        <translation>没有方案满足预算；最快的需要 %1</translation>
    </message>
    <message>
        <source>No plan meets the budget</source>
        <translation>没有方案满足预算</translation>
    </message>
    <message>
        <source>%1 in every layer</source>
        <translation>每一层均使用 %1</translation>
    </message>
    <message>
        <source>A plan mixing %1 backends</source>
        <translation>混合 %1 个后端的方案</translation>
    </message>
    <message>
        <source>%1, top-1 %2</source>
        <translation>%1，top-1 %2</translation>
    </message>
    <message>
        <source>%1, relative error %2</source>
        <translation>%1，相对误差 %2</translation>
    </message>
    <message>
        <source>%1: nothing faster meets the budget</source>
        <translation>%1：没有更快且满足预算的方案</translation>
    </message>
    <message>
        <source>%1; softmax: %2, %3</source>
        <translation>%1；softmax：%2，%3</translation>
    </message>
    <message>
        <source>%1; explicit: %2</source>
        <translation>%1；显式：%2</translation>
    </message>
    <message>
        <source>top-1 on %1 labelled samples</source>
        <translation>%1 个带标签样本的 top-1</translation>
    </message>
    <message numerus="yes">
        <source>%1 pair(s) of vectors</source>
        <translation>
            <numerusform>%1 对向量</numerusform>
        </translation>
    </message>
    <message>
        <source>%1 features are too few for this kernel: those of the best map, %2, vary by %3 times its value</source>
        <translation>%1 个特征对此核而言太少：最佳映射 %2 的特征波动为其值的 %3 倍</translation>
    </message>
    <message>
        <source>Best with %1 features: %2, with a standard deviation of %3 of the kernel&apos;s value</source>
        <translation>%1 个特征时最佳：%2，标准差为核值的 %3</translation>
    </message>
    <message numerus="yes">
        <source>%1 feature(s)</source>
        <translation>
            <numerusform>%1 个特征</numerusform>
        </translation>
    </message>
    <message>
        <source>seed %1</source>
        <translation>种子 %1</translation>
    </message>
    <message>
        <source>%1 differs from the file by %2</source>
        <translation>%1 与文件相差 %2</translation>
    </message>
    <message>
        <source>failed</source>
        <translation>失败</translation>
    </message>
    <message>
        <source>time, memory</source>
        <translation>时间，内存</translation>
    </message>
    <message>
        <source>time</source>
        <translation>时间</translation>
    </message>
    <message>
        <source>Best at equal</source>
        <translation>同等条件最优</translation>
    </message>
    <message>
        <source>No other has both a smaller error and less of it</source>
        <translation>没有其他注意力既有更小的误差，又有更少的此项成本</translation>
    </message>
    <message>
        <source>Divergence of the classes from those of exact attention, nats, with this attention in all layers</source>
        <translation>所有层都使用此注意力时，类别分布相对于精确注意力的散度，单位奈特</translation>
    </message>
    <message>
        <source>Same class</source>
        <translation>类别相同</translation>
    </message>
    <message>
        <source>Fraction of inputs and seeds with exact attention&apos;s first class</source>
        <translation>首位类别与精确注意力相同的输入和种子所占比例</translation>
    </message>
    <message>
        <source>1 − cosine</source>
        <translation>1 − 余弦</translation>
    </message>
    <message>
        <source>Of the features and those of exact attention, with this attention in all layers</source>
        <translation>所有层都使用此注意力时的特征与精确注意力的特征之间</translation>
    </message>
    <message>
        <source>Relative error</source>
        <translation>相对误差</translation>
    </message>
    <message>
        <source>For the same q, k, v as exact attention: mean over heads, layers, inputs and seeds</source>
        <translation>使用与精确注意力相同的 q、k、v：各头、层、输入和种子的均值</translation>
    </message>
    <message>
        <source>Median</source>
        <translation>中位数</translation>
    </message>
    <message>
        <source>The same over heads, layers, inputs and seeds</source>
        <translation>同上，对各头、层、输入和种子取中位数</translation>
    </message>
    <message>
        <source>Of attention in all layers, median of interleaved runs</source>
        <translation>所有层的注意力时间，交替运行的中位数</translation>
    </message>
    <message>
        <source>of exact</source>
        <translation>相对精确</translation>
    </message>
    <message>
        <source>Time relative to exact attention</source>
        <translation>相对于精确注意力的时间</translation>
    </message>
    <message>
        <source>Memory</source>
        <translation>内存</translation>
    </message>
    <message>
        <source>Largest tensors of one layer&apos;s attention</source>
        <translation>一层注意力的最大张量</translation>
    </message>
    <message>
        <source>Memory relative to exact attention</source>
        <translation>相对于精确注意力的内存</translation>
    </message>
    <message>
        <source>Note</source>
        <translation>备注</translation>
    </message>
    <message>
        <source>Why it failed, or what was left out of the means</source>
        <translation>失败原因，或平均值中未计入的部分</translation>
    </message>
    <message numerus="yes">
        <source>%1 head(s) not finite</source>
        <translation>
            <numerusform>%1 个头的结果不是有限值</numerusform>
        </translation>
    </message>
    <message>
        <source>None is clearly faster than exact attention at %1 tokens</source>
        <translation>在 %1 个 token 时，没有一个明显快于精确注意力</translation>
    </message>
    <message>
        <source>%1: error %2 at %3 the time, the most accurate of those faster than exact attention</source>
        <translation>%1：误差 %2，耗时为 %3，是快于精确注意力的方法中最准确的</translation>
    </message>
    <message>
        <source>%1, %2 tokens. Times are of attention alone, on the first input, relative to %3; errors are over %4 seeds.</source>
        <translation>%1，%2 个 token。时间仅指注意力，在第一个输入上测量，相对于 %3；误差取自 %4 个种子。</translation>
    </message>
    <message>
        <source>%1 of %2 are faster than exact attention.</source>
        <translation>%2 个中有 %1 个快于精确注意力。</translation>
    </message>
    <message>
        <source>Number of neighbours</source>
        <translation>近邻数</translation>
    </message>
    <message>
        <source>Weight of the neighbours: 0 is the model alone, 1 the neighbours alone</source>
        <translation>近邻的权重：0 为仅模型，1 为仅近邻</translation>
    </message>
    <message>
        <source>With the 95 % interval (Wilson)</source>
        <translation>附 95 % 区间（Wilson）</translation>
    </message>
    <message>
        <source>Gain</source>
        <translation>提升</translation>
    </message>
    <message>
        <source>Difference to the model alone, in percentage points</source>
        <translation>与仅模型之差，以百分点计</translation>
    </message>
    <message>
        <source>k %1, λ %2</source>
        <translation>k %1，λ %2</translation>
    </message>
    <message numerus="yes">
        <source>%1 neighbour(s)</source>
        <translation>
            <numerusform>%1 个近邻</numerusform>
        </translation>
    </message>
    <message>
        <source>By</source>
        <translation>依据</translation>
    </message>
    <message>
        <source>Predicts</source>
        <translation>预测</translation>
    </message>
    <message>
        <source>Probability</source>
        <translation>概率</translation>
    </message>
    <message>
        <source>mixed, λ = %1</source>
        <translation>混合，λ = %1</translation>
    </message>
    <message>
        <source>model alone</source>
        <translation>仅模型</translation>
    </message>
    <message>
        <source>Distance</source>
        <translation>距离</translation>
    </message>
    <message>
        <source>Weight</source>
        <translation>权重</translation>
    </message>
    <message>
        <source>Class</source>
        <translation>类别</translation>
    </message>
    <message>
        <source>File</source>
        <translation>文件</translation>
    </message>
    <message>
        <source>%1 features from %2</source>
        <translation>%1 个特征，来自 %2</translation>
    </message>
    <message>
        <source>k = %1, λ = %2</source>
        <translation>k = %1，λ = %2</translation>
    </message>
    <message>
        <source>Best with %1: %2</source>
        <translation>%1 时最佳：%2</translation>
    </message>
    <message>
        <source>Neighbours do not help: the model alone gets %1 right</source>
        <translation>近邻没有帮助：仅模型的正确率为 %1</translation>
    </message>
    <message>
        <source>Neighbours help: %1 gets %2 right, the model alone %3</source>
        <translation>近邻有帮助：%1 的正确率为 %2，仅模型为 %3</translation>
    </message>
    <message>
        <source>No clear gain: %1 gets %2 right, the model alone %3</source>
        <translation>没有明显提升：%1 的正确率为 %2，仅模型为 %3</translation>
    </message>
    <message>
        <source>top-1 of %1 from %2</source>
        <translation>top-1 取自 %2 的 %1</translation>
    </message>
    <message>
        <source>%1 left themselves out</source>
        <translation>%1 个样本排除了自身</translation>
    </message>
    <message>
        <source>%1 features of %2 numbers from %3</source>
        <translation>%1 个特征，每个 %2 个数，来自 %3</translation>
    </message>
    <message>
        <source>%1 distance, temperature %2</source>
        <translation>%1 距离，温度 %2</translation>
    </message>
    <message>
        <source>none: not finite</source>
        <translation>无：不是有限值</translation>
    </message>
    <message>
        <source>class %1</source>
        <translation>类别 %1</translation>
    </message>
    <message>
        <source>Weights</source>
        <translation>权重</translation>
    </message>
    <message>
        <source>Whether they were trained with this attention</source>
        <translation>是否使用此注意力训练</translation>
    </message>
    <message>
        <source>Top-5</source>
        <translation>Top-5</translation>
    </message>
    <message>
        <source>Samples</source>
        <translation>样本数</translation>
    </message>
    <message>
        <source>no predictions yet</source>
        <translation>尚无预测</translation>
    </message>
    <message>
        <source>Model</source>
        <translation>模型</translation>
    </message>
    <message>
        <source>Weights, SHA-256</source>
        <translation>权重，SHA-256</translation>
    </message>
    <message>
        <source>Data</source>
        <translation>数据</translation>
    </message>
    <message>
        <source>Files, SHA-256</source>
        <translation>文件，SHA-256</translation>
    </message>
    <message>
        <source>Unreadable</source>
        <translation>无法读取</translation>
    </message>
    <message>
        <source>Transform</source>
        <translation>变换</translation>
    </message>
    <message>
        <source>Views</source>
        <translation>视图</translation>
    </message>
    <message>
        <source>Sampling</source>
        <translation>帧采样</translation>
    </message>
    <message>
        <source>Reading</source>
        <translation>读取</translation>
    </message>
    <message>
        <source>Batch</source>
        <translation>批次大小</translation>
    </message>
    <message>
        <source>Limit</source>
        <translation>上限</translation>
    </message>
    <message>
        <source>Shard</source>
        <translation>分片</translation>
    </message>
    <message>
        <source>Device</source>
        <translation>设备</translation>
    </message>
    <message>
        <source>dtype</source>
        <translation>dtype</translation>
    </message>
    <message>
        <source>Threads</source>
        <translation>线程</translation>
    </message>
    <message>
        <source>Seed</source>
        <translation>种子</translation>
    </message>
    <message>
        <source>Attnscope</source>
        <translation>Attnscope</translation>
    </message>
    <message>
        <source>LibTorch</source>
        <translation>LibTorch</translation>
    </message>
    <message>
        <source>Compiler</source>
        <translation>编译器</translation>
    </message>
    <message>
        <source>Decoder</source>
        <translation>解码器</translation>
    </message>
    <message>
        <source>Instruction set</source>
        <translation>指令集</translation>
    </message>
    <message>
        <source>Kernels</source>
        <translation>内核</translation>
    </message>
    <message>
        <source>Started</source>
        <translation>开始时间</translation>
    </message>
    <message>
        <source>Work</source>
        <translation>耗时</translation>
    </message>
    <message>
        <source>A</source>
        <translation>A</translation>
    </message>
    <message>
        <source>B</source>
        <translation>B</translation>
    </message>
    <message>
        <source>Both correct</source>
        <translation>两者都对</translation>
    </message>
    <message>
        <source>Only A</source>
        <translation>仅 A</translation>
    </message>
    <message>
        <source>Correct with A, wrong with B.</source>
        <translation>A 正确，B 错误。</translation>
    </message>
    <message>
        <source>Only B</source>
        <translation>仅 B</translation>
    </message>
    <message>
        <source>Correct with B, wrong with A.</source>
        <translation>B 正确，A 错误。</translation>
    </message>
    <message>
        <source>Both wrong</source>
        <translation>两者都错</translation>
    </message>
    <message>
        <source>Same prediction</source>
        <translation>预测相同</translation>
    </message>
    <message>
        <source>Fraction of samples for which both predict the same class, correct or not.</source>
        <translation>两者预测为同一类别的样本所占比例，无论正确与否。</translation>
    </message>
    <message>
        <source>McNemar p</source>
        <translation>McNemar p</translation>
    </message>
    <message>
        <source>Probability of a difference at least this large if both were equally accurate: exact two-sided test on the samples that only one of them predicts correctly.</source>
        <translation>若两者准确率相同，出现至少如此大的差异的概率：对只有其中一个预测正确的样本进行精确双侧检验。</translation>
    </message>
    <message>
        <source>%1, top-1</source>
        <translation>%1，top-1</translation>
    </message>
    <message>
        <source>Points lost</source>
        <translation>损失的百分点</translation>
    </message>
    <message>
        <source>Top-1 of the first minus that of the least accurate; ≈: their intervals overlap.</source>
        <translation>第一个的 top-1 减去最不准确者的 top-1；≈：区间重叠。</translation>
    </message>
    <message>
        <source>True class</source>
        <translation>真实类别</translation>
    </message>
    <message>
        <source>Predicted</source>
        <translation>预测类别</translation>
    </message>
    <message>
        <source>Of true class</source>
        <translation>占真实类别的比例</translation>
    </message>
    <message>
        <source>Fraction of the true class&apos;s samples that are predicted as the other class.</source>
        <translation>真实类别的样本中被预测为另一类别的比例。</translation>
    </message>
    <message numerus="yes">
        <source>%2 misclassifies %1 sample(s) that %3 gets right, and gets %4 right that %3 misclassifies: %5.</source>
        <translation>
            <numerusform>%2 误分类了 %3 分类正确的 %1 个样本，并正确分类了 %3 误分类的 %4 个样本：%5。</numerusform>
        </translation>
    </message>
    <message>
        <source>a significant difference, McNemar %1</source>
        <translation>差异显著，McNemar %1</translation>
    </message>
    <message>
        <source>not significant, McNemar %1</source>
        <translation>不显著，McNemar %1</translation>
    </message>
    <message>
        <source>yes</source>
        <translation>是</translation>
    </message>
    <message>
        <source>no</source>
        <translation>否</translation>
    </message>
    <message>
        <source>trained</source>
        <translation>已训练</translation>
    </message>
    <message>
        <source>swapped</source>
        <translation>已替换</translation>
    </message>
    <message>
        <source>untrained</source>
        <translation>未训练</translation>
    </message>
    <message>
        <source>not finite</source>
        <translation>非有限值</translation>
    </message>
    <message>
        <source>Prediction</source>
        <translation>预测</translation>
    </message>
    <message>
        <source>Whole model</source>
        <translation>整个模型</translation>
    </message>
    <message>
        <source>Percentiles of the time of a pass</source>
        <translation>单次传播时间的百分位数</translation>
    </message>
    <message>
        <source>Percentiles of the time inside attention</source>
        <translation>注意力内部时间的百分位数</translation>
    </message>
    <message>
        <source>weights</source>
        <translation>权重</translation>
    </message>
    <message>
        <source>mean of values</source>
        <translation>值的均值</translation>
    </message>
    <message>
        <source>The relative error of using the mean of the values for every query</source>
        <translation>每个查询都使用值的平均时的相对误差</translation>
    </message>
    <message>
        <source>Largest in</source>
        <translation>最大处</translation>
    </message>
    <message>
        <source>Top-1 agrees</source>
        <translation>top-1 一致</translation>
    </message>
    <message>
        <source>Notes</source>
        <translation>备注</translation>
    </message>
    <message>
        <source>Features</source>
        <translation>特征</translation>
    </message>
    <message>
        <source>features, cosine</source>
        <translation>特征，余弦</translation>
    </message>
    <message>
        <source>class token</source>
        <translation>类别 token</translation>
    </message>
    <message>
        <source>patch mean</source>
        <translation>图块均值</translation>
    </message>
    <message>
        <source>each patch</source>
        <translation>每个图块</translation>
    </message>
    <message>
        <source>5 % of patches</source>
        <translation>图块第 5 百分位</translation>
    </message>
    <message>
        <source>Lowest in</source>
        <translation>最低处</translation>
    </message>
    <message>
        <source>The block in which the patches differ most</source>
        <translation>各 patch 差异最大的块</translation>
    </message>
    <message>
        <source>block %1, %2</source>
        <translation>块 %1，%2</translation>
    </message>
    <message>
        <source>Metric</source>
        <translation>指标</translation>
    </message>
    <message>
        <source>Before</source>
        <translation>之前</translation>
    </message>
    <message>
        <source>After</source>
        <translation>之后</translation>
    </message>
    <message>
        <source>Change</source>
        <translation>变化</translation>
    </message>
    <message>
        <source>Teacher</source>
        <translation>教师</translation>
    </message>
    <message>
        <source>Fraction of validation samples whose top prediction is correct.</source>
        <translation>首位预测正确的验证样本所占比例。</translation>
    </message>
    <message>
        <source>Fraction of validation samples whose true class is among the top five predictions.</source>
        <translation>真实类别在前五个预测之中的验证样本所占比例。</translation>
    </message>
    <message>
        <source>Agreement with teacher</source>
        <translation>与教师的一致率</translation>
    </message>
    <message>
        <source>Fraction of validation samples with the same top-1 class as the teacher, correct or not.</source>
        <translation>top-1 类别与教师相同的验证样本所占比例，无论正确与否。</translation>
    </message>
    <message>
        <source>KL divergence of the predictions, nats</source>
        <translation>预测的 KL 散度，奈特</translation>
    </message>
    <message>
        <source>Mean Kullback-Leibler divergence from the teacher&apos;s probabilities.</source>
        <translation>相对于教师概率的平均 Kullback-Leibler 散度。</translation>
    </message>
    <message>
        <source>Relative attention error</source>
        <translation>注意力相对误差</translation>
    </message>
    <message>
        <source>Compared with exact attention on the same q, k, v; mean over all layers.</source>
        <translation>在相同的 q、k、v 上与精确注意力比较；所有层的均值。</translation>
    </message>
    <message>
        <source>Relative error, layer %1</source>
        <translation>相对误差，第 %1 层</translation>
    </message>
    <message>
        <source>Compared with exact attention on the same q, k, v of this layer.</source>
        <translation>在此层相同的 q、k、v 上与精确注意力比较。</translation>
    </message>
    <message>
        <source>median, p5–p95</source>
        <translation>中位数，p5–p95</translation>
    </message>
    <message>
        <source>median, bars p5–p95</source>
        <translation>中位数，误差条 p5–p95</translation>
    </message>
    <message>
        <source>bars: 95 % interval</source>
        <translation>误差条：95 % 区间</translation>
    </message>
    <message>
        <source>top-5</source>
        <translation>top-5</translation>
    </message>
    <message>
        <source>Fraction of readable samples whose true class is among the top five predictions.</source>
        <translation>真实类别在前五个预测之中的可读样本所占比例。</translation>
    </message>
    <message>
        <source>model time</source>
        <translation>模型时间</translation>
    </message>
    <message>
        <source>Median of one forward pass of the whole model.</source>
        <translation>整个模型一次前向传播的中位数。</translation>
    </message>
    <message>
        <source>attention time</source>
        <translation>注意力时间</translation>
    </message>
    <message>
        <source>Median time inside attention, summed over layers.</source>
        <translation>注意力内部耗时的中位数，按层求和。</translation>
    </message>
    <message>
        <source>activations</source>
        <translation>激活</translation>
    </message>
    <message>
        <source>peak memory</source>
        <translation>峰值内存</translation>
    </message>
    <message>
        <source>Peak tensor memory of a forward pass, without weights.</source>
        <translation>一次前向传播的张量内存峰值，不含权重。</translation>
    </message>
    <message>
        <source>on exact q, k, v</source>
        <translation>基于精确的 q、k、v</translation>
    </message>
    <message>
        <source>relative error</source>
        <translation>相对误差</translation>
    </message>
    <message>
        <source>mean over seeds, bars ± standard deviation</source>
        <translation>各种子的均值，误差条 ± 标准差</translation>
    </message>
    <message>
        <source>How far the attention&apos;s output is from that of exact attention, as a fraction of it, where every layer gets the q, k and v of the exact network (teacher-forced). &quot;mean&quot; is the error of using the mean of the values for every query: an approximation with an error that large ignores the queries.</source>
        <translation>注意力输出与精确注意力输出的偏差，以后者为单位；每一层都使用精确网络的 q、k、v（teacher forcing）。“均值”是对每个 query 都使用 value 均值时的误差：误差这么大的近似等于忽略 query。</translation>
    </message>
    <message>
        <source>attention memory</source>
        <translation>注意力内存</translation>
    </message>
    <message>
        <source>KL divergence</source>
        <translation>KL 散度</translation>
    </message>
    <message>
        <source>1 − cosine of features</source>
        <translation>1 − 特征余弦</translation>
    </message>
    <message>
        <source>Fraction of readable samples whose top prediction is correct, with its 95 % Wilson interval (sampling uncertainty).</source>
        <translation>首位预测正确的可读样本所占比例，附 95 % Wilson 区间（抽样不确定性）。</translation>
    </message>
    <message>
        <source>Final learning rate of the schedule</source>
        <translation>学习率计划的最终学习率</translation>
    </message>
    <message>
        <source>AdamW weight decay; not applied to biases, norms, tokens and position embeddings</source>
        <translation>AdamW 权重衰减；不作用于偏置、归一化层、token 和位置嵌入</translation>
    </message>
    <message>
        <source>Maximum total gradient norm; 0: no limit</source>
        <translation>梯度总范数的最大值；0：无限制</translation>
    </message>
    <message>
        <source>Loss weight of each layer&apos;s attention output error</source>
        <translation>每层注意力输出误差在损失中的权重</translation>
    </message>
    <message>
        <source>Loss weight of the Kullback-Leibler divergence of the predictions</source>
        <translation>预测的 Kullback-Leibler 散度在损失中的权重</translation>
    </message>
    <message>
        <source>Loss weight of the labels</source>
        <translation>标签在损失中的权重</translation>
    </message>
    <message>
        <source>Softmax temperature of that divergence</source>
        <translation>该散度的 softmax 温度</translation>
    </message>
    <message>
        <source>Number of initial epochs that train only the attention&apos;s own parameters</source>
        <translation>开头只训练注意力自身参数的轮数</translation>
    </message>
    <message>
        <source>Number of training samples to use, spread evenly; 0: all</source>
        <translation>使用的训练样本数，均匀选取；0：全部</translation>
    </message>
    <message>
        <source>Threads that load and augment samples; 0: one per core</source>
        <translation>加载和增强样本的线程数；0：每个核心一个</translation>
    </message>
    <message>
        <source>Learned map after LARA&apos;s pooling; auto: the checkpoint&apos;s if it has one</source>
        <translation>LARA 池化之后的可学习映射；auto：若检查点有则与其相同</translation>
    </message>
    <message>
        <source>Number of batches whose gradients are accumulated before each weight update</source>
        <translation>每次更新权重之前累积梯度的批次数</translation>
    </message>
    <message>
        <source>Label smoothing: fraction of a label that is spread over all classes</source>
        <translation>标签平滑：标签中分摊到所有类别的比例</translation>
    </message>
    <message>
        <source>Stochastic depth rate of the last block; increases linearly with depth</source>
        <translation>最后一个块的随机深度比率；随深度线性增加</translation>
    </message>
    <message>
        <source>Decay of an exponential moving average of the weights, which becomes the result; 0: none</source>
        <translation>权重指数移动平均的衰减，该平均即为结果；0：不使用</translation>
    </message>
    <message>
        <source>Use bfloat16 inside linear layers and convolutions</source>
        <translation>在线性层和卷积内使用 bfloat16</translation>
    </message>
    <message>
        <source>Minimum fraction of the image area kept by a random crop</source>
        <translation>随机裁剪所保留图像面积的最小比例</translation>
    </message>
    <message>
        <source>Maximum fraction of the image area kept by a random crop</source>
        <translation>随机裁剪所保留图像面积的最大比例</translation>
    </message>
    <message>
        <source>Probability of a horizontal flip</source>
        <translation>水平翻转的概率</translation>
    </message>
    <message>
        <source>Number of RandAugment operations per image; 0: none</source>
        <translation>每张图像的 RandAugment 操作数；0：无</translation>
    </message>
    <message>
        <source>Magnitude of the RandAugment operations, 0 to 10</source>
        <translation>RandAugment 操作的强度，0 至 10</translation>
    </message>
    <message>
        <source>Probability of random erasing</source>
        <translation>随机擦除的概率</translation>
    </message>
    <message>
        <source>α of mixup; 0: none</source>
        <translation>mixup 的 α；0：不使用</translation>
    </message>
    <message>
        <source>α of CutMix; 0: none</source>
        <translation>CutMix 的 α；0：不使用</translation>
    </message>
    <message>
        <source>Block</source>
        <translation>块</translation>
    </message>
    <message>
        <source>Drift</source>
        <translation>漂移</translation>
    </message>
    <message>
        <source>Relative difference of the block&apos;s output</source>
        <translation>该块输出的相对差异</translation>
    </message>
    <message>
        <source>CKA, same place</source>
        <translation>CKA（相同位置）</translation>
    </message>
    <message>
        <source>Linear centred kernel alignment with the block of the same number</source>
        <translation>与同编号块的线性中心核对齐</translation>
    </message>
    <message>
        <source>Most alike</source>
        <translation>最相似</translation>
    </message>
    <message>
        <source>The block of the other network with the largest CKA</source>
        <translation>另一网络中 CKA 最大的块</translation>
    </message>
    <message>
        <source>CKA</source>
        <translation>CKA</translation>
    </message>
    <message>
        <source>Tensor</source>
        <translation>张量</translation>
    </message>
    <message>
        <source>Shape</source>
        <translation>形状</translation>
    </message>
    <message>
        <source>Relative difference</source>
        <translation>相对差异</translation>
    </message>
    <message>
        <source>Norm of the difference over the first&apos;s norm</source>
        <translation>差值的范数除以第一个的范数</translation>
    </message>
    <message>
        <source>Largest change</source>
        <translation>最大变化</translation>
    </message>
    <message>
        <source>Key</source>
        <translation>键</translation>
    </message>
    <message>
        <source>First network</source>
        <translation>第一个网络</translation>
    </message>
    <message>
        <source>Second network</source>
        <translation>第二个网络</translation>
    </message>
    <message>
        <source>CKA of patches</source>
        <translation>图块的 CKA</translation>
    </message>
    <message>
        <source>Linear centred kernel alignment with the first network&apos;s patches</source>
        <translation>与第一个网络图块的线性中心核对齐</translation>
    </message>
    <message>
        <source>network %1</source>
        <translation>网络 %1</translation>
    </message>
    <message>
        <source>Protocol</source>
        <translation>评估方案</translation>
    </message>
    <message>
        <source>Corruption</source>
        <translation>损坏类型</translation>
    </message>
    <message>
        <source>Mean corruption error (mCE, %)</source>
        <translation>平均损坏误差（mCE，%）</translation>
    </message>
    <message>
        <source>Outliers</source>
        <translation>离群样本</translation>
    </message>
    <message>
        <source>Area under precision and recall (%)</source>
        <translation>精确率—召回率曲线下面积（%）</translation>
    </message>
    <message>
        <source>Kept</source>
        <translation>保留内容</translation>
    </message>
    <message>
        <source>B − A</source>
        <translation>B − A</translation>
    </message>
    <message>
        <source>Difference of the top-1 accuracies in percentage points, with its 95 % interval by the paired bootstrap.</source>
        <translation>Top-1 准确率之差（百分点），附配对自助法的 95 % 区间。</translation>
    </message>
    <message>
        <source>Holm p</source>
        <translation>Holm p</translation>
    </message>
    <message>
        <source>McNemar&apos;s p, adjusted by Holm&apos;s procedure for all pairs compared here: below 0.05, the difference is significant among all of them.</source>
        <translation>对此处比较的所有配对按 Holm 方法校正的 McNemar p 值：低于 0.05 时，该差异在全部配对中仍然显著。</translation>
    </message>
    <message>
        <source>Macro top-1</source>
        <translation>宏平均 Top-1</translation>
    </message>
    <message>
        <source>Mean over classes of the top-1 accuracy in each.</source>
        <translation>各类别 Top-1 准确率的平均值。</translation>
    </message>
    <message>
        <source>NLL</source>
        <translation>NLL</translation>
    </message>
    <message>
        <source>Negative log-likelihood in nats: mean over samples of −ln of the true class&apos;s probability.</source>
        <translation>负对数似然（单位 nat）：各样本真实类别概率的 −ln 的平均值。</translation>
    </message>
    <message>
        <source>ECE</source>
        <translation>ECE</translation>
    </message>
    <message>
        <source>Expected calibration error: mean difference between accuracy and predicted probability over 15 bins of the first class&apos;s probability.</source>
        <translation>期望校准误差：按首位类别概率分成 15 个区间，准确率与预测概率之差的平均值。</translation>
    </message>
    <message>
        <source>Brier score</source>
        <translation>Brier 分数</translation>
    </message>
    <message>
        <source>Mean over samples of the squared differences between the predicted probabilities and 1 for the true class, 0 for the others, summed over classes.</source>
        <translation>预测概率与目标（真实类别为 1，其余为 0）之差的平方按类别求和，再对样本取平均。</translation>
    </message>
    <message>
        <source>Actions</source>
        <translation>动作</translation>
    </message>
    <message>
        <source>Verb top-1 (%)</source>
        <translation>动词 Top-1 (%)</translation>
    </message>
    <message>
        <source>Noun top-1 (%)</source>
        <translation>名词 Top-1 (%)</translation>
    </message>
    <message>
        <source>Action top-1 (%)</source>
        <translation>动作 Top-1 (%)</translation>
    </message>
</context>
<context>
    <name>attnscope::TokenMapInfo</name>
    <message>
        <source>Clusters of queries</source>
        <translation>查询的聚类</translation>
    </message>
    <message>
        <source>queries of one landmark</source>
        <translation>同一地标的查询</translation>
    </message>
    <message>
        <source>Distance from the landmark</source>
        <translation>到地标的距离</translation>
    </message>
    <message>
        <source>√s ‖q − landmark‖, whose square the error follows</source>
        <translation>√s ‖q − 地标‖，误差随其平方变化</translation>
    </message>
    <message>
        <source>Blocks kept exactly</source>
        <translation>精确保留的块</translation>
    </message>
    <message>
        <source>the query&apos;s weight on each block whose keys it sees one by one</source>
        <translation>查询在逐个看到其键的各块上的权重</translation>
    </message>
    <message>
        <source>Tail</source>
        <translation>尾部</translation>
    </message>
    <message>
        <source>the query&apos;s weight on the mean of each other block</source>
        <translation>查询在其他各块均值上的权重</translation>
    </message>
    <message>
        <source>Weight of the tail</source>
        <translation>尾部的权重</translation>
    </message>
    <message>
        <source>every query&apos;s weight on means of blocks</source>
        <translation>每个查询在块均值上的权重</translation>
    </message>
    <message>
        <source>Keys of the coreset</source>
        <translation>核心集的键</translation>
    </message>
    <message>
        <source>how many keys each chosen key stands for</source>
        <translation>每个所选键代表多少个键</translation>
    </message>
    <message>
        <source>Weights of the coreset</source>
        <translation>核心集的权重</translation>
    </message>
    <message>
        <source>the query&apos;s weight on each chosen key</source>
        <translation>查询在每个所选键上的权重</translation>
    </message>
    <message>
        <source>Error of the queries</source>
        <translation>查询的误差</translation>
    </message>
    <message>
        <source>of every query&apos;s output, relative to the size of the outputs</source>
        <translation>每个查询输出的误差，相对于输出的大小</translation>
    </message>
</context>
<context>
    <name>attnscope::engine</name>
    <message>
        <source>tokens</source>
        <translation>token</translation>
    </message>
    <message>
        <source>samples</source>
        <translation>样本</translation>
    </message>
    <message>
        <source>layer</source>
        <translation>层</translation>
    </message>
    <message>
        <source>epoch</source>
        <translation>轮次</translation>
    </message>
    <message>
        <source>position</source>
        <translation>位置</translation>
    </message>
    <message>
        <source>norm</source>
        <translation>范数</translation>
    </message>
    <message>
        <source>latency</source>
        <translation>延迟</translation>
    </message>
    <message>
        <source>latency of the model</source>
        <translation>模型延迟</translation>
    </message>
    <message>
        <source>time of one token</source>
        <translation>单个 token 的时间</translation>
    </message>
    <message>
        <source>tokens later, plus one</source>
        <translation>之后的 token 数加一</translation>
    </message>
    <message>
        <source>norm of x and y, scaled as features see them</source>
        <translation>x 与 y 的范数（按特征所见缩放）</translation>
    </message>
    <message>
        <source>blocks run, mean over samples</source>
        <translation>运行的块数，样本均值</translation>
    </message>
    <message>
        <source>top-1 accuracy</source>
        <translation>top-1 准确率</translation>
    </message>
    <message>
        <source>relative difference</source>
        <translation>相对差异</translation>
    </message>
    <message>
        <source>relative error</source>
        <translation>相对误差</translation>
    </message>
    <message>
        <source>λ (0: the model, 1: the neighbours)</source>
        <translation>λ（0：模型，1：近邻）</translation>
    </message>
    <message>
        <source>time of attention relative to exact</source>
        <translation>注意力时间（相对精确）</translation>
    </message>
    <message>
        <source>peak memory of attention relative to exact</source>
        <translation>注意力峰值内存（相对精确）</translation>
    </message>
    <message>
        <source>latency of one forward pass</source>
        <translation>一次前向的延迟</translation>
    </message>
    <message>
        <source>peak memory of one forward pass</source>
        <translation>一次前向的峰值内存</translation>
    </message>
    <message>
        <source>relative error of the attention output</source>
        <translation>注意力输出的相对误差</translation>
    </message>
    <message>
        <source>same q, k, v</source>
        <translation>相同的 q、k、v</translation>
    </message>
    <message>
        <source>end to end</source>
        <translation>端到端</translation>
    </message>
    <message>
        <source>one layer at a time</source>
        <translation>逐层单独</translation>
    </message>
    <message>
        <source>maps</source>
        <translation>注意力图</translation>
    </message>
    <message>
        <source>accuracy</source>
        <translation>准确率</translation>
    </message>
    <message>
        <source>checking</source>
        <translation>检验</translation>
    </message>
    <message>
        <source>errors</source>
        <translation>误差</translation>
    </message>
    <message>
        <source>error</source>
        <translation>误差</translation>
    </message>
    <message>
        <source>time</source>
        <translation>时间</translation>
    </message>
    <message>
        <source>parallel form</source>
        <translation>并行形式</translation>
    </message>
    <message>
        <source>training features</source>
        <translation>训练特征</translation>
    </message>
    <message>
        <source>features</source>
        <translation>特征</translation>
    </message>
    <message>
        <source>index</source>
        <translation>索引</translation>
    </message>
    <message>
        <source>training of the linear probe</source>
        <translation>线性探针训练</translation>
    </message>
    <message>
        <source>cost of every layer</source>
        <translation>各层开销</translation>
    </message>
    <message>
        <source>layer %1</source>
        <translation>第 %1 层</translation>
    </message>
    <message>
        <source>effect of layer %1</source>
        <translation>第 %1 层的影响</translation>
    </message>
    <message>
        <source>%1 tokens</source>
        <translation>%1 个 token</translation>
    </message>
    <message>
        <source>timing at %1</source>
        <translation>在 %1 处计时</translation>
    </message>
    <message>
        <source>KL of the classes</source>
        <translation>类别的 KL</translation>
    </message>
    <message>
        <source>1 − cosine of the features</source>
        <translation>1 − 特征余弦</translation>
    </message>
    <message>
        <source>about %1 s</source>
        <translation>约 %1 秒</translation>
    </message>
    <message>
        <source>about %1 min</source>
        <translation>约 %1 分钟</translation>
    </message>
    <message>
        <source>about %1 h %2 min</source>
        <translation>约 %1 小时 %2 分钟</translation>
    </message>
</context>
<context>
    <name>attnscope::ui</name>
    <message>
        <source>%1: cannot be written; choose a writable folder.</source>
        <translation>%1：无法写入；请选择可写的文件夹。</translation>
    </message>
    <message>
        <source>relative error</source>
        <translation>相对误差</translation>
    </message>
    <message>
        <source>MSE</source>
        <translation>MSE</translation>
    </message>
    <message>
        <source>mean of values</source>
        <translation>值的均值</translation>
    </message>
    <message>
        <source>class %1</source>
        <translation>类别 %1</translation>
    </message>
    <message>
        <source>None</source>
        <translation>零</translation>
    </message>
    <message>
        <source>One</source>
        <translation>一</translation>
    </message>
    <message>
        <source>Two</source>
        <translation>两</translation>
    </message>
    <message>
        <source>Three</source>
        <translation>三</translation>
    </message>
    <message>
        <source>Four</source>
        <translation>四</translation>
    </message>
    <message>
        <source>Five</source>
        <translation>五</translation>
    </message>
    <message>
        <source>Six</source>
        <translation>六</translation>
    </message>
    <message>
        <source>Seven</source>
        <translation>七</translation>
    </message>
    <message>
        <source>Eight</source>
        <translation>八</translation>
    </message>
    <message>
        <source>%1 predicts %2</source>
        <translation>%1 预测为 %2</translation>
    </message>
    <message>
        <source>Both predict %1</source>
        <translation>两者都预测为 %1</translation>
    </message>
    <message>
        <source>All %1 predict %2</source>
        <translation>全部%1个都预测为 %2</translation>
    </message>
    <message>
        <source>%1 of %2 predict %3</source>
        <translation>%2个中有%1个预测为 %3</translation>
    </message>
    <message>
        <source>%1 predict otherwise</source>
        <translation>%1个预测不同</translation>
    </message>
    <message>
        <source>Exact attention alone: its features are what others are compared with</source>
        <translation>只有精确注意力：其特征是其他后端的比较基准</translation>
    </message>
    <message>
        <source>Feature cosine %1</source>
        <translation>特征余弦 %1</translation>
    </message>
    <message>
        <source>Feature cosine %1 to %2</source>
        <translation>特征余弦 %1 至 %2</translation>
    </message>
    <message>
        <source>error %1</source>
        <translation>误差 %1</translation>
    </message>
    <message>
        <source>attention time %1</source>
        <translation>注意力时间 %1</translation>
    </message>
    <message>
        <source>memory %1</source>
        <translation>内存 %1</translation>
    </message>
    <message>
        <source>Measuring %1: %2. Completed measurements are kept.</source>
        <translation>正在测量 %1：%2。已完成的测量会保留。</translation>
    </message>
    <message>
        <source>Loading the model and the image.</source>
        <translation>正在加载模型和图像。</translation>
    </message>
    <message>
        <source>The features are not finite</source>
        <translation>特征不是有限值</translation>
    </message>
    <message>
        <source>Features were not measured yet</source>
        <translation>尚未测量特征</translation>
    </message>
    <message>
        <source>Not run yet</source>
        <translation>尚未运行</translation>
    </message>
    <message>
        <source>Press Run (F5) to compare the features of every selected backend with those of exact attention.</source>
        <translation>按“运行”（F5）将所有选定后端的特征与精确注意力的特征进行比较。</translation>
    </message>
    <message>
        <source>Running each backend…</source>
        <translation>正在运行每个后端…</translation>
    </message>
    <message>
        <source>Compare costs only: these weights are untrained</source>
        <translation>仅比较成本：这些权重未经训练</translation>
    </message>
    <message>
        <source>This file could not be read</source>
        <translation>无法读取此文件</translation>
    </message>
    <message>
        <source>Processing continues with the other inputs.</source>
        <translation>继续处理其他输入。</translation>
    </message>
    <message>
        <source>No prediction: the logits are not finite</source>
        <translation>没有预测：logit 不是有限值</translation>
    </message>
    <message>
        <source>Press Run (F5) to run every selected backend and measure its cost.</source>
        <translation>按“运行”（F5）运行所有选定的后端并测量其成本。</translation>
    </message>
    <message>
        <source>; the logits of %1 are not finite</source>
        <translation>；%1 的 logit 不是有限值</translation>
    </message>
    <message>
        <source>deterministic</source>
        <translation>确定性</translation>
    </message>
    <message>
        <source>= bias²</source>
        <translation>= 偏差²</translation>
    </message>
    <message>
        <source>no variance</source>
        <translation>无方差</translation>
    </message>
    <message>
        <source>+ variance</source>
        <translation>+ 方差</translation>
    </message>
    <message>
        <source>zero</source>
        <translation>零</translation>
    </message>
    <message>
        <source>prefix tokens</source>
        <translation>前缀 token</translation>
    </message>
    <message>
        <source>patches</source>
        <translation>图块</translation>
    </message>
    <message>
        <source>this layer alone</source>
        <translation>仅此层</translation>
    </message>
    <message>
        <source>KL %1, same class</source>
        <translation>KL %1，类别相同</translation>
    </message>
    <message>
        <source>KL %1, ≠ class</source>
        <translation>KL %1，类别 ≠</translation>
    </message>
    <message>
        <source>%1 has no %2 in any layer</source>
        <translation>%1 在任何层中都没有 %2</translation>
    </message>
    <message>
        <source>Error is largest</source>
        <translation>误差最大</translation>
    </message>
    <message>
        <source>%1 in %2, head %3: %4</source>
        <translation>%1：%2，头 %3：%4</translation>
    </message>
    <message>
        <source> relative</source>
        <translation> (相对)</translation>
    </message>
    <message>
        <source>%1 and %2 others</source>
        <translation>%1 以及另外 %2 个</translation>
    </message>
    <message>
        <source>The network has no head: there is no prediction that %1 could change</source>
        <translation>网络没有分类头：没有 %1 可以改变的预测</translation>
    </message>
    <message>
        <source>The logits with %1 or with exact attention are not finite, so there is no prediction to compare</source>
        <translation>%1 或精确注意力的 logit 不是有限值，因此没有可比较的预测</translation>
    </message>
    <message>
        <source>%1 keeps the prediction</source>
        <translation>%1 保持预测不变</translation>
    </message>
    <message>
        <source>%1 changes the prediction</source>
        <translation>%1 改变了预测</translation>
    </message>
    <message>
        <source>%1 keeps the prediction, although %2 alone would change it</source>
        <translation>%1 保持预测不变，尽管仅 %2 就会改变它</translation>
    </message>
    <message>
        <source>%1 changes the prediction: %2 alone is enough</source>
        <translation>%1 改变了预测：仅 %2 就已足够</translation>
    </message>
    <message>
        <source>%1 keeps the prediction; %2 has the largest effect on its own, KL %3</source>
        <translation>%1 保持预测不变；单独影响最大的是 %2，KL %3</translation>
    </message>
    <message>
        <source>%1 changes the prediction, but no single layer does; %2 has the largest effect on its own, KL %3</source>
        <translation>%1 改变了预测，但没有任何单独一层会如此；单独影响最大的是 %2，KL %3</translation>
    </message>
    <message>
        <source>%1 could not be run</source>
        <translation>%1 无法运行</translation>
    </message>
    <message>
        <source>softmax</source>
        <translation>softmax</translation>
    </message>
    <message>
        <source>%1 vs. %2 on %3</source>
        <translation>%1 与 %2 比较，输入 %3</translation>
    </message>
    <message>
        <source>%1 layers × %2 heads</source>
        <translation>%1 层 × %2 头</translation>
    </message>
    <message>
        <source>%1 weights</source>
        <translation>%1 权重</translation>
    </message>
    <message>
        <source>tensors only</source>
        <translation>仅张量</translation>
    </message>
    <message>
        <source>%1 of queries saw no key and used all</source>
        <translation>%1 的查询看不到任何键，因此使用了全部键</translation>
    </message>
    <message>
        <source>landmark (%1, %2)</source>
        <translation>地标 (%1, %2)</translation>
    </message>
    <message>
        <source>landmark token %1</source>
        <translation>地标 token %1</translation>
    </message>
    <message>
        <source>query: class token</source>
        <translation>查询：类别 token</translation>
    </message>
    <message>
        <source>query: frame %1, patch (%2, %3)</source>
        <translation>查询：帧 %1，图块 (%2, %3)</translation>
    </message>
    <message>
        <source>query: patch (%1, %2)</source>
        <translation>查询：图块 (%1, %2)</translation>
    </message>
    <message>
        <source>keys seen</source>
        <translation>可见键</translation>
    </message>
    <message>
        <source>keys that the query sees</source>
        <translation>查询看到的键</translation>
    </message>
    <message>
        <source>mass kept</source>
        <translation>保留质量</translation>
    </message>
    <message>
        <source>exact attention&apos;s weight on the keys that each query sees</source>
        <translation>精确注意力在每个查询所见的键上的权重</translation>
    </message>
    <message>
        <source>mass kept of exact</source>
        <translation>精确注意力的保留质量</translation>
    </message>
    <message>
        <source>made with %1</source>
        <translation>以 %1 测得</translation>
    </message>
    <message>
        <source>made with other settings</source>
        <translation>以其他设置测得</translation>
    </message>
    <message>
        <source>%1 %</source>
        <translation>%1 %</translation>
    </message>
    <message>
        <source>%1: %2, cosine similarity %3, weight %4</source>
        <translation>%1：%2，余弦相似度 %3，权重 %4</translation>
    </message>
    <message>
        <source>%1: %2, distance %3, weight %4</source>
        <translation>%1：%2，距离 %3，权重 %4</translation>
    </message>
    <message>
        <source>%1, the same class</source>
        <translation>%1，类别相同</translation>
    </message>
    <message>
        <source>%1, another class</source>
        <translation>%1，类别不同</translation>
    </message>
    <message>
        <source>%1, %2</source>
        <translation>%1，%2</translation>
    </message>
    <message>
        <source>made with the model&apos;s own image size</source>
        <translation>以模型自身的图像大小测得</translation>
    </message>
    <message>
        <source>made with %1 px</source>
        <translation>以 %1 px 测得</translation>
    </message>
    <message>
        <source>made with seed %1</source>
        <translation>以种子 %1 测得</translation>
    </message>
    <message>
        <source>bias²</source>
        <translation>偏差²</translation>
    </message>
    <message>
        <source>%1 times as fast as explicit softmax</source>
        <translation>速度为显式 softmax 的 %1 倍</translation>
    </message>
    <message>
        <source>within %1 ms</source>
        <translation>延迟不超过 %1 ms</translation>
    </message>
    <message>
        <source>with a relative error of at most %1</source>
        <translation>相对误差不超过 %1</translation>
    </message>
    <message>
        <source>with a KL of at most %1 nats</source>
        <translation>KL 不超过 %1 奈特</translation>
    </message>
    <message>
        <source>with a top-1 accuracy of at least %1 %</source>
        <translation>top-1 准确率不低于 %1 %</translation>
    </message>
    <message>
        <source>with a top-1 loss of at most %1 point</source>
        <translation>top-1 损失不超过 %1 个百分点</translation>
    </message>
    <message>
        <source>with a top-1 loss of at most %1 points</source>
        <translation>top-1 损失不超过 %1 个百分点</translation>
    </message>
    <message>
        <source>%1 and %2</source>
        <translation>%1 和 %2</translation>
    </message>
    <message>
        <source>“%1” is not a whole number from 1 to %2.</source>
        <translation>“%1”不是 1 至 %2 之间的整数。</translation>
    </message>
    <message>
        <source>%1 comes after %2; list the numbers in ascending order without repeats.</source>
        <translation>%1 位于 %2 之后；请按升序列出各数，不要重复。</translation>
    </message>
    <message>
        <source>No numbers given; enter some separated by commas, such as 256,512,1024.</source>
        <translation>未给出数字；请输入若干以半角逗号分隔的数，例如 256,512,1024。</translation>
    </message>
    <message>
        <source>Under load: the load average was %1 on %2 threads at the start; on an idle machine it may be faster.</source>
        <translation>有负载：开始时 %2 个线程上的平均负载为 %1；在空闲的机器上可能更快。</translation>
    </message>
    <message>
        <source>Choose the folder with the images or videos to train on.</source>
        <translation>请选择用于训练的图像或视频文件夹。</translation>
    </message>
    <message>
        <source>%1 does not exist; choose a folder with one subfolder per class.</source>
        <translation>%1 不存在；请选择每个类别一个子文件夹的文件夹。</translation>
    </message>
    <message>
        <source>%1 does not exist; choose a checkpoint.</source>
        <translation>%1 不存在；请选择一个检查点。</translation>
    </message>
    <message>
        <source>Choose where to save the trained weights.</source>
        <translation>请选择保存训练所得权重的位置。</translation>
    </message>
    <message>
        <source>%1 does not end in .safetensors, the only format that weights are saved in.</source>
        <translation>%1 不以 .safetensors 结尾，而权重只能保存为此格式。</translation>
    </message>
    <message>
        <source>The folder %1 does not exist; choose an existing one.</source>
        <translation>文件夹 %1 不存在；请选择已有的文件夹。</translation>
    </message>
    <message>
        <source>%1 already exists; choose another name, or choose to replace it.</source>
        <translation>%1 已存在；请选择其他名称，或选择替换它。</translation>
    </message>
    <message>
        <source>Choose the checkpoint to start from.</source>
        <translation>请选择作为起点的检查点。</translation>
    </message>
    <message>
        <source>The batch size %1 is larger than the number of training samples, %2.</source>
        <translation>批次大小 %1 大于训练样本数 %2。</translation>
    </message>
    <message>
        <source>The learning rate must be above 0; 0.001 is typical when starting from random weights.</source>
        <translation>学习率必须大于 0；从随机权重开始时通常为 0.001。</translation>
    </message>
    <message>
        <source>Warm-up takes %1 of %2 epochs; leave at least one epoch after it.</source>
        <translation>预热占 %2 轮中的 %1 轮；请在其后至少留出一轮。</translation>
    </message>
    <message>
        <source>The final learning rate, %1, must not be above the peak learning rate, %2.</source>
        <translation>最终学习率 %1 不得高于峰值学习率 %2。</translation>
    </message>
    <message>
        <source>The minimum crop scale is larger than the maximum.</source>
        <translation>最小裁剪比例大于最大裁剪比例。</translation>
    </message>
    <message>
        <source>At least one of the loss weights for attention, predictions and labels must be above 0.</source>
        <translation>注意力、预测和标签的损失权重中至少有一个必须大于 0。</translation>
    </message>
    <message>
        <source>intervals overlap with %1</source>
        <translation>区间与 %1 重叠</translation>
    </message>
    <message>
        <source>%1 points more than %2</source>
        <translation>%1 个百分点，高于 %2</translation>
    </message>
    <message>
        <source>%1 points less than %2</source>
        <translation>%1 个百分点，低于 %2</translation>
    </message>
    <message>
        <source>made with another model</source>
        <translation>以其他模型测得</translation>
    </message>
    <message>
        <source>made with other weights</source>
        <translation>以其他权重测得</translation>
    </message>
    <message>
        <source>made with device %1</source>
        <translation>以设备 %1 测得</translation>
    </message>
    <message>
        <source>made with %1 views</source>
        <translation>以 %1 个视图测得</translation>
    </message>
    <message>
        <source>The settings contain backends that this build does not support (%1); they are skipped.</source>
        <translation>设置中含有此构建版本不支持的后端（%1）；已跳过。</translation>
    </message>
    <message>
        <source>The settings file was damaged (%1); defaults are used and the file was kept as %2.</source>
        <translation>设置文件已损坏（%1）；使用默认值，并将该文件保留为 %2。</translation>
    </message>
    <message>
        <source>The settings file is damaged (%1) and cannot be moved aside; defaults are used.</source>
        <translation>设置文件已损坏（%1），且无法移走；使用默认值。</translation>
    </message>
    <message>
        <source>Settings could not be saved to %1; check that the folder is writable.</source>
        <translation>无法将设置保存到 %1；请检查该文件夹是否可写。</translation>
    </message>
    <message>
        <source>Unknown field “%1:”; the fields are %2.</source>
        <translation>未知字段“%1:”；可用字段为 %2。</translation>
    </message>
    <message>
        <source>mean squared error</source>
        <translation>均方误差</translation>
    </message>
    <message>
        <source>variance over seeds</source>
        <translation>不同种子的方差</translation>
    </message>
    <message>
        <source>relative error of the class token</source>
        <translation>类别 token 的相对误差</translation>
    </message>
    <message>
        <source>relative error of the patches</source>
        <translation>图块的相对误差</translation>
    </message>
    <message>
        <source>%1 is largest</source>
        <translation>%1最大</translation>
    </message>
    <message>
        <source>layer %1</source>
        <translation>第 %1 层</translation>
    </message>
    <message>
        <source>made with one thread per core</source>
        <translation>以每核一个线程测得</translation>
    </message>
    <message>
        <source>made with %1 s</source>
        <translation>以 %1 秒测得</translation>
    </message>
    <message>
        <source>The results of the last session cannot be shown (their file %1); it was kept as %2.</source>
        <translation>无法显示上次会话的结果（其文件：%1）；该文件已保留为 %2。</translation>
    </message>
    <message>
        <source>The results of the last session cannot be shown (their file %1).</source>
        <translation>无法显示上次会话的结果（其文件：%1）。</translation>
    </message>
    <message>
        <source>Open another one with Ctrl+O.</source>
        <translation>请用 Ctrl+O 打开其他文件。</translation>
    </message>
    <message numerus="yes">
        <source>mean over %1 seed(s)</source>
        <translation>
            <numerusform>%1 个种子的均值</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>made with %1 thread(s)</source>
        <translation>
            <numerusform>以 %1 个线程测得</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>made with %1 seed(s)</source>
        <translation>
            <numerusform>以 %1 个种子测得</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>made with %1 repetition(s)</source>
        <translation>
            <numerusform>以 %1 次重复测得</numerusform>
        </translation>
    </message>
    <message>
        <source>not paired</source>
        <translation>未配对</translation>
    </message>
    <message>
        <source>not timed in the same rounds as %1, so neither is called faster</source>
        <translation>与 %1 不是在相同的轮次中计时，因此不判定哪个更快</translation>
    </message>
    <message>
        <source>no clear difference from %1</source>
        <translation>与 %1 无明显差异</translation>
    </message>
    <message>
        <source>%1 faster than %2</source>
        <translation>%1，快于 %2</translation>
    </message>
    <message>
        <source>%1 slower than %2</source>
        <translation>%1，慢于 %2</translation>
    </message>
    <message>
        <source>%1 or %2</source>
        <translation>%1 或 %2</translation>
    </message>
    <message>
        <source>%1: unknown file format; use the extension %2.</source>
        <translation>%1：未知文件格式；请使用扩展名 %2。</translation>
    </message>
    <message>
        <source>%1 – %2</source>
        <translation>%1 — %2</translation>
    </message>
    <message>
        <source>The other inputs are not affected.</source>
        <translation>其他输入不受影响。</translation>
    </message>
    <message>
        <source>made without class embeddings</source>
        <translation>未使用类别嵌入生成</translation>
    </message>
    <message>
        <source>made with other class embeddings</source>
        <translation>使用其他类别嵌入生成</translation>
    </message>
    <message>
        <source>not worth it: no gain</source>
        <translation>不值得：没有收益</translation>
    </message>
    <message>
        <source>not worth it: ignores the queries</source>
        <translation>不值得：忽略了 query</translation>
    </message>
    <message>
        <source>worth an evaluation</source>
        <translation>值得评估</translation>
    </message>
    <message>
        <source>not worth it: another class</source>
        <translation>不值得：类别不同</translation>
    </message>
    <message>
        <source>%1 (stopped early)</source>
        <translation>%1（提前停止）</translation>
    </message>
    <message>
        <source>Export</source>
        <translation>导出</translation>
    </message>
    <message>
        <source>same</source>
        <translation>相同</translation>
    </message>
    <message>
        <source>the same as %1</source>
        <translation>与 %1 相同</translation>
    </message>
    <message>
        <source>%1 vs. %2</source>
        <translation>%1（相对 %2）</translation>
    </message>
    <message>
        <source>Charts as SVG (*.svg);;Charts as PNG, 2× (*.png);;Charts as PDF (*.pdf);;Table as CSV (*.csv);;Table as TSV (*.tsv);;All results as JSON (*.json)</source>
        <translation>SVG 图表 (*.svg);;2× PNG 图表 (*.png);;PDF 图表 (*.pdf);;CSV 表格 (*.csv);;TSV 表格 (*.tsv);;所有结果的 JSON (*.json)</translation>
    </message>
    <message>
        <source>Replace the second chart?</source>
        <translation>替换第二个图表？</translation>
    </message>
    <message>
        <source>The second chart is saved next to the first one, but %1 already exists.</source>
        <translation>第二个图表会保存在第一个旁边，但 %1 已存在。</translation>
    </message>
    <message>
        <source>Replace</source>
        <translation>替换</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>取消</translation>
    </message>
</context>
<context>
    <name>attnscope::ui::AttentionChoice</name>
    <message>
        <source>More options</source>
        <translation>更多选项</translation>
    </message>
    <message>
        <source>Attention</source>
        <translation>注意力</translation>
    </message>
    <message>
        <source>native (model default)</source>
        <translation>native（模型默认）</translation>
    </message>
    <message>
        <source>Attention specification</source>
        <translation>注意力规格</translation>
    </message>
    <message>
        <source>More attention options</source>
        <translation>更多注意力选项</translation>
    </message>
    <message>
        <source>Fewer options</source>
        <translation>收起选项</translation>
    </message>
</context>
<context>
    <name>attnscope::ui::BackendHeader</name>
    <message>
        <source>Backends</source>
        <translation>后端</translation>
    </message>
</context>
<context>
    <name>attnscope::ui::BackendList</name>
    <message>
        <source>same as run</source>
        <translation>与运行相同</translation>
    </message>
    <message>
        <source>on</source>
        <translation>开</translation>
    </message>
    <message>
        <source>off</source>
        <translation>关</translation>
    </message>
    <message>
        <source>%1 weights</source>
        <translation>%1 权重</translation>
    </message>
    <message>
        <source>native means the model&apos;s own attention; specify that attention by name here</source>
        <translation>native 指模型自身的注意力；请在此以名称指定该注意力</translation>
    </message>
    <message>
        <source>Without training</source>
        <translation>免训练</translation>
    </message>
    <message>
        <source>Paper, N = 196</source>
        <translation>论文，N = 196</translation>
    </message>
    <message>
        <source>Paper, N = 784</source>
        <translation>论文，N = 784</translation>
    </message>
    <message>
        <source>All backends, defaults</source>
        <translation>所有后端，默认选项</translation>
    </message>
</context>
<context>
    <name>attnscope::ui::BackendRow</name>
    <message>
        <source>%1: %2
%3</source>
        <translation>%1：%2
%3</translation>
    </message>
    <message>
        <source>Use %1 as reference</source>
        <translation>将 %1 设为参考</translation>
    </message>
    <message>
        <source>reference</source>
        <translation>参考</translation>
    </message>
    <message>
        <source>Drop-in form</source>
        <translation>即插即用形式</translation>
    </message>
    <message>
        <source>Drop-in form of %1</source>
        <translation>%1 的即插即用形式</translation>
    </message>
    <message>
        <source>Options that keep the accuracy of weights trained with softmax:
%1</source>
        <translation>可保持以 softmax 训练的权重的准确率的选项：
%1</translation>
    </message>
    <message>
        <source>More options</source>
        <translation>更多选项</translation>
    </message>
    <message>
        <source>More options of %1</source>
        <translation>%1 的更多选项</translation>
    </message>
    <message>
        <source>tokens</source>
        <translation>token</translation>
    </message>
    <message>
        <source>all</source>
        <translation>全部</translation>
    </message>
    <message>
        <source>every block has all tokens</source>
        <translation>每个块都有全部 token</translation>
    </message>
    <message>
        <source>Tokens of %1</source>
        <translation>%1 的 token</translation>
    </message>
    <message>
        <source>own</source>
        <translation>自身</translation>
    </message>
    <message>
        <source>How linear layers are stored: in the type of the computation, or in 8 bits with inputs rounded to 8 bits, which takes a quarter of the memory and less time</source>
        <translation>线性层的存储方式：采用计算的类型；或采用 8 位，输入也舍入为 8 位，内存只需四分之一，用时也更少</translation>
    </message>
    <message>
        <source>Weights of %1</source>
        <translation>%1 的权重</translation>
    </message>
    <message>
        <source>Fewer options</source>
        <translation>收起选项</translation>
    </message>
    <message>
        <source>Use as reference</source>
        <translation>设为参考</translation>
    </message>
    <message>
        <source>Add another %1</source>
        <translation>再添加一个 %1</translation>
    </message>
    <message>
        <source>Reset to defaults</source>
        <translation>重置为默认值</translation>
    </message>
    <message>
        <source>Remove</source>
        <translation>移除</translation>
    </message>
    <message>
        <source>weights dtype</source>
        <translation>权重类型</translation>
    </message>
    <message>
        <source>Mixed: different attention per layer</source>
        <translation>混合：每层使用不同的注意力</translation>
    </message>
    <message>
        <source>The network that this runs in, by its weights</source>
        <translation>运行所在的网络，以其权重表示</translation>
    </message>
    <message>
        <source>Network of %1</source>
        <translation>%1 的网络</translation>
    </message>
    <message>
        <source>dtype</source>
        <translation>dtype</translation>
    </message>
    <message>
        <source>same as run</source>
        <translation>与运行相同</translation>
    </message>
    <message>
        <source>The type that its network computes in: another one makes it a column of its own</source>
        <translation>其网络的计算类型：不同的类型单独成列</translation>
    </message>
    <message>
        <source>dtype of %1</source>
        <translation>%1 的 dtype</translation>
    </message>
    <message>
        <source>Remove all of %1</source>
        <translation>移除 %1 的全部条目</translation>
    </message>
    <message>
        <source>network</source>
        <translation>网络</translation>
    </message>
</context>
<context>
    <name>attnscope::ui::BackendsPanel</name>
    <message>
        <source>Backends and presets</source>
        <translation>后端和预设</translation>
    </message>
    <message>
        <source>Presets</source>
        <translation>预设</translation>
    </message>
    <message>
        <source>Preset %1</source>
        <translation>预设 %1</translation>
    </message>
</context>
<context>
    <name>attnscope::ui::BatchDetails</name>
    <message>
        <source>Run details</source>
        <translation>运行详情</translation>
    </message>
    <message>
        <source>Classes</source>
        <translation>类别</translation>
    </message>
    <message>
        <source>Confusion</source>
        <translation>混淆</translation>
    </message>
    <message>
        <source>Misclassified</source>
        <translation>误分类</translation>
    </message>
    <message>
        <source>Pairwise comparison</source>
        <translation>成对比较</translation>
    </message>
    <message>
        <source>Unreadable</source>
        <translation>无法读取</translation>
    </message>
    <message>
        <source>Show</source>
        <translation>显示</translation>
    </message>
    <message>
        <source>Filter of misclassified samples</source>
        <translation>误分类样本的筛选条件</translation>
    </message>
    <message>
        <source>Class</source>
        <translation>类别</translation>
    </message>
    <message>
        <source>True class of the samples</source>
        <translation>样本的真实类别</translation>
    </message>
    <message>
        <source>Accuracy by class</source>
        <translation>各类别的准确率</translation>
    </message>
    <message>
        <source>Confused classes</source>
        <translation>混淆的类别</translation>
    </message>
    <message>
        <source>Pairwise comparison of backends</source>
        <translation>后端的成对比较</translation>
    </message>
    <message>
        <source>Files that could not be read</source>
        <translation>无法读取的文件</translation>
    </message>
    <message>
        <source>Select a run above that has started to see its classes, misclassified samples and pairwise comparison.</source>
        <translation>请在上方选择一个已开始的运行，以查看其类别、误分类样本和成对比较。</translation>
    </message>
    <message>
        <source>All</source>
        <translation>全部</translation>
    </message>
    <message>
        <source>Classes that lose most compared with %1 come first. Click a class to see its misclassified samples.</source>
        <translation>与 %1 相比损失最多的类别排在最前。点击类别可查看其误分类样本。</translation>
    </message>
    <message>
        <source>Worst classes first. Click a class to see its misclassified samples.</source>
        <translation>最差的类别排在最前。点击类别可查看其误分类样本。</translation>
    </message>
    <message>
        <source>%1 does not confuse any classes.</source>
        <translation>%1 没有混淆任何类别。</translation>
    </message>
    <message>
        <source>The %1 most frequent confusions of %2. Click a row to see its images.</source>
        <translation>%2 最常见的 %1 种混淆。点击一行可查看其图像。</translation>
    </message>
    <message>
        <source>%1 predicted as %2</source>
        <translation>%1 被预测为 %2</translation>
    </message>
    <message>
        <source>%1: none yet</source>
        <translation>%1：尚无</translation>
    </message>
    <message>
        <source>%1: %2</source>
        <translation>%1：%2</translation>
    </message>
    <message>
        <source>There is only one backend, so there is nothing to compare it with.</source>
        <translation>只有一个后端，因此没有可比较的对象。</translation>
    </message>
    <message>
        <source>All files could be read.</source>
        <translation>所有文件均可读取。</translation>
    </message>
    <message>
        <source>They count as neither correct nor wrong.</source>
        <translation>它们既不算正确也不算错误。</translation>
    </message>
    <message>
        <source>Wrong where %1 is correct</source>
        <translation>%1 正确时出错</translation>
    </message>
    <message>
        <source>Correct where %1 is wrong</source>
        <translation>%1 出错时正确</translation>
    </message>
    <message>
        <source>Both wrong</source>
        <translation>两者都错</translation>
    </message>
    <message>
        <source>Prediction differs from %1</source>
        <translation>预测与 %1 不同</translation>
    </message>
    <message>
        <source>All misclassified</source>
        <translation>全部误分类</translation>
    </message>
</context>
<context>
    <name>attnscope::ui::BatchPage</name>
    <message>
        <source>class folders (images)</source>
        <translation>类别文件夹（图像）</translation>
    </message>
    <message>
        <source>class folders (videos)</source>
        <translation>类别文件夹（视频）</translation>
    </message>
    <message>
        <source>list</source>
        <translation>列表</translation>
    </message>
    <message>
        <source>Copy as command</source>
        <translation>复制为命令</translation>
    </message>
    <message>
        <source>The attnscope-cli command for the same evaluation</source>
        <translation>进行同一评估的 attnscope-cli 命令</translation>
    </message>
    <message>
        <source>Add folder</source>
        <translation>添加文件夹</translation>
    </message>
    <message>
        <source>Limit</source>
        <translation>上限</translation>
    </message>
    <message>
        <source>Maximum number of samples</source>
        <translation>最大样本数</translation>
    </message>
    <message>
        <source>Number of samples, spread evenly over the folder</source>
        <translation>样本数，在文件夹中均匀抽取</translation>
    </message>
    <message>
        <source>All</source>
        <translation>全部</translation>
    </message>
    <message>
        <source>Folder to evaluate</source>
        <translation>要评估的文件夹</translation>
    </message>
    <message>
        <source>Continue from %1</source>
        <translation>从第 %1 个继续</translation>
    </message>
    <message>
        <source>Start</source>
        <translation>开始</translation>
    </message>
    <message>
        <source>Pause after this batch</source>
        <translation>此批次后暂停</translation>
    </message>
    <message>
        <source>Move up</source>
        <translation>上移</translation>
    </message>
    <message>
        <source>Move down</source>
        <translation>下移</translation>
    </message>
    <message>
        <source>Show in Results</source>
        <translation>在“结果”中显示</translation>
    </message>
    <message>
        <source>Stop and remove from the queue</source>
        <translation>停止并移出队列</translation>
    </message>
    <message>
        <source>Remove from the queue</source>
        <translation>移出队列</translation>
    </message>
    <message>
        <source>Results so far stay in the store</source>
        <translation>目前的结果会保留在结果库中</translation>
    </message>
    <message>
        <source>%1 was stopped after %2 of %3 (%4).</source>
        <translation>%1 在 %2 / %3 处停止（%4）。</translation>
    </message>
    <message numerus="yes">
        <source>%1 backend(s)</source>
        <translation>
            <numerusform>%1 个后端</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%1 class(es)</source>
        <translation>
            <numerusform>%1 个类别</numerusform>
        </translation>
    </message>
    <message>
        <source>%1 %2</source>
        <translation>%1 %2</translation>
    </message>
    <message>
        <source>videos</source>
        <translation>个视频</translation>
    </message>
    <message>
        <source>images</source>
        <translation>张图像</translation>
    </message>
    <message>
        <source>all sampled files can be read</source>
        <translation>抽查的文件均可读取</translation>
    </message>
    <message numerus="yes">
        <source>%1 sampled file(s) cannot be read</source>
        <translation>
            <numerusform>%1 个抽查的文件无法读取</numerusform>
        </translation>
    </message>
    <message>
        <source>Cannot be evaluated</source>
        <translation>无法评估</translation>
    </message>
    <message>
        <source>Scanning…</source>
        <translation>正在扫描…</translation>
    </message>
    <message>
        <source>Continue</source>
        <translation>继续</translation>
    </message>
    <message>
        <source>Export</source>
        <translation>导出</translation>
    </message>
    <message>
        <source>Table as CSV (*.csv)</source>
        <translation>CSV 表格 (*.csv)</translation>
    </message>
    <message numerus="yes">
        <source>%1 sample(s)</source>
        <translation>
            <numerusform>%1 个样本</numerusform>
        </translation>
    </message>
    <message>
        <source>Protocol</source>
        <translation>评估方案</translation>
    </message>
    <message>
        <source>Evaluate as published: labels, classes among which is predicted, sampling and figures</source>
        <translation>按已发表的方式评估：标签、参与预测的类别、采样与指标</translation>
    </message>
    <message>
        <source>None</source>
        <translation>无</translation>
    </message>
</context>
<context>
    <name>attnscope::ui::BatchSession</name>
    <message>
        <source>Evaluate on %1: %2, %3 %4</source>
        <translation>在 %1 上评估：%2，%3 %4</translation>
    </message>
    <message numerus="yes">
        <source>%1 class(es)</source>
        <translation>
            <numerusform>%1 个类别</numerusform>
        </translation>
    </message>
    <message>
        <source>videos</source>
        <translation>个视频</translation>
    </message>
    <message>
        <source>images</source>
        <translation>张图像</translation>
    </message>
    <message>
        <source>No backend is selected; select one under Backends, then add the folder again.</source>
        <translation>未选择后端；请在“后端”下选择一个，然后重新添加文件夹。</translation>
    </message>
    <message>
        <source>The evaluation of %1 was stopped after %2 of %3.</source>
        <translation>%1 的评估在 %2 / %3 处停止。</translation>
    </message>
    <message>
        <source>evaluate · %1</source>
        <translation>评估 · %1</translation>
    </message>
    <message>
        <source>write demo images</source>
        <translation>写入演示图像</translation>
    </message>
    <message>
        <source>Evaluation in progress</source>
        <translation>评估正在进行</translation>
    </message>
    <message>
        <source>%1 is at %2 of %3. Pausing loses nothing: all predictions so far are in the store.</source>
        <translation>%1 已完成 %2 / %3。暂停不会丢失任何内容：目前的所有预测都已存入结果库。</translation>
    </message>
    <message>
        <source>Continue on the Batch screen, or with this command in a terminal:

%1</source>
        <translation>可在“批量”页面继续，或在终端中使用以下命令：

%1</translation>
    </message>
    <message>
        <source>Pause and close</source>
        <translation>暂停并关闭</translation>
    </message>
    <message>
        <source>%1 of %2 files</source>
        <translation>%1 / %2 个文件</translation>
    </message>
    <message>
        <source>starting</source>
        <translation>正在启动</translation>
    </message>
    <message>
        <source>%1 of %2</source>
        <translation>%1 / %2</translation>
    </message>
    <message>
        <source>waiting for measurement</source>
        <translation>等待测量</translation>
    </message>
    <message>
        <source>disk full</source>
        <translation>磁盘已满</translation>
    </message>
    <message>
        <source>pausing after this batch</source>
        <translation>此批次后暂停</translation>
    </message>
    <message>
        <source>%1/s</source>
        <translation>%1/s</translation>
    </message>
    <message>
        <source>Loading…</source>
        <translation>正在加载…</translation>
    </message>
    <message>
        <source>%1 %2/s</source>
        <translation>%1 %2/s</translation>
    </message>
    <message>
        <source>%1 of %2 ready</source>
        <translation>已就绪 %1 / %2</translation>
    </message>
    <message>
        <source>Bottleneck: decoding</source>
        <translation>瓶颈：解码</translation>
    </message>
    <message>
        <source>Bottleneck: inference</source>
        <translation>瓶颈：推理</translation>
    </message>
    <message>
        <source>Bottleneck: disk</source>
        <translation>瓶颈：磁盘</translation>
    </message>
    <message>
        <source>Scanning %1</source>
        <translation>正在扫描 %1</translation>
    </message>
    <message>
        <source>%1 cannot be evaluated</source>
        <translation>%1 无法评估</translation>
    </message>
    <message>
        <source>%1 is ready</source>
        <translation>%1 已就绪</translation>
    </message>
    <message>
        <source>%1 was stopped after %2 of %3</source>
        <translation>%1 在 %2 / %3 处停止</translation>
    </message>
    <message>
        <source>Evaluating %1</source>
        <translation>正在评估 %1</translation>
    </message>
    <message>
        <source> so far</source>
        <translation> 目前</translation>
    </message>
    <message>
        <source>%1%2: %3 % top-1</source>
        <translation>%1%2：top-1 %3 %</translation>
    </message>
    <message>
        <source> (reference)</source>
        <translation> (参考)</translation>
    </message>
    <message>
        <source>%1 ≈ %2 % of %3</source>
        <translation>%1 ≈ %3 的 %2 %</translation>
    </message>
    <message>
        <source>%1; %2 %3 % on the same samples</source>
        <translation>%1；%2 在相同样本上为 %3 %</translation>
    </message>
    <message>
        <source>%1 %2</source>
        <translation>%1 %2</translation>
    </message>
    <message>
        <source>%1 of %2 %3</source>
        <translation>%1 / %2 %3</translation>
    </message>
    <message>
        <source>%1 in total</source>
        <translation>共 %1</translation>
    </message>
    <message>
        <source>%1 of results, %2 free</source>
        <translation>结果 %1，可用空间 %2</translation>
    </message>
    <message>
        <source>seed %1</source>
        <translation>种子 %1</translation>
    </message>
    <message>
        <source>Evaluating: %1</source>
        <translation>正在评估：%1</translation>
    </message>
    <message>
        <source>The evaluation of %1 failed after %2 of %3</source>
        <translation>%1 的评估在完成 %2（共 %3）后失败</translation>
    </message>
    <message>
        <source>The evaluation of %1 failed</source>
        <translation>%1 的评估失败</translation>
    </message>
</context>
<context>
    <name>attnscope::ui::CellModel</name>
    <message>
        <source>none</source>
        <translation>无</translation>
    </message>
    <message>
        <source>%1: %2</source>
        <translation>%1：%2</translation>
    </message>
    <message>
        <source>%1, %2: %3</source>
        <translation>%1，%2：%3</translation>
    </message>
</context>
<context>
    <name>attnscope::ui::ChartView</name>
    <message>
        <source>both axes logarithmic</source>
        <translation>两个坐标轴均为对数</translation>
    </message>
    <message>
        <source>%1: logarithmic axis</source>
        <translation>%1：对数坐标轴</translation>
    </message>
    <message>
        <source>%1 %2</source>
        <translation>%1 %2</translation>
    </message>
    <message>
        <source>%1 stopped: %2</source>
        <translation>%1 已停止：%2</translation>
    </message>
    <message>
        <source>%1: no data yet</source>
        <translation>%1：暂无数据</translation>
    </message>
    <message>
        <source>%1: %2</source>
        <translation>%1：%2</translation>
    </message>
    <message>
        <source>%1
stopped: %2</source>
        <translation>%1
已停止：%2</translation>
    </message>
    <message>
        <source>scale</source>
        <translation>刻度</translation>
    </message>
    <message>
        <source>Scale of the axes</source>
        <translation>坐标轴刻度</translation>
    </message>
    <message>
        <source>Automatic: an axis becomes logarithmic where a few large values would squeeze the others together</source>
        <translation>自动：当少数大值会把其他值挤在一起时，坐标轴改用对数刻度</translation>
    </message>
    <message>
        <source>automatic</source>
        <translation>自动</translation>
    </message>
    <message>
        <source>linear</source>
        <translation>线性</translation>
    </message>
    <message>
        <source>logarithmic</source>
        <translation>对数</translation>
    </message>
    <message>
        <source>%1, %2 %3: %4</source>
        <translation>%1，%2 %3：%4</translation>
    </message>
</context>
<context>
    <name>attnscope::ui::CheckpointDialog</name>
    <message>
        <source>Checkpoint</source>
        <translation>检查点</translation>
    </message>
    <message>
        <source>According to its name its SHA-256 should begin with %1, but it begins with %2; the file was changed, or its download is incomplete.</source>
        <translation>按其名称，SHA-256 应以 %1 开头，实际却以 %2 开头；文件已被更改，或下载不完整。</translation>
    </message>
    <message>
        <source>Model</source>
        <translation>模型</translation>
    </message>
    <message>
        <source>From the checkpoint</source>
        <translation>取自检查点</translation>
    </message>
    <message>
        <source>Attention heads</source>
        <translation>注意力头</translation>
    </message>
    <message>
        <source>Heads</source>
        <translation>头</translation>
    </message>
    <message>
        <source>The file does not contain the number of heads. With 64 channels per head, as in DeiT, it would be %1.</source>
        <translation>文件中没有头数。若像 DeiT 那样每个头 64 个通道，则为 %1。</translation>
    </message>
    <message>
        <source>The file does not contain the number of heads.</source>
        <translation>文件中没有头数。</translation>
    </message>
    <message>
        <source>Tensor</source>
        <translation>张量</translation>
    </message>
    <message>
        <source>Type</source>
        <translation>类型</translation>
    </message>
    <message>
        <source>Shape</source>
        <translation>形状</translation>
    </message>
    <message>
        <source>Report</source>
        <translation>报告</translation>
    </message>
    <message>
        <source>Missing</source>
        <translation>缺失</translation>
    </message>
    <message>
        <source>Shape mismatch</source>
        <translation>形状不符</translation>
    </message>
    <message>
        <source>Unexpected</source>
        <translation>多余</translation>
    </message>
    <message>
        <source>Non-finite</source>
        <translation>非有限值</translation>
    </message>
    <message>
        <source>Resized</source>
        <translation>已调整大小</translation>
    </message>
    <message>
        <source>Ignored</source>
        <translation>已忽略</translation>
    </message>
    <message>
        <source>Notes</source>
        <translation>备注</translation>
    </message>
    <message>
        <source>Tensors (%1)</source>
        <translation>张量（%1）</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>关闭</translation>
    </message>
    <message>
        <source>Use these weights</source>
        <translation>使用这些权重</translation>
    </message>
</context>
<context>
    <name>attnscope::ui::ColourLegend</name>
    <message>
        <source>Colour scale of %1: %2 to %3</source>
        <translation>“%1”的色阶：%2 至 %3</translation>
    </message>
</context>
<context>
    <name>attnscope::ui::CommandDialog</name>
    <message>
        <source>&amp;Copy</source>
        <translation>复制(&amp;C)</translation>
    </message>
    <message>
        <source>attnscope-cli is not next to this program; install Attnscope again.</source>
        <translation>attnscope-cli 不在此程序旁边；请重新安装 Attnscope。</translation>
    </message>
    <message>
        <source>Looking at this machine…</source>
        <translation>正在检查这台机器…</translation>
    </message>
    <message>
        <source>%1 cannot be started (%2); install Attnscope again.</source>
        <translation>无法启动 %1（%2）；请重新安装 Attnscope。</translation>
    </message>
    <message>
        <source>attnscope-cli %1 ended without a report (%2).</source>
        <translation>attnscope-cli %1 结束时没有给出报告（%2）。</translation>
    </message>
    <message>
        <source>Doctor</source>
        <translation>诊断</translation>
    </message>
    <message>
        <source>What is installed, what works, and what is missing</source>
        <translation>已安装的、可用的和缺少的内容</translation>
    </message>
    <message>
        <source>GPUs</source>
        <translation>GPU</translation>
    </message>
    <message>
        <source>Which GPUs can be used, and what keeps others from it</source>
        <translation>哪些 GPU 可用，以及其他 GPU 不可用的原因</translation>
    </message>
    <message>
        <source>&amp;Install</source>
        <translation>安装(&amp;I)</translation>
    </message>
    <message>
        <source>Downloads LibTorch&apos;s libraries for GPUs (2.5 GB). Restart Attnscope afterwards.</source>
        <translation>下载用于 GPU 的 LibTorch 库（2.5 GB）。完成后请重新启动 Attnscope。</translation>
    </message>
    <message>
        <source>&amp;Remove</source>
        <translation>删除(&amp;R)</translation>
    </message>
    <message>
        <source>Deletes what Install has downloaded (3.2 GB).</source>
        <translation>删除“安装”所下载的内容（3.2 GB）。</translation>
    </message>
</context>
<context>
    <name>attnscope::ui::CommandLine</name>
    <message>
        <source>made without inputs</source>
        <translation>测量时没有输入</translation>
    </message>
    <message>
        <source>made without %1</source>
        <translation>测量时没有 %1</translation>
    </message>
    <message>
        <source>made with %1</source>
        <translation>以 %1 测得</translation>
    </message>
</context>
<context>
    <name>attnscope::ui::CommandPalette</name>
    <message>
        <source>Nothing fits “%1”; try another word.</source>
        <translation>没有与“%1”匹配的内容；请换一个词。</translation>
    </message>
</context>
<context>
    <name>attnscope::ui::CompareCard</name>
    <message>
        <source>Previous input</source>
        <translation>上一个输入</translation>
    </message>
    <message>
        <source>Next input</source>
        <translation>下一个输入</translation>
    </message>
    <message>
        <source>Comparison</source>
        <translation>比较</translation>
    </message>
    <message>
        <source>Comparison as a table</source>
        <translation>表格形式的比较</translation>
    </message>
    <message>
        <source>Measurements</source>
        <translation>测量</translation>
    </message>
    <message>
        <source>%1 of %2</source>
        <translation>%1 / %2</translation>
    </message>
    <message>
        <source>Use as reference</source>
        <translation>设为参考</translation>
    </message>
    <message>
        <source>Pin reference first</source>
        <translation>将参考固定在最前</translation>
    </message>
    <message>
        <source>Move left</source>
        <translation>左移</translation>
    </message>
    <message>
        <source>Move right</source>
        <translation>右移</translation>
    </message>
    <message>
        <source>Remove</source>
        <translation>移除</translation>
    </message>
    <message>
        <source>Sort by %1</source>
        <translation>按“%1”排序</translation>
    </message>
    <message>
        <source>%1 (%2): click to sort</source>
        <translation>%1（%2）：点击可排序</translation>
    </message>
    <message>
        <source>ascending</source>
        <translation>升序</translation>
    </message>
    <message>
        <source>descending</source>
        <translation>降序</translation>
    </message>
</context>
<context>
    <name>attnscope::ui::ComparePage</name>
    <message>
        <source> · %1 s</source>
        <translation> · %1 s</translation>
    </message>
    <message>
        <source>Pareto</source>
        <translation>帕累托</translation>
    </message>
    <message>
        <source>Bars</source>
        <translation>条形图</translation>
    </message>
    <message>
        <source>Table</source>
        <translation>表格</translation>
    </message>
    <message>
        <source>Compared</source>
        <translation>比较对象</translation>
    </message>
    <message>
        <source>Classes</source>
        <translation>类别</translation>
    </message>
    <message>
        <source>Features</source>
        <translation>特征</translation>
    </message>
    <message>
        <source>What is compared: predicted classes, or the network&apos;s features with those of exact attention</source>
        <translation>比较的内容：预测的类别，或网络的特征与精确注意力的特征</translation>
    </message>
    <message>
        <source>View</source>
        <translation>视图</translation>
    </message>
    <message>
        <source>Cells</source>
        <translation>单元格</translation>
    </message>
    <message>
        <source>Chart</source>
        <translation>图表</translation>
    </message>
    <message>
        <source>Copy as command</source>
        <translation>复制为命令</translation>
    </message>
    <message>
        <source>The attnscope-cli command that repeats this comparison</source>
        <translation>重复此比较的 attnscope-cli 命令</translation>
    </message>
    <message>
        <source>Kind of chart</source>
        <translation>图表类型</translation>
    </message>
    <message>
        <source>lower left is better</source>
        <translation>越靠左下越好</translation>
    </message>
    <message>
        <source>y</source>
        <translation>y</translation>
    </message>
    <message>
        <source>x</source>
        <translation>x</translation>
    </message>
    <message>
        <source>Vertical axis</source>
        <translation>纵轴</translation>
    </message>
    <message>
        <source>Horizontal axis</source>
        <translation>横轴</translation>
    </message>
    <message>
        <source>Points appear as they are measured</source>
        <translation>测量完成后逐点显示</translation>
    </message>
    <message>
        <source>All values</source>
        <translation>所有值</translation>
    </message>
    <message>
        <source>%1×%2</source>
        <translation>%1×%2</translation>
    </message>
    <message>
        <source> · rotated</source>
        <translation> · 已旋转</translation>
    </message>
    <message>
        <source>Rotated for display according to the file&apos;s metadata; the model sees it as stored, as in the published evaluation</source>
        <translation>按文件的元数据旋转以便显示；模型看到的是存储时的样子，与已发表的评估相同</translation>
    </message>
    <message>
        <source>%1: %2</source>
        <translation>%1：%2</translation>
    </message>
    <message>
        <source> (and %1 more like it)</source>
        <translation> (另有 %1 个类似的)</translation>
    </message>
    <message>
        <source>lower is better</source>
        <translation>越低越好</translation>
    </message>
    <message>
        <source>all values for this input</source>
        <translation>此输入的所有值</translation>
    </message>
    <message>
        <source>each view&apos;s probability of the class ranked first by their mean</source>
        <translation>每个视图对按均值排名第一的类别的概率</translation>
    </message>
    <message>
        <source>patches merged into one token share an outline</source>
        <translation>合并为一个 token 的图块共用一个轮廓</translation>
    </message>
    <message>
        <source>n = %1</source>
        <translation>n = %1</translation>
    </message>
    <message>
        <source>Views</source>
        <translation>视图</translation>
    </message>
    <message>
        <source>Tokens</source>
        <translation>Token</translation>
    </message>
    <message>
        <source>and %1 more</source>
        <translation>另有 %1 项</translation>
    </message>
    <message>
        <source>All numbers as CSV (*.csv)</source>
        <translation>全部数值，CSV (*.csv)</translation>
    </message>
    <message>
        <source>All numbers as TSV (*.tsv)</source>
        <translation>全部数值，TSV (*.tsv)</translation>
    </message>
    <message>
        <source>All results as JSON (*.json)</source>
        <translation>全部结果，JSON (*.json)</translation>
    </message>
    <message>
        <source>Chart as PNG, 2× (*.png)</source>
        <translation>图表，PNG，2× (*.png)</translation>
    </message>
    <message>
        <source>Chart as SVG (*.svg)</source>
        <translation>图表，SVG (*.svg)</translation>
    </message>
    <message>
        <source>Chart as PDF (*.pdf)</source>
        <translation>图表，PDF (*.pdf)</translation>
    </message>
    <message>
        <source>Images of the patches as PNG, 2× (*.png)</source>
        <translation>图像块图像，PNG，2× (*.png)</translation>
    </message>
    <message>
        <source>Export</source>
        <translation>导出</translation>
    </message>
</context>
<context>
    <name>attnscope::ui::CompareSession</name>
    <message>
        <source>compare</source>
        <translation>比较</translation>
    </message>
    <message>
        <source>loading</source>
        <translation>正在加载</translation>
    </message>
    <message>
        <source>Measuring</source>
        <translation>正在测量</translation>
    </message>
</context>
<context>
    <name>attnscope::ui::ContextBar</name>
    <message>
        <source>untrained, seed 0</source>
        <translation>未训练，种子 0</translation>
    </message>
    <message>
        <source>untrained, seed %1</source>
        <translation>未训练，种子 %1</translation>
    </message>
    <message>
        <source>Model</source>
        <translation>模型</translation>
    </message>
    <message>
        <source>Weights</source>
        <translation>权重</translation>
    </message>
    <message>
        <source>Device</source>
        <translation>设备</translation>
    </message>
    <message>
        <source>dtype</source>
        <translation>dtype</translation>
    </message>
    <message>
        <source>Seed</source>
        <translation>种子</translation>
    </message>
    <message>
        <source>dtype and seed</source>
        <translation>dtype 和种子</translation>
    </message>
    <message>
        <source>Backends</source>
        <translation>后端</translation>
    </message>
    <message>
        <source>Run</source>
        <translation>运行</translation>
    </message>
    <message>
        <source>CPU, 1 thread</source>
        <translation>CPU，1 个线程</translation>
    </message>
    <message>
        <source>CPU, %1 threads</source>
        <translation>CPU，%1 个线程</translation>
    </message>
    <message>
        <source>Open a checkpoint…</source>
        <translation>打开检查点…</translation>
    </message>
    <message>
        <source>Open class embeddings…</source>
        <translation>打开类别嵌入…</translation>
    </message>
    <message>
        <source>Without class embeddings</source>
        <translation>不使用类别嵌入</translation>
    </message>
    <message>
        <source>%1
classes of %2</source>
        <translation>%1
类别来自 %2</translation>
    </message>
    <message>
        <source>From the checkpoint</source>
        <translation>取自检查点</translation>
    </message>
    <message>
        <source>untrained</source>
        <translation>未训练</translation>
    </message>
    <message>
        <source>Random weights; costs are meaningful, predictions are not.</source>
        <translation>随机权重；成本有意义，预测没有意义。</translation>
    </message>
    <message>
        <source>trained with %1</source>
        <translation>以 %1 训练</translation>
    </message>
    <message>
        <source>%1 · %2 tokens</source>
        <translation>%1 · %2 个 token</translation>
    </message>
    <message>
        <source>%1 tokens</source>
        <translation>%1 个 token</translation>
    </message>
    <message>
        <source>attention %1 · ≤ %2</source>
        <translation>注意力 %1 · ≤ %2</translation>
    </message>
    <message>
        <source>Attention is %1 of the multiply-adds of a pass with the model&apos;s own attention, without the projections around it. Another attention makes a pass at most %2 as fast, as far as time follows arithmetic.</source>
        <translation>在使用模型自身注意力的一次传播中，注意力占乘加运算的 %1，不含其前后的投影。就时间与运算量成正比而言，换用其他注意力最多使一次传播的速度达到 %2。</translation>
    </message>
    <message>
        <source>Click to choose another image size.</source>
        <translation>点击可选择其他图像大小。</translation>
    </message>
    <message>
        <source>Stop</source>
        <translation>停止</translation>
    </message>
    <message>
        <source>Esc</source>
        <translation>Esc</translation>
    </message>
    <message>
        <source>Backends %1</source>
        <translation>后端 %1</translation>
    </message>
    <message>
        <source>at most %1 faster</source>
        <translation>最多快 %1</translation>
    </message>
    <message>
        <source>Add a checkpoint…</source>
        <translation>添加检查点…</translation>
    </message>
    <message>
        <source>Without %1</source>
        <translation>不使用 %1</translation>
    </message>
    <message>
        <source>GPUs…</source>
        <translation>GPU…</translation>
    </message>
    <message>
        <source>Which GPUs can be used, what is missing, and its installation</source>
        <translation>哪些 GPU 可用、缺少什么以及如何安装</translation>
    </message>
</context>
<context>
    <name>attnscope::ui::DecodeTab</name>
    <message>
        <source>Tokens</source>
        <translation>Token</translation>
    </message>
    <message>
        <source>Layer</source>
        <translation>层</translation>
    </message>
    <message>
        <source>Heads</source>
        <translation>头</translation>
    </message>
    <message>
        <source>Head size</source>
        <translation>头维度</translation>
    </message>
    <message>
        <source>Positions in tokens</source>
        <translation>以 token 计的位置</translation>
    </message>
    <message>
        <source>Source of the tokens</source>
        <translation>token 的来源</translation>
    </message>
    <message>
        <source>Independent</source>
        <translation>独立</translation>
    </message>
    <message>
        <source>Correlated</source>
        <translation>相关</translation>
    </message>
    <message>
        <source>To be recalled</source>
        <translation>待回忆</translation>
    </message>
    <message>
        <source>From a file…</source>
        <translation>来自文件…</translation>
    </message>
    <message>
        <source>q, k and v of every token are independent standard normal numbers</source>
        <translation>每个 token 的 q、k 和 v 都是独立的标准正态数</translation>
    </message>
    <message>
        <source>Neighbours are alike, as the frames of a video</source>
        <translation>相邻 token 相似，如同视频的各帧</translation>
    </message>
    <message>
        <source>Every query asks for what came 128 tokens ago</source>
        <translation>每个查询询问 128 个 token 之前的内容</translation>
    </message>
    <message>
        <source>The tokens of one layer in a file of q, k and v</source>
        <translation>q、k 和 v 文件中某一层的 token</translation>
    </message>
    <message>
        <source>Layer of the file</source>
        <translation>文件中的层</translation>
    </message>
    <message>
        <source>Factor of the logits</source>
        <translation>logit 的系数</translation>
    </message>
    <message>
        <source>Factor of the logits: q and k are each multiplied by its square root</source>
        <translation>logit 的系数：q 和 k 各乘以其平方根</translation>
    </message>
    <message>
        <source>The whole file</source>
        <translation>整个文件</translation>
    </message>
    <message>
        <source>Positions</source>
        <translation>位置</translation>
    </message>
    <message>
        <source>Quantity</source>
        <translation>量</translation>
    </message>
    <message>
        <source>Time</source>
        <translation>时间</translation>
    </message>
    <message>
        <source>State</source>
        <translation>状态</translation>
    </message>
    <message>
        <source>Error</source>
        <translation>误差</translation>
    </message>
    <message>
        <source>Time of one token</source>
        <translation>一个 token 的时间</translation>
    </message>
    <message>
        <source>Weight of a token in later outputs</source>
        <translation>token 在后续输出中的权重</translation>
    </message>
    <message>
        <source>The response to a value of 1 at one token and 0 at all others: what a gate or a window forgets</source>
        <translation>对某个 token 的值为 1、其他 token 均为 0 的响应：门控或窗口所遗忘的内容</translation>
    </message>
    <message>
        <source>Points appear as positions are reached</source>
        <translation>到达各位置后逐点显示</translation>
    </message>
    <message>
        <source>Needs more tokens</source>
        <translation>需要更多 token</translation>
    </message>
    <message>
        <source>Summary</source>
        <translation>摘要</translation>
    </message>
    <message>
        <source>All values</source>
        <translation>所有值</translation>
    </message>
    <message>
        <source>Later weights</source>
        <translation>后续权重</translation>
    </message>
    <message>
        <source>From %1</source>
        <translation>来自 %1</translation>
    </message>
    <message>
        <source>Select a mechanism to compare with the cache.</source>
        <translation>请选择要与缓存比较的机制。</translation>
    </message>
    <message>
        <source>Streams are not computed in %1; choose float32 or float64 in the bar above.</source>
        <translation>流不能以 %1 计算；请在上方的栏中选择 float32 或 float64。</translation>
    </message>
    <message>
        <source>Positions in ascending order, separated by commas</source>
        <translation>按升序排列的位置，以半角逗号分隔</translation>
    </message>
    <message>
        <source>What does one more token cost?</source>
        <translation>再多一个 token 的成本是多少？</translation>
    </message>
    <message>
        <source>Time, state and error of %1</source>
        <translation>比较 %1：时间、状态和误差</translation>
    </message>
    <message numerus="yes">
        <source>%1 mechanism(s)</source>
        <translation>
            <numerusform>%1 种机制</numerusform>
        </translation>
    </message>
    <message>
        <source>%1, over all tokens of %2.</source>
        <translation>%1，覆盖 %2 的所有 token。</translation>
    </message>
    <message>
        <source>%1, up to token %2 of %3.</source>
        <translation>%1，直到 %3 的第 %2 个 token。</translation>
    </message>
    <message>
        <source>%1, up to %2 tokens: %3.</source>
        <translation>%1，最多 %2 个 token：%3。</translation>
    </message>
    <message>
        <source>Next to softmax with a cache, on one thread of the CPU. Errors are those from softmax over all tokens so far.</source>
        <translation>与带缓存的 softmax 并列，在一个 CPU 线程上运行。误差为与对目前所有 token 的 softmax 之差。</translation>
    </message>
    <message>
        <source>Measuring the first position</source>
        <translation>正在测量第一个位置</translation>
    </message>
    <message>
        <source>Cost of a token vs. position</source>
        <translation>每个 token 的成本与位置的关系</translation>
    </message>
    <message>
        <source>Streams take turns over the same tokens; the last ones before each position are timed one by one.</source>
        <translation>各个流轮流处理相同的 token；每个位置之前的最后几个 token 逐个计时。</translation>
    </message>
    <message>
        <source>%1: %2</source>
        <translation>%1：%2</translation>
    </message>
    <message>
        <source>State between tokens</source>
        <translation>token 之间的状态</translation>
    </message>
    <message>
        <source>Error vs. exact softmax</source>
        <translation>相对于精确 softmax 的误差</translation>
    </message>
    <message>
        <source>Medians; bands: 5th to 95th percentile</source>
        <translation>中位数；色带：第 5 至第 95 百分位</translation>
    </message>
    <message>
        <source>Bytes that are kept for the next token, all heads</source>
        <translation>为下一个 token 保留的字节数，所有头</translation>
    </message>
    <message>
        <source>Relative error of the timed tokens; the cache&apos;s own is rounding</source>
        <translation>计时 token 的相对误差；缓存自身的误差为舍入误差</translation>
    </message>
    <message>
        <source>Open q, k, v…</source>
        <translation>打开 q、k、v…</translation>
    </message>
    <message>
        <source>cache</source>
        <translation>缓存</translation>
    </message>
    <message>
        <source>window</source>
        <translation>窗口</translation>
    </message>
</context>
<context>
    <name>attnscope::ui::EmptyScreen</name>
    <message>
        <source>Drop a folder of images or videos</source>
        <translation>拖放图像或视频文件夹</translation>
    </message>
    <message>
        <source>See how accurate each backend is, which classes it loses on, and whether the difference is significant.</source>
        <translation>查看每个后端的准确率、在哪些类别上有损失，以及差异是否显著。</translation>
    </message>
    <message>
        <source>ImageNet and Kinetics folders, any folder with one subfolder per class, or lists in CSV, TSV or text</source>
        <translation>ImageNet 和 Kinetics 文件夹、每个类别一个子文件夹的任意文件夹，或 CSV、TSV 或文本列表</translation>
    </message>
    <message>
        <source>Try the demo</source>
        <translation>试用演示</translation>
    </message>
    <message>
        <source>Writes the demo scenes to a cache folder and evaluates them</source>
        <translation>将演示场景写入缓存文件夹并进行评估</translation>
    </message>
    <message>
        <source>Open…</source>
        <translation>打开…</translation>
    </message>
    <message>
        <source>Drop an image</source>
        <translation>拖放图像</translation>
    </message>
    <message>
        <source>See what each attention backend predicts, what it costs and where it goes wrong.</source>
        <translation>查看每个注意力后端的预测、成本和出错之处。</translation>
    </message>
    <message>
        <source>JPEG, PNG, WebP, BMP, PNM, TIFF, or paste from the clipboard</source>
        <translation>JPEG、PNG、WebP、BMP、PNM、TIFF，或从剪贴板粘贴</translation>
    </message>
    <message>
        <source>See where an approximation goes wrong</source>
        <translation>查看近似在何处出错</translation>
    </message>
    <message>
        <source>The error of every layer and head, and what each attends to instead.</source>
        <translation>每一层和每个头的误差，以及它们转而关注什么。</translation>
    </message>
    <message>
        <source>Run</source>
        <translation>运行</translation>
    </message>
    <message>
        <source>Drop a video, or use a camera</source>
        <translation>拖放视频，或使用摄像头</translation>
    </message>
    <message>
        <source>Each backend predicts during playback: see when they agree and how long they take.</source>
        <translation>每个后端都在播放时进行预测：查看它们何时一致，以及各需要多少时间。</translation>
    </message>
    <message>
        <source>MP4, MOV, MKV, WebM, AVI, GIF, or a folder of frames</source>
        <translation>MP4、MOV、MKV、WebM、AVI、GIF，或存放各帧的文件夹</translation>
    </message>
    <message>
        <source>Use the camera</source>
        <translation>使用摄像头</translation>
    </message>
    <message>
        <source>Which images look alike to the network?</source>
        <translation>哪些图像在网络看来相似？</translation>
    </message>
    <message>
        <source>Classify by nearest features: accuracy against λ and k, and the neighbours of an image.</source>
        <translation>按最近的特征分类：不同 λ 和 k 下的准确率，以及图像的近邻。</translation>
    </message>
    <message>
        <source>Drop a labelled folder to compute the features of its images, or open a datastore</source>
        <translation>拖放带标签的文件夹以计算其图像的特征，或打开特征库</translation>
    </message>
    <message>
        <source>Writes demo scenes to a cache folder, computes their features and evaluates them</source>
        <translation>将演示场景写入缓存文件夹，计算其特征并进行评估</translation>
    </message>
    <message>
        <source>No evaluations yet</source>
        <translation>尚无评估</translation>
    </message>
    <message>
        <source>All runs are kept here: accuracy, latency, memory and error side by side, ready to filter and export.</source>
        <translation>所有运行都保存在这里：准确率、延迟、内存和误差并列显示，可供筛选和导出。</translation>
    </message>
    <message>
        <source>Stores written by attnscope-cli evaluate (.sqlite) can be dropped anywhere</source>
        <translation>由 attnscope-cli evaluate 写入的结果库 (.sqlite) 可拖放到任意位置</translation>
    </message>
    <message>
        <source>Evaluate a folder</source>
        <translation>评估文件夹</translation>
    </message>
    <message>
        <source>Open store…</source>
        <translation>打开结果库…</translation>
    </message>
    <message>
        <source>Softmax weights lose accuracy with another attention: see how much training recovers.</source>
        <translation>Softmax 权重换用其他注意力会损失准确率：查看训练能恢复多少。</translation>
    </message>
    <message>
        <source>A folder with train and val, each with one subfolder per class; or class folders only; or lists of files</source>
        <translation>含 train 和 val 的文件夹，其中每个类别一个子文件夹；或仅类别文件夹；或文件列表</translation>
    </message>
    <message>
        <source>Writes the demo scenes to a cache folder and fills in the form for a training run of a minute or two</source>
        <translation>将演示场景写入缓存文件夹，并为一两分钟的训练填好表单</translation>
    </message>
    <message>
        <source>Show settings</source>
        <translation>显示设置</translation>
    </message>
    <message>
        <source>Model, attention, teacher and schedule; the folder can be chosen there, too</source>
        <translation>模型、注意力、教师和训练计划；也可在那里选择文件夹</translation>
    </message>
    <message>
        <source>Writing the demo images: %1</source>
        <translation>正在写入演示图像：%1</translation>
    </message>
    <message>
        <source>Teacher</source>
        <translation>教师</translation>
    </message>
    <message>
        <source>Or with 197 tokens, where there is little to gain</source>
        <translation>或使用 197 个 token，此时收益很小</translation>
    </message>
    <message>
        <source>The demo photograph in a network of DeiT&apos;s shape; the demo has as many tokens as DINOv2 for an image of 448 pixels</source>
        <translation>演示照片通过一个 DeiT 结构的网络；演示的 token 数与 DINOv2 处理 448 像素图像时相同</translation>
    </message>
</context>
<context>
    <name>attnscope::ui::EpochsModel</name>
    <message>
        <source>Epoch</source>
        <translation>轮次</translation>
    </message>
    <message>
        <source>Training loss</source>
        <translation>训练损失</translation>
    </message>
    <message>
        <source>Mean of the minimised loss over the epoch&apos;s steps; with distillation it includes more than the cross-entropy with the labels.</source>
        <translation>该轮各步所最小化损失的均值；蒸馏时，除与标签的交叉熵外还包括其他项。</translation>
    </message>
    <message>
        <source>Validation loss</source>
        <translation>验证损失</translation>
    </message>
    <message>
        <source>Mean cross-entropy with the labels.</source>
        <translation>与标签的交叉熵均值。</translation>
    </message>
    <message>
        <source>Top-1 %</source>
        <translation>Top-1 %</translation>
    </message>
    <message>
        <source>Fraction of validation samples whose top prediction is correct.</source>
        <translation>首位预测正确的验证样本所占比例。</translation>
    </message>
    <message>
        <source>95 % interval</source>
        <translation>95 % 区间</translation>
    </message>
    <message>
        <source>Wilson interval of top-1 (sampling uncertainty of the validation set).</source>
        <translation>top-1 的 Wilson 区间（验证集的抽样不确定性）。</translation>
    </message>
    <message>
        <source>Top-5 %</source>
        <translation>Top-5 %</translation>
    </message>
    <message>
        <source>Fraction of validation samples whose true class is among the top five predictions.</source>
        <translation>真实类别在前五个预测之中的验证样本所占比例。</translation>
    </message>
    <message>
        <source>Learning rate</source>
        <translation>学习率</translation>
    </message>
    <message>
        <source>At the epoch&apos;s last step.</source>
        <translation>该轮最后一步的值。</translation>
    </message>
    <message>
        <source>Samples/s</source>
        <translation>样本/s</translation>
    </message>
    <message>
        <source>Training samples per second, without validation.</source>
        <translation>每秒训练的样本数，不含验证。</translation>
    </message>
    <message>
        <source>Time</source>
        <translation>时间</translation>
    </message>
    <message>
        <source>Training time of the epoch, without validation but including time spent waiting for measurements.</source>
        <translation>该轮的训练时间，不含验证，但包括等待测量的时间。</translation>
    </message>
    <message>
        <source>Note</source>
        <translation>备注</translation>
    </message>
    <message>
        <source>best</source>
        <translation>最佳</translation>
    </message>
    <message>
        <source>%1 samples, raw weights</source>
        <translation>%1 个样本，原始权重</translation>
    </message>
    <message>
        <source>%1 samples, EMA weights</source>
        <translation>%1 个样本，EMA 权重</translation>
    </message>
    <message>
        <source>; %1 more were unreadable</source>
        <translation>；另有 %1 个无法读取</translation>
    </message>
    <message>
        <source>epoch %1</source>
        <translation>第 %1 轮</translation>
    </message>
</context>
<context>
    <name>attnscope::ui::ExitsTab</name>
    <message>
        <source>Labelled folder</source>
        <translation>带标签的文件夹</translation>
    </message>
    <message>
        <source>Limit</source>
        <translation>上限</translation>
    </message>
    <message>
        <source>A folder with one subfolder per class</source>
        <translation>每个类别一个子文件夹的文件夹</translation>
    </message>
    <message>
        <source>Number of samples</source>
        <translation>样本数</translation>
    </message>
    <message>
        <source>All</source>
        <translation>全部</translation>
    </message>
    <message>
        <source>Number of samples, spread evenly over the folder</source>
        <translation>样本数，在文件夹中均匀抽取</translation>
    </message>
    <message>
        <source>View</source>
        <translation>视图</translation>
    </message>
    <message>
        <source>Thresholds</source>
        <translation>阈值</translation>
    </message>
    <message>
        <source>Oracles</source>
        <translation>Oracle</translation>
    </message>
    <message>
        <source>Oracles know the label, and bound what any rule without it can do</source>
        <translation>Oracle 知道标签，为任何不知道标签的规则划定上限</translation>
    </message>
    <message>
        <source>Accuracy against blocks run</source>
        <translation>准确率与运行块数的关系</translation>
    </message>
    <message>
        <source>Curves appear once everything has been measured</source>
        <translation>全部测量完成后显示曲线</translation>
    </message>
    <message>
        <source>How many blocks does a sample need?</source>
        <translation>一个样本需要多少个块？</translation>
    </message>
    <message>
        <source>Select at least one backend.</source>
        <translation>请至少选择一个后端。</translation>
    </message>
    <message>
        <source>Choose a labelled folder: every block&apos;s prediction for its samples is compared with the last one&apos;s.</source>
        <translation>请选择带标签的文件夹：每个块对其样本的预测将与最后一个块的预测进行比较。</translation>
    </message>
    <message>
        <source>Accuracy behind every block for %1, with %2.</source>
        <translation>%1 在每个块之后的准确率，使用 %2。</translation>
    </message>
    <message numerus="yes">
        <source>%1 backend(s)</source>
        <translation>
            <numerusform>%1 个后端</numerusform>
        </translation>
    </message>
    <message>
        <source>attnscope-cli exits measures the same; attnscope-cli train --exits trains a head for each block, without which exits say little.</source>
        <translation>attnscope-cli exits 进行相同的测量；attnscope-cli train --exits 为每个块训练一个头，否则提前退出没有多大意义。</translation>
    </message>
    <message>
        <source>Measuring early exits</source>
        <translation>正在测量提前退出</translation>
    </message>
    <message>
        <source>Early exits</source>
        <translation>提前退出</translation>
    </message>
    <message>
        <source>Accuracy behind each block, and what samples that leave early save</source>
        <translation>每个块之后的准确率，以及提前退出的样本所节省的成本</translation>
    </message>
    <message>
        <source>confidence</source>
        <translation>置信度</translation>
    </message>
    <message>
        <source>fixed depth</source>
        <translation>固定深度</translation>
    </message>
    <message>
        <source>correctness oracle</source>
        <translation>正确性 oracle</translation>
    </message>
    <message>
        <source>likelihood oracle</source>
        <translation>似然 oracle</translation>
    </message>
    <message>
        <source>Charts as SVG, PNG or PDF, the table as CSV or TSV</source>
        <translation>图表为 SVG、PNG 或 PDF，表格为 CSV 或 TSV</translation>
    </message>
    <message>
        <source>Choose a folder…</source>
        <translation>选择文件夹…</translation>
    </message>
</context>
<context>
    <name>attnscope::ui::ExportDialog</name>
    <message>
        <source>Export network</source>
        <translation>导出网络</translation>
    </message>
    <message>
        <source>Writes %1 as an ONNX file that ONNX Runtime and OpenVINO run: preprocessed images in, predictions or features out, any batch size.</source>
        <translation>将 %1 写成 ONNX 文件，可由 ONNX Runtime 和 OpenVINO 运行：输入预处理后的图像，输出预测或特征，批大小任意。</translation>
    </message>
    <message>
        <source>Attention of the exported network</source>
        <translation>导出网络的注意力</translation>
    </message>
    <message>
        <source>&amp;Attention</source>
        <translation>注意力(&amp;A)</translation>
    </message>
    <message>
        <source>ONNX file to write</source>
        <translation>要写入的 ONNX 文件</translation>
    </message>
    <message>
        <source>&amp;Choose…</source>
        <translation>选择(&amp;C)…</translation>
    </message>
    <message>
        <source>&amp;File</source>
        <translation>文件(&amp;F)</translation>
    </message>
    <message>
        <source>Attentions that draw anew for every image, such as RA, cannot be exported; the message then names the nearest that can.</source>
        <translation>对每张图像重新采样的注意力（如 RA）无法导出；届时消息会指出可导出的最接近者。</translation>
    </message>
    <message>
        <source>&amp;Export</source>
        <translation>导出(&amp;E)</translation>
    </message>
    <message>
        <source>ONNX (*.onnx)</source>
        <translation>ONNX (*.onnx)</translation>
    </message>
</context>
<context>
    <name>attnscope::ui::FeaturesPanel</name>
    <message>
        <source>Principal components of the patches</source>
        <translation>图块的主成分</translation>
    </message>
    <message>
        <source>Cosine of</source>
        <translation>余弦</translation>
    </message>
    <message>
        <source>Drift by layer</source>
        <translation>各层的漂移</translation>
    </message>
    <message>
        <source>Tokens whose drift is shown</source>
        <translation>显示其漂移的 token</translation>
    </message>
    <message>
        <source>patches, behind each block</source>
        <translation>图块，每个块之后</translation>
    </message>
    <message>
        <source>class token, behind each block</source>
        <translation>类别 token，每个块之后</translation>
    </message>
    <message>
        <source>exact</source>
        <translation>精确</translation>
    </message>
    <message>
        <source>exact for %1</source>
        <translation>%1 的精确特征</translation>
    </message>
    <message>
        <source>%1: cosine %2</source>
        <translation>%1：余弦 %2</translation>
    </message>
    <message>
        <source>The patches of this network are not known</source>
        <translation>此网络的图块未知</translation>
    </message>
    <message>
        <source>Images of the patches appear here</source>
        <translation>图块的图像显示在这里</translation>
    </message>
    <message>
        <source>patches in exact attention&apos;s components (%1 of variance)</source>
        <translation>以精确注意力的主成分表示的图块（方差的 %1）</translation>
    </message>
    <message>
        <source>cosine with the features of exact attention</source>
        <translation>与精确注意力特征的余弦</translation>
    </message>
    <message>
        <source>block</source>
        <translation>块</translation>
    </message>
    <message>
        <source>Measured with the error</source>
        <translation>随误差一起测量</translation>
    </message>
</context>
<context>
    <name>attnscope::ui::FrameChooser</name>
    <message>
        <source>Frame whose patches are shown</source>
        <translation>显示其图块的帧</translation>
    </message>
    <message>
        <source>frame %1 of %2</source>
        <translation>帧 %1 / %2</translation>
    </message>
    <message>
        <source>, %1 % of the attention weight</source>
        <translation>，占注意力权重的 %1 %</translation>
    </message>
</context>
<context>
    <name>attnscope::ui::FrameStrip</name>
    <message>
        <source>Frames seen by the model</source>
        <translation>模型看到的帧</translation>
    </message>
</context>
<context>
    <name>attnscope::ui::GalleryView</name>
    <message>
        <source>Cannot be shown</source>
        <translation>无法显示</translation>
    </message>
    <message>
        <source>Samples</source>
        <translation>样本</translation>
    </message>
</context>
<context>
    <name>attnscope::ui::HeatTable</name>
    <message>
        <source>Errors by layer and head</source>
        <translation>各层各头的误差</translation>
    </message>
    <message>
        <source>mean</source>
        <translation>均值</translation>
    </message>
</context>
<context>
    <name>attnscope::ui::HelpBrowser</name>
    <message>
        <source>Manual</source>
        <translation>手册</translation>
    </message>
</context>
<context>
    <name>attnscope::ui::HelpWindow</name>
    <message>
        <source>Manual</source>
        <translation>手册</translation>
    </message>
    <message>
        <source>%1 – Manual</source>
        <translation>%1 – 手册</translation>
    </message>
    <message>
        <source>%1 is only in the source code</source>
        <translation>%1 只在源代码中</translation>
    </message>
    <message>
        <source>No browser opens %1</source>
        <translation>没有浏览器能打开 %1</translation>
    </message>
    <message>
        <source>%1 (%2)</source>
        <translation>%1（%2）</translation>
    </message>
    <message>
        <source>Back</source>
        <translation>后退</translation>
    </message>
    <message>
        <source>Forward</source>
        <translation>前进</translation>
    </message>
    <message>
        <source>Contents</source>
        <translation>目录</translation>
    </message>
    <message>
        <source>Find in this page</source>
        <translation>在此页中查找</translation>
    </message>
    <message>
        <source>%1 is missing; install Attnscope again</source>
        <translation>缺少 %1；请重新安装 Attnscope</translation>
    </message>
    <message>
        <source>Not found</source>
        <translation>未找到</translation>
    </message>
    <message>
        <source>%1 of %2</source>
        <translation>%1 / %2</translation>
    </message>
</context>
<context>
    <name>attnscope::ui::InstrumentTab</name>
    <message>
        <source>Table</source>
        <translation>表格</translation>
    </message>
    <message>
        <source>Waiting for the current measurement or evaluation</source>
        <translation>等待当前的测量或评估</translation>
    </message>
    <message>
        <source>Stopping after this step</source>
        <translation>此步骤后停止</translation>
    </message>
    <message>
        <source>There is nothing to export yet; run a measurement first.</source>
        <translation>尚无可导出的内容；请先运行测量。</translation>
    </message>
</context>
<context>
    <name>attnscope::ui::JobsBar</name>
    <message>
        <source>Stop this job</source>
        <translation>停止此任务</translation>
    </message>
    <message>
        <source>Pause this job</source>
        <translation>暂停此任务</translation>
    </message>
    <message>
        <source>Running job</source>
        <translation>正在运行的任务</translation>
    </message>
    <message>
        <source>Jobs</source>
        <translation>任务</translation>
    </message>
</context>
<context>
    <name>attnscope::ui::KernelTab</name>
    <message>
        <source>Features</source>
        <translation>特征</translation>
    </message>
    <message>
        <source>Number of random features of every map</source>
        <translation>每种映射的随机特征数</translation>
    </message>
    <message>
        <source>Angle between x and y</source>
        <translation>x 与 y 的夹角</translation>
    </message>
    <message>
        <source>How y lies to x, of equal length</source>
        <translation>长度相等时 y 相对于 x 的方位</translation>
    </message>
    <message>
        <source>exp(x·y) and its estimates ± std. dev.</source>
        <translation>exp(x·y) 及其估计值 ± 标准差</translation>
    </message>
    <message>
        <source>Std. dev. relative to exp(x·y)</source>
        <translation>相对于 exp(x·y) 的标准差</translation>
    </message>
    <message>
        <source>Lines: in closed form, for this angle. Single marks: measured heads</source>
        <translation>线：此夹角的闭式结果。单个标记：测量的头</translation>
    </message>
    <message>
        <source>Measured heads</source>
        <translation>测量的头</translation>
    </message>
    <message>
        <source>Estimates</source>
        <translation>估计值</translation>
    </message>
    <message>
        <source>How well do random features estimate exp(q·k)?</source>
        <translation>随机特征对 exp(q·k) 的估计有多好？</translation>
    </message>
    <message>
        <source>Open an image in Compare, or a file with q and k.</source>
        <translation>请在“比较”中打开图像，或打开含有 q 和 k 的文件。</translation>
    </message>
    <message numerus="yes">
        <source>Positive, hyperbolic, trigonometric and cosine maps with %1 feature(s)</source>
        <translation>
            <numerusform>正、双曲、三角和余弦映射，%1 个特征</numerusform>
        </translation>
    </message>
    <message>
        <source>Exact values, estimates and their variance against the norm of q and k, before any normaliser.</source>
        <translation>精确值、估计值及其方差与 q 和 k 的范数的关系，未经任何归一化。</translation>
    </message>
    <message>
        <source>Estimating the kernel %1</source>
        <translation>正在估计核：%1</translation>
    </message>
    <message>
        <source>Random features vs. norm</source>
        <translation>随机特征与范数的关系</translation>
    </message>
    <message>
        <source>Variances are exact, in closed form; estimates are one draw with the seed above.</source>
        <translation>方差为闭式精确值；估计值为以上方种子的一次采样。</translation>
    </message>
    <message>
        <source>exact</source>
        <translation>精确</translation>
    </message>
    <message>
        <source>exp(x·y)</source>
        <translation>exp(x·y)</translation>
    </message>
    <message>
        <source>Open q, k, v…</source>
        <translation>打开 q、k、v…</translation>
    </message>
    <message>
        <source>trigonometric</source>
        <translation>三角</translation>
    </message>
    <message>
        <source>positive</source>
        <translation>正</translation>
    </message>
</context>
<context>
    <name>attnscope::ui::LayerCells</name>
    <message>
        <source>none</source>
        <translation>无</translation>
    </message>
    <message>
        <source>NaN</source>
        <translation>NaN</translation>
    </message>
    <message>
        <source>%1, mean over heads</source>
        <translation>%1，各头均值</translation>
    </message>
    <message>
        <source>%1, head %2</source>
        <translation>%1，头 %2</translation>
    </message>
    <message>
        <source>%1, %2 %3</source>
        <translation>%1，%2 %3</translation>
    </message>
    <message>
        <source>%1, replacing this layer alone changes the prediction</source>
        <translation>%1，仅替换此层就会改变预测</translation>
    </message>
    <message>
        <source>mean</source>
        <translation>均值</translation>
    </message>
    <message>
        <source>head 0</source>
        <translation>头 0</translation>
    </message>
    <message>
        <source>%1, worse than the mean of the values (relative error %2), which ignores the query</source>
        <translation>%1，不如忽略查询的值的均值（相对误差 %2）</translation>
    </message>
</context>
<context>
    <name>attnscope::ui::LayerDepth</name>
    <message>
        <source>Error by depth</source>
        <translation>各深度的误差</translation>
    </message>
    <message>
        <source>Effect of replacing each layer alone, KL</source>
        <translation>单独替换每一层的影响，KL</translation>
    </message>
    <message>
        <source>Effect of replacing each layer alone</source>
        <translation>单独替换每一层的影响</translation>
    </message>
    <message>
        <source>layers</source>
        <translation>层</translation>
    </message>
    <message>
        <source>no data yet</source>
        <translation>暂无数据</translation>
    </message>
    <message>
        <source>Relative drift of block outputs</source>
        <translation>块输出的相对漂移</translation>
    </message>
    <message>
        <source>Relative error, mean over heads</source>
        <translation>相对误差，各头均值</translation>
    </message>
    <message>
        <source>layer</source>
        <translation>层</translation>
    </message>
</context>
<context>
    <name>attnscope::ui::LayerDetails</name>
    <message>
        <source>View</source>
        <translation>视图</translation>
    </message>
    <message>
        <source>Maps</source>
        <translation>注意力图</translation>
    </message>
    <message>
        <source>Tokens</source>
        <translation>Token</translation>
    </message>
    <message>
        <source>Rollout</source>
        <translation>Rollout</translation>
    </message>
    <message>
        <source>Terms</source>
        <translation>分项</translation>
    </message>
    <message>
        <source>Depth</source>
        <translation>深度</translation>
    </message>
    <message>
        <source>Exact attention map</source>
        <translation>精确注意力图</translation>
    </message>
    <message>
        <source>Approximate attention map</source>
        <translation>近似注意力图</translation>
    </message>
    <message>
        <source>Difference of attention maps</source>
        <translation>注意力图的差异</translation>
    </message>
    <message>
        <source>Query class token</source>
        <translation>查询类别 token</translation>
    </message>
    <message>
        <source>Show the maps of the class token</source>
        <translation>显示类别 token 的注意力图</translation>
    </message>
    <message>
        <source>landmarks</source>
        <translation>地标</translation>
    </message>
    <message>
        <source>Show landmarks</source>
        <translation>显示地标</translation>
    </message>
    <message>
        <source>opacity</source>
        <translation>不透明度</translation>
    </message>
    <message>
        <source>Opacity of the maps</source>
        <translation>注意力图的不透明度</translation>
    </message>
    <message>
        <source>weight</source>
        <translation>权重</translation>
    </message>
    <message>
        <source>difference</source>
        <translation>差异</translation>
    </message>
    <message>
        <source>%1 %</source>
        <translation>%1 %</translation>
    </message>
    <message>
        <source>Class token</source>
        <translation>类别 token</translation>
    </message>
    <message>
        <source>mean</source>
        <translation>均值</translation>
    </message>
    <message>
        <source>head %1</source>
        <translation>头 %1</translation>
    </message>
    <message>
        <source>All layers</source>
        <translation>所有层</translation>
    </message>
    <message>
        <source>By depth</source>
        <translation>按深度</translation>
    </message>
    <message>
        <source>Logits of layer 0, %1</source>
        <translation>第 0 层的 logit，%1</translation>
    </message>
    <message>
        <source>%1, %2</source>
        <translation>%1，%2</translation>
    </message>
    <message>
        <source>exact</source>
        <translation>精确</translation>
    </message>
    <message>
        <source>Attention rollout needs the same tokens in every layer, which this network does not have.</source>
        <translation>注意力 rollout 要求每一层有相同的 token，而此网络并非如此。</translation>
    </message>
    <message>
        <source>%1 leaves no keys out here: every query sees all of them.</source>
        <translation>%1 在这里不略去任何键：每个查询都能看到所有键。</translation>
    </message>
    <message>
        <source>Computing…</source>
        <translation>正在计算…</translation>
    </message>
    <message>
        <source>The keys of this layer have no position in the image.</source>
        <translation>此层的键在图像中没有位置。</translation>
    </message>
    <message>
        <source>difference, and %1</source>
        <translation>差异，以及 %1</translation>
    </message>
    <message>
        <source>landmarks %1×%1</source>
        <translation>地标 %1×%1</translation>
    </message>
    <message>
        <source>head 0</source>
        <translation>头 0</translation>
    </message>
    <message>
        <source>largest contribution from %1: %2</source>
        <translation>最大贡献来自 %1：%2</translation>
    </message>
    <message>
        <source>%1 of %2 tokens are left behind this layer; outlines show patches that are one token</source>
        <translation>此层之后剩余 %1 / %2 个 token；轮廓表示同属一个 token 的图块</translation>
    </message>
    <message>
        <source>with the exact pass&apos;s q, k, v</source>
        <translation>使用精确传播的 q、k、v</translation>
    </message>
    <message>
        <source>weight on the class token: exact %1, %2 %3</source>
        <translation>类别 token 上的权重：精确 %1，%2 %3</translation>
    </message>
    <message>
        <source>First map of tokens</source>
        <translation>第一幅 token 图</translation>
    </message>
    <message>
        <source>Second map of tokens</source>
        <translation>第二幅 token 图</translation>
    </message>
    <message>
        <source>%1: %2</source>
        <translation>%1：%2</translation>
    </message>
    <message>
        <source> (class token: %1)</source>
        <translation> (类别 token：%1)</translation>
    </message>
    <message>
        <source>sees no key, and uses all</source>
        <translation>看不到任何键，因此使用全部键</translation>
    </message>
    <message>
        <source>sees %1 of %2 keys, with %3 of exact attention&apos;s weight</source>
        <translation>看到 %1 / %2 个键，占精确注意力权重的 %3</translation>
    </message>
    <message>
        <source>the class token is seen</source>
        <translation>看得到类别 token</translation>
    </message>
    <message>
        <source>the class token is not seen</source>
        <translation>看不到类别 token</translation>
    </message>
    <message>
        <source>mean over heads</source>
        <translation>各头均值</translation>
    </message>
    <message>
        <source>%1 of all pairs are seen</source>
        <translation>所有查询–键对中有 %1 可见</translation>
    </message>
    <message>
        <source>mass kept %1 on average</source>
        <translation>平均保留质量 %1</translation>
    </message>
    <message>
        <source>%1 of queries saw no key and used all</source>
        <translation>%1 的查询看不到任何键，因此使用了全部键</translation>
    </message>
</context>
<context>
    <name>attnscope::ui::LayerTerms</name>
    <message>
        <source>content–content</source>
        <translation>内容–内容</translation>
    </message>
    <message>
        <source>content–position</source>
        <translation>内容–位置</translation>
    </message>
    <message>
        <source>position–content</source>
        <translation>位置–内容</translation>
    </message>
    <message>
        <source>position–position</source>
        <translation>位置–位置</translation>
    </message>
    <message>
        <source>global–content</source>
        <translation>全局–内容</translation>
    </message>
    <message>
        <source>global–position</source>
        <translation>全局–位置</translation>
    </message>
    <message>
        <source>Term of the logits: %1</source>
        <translation>logit 分项：%1</translation>
    </message>
    <message>
        <source>Computing…</source>
        <translation>正在计算…</translation>
    </message>
    <message>
        <source>These tokens have no position in the image.</source>
        <translation>这些 token 在图像中没有位置。</translation>
    </message>
    <message>
        <source>logit</source>
        <translation>logit</translation>
    </message>
    <message>
        <source>%1  %2</source>
        <translation>%1  %2</translation>
    </message>
    <message>
        <source>logit minus its mean over keys</source>
        <translation>logit 减去其对各键的均值</translation>
    </message>
    <message>
        <source>head 0</source>
        <translation>头 0</translation>
    </message>
    <message>
        <source>First the query&apos;s part, then the key&apos;s; global: of all queries alike. The numbers are fractions of what softmax sees of this head&apos;s logits, and add up to 1.</source>
        <translation>先是查询的部分，再是键的部分；全局：对所有查询都相同。数字为各分项在 softmax 所见的此头 logit 中所占的比例，总和为 1。</translation>
    </message>
</context>
<context>
    <name>attnscope::ui::LayersPage</name>
    <message>
        <source>View</source>
        <translation>视图</translation>
    </message>
    <message>
        <source>Errors</source>
        <translation>误差</translation>
    </message>
    <message>
        <source>Leaderboard</source>
        <translation>排行榜</translation>
    </message>
    <message>
        <source>Export</source>
        <translation>导出</translation>
    </message>
    <message>
        <source>Figures as PNG, SVG or CSV, maps as tensors</source>
        <translation>图形导出为 PNG、SVG 或 CSV，注意力图导出为张量</translation>
    </message>
    <message>
        <source>Metric</source>
        <translation>指标</translation>
    </message>
    <message>
        <source>Mode</source>
        <translation>模式</translation>
    </message>
    <message>
        <source>Same q, k, v as softmax</source>
        <translation>与 softmax 相同的 q、k、v</translation>
    </message>
    <message>
        <source>End to end</source>
        <translation>端到端</translation>
    </message>
    <message>
        <source>Seeds</source>
        <translation>种子</translation>
    </message>
    <message>
        <source>Number of seeds for random attention</source>
        <translation>随机注意力的种子数</translation>
    </message>
    <message>
        <source>Errors are averaged over this many seeds; bias² and variance need more than one</source>
        <translation>误差对这么多个种子取均值；偏差²和方差需要一个以上的种子</translation>
    </message>
    <message>
        <source>Backend</source>
        <translation>后端</translation>
    </message>
    <message>
        <source>Displayed backend</source>
        <translation>显示的后端</translation>
    </message>
    <message>
        <source>Tensors only: no model is run, so there are no end-to-end results</source>
        <translation>仅张量：不运行模型，因此没有端到端结果</translation>
    </message>
    <message>
        <source>Maps saved to %1.</source>
        <translation>注意力图已保存到 %1。</translation>
    </message>
    <message>
        <source>%1, log</source>
        <translation>%1，对数</translation>
    </message>
    <message>
        <source>Computing…</source>
        <translation>正在计算…</translation>
    </message>
    <message>
        <source>Drop an image or a video</source>
        <translation>拖放图像或视频</translation>
    </message>
    <message>
        <source>Inspects %1 with the selected backends</source>
        <translation>使用选定的后端检查 %1</translation>
    </message>
    <message>
        <source>Try the demo</source>
        <translation>试用演示</translation>
    </message>
    <message>
        <source>Inspect the layers</source>
        <translation>检查各层</translation>
    </message>
    <message>
        <source>Inspect the layers with this input</source>
        <translation>用此输入检查各层</translation>
    </message>
    <message>
        <source>Error map…</source>
        <translation>误差图…</translation>
    </message>
    <message>
        <source>Drift by depth…</source>
        <translation>各深度的漂移…</translation>
    </message>
    <message>
        <source>Exact map…</source>
        <translation>精确注意力图…</translation>
    </message>
    <message>
        <source>Implied map…</source>
        <translation>隐含权重图…</translation>
    </message>
    <message>
        <source>Difference…</source>
        <translation>差异…</translation>
    </message>
    <message>
        <source>Keys seen…</source>
        <translation>可见键…</translation>
    </message>
    <message>
        <source>Mass kept…</source>
        <translation>保留质量…</translation>
    </message>
    <message>
        <source>%1…</source>
        <translation>%1…</translation>
    </message>
    <message>
        <source>Terms of the logits…</source>
        <translation>logit 分项…</translation>
    </message>
    <message>
        <source>All maps as tensors…</source>
        <translation>所有注意力图（张量）…</translation>
    </message>
    <message>
        <source>Tensors (*.safetensors)</source>
        <translation>张量 (*.safetensors)</translation>
    </message>
    <message>
        <source>SVG (*.svg);;PNG, 2× (*.png);;PDF (*.pdf);;CSV (*.csv)</source>
        <translation>SVG (*.svg);;PNG, 2× (*.png);;PDF (*.pdf);;CSV (*.csv)</translation>
    </message>
    <message>
        <source>There is nothing to export yet.</source>
        <translation>尚无可导出的内容。</translation>
    </message>
    <message>
        <source>There are no terms yet; show them first.</source>
        <translation>尚无分项；请先显示它们。</translation>
    </message>
    <message>
        <source>There are no maps yet; wait until they have been computed.</source>
        <translation>尚无注意力图；请等待计算完成。</translation>
    </message>
    <message>
        <source>Corner: worse than the mean of the values. Arrow keys move between cells, Enter opens the maps</source>
        <translation>角标：不如值的均值。方向键在单元格间移动，回车键打开注意力图</translation>
    </message>
    <message>
        <source>Two networks</source>
        <translation>两个网络</translation>
    </message>
</context>
<context>
    <name>attnscope::ui::LayersSession</name>
    <message>
        <source>waiting for another job&apos;s step</source>
        <translation>等待另一个任务的步骤</translation>
    </message>
    <message>
        <source>Open an image or a video first.</source>
        <translation>请先打开图像或视频。</translation>
    </message>
    <message>
        <source>Select a backend other than softmax; softmax is the reference that the others are compared with.</source>
        <translation>请选择 softmax 以外的后端；softmax 是其他后端的比较参考。</translation>
    </message>
    <message>
        <source>loading</source>
        <translation>正在加载</translation>
    </message>
    <message>
        <source>layers</source>
        <translation>逐层</translation>
    </message>
    <message>
        <source>There are no maps yet; wait until they have been computed.</source>
        <translation>尚无注意力图；请等待计算完成。</translation>
    </message>
    <message>
        <source>made with %1</source>
        <translation>以 %1 测得</translation>
    </message>
    <message>
        <source>made with seed %1</source>
        <translation>以种子 %1 测得</translation>
    </message>
    <message>
        <source>Inspecting the layers</source>
        <translation>正在检查各层</translation>
    </message>
    <message>
        <source>A file of q, k and v has no position embeddings.</source>
        <translation>q、k 和 v 的文件没有位置嵌入。</translation>
    </message>
</context>
<context>
    <name>attnscope::ui::LeaderboardSession</name>
    <message>
        <source>waiting for another job&apos;s step</source>
        <translation>等待另一个任务的步骤</translation>
    </message>
    <message>
        <source>loading</source>
        <translation>正在加载</translation>
    </message>
    <message>
        <source>leaderboard</source>
        <translation>排行榜</translation>
    </message>
    <message>
        <source>%1 of %2 attentions measured</source>
        <translation>已测量 %1 / %2 种注意力</translation>
    </message>
    <message>
        <source>made with %1</source>
        <translation>以 %1 测得</translation>
    </message>
    <message>
        <source>Measuring the leaderboard</source>
        <translation>正在测量排行榜</translation>
    </message>
</context>
<context>
    <name>attnscope::ui::LeaderboardTab</name>
    <message>
        <source>What could replace softmax here?</source>
        <translation>这里可以用什么代替 softmax？</translation>
    </message>
    <message>
        <source>Measuring every attention that needs no training</source>
        <translation>正在测量所有免训练的注意力</translation>
    </message>
    <message>
        <source>Rows appear as they are measured.</source>
        <translation>各行在测量后显示。</translation>
    </message>
    <message>
        <source>The chart as SVG, PNG or PDF, the table as CSV or TSV, everything as JSON</source>
        <translation>图表导出为 SVG、PNG 或 PDF，表格导出为 CSV 或 TSV，全部内容导出为 JSON</translation>
    </message>
    <message>
        <source>Number of seeds for random attention</source>
        <translation>随机注意力的种子数</translation>
    </message>
    <message>
        <source>Errors of random attentions are averaged over this many seeds</source>
        <translation>随机注意力的误差对这么多个种子取均值</translation>
    </message>
    <message>
        <source>Error against cost</source>
        <translation>误差与成本的关系</translation>
    </message>
    <message>
        <source>Attentions appear as they are measured</source>
        <translation>各注意力在测量后显示</translation>
    </message>
    <message>
        <source>Best at equal: no other attention has both a smaller error and less time, or less memory</source>
        <translation>同等条件最优：没有其他注意力既有更小的误差，又有更少的时间或更少的内存</translation>
    </message>
    <message>
        <source>Adds the chosen attention to the Backends and selects it</source>
        <translation>将所选的注意力添加到“后端”并选中</translation>
    </message>
    <message>
        <source>Leaderboard</source>
        <translation>排行榜</translation>
    </message>
    <message>
        <source>Drop an image, a video or a file of q, k and v</source>
        <translation>拖放图像、视频或 q、k 和 v 的文件</translation>
    </message>
    <message>
        <source>Every attention that needs no training, at several sizes: error, time and memory next to each other.</source>
        <translation>所有免训练的注意力，各取多种规模：误差、时间和内存并列。</translation>
    </message>
    <message>
        <source>Measured on %1 in about a minute; rows appear as they come</source>
        <translation>在 %1 上测量，大约一分钟；各行随测量进度显示</translation>
    </message>
    <message>
        <source>Stop</source>
        <translation>停止</translation>
    </message>
    <message>
        <source>Run again</source>
        <translation>重新运行</translation>
    </message>
    <message>
        <source>Go on</source>
        <translation>继续</translation>
    </message>
    <message>
        <source>Error</source>
        <translation>误差</translation>
    </message>
    <message>
        <source>End to end</source>
        <translation>端到端</translation>
    </message>
    <message>
        <source>Same q, k, v</source>
        <translation>相同的 q、k、v</translation>
    </message>
    <message>
        <source>Cost</source>
        <translation>成本</translation>
    </message>
    <message>
        <source>Time</source>
        <translation>时间</translation>
    </message>
    <message>
        <source>Memory</source>
        <translation>内存</translation>
    </message>
    <message>
        <source>Seeds</source>
        <translation>种子</translation>
    </message>
    <message>
        <source>Compare this one</source>
        <translation>比较此项</translation>
    </message>
</context>
<context>
    <name>attnscope::ui::LegendRow</name>
    <message>
        <source>Show %1</source>
        <translation>显示 %1</translation>
    </message>
    <message>
        <source>Legend</source>
        <translation>图例</translation>
    </message>
</context>
<context>
    <name>attnscope::ui::LengthTab</name>
    <message>
        <source>Quick</source>
        <translation>快速</translation>
    </message>
    <message>
        <source>Whole range</source>
        <translation>整个范围</translation>
    </message>
    <message>
        <source>LARA paper, table 6</source>
        <translation>LARA 论文，表 6</translation>
    </message>
    <message>
        <source>Lengths</source>
        <translation>长度</translation>
    </message>
    <message>
        <source>Sequence lengths in tokens</source>
        <translation>以 token 计的序列长度</translation>
    </message>
    <message>
        <source>Layers</source>
        <translation>层</translation>
    </message>
    <message>
        <source>Dim</source>
        <translation>维度</translation>
    </message>
    <message>
        <source>Heads</source>
        <translation>头</translation>
    </message>
    <message>
        <source>Pass</source>
        <translation>传播</translation>
    </message>
    <message>
        <source>Set of lengths</source>
        <translation>长度组</translation>
    </message>
    <message>
        <source>Custom</source>
        <translation>自定义</translation>
    </message>
    <message>
        <source>Forward</source>
        <translation>前向</translation>
    </message>
    <message>
        <source>Forward + backward</source>
        <translation>前向 + 反向</translation>
    </message>
    <message>
        <source>Must divide the embedding dimension</source>
        <translation>必须能整除嵌入维度</translation>
    </message>
    <message>
        <source>Quantity</source>
        <translation>量</translation>
    </message>
    <message>
        <source>Time</source>
        <translation>时间</translation>
    </message>
    <message>
        <source>Memory</source>
        <translation>内存</translation>
    </message>
    <message>
        <source>Values</source>
        <translation>值</translation>
    </message>
    <message>
        <source>Absolute</source>
        <translation>绝对</translation>
    </message>
    <message>
        <source>Relative to softmax</source>
        <translation>相对于 softmax</translation>
    </message>
    <message>
        <source>Published</source>
        <translation>已发表</translation>
    </message>
    <message>
        <source>Hollow markers: ratios from the LARA paper, table 6, 16 landmarks or samples; never connected to our own</source>
        <translation>空心标记：LARA 论文表 6 中的比值，地标数或采样数为 16；从不与我们自己的结果相连</translation>
    </message>
    <message>
        <source>Whole encoder</source>
        <translation>整个编码器</translation>
    </message>
    <message>
        <source>Attention only</source>
        <translation>仅注意力</translation>
    </message>
    <message>
        <source>Points appear as they are measured</source>
        <translation>测量完成后逐点显示</translation>
    </message>
    <message>
        <source>Scaling and break-even</source>
        <translation>增长与平衡点</translation>
    </message>
    <message>
        <source>All values</source>
        <translation>所有值</translation>
    </message>
    <message>
        <source>The embedding dimension %2 is not divisible by %1 heads; choose a multiple of the number of heads.</source>
        <translation>嵌入维度 %2 不能被 %1 个头整除；请选择头数的倍数。</translation>
    </message>
    <message>
        <source>Numbers of tokens in ascending order, separated by commas</source>
        <translation>按升序排列的 token 数，以半角逗号分隔</translation>
    </message>
    <message>
        <source>What does attention cost as sequences get longer?</source>
        <translation>序列变长时注意力的成本是多少？</translation>
    </message>
    <message>
        <source>Time and memory of %1, %2 from %3 to %4 tokens: %5.</source>
        <translation>时间和内存：%1，%2，从 %3 到 %4 个 token：%5。</translation>
    </message>
    <message>
        <source>explicit and fused softmax</source>
        <translation>显式和融合 softmax</translation>
    </message>
    <message>
        <source>%1 alongside softmax</source>
        <translation>%1 与 softmax</translation>
    </message>
    <message numerus="yes">
        <source>%1 length(s)</source>
        <translation>
            <numerusform>%1 种长度</numerusform>
        </translation>
    </message>
    <message>
        <source>Uses an encoder with random weights, so neither an image nor a checkpoint is needed, and runs the backends selected under Backends.</source>
        <translation>使用随机权重的编码器，因此既不需要图像也不需要检查点；运行“后端”下选定的后端。</translation>
    </message>
    <message>
        <source>Skipped: %1, which needs a network with spatial reduction.</source>
        <translation>已跳过：%1，它们需要具有空间缩减的网络。</translation>
    </message>
    <message>
        <source>Time and memory vs. number of tokens</source>
        <translation>时间和内存与 token 数的关系</translation>
    </message>
    <message>
        <source>Measuring the first length</source>
        <translation>正在测量第一种长度</translation>
    </message>
    <message>
        <source>Backends are timed in random order; time inside attention is reported next to the total.</source>
        <translation>各后端以随机顺序计时；注意力内部的时间与总时间并列给出。</translation>
    </message>
    <message>
        <source>Whole encoder, peak</source>
        <translation>整个编码器，峰值</translation>
    </message>
    <message>
        <source>Attention only, one layer</source>
        <translation>仅注意力，一层</translation>
    </message>
    <message>
        <source>Attention only, all layers, forward</source>
        <translation>仅注意力，所有层，前向</translation>
    </message>
    <message>
        <source>Attention only, all layers</source>
        <translation>仅注意力，所有层</translation>
    </message>
    <message>
        <source>relative to explicit softmax at the same length; hollow: published, 16 samples</source>
        <translation>相对于相同长度的显式 softmax；空心：已发表，采样数 16</translation>
    </message>
    <message>
        <source>medians; bands: 5th to 95th percentile; ✕: stopped</source>
        <translation>中位数；色带：第 5 至第 95 百分位；✕：已停止</translation>
    </message>
    <message>
        <source>tensor memory above the level before the pass; ✕: stopped</source>
        <translation>高出传播前水平的张量内存；✕：已停止</translation>
    </message>
    <message>
        <source>Open network</source>
        <translation>已打开的网络</translation>
    </message>
    <message>
        <source>Layers, width and heads of the open network, from its own number of tokens on</source>
        <translation>已打开网络的层数、宽度和头数，从其自身的标记数开始</translation>
    </message>
    <message>
        <source>softmax, explicit</source>
        <translation>softmax，显式</translation>
    </message>
</context>
<context>
    <name>attnscope::ui::LiveImage</name>
    <message>
        <source>Image</source>
        <translation>图像</translation>
    </message>
    <message>
        <source>camera on</source>
        <translation>摄像头已开启</translation>
    </message>
</context>
<context>
    <name>attnscope::ui::LivePage</name>
    <message>
        <source>Record CSV</source>
        <translation>记录 CSV</translation>
    </message>
    <message>
        <source>Writes each prediction to a CSV file during playback. No frames are stored.</source>
        <translation>播放时将每个预测写入 CSV 文件。不保存任何帧。</translation>
    </message>
    <message>
        <source>Export</source>
        <translation>导出</translation>
    </message>
    <message>
        <source>The timelines as CSV, or the whole run as JSON</source>
        <translation>时间线导出为 CSV，或整个运行导出为 JSON</translation>
    </message>
    <message>
        <source>Copy as command</source>
        <translation>复制为命令</translation>
    </message>
    <message>
        <source>The attnscope-cli command for the current clip</source>
        <translation>针对当前片段的 attnscope-cli 命令</translation>
    </message>
    <message>
        <source>Stop recording</source>
        <translation>停止记录</translation>
    </message>
    <message>
        <source>Opening %1</source>
        <translation>正在打开 %1</translation>
    </message>
    <message>
        <source>sees %1 frames, %2 s</source>
        <translation>看到 %1 帧，%2 s</translation>
    </message>
    <message>
        <source>image model: sees one frame at a time</source>
        <translation>图像模型：每次看到一帧</translation>
    </message>
    <message>
        <source>No camera found. Connect one, or open a video.</source>
        <translation>未找到摄像头。请连接摄像头，或打开视频。</translation>
    </message>
    <message>
        <source>Record predictions</source>
        <translation>记录预测</translation>
    </message>
    <message>
        <source>CSV (*.csv)</source>
        <translation>CSV (*.csv)</translation>
    </message>
    <message>
        <source>Export timelines</source>
        <translation>导出时间线</translation>
    </message>
    <message>
        <source>The whole run as JSON (*.json);;Timelines as CSV (*.csv)</source>
        <translation>整个运行的 JSON (*.json);;时间线的 CSV (*.csv)</translation>
    </message>
    <message>
        <source>Open a video</source>
        <translation>打开视频</translation>
    </message>
    <message>
        <source>;;All files (*)</source>
        <translation>;;所有文件 (*)</translation>
    </message>
</context>
<context>
    <name>attnscope::ui::LiveRowsModel</name>
    <message>
        <source>Backend</source>
        <translation>后端</translation>
    </message>
    <message>
        <source>Timeline</source>
        <translation>时间线</translation>
    </message>
    <message>
        <source>Latency</source>
        <translation>延迟</translation>
    </message>
    <message>
        <source>One forward pass, median of the last 20 clips, under load from decoding and drawing. Compare measures it without load.</source>
        <translation>一次前向传播，最近 20 个片段的中位数，在解码和绘制的负载下测得。“比较”页面在无负载时测量。</translation>
    </message>
    <message>
        <source>Clips/s</source>
        <translation>片段/s</translation>
    </message>
    <message>
        <source>Clips per second that this backend could process on its own: 1 / latency.</source>
        <translation>此后端单独运行时每秒能处理的片段数：1 / 延迟。</translation>
    </message>
    <message>
        <source>Peak memory</source>
        <translation>峰值内存</translation>
    </message>
    <message>
        <source>Peak tensor memory of the last clip&apos;s forward pass, above the level before it.</source>
        <translation>上一个片段前向传播的张量内存峰值，高出其之前水平的部分。</translation>
    </message>
    <message>
        <source>Agrees</source>
        <translation>一致</translation>
    </message>
    <message>
        <source>Fraction of predicted clips whose top-1 class is the same as the reference&apos;s.</source>
        <translation>top-1 类别与参考相同的已预测片段所占比例。</translation>
    </message>
    <message>
        <source>class %1</source>
        <translation>类别 %1</translation>
    </message>
    <message>
        <source>reference</source>
        <translation>参考</translation>
    </message>
    <message>
        <source>%1 of %2</source>
        <translation>%1（共 %2）</translation>
    </message>
    <message>
        <source>%1 segments, disagrees in %2 places</source>
        <translation>%1 段，%2 处不一致</translation>
    </message>
    <message>
        <source>No backend could process this clip</source>
        <translation>没有后端能够处理此片段</translation>
    </message>
    <message>
        <source>Waiting for the first clip</source>
        <translation>等待第一个片段</translation>
    </message>
    <message>
        <source>%1: %2</source>
        <translation>%1：%2</translation>
    </message>
    <message>
        <source>%1 predicts %2</source>
        <translation>%1 预测为 %2</translation>
    </message>
    <message>
        <source>Both predict %1</source>
        <translation>两者都预测为 %1</translation>
    </message>
    <message>
        <source>All %1 predict %2</source>
        <translation>全部 %1 个都预测为 %2</translation>
    </message>
    <message>
        <source>%1 and %2 differ</source>
        <translation>%1 和 %2 不同</translation>
    </message>
    <message>
        <source>%1 agrees on %2 of %3 clips</source>
        <translation>%1 与参考一致：%3 个片段中的 %2</translation>
    </message>
    <message>
        <source>Waiting for the next clip</source>
        <translation>等待下一个片段</translation>
    </message>
</context>
<context>
    <name>attnscope::ui::LiveSession</name>
    <message>
        <source>Saved %1.</source>
        <translation>已保存 %1。</translation>
    </message>
    <message>
        <source>Compare is measuring; playback now would distort its results.</source>
        <translation>“比较”正在测量；此时播放会使其结果失真。</translation>
    </message>
    <message>
        <source>The model is loading.</source>
        <translation>正在加载模型。</translation>
    </message>
    <message>
        <source>Waiting for another job to finish its step.</source>
        <translation>等待另一个任务完成其步骤。</translation>
    </message>
    <message>
        <source>No backend is selected.</source>
        <translation>未选择后端。</translation>
    </message>
    <message>
        <source>No further disagreement found so far; the rest has not been played yet.</source>
        <translation>目前未发现更多不一致；其余部分尚未播放。</translation>
    </message>
    <message numerus="yes">
        <source>%1 prediction(s) recorded in %2.</source>
        <translation>
            <numerusform>已在 %2 中记录 %1 个预测。</numerusform>
        </translation>
    </message>
    <message>
        <source>No prediction here: the first clip ends at %1 s</source>
        <translation>此处没有预测：第一个片段在 %1 s 结束</translation>
    </message>
    <message>
        <source>Waiting for the clip shown here</source>
        <translation>正在等待此处显示的片段</translation>
    </message>
</context>
<context>
    <name>attnscope::ui::MainWindow</name>
    <message>
        <source>Attnscope</source>
        <translation>Attnscope</translation>
    </message>
    <message>
        <source>Report</source>
        <translation>报告</translation>
    </message>
    <message>
        <source>Show</source>
        <translation>显示</translation>
    </message>
    <message numerus="yes">
        <source>%1 file(s) could not be read</source>
        <translation>
            <numerusform>%1 个文件无法读取</numerusform>
        </translation>
    </message>
    <message>
        <source>Ready</source>
        <translation>就绪</translation>
    </message>
    <message>
        <source>About Attnscope</source>
        <translation>关于 Attnscope</translation>
    </message>
    <message>
        <source>Attnscope %1</source>
        <translation>Attnscope %1</translation>
    </message>
    <message>
        <source>Stay</source>
        <translation>不关闭</translation>
    </message>
    <message>
        <source>%1 is no longer there; it was removed from the list.</source>
        <translation>%1 已不存在；已将其从列表中移除。</translation>
    </message>
    <message>
        <source>Open a checkpoint</source>
        <translation>打开检查点</translation>
    </message>
    <message>
        <source>Checkpoints (*.safetensors *.pth *.pt *.bin);;All files (*)</source>
        <translation>检查点 (*.safetensors *.pth *.pt *.bin);;所有文件 (*)</translation>
    </message>
    <message>
        <source>Open class embeddings</source>
        <translation>打开类别嵌入</translation>
    </message>
    <message>
        <source>Class embeddings (*.safetensors);;All files (*)</source>
        <translation>类别嵌入 (*.safetensors);;所有文件 (*)</translation>
    </message>
    <message>
        <source>Model default</source>
        <translation>模型默认</translation>
    </message>
    <message>
        <source>Image size</source>
        <translation>图像大小</translation>
    </message>
    <message>
        <source>Side of a square, or WIDTHxHEIGHT, in pixels:</source>
        <translation>正方形的边长，或 WIDTHxHEIGHT，以像素为单位：</translation>
    </message>
    <message>
        <source>There is no image on the clipboard; copy one, or open a file.</source>
        <translation>剪贴板中没有图像；请复制图像，或打开文件。</translation>
    </message>
    <message>
        <source>Evaluate on %1</source>
        <translation>在 %1 上评估</translation>
    </message>
    <message>
        <source>Show the results of this store</source>
        <translation>显示此结果库的结果</translation>
    </message>
    <message>
        <source>Use as weights, or inspect its q, k, v</source>
        <translation>用作权重，或检查其 q、k、v</translation>
    </message>
    <message>
        <source>Use as weights</source>
        <translation>用作权重</translation>
    </message>
    <message>
        <source>Play this video in Live</source>
        <translation>在“实时”中播放此视频</translation>
    </message>
    <message numerus="yes">
        <source>Compare %1 image(s)</source>
        <translation>
            <numerusform>比较 %1 张图像</numerusform>
        </translation>
    </message>
    <message>
        <source>The dropped image cannot be read; save it to a file and open that file.</source>
        <translation>无法读取拖放的图像；请将其保存为文件，再打开该文件。</translation>
    </message>
    <message>
        <source>A small demo model that knows only eight camera moves over the demo photographs.</source>
        <translation>一个小型演示模型，只认识演示照片上的八种镜头运动。</translation>
    </message>
    <message>
        <source>A small demo model that knows only twelve scenes of the demo photographs.</source>
        <translation>一个小型演示模型，只认识演示照片的十二个场景。</translation>
    </message>
    <message>
        <source>Find a command</source>
        <translation>查找命令</translation>
    </message>
    <message>
        <source>Backends</source>
        <translation>后端</translation>
    </message>
    <message>
        <source>Add another backend</source>
        <translation>添加另一个后端</translation>
    </message>
    <message>
        <source>Hide backends</source>
        <translation>隐藏后端</translation>
    </message>
    <message>
        <source>Show unreadable files</source>
        <translation>显示无法读取的文件</translation>
    </message>
    <message>
        <source>Unreadable files</source>
        <translation>无法读取的文件</translation>
    </message>
    <message numerus="yes">
        <source>%1 file(s) could not be read. Such files count as neither correct nor wrong.</source>
        <translation>
            <numerusform>%1 个文件无法读取。此类文件既不算正确也不算错误。</numerusform>
        </translation>
    </message>
    <message>
        <source>Copy</source>
        <translation>复制</translation>
    </message>
    <message>
        <source>Open a checkpoint…</source>
        <translation>打开检查点…</translation>
    </message>
    <message>
        <source>&amp;File</source>
        <translation>文件(&amp;F)</translation>
    </message>
    <message>
        <source>&amp;Open…</source>
        <translation>打开(&amp;O)…</translation>
    </message>
    <message>
        <source>Open &amp;recent</source>
        <translation>打开最近的文件(&amp;R)</translation>
    </message>
    <message>
        <source>Open a &amp;checkpoint…</source>
        <translation>打开检查点(&amp;C)…</translation>
    </message>
    <message>
        <source>Evaluate a &amp;folder…</source>
        <translation>评估文件夹(&amp;F)…</translation>
    </message>
    <message>
        <source>Open &amp;store…</source>
        <translation>打开结果库(&amp;S)…</translation>
    </message>
    <message>
        <source>Try the &amp;demo</source>
        <translation>试用演示(&amp;D)</translation>
    </message>
    <message>
        <source>&amp;Export…</source>
        <translation>导出(&amp;E)…</translation>
    </message>
    <message>
        <source>&amp;Quit</source>
        <translation>退出(&amp;Q)</translation>
    </message>
    <message>
        <source>&amp;Edit</source>
        <translation>编辑(&amp;E)</translation>
    </message>
    <message>
        <source>&amp;Copy values</source>
        <translation>复制值(&amp;C)</translation>
    </message>
    <message>
        <source>Copy values as &amp;Markdown</source>
        <translation>将值复制为 Markdown(&amp;M)</translation>
    </message>
    <message>
        <source>Copy as c&amp;ommand</source>
        <translation>复制为命令(&amp;O)</translation>
    </message>
    <message>
        <source>&amp;Undo</source>
        <translation>撤销(&amp;U)</translation>
    </message>
    <message>
        <source>&amp;Paste image</source>
        <translation>粘贴图像(&amp;P)</translation>
    </message>
    <message>
        <source>&amp;Settings…</source>
        <translation>设置(&amp;S)…</translation>
    </message>
    <message>
        <source>&amp;View</source>
        <translation>视图(&amp;V)</translation>
    </message>
    <message>
        <source>Use a c&amp;amera</source>
        <translation>使用摄像头(&amp;A)</translation>
    </message>
    <message>
        <source>&amp;Backends</source>
        <translation>后端(&amp;B)</translation>
    </message>
    <message>
        <source>Next c&amp;hart view</source>
        <translation>下一个图表视图(&amp;H)</translation>
    </message>
    <message>
        <source>&amp;Light theme</source>
        <translation>浅色主题(&amp;L)</translation>
    </message>
    <message>
        <source>&amp;Dark theme</source>
        <translation>深色主题(&amp;D)</translation>
    </message>
    <message>
        <source>Follow the syste&amp;m theme</source>
        <translation>跟随系统主题(&amp;M)</translation>
    </message>
    <message>
        <source>Reset lay&amp;out</source>
        <translation>重置布局(&amp;O)</translation>
    </message>
    <message>
        <source>&amp;Full screen</source>
        <translation>全屏(&amp;F)</translation>
    </message>
    <message>
        <source>&amp;Run</source>
        <translation>运行(&amp;R)</translation>
    </message>
    <message>
        <source>&amp;Stop</source>
        <translation>停止(&amp;S)</translation>
    </message>
    <message>
        <source>&amp;Image size…</source>
        <translation>图像大小(&amp;I)…</translation>
    </message>
    <message>
        <source>&amp;Previous input</source>
        <translation>上一个输入(&amp;P)</translation>
    </message>
    <message>
        <source>&amp;Next input</source>
        <translation>下一个输入(&amp;N)</translation>
    </message>
    <message>
        <source>&amp;Tools</source>
        <translation>工具(&amp;T)</translation>
    </message>
    <message>
        <source>&amp;Find a command</source>
        <translation>查找命令(&amp;F)</translation>
    </message>
    <message>
        <source>&amp;Doctor</source>
        <translation>诊断(&amp;D)</translation>
    </message>
    <message>
        <source>&amp;Help</source>
        <translation>帮助(&amp;H)</translation>
    </message>
    <message>
        <source>&amp;This screen</source>
        <translation>此页面(&amp;T)</translation>
    </message>
    <message>
        <source>&amp;Manual</source>
        <translation>手册(&amp;M)</translation>
    </message>
    <message>
        <source>&amp;About Attnscope</source>
        <translation>关于 Attnscope(&amp;A)</translation>
    </message>
    <message>
        <source>L&amp;ive</source>
        <translation>实时(&amp;I)</translation>
    </message>
    <message>
        <source>Ba&amp;tch</source>
        <translation>批量(&amp;T)</translation>
    </message>
    <message>
        <source>&amp;Compare</source>
        <translation>比较(&amp;C)</translation>
    </message>
    <message>
        <source>La&amp;yers</source>
        <translation>逐层(&amp;Y)</translation>
    </message>
    <message>
        <source>Scal&amp;e</source>
        <translation>规模(&amp;E)</translation>
    </message>
    <message>
        <source>T&amp;rain</source>
        <translation>训练(&amp;R)</translation>
    </message>
    <message>
        <source>Re&amp;sults</source>
        <translation>结果(&amp;S)</translation>
    </message>
    <message>
        <source>k&amp;NN</source>
        <translation>近邻(&amp;N)</translation>
    </message>
    <message>
        <source>Export &amp;network…</source>
        <translation>导出网络(&amp;N)…</translation>
    </message>
    <message>
        <source>Pr&amp;int…</source>
        <translation>打印(&amp;I)…</translation>
    </message>
    <message>
        <source>&amp;Redo</source>
        <translation>重做(&amp;R)</translation>
    </message>
    <message>
        <source>&amp;Whole window…</source>
        <translation>整个窗口(&amp;W)…</translation>
    </message>
    <message>
        <source>PNG (*.png)</source>
        <translation>PNG (*.png)</translation>
    </message>
    <message>
        <source>SVG (*.svg);;PNG, 2× (*.png);;PDF (*.pdf)</source>
        <translation>SVG (*.svg);;PNG, 2× (*.png);;PDF (*.pdf)</translation>
    </message>
    <message>
        <source>Attnscope: %1</source>
        <translation>Attnscope：%1</translation>
    </message>
    <message>
        <source>Replace the file?</source>
        <translation>替换该文件？</translation>
    </message>
    <message>
        <source>%1 already exists.</source>
        <translation>%1 已存在。</translation>
    </message>
    <message>
        <source>Replace</source>
        <translation>替换</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>取消</translation>
    </message>
    <message>
        <source>Exporting to %1…</source>
        <translation>正在导出到 %1…</translation>
    </message>
    <message>
        <source>%1 was written: %2 with %3, %4 operators, %5.</source>
        <translation>已写入 %1：%2，使用 %3，%4 个算子，%5。</translation>
    </message>
    <message>
        <source>Its weights are in %1, which belongs next to it.</source>
        <translation>其权重在 %1 中，应与之放在一起。</translation>
    </message>
    <message>
        <source>Load your own attention</source>
        <translation>加载自己的注意力</translation>
    </message>
    <message>
        <source>TorchScript modules and libraries (*.ts *.pt *.so);;All files (*)</source>
        <translation>TorchScript 模块和库 (*.ts *.pt *.so);;所有文件 (*)</translation>
    </message>
    <message>
        <source>Load this attention?</source>
        <translation>加载此注意力？</translation>
    </message>
    <message>
        <source>%1 is a program that runs with all your rights; load it only if you trust whoever made it. Attnscope starts again with it.</source>
        <translation>%1 是一个以您的全部权限运行的程序；仅在信任其作者时加载。Attnscope 将带着它重新启动。</translation>
    </message>
    <message>
        <source>Load</source>
        <translation>加载</translation>
    </message>
    <message>
        <source>%1 cannot be started (%2); install Attnscope again.</source>
        <translation>无法启动 %1（%2）；请重新安装 Attnscope。</translation>
    </message>
    <message>
        <source>Load your own &amp;attention…</source>
        <translation>加载自己的注意力(&amp;A)…</translation>
    </message>
    <message>
        <source>Save i&amp;mage</source>
        <translation>保存图像(&amp;M)</translation>
    </message>
    <message>
        <source>Save image</source>
        <translation>保存图像</translation>
    </message>
    <message>
        <source>The printer could not be opened; choose another one, or save an image.</source>
        <translation>无法打开打印机；请选择另一台打印机，或保存图像。</translation>
    </message>
    <message>
        <source>The results of %1 were not restored: %2</source>
        <translation>%1 的结果未恢复：%2</translation>
    </message>
    <message>
        <source>Memory of this computer: %1 of %2 in use</source>
        <translation>本机内存：已用 %1 / %2</translation>
    </message>
    <message>
        <source>Memory of the GPU: %1 of %2 in use</source>
        <translation>GPU 显存：已用 %1 / %2</translation>
    </message>
    <message>
        <source>Find a backend</source>
        <translation>查找后端</translation>
    </message>
    <message>
        <source>Try the demo with 197 &amp;tokens</source>
        <translation>以 197 个 token 试用演示(&amp;T)</translation>
    </message>
    <message>
        <source>as ONNX, for ONNX Runtime and OpenVINO</source>
        <translation>导出为 ONNX，用于 ONNX Runtime 和 OpenVINO</translation>
    </message>
    <message>
        <source>Compare at 1&#x202f;028 tokens</source>
        <translation>以 1&#x202f;028 个 token 比较</translation>
    </message>
    <message>
        <source>%1: cannot be written; choose a writable folder.</source>
        <translation>%1：无法写入；请选择可写的文件夹。</translation>
    </message>
    <message>
        <source>What efficient attention saves in a vision transformer, and what it costs.

Licence: Apache-2.0.</source>
        <translation>高效注意力在视觉 Transformer 中节省什么，又付出什么代价。

许可证：Apache-2.0。</translation>
    </message>
    <message>
        <source>Replace instead</source>
        <translation>改为替换</translation>
    </message>
    <message>
        <source>This screen runs %1 alone: backends in other networks, or in a dtype of their own, are left out.</source>
        <translation>此界面仅运行 %1：其他网络中或使用单独 dtype 的后端不参与。</translation>
    </message>
    <message>
        <source>Archive or list to evaluate</source>
        <translation>要评估的归档或列表</translation>
    </message>
    <message>
        <source>Archives, tables and lists of images (*.tar *.tar.gz *.tgz *.zip *.parquet *.txt *.csv *.tsv *.json);;All files (*)</source>
        <translation>图像的归档、表格和列表 (*.tar *.tar.gz *.tgz *.zip *.parquet *.txt *.csv *.tsv *.json);;所有文件 (*)</translation>
    </message>
    <message>
        <source>Evaluate an &amp;archive…</source>
        <translation>评估归档(&amp;A)…</translation>
    </message>
    <message>
        <source>&amp;GPUs…</source>
        <translation>GPU(&amp;G)…</translation>
    </message>
</context>
<context>
    <name>attnscope::ui::MapView</name>
    <message>
        <source>; %1 tokens stand for several patches</source>
        <translation>；%1 个 token 代表多个图块</translation>
    </message>
    <message>
        <source>query at row %1, column %2; </source>
        <translation>查询位于行 %1、列 %2； </translation>
    </message>
    <message>
        <source>%1 of %2 patches are seen</source>
        <translation>可见 %1 / %2 个图块</translation>
    </message>
    <message>
        <source>no query saw a key, and each used all</source>
        <translation>没有查询看得到任何键，每个查询都使用了全部键</translation>
    </message>
    <message>
        <source>smallest mass %1 at row %2, column %3</source>
        <translation>最小质量 %1 位于行 %2、列 %3</translation>
    </message>
    <message>
        <source>largest weight %1 at row %2, column %3</source>
        <translation>最大权重 %1 位于行 %2、列 %3</translation>
    </message>
    <message>
        <source>no patch has a number here</source>
        <translation>这里没有带数值的图块</translation>
    </message>
    <message>
        <source>%1 patches in %2 classes</source>
        <translation>%1 个图块，分属 %2 个类别</translation>
    </message>
    <message>
        <source>%1 of %2 patches have a number; the largest is %3 at row %4, column %5</source>
        <translation>%1 / %2 个图块带有数值；最大值 %3 位于行 %4、列 %5</translation>
    </message>
    <message>
        <source>none</source>
        <translation>无</translation>
    </message>
    <message>
        <source>saw no key and used all</source>
        <translation>看不到任何键，使用了全部键</translation>
    </message>
    <message>
        <source>class %1</source>
        <translation>类别 %1</translation>
    </message>
    <message>
        <source>row %1, column %2: %3</source>
        <translation>行 %1，列 %2：%3</translation>
    </message>
    <message>
        <source>%1: %2</source>
        <translation>%1：%2</translation>
    </message>
</context>
<context>
    <name>attnscope::ui::MeasurementDelegate</name>
    <message>
        <source>Details</source>
        <translation>详情</translation>
    </message>
    <message>
        <source>%1 of %2</source>
        <translation>%1 / %2</translation>
    </message>
    <message>
        <source>%1 more</source>
        <translation>还有 %1 项</translation>
    </message>
    <message>
        <source>Fewer</source>
        <translation>收起</translation>
    </message>
    <message>
        <source>untrained, class names hidden</source>
        <translation>未训练，类别名称已隐藏</translation>
    </message>
    <message>
        <source>%1 · ≠ differs</source>
        <translation>%1 · ≠ 不同</translation>
    </message>
</context>
<context>
    <name>attnscope::ui::MechanismList</name>
    <message>
        <source>the cache is measured in any case; name another mechanism</source>
        <translation>缓存总会被测量；请指定其他机制</translation>
    </message>
</context>
<context>
    <name>attnscope::ui::MechanismRow</name>
    <message>
        <source>Options of %1</source>
        <translation>%1 的选项</translation>
    </message>
    <message>
        <source>Add another</source>
        <translation>再添加一个</translation>
    </message>
    <message>
        <source>Add another %1</source>
        <translation>再添加一个 %1</translation>
    </message>
    <message>
        <source>Remove</source>
        <translation>移除</translation>
    </message>
    <message>
        <source>Remove %1</source>
        <translation>移除 %1</translation>
    </message>
    <message>
        <source>%1
%2: %3
%4</source>
        <translation>%1
%2：%3
%4</translation>
    </message>
</context>
<context>
    <name>attnscope::ui::MechanismsPanel</name>
    <message>
        <source>Mechanisms</source>
        <translation>机制</translation>
    </message>
</context>
<context>
    <name>attnscope::ui::MergedPanel</name>
    <message>
        <source>Behind</source>
        <translation>经过</translation>
    </message>
    <message>
        <source>Patches that have become one token</source>
        <translation>已成为一个 token 的图块</translation>
    </message>
    <message>
        <source>Block behind which tokens are shown</source>
        <translation>显示经过哪个块之后的 token</translation>
    </message>
    <message>
        <source>block %1</source>
        <translation>块 %1</translation>
    </message>
    <message>
        <source>%1 of %2 tokens</source>
        <translation>%1 / %2 个 token</translation>
    </message>
    <message>
        <source>%1: %2 behind block %3</source>
        <translation>%1：经过块 %3 之后为 %2</translation>
    </message>
    <message>
        <source>No tokens merge</source>
        <translation>没有 token 被合并</translation>
    </message>
</context>
<context>
    <name>attnscope::ui::MessageBar</name>
    <message>
        <source>Close message</source>
        <translation>关闭消息</translation>
    </message>
</context>
<context>
    <name>attnscope::ui::MessageStack</name>
    <message>
        <source>fold</source>
        <translation>折叠</translation>
    </message>
    <message>
        <source>and %1 more</source>
        <translation>另有 %1 项</translation>
    </message>
    <message>
        <source>These weights are random (untrained); costs are meaningful, predictions are not.</source>
        <translation>这些权重是随机的（未训练）；成本有意义，预测没有意义。</translation>
    </message>
    <message>
        <source>Open a checkpoint</source>
        <translation>打开检查点</translation>
    </message>
</context>
<context>
    <name>attnscope::ui::NeighbourView</name>
    <message>
        <source>The image</source>
        <translation>该图像</translation>
    </message>
    <message>
        <source>The image %1</source>
        <translation>图像 %1</translation>
    </message>
    <message>
        <source>Neighbours</source>
        <translation>近邻</translation>
    </message>
    <message>
        <source>How many neighbours are shown and mixed with the model&apos;s prediction</source>
        <translation>显示多少个近邻并与模型的预测混合</translation>
    </message>
    <message>
        <source>Weight of the neighbours</source>
        <translation>近邻的权重</translation>
    </message>
    <message>
        <source>λ, the weight of the neighbours: 0 is the model alone, 1 the neighbours alone</source>
        <translation>λ，近邻的权重：0 为仅模型，1 为仅近邻</translation>
    </message>
    <message>
        <source>Predictions for the image</source>
        <translation>对该图像的预测</translation>
    </message>
    <message>
        <source>Neighbours, nearest first</source>
        <translation>近邻，最近的在前</translation>
    </message>
    <message>
        <source>Neighbours of an image</source>
        <translation>图像的近邻</translation>
    </message>
    <message>
        <source>%1 · %2</source>
        <translation>%1 · %2</translation>
    </message>
    <message>
        <source>Choose a sample, or drop an image here.</source>
        <translation>选择一个样本，或将图像拖放到这里。</translation>
    </message>
    <message>
        <source>Searching…</source>
        <translation>正在搜索…</translation>
    </message>
    <message>
        <source>Its neighbours are looked for once the datastore is there.</source>
        <translation>特征库就绪后即查找其近邻。</translation>
    </message>
    <message>
        <source>Its neighbours were not found.</source>
        <translation>未找到其近邻。</translation>
    </message>
    <message>
        <source>Nearest first, with cosine similarity; below: file and weight.</source>
        <translation>最近的在前，附余弦相似度；下方：文件和权重。</translation>
    </message>
    <message>
        <source>Nearest first, with distance; below: file and weight.</source>
        <translation>最近的在前，附距离；下方：文件和权重。</translation>
    </message>
    <message>
        <source>✓: the class of the image, ≠: another one.</source>
        <translation>✓：与图像类别相同，≠：其他类别。</translation>
    </message>
    <message>
        <source>The image is in the datastore, and not its own neighbour.</source>
        <translation>该图像在特征库中，且不作为自身的近邻。</translation>
    </message>
</context>
<context>
    <name>attnscope::ui::NeighboursPage</name>
    <message>
        <source>Accuracy as SVG, PNG or PDF, its table as CSV or TSV, all results as JSON</source>
        <translation>准确率导出为 SVG、PNG 或 PDF，其表格导出为 CSV 或 TSV，所有结果导出为 JSON</translation>
    </message>
    <message>
        <source>Top-1 vs. λ</source>
        <translation>Top-1 与 λ 的关系</translation>
    </message>
    <message>
        <source>λ is the weight of the neighbours: 0 is the model alone, 1 the neighbours alone; bands: 95 % intervals</source>
        <translation>λ 为近邻的权重：0 为仅模型，1 为仅近邻；色带：95 % 区间</translation>
    </message>
    <message>
        <source>k</source>
        <translation>k</translation>
    </message>
    <message>
        <source>Number of neighbours of the curve</source>
        <translation>曲线的近邻数</translation>
    </message>
    <message>
        <source>The curve that is drawn with its intervals; those of the others are pale</source>
        <translation>带区间绘制的曲线；其他曲线的区间颜色较浅</translation>
    </message>
    <message>
        <source>Accuracy as</source>
        <translation>准确率显示为</translation>
    </message>
    <message>
        <source>Chart</source>
        <translation>图表</translation>
    </message>
    <message>
        <source>Table</source>
        <translation>表格</translation>
    </message>
    <message>
        <source>Accuracy against λ</source>
        <translation>准确率与 λ 的关系</translation>
    </message>
    <message>
        <source>Accuracy for every k and λ</source>
        <translation>每个 k 和 λ 的准确率</translation>
    </message>
    <message>
        <source>Samples to look at</source>
        <translation>可查看的样本</translation>
    </message>
    <message>
        <source>Those of the evaluated folder come here; any other image can be dropped.</source>
        <translation>评估文件夹的样本显示在这里；也可拖放任何其他图像。</translation>
    </message>
    <message>
        <source>Compute the features again?</source>
        <translation>重新计算特征？</translation>
    </message>
    <message>
        <source>%1 already exists. To use it, choose Open a datastore.</source>
        <translation>%1 已存在。要使用它，请选择“打开特征库”。</translation>
    </message>
    <message>
        <source>Replace</source>
        <translation>替换</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>取消</translation>
    </message>
    <message>
        <source>Its neighbours are looked for once a datastore is there: run first.</source>
        <translation>有特征库后即查找其近邻：请先运行。</translation>
    </message>
    <message>
        <source>Curves appear once all samples are classified</source>
        <translation>所有样本分类完成后显示曲线</translation>
    </message>
    <message>
        <source>Evaluate on a labelled folder to see its accuracy</source>
        <translation>在带标签的文件夹上评估以查看其准确率</translation>
    </message>
    <message>
        <source>Stopped before all samples were classified</source>
        <translation>在所有样本分类完成之前已停止</translation>
    </message>
    <message>
        <source>Classify by nearest features</source>
        <translation>按最近的特征分类</translation>
    </message>
    <message>
        <source>Run computes what is missing and measures the accuracy.</source>
        <translation>运行会计算缺少的内容并测量准确率。</translation>
    </message>
    <message>
        <source>Stopping after this batch</source>
        <translation>此批次后停止</translation>
    </message>
    <message>
        <source>Waiting for the current measurement or evaluation</source>
        <translation>等待当前的测量或评估</translation>
    </message>
    <message>
        <source>Computing the features of %1</source>
        <translation>正在计算 %1 的特征</translation>
    </message>
    <message>
        <source>Classifying %1</source>
        <translation>正在分类 %1</translation>
    </message>
    <message>
        <source>There is nothing to export yet; run a search first.</source>
        <translation>尚无可导出的内容；请先运行搜索。</translation>
    </message>
    <message>
        <source>There is no accuracy to export; evaluate on a labelled folder first.</source>
        <translation>没有可导出的准确率；请先在带标签的文件夹上评估。</translation>
    </message>
    <message>
        <source>Find the neighbours of this image</source>
        <translation>查找此图像的近邻</translation>
    </message>
    <message>
        <source>Compute the features of this folder</source>
        <translation>计算此文件夹的特征</translation>
    </message>
    <message>
        <source>Evaluate on this folder</source>
        <translation>在此文件夹上评估</translation>
    </message>
</context>
<context>
    <name>attnscope::ui::NeighboursSession</name>
    <message>
        <source>%1: %2</source>
        <translation>%1：%2</translation>
    </message>
    <message numerus="yes">
        <source>%1 more file(s) could not be read; the exported JSON lists them.</source>
        <translation>
            <numerusform>另有 %1 个文件无法读取；导出的 JSON 中会列出它们。</numerusform>
        </translation>
    </message>
    <message>
        <source>stopping after this batch</source>
        <translation>此批次后停止</translation>
    </message>
    <message>
        <source>waiting for the current measurement or evaluation</source>
        <translation>等待当前的测量或评估</translation>
    </message>
    <message>
        <source>%1 of %2</source>
        <translation>%1 / %2</translation>
    </message>
    <message>
        <source>neighbours · %1</source>
        <translation>近邻 · %1</translation>
    </message>
    <message>
        <source>neighbours · features of %1</source>
        <translation>近邻 · %1 的特征</translation>
    </message>
    <message>
        <source>neighbours · accuracy on %1</source>
        <translation>近邻 · %1 上的准确率</translation>
    </message>
    <message>
        <source>starting</source>
        <translation>正在启动</translation>
    </message>
    <message>
        <source>Searching for neighbours</source>
        <translation>正在搜索近邻</translation>
    </message>
</context>
<context>
    <name>attnscope::ui::NetworksSession</name>
    <message>
        <source>two networks</source>
        <translation>两个网络</translation>
    </message>
    <message>
        <source>loading</source>
        <translation>正在加载</translation>
    </message>
    <message>
        <source>Comparing two networks</source>
        <translation>正在比较两个网络</translation>
    </message>
</context>
<context>
    <name>attnscope::ui::NetworksTab</name>
    <message>
        <source>How far apart are two networks, block by block?</source>
        <translation>两个网络逐块相差多远？</translation>
    </message>
    <message>
        <source>Two networks</source>
        <translation>两个网络</translation>
    </message>
    <message>
        <source>The open network and another checkpoint on the same inputs</source>
        <translation>已打开的网络与另一个检查点，输入相同</translation>
    </message>
    <message>
        <source>drift</source>
        <translation>漂移</translation>
    </message>
    <message>
        <source>CKA</source>
        <translation>CKA</translation>
    </message>
    <message>
        <source>Another checkpoint; empty: network 2, or the open one</source>
        <translation>另一个检查点；留空：网络 2，或已打开的检查点</translation>
    </message>
    <message>
        <source>as the first</source>
        <translation>与第一个相同</translation>
    </message>
    <message>
        <source>In which the second network computes</source>
        <translation>第二个网络计算所用的类型</translation>
    </message>
    <message>
        <source>Drift of each block</source>
        <translation>每个块的漂移</translation>
    </message>
    <message>
        <source>Appears once all inputs have been run</source>
        <translation>运行完所有输入后显示</translation>
    </message>
    <message>
        <source>CKA of all blocks with all blocks</source>
        <translation>所有块与所有块的 CKA</translation>
    </message>
    <message>
        <source>Attention in the first network</source>
        <translation>第一个网络中的注意力</translation>
    </message>
    <message>
        <source>Attention in the second network</source>
        <translation>第二个网络中的注意力</translation>
    </message>
    <message>
        <source>Blocks</source>
        <translation>块</translation>
    </message>
    <message>
        <source>Tensors</source>
        <translation>张量</translation>
    </message>
    <message>
        <source>Description</source>
        <translation>描述</translation>
    </message>
    <message>
        <source>The drift as SVG, PNG or PDF, the table as CSV or TSV, everything as JSON</source>
        <translation>漂移为 SVG、PNG 或 PDF，表格为 CSV 或 TSV，全部为 JSON</translation>
    </message>
    <message>
        <source>Open images or videos first; CKA needs four, and 64 are good.</source>
        <translation>请先打开图像或视频；CKA 需要四个，64 个较好。</translation>
    </message>
    <message>
        <source>Choose another checkpoint, or another type.</source>
        <translation>请选择另一个检查点或另一种类型。</translation>
    </message>
    <message>
        <source>Drift, CKA and attention of each block on %1, and the differences of all tensors.</source>
        <translation>在%1上每个块的漂移、CKA 和注意力，以及所有张量的差异。</translation>
    </message>
    <message numerus="yes">
        <source>%1 input(s)</source>
        <translation>
            <numerusform>%1 个输入</numerusform>
        </translation>
    </message>
    <message>
        <source>Both networks run with their own attention; attnscope-cli layers --against compares others too.</source>
        <translation>两个网络都使用各自的注意力运行；attnscope-cli layers --against 也可比较其他注意力。</translation>
    </message>
    <message>
        <source>KL %1 nats over %2 classes</source>
        <translation>KL %1 nats，共 %2 个类别</translation>
    </message>
    <message>
        <source>the same first class for %1</source>
        <translation>第一类别相同：%1</translation>
    </message>
    <message>
        <source>%1 and %2 have other blocks</source>
        <translation>%1 与 %2 的块不同</translation>
    </message>
    <message>
        <source>They drift apart most in %1: %2</source>
        <translation>在 %1 中漂移最大：%2</translation>
    </message>
    <message>
        <source>Comparing two networks</source>
        <translation>正在比较两个网络</translation>
    </message>
    <message>
        <source>CKA needs at least 4 inputs</source>
        <translation>CKA 至少需要 4 个输入</translation>
    </message>
    <message>
        <source>CKA %1</source>
        <translation>CKA %1</translation>
    </message>
    <message>
        <source>Checkpoint of the second network</source>
        <translation>第二个网络的检查点</translation>
    </message>
    <message>
        <source>Type</source>
        <translation>类型</translation>
    </message>
    <message>
        <source>Blocks of the first network down, of the second across; choose two of them to see their attention</source>
        <translation>纵向为第一个网络的块，横向为第二个网络的块；选择其中两个即可查看其注意力</translation>
    </message>
</context>
<context>
    <name>attnscope::ui::NowPanel</name>
    <message>
        <source>Current predictions</source>
        <translation>当前预测</translation>
    </message>
    <message>
        <source>%1: %2, %3</source>
        <translation>%1：%2，%3</translation>
    </message>
    <message>
        <source>Select a backend to see its predictions.</source>
        <translation>选择一个后端以查看其预测。</translation>
    </message>
</context>
<context>
    <name>attnscope::ui::OptionForm</name>
    <message>
        <source> (%1 to %2)</source>
        <translation> (%1 至 %2)</translation>
    </message>
    <message>
        <source>Same as run</source>
        <translation>与运行相同</translation>
    </message>
</context>
<context>
    <name>attnscope::ui::Page</name>
    <message>
        <source>A pasted image has no file name to use in a command; save it to a file and open that file.</source>
        <translation>粘贴的图像没有可用于命令的文件名；请将其保存为文件，再打开该文件。</translation>
    </message>
    <message>
        <source>There is nothing yet that a command could repeat.</source>
        <translation>尚无可由命令重复的内容。</translation>
    </message>
    <message>
        <source>Videos (*.mp4 *.m4v *.mov *.mkv *.webm *.avi *.gif *.mpg *.mpeg *.ts *.3gp *.ogv)</source>
        <translation>视频 (*.mp4 *.m4v *.mov *.mkv *.webm *.avi *.gif *.mpg *.mpeg *.ts *.3gp *.ogv)</translation>
    </message>
    <message>
        <source>Images (*.jpg *.jpeg *.png *.webp *.bmp *.ppm *.pgm *.pnm *.tif *.tiff)</source>
        <translation>图像 (*.jpg *.jpeg *.png *.webp *.bmp *.ppm *.pgm *.pnm *.tif *.tiff)</translation>
    </message>
    <message>
        <source>q, k, v tensors (*.safetensors)</source>
        <translation>q、k、v 张量 (*.safetensors)</translation>
    </message>
    <message>
        <source>All files (*)</source>
        <translation>所有文件 (*)</translation>
    </message>
    <message>
        <source>Open images or videos</source>
        <translation>打开图像或视频</translation>
    </message>
    <message>
        <source>The command was copied.</source>
        <translation>命令已复制。</translation>
    </message>
    <message>
        <source>%1 of %2 files</source>
        <translation>%1 / %2 个文件</translation>
    </message>
    <message>
        <source>%1 was added to the Backends and selected.</source>
        <translation>%1 已添加到“后端”并选中。</translation>
    </message>
</context>
<context>
    <name>attnscope::ui::PathField</name>
    <message>
        <source>%1: choose…</source>
        <translation>%1：选择…</translation>
    </message>
</context>
<context>
    <name>attnscope::ui::PhotoView</name>
    <message>
        <source>Input image</source>
        <translation>输入图像</translation>
    </message>
    <message>
        <source>unreadable</source>
        <translation>无法读取</translation>
    </message>
</context>
<context>
    <name>attnscope::ui::PlanTab</name>
    <message>
        <source>speed</source>
        <translation>速度</translation>
    </message>
    <message>
        <source>latency</source>
        <translation>延迟</translation>
    </message>
    <message>
        <source>relative error</source>
        <translation>相对误差</translation>
    </message>
    <message>
        <source>KL</source>
        <translation>KL</translation>
    </message>
    <message>
        <source>top-1 loss</source>
        <translation>top-1 损失</translation>
    </message>
    <message>
        <source>Budget</source>
        <translation>预算</translation>
    </message>
    <message>
        <source>Candidates</source>
        <translation>候选</translation>
    </message>
    <message>
        <source>Labelled folder…</source>
        <translation>带标签的文件夹…</translation>
    </message>
    <message>
        <source>Samples</source>
        <translation>样本</translation>
    </message>
    <message>
        <source>Budget type</source>
        <translation>预算类型</translation>
    </message>
    <message>
        <source>Default</source>
        <translation>默认</translation>
    </message>
    <message>
        <source>Selected</source>
        <translation>选定的</translation>
    </message>
    <message>
        <source>Number of samples of the labelled folder, spread over its classes, that every plan is evaluated on</source>
        <translation>评估每个方案所用的带标签文件夹的样本数，在其各类别中均匀抽取</translation>
    </message>
    <message>
        <source>A folder with one subfolder of images or videos per class</source>
        <translation>每个类别一个图像或视频子文件夹的文件夹</translation>
    </message>
    <message>
        <source>Choose a labelled folder</source>
        <translation>选择带标签的文件夹</translation>
    </message>
    <message>
        <source>Labelled folder: %1; click to choose another</source>
        <translation>带标签的文件夹：%1；点击可选择另一个</translation>
    </message>
    <message>
        <source>Images or videos in subfolders named after the model&apos;s classes</source>
        <translation>图像或视频位于以模型类别命名的子文件夹中</translation>
    </message>
    <message>
        <source>Attention error vs. latency</source>
        <translation>注意力误差与延迟的关系</translation>
    </message>
    <message>
        <source>Plans appear once all layers have been measured</source>
        <translation>所有层测量完成后显示方案</translation>
    </message>
    <message>
        <source>Measured plans</source>
        <translation>测量过的方案</translation>
    </message>
    <message>
        <source>Plans</source>
        <translation>方案</translation>
    </message>
    <message>
        <source>Use this plan</source>
        <translation>使用此方案</translation>
    </message>
    <message>
        <source>Adds its specification to the Backends and selects it</source>
        <translation>将其规格添加到“后端”并选中</translation>
    </message>
    <message>
        <source>Layers of the plan</source>
        <translation>方案的各层</translation>
    </message>
    <message>
        <source>Choose a labelled folder, whose subfolder names give the true classes.</source>
        <translation>请选择带标签的文件夹，其子文件夹名称给出真实类别。</translation>
    </message>
    <message>
        <source>Open an image in Compare, on which the cost and error of every layer are measured.</source>
        <translation>请在“比较”中打开图像，将在其上测量每一层的成本和误差。</translation>
    </message>
    <message>
        <source>Select a backend other than softmax, or use the default approximations.</source>
        <translation>请选择 softmax 以外的后端，或使用默认的近似方法。</translation>
    </message>
    <message>
        <source>Which layers can use a cheaper attention?</source>
        <translation>哪些层可以使用成本更低的注意力？</translation>
    </message>
    <message>
        <source>%1 inputs</source>
        <translation>%1 个输入</translation>
    </message>
    <message>
        <source>Plan %1: %2 for every layer, on %3; takes a few minutes.</source>
        <translation>规划方案，%1：每层从 %2中选择，数据为 %3；需要几分钟。</translation>
    </message>
    <message numerus="yes">
        <source>%1 candidate(s)</source>
        <translation>
            <numerusform>%1 个候选</numerusform>
        </translation>
    </message>
    <message>
        <source>Measures the cost and error of each candidate in each layer, combines them into Pareto-optimal plans, and measures those end to end.</source>
        <translation>测量每个候选在每一层的成本和误差，将它们组合为帕累托最优的方案，并对这些方案进行端到端测量。</translation>
    </message>
    <message>
        <source>Measuring every candidate in every layer</source>
        <translation>正在测量每一层的每个候选</translation>
    </message>
    <message>
        <source>A backend for each layer, within a budget</source>
        <translation>在预算内为每一层选择后端</translation>
    </message>
    <message>
        <source>Layer times and errors are added up; the Pareto front is searched, then measured.</source>
        <translation>将各层的时间和误差相加；先搜索帕累托前沿，再进行测量。</translation>
    </message>
    <message>
        <source>Top-1 on labelled samples vs. model latency; bars: 95 % interval</source>
        <translation>带标签样本的 top-1 与模型延迟的关系；误差条：95 % 区间</translation>
    </message>
    <message>
        <source>Relative attention error vs. model latency</source>
        <translation>注意力相对误差与模型延迟的关系</translation>
    </message>
    <message>
        <source>%1; logarithmic</source>
        <translation>%1；对数</translation>
    </message>
    <message>
        <source>softmax, explicit</source>
        <translation>softmax，显式</translation>
    </message>
    <message>
        <source>mixed plans</source>
        <translation>混合方案</translation>
    </message>
    <message>
        <source>Layers</source>
        <translation>层</translation>
    </message>
    <message>
        <source>×</source>
        <translation>×</translation>
    </message>
    <message>
        <source> ms</source>
        <translation> ms</translation>
    </message>
    <message>
        <source> nats</source>
        <translation> 奈特</translation>
    </message>
    <message>
        <source> points</source>
        <translation> 个百分点</translation>
    </message>
    <message numerus="yes">
        <source>%1 sample(s) from %2</source>
        <translation>
            <numerusform>来自 %2 的 %1 个样本</numerusform>
        </translation>
    </message>
    <message>
        <source>Selected backends only</source>
        <translation>仅选定的后端</translation>
    </message>
    <message>
        <source>a plan</source>
        <translation>方案</translation>
    </message>
</context>
<context>
    <name>attnscope::ui::QueueModel</name>
    <message>
        <source>Run</source>
        <translation>运行</translation>
    </message>
    <message>
        <source>One backend on one folder. All backends of a folder see the same samples, each decoded once.</source>
        <translation>一个文件夹上的一个后端。同一文件夹的所有后端看到相同的样本，每个样本只解码一次。</translation>
    </message>
    <message>
        <source>Progress</source>
        <translation>进度</translation>
    </message>
    <message>
        <source>Samples processed by every backend; unreadable ones count as done.</source>
        <translation>所有后端都已处理的样本；无法读取的样本计为已完成。</translation>
    </message>
    <message>
        <source>Top-1 %, 95 % interval</source>
        <translation>Top-1 %，95 % 区间</translation>
    </message>
    <message>
        <source>Unreadable</source>
        <translation>无法读取</translation>
    </message>
    <message>
        <source>Files that could not be read; they count as neither correct nor wrong.</source>
        <translation>无法读取的文件；它们既不算正确也不算错误。</translation>
    </message>
    <message>
        <source>Time left</source>
        <translation>剩余时间</translation>
    </message>
    <message>
        <source>Before the start: the time this backend is estimated to take, measured on 20 of the files.</source>
        <translation>开始之前：此后端的预计用时，由其中 20 个文件测得。</translation>
    </message>
    <message>
        <source>%1 of %2</source>
        <translation>%1 / %2</translation>
    </message>
    <message>
        <source>%1
%2</source>
        <translation>%1
%2</translation>
    </message>
    <message>
        <source>%1 on %2</source>
        <translation>%2 上的 %1</translation>
    </message>
    <message>
        <source>No samples yet</source>
        <translation>尚无样本</translation>
    </message>
    <message>
        <source>Scanning…</source>
        <translation>正在扫描…</translation>
    </message>
    <message>
        <source>Scanning the folder…</source>
        <translation>正在扫描文件夹…</translation>
    </message>
    <message>
        <source>Failed</source>
        <translation>失败</translation>
    </message>
    <message>
        <source>Not started</source>
        <translation>未开始</translation>
    </message>
    <message>
        <source>Queued</source>
        <translation>排队中</translation>
    </message>
    <message>
        <source>Loading…</source>
        <translation>正在加载…</translation>
    </message>
    <message>
        <source>Loading model and data…</source>
        <translation>正在加载模型和数据…</translation>
    </message>
    <message>
        <source>Estimating…</source>
        <translation>正在估算…</translation>
    </message>
    <message>
        <source>Waiting</source>
        <translation>等待中</translation>
    </message>
    <message>
        <source>Waiting for measurement</source>
        <translation>等待测量</translation>
    </message>
    <message>
        <source>Disk full</source>
        <translation>磁盘已满</translation>
    </message>
    <message>
        <source>Pausing…</source>
        <translation>正在暂停…</translation>
    </message>
    <message>
        <source>Paused</source>
        <translation>已暂停</translation>
    </message>
    <message>
        <source>Computing features…</source>
        <translation>正在计算特征…</translation>
    </message>
    <message>
        <source>so far</source>
        <translation>目前</translation>
    </message>
</context>
<context>
    <name>attnscope::ui::QueueView</name>
    <message>
        <source>Evaluations</source>
        <translation>评估</translation>
    </message>
    <message>
        <source>Top-5 %</source>
        <translation>Top-5 %</translation>
    </message>
    <message>
        <source>Unreadable</source>
        <translation>无法读取</translation>
    </message>
    <message>
        <source>about 59 min</source>
        <translation>大约 59 分钟</translation>
    </message>
</context>
<context>
    <name>attnscope::ui::Rail</name>
    <message>
        <source>%1 (Ctrl+%2)</source>
        <translation>%1（Ctrl+%2）</translation>
    </message>
</context>
<context>
    <name>attnscope::ui::RecentFiles</name>
    <message>
        <source>Nothing has been opened yet</source>
        <translation>尚未打开任何内容</translation>
    </message>
    <message>
        <source>&amp;Clear the list</source>
        <translation>清空列表(&amp;C)</translation>
    </message>
</context>
<context>
    <name>attnscope::ui::ReportHead</name>
    <message>
        <source>Run again</source>
        <translation>重新运行</translation>
    </message>
    <message>
        <source>Export</source>
        <translation>导出</translation>
    </message>
    <message>
        <source>Copy as command</source>
        <translation>复制为命令</translation>
    </message>
    <message>
        <source>The attnscope-cli command that gives the same results</source>
        <translation>得到相同结果的 attnscope-cli 命令</translation>
    </message>
</context>
<context>
    <name>attnscope::ui::ResultsPage</name>
    <message numerus="yes">
        <source>%1 run(s)</source>
        <translation>
            <numerusform>%1 次运行</numerusform>
        </translation>
    </message>
    <message>
        <source>%1 of %2</source>
        <translation>%1 / %2</translation>
    </message>
    <message>
        <source>%1; best top-1: %2 with %3 % on %4</source>
        <translation>%1；top-1 最佳：%2，%3 %，数据 %4</translation>
    </message>
    <message>
        <source>%1; no clear winner on %4 (%2: %3 % top-1)</source>
        <translation>%1；%4 上没有明显的优胜者（%2：top-1 %3 %）</translation>
    </message>
    <message>
        <source>Select runs to compare them side by side</source>
        <translation>选择运行以并排比较</translation>
    </message>
    <message>
        <source>First %1 runs of the table; select runs or filter to see others</source>
        <translation>表格中的前 %1 次运行；选择运行或筛选可查看其他运行</translation>
    </message>
    <message>
        <source>All runs of the table; select runs to see only those</source>
        <translation>表格中的所有运行；选择运行可只查看选定的运行</translation>
    </message>
    <message numerus="yes">
        <source>%1 selected run(s)</source>
        <translation>
            <numerusform>已选择 %1 次运行</numerusform>
        </translation>
    </message>
    <message>
        <source>%1, published</source>
        <translation>%1，已发表</translation>
    </message>
    <message>
        <source>%1 % (LARA paper, ImageNet-1k)</source>
        <translation>%1 %（LARA 论文，ImageNet-1k）</translation>
    </message>
    <message>
        <source>The evaluation of %1 with its %2 was moved to the trash.</source>
        <translation>%1 的评估及其 %2已移至回收站。</translation>
    </message>
    <message>
        <source>Undo</source>
        <translation>撤销</translation>
    </message>
    <message>
        <source>Delete for good what was moved to the trash: %1</source>
        <translation>永久删除已移至回收站的内容：%1</translation>
    </message>
    <message numerus="yes">
        <source>%1 evaluation(s)</source>
        <translation>
            <numerusform>%1 次评估</numerusform>
        </translation>
    </message>
    <message>
        <source>Empty the trash?</source>
        <translation>清空回收站？</translation>
    </message>
    <message>
        <source>%1 of %2 will be deleted from %3 for good.</source>
        <translation>将从 %3 中永久删除 %2的 %1。</translation>
    </message>
    <message>
        <source>Delete %1</source>
        <translation>删除 %1</translation>
    </message>
    <message>
        <source>Keep</source>
        <translation>保留</translation>
    </message>
    <message>
        <source>Deselect (Space)</source>
        <translation>取消选择（空格）</translation>
    </message>
    <message>
        <source>Select (Space)</source>
        <translation>选择（空格）</translation>
    </message>
    <message>
        <source>Clear reference (R)</source>
        <translation>清除参考（R）</translation>
    </message>
    <message>
        <source>Use as reference (R)</source>
        <translation>设为参考（R）</translation>
    </message>
    <message>
        <source>Edit note (F2)</source>
        <translation>编辑备注（F2）</translation>
    </message>
    <message>
        <source>Copy as command</source>
        <translation>复制为命令</translation>
    </message>
    <message>
        <source>Move to Trash (Del)</source>
        <translation>移至回收站（Del）</translation>
    </message>
    <message>
        <source>Empty Trash…</source>
        <translation>清空回收站…</translation>
    </message>
    <message>
        <source>Results</source>
        <translation>结果</translation>
    </message>
    <message>
        <source>Runs</source>
        <translation>运行</translation>
    </message>
    <message>
        <source>Early exits</source>
        <translation>提前退出</translation>
    </message>
    <message>
        <source>The attnscope-cli command that repeats the current row&apos;s evaluation</source>
        <translation>重复当前行评估的 attnscope-cli 命令</translation>
    </message>
    <message>
        <source>Open store</source>
        <translation>打开结果库</translation>
    </message>
    <message>
        <source>Report</source>
        <translation>报告</translation>
    </message>
    <message>
        <source>One file with tables, figures, settings and the commands to repeat them: HTML, Markdown or CSV</source>
        <translation>一个包含表格、图形、设置以及重复它们的命令的文件：HTML、Markdown 或 CSV</translation>
    </message>
    <message>
        <source>Filter runs</source>
        <translation>筛选运行</translation>
    </message>
    <message>
        <source>Filter, e.g. model:deit attention:lara folder:imagenet-val, or any word</source>
        <translation>筛选，例如 model:deit attention:lara folder:imagenet-val，或任意词</translation>
    </message>
    <message>
        <source>Fields: %1. Use quotation marks for text with spaces; a minus sign excludes a word.</source>
        <translation>字段：%1。含空格的文本请加引号；减号用于排除一个词。</translation>
    </message>
    <message>
        <source>Empty Trash</source>
        <translation>清空回收站</translation>
    </message>
    <message>
        <source>View</source>
        <translation>视图</translation>
    </message>
    <message>
        <source>Scatter</source>
        <translation>散点图</translation>
    </message>
    <message>
        <source>Side by side</source>
        <translation>并排</translation>
    </message>
    <message>
        <source>y</source>
        <translation>y</translation>
    </message>
    <message>
        <source>Vertical axis</source>
        <translation>纵轴</translation>
    </message>
    <message>
        <source>x</source>
        <translation>x</translation>
    </message>
    <message>
        <source>Horizontal axis</source>
        <translation>横轴</translation>
    </message>
    <message>
        <source>Differences only</source>
        <translation>仅差异</translation>
    </message>
    <message>
        <source>Show only settings that differ</source>
        <translation>只显示不同的设置</translation>
    </message>
    <message>
        <source>Scatter chart of runs</source>
        <translation>运行的散点图</translation>
    </message>
    <message>
        <source>Select runs that have values for both axes</source>
        <translation>请选择两个坐标轴都有值的运行</translation>
    </message>
    <message>
        <source>Runs side by side</source>
        <translation>并排显示的运行</translation>
    </message>
    <message>
        <source>Open a results store</source>
        <translation>打开结果库</translation>
    </message>
    <message>
        <source>Results stores (*.sqlite *.db);;All files (*)</source>
        <translation>结果库 (*.sqlite *.db);;所有文件 (*)</translation>
    </message>
    <message>
        <source>Export</source>
        <translation>导出</translation>
    </message>
    <message>
        <source>Runs in %1</source>
        <translation>%1 中的运行</translation>
    </message>
    <message>
        <source>HTML (*.html);;Markdown (*.md);;CSV (*.csv)</source>
        <translation>HTML (*.html);;Markdown (*.md);;CSV (*.csv)</translation>
    </message>
    <message>
        <source>Report saved to %1.</source>
        <translation>报告已保存到 %1。</translation>
    </message>
    <message>
        <source> · run %1</source>
        <translation> · 运行 %1</translation>
    </message>
    <message>
        <source>%1 on different samples or with different settings; filter to see the best</source>
        <translation>%1，样本或设置不同；筛选后可查看最佳</translation>
    </message>
    <message>
        <source>Runs as CSV (*.csv);;Runs as JSON (*.json);;Table as TSV (*.tsv);;Table as Markdown (*.md);;Table as LaTeX (*.tex);;Chart as SVG (*.svg);;Chart as PNG, 2× (*.png);;Chart as PDF (*.pdf)</source>
        <translation>CSV 运行数据 (*.csv);;JSON 运行数据 (*.json);;TSV 表格 (*.tsv);;Markdown 表格 (*.md);;LaTeX 表格 (*.tex);;SVG 图表 (*.svg);;2× PNG 图表 (*.png);;PDF 图表 (*.pdf)</translation>
    </message>
    <message numerus="yes">
        <source>%1 training(s)</source>
        <translation>
            <numerusform>%1 次训练</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>attnscope::ui::ResultsSession</name>
    <message>
        <source>exits · accuracy behind each block</source>
        <translation>提前退出 · 每个块之后的准确率</translation>
    </message>
    <message>
        <source>Measuring: %1</source>
        <translation>正在测量：%1</translation>
    </message>
    <message>
        <source>waiting for the current measurement or evaluation</source>
        <translation>等待当前的测量或评估</translation>
    </message>
    <message>
        <source>%1 of %2 samples</source>
        <translation>%1 / %2 个样本</translation>
    </message>
    <message>
        <source>starting</source>
        <translation>正在启动</translation>
    </message>
</context>
<context>
    <name>attnscope::ui::RunTableModel</name>
    <message>
        <source>pooled</source>
        <translation>池化</translation>
    </message>
    <message>
        <source>class token</source>
        <translation>类别 token</translation>
    </message>
    <message>
        <source>patch mean</source>
        <translation>图块均值</translation>
    </message>
    <message>
        <source>token and mean</source>
        <translation>token 与均值</translation>
    </message>
    <message>
        <source>not finite</source>
        <translation>非有限值</translation>
    </message>
    <message>
        <source>token</source>
        <translation>token</translation>
    </message>
    <message>
        <source>mean</source>
        <translation>均值</translation>
    </message>
    <message>
        <source>each patch</source>
        <translation>每个图块</translation>
    </message>
    <message>
        <source>5th percentile</source>
        <translation>第 5 百分位</translation>
    </message>
    <message>
        <source>Prediction</source>
        <translation>预测</translation>
    </message>
    <message>
        <source>Features</source>
        <translation>特征</translation>
    </message>
    <message>
        <source>top 5</source>
        <translation>前 5 名</translation>
    </message>
    <message>
        <source>cosine with exact attention&apos;s</source>
        <translation>与精确注意力特征的余弦</translation>
    </message>
    <message>
        <source>, largest in %1 (%2)</source>
        <translation>，最大处为 %1（%2）</translation>
    </message>
    <message>
        <source>Not enough memory</source>
        <translation>内存不足</translation>
    </message>
    <message>
        <source>Could not run</source>
        <translation>无法运行</translation>
    </message>
    <message>
        <source>made with %1</source>
        <translation>以 %1 测得</translation>
    </message>
    <message>
        <source>reference</source>
        <translation>参考</translation>
    </message>
    <message>
        <source>%1 of %2</source>
        <translation>%1 / %2</translation>
    </message>
    <message>
        <source>%1 of %2 agree with %3</source>
        <translation>%1 / %2 与 %3 一致</translation>
    </message>
    <message>
        <source>same top-1</source>
        <translation>top-1 相同</translation>
    </message>
    <message>
        <source>different</source>
        <translation>不同</translation>
    </message>
    <message>
        <source>same top-1 as %1</source>
        <translation>top-1 与 %1 相同</translation>
    </message>
    <message>
        <source>differs from %1</source>
        <translation>与 %1 不同</translation>
    </message>
    <message>
        <source>same neighbour: %1 of %2</source>
        <translation>相同近邻：%1 / %2</translation>
    </message>
    <message>
        <source>unreadable</source>
        <translation>无法读取</translation>
    </message>
    <message>
        <source>not run yet</source>
        <translation>尚未运行</translation>
    </message>
    <message>
        <source>waiting for the model</source>
        <translation>等待模型</translation>
    </message>
    <message>
        <source>waiting for memory</source>
        <translation>等待内存</translation>
    </message>
    <message>
        <source>waiting for latency</source>
        <translation>等待延迟</translation>
    </message>
    <message>
        <source>waiting for predictions</source>
        <translation>等待预测</translation>
    </message>
    <message>
        <source>measuring</source>
        <translation>正在测量</translation>
    </message>
    <message>
        <source>not measured</source>
        <translation>未测量</translation>
    </message>
    <message>
        <source>not reached</source>
        <translation>未执行到</translation>
    </message>
    <message>
        <source>exact</source>
        <translation>精确</translation>
    </message>
    <message>
        <source>Run measures them</source>
        <translation>运行后测量</translation>
    </message>
    <message>
        <source>no classes</source>
        <translation>无类别</translation>
    </message>
    <message>
        <source>%1 %2, differs</source>
        <translation>%1 %2，不同</translation>
    </message>
    <message>
        <source>, reference</source>
        <translation>，参考</translation>
    </message>
    <message>
        <source>≥ mean %1</source>
        <translation>≥ 均值 %1</translation>
    </message>
    <message>
        <source>mean %1</source>
        <translation>均值 %1</translation>
    </message>
    <message>
        <source>waiting for features</source>
        <translation>等待特征</translation>
    </message>
    <message>
        <source>using the mean of the values for every query would have an error of %1</source>
        <translation>对每个 query 都使用 value 均值时误差为 %1</translation>
    </message>
    <message>
        <source>other classes</source>
        <translation>类别不同</translation>
    </message>
</context>
<context>
    <name>attnscope::ui::RunsModel</name>
    <message>
        <source>%1 of %2</source>
        <translation>%1 / %2</translation>
    </message>
    <message>
        <source>today %1</source>
        <translation>今天 %1</translation>
    </message>
    <message>
        <source>yesterday</source>
        <translation>昨天</translation>
    </message>
    <message>
        <source>%1 days ago</source>
        <translation>%1 天前</translation>
    </message>
    <message>
        <source>Run</source>
        <translation>运行</translation>
    </message>
    <message>
        <source>Number in the store. Selected runs are compared side by side.</source>
        <translation>结果库中的编号。选定的运行会并排比较。</translation>
    </message>
    <message>
        <source>Attention</source>
        <translation>注意力</translation>
    </message>
    <message>
        <source>Weights</source>
        <translation>权重</translation>
    </message>
    <message>
        <source>trained: weights trained with this attention; swapped: trained with a different one; untrained: cost is meaningful, accuracy is not.</source>
        <translation>已训练：权重用此注意力训练；已替换：用另一种注意力训练；未训练：成本有意义，准确率没有意义。</translation>
    </message>
    <message>
        <source>Model</source>
        <translation>模型</translation>
    </message>
    <message>
        <source>Data</source>
        <translation>数据</translation>
    </message>
    <message>
        <source>When</source>
        <translation>时间</translation>
    </message>
    <message>
        <source>Note</source>
        <translation>备注</translation>
    </message>
    <message>
        <source>Your note on the evaluation; press F2 to edit.</source>
        <translation>您对此评估的备注；按 F2 编辑。</translation>
    </message>
    <message>
        <source>%1, %2</source>
        <translation>%1，%2</translation>
    </message>
    <message>
        <source>%1 of %2 samples, 95 % interval %3; %4 unreadable</source>
        <translation>%1 / %2 个样本，95 % 区间 %3；%4 个无法读取</translation>
    </message>
    <message>
        <source>run %1, %2: %3</source>
        <translation>运行 %1，%2：%3</translation>
    </message>
    <message>
        <source>%1 ≈: no clear difference from the reference.</source>
        <translation>%1 ≈：与参考没有明显差异。</translation>
    </message>
    <message>
        <source>median of %1 repetitions, p5–p95 %2</source>
        <translation>%1 次重复的中位数，p5–p95 %2</translation>
    </message>
</context>
<context>
    <name>attnscope::ui::SamplesModel</name>
    <message>
        <source>class %1</source>
        <translation>类别 %1</translation>
    </message>
    <message>
        <source>%1
%2</source>
        <translation>%1
%2</translation>
    </message>
    <message>
        <source>%1, true class %2</source>
        <translation>%1，真实类别 %2</translation>
    </message>
    <message>
        <source>, %1 predicts %2</source>
        <translation>，%1 预测为 %2</translation>
    </message>
    <message>
        <source>true class: %1</source>
        <translation>真实类别：%1</translation>
    </message>
</context>
<context>
    <name>attnscope::ui::SamplesTab</name>
    <message>
        <source>Sample counts</source>
        <translation>采样数</translation>
    </message>
    <message>
        <source>Seeds</source>
        <translation>种子</translation>
    </message>
    <message>
        <source>Number of seeds for each random attention</source>
        <translation>每种随机注意力的种子数</translation>
    </message>
    <message>
        <source>Error component</source>
        <translation>误差分量</translation>
    </message>
    <message>
        <source>Variance</source>
        <translation>方差</translation>
    </message>
    <message>
        <source>Bias²</source>
        <translation>偏差²</translation>
    </message>
    <message>
        <source>Mean squared error</source>
        <translation>均方误差</translation>
    </message>
    <message>
        <source>Curves appear once everything has been measured</source>
        <translation>全部测量完成后显示曲线</translation>
    </message>
    <message>
        <source>Errors</source>
        <translation>误差</translation>
    </message>
    <message>
        <source>Sample counts in ascending order, separated by commas</source>
        <translation>按升序排列的采样数，以半角逗号分隔</translation>
    </message>
    <message>
        <source>How many samples does an approximation need?</source>
        <translation>一种近似需要多少采样？</translation>
    </message>
    <message>
        <source>Select a backend other than softmax, which is the reference for the error.</source>
        <translation>请选择 softmax 以外的后端；softmax 是误差的参考。</translation>
    </message>
    <message>
        <source>Open an image in Compare, or a file with q, k and v.</source>
        <translation>请在“比较”中打开图像，或打开含有 q、k 和 v 的文件。</translation>
    </message>
    <message>
        <source>Error of %1 with %3 to %4 samples (%2), %5: %6.</source>
        <translation>%1 的误差，采样数 %3 至 %4（%2），%5：%6。</translation>
    </message>
    <message numerus="yes">
        <source>%1 value(s)</source>
        <translation>
            <numerusform>%1 个值</numerusform>
        </translation>
    </message>
    <message>
        <source>Mean, standard deviation, bias² and variance over seeds, with a 1/samples line and two baselines. Exact softmax is 0.</source>
        <translation>各种子的均值、标准差、偏差²和方差，附 1/采样数参考线和两条基线。精确 softmax 为 0。</translation>
    </message>
    <message>
        <source>Measuring the error %1</source>
        <translation>正在测量误差：%1</translation>
    </message>
    <message>
        <source>Error vs. number of samples</source>
        <translation>误差与采样数的关系</translation>
    </message>
    <message>
        <source>As in figure 1 of the LARA paper: the same q, k, v for all, averaged over heads, layers and inputs.</source>
        <translation>如 LARA 论文图 1：所有后端使用相同的 q、k、v，对各头、层和输入取均值。</translation>
    </message>
    <message>
        <source>mean of the values</source>
        <translation>值的均值</translation>
    </message>
    <message>
        <source>Baseline: every query outputs the mean of v</source>
        <translation>基线：每个查询都输出 v 的均值</translation>
    </message>
    <message>
        <source>zero</source>
        <translation>零</translation>
    </message>
    <message>
        <source>Baseline: every query outputs 0</source>
        <translation>基线：每个查询都输出 0</translation>
    </message>
    <message>
        <source>Variance and 1/samples</source>
        <translation>方差与 1/采样数</translation>
    </message>
    <message>
        <source>Deterministic backends have no variance</source>
        <translation>确定性后端没有方差</translation>
    </message>
    <message>
        <source>No bias² above 0</source>
        <translation>没有大于 0 的偏差²</translation>
    </message>
    <message>
        <source>Open q, k, v…</source>
        <translation>打开 q、k、v…</translation>
    </message>
</context>
<context>
    <name>attnscope::ui::ScalePage</name>
    <message>
        <source>Measurement</source>
        <translation>测量</translation>
    </message>
    <message>
        <source>Length</source>
        <translation>长度</translation>
    </message>
    <message>
        <source>Decode</source>
        <translation>解码</translation>
    </message>
    <message>
        <source>Samples</source>
        <translation>采样</translation>
    </message>
    <message>
        <source>Kernel</source>
        <translation>核</translation>
    </message>
    <message>
        <source>Plan</source>
        <translation>方案</translation>
    </message>
    <message>
        <source>Charts as SVG, PNG or PDF, the table as CSV or TSV, all results as JSON</source>
        <translation>图表导出为 SVG、PNG 或 PDF，表格导出为 CSV 或 TSV，所有结果导出为 JSON</translation>
    </message>
    <message>
        <source>Another tab is being measured: run this one once it has ended, or stop that one.</source>
        <translation>另一个标签页正在测量：请在其结束后再运行，或先停止它。</translation>
    </message>
</context>
<context>
    <name>attnscope::ui::ScaleSession</name>
    <message>
        <source>%1: %2</source>
        <translation>%1：%2</translation>
    </message>
    <message>
        <source>stopping after %1</source>
        <translation>完成后停止：%1</translation>
    </message>
    <message>
        <source>this step</source>
        <translation>当前步骤</translation>
    </message>
    <message>
        <source>waiting for the current measurement or evaluation</source>
        <translation>等待当前的测量或评估</translation>
    </message>
    <message>
        <source>%1 of %2 points</source>
        <translation>%1 / %2 个点</translation>
    </message>
    <message>
        <source>, %1 of %2</source>
        <translation>，%1 / %2</translation>
    </message>
    <message>
        <source>starting</source>
        <translation>正在启动</translation>
    </message>
    <message>
        <source>scale · time and memory vs. tokens</source>
        <translation>规模 · 时间和内存与 token 数的关系</translation>
    </message>
    <message>
        <source>decode · cost of a token vs. position</source>
        <translation>解码 · 每个 token 的成本与位置的关系</translation>
    </message>
    <message>
        <source>approximate · error vs. samples</source>
        <translation>近似 · 误差与采样数的关系</translation>
    </message>
    <message>
        <source>approximate · random features vs. norm</source>
        <translation>近似 · 随机特征与范数的关系</translation>
    </message>
    <message>
        <source>plan · backend for each layer</source>
        <translation>方案 · 每一层的后端</translation>
    </message>
    <message>
        <source>Measuring: %1</source>
        <translation>正在测量：%1</translation>
    </message>
</context>
<context>
    <name>attnscope::ui::ScaleTab</name>
    <message>
        <source>Image</source>
        <translation>图像</translation>
    </message>
    <message>
        <source>Image size, which determines the number of tokens</source>
        <translation>图像大小，决定 token 数</translation>
    </message>
    <message>
        <source>Same as run</source>
        <translation>与运行相同</translation>
    </message>
    <message>
        <source>The size in the bar above, or else the model&apos;s own</source>
        <translation>上方栏中的大小，否则为模型自身的大小</translation>
    </message>
    <message>
        <source>%1 px</source>
        <translation>%1 px</translation>
    </message>
</context>
<context>
    <name>attnscope::ui::Screenshots</name>
    <message>
        <source>--run: there is nothing to run on this screen; name files or use --demo.</source>
        <translation>--run：此页面上没有可运行的内容；请指定文件或使用 --demo。</translation>
    </message>
    <message>
        <source>%1: cannot be written; choose a writable folder.</source>
        <translation>%1：无法写入；请选择可写的文件夹。</translation>
    </message>
</context>
<context>
    <name>attnscope::ui::SearchForm</name>
    <message>
        <source>Limit</source>
        <translation>上限</translation>
    </message>
    <message>
        <source>Attention</source>
        <translation>注意力</translation>
    </message>
    <message>
        <source>Distance</source>
        <translation>距离</translation>
    </message>
    <message>
        <source>All</source>
        <translation>全部</translation>
    </message>
    <message>
        <source>Number of samples of each folder, spread evenly</source>
        <translation>每个文件夹的样本数，均匀抽取</translation>
    </message>
    <message>
        <source>Attention with which features are computed</source>
        <translation>计算特征所用的注意力</translation>
    </message>
    <message>
        <source>Features of other attentions come from the backends that are selected</source>
        <translation>其他注意力的特征来自选定的后端</translation>
    </message>
    <message>
        <source>Numbers of neighbours</source>
        <translation>近邻数</translation>
    </message>
    <message>
        <source>Distance between features</source>
        <translation>特征之间的距离</translation>
    </message>
    <message>
        <source>L2</source>
        <translation>L2</translation>
    </message>
    <message>
        <source>L2, squared</source>
        <translation>L2，平方</translation>
    </message>
    <message>
        <source>Cosine</source>
        <translation>余弦</translation>
    </message>
    <message>
        <source>Temperature</source>
        <translation>温度</translation>
    </message>
    <message>
        <source>Neighbours weigh exp(−distance/temperature); by default 1, or 0.07 for the cosine</source>
        <translation>近邻的权重为 exp(−距离/温度)；默认为 1，余弦则为 0.07</translation>
    </message>
    <message>
        <source>τ default</source>
        <translation>τ 默认</translation>
    </message>
    <message>
        <source>k</source>
        <translation>k</translation>
    </message>
    <message>
        <source>Build from a labelled folder…</source>
        <translation>从带标签的文件夹构建…</translation>
    </message>
    <message>
        <source>Open a datastore…</source>
        <translation>打开特征库…</translation>
    </message>
    <message>
        <source>Model&apos;s own</source>
        <translation>模型自身</translation>
    </message>
    <message>
        <source>Build from %1</source>
        <translation>从 %1 构建</translation>
    </message>
    <message>
        <source>Datastore…</source>
        <translation>特征库…</translation>
    </message>
    <message>
        <source>%1
Features go to %2</source>
        <translation>%1
特征将写入 %2</translation>
    </message>
    <message>
        <source>The features that are searched: of a labelled folder, or from a file</source>
        <translation>要搜索的特征：来自带标签的文件夹，或来自文件</translation>
    </message>
    <message>
        <source>Choose a datastore</source>
        <translation>选择特征库</translation>
    </message>
    <message>
        <source>Datastore: %1; click to choose another</source>
        <translation>特征库：%1；点击可选择另一个</translation>
    </message>
    <message>
        <source>Evaluate on…</source>
        <translation>评估文件夹…</translation>
    </message>
    <message>
        <source>Evaluate on %1</source>
        <translation>在 %1 上评估</translation>
    </message>
    <message>
        <source>A labelled folder with the classes of the datastore, for accuracy and for images to look at</source>
        <translation>与特征库类别相同的带标签文件夹，用于测量准确率和查看图像</translation>
    </message>
    <message>
        <source>Choose a folder to evaluate on</source>
        <translation>选择要评估的文件夹</translation>
    </message>
    <message>
        <source>Evaluated folder: %1; click to choose another</source>
        <translation>评估的文件夹：%1；点击可选择另一个</translation>
    </message>
    <message>
        <source>A folder with one subfolder of images or videos per class</source>
        <translation>每个类别一个图像或视频子文件夹的文件夹</translation>
    </message>
    <message>
        <source>A datastore of features</source>
        <translation>特征库</translation>
    </message>
    <message>
        <source>Datastores (*.safetensors);;All files (*)</source>
        <translation>特征库 (*.safetensors);;所有文件 (*)</translation>
    </message>
    <message>
        <source>A labelled folder to evaluate on</source>
        <translation>要评估的带标签文件夹</translation>
    </message>
    <message>
        <source>“%1” is not a number of neighbours from 1 to %2.</source>
        <translation>“%1”不是 1 至 %2 之间的近邻数。</translation>
    </message>
    <message>
        <source>Choose a labelled folder whose features are computed, or a datastore of features.</source>
        <translation>请选择要计算特征的带标签文件夹，或选择特征库。</translation>
    </message>
    <message>
        <source>Choose a labelled folder to evaluate on.</source>
        <translation>请选择要评估的带标签文件夹。</translation>
    </message>
</context>
<context>
    <name>attnscope::ui::Segments</name>
    <message>
        <source>%1 of %2: %3</source>
        <translation>第 %1 项，共 %2 项：%3</translation>
    </message>
</context>
<context>
    <name>attnscope::ui::Session</name>
    <message>
        <source>%1 of %2 steps</source>
        <translation>%1 / %2 步</translation>
    </message>
    <message>
        <source>%1/s</source>
        <translation>%1/s</translation>
    </message>
</context>
<context>
    <name>attnscope::ui::SettingsDialog</name>
    <message>
        <source>Settings</source>
        <translation>设置</translation>
    </message>
    <message>
        <source>Follow the system</source>
        <translation>跟随系统</translation>
    </message>
    <message>
        <source>Light</source>
        <translation>浅色</translation>
    </message>
    <message>
        <source>Dark</source>
        <translation>深色</translation>
    </message>
    <message>
        <source>Theme</source>
        <translation>主题</translation>
    </message>
    <message>
        <source>Default: follow the system.</source>
        <translation>默认：跟随系统。</translation>
    </message>
    <message>
        <source>Language</source>
        <translation>语言</translation>
    </message>
    <message>
        <source>From the next start. Sentences of the command line stay English.</source>
        <translation>下次启动时生效。命令行的语句仍为英文。</translation>
    </message>
    <message>
        <source>Threads</source>
        <translation>线程</translation>
    </message>
    <message>
        <source>Threads for models on the CPU. Default: one per core.</source>
        <translation>CPU 上模型使用的线程数。默认：每核一个。</translation>
    </message>
    <message>
        <source>One per core</source>
        <translation>每核一个</translation>
    </message>
    <message>
        <source>Seeds</source>
        <translation>种子</translation>
    </message>
    <message>
        <source>Number of seeds over which errors of random backends are averaged. Default: 3.</source>
        <translation>随机后端的误差取均值所用的种子数。默认：3。</translation>
    </message>
    <message>
        <source>Repetitions</source>
        <translation>重复次数</translation>
    </message>
    <message>
        <source>Minimum number of timed passes per backend. Default: 20.</source>
        <translation>每个后端计时传播的最少次数。默认：20。</translation>
    </message>
    <message>
        <source> s</source>
        <translation> s</translation>
    </message>
    <message>
        <source>Minimum measuring time</source>
        <translation>最短测量时间</translation>
    </message>
    <message>
        <source>For each backend. Default: 1 s.</source>
        <translation>针对每个后端。默认：1 s。</translation>
    </message>
    <message>
        <source>Maximum image size</source>
        <translation>最大图像大小</translation>
    </message>
    <message>
        <source>Checked before anything is decoded. Default: 100 megapixels.</source>
        <translation>在解码之前检查。默认：100 百万像素。</translation>
    </message>
    <message>
        <source> megapixels</source>
        <translation> 百万像素</translation>
    </message>
    <message>
        <source>Maximum image file size</source>
        <translation>最大图像文件大小</translation>
    </message>
    <message>
        <source>Default: 512 MiB.</source>
        <translation>默认：512 MiB。</translation>
    </message>
    <message>
        <source> MiB</source>
        <translation> MiB</translation>
    </message>
    <message>
        <source>Maximum side length</source>
        <translation>最大边长</translation>
    </message>
    <message>
        <source>Default: 16384 pixels.</source>
        <translation>默认：16384 像素。</translation>
    </message>
    <message>
        <source> pixels</source>
        <translation> 像素</translation>
    </message>
    <message>
        <source>Crop cache on disk</source>
        <translation>磁盘上的裁剪缓存</translation>
    </message>
    <message>
        <source>Lets repeated evaluations of a folder skip decoding; 150 KB per image. Default: none.</source>
        <translation>使同一文件夹的重复评估可跳过解码；每张图像 150 KB。默认：无。</translation>
    </message>
    <message>
        <source> GiB</source>
        <translation> GiB</translation>
    </message>
    <message>
        <source>In %1</source>
        <translation>位于 %1</translation>
    </message>
    <message>
        <source>None</source>
        <translation>无</translation>
    </message>
    <message>
        <source>Networks kept in memory</source>
        <translation>内存中保留的网络</translation>
    </message>
    <message>
        <source>Those used last, so that a comparison need not load them again. Default: 2.</source>
        <translation>最近使用的网络，比较时无需重新加载。默认：2。</translation>
    </message>
    <message>
        <source>GPUs</source>
        <translation>GPU</translation>
    </message>
    <message>
        <source>Which of them can be used, and the installation of what is missing.</source>
        <translation>哪些 GPU 可用，以及安装缺少的内容。</translation>
    </message>
    <message>
        <source>Show…</source>
        <translation>显示…</translation>
    </message>
</context>
<context>
    <name>attnscope::ui::SpecRow</name>
    <message>
        <source>Specification of %1</source>
        <translation>%1 的规格</translation>
    </message>
</context>
<context>
    <name>attnscope::ui::TabStrip</name>
    <message>
        <source>%1: %2</source>
        <translation>%1：%2</translation>
    </message>
</context>
<context>
    <name>attnscope::ui::TensorSource</name>
    <message>
        <source>q, k, v</source>
        <translation>q、k、v</translation>
    </message>
    <message>
        <source>Tokens</source>
        <translation>Token</translation>
    </message>
    <message>
        <source>Head size</source>
        <translation>头维度</translation>
    </message>
    <message>
        <source>Source of q, k and v</source>
        <translation>q、k 和 v 的来源</translation>
    </message>
    <message>
        <source>From the model</source>
        <translation>来自模型</translation>
    </message>
    <message>
        <source>From a file…</source>
        <translation>来自文件…</translation>
    </message>
    <message>
        <source>Random</source>
        <translation>随机</translation>
    </message>
    <message>
        <source>Independent standard normal values, drawn with the seed from the bar above, so there is no structure to find</source>
        <translation>独立的标准正态值，以上方栏中的种子采样，因此其中没有结构可寻</translation>
    </message>
    <message>
        <source>224, 384 and 448 pixels give 196, 576 and 784 patches of 16×16, as in the paper&apos;s figure</source>
        <translation>224、384 和 448 像素分别给出 196、576 和 784 个 16×16 的图块，与论文的图相同</translation>
    </message>
    <message>
        <source>A file of q, k and v</source>
        <translation>q、k 和 v 的文件</translation>
    </message>
    <message>
        <source>Tensors (*.safetensors);;All files (*)</source>
        <translation>张量 (*.safetensors);;所有文件 (*)</translation>
    </message>
    <message>
        <source>From %1</source>
        <translation>来自 %1</translation>
    </message>
    <message>
        <source>on random q, k, v</source>
        <translation>使用随机 q、k、v</translation>
    </message>
    <message>
        <source>on q, k, v from %1</source>
        <translation>使用来自 %1 的 q、k、v</translation>
    </message>
    <message>
        <source>%1 inputs</source>
        <translation>%1 个输入</translation>
    </message>
    <message>
        <source>on the model&apos;s own q, k, v for %1</source>
        <translation>使用模型自身对 %1 的 q、k、v</translation>
    </message>
</context>
<context>
    <name>attnscope::ui::TimelineView</name>
    <message>
        <source>Column headers and time axis</source>
        <translation>列标题和时间轴</translation>
    </message>
    <message>
        <source>Timelines</source>
        <translation>时间线</translation>
    </message>
    <message>
        <source>Could not run</source>
        <translation>无法运行</translation>
    </message>
</context>
<context>
    <name>attnscope::ui::TrainForm</name>
    <message>
        <source>Start training</source>
        <translation>开始训练</translation>
    </message>
    <message>
        <source>Data folder</source>
        <translation>数据文件夹</translation>
    </message>
    <message>
        <source>Drop a folder here</source>
        <translation>将文件夹拖放到这里</translation>
    </message>
    <message>
        <source>Data</source>
        <translation>数据</translation>
    </message>
    <message>
        <source>Folder</source>
        <translation>文件夹</translation>
    </message>
    <message>
        <source>With the folders train and val, each with one subfolder per class; or class folders only.</source>
        <translation>含文件夹 train 和 val，其中每个类别一个子文件夹；或仅类别文件夹。</translation>
    </message>
    <message>
        <source>Network</source>
        <translation>网络</translation>
    </message>
    <message>
        <source>Model</source>
        <translation>模型</translation>
    </message>
    <message>
        <source>Selected in the bar above, for all screens.</source>
        <translation>在上方的栏中选择，适用于所有页面。</translation>
    </message>
    <message>
        <source>Random weights</source>
        <translation>随机权重</translation>
    </message>
    <message>
        <source>Other checkpoint…</source>
        <translation>其他检查点…</translation>
    </message>
    <message>
        <source>Start from</source>
        <translation>起始权重</translation>
    </message>
    <message>
        <source>The weights that training starts from.</source>
        <translation>训练开始时使用的权重。</translation>
    </message>
    <message>
        <source>Attention</source>
        <translation>注意力</translation>
    </message>
    <message>
        <source>The attention that the weights are trained for.</source>
        <translation>权重所针对训练的注意力。</translation>
    </message>
    <message>
        <source>None</source>
        <translation>无</translation>
    </message>
    <message>
        <source>Teacher</source>
        <translation>教师</translation>
    </message>
    <message>
        <source>A checkpoint whose attention outputs and predictions are distilled; usually the softmax model itself.</source>
        <translation>一个检查点，其注意力输出和预测将被蒸馏；通常就是 softmax 模型本身。</translation>
    </message>
    <message>
        <source>Checkpoint to start from</source>
        <translation>作为起点的检查点</translation>
    </message>
    <message>
        <source>Schedule</source>
        <translation>训练计划</translation>
    </message>
    <message>
        <source>Epochs</source>
        <translation>轮数</translation>
    </message>
    <message>
        <source>Number of passes over the training set.</source>
        <translation>遍历训练集的次数。</translation>
    </message>
    <message>
        <source>Batch size</source>
        <translation>批次大小</translation>
    </message>
    <message>
        <source>Number of samples per step.</source>
        <translation>每步的样本数。</translation>
    </message>
    <message>
        <source>Learning rate</source>
        <translation>学习率</translation>
    </message>
    <message>
        <source>Peak learning rate; the schedule is a linear warm-up followed by cosine decay.</source>
        <translation>峰值学习率；学习率先线性预热，再按余弦衰减。</translation>
    </message>
    <message>
        <source>Warm-up</source>
        <translation>预热</translation>
    </message>
    <message>
        <source>Number of epochs in which the learning rate rises from 0.</source>
        <translation>学习率从 0 上升所用的轮数。</translation>
    </message>
    <message>
        <source>More</source>
        <translation>更多</translation>
    </message>
    <message>
        <source>More training settings</source>
        <translation>更多训练设置</translation>
    </message>
    <message>
        <source>Less</source>
        <translation>收起</translation>
    </message>
    <message>
        <source>Result</source>
        <translation>结果</translation>
    </message>
    <message>
        <source>Trained weights</source>
        <translation>训练所得权重</translation>
    </message>
    <message>
        <source>Checkpoints (*.safetensors)</source>
        <translation>检查点 (*.safetensors)</translation>
    </message>
    <message>
        <source>Save to</source>
        <translation>保存到</translation>
    </message>
    <message>
        <source>The weights after each epoch; next to it, the best weights, the data needed to resume, and the history.</source>
        <translation>每轮之后的权重；旁边还有最佳权重、继续训练所需的数据和历史记录。</translation>
    </message>
    <message>
        <source>If the file exists</source>
        <translation>如果文件已存在</translation>
    </message>
    <message>
        <source>What to do with the existing file.</source>
        <translation>如何处理已有的文件。</translation>
    </message>
    <message>
        <source>Restore training settings</source>
        <translation>恢复训练设置</translation>
    </message>
    <message>
        <source>Fill in the form with the settings of the training run saved next to this file</source>
        <translation>以保存在此文件旁边的训练设置填写表单</translation>
    </message>
    <message>
        <source>Resuming needs the same data, attention, teacher and schedule</source>
        <translation>继续训练需要相同的数据、注意力、教师和训练计划</translation>
    </message>
    <message>
        <source>From the checkpoint</source>
        <translation>取自检查点</translation>
    </message>
    <message>
        <source>Checkpoints (*.safetensors *.pth *.pt *.bin);;All files (*)</source>
        <translation>检查点 (*.safetensors *.pth *.pt *.bin);;所有文件 (*)</translation>
    </message>
    <message>
        <source>Resume training</source>
        <translation>继续训练</translation>
    </message>
    <message>
        <source>Keep it</source>
        <translation>保留它</translation>
    </message>
    <message>
        <source>Choose another name for the new one.</source>
        <translation>请为新文件选择其他名称。</translation>
    </message>
    <message>
        <source>Replace it</source>
        <translation>替换它</translation>
    </message>
    <message>
        <source>videos</source>
        <translation>个视频</translation>
    </message>
    <message>
        <source>images</source>
        <translation>张图像</translation>
    </message>
    <message>
        <source>ImageNet folders</source>
        <translation>ImageNet 文件夹</translation>
    </message>
    <message>
        <source>Kinetics folders</source>
        <translation>Kinetics 文件夹</translation>
    </message>
    <message>
        <source>Lists</source>
        <translation>列表</translation>
    </message>
    <message>
        <source>%1: %2 classes, %3 training %4, </source>
        <translation>%1：%2 个类别，%3 %4用于训练， </translation>
    </message>
    <message>
        <source>%1 for validation.</source>
        <translation>%1 个用于验证。</translation>
    </message>
    <message>
        <source>none for validation.</source>
        <translation>没有用于验证的样本。</translation>
    </message>
</context>
<context>
    <name>attnscope::ui::TrainMore</name>
    <message>
        <source>Distillation</source>
        <translation>蒸馏</translation>
    </message>
    <message>
        <source>Attention</source>
        <translation>注意力</translation>
    </message>
    <message>
        <source>Predictions</source>
        <translation>预测</translation>
    </message>
    <message>
        <source>Labels</source>
        <translation>标签</translation>
    </message>
    <message>
        <source>Temperature</source>
        <translation>温度</translation>
    </message>
    <message>
        <source>Landmark-only epochs</source>
        <translation>仅训练地标的轮数</translation>
    </message>
    <message>
        <source>Optimizer</source>
        <translation>优化器</translation>
    </message>
    <message>
        <source>Final learning rate</source>
        <translation>最终学习率</translation>
    </message>
    <message>
        <source>Weight decay</source>
        <translation>权重衰减</translation>
    </message>
    <message>
        <source>Gradient clipping</source>
        <translation>梯度裁剪</translation>
    </message>
    <message>
        <source>Accumulation steps</source>
        <translation>累积步数</translation>
    </message>
    <message>
        <source>Label smoothing</source>
        <translation>标签平滑</translation>
    </message>
    <message>
        <source>Drop path</source>
        <translation>Drop path</translation>
    </message>
    <message>
        <source>EMA decay</source>
        <translation>EMA 衰减</translation>
    </message>
    <message>
        <source>bfloat16 inside layers</source>
        <translation>层内使用 bfloat16</translation>
    </message>
    <message>
        <source>Precision</source>
        <translation>精度</translation>
    </message>
    <message>
        <source>train exit heads alone</source>
        <translation>仅训练退出头</translation>
    </message>
    <message>
        <source>Early exits</source>
        <translation>提前退出</translation>
    </message>
    <message>
        <source>A norm and a head behind each block but the last are trained; the network to start from stays as it is, with its attention.</source>
        <translation>训练除最后一个块之外每个块之后的归一化层和头；作为起点的网络及其注意力保持不变。</translation>
    </message>
    <message>
        <source>Augmentation</source>
        <translation>数据增强</translation>
    </message>
    <message>
        <source>none</source>
        <translation>无</translation>
    </message>
    <message>
        <source>light</source>
        <translation>轻度</translation>
    </message>
    <message>
        <source>DeiT</source>
        <translation>DeiT</translation>
    </message>
    <message>
        <source>custom</source>
        <translation>自定义</translation>
    </message>
    <message>
        <source>Recipe</source>
        <translation>配方</translation>
    </message>
    <message>
        <source>Augmentation of training images: none; crop and flip; or the full DeiT recipe.</source>
        <translation>训练图像的数据增强：无；裁剪和翻转；或完整的 DeiT 配方。</translation>
    </message>
    <message>
        <source>Min. crop scale</source>
        <translation>最小裁剪比例</translation>
    </message>
    <message>
        <source>Max. crop scale</source>
        <translation>最大裁剪比例</translation>
    </message>
    <message>
        <source>Flip</source>
        <translation>翻转</translation>
    </message>
    <message>
        <source>Operations</source>
        <translation>操作数</translation>
    </message>
    <message>
        <source>Magnitude</source>
        <translation>强度</translation>
    </message>
    <message>
        <source>Random erasing</source>
        <translation>随机擦除</translation>
    </message>
    <message>
        <source>Mixup</source>
        <translation>Mixup</translation>
    </message>
    <message>
        <source>CutMix</source>
        <translation>CutMix</translation>
    </message>
    <message>
        <source>Data</source>
        <translation>数据</translation>
    </message>
    <message>
        <source>Layout</source>
        <translation>组织方式</translation>
    </message>
    <message>
        <source>How the folder is organised: one subfolder of images or videos per class, or lists of files.</source>
        <translation>文件夹的组织方式：每个类别一个图像或视频子文件夹，或文件列表。</translation>
    </message>
    <message>
        <source>Validation folder</source>
        <translation>验证文件夹</translation>
    </message>
    <message>
        <source>Validation set</source>
        <translation>验证集</translation>
    </message>
    <message>
        <source>Separate folder for validation; empty: use the one inside the data folder.</source>
        <translation>用于验证的单独文件夹；留空：使用数据文件夹中的验证部分。</translation>
    </message>
    <message>
        <source>Limit</source>
        <translation>上限</translation>
    </message>
    <message>
        <source>Loader threads</source>
        <translation>加载线程</translation>
    </message>
    <message>
        <source>Landmarks</source>
        <translation>地标</translation>
    </message>
</context>
<context>
    <name>attnscope::ui::TrainPage</name>
    <message>
        <source>Copy as command</source>
        <translation>复制为命令</translation>
    </message>
    <message>
        <source>The attnscope-cli command for the same training run</source>
        <translation>进行同一训练的 attnscope-cli 命令</translation>
    </message>
    <message>
        <source>Loss</source>
        <translation>损失</translation>
    </message>
    <message>
        <source>Top-1 on the validation set, %</source>
        <translation>验证集上的 top-1，%</translation>
    </message>
    <message>
        <source>Points appear as training progresses</source>
        <translation>随训练进展逐点显示</translation>
    </message>
    <message>
        <source>Table</source>
        <translation>表格</translation>
    </message>
    <message>
        <source>Epochs</source>
        <translation>轮次</translation>
    </message>
    <message>
        <source>Distillation</source>
        <translation>蒸馏</translation>
    </message>
    <message>
        <source>Training is in progress; pause or finish it before choosing another folder.</source>
        <translation>训练正在进行；请先暂停或完成训练，再选择其他文件夹。</translation>
    </message>
    <message>
        <source>Folder to train on</source>
        <translation>用于训练的文件夹</translation>
    </message>
    <message>
        <source>Train %1 with %2</source>
        <translation>用 %2 训练 %1</translation>
    </message>
    <message>
        <source>Distil %1 into %2</source>
        <translation>将 %1 蒸馏到 %2</translation>
    </message>
    <message>
        <source>epoch</source>
        <translation>轮次</translation>
    </message>
    <message>
        <source>training</source>
        <translation>训练</translation>
    </message>
    <message>
        <source>validation</source>
        <translation>验证</translation>
    </message>
    <message>
        <source>Teacher</source>
        <translation>教师</translation>
    </message>
    <message>
        <source>Before and after distillation</source>
        <translation>蒸馏前后</translation>
    </message>
    <message>
        <source>on validation samples, compared with the teacher</source>
        <translation>在验证样本上，与教师比较</translation>
    </message>
    <message>
        <source>One row per epoch: losses, accuracy, learning rate</source>
        <translation>每轮一行：损失、准确率、学习率</translation>
    </message>
    <message>
        <source>newest epoch first</source>
        <translation>最新的一轮在前</translation>
    </message>
    <message>
        <source>Resume this training run</source>
        <translation>继续此训练</translation>
    </message>
    <message>
        <source>Train on this folder</source>
        <translation>在此文件夹上训练</translation>
    </message>
    <message>
        <source>Softmax weights lose most of their accuracy with Performer; two epochs of distillation, a minute or two, recover most of it. Press F5 to start.</source>
        <translation>Softmax 权重换用 Performer 会损失大部分准确率；两轮蒸馏（一两分钟）可恢复其中的大部分。按 F5 开始。</translation>
    </message>
    <message>
        <source>the settings</source>
        <translation>设置</translation>
    </message>
    <message>
        <source>Each epoch writes a self-describing checkpoint; training can be paused between any two steps and resumed after any epoch.</source>
        <translation>每一轮都会写入一个自带描述的检查点；训练可在任意两步之间暂停，并可在任一轮之后继续。</translation>
    </message>
    <message>
        <source>Continue training</source>
        <translation>继续训练</translation>
    </message>
    <message>
        <source>One sample is an example; the accuracy of the trained network needs all of them.</source>
        <translation>单个样本只是示例；要得到训练后网络的准确率，需要全部样本。</translation>
    </message>
    <message>
        <source>Evaluate on %1</source>
        <translation>在 %1 上评估</translation>
    </message>
</context>
<context>
    <name>attnscope::ui::TrainProgress</name>
    <message>
        <source>%1 percent of all steps</source>
        <translation>所有步骤的 %1 %</translation>
    </message>
    <message>
        <source>Progress of the training</source>
        <translation>训练进度</translation>
    </message>
    <message>
        <source>Pause</source>
        <translation>暂停</translation>
    </message>
    <message>
        <source>Finish this epoch and stop</source>
        <translation>完成此轮后停止</translation>
    </message>
    <message>
        <source>Compare the checkpoint now</source>
        <translation>立即比较检查点</translation>
    </message>
    <message>
        <source>Continue</source>
        <translation>继续</translation>
    </message>
    <message>
        <source>Continues after the last finished epoch, exactly as if training had never stopped.</source>
        <translation>从最后完成的一轮之后继续，与训练从未停止完全一样。</translation>
    </message>
    <message>
        <source>Continue after this epoch</source>
        <translation>此轮后继续</translation>
    </message>
    <message>
        <source>Finish epoch</source>
        <translation>完成此轮</translation>
    </message>
    <message>
        <source>Training stops once this epoch is saved; click to undo.</source>
        <translation>此轮保存后训练即停止；点击可撤销。</translation>
    </message>
    <message>
        <source>Stops once this epoch is finished, validated and saved; nothing is lost.</source>
        <translation>在此轮完成、验证并保存后停止；不会丢失任何内容。</translation>
    </message>
    <message>
        <source>Compare now</source>
        <translation>立即比较</translation>
    </message>
    <message>
        <source>There is no checkpoint until the first epoch is finished.</source>
        <translation>第一轮完成之前没有检查点。</translation>
    </message>
    <message>
        <source>Opens %1 as of its last epoch in Compare. Training pauses while it is measured.</source>
        <translation>在“比较”中打开 %1 最近一轮的状态。测量期间训练会暂停。</translation>
    </message>
    <message>
        <source>Not started</source>
        <translation>未开始</translation>
    </message>
    <message>
        <source>Loading data and weights</source>
        <translation>正在加载数据和权重</translation>
    </message>
    <message>
        <source>Paused</source>
        <translation>已暂停</translation>
    </message>
    <message>
        <source>Stopping after this step</source>
        <translation>此步骤后停止</translation>
    </message>
    <message>
        <source>Stopped by an error</source>
        <translation>因错误停止</translation>
    </message>
    <message>
        <source>All epochs finished</source>
        <translation>所有轮次均已完成</translation>
    </message>
    <message>
        <source>Waiting for measurement</source>
        <translation>等待测量</translation>
    </message>
    <message>
        <source>%1 · waiting for measurement</source>
        <translation>%1 · 等待测量</translation>
    </message>
    <message>
        <source> · stopping after this epoch</source>
        <translation> · 此轮后停止</translation>
    </message>
    <message>
        <source>Continues with the next step; nothing was lost.</source>
        <translation>从下一步继续；没有丢失任何内容。</translation>
    </message>
    <message>
        <source>Waits after this step and keeps it in memory. Closing the window loses the current epoch.</source>
        <translation>在这一步之后等待，并保留在内存中。关闭窗口会丢失当前轮的进度。</translation>
    </message>
    <message>
        <source>Stop and lose this epoch</source>
        <translation>停止并放弃此轮</translation>
    </message>
    <message>
        <source>Stop</source>
        <translation>停止</translation>
    </message>
    <message>
        <source>Ends this training; Continue then resumes after the last finished epoch.</source>
        <translation>结束此次训练；之后“继续”将从最后完成的一轮继续。</translation>
    </message>
    <message>
        <source>%1 · paused</source>
        <translation>%1 · 已暂停</translation>
    </message>
</context>
<context>
    <name>attnscope::ui::TrainSession</name>
    <message>
        <source>%1: there is no training state next to it to resume from.</source>
        <translation>%1：其旁边没有可用于继续的训练状态。</translation>
    </message>
    <message>
        <source>Training in progress</source>
        <translation>训练正在进行</translation>
    </message>
    <message>
        <source>Stopping now loses all training progress because the first epoch is not finished.</source>
        <translation>现在停止会丢失所有训练进度，因为第一轮尚未完成。</translation>
    </message>
    <message>
        <source>Stopping now loses progress in the current epoch; earlier epochs are kept in %1.</source>
        <translation>现在停止会丢失当前轮的进度；之前各轮保留在 %1 中。</translation>
    </message>
    <message>
        <source>Continue on the Train screen with the same file under “Save to”, or with this command in a terminal:

%1</source>
        <translation>可在“训练”页面以“保存到”下的同一文件继续，或在终端中使用以下命令：

%1</translation>
    </message>
    <message>
        <source>Stop and close</source>
        <translation>停止并关闭</translation>
    </message>
    <message>
        <source>clips/s</source>
        <translation>片段/s</translation>
    </message>
    <message>
        <source>img/s</source>
        <translation>图像/s</translation>
    </message>
    <message>
        <source>epoch %1/%2</source>
        <translation>第 %1/%2 轮</translation>
    </message>
    <message>
        <source>validating %1/%2</source>
        <translation>正在验证 %1/%2</translation>
    </message>
    <message>
        <source>%1/%2</source>
        <translation>%1/%2</translation>
    </message>
    <message>
        <source>%1 % waiting for data</source>
        <translation>%1 % 的时间在等待数据</translation>
    </message>
    <message>
        <source>%1 % top-1</source>
        <translation>top-1 %1 %</translation>
    </message>
    <message>
        <source>Loading data and weights</source>
        <translation>正在加载数据和权重</translation>
    </message>
    <message>
        <source>Waiting for measurement between two steps</source>
        <translation>在两个步骤之间等待测量</translation>
    </message>
    <message>
        <source>Stopping after this step</source>
        <translation>此步骤后停止</translation>
    </message>
    <message>
        <source>Paused before the end of the first epoch</source>
        <translation>在第一轮结束之前已暂停</translation>
    </message>
    <message>
        <source>Paused after epoch %1 of %2</source>
        <translation>在第 %1 轮之后已暂停，共 %2 轮</translation>
    </message>
    <message>
        <source>Training stopped before the end of the first epoch</source>
        <translation>训练在第一轮结束之前已停止</translation>
    </message>
    <message>
        <source>Stopped by an error after epoch %1 of %2</source>
        <translation>在第 %1 轮之后因错误停止，共 %2 轮</translation>
    </message>
    <message>
        <source>; teacher %1 %</source>
        <translation>；教师 %1 %</translation>
    </message>
    <message>
        <source>Epoch %1 of %2</source>
        <translation>第 %1 轮，共 %2 轮</translation>
    </message>
    <message>
        <source>%1: %2 % top-1</source>
        <translation>%1：top-1 %2 %</translation>
    </message>
    <message>
        <source>%1, best so far</source>
        <translation>%1，目前最佳</translation>
    </message>
    <message>
        <source>%1, best %2 % at epoch %3</source>
        <translation>%1，最佳 %2 %，在第 %3 轮</translation>
    </message>
    <message>
        <source>%1; teacher %2 %</source>
        <translation>%1；教师 %2 %</translation>
    </message>
    <message>
        <source>Teacher: %1</source>
        <translation>教师：%1</translation>
    </message>
    <message>
        <source>%1 training and %2 validation samples, %3 classes</source>
        <translation>%1 个训练样本和 %2 个验证样本，%3 个类别</translation>
    </message>
    <message>
        <source>%1 of %2 parameters trained</source>
        <translation>训练 %1 / %2 个参数</translation>
    </message>
    <message>
        <source>Training: %1</source>
        <translation>正在训练：%1</translation>
    </message>
    <message>
        <source>Paused in epoch %1 of %2</source>
        <translation>在第 %1 轮中已暂停，共 %2 轮</translation>
    </message>
    <message>
        <source>Training paused</source>
        <translation>训练已暂停</translation>
    </message>
    <message>
        <source>The training of %1 was interrupted; its finished epochs are kept.</source>
        <translation>%1 的训练被中断；已完成的轮次均已保留。</translation>
    </message>
    <message numerus="yes">
        <source>%1 epoch(s) finished</source>
        <translation>
            <numerusform>已完成 %1 轮</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%2 after %1 epoch(s), best at epoch %3</source>
        <translation>
            <numerusform>%1 轮之后 %2，最佳为第 %3 轮</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>attnscope::ui::TransportBar</name>
    <message>
        <source>Previous frame</source>
        <translation>上一帧</translation>
    </message>
    <message>
        <source>Play</source>
        <translation>播放</translation>
    </message>
    <message>
        <source>Space</source>
        <translation>空格</translation>
    </message>
    <message>
        <source>Next frame</source>
        <translation>下一帧</translation>
    </message>
    <message>
        <source>Position</source>
        <translation>位置</translation>
    </message>
    <message>
        <source>Loop</source>
        <translation>循环</translation>
    </message>
    <message>
        <source>Next disagreement</source>
        <translation>下一处不一致</translation>
    </message>
    <message>
        <source>Speed</source>
        <translation>速度</translation>
    </message>
    <message>
        <source>Speed ([ and ])</source>
        <translation>速度（[ 和 ]）</translation>
    </message>
    <message>
        <source>Prediction interval</source>
        <translation>预测间隔</translation>
    </message>
    <message>
        <source>Predict every clip</source>
        <translation>预测每个片段</translation>
    </message>
    <message>
        <source>Playback waits for the predictions instead of skipping clips.</source>
        <translation>播放会等待预测，而不跳过片段。</translation>
    </message>
    <message>
        <source>Inference progress</source>
        <translation>推理进度</translation>
    </message>
    <message>
        <source>%1 (%2)</source>
        <translation>%1（%2）</translation>
    </message>
    <message>
        <source>every %1 s</source>
        <translation>每 %1 s</translation>
    </message>
    <message>
        <source>every frame</source>
        <translation>每帧</translation>
    </message>
    <message>
        <source>every 2nd frame</source>
        <translation>每 2 帧</translation>
    </message>
    <message>
        <source>every %1th frame</source>
        <translation>每 %1 帧</translation>
    </message>
    <message>
        <source>Processed %1 %</source>
        <translation>已处理 %1 %</translation>
    </message>
    <message>
        <source>Lag %1 s</source>
        <translation>滞后 %1 s</translation>
    </message>
    <message>
        <source>Dropped 0</source>
        <translation>丢帧 0</translation>
    </message>
    <message>
        <source>Dropped %1</source>
        <translation>丢帧 %1</translation>
    </message>
    <message>
        <source>Pause</source>
        <translation>暂停</translation>
    </message>
    <message>
        <source>%1 / %2</source>
        <translation>%1 / %2</translation>
    </message>
    <message>
        <source>%1
Processed: fraction of the scheduled clips that were predicted. Dropped: frames that came too late to be shown.</source>
        <translation>%1
已处理：已预测的片段在计划片段中所占的比例。丢帧：到得太晚而未能显示的帧。</translation>
    </message>
</context>
<context>
    <name>attnscope::ui::UnreadableModel</name>
    <message>
        <source>File</source>
        <translation>文件</translation>
    </message>
    <message>
        <source>Reason</source>
        <translation>原因</translation>
    </message>
    <message>
        <source>%1: %2</source>
        <translation>%1：%2</translation>
    </message>
</context>
<context>
    <name>attnscope::ui::ViewsModel</name>
    <message>
        <source>Backend</source>
        <translation>后端</translation>
    </message>
    <message>
        <source>Mean</source>
        <translation>均值</translation>
    </message>
    <message>
        <source>centre crop</source>
        <translation>中心裁剪</translation>
    </message>
    <message>
        <source>left crop</source>
        <translation>左侧裁剪</translation>
    </message>
    <message>
        <source>top crop</source>
        <translation>顶部裁剪</translation>
    </message>
    <message>
        <source>right crop</source>
        <translation>右侧裁剪</translation>
    </message>
    <message>
        <source>bottom crop</source>
        <translation>底部裁剪</translation>
    </message>
    <message>
        <source>clip %1 of %2, %3</source>
        <translation>片段 %1/%2，%3</translation>
    </message>
    <message>
        <source>, at %1 s</source>
        <translation>，位于 %1 s</translation>
    </message>
    <message>
        <source>, %1 s to %2 s</source>
        <translation>，%1 s 至 %2 s</translation>
    </message>
    <message>
        <source>not run yet</source>
        <translation>尚未运行</translation>
    </message>
    <message>
        <source>could not run</source>
        <translation>无法运行</translation>
    </message>
    <message>
        <source>mean over the views: %1</source>
        <translation>各视图的均值：%1</translation>
    </message>
    <message>
        <source>%1: %2 %3</source>
        <translation>%1：%2 %3</translation>
    </message>
    <message>
        <source>, but top-1 is %1</source>
        <translation>，但 top-1 为 %1</translation>
    </message>
    <message>
        <source>%1: not predicted yet</source>
        <translation>%1：尚未预测</translation>
    </message>
</context>
<context>
    <name>attnscope::ui::ViewsPanel</name>
    <message>
        <source>Views</source>
        <translation>视图</translation>
    </message>
    <message>
        <source>Temporal clips times spatial crops</source>
        <translation>时间片段数乘以空间裁剪数</translation>
    </message>
    <message>
        <source>Temporal clips × spatial crops; published Kinetics-400 accuracies use 10×3</source>
        <translation>时间片段数 × 空间裁剪数；已发表的 Kinetics-400 准确率使用 10×3</translation>
    </message>
    <message>
        <source>Prediction of each view</source>
        <translation>每个视图的预测</translation>
    </message>
    <message>
        <source> · time, memory and error are measured on this view</source>
        <translation> · 时间、内存和误差在此视图上测量</translation>
    </message>
    <message>
        <source>Frames appear once the view has been decoded.</source>
        <translation>视图解码后显示各帧。</translation>
    </message>
    <message>
        <source>Run the comparison again to see the frames of this view.</source>
        <translation>请重新运行比较以查看此视图的各帧。</translation>
    </message>
</context>
<context>
    <name>attnscope::ui::Workspace</name>
    <message>
        <source>pasted image %1</source>
        <translation>粘贴的图像 %1</translation>
    </message>
    <message>
        <source>%1: %2.</source>
        <translation>%1：%2。</translation>
    </message>
    <message>
        <source>%1 is one of the networks already.</source>
        <translation>%1 已是其中一个网络。</translation>
    </message>
    <message>
        <source>%1 was added as network %2.</source>
        <translation>%1 已添加为网络 %2。</translation>
    </message>
    <message>
        <source>%1 cannot be compared with %2: one takes clips, the other one images.</source>
        <translation>%1 无法与 %2 比较：一个接受视频片段，另一个接受图像。</translation>
    </message>
</context>
</TS>
