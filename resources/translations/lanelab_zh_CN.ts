<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="zh_CN" sourcelanguage="en">
<context>
    <name>AccessibleBoard</name>
    <message numerus="yes">
        <source>%1, %n block(s), %2 of all %3</source>
        <translation>
            <numerusform>%1，%n 个块，占全部 %3 的 %2</numerusform>
        </translation>
    </message>
    <message>
        <source>%1, on lane %2, %3 parameters, %4 MACs</source>
        <translation>%1，在泳道 %2 上，%3 个参数，%4 次乘加 (MACs)</translation>
    </message>
    <message>
        <source>%1, %2 of all %3, output %4</source>
        <translation>%1，占全部 %3 的 %2，输出 %4</translation>
    </message>
    <message>
        <source>Select</source>
        <translation>选择</translation>
    </message>
    <message>
        <source>Move to lane %1</source>
        <translation>移到泳道 %1</translation>
    </message>
</context>
<context>
    <name>AccessibleTimeline</name>
    <message>
        <source>Select</source>
        <translation>选择</translation>
    </message>
    <message>
        <source>Zoom</source>
        <translation>缩放</translation>
    </message>
    <message>
        <source>%1, %2</source>
        <translation>%1，%2</translation>
    </message>
    <message>
        <source>running</source>
        <translation>进行中</translation>
    </message>
    <message>
        <source>%1. %2</source>
        <translation>%1。%2</translation>
    </message>
    <message>
        <source>%1: %2</source>
        <translation>%1：%2</translation>
    </message>
    <message>
        <source>utilization %1</source>
        <translation>利用率 %1</translation>
    </message>
    <message>
        <source>collapsed</source>
        <translation>已折叠</translation>
    </message>
    <message>
        <source>pinned</source>
        <translation>已固定</translation>
    </message>
    <message numerus="yes">
        <source>%n gap(s)</source>
        <translation>
            <numerusform>%n 个间隙</numerusform>
        </translation>
    </message>
    <message>
        <source>In sight: %1 of %2 spans; listed: %3 spans, %4</source>
        <translation>可见：%2 个跨度中的 %1 个；已列出：%3 个跨度，%4</translation>
    </message>
</context>
<context>
    <name>AttachFields</name>
    <message>
        <source>&quot;%1&quot; is not RANK=HOST:PORT. Enter addresses such as 8=node2:41002, with spaces between.</source>
        <translation>“%1”不是 RANK=HOST:PORT 的形式。请输入形如 8=node2:41002 的地址，以空格分隔。</translation>
    </message>
    <message>
        <source>Rank %1 has two addresses. Enter one.</source>
        <translation>rank %1 有两个地址。请只输入一个。</translation>
    </message>
    <message>
        <source>The page of the job is not set. Enter the HOST:PORT of its debug server, such as node1:25999.</source>
        <translation>未填写作业的页面。请输入其调试服务器的 HOST:PORT，例如 node1:25999。</translation>
    </message>
</context>
<context>
    <name>Charts</name>
    <message>
        <source>Epoch (dashed: training, solid: validation)</source>
        <translation>轮次（虚线：训练，实线：验证）</translation>
    </message>
    <message>
        <source>Epoch</source>
        <translation>轮次</translation>
    </message>
    <message>
        <source>Accuracy (%)</source>
        <translation>准确率 (%)</translation>
    </message>
    <message>
        <source>%1 %2 to %3</source>
        <translation>%1 从 %2 到 %3</translation>
    </message>
    <message>
        <source>%1 in validation</source>
        <translation>%1 验证</translation>
    </message>
    <message>
        <source>%1 in training</source>
        <translation>%1 训练</translation>
    </message>
    <message>
        <source>Accuracy over %1: %2.</source>
        <translation>%1 的准确率：%2。</translation>
    </message>
    <message>
        <source>%1 (baseline)</source>
        <translation>%1（基线）</translation>
    </message>
    <message>
        <source>not measured</source>
        <translation>未测量</translation>
    </message>
    <message>
        <source>%1 %2</source>
        <translation>%1 %2</translation>
    </message>
    <message>
        <source>%1 (n = %2)</source>
        <translation>%1 (n = %2)</translation>
    </message>
    <message>
        <source>Time per repeat (s)</source>
        <translation>每次重复的时间 (s)</translation>
    </message>
    <message>
        <source>Throughput (%1), more is faster</source>
        <translation>吞吐量 (%1)，越大越快</translation>
    </message>
    <message>
        <source>%1, 95 % CI %2 to %3</source>
        <translation>%1，95 % 置信区间 %2 至 %3</translation>
    </message>
    <message>
        <source>%1, one standard deviation %2 to %3</source>
        <translation>%1，一个标准差 %2 至 %3</translation>
    </message>
    <message>
        <source>Mean time per repeat: %1.</source>
        <translation>每次重复的平均时间：%1。</translation>
    </message>
    <message>
        <source>Throughput, more is faster: %1.</source>
        <translation>吞吐量，越大越快：%1。</translation>
    </message>
    <message>
        <source>Time per image (ms)</source>
        <translation>每张图像的时间 (ms)</translation>
    </message>
    <message>
        <source>Time per sample (ms)</source>
        <translation>每个样本的时间 (ms)</translation>
    </message>
    <message>
        <source>Images/s</source>
        <translation>图像/s</translation>
    </message>
    <message>
        <source>Samples/s</source>
        <translation>样本/s</translation>
    </message>
    <message>
        <source>Tokens/s</source>
        <translation>词元/s</translation>
    </message>
    <message>
        <source>Accuracy</source>
        <translation>准确率</translation>
    </message>
    <message>
        <source>n = %1 each</source>
        <translation>每个 n = %1</translation>
    </message>
    <message>
        <source>n = %1 to %2 repeats</source>
        <translation>n = %1 至 %2 次重复</translation>
    </message>
    <message>
        <source>dots: single repeats, too few repeats for a spread</source>
        <translation>圆点：单次重复，重复次数太少，无法给出离散程度</translation>
    </message>
    <message>
        <source>bars: mean, whiskers: 95 % confidence interval of the mean</source>
        <translation>条形：平均值，须线：平均值的 95 % 置信区间</translation>
    </message>
    <message>
        <source>bars: mean, whiskers: one standard deviation</source>
        <translation>条形：平均值，须线：一个标准差</translation>
    </message>
    <message>
        <source>%1 (cut at 0)</source>
        <translation>%1（在 0 处截断）</translation>
    </message>
    <message>
        <source>%1, dots: single repeats</source>
        <translation>%1，圆点：单次重复</translation>
    </message>
    <message>
        <source>Images per second, as runs differ: %1</source>
        <translation>每秒图像数，因为各次运行不同：%1</translation>
    </message>
    <message>
        <source>Samples per second, as runs differ: %1</source>
        <translation>每秒样本数，因为各次运行不同：%1</translation>
    </message>
    <message>
        <source>Time per repeat of %1, batch %2</source>
        <translation>%1 每次重复的时间，批次 %2</translation>
    </message>
    <message>
        <source>; not all of it ran (%1)</source>
        <translation>；没有全部运行 (%1)</translation>
    </message>
    <message>
        <source>%1; no repeat was measured%2.</source>
        <translation>%1；没有测得任何一次重复%2。</translation>
    </message>
    <message>
        <source>%1; %2; %3; measured%4.</source>
        <translation>%1；%2；%3；实测%4。</translation>
    </message>
    <message>
        <source>s</source>
        <translation>s</translation>
    </message>
    <message>
        <source>images/s</source>
        <translation>图像/s</translation>
    </message>
    <message>
        <source>samples/s</source>
        <translation>样本/s</translation>
    </message>
    <message>
        <source>%1: not measured</source>
        <translation>%1：未测量</translation>
    </message>
    <message>
        <source>%1: mean %2 %5 of n = %3 repeats, median %4 %5</source>
        <translation>%1：n = %3 次重复，平均值 %2 %5，中位数 %4 %5</translation>
    </message>
    <message>
        <source>Standard deviation %1 %2</source>
        <translation>标准差 %1 %2</translation>
    </message>
    <message>
        <source>95 % confidence interval of the mean %1 to %2 %3</source>
        <translation>平均值的 95 % 置信区间 %1 至 %2 %3</translation>
    </message>
    <message>
        <source>The whisker would reach below 0, so it is cut at 0. More repeats make it shorter.</source>
        <translation>须线会低于 0，因此在 0 处截断。重复次数越多，须线越短。</translation>
    </message>
    <message>
        <source>%1 samples/s, %2 tokens/s</source>
        <translation>%1 样本/s，%2 词元/s</translation>
    </message>
    <message>
        <source>Variant</source>
        <translation>变体</translation>
    </message>
    <message>
        <source>n</source>
        <translation>n</translation>
    </message>
    <message>
        <source>Mean (%1)</source>
        <translation>平均值 (%1)</translation>
    </message>
    <message>
        <source>Std (%1)</source>
        <translation>标准差 (%1)</translation>
    </message>
    <message>
        <source>95 % CI (%1)</source>
        <translation>95 % 置信区间 (%1)</translation>
    </message>
    <message>
        <source>%1 to %2</source>
        <translation>%1 至 %2</translation>
    </message>
    <message>
        <source>too few repeats</source>
        <translation>重复次数太少</translation>
    </message>
    <message>
        <source>no finite loss</source>
        <translation>没有有限的损失</translation>
    </message>
    <message>
        <source>%1 at step %2</source>
        <translation>%1，在第 %2 步</translation>
    </message>
    <message>
        <source>Step</source>
        <translation>步</translation>
    </message>
    <message>
        <source>Loss</source>
        <translation>损失</translation>
    </message>
    <message>
        <source>Loss over %1: %2.</source>
        <translation>%1 的损失：%2。</translation>
    </message>
    <message>
        <source>Predicted</source>
        <translation>预测</translation>
    </message>
    <message>
        <source>Measured</source>
        <translation>实测</translation>
    </message>
    <message>
        <source>Micro-batch size (samples)</source>
        <translation>微批次大小（样本）</translation>
    </message>
    <message>
        <source>%1 measured</source>
        <translation>%1 实测</translation>
    </message>
    <message>
        <source>%1 predicted</source>
        <translation>%1 预测</translation>
    </message>
    <message>
        <source>Step time of %1 micro-batch sizes from %2 to %3: %4.</source>
        <translation>从 %2 到 %3 的 %1 个微批次大小的每步时间：%4。</translation>
    </message>
    <message>
        <source>Step time (s)</source>
        <translation>每步时间 (s)</translation>
    </message>
    <message>
        <source>GiB</source>
        <translation>GiB</translation>
    </message>
    <message>
        <source>MiB</source>
        <translation>MiB</translation>
    </message>
    <message>
        <source>ms</source>
        <translation>ms</translation>
    </message>
    <message>
        <source>No recompute</source>
        <translation>不重计算</translation>
    </message>
    <message>
        <source>Activations</source>
        <translation>激活值</translation>
    </message>
    <message>
        <source>Whole stages</source>
        <translation>整个阶段</translation>
    </message>
    <message>
        <source>%1, measured</source>
        <translation>%1，实测</translation>
    </message>
    <message>
        <source>%1, does not fit</source>
        <translation>%1，放不下</translation>
    </message>
    <message>
        <source>Front</source>
        <translation>前沿</translation>
    </message>
    <message>
        <source>Peak memory of the largest lane (%1)</source>
        <translation>最大泳道的峰值内存 (%1)</translation>
    </message>
    <message>
        <source>%1 %2 %3</source>
        <translation>%1 %2 %3</translation>
    </message>
    <message>
        <source>Peak memory and %1 of %2 combinations, %3 measured. On the front: %4.</source>
        <translation>%2 个组合的峰值内存和%1，其中 %3 个为实测。前沿上：%4。</translation>
    </message>
    <message>
        <source>Selected: %1.</source>
        <translation>已选择：%1。</translation>
    </message>
    <message>
        <source>%1 and %2 more</source>
        <translation>%1 以及另外 %2 个</translation>
    </message>
    <message numerus="yes">
        <source>%n epoch(s)</source>
        <translation>
            <numerusform>%n 轮</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n repeat(s)</source>
        <translation>
            <numerusform>%n 次重复</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n step(s)</source>
        <translation>
            <numerusform>%n 步</numerusform>
        </translation>
    </message>
    <message>
        <source>min</source>
        <translation>分钟</translation>
    </message>
</context>
<context>
    <name>CommandPalette</name>
    <message>
        <source>Not possible now.</source>
        <translation>现在无法执行。</translation>
    </message>
    <message>
        <source>Example</source>
        <translation>示例</translation>
    </message>
    <message>
        <source>Command</source>
        <translation>命令</translation>
    </message>
    <message>
        <source>Pane</source>
        <translation>窗格</translation>
    </message>
    <message>
        <source>View</source>
        <translation>视图</translation>
    </message>
    <message>
        <source>Block</source>
        <translation>块</translation>
    </message>
    <message>
        <source>Lane</source>
        <translation>泳道</translation>
    </message>
    <message>
        <source>Lane %1</source>
        <translation>泳道 %1</translation>
    </message>
    <message>
        <source>Run</source>
        <translation>运行</translation>
    </message>
    <message>
        <source>Help</source>
        <translation>帮助</translation>
    </message>
</context>
<context>
    <name>CutsPicture</name>
    <message>
        <source>cannot run on these lanes</source>
        <translation>无法在这些泳道上运行</translation>
    </message>
    <message>
        <source>%1 (+%2 %)</source>
        <translation>%1 (+%2 %)</translation>
    </message>
    <message>
        <source>not cut</source>
        <translation>未切分</translation>
    </message>
    <message>
        <source>cut before %1</source>
        <translation>在 %1 之前切分</translation>
    </message>
    <message>
        <source>%1 %2, %3</source>
        <translation>%1 %2，%3</translation>
    </message>
    <message>
        <source>Predicted step: %1.</source>
        <translation>预测的每步时间：%1。</translation>
    </message>
    <message>
        <source>Predicted step time by cut</source>
        <translation>各切分的预测每步时间</translation>
    </message>
</context>
<context>
    <name>DeviceMap</name>
    <message>
        <source>the whole network</source>
        <translation>整个网络</translation>
    </message>
    <message>
        <source>%1 %</source>
        <translation>%1 %</translation>
    </message>
    <message>
        <source>%1 of %2 (%3)</source>
        <translation>%2 中的 %1 (%3)</translation>
    </message>
    <message>
        <source>%1, balanced to %2</source>
        <translation>%1，均衡到 %2</translation>
    </message>
    <message>
        <source>%1 holds %2: %3</source>
        <translation>%1 存放 %2：%3</translation>
    </message>
    <message>
        <source>%1.</source>
        <translation>%1。</translation>
    </message>
    <message>
        <source>GPU %1</source>
        <translation>GPU %1</translation>
    </message>
    <message>
        <source>CPU</source>
        <translation>CPU</translation>
    </message>
    <message>
        <source>Disk</source>
        <translation>磁盘</translation>
    </message>
    <message>
        <source>%1 to %2</source>
        <translation>%1 至 %2</translation>
    </message>
    <message>
        <source>nothing</source>
        <translation>无</translation>
    </message>
</context>
<context>
    <name>Examples</name>
    <message>
        <source>Demo</source>
        <translation>演示</translation>
    </message>
    <message>
        <source>Digits</source>
        <translation>数字</translation>
    </message>
    <message>
        <source>Tutorial</source>
        <translation>教程</translation>
    </message>
    <message>
        <source>Schedules</source>
        <translation>调度</translation>
    </message>
    <message>
        <source>Memory</source>
        <translation>内存</translation>
    </message>
    <message>
        <source>Strategies</source>
        <translation>策略</translation>
    </message>
    <message>
        <source>ViT: equal blocks</source>
        <translation>ViT：相等的块</translation>
    </message>
    <message>
        <source>ConvNeXt: front-heavy activations</source>
        <translation>ConvNeXt：激活值集中在前部</translation>
    </message>
    <message>
        <source>U-Net: skips over the cut</source>
        <translation>U-Net：跨越切分的跳跃连接</translation>
    </message>
    <message>
        <source>Swin: unequal stages</source>
        <translation>Swin：不相等的阶段</translation>
    </message>
    <message>
        <source>MLP-Mixer: split backward</source>
        <translation>MLP-Mixer：拆分的反向</translation>
    </message>
    <message>
        <source>GPT-2: tied weights</source>
        <translation>GPT-2：绑定的权重</translation>
    </message>
    <message>
        <source>Llama: too small for two lanes</source>
        <translation>Llama：对两个泳道来说太小</translation>
    </message>
    <message>
        <source>Llama 2 7B</source>
        <translation>Llama 2 7B</translation>
    </message>
    <message>
        <source>Tiny Llama</source>
        <translation>Tiny Llama</translation>
    </message>
    <message>
        <source>Tied weights</source>
        <translation>绑定的权重</translation>
    </message>
</context>
<context>
    <name>Exhibit</name>
    <message>
        <source>PNG image (*.png)</source>
        <translation>PNG 图像 (*.png)</translation>
    </message>
    <message>
        <source>SVG drawing (*.svg)</source>
        <translation>SVG 绘图 (*.svg)</translation>
    </message>
    <message>
        <source>PDF page (*.pdf)</source>
        <translation>PDF 页面 (*.pdf)</translation>
    </message>
    <message>
        <source>CSV table (*.csv)</source>
        <translation>CSV 表格 (*.csv)</translation>
    </message>
    <message>
        <source>Saved %1</source>
        <translation>已保存 %1</translation>
    </message>
    <message>
        <source>&amp;Open</source>
        <translation>打开(&amp;O)</translation>
    </message>
    <message>
        <source>Show &amp;Folder</source>
        <translation>显示文件夹(&amp;F)</translation>
    </message>
    <message>
        <source>Copy &amp;Figure</source>
        <translation>复制图形(&amp;F)</translation>
    </message>
    <message>
        <source>Copy &amp;Table</source>
        <translation>复制表格(&amp;T)</translation>
    </message>
    <message>
        <source>&amp;Export...</source>
        <translation>导出(&amp;E)...</translation>
    </message>
    <message>
        <source>Export %1</source>
        <translation>导出 %1</translation>
    </message>
    <message>
        <source>The export was cancelled. %1 was not written.</source>
        <translation>导出已取消。%1 没有写入。</translation>
    </message>
    <message>
        <source>Not Saved</source>
        <translation>未保存</translation>
    </message>
</context>
<context>
    <name>Export</name>
    <message>
        <source>The run has no variant %1. It is one of: %2.</source>
        <translation>该运行没有变体 %1。可用的变体：%2。</translation>
    </message>
    <message>
        <source>None of the runs has this metric, so there is no curve to draw.</source>
        <translation>这些运行都没有这个指标，因此没有曲线可画。</translation>
    </message>
</context>
<context>
    <name>Help</name>
    <message>
        <source> or </source>
        <translation> 或 </translation>
    </message>
    <message>
        <source>Board, when it has the focus</source>
        <translation>看板（有焦点时）</translation>
    </message>
    <message>
        <source>Move over the blocks</source>
        <translation>在块之间移动</translation>
    </message>
    <message>
        <source>arrows, Home, End</source>
        <translation>方向键、Home、End</translation>
    </message>
    <message>
        <source>Select several blocks</source>
        <translation>选择多个块</translation>
    </message>
    <message>
        <source>Shift+arrows, Ctrl+A</source>
        <translation>Shift+方向键、Ctrl+A</translation>
    </message>
    <message>
        <source>Place the selected blocks on a lane</source>
        <translation>把所选的块放到一个泳道上</translation>
    </message>
    <message>
        <source>0 to 9</source>
        <translation>0 到 9</translation>
    </message>
    <message>
        <source>Move the selected blocks a lane up or down</source>
        <translation>把所选的块上移或下移一个泳道</translation>
    </message>
    <message>
        <source>Ctrl+Up, Ctrl+Down</source>
        <translation>Ctrl+Up、Ctrl+Down</translation>
    </message>
    <message>
        <source>Pick up the selected blocks, drop them</source>
        <translation>拿起所选的块，放下</translation>
    </message>
    <message>
        <source>Space, then Up, Down and Enter</source>
        <translation>Space，然后 Up、Down 和 Enter</translation>
    </message>
    <message>
        <source>Move the cut of the stage</source>
        <translation>移动阶段的切分</translation>
    </message>
    <message>
        <source>Ctrl+Left, Ctrl+Right</source>
        <translation>Ctrl+Left、Ctrl+Right</translation>
    </message>
    <message>
        <source>Cut before the block</source>
        <translation>在块之前切分</translation>
    </message>
    <message>
        <source>C</source>
        <translation>C</translation>
    </message>
    <message>
        <source>Balance the stages</source>
        <translation>均衡各阶段</translation>
    </message>
    <message>
        <source>B</source>
        <translation>B</translation>
    </message>
    <message>
        <source>Rename the lane</source>
        <translation>重命名泳道</translation>
    </message>
    <message>
        <source>F2</source>
        <translation>F2</translation>
    </message>
    <message>
        <source>Restore everything</source>
        <translation>恢复所有内容</translation>
    </message>
    <message>
        <source>Esc</source>
        <translation>Esc</translation>
    </message>
    <message>
        <source>Timeline, when it has the focus</source>
        <translation>时间线（有焦点时）</translation>
    </message>
    <message>
        <source>Zoom in and out</source>
        <translation>放大和缩小</translation>
    </message>
    <message>
        <source>W, S or +, -</source>
        <translation>W、S 或 +、-</translation>
    </message>
    <message>
        <source>Move left and right</source>
        <translation>向左和向右移动</translation>
    </message>
    <message>
        <source>A, D or arrows</source>
        <translation>A、D 或方向键</translation>
    </message>
    <message>
        <source>Previous and next span</source>
        <translation>上一个和下一个跨度</translation>
    </message>
    <message>
        <source>, and .</source>
        <translation>, 和 .</translation>
    </message>
    <message>
        <source>Another lane</source>
        <translation>另一个泳道</translation>
    </message>
    <message>
        <source>Up, Down</source>
        <translation>Up、Down</translation>
    </message>
    <message>
        <source>Collapse or expand the lane, all lanes of its replica; pin it</source>
        <translation>折叠或展开泳道、其副本的所有泳道；固定泳道</translation>
    </message>
    <message>
        <source>C, Shift+C, P</source>
        <translation>C、Shift+C、P</translation>
    </message>
    <message>
        <source>Move the lane up or down</source>
        <translation>上移或下移泳道</translation>
    </message>
    <message>
        <source>Next and previous idle gap</source>
        <translation>下一个和上一个空闲间隙</translation>
    </message>
    <message>
        <source>G, Shift+G</source>
        <translation>G、Shift+G</translation>
    </message>
    <message>
        <source>From a gap: to the next one, to what it waited for</source>
        <translation>从间隙出发：到下一个间隙、到它所等待的跨度</translation>
    </message>
    <message>
        <source>arrows, Enter</source>
        <translation>方向键、Enter</translation>
    </message>
    <message>
        <source>Zoom to the selection, the span or the gap</source>
        <translation>缩放到选区、跨度或间隙</translation>
    </message>
    <message>
        <source>Z, Enter</source>
        <translation>Z、Enter</translation>
    </message>
    <message>
        <source>Go back to the range before</source>
        <translation>回到之前的范围</translation>
    </message>
    <message>
        <source>Backspace</source>
        <translation>Backspace</translation>
    </message>
    <message>
        <source>All of it</source>
        <translation>全部</translation>
    </message>
    <message>
        <source>F or Home</source>
        <translation>F 或 Home</translation>
    </message>
    <message>
        <source>Find, as in the menu</source>
        <translation>查找，与菜单中相同</translation>
    </message>
    <message>
        <source>/</source>
        <translation>/</translation>
    </message>
    <message>
        <source>Go to dependency, go to dependent</source>
        <translation>转到依赖项，转到依赖它的跨度</translation>
    </message>
    <message>
        <source>[ and ]</source>
        <translation>[ 和 ]</translation>
    </message>
    <message>
        <source>Show or hide an entry of the legend that has a check box</source>
        <translation>显示或隐藏图例中带复选框的条目</translation>
    </message>
    <message>
        <source>1 to 9</source>
        <translation>1 到 9</translation>
    </message>
    <message>
        <source>Shorten or lengthen the action by 5 %, all of its kind</source>
        <translation>把该动作（或所有同类动作）缩短或延长 5 %</translation>
    </message>
    <message>
        <source>Alt+Left, Alt+Right, with Shift</source>
        <translation>Alt+Left、Alt+Right，同类动作加 Shift</translation>
    </message>
    <message>
        <source>Move the stage of the action to another lane</source>
        <translation>把该动作的阶段移到另一个泳道</translation>
    </message>
    <message>
        <source>Alt+Up, Alt+Down</source>
        <translation>Alt+Up、Alt+Down</translation>
    </message>
    <message>
        <source>Make the changes settings of the experiment</source>
        <translation>把这些更改变为实验的设置</translation>
    </message>
    <message>
        <source>Enter</source>
        <translation>Enter</translation>
    </message>
    <message>
        <source>Clear the selection, restore what was changed</source>
        <translation>清除选择，恢复所做的更改</translation>
    </message>
    <message>
        <source>Help window</source>
        <translation>帮助窗口</translation>
    </message>
    <message>
        <source>Search all pages</source>
        <translation>搜索所有页面</translation>
    </message>
    <message>
        <source>Ctrl+F</source>
        <translation>Ctrl+F</translation>
    </message>
    <message>
        <source>Go back, go forward again</source>
        <translation>后退，再前进</translation>
    </message>
    <message>
        <source>Alt+Left, Alt+Right</source>
        <translation>Alt+Left、Alt+Right</translation>
    </message>
    <message>
        <source>Close it</source>
        <translation>关闭</translation>
    </message>
    <message>
        <source>Build a Schedule, when its board has the focus</source>
        <translation>“构建调度”（其看板有焦点时）</translation>
    </message>
    <message>
        <source>Next and previous action of the lane</source>
        <translation>泳道的下一个和上一个动作</translation>
    </message>
    <message>
        <source>arrows</source>
        <translation>方向键</translation>
    </message>
    <message>
        <source>Place the action</source>
        <translation>放置该动作</translation>
    </message>
    <message>
        <source>Enter, Space</source>
        <translation>Enter、Space</translation>
    </message>
    <message>
        <source>Take the last action back</source>
        <translation>收回最后一个动作</translation>
    </message>
    <message>
        <source>Go back to the schedule of the variant</source>
        <translation>回到变体的调度</translation>
    </message>
    <message>
        <source>Keys</source>
        <translation>按键</translation>
    </message>
    <message>
        <source>What it does</source>
        <translation>作用</translation>
    </message>
    <message>
        <source>Key</source>
        <translation>按键</translation>
    </message>
    <message>
        <source>About LaneLab</source>
        <translation>关于 LaneLab</translation>
    </message>
    <message>
        <source>LaneLab %1</source>
        <translation>LaneLab %1</translation>
    </message>
    <message>
        <source>Place a network on lanes, train it, see where the time went.</source>
        <translation>把网络放到泳道上，训练它，看清时间花在了哪里。</translation>
    </message>
    <message>
        <source>Free software under the GNU General Public License, version 3, without any warranty. It works on this machine only: nothing is sent anywhere.</source>
        <translation>本程序是自由软件，依据 GNU 通用公共许可证第 3 版发布，不提供任何担保。它只在本机上工作：不会向任何地方发送任何内容。</translation>
    </message>
    <message>
        <source>Qt %1</source>
        <translation>Qt %1</translation>
    </message>
    <message>
        <source>%1: %2</source>
        <translation>%1：%2</translation>
    </message>
    <message>
        <source>wheel</source>
        <translation>滚轮</translation>
    </message>
    <message>
        <source>Ctrl+wheel</source>
        <translation>Ctrl+滚轮</translation>
    </message>
    <message>
        <source>Zoom at the pointer</source>
        <translation>在指针处缩放</translation>
    </message>
    <message>
        <source>Scroll the lanes</source>
        <translation>滚动泳道</translation>
    </message>
    <message>
        <source>Shift+wheel, touchpad</source>
        <translation>Shift+滚轮，触摸板</translation>
    </message>
    <message>
        <source>Timeline, with the mouse over it</source>
        <translation>时间线（鼠标在其上时）</translation>
    </message>
</context>
<context>
    <name>IdleTable</name>
    <message>
        <source>fill</source>
        <translation>填充</translation>
    </message>
    <message>
        <source>drain</source>
        <translation>排空</translation>
    </message>
    <message>
        <source>imbalance</source>
        <translation>不均衡</translation>
    </message>
    <message>
        <source>jitter</source>
        <translation>抖动</translation>
    </message>
    <message>
        <source>transfer_queued</source>
        <translation>传输排队</translation>
    </message>
    <message>
        <source>transfer</source>
        <translation>传输</translation>
    </message>
    <message>
        <source>communication</source>
        <translation>通信</translation>
    </message>
    <message>
        <source>data</source>
        <translation>数据</translation>
    </message>
    <message>
        <source>sync</source>
        <translation>同步</translation>
    </message>
    <message>
        <source>allocator</source>
        <translation>内存分配</translation>
    </message>
    <message>
        <source>host</source>
        <translation>主机</translation>
    </message>
    <message>
        <source>contention</source>
        <translation>争用</translation>
    </message>
    <message>
        <source>profiler</source>
        <translation>记录开销</translation>
    </message>
    <message>
        <source>unresolved</source>
        <translation>原因不明</translation>
    </message>
    <message>
        <source>evaluation</source>
        <translation>评估</translation>
    </message>
</context>
<context>
    <name>ImportTexts</name>
    <message>
        <source>Network: &quot;%1&quot; is not MODULE:FACTORY. Enter a module or .py file and its function or class, such as torchvision.models:resnet18 or net.py:make.</source>
        <translation>网络：“%1”不是 MODULE:FACTORY。请输入模块或 .py 文件及其中的函数或类，例如 torchvision.models:resnet18 或 net.py:make。</translation>
    </message>
    <message>
        <source>Input shape: it is not set. Enter the shape of one sample, such as 3x224x224, or 64:int64:1000 for 64 tokens below 1000.</source>
        <translation>输入形状：未设置。请输入一个样本的形状，例如 3x224x224；64 个小于 1000 的词元写作 64:int64:1000。</translation>
    </message>
    <message>
        <source>Arguments: &quot;%1&quot; is not KEY=VALUE. Enter one argument per line, such as num_classes=10.</source>
        <translation>参数：“%1”不是 KEY=VALUE。请每行输入一个参数，例如 num_classes=10。</translation>
    </message>
    <message>
        <source>Network:</source>
        <translation>网络：</translation>
    </message>
    <message>
        <source>Input shape:</source>
        <translation>输入形状：</translation>
    </message>
    <message>
        <source>Arguments:</source>
        <translation>参数：</translation>
    </message>
</context>
<context>
    <name>Language</name>
    <message>
        <source>No installed font has the characters of %1, so texts are in English. Install one, such as Debian&apos;s fonts-wqy-microhei, and start LaneLab again.</source>
        <translation>没有已安装的字体包含 %1 的字符，因此文字为英文。请安装这样的字体，例如 Debian 的 fonts-wqy-microhei，然后再次启动 LaneLab。</translation>
    </message>
</context>
<context>
    <name>Lessons</name>
    <message>
        <source>%1 %</source>
        <translation>%1 %</translation>
    </message>
    <message>
        <source>%1 %2</source>
        <translation>%1 %2</translation>
    </message>
    <message>
        <source>Fill and drain take %1 of the lanes&apos; time. Look for the smallest share.</source>
        <translation>填充和排空占各泳道时间的 %1。请找出占比最小的那个。</translation>
    </message>
    <message>
        <source>Right: fill and drain take %1 of the lanes&apos; time; (p - 1) / (m + p - 1) for p = 2 equal stages and m micro-batches is 50, 33, 20 and 11 %. The steps take %2, the shortest is that of %3: small micro-batches compute less per second, which works against the smaller bubble.</source>
        <translation>正确：填充和排空占各泳道时间的 %1；对 p = 2 个相等的阶段和 m 个微批次，(p - 1) / (m + p - 1) 为 50、33、20 和 11 %。各步用时 %2，最短的是 %3：小的微批次每秒计算得更少，这抵消了更小的气泡。</translation>
    </message>
    <message>
        <source>The largest cause of this gap is not the cut. Point at other idle time: the sentence names its cause. You look for imbalance.</source>
        <translation>这个间隙的最大原因不是切分。请指向其他空闲时间：句子会说出它的原因。要找的是“不均衡”。</translation>
    </message>
    <message>
        <source>Right: the lane with fewer blocks waits in each micro-batch for the other one. Another cut moves blocks between them; the steps take %1. In your own experiments, Balance Stages finds the cut, and Idle and Gaps suggests it.</source>
        <translation>正确：块较少的泳道在每个微批次中都要等待另一个泳道。换一个切分可以在它们之间移动块；各步用时 %1。在您自己的实验中，“均衡各阶段”会找到切分，“空闲与间隙”会给出建议。</translation>
    </message>
    <message>
        <source>At its peak the first lane holds %1. Count the forwards before its first backward: the activations of each are stored until then.</source>
        <translation>第一个泳道峰值时存放 %1。请数一数它的第一个反向之前有多少个前向：每个前向的激活值都要保存到那时。</translation>
    </message>
    <message>
        <source>Right: at its peak the first lane holds %1, and the steps take %2. One order computes all forwards first and stores the activations of all micro-batches; the other begins a backward as soon as it can, and frees them.</source>
        <translation>正确：第一个泳道峰值时存放 %1，各步用时 %2。一种顺序先计算所有前向，保存所有微批次的激活值；另一种顺序尽早开始反向，并释放这些激活值。</translation>
    </message>
    <message>
        <source>This is not a weight gradient. Look for the actions with the letter W.</source>
        <translation>这不是权重梯度。请找带有字母 W 的动作。</translation>
    </message>
    <message>
        <source>Right: nothing waits for a weight gradient but the update, so it can be computed while the lane would wait for another one&apos;s gradient. Idle time is %1 of the lanes&apos; time in fill and drain, and the steps take %2.</source>
        <translation>正确：除了更新，没有什么会等待权重梯度，因此它可以在泳道原本要等待另一个泳道的梯度时计算。填充和排空造成的空闲占各泳道时间的 %1，各步用时 %2。</translation>
    </message>
    <message>
        <source>There the lanes share the blocks: each action is of one stage. Look for a timeline in which both lanes do the same.</source>
        <translation>那里各泳道分担这些块：每个动作属于一个阶段。请找两个泳道做同样事情的时间线。</translation>
    </message>
    <message>
        <source>Right: each replica computes all blocks for its half of the batch and waits only for the exchange of gradients. It has no bubble, but all weights on each lane: together the lanes hold %1 at their peaks; the steps take %2. Replicas pay as long as the network fits on one device.</source>
        <translation>正确：每个副本对自己那一半批次计算所有块，只等待梯度的交换。它没有气泡，但每个泳道上都有全部权重：各泳道峰值时共存放 %1；各步用时 %2。只要网络放得进一个设备，副本就划算。</translation>
    </message>
    <message>
        <source>The bubble and the micro-batch size</source>
        <translation>气泡与微批次大小</translation>
    </message>
    <message>
        <source>Two lanes train one network: the first has the front half of its blocks, the second the rest. A batch is split into micro-batches. Hatched time is idle: lane 1 waits at the begin of a step (fill) until the first micro-batch arrives, lane 0 at its end (drain). Both together are the bubble. Choose the variants above the timeline one after another.</source>
        <translation>两个泳道训练一个网络：第一个泳道有它前一半的块，第二个泳道有其余的块。一个批次拆分为若干微批次。画有阴影线的时间是空闲：泳道 1 在一步开始时等待（填充），直到第一个微批次到达；泳道 0 在一步结束时等待（排空）。两者合起来就是气泡。请依次选择时间线上方的各个变体。</translation>
    </message>
    <message>
        <source>In which variant do fill and drain take the smallest share of the time?</source>
        <translation>在哪个变体中，填充和排空所占的时间最少？</translation>
    </message>
    <message>
        <source>Idle and Gaps adds the causes up for the variant that is shown.</source>
        <translation>“空闲与间隙”汇总所显示变体的各种原因。</translation>
    </message>
    <message>
        <source>A bad cut</source>
        <translation>不好的切分</translation>
    </message>
    <message>
        <source>Here the first lane has few blocks and the second has most. Nothing is wrong with the order of the actions, and yet one lane waits again and again. Point at hatched time: a sentence says why the lane is idle.</source>
        <translation>这里第一个泳道的块很少，第二个泳道的块最多。动作的顺序没有问题，但一个泳道却一再等待。请指向画有阴影线的时间：会有一句话说明该泳道为何空闲。</translation>
    </message>
    <message>
        <source>Click idle time that another cut would remove.</source>
        <translation>请单击换一个切分就能消除的空闲时间。</translation>
    </message>
    <message>
        <source>With the keyboard: G goes to the next gap.</source>
        <translation>用键盘：G 转到下一个间隙。</translation>
    </message>
    <message>
        <source>The same bubble in less memory</source>
        <translation>同样的气泡，更少的内存</translation>
    </message>
    <message>
        <source>GPipe and 1F1B do the same actions in another order, and have the same bubble. F is a forward of a micro-batch, B its backward. Between the two, the activations of the micro-batch stay in memory. Show both variants.</source>
        <translation>GPipe 和 1F1B 以不同的顺序执行同样的动作，气泡也相同。F 是一个微批次的前向，B 是它的反向。在两者之间，该微批次的激活值留在内存中。请显示这两个变体。</translation>
    </message>
    <message>
        <source>Which order needs less memory on its first lane?</source>
        <translation>哪种顺序在第一个泳道上需要的内存更少？</translation>
    </message>
    <message>
        <source>The counter rows of the timeline (View &gt; Timeline &gt; Counters) draw the memory over time.</source>
        <translation>时间线的计数器行（视图 &gt; 时间线 &gt; 计数器）画出内存随时间的变化。</translation>
    </message>
    <message>
        <source>Filling the bubble</source>
        <translation>填补气泡</translation>
    </message>
    <message>
        <source>A backward has two parts: the gradient of the input (I), for which the stage before waits, and that of the weights (W), for which only the update waits. ZB-H1 splits them. Compare it with 1F1B, whose backward (B) is in one piece.</source>
        <translation>反向有两个部分：输入的梯度 (I)，前一个阶段在等待它；权重的梯度 (W)，只有更新在等待它。ZB-H1 把两者拆分开。请把它与 1F1B 比较，后者的反向 (B) 是一个整体。</translation>
    </message>
    <message>
        <source>Click an action of ZB-H1 that computes while 1F1B would wait.</source>
        <translation>请单击 ZB-H1 中这样一个动作：它在计算时，1F1B 会在等待。</translation>
    </message>
    <message>
        <source>Look at the end of a step, on the first lane.</source>
        <translation>请看第一个泳道上一步的末尾。</translation>
    </message>
    <message>
        <source>Replicas or a pipeline</source>
        <translation>副本还是流水线</translation>
    </message>
    <message>
        <source>Two lanes can also train two copies of the network, each on half of the batch, and add their gradients before the update. Show both variants.</source>
        <translation>两个泳道也可以训练网络的两份拷贝，每份用批次的一半，并在更新之前把梯度相加。请显示这两个变体。</translation>
    </message>
    <message>
        <source>In which variant does each lane compute all blocks?</source>
        <translation>在哪个变体中，每个泳道都计算所有的块？</translation>
    </message>
    <message>
        <source>The board and the pane Stages list the blocks of each lane of your own experiments.</source>
        <translation>看板和“阶段”窗格列出您自己的实验中每个泳道的块。</translation>
    </message>
</context>
<context>
    <name>MeasuredEdits</name>
    <message>
        <source>split size %1</source>
        <translation>拆分大小 %1</translation>
    </message>
    <message>
        <source>schedule by measured stage times</source>
        <translation>按实测的阶段时间调度</translation>
    </message>
</context>
<context>
    <name>MemoryCurve</name>
    <message>
        <source>lane %1 (%2)</source>
        <translation>泳道 %1 (%2)</translation>
    </message>
    <message>
        <source>from step to step, without a step barrier</source>
        <translation>从一步到下一步，无步屏障</translation>
    </message>
    <message>
        <source>step time, with a step barrier</source>
        <translation>每步时间，有步屏障</translation>
    </message>
    <message>
        <source>limit of %1</source>
        <translation>%1 的上限</translation>
    </message>
    <message>
        <source>limit of several lanes</source>
        <translation>多个泳道的上限</translation>
    </message>
    <message>
        <source>none</source>
        <translation>无</translation>
    </message>
    <message>
        <source>activations</source>
        <translation>激活值</translation>
    </message>
    <message>
        <source>whole stages</source>
        <translation>整个阶段</translation>
    </message>
    <message>
        <source>Period</source>
        <translation>周期</translation>
    </message>
    <message>
        <source>Step time</source>
        <translation>每步时间</translation>
    </message>
    <message>
        <source>%1, recompute: %2</source>
        <translation>%1，重计算：%2</translation>
    </message>
    <message>
        <source>The variant as it is</source>
        <translation>当前的变体</translation>
    </message>
    <message>
        <source>Predicted: %1 (%2)</source>
        <translation>预测：%1 (%2)</translation>
    </message>
    <message>
        <source>90 % range: %1</source>
        <translation>90 % 范围：%1</translation>
    </message>
    <message>
        <source>The time of recomputed ReLUs is estimated</source>
        <translation>重计算的 ReLU 的时间为估计值</translation>
    </message>
    <message>
        <source>Predicted peak: %1 on %2, the highest of all lanes</source>
        <translation>预测峰值：%1，在 %2 上，为所有泳道中最高</translation>
    </message>
    <message>
        <source>Measured: %1 (median step, n = %2), peak %3 on %4, run %5</source>
        <translation>实测：%1（中位步，n = %2），峰值 %3，在 %4 上，运行 %5</translation>
    </message>
    <message>
        <source>Above a memory limit</source>
        <translation>超过内存上限</translation>
    </message>
    <message>
        <source>%1 of %2 combinations are on the Pareto front: no other is both faster and smaller.</source>
        <translation>%2 个组合中有 %1 个在帕累托前沿上：没有其他组合既更快又更省内存。</translation>
    </message>
    <message>
        <source>%1 fit in memory.</source>
        <translation>%1 个放得进内存。</translation>
    </message>
    <message>
        <source>Predicted from the block times of the shown run</source>
        <translation>由所显示运行的块时间预测</translation>
    </message>
    <message>
        <source>Predicted from recorded block times</source>
        <translation>由记录的块时间预测</translation>
    </message>
    <message>
        <source>No stored run of this machine has measured one of these.</source>
        <translation>本机没有已存储的运行实测过其中任何一个。</translation>
    </message>
    <message>
        <source>Filled: measured by stored runs (median step, highest peak).</source>
        <translation>实心：由已存储的运行实测（中位步，最高峰值）。</translation>
    </message>
    <message>
        <source>The parts of the backward were not measured: each is taken as half of it.</source>
        <translation>反向的两个部分没有分别测量：各按一半计。</translation>
    </message>
    <message>
        <source>period from step to step, without a step barrier</source>
        <translation>从一步到下一步的周期，无步屏障</translation>
    </message>
    <message>
        <source>step time with a step barrier</source>
        <translation>有步屏障的每步时间</translation>
    </message>
    <message>
        <source>%1: %2, and the highest peak memory of a lane (forecast).</source>
        <translation>%1：%2，以及单个泳道的最高峰值内存（预估）。</translation>
    </message>
    <message>
        <source>%1. Line: the Pareto front.</source>
        <translation>%1。线：帕累托前沿。</translation>
    </message>
</context>
<context>
    <name>Options</name>
    <message>
        <source>--export %1 is not known. It is one of %2.</source>
        <translation>无法识别 --export %1。可用的值：%2。</translation>
    </message>
    <message>
        <source>--format %1 does not fit --export %2. It is one of %3.</source>
        <translation>--format %1 与 --export %2 不匹配。可用的值：%3。</translation>
    </message>
    <message>
        <source>--export needs --out FILE.</source>
        <translation>--export 需要 --out FILE。</translation>
    </message>
    <message>
        <source>--export needs the run folder as its last argument.</source>
        <translation>--export 的最后一个参数必须是运行文件夹。</translation>
    </message>
    <message>
        <source>--action %1 is not known. It is one of %2.</source>
        <translation>无法识别 --action %1。可用的值：%2。</translation>
    </message>
    <message>
        <source>%1 See lanelab --help.</source>
        <translation>%1 请参阅 lanelab --help。</translation>
    </message>
    <message>
        <source>Only one experiment file or run folder can be opened, not %1. See lanelab --help.</source>
        <translation>只能打开一个实验文件或运行文件夹，而不是 %1 个。请参阅 lanelab --help。</translation>
    </message>
    <message>
        <source>--metric %1 is not known.</source>
        <translation>--metric %1 未知。</translation>
    </message>
    <message>
        <source>--x %1 is not known.</source>
        <translation>--x %1 未知。</translation>
    </message>
    <message>
        <source>--smoothing is from 0 to below 1, not %1.</source>
        <translation>--smoothing 应从 0 到小于 1，而不是 %1。</translation>
    </message>
    <message>
        <source>Usage: lanelab [FILE|DIR]
Opens the window, on an experiment file, a PNG that carries one, a run folder, an archive of a run or a trace if one
is named, else where the last window was closed; at first on the demo.

  --runs DIR                     where runs are stored and listed (default: ~/.local/share/lanelab/runs)
  --action ACTION                begins with an entry of the menu File: new, open, open-trace or open-run
  --help, --version

Without a window (no display is needed):
  --offscreen-report DIR [FILE]  runs the experiment (default: the demo) and writes into DIR its run folder and a
                                 report with PNG, SVG, CSV, HTML and PDF
  --export WHAT --format F --out FILE [--variant NAME] DIR
                                 draws comparison, sweep, timeline or loss of the run in DIR as png, svg or pdf, or its
                                 report as html or pdf; draws the timeline of an imported trace, too;
                                 everything writes all of it into the folder --out
  --export overlay --format F --out FILE [--metric METRIC] [--x AXIS] [--smoothing W] [--all-variants] DIR...
                                 draws one metric of several runs, as lanelab-cli runs overlay does
  --screenshots DIR              runs the demo and saves screenshots of the window
  --time-start                   prints how long the window takes to appear
  --time-window                  runs the demo; prints how closely the window follows it
  --window-memory [FILE]         runs the experiment (default: the demo) five times; prints the memory of the idle window
                                 after each
</source>
        <translation>用法：lanelab [FILE|DIR]
打开窗口，显示指定的实验文件、带有实验的 PNG、运行文件夹、运行的归档或跟踪文件；
未指定时回到上次关闭窗口的位置，第一次则显示演示。

  --runs DIR                     存储和列出运行的位置（默认：~/.local/share/lanelab/runs）
  --action ACTION                从“文件”菜单的一个条目开始：new、open、open-trace 或 open-run
  --help, --version

没有窗口（不需要显示器）：
  --offscreen-report DIR [FILE]  运行实验（默认：演示），把运行文件夹以及含 PNG、SVG、CSV、HTML 和 PDF 的
                                 报告写入 DIR
  --export WHAT --format F --out FILE [--variant NAME] DIR
                                 把 DIR 中运行的 comparison、sweep、timeline 或 loss 画成 png、svg 或 pdf，
                                 或把它的 report 写成 html 或 pdf；也能画导入的跟踪记录的 timeline；
                                 everything 把这一切写入文件夹 --out
  --export overlay --format F --out FILE [--metric METRIC] [--x AXIS] [--smoothing W] [--all-variants] DIR...
                                 像 lanelab-cli runs overlay 那样，画出多次运行的一个指标
  --screenshots DIR              运行演示并保存窗口的截图
  --time-start                   打印窗口出现所需的时间
  --time-window                  运行演示；打印窗口跟随它的紧密程度
  --window-memory [FILE]         运行实验（默认：演示）五次；每次之后打印空闲窗口占用的内存
</translation>
    </message>
</context>
<context>
    <name>OverlayDialog</name>
    <message>
        <source>Step %1</source>
        <translation>第 %1 步</translation>
    </message>
    <message>
        <source>After %1</source>
        <translation>%1 之后</translation>
    </message>
    <message>
        <source>Epoch %1</source>
        <translation>第 %1 轮</translation>
    </message>
    <message>
        <source>Micro-batch size %1</source>
        <translation>微批次大小 %1</translation>
    </message>
    <message numerus="yes">
        <source>%n lane(s)</source>
        <translation>
            <numerusform>%n 个泳道</numerusform>
        </translation>
    </message>
    <message>
        <source>%1 %2</source>
        <translation>%1 %2</translation>
    </message>
    <message>
        <source>%1 %2 to %3</source>
        <translation>%1 %2 到 %3</translation>
    </message>
    <message>
        <source>Training loss</source>
        <translation>训练损失</translation>
    </message>
    <message>
        <source>Validation loss</source>
        <translation>验证损失</translation>
    </message>
    <message>
        <source>Training accuracy</source>
        <translation>训练准确率</translation>
    </message>
    <message>
        <source>Validation accuracy</source>
        <translation>验证准确率</translation>
    </message>
    <message>
        <source>Step time</source>
        <translation>每步时间</translation>
    </message>
    <message>
        <source>Samples/s</source>
        <translation>样本/s</translation>
    </message>
    <message>
        <source>Peak memory</source>
        <translation>峰值内存</translation>
    </message>
    <message>
        <source>Step</source>
        <translation>步</translation>
    </message>
    <message>
        <source>Time</source>
        <translation>时间</translation>
    </message>
    <message>
        <source>Epoch</source>
        <translation>轮次</translation>
    </message>
    <message>
        <source>Micro-batch size</source>
        <translation>微批次大小</translation>
    </message>
    <message>
        <source>Lanes</source>
        <translation>泳道</translation>
    </message>
    <message>
        <source>unfinished</source>
        <translation>未完成</translation>
    </message>
    <message>
        <source>%1 (%2)</source>
        <translation>%1（%2）</translation>
    </message>
    <message>
        <source>%1 against %2</source>
        <translation>%1，相对于 %2</translation>
    </message>
    <message>
        <source>The newest repeat of each variant (n = 1); measured.</source>
        <translation>每个变体最新的一次重复 (n = 1)；实测。</translation>
    </message>
    <message>
        <source>Of each variant the lane with the highest peak; measured. Lines join variants that differ in nothing else, by the mean if several are at one place.</source>
        <translation>取每个变体中峰值最高的泳道；实测。线条连接其他方面都相同的变体，同一位置有多个时取平均值。</translation>
    </message>
    <message>
        <source>Mean over the counted repeats of each variant; measured. Lines join variants that differ in nothing else, by the mean if several are at one place.</source>
        <translation>每个变体计入的各次重复的平均值；实测。线条连接其他方面都相同的变体，同一位置有多个时取平均值。</translation>
    </message>
    <message>
        <source>Time is the sum of the steps.</source>
        <translation>时间为各步之和。</translation>
    </message>
    <message>
        <source>Exponential moving average with weight %1; pale: as measured.</source>
        <translation>权重为 %1 的指数移动平均；浅色为实测值。</translation>
    </message>
    <message>
        <source>%1, %2: %3.</source>
        <translation>%1，%2：%3。</translation>
    </message>
    <message numerus="yes">
        <source>%n curve(s)</source>
        <translation>
            <numerusform>%n 条曲线</numerusform>
        </translation>
    </message>
    <message>
        <source>%1, %2</source>
        <translation>%1，%2</translation>
    </message>
    <message>
        <source>%1: %2</source>
        <translation>%1：%2</translation>
    </message>
    <message>
        <source>Smoothed: %1</source>
        <translation>平滑后：%1</translation>
    </message>
    <message numerus="yes">
        <source>Mean of %n repeat(s)</source>
        <translation>
            <numerusform>%n 次重复的平均值</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>Picture</name>
    <message>
        <source>There is nothing to draw in %1 yet: run the experiment first, then export again.</source>
        <translation>%1 中还没有可画的内容：请先运行实验，然后再导出。</translation>
    </message>
    <message>
        <source>The figure %1 is too large for the memory. Choose a smaller one, or close other programs.</source>
        <translation>图形 %1 对内存来说太大。请选择更小的图形，或关闭其他程序。</translation>
    </message>
    <message>
        <source>The file name %1 has no extension of a figure. Use .png, .svg or .pdf.</source>
        <translation>文件名 %1 没有图形的扩展名。请使用 .png、.svg 或 .pdf。</translation>
    </message>
</context>
<context>
    <name>Placeholder</name>
    <message>
        <source>e.g. %1</source>
        <translation>例如 %1</translation>
    </message>
</context>
<context>
    <name>PlanChoice</name>
    <message>
        <source>A .pt2 and a .safetensors file per stage</source>
        <translation>每个阶段一个 .pt2 和一个 .safetensors 文件</translation>
    </message>
    <message>
        <source>PyTorch script for torchrun</source>
        <translation>用于 torchrun 的 PyTorch 脚本</translation>
    </message>
</context>
<context>
    <name>QMainWindow</name>
    <message>
        <source>Go to the pane %1, or close it when it has the keyboard</source>
        <translation>转到窗格 %1；它有键盘焦点时将其关闭</translation>
    </message>
    <message>
        <source>New here</source>
        <translation>初次使用</translation>
    </message>
    <message>
        <source>&amp;Close Pane</source>
        <translation>关闭窗格(&amp;C)</translation>
    </message>
    <message>
        <source>&amp;Detach Pane</source>
        <translation>分离窗格(&amp;D)</translation>
    </message>
</context>
<context>
    <name>QObject</name>
    <message>
        <source>%1 per micro-batch from lane %2 to lane %3. Drag sideways to move the cut.</source>
        <translation>每个微批次从泳道 %2 到泳道 %3 传输 %1。左右拖动可移动切分。</translation>
    </message>
    <message>
        <source>Drag left to add a stage: the blocks after the cut move to this lane</source>
        <translation>向左拖动可添加一个阶段：切分之后的块移到这个泳道</translation>
    </message>
    <message>
        <source>weights and buffers</source>
        <translation>权重和缓冲区</translation>
    </message>
    <message>
        <source>gradients</source>
        <translation>梯度</translation>
    </message>
    <message>
        <source>optimizer</source>
        <translation>优化器</translation>
    </message>
    <message>
        <source>activations</source>
        <translation>激活值</translation>
    </message>
    <message>
        <source>tensors in transfer</source>
        <translation>传输中的张量</translation>
    </message>
    <message>
        <source>workspace</source>
        <translation>工作区</translation>
    </message>
    <message>
        <source>forward of micro-batch %1 in stage %2</source>
        <translation>阶段 %2 中微批次 %1 的前向</translation>
    </message>
    <message>
        <source>the update of stage %1</source>
        <translation>阶段 %1 的更新</translation>
    </message>
    <message>
        <source>the weight part of micro-batch %1 in stage %2</source>
        <translation>阶段 %2 中微批次 %1 的权重部分</translation>
    </message>
    <message>
        <source>backward of micro-batch %1 in stage %2</source>
        <translation>阶段 %2 中微批次 %1 的反向</translation>
    </message>
    <message>
        <source>system memory</source>
        <translation>系统内存</translation>
    </message>
    <message>
        <source>All lanes in %1: %2 of %3 free</source>
        <translation>%1 中的所有泳道：%3 中空闲 %2</translation>
    </message>
    <message>
        <source>Too much: all lanes in %1 need %2, and %3 is free</source>
        <translation>过多：%1 中的所有泳道需要 %2，而空闲的只有 %3</translation>
    </message>
    <message>
        <source>, above its limit</source>
        <translation>，超过其上限</translation>
    </message>
    <message>
        <source>, more than is free</source>
        <translation>，超过空闲的内存</translation>
    </message>
    <message>
        <source>at least %1</source>
        <translation>至少 %1</translation>
    </message>
    <message>
        <source>%1: no blocks</source>
        <translation>%1：没有块</translation>
    </message>
    <message>
        <source>%1: peak memory %2 (forecast)</source>
        <translation>%1：峰值内存 %2（预估）</translation>
    </message>
    <message>
        <source>   %1 %2</source>
        <translation>   %1 %2</translation>
    </message>
    <message>
        <source>Reached in %1</source>
        <translation>在 %1 中达到</translation>
    </message>
    <message>
        <source>Measured in the shown run: %1 (the mark)</source>
        <translation>所显示运行中的实测值：%1（标记处）</translation>
    </message>
    <message>
        <source>Too much: the memory limit of the lane is %1</source>
        <translation>过多：该泳道的内存上限为 %1</translation>
    </message>
    <message>
        <source>Memory limit of the lane: %1 (the dotted line)</source>
        <translation>该泳道的内存上限：%1（点线）</translation>
    </message>
    <message>
        <source>Memory limit of the lane: %1</source>
        <translation>该泳道的内存上限：%1</translation>
    </message>
    <message>
        <source>Lane</source>
        <translation>泳道</translation>
    </message>
    <message>
        <source>Toy (two linear layers)</source>
        <translation>玩具网络（两个线性层）</translation>
    </message>
    <message>
        <source>One linear layer</source>
        <translation>一个线性层</translation>
    </message>
    <message>
        <source>Random data</source>
        <translation>随机数据</translation>
    </message>
    <message>
        <source>Text file (bytes as tokens)</source>
        <translation>文本文件（字节作为词元）</translation>
    </message>
    <message>
        <source>Handwritten digits</source>
        <translation>手写数字</translation>
    </message>
    <message>
        <source>CIFAR-10</source>
        <translation>CIFAR-10</translation>
    </message>
    <message>
        <source>Image folder</source>
        <translation>图像文件夹</translation>
    </message>
    <message>
        <source>Tensor file</source>
        <translation>张量文件</translation>
    </message>
    <message>
        <source>Report as error</source>
        <translation>报告为错误</translation>
    </message>
    <message>
        <source>Skip</source>
        <translation>跳过</translation>
    </message>
    <message>
        <source>Mean squared error</source>
        <translation>均方误差</translation>
    </message>
    <message>
        <source>Cross entropy</source>
        <translation>交叉熵</translation>
    </message>
    <message>
        <source>Returned by the network</source>
        <translation>由网络返回</translation>
    </message>
    <message>
        <source>SGD</source>
        <translation>SGD</translation>
    </message>
    <message>
        <source>Adam</source>
        <translation>Adam</translation>
    </message>
    <message>
        <source>Constant</source>
        <translation>恒定</translation>
    </message>
    <message>
        <source>Step</source>
        <translation>步</translation>
    </message>
    <message>
        <source>Cosine</source>
        <translation>余弦</translation>
    </message>
    <message>
        <source>Channels last</source>
        <translation>通道在后</translation>
    </message>
    <message>
        <source>Contiguous</source>
        <translation>连续</translation>
    </message>
    <message>
        <source>Fused</source>
        <translation>融合</translation>
    </message>
    <message>
        <source>PyTorch (ATen)</source>
        <translation>PyTorch (ATen)</translation>
    </message>
    <message>
        <source>bf16 (fp32 master weights)</source>
        <translation>bf16（fp32 主权重）</translation>
    </message>
    <message>
        <source>tf32 (GPUs only)</source>
        <translation>tf32（仅 GPU）</translation>
    </message>
    <message>
        <source>Per micro-batch</source>
        <translation>每个微批次</translation>
    </message>
    <message>
        <source>Deferred statistics</source>
        <translation>延迟统计</translation>
    </message>
    <message>
        <source>Synchronized (slow)</source>
        <translation>同步（慢）</translation>
    </message>
    <message>
        <source>Off</source>
        <translation>关</translation>
    </message>
    <message>
        <source>ReLUs of batch norms</source>
        <translation>批归一化的 ReLU</translation>
    </message>
    <message>
        <source>Whole stages</source>
        <translation>整个阶段</translation>
    </message>
    <message>
        <source>Actions</source>
        <translation>动作</translation>
    </message>
    <message>
        <source>Blocks</source>
        <translation>块</translation>
    </message>
    <message>
        <source>Operators</source>
        <translation>算子</translation>
    </message>
    <message>
        <source>On</source>
        <translation>开</translation>
    </message>
    <message>
        <source>Choose File...</source>
        <translation>选择文件...</translation>
    </message>
    <message>
        <source>Choose Network</source>
        <translation>选择网络</translation>
    </message>
    <message>
        <source>Exported networks (*.pt2);;All files (*)</source>
        <translation>导出的网络 (*.pt2);;所有文件 (*)</translation>
    </message>
    <message>
        <source>Network</source>
        <translation>网络</translation>
    </message>
    <message>
        <source>Choice of blocks</source>
        <translation>块的选择</translation>
    </message>
    <message>
        <source>Automatic</source>
        <translation>自动</translation>
    </message>
    <message>
        <source>Modules at depth %1</source>
        <translation>深度为 %1 的模块</translation>
    </message>
    <message numerus="yes">
        <source>%n listed module(s)</source>
        <translation>
            <numerusform>%n 个列出的模块</numerusform>
        </translation>
    </message>
    <message>
        <source>none</source>
        <translation>无</translation>
    </message>
    <message>
        <source>Recomputed stages</source>
        <translation>重计算的阶段</translation>
    </message>
    <message>
        <source>Recompute</source>
        <translation>重计算</translation>
    </message>
    <message>
        <source>= 1 micro-batch</source>
        <translation>= 1 个微批次</translation>
    </message>
    <message>
        <source>= %1 micro-batches</source>
        <translation>= %1 个微批次</translation>
    </message>
    <message>
        <source>= %1 micro-batches, last %2</source>
        <translation>= %1 个微批次，最后一个 %2</translation>
    </message>
    <message>
        <source>%1: %2</source>
        <translation>%1：%2</translation>
    </message>
    <message>
        <source>Variant that the board shows</source>
        <translation>看板显示的变体</translation>
    </message>
    <message>
        <source>The variant whose placement and timeline are shown</source>
        <translation>其放置和时间线正在显示的变体</translation>
    </message>
    <message>
        <source>This variant is running</source>
        <translation>这个变体正在运行</translation>
    </message>
    <message>
        <source>As above (%1)</source>
        <translation>同上（%1）</translation>
    </message>
    <message>
        <source>&quot;%1&quot; is not a list of stages. Enter their numbers with commas, such as 0, 2.</source>
        <translation>“%1”不是阶段的列表。请输入用逗号分隔的编号，例如 0, 2。</translation>
    </message>
    <message>
        <source>Recomputation of the variant</source>
        <translation>变体的重计算</translation>
    </message>
    <message>
        <source>Certain stages</source>
        <translation>某些阶段</translation>
    </message>
    <message>
        <source>Activation checkpointing of this variant, in place of Recompute in Training: less memory, more time, the same numbers</source>
        <translation>该变体的激活检查点，代替“训练”中的“重计算”：内存更少，时间更长，数值相同</translation>
    </message>
    <message>
        <source>Numbers of the stages that compute their whole forward again in the backward, such as 0, 2</source>
        <translation>在反向中重新计算其整个前向的阶段的编号，例如 0, 2</translation>
    </message>
</context>
<context>
    <name>Report</name>
    <message>
        <source>Writing %1</source>
        <translation>正在写入 %1</translation>
    </message>
    <message>
        <source>The folder %1 cannot be made. Choose one that can be written.</source>
        <translation>无法创建文件夹 %1。请选择可以写入的文件夹。</translation>
    </message>
    <message>
        <source>Time per repeat</source>
        <translation>每次重复的时间</translation>
    </message>
    <message>
        <source>Page %1 of %2</source>
        <translation>第 %1 页，共 %2 页</translation>
    </message>
</context>
<context>
    <name>RunController</name>
    <message>
        <source>warm-up</source>
        <translation>预热</translation>
    </message>
    <message>
        <source>warm-up %1 of %2</source>
        <translation>预热 %1/%2</translation>
    </message>
    <message>
        <source>repeat %1 of %2</source>
        <translation>重复 %1/%2</translation>
    </message>
    <message>
        <source>warm-up of %1</source>
        <translation>%1 的预热</translation>
    </message>
    <message>
        <source>%1, %2</source>
        <translation>%1，%2</translation>
    </message>
    <message>
        <source>The run ended unexpectedly: %1. What was measured is in its folder.</source>
        <translation>运行意外结束：%1。已测得的内容在它的文件夹中。</translation>
    </message>
    <message>
        <source>A run is in progress. Cancel it (Ctrl+.) or wait until it ends.</source>
        <translation>有一个运行正在进行。请取消它 (Ctrl+.) 或等待它结束。</translation>
    </message>
</context>
<context>
    <name>RunsList</name>
    <message>
        <source>Tags</source>
        <translation>标签</translation>
    </message>
    <message>
        <source>In use: %1</source>
        <translation>正在使用：%1</translation>
    </message>
    <message>
        <source>&amp;Tags of %1, separated by commas:</source>
        <translation>%1 的标签，用逗号分隔(&amp;T)：</translation>
    </message>
    <message>
        <source>Note</source>
        <translation>备注</translation>
    </message>
    <message>
        <source>&amp;Note on %1:</source>
        <translation>%1 的备注(&amp;N)：</translation>
    </message>
    <message>
        <source>running</source>
        <translation>进行中</translation>
    </message>
    <message>
        <source>done</source>
        <translation>完成</translation>
    </message>
    <message>
        <source>failed</source>
        <translation>失败</translation>
    </message>
    <message>
        <source>cancelled</source>
        <translation>已取消</translation>
    </message>
    <message>
        <source>interrupted</source>
        <translation>中断</translation>
    </message>
    <message>
        <source>%1 (%2)</source>
        <translation>%1 (%2)</translation>
    </message>
    <message>
        <source>Star</source>
        <translation>星标</translation>
    </message>
    <message>
        <source>Name</source>
        <translation>名称</translation>
    </message>
    <message>
        <source>Model</source>
        <translation>模型</translation>
    </message>
    <message>
        <source>Strategy</source>
        <translation>策略</translation>
    </message>
    <message>
        <source>Micro-batch size</source>
        <translation>微批次大小</translation>
    </message>
    <message>
        <source>Samples/s</source>
        <translation>样本/s</translation>
    </message>
    <message>
        <source>Step time (ms)</source>
        <translation>每步时间 (ms)</translation>
    </message>
    <message>
        <source>Speed-up</source>
        <translation>加速比</translation>
    </message>
    <message>
        <source>Status</source>
        <translation>状态</translation>
    </message>
    <message>
        <source>Date</source>
        <translation>日期</translation>
    </message>
    <message>
        <source>ID</source>
        <translation>ID</translation>
    </message>
    <message>
        <source>Last loss</source>
        <translation>最后的损失</translation>
    </message>
    <message>
        <source>Step time forecast error</source>
        <translation>每步时间的预测误差</translation>
    </message>
    <message>
        <source>Memory forecast error</source>
        <translation>内存的预估误差</translation>
    </message>
    <message>
        <source>Accuracy</source>
        <translation>准确率</translation>
    </message>
    <message>
        <source>Strategy and schedule of the first pipeline, or of the first variant after the baseline</source>
        <translation>第一个流水线的策略和调度；没有流水线时为基线之后的第一个变体</translation>
    </message>
    <message>
        <source>Samples per micro-batch of that variant</source>
        <translation>该变体每个微批次的样本数</translation>
    </message>
    <message>
        <source>Samples per second, such as images: mean of that variant, measured</source>
        <translation>每秒样本数（例如图像）：该变体的实测平均值</translation>
    </message>
    <message>
        <source>Of that variant vs the baseline run; without one, vs the baseline variant of the same run, with its 95 % interval</source>
        <translation>该变体相对于基线运行的加速比；没有基线运行时，相对于同一运行中的基线变体，附 95 % 区间</translation>
    </message>
    <message>
        <source>Start of the run, local time</source>
        <translation>运行的开始时间，本地时间</translation>
    </message>
    <message>
        <source>Share of right answers of that variant after its last epoch, on validation data if any</source>
        <translation>该变体最后一轮之后回答正确的比例；有验证数据时按验证数据</translation>
    </message>
    <message>
        <source>damaged</source>
        <translation>已损坏</translation>
    </message>
    <message>
        <source>%1 vs %2, %3: %4</source>
        <translation>%1 对 %2，%3：%4</translation>
    </message>
    <message numerus="yes">
        <source>%n repeat(s)</source>
        <translation>
            <numerusform>%n 次重复</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n run(s)</source>
        <translation>
            <numerusform>%n 次运行</numerusform>
        </translation>
    </message>
    <message>
        <source>%1 to %2</source>
        <translation>%1 到 %2</translation>
    </message>
    <message>
        <source>None</source>
        <translation>无</translation>
    </message>
    <message>
        <source>Experiment</source>
        <translation>实验</translation>
    </message>
    <message>
        <source>Tag</source>
        <translation>标签</translation>
    </message>
    <message>
        <source>Day</source>
        <translation>日期</translation>
    </message>
    <message>
        <source>Machine</source>
        <translation>机器</translation>
    </message>
    <message>
        <source>No tag</source>
        <translation>没有标签</translation>
    </message>
    <message>
        <source>Not known</source>
        <translation>未知</translation>
    </message>
    <message>
        <source>best step time %1</source>
        <translation>最短每步时间 %1</translation>
    </message>
    <message>
        <source>best %1 samples/s</source>
        <translation>最高 %1 样本/s</translation>
    </message>
    <message>
        <source>%1: %2</source>
        <translation>%1：%2</translation>
    </message>
</context>
<context>
    <name>Schedule</name>
    <message>
        <source>%1 %2</source>
        <translation>%1 %2</translation>
    </message>
    <message>
        <source>%1 in unit times: %2; lanes with work are idle %3 % of them.</source>
        <translation>%1，以单位时间计：%2；有工作的泳道其中 %3 % 的时间空闲。</translation>
    </message>
    <message>
        <source>%1 cannot run.</source>
        <translation>%1 无法运行。</translation>
    </message>
    <message numerus="yes">
        <source>%n action(s)</source>
        <translation>
            <numerusform>%n 个动作</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n column(s)</source>
        <translation>
            <numerusform>%n 列</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>SettingText</name>
    <message>
        <source>That of the desktop</source>
        <translation>桌面的设置</translation>
    </message>
    <message>
        <source>%1 pt</source>
        <translation>%1 pt</translation>
    </message>
    <message>
        <source>That of the system</source>
        <translation>系统的设置</translation>
    </message>
    <message>
        <source>Window</source>
        <translation>窗口</translation>
    </message>
    <message>
        <source>Theme</source>
        <translation>主题</translation>
    </message>
    <message>
        <source>Colours of the window</source>
        <translation>窗口的颜色</translation>
    </message>
    <message>
        <source>System</source>
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
        <source>High Contrast</source>
        <translation>高对比度</translation>
    </message>
    <message>
        <source>Font size</source>
        <translation>字体大小</translation>
    </message>
    <message>
        <source>Size of texts, tables and charts</source>
        <translation>文字、表格和图表的大小</translation>
    </message>
    <message>
        <source>Language</source>
        <translation>语言</translation>
    </message>
    <message>
        <source>Language of all texts</source>
        <translation>所有文字的语言</translation>
    </message>
    <message>
        <source>Reopen the last experiment</source>
        <translation>重新打开上一个实验</translation>
    </message>
    <message>
        <source>Start with the experiment, run and variant that were shown when the window closed. When off, LaneLab starts with the demo</source>
        <translation>启动时显示上次关闭窗口时的实验、运行和变体。关闭此项时，LaneLab 从演示开始</translation>
    </message>
    <message>
        <source>Notify when long work ends</source>
        <translation>长时间的工作结束时通知</translation>
    </message>
    <message>
        <source>Show a notification of the desktop when a run, or other work of more than 30 s, ends while another window is active</source>
        <translation>当另一个窗口处于活动状态时，运行或其他超过 30 s 的工作结束后显示一条桌面通知</translation>
    </message>
    <message>
        <source>Undo history</source>
        <translation>撤销历史</translation>
    </message>
    <message>
        <source>Number of edits that can be undone, of experiments that are opened from now on</source>
        <translation>可以撤销的编辑次数，适用于此后打开的实验</translation>
    </message>
    <message>
        <source>All edits</source>
        <translation>所有编辑</translation>
    </message>
    <message>
        <source> edits</source>
        <translation> 次编辑</translation>
    </message>
    <message>
        <source>Runs and new experiments</source>
        <translation>运行和新实验</translation>
    </message>
    <message>
        <source>Folder of runs</source>
        <translation>运行的文件夹</translation>
    </message>
    <message>
        <source>Where new runs are stored, unless --runs names another folder</source>
        <translation>新运行的存储位置，除非 --runs 指定了另一个文件夹</translation>
    </message>
    <message>
        <source>Repeats</source>
        <translation>重复次数</translation>
    </message>
    <message>
        <source>Counted repeats of each variant of a new experiment; a confidence interval needs 5</source>
        <translation>新实验中每个变体计入的重复次数；置信区间需要 5 次</translation>
    </message>
    <message>
        <source>Record</source>
        <translation>记录</translation>
    </message>
    <message>
        <source>What the traces of a new experiment record</source>
        <translation>新实验的跟踪记录所记录的内容</translation>
    </message>
    <message>
        <source>Nothing</source>
        <translation>不记录</translation>
    </message>
    <message>
        <source>Actions</source>
        <translation>动作</translation>
    </message>
    <message>
        <source>Blocks</source>
        <translation>块</translation>
    </message>
    <message>
        <source>Operators</source>
        <translation>算子</translation>
    </message>
    <message>
        <source>Use stored block times</source>
        <translation>使用已存储的块时间</translation>
    </message>
    <message>
        <source>Predict from block times that were measured on this machine before. When off, only those that were measured since LaneLab was started count</source>
        <translation>用以前在本机上测得的块时间进行预测。关闭此项时，只使用 LaneLab 启动以来测得的块时间</translation>
    </message>
    <message>
        <source>Questions</source>
        <translation>询问</translation>
    </message>
    <message>
        <source>Ask about unsaved edits when the window closes</source>
        <translation>窗口关闭时询问未保存的编辑</translation>
    </message>
    <message>
        <source>When off, they are stored aside and open again at the next start</source>
        <translation>关闭此项时，这些编辑另行保存，并在下次启动时重新打开</translation>
    </message>
    <message>
        <source>Ask before a run is stopped when the window closes</source>
        <translation>窗口关闭时，停止运行之前询问</translation>
    </message>
    <message>
        <source>When off, the run is cancelled; completed measurements are stored</source>
        <translation>关闭此项时，运行会被取消；已完成的测量会存储</translation>
    </message>
    <message>
        <source>Ask before a run on a busy machine</source>
        <translation>在繁忙的机器上运行之前询问</translation>
    </message>
    <message>
        <source>When off, the run starts, and its record says that other programs used the cores</source>
        <translation>关闭此项时，运行直接开始，并在其记录中注明有其他程序使用了核心</translation>
    </message>
    <message>
        <source>Preset of keys</source>
        <translation>按键方案</translation>
    </message>
    <message>
        <source>LaneLab</source>
        <translation>LaneLab</translation>
    </message>
    <message>
        <source>Perfetto</source>
        <translation>Perfetto</translation>
    </message>
    <message>
        <source>Keys and mouse</source>
        <translation>按键和鼠标</translation>
    </message>
    <message>
        <source>Mouse wheel</source>
        <translation>鼠标滚轮</translation>
    </message>
    <message>
        <source>What the wheel does in the timeline; Ctrl+wheel does the other. Perfetto scrolls. Shift+wheel and a touchpad move left and right in both</source>
        <translation>滚轮在时间线中的作用；Ctrl+滚轮做另一件事。Perfetto 为滚动。两种设置下，Shift+滚轮和触摸板都左右移动</translation>
    </message>
    <message>
        <source>Zooms</source>
        <translation>缩放</translation>
    </message>
    <message>
        <source>Scrolls</source>
        <translation>滚动</translation>
    </message>
    <message>
        <source>Keys of the commands that have none of your own. The timeline has the keys of Perfetto in both: W, S, A and D. The mouse wheel is set, too: Perfetto&apos;s scrolls, and zooms with Ctrl</source>
        <translation>您没有自行设置的命令所用的按键。在两种方案中时间线都使用 Perfetto 的按键：W、S、A 和 D。同时会设置鼠标滚轮：Perfetto 的滚轮滚动，按住 Ctrl 时缩放</translation>
    </message>
</context>
<context>
    <name>StagesPicture</name>
    <message>
        <source>%1 % of MACs</source>
        <translation>%1 % 的 MACs</translation>
    </message>
    <message>
        <source>%1 of memory</source>
        <translation>%1 内存</translation>
    </message>
    <message>
        <source>%1, sends %2</source>
        <translation>%1，发送 %2</translation>
    </message>
    <message>
        <source>stage %1 on %2 with %3, %4</source>
        <translation>阶段 %1 在 %2 上，含 %3，%4</translation>
    </message>
    <message>
        <source>Stages: %1.</source>
        <translation>阶段：%1。</translation>
    </message>
    <message>
        <source>Stage %1: %2</source>
        <translation>阶段 %1：%2</translation>
    </message>
    <message>
        <source>Stages of %1</source>
        <translation>%1 的阶段</translation>
    </message>
    <message>
        <source>%1. Parameters and activations as the network has them, not measured.</source>
        <translation>%1。参数和激活值取自网络本身，并非实测。</translation>
    </message>
</context>
<context>
    <name>Templates</name>
    <message>
        <source>Single Device</source>
        <translation>单设备</translation>
    </message>
    <message>
        <source>ResNet-18 on digits, on one lane</source>
        <translation>ResNet-18 识别数字，在一个泳道上</translation>
    </message>
    <message>
        <source>Model Parallel on 2 Lanes</source>
        <translation>2 个泳道上的模型并行</translation>
    </message>
    <message>
        <source>ResNet-18 on digits, cut over two lanes that compute in turn</source>
        <translation>ResNet-18 识别数字，切分到两个轮流计算的泳道上</translation>
    </message>
    <message>
        <source>Pipeline on 2 Lanes</source>
        <translation>2 个泳道上的流水线</translation>
    </message>
    <message>
        <source>ResNet-18 on digits, cut over two lanes that compute at once (1F1B, four micro-batches)</source>
        <translation>ResNet-18 识别数字，切分到两个同时计算的泳道上（1F1B，四个微批次）</translation>
    </message>
    <message>
        <source>Replicas on 2 Lanes (DDP)</source>
        <translation>2 个泳道上的副本 (DDP)</translation>
    </message>
    <message>
        <source>ResNet-18 on digits, a copy on each of two lanes, with averaged gradients</source>
        <translation>ResNet-18 识别数字，两个泳道各有一份拷贝，梯度取平均</translation>
    </message>
    <message>
        <source>All Strategies</source>
        <translation>所有策略</translation>
    </message>
    <message>
        <source>ResNet-18 on digits: single device, model parallel, GPipe, 1F1B, DataParallel and DDP</source>
        <translation>ResNet-18 识别数字：单设备、模型并行、GPipe、1F1B、DataParallel 和 DDP</translation>
    </message>
</context>
<context>
    <name>TimelineView</name>
    <message>
        <source>0 %</source>
        <translation>0 %</translation>
    </message>
    <message>
        <source>+%1 %</source>
        <translation>+%1 %</translation>
    </message>
    <message>
        <source>−%1 %</source>
        <translation>−%1 %</translation>
    </message>
    <message>
        <source>%1 on %2</source>
        <translation>%1，在 %2 上</translation>
    </message>
    <message>
        <source>%1 on %2, ended right before</source>
        <translation>%1，在 %2 上，刚刚结束</translation>
    </message>
    <message>
        <source>%1 on %2, ended %3 before</source>
        <translation>%1，在 %2 上，%3 之前结束</translation>
    </message>
    <message>
        <source>%1 on %2, began right after</source>
        <translation>%1，在 %2 上，紧接着开始</translation>
    </message>
    <message>
        <source>%1 on %2, began %3 after</source>
        <translation>%1，在 %2 上，%3 之后开始</translation>
    </message>
    <message>
        <source>%1 (%2)</source>
        <translation>%1 (%2)</translation>
    </message>
    <message>
        <source>%1: %2</source>
        <translation>%1：%2</translation>
    </message>
    <message>
        <source>Lane</source>
        <translation>泳道</translation>
    </message>
    <message>
        <source>Replica</source>
        <translation>副本</translation>
    </message>
    <message>
        <source>Step</source>
        <translation>步</translation>
    </message>
    <message>
        <source>Duration</source>
        <translation>时长</translation>
    </message>
    <message>
        <source>Share of step</source>
        <translation>占一步的比例</translation>
    </message>
    <message>
        <source>Idle before %1</source>
        <translation>%1 之前空闲</translation>
    </message>
    <message>
        <source>Idle until the end of the step</source>
        <translation>空闲直到步结束</translation>
    </message>
    <message>
        <source>Why</source>
        <translation>原因</translation>
    </message>
    <message>
        <source>%1, %2 of the step</source>
        <translation>%1，占一步的 %2</translation>
    </message>
    <message>
        <source>%1 has no work in this trace</source>
        <translation>%1 在这份跟踪记录中没有工作</translation>
    </message>
    <message>
        <source>What %1 does here is not known</source>
        <translation>不知道 %1 在这里做什么</translation>
    </message>
    <message>
        <source>Outside the steps: this time does not count</source>
        <translation>在各步之外：这段时间不计入</translation>
    </message>
    <message>
        <source>Start</source>
        <translation>开始</translation>
    </message>
    <message>
        <source>Waited for</source>
        <translation>曾等待</translation>
    </message>
    <message>
        <source>Next</source>
        <translation>下一个</translation>
    </message>
    <message>
        <source>more...</source>
        <translation>更多...</translation>
    </message>
    <message>
        <source>host threads</source>
        <translation>主机线程</translation>
    </message>
    <message>
        <source>counters</source>
        <translation>计数器</translation>
    </message>
    <message>
        <source>communication</source>
        <translation>通信</translation>
    </message>
    <message>
        <source>copy</source>
        <translation>复制</translation>
    </message>
    <message>
        <source>compute, a colour for each name</source>
        <translation>计算，每个名称一种颜色</translation>
    </message>
    <message>
        <source>F forward</source>
        <translation>F 前向</translation>
    </message>
    <message>
        <source>B backward</source>
        <translation>B 反向</translation>
    </message>
    <message>
        <source>U update</source>
        <translation>U 更新</translation>
    </message>
    <message>
        <source>evaluation</source>
        <translation>评估</translation>
    </message>
    <message>
        <source>running</source>
        <translation>进行中</translation>
    </message>
    <message>
        <source>transfer</source>
        <translation>传输</translation>
    </message>
    <message>
        <source>exchange</source>
        <translation>交换</translation>
    </message>
    <message>
        <source>predicted</source>
        <translation>预测</translation>
    </message>
    <message>
        <source>idle</source>
        <translation>空闲</translation>
    </message>
    <message>
        <source>Name</source>
        <translation>名称</translation>
    </message>
    <message>
        <source>Waits for it</source>
        <translation>在等待它</translation>
    </message>
    <message>
        <source>Idle before</source>
        <translation>之前的空闲</translation>
    </message>
    <message>
        <source>Idle by %1</source>
        <translation>空闲，原因：%1</translation>
    </message>
    <message>
        <source>Forward</source>
        <translation>前向</translation>
    </message>
    <message>
        <source>Backward</source>
        <translation>反向</translation>
    </message>
    <message>
        <source>Backward (inputs)</source>
        <translation>反向（输入）</translation>
    </message>
    <message>
        <source>Backward (weights)</source>
        <translation>反向（权重）</translation>
    </message>
    <message>
        <source>Update</source>
        <translation>更新</translation>
    </message>
    <message>
        <source>%1 in %2, micro-batch %3</source>
        <translation>%1，%2，微批次 %3</translation>
    </message>
    <message>
        <source>stage %1</source>
        <translation>阶段 %1</translation>
    </message>
    <message>
        <source>micro-batch %1</source>
        <translation>微批次 %1</translation>
    </message>
    <message>
        <source>%1; %2 longer than predicted</source>
        <translation>%1；比预测长 %2</translation>
    </message>
    <message>
        <source>%1; %2 shorter than predicted</source>
        <translation>%1；比预测短 %2</translation>
    </message>
    <message>
        <source>the gradients of one bucket become their mean over all replicas</source>
        <translation>一个桶的梯度变为它们在所有副本上的平均值</translation>
    </message>
    <message>
        <source>running statistics come from replica 0</source>
        <translation>运行统计量来自副本 0</translation>
    </message>
    <message>
        <source>the weights of replica 0 are copied to this one</source>
        <translation>副本 0 的权重复制到这个副本</translation>
    </message>
    <message>
        <source>waits for the outputs of all replicas to compute the loss</source>
        <translation>等待所有副本的输出以计算损失</translation>
    </message>
    <message>
        <source>waits for the gradients of all replicas to sum them</source>
        <translation>等待所有副本的梯度以求和</translation>
    </message>
    <message>
        <source>waits for its part of the gradient of the loss</source>
        <translation>等待损失梯度中属于它的部分</translation>
    </message>
    <message>
        <source>In A</source>
        <translation>在 A 中</translation>
    </message>
    <message>
        <source>the same</source>
        <translation>相同</translation>
    </message>
    <message>
        <source>In B</source>
        <translation>在 B 中</translation>
    </message>
    <message>
        <source>%1 (%2; %3)</source>
        <translation>%1（%2；%3）</translation>
    </message>
    <message>
        <source>B begins</source>
        <translation>B 的开始</translation>
    </message>
    <message>
        <source>%1 later in its step</source>
        <translation>在其步中晚 %1</translation>
    </message>
    <message>
        <source>%1 earlier in its step</source>
        <translation>在其步中早 %1</translation>
    </message>
    <message>
        <source>%1; needed %2 of stage %3 (%4)</source>
        <translation>%1；需要阶段 %3 的 %2 (%4)</translation>
    </message>
    <message>
        <source>Running for</source>
        <translation>已运行</translation>
    </message>
    <message>
        <source>Failed after</source>
        <translation>失败，用时</translation>
    </message>
    <message>
        <source>Does</source>
        <translation>所做的事</translation>
    </message>
    <message>
        <source>communication between GPUs, no compute</source>
        <translation>GPU 之间的通信，没有计算</translation>
    </message>
    <message>
        <source>Stage</source>
        <translation>阶段</translation>
    </message>
    <message>
        <source>CPU</source>
        <translation>CPU</translation>
    </message>
    <message>
        <source>%1 of it</source>
        <translation>其中 %1</translation>
    </message>
    <message>
        <source>Predicted</source>
        <translation>预测</translation>
    </message>
    <message>
        <source>%1 before its start</source>
        <translation>在它开始之前 %1</translation>
    </message>
    <message>
        <source>Queued</source>
        <translation>已排队</translation>
    </message>
    <message>
        <source>Issued</source>
        <translation>已发出</translation>
    </message>
    <message>
        <source>%1 of %2 failed</source>
        <translation>%2 中有 %1 失败</translation>
    </message>
    <message>
        <source>Transfer %1</source>
        <translation>传输 %1</translation>
    </message>
    <message>
        <source>%1, micro-batch %2</source>
        <translation>%1，微批次 %2</translation>
    </message>
    <message>
        <source>Start in step</source>
        <translation>在步中的开始时间</translation>
    </message>
    <message>
        <source>%1 to %2</source>
        <translation>%1 至 %2</translation>
    </message>
    <message>
        <source>utilization</source>
        <translation>利用率</translation>
    </message>
    <message>
        <source>bubble</source>
        <translation>气泡</translation>
    </message>
    <message>
        <source>memory</source>
        <translation>内存</translation>
    </message>
    <message>
        <source>loss</source>
        <translation>损失</translation>
    </message>
    <message>
        <source>%1 · %2</source>
        <translation>%1 · %2</translation>
    </message>
    <message>
        <source>Replica %1</source>
        <translation>副本 %1</translation>
    </message>
    <message>
        <source>blocks</source>
        <translation>块</translation>
    </message>
    <message>
        <source>operators</source>
        <translation>算子</translation>
    </message>
    <message>
        <source>transfers</source>
        <translation>传输</translation>
    </message>
    <message>
        <source>stream</source>
        <translation>流</translation>
    </message>
    <message>
        <source>thread</source>
        <translation>线程</translation>
    </message>
    <message>
        <source>The pipeline fills: the order brings no work here yet.</source>
        <translation>流水线正在填充：按照顺序，这里还没有工作。</translation>
    </message>
    <message>
        <source>The pipeline drains: the order leaves no work here.</source>
        <translation>流水线正在排空：按照顺序，这里不再有工作。</translation>
    </message>
    <message>
        <source>Another stage takes longer than this one.</source>
        <translation>另一个阶段比这个阶段用时更长。</translation>
    </message>
    <message>
        <source>What it waited for took longer than it usually does.</source>
        <translation>它所等待的工作比平常用时更长。</translation>
    </message>
    <message>
        <source>Its input waited for the link between lanes.</source>
        <translation>它的输入在等待泳道之间的链路。</translation>
    </message>
    <message>
        <source>Its input was being transferred.</source>
        <translation>它的输入正在传输。</translation>
    </message>
    <message>
        <source>The GPU communicated and computed nothing meanwhile.</source>
        <translation>GPU 正在通信，其间没有计算任何内容。</translation>
    </message>
    <message>
        <source>It waited for training data.</source>
        <translation>它在等待训练数据。</translation>
    </message>
    <message>
        <source>It waited for other lanes or for the device.</source>
        <translation>它在等待其他泳道或设备。</translation>
    </message>
    <message>
        <source>It waited for memory.</source>
        <translation>它在等待内存。</translation>
    </message>
    <message>
        <source>The next action was launched late.</source>
        <translation>下一个动作启动得晚了。</translation>
    </message>
    <message>
        <source>Another lane used the same device.</source>
        <translation>另一个泳道占用了同一个设备。</translation>
    </message>
    <message>
        <source>The recording itself took this time.</source>
        <translation>记录本身用去了这段时间。</translation>
    </message>
    <message>
        <source>The trace does not show why.</source>
        <translation>跟踪记录没有显示原因。</translation>
    </message>
    <message>
        <source>A lane evaluated the model.</source>
        <translation>有一个泳道在评估模型。</translation>
    </message>
    <message>
        <source>%1 compute, %2 transfer, %3 wait</source>
        <translation>计算 %1，传输 %2，等待 %3</translation>
    </message>
    <message>
        <source>%1 (stage %2)</source>
        <translation>%1（阶段 %2）</translation>
    </message>
    <message>
        <source>end of step</source>
        <translation>步结束</translation>
    </message>
    <message>
        <source>max %1</source>
        <translation>最大 %1</translation>
    </message>
    <message>
        <source>than A</source>
        <translation>与 A 相比</translation>
    </message>
    <message>
        <source>than predicted</source>
        <translation>与预测相比</translation>
    </message>
    <message>
        <source>+ slower %1</source>
        <translation>+ 更慢 %1</translation>
    </message>
    <message>
        <source>= within 2 %</source>
        <translation>= 相差 2 % 以内</translation>
    </message>
    <message>
        <source>− faster %1</source>
        <translation>− 更快 %1</translation>
    </message>
    <message>
        <source>no match</source>
        <translation>没有对应</translation>
    </message>
    <message>
        <source>step %1</source>
        <translation>第 %1 步</translation>
    </message>
    <message>
        <source>even steps: muted; dense areas: height = utilization</source>
        <translation>偶数步：颜色较淡；密集区域：高度 = 利用率</translation>
    </message>
    <message>
        <source>dense areas: height = utilization</source>
        <translation>密集区域：高度 = 利用率</translation>
    </message>
    <message>
        <source>selected %1</source>
        <translation>已选择 %1</translation>
    </message>
    <message>
        <source>busy</source>
        <translation>忙碌</translation>
    </message>
    <message>
        <source>Error</source>
        <translation>错误</translation>
    </message>
    <message>
        <source>Select an action first: click it, or press . or ,</source>
        <translation>请先选择一个动作：单击它，或按 . 或 ,</translation>
    </message>
    <message>
        <source>No lane is above this one.</source>
        <translation>这个泳道之上没有泳道。</translation>
    </message>
    <message>
        <source>No lane is below this one.</source>
        <translation>这个泳道之下没有泳道。</translation>
    </message>
    <message>
        <source>Pull an edge to change its length (Shift: all of its kind),</source>
        <translation>拉动边缘可改变它的长度（Shift：所有同类动作），</translation>
    </message>
    <message>
        <source>or drag it to another lane</source>
        <translation>或把它拖到另一个泳道</translation>
    </message>
    <message>
        <source>Replaying the steps...</source>
        <translation>正在重放各步...</translation>
    </message>
    <message>
        <source>With Shift: %1</source>
        <translation>按住 Shift：%1</translation>
    </message>
    <message>
        <source>No run to show. Press Run to watch each lane live, including idle gaps.</source>
        <translation>没有可显示的运行。按“运行”即可实时观察每个泳道，包括空闲间隙。</translation>
    </message>
    <message>
        <source>All rows of this trace are of kinds that are hidden. Show them with View &gt; Timeline Rows, or a right click here.</source>
        <translation>这份跟踪记录的所有行都属于隐藏的类别。可用“视图 &gt; 时间线行”显示它们，或在这里单击右键。</translation>
    </message>
    <message>
        <source>collapsed</source>
        <translation>已折叠</translation>
    </message>
    <message>
        <source>pinned</source>
        <translation>已固定</translation>
    </message>
    <message>
        <source>Nothing is in sight</source>
        <translation>视野中没有内容</translation>
    </message>
    <message>
        <source>In sight: %1</source>
        <translation>可见：%1</translation>
    </message>
    <message>
        <source>Hide this: click, or press %1</source>
        <translation>隐藏：单击，或按 %1</translation>
    </message>
    <message>
        <source>Show this: click, or press %1</source>
        <translation>显示：单击，或按 %1</translation>
    </message>
    <message>
        <source>List the rows that can be shown or hidden</source>
        <translation>列出可以显示或隐藏的行</translation>
    </message>
    <message>
        <source>%1 of the model on %2</source>
        <translation>模型的 %1，在 %2 上</translation>
    </message>
    <message>
        <source>. Click to expand its lanes (Shift+C)</source>
        <translation>。单击可展开它的泳道 (Shift+C)</translation>
    </message>
    <message>
        <source>. Click to collapse its lanes (Shift+C)</source>
        <translation>。单击可折叠它的泳道 (Shift+C)</translation>
    </message>
    <message>
        <source>Expand the lane (C)</source>
        <translation>展开泳道 (C)</translation>
    </message>
    <message>
        <source>Collapse the lane (C)</source>
        <translation>折叠泳道 (C)</translation>
    </message>
    <message>
        <source>Unpin the lane (P)</source>
        <translation>取消固定泳道 (P)</translation>
    </message>
    <message>
        <source>Pin the lane to the top (P)</source>
        <translation>把泳道固定在顶部 (P)</translation>
    </message>
    <message>
        <source>%1. Drag it to another place (Ctrl+Up, Ctrl+Down)</source>
        <translation>%1。可把它拖到其他位置 (Ctrl+Up、Ctrl+Down)</translation>
    </message>
    <message>
        <source>%1 of %2</source>
        <translation>%2 中的 %1</translation>
    </message>
    <message>
        <source>%1: %2  ·  in sight %3 to %4</source>
        <translation>%1：%2  ·  可见 %3 至 %4</translation>
    </message>
    <message>
        <source>%1 hidden</source>
        <translation>%1 已隐藏</translation>
    </message>
    <message>
        <source>%1 shown</source>
        <translation>%1 已显示</translation>
    </message>
    <message>
        <source>This span depends on no other span of its step</source>
        <translation>这个跨度不依赖其步中的其他跨度</translation>
    </message>
    <message>
        <source>No other span of its step depends on this one</source>
        <translation>其步中没有其他跨度依赖这个跨度</translation>
    </message>
    <message>
        <source>The trace does not show what this gap waited for</source>
        <translation>跟踪记录没有显示这个间隙在等待什么</translation>
    </message>
    <message>
        <source>Nothing follows this gap in its step</source>
        <translation>在其步中，这个间隙之后没有内容</translation>
    </message>
    <message>
        <source>%1 is lane %2 of %3</source>
        <translation>%1 是 %3 个泳道中的第 %2 个</translation>
    </message>
    <message>
        <source>steps %1 to %2</source>
        <translation>第 %1 至 %2 步</translation>
    </message>
    <message>
        <source>%1 %2</source>
        <translation>%1 %2</translation>
    </message>
    <message>
        <source>1 lane</source>
        <translation>1 个泳道</translation>
    </message>
    <message>
        <source>%1 lanes</source>
        <translation>%1 个泳道</translation>
    </message>
    <message>
        <source>Utilization of all periods: %1.</source>
        <translation>所有周期的利用率：%1。</translation>
    </message>
    <message>
        <source>Utilization of all steps: %1.</source>
        <translation>所有步的利用率：%1。</translation>
    </message>
    <message>
        <source>Each step of B begins where that of A does.</source>
        <translation>B 的每一步从 A 的对应步开始处开始。</translation>
    </message>
    <message>
        <source>Outlines: predicted, %1 per step.</source>
        <translation>轮廓：预测，每步 %1。</translation>
    </message>
    <message>
        <source>%1 spans were lost in recording.</source>
        <translation>记录时丢失了 %1 个跨度。</translation>
    </message>
    <message>
        <source>replayed</source>
        <translation>重放</translation>
    </message>
    <message>
        <source>unfinished, not counted</source>
        <translation>未完成，不计入</translation>
    </message>
    <message>
        <source>warm-up, not counted</source>
        <translation>预热，不计入</translation>
    </message>
    <message>
        <source>measured</source>
        <translation>实测</translation>
    </message>
    <message>
        <source>%1.</source>
        <translation>%1。</translation>
    </message>
    <message>
        <source>Other programs</source>
        <translation>其他程序</translation>
    </message>
    <message>
        <source>%1 of the machine&apos;s cores</source>
        <translation>占机器核心的 %1</translation>
    </message>
    <message>
        <source>other programs</source>
        <translation>其他程序</translation>
    </message>
    <message>
        <source>Share of the machine&apos;s cores that other programs used: what lanes did not have. In a container it is usually that of all of its host, and other processes of the same run count as other programs</source>
        <translation>其他程序所用的机器核心的份额：泳道未能得到的部分。在容器中通常是整个主机的份额，同一次运行的其他进程也算作其他程序</translation>
    </message>
</context>
<context>
    <name>WatchHeadline</name>
    <message>
        <source>%1 %</source>
        <translation>%1 %</translation>
    </message>
    <message>
        <source>; %1 on %2</source>
        <translation>；%1，在 %2 上</translation>
    </message>
    <message>
        <source>%1 %2</source>
        <translation>%1 %2</translation>
    </message>
    <message>
        <source>%1, %2</source>
        <translation>%1，%2</translation>
    </message>
    <message>
        <source>, 1 step</source>
        <translation>，1 步</translation>
    </message>
    <message>
        <source>, %1 steps</source>
        <translation>，%1 步</translation>
    </message>
    <message>
        <source>; %1</source>
        <translation>；%1</translation>
    </message>
    <message>
        <source>: idle %1 of the step time</source>
        <translation>：空闲占每步时间的 %1</translation>
    </message>
    <message>
        <source> (%1)</source>
        <translation> (%1)</translation>
    </message>
    <message>
        <source>; longest gap %1 on %2 before %3</source>
        <translation>；最长的间隙 %1，在 %2 上，%3 之前</translation>
    </message>
</context>
<context>
    <name>fields</name>
    <message>
        <source>model</source>
        <translation>模型</translation>
    </message>
    <message>
        <source>model file</source>
        <translation>模型文件</translation>
    </message>
    <message>
        <source>choice of blocks</source>
        <translation>块的选择</translation>
    </message>
    <message>
        <source>number of classes</source>
        <translation>类别数</translation>
    </message>
    <message>
        <source>weights</source>
        <translation>权重</translation>
    </message>
    <message>
        <source>data source</source>
        <translation>数据来源</translation>
    </message>
    <message>
        <source>data file</source>
        <translation>数据文件</translation>
    </message>
    <message>
        <source>input size</source>
        <translation>输入大小</translation>
    </message>
    <message>
        <source>batch</source>
        <translation>批次</translation>
    </message>
    <message>
        <source>number of steps</source>
        <translation>步数</translation>
    </message>
    <message>
        <source>number of epochs</source>
        <translation>轮数</translation>
    </message>
    <message>
        <source>number of random samples</source>
        <translation>随机样本数</translation>
    </message>
    <message>
        <source>shuffling</source>
        <translation>打乱</translation>
    </message>
    <message>
        <source>unreadable images</source>
        <translation>无法读取的图像</translation>
    </message>
    <message>
        <source>device</source>
        <translation>设备</translation>
    </message>
    <message>
        <source>name</source>
        <translation>名称</translation>
    </message>
    <message>
        <source>number of threads</source>
        <translation>线程数</translation>
    </message>
    <message>
        <source>rank</source>
        <translation>rank</translation>
    </message>
    <message>
        <source>memory limit</source>
        <translation>内存上限</translation>
    </message>
    <message>
        <source>data</source>
        <translation>数据</translation>
    </message>
    <message>
        <source>training</source>
        <translation>训练</translation>
    </message>
    <message>
        <source>lanes</source>
        <translation>泳道</translation>
    </message>
    <message>
        <source>variants</source>
        <translation>变体</translation>
    </message>
    <message>
        <source>number of repeats</source>
        <translation>重复次数</translation>
    </message>
    <message>
        <source>number of warm-up repeats</source>
        <translation>预热重复次数</translation>
    </message>
    <message>
        <source>record</source>
        <translation>记录</translation>
    </message>
    <message>
        <source>cost of recording</source>
        <translation>记录的开销</translation>
    </message>
    <message>
        <source>Network</source>
        <translation>网络</translation>
    </message>
    <message>
        <source>Classes</source>
        <translation>类别数</translation>
    </message>
    <message>
        <source>Weights</source>
        <translation>权重</translation>
    </message>
    <message>
        <source>random init</source>
        <translation>随机初始化</translation>
    </message>
    <message>
        <source>Source</source>
        <translation>来源</translation>
    </message>
    <message>
        <source>Path</source>
        <translation>路径</translation>
    </message>
    <message>
        <source>Input size</source>
        <translation>输入大小</translation>
    </message>
    <message>
        <source>Batch</source>
        <translation>批次</translation>
    </message>
    <message>
        <source>Steps</source>
        <translation>步数</translation>
    </message>
    <message>
        <source>Epochs</source>
        <translation>轮数</translation>
    </message>
    <message>
        <source>Samples</source>
        <translation>样本数</translation>
    </message>
    <message>
        <source>automatic</source>
        <translation>自动</translation>
    </message>
    <message>
        <source>Shuffle</source>
        <translation>打乱</translation>
    </message>
    <message>
        <source>Unreadable images</source>
        <translation>无法读取的图像</translation>
    </message>
    <message>
        <source>Repeats</source>
        <translation>重复次数</translation>
    </message>
    <message>
        <source>Warm-up repeats</source>
        <translation>预热重复次数</translation>
    </message>
    <message>
        <source>Record</source>
        <translation>记录</translation>
    </message>
    <message>
        <source>loss</source>
        <translation>损失</translation>
    </message>
    <message>
        <source>shift of the targets</source>
        <translation>目标的移位</translation>
    </message>
    <message>
        <source>label smoothing</source>
        <translation>标签平滑</translation>
    </message>
    <message>
        <source>optimizer</source>
        <translation>优化器</translation>
    </message>
    <message>
        <source>learning rate</source>
        <translation>学习率</translation>
    </message>
    <message>
        <source>learning-rate schedule</source>
        <translation>学习率调度</translation>
    </message>
    <message>
        <source>number of warm-up steps of the learning rate</source>
        <translation>学习率的预热步数</translation>
    </message>
    <message>
        <source>step interval of the learning rate</source>
        <translation>学习率的步间隔</translation>
    </message>
    <message>
        <source>factor from one learning rate to the next</source>
        <translation>相邻学习率的倍数</translation>
    </message>
    <message>
        <source>lowest learning rate</source>
        <translation>最低学习率</translation>
    </message>
    <message>
        <source>momentum</source>
        <translation>动量</translation>
    </message>
    <message>
        <source>weight decay</source>
        <translation>权重衰减</translation>
    </message>
    <message>
        <source>Nesterov momentum</source>
        <translation>Nesterov 动量</translation>
    </message>
    <message>
        <source>largest gradient norm</source>
        <translation>最大梯度范数</translation>
    </message>
    <message>
        <source>seed</source>
        <translation>种子</translation>
    </message>
    <message>
        <source>precision</source>
        <translation>精度</translation>
    </message>
    <message>
        <source>memory layout</source>
        <translation>内存布局</translation>
    </message>
    <message>
        <source>kernels</source>
        <translation>内核</translation>
    </message>
    <message>
        <source>rule</source>
        <translation>规则</translation>
    </message>
    <message>
        <source>batch-norm mode</source>
        <translation>批归一化模式</translation>
    </message>
    <message>
        <source>recomputation</source>
        <translation>重计算</translation>
    </message>
    <message>
        <source>step barrier</source>
        <translation>步屏障</translation>
    </message>
    <message>
        <source>Loss</source>
        <translation>损失</translation>
    </message>
    <message>
        <source>Shift targets</source>
        <translation>目标移位</translation>
    </message>
    <message>
        <source>Label smoothing</source>
        <translation>标签平滑</translation>
    </message>
    <message>
        <source>Optimizer</source>
        <translation>优化器</translation>
    </message>
    <message>
        <source>Learning rate</source>
        <translation>学习率</translation>
    </message>
    <message>
        <source>LR schedule</source>
        <translation>学习率调度</translation>
    </message>
    <message>
        <source>LR warm-up steps</source>
        <translation>学习率预热步数</translation>
    </message>
    <message>
        <source>Step interval</source>
        <translation>步间隔</translation>
    </message>
    <message>
        <source>Gamma</source>
        <translation>Gamma</translation>
    </message>
    <message>
        <source>Minimum LR</source>
        <translation>最低学习率</translation>
    </message>
    <message>
        <source>Momentum</source>
        <translation>动量</translation>
    </message>
    <message>
        <source>Weight decay</source>
        <translation>权重衰减</translation>
    </message>
    <message>
        <source>Nesterov</source>
        <translation>Nesterov</translation>
    </message>
    <message>
        <source>Clip gradient norm</source>
        <translation>梯度范数裁剪</translation>
    </message>
    <message>
        <source>not clipped</source>
        <translation>不裁剪</translation>
    </message>
    <message>
        <source>Seed</source>
        <translation>种子</translation>
    </message>
    <message>
        <source>Precision</source>
        <translation>精度</translation>
    </message>
    <message>
        <source>Layout</source>
        <translation>内存布局</translation>
    </message>
    <message>
        <source>Kernels</source>
        <translation>内核</translation>
    </message>
    <message>
        <source>Batch norm</source>
        <translation>批归一化</translation>
    </message>
    <message>
        <source>Recompute</source>
        <translation>重计算</translation>
    </message>
    <message>
        <source>Step barrier</source>
        <translation>步屏障</translation>
    </message>
    <message>
        <source>variant</source>
        <translation>变体</translation>
    </message>
    <message>
        <source>change</source>
        <translation>更改</translation>
    </message>
    <message>
        <source>predicted ratio</source>
        <translation>预测的比值</translation>
    </message>
    <message>
        <source>unclear prediction</source>
        <translation>不明确的预测</translation>
    </message>
    <message>
        <source>strategy</source>
        <translation>策略</translation>
    </message>
    <message>
        <source>schedule</source>
        <translation>调度</translation>
    </message>
    <message>
        <source>split size</source>
        <translation>拆分大小</translation>
    </message>
    <message>
        <source>cuts</source>
        <translation>切分</translation>
    </message>
    <message>
        <source>placement</source>
        <translation>放置</translation>
    </message>
    <message>
        <source>warm-up depth</source>
        <translation>预热深度</translation>
    </message>
    <message>
        <source>limit of activations</source>
        <translation>激活值上限</translation>
    </message>
    <message>
        <source>times of the stages</source>
        <translation>各阶段的时间</translation>
    </message>
    <message>
        <source>actions</source>
        <translation>动作</translation>
    </message>
    <message>
        <source>precision of the variant</source>
        <translation>该变体的精度</translation>
    </message>
    <message>
        <source>batch norm of the variant</source>
        <translation>该变体的批归一化</translation>
    </message>
    <message>
        <source>recomputed stages</source>
        <translation>重计算的阶段</translation>
    </message>
    <message>
        <source>step barrier of the variant</source>
        <translation>该变体的步屏障</translation>
    </message>
    <message>
        <source>number of replicas</source>
        <translation>副本数</translation>
    </message>
    <message>
        <source>suggestion</source>
        <translation>建议</translation>
    </message>
    <message>
        <source>Warm-up forwards</source>
        <translation>预热前向数</translation>
    </message>
    <message>
        <source>schedule default</source>
        <translation>调度的默认值</translation>
    </message>
    <message>
        <source>Limit (MiB)</source>
        <translation>上限 (MiB)</translation>
    </message>
    <message>
        <source>unlimited</source>
        <translation>不限</translation>
    </message>
    <message>
        <source>Stage times</source>
        <translation>阶段时间</translation>
    </message>
    <message>
        <source>by MACs</source>
        <translation>按乘加次数</translation>
    </message>
    <message>
        <source>not set</source>
        <translation>未设置</translation>
    </message>
</context>
<context>
    <name>lanelab::AttachDialog</name>
    <message>
        <source>The ranks of the job appear here, with the addresses that will be asked.</source>
        <translation>作业的各个 rank 及将被请求的地址会显示在这里。</translation>
    </message>
    <message>
        <source>&amp;Find Ranks</source>
        <translation>查找 rank(&amp;F)</translation>
    </message>
    <message>
        <source>Read the page of the job, which names its ranks</source>
        <translation>读取作业的页面，其中列出了它的 rank</translation>
    </message>
    <message>
        <source>&amp;Record</source>
        <translation>录制(&amp;R)</translation>
    </message>
    <message>
        <source>Ask all ranks to record themselves, and import their traces</source>
        <translation>请求所有 rank 录制自身，并导入它们的跟踪记录</translation>
    </message>
    <message>
        <source>Attach to Job</source>
        <translation>连接到作业</translation>
    </message>
    <message>
        <source>Cancelling</source>
        <translation>正在取消</translation>
    </message>
    <message>
        <source>Ranks of the job</source>
        <translation>作业的 rank</translation>
    </message>
    <message>
        <source>Rank</source>
        <translation>Rank</translation>
    </message>
    <message>
        <source>Address</source>
        <translation>地址</translation>
    </message>
    <message>
        <source>State</source>
        <translation>状态</translation>
    </message>
    <message>
        <source>Each rank of the job calls torch.distributed.debug.start_debug_server() of PyTorch 2.11 or later. LaneLab connects to the page, and to the addresses that are listed here before anything is recorded.</source>
        <translation>作业的每个 rank 都要调用 PyTorch 2.11 或更高版本的 torch.distributed.debug.start_debug_server()。LaneLab 只连接该页面，以及录制之前列在这里的地址。</translation>
    </message>
    <message numerus="yes">
        <source>%n rank(s) will record at the same time. Nothing is recorded yet.</source>
        <translation>
            <numerusform>%n 个 rank 将同时录制。目前尚未录制。</numerusform>
        </translation>
    </message>
    <message>
        <source>will be asked to record</source>
        <translation>将被请求录制</translation>
    </message>
    <message>
        <source>none</source>
        <translation>无</translation>
    </message>
    <message>
        <source>has no server: call start_debug_server() on every rank</source>
        <translation>没有服务器：请在每个 rank 上调用 start_debug_server()</translation>
    </message>
    <message>
        <source>No rank gave a trace, so nothing was written.</source>
        <translation>没有 rank 给出跟踪记录，因此未写入任何内容。</translation>
    </message>
    <message>
        <source>Finding the ranks</source>
        <translation>正在查找 rank</translation>
    </message>
    <message numerus="yes">
        <source>Asking %n rank(s)</source>
        <translation>
            <numerusform>正在询问 %n 个 rank</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Recording on %n rank(s)</source>
        <translation>
            <numerusform>正在 %n 个 rank 上录制</numerusform>
        </translation>
    </message>
    <message>
        <source>Receiving traces: %1 of %2</source>
        <translation>正在接收跟踪记录：%1 / %2</translation>
    </message>
    <message>
        <source>%1 holds an imported trace, which is replaced.</source>
        <translation>%1 中已有导入的跟踪记录，它将被替换。</translation>
    </message>
    <message>
        <source>Rank %1: %2</source>
        <translation>rank %1：%2</translation>
    </message>
</context>
<context>
    <name>lanelab::AttachForm</name>
    <message>
        <source>HOST:PORT of the job&apos;s debug server, on the machine of rank 0; port 25999 if left out. It is not stored.</source>
        <translation>作业调试服务器的 HOST:PORT，位于 rank 0 的机器上；省略端口时为 25999。不会被保存。</translation>
    </message>
    <message>
        <source>RANK=HOST:PORT in place of the address that the page names, such as for a port that ssh -L forwards (--rank-address). They are not stored.</source>
        <translation>用 RANK=HOST:PORT 代替页面给出的地址，例如经 ssh -L 转发的端口 (--rank-address)。不会被保存。</translation>
    </message>
    <message>
        <source>A new or an empty folder for the trace, or that of an earlier import. Default: a new one beside the runs.</source>
        <translation>用于跟踪记录的新文件夹或空文件夹，或先前导入的文件夹。默认：运行记录旁的一个新文件夹。</translation>
    </message>
    <message>
        <source> s</source>
        <translation> 秒</translation>
    </message>
    <message>
        <source>How long all ranks record, at the same time</source>
        <translation>所有 rank 同时录制的时长</translation>
    </message>
    <message>
        <source>How long a rank may take to answer once it has recorded (--grace)</source>
        <translation>rank 录制之后可用于应答的时间 (--grace)</translation>
    </message>
    <message>
        <source> GiB</source>
        <translation> GiB</translation>
    </message>
    <message>
        <source>Limit for the trace of a rank (--max-answer)</source>
        <translation>一个 rank 的跟踪记录的大小上限 (--max-answer)</translation>
    </message>
    <message>
        <source>&amp;Page of the job</source>
        <translation>作业的页面(&amp;P)</translation>
    </message>
    <message>
        <source>Rank &amp;addresses</source>
        <translation>rank 地址(&amp;A)</translation>
    </message>
    <message>
        <source>&amp;Seconds to record</source>
        <translation>录制秒数(&amp;S)</translation>
    </message>
    <message>
        <source>Folder to &amp;write</source>
        <translation>写入的文件夹(&amp;W)</translation>
    </message>
    <message>
        <source>&amp;Time to answer</source>
        <translation>应答时间(&amp;T)</translation>
    </message>
    <message>
        <source>&amp;Largest trace</source>
        <translation>最大的跟踪记录(&amp;L)</translation>
    </message>
    <message>
        <source>C&amp;hoose...</source>
        <translation>选择(&amp;H)...</translation>
    </message>
    <message>
        <source>Choose a new or an empty folder</source>
        <translation>选择新文件夹或空文件夹</translation>
    </message>
    <message>
        <source>Choose folder to write</source>
        <translation>选择写入的文件夹</translation>
    </message>
    <message>
        <source>Folder for the Trace</source>
        <translation>跟踪记录的文件夹</translation>
    </message>
</context>
<context>
    <name>lanelab::BlockFind</name>
    <message>
        <source>Find a block</source>
        <translation>查找块</translation>
    </message>
    <message>
        <source>Find a block: h.11, encoder attn ...</source>
        <translation>查找块：h.11、encoder attn ...</translation>
    </message>
    <message>
        <source>Part of a block&apos;s name; several words narrow it down. Enter: next, Shift+Enter: previous</source>
        <translation>块名称的一部分；多个词可缩小范围。Enter：下一个，Shift+Enter：上一个</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>关闭</translation>
    </message>
    <message>
        <source>Close (Esc)</source>
        <translation>关闭 (Esc)</translation>
    </message>
    <message>
        <source>none</source>
        <translation>无</translation>
    </message>
    <message>
        <source>%1 of %2</source>
        <translation>%2 中的 %1</translation>
    </message>
</context>
<context>
    <name>lanelab::BoardDialogs</name>
    <message>
        <source>A network is being exported, which would disturb a run. Wait, or cancel the import.</source>
        <translation>正在导出网络，这会干扰运行。请等待，或取消导入。</translation>
    </message>
    <message>
        <source>The blocks are being measured, which a run would disturb. Wait, or close Compare Cuts.</source>
        <translation>正在测量块，运行会干扰测量。请等待，或关闭“比较切分”。</translation>
    </message>
    <message>
        <source>The blocks were measured</source>
        <translation>块的测量已完成</translation>
    </message>
    <message>
        <source>place the device map</source>
        <translation>按设备映射放置</translation>
    </message>
    <message>
        <source>The export of the network has ended</source>
        <translation>网络的导出已结束</translation>
    </message>
    <message>
        <source>Use Imported Model</source>
        <translation>使用导入的模型</translation>
    </message>
    <message>
        <source>%1 was read again. It is the model of the experiment.</source>
        <translation>%1 已重新读取。它是本实验的模型。</translation>
    </message>
    <message>
        <source>%1 is now the model of the experiment. Undo to restore the one before.</source>
        <translation>%1 现在是本实验的模型。撤销可恢复之前的模型。</translation>
    </message>
</context>
<context>
    <name>lanelab::BoardView</name>
    <message>
        <source>replica %1</source>
        <translation>副本 %1</translation>
    </message>
    <message>
        <source>lane %1</source>
        <translation>泳道 %1</translation>
    </message>
    <message numerus="yes">
        <source>%1, %n thread(s)</source>
        <translation>
            <numerusform>%1，%n 个线程</numerusform>
        </translation>
    </message>
    <message>
        <source>Not on this machine</source>
        <translation>不在本机上</translation>
    </message>
    <message>
        <source>Shares a core</source>
        <translation>共用一个核心</translation>
    </message>
    <message>
        <source>%1, which is not on this machine</source>
        <translation>%1，不在本机上</translation>
    </message>
    <message>
        <source>%1, which shares a core</source>
        <translation>%1，共用一个核心</translation>
    </message>
    <message numerus="yes">
        <source>Lane %1, %2, %3: %n block(s), %4 of all %5</source>
        <translation>
            <numerusform>泳道 %1，%2，%3：%n 个块，占全部 %5 的 %4</numerusform>
        </translation>
    </message>
    <message>
        <source>%1, %2</source>
        <translation>%1，%2</translation>
    </message>
    <message>
        <source>Move Cut</source>
        <translation>移动切分</translation>
    </message>
    <message>
        <source>Add Stage</source>
        <translation>添加阶段</translation>
    </message>
    <message numerus="yes">
        <source>Move %n block(s)</source>
        <translation>
            <numerusform>移动 %n 个块</numerusform>
        </translation>
    </message>
    <message>
        <source>Stages %1 and %2</source>
        <translation>阶段 %1 和 %2</translation>
    </message>
    <message>
        <source>&lt; 1 %</source>
        <translation>&lt; 1 %</translation>
    </message>
    <message>
        <source>%1 %</source>
        <translation>%1 %</translation>
    </message>
    <message>
        <source>%1, all frozen</source>
        <translation>%1，全部冻结</translation>
    </message>
    <message>
        <source>%1, %2 frozen</source>
        <translation>%1，其中 %2 冻结</translation>
    </message>
    <message>
        <source>MACs</source>
        <translation>乘加次数</translation>
    </message>
    <message>
        <source>parameters</source>
        <translation>参数</translation>
    </message>
    <message>
        <source>memory</source>
        <translation>内存</translation>
    </message>
    <message>
        <source>There is no variant to cut. Add one in the experiment form.</source>
        <translation>没有可切分的变体。请在实验表单中添加一个。</translation>
    </message>
    <message>
        <source>Replicas keep their number of stages. Drag a cut instead.</source>
        <translation>副本的阶段数不能改变。请改为拖动切分。</translation>
    </message>
    <message>
        <source>A cut needs a second lane. Add a lane first.</source>
        <translation>切分需要第二个泳道。请先添加泳道。</translation>
    </message>
    <message>
        <source>A stage begins with this block already. Choose another block.</source>
        <translation>已经有一个阶段从这个块开始。请选择另一个块。</translation>
    </message>
    <message numerus="yes">
        <source>%1 takes %n sample(s) in a micro-batch.</source>
        <translation>
            <numerusform>%1 在一个微批次中处理 %n 个样本。</numerusform>
        </translation>
    </message>
    <message>
        <source>%1 takes %2 to %3 samples in a micro-batch.</source>
        <translation>%1 在一个微批次中处理 %2 至 %3 个样本。</translation>
    </message>
    <message>
        <source>%1 takes at least %2 samples in a micro-batch.</source>
        <translation>%1 在一个微批次中至少处理 %2 个样本。</translation>
    </message>
    <message numerus="yes">
        <source>%1 and %n other parameter(s)</source>
        <translation>
            <numerusform>%1 和另外 %n 个参数</numerusform>
        </translation>
    </message>
    <message>
        <source>%1 both hold %2</source>
        <translation>%1 都持有 %2</translation>
    </message>
    <message>
        <source>%1 all hold %2</source>
        <translation>%1 全都持有 %2</translation>
    </message>
    <message>
        <source>%1; their gradients are added up in each step, so sums round in another order.</source>
        <translation>%1；它们的梯度在每一步中相加，因此求和的舍入顺序不同。</translation>
    </message>
    <message numerus="yes">
        <source>%n block(s) picked up. Up and Down choose the lane, Enter drops, Esc cancels.</source>
        <translation>
            <numerusform>已拿起 %n 个块。Up 和 Down 选择泳道，Enter 放下，Esc 取消。</numerusform>
        </translation>
    </message>
    <message>
        <source>%1: %2</source>
        <translation>%1：%2</translation>
    </message>
    <message>
        <source>Add Lane</source>
        <translation>添加泳道</translation>
    </message>
    <message>
        <source>Remove Lane</source>
        <translation>移除泳道</translation>
    </message>
    <message>
        <source>Rename Lane</source>
        <translation>重命名泳道</translation>
    </message>
    <message>
        <source>Device of lane %1</source>
        <translation>泳道 %1 的设备</translation>
    </message>
    <message numerus="yes">
        <source>%n thread(s)</source>
        <translation>
            <numerusform>%n 个线程</numerusform>
        </translation>
    </message>
    <message>
        <source>Threads of lane %1</source>
        <translation>泳道 %1 的线程数</translation>
    </message>
    <message>
        <source>Memory limit of lane %1</source>
        <translation>泳道 %1 的内存上限</translation>
    </message>
    <message>
        <source>Memory Limit of Lane %1</source>
        <translation>泳道 %1 的内存上限</translation>
    </message>
    <message>
        <source>Most MiB that the lane should take at its peak:</source>
        <translation>该泳道峰值时最多占用的 MiB：</translation>
    </message>
    <message>
        <source>&amp;No Limit</source>
        <translation>无上限(&amp;N)</translation>
    </message>
    <message>
        <source>&amp;Set Limit...</source>
        <translation>设置上限(&amp;S)...</translation>
    </message>
    <message>
        <source>Lane %1</source>
        <translation>泳道 %1</translation>
    </message>
    <message>
        <source>&amp;Rename Lane</source>
        <translation>重命名泳道(&amp;R)</translation>
    </message>
    <message>
        <source>&amp;Device</source>
        <translation>设备(&amp;D)</translation>
    </message>
    <message>
        <source>&amp;Memory Limit</source>
        <translation>内存上限(&amp;M)</translation>
    </message>
    <message>
        <source>&amp;Threads</source>
        <translation>线程(&amp;T)</translation>
    </message>
    <message>
        <source>&amp;Add Lane</source>
        <translation>添加泳道(&amp;A)</translation>
    </message>
    <message>
        <source>Re&amp;move Lane %1</source>
        <translation>移除泳道 %1(&amp;M)</translation>
    </message>
    <message>
        <source>%1 (%2)
Parameters: %3; MACs per sample: %4
%5 % of all %6, output %7</source>
        <translation>%1 (%2)
参数：%3；每个样本的乘加次数：%4
占全部 %6 的 %5 %，输出 %7</translation>
    </message>
    <message>
        <source>No blocks</source>
        <translation>没有块</translation>
    </message>
    <message>
        <source>Drag blocks or the handle here, or select blocks and press %1</source>
        <translation>把块或手柄拖到这里，或选择块并按 %1</translation>
    </message>
    <message>
        <source>No lanes. Right-click here and choose Add Lane.</source>
        <translation>没有泳道。请在这里单击右键并选择“添加泳道”。</translation>
    </message>
    <message>
        <source>No variants to place. Add one in the experiment form.</source>
        <translation>没有可放置的变体。请在实验表单中添加一个。</translation>
    </message>
    <message numerus="yes">
        <source>%1 on lane %2, %n block(s) selected</source>
        <translation>
            <numerusform>%1，在泳道 %2 上，已选择 %n 个块</numerusform>
        </translation>
    </message>
    <message>
        <source>Lane board</source>
        <translation>泳道看板</translation>
    </message>
    <message>
        <source>Keep on One Lane</source>
        <translation>留在一个泳道上</translation>
    </message>
    <message>
        <source>Cut Before Block</source>
        <translation>在块之前切分</translation>
    </message>
    <message>
        <source>The stages are balanced already.</source>
        <translation>各阶段已经均衡。</translation>
    </message>
    <message>
        <source>Balance Stages</source>
        <translation>均衡各阶段</translation>
    </message>
    <message>
        <source>&amp;Cut Before This Block	C</source>
        <translation>在这个块之前切分(&amp;C)	C</translation>
    </message>
    <message>
        <source>&amp;Balance Stages	B</source>
        <translation>均衡各阶段(&amp;B)	B</translation>
    </message>
    <message>
        <source>Move to &amp;Lane</source>
        <translation>移到泳道(&amp;L)</translation>
    </message>
</context>
<context>
    <name>lanelab::BookmarksDialog</name>
    <message>
        <source>Bookmarks</source>
        <translation>书签</translation>
    </message>
    <message>
        <source>Bookmarked ranges of the timeline. To add one, drag over the timeline and press Ctrl+B.</source>
        <translation>时间线上加了书签的范围。要添加书签，请在时间线上拖动，然后按 Ctrl+B。</translation>
    </message>
    <message>
        <source>Name</source>
        <translation>名称</translation>
    </message>
    <message>
        <source>Variant</source>
        <translation>变体</translation>
    </message>
    <message>
        <source>Start</source>
        <translation>开始</translation>
    </message>
    <message>
        <source>Length</source>
        <translation>长度</translation>
    </message>
    <message>
        <source>&amp;Go To</source>
        <translation>转到(&amp;G)</translation>
    </message>
    <message>
        <source>Show this range on the timeline</source>
        <translation>在时间线上显示这个范围</translation>
    </message>
    <message>
        <source>&amp;Rename</source>
        <translation>重命名(&amp;R)</translation>
    </message>
    <message>
        <source>Change the name (F2)</source>
        <translation>更改名称 (F2)</translation>
    </message>
    <message>
        <source>&amp;Delete</source>
        <translation>删除(&amp;D)</translation>
    </message>
    <message>
        <source>Delete this bookmark (Delete)</source>
        <translation>删除这个书签 (Delete)</translation>
    </message>
    <message>
        <source>&amp;Export CSV...</source>
        <translation>导出 CSV(&amp;E)...</translation>
    </message>
    <message>
        <source>Save the table with busy and idle time of each lane</source>
        <translation>保存含每个泳道忙碌和空闲时间的表格</translation>
    </message>
    <message>
        <source>&amp;Close</source>
        <translation>关闭(&amp;C)</translation>
    </message>
    <message>
        <source>Close (Esc)</source>
        <translation>关闭 (Esc)</translation>
    </message>
</context>
<context>
    <name>lanelab::ChangePresenter</name>
    <message>
        <source>%1 % shorter</source>
        <translation>缩短 %1 %</translation>
    </message>
    <message>
        <source>%1 % longer</source>
        <translation>延长 %1 %</translation>
    </message>
    <message>
        <source>The experiment of this trace is not known, so it cannot be changed.</source>
        <translation>这份跟踪记录的实验未知，因此无法更改。</translation>
    </message>
    <message>
        <source>The experiment cannot be changed during a run.</source>
        <translation>运行期间无法更改实验。</translation>
    </message>
    <message>
        <source>A stored run is viewed. Choose Use as Experiment, then change its timeline.</source>
        <translation>正在查看已存储的运行。请选择“用作实验”，然后更改它的时间线。</translation>
    </message>
    <message>
        <source>The open experiment has no variant %1.</source>
        <translation>打开的实验没有变体 %1。</translation>
    </message>
    <message>
        <source>The experiment was edited since this run. Run it again, then change the new timeline.</source>
        <translation>自这次运行以来实验已被编辑。请重新运行，然后更改新的时间线。</translation>
    </message>
    <message>
        <source>No setting of the experiment changes one action or transfer alone.</source>
        <translation>实验没有只改变一个动作或一次传输的设置。</translation>
    </message>
    <message>
        <source>stage %1 to %2</source>
        <translation>阶段 %1 到 %2</translation>
    </message>
    <message>
        <source>move %1</source>
        <translation>移动%1</translation>
    </message>
    <message>
        <source>The experiment has no setting for lengths; the lanes can be set.</source>
        <translation>实验没有设置长度的选项；泳道可以设置。</translation>
    </message>
    <message>
        <source>&amp;Do It</source>
        <translation>执行(&amp;D)</translation>
    </message>
    <message>
        <source>Edit the experiment: %1 (Enter)</source>
        <translation>编辑实验：%1 (Enter)</translation>
    </message>
    <message>
        <source>Looking for the setting that comes nearest...</source>
        <translation>正在寻找最接近的设置...</translation>
    </message>
    <message>
        <source>No setting of the experiment makes just this.</source>
        <translation>实验没有任何设置能恰好做到这一点。</translation>
    </message>
    <message>
        <source>%1 No move of blocks brings stage %2 nearer to %3.</source>
        <translation>%1 移动块无法使阶段 %2 更接近 %3。</translation>
    </message>
    <message>
        <source>%1 Nearest: %2 (stage %3 %4, step predicted %5).</source>
        <translation>%1 最接近的是：%2（阶段 %3 为 %4，预测每步 %5）。</translation>
    </message>
    <message>
        <source>&amp;Do the Nearest</source>
        <translation>执行最接近的(&amp;D)</translation>
    </message>
    <message>
        <source>%1: done. Run the experiment to measure it.</source>
        <translation>%1：完成。运行实验即可测量它。</translation>
    </message>
    <message>
        <source>Un&amp;do</source>
        <translation>撤销(&amp;D)</translation>
    </message>
</context>
<context>
    <name>lanelab::ChangeStrip</name>
    <message>
        <source>&amp;Do It</source>
        <translation>执行(&amp;D)</translation>
    </message>
    <message>
        <source>Edit the experiment so that a run has the changes (Enter)</source>
        <translation>编辑实验，使运行包含这些更改 (Enter)</translation>
    </message>
    <message>
        <source>Co&amp;py</source>
        <translation>复制(&amp;P)</translation>
    </message>
    <message>
        <source>Copy the changes and what follows from them as text</source>
        <translation>把更改及其结果复制为文本</translation>
    </message>
    <message>
        <source>Changes of the timeline</source>
        <translation>时间线的更改</translation>
    </message>
    <message>
        <source>Cl&amp;ose</source>
        <translation>关闭(&amp;O)</translation>
    </message>
    <message>
        <source>Restore the measured timeline (Esc)</source>
        <translation>恢复实测的时间线 (Esc)</translation>
    </message>
    <message>
        <source>Replaying the steps...</source>
        <translation>正在重放各步...</translation>
    </message>
</context>
<context>
    <name>lanelab::CheckDialog</name>
    <message>
        <source>Training each variant and its reference</source>
        <translation>正在训练每个变体及其参照</translation>
    </message>
    <message>
        <source>Check Against a Single Device</source>
        <translation>与单设备对照检查</translation>
    </message>
    <message>
        <source>Each variant against its reference</source>
        <translation>每个变体与其参照</translation>
    </message>
    <message>
        <source>Check</source>
        <translation>检查</translation>
    </message>
    <message numerus="yes">
        <source>All variants equal their reference after %n step(s), measured.</source>
        <translation>
            <numerusform>经过 %n 步，所有变体都与其参照相等（实测）。</numerusform>
        </translation>
    </message>
    <message>
        <source>A difference is |a - b| / |b| of the tensor farthest off.</source>
        <translation>差异是相差最大的张量的 |a - b| / |b|。</translation>
    </message>
</context>
<context>
    <name>lanelab::CommandCopies</name>
    <message>
        <source>Copy as &amp;Command</source>
        <translation>复制为命令(&amp;C)</translation>
    </message>
    <message>
        <source>Copy the command of lanelab-cli that does the same</source>
        <translation>复制执行同样操作的 lanelab-cli 命令</translation>
    </message>
    <message>
        <source>&amp;Run</source>
        <translation>运行(&amp;R)</translation>
    </message>
    <message>
        <source>Run the open experiment</source>
        <translation>运行打开的实验</translation>
    </message>
    <message>
        <source>&amp;Sweep of Micro-Batch Sizes</source>
        <translation>微批次大小的扫描(&amp;S)</translation>
    </message>
    <message>
        <source>Run the open experiment with several micro-batch sizes</source>
        <translation>用多个微批次大小运行打开的实验</translation>
    </message>
    <message>
        <source>&amp;Plan of Cuts</source>
        <translation>切分的规划(&amp;P)</translation>
    </message>
    <message>
        <source>Cut the model of the open experiment into a stage per lane</source>
        <translation>把打开的实验的模型切分为每个泳道一个阶段</translation>
    </message>
    <message>
        <source>&amp;Export of the Report</source>
        <translation>导出报告(&amp;E)</translation>
    </message>
    <message>
        <source>Write the report of the shown run</source>
        <translation>写出所显示运行的报告</translation>
    </message>
    <message>
        <source>&amp;Gaps of the Timeline</source>
        <translation>时间线的间隙(&amp;G)</translation>
    </message>
    <message>
        <source>Explain the idle time of the shown timeline</source>
        <translation>解释所显示时间线的空闲时间</translation>
    </message>
    <message>
        <source>The experiment has no pipeline variant.</source>
        <translation>实验没有流水线变体。</translation>
    </message>
    <message>
        <source>No run is shown.</source>
        <translation>没有显示运行。</translation>
    </message>
    <message>
        <source>No timeline of a run or file is shown.</source>
        <translation>没有显示运行或文件的时间线。</translation>
    </message>
    <message>
        <source>Command copied. Paste it into a terminal.</source>
        <translation>命令已复制。请粘贴到终端中。</translation>
    </message>
</context>
<context>
    <name>lanelab::CommandPalette</name>
    <message>
        <source>Command Palette</source>
        <translation>命令面板</translation>
    </message>
    <message>
        <source>Type a command, a block, a run or a topic, such as &quot;zoom&quot; or &quot;export csv&quot;</source>
        <translation>输入命令、块、运行或主题，例如“zoom”或“export csv”</translation>
    </message>
    <message>
        <source>Words to find</source>
        <translation>要查找的词</translation>
    </message>
    <message>
        <source>Found entries</source>
        <translation>找到的条目</translation>
    </message>
    <message>
        <source>Nothing has all these words.</source>
        <translation>没有条目包含所有这些词。</translation>
    </message>
</context>
<context>
    <name>lanelab::ComparisonView</name>
    <message>
        <source>Spread shown by the whiskers</source>
        <translation>须线所显示的离散程度</translation>
    </message>
    <message>
        <source>What the whiskers show</source>
        <translation>须线显示的内容</translation>
    </message>
    <message>
        <source>mean ± 95 % CI</source>
        <translation>平均值 ± 95 % 置信区间</translation>
    </message>
    <message>
        <source>mean ± std</source>
        <translation>平均值 ± 标准差</translation>
    </message>
    <message>
        <source>Bars of the mean time of each variant; the table holds the same numbers</source>
        <translation>每个变体平均时间的条形图；表格中有相同的数字</translation>
    </message>
    <message>
        <source>Times of the variants</source>
        <translation>各变体的时间</translation>
    </message>
    <message>
        <source>&amp;Show on the Timeline</source>
        <translation>在时间线上显示(&amp;S)</translation>
    </message>
    <message>
        <source>Use as &amp;Baseline</source>
        <translation>用作基线(&amp;B)</translation>
    </message>
    <message>
        <source>These runs cannot be compared: %1.
Select runs of one model on the same data.</source>
        <translation>这些运行无法比较：%1。
请选择同一模型在同一数据上的运行。</translation>
    </message>
    <message>
        <source>Run the experiment to compare step times with confidence intervals.</source>
        <translation>运行实验即可比较每步时间及其置信区间。</translation>
    </message>
    <message>
        <source>Comparison</source>
        <translation>比较</translation>
    </message>
</context>
<context>
    <name>lanelab::CurveWork</name>
    <message>
        <source>schedule %1</source>
        <translation>调度 %1</translation>
    </message>
</context>
<context>
    <name>lanelab::CutsDialog</name>
    <message>
        <source>Predicted fastest</source>
        <translation>预测最快</translation>
    </message>
    <message>
        <source>Balanced by time</source>
        <translation>按时间均衡</translation>
    </message>
    <message>
        <source>Equal MACs</source>
        <translation>乘加次数相等</translation>
    </message>
    <message>
        <source>Equal parameters</source>
        <translation>参数相等</translation>
    </message>
    <message>
        <source>Equal memory</source>
        <translation>内存相等</translation>
    </message>
    <message>
        <source>Tutorial cut</source>
        <translation>教程的切分</translation>
    </message>
    <message>
        <source>Current placement</source>
        <translation>当前的放置</translation>
    </message>
    <message>
        <source>interpolated from measured sizes</source>
        <translation>由实测的大小插值</translation>
    </message>
    <message>
        <source>measured</source>
        <translation>实测</translation>
    </message>
    <message>
        <source>Each bar is the predicted period from step to step, with %1.</source>
        <translation>每个条形是预测的从一步到下一步的周期，%1。</translation>
    </message>
    <message>
        <source>Each bar is the predicted step time with %1.</source>
        <translation>每个条形是预测的每步时间，%1。</translation>
    </message>
    <message>
        <source>%1, %2 samples per micro-batch, %3 on %4.</source>
        <translation>%1，每个微批次 %2 个样本，%3，在 %4 上。</translation>
    </message>
    <message>
        <source>No other cut into as many stages is predicted to be faster.</source>
        <translation>预测没有其他同样阶段数的切分更快。</translation>
    </message>
    <message numerus="yes">
        <source>The first is the fastest of %n cut(s) that were tried.</source>
        <translation>
            <numerusform>第一个是所尝试的 %n 个切分中最快的。</numerusform>
        </translation>
    </message>
    <message>
        <source>&amp;Measure Blocks</source>
        <translation>测量块(&amp;M)</translation>
    </message>
    <message>
        <source>&amp;Place the Best Cut</source>
        <translation>按最佳切分放置(&amp;P)</translation>
    </message>
    <message>
        <source>Compare Cuts</source>
        <translation>比较切分</translation>
    </message>
    <message>
        <source>Place Best Cut</source>
        <translation>按最佳切分放置</translation>
    </message>
    <message>
        <source>Fix the experiment first: %1</source>
        <translation>请先修正实验：%1</translation>
    </message>
    <message>
        <source>Predicting the step time of each cut...</source>
        <translation>正在预测每个切分的每步时间...</translation>
    </message>
    <message>
        <source>The blocks of %1 have not been measured on these lanes. Measuring takes about a minute; the times are stored.</source>
        <translation>%1 的块还没有在这些泳道上测量过。测量大约需要一分钟；时间会存储下来。</translation>
    </message>
    <message>
        <source>No cut that was tried keeps every lane within its memory limit.</source>
        <translation>所尝试的切分都不能使每个泳道保持在内存上限之内。</translation>
    </message>
    <message>
        <source>Ways to Cut</source>
        <translation>切分的方式</translation>
    </message>
    <message>
        <source>Measuring the blocks of %1. The times are stored for later.</source>
        <translation>正在测量 %1 的块。时间会存储下来供以后使用。</translation>
    </message>
</context>
<context>
    <name>lanelab::DetailsPane</name>
    <message>
        <source>Click a span or an idle gap in the timeline to see its details here, or go to the next span (key .) or gap (key G) there.</source>
        <translation>单击时间线中的跨度或空闲间隙，在这里查看其详细信息；或在时间线中转到下一个跨度（. 键）或间隙（G 键）。</translation>
    </message>
    <message>
        <source>&amp;Copy</source>
        <translation>复制(&amp;C)</translation>
    </message>
    <message>
        <source>Copy the details as text</source>
        <translation>把详细信息复制为文本</translation>
    </message>
    <message>
        <source>Copy as &amp;JSON</source>
        <translation>复制为 JSON(&amp;J)</translation>
    </message>
    <message>
        <source>Copy the details as a JSON object</source>
        <translation>把详细信息复制为 JSON 对象</translation>
    </message>
    <message>
        <source>Figures of the selection</source>
        <translation>所选内容的数值</translation>
    </message>
    <message>
        <source>Figure</source>
        <translation>指标</translation>
    </message>
    <message>
        <source>Value</source>
        <translation>值</translation>
    </message>
    <message>
        <source>Dependencies, idle time and arguments of the selection</source>
        <translation>所选内容的依赖项、空闲时间和参数</translation>
    </message>
    <message>
        <source>Context</source>
        <translation>上下文</translation>
    </message>
    <message>
        <source>Name</source>
        <translation>名称</translation>
    </message>
    <message>
        <source>Waited for</source>
        <translation>曾等待</translation>
    </message>
    <message>
        <source>Waits for it</source>
        <translation>在等待它</translation>
    </message>
    <message>
        <source>Idle before</source>
        <translation>之前的空闲</translation>
    </message>
    <message>
        <source>Arguments</source>
        <translation>参数</translation>
    </message>
    <message>
        <source>Why</source>
        <translation>原因</translation>
    </message>
    <message>
        <source>What helps</source>
        <translation>改进办法</translation>
    </message>
    <message>
        <source>Next</source>
        <translation>下一个</translation>
    </message>
    <message>
        <source>Causes</source>
        <translation>原因</translation>
    </message>
    <message>
        <source>Click or press Enter to select this span: %1</source>
        <translation>单击或按 Enter 选择这个跨度：%1</translation>
    </message>
</context>
<context>
    <name>lanelab::DetailsPresenter</name>
    <message>
        <source>Reading...</source>
        <translation>正在读取...</translation>
    </message>
</context>
<context>
    <name>lanelab::DeviceMapDialog</name>
    <message>
        <source>%1 holds %2 more than its limit.</source>
        <translation>%1 存放的内容超过其上限 %2。</translation>
    </message>
    <message>
        <source>&amp;Infer...</source>
        <translation>推理(&amp;I)...</translation>
    </message>
    <message>
        <source>Generate tokens with the network placed by this map</source>
        <translation>用按此映射放置的网络生成词元</translation>
    </message>
    <message>
        <source>&amp;Place on Lanes</source>
        <translation>放到泳道上(&amp;P)</translation>
    </message>
    <message>
        <source>Place the blocks on the lanes that stand in for the GPUs; can be undone</source>
        <translation>把块放到代替 GPU 的泳道上；可以撤销</translation>
    </message>
    <message>
        <source>Cop&amp;y as JSON</source>
        <translation>复制为 JSON(&amp;Y)</translation>
    </message>
    <message>
        <source>Copy the map in the form that from_pretrained, dispatch_model and infer --device-map read</source>
        <translation>以 from_pretrained、dispatch_model 和 infer --device-map 能读取的形式复制映射</translation>
    </message>
    <message>
        <source>&amp;Export...</source>
        <translation>导出(&amp;E)...</translation>
    </message>
    <message>
        <source>Save the bars as PNG, SVG or PDF, or the table as CSV</source>
        <translation>把条形图保存为 PNG、SVG 或 PDF，或把表格保存为 CSV</translation>
    </message>
    <message>
        <source>Device Map</source>
        <translation>设备映射</translation>
    </message>
    <message>
        <source>&amp;Close</source>
        <translation>关闭(&amp;C)</translation>
    </message>
    <message>
        <source>Not for these lanes: %1</source>
        <translation>不适用于这些泳道：%1</translation>
    </message>
    <message>
        <source>one GPU</source>
        <translation>一个 GPU</translation>
    </message>
    <message>
        <source>%1 GPUs</source>
        <translation>%1 个 GPU</translation>
    </message>
    <message>
        <source>one device (a CPU lane stands in for a GPU)</source>
        <translation>一个设备（由 CPU 泳道代替 GPU）</translation>
    </message>
    <message>
        <source>%1 devices (CPU lanes stand in for GPUs)</source>
        <translation>%1 个设备（由 CPU 泳道代替 GPU）</translation>
    </message>
    <message>
        <source>%1 takes %2</source>
        <translation>%1 占用 %2</translation>
    </message>
    <message>
        <source>%1 and fits on %2.</source>
        <translation>%1，放得进 %2。</translation>
    </message>
    <message>
        <source>%1 and is placed on %2.</source>
        <translation>%1，放到 %2 上。</translation>
    </message>
    <message>
        <source>%1 on CPU lanes, which stand in for GPUs</source>
        <translation>%1 在代替 GPU 的 CPU 泳道上</translation>
    </message>
    <message>
        <source>%1 on GPUs</source>
        <translation>%1 在 GPU 上</translation>
    </message>
    <message>
        <source>%1 on the CPU</source>
        <translation>%1 在 CPU 上</translation>
    </message>
    <message>
        <source>%1 on disk</source>
        <translation>%1 在磁盘上</translation>
    </message>
    <message>
        <source>%1: %2.</source>
        <translation>%1：%2。</translation>
    </message>
    <message>
        <source>No module is of class &quot;%1&quot;.</source>
        <translation>没有类为“%1”的模块。</translation>
    </message>
    <message>
        <source>No module is of class &quot;%1&quot;: did you mean &quot;%2&quot;?</source>
        <translation>没有类为“%1”的模块：您是指“%2”吗？</translation>
    </message>
    <message>
        <source>%1 are in no entry, because their module was split and accelerate omits its own buffers. Add its class to the no-split classes.</source>
        <translation>%1 不属于任何条目，因为它们的模块被拆分，而 accelerate 会遗漏模块自身的缓冲区。请把它的类加入不拆分的类。</translation>
    </message>
    <message>
        <source>Device map of %1</source>
        <translation>%1 的设备映射</translation>
    </message>
</context>
<context>
    <name>lanelab::DifferencesDialog</name>
    <message>
        <source>not set</source>
        <translation>未设置</translation>
    </message>
    <message>
        <source>Setting</source>
        <translation>设置</translation>
    </message>
    <message>
        <source>Saved</source>
        <translation>已保存</translation>
    </message>
    <message>
        <source>With edits</source>
        <translation>含编辑</translation>
    </message>
    <message>
        <source>Settings that differ</source>
        <translation>有差异的设置</translation>
    </message>
    <message>
        <source>Unsaved Edits</source>
        <translation>未保存的编辑</translation>
    </message>
    <message>
        <source>&amp;Discard Edits</source>
        <translation>放弃编辑(&amp;D)</translation>
    </message>
    <message>
        <source>Go back to the saved experiment; Redo restores the edits</source>
        <translation>回到已保存的实验；重做可恢复这些编辑</translation>
    </message>
</context>
<context>
    <name>lanelab::EventsModel</name>
    <message>
        <source>Start (ms)</source>
        <translation>开始 (ms)</translation>
    </message>
    <message>
        <source>Duration (ms)</source>
        <translation>时长 (ms)</translation>
    </message>
    <message>
        <source>Name</source>
        <translation>名称</translation>
    </message>
    <message>
        <source>Lane</source>
        <translation>泳道</translation>
    </message>
    <message>
        <source>Step</source>
        <translation>步</translation>
    </message>
    <message>
        <source>Micro-batch</source>
        <translation>微批次</translation>
    </message>
    <message>
        <source>Category</source>
        <translation>类别</translation>
    </message>
</context>
<context>
    <name>lanelab::ExperimentDocument</name>
    <message>
        <source>Model File Changed</source>
        <translation>模型文件已更改</translation>
    </message>
    <message>
        <source>%1 was written again, so its new blocks are shown.</source>
        <translation>%1 已被重新写入，因此显示它的新块。</translation>
    </message>
    <message>
        <source>%1 now uses several lanes, so it became a pipeline (GPipe, micro-batch size %2). Undo to restore the single device.</source>
        <translation>%1 现在使用多个泳道，因此成为流水线（GPipe，微批次大小 %2）。撤销可恢复单设备。</translation>
    </message>
    <message>
        <source>%1 cannot be written (%2). Choose another folder or free some space.</source>
        <translation>无法写入 %1 (%2)。请选择另一个文件夹，或释放一些空间。</translation>
    </message>
</context>
<context>
    <name>lanelab::ExperimentPanel</name>
    <message>
        <source>safetensors with inputs, targets</source>
        <translation>含 inputs 和 targets 的 safetensors</translation>
    </message>
    <message>
        <source>UTF-8 text</source>
        <translation>UTF-8 文本</translation>
    </message>
    <message>
        <source>folder with data_batch_1.bin</source>
        <translation>含 data_batch_1.bin 的文件夹</translation>
    </message>
    <message>
        <source>one folder per class</source>
        <translation>每个类别一个文件夹</translation>
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
        <source>Training</source>
        <translation>训练</translation>
    </message>
    <message>
        <source>Variants to compare</source>
        <translation>要比较的变体</translation>
    </message>
    <message>
        <source>Measurement</source>
        <translation>测量</translation>
    </message>
    <message>
        <source>Choose Weights</source>
        <translation>选择权重</translation>
    </message>
    <message>
        <source>Weights (*.safetensors *.pth *.pt);;All files (*)</source>
        <translation>权重 (*.safetensors *.pth *.pt);;所有文件 (*)</translation>
    </message>
    <message>
        <source>Choose Data</source>
        <translation>选择数据</translation>
    </message>
    <message>
        <source>Tensors (*.safetensors);;All files (*)</source>
        <translation>张量 (*.safetensors);;所有文件 (*)</translation>
    </message>
    <message>
        <source>Text (*.txt *.md);;All files (*)</source>
        <translation>文本 (*.txt *.md);;所有文件 (*)</translation>
    </message>
    <message>
        <source>Run in progress: settings are read-only.</source>
        <translation>正在运行：设置为只读。</translation>
    </message>
    <message>
        <source>%1: %2</source>
        <translation>%1：%2</translation>
    </message>
    <message>
        <source>Epochs are set</source>
        <translation>已设置轮数</translation>
    </message>
    <message>
        <source>needs Samples</source>
        <translation>需要“样本”</translation>
    </message>
</context>
<context>
    <name>lanelab::ExperimentSaver</name>
    <message>
        <source>&amp;Save</source>
        <translation>保存(&amp;S)</translation>
    </message>
    <message>
        <source>Save the experiment</source>
        <translation>保存实验</translation>
    </message>
    <message>
        <source>Save &amp;As...</source>
        <translation>另存为(&amp;A)...</translation>
    </message>
    <message>
        <source>Save the experiment under another name</source>
        <translation>以另一个名称保存实验</translation>
    </message>
    <message>
        <source>File Changed</source>
        <translation>文件已更改</translation>
    </message>
    <message>
        <source>%1 was changed by another program since it was opened.</source>
        <translation>自打开以来，%1 已被另一个程序更改。</translation>
    </message>
    <message>
        <source>To replace it loses those changes. To have both, save under another name.</source>
        <translation>替换它会丢失那些更改。要两者都保留，请以另一个名称保存。</translation>
    </message>
    <message>
        <source>&amp;Replace</source>
        <translation>替换(&amp;R)</translation>
    </message>
    <message>
        <source>Save Experiment</source>
        <translation>保存实验</translation>
    </message>
    <message>
        <source>Experiments (*.json)</source>
        <translation>实验 (*.json)</translation>
    </message>
    <message>
        <source>Unsaved Changes</source>
        <translation>未保存的更改</translation>
    </message>
    <message>
        <source>Save the changes to %1?</source>
        <translation>要把更改保存到 %1 吗？</translation>
    </message>
    <message>
        <source>Without saving, what you changed since the last save is lost.</source>
        <translation>如果不保存，上次保存以来的更改将丢失。</translation>
    </message>
    <message>
        <source>&amp;Discard</source>
        <translation>放弃(&amp;D)</translation>
    </message>
    <message>
        <source>&amp;Cancel</source>
        <translation>取消(&amp;C)</translation>
    </message>
</context>
<context>
    <name>lanelab::ExportLog</name>
    <message>
        <source>Log of the export</source>
        <translation>导出的日志</translation>
    </message>
    <message>
        <source>The lines of the export appear here.</source>
        <translation>导出的各行出现在这里。</translation>
    </message>
</context>
<context>
    <name>lanelab::Exports</name>
    <message>
        <source>Stages</source>
        <translation>阶段</translation>
    </message>
    <message>
        <source>Layers</source>
        <translation>层</translation>
    </message>
    <message>
        <source>Lanes</source>
        <translation>泳道</translation>
    </message>
    <message>
        <source>Gaps</source>
        <translation>间隙</translation>
    </message>
    <message>
        <source>Runs</source>
        <translation>运行记录</translation>
    </message>
    <message>
        <source>&amp;Export</source>
        <translation>导出(&amp;E)</translation>
    </message>
    <message>
        <source>Export figures, tables and the report</source>
        <translation>导出图形、表格和报告</translation>
    </message>
    <message>
        <source>&amp;Comparison...</source>
        <translation>比较(&amp;C)...</translation>
    </message>
    <message>
        <source>Bars as PNG, SVG or PDF, the table as CSV</source>
        <translation>条形图为 PNG、SVG 或 PDF，表格为 CSV</translation>
    </message>
    <message>
        <source>&amp;Timeline...</source>
        <translation>时间线(&amp;T)...</translation>
    </message>
    <message>
        <source>What the timeline shows, or its selected range, as PNG, SVG or PDF; the gaps as CSV</source>
        <translation>时间线所显示的内容或其所选范围为 PNG、SVG 或 PDF；间隙为 CSV</translation>
    </message>
    <message>
        <source>&amp;Loss...</source>
        <translation>损失(&amp;L)...</translation>
    </message>
    <message>
        <source>Loss curves as PNG, SVG or PDF, the values as CSV</source>
        <translation>损失曲线为 PNG、SVG 或 PDF，数值为 CSV</translation>
    </message>
    <message>
        <source>&amp;Micro-Batch Sizes...</source>
        <translation>微批次大小(&amp;M)...</translation>
    </message>
    <message>
        <source>Step time by micro-batch size as PNG, SVG or PDF, the points as CSV</source>
        <translation>各微批次大小的每步时间为 PNG、SVG 或 PDF，各点为 CSV</translation>
    </message>
    <message>
        <source>Time and Me&amp;mory...</source>
        <translation>时间与内存(&amp;M)...</translation>
    </message>
    <message>
        <source>Step time by peak memory as PNG, SVG or PDF, the points as CSV</source>
        <translation>各峰值内存下的每步时间为 PNG、SVG 或 PDF，各点为 CSV</translation>
    </message>
    <message>
        <source>&amp;Report...</source>
        <translation>报告(&amp;R)...</translation>
    </message>
    <message>
        <source>Trace for &amp;Perfetto...</source>
        <translation>用于 Perfetto 的跟踪记录(&amp;P)...</translation>
    </message>
    <message>
        <source>The timeline&apos;s spans as Chrome trace JSON</source>
        <translation>时间线的跨度，格式为 Chrome 跟踪 JSON</translation>
    </message>
    <message>
        <source>Share Run as &amp;Archive...</source>
        <translation>将运行共享为归档(&amp;A)...</translation>
    </message>
    <message>
        <source>The shown run with its experiment, traces and report as one file</source>
        <translation>把所显示的运行连同其实验、跟踪记录和报告存为一个文件</translation>
    </message>
    <message>
        <source>&amp;Everything into a Folder...</source>
        <translation>全部导出到文件夹(&amp;E)...</translation>
    </message>
    <message>
        <source>No timeline is shown.</source>
        <translation>没有显示时间线。</translation>
    </message>
    <message>
        <source>The shown run has one micro-batch size only.</source>
        <translation>所显示的运行只有一个微批次大小。</translation>
    </message>
    <message>
        <source>Time and Memory shows no curve.</source>
        <translation>“时间与内存”没有显示曲线。</translation>
    </message>
    <message>
        <source>No run is shown.</source>
        <translation>没有显示运行。</translation>
    </message>
    <message>
        <source>Timeline</source>
        <translation>时间线</translation>
    </message>
    <message>
        <source>Export Bookmarks</source>
        <translation>导出书签</translation>
    </message>
    <message>
        <source>CSV table (*.csv)</source>
        <translation>CSV 表格 (*.csv)</translation>
    </message>
    <message>
        <source>Export Report</source>
        <translation>导出报告</translation>
    </message>
    <message>
        <source>HTML page (*.html)</source>
        <translation>HTML 页面 (*.html)</translation>
    </message>
    <message>
        <source>Export Everything into a Folder</source>
        <translation>全部导出到文件夹</translation>
    </message>
    <message>
        <source>Share Run as Archive</source>
        <translation>将运行共享为归档</translation>
    </message>
    <message>
        <source>Archive of a run (*.zip)</source>
        <translation>运行的归档 (*.zip)</translation>
    </message>
    <message>
        <source>Export Trace</source>
        <translation>导出跟踪记录</translation>
    </message>
    <message>
        <source>Chrome trace, packed (*.json.gz)</source>
        <translation>Chrome 跟踪，压缩 (*.json.gz)</translation>
    </message>
    <message>
        <source>Chrome trace (*.json)</source>
        <translation>Chrome 跟踪 (*.json)</translation>
    </message>
    <message>
        <source>Another report is being written. Wait for its end, or cancel it.</source>
        <translation>正在写另一份报告。请等待它结束，或取消它。</translation>
    </message>
    <message>
        <source>The run as one self-contained HTML file, or as PDF pages</source>
        <translation>该运行为一个自包含的 HTML 文件，或为 PDF 页面</translation>
    </message>
    <message>
        <source>The run&apos;s own files and experiment, its report, figures and tables, each in its file</source>
        <translation>该运行自己的文件和实验，以及它的报告、图形和表格，各存为一个文件</translation>
    </message>
    <message>
        <source>PDF pages (*.pdf)</source>
        <translation>PDF 页面 (*.pdf)</translation>
    </message>
</context>
<context>
    <name>lanelab::FileOpener</name>
    <message>
        <source>&amp;New Experiment</source>
        <translation>新建实验(&amp;N)</translation>
    </message>
    <message>
        <source>Start from a small network with all blocks on one lane</source>
        <translation>从一个小网络开始，所有块在一个泳道上</translation>
    </message>
    <message>
        <source>Ne&amp;w from Template</source>
        <translation>从模板新建(&amp;W)</translation>
    </message>
    <message>
        <source>&amp;Open Experiment...</source>
        <translation>打开实验(&amp;O)...</translation>
    </message>
    <message>
        <source>Open an experiment file, or a .pt2 file as its network</source>
        <translation>打开实验文件，或打开 .pt2 文件作为其网络</translation>
    </message>
    <message>
        <source>Open Experiment or Network</source>
        <translation>打开实验或网络</translation>
    </message>
    <message>
        <source>Experiments, networks, exported figures and archives of runs (*.json *.pt2 *.png *.zip)</source>
        <translation>实验、网络、导出的图形和运行的归档 (*.json *.pt2 *.png *.zip)</translation>
    </message>
    <message>
        <source>Open &amp;Trace...</source>
        <translation>打开跟踪文件(&amp;T)...</translation>
    </message>
    <message>
        <source>Show a trace of another program, such as torch.profiler, with its idle causes</source>
        <translation>显示其他程序（例如 torch.profiler）的跟踪记录及其空闲原因</translation>
    </message>
    <message>
        <source>Open Trace</source>
        <translation>打开跟踪文件</translation>
    </message>
    <message>
        <source>Traces (*.json *.json.gz *.pftrace *.perfetto-trace *.sqlite)</source>
        <translation>跟踪文件 (*.json *.json.gz *.pftrace *.perfetto-trace *.sqlite)</translation>
    </message>
    <message>
        <source>Open &amp;Run Folder...</source>
        <translation>打开运行文件夹(&amp;R)...</translation>
    </message>
    <message>
        <source>Show a run from its folder</source>
        <translation>显示文件夹中的运行</translation>
    </message>
    <message>
        <source>Open Run Folder</source>
        <translation>打开运行文件夹</translation>
    </message>
    <message>
        <source>Open Re&amp;cent</source>
        <translation>最近打开(&amp;C)</translation>
    </message>
    <message>
        <source>E&amp;xamples</source>
        <translation>示例(&amp;X)</translation>
    </message>
    <message>
        <source>Open the example %1</source>
        <translation>打开示例 %1</translation>
    </message>
    <message>
        <source>Not during a run.</source>
        <translation>运行期间不可用。</translation>
    </message>
    <message>
        <source>%1 does not exist. Check the name.</source>
        <translation>%1 不存在。请检查名称。</translation>
    </message>
    <message>
        <source>%1 cannot be opened (%2). Choose a regular file that you may read, or a folder.</source>
        <translation>无法打开 %1 (%2)。请选择您可以读取的普通文件或文件夹。</translation>
    </message>
    <message>
        <source>Reading %1</source>
        <translation>正在读取 %1</translation>
    </message>
    <message>
        <source>Network</source>
        <translation>网络</translation>
    </message>
    <message numerus="yes">
        <source>The network is %1 now, in %n block(s). Undo to restore the one before.</source>
        <translation>
            <numerusform>网络现在是 %1，分为 %n 个块。撤销可恢复之前的网络。</numerusform>
        </translation>
    </message>
    <message>
        <source>All files (*)</source>
        <translation>所有文件 (*)</translation>
    </message>
    <message>
        <source>Nothing opened yet</source>
        <translation>还没有打开过任何内容</translation>
    </message>
    <message>
        <source>Files and runs that you open are listed here</source>
        <translation>您打开的文件和运行列在这里</translation>
    </message>
    <message>
        <source>Attach to &amp;Job...</source>
        <translation>连接到作业(&amp;J)...</translation>
    </message>
    <message>
        <source>Record all ranks of a running PyTorch job at the same time, and show their traces as one</source>
        <translation>同时录制一个正在运行的 PyTorch 作业的所有 rank，并把它们的跟踪记录合并显示</translation>
    </message>
</context>
<context>
    <name>lanelab::FindStrip</name>
    <message>
        <source>Find in the timeline</source>
        <translation>在时间线中查找</translation>
    </message>
    <message>
        <source>Find: conv, layer3.0, 1F3, mb 3, stage 1, step 2 B5, lane 0 ...</source>
        <translation>查找：conv、layer3.0、1F3、mb 3、stage 1、step 2 B5、lane 0 ...</translation>
    </message>
    <message>
        <source>Part of a name, an action such as 1F3 or F3, &quot;mb 3&quot;, &quot;stage 1&quot;, &quot;step 2&quot;, &quot;lane 0&quot;; several words narrow it down</source>
        <translation>名称的一部分、动作（如 1F3 或 F3）、“mb 3”、“stage 1”、“step 2”、“lane 0”；多个词可缩小范围</translation>
    </message>
    <message>
        <source>%1 of %2</source>
        <translation>%2 中的 %1</translation>
    </message>
    <message>
        <source>Previous</source>
        <translation>上一个</translation>
    </message>
    <message>
        <source>Previous match (Shift+Enter, Shift+F3)</source>
        <translation>上一个匹配 (Shift+Enter、Shift+F3)</translation>
    </message>
    <message>
        <source>Next</source>
        <translation>下一个</translation>
    </message>
    <message>
        <source>Next match (Enter, F3)</source>
        <translation>下一个匹配 (Enter、F3)</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>关闭</translation>
    </message>
    <message>
        <source>Close (Esc)</source>
        <translation>关闭 (Esc)</translation>
    </message>
    <message>
        <source>searching</source>
        <translation>正在搜索</translation>
    </message>
    <message>
        <source>none</source>
        <translation>无</translation>
    </message>
    <message>
        <source>%1 found</source>
        <translation>找到 %1 个</translation>
    </message>
</context>
<context>
    <name>lanelab::FlameView</name>
    <message>
        <source>Flame graph</source>
        <translation>火焰图</translation>
    </message>
    <message>
        <source>Total: %1 (%2 of all)</source>
        <translation>总计：%1（占全部的 %2）</translation>
    </message>
    <message>
        <source>Self: %1 (%2 of all)</source>
        <translation>自身：%1（占全部的 %2）</translation>
    </message>
    <message numerus="yes">
        <source>%n span(s), the longest %1</source>
        <translation>
            <numerusform>%n 个跨度，最长 %1</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>lanelab::FormField</name>
    <message>
        <source>&quot;%1&quot; is not a whole number. Enter digits only, such as 16.</source>
        <translation>“%1”不是整数。请只输入数字，例如 16。</translation>
    </message>
    <message>
        <source>%1 is too large. Enter at most 2147483647.</source>
        <translation>%1 太大。请输入不超过 2147483647 的数。</translation>
    </message>
    <message>
        <source>&quot;%1&quot; is not a seed. Enter a whole number from 0.</source>
        <translation>“%1”不是种子。请输入从 0 开始的整数。</translation>
    </message>
    <message>
        <source>&quot;%1&quot; is not a number. Enter it with a decimal point, such as 0.001.</source>
        <translation>“%1”不是数字。请输入带小数点的数，例如 0.001。</translation>
    </message>
    <message>
        <source>&quot;%1&quot; is not an input size. Enter channels x height x width, such as 3x64x64, or one number.</source>
        <translation>“%1”不是输入大小。请输入 通道 x 高 x 宽，例如 3x64x64，或一个数。</translation>
    </message>
</context>
<context>
    <name>lanelab::GroupMenu</name>
    <message>
        <source>&amp;Group By</source>
        <translation>分组方式(&amp;G)</translation>
    </message>
    <message>
        <source>Group the runs of the table by what they share</source>
        <translation>按共同点对表格中的运行分组</translation>
    </message>
    <message>
        <source>List the runs without groups</source>
        <translation>不分组地列出运行</translation>
    </message>
    <message>
        <source>Group the runs by this; Left and Right fold and unfold a group</source>
        <translation>按此项对运行分组；左、右方向键折叠和展开一个组</translation>
    </message>
    <message>
        <source>&amp;Fold All Groups</source>
        <translation>折叠所有组(&amp;F)</translation>
    </message>
    <message>
        <source>Show the rows of groups only</source>
        <translation>只显示组的行</translation>
    </message>
    <message>
        <source>&amp;Unfold All Groups</source>
        <translation>展开所有组(&amp;U)</translation>
    </message>
    <message>
        <source>Show the runs of all groups</source>
        <translation>显示所有组的运行</translation>
    </message>
    <message>
        <source>The runs are not grouped.</source>
        <translation>运行没有分组。</translation>
    </message>
</context>
<context>
    <name>lanelab::GroupsModel</name>
    <message>
        <source>Name</source>
        <translation>名称</translation>
    </message>
    <message>
        <source>Block</source>
        <translation>块</translation>
    </message>
    <message>
        <source>Module</source>
        <translation>模块</translation>
    </message>
    <message>
        <source>Category</source>
        <translation>类别</translation>
    </message>
    <message>
        <source>Operation</source>
        <translation>操作</translation>
    </message>
    <message>
        <source>Stage</source>
        <translation>阶段</translation>
    </message>
    <message>
        <source>Lane</source>
        <translation>泳道</translation>
    </message>
    <message>
        <source>Rank</source>
        <translation>Rank</translation>
    </message>
    <message>
        <source>(none)</source>
        <translation>（无）</translation>
    </message>
    <message>
        <source>Number of spans</source>
        <translation>跨度的数量</translation>
    </message>
    <message>
        <source>Count</source>
        <translation>数量</translation>
    </message>
    <message>
        <source>Time with these spans on each row, with what is within them</source>
        <translation>每一行上这些跨度的时间，包括其中的内容</translation>
    </message>
    <message>
        <source>Total (ms)</source>
        <translation>总计 (ms)</translation>
    </message>
    <message>
        <source>Total over the lane time: the time shown above, of all lanes</source>
        <translation>总计与泳道时间之比：泳道时间是上面显示的所有泳道的时间</translation>
    </message>
    <message>
        <source>Share (%)</source>
        <translation>占比 (%)</translation>
    </message>
    <message>
        <source>Total without the spans within; adds up over all groups</source>
        <translation>总计减去其中的跨度；所有组的此项之和等于总和</translation>
    </message>
    <message>
        <source>Self (ms)</source>
        <translation>自身 (ms)</translation>
    </message>
    <message>
        <source>Mean duration of a span</source>
        <translation>一个跨度的平均时长</translation>
    </message>
    <message>
        <source>Mean (ms)</source>
        <translation>平均值 (ms)</translation>
    </message>
    <message>
        <source>Half of the spans are not longer</source>
        <translation>一半的跨度不超过此值</translation>
    </message>
    <message>
        <source>Median (ms)</source>
        <translation>中位数 (ms)</translation>
    </message>
    <message>
        <source>95 of 100 spans are not longer</source>
        <translation>100 个跨度中有 95 个不超过此值</translation>
    </message>
    <message>
        <source>p95 (ms)</source>
        <translation>p95 (ms)</translation>
    </message>
    <message>
        <source>The longest span; Enter goes to it</source>
        <translation>最长的跨度；按 Enter 转到它</translation>
    </message>
    <message>
        <source>Longest (ms)</source>
        <translation>最长 (ms)</translation>
    </message>
    <message>
        <source>Process group</source>
        <translation>进程组</translation>
    </message>
</context>
<context>
    <name>lanelab::HelpWindow</name>
    <message>
        <source>Back</source>
        <translation>后退</translation>
    </message>
    <message>
        <source>Go to the place before (Alt+Left)</source>
        <translation>回到之前的位置 (Alt+Left)</translation>
    </message>
    <message>
        <source>Forward</source>
        <translation>前向</translation>
    </message>
    <message>
        <source>Go forward again (Alt+Right)</source>
        <translation>再次前进 (Alt+Right)</translation>
    </message>
    <message>
        <source>No page has all these words.</source>
        <translation>没有页面包含所有这些词。</translation>
    </message>
    <message>
        <source>Help</source>
        <translation>帮助</translation>
    </message>
    <message>
        <source>Search all pages</source>
        <translation>搜索所有页面</translation>
    </message>
    <message>
        <source>Search all pages (Ctrl+F)</source>
        <translation>搜索所有页面 (Ctrl+F)</translation>
    </message>
    <message>
        <source>Contents</source>
        <translation>目录</translation>
    </message>
    <message>
        <source>Found sections</source>
        <translation>找到的章节</translation>
    </message>
    <message>
        <source>%1 — Help</source>
        <translation>%1 — 帮助</translation>
    </message>
</context>
<context>
    <name>lanelab::IdleTable</name>
    <message>
        <source>no work in the steps</source>
        <translation>各步中没有工作</translation>
    </message>
    <message>
        <source>lane %1</source>
        <translation>泳道 %1</translation>
    </message>
    <message>
        <source>Lane</source>
        <translation>泳道</translation>
    </message>
    <message>
        <source>Next action</source>
        <translation>下一个动作</translation>
    </message>
    <message>
        <source>Causes</source>
        <translation>原因</translation>
    </message>
    <message>
        <source>Main causes</source>
        <translation>主要原因</translation>
    </message>
    <message>
        <source>Busy and idle time of each lane</source>
        <translation>每个泳道的忙碌和空闲时间</translation>
    </message>
    <message>
        <source>Window (ms)</source>
        <translation>窗口 (ms)</translation>
    </message>
    <message>
        <source>Busy (ms)</source>
        <translation>忙碌 (ms)</translation>
    </message>
    <message>
        <source>Idle (ms)</source>
        <translation>空闲 (ms)</translation>
    </message>
    <message>
        <source>Busy (%)</source>
        <translation>忙碌 (%)</translation>
    </message>
    <message>
        <source>Idle gaps, longest first</source>
        <translation>空闲间隙，最长的在前</translation>
    </message>
    <message>
        <source>Step</source>
        <translation>步</translation>
    </message>
    <message>
        <source>Start (ms)</source>
        <translation>开始 (ms)</translation>
    </message>
    <message>
        <source>Length (ms)</source>
        <translation>长度 (ms)</translation>
    </message>
    <message>
        <source>Of window (%)</source>
        <translation>占窗口 (%)</translation>
    </message>
    <message>
        <source>Clear &amp;Selection</source>
        <translation>清除选择(&amp;S)</translation>
    </message>
    <message>
        <source>Show the whole trace again</source>
        <translation>重新显示整份跟踪记录</translation>
    </message>
    <message>
        <source>Periods</source>
        <translation>周期</translation>
    </message>
    <message>
        <source>Step windows</source>
        <translation>步窗口</translation>
    </message>
    <message>
        <source>Periods: of each lane, from its first action of a step to its first action of the next.
Step windows: from the first start of a step to its last end, one for all lanes. They overlap, so time in two steps counts twice.</source>
        <translation>周期：每个泳道从一步的第一个动作到下一步的第一个动作。
步窗口：从一步的第一个开始到最后一个结束，所有泳道相同。步窗口会重叠，因此属于两步的时间计两次。</translation>
    </message>
    <message>
        <source>Idle time &amp;in:</source>
        <translation>空闲时间所属(&amp;I)：</translation>
    </message>
    <message>
        <source>Periods (ms)</source>
        <translation>周期 (ms)</translation>
    </message>
    <message>
        <source>Step windows (ms)</source>
        <translation>步窗口 (ms)</translation>
    </message>
    <message>
        <source>Of periods (%)</source>
        <translation>占周期 (%)</translation>
    </message>
    <message>
        <source>No lane was idle in the selected range.</source>
        <translation>所选范围内没有泳道空闲。</translation>
    </message>
    <message>
        <source>No lane was idle inside a step.</source>
        <translation>没有泳道在步中空闲。</translation>
    </message>
    <message>
        <source>The %1 longest of %2 gaps; a click or Enter shows one in the timeline.</source>
        <translation>%2 个间隙中最长的 %1 个；单击或按 Enter 可在时间线中显示间隙。</translation>
    </message>
    <message>
        <source>%1 gaps, longest first. Click a gap or press Enter to show it in the timeline.</source>
        <translation>%1 个间隙，最长的在前。单击间隙或按 Enter 可在时间线中显示它。</translation>
    </message>
    <message>
        <source>Selected range %1</source>
        <translation>所选范围 %1</translation>
    </message>
    <message>
        <source>Idle time of each lane and its gaps appear here after a run.</source>
        <translation>运行之后，每个泳道的空闲时间及其间隙出现在这里。</translation>
    </message>
    <message>
        <source>Idle: %1</source>
        <translation>空闲：%1</translation>
    </message>
    <message>
        <source>Replays of this order of actions, each with all before it; the last is measured. Behind the share the change in percentage points.</source>
        <translation>按这个动作顺序的重放，每一项都包含前面各项；最后一项为实测。占比后面是以百分点计的变化。</translation>
    </message>
    <message>
        <source>order</source>
        <translation>顺序</translation>
    </message>
    <message>
        <source>phases</source>
        <translation>各类动作</translation>
    </message>
    <message>
        <source>stages</source>
        <translation>各阶段</translation>
    </message>
    <message>
        <source>transfers</source>
        <translation>传输</translation>
    </message>
    <message>
        <source>delays</source>
        <translation>延迟</translation>
    </message>
    <message>
        <source>measured</source>
        <translation>实测</translation>
    </message>
</context>
<context>
    <name>lanelab::ImportForm</name>
    <message>
        <source>torchvision.models:resnet18 or net.py:make</source>
        <translation>torchvision.models:resnet18 或 net.py:make</translation>
    </message>
    <message>
        <source>MODULE:FACTORY: a module that Python can import, or a .py file, and its function or class that returns a torch.nn.Module</source>
        <translation>MODULE:FACTORY：Python 可以导入的模块或 .py 文件，以及其中返回 torch.nn.Module 的函数或类</translation>
    </message>
    <message>
        <source>One sample without the batch: SHAPE[:DTYPE[:ROWS]], such as 3x224x224 (float32), or 64:int64:1000 for 64 tokens below 1000</source>
        <translation>不含批次的一个样本：SHAPE[:DTYPE[:ROWS]]，例如 3x224x224 (float32)；64 个小于 1000 的词元写作 64:int64:1000</translation>
    </message>
    <message>
        <source>For a class of transformers; the weights are drawn from the seed</source>
        <translation>用于 transformers 的类；权重由种子随机生成</translation>
    </message>
    <message>
        <source>A Python that has PyTorch 2.9 or later. Default: that of the variable LANELAB_PYTHON, of the set-up, or python3.</source>
        <translation>带有 PyTorch 2.9 或更高版本的 Python。默认：变量 LANELAB_PYTHON 所指的、安装程序所用的，或 python3。</translation>
    </message>
    <message>
        <source>The .pt2 file to write. Default: beside the experiment, named after the factory. An existing file is replaced once the new one is verified.</source>
        <translation>要写入的 .pt2 文件。默认：在实验旁边，以工厂函数命名。已有的文件在新文件通过验证后才会被替换。</translation>
    </message>
    <message>
        <source>Seed of the initial weights</source>
        <translation>初始权重的种子</translation>
    </message>
    <message>
        <source>Batch size with which the network is exported; the file has this one only if PyTorch refuses a dynamic batch size</source>
        <translation>导出网络所用的批次大小；仅当 PyTorch 拒绝动态批次大小时，文件才固定为此大小</translation>
    </message>
    <message>
        <source>Arguments of the factory, or values of the configuration: one KEY=VALUE per line, where the value is JSON or text</source>
        <translation>工厂函数的参数，或配置的值：每行一个 KEY=VALUE，值为 JSON 或文本</translation>
    </message>
    <message>
        <source>Choose &amp;File...</source>
        <translation>选择文件(&amp;F)...</translation>
    </message>
    <message>
        <source>Choose a Python file, then its factory</source>
        <translation>选择 Python 文件，然后选择其工厂函数</translation>
    </message>
    <message>
        <source>Choose Network</source>
        <translation>选择网络</translation>
    </message>
    <message>
        <source>Python (*.py)</source>
        <translation>Python (*.py)</translation>
    </message>
    <message>
        <source>&amp;Network</source>
        <translation>网络(&amp;N)</translation>
    </message>
    <message>
        <source>&amp;Input shape</source>
        <translation>输入形状(&amp;I)</translation>
    </message>
    <message>
        <source>&amp;Arguments</source>
        <translation>参数(&amp;A)</translation>
    </message>
    <message>
        <source>E&amp;xample batch</source>
        <translation>示例批次(&amp;X)</translation>
    </message>
    <message>
        <source>S&amp;eed</source>
        <translation>种子(&amp;E)</translation>
    </message>
    <message>
        <source>Choose...</source>
        <translation>选择...</translation>
    </message>
    <message>
        <source>Choose a config.json</source>
        <translation>选择 config.json</translation>
    </message>
    <message>
        <source>Choose configuration</source>
        <translation>选择配置</translation>
    </message>
    <message>
        <source>Choose Configuration</source>
        <translation>选择配置</translation>
    </message>
    <message>
        <source>Configuration (*.json)</source>
        <translation>配置 (*.json)</translation>
    </message>
    <message>
        <source>Confi&amp;guration</source>
        <translation>配置(&amp;G)</translation>
    </message>
    <message>
        <source>Choose a Python that has PyTorch</source>
        <translation>选择带有 PyTorch 的 Python</translation>
    </message>
    <message>
        <source>Choose Python</source>
        <translation>选择 Python</translation>
    </message>
    <message>
        <source>Programs (*)</source>
        <translation>程序 (*)</translation>
    </message>
    <message>
        <source>&amp;Python</source>
        <translation>Python(&amp;P)</translation>
    </message>
    <message>
        <source>Choose the file to write</source>
        <translation>选择要写入的文件</translation>
    </message>
    <message>
        <source>Choose file to write</source>
        <translation>选择要写入的文件</translation>
    </message>
    <message>
        <source>File to Write</source>
        <translation>要写入的文件</translation>
    </message>
    <message>
        <source>Exported networks (*.pt2)</source>
        <translation>导出的网络 (*.pt2)</translation>
    </message>
    <message>
        <source>File to &amp;write</source>
        <translation>要写入的文件(&amp;W)</translation>
    </message>
    <message>
        <source>3x224x224, or of tokens 64:int64:1000</source>
        <translation>3x224x224，或词元 64:int64:1000</translation>
    </message>
    <message>
        <source>none</source>
        <translation>无</translation>
    </message>
    <message>
        <source>named after the network</source>
        <translation>以网络命名</translation>
    </message>
</context>
<context>
    <name>lanelab::ImportModelDialog</name>
    <message>
        <source>Import &amp;Model</source>
        <translation>导入模型(&amp;M)</translation>
    </message>
    <message>
        <source>Export the network, verify the file and list its blocks</source>
        <translation>导出网络，验证文件并列出其中的块</translation>
    </message>
    <message>
        <source>&amp;Use as Model</source>
        <translation>用作模型(&amp;U)</translation>
    </message>
    <message>
        <source>Make the file the model of the open experiment</source>
        <translation>把该文件作为打开的实验的模型</translation>
    </message>
    <message>
        <source>Import Model</source>
        <translation>导入模型</translation>
    </message>
    <message>
        <source>Block</source>
        <translation>块</translation>
    </message>
    <message>
        <source>Parameters</source>
        <translation>参数</translation>
    </message>
    <message>
        <source>Blocks of the network</source>
        <translation>网络的块</translation>
    </message>
    <message>
        <source>&amp;Log</source>
        <translation>日志(&amp;L)</translation>
    </message>
    <message>
        <source>%1 exists. It is replaced once the new file is verified.</source>
        <translation>%1 已存在。新文件通过验证后将替换它。</translation>
    </message>
    <message>
        <source>Starting Python</source>
        <translation>正在启动 Python</translation>
    </message>
    <message>
        <source>The import was cancelled.</source>
        <translation>导入已取消。</translation>
    </message>
    <message>
        <source>%1 is written and verified: %2 parameters. Use it as the model of the open experiment, or import another network.</source>
        <translation>%1 已写入并通过验证：%2 个参数。可把它用作打开的实验的模型，或导入另一个网络。</translation>
    </message>
    <message numerus="yes">
        <source>%n block(s)</source>
        <translation>
            <numerusform>%n 个块</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>lanelab::InferDialog</name>
    <message>
        <source>Prompt: &quot;%1&quot; is not a token ID. Enter numbers separated by spaces, such as 3 4 5.</source>
        <translation>提示词：“%1”不是词元 ID。请输入用空格分隔的数字，例如 3 4 5。</translation>
    </message>
    <message>
        <source>&amp;8-bit weights in memory</source>
        <translation>内存中使用 8 位权重(&amp;8)</translation>
    </message>
    <message>
        <source>&amp;Open...</source>
        <translation>打开(&amp;O)...</translation>
    </message>
    <message>
        <source>&amp;Generate</source>
        <translation>生成(&amp;G)</translation>
    </message>
    <message>
        <source>Infer: %1</source>
        <translation>推理：%1</translation>
    </message>
    <message>
        <source>A safetensors file, a folder of shards, or their index</source>
        <translation>safetensors 文件、分片文件夹或分片的索引</translation>
    </message>
    <message>
        <source>Token IDs, separated by spaces</source>
        <translation>词元 ID，用空格分隔</translation>
    </message>
    <message>
        <source>Number of tokens to generate; each is the most likely one</source>
        <translation>要生成的词元数；每个都取最可能的词元</translation>
    </message>
    <message>
        <source>Rounds the linear layers in memory to 8 bits and reports how much the logits change</source>
        <translation>把内存中的线性层舍入到 8 位，并报告 logits 的变化程度</translation>
    </message>
    <message>
        <source>&amp;Weights</source>
        <translation>权重(&amp;W)</translation>
    </message>
    <message>
        <source>&amp;Prompt (token IDs)</source>
        <translation>提示词（词元 ID）(&amp;P)</translation>
    </message>
    <message>
        <source>New &amp;tokens</source>
        <translation>新词元数(&amp;T)</translation>
    </message>
    <message>
        <source>Open Weights</source>
        <translation>打开权重</translation>
    </message>
    <message>
        <source>Weights (*.safetensors *.safetensors.index.json)</source>
        <translation>权重 (*.safetensors *.safetensors.index.json)</translation>
    </message>
    <message>
        <source>%1 (built in)</source>
        <translation>%1（内置）</translation>
    </message>
    <message>
        <source>Weights: no file chosen. Choose the network&apos;s safetensors file or the folder of its shards.</source>
        <translation>权重：没有选择文件。请选择网络的 safetensors 文件或其分片的文件夹。</translation>
    </message>
    <message>
        <source>%1 cannot be unpacked to %2. Free some space in the temporary folder.</source>
        <translation>无法把 %1 解压到 %2。请在临时文件夹中释放一些空间。</translation>
    </message>
    <message>
        <source>Running</source>
        <translation>正在运行</translation>
    </message>
    <message>
        <source>Measured on this machine: %1 for %2 tokens, %3 of weights in memory.</source>
        <translation>在本机上实测：%1，共 %2 个词元，内存中有 %3 的权重。</translation>
    </message>
    <message>
        <source>%1 loaded from disk per pass; total wait %2.</source>
        <translation>每次前向从磁盘加载 %1；总等待时间 %2。</translation>
    </message>
    <message>
        <source>8-bit weights change the prompt&apos;s logits by %1 on average.</source>
        <translation>8 位权重使提示词的 logits 平均变化 %1。</translation>
    </message>
    <message>
        <source>No GPU %1 on this machine; its modules ran on the CPU.</source>
        <translation>本机没有 GPU %1；它的模块在 CPU 上运行。</translation>
    </message>
</context>
<context>
    <name>lanelab::KeysPage</name>
    <message>
        <source> or </source>
        <translation> 或 </translation>
    </message>
    <message>
        <source>Commands and their keys</source>
        <translation>命令及其按键</translation>
    </message>
    <message>
        <source>Command</source>
        <translation>命令</translation>
    </message>
    <message>
        <source>Key</source>
        <translation>按键</translation>
    </message>
    <message>
        <source>New key of the command</source>
        <translation>命令的新按键</translation>
    </message>
    <message>
        <source>Press the key that the command is to have</source>
        <translation>请按下该命令要使用的按键</translation>
    </message>
    <message>
        <source>&amp;Assign</source>
        <translation>指定(&amp;A)</translation>
    </message>
    <message>
        <source>Give the command this key</source>
        <translation>为该命令指定这个按键</translation>
    </message>
    <message>
        <source>Re&amp;move Key</source>
        <translation>移除按键(&amp;M)</translation>
    </message>
    <message>
        <source>Leave the command without a key</source>
        <translation>使该命令没有按键</translation>
    </message>
    <message>
        <source>&amp;Reset</source>
        <translation>重置(&amp;R)</translation>
    </message>
    <message>
        <source>Restore the key that the command has in the preset</source>
        <translation>恢复该命令在方案中的按键</translation>
    </message>
    <message>
        <source>%1 is the key of %2, which loses it.</source>
        <translation>%1 是 %2 的按键，后者将失去它。</translation>
    </message>
    <message>
        <source>%1 will choose this command on the board and the timeline, too, whatever it does there.</source>
        <translation>%1 在看板和时间线上也将执行这个命令，无论它在那里原本的作用是什么。</translation>
    </message>
</context>
<context>
    <name>lanelab::LaneHeader</name>
    <message>
        <source>%1
Double-click or press F2 to rename; Space or the arrow opens the menu</source>
        <translation>%1
双击或按 F2 可重命名；Space 或箭头打开菜单</translation>
    </message>
    <message>
        <source>Name of lane %1</source>
        <translation>泳道 %1 的名称</translation>
    </message>
</context>
<context>
    <name>lanelab::LaneShares</name>
    <message>
        <source>lane %1: %2</source>
        <translation>泳道 %1：%2</translation>
    </message>
    <message>
        <source>, %1 of memory</source>
        <translation>，内存的 %1</translation>
    </message>
    <message>
        <source>Share of %1</source>
        <translation>%1 的占比</translation>
    </message>
    <message>
        <source>Share of %1 and peak memory</source>
        <translation>%1 的占比和峰值内存</translation>
    </message>
    <message>
        <source>Share of all %1
%2</source>
        <translation>占全部 %1 的比例
%2</translation>
    </message>
    <message>
        <source>MACs</source>
        <translation>乘加次数</translation>
    </message>
    <message>
        <source>Params</source>
        <translation>参数</translation>
    </message>
    <message>
        <source>Share</source>
        <translation>占比</translation>
    </message>
    <message>
        <source>Memory</source>
        <translation>内存</translation>
    </message>
</context>
<context>
    <name>lanelab::LanesChoice</name>
    <message>
        <source>Use lane %1</source>
        <translation>使用泳道 %1</translation>
    </message>
    <message>
        <source>Lanes of the variant</source>
        <translation>该变体的泳道</translation>
    </message>
</context>
<context>
    <name>lanelab::LayerTable</name>
    <message>
        <source>Select rows and type a lane number, or press F2 in the Lane column</source>
        <translation>选择行并输入泳道编号，或在“泳道”列中按 F2</translation>
    </message>
    <message>
        <source>Layers and their lanes</source>
        <translation>层及其泳道</translation>
    </message>
</context>
<context>
    <name>lanelab::LayerTableModel</name>
    <message>
        <source>%1: %2</source>
        <translation>%1：%2</translation>
    </message>
    <message>
        <source>several</source>
        <translation>多个</translation>
    </message>
    <message>
        <source>%1 to %2</source>
        <translation>%1 至 %2</translation>
    </message>
    <message>
        <source>%1 (%2)</source>
        <translation>%1 (%2)</translation>
    </message>
    <message>
        <source>Stored for the backward, per sample</source>
        <translation>为反向保存的内容，每个样本</translation>
    </message>
    <message>
        <source>Module</source>
        <translation>模块</translation>
    </message>
    <message>
        <source>Lane</source>
        <translation>泳道</translation>
    </message>
    <message>
        <source>Stage</source>
        <translation>阶段</translation>
    </message>
    <message>
        <source>Output</source>
        <translation>输出</translation>
    </message>
    <message>
        <source>Parameters</source>
        <translation>参数</translation>
    </message>
    <message>
        <source>MACs</source>
        <translation>乘加次数</translation>
    </message>
    <message>
        <source>MACs (%)</source>
        <translation>乘加次数 (%)</translation>
    </message>
    <message>
        <source>Activations (KiB)</source>
        <translation>激活值 (KiB)</translation>
    </message>
    <message numerus="yes">
        <source>Move %n block(s)</source>
        <translation>
            <numerusform>移动 %n 个块</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>lanelab::LayersPane</name>
    <message>
        <source>Search modules</source>
        <translation>搜索模块</translation>
    </message>
    <message>
        <source>Search modules by name</source>
        <translation>按名称搜索模块</translation>
    </message>
    <message>
        <source>Show only modules, blocks and layers whose name has all these words</source>
        <translation>只显示名称包含所有这些词的模块、块和层</translation>
    </message>
</context>
<context>
    <name>lanelab::LessonGuide</name>
    <message>
        <source>of the lesson %1</source>
        <translation>课程 %1 的</translation>
    </message>
</context>
<context>
    <name>lanelab::LessonPane</name>
    <message>
        <source>Show the Recorded Run</source>
        <translation>显示录制的运行</translation>
    </message>
    <message>
        <source>View the run that this lesson is on, in the place of the open experiment</source>
        <translation>在打开的实验的位置查看本课程所用的运行</translation>
    </message>
    <message>
        <source>Check</source>
        <translation>检查</translation>
    </message>
    <message>
        <source>Compare the answer with the run</source>
        <translation>把答案与运行对照</translation>
    </message>
    <message>
        <source>Next Lesson</source>
        <translation>下一课</translation>
    </message>
    <message>
        <source>Show the next lesson</source>
        <translation>显示下一课</translation>
    </message>
    <message>
        <source>Lesson</source>
        <translation>课程</translation>
    </message>
    <message>
        <source>The lesson to read; finished ones have a check mark</source>
        <translation>要阅读的课程；完成的课程带有对勾</translation>
    </message>
    <message>
        <source>Answer with this variant</source>
        <translation>用这个变体作答</translation>
    </message>
    <message>
        <source>Selected: %1</source>
        <translation>已选择：%1</translation>
    </message>
    <message>
        <source>Choose an answer first.</source>
        <translation>请先选择答案。</translation>
    </message>
    <message>
        <source>Click the answer in the timeline first.</source>
        <translation>请先在时间线中单击答案。</translation>
    </message>
    <message>
        <source>Build a Schedule...</source>
        <translation>构建调度...</translation>
    </message>
</context>
<context>
    <name>lanelab::LevelPane</name>
    <message>
        <source>Level</source>
        <translation>关卡</translation>
    </message>
    <message>
        <source>Choose a level; each remembers the best order that you built</source>
        <translation>选择关卡；每一关都会记住您构建的最佳顺序</translation>
    </message>
    <message>
        <source>Undo</source>
        <translation>撤销</translation>
    </message>
    <message>
        <source>Take the last action back (Backspace)</source>
        <translation>收回最后一个动作 (Backspace)</translation>
    </message>
    <message>
        <source>Redo</source>
        <translation>重做</translation>
    </message>
    <message>
        <source>Place it again (Ctrl+Shift+Z)</source>
        <translation>重新放置它 (Ctrl+Shift+Z)</translation>
    </message>
    <message>
        <source>Start Over</source>
        <translation>重新开始</translation>
    </message>
    <message>
        <source>Take all actions back</source>
        <translation>收回所有动作</translation>
    </message>
    <message>
        <source>Hint</source>
        <translation>提示</translation>
    </message>
    <message>
        <source>Show a hint; again for the next one</source>
        <translation>显示提示；再按显示下一条</translation>
    </message>
    <message>
        <source>Run It</source>
        <translation>运行它</translation>
    </message>
    <message>
        <source>Next Level</source>
        <translation>下一关</translation>
    </message>
    <message>
        <source>Go to the next level</source>
        <translation>转到下一关</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>关闭</translation>
    </message>
    <message>
        <source>Go back to the schedule of the variant (Esc)</source>
        <translation>回到变体的调度 (Esc)</translation>
    </message>
    <message>
        <source>%1. %2</source>
        <translation>%1。%2</translation>
    </message>
    <message>
        <source>%1: %2</source>
        <translation>%1：%2</translation>
    </message>
    <message>
        <source>Not during a run.</source>
        <translation>运行期间不可用。</translation>
    </message>
    <message>
        <source>Place all actions first, then train the order.</source>
        <translation>请先放置所有动作，然后训练这个顺序。</translation>
    </message>
    <message>
        <source>Train this order beside %1. %2</source>
        <translation>把这个顺序与 %1 一起训练。%2</translation>
    </message>
    <message>
        <source>Step %1, par %2, idle %3 %</source>
        <translation>步长 %1，标准 %2，空闲 %3 %</translation>
    </message>
    <message>
        <source>Par %1, at most %2 stored per lane</source>
        <translation>标准 %1，每个泳道最多保存 %2</translation>
    </message>
    <message>
        <source>Par %1</source>
        <translation>标准 %1</translation>
    </message>
    <message>
        <source>All of lane %1 is placed. Select another lane.</source>
        <translation>泳道 %1 的动作已全部放置。请选择另一个泳道。</translation>
    </message>
    <message>
        <source>%1 starts at %2: the step takes at least %3, par is %4.</source>
        <translation>%1 在 %2 开始：该步至少需要 %3，标准为 %4。</translation>
    </message>
</context>
<context>
    <name>lanelab::LevelView</name>
    <message>
        <source>par %1</source>
        <translation>标准 %1</translation>
    </message>
    <message>
        <source>Lane %1</source>
        <translation>泳道 %1</translation>
    </message>
    <message>
        <source>Order that you build, one row per lane, and the actions that are still to be placed</source>
        <translation>您构建的顺序，每个泳道一行，以及还要放置的动作</translation>
    </message>
    <message>
        <source>Stored activations: %1, at most %2 so far</source>
        <translation>保存的激活值：%1，迄今最多 %2</translation>
    </message>
    <message>
        <source>%1, limit %2</source>
        <translation>%1，上限 %2</translation>
    </message>
</context>
<context>
    <name>lanelab::LimitFields</name>
    <message>
        <source>lane %1 (%2)</source>
        <translation>泳道 %1 (%2)</translation>
    </message>
    <message>
        <source>&amp;Add GPU</source>
        <translation>添加 GPU(&amp;A)</translation>
    </message>
    <message>
        <source>Add a GPU to the map; this machine need not have it</source>
        <translation>向映射添加一个 GPU；本机不必有它</translation>
    </message>
    <message>
        <source>Re&amp;move GPU</source>
        <translation>移除 GPU(&amp;M)</translation>
    </message>
    <message>
        <source>Remove the last GPU from the map</source>
        <translation>从映射中移除最后一个 GPU</translation>
    </message>
    <message>
        <source>not used</source>
        <translation>不使用</translation>
    </message>
    <message>
        <source>unlimited</source>
        <translation>不限</translation>
    </message>
    <message>
        <source>Holds everything that fits nowhere else. As in accelerate, a limit is recorded but not enforced.</source>
        <translation>存放其他地方都放不下的所有内容。与 accelerate 中一样，此上限只记录而不强制执行。</translation>
    </message>
    <message>
        <source>Bytes, or a number with a unit such as 10GiB or 500MB. Leave empty to exclude this device.</source>
        <translation>字节数，或带单位的数，例如 10GiB 或 500MB。留空表示不使用这个设备。</translation>
    </message>
    <message>
        <source>Memory of %1</source>
        <translation>%1 的内存</translation>
    </message>
    <message>
        <source>%1, %2</source>
        <translation>%1，%2</translation>
    </message>
</context>
<context>
    <name>lanelab::LossView</name>
    <message>
        <source>Loss of each step of one repeat (n = 1, the newest), by variant; measured. Lines that coincide alternate.</source>
        <translation>一次重复（n = 1，最新的一次）中每一步的损失，按变体；实测。重合的线交替显示。</translation>
    </message>
    <message>
        <source> Accuracy in training (dashed) is counted while the weights change, accuracy in validation after each epoch.</source>
        <translation> 训练准确率（虚线）在权重变化过程中统计，验证准确率在每一轮之后统计。</translation>
    </message>
    <message>
        <source>Loss by step, accuracy by epoch</source>
        <translation>各步的损失，各轮的准确率</translation>
    </message>
    <message>
        <source>Loss by step</source>
        <translation>各步的损失</translation>
    </message>
    <message>
        <source>Loss by step of each variant</source>
        <translation>每个变体各步的损失</translation>
    </message>
    <message>
        <source>Accuracy by epoch of each variant</source>
        <translation>每个变体各轮的准确率</translation>
    </message>
    <message>
        <source>Run the experiment to watch the loss of each step.</source>
        <translation>运行实验即可观察每一步的损失。</translation>
    </message>
    <message>
        <source>Loss</source>
        <translation>损失</translation>
    </message>
</context>
<context>
    <name>lanelab::MainWindow</name>
    <message>
        <source>1 CPU core</source>
        <translation>1 个 CPU 核心</translation>
    </message>
    <message>
        <source>%1 CPU cores</source>
        <translation>%1 个 CPU 核心</translation>
    </message>
    <message>
        <source>%1, no GPU: lanes are CPU cores</source>
        <translation>%1，没有 GPU：泳道是 CPU 核心</translation>
    </message>
    <message>
        <source>%1, 1 GPU</source>
        <translation>%1，1 个 GPU</translation>
    </message>
    <message>
        <source>%1, %2 GPUs</source>
        <translation>%1，%2 个 GPU</translation>
    </message>
    <message>
        <source>Place</source>
        <translation>放置</translation>
    </message>
    <message>
        <source>Watch</source>
        <translation>观察</translation>
    </message>
    <message>
        <source>Runs</source>
        <translation>运行记录</translation>
    </message>
    <message>
        <source>Experiment</source>
        <translation>实验</translation>
    </message>
    <message>
        <source>Stages</source>
        <translation>阶段</translation>
    </message>
    <message>
        <source>Schedule</source>
        <translation>调度</translation>
    </message>
    <message>
        <source>Layers</source>
        <translation>层</translation>
    </message>
    <message>
        <source>Loss</source>
        <translation>损失</translation>
    </message>
    <message>
        <source>Compare</source>
        <translation>比较</translation>
    </message>
    <message>
        <source>Idle and Gaps</source>
        <translation>空闲与间隙</translation>
    </message>
    <message>
        <source>Statistics</source>
        <translation>统计</translation>
    </message>
    <message>
        <source>Micro-Batch Sizes</source>
        <translation>微批次大小</translation>
    </message>
    <message>
        <source>Time and Memory</source>
        <translation>时间与内存</translation>
    </message>
    <message>
        <source>Details</source>
        <translation>详细信息</translation>
    </message>
    <message>
        <source>Lessons</source>
        <translation>课程</translation>
    </message>
    <message>
        <source>Tools</source>
        <translation>工具</translation>
    </message>
    <message>
        <source>Micro-batch size</source>
        <translation>微批次大小</translation>
    </message>
    <message>
        <source>%1[*] — LaneLab</source>
        <translation>%1[*] — LaneLab</translation>
    </message>
    <message>
        <source>(ended) %1</source>
        <translation>（已结束）%1</translation>
    </message>
    <message>
        <source>Stop the run and quit? Completed measurements are stored.</source>
        <translation>要停止运行并退出吗？已完成的测量会存储下来。</translation>
    </message>
    <message>
        <source>Quit all the same?</source>
        <translation>仍要退出吗？</translation>
    </message>
    <message numerus="yes">
        <source>%n queued run(s) will not start: the queue is in memory only.</source>
        <translation>
            <numerusform>%n 个排队的运行将不会开始：队列只在内存中。</numerusform>
        </translation>
    </message>
    <message>
        <source>Run in Progress</source>
        <translation>运行正在进行</translation>
    </message>
    <message>
        <source>Queued Runs</source>
        <translation>排队的运行</translation>
    </message>
    <message>
        <source>&amp;Stop Run and Quit</source>
        <translation>停止运行并退出(&amp;S)</translation>
    </message>
    <message>
        <source>&amp;Quit</source>
        <translation>退出(&amp;Q)</translation>
    </message>
    <message>
        <source>&amp;Continue Running</source>
        <translation>继续运行(&amp;C)</translation>
    </message>
    <message>
        <source>&amp;Cancel</source>
        <translation>取消(&amp;C)</translation>
    </message>
    <message>
        <source>&amp;File</source>
        <translation>文件(&amp;F)</translation>
    </message>
    <message>
        <source>&amp;Import Model...</source>
        <translation>导入模型(&amp;I)...</translation>
    </message>
    <message>
        <source>Export a network of PyTorch as a .pt2 file and use it as the model of the experiment</source>
        <translation>把 PyTorch 的网络导出为 .pt2 文件，并用作实验的模型</translation>
    </message>
    <message>
        <source>Close the window</source>
        <translation>关闭窗口</translation>
    </message>
    <message>
        <source>&amp;Edit</source>
        <translation>编辑(&amp;E)</translation>
    </message>
    <message>
        <source>&amp;Undo</source>
        <translation>撤销(&amp;U)</translation>
    </message>
    <message>
        <source>&amp;Redo</source>
        <translation>重做(&amp;R)</translation>
    </message>
    <message>
        <source>Change Micro-Batch Si&amp;ze</source>
        <translation>更改微批次大小(&amp;Z)</translation>
    </message>
    <message>
        <source>Go to the number of samples per micro-batch</source>
        <translation>转到每个微批次的样本数</translation>
    </message>
    <message>
        <source>Cut Before This &amp;Block</source>
        <translation>在这个块之前切分(&amp;B)</translation>
    </message>
    <message>
        <source>Begin a stage with the selected block, on an empty lane if there is one</source>
        <translation>从所选的块开始一个阶段；如有空的泳道，则放到它上面</translation>
    </message>
    <message>
        <source>Balance &amp;Stages</source>
        <translation>均衡各阶段(&amp;S)</translation>
    </message>
    <message>
        <source>Cut the model where its step is predicted to be the shortest, by recorded or estimated block times</source>
        <translation>按记录的或估计的块时间，在预测每步时间最短的位置切分模型</translation>
    </message>
    <message>
        <source>&amp;Find Block...</source>
        <translation>查找块(&amp;F)...</translation>
    </message>
    <message>
        <source>Find a block of the board by its name (Ctrl+F on the board)</source>
        <translation>按名称查找看板上的块（在看板上按 Ctrl+F）</translation>
    </message>
    <message>
        <source>&amp;Add Lane</source>
        <translation>添加泳道(&amp;A)</translation>
    </message>
    <message>
        <source>Add a lane to the board</source>
        <translation>向看板添加一个泳道</translation>
    </message>
    <message>
        <source>Re&amp;name Lane...</source>
        <translation>重命名泳道(&amp;N)...</translation>
    </message>
    <message>
        <source>Rename the selected lane</source>
        <translation>重命名所选的泳道</translation>
    </message>
    <message>
        <source>Re&amp;move Lane</source>
        <translation>移除泳道(&amp;M)</translation>
    </message>
    <message>
        <source>Remove the selected lane; its blocks go to a neighbour</source>
        <translation>移除所选的泳道；它的块归相邻的泳道</translation>
    </message>
    <message>
        <source>Se&amp;ttings...</source>
        <translation>设置(&amp;T)...</translation>
    </message>
    <message>
        <source>Choose theme, keys, questions and what new experiments begin with</source>
        <translation>选择主题、按键、询问以及新实验的初始设置</translation>
    </message>
    <message>
        <source>&amp;View</source>
        <translation>视图(&amp;V)</translation>
    </message>
    <message>
        <source>Next P&amp;ane</source>
        <translation>下一个窗格(&amp;A)</translation>
    </message>
    <message>
        <source>Move the focus to the next pane</source>
        <translation>把焦点移到下一个窗格</translation>
    </message>
    <message>
        <source>Previous Pan&amp;e</source>
        <translation>上一个窗格(&amp;E)</translation>
    </message>
    <message>
        <source>Move the focus to the previous pane</source>
        <translation>把焦点移到上一个窗格</translation>
    </message>
    <message>
        <source>F&amp;ull Screen</source>
        <translation>全屏(&amp;U)</translation>
    </message>
    <message>
        <source>Show the window on the whole screen</source>
        <translation>在整个屏幕上显示窗口</translation>
    </message>
    <message>
        <source>Ma&amp;ximize Pane</source>
        <translation>最大化窗格(&amp;X)</translation>
    </message>
    <message>
        <source>Show the pane that has the keyboard alone, or all of them again</source>
        <translation>只显示有键盘焦点的窗格，或重新显示所有窗格</translation>
    </message>
    <message>
        <source>&amp;Reset Layout</source>
        <translation>重置布局(&amp;R)</translation>
    </message>
    <message>
        <source>Restore the first places of all panes</source>
        <translation>恢复所有窗格的初始位置</translation>
    </message>
    <message>
        <source>Block &amp;Width</source>
        <translation>块的宽度(&amp;W)</translation>
    </message>
    <message>
        <source>MACs</source>
        <translation>乘加次数</translation>
    </message>
    <message>
        <source>Parameters</source>
        <translation>参数</translation>
    </message>
    <message>
        <source>Memory</source>
        <translation>内存</translation>
    </message>
    <message>
        <source>Error &amp;Bars</source>
        <translation>误差线(&amp;B)</translation>
    </message>
    <message>
        <source>95 % confidence interval</source>
        <translation>95 % 置信区间</translation>
    </message>
    <message>
        <source>Standard deviation</source>
        <translation>标准差</translation>
    </message>
    <message>
        <source>&amp;Theme</source>
        <translation>主题(&amp;T)</translation>
    </message>
    <message>
        <source>System</source>
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
        <source>High Contrast</source>
        <translation>高对比度</translation>
    </message>
    <message>
        <source>&amp;Run</source>
        <translation>运行(&amp;R)</translation>
    </message>
    <message>
        <source>Run Su&amp;ggested Fix</source>
        <translation>运行建议的改进(&amp;G)</translation>
    </message>
    <message>
        <source>Add the variant that Idle and Gaps predicts to be faster, and run it with the others</source>
        <translation>添加“空闲与间隙”预测更快的变体，并与其他变体一起运行</translation>
    </message>
    <message>
        <source>&amp;Queued Runs...</source>
        <translation>排队的运行(&amp;Q)...</translation>
    </message>
    <message>
        <source>Show, order or remove the queued runs</source>
        <translation>显示、排序或移除排队的运行</translation>
    </message>
    <message>
        <source>&amp;Plan</source>
        <translation>规划(&amp;P)</translation>
    </message>
    <message>
        <source>Compare &amp;Cuts...</source>
        <translation>比较切分(&amp;C)...</translation>
    </message>
    <message>
        <source>Compare ways to cut the model over its lanes, and place the best</source>
        <translation>比较把模型切分到其泳道上的各种方式，并采用最好的一种</translation>
    </message>
    <message>
        <source>Show &amp;Device Map...</source>
        <translation>显示设备映射(&amp;D)...</translation>
    </message>
    <message>
        <source>Show which device would hold which module, by memory, as accelerate maps it; also for a Llama</source>
        <translation>显示按内存哪个设备存放哪个模块，与 accelerate 的映射一样；也适用于 Llama</translation>
    </message>
    <message>
        <source>Use Measured Stage &amp;Times</source>
        <translation>使用实测的阶段时间(&amp;T)</translation>
    </message>
    <message>
        <source>Generate the schedule of the variant from the stage times of the shown run</source>
        <translation>由所显示运行的阶段时间生成该变体的调度</translation>
    </message>
    <message>
        <source>Explore What &amp;If...</source>
        <translation>假设分析(&amp;I)...</translation>
    </message>
    <message>
        <source>Re-simulate the shown steps with a faster or slower stage, block or link</source>
        <translation>以更快或更慢的阶段、块或链路重新模拟所显示的各步</translation>
    </message>
    <message>
        <source>R&amp;uns</source>
        <translation>运行记录(&amp;U)</translation>
    </message>
    <message>
        <source>Close Vie&amp;wed Run</source>
        <translation>关闭所查看的运行(&amp;W)</translation>
    </message>
    <message>
        <source>Show the last run of the open experiment again, or none</source>
        <translation>重新显示打开的实验的上次运行；没有时不显示</translation>
    </message>
    <message>
        <source>&amp;Help</source>
        <translation>帮助(&amp;H)</translation>
    </message>
    <message>
        <source>&amp;Welcome</source>
        <translation>欢迎(&amp;W)</translation>
    </message>
    <message>
        <source>Show the demo as another machine ran it, and ways in</source>
        <translation>显示在另一台机器上运行的演示，以及入门的途径</translation>
    </message>
    <message>
        <source>&amp;Lessons</source>
        <translation>课程(&amp;L)</translation>
    </message>
    <message>
        <source>Learn from recorded runs why lanes wait</source>
        <translation>通过录制的运行了解泳道为何等待</translation>
    </message>
    <message>
        <source>&amp;Build a Schedule...</source>
        <translation>构建调度(&amp;B)...</translation>
    </message>
    <message>
        <source>Build known schedules action by action, in eight levels, and train what you built</source>
        <translation>在八个关卡中逐个动作地构建已知的调度，并用您构建的调度进行训练</translation>
    </message>
    <message>
        <source>&amp;Command Palette...</source>
        <translation>命令面板(&amp;C)...</translation>
    </message>
    <message>
        <source>Find commands, panes, blocks, lanes, runs, examples and pages by their names</source>
        <translation>按名称查找命令、窗格、块、泳道、运行、示例和页面</translation>
    </message>
    <message>
        <source>&amp;Keys</source>
        <translation>按键(&amp;K)</translation>
    </message>
    <message>
        <source>List all keys</source>
        <translation>列出所有按键</translation>
    </message>
    <message>
        <source>&amp;About LaneLab</source>
        <translation>关于 LaneLab(&amp;A)</translation>
    </message>
    <message>
        <source>Version and licence</source>
        <translation>版本和许可证</translation>
    </message>
    <message>
        <source>Not while a stored run or trace is viewed.</source>
        <translation>查看已存储的运行或跟踪记录时不可用。</translation>
    </message>
    <message>
        <source>Not during a run.</source>
        <translation>运行期间不可用。</translation>
    </message>
    <message>
        <source>Undo the last edit</source>
        <translation>撤销上一次编辑</translation>
    </message>
    <message>
        <source>There is no edit to undo.</source>
        <translation>没有可以撤销的编辑。</translation>
    </message>
    <message>
        <source>Redo the edit that was undone</source>
        <translation>重做被撤销的编辑</translation>
    </message>
    <message>
        <source>No edit was undone.</source>
        <translation>没有被撤销的编辑。</translation>
    </message>
    <message>
        <source>There is no suggestion for the shown run.</source>
        <translation>对所显示的运行没有建议。</translation>
    </message>
    <message>
        <source>Show a timeline with steps first.</source>
        <translation>请先显示包含步的时间线。</translation>
    </message>
    <message>
        <source>Show a run that measured the stages of this pipeline first.</source>
        <translation>请先显示测量了这个流水线各阶段的运行。</translation>
    </message>
    <message>
        <source>No stored run or trace is viewed.</source>
        <translation>没有查看已存储的运行或跟踪记录。</translation>
    </message>
    <message>
        <source>No run is queued.</source>
        <translation>没有排队的运行。</translation>
    </message>
    <message>
        <source>Un&amp;do</source>
        <translation>撤销(&amp;D)</translation>
    </message>
    <message>
        <source>This run has no losses: no step of it ended.</source>
        <translation>这次运行没有损失：没有一步完成。</translation>
    </message>
    <message>
        <source>The run has not completed a step yet. The loss of each step appears here.</source>
        <translation>运行还没有完成一步。每一步的损失会出现在这里。</translation>
    </message>
    <message>
        <source>The run was cancelled. Completed measurements are stored.</source>
        <translation>运行已取消。已完成的测量已存储。</translation>
    </message>
    <message>
        <source>Done</source>
        <translation>完成</translation>
    </message>
    <message numerus="yes">
        <source>%n event(s) of this file could not be used; lanelab-cli import lists them by kind.</source>
        <translation>
            <numerusform>这个文件中有 %n 个事件无法使用；lanelab-cli import 会按类别列出它们。</numerusform>
        </translation>
    </message>
    <message>
        <source>The run of %1 has ended</source>
        <translation>%1 的运行已结束</translation>
    </message>
    <message>
        <source>The run of %1 was cancelled</source>
        <translation>%1 的运行已取消</translation>
    </message>
    <message>
        <source>The run of %1 has failed</source>
        <translation>%1 的运行已失败</translation>
    </message>
    <message>
        <source>The run did not start</source>
        <translation>运行没有开始</translation>
    </message>
    <message>
        <source>Reading has ended</source>
        <translation>读取已结束</translation>
    </message>
    <message>
        <source>The other timeline was read</source>
        <translation>另一条时间线已读取</translation>
    </message>
    <message>
        <source>The export has ended</source>
        <translation>导出已结束</translation>
    </message>
    <message>
        <source>The figures were written</source>
        <translation>图形已写入</translation>
    </message>
    <message>
        <source>&amp;Detach or Dock Pane</source>
        <translation>分离或停靠窗格(&amp;D)</translation>
    </message>
    <message>
        <source>Give the pane that has the keyboard a window of its own, or put it back</source>
        <translation>让拥有键盘焦点的窗格成为独立窗口，或放回原处</translation>
    </message>
</context>
<context>
    <name>lanelab::MapForm</name>
    <message>
        <source>%1 in %2</source>
        <translation>%2 中的 %1</translation>
    </message>
    <message>
        <source>The network to map; its weights are not loaded</source>
        <translation>要映射的网络；不会加载它的权重</translation>
    </message>
    <message>
        <source>auto and balanced fill all GPUs equally, balanced_low_0 leaves space on the first GPU, sequential fills one GPU after another</source>
        <translation>auto 和 balanced 均匀填充所有 GPU，balanced_low_0 在第一个 GPU 上留出空间，sequential 依次填满各个 GPU</translation>
    </message>
    <message>
        <source>Count floating-point weights of a wider dtype in this one</source>
        <translation>把数据类型更宽的浮点权重按此类型计算</translation>
    </message>
    <message>
        <source>&amp;Open...</source>
        <translation>打开(&amp;O)...</translation>
    </message>
    <message>
        <source>Open an exported network (.pt2), a Llama&apos;s config.json, or a module tree as device-map --tree reads it</source>
        <translation>打开导出的网络 (.pt2)、Llama 的 config.json，或 device-map --tree 所读取的模块树</translation>
    </message>
    <message>
        <source>&amp;Load...</source>
        <translation>加载(&amp;L)...</translation>
    </message>
    <message>
        <source>Load your own map instead of a strategy: JSON as accelerate and infer --device-map read it</source>
        <translation>加载您自己的映射来代替策略：accelerate 和 infer --device-map 所读取的 JSON</translation>
    </message>
    <message>
        <source>none</source>
        <translation>无</translation>
    </message>
    <message>
        <source>Classes of modules that are not split across devices, separated by commas (accelerate&apos;s no_split_module_classes)</source>
        <translation>不跨设备拆分的模块类，用逗号分隔（accelerate 的 no_split_module_classes）</translation>
    </message>
    <message>
        <source>Toy of PyTorch&apos;s tutorial</source>
        <translation>PyTorch 教程的玩具网络</translation>
    </message>
    <message>
        <source>as in the network</source>
        <translation>与网络相同</translation>
    </message>
    <message>
        <source>&amp;Network</source>
        <translation>网络(&amp;N)</translation>
    </message>
    <message>
        <source>&amp;Strategy</source>
        <translation>策略(&amp;S)</translation>
    </message>
    <message>
        <source>No-spli&amp;t classes</source>
        <translation>不拆分的类(&amp;T)</translation>
    </message>
    <message>
        <source>&amp;dtype</source>
        <translation>数据类型(&amp;D)</translation>
    </message>
    <message>
        <source>Memory limits</source>
        <translation>内存上限</translation>
    </message>
    <message>
        <source>accelerate&apos;s max_memory. An empty field excludes the device.</source>
        <translation>accelerate 的 max_memory。字段为空表示不使用该设备。</translation>
    </message>
    <message>
        <source>Open Network</source>
        <translation>打开网络</translation>
    </message>
    <message>
        <source>Exported network, Llama&apos;s config.json or module tree (*.pt2 *.json)</source>
        <translation>导出的网络、Llama 的 config.json 或模块树 (*.pt2 *.json)</translation>
    </message>
    <message>
        <source>Load Device Map</source>
        <translation>加载设备映射</translation>
    </message>
    <message>
        <source>Device map (*.json)</source>
        <translation>设备映射 (*.json)</translation>
    </message>
    <message>
        <source>%1 (experiment)</source>
        <translation>%1（实验）</translation>
    </message>
    <message>
        <source>Map %1</source>
        <translation>映射 %1</translation>
    </message>
    <message>
        <source>Strategy %1</source>
        <translation>策略 %1</translation>
    </message>
    <message>
        <source>, no-split classes: %1</source>
        <translation>，不拆分的类：%1</translation>
    </message>
    <message>
        <source>, counted in %1</source>
        <translation>，按 %1 计</translation>
    </message>
    <message>
        <source>. Predicted from shapes and dtypes.</source>
        <translation>。由形状和数据类型预测。</translation>
    </message>
    <message>
        <source>. Predicted from shapes and dtypes; the same map as accelerate&apos;s.</source>
        <translation>。由形状和数据类型预测；与 accelerate 的映射相同。</translation>
    </message>
</context>
<context>
    <name>lanelab::MapResult</name>
    <message>
        <source>(the whole network)</source>
        <translation>（整个网络）</translation>
    </message>
    <message>
        <source>Module</source>
        <translation>模块</translation>
    </message>
    <message>
        <source>Class</source>
        <translation>类</translation>
    </message>
    <message>
        <source>Device</source>
        <translation>设备</translation>
    </message>
    <message>
        <source>Memory</source>
        <translation>内存</translation>
    </message>
    <message>
        <source>The map: each module and its device</source>
        <translation>映射：每个模块及其设备</translation>
    </message>
</context>
<context>
    <name>lanelab::MemoryPane</name>
    <message>
        <source>No curve to show. Fix the highlighted fields.</source>
        <translation>没有可显示的曲线。请修正突出显示的字段。</translation>
    </message>
    <message>
        <source>What does less memory cost? Schedules and recompute are predicted from block times, and none are recorded for this network on these lanes. Measure the blocks, or run the experiment with recorded blocks.</source>
        <translation>更少的内存代价是什么？调度和重计算由块时间预测，而在这些泳道上还没有这个网络的块时间记录。请测量块，或在记录块的情况下运行实验。</translation>
    </message>
    <message>
        <source>Predicting time and memory of each schedule...</source>
        <translation>正在预测每种调度的时间和内存...</translation>
    </message>
    <message>
        <source>What does less memory cost? Choose a pipeline of several stages: this pane compares its schedules, with and without recompute.</source>
        <translation>更少的内存代价是什么？请选择多个阶段的流水线：本窗格比较它的各种调度，包括重计算和不重计算。</translation>
    </message>
    <message>
        <source>Step time by peak memory, predicted and measured</source>
        <translation>各峰值内存下的每步时间，预测和实测</translation>
    </message>
    <message>
        <source>Predicting again for what was edited...</source>
        <translation>正在针对所做的编辑重新预测...</translation>
    </message>
    <message>
        <source>Measure Blocks...</source>
        <translation>测量块...</translation>
    </message>
    <message>
        <source>Open Compare Cuts, which measures the blocks on this machine and stores their times</source>
        <translation>打开“比较切分”，它在本机上测量块并存储其时间</translation>
    </message>
    <message>
        <source>Ways to run the variant by peak memory; Enter uses one</source>
        <translation>按峰值内存列出运行该变体的各种方式；按 Enter 采用一种</translation>
    </message>
    <message>
        <source>Schedule</source>
        <translation>调度</translation>
    </message>
    <message>
        <source>Recompute</source>
        <translation>重计算</translation>
    </message>
    <message>
        <source>Front</source>
        <translation>前沿</translation>
    </message>
    <message>
        <source>90 % range</source>
        <translation>90 % 范围</translation>
    </message>
    <message>
        <source>Peak</source>
        <translation>峰值</translation>
    </message>
    <message>
        <source>Measured</source>
        <translation>实测</translation>
    </message>
    <message>
        <source>Not during a run.</source>
        <translation>运行期间不可用。</translation>
    </message>
    <message>
        <source>Time and Memory</source>
        <translation>时间与内存</translation>
    </message>
</context>
<context>
    <name>lanelab::MessageStrip</name>
    <message>
        <source>Show all of this message</source>
        <translation>显示这条消息的全部内容</translation>
    </message>
    <message>
        <source>Hide this message</source>
        <translation>隐藏这条消息</translation>
    </message>
</context>
<context>
    <name>lanelab::OverlayDialog</name>
    <message>
        <source>Overlay Runs</source>
        <translation>叠加运行</translation>
    </message>
    <message numerus="yes">
        <source>Reading %n run(s)...</source>
        <translation>
            <numerusform>正在读取 %n 次运行...</numerusform>
        </translation>
    </message>
    <message>
        <source>Notes</source>
        <translation>说明</translation>
    </message>
    <message>
        <source>&amp;Export...</source>
        <translation>导出(&amp;E)...</translation>
    </message>
    <message>
        <source>Save the figure as PNG, SVG or PDF, or its points as CSV</source>
        <translation>把图形保存为 PNG、SVG 或 PDF，或把它的点保存为 CSV</translation>
    </message>
    <message>
        <source>What is drawn of each run</source>
        <translation>画出每次运行的什么</translation>
    </message>
    <message>
        <source>What it is drawn against</source>
        <translation>以什么为横轴</translation>
    </message>
    <message>
        <source>Weight of the values before in an exponential moving average; 0 draws the values as measured</source>
        <translation>指数移动平均中先前各值的权重；0 按实测值绘制</translation>
    </message>
    <message>
        <source>&amp;All variants</source>
        <translation>所有变体(&amp;A)</translation>
    </message>
    <message>
        <source>Curves of all variants of each run, in place of the first pipeline or the first variant after the baseline</source>
        <translation>每次运行所有变体的曲线，而不只是第一个流水线或基线之后的第一个变体</translation>
    </message>
    <message>
        <source>&amp;Metric</source>
        <translation>指标(&amp;M)</translation>
    </message>
    <message>
        <source>A&amp;gainst</source>
        <translation>横轴(&amp;G)</translation>
    </message>
    <message>
        <source>&amp;Smoothing</source>
        <translation>平滑(&amp;S)</translation>
    </message>
    <message>
        <source>None of these runs has this metric: %1. Choose another one.</source>
        <translation>这些运行都没有这个指标：%1。请选择另一个。</translation>
    </message>
    <message>
        <source>Overlay</source>
        <translation>叠加</translation>
    </message>
</context>
<context>
    <name>lanelab::OverlayLegend</name>
    <message>
        <source>%1, %2</source>
        <translation>%1，%2</translation>
    </message>
    <message>
        <source>Curves</source>
        <translation>曲线</translation>
    </message>
</context>
<context>
    <name>lanelab::OverviewCard</name>
    <message>
        <source>Compute</source>
        <translation>计算</translation>
    </message>
    <message>
        <source>Exposed communication</source>
        <translation>未被掩盖的通信</translation>
    </message>
    <message>
        <source>Copies and memsets</source>
        <translation>复制和内存填充</translation>
    </message>
    <message>
        <source>Data</source>
        <translation>数据</translation>
    </message>
    <message>
        <source>Host</source>
        <translation>主机</translation>
    </message>
    <message>
        <source>Other</source>
        <translation>其他</translation>
    </message>
    <message>
        <source>Idle</source>
        <translation>空闲</translation>
    </message>
    <message>
        <source>Actions, kernels that compute, or operators</source>
        <translation>动作、执行计算的内核，或算子</translation>
    </message>
    <message>
        <source>Transfers, collectives and the exchange of replicas while the lane computes nothing</source>
        <translation>泳道没有计算时的传输、集合通信和副本之间的交换</translation>
    </message>
    <message>
        <source>Copies and memsets while nothing of the parts before runs</source>
        <translation>前面各部分都没有进行时的复制和内存填充</translation>
    </message>
    <message>
        <source>Waiting for the loader of the data</source>
        <translation>等待数据的加载器</translation>
    </message>
    <message>
        <source>Work of the host while the lane does nothing else</source>
        <translation>泳道没有做其他事情时主机的工作</translation>
    </message>
    <message>
        <source>Other recorded spans, such as evaluation</source>
        <translation>其他记录到的跨度，例如评估</translation>
    </message>
    <message>
        <source>Nothing was recorded; Idle and Gaps explains it</source>
        <translation>没有记录到任何内容；“空闲与间隙”会解释它</translation>
    </message>
    <message>
        <source>Time of all lanes by what it was spent on</source>
        <translation>所有泳道的时间，按用途划分</translation>
    </message>
    <message>
        <source>Clear &amp;Selection</source>
        <translation>清除选择(&amp;S)</translation>
    </message>
    <message>
        <source>Show the whole trace again</source>
        <translation>重新显示整份跟踪记录</translation>
    </message>
    <message>
        <source>%1 %2</source>
        <translation>%1 %2</translation>
    </message>
    <message>
        <source>%1: %2</source>
        <translation>%1：%2</translation>
    </message>
</context>
<context>
    <name>lanelab::PageView</name>
    <message>
        <source>Page</source>
        <translation>页面</translation>
    </message>
</context>
<context>
    <name>lanelab::PaletteModel</name>
    <message>
        <source>Name</source>
        <translation>名称</translation>
    </message>
    <message>
        <source>Where</source>
        <translation>位置</translation>
    </message>
    <message>
        <source>Kind</source>
        <translation>种类</translation>
    </message>
    <message>
        <source>Key</source>
        <translation>按键</translation>
    </message>
</context>
<context>
    <name>lanelab::PlacementStrip</name>
    <message>
        <source>(no change)</source>
        <translation>（没有变化）</translation>
    </message>
    <message>
        <source>(%1 less than now)</source>
        <translation>（比现在少 %1）</translation>
    </message>
    <message>
        <source>(%1 more than now)</source>
        <translation>（比现在多 %1）</translation>
    </message>
    <message>
        <source>estimated from MACs</source>
        <translation>由乘加次数估计</translation>
    </message>
    <message>
        <source>estimated from MACs, %1 too short in the shown run</source>
        <translation>由乘加次数估计，在所显示的运行中偏短 %1</translation>
    </message>
    <message>
        <source>estimated from MACs, %1 too long in the shown run</source>
        <translation>由乘加次数估计，在所显示的运行中偏长 %1</translation>
    </message>
    <message>
        <source>%1 on a busy machine</source>
        <translation>%1，机器繁忙时测得</translation>
    </message>
    <message>
        <source>from block times of %1</source>
        <translation>由 %1 的块时间得出</translation>
    </message>
    <message>
        <source>from block times of the run of %1</source>
        <translation>由运行 %1 的块时间得出</translation>
    </message>
    <message numerus="yes">
        <source>, %n empty lane(s)</source>
        <translation>
            <numerusform>，%n 个空的泳道</numerusform>
        </translation>
    </message>
    <message>
        <source>, bubble %1</source>
        <translation>，气泡 %1</translation>
    </message>
    <message>
        <source>, peak %1 on %2</source>
        <translation>，峰值 %1，在 %2 上</translation>
    </message>
    <message>
        <source>%1, %2 above its limit</source>
        <translation>%1，超过其上限 %2</translation>
    </message>
    <message>
        <source>Keep on One Lane</source>
        <translation>留在一个泳道上</translation>
    </message>
    <message>
        <source>Move the cut so that one stage has all blocks that use the parameter</source>
        <translation>请移动切分，使一个阶段包含使用该参数的所有块</translation>
    </message>
    <message>
        <source>Memory:</source>
        <translation>内存：</translation>
    </message>
    <message>
        <source>Prediction for this placement</source>
        <translation>这种放置的预测</translation>
    </message>
    <message>
        <source>Predicting the step time...</source>
        <translation>正在预测每步时间...</translation>
    </message>
    <message>
        <source>No prediction: this placement cannot run.</source>
        <translation>没有预测：这种放置无法运行。</translation>
    </message>
    <message>
        <source>%1 %2</source>
        <translation>%1 %2</translation>
    </message>
    <message>
        <source>%1 (90 % range %2)</source>
        <translation>%1（90 % 范围 %2）</translation>
    </message>
    <message>
        <source>Predicted: period %1%2%3 (%4)</source>
        <translation>预测：周期 %1%2%3 (%4)</translation>
    </message>
    <message>
        <source>Predicted: step %1%2%3 (%4)</source>
        <translation>预测：每步 %1%2%3 (%4)</translation>
    </message>
    <message>
        <source>Lanes are idle %1 of the period from step to step; the bubble is the part that the order of the actions causes.</source>
        <translation>从一步到下一步的周期中，泳道有 %1 的时间空闲；气泡是由动作顺序造成的那部分。</translation>
    </message>
    <message>
        <source>Lanes are idle %1 of the step; the bubble is the part that the order of the actions causes.</source>
        <translation>一步之中，泳道有 %1 的时间空闲；气泡是由动作顺序造成的那部分。</translation>
    </message>
    <message>
        <source>A run measures more: transfers, waits for data and actions of unequal length are not in a prediction.</source>
        <translation>实际运行测得的时间更长：传输、对数据的等待以及长短不一的动作不包括在预测中。</translation>
    </message>
    <message>
        <source>%1
The estimate assumes %2 per second and CPU thread; only its ratios are useful. Where to Cut measures the blocks.</source>
        <translation>%1
该估计假设每个 CPU 线程每秒 %2；只有各项之比可用。“在哪里切分”会测量块。</translation>
    </message>
    <message>
        <source>%1 MACs</source>
        <translation>%1 次乘加</translation>
    </message>
</context>
<context>
    <name>lanelab::PlanExportDialog</name>
    <message>
        <source>&amp;Copy</source>
        <translation>复制(&amp;C)</translation>
    </message>
    <message>
        <source>Copy the command</source>
        <translation>复制命令</translation>
    </message>
    <message>
        <source>E&amp;xport</source>
        <translation>导出(&amp;X)</translation>
    </message>
    <message>
        <source>Write the files into the folder</source>
        <translation>把文件写入该文件夹</translation>
    </message>
    <message>
        <source>Export Plan</source>
        <translation>导出计划</translation>
    </message>
    <message>
        <source>&amp;Variant</source>
        <translation>变体(&amp;V)</translation>
    </message>
    <message>
        <source>&amp;For</source>
        <translation>用于(&amp;F)</translation>
    </message>
    <message>
        <source>Files</source>
        <translation>文件</translation>
    </message>
    <message>
        <source>A new or an empty folder. Default: named after the experiment and the variant.</source>
        <translation>新文件夹或空文件夹。默认：以实验和变体命名。</translation>
    </message>
    <message>
        <source>C&amp;hoose...</source>
        <translation>选择(&amp;H)...</translation>
    </message>
    <message>
        <source>Choose a new or an empty folder</source>
        <translation>选择新文件夹或空文件夹</translation>
    </message>
    <message>
        <source>Choose folder</source>
        <translation>选择文件夹</translation>
    </message>
    <message>
        <source>Folder for the Plan</source>
        <translation>计划的文件夹</translation>
    </message>
    <message>
        <source>F&amp;older</source>
        <translation>文件夹(&amp;O)</translation>
    </message>
    <message>
        <source>Trains the plan, within the folder</source>
        <translation>在该文件夹中训练此计划</translation>
    </message>
    <message>
        <source>Copy command</source>
        <translation>复制命令</translation>
    </message>
    <message>
        <source>Co&amp;mmand</source>
        <translation>命令(&amp;M)</translation>
    </message>
    <message>
        <source>none</source>
        <translation>无</translation>
    </message>
    <message>
        <source>Python with PyTorch writes them: %1</source>
        <translation>由带有 PyTorch 的 Python 写入：%1</translation>
    </message>
    <message>
        <source>%1 is not an empty folder. Choose a new one.</source>
        <translation>%1 不是空文件夹。请选择一个新的。</translation>
    </message>
    <message>
        <source>The export was cancelled.</source>
        <translation>导出已取消。</translation>
    </message>
</context>
<context>
    <name>lanelab::PlanExports</name>
    <message>
        <source>Training &amp;Script...</source>
        <translation>训练脚本(&amp;S)...</translation>
    </message>
    <message>
        <source>A folder that trains the variant with PyTorch and torchrun</source>
        <translation>用 PyTorch 和 torchrun 训练该变体的文件夹</translation>
    </message>
    <message>
        <source>Stages as F&amp;iles...</source>
        <translation>阶段文件(&amp;I)...</translation>
    </message>
    <message>
        <source>A .pt2 and a .safetensors file for each stage of the variant</source>
        <translation>该变体的每个阶段一个 .pt2 和一个 .safetensors 文件</translation>
    </message>
    <message>
        <source>Plan for &amp;Another Framework...</source>
        <translation>用于其他框架的计划(&amp;A)...</translation>
    </message>
    <message>
        <source>The plan of the variant for torchtitan, DeepSpeed, Megatron-LM or accelerate</source>
        <translation>该变体用于 torchtitan、DeepSpeed、Megatron-LM 或 accelerate 的计划</translation>
    </message>
    <message>
        <source>Copy &amp;Plan As</source>
        <translation>复制计划为(&amp;P)</translation>
    </message>
    <message>
        <source>Copy where the variant is cut, as another framework takes it</source>
        <translation>复制该变体的切分位置，采用其他框架的格式</translation>
    </message>
    <message>
        <source>&amp;accelerate Device Map</source>
        <translation>accelerate 设备映射(&amp;A)</translation>
    </message>
    <message>
        <source>JSON for the device_map of accelerate&apos;s dispatch_model</source>
        <translation>accelerate 的 dispatch_model 的 device_map 所用的 JSON</translation>
    </message>
    <message>
        <source>&amp;torchtitan Module Lists</source>
        <translation>torchtitan 模块列表(&amp;T)</translation>
    </message>
    <message>
        <source>module_fqns_per_model_part of torchtitan&apos;s ParallelismConfig</source>
        <translation>torchtitan 的 ParallelismConfig 的 module_fqns_per_model_part</translation>
    </message>
    <message>
        <source>&amp;Megatron-LM Layout</source>
        <translation>Megatron-LM 布局(&amp;M)</translation>
    </message>
    <message>
        <source>The argument --pipeline-model-parallel-layout of Megatron-LM</source>
        <translation>Megatron-LM 的参数 --pipeline-model-parallel-layout</translation>
    </message>
    <message>
        <source>&amp;DeepSpeed Pipeline Module</source>
        <translation>DeepSpeed 流水线模块(&amp;D)</translation>
    </message>
    <message>
        <source>A subclass of DeepSpeed&apos;s PipelineModule with the cuts</source>
        <translation>带有切分的 DeepSpeed PipelineModule 子类</translation>
    </message>
    <message>
        <source>No variant is shown.</source>
        <translation>没有显示变体。</translation>
    </message>
    <message>
        <source>Not during a run.</source>
        <translation>运行期间不可用。</translation>
    </message>
    <message>
        <source>Saved. Train with %1 in %2</source>
        <translation>已保存。在 %2 中用 %1 训练</translation>
    </message>
    <message>
        <source>&amp;Copy Command</source>
        <translation>复制命令(&amp;C)</translation>
    </message>
    <message>
        <source>Copied for %1.</source>
        <translation>已复制，用于 %1。</translation>
    </message>
    <message>
        <source>Copied for %1. %2.</source>
        <translation>已复制，用于 %1。%2。</translation>
    </message>
    <message>
        <source>%1 (%2)</source>
        <translation>%1 (%2)</translation>
    </message>
</context>
<context>
    <name>lanelab::ProgressLine</name>
    <message>
        <source>step %1 of %2</source>
        <translation>步 %1/%2</translation>
    </message>
    <message>
        <source>Preparing</source>
        <translation>正在准备</translation>
    </message>
    <message>
        <source>Stopping after the action that computes now</source>
        <translation>正在计算的动作结束后停止</translation>
    </message>
</context>
<context>
    <name>lanelab::QueueButton</name>
    <message>
        <source>Show, order or remove the queued runs</source>
        <translation>显示、排序或移除排队的运行</translation>
    </message>
    <message numerus="yes">
        <source>%n queued</source>
        <translation>
            <numerusform>%n 个排队</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>lanelab::QueueDialog</name>
    <message>
        <source>Queued Runs</source>
        <translation>排队的运行</translation>
    </message>
    <message>
        <source>Each starts when the run before it has ended, also if that failed or was cancelled. The queue is in memory only: it ends with LaneLab.</source>
        <translation>每个运行在前一个运行结束后开始，即使前一个失败或被取消。队列只在内存中：LaneLab 关闭时队列随之结束。</translation>
    </message>
    <message>
        <source>Queued runs, the next one first</source>
        <translation>排队的运行，下一个在最前</translation>
    </message>
    <message>
        <source>Move &amp;Up</source>
        <translation>上移(&amp;U)</translation>
    </message>
    <message>
        <source>Start this run earlier</source>
        <translation>让这个运行更早开始</translation>
    </message>
    <message>
        <source>Move &amp;Down</source>
        <translation>下移(&amp;D)</translation>
    </message>
    <message>
        <source>Start this run later</source>
        <translation>让这个运行更晚开始</translation>
    </message>
    <message>
        <source>&amp;Remove</source>
        <translation>移除(&amp;R)</translation>
    </message>
    <message>
        <source>Remove this run from the queue</source>
        <translation>从队列中移除这个运行</translation>
    </message>
    <message>
        <source>Remove &amp;All</source>
        <translation>全部移除(&amp;A)</translation>
    </message>
    <message>
        <source>Remove all runs from the queue</source>
        <translation>从队列中移除所有运行</translation>
    </message>
</context>
<context>
    <name>lanelab::RunBookmarks</name>
    <message>
        <source>The bookmarks of this run cannot be read: %1 The file is renamed when you add another bookmark.</source>
        <translation>无法读取这个运行的书签：%1 当您再添加书签时，该文件会被重命名。</translation>
    </message>
</context>
<context>
    <name>lanelab::RunFolderActions</name>
    <message>
        <source>&amp;Add Run Folder...</source>
        <translation>添加运行文件夹(&amp;A)...</translation>
    </message>
    <message>
        <source>Re&amp;move Run Folder</source>
        <translation>移除运行文件夹(&amp;M)</translation>
    </message>
    <message>
        <source>List the runs of another folder, too</source>
        <translation>同时列出另一个文件夹中的运行</translation>
    </message>
    <message>
        <source>Do not list the runs of an added folder</source>
        <translation>不再列出所添加文件夹中的运行</translation>
    </message>
    <message>
        <source>Add Run Folder</source>
        <translation>添加运行文件夹</translation>
    </message>
    <message>
        <source>The runs of %1 are listed.</source>
        <translation>已列出 %1 中的运行。</translation>
    </message>
    <message>
        <source>The option --runs was given: only its folder counts.</source>
        <translation>已给出选项 --runs：只有它的文件夹有效。</translation>
    </message>
    <message>
        <source>Do not list the runs of %1; its files remain</source>
        <translation>不再列出 %1 中的运行；其中的文件保留</translation>
    </message>
    <message>
        <source>The runs of %1 are no longer listed. Its files remain.</source>
        <translation>%1 中的运行不再列出。其中的文件保留。</translation>
    </message>
    <message>
        <source>No run folder was added.</source>
        <translation>没有添加过运行文件夹。</translation>
    </message>
</context>
<context>
    <name>lanelab::RunStarter</name>
    <message>
        <source>&amp;Run</source>
        <translation>运行(&amp;R)</translation>
    </message>
    <message>
        <source>Train all variants and measure them</source>
        <translation>训练所有变体并测量它们</translation>
    </message>
    <message>
        <source>Run with a New &amp;Seed</source>
        <translation>用新的种子运行(&amp;S)</translation>
    </message>
    <message>
        <source>Raise the seed by one and run again</source>
        <translation>把种子加一，然后重新运行</translation>
    </message>
    <message>
        <source>&amp;Recommend Micro-Batch Size</source>
        <translation>推荐微批次大小(&amp;R)</translation>
    </message>
    <message>
        <source>Predict step time for the usual micro-batch sizes (split sizes) and measure the best three</source>
        <translation>预测常用微批次大小（拆分大小）的每步时间，并测量最好的三个</translation>
    </message>
    <message>
        <source>&amp;Measure All Micro-Batch Sizes</source>
        <translation>测量所有微批次大小(&amp;M)</translation>
    </message>
    <message>
        <source>Predict and measure step time for all of the usual micro-batch sizes</source>
        <translation>预测并测量所有常用微批次大小的每步时间</translation>
    </message>
    <message>
        <source>C&amp;heck Against a Single Device...</source>
        <translation>与单设备对照检查(&amp;H)...</translation>
    </message>
    <message>
        <source>Train each variant for a few steps and compare it with a single device, tensor by tensor</source>
        <translation>把每个变体训练若干步，并逐个张量地与单设备比较</translation>
    </message>
    <message>
        <source>&amp;Cancel</source>
        <translation>取消(&amp;C)</translation>
    </message>
    <message>
        <source>Stop after the current action; completed measurements are stored</source>
        <translation>在当前动作之后停止；已完成的测量会存储下来</translation>
    </message>
    <message>
        <source>R&amp;esume Unfinished Run</source>
        <translation>继续未完成的运行(&amp;E)</translation>
    </message>
    <message>
        <source>Continue the shown run from its last checkpoint; completed measurements are stored</source>
        <translation>从最后一个检查点继续所显示的运行；已完成的测量会存储下来</translation>
    </message>
    <message>
        <source>Not during a run.</source>
        <translation>运行期间不可用。</translation>
    </message>
    <message>
        <source>&amp;Run Next</source>
        <translation>接着运行(&amp;R)</translation>
    </message>
    <message>
        <source>Queue this experiment: it runs when the run in progress has ended</source>
        <translation>把这个实验加入队列：正在进行的运行结束后它会运行</translation>
    </message>
    <message>
        <source>The experiment has no pipeline variant.</source>
        <translation>实验没有流水线变体。</translation>
    </message>
    <message>
        <source>Stopping.</source>
        <translation>正在停止。</translation>
    </message>
    <message>
        <source>No run is in progress.</source>
        <translation>没有正在进行的运行。</translation>
    </message>
    <message>
        <source>Show an unfinished run first.</source>
        <translation>请先显示未完成的运行。</translation>
    </message>
    <message>
        <source>This cannot run yet. %1 (%2)</source>
        <translation>现在还不能运行。%1 (%2)</translation>
    </message>
    <message>
        <source>Not Enough Memory</source>
        <translation>内存不足</translation>
    </message>
    <message>
        <source>The experiment does not fit in memory.</source>
        <translation>内存放不下这个实验。</translation>
    </message>
    <message>
        <source>&amp;Run Anyway</source>
        <translation>仍然运行(&amp;R)</translation>
    </message>
    <message>
        <source>The Machine Is Busy</source>
        <translation>机器繁忙</translation>
    </message>
    <message>
        <source>Just now %1.</source>
        <translation>当前%1。</translation>
    </message>
    <message>
        <source>The lanes of this experiment would have to share cores with them, so its times would not be those of an idle machine.</source>
        <translation>这个实验的泳道将不得不与它们共用核心，因此测得的时间不会是空闲机器上的时间。</translation>
    </message>
    <message>
        <source>Run When &amp;Idle</source>
        <translation>空闲时运行(&amp;I)</translation>
    </message>
    <message>
        <source>The run waits for an idle machine: just now %1.</source>
        <translation>运行正在等待机器空闲：当前%1。</translation>
    </message>
    <message>
        <source>Run Now</source>
        <translation>立即运行</translation>
    </message>
    <message>
        <source>new seed</source>
        <translation>新种子</translation>
    </message>
    <message>
        <source>seed %1</source>
        <translation>种子 %1</translation>
    </message>
    <message>
        <source>recommended micro-batch size</source>
        <translation>推荐的微批次大小</translation>
    </message>
    <message>
        <source>all micro-batch sizes</source>
        <translation>所有微批次大小</translation>
    </message>
    <message>
        <source>Queued Run</source>
        <translation>排队的运行</translation>
    </message>
    <message>
        <source>suggestion: %1</source>
        <translation>建议：%1</translation>
    </message>
    <message>
        <source>The check has ended</source>
        <translation>检查已结束</translation>
    </message>
</context>
<context>
    <name>lanelab::RunsComparison</name>
    <message>
        <source>Both runs train the same model on the same data, so a step does the same work in both.</source>
        <translation>两个运行在相同的数据上训练相同的模型，因此一步在两者中的工作相同。</translation>
    </message>
    <message>
        <source>The runs compare per sample only: %1.</source>
        <translation>这些运行只能按样本比较：%1。</translation>
    </message>
    <message>
        <source>These runs cannot be compared: %1.</source>
        <translation>这些运行无法比较：%1。</translation>
    </message>
    <message>
        <source>Losses are not compared: the runs use different loss functions.</source>
        <translation>不比较损失：这些运行使用不同的损失函数。</translation>
    </message>
    <message>
        <source>Losses are not compared: the runs train on different data.</source>
        <translation>不比较损失：这些运行在不同的数据上训练。</translation>
    </message>
    <message>
        <source>%1: %2</source>
        <translation>%1：%2</translation>
    </message>
    <message>
        <source>not set</source>
        <translation>未设置</translation>
    </message>
    <message>
        <source>Setting</source>
        <translation>设置</translation>
    </message>
    <message>
        <source>Settings that differ</source>
        <translation>有差异的设置</translation>
    </message>
    <message>
        <source>Settings That Differ</source>
        <translation>有差异的设置</translation>
    </message>
    <message>
        <source>Compare Runs</source>
        <translation>比较运行</translation>
    </message>
</context>
<context>
    <name>lanelab::RunsFilter</name>
    <message>
        <source>Search</source>
        <translation>搜索</translation>
    </message>
    <message>
        <source>Search runs</source>
        <translation>搜索运行</translation>
    </message>
    <message>
        <source>Show runs whose name, model, strategy, tags or note contain these words</source>
        <translation>显示名称、模型、策略、标签或备注包含这些词的运行</translation>
    </message>
    <message>
        <source>Filter</source>
        <translation>筛选</translation>
    </message>
    <message>
        <source>Show runs of a status, strategy or tag, or starred runs only</source>
        <translation>显示某种状态、策略或标签的运行，或只显示加星标的运行</translation>
    </message>
    <message>
        <source>%1 of %2</source>
        <translation>%2 中的 %1</translation>
    </message>
    <message>
        <source>Starred &amp;Only</source>
        <translation>仅加星标的(&amp;O)</translation>
    </message>
    <message>
        <source>Status</source>
        <translation>状态</translation>
    </message>
    <message>
        <source>Strategy</source>
        <translation>策略</translation>
    </message>
    <message>
        <source>Tags</source>
        <translation>标签</translation>
    </message>
    <message>
        <source>&amp;Clear Filter</source>
        <translation>清除筛选(&amp;C)</translation>
    </message>
    <message>
        <source>Filter (on)</source>
        <translation>筛选（已启用）</translation>
    </message>
    <message>
        <source>Group</source>
        <translation>分组</translation>
    </message>
    <message>
        <source>Group the runs by model, strategy, tag, day or machine</source>
        <translation>按模型、策略、标签、日期或机器对运行分组</translation>
    </message>
    <message>
        <source>Grouped</source>
        <translation>已分组</translation>
    </message>
</context>
<context>
    <name>lanelab::RunsList</name>
    <message numerus="yes">
        <source>Restored %n run(s).</source>
        <translation>
            <numerusform>已恢复 %n 次运行。</numerusform>
        </translation>
    </message>
    <message>
        <source>No runs yet. Runs appear here so you can reopen, compare or delete them.</source>
        <translation>还没有运行。运行会出现在这里，供您重新打开、比较或删除。</translation>
    </message>
    <message>
        <source>No run matches the search and the filter.</source>
        <translation>没有运行符合搜索和筛选条件。</translation>
    </message>
    <message>
        <source>&amp;Open Run</source>
        <translation>打开运行(&amp;O)</translation>
    </message>
    <message>
        <source>Show the run&apos;s timeline, comparison and losses beside the open experiment</source>
        <translation>在打开的实验旁边显示该运行的时间线、比较和损失</translation>
    </message>
    <message>
        <source>Use as E&amp;xperiment</source>
        <translation>用作实验(&amp;X)</translation>
    </message>
    <message>
        <source>Edit the experiment of the run</source>
        <translation>编辑该运行的实验</translation>
    </message>
    <message>
        <source>Searc&amp;h Runs</source>
        <translation>搜索运行(&amp;H)</translation>
    </message>
    <message>
        <source>Go to the search field of the runs</source>
        <translation>转到运行的搜索框</translation>
    </message>
    <message>
        <source>Refresh R&amp;uns</source>
        <translation>刷新运行(&amp;U)</translation>
    </message>
    <message>
        <source>Read the folders of runs again</source>
        <translation>重新读取运行的各个文件夹</translation>
    </message>
    <message>
        <source>&amp;Compare Runs</source>
        <translation>比较运行(&amp;C)</translation>
    </message>
    <message>
        <source>Compare the selected runs (Ctrl+click or Shift+arrow keys select several)</source>
        <translation>比较所选的运行（Ctrl+单击或 Shift+方向键可选择多个）</translation>
    </message>
    <message>
        <source>Compare T&amp;imelines With This</source>
        <translation>与此比较时间线(&amp;I)</translation>
    </message>
    <message>
        <source>Show the run&apos;s timeline and the shown one on one axis, step by step</source>
        <translation>把该运行的时间线与所显示的时间线放在同一时间轴上，逐步对照</translation>
    </message>
    <message>
        <source>Use as &amp;Baseline</source>
        <translation>用作基线(&amp;B)</translation>
    </message>
    <message>
        <source>Show the speed-up of all runs vs this run</source>
        <translation>显示所有运行相对于该运行的加速比</translation>
    </message>
    <message>
        <source>&amp;Rename</source>
        <translation>重命名(&amp;R)</translation>
    </message>
    <message>
        <source>Rename the run</source>
        <translation>重命名该运行</translation>
    </message>
    <message>
        <source>&amp;Tags...</source>
        <translation>标签(&amp;T)...</translation>
    </message>
    <message>
        <source>Edit the tags of the selected runs</source>
        <translation>编辑所选运行的标签</translation>
    </message>
    <message>
        <source>&amp;Note...</source>
        <translation>备注(&amp;N)...</translation>
    </message>
    <message>
        <source>Edit the note on the run</source>
        <translation>编辑该运行的备注</translation>
    </message>
    <message>
        <source>&amp;Star</source>
        <translation>星标(&amp;S)</translation>
    </message>
    <message>
        <source>Star the selected runs, or remove their stars</source>
        <translation>为所选运行加星标，或移除其星标</translation>
    </message>
    <message>
        <source>Co&amp;py as Command</source>
        <translation>复制为命令(&amp;P)</translation>
    </message>
    <message>
        <source>Copy the command that repeats the run, or compares the selected runs</source>
        <translation>复制重复该运行或比较所选运行的命令</translation>
    </message>
    <message>
        <source>Share as Archi&amp;ve...</source>
        <translation>共享为归档(&amp;V)...</translation>
    </message>
    <message>
        <source>Save the run with its experiment, traces and report as one file</source>
        <translation>把该运行连同其实验、跟踪记录和报告保存为一个文件</translation>
    </message>
    <message>
        <source>Show &amp;Folder</source>
        <translation>显示文件夹(&amp;F)</translation>
    </message>
    <message>
        <source>Open the folder of the run</source>
        <translation>打开该运行的文件夹</translation>
    </message>
    <message>
        <source>&amp;Delete</source>
        <translation>删除(&amp;D)</translation>
    </message>
    <message>
        <source>Delete the selected runs; they can be restored for 30 days</source>
        <translation>删除所选的运行；30 天之内可以恢复</translation>
    </message>
    <message>
        <source>Undo Delet&amp;e</source>
        <translation>撤销删除(&amp;E)</translation>
    </message>
    <message>
        <source>Restore the runs deleted last</source>
        <translation>恢复最近删除的运行</translation>
    </message>
    <message>
        <source>Select one run first.</source>
        <translation>请先选择一个运行。</translation>
    </message>
    <message>
        <source>Select runs first.</source>
        <translation>请先选择运行。</translation>
    </message>
    <message>
        <source>A selected run cannot be read.</source>
        <translation>有一个所选的运行无法读取。</translation>
    </message>
    <message>
        <source>Select several runs that can be read first.</source>
        <translation>请先选择多个可以读取的运行。</translation>
    </message>
    <message>
        <source>No run was deleted in this session.</source>
        <translation>本次使用期间没有删除过运行。</translation>
    </message>
    <message>
        <source>Copied: %1</source>
        <translation>已复制：%1</translation>
    </message>
    <message>
        <source>Deleted %1.</source>
        <translation>已删除 %1。</translation>
    </message>
    <message numerus="yes">
        <source>Deleted %n run(s); the others are in use.</source>
        <translation>
            <numerusform>已删除 %n 次运行；其余的正在使用。</numerusform>
        </translation>
    </message>
    <message>
        <source>Overla&amp;y...</source>
        <translation>叠加(&amp;Y)...</translation>
    </message>
    <message>
        <source>Draw one metric of the selected runs in one chart</source>
        <translation>在一张图中画出所选运行的一个指标</translation>
    </message>
    <message>
        <source>Select several runs first.</source>
        <translation>请先选择多次运行。</translation>
    </message>
</context>
<context>
    <name>lanelab::RunsModel</name>
    <message>
        <source>baseline</source>
        <translation>基线</translation>
    </message>
    <message>
        <source>%1, folded</source>
        <translation>%1，已折叠</translation>
    </message>
    <message>
        <source>%1, unfolded</source>
        <translation>%1，已展开</translation>
    </message>
</context>
<context>
    <name>lanelab::RunsTable</name>
    <message>
        <source>Co&amp;lumns</source>
        <translation>列(&amp;L)</translation>
    </message>
    <message>
        <source>Runs</source>
        <translation>运行记录</translation>
    </message>
    <message>
        <source>Choose the columns of the table of runs</source>
        <translation>选择运行表格的列</translation>
    </message>
</context>
<context>
    <name>lanelab::ScheduleChoice</name>
    <message>
        <source>Schedule of the variant</source>
        <translation>该变体的调度</translation>
    </message>
    <message>
        <source>Order in which the lanes compute the micro-batches</source>
        <translation>各泳道计算微批次的顺序</translation>
    </message>
    <message>
        <source>Only a pipeline has a schedule</source>
        <translation>只有流水线才有调度</translation>
    </message>
    <message>
        <source>schedule %1</source>
        <translation>调度 %1</translation>
    </message>
</context>
<context>
    <name>lanelab::SchedulePane</name>
    <message>
        <source>In unit times: a forward, an input part and a weight part take one column, a whole backward two</source>
        <translation>以单位时间计：前向、输入部分和权重部分各占一列，完整的反向占两列</translation>
    </message>
    <message>
        <source>Split</source>
        <translation>拆分</translation>
    </message>
    <message>
        <source>Split the selected backward into input and weight part, or join them (S)</source>
        <translation>把所选的反向拆分为输入部分和权重部分，或把它们合并 (S)</translation>
    </message>
    <message>
        <source>Reset</source>
        <translation>重置</translation>
    </message>
    <message>
        <source>Restore the order of the schedule</source>
        <translation>恢复该调度的顺序</translation>
    </message>
    <message>
        <source>reset the order</source>
        <translation>重置顺序</translation>
    </message>
    <message>
        <source>Read CSV...</source>
        <translation>读取 CSV...</translation>
    </message>
    <message>
        <source>Load the order from a file with one row per lane, as the compute-only CSV of PyTorch</source>
        <translation>从每个泳道一行的文件加载顺序，与 PyTorch 的 compute-only CSV 一样</translation>
    </message>
    <message>
        <source>Read Schedule</source>
        <translation>读取调度</translation>
    </message>
    <message>
        <source>Schedule (*.csv);;All files (*)</source>
        <translation>调度 (*.csv);;所有文件 (*)</translation>
    </message>
    <message>
        <source>Write CSV...</source>
        <translation>写入 CSV...</translation>
    </message>
    <message>
        <source>Save the order to a file that PyTorch and LaneLab read</source>
        <translation>把顺序保存到 PyTorch 和 LaneLab 都能读取的文件</translation>
    </message>
    <message>
        <source>Write Schedule</source>
        <translation>写入调度</translation>
    </message>
    <message>
        <source>Schedule (*.csv)</source>
        <translation>调度 (*.csv)</translation>
    </message>
    <message>
        <source>Join</source>
        <translation>合并</translation>
    </message>
    <message>
        <source>No schedule to show. Fix the highlighted fields.</source>
        <translation>没有可显示的调度。请修正突出显示的字段。</translation>
    </message>
    <message>
        <source>Side by side</source>
        <translation>左右并排</translation>
    </message>
    <message>
        <source>One after another</source>
        <translation>上下排列</translation>
    </message>
    <message>
        <source>%1, %2</source>
        <translation>%1，%2</translation>
    </message>
    <message numerus="yes">
        <source>%n stage(s)</source>
        <translation>
            <numerusform>%n 个阶段</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n micro-batch(es)</source>
        <translation>
            <numerusform>%n 个微批次</numerusform>
        </translation>
    </message>
    <message>
        <source>%1 replicas of %2</source>
        <translation>%2 的 %1 个副本</translation>
    </message>
    <message>
        <source>%1, edited: %2, cannot run</source>
        <translation>%1，已编辑：%2，无法运行</translation>
    </message>
    <message>
        <source>%1%2: %3, lanes idle %4 % in unit times</source>
        <translation>%1%2：%3，以单位时间计泳道空闲 %4 %</translation>
    </message>
    <message>
        <source>, edited</source>
        <translation>，已编辑</translation>
    </message>
    <message>
        <source>read a schedule</source>
        <translation>读取调度</translation>
    </message>
    <message>
        <source>Schedule</source>
        <translation>调度</translation>
    </message>
</context>
<context>
    <name>lanelab::ScheduleStack</name>
    <message>
        <source>Build...</source>
        <translation>构建...</translation>
    </message>
    <message>
        <source>Build known schedules action by action, in eight levels</source>
        <translation>在八个关卡中逐个动作地构建已知的调度</translation>
    </message>
</context>
<context>
    <name>lanelab::ScheduleView</name>
    <message>
        <source>Order of the actions, one row per lane</source>
        <translation>动作的顺序，每个泳道一行</translation>
    </message>
    <message>
        <source>forward</source>
        <translation>前向</translation>
    </message>
    <message>
        <source>backward</source>
        <translation>反向</translation>
    </message>
    <message>
        <source>input part of the backward</source>
        <translation>反向的输入部分</translation>
    </message>
    <message>
        <source>weight part of the backward</source>
        <translation>反向的权重部分</translation>
    </message>
    <message>
        <source>%1 waits for %2, which is not in the plan.</source>
        <translation>%1 等待 %2，而后者不在计划中。</translation>
    </message>
    <message>
        <source>%1 waits for %2, which comes later on the same lane: move one past the other.</source>
        <translation>%1 等待 %2，而后者在同一泳道上排在后面：请把其中一个移到另一个的另一侧。</translation>
    </message>
    <message>
        <source>%1 waits for %2 on %3, which waits for what this lane does later: move one of them.</source>
        <translation>%1 等待 %3 上的 %2，而后者等待这个泳道之后所做的工作：请移动其中一个。</translation>
    </message>
    <message>
        <source>%1: %2 of micro-batch %3 on stage %4, number %5 of %6 on %7</source>
        <translation>%1：阶段 %4 上微批次 %3 的%2，%7 上 %6 个动作中的第 %5 个</translation>
    </message>
    <message>
        <source>move %1</source>
        <translation>移动%1</translation>
    </message>
    <message>
        <source>split %1</source>
        <translation>拆分 %1</translation>
    </message>
    <message>
        <source>join the parts of %1</source>
        <translation>合并 %1 的两个部分</translation>
    </message>
</context>
<context>
    <name>lanelab::SessionKeeper</name>
    <message numerus="yes">
        <source>Those of %n other window(s) are restored when LaneLab is started again.</source>
        <translation>
            <numerusform>另外 %n 个窗口中的编辑将在再次启动 LaneLab 时恢复。</numerusform>
        </translation>
    </message>
    <message>
        <source>Unsaved edits cannot be restored: %1</source>
        <translation>无法恢复未保存的编辑：%1</translation>
    </message>
    <message>
        <source>Restored unsaved edits of %1 from %2.</source>
        <translation>已恢复 %2 时对 %1 的未保存编辑。</translation>
    </message>
    <message>
        <source>Restored Edits</source>
        <translation>恢复的编辑</translation>
    </message>
    <message>
        <source>%1 cannot be read any more, so this experiment is not saved.</source>
        <translation>%1 无法再读取，因此这个实验处于未保存状态。</translation>
    </message>
    <message>
        <source>%1 was changed by another program since then; saving asks before it replaces it.</source>
        <translation>此后 %1 已被另一个程序更改；保存时会先询问是否替换它。</translation>
    </message>
    <message>
        <source>Show &amp;Differences</source>
        <translation>显示差异(&amp;D)</translation>
    </message>
    <message>
        <source>&amp;Discard</source>
        <translation>放弃(&amp;D)</translation>
    </message>
</context>
<context>
    <name>lanelab::SetUpPage</name>
    <message>
        <source>&amp;Install PyTorch</source>
        <translation>安装 PyTorch(&amp;I)</translation>
    </message>
    <message>
        <source>Download PyTorch and its libraries and install them for you alone</source>
        <translation>下载 PyTorch 及其库，仅为您安装</translation>
    </message>
    <message>
        <source>Set Up LaneLab</source>
        <translation>设置 LaneLab</translation>
    </message>
    <message>
        <source>LaneLab needs PyTorch</source>
        <translation>LaneLab 需要 PyTorch</translation>
    </message>
    <message>
        <source>LaneLab trains with PyTorch, which was not found. It can be installed for you now, without changing the system: 2.4 GB are downloaded, and 4.3 GB are used in lanelab/python of your data folder.

If you have a Python environment with PyTorch, set the variable LANELAB_TORCH_ROOT to it and start LaneLab again.</source>
        <translation>LaneLab 使用 PyTorch 训练，但未找到它。现在可以为您安装，不会改动系统：下载 2.4 GB，在您数据文件夹的 lanelab/python 中占用 4.3 GB。

如果您已有带 PyTorch 的 Python 环境，请把变量 LANELAB_TORCH_ROOT 设为它的路径，然后重新启动 LaneLab。</translation>
    </message>
    <message>
        <source>%1 cannot be started: %2. Install LaneLab again.</source>
        <translation>无法启动 %1：%2。请重新安装 LaneLab。</translation>
    </message>
    <message>
        <source>Starting</source>
        <translation>正在启动</translation>
    </message>
    <message>
        <source>Cancelling</source>
        <translation>正在取消</translation>
    </message>
    <message>
        <source>The installation was cancelled.</source>
        <translation>安装已取消。</translation>
    </message>
    <message>
        <source>PyTorch: %1 of %2 packages</source>
        <translation>PyTorch：%1 / %2 个软件包</translation>
    </message>
</context>
<context>
    <name>lanelab::SettingField</name>
    <message>
        <source>Choose...</source>
        <translation>选择...</translation>
    </message>
    <message>
        <source>Choose a folder</source>
        <translation>选择文件夹</translation>
    </message>
    <message>
        <source>Choose a folder: %1</source>
        <translation>选择文件夹：%1</translation>
    </message>
    <message>
        <source>Takes effect when LaneLab is started again.</source>
        <translation>再次启动 LaneLab 时生效。</translation>
    </message>
    <message>
        <source>Reset %1</source>
        <translation>重置 %1</translation>
    </message>
    <message>
        <source>Reset to the default</source>
        <translation>重置为默认值</translation>
    </message>
    <message>
        <source>%1.</source>
        <translation>%1。</translation>
    </message>
    <message>
        <source>%1 was set, too: %2.</source>
        <translation>同时设置了%1：%2。</translation>
    </message>
</context>
<context>
    <name>lanelab::SettingsDialog</name>
    <message>
        <source>Settings</source>
        <translation>设置</translation>
    </message>
    <message>
        <source>Find a setting</source>
        <translation>查找设置</translation>
    </message>
    <message>
        <source>Find a setting or a command</source>
        <translation>查找设置或命令</translation>
    </message>
    <message>
        <source>Settings and keys</source>
        <translation>设置和按键</translation>
    </message>
    <message>
        <source>&amp;Settings</source>
        <translation>设置(&amp;S)</translation>
    </message>
    <message>
        <source>&amp;Keys</source>
        <translation>按键(&amp;K)</translation>
    </message>
    <message>
        <source>No setting has these words. The tab Keys may have a command.</source>
        <translation>没有设置包含这些词。“按键”选项卡中也许有这样的命令。</translation>
    </message>
</context>
<context>
    <name>lanelab::SplitSizeControl</name>
    <message>
        <source>Micro-batch size (split size), slider</source>
        <translation>微批次大小（拆分大小），滑块</translation>
    </message>
    <message>
        <source>Micro-batch size (split size), samples per micro-batch</source>
        <translation>微批次大小（拆分大小），每个微批次的样本数</translation>
    </message>
    <message>
        <source>Micro-batch size (split size): samples per micro-batch; the last one may be smaller</source>
        <translation>微批次大小（拆分大小）：每个微批次的样本数；最后一个微批次可能较小</translation>
    </message>
    <message>
        <source>%1 per replica</source>
        <translation>每个副本 %1</translation>
    </message>
    <message>
        <source>must be at least 1</source>
        <translation>必须至少为 1</translation>
    </message>
    <message>
        <source>above the %1 of a replica</source>
        <translation>超过每个副本的 %1</translation>
    </message>
    <message>
        <source>above the batch of %1</source>
        <translation>超过批次的 %1</translation>
    </message>
    <message>
        <source>Split size</source>
        <translation>拆分大小</translation>
    </message>
</context>
<context>
    <name>lanelab::StageSummary</name>
    <message>
        <source>Stage</source>
        <translation>阶段</translation>
    </message>
    <message>
        <source>Lane</source>
        <translation>泳道</translation>
    </message>
    <message>
        <source>Blocks</source>
        <translation>块</translation>
    </message>
    <message>
        <source>Parameters</source>
        <translation>参数</translation>
    </message>
    <message>
        <source>MACs (%)</source>
        <translation>乘加次数 (%)</translation>
    </message>
    <message>
        <source>Memory</source>
        <translation>内存</translation>
    </message>
    <message>
        <source>Sends</source>
        <translation>发送</translation>
    </message>
    <message>
        <source>Stages of the placement</source>
        <translation>该放置的各阶段</translation>
    </message>
    <message>
        <source>Parameters, and activations of one micro-batch stored for the backward</source>
        <translation>参数，以及一个微批次为反向保存的激活值</translation>
    </message>
    <message>
        <source>Bytes per micro-batch to the next stage</source>
        <translation>每个微批次发送到下一个阶段的字节数</translation>
    </message>
    <message numerus="yes">
        <source>%n stage(s)</source>
        <translation>
            <numerusform>%n 个阶段</numerusform>
        </translation>
    </message>
    <message>
        <source>%1 replicas of %2</source>
        <translation>%2 的 %1 个副本</translation>
    </message>
    <message>
        <source>%1, %2 samples per micro-batch</source>
        <translation>%1，每个微批次 %2 个样本</translation>
    </message>
    <message>
        <source>nothing</source>
        <translation>无</translation>
    </message>
    <message>
        <source>%1 ... %2</source>
        <translation>%1 ... %2</translation>
    </message>
    <message>
        <source>%1, if dropped here</source>
        <translation>%1（如在此放下）</translation>
    </message>
</context>
<context>
    <name>lanelab::StatisticsPane</name>
    <message>
        <source>Statistics of the spans of a run or of an open trace appear here.</source>
        <translation>运行或打开的跟踪记录的跨度统计出现在这里。</translation>
    </message>
    <message>
        <source>Groups of spans</source>
        <translation>跨度的组</translation>
    </message>
    <message>
        <source>Spans</source>
        <translation>跨度</translation>
    </message>
    <message>
        <source>View of the statistics</source>
        <translation>统计的视图</translation>
    </message>
    <message>
        <source>Groups</source>
        <translation>分组</translation>
    </message>
    <message>
        <source>Events</source>
        <translation>事件</translation>
    </message>
    <message>
        <source>Count and times of the spans of each group</source>
        <translation>每组跨度的数量和时间</translation>
    </message>
    <message>
        <source>The spans themselves, of the chosen group or all</source>
        <translation>跨度本身，属于所选的组或全部</translation>
    </message>
    <message>
        <source>What spans are grouped by. Module: what contains a block, or nn.Module of PyTorch&apos;s profiler.
Operation: forward, backward and update, transfers, and categories of all else.</source>
        <translation>跨度的分组依据。模块：包含某个块的部分，或 PyTorch 性能分析器的 nn.Module。
操作：前向、反向和更新，传输，以及其余内容的类别。</translation>
    </message>
    <message>
        <source>Filter by name</source>
        <translation>按名称筛选</translation>
    </message>
    <message>
        <source>Filter: conv, layer3, nccl ...</source>
        <translation>筛选：conv、layer3、nccl ...</translation>
    </message>
    <message>
        <source>&amp;Group by:</source>
        <translation>分组依据(&amp;G)：</translation>
    </message>
    <message>
        <source>Statistics</source>
        <translation>统计</translation>
    </message>
    <message>
        <source>Selected range %1</source>
        <translation>所选范围 %1</translation>
    </message>
    <message>
        <source>All of the trace, %1</source>
        <translation>整份跟踪记录，%1</translation>
    </message>
    <message numerus="yes">
        <source>%n span(s)</source>
        <translation>
            <numerusform>%n 个跨度</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n group(s)</source>
        <translation>
            <numerusform>%n 个组</numerusform>
        </translation>
    </message>
    <message>
        <source>%1 of %2</source>
        <translation>%2 中的 %1</translation>
    </message>
    <message>
        <source>&amp;Only the selected span</source>
        <translation>仅所选的跨度(&amp;O)</translation>
    </message>
    <message>
        <source>Flame Graph</source>
        <translation>火焰图</translation>
    </message>
    <message>
        <source>Nested spans by their names, as wide as their time: a click goes to the longest, Esc back</source>
        <translation>按名称汇总的嵌套跨度，宽度即时间：单击转到最长的一个，Esc 返回</translation>
    </message>
    <message>
        <source>The flame graph within the span that is selected on the timeline, such as one action</source>
        <translation>时间线上所选跨度（例如一个动作）之内的火焰图</translation>
    </message>
    <message>
        <source>No span is selected: all of them, %1</source>
        <translation>没有选择跨度：显示全部，%1</translation>
    </message>
    <message>
        <source>Time of all spans: %1</source>
        <translation>所有跨度的时间：%1</translation>
    </message>
    <message>
        <source>Of all rows of all lanes together, so that it may be more than the time of the trace</source>
        <translation>所有泳道所有行的总和，因此可能超过跟踪记录的时间</translation>
    </message>
</context>
<context>
    <name>lanelab::SuggestionPresenter</name>
    <message>
        <source>Recording: %1 % of a step</source>
        <translation>记录：占一步的 %1 %</translation>
    </message>
    <message>
        <source>Cost of recording this trace, measured by steps with and without it: %1.</source>
        <translation>记录这份跟踪的开销，通过记录和不记录的步测得：%1。</translation>
    </message>
    <message>
        <source>%1 (From times of a busy machine.)</source>
        <translation>%1（由繁忙机器上的时间得出。）</translation>
    </message>
</context>
<context>
    <name>lanelab::SuggestionStrip</name>
    <message>
        <source>Run Suggested Fix</source>
        <translation>运行建议的改进</translation>
    </message>
    <message>
        <source>Add the suggested variant to the experiment and run it beside the current one (Ctrl+Shift+M)</source>
        <translation>把建议的变体添加到实验，并与当前的变体一起运行 (Ctrl+Shift+M)</translation>
    </message>
    <message>
        <source>Try Micro-Batch Sizes</source>
        <translation>尝试微批次大小</translation>
    </message>
    <message>
        <source>Predict the step times of other micro-batch sizes, then measure the best three</source>
        <translation>预测其他微批次大小的每步时间，然后测量最好的三个</translation>
    </message>
    <message>
        <source>What If...</source>
        <translation>假设分析...</translation>
    </message>
    <message>
        <source>Re-simulate these steps with a faster or slower stage, block or link (Ctrl+Shift+I)</source>
        <translation>以更快或更慢的阶段、块或链路重新模拟这些步 (Ctrl+Shift+I)</translation>
    </message>
    <message>
        <source>Bubble: %1 of total, %2 of ideal</source>
        <translation>气泡：占总时间 %1，占理想时间 %2</translation>
    </message>
    <message>
        <source>Fill and drain: the idle time that the order of the actions costs.
Of total: over the lanes&apos; step time, as in the tables of zero bubble (Qi et al. 2023); (p-1)/(m+p-1) for p equal stages and m micro-batches.
Of ideal: over their busy time, as in Megatron-LM (Narayanan et al. 2021); (p-1)/m.</source>
        <translation>填充和排空：动作的顺序所带来的空闲时间。
占总时间：与各泳道的每步时间之比，与 zero bubble 论文的表格相同 (Qi et al. 2023)；对 p 个相等的阶段和 m 个微批次为 (p-1)/(m+p-1)。
占理想时间：与各泳道的忙碌时间之比，与 Megatron-LM 相同 (Narayanan et al. 2021)；为 (p-1)/m。</translation>
    </message>
    <message>
        <source>%1: %2</source>
        <translation>%1：%2</translation>
    </message>
    <message>
        <source>lane %1</source>
        <translation>泳道 %1</translation>
    </message>
    <message>
        <source>Utilization: %1</source>
        <translation>利用率：%1</translation>
    </message>
    <message>
        <source>Busy time of all lanes over their step time.</source>
        <translation>所有泳道的忙碌时间与其每步时间之比。</translation>
    </message>
    <message>
        <source>Critical path: %1</source>
        <translation>关键路径：%1</translation>
    </message>
    <message>
        <source>The chain of actions, transfers and waits that determines the step time. Only what is on it can make the step shorter.</source>
        <translation>决定每步时间的动作、传输和等待的链条。只有缩短其上的内容，每步时间才会变短。</translation>
    </message>
</context>
<context>
    <name>lanelab::SweepView</name>
    <message>
        <source>Step time by micro-batch size, predicted from measured block times; nothing was trained.</source>
        <translation>各微批次大小的每步时间，由实测的块时间预测；没有进行训练。</translation>
    </message>
    <message>
        <source>no error bars</source>
        <translation>没有误差线</translation>
    </message>
    <message>
        <source>bars: 95 % CI of the mean</source>
        <translation>误差线：平均值的 95 % 置信区间</translation>
    </message>
    <message>
        <source>bars: one standard deviation to each side</source>
        <translation>误差线：两侧各一个标准差</translation>
    </message>
    <message>
        <source>Points: measured, median step of %1 (%2).</source>
        <translation>点：实测，%1 的中位步 (%2)。</translation>
    </message>
    <message>
        <source>Line: predicted from block times.</source>
        <translation>线：由块时间预测。</translation>
    </message>
    <message>
        <source>Step time by micro-batch size, predicted and measured</source>
        <translation>各微批次大小的每步时间，预测和实测</translation>
    </message>
    <message>
        <source>Set the micro-batch size of the pipeline to the fastest one</source>
        <translation>把流水线的微批次大小设置为最快的那个</translation>
    </message>
    <message>
        <source>Recommend</source>
        <translation>推荐</translation>
    </message>
    <message>
        <source>Predict the usual micro-batch sizes and measure the best three</source>
        <translation>预测常用的微批次大小，并测量最好的三个</translation>
    </message>
    <message>
        <source>Measure All</source>
        <translation>全部测量</translation>
    </message>
    <message>
        <source>Predict and measure all of the usual micro-batch sizes</source>
        <translation>预测并测量所有常用的微批次大小</translation>
    </message>
    <message>
        <source>Use %1</source>
        <translation>使用 %1</translation>
    </message>
    <message>
        <source>Find the fastest micro-batch size: Recommend predicts step times for the usual sizes from recorded block times, then measures the best three and the present one.</source>
        <translation>找出最快的微批次大小：“推荐”由记录的块时间预测常用大小的每步时间，然后测量最好的三个以及当前的大小。</translation>
    </message>
    <message>
        <source>Micro-Batch Sizes</source>
        <translation>微批次大小</translation>
    </message>
    <message numerus="yes">
        <source>%n repeat(s)</source>
        <translation>
            <numerusform>%n 次重复</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>lanelab::TimelineActions</name>
    <message>
        <source>&amp;Fit Timeline</source>
        <translation>适合时间线(&amp;F)</translation>
    </message>
    <message>
        <source>Show all of the timeline</source>
        <translation>显示整条时间线</translation>
    </message>
    <message>
        <source>&amp;Zoom to Selection</source>
        <translation>缩放到选区(&amp;Z)</translation>
    </message>
    <message>
        <source>Zoom the timeline to its selected range</source>
        <translation>把时间线缩放到其所选范围</translation>
    </message>
    <message>
        <source>Clear &amp;Selection</source>
        <translation>清除选择(&amp;S)</translation>
    </message>
    <message>
        <source>Clear the selected range: Idle and Gaps, Statistics and exports are of the whole trace again</source>
        <translation>清除所选范围：“空闲与间隙”、“统计”和导出重新针对整份跟踪记录</translation>
    </message>
    <message>
        <source>Zoom Bac&amp;k</source>
        <translation>缩放后退(&amp;K)</translation>
    </message>
    <message>
        <source>Go back to the previous range</source>
        <translation>回到之前的范围</translation>
    </message>
    <message>
        <source>&amp;Next Step</source>
        <translation>下一步(&amp;N)</translation>
    </message>
    <message>
        <source>Show the next step on the timeline</source>
        <translation>在时间线上显示下一步</translation>
    </message>
    <message>
        <source>Pre&amp;vious Step</source>
        <translation>上一步(&amp;V)</translation>
    </message>
    <message>
        <source>Show the step before on the timeline</source>
        <translation>在时间线上显示前一步</translation>
    </message>
    <message>
        <source>Next Idle &amp;Gap</source>
        <translation>下一个空闲间隙(&amp;G)</translation>
    </message>
    <message>
        <source>Select the next idle gap on the timeline, and say why</source>
        <translation>选择时间线上的下一个空闲间隙，并说明原因</translation>
    </message>
    <message>
        <source>Show Action Deta&amp;ils</source>
        <translation>显示动作的细节(&amp;I)</translation>
    </message>
    <message>
        <source>Show blocks, operators and host threads as rows of their own</source>
        <translation>把块、算子和主机线程显示为单独的行</translation>
    </message>
    <message>
        <source>Timeline R&amp;ows</source>
        <translation>时间线行(&amp;O)</translation>
    </message>
    <message>
        <source>&amp;Blocks</source>
        <translation>块(&amp;B)</translation>
    </message>
    <message>
        <source>Rows of the blocks inside each action</source>
        <translation>每个动作内各个块的行</translation>
    </message>
    <message>
        <source>&amp;Operators</source>
        <translation>算子(&amp;O)</translation>
    </message>
    <message>
        <source>Rows of the operators inside each action, where they were recorded</source>
        <translation>每个动作内各个算子的行（如有记录）</translation>
    </message>
    <message>
        <source>&amp;Transfers</source>
        <translation>传输(&amp;T)</translation>
    </message>
    <message>
        <source>A row of what each lane sends</source>
        <translation>每个泳道所发送内容的一行</translation>
    </message>
    <message>
        <source>&amp;Exchange of Replicas</source>
        <translation>副本的交换(&amp;E)</translation>
    </message>
    <message>
        <source>A row of what replicas of the model send each other and wait for: weights, outputs, gradients</source>
        <translation>模型各副本相互发送和等待的内容的一行：权重、输出、梯度</translation>
    </message>
    <message>
        <source>&amp;Host Threads</source>
        <translation>主机线程(&amp;H)</translation>
    </message>
    <message>
        <source>Rows of what each lane&apos;s host does, and of the threads of other programs</source>
        <translation>每个泳道的主机所做工作的行，以及其他程序的线程的行</translation>
    </message>
    <message>
        <source>&amp;Streams</source>
        <translation>流(&amp;S)</translation>
    </message>
    <message>
        <source>Rows of kernels and copies, a stream each</source>
        <translation>内核和复制的行，每个流一行</translation>
    </message>
    <message>
        <source>Cou&amp;nters</source>
        <translation>计数器(&amp;N)</translation>
    </message>
    <message>
        <source>Charts of utilisation, bubble, memory and loss below the lanes</source>
        <translation>泳道下方利用率、气泡、内存和损失的图表</translation>
    </message>
    <message>
        <source>Pred&amp;icted Actions</source>
        <translation>预测的动作(&amp;I)</translation>
    </message>
    <message>
        <source>A row of outlines where each action was expected, if its blocks were measured</source>
        <translation>每个动作预期位置的轮廓的一行（如果测量了它的块）</translation>
    </message>
    <message>
        <source>Idle Ti&amp;me</source>
        <translation>空闲时间(&amp;M)</translation>
    </message>
    <message>
        <source>Hatching and causes of the idle time between actions</source>
        <translation>动作之间空闲时间的阴影线和原因</translation>
    </message>
    <message>
        <source>&amp;Collapse or Expand Lane</source>
        <translation>折叠或展开泳道(&amp;C)</translation>
    </message>
    <message>
        <source>Collapse or expand the selected lane</source>
        <translation>折叠或展开所选的泳道</translation>
    </message>
    <message>
        <source>Collapse or Expand &amp;Replica</source>
        <translation>折叠或展开副本(&amp;R)</translation>
    </message>
    <message>
        <source>Collapse or expand all lanes of the selected lane&apos;s replica</source>
        <translation>折叠或展开所选泳道所属副本的所有泳道</translation>
    </message>
    <message>
        <source>&amp;Pin or Unpin Lane</source>
        <translation>固定或取消固定泳道(&amp;P)</translation>
    </message>
    <message>
        <source>Hold the selected lane at the top while the others scroll</source>
        <translation>其他泳道滚动时，把所选的泳道保持在顶部</translation>
    </message>
    <message>
        <source>Move Lane &amp;Up</source>
        <translation>上移泳道(&amp;U)</translation>
    </message>
    <message>
        <source>Move the timeline&apos;s current lane up</source>
        <translation>上移时间线的当前泳道</translation>
    </message>
    <message>
        <source>Move Lane &amp;Down</source>
        <translation>下移泳道(&amp;D)</translation>
    </message>
    <message>
        <source>Move the timeline&apos;s current lane down</source>
        <translation>下移时间线的当前泳道</translation>
    </message>
    <message>
        <source>Collapse &amp;All Lanes</source>
        <translation>折叠所有泳道(&amp;A)</translation>
    </message>
    <message>
        <source>Collapse all lanes of the timeline</source>
        <translation>折叠时间线的所有泳道</translation>
    </message>
    <message>
        <source>E&amp;xpand All Lanes</source>
        <translation>展开所有泳道(&amp;X)</translation>
    </message>
    <message>
        <source>Show all rows of all lanes of the timeline</source>
        <translation>显示时间线所有泳道的所有行</translation>
    </message>
    <message>
        <source>Reset &amp;Lane Order</source>
        <translation>重置泳道顺序(&amp;L)</translation>
    </message>
    <message>
        <source>Undo moving, pinning and collapsing lanes</source>
        <translation>撤销对泳道的移动、固定和折叠</translation>
    </message>
    <message>
        <source>Time&amp;line</source>
        <translation>时间线(&amp;L)</translation>
    </message>
    <message>
        <source>Follow R&amp;unning Variant</source>
        <translation>跟随正在运行的变体(&amp;U)</translation>
    </message>
    <message>
        <source>During a run, show the variant that is running; when off, the one whose tab is chosen</source>
        <translation>运行期间显示正在运行的变体；关闭时，显示所选选项卡的变体</translation>
    </message>
    <message>
        <source>&amp;Find...</source>
        <translation>查找(&amp;F)...</translation>
    </message>
    <message>
        <source>Find spans of the timeline by name, block, action or micro-batch</source>
        <translation>按名称、块、动作或微批次查找时间线的跨度</translation>
    </message>
    <message>
        <source>Find &amp;Next</source>
        <translation>查找下一个(&amp;N)</translation>
    </message>
    <message>
        <source>Go to the next span that was found</source>
        <translation>转到找到的下一个跨度</translation>
    </message>
    <message>
        <source>Find &amp;Previous</source>
        <translation>查找上一个(&amp;P)</translation>
    </message>
    <message>
        <source>Go to the span that was found before this one</source>
        <translation>转到找到的上一个跨度</translation>
    </message>
    <message>
        <source>&amp;Go to Dependency</source>
        <translation>转到依赖项(&amp;G)</translation>
    </message>
    <message>
        <source>From the current span to the one whose result it uses ([ on the timeline)</source>
        <translation>从当前跨度转到它所使用结果的来源（在时间线上按 [）</translation>
    </message>
    <message>
        <source>Go to D&amp;ependent</source>
        <translation>转到依赖它的跨度(&amp;E)</translation>
    </message>
    <message>
        <source>From the current span to the one that uses its result (] on the timeline)</source>
        <translation>从当前跨度转到使用其结果的跨度（在时间线上按 ]）</translation>
    </message>
    <message>
        <source>&amp;Critical Path</source>
        <translation>关键路径(&amp;C)</translation>
    </message>
    <message>
        <source>Draw the chain of actions, transfers and waits that the step time depends on</source>
        <translation>画出每步时间所依赖的动作、传输和等待的链条</translation>
    </message>
    <message>
        <source>Add &amp;Bookmark</source>
        <translation>添加书签(&amp;B)</translation>
    </message>
    <message>
        <source>Bookmark the selected range</source>
        <translation>为所选范围添加书签</translation>
    </message>
    <message>
        <source>Book&amp;marks...</source>
        <translation>书签(&amp;M)...</translation>
    </message>
    <message>
        <source>Go to bookmarked ranges, rename, delete or export them</source>
        <translation>转到加了书签的范围，重命名、删除或导出它们</translation>
    </message>
    <message>
        <source>Compare Timelines Wit&amp;h</source>
        <translation>比较时间线(&amp;H)</translation>
    </message>
    <message>
        <source>Compare Timelines With Another &amp;Run...</source>
        <translation>与另一个运行比较时间线(&amp;R)...</translation>
    </message>
    <message>
        <source>Put another run&apos;s timeline on one axis with this one, step by step</source>
        <translation>把另一个运行的时间线与这条时间线放在同一时间轴上，逐步对照</translation>
    </message>
    <message>
        <source>St&amp;op Comparing</source>
        <translation>停止比较(&amp;O)</translation>
    </message>
    <message>
        <source>Remove the second timeline</source>
        <translation>移除第二条时间线</translation>
    </message>
    <message>
        <source>&amp;Differences</source>
        <translation>差异(&amp;D)</translation>
    </message>
    <message>
        <source>Tint each action by how much slower or faster it was than in the other run, or than predicted</source>
        <translation>按每个动作比在另一个运行中或比预测慢多少或快多少来着色</translation>
    </message>
    <message>
        <source>No timeline is shown.</source>
        <translation>没有显示时间线。</translation>
    </message>
    <message>
        <source>Find spans first.</source>
        <translation>请先查找跨度。</translation>
    </message>
    <message>
        <source>Select a range first: drag in the timeline.</source>
        <translation>请先选择范围：在时间线中拖动。</translation>
    </message>
    <message>
        <source>Select a range of a run&apos;s timeline first.</source>
        <translation>请先选择运行的时间线的一个范围。</translation>
    </message>
    <message>
        <source>Show the timeline of a run first.</source>
        <translation>请先显示运行的时间线。</translation>
    </message>
    <message>
        <source>One timeline is shown.</source>
        <translation>显示了一条时间线。</translation>
    </message>
    <message>
        <source>Nothing to compare with: no prediction, and no other run with equal micro-batches.</source>
        <translation>没有可比较的内容：没有预测，也没有微批次相同的其他运行。</translation>
    </message>
    <message>
        <source>O&amp;verview of the Trace</source>
        <translation>跟踪记录概览(&amp;V)</translation>
    </message>
    <message>
        <source>A strip with all of the trace above the time axis (mini-map), where the window is high enough</source>
        <translation>时间轴上方显示整份跟踪记录的一条（小地图），在窗口足够高时显示</translation>
    </message>
</context>
<context>
    <name>lanelab::TimelineBookmarks</name>
    <message>
        <source>Bookmark “%1” added. Ctrl+Shift+B lists all bookmarks.</source>
        <translation>已添加书签“%1”。按 Ctrl+Shift+B 列出所有书签。</translation>
    </message>
    <message>
        <source>%1 has no timeline.</source>
        <translation>%1 没有时间线。</translation>
    </message>
</context>
<context>
    <name>lanelab::TimelineChanges</name>
    <message>
        <source>all %1 of stage %2</source>
        <translation>阶段 %2 的所有 %1</translation>
    </message>
    <message>
        <source>%1 of stage %2</source>
        <translation>阶段 %2 的 %1</translation>
    </message>
    <message>
        <source>stage %1 on %2</source>
        <translation>阶段 %1 在 %2 上</translation>
    </message>
    <message>
        <source>Stage %1: %2</source>
        <translation>阶段 %1：%2</translation>
    </message>
    <message>
        <source>as long as before</source>
        <translation>与之前一样长</translation>
    </message>
    <message>
        <source>%1 shorter</source>
        <translation>缩短 %1</translation>
    </message>
    <message>
        <source>%1 longer</source>
        <translation>延长 %1</translation>
    </message>
    <message>
        <source>Step %1</source>
        <translation>第 %1 步</translation>
    </message>
    <message>
        <source>Mean step</source>
        <translation>平均步</translation>
    </message>
    <message>
        <source>All lanes idle as before</source>
        <translation>所有泳道的空闲与之前相同</translation>
    </message>
    <message>
        <source>%1 idle %2</source>
        <translation>%1 空闲 %2</translation>
    </message>
    <message>
        <source>Critical path still mostly through %1 (%2)</source>
        <translation>关键路径仍主要经过 %1 (%2)</translation>
    </message>
    <message>
        <source>Critical path now mostly through %1 (%2)</source>
        <translation>关键路径现在主要经过 %1 (%2)</translation>
    </message>
    <message>
        <source>%1 %2</source>
        <translation>%1 %2</translation>
    </message>
    <message>
        <source>Idle mostly by: %1</source>
        <translation>空闲的主要原因：%1</translation>
    </message>
    <message>
        <source>transfer of %1</source>
        <translation>%1 的传输</translation>
    </message>
    <message>
        <source>%1, step %2</source>
        <translation>%1，第 %2 步</translation>
    </message>
    <message numerus="yes">
        <source>With %n other change(s)</source>
        <translation>
            <numerusform>连同另外 %n 处更改</numerusform>
        </translation>
    </message>
    <message>
        <source>Alt: pull an edge to change how long the %1 takes, with Shift the %2</source>
        <translation>Alt：拉动边缘可改变 %1 的用时，加 Shift 则改变 %2</translation>
    </message>
    <message>
        <source>Alt: pull an edge to change how long %1 takes, with Shift %2; drag it up or down to move stage %3 to another lane</source>
        <translation>Alt：拉动边缘可改变 %1 的用时，加 Shift 则改变 %2；上下拖动可把阶段 %3 移到另一个泳道</translation>
    </message>
    <message>
        <source>There is no timeline yet.</source>
        <translation>还没有时间线。</translation>
    </message>
    <message>
        <source>Two runs are on one axis. Stop comparing, then change the actions of one.</source>
        <translation>两个运行在同一时间轴上。请停止比较，然后更改其中一个的动作。</translation>
    </message>
    <message>
        <source>The run is in progress. Its actions can be changed when it has ended.</source>
        <translation>运行正在进行。运行结束后可以更改它的动作。</translation>
    </message>
    <message>
        <source>These actions are predicted. Only measured ones can be changed.</source>
        <translation>这些动作是预测的。只有实测的动作可以更改。</translation>
    </message>
    <message>
        <source>These steps are replayed already. Reset What If, then change the measured ones.</source>
        <translation>这些步已经是重放的。请重置假设分析，然后更改实测的步。</translation>
    </message>
    <message>
        <source>This trace does not say which span waits for which, so nothing follows from a change.</source>
        <translation>这份跟踪记录没有说明哪个跨度等待哪个跨度，因此无法推断更改的结果。</translation>
    </message>
    <message>
        <source>Only actions and transfers can be changed: F, B, I, W and U of a stage.</source>
        <translation>只能更改动作和传输：阶段的 F、B、I、W 和 U。</translation>
    </message>
    <message>
        <source>The trace does not name stage and step of this action, so nothing follows from a change.</source>
        <translation>跟踪记录没有给出这个动作的阶段和步，因此无法推断更改的结果。</translation>
    </message>
    <message>
        <source>A transfer stays between its two lanes. Move one of the stages.</source>
        <translation>传输只能在它的两个泳道之间。请移动其中一个阶段。</translation>
    </message>
    <message>
        <source>Replicas are cut alike, so a stage of one cannot go to another lane.</source>
        <translation>各副本的切分相同，因此一个副本的阶段不能移到另一个泳道。</translation>
    </message>
</context>
<context>
    <name>lanelab::TimelineComparison</name>
    <message>
        <source>Micro-batches differ: %1 and %2 samples, so actions are not compared</source>
        <translation>微批次不同：%1 和 %2 个样本，因此不比较动作</translation>
    </message>
    <message>
        <source>%1; steps of B %2</source>
        <translation>%1；B 的步 %2</translation>
    </message>
    <message>
        <source>no matching actions</source>
        <translation>没有对应的动作</translation>
    </message>
    <message numerus="yes">
        <source>%n matching action(s)</source>
        <translation>
            <numerusform>%n 个对应的动作</numerusform>
        </translation>
    </message>
    <message>
        <source>%1: B %2 in total</source>
        <translation>%1：B 总计 %2</translation>
    </message>
    <message>
        <source>; %1 only in A</source>
        <translation>；%1 个只在 A 中</translation>
    </message>
    <message>
        <source>; %1 only in B</source>
        <translation>；%1 个只在 B 中</translation>
    </message>
    <message>
        <source>In the selected range: %1</source>
        <translation>在所选范围内：%1</translation>
    </message>
    <message>
        <source>No matching actions</source>
        <translation>没有对应的动作</translation>
    </message>
    <message>
        <source>%1. %2.</source>
        <translation>%1。%2。</translation>
    </message>
    <message>
        <source>%1 of %2</source>
        <translation>%2 中的 %1</translation>
    </message>
    <message>
        <source>%1 has no timeline. Choose a run that recorded one.</source>
        <translation>%1 没有时间线。请选择记录了时间线的运行。</translation>
    </message>
    <message>
        <source>Show the timeline of %1 below this one, step by step</source>
        <translation>在这条时间线下方显示 %1 的时间线，逐步对照</translation>
    </message>
    <message>
        <source>No other variant of this run has a timeline</source>
        <translation>这个运行没有其他变体有时间线</translation>
    </message>
    <message>
        <source>Variants of the shown run are listed here</source>
        <translation>所显示运行的变体列在这里</translation>
    </message>
    <message>
        <source>Compare Timelines With the Run in</source>
        <translation>与以下文件夹中的运行比较时间线</translation>
    </message>
    <message>
        <source>Show a run first, then choose the one to compare it with.</source>
        <translation>请先显示一个运行，然后选择与之比较的运行。</translation>
    </message>
    <message>
        <source>A: %1, B: %2</source>
        <translation>A：%1，B：%2</translation>
    </message>
</context>
<context>
    <name>lanelab::TimelinePresenter</name>
    <message>
        <source>%1. Predictions use these times; the variants train next, and lanes appear with the first action.</source>
        <translation>%1。预测使用这些时间；接着训练各个变体，泳道随第一个动作出现。</translation>
    </message>
    <message>
        <source>%1 has not run yet. Its lanes appear with its first action.</source>
        <translation>%1 还没有运行。它的泳道随它的第一个动作出现。</translation>
    </message>
    <message>
        <source>The run is being prepared. Lanes appear with the first action.</source>
        <translation>正在准备运行。泳道随第一个动作出现。</translation>
    </message>
    <message>
        <source>%1. Lanes appear with the first action.</source>
        <translation>%1。泳道随第一个动作出现。</translation>
    </message>
    <message>
        <source>This run has no timeline of %1: it stored none before it ended.</source>
        <translation>这个运行没有 %1 的时间线：它结束之前没有存储任何时间线。</translation>
    </message>
    <message>
        <source>Reading the timeline of the run.</source>
        <translation>正在读取该运行的时间线。</translation>
    </message>
    <message>
        <source>%1, imported: %2, %3 (%4)</source>
        <translation>%1，已导入：%2，%3 (%4)</translation>
    </message>
    <message numerus="yes">
        <source>%n span(s)</source>
        <translation>
            <numerusform>%n 个跨度</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n flow(s)</source>
        <translation>
            <numerusform>%n 个流程箭头</numerusform>
        </translation>
    </message>
    <message>
        <source>What if %1: %2</source>
        <translation>假设 %1：%2</translation>
    </message>
    <message>
        <source> – before your last edits</source>
        <translation> – 在您最近的编辑之前</translation>
    </message>
    <message>
        <source>%1 (shown: last repeat of %2)</source>
        <translation>%1（显示：%2 的最后一次重复）</translation>
    </message>
    <message>
        <source>%1, live: %2</source>
        <translation>%1，实时：%2</translation>
    </message>
    <message>
        <source>%1: last repeat; another variant is running</source>
        <translation>%1：最后一次重复；另一个变体正在运行</translation>
    </message>
    <message>
        <source>Preparing the run</source>
        <translation>正在准备运行</translation>
    </message>
    <message>
        <source>%1 has not run yet</source>
        <translation>%1 还没有运行</translation>
    </message>
</context>
<context>
    <name>lanelab::TimelineView</name>
    <message>
        <source>&amp;Expand Lane	C</source>
        <translation>展开泳道(&amp;E)	C</translation>
    </message>
    <message>
        <source>&amp;Collapse Lane	C</source>
        <translation>折叠泳道(&amp;C)	C</translation>
    </message>
    <message>
        <source>Collapse or Expand &amp;Replica	Shift+C</source>
        <translation>折叠或展开副本(&amp;R)	Shift+C</translation>
    </message>
    <message>
        <source>Un&amp;pin Lane	P</source>
        <translation>取消固定泳道(&amp;P)	P</translation>
    </message>
    <message>
        <source>&amp;Pin Lane	P</source>
        <translation>固定泳道(&amp;P)	P</translation>
    </message>
    <message>
        <source>Move Lane &amp;Up	Ctrl+Up</source>
        <translation>上移泳道(&amp;U)	Ctrl+Up</translation>
    </message>
    <message>
        <source>Move Lane &amp;Down	Ctrl+Down</source>
        <translation>下移泳道(&amp;D)	Ctrl+Down</translation>
    </message>
    <message>
        <source>&amp;Shorten by 5 %	Alt+Left</source>
        <translation>缩短 5 %(&amp;S)	Alt+Left</translation>
    </message>
    <message>
        <source>&amp;Lengthen by 5 %	Alt+Right</source>
        <translation>延长 5 %(&amp;L)	Alt+Right</translation>
    </message>
    <message>
        <source>&amp;Halve</source>
        <translation>减半(&amp;H)</translation>
    </message>
    <message>
        <source>&amp;Double</source>
        <translation>加倍(&amp;D)</translation>
    </message>
    <message>
        <source>Sh&amp;orten All of Its Kind by 5 %	Alt+Shift+Left</source>
        <translation>所有同类动作缩短 5 %(&amp;O)	Alt+Shift+Left</translation>
    </message>
    <message>
        <source>L&amp;engthen All of Its Kind by 5 %	Alt+Shift+Right</source>
        <translation>所有同类动作延长 5 %(&amp;E)	Alt+Shift+Right</translation>
    </message>
    <message>
        <source>H&amp;alve All of Its Kind</source>
        <translation>所有同类动作减半(&amp;A)</translation>
    </message>
    <message>
        <source>Move Its Stage &amp;Up	Alt+Up</source>
        <translation>把它的阶段上移(&amp;U)	Alt+Up</translation>
    </message>
    <message>
        <source>Move Its Stage D&amp;own	Alt+Down</source>
        <translation>把它的阶段下移(&amp;O)	Alt+Down</translation>
    </message>
    <message>
        <source>&amp;Restore	Esc</source>
        <translation>恢复(&amp;R)	Esc</translation>
    </message>
    <message>
        <source>&amp;Blocks</source>
        <translation>块(&amp;B)</translation>
    </message>
    <message>
        <source>&amp;Operators</source>
        <translation>算子(&amp;O)</translation>
    </message>
    <message>
        <source>&amp;Transfers</source>
        <translation>传输(&amp;T)</translation>
    </message>
    <message>
        <source>&amp;Exchange of replicas</source>
        <translation>副本的交换(&amp;E)</translation>
    </message>
    <message>
        <source>&amp;Host threads</source>
        <translation>主机线程(&amp;H)</translation>
    </message>
    <message>
        <source>&amp;Streams</source>
        <translation>流(&amp;S)</translation>
    </message>
    <message>
        <source>Cou&amp;nters</source>
        <translation>计数器(&amp;N)</translation>
    </message>
    <message>
        <source>Pred&amp;icted actions</source>
        <translation>预测的动作(&amp;I)</translation>
    </message>
    <message>
        <source>Idle ti&amp;me</source>
        <translation>空闲时间(&amp;M)</translation>
    </message>
    <message>
        <source>Collapse &amp;All</source>
        <translation>全部折叠(&amp;A)</translation>
    </message>
    <message>
        <source>E&amp;xpand All</source>
        <translation>全部展开(&amp;X)</translation>
    </message>
    <message>
        <source>Reset Lane &amp;Order</source>
        <translation>重置泳道顺序(&amp;O)</translation>
    </message>
    <message>
        <source>&amp;Zoom to Gap	Z</source>
        <translation>缩放到间隙(&amp;Z)	Z</translation>
    </message>
    <message>
        <source>&amp;Zoom to Selection	Z</source>
        <translation>缩放到选区(&amp;Z)	Z</translation>
    </message>
    <message>
        <source>C&amp;lear Selection	Esc</source>
        <translation>清除选择(&amp;L)	Esc</translation>
    </message>
    <message>
        <source>Zoom &amp;Back	Backspace</source>
        <translation>缩放后退(&amp;B)	Backspace</translation>
    </message>
    <message>
        <source>&amp;Fit Everything	Home</source>
        <translation>显示全部(&amp;F)	Home</translation>
    </message>
    <message>
        <source>Go to What It Waited &amp;For	Enter</source>
        <translation>转到它所等待的跨度(&amp;F)	Enter</translation>
    </message>
    <message>
        <source>Go to &amp;Dependency	[</source>
        <translation>转到依赖项(&amp;D)	[</translation>
    </message>
    <message>
        <source>Go to What Came Ne&amp;xt	]</source>
        <translation>转到随后的跨度(&amp;X)	]</translation>
    </message>
    <message>
        <source>Go to Depende&amp;nt	]</source>
        <translation>转到依赖它的跨度(&amp;N)	]</translation>
    </message>
    <message>
        <source>Next &amp;Gap	G</source>
        <translation>下一个间隙(&amp;G)	G</translation>
    </message>
    <message>
        <source>Pre&amp;vious Gap	Shift+G</source>
        <translation>上一个间隙(&amp;V)	Shift+G</translation>
    </message>
    <message>
        <source>Fi&amp;nd...	/</source>
        <translation>查找(&amp;N)...	/</translation>
    </message>
    <message>
        <source>Add &amp;Bookmark	Ctrl+B</source>
        <translation>添加书签(&amp;B)	Ctrl+B</translation>
    </message>
    <message>
        <source>C&amp;hange Length or Lane</source>
        <translation>更改长度或泳道(&amp;H)</translation>
    </message>
    <message>
        <source>Show &amp;Blocks</source>
        <translation>显示块(&amp;B)</translation>
    </message>
    <message>
        <source>&amp;Rows</source>
        <translation>行(&amp;R)</translation>
    </message>
    <message>
        <source>&amp;Copy Gap Details</source>
        <translation>复制间隙的详细信息(&amp;C)</translation>
    </message>
    <message>
        <source>&amp;Copy Span Details</source>
        <translation>复制跨度的详细信息(&amp;C)</translation>
    </message>
    <message>
        <source>Timeline</source>
        <translation>时间线</translation>
    </message>
    <message>
        <source>O&amp;verview of the trace</source>
        <translation>跟踪记录概览(&amp;V)</translation>
    </message>
    <message>
        <source>The wheel zooms, Ctrl+wheel scrolls the lanes, Shift+wheel moves left and right (Settings &gt; Mouse wheel)</source>
        <translation>滚轮缩放，Ctrl+滚轮滚动泳道，Shift+滚轮左右移动（设置 &gt; 鼠标滚轮）</translation>
    </message>
    <message>
        <source>The wheel scrolls the lanes, Ctrl+wheel zooms, Shift+wheel moves left and right (Settings &gt; Mouse wheel)</source>
        <translation>滚轮滚动泳道，Ctrl+滚轮缩放，Shift+滚轮左右移动（设置 &gt; 鼠标滚轮）</translation>
    </message>
</context>
<context>
    <name>lanelab::TraceOverview</name>
    <message>
        <source>Overview of the trace</source>
        <translation>跟踪记录概览</translation>
    </message>
    <message>
        <source>All of the trace. Drag the window to move what is seen, its edges to zoom, click to go there. With the keyboard: arrows, Shift+arrows, Page Up, Page Down, Home, End</source>
        <translation>整份跟踪记录。拖动窗口可移动所见范围，拖动其边缘可缩放，单击可转到该处。键盘：方向键、Shift+方向键、Page Up、Page Down、Home、End</translation>
    </message>
    <message>
        <source>overview</source>
        <translation>概览</translation>
    </message>
</context>
<context>
    <name>lanelab::VariantsSection</name>
    <message>
        <source>Variants to compare</source>
        <translation>要比较的变体</translation>
    </message>
    <message>
        <source>The board shows the selected variant; press F2 to rename it</source>
        <translation>看板显示所选的变体；按 F2 可重命名</translation>
    </message>
    <message>
        <source>%1 variant</source>
        <translation>%1变体</translation>
    </message>
    <message>
        <source>Add</source>
        <translation>添加</translation>
    </message>
    <message>
        <source>Duplicate</source>
        <translation>复制</translation>
    </message>
    <message>
        <source>Remove</source>
        <translation>移除</translation>
    </message>
    <message>
        <source>Move Up</source>
        <translation>上移</translation>
    </message>
    <message>
        <source>Move Down</source>
        <translation>下移</translation>
    </message>
    <message>
        <source>Strategy</source>
        <translation>策略</translation>
    </message>
    <message>
        <source>Single device</source>
        <translation>单设备</translation>
    </message>
    <message>
        <source>Model parallel</source>
        <translation>模型并行</translation>
    </message>
    <message>
        <source>Pipeline</source>
        <translation>流水线</translation>
    </message>
    <message>
        <source>DataParallel</source>
        <translation>DataParallel</translation>
    </message>
    <message>
        <source>DDP</source>
        <translation>DDP</translation>
    </message>
    <message>
        <source>Micro-batch size</source>
        <translation>微批次大小</translation>
    </message>
    <message>
        <source>Lane</source>
        <translation>泳道</translation>
    </message>
    <message>
        <source>Lane of the variant</source>
        <translation>该变体的泳道</translation>
    </message>
    <message>
        <source>Lanes</source>
        <translation>泳道</translation>
    </message>
    <message>
        <source>Lanes per replica</source>
        <translation>每个副本的泳道数</translation>
    </message>
    <message>
        <source>%1: one replica</source>
        <translation>%1：一个副本</translation>
    </message>
    <message>
        <source>%1: %2 replicas</source>
        <translation>%1：%2 个副本</translation>
    </message>
    <message>
        <source>With one lane, a replica holds the whole model. With more, it is a pipeline of as many stages; its cuts are those of the first replica on the board.</source>
        <translation>一个泳道时，每个副本持有整个模型。多个泳道时，副本是同样阶段数的流水线；它的切分与看板上第一个副本的切分相同。</translation>
    </message>
    <message>
        <source>Schedule</source>
        <translation>调度</translation>
    </message>
    <message>
        <source>Add variant</source>
        <translation>添加变体</translation>
    </message>
    <message>
        <source>Duplicate variant</source>
        <translation>复制变体</translation>
    </message>
    <message>
        <source>Remove variant</source>
        <translation>移除变体</translation>
    </message>
    <message>
        <source>Move variant</source>
        <translation>移动变体</translation>
    </message>
    <message>
        <source>Rename variant</source>
        <translation>重命名变体</translation>
    </message>
    <message>
        <source>In place of Training above, for this variant only:</source>
        <translation>代替上面的“训练”，仅用于该变体：</translation>
    </message>
</context>
<context>
    <name>lanelab::ViewedRunBar</name>
    <message>
        <source>Variant of the viewed run</source>
        <translation>所查看运行的变体</translation>
    </message>
    <message>
        <source>Variant of the viewed run whose timeline is shown</source>
        <translation>所查看运行中显示其时间线的变体</translation>
    </message>
    <message>
        <source>Use as Experiment</source>
        <translation>用作实验</translation>
    </message>
    <message>
        <source>Edit the experiment of this run</source>
        <translation>编辑这个运行的实验</translation>
    </message>
    <message>
        <source>Back to Experiment</source>
        <translation>返回实验</translation>
    </message>
    <message>
        <source>Stop viewing it, and show the open experiment</source>
        <translation>停止查看它，并显示打开的实验</translation>
    </message>
    <message>
        <source>Viewing run %1.</source>
        <translation>正在查看运行 %1。</translation>
    </message>
    <message>
        <source>Viewing run %1 of %2.</source>
        <translation>正在查看 %2 的运行 %1。</translation>
    </message>
    <message>
        <source>Viewing trace %1.</source>
        <translation>正在查看跟踪记录 %1。</translation>
    </message>
</context>
<context>
    <name>lanelab::WelcomeStrip</name>
    <message>
        <source>LaneLab trains a network across lanes (CPU cores or GPUs) and shows why each lane waits.</source>
        <translation>LaneLab 跨泳道（CPU 核心或 GPU）训练网络，并显示每个泳道为何等待。</translation>
    </message>
    <message>
        <source>Compare Strategies</source>
        <translation>比较策略</translation>
    </message>
    <message>
        <source>Run the demo on this machine: one lane, model parallel and pipeline</source>
        <translation>在本机上运行演示：一个泳道、模型并行和流水线</translation>
    </message>
    <message>
        <source>Use My Own Network...</source>
        <translation>使用我自己的网络...</translation>
    </message>
    <message>
        <source>Export a network of PyTorch and place its blocks</source>
        <translation>导出 PyTorch 的网络并放置它的块</translation>
    </message>
    <message>
        <source>Open a Trace...</source>
        <translation>打开跟踪文件...</translation>
    </message>
    <message>
        <source>Show a trace of torch.profiler, Nsight Systems or Perfetto</source>
        <translation>显示 torch.profiler、Nsight Systems 或 Perfetto 的跟踪记录</translation>
    </message>
    <message>
        <source>Lessons</source>
        <translation>课程</translation>
    </message>
    <message>
        <source>Learn from recorded runs why lanes wait</source>
        <translation>通过录制的运行了解泳道为何等待</translation>
    </message>
    <message>
        <source>Close the welcome</source>
        <translation>关闭欢迎栏</translation>
    </message>
    <message>
        <source>Close this, and the recorded run</source>
        <translation>关闭此栏和录制的运行</translation>
    </message>
    <message>
        <source> in %1</source>
        <translation>，用时 %1</translation>
    </message>
    <message>
        <source>Below: %1 as another machine ran it%2 (%3 cores, %4).</source>
        <translation>下方：在另一台机器上运行的 %1%2（%3 个核心，%4）。</translation>
    </message>
    <message>
        <source>Compare Strategies Here (%1)</source>
        <translation>在这里比较策略 (%1)</translation>
    </message>
</context>
<context>
    <name>lanelab::WhatIfDialog</name>
    <message>
        <source>measured</source>
        <translation>实测</translation>
    </message>
    <message>
        <source>replayed</source>
        <translation>重放</translation>
    </message>
    <message>
        <source>simulated</source>
        <translation>模拟</translation>
    </message>
    <message>
        <source>%1 (%2): %3 per step; critical path: %4</source>
        <translation>%1 (%2)：每步 %3；关键路径：%4</translation>
    </message>
    <message>
        <source>Show in &amp;Timeline</source>
        <translation>在时间线中显示(&amp;T)</translation>
    </message>
    <message>
        <source>Show the changed steps and their idle causes in the timeline, until Reset</source>
        <translation>在时间线中显示更改后的步及其空闲原因，直到重置</translation>
    </message>
    <message>
        <source>&amp;Reset</source>
        <translation>重置(&amp;R)</translation>
    </message>
    <message>
        <source>Undo all changes and show the measured steps</source>
        <translation>撤销所有更改并显示实测的步</translation>
    </message>
    <message>
        <source>What If</source>
        <translation>假设分析</translation>
    </message>
    <message>
        <source>Stage, block or link to make faster or slower</source>
        <translation>要变快或变慢的阶段、块或链路</translation>
    </message>
    <message>
        <source>Factor of the time</source>
        <translation>时间的倍数</translation>
    </message>
    <message>
        <source>&amp;Change</source>
        <translation>更改(&amp;C)</translation>
    </message>
    <message>
        <source>&amp;Micro-batches</source>
        <translation>微批次(&amp;M)</translation>
    </message>
    <message>
        <source>Steps before and after the change</source>
        <translation>更改前后的步</translation>
    </message>
    <message>
        <source>What If: %1</source>
        <translation>假设分析：%1</translation>
    </message>
    <message>
        <source>Replaying the steps...</source>
        <translation>正在重放各步...</translation>
    </message>
    <message>
        <source>Stage %1 (%2)</source>
        <translation>阶段 %1 (%2)</translation>
    </message>
    <message>
        <source>Link between stages %1 and %2</source>
        <translation>阶段 %1 与 %2 之间的链路</translation>
    </message>
    <message>
        <source>Block %1</source>
        <translation>块 %1</translation>
    </message>
    <message>
        <source>Both sides are then simulated with the measured block times</source>
        <translation>两边都用实测的块时间模拟</translation>
    </message>
    <message>
        <source>Both sides are then simulated; blocks were measured at one size only, so their times are scaled by the samples, which flatters small micro-batches</source>
        <translation>两边都用模拟；块只在一种大小下测量过，因此其时间按样本数缩放，这对小的微批次有利</translation>
    </message>
    <message>
        <source>as measured</source>
        <translation>与实测相同</translation>
    </message>
    <message>
        <source>%1, as measured (micro-batch size %2)</source>
        <translation>%1，与实测相同（微批次大小 %2）</translation>
    </message>
    <message>
        <source>%1 (micro-batch size %2)</source>
        <translation>%1（微批次大小 %2）</translation>
    </message>
    <message>
        <source>stage %1 %2</source>
        <translation>阶段 %1 %2</translation>
    </message>
    <message>
        <source>link %1-%2 %3</source>
        <translation>链路 %1-%2 %3</translation>
    </message>
    <message>
        <source>%1 %2</source>
        <translation>%1 %2</translation>
    </message>
    <message>
        <source>No change yet. The critical path is shown in full colour.</source>
        <translation>还没有更改。关键路径以全色显示。</translation>
    </message>
    <message>
        <source>Changed: %1.</source>
        <translation>已更改：%1。</translation>
    </message>
    <message>
        <source>The schedule is not defined for this number of micro-batches.</source>
        <translation>对这个微批次数没有定义该调度。</translation>
    </message>
    <message>
        <source>as long as before</source>
        <translation>与之前一样长</translation>
    </message>
    <message>
        <source>%1 % less</source>
        <translation>减少 %1 %</translation>
    </message>
    <message>
        <source>%1 % more</source>
        <translation>增加 %1 %</translation>
    </message>
    <message>
        <source>90 % range: %1.</source>
        <translation>90 % 范围：%1。</translation>
    </message>
    <message>
        <source>The mean step took %1.</source>
        <translation>平均每步用时 %1。</translation>
    </message>
    <message>
        <source>Simulated: a step takes %1 instead of %2, %3.</source>
        <translation>模拟：每步用时 %1，而不是 %2，%3。</translation>
    </message>
    <message>
        <source>Replayed: the mean step takes %1 instead of %2, %3.</source>
        <translation>重放：平均每步用时 %1，而不是 %2，%3。</translation>
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
        <source>The step before and after, with its critical path</source>
        <translation>更改前后的步及其关键路径</translation>
    </message>
    <message numerus="yes">
        <source>%n micro-batch(es)</source>
        <translation>
            <numerusform>%n 个微批次</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>lanelab::WhatIfReplay</name>
    <message>
        <source>The number of micro-batches can be changed for runs of LaneLab only</source>
        <translation>只有 LaneLab 的运行才能更改微批次的数量</translation>
    </message>
    <message>
        <source>The number of micro-batches can be changed for pipelines only, and these lanes are replicas</source>
        <translation>只有流水线才能更改微批次的数量，而这些泳道是副本</translation>
    </message>
</context>
<context>
    <name>lanelab::WindowHelp</name>
    <message>
        <source>&amp;Help on This Pane</source>
        <translation>关于这个窗格的帮助(&amp;H)</translation>
    </message>
    <message>
        <source>Open the page on the pane that has the keyboard</source>
        <translation>打开关于有键盘焦点的窗格的页面</translation>
    </message>
    <message>
        <source>&amp;Documentation</source>
        <translation>文档(&amp;D)</translation>
    </message>
    <message>
        <source>Read and search all pages</source>
        <translation>阅读和搜索所有页面</translation>
    </message>
    <message>
        <source>What&apos;s &amp;New</source>
        <translation>新增内容(&amp;N)</translation>
    </message>
    <message>
        <source>Show what the newest version changed</source>
        <translation>显示最新版本的变化</translation>
    </message>
    <message>
        <source>LaneLab was updated from version %1 to %2.</source>
        <translation>LaneLab 已从版本 %1 更新到 %2。</translation>
    </message>
</context>
<context>
    <name>lanelab::WorkBar</name>
    <message>
        <source>a few seconds left</source>
        <translation>还剩几秒</translation>
    </message>
    <message>
        <source>about %1 seconds left</source>
        <translation>大约还剩 %1 秒</translation>
    </message>
    <message>
        <source>about 1 minute left</source>
        <translation>大约还剩 1 分钟</translation>
    </message>
    <message>
        <source>about %1 minutes left</source>
        <translation>大约还剩 %1 分钟</translation>
    </message>
    <message>
        <source>about 1 hour left</source>
        <translation>大约还剩 1 小时</translation>
    </message>
    <message>
        <source>about %1 hours left</source>
        <translation>大约还剩 %1 小时</translation>
    </message>
    <message>
        <source>Progress</source>
        <translation>进度</translation>
    </message>
    <message>
        <source>%p %</source>
        <translation>%p %</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>取消</translation>
    </message>
    <message>
        <source>Cancel this work</source>
        <translation>取消这项工作</translation>
    </message>
    <message>
        <source>Cancelling</source>
        <translation>正在取消</translation>
    </message>
</context>
<context>
    <name>messages</name>
    <message>
        <source>{} cannot be written: {}.</source>
        <translation>{} 无法写入：{}。</translation>
    </message>
    <message>
        <source>{} has {} lanes.</source>
        <translation>{} 有 {} 个泳道。</translation>
    </message>
    <message>
        <source>{} has no lane {}.</source>
        <translation>{} 没有泳道 {}。</translation>
    </message>
    <message>
        <source>The run was cancelled.</source>
        <translation>运行已取消。</translation>
    </message>
    <message>
        <source>{} does not exist. Check the name.</source>
        <translation>{} 不存在。请检查名称。</translation>
    </message>
    <message>
        <source>{} cannot be read: {}.</source>
        <translation>{} 无法读取：{}。</translation>
    </message>
    <message>
        <source>{} is larger than {}, so it was not read. Check that it is the right file.</source>
        <translation>{} 大于 {}，因此没有读取。请确认文件是否正确。</translation>
    </message>
    <message>
        <source>{} is a folder. Name a file.</source>
        <translation>{} 是文件夹。请指定文件。</translation>
    </message>
    <message>
        <source>{} cannot be read ({}). Name a regular file that you may read.</source>
        <translation>{} 无法读取 ({})。请指定您可以读取的普通文件。</translation>
    </message>
    <message>
        <source>{} cannot be read ({}). Check the disk.</source>
        <translation>{} 无法读取 ({})。请检查磁盘。</translation>
    </message>
    <message>
        <source>This variant has one stage per replica or device, so there is nothing to cut. Add a lane.</source>
        <translation>这个变体的每个副本或设备只有一个阶段，因此没有可切分的内容。请添加泳道。</translation>
    </message>
    <message>
        <source>The variant &quot;{}&quot; is not a pipeline of several stages, so schedules do not change it. Choose a pipeline.</source>
        <translation>变体“{}”不是多个阶段的流水线，因此调度不会改变它。请选择流水线。</translation>
    </message>
    <message>
        <source>The block times are of another network.</source>
        <translation>这些块时间属于另一个网络。</translation>
    </message>
    <message>
        <source>No cut that was tried keeps every lane within its memory limit. Raise a limit, or choose a schedule that holds fewer activations.</source>
        <translation>所尝试的切分都不能使每个泳道保持在内存上限之内。请提高上限，或选择保存激活值更少的调度。</translation>
    </message>
    <message>
        <source>There are no block times of this model to balance by.</source>
        <translation>没有这个模型的块时间可用于均衡。</translation>
    </message>
    <message>
        <source>This variant has one stage per replica or device, so there is nothing to balance. Give it another lane.</source>
        <translation>这个变体的每个副本或设备只有一个阶段，因此没有可均衡的内容。请再给它一个泳道。</translation>
    </message>
    <message>
        <source>lanes: There is no lane {}.</source>
        <translation>lanes：没有泳道 {}。</translation>
    </message>
    <message>
        <source>A micro-batch must have from 1 to {} samples (the batch), not {}.</source>
        <translation>微批次必须有 1 至 {}（批次）个样本，而不是 {}。</translation>
    </message>
    <message>
        <source>lanes: There is no lane. Add one, such as { &quot;device&quot;: &quot;cpu:0&quot; }.</source>
        <translation>lanes：没有泳道。请添加一个，例如 { &quot;device&quot;: &quot;cpu:0&quot; }。</translation>
    </message>
    <message>
        <source>The folder of profiles {} cannot be made ({}). Choose another one with the variable LANELAB_PROFILES.</source>
        <translation>无法创建性能数据的文件夹 {} ({})。请用变量 LANELAB_PROFILES 选择另一个。</translation>
    </message>
    <message>
        <source>The experiment of this run has no stage {} or no lane {}.</source>
        <translation>这次运行的实验没有阶段 {} 或泳道 {}。</translation>
    </message>
    <message>
        <source>No fix can be suggested: the experiment has no variant &quot;{}&quot;.</source>
        <translation>无法给出改进建议：实验没有变体“{}”。</translation>
    </message>
    <message>
        <source>No fix can be suggested: the trace has no times of blocks. Run with &quot;record&quot;: &quot;blocks&quot; on CPU lanes.</source>
        <translation>无法给出改进建议：跟踪记录没有块的时间。请在 CPU 泳道上以 &quot;record&quot;: &quot;blocks&quot; 运行。</translation>
    </message>
    <message>
        <source>No fix can be suggested: from its block times the predicted step is {}, but {} were measured (mean of the steps).</source>
        <translation>无法给出改进建议：由块时间预测的每步时间为 {}，但实测为 {}（各步的平均值）。</translation>
    </message>
    <message>
        <source>--split-sizes is empty: name some, such as 1,4,8.</source>
        <translation>--split-sizes 为空：请指定若干大小，例如 1,4,8。</translation>
    </message>
    <message>
        <source>--split-sizes: {} is not possible. Choose micro-batch sizes from 1 to {} (the batch).</source>
        <translation>--split-sizes：{} 不可行。请选择 1 至 {}（批次）的微批次大小。</translation>
    </message>
    <message>
        <source>--split-sizes: {} is given twice. Name each split size once.</source>
        <translation>--split-sizes：{} 给出了两次。每个拆分大小请只指定一次。</translation>
    </message>
    <message>
        <source>variants: A sweep needs a pipeline variant, such as { &quot;name&quot;: &quot;Pipeline&quot;, &quot;strategy&quot;: &quot;pipeline&quot;, &quot;split_size&quot;: 8, &quot;cuts&quot;: [...] }.</source>
        <translation>variants：扫描需要流水线变体，例如 { &quot;name&quot;: &quot;Pipeline&quot;, &quot;strategy&quot;: &quot;pipeline&quot;, &quot;split_size&quot;: 8, &quot;cuts&quot;: [...] }。</translation>
    </message>
    <message>
        <source>training.batch_norm: Synchronised batch norms take the whole batch at once, whatever the split size. Use micro-batch or deferred.</source>
        <translation>training.batch_norm：同步批归一化一次处理整个批次，与拆分大小无关。请使用 micro-batch 或 deferred。</translation>
    </message>
    <message>
        <source>Rank 0 cannot listen at {}: another program uses the port. Set MASTER_PORT to a free port of this machine, for all ranks.</source>
        <translation>rank 0 无法在 {} 监听：另一个程序占用了该端口。请为所有 rank 把 MASTER_PORT 设为本机的空闲端口。</translation>
    </message>
    <message>
        <source>Rank 0 cannot listen at {}: this machine has no such address. Set MASTER_ADDR to the machine of rank 0, or LANELAB_LISTEN_ADDR to an address of this machine.</source>
        <translation>rank 0 无法在 {} 监听：本机没有这样的地址。请把 MASTER_ADDR 设为 rank 0 所在的机器，或把 LANELAB_LISTEN_ADDR 设为本机的地址。</translation>
    </message>
    <message>
        <source>Rank 0 cannot listen at {} ({}). Set MASTER_PORT to another port, for all ranks.</source>
        <translation>rank 0 无法在 {} 监听 ({})。请为所有 rank 把 MASTER_PORT 设为另一个端口。</translation>
    </message>
    <message>
        <source>{}: cannot find the machine &quot;{}&quot; ({}). Set it to the name or address of rank 0&apos;s machine.</source>
        <translation>{}：找不到机器“{}”({})。请设为 rank 0 所在机器的名称或地址。</translation>
    </message>
    <message>
        <source>The store of the run does not answer at {} within {} s: start {} there, and see that MASTER_ADDR and MASTER_PORT are the same for all processes.</source>
        <translation>运行的存储服务在 {} 处 {} s 内没有应答：请在那里启动 {}，并确认所有进程的 MASTER_ADDR 和 MASTER_PORT 相同。</translation>
    </message>
    <message>
        <source>The variable {} is not set: {}</source>
        <translation>变量 {} 未设置：{}</translation>
    </message>
    <message>
        <source>The variable {} is &quot;{}&quot;, but a whole number {} is needed: {}</source>
        <translation>变量 {} 为“{}”，但需要整数 {}：{}</translation>
    </message>
    <message>
        <source>The variable MASTER_ADDR is not set, but WORLD_SIZE is {}: start the processes with torchrun, or set it to the machine of rank 0.</source>
        <translation>变量 MASTER_ADDR 未设置，但 WORLD_SIZE 为 {}：请用 torchrun 启动各进程，或把它设为 rank 0 所在的机器。</translation>
    </message>
    <message>
        <source>The variable MASTER_ADDR is not set, and {} does not state that all {} processes are on one machine: set it, for all of them, to the machine of rank 0.</source>
        <translation>变量 MASTER_ADDR 未设置，而 {} 没有表明全部 {} 个进程在同一台机器上：请为所有进程把它设为 rank 0 所在的机器。</translation>
    </message>
    <message>
        <source>--set {}: write KEY=VALUE, such as training.lr=0.1 or variants[2].split_size=12.</source>
        <translation>--set {}：请写 KEY=VALUE，例如 training.lr=0.1 或 variants[2].split_size=12。</translation>
    </message>
    <message>
        <source>--set {}: {}.</source>
        <translation>--set {}：{}。</translation>
    </message>
    <message>
        <source>A data source &quot;{}&quot; needs data.path: {}</source>
        <translation>数据来源“{}”需要 data.path：{}</translation>
    </message>
    <message>
        <source>{} must be from {} to {}, not {}.</source>
        <translation>{} 必须在 {} 至 {} 之间，而不是 {}。</translation>
    </message>
    <message>
        <source>{} must be {}, not {}.</source>
        <translation>{} 必须为 {}，而不是 {}。</translation>
    </message>
    <message>
        <source>A pipeline needs a split size: samples per micro-batch, from 1 to {} (the batch).</source>
        <translation>流水线需要拆分大小：每个微批次的样本数，从 1 至 {}（批次）。</translation>
    </message>
    <message>
        <source>The split size must be from 1 to {} (the batch), not {}.</source>
        <translation>拆分大小必须在 1 至 {}（批次）之间，而不是 {}。</translation>
    </message>
    <message>
        <source>Model parallel takes the whole batch at once. Leave split_size out, or use the strategy pipeline.</source>
        <translation>模型并行一次处理整个批次。请去掉 split_size，或使用 pipeline 策略。</translation>
    </message>
    <message>
        <source>A split size of {} makes more than {} micro-batches. Make it larger.</source>
        <translation>拆分大小 {} 会产生超过 {} 个微批次。请增大它。</translation>
    </message>
    <message>
        <source>tf32 exists on GPUs only, and the variant &quot;{}&quot; uses {}. Use fp32 or bf16, or cuda lanes.</source>
        <translation>tf32 只存在于 GPU 上，而变体“{}”使用 {}。请使用 fp32 或 bf16，或 cuda 泳道。</translation>
    </message>
    <message>
        <source>Activations are computed again by the rule remade_activation, which training.rules_off switches off. Take it out there, or use true, which computes whole stages again, or false.</source>
        <translation>激活值由规则 remade_activation 重新计算，而 training.rules_off 关闭了它。请在那里去掉它；或使用 true（重新计算整个阶段），或 false。</translation>
    </message>
    <message>
        <source>Activations alone can be computed again where convolutions or poolings keep the ReLU of a batch norm, and the variant &quot;{}&quot; trains {}, which has none. Use true, which computes whole stages again, or false.</source>
        <translation>只有在卷积或池化保存批归一化的 ReLU 时，才能只重新计算激活值，而变体“{}”训练的 {} 没有这样的 ReLU。请使用 true（重新计算整个阶段），或 false。</translation>
    </message>
    <message>
        <source>There is no stage {} to recompute: stages are counted from 0 and the variant &quot;{}&quot; has {}.</source>
        <translation>没有可重计算的阶段 {}：阶段从 0 开始编号，变体“{}”有 {}。</translation>
    </message>
    <message>
        <source>Only the strategies pipeline and ddp have {}. Leave it out.</source>
        <translation>只有 pipeline 和 ddp 策略有 {}。请去掉它。</translation>
    </message>
    <message>
        <source>{} has {} classes, not {}. Leave classes out.</source>
        <translation>{} 有 {} 个类别，而不是 {} 个。请去掉 classes。</translation>
    </message>
    <message>
        <source>{} was exported for samples of {}, not {}. Leave the shape out, or export it again.</source>
        <translation>{} 是按 {} 的样本导出的，而不是 {}。请去掉 shape，或重新导出。</translation>
    </message>
    <message>
        <source>{} was exported for micro-batches of {} samples, and there is one of {}. Choose a batch and a split size that fit, or export it with a dynamic batch.</source>
        <translation>{} 是按 {} 个样本的微批次导出的，而有一个微批次为 {} 个样本。请选择合适的批次和拆分大小，或以动态批次导出。</translation>
    </message>
    <message>
        <source>{} is one sample, and {} sees an image of 1x1 there: batch norm needs more than one value. Use larger images, or {}</source>
        <translation>{} 只有一个样本，而 {} 在那里得到 1x1 的图像：批归一化需要多于一个值。请使用更大的图像，或 {}</translation>
    </message>
    <message>
        <source>The name has {} characters; at most {} are allowed. Shorten it.</source>
        <translation>名称有 {} 个字符；最多允许 {} 个。请缩短它。</translation>
    </message>
    <message>
        <source>The name &quot;{}&quot; holds a control character. Remove it.</source>
        <translation>名称“{}”含有控制字符。请去掉它。</translation>
    </message>
    <message>
        <source>The shape needs numbers from 1 to {}, such as [3, 64, 64] for images; it is [{}].</source>
        <translation>shape 需要 1 至 {} 的数，例如图像的 [3, 64, 64]；现在为 [{}]。</translation>
    </message>
    <message>
        <source>Random data have no epochs. Use data.steps, say how many `rows` there are, or take another data source.</source>
        <translation>随机数据没有轮次。请使用 data.steps，说明有多少 `rows`，或使用另一个数据来源。</translation>
    </message>
    <message>
        <source>Only random data are made in a number that one may choose. Leave `rows` out.</source>
        <translation>只有随机数据的数量可以选择。请去掉 `rows`。</translation>
    </message>
    <message>
        <source>One batch would hold more than 256 GiB of numbers. Make the batch or the samples smaller.</source>
        <translation>一个批次将存放超过 256 GiB 的数。请减小批次或样本。</translation>
    </message>
    <message>
        <source>Adam takes no momentum; set it to 0 or use sgd.</source>
        <translation>Adam 没有动量；请设为 0 或使用 sgd。</translation>
    </message>
    <message>
        <source>Nesterov needs sgd with a momentum above 0.</source>
        <translation>Nesterov 需要动量大于 0 的 sgd。</translation>
    </message>
    <message>
        <source>Only cross_entropy smooths labels. Set it to 0, or use cross_entropy.</source>
        <translation>只有 cross_entropy 能平滑标签。请设为 0，或使用 cross_entropy。</translation>
    </message>
    <message>
        <source>There is no lane. Add one, such as { &quot;device&quot;: &quot;cpu:0&quot; }.</source>
        <translation>没有泳道。请添加一个，例如 { &quot;device&quot;: &quot;cpu:0&quot; }。</translation>
    </message>
    <message>
        <source>There are {} lanes; at most {} are possible.</source>
        <translation>有 {} 个泳道；最多可以有 {} 个。</translation>
    </message>
    <message>
        <source>Stages {} and {} both use the parameter {}, which is not possible {}. Cut so that one stage has all blocks that use it.</source>
        <translation>阶段 {} 和 {} 都使用参数 {}，这在{}时不可行。请调整切分，使一个阶段包含使用它的所有块。</translation>
    </message>
    <message>
        <source>{} epochs of {} steps are more than a million steps. Take fewer epochs or a larger batch.</source>
        <translation>{} 轮、每轮 {} 步，超过一百万步。请减少轮数或增大批次。</translation>
    </message>
    <message>
        <source>An epoch of {} samples ends in a batch of {} by batches of {}, fewer than the {} micro-batches of &quot;{}&quot;. Choose another batch or a larger split size.</source>
        <translation>一轮 {0} 个样本，按批次 {2} 划分，最后的批次为 {1} 个，少于“{4}”的 {3} 个微批次。请选择另一个批次，或更大的拆分大小。</translation>
    </message>
    <message>
        <source>A variant needs a name with at least one letter or digit: its files are named after it.</source>
        <translation>变体的名称至少需要一个字母或数字：它的文件以此命名。</translation>
    </message>
    <message>
        <source>&quot;{}&quot; and &quot;{}&quot; would name the same files. Give each variant its own name.</source>
        <translation>“{}”和“{}”会使用相同的文件名。请给每个变体各自的名称。</translation>
    </message>
    <message>
        <source>the PNG is damaged (a part is longer than the file)</source>
        <translation>PNG 已损坏（有一部分比文件还长）</translation>
    </message>
    <message>
        <source>the PNG is damaged ({})</source>
        <translation>PNG 已损坏 ({})</translation>
    </message>
    <message>
        <source>this build has no libpng, so it cannot read an experiment from a PNG file</source>
        <translation>此构建没有 libpng，因此无法从 PNG 文件读取实验</translation>
    </message>
    <message>
        <source>The experiment on standard input is larger than 16 MiB. Shorten it.</source>
        <translation>标准输入上的实验大于 16 MiB。请缩短它。</translation>
    </message>
    <message>
        <source>{}: {}. Choose an experiment file (.json).</source>
        <translation>{}：{}。请选择实验文件 (.json)。</translation>
    </message>
    <message>
        <source>{} is a PNG without an experiment. Choose an experiment file (.json), or a PNG that LaneLab exported from a run.</source>
        <translation>{} 是不含实验的 PNG。请选择实验文件 (.json)，或 LaneLab 从运行导出的 PNG。</translation>
    </message>
    <message>
        <source>{} is not an experiment, run or trace. Choose an experiment file (.json), a run folder or archive, or a trace.</source>
        <translation>{} 不是实验、运行或跟踪文件。请选择实验文件 (.json)、运行文件夹或归档，或跟踪文件。</translation>
    </message>
    <message>
        <source>{}: all of its parameters are frozen (requires_grad is False), so there is nothing to train. Export the network with parameters that require gradients.</source>
        <translation>{}：它的所有参数都已冻结（requires_grad 为 False），因此没有可训练的内容。请导出含有需要梯度的参数的网络。</translation>
    </message>
    <message>
        <source>{}.schedule: {}</source>
        <translation>{}.schedule：{}</translation>
    </message>
    <message>
        <source>There is nothing to run. Add a variant, such as { &quot;name&quot;: &quot;Single&quot;, &quot;strategy&quot;: &quot;single&quot; }.</source>
        <translation>没有可运行的内容。请添加变体，例如 { &quot;name&quot;: &quot;Single&quot;, &quot;strategy&quot;: &quot;single&quot; }。</translation>
    </message>
    <message>
        <source>There are {} variants; at most {} are possible.</source>
        <translation>有 {} 个变体；最多可以有 {} 个。</translation>
    </message>
    <message>
        <source>Only the cross entropy of tokens can be shifted: outputs [positions, classes] with an id for each position. Set it to false.</source>
        <translation>只有词元的交叉熵可以移位：输出为 [位置，类别]，每个位置一个 ID。请设为 false。</translation>
    </message>
    <message>
        <source>The targets of a text are the next bytes already. Set it to false.</source>
        <translation>文本的目标已经是后续的字节。请设为 false。</translation>
    </message>
    <message>
        <source>A shift needs two positions or more, and the network has 1. Set it to false.</source>
        <translation>移位需要两个或更多位置，而网络只有 1 个。请设为 false。</translation>
    </message>
    <message>
        <source>The network returns its loss. Use the loss output.</source>
        <translation>网络返回它的损失。请使用 output 损失。</translation>
    </message>
    <message>
        <source>The loss output needs a network that returns its loss, a scalar. Use mse or cross_entropy.</source>
        <translation>output 损失需要返回损失（标量）的网络。请使用 mse 或 cross_entropy。</translation>
    </message>
    <message>
        <source>Cross entropy needs outputs [classes] or [positions, classes]; those of the network are {}. For a class for each pixel, return output.flatten(2).transpose(1, 2); for numbers, use mse.</source>
        <translation>交叉熵需要 [类别] 或 [位置，类别] 的输出；网络的输出为 {}。若每个像素一个类别，请返回 output.flatten(2).transpose(1, 2)；若为数值，请使用 mse。</translation>
    </message>
    <message>
        <source>A text needs a network whose input is a row of tokens, and this one takes {}. Use another data source.</source>
        <translation>文本需要输入为一行词元的网络，而这个网络的输入为 {}。请使用另一个数据来源。</translation>
    </message>
    <message>
        <source>The targets of a text are the next bytes. Use cross_entropy, with a network that predicts a byte at each position.</source>
        <translation>文本的目标是后续的字节。请使用 cross_entropy，以及在每个位置预测一个字节的网络。</translation>
    </message>
    <message>
        <source>A text has a target for each of the {} positions of the input, and the network predicts {}. Use another data source.</source>
        <translation>文本对输入的 {} 个位置各有一个目标，而网络预测 {} 个。请使用另一个数据来源。</translation>
    </message>
    <message>
        <source>The network takes {}, and data.shape is {}. Set it to {}.</source>
        <translation>网络的输入为 {}，而 data.shape 为 {}。请设为 {}。</translation>
    </message>
    <message>
        <source>The network takes tokens, and &quot;{}&quot; has images. Use text, file or random.</source>
        <translation>网络的输入为词元，而“{}”是图像。请使用 text、file 或 random。</translation>
    </message>
    <message>
        <source>&quot;{}&quot; has one class for each image, and the outputs of the network are {}. Use file or random.</source>
        <translation>“{}”对每张图像有一个类别，而网络的输出为 {}。请使用 file 或 random。</translation>
    </message>
    <message>
        <source>&quot;{}&quot; is not a block of {}{}</source>
        <translation>“{}”不是 {} 的块{}</translation>
    </message>
    <message>
        <source>Block {} is on lane {}, which is not a lane of this variant; lanes are counted from 0 and the experiment has {}.</source>
        <translation>块 {} 在泳道 {} 上，它不是这个变体的泳道；泳道从 0 开始编号，实验有 {}。</translation>
    </message>
    <message>
        <source>{} blocks are named, but {} has {}. Name each block of the model once.</source>
        <translation>指定了 {} 个块，但 {} 有 {} 个。模型的每个块请只指定一次。</translation>
    </message>
    <message>
        <source>Block {}{} no lane. Name a lane for every block.</source>
        <translation>块 {}{} 没有泳道。请为每个块指定泳道。</translation>
    </message>
    <message>
        <source>Single puts all blocks on its first lane. Leave cuts and placement out, or use the strategy pipeline.</source>
        <translation>single 把所有块放到它的第一个泳道上。请去掉 cuts 和 placement，或使用 pipeline 策略。</translation>
    </message>
    <message>
        <source>Both cuts and placement are given. Keep one of them.</source>
        <translation>同时给出了 cuts 和 placement。请只保留其中一个。</translation>
    </message>
    <message>
        <source>A {} variant needs cuts, such as [&quot;{}&quot;], or a placement.</source>
        <translation>{} 变体需要 cuts，例如 [&quot;{}&quot;]，或 placement。</translation>
    </message>
    <message>
        <source>{} lanes cannot be shared out evenly to {} replicas. Take a number that divides the lanes.</source>
        <translation>{} 个泳道无法平均分给 {} 个副本。请使用能整除泳道数的数目。</translation>
    </message>
    <message>
        <source>Each replica takes a lane for each of its {} stages, and {} lanes are not a multiple of that. Name other lanes, or set `replicas`.</source>
        <translation>每个副本的 {} 个阶段各占一个泳道，而 {} 个泳道不是它的倍数。请指定其他泳道，或设置 `replicas`。</translation>
    </message>
    <message>
        <source>{} Leave it out.</source>
        <translation>{} 请去掉它。</translation>
    </message>
    <message>
        <source>Replicas exchange gradients in fp32, and those of bf16 are in two places. Use fp32 or tf32 for &quot;{}&quot;.</source>
        <translation>副本以 fp32 交换梯度，而 bf16 的梯度在两处。请对“{}”使用 fp32 或 tf32。</translation>
    </message>
    <message>
        <source>Batch norm is not synchronised between replicas. Use micro-batch or deferred for &quot;{}&quot;.</source>
        <translation>批归一化不在副本之间同步。请对“{}”使用 micro-batch 或 deferred。</translation>
    </message>
    <message>
        <source>A batch of {} gives the last of {} replicas {} samples for {}. Use a larger batch or {}.</source>
        <translation>批次 {0} 使 {1} 个副本中的最后一个只有 {2} 个样本用于 {3}。请使用更大的批次或 {4}。</translation>
    </message>
    <message>
        <source>The list of lanes is empty. Name at least one lane, or leave `lanes` out to use all.</source>
        <translation>泳道列表为空。请至少指定一个泳道，或去掉 `lanes` 以使用全部。</translation>
    </message>
    <message>
        <source>{} lanes are listed; at most {} are possible. Name each lane once.</source>
        <translation>列出了 {} 个泳道；最多可以有 {} 个。每个泳道请只指定一次。</translation>
    </message>
    <message>
        <source>There is no lane {}: lanes are counted from 0 and there are {}.</source>
        <translation>没有泳道 {}：泳道从 0 开始编号，共有 {} 个。</translation>
    </message>
    <message>
        <source>Lane {} is listed twice. Keep one.</source>
        <translation>泳道 {} 列出了两次。请保留一个。</translation>
    </message>
    <message>
        <source>A row goes over several lines: write one text a lane.</source>
        <translation>有一行跨越了多个文本行：请每个泳道写一行文本。</translation>
    </message>
    <message>
        <source>There are {} rows for {}{}: write one row a lane of the experiment.</source>
        <translation>{1}{2} 有 {0} 行：请为实验的每个泳道写一行。</translation>
    </message>
    <message>
        <source>There are {} times for {} stages: give one F:I:W a stage, or one for all.</source>
        <translation>{1} 个阶段有 {0} 个时间：请每个阶段给出一个 F:I:W，或全部共用一个。</translation>
    </message>
    <message>
        <source>Only the schedule list plans by times. Leave them out.</source>
        <translation>只有 list 调度按时间规划。请去掉时间。</translation>
    </message>
    <message>
        <source>Only the schedule list plans within a memory limit. Leave it out.</source>
        <translation>只有 list 调度在内存上限之内规划。请去掉它。</translation>
    </message>
    <message>
        <source>The limit must be above 0 and a size that memory can have, not {} MiB.</source>
        <translation>上限必须大于 0，且为内存可以具有的大小，而不是 {} MiB。</translation>
    </message>
    <message>
        <source>{} Leaving the actions out brings the order of {} back.</source>
        <translation>{} 去掉这些动作即可恢复 {} 的顺序。</translation>
    </message>
    <message>
        <source>The schedule &quot;custom&quot; needs actions: one CSV row per lane, such as &quot;0F0,0B0&quot;. Or name a known schedule.</source>
        <translation>“custom”调度需要动作：每个泳道一个 CSV 行，例如 &quot;0F0,0B0&quot;。或者指定一个已知的调度。</translation>
    </message>
    <message>
        <source>{}: {}. Check the path.</source>
        <translation>{}：{}。请检查路径。</translation>
    </message>
    <message>
        <source>{}: {}. Choose a .pt2 file of torch.export.save().</source>
        <translation>{}：{}。请选择 torch.export.save() 的 .pt2 文件。</translation>
    </message>
    <message>
        <source>{} ({}) makes an integer that does not follow from the batch. Replace this operation in the network and export it again.</source>
        <translation>{} ({}) 产生了不由批次决定的整数。请在网络中替换这个操作，然后重新导出。</translation>
    </message>
    <message>
        <source>The depth of blocks is {}: choose 1 or more.</source>
        <translation>块的深度为 {}：请选择 1 或更大。</translation>
    </message>
    <message>
        <source>The network calls no module &quot;{}&quot;: {}</source>
        <translation>网络没有调用模块“{}”：{}</translation>
    </message>
    <message>
        <source>{} blocks exchange {} values. Choose fewer blocks.</source>
        <translation>{} 个块交换 {} 个值。请选择更少的块。</translation>
    </message>
    <message>
        <source>The network computes nothing from its input. Export a network that does.</source>
        <translation>网络没有由其输入计算任何内容。请导出由输入计算的网络。</translation>
    </message>
    <message>
        <source>{} is not there any more. Restore the file.</source>
        <translation>{} 已不存在。请恢复该文件。</translation>
    </message>
    <message>
        <source>{} changed since it was opened. Open it again.</source>
        <translation>{} 在打开之后发生了变化。请重新打开它。</translation>
    </message>
    <message>
        <source>{}: its module {} is nested deeper than {} levels. Export a flatter network.</source>
        <translation>{}：它的模块 {} 嵌套深度超过 {} 层。请导出更扁平的网络。</translation>
    </message>
    <message>
        <source>the size {} cannot be read: {}</source>
        <translation>无法读取大小 {}：{}</translation>
    </message>
    <message>
        <source>{}{}: this operator exists in Python only, and LaneLab runs PyTorch&apos;s own. Write a factory whose network does without it.</source>
        <translation>{}{}：这个算子只存在于 Python 中，而 LaneLab 运行 PyTorch 自身的算子。请编写一个工厂函数，使其网络不使用它。</translation>
    </message>
    <message>
        <source>{}{}: LaneLab does not run this operator. It runs those that compute new tensors from tensors, and their forms in place. Write a factory whose network does without it.</source>
        <translation>{}{}：LaneLab 不运行这个算子。它运行由张量计算新张量的算子及其就地形式。请编写一个工厂函数，使其网络不使用它。</translation>
    </message>
    <message>
        <source>{}{}: its argument {} is a text, which this operator does not take. Export the network again.</source>
        <translation>{}{}：它的参数 {} 是文本，而这个算子不接受文本。请重新导出网络。</translation>
    </message>
    <message>
        <source>{} cannot be started: {}.</source>
        <translation>无法启动 {}：{}。</translation>
    </message>
    <message>
        <source>The command was cancelled.</source>
        <translation>命令已取消。</translation>
    </message>
    <message>
        <source>--out: {} does not have the file extension .pt2. Add it.</source>
        <translation>--out：{} 没有文件扩展名 .pt2。请加上它。</translation>
    </message>
    <message>
        <source>--out: the folder of {} does not exist. Make it, or choose another one.</source>
        <translation>--out：{} 所在的文件夹不存在。请创建它，或选择另一个。</translation>
    </message>
    <message>
        <source>--out: {} is a folder. Choose the name of a file.</source>
        <translation>--out：{} 是文件夹。请选择文件名。</translation>
    </message>
    <message>
        <source>{} was ended by signal {} during the export. If memory is short, close other programs.</source>
        <translation>{} 在导出期间被信号 {} 终止。如果内存不足，请关闭其他程序。</translation>
    </message>
    <message>
        <source>{} ended with exit code {} during the export. Its last message: {}</source>
        <translation>{} 在导出期间以退出代码 {} 结束。它的最后一条消息：{}</translation>
    </message>
    <message>
        <source>{} Name a Python that has PyTorch with --python or the variable LANELAB_PYTHON.</source>
        <translation>{} 请用 --python 或变量 LANELAB_PYTHON 指定带有 PyTorch 的 Python。</translation>
    </message>
    <message>
        <source>{} Install Python 3 and PyTorch, or name a Python that has it with --python or the variable LANELAB_PYTHON.</source>
        <translation>{} 请安装 Python 3 和 PyTorch，或用 --python 或变量 LANELAB_PYTHON 指定带有它的 Python。</translation>
    </message>
    <message>
        <source>{} was written, but LaneLab cannot train it: {}</source>
        <translation>{} 已写入，但 LaneLab 无法训练它：{}</translation>
    </message>
    <message>
        <source>its size is not known</source>
        <translation>它的大小未知</translation>
    </message>
    <message>
        <source>it is larger than {}</source>
        <translation>它大于 {}</translation>
    </message>
    <message>
        <source>it ends too early</source>
        <translation>它过早结束</translation>
    </message>
    <message>
        <source>its header does not begin with {</source>
        <translation>它的文件头不以 { 开始</translation>
    </message>
    <message>
        <source>its header is not JSON</source>
        <translation>它的文件头不是 JSON</translation>
    </message>
    <message>
        <source>zlib does not start</source>
        <translation>zlib 无法启动</translation>
    </message>
    <message>
        <source>its bytes in the program are damaged; build the program again</source>
        <translation>它在程序中的字节已损坏；请重新构建程序</translation>
    </message>
    <message>
        <source>LaneLab does not have it, but {}</source>
        <translation>LaneLab 没有它，但 {}</translation>
    </message>
    <message>
        <source>its 64-bit directory is missing</source>
        <translation>缺少它的 64 位目录</translation>
    </message>
    <message>
        <source>its directory is outside the file</source>
        <translation>它的目录在文件之外</translation>
    </message>
    <message>
        <source>it has no zip directory: it is cut off, or is not a zip archive</source>
        <translation>它没有 zip 目录：已被截断，或不是 zip 归档</translation>
    </message>
    <message>
        <source>its directory is damaged</source>
        <translation>它的目录已损坏</translation>
    </message>
    <message>
        <source>its record {} {}</source>
        <translation>它的记录 {} {}</translation>
    </message>
    <message>
        <source>its directory is larger than 64 MiB</source>
        <translation>它的目录大于 64 MiB</translation>
    </message>
    <message>
        <source>its record {} is there twice</source>
        <translation>它的记录 {} 出现了两次</translation>
    </message>
    <message>
        <source>a record has no header</source>
        <translation>有一条记录没有文件头</translation>
    </message>
    <message>
        <source>a record overlaps the next one</source>
        <translation>有一条记录与下一条重叠</translation>
    </message>
    <message>
        <source>a record does not unpack to its size</source>
        <translation>有一条记录解压后的大小不符</translation>
    </message>
    <message>
        <source>This session has no steps to compare.</source>
        <translation>这次会话没有可比较的步。</translation>
    </message>
    <message>
        <source>This executor has no data of its own. Use data.steps instead of data.epochs.</source>
        <translation>这个执行器没有自己的数据。请使用 data.steps，而不是 data.epochs。</translation>
    </message>
    <message>
        <source>This executor cannot measure blocks.</source>
        <translation>这个执行器无法测量块。</translation>
    </message>
    <message>
        <source>There is no stage to execute: place the blocks on lanes.</source>
        <translation>没有可执行的阶段：请把块放到泳道上。</translation>
    </message>
    <message>
        <source>The schedule has {} rows for {} lanes: give each lane its row.</source>
        <translation>调度有 {} 行，而泳道有 {} 个：请给每个泳道一行。</translation>
    </message>
    <message>
        <source>The way from {} broke: {}</source>
        <translation>从 {} 传来的通路断开了：{}</translation>
    </message>
    <message>
        <source>{}, start: {}</source>
        <translation>{}，启动：{}</translation>
    </message>
    <message>
        <source>The lanes did not start.</source>
        <translation>泳道没有启动。</translation>
    </message>
    <message>
        <source>Lane {} does not work in this variant.</source>
        <translation>泳道 {} 在这个变体中没有工作。</translation>
    </message>
    <message>
        <source>{} above par</source>
        <translation>比标准多 {}</translation>
    </message>
    <message>
        <source>par reached</source>
        <translation>达到标准</translation>
    </message>
    <message>
        <source>You built {} with split backwards: {} units, {}.</source>
        <translation>您构建了拆分反向的 {}：{} 个单位，{}。</translation>
    </message>
    <message>
        <source>You built {}: {} units, {}.</source>
        <translation>您构建了 {}：{} 个单位，{}。</translation>
    </message>
    <message>
        <source>An order of your own: {} units, {}; {} has {}.</source>
        <translation>您自己的顺序：{} 个单位，{}；{} 为 {}。</translation>
    </message>
    <message>
        <source>GPipe</source>
        <translation>GPipe</translation>
    </message>
    <message>
        <source>A batch is cut into micro-batches, so that lane 1 computes one of them while lane 0 computes the next. All forwards (F) come first, then all backwards (B), which take twice as long.</source>
        <translation>一个批次切成若干微批次，使泳道 1 计算其中一个时，泳道 0 计算下一个。先执行所有前向 (F)，再执行所有反向 (B)，反向的用时是前向的两倍。</translation>
    </message>
    <message>
        <source>Lane 0 does both forwards without a pause, and lane 1 begins when 0F0 has ended.</source>
        <translation>泳道 0 不停顿地执行两个前向，0F0 结束时泳道 1 开始。</translation>
    </message>
    <message>
        <source>The last lane decides: between its first forward and its last backward it should never be idle.</source>
        <translation>最后一个泳道是关键：在它的第一个前向和最后一个反向之间，它应当从不空闲。</translation>
    </message>
    <message>
        <source>GPipe on Four Lanes</source>
        <translation>四个泳道上的 GPipe</translation>
    </message>
    <message>
        <source>While the pipeline fills and drains most lanes are idle: with four lanes and four micro-batches for 43 % of the step. That bubble shrinks with more micro-batches, and grows with more lanes.</source>
        <translation>流水线填充和排空时，大多数泳道空闲：四个泳道和四个微批次时，占一步的 43 %。微批次越多，气泡越小；泳道越多，气泡越大。</translation>
    </message>
    <message>
        <source>Put all forwards on a lane before its first backward.</source>
        <translation>在一个泳道上，把所有前向放在第一个反向之前。</translation>
    </message>
    <message>
        <source>Backwards come in the order of their forwards: 3B0, then 2B0 and 3B1 at the same time.</source>
        <translation>反向按各自前向的顺序执行：先是 3B0，然后同时是 2B0 和 3B1。</translation>
    </message>
    <message>
        <source>1F1B</source>
        <translation>1F1B</translation>
    </message>
    <message>
        <source>Lane 0 begins with three forwards, lane 1 with two, lane 2 with one.</source>
        <translation>泳道 0 以三个前向开始，泳道 1 以两个，泳道 2 以一个。</translation>
    </message>
    <message>
        <source>From then on put a backward first whenever it can start.</source>
        <translation>此后，只要反向可以开始，就先放反向。</translation>
    </message>
    <message>
        <source>Interleaved 1F1B</source>
        <translation>交错式 1F1B</translation>
    </message>
    <message>
        <source>Each lane has two stages of half the length, lane 0 the stages 0 and 2, so lane 1 begins after half the time. The price is twice as many transfers and more stored activations.</source>
        <translation>每个泳道有两个长度减半的阶段，泳道 0 有阶段 0 和 2，因此泳道 1 只用一半的时间就开始。代价是传输次数加倍，保存的激活值更多。</translation>
    </message>
    <message>
        <source>Lane 0 does 0F0, 0F1, 2F0, 2F1 and 0F2 before its first backward.</source>
        <translation>泳道 0 在它的第一个反向之前执行 0F0、0F1、2F0、2F1 和 0F2。</translation>
    </message>
    <message>
        <source>After its warm-up a lane does one backward, one forward in turn, two micro-batches of a stage at a time.</source>
        <translation>预热之后，泳道轮流执行一个反向和一个前向，每次一个阶段的两个微批次。</translation>
    </message>
    <message>
        <source>Split the Backward</source>
        <translation>拆分反向</translation>
    </message>
    <message>
        <source>A backward has an input part (I), for which the lane in front waits, and a weight part (W), for which nothing waits. Weight parts fill the gaps that a whole backward leaves.</source>
        <translation>反向有输入部分 (I)，前面的泳道在等待它；还有权重部分 (W)，没有什么在等待它。权重部分可以填补完整反向留下的间隙。</translation>
    </message>
    <message>
        <source>An input part goes first whenever it can start: the other lane waits for it.</source>
        <translation>只要输入部分可以开始，就先放它：另一个泳道在等待它。</translation>
    </message>
    <message>
        <source>Lane 1 has no gap to fill, so its weight parts can wait; lane 0 has one unit of idle time.</source>
        <translation>泳道 1 没有要填补的间隙，因此它的权重部分可以推迟；泳道 0 有一个单位的空闲时间。</translation>
    </message>
    <message>
        <source>ZB-H1</source>
        <translation>ZB-H1</translation>
    </message>
    <message>
        <source>An activation is stored until its weight part ends, so weight parts cannot be put off for ever. ZB-H1 has a third of the bubble of 1F1B in the same memory.</source>
        <translation>激活值要保存到其权重部分结束，因此权重部分不能无限推迟。ZB-H1 在同样的内存中，气泡是 1F1B 的三分之一。</translation>
    </message>
    <message>
        <source>Begin as 1F1B does: three forwards on lane 0, two on lane 1, one on lane 2.</source>
        <translation>像 1F1B 那样开始：泳道 0 三个前向，泳道 1 两个，泳道 2 一个。</translation>
    </message>
    <message>
        <source>Lane 1 puts its weight parts off by one micro-batch, lane 2 by two.</source>
        <translation>泳道 1 把它的权重部分推迟一个微批次，泳道 2 推迟两个。</translation>
    </message>
    <message>
        <source>ZB-H2</source>
        <translation>ZB-H2</translation>
    </message>
    <message>
        <source>Lane 0 begins with five forwards, lane 1 with three, lane 2 with one.</source>
        <translation>泳道 0 以五个前向开始，泳道 1 以三个，泳道 2 以一个。</translation>
    </message>
    <message>
        <source>Put weight parts off by as many micro-batches as the lane&apos;s warm-up is shorter than that of lane 0.</source>
        <translation>泳道的预热比泳道 0 短多少个微批次，就把权重部分推迟多少个微批次。</translation>
    </message>
    <message>
        <source>ZB-V</source>
        <translation>ZB-V</translation>
    </message>
    <message>
        <source>Bring micro-batch 0 through all four stages as early as you can, so that 3I0 can start.</source>
        <translation>让微批次 0 尽早通过全部四个阶段，使 3I0 可以开始。</translation>
    </message>
    <message>
        <source>Lane 1 is the one to watch: from its first forward on it has no time to lose.</source>
        <translation>要注意的是泳道 1：从它的第一个前向开始，它就没有时间可以浪费。</translation>
    </message>
    <message>
        <source>{} is placed already.</source>
        <translation>{} 已经放置。</translation>
    </message>
    <message>
        <source>{} cannot be on lane {}: stage {} is on lane {}.</source>
        <translation>{} 不能在泳道 {} 上：阶段 {} 在泳道 {} 上。</translation>
    </message>
    <message>
        <source>{} on lane {} waits for {} of lane {}, which is not placed yet.</source>
        <translation>泳道 {1} 上的 {0} 等待泳道 {3} 的 {2}，而后者还没有放置。</translation>
    </message>
    <message>
        <source>With {} lane {} would store {} activations, and its limit is {}: place what ends a backward first.</source>
        <translation>放置 {} 后，泳道 {} 将保存 {} 份激活值，而它的上限是 {}：请先放置能结束某个反向的动作。</translation>
    </message>
    <message>
        <source>Its {} lanes are GPUs.</source>
        <translation>它的 {} 个泳道是 GPU。</translation>
    </message>
    <message>
        <source>Its {} lanes are CPU cores, since this machine has fewer GPUs than that.</source>
        <translation>它的 {} 个泳道是 CPU 核心，因为本机的 GPU 没有那么多。</translation>
    </message>
    <message>
        <source>The folder {} cannot be made: {}.</source>
        <translation>无法创建文件夹 {}：{}。</translation>
    </message>
    <message>
        <source>The export was cancelled.</source>
        <translation>导出已取消。</translation>
    </message>
    <message>
        <source>{} cannot be opened as a run: {}. Choose an archive that lanelab-cli export --what archive wrote.</source>
        <translation>{} 无法作为运行打开：{}。请选择 lanelab-cli export --what archive 写出的归档。</translation>
    </message>
    <message>
        <source>its files are not in one folder</source>
        <translation>它的文件不在同一个文件夹中</translation>
    </message>
    <message>
        <source>one of its files has a name that is not allowed</source>
        <translation>它的一个文件的名称不被允许</translation>
    </message>
    <message>
        <source>{} in it is too large</source>
        <translation>其中的 {} 太大</translation>
    </message>
    <message>
        <source>it holds more than {} or {}</source>
        <translation>它包含的内容超过 {} 或 {}</translation>
    </message>
    <message>
        <source>{} in it is damaged</source>
        <translation>其中的 {} 已损坏</translation>
    </message>
    <message>
        <source>The import was cancelled.</source>
        <translation>导入已取消。</translation>
    </message>
    <message>
        <source>{} is not a run folder. Name one that holds a run.json.</source>
        <translation>{} 不是运行文件夹。请指定含有 run.json 的文件夹。</translation>
    </message>
    <message>
        <source>A folder in {} cannot be made: {}.</source>
        <translation>无法在 {} 中创建文件夹：{}。</translation>
    </message>
    <message>
        <source>{} cannot be made: {}.</source>
        <translation>无法创建 {}：{}。</translation>
    </message>
    <message>
        <source>The folder {} cannot be made: {}. Check its permissions.</source>
        <translation>无法创建文件夹 {}：{}。请检查其权限。</translation>
    </message>
    <message>
        <source>{} is not a folder. Choose a folder that holds runs.</source>
        <translation>{} 不是文件夹。请选择含有运行的文件夹。</translation>
    </message>
    <message>
        <source>{} is not in the list of run folders. lanelab-cli runs folders prints the list.</source>
        <translation>{} 不在运行文件夹的列表中。lanelab-cli runs folders 会打印该列表。</translation>
    </message>
    <message>
        <source>Name, note and tags of a run may each have at most 64 KiB. Use a shorter text.</source>
        <translation>运行的名称、备注和标签各最多 64 KiB。请使用更短的文本。</translation>
    </message>
    <message>
        <source>{} cannot be removed: {}.</source>
        <translation>无法移除 {}：{}。</translation>
    </message>
    <message>
        <source>The {} &quot;{}&quot; is not known: {}</source>
        <translation>无法识别{}“{}”：{}</translation>
    </message>
    <message>
        <source>&quot;{}&quot; names {}. Use an id, such as {}.</source>
        <translation>“{}”指的是 {}。请使用 ID，例如 {}。</translation>
    </message>
    <message>
        <source>The filter &quot;{}&quot; is not known: {}</source>
        <translation>无法识别筛选条件“{}”：{}</translation>
    </message>
    <message>
        <source>The filter &quot;{}&quot; has no value. Write status=done, tag=NAME or star.</source>
        <translation>筛选条件“{}”没有值。请写 status=done、tag=NAME 或 star。</translation>
    </message>
    <message>
        <source>There is no column &quot;{}&quot;: {}</source>
        <translation>没有列“{}”：{}</translation>
    </message>
    <message>
        <source>There is no run &quot;{}&quot;. Use a run folder, or an id that lanelab-cli runs lists.</source>
        <translation>没有运行“{}”。请使用运行文件夹，或 lanelab-cli runs 列出的 ID。</translation>
    </message>
    <message>
        <source>{} is not a run folder, so it was not deleted.</source>
        <translation>{} 不是运行文件夹，因此没有删除。</translation>
    </message>
    <message>
        <source>The run in {} is in progress. Stop it before you delete it.</source>
        <translation>{} 中的运行正在进行。请先停止它，然后删除。</translation>
    </message>
    <message>
        <source>{} cannot be removed: {}. Check its permissions.</source>
        <translation>无法移除 {}：{}。请检查其权限。</translation>
    </message>
    <message>
        <source>{} cannot be moved to {}: {}.</source>
        <translation>无法把 {} 移到 {}：{}。</translation>
    </message>
    <message>
        <source>{} cannot be read ({}). Check its permissions.</source>
        <translation>无法读取 {} ({})。请检查其权限。</translation>
    </message>
    <message>
        <source>{} cannot be read to its end. Try again.</source>
        <translation>{} 无法读到末尾。请重试。</translation>
    </message>
    <message>
        <source>{} cannot be written: this build has no minizip. Install libminizip-dev and build again.</source>
        <translation>无法写入 {}：此构建没有 minizip。请安装 libminizip-dev 并重新构建。</translation>
    </message>
    <message>
        <source>LANELAB_TORCH_ROOT: {} has no PyTorch (no lib/libtorch_cpu.so in a folder torch). Set it to a Python environment that has PyTorch, or unset it.</source>
        <translation>LANELAB_TORCH_ROOT：{} 没有 PyTorch（没有 torch 文件夹中的 lib/libtorch_cpu.so）。请设为带有 PyTorch 的 Python 环境，或取消设置。</translation>
    </message>
    <message>
        <source>PyTorch is not in {}. Run lanelab-setup-torch, which installs it there, or set LANELAB_TORCH_ROOT to a Python environment that has PyTorch.</source>
        <translation>{} 中没有 PyTorch。请运行 lanelab-setup-torch 在那里安装它，或把 LANELAB_TORCH_ROOT 设为带有 PyTorch 的 Python 环境。</translation>
    </message>
    <message>
        <source>PyTorch {} in {} does not fit: this LaneLab was built with {}. Set LANELAB_TORCH_ROOT to a Python environment that has PyTorch {}, or unset it and run lanelab-setup-torch.</source>
        <translation>{1} 中的 PyTorch {0} 不合适：此 LaneLab 是用 {2} 构建的。请把 LANELAB_TORCH_ROOT 设为带有 PyTorch {3} 的 Python 环境，或取消设置并运行 lanelab-setup-torch。</translation>
    </message>
    <message>
        <source>The input of {} is a colour image, 3xHxW, not {}: write for example 3x128x128.</source>
        <translation>{} 的输入是彩色图像 3xHxW，而不是 {}：例如请写 3x128x128。</translation>
    </message>
    <message>
        <source>An image of {} leaves nothing to compute: the smallest input of {} is 3x1x1.</source>
        <translation>{} 的图像没有留下可计算的内容：{} 的最小输入为 3x1x1。</translation>
    </message>
    <message>
        <source>An image of {} is too large: the largest input of {} is 3x65536x65536.</source>
        <translation>{} 的图像太大：{} 的最大输入为 3x65536x65536。</translation>
    </message>
    <message>
        <source>The input of linear is a sample of 1 to {} numbers, not {}: write for example 5.</source>
        <translation>linear 的输入是 1 至 {} 个数的样本，而不是 {}：例如请写 5。</translation>
    </message>
    <message>
        <source>The input of toy is 10 numbers, not {}: write 10.</source>
        <translation>toy 的输入是 10 个数，而不是 {}：请写 10。</translation>
    </message>
    <message>
        <source>Unknown model &quot;{}&quot;: {}</source>
        <translation>未知的模型“{}”：{}</translation>
    </message>
    <message>
        <source>A model needs at least 1 class, not {}.</source>
        <translation>模型至少需要 1 个类别，而不是 {}。</translation>
    </message>
    <message>
        <source>There is no type &quot;{}&quot;: {}</source>
        <translation>没有类型“{}”：{}</translation>
    </message>
    <message>
        <source>No map: {} is tied to {}, but its module was placed or split before. Keep them together with --no-split, or give the devices other limits.</source>
        <translation>没有映射：{} 与 {} 绑定，但后者的模块之前已放置或拆分。请用 --no-split 使它们在一起，或给设备其他上限。</translation>
    </message>
    <message>
        <source>{}: a device map is an object, such as {&quot;model.embed_tokens&quot;: 0, &quot;lm_head&quot;: &quot;cpu&quot;}.</source>
        <translation>{}：设备映射是一个对象，例如 {&quot;model.embed_tokens&quot;: 0, &quot;lm_head&quot;: &quot;cpu&quot;}。</translation>
    </message>
    <message>
        <source>{}: &quot;{}&quot; is on {}, which is not a device. Write a GPU number, &quot;cpu&quot; or &quot;disk&quot;.</source>
        <translation>{}：“{}”在 {} 上，而它不是设备。请写 GPU 编号、&quot;cpu&quot; 或 &quot;disk&quot;。</translation>
    </message>
    <message>
        <source>{}: {} has no place: give its module one, or &quot;&quot;, which is the whole network.</source>
        <translation>{}：{} 没有位置：请给它的模块一个位置，或给 &quot;&quot;（即整个网络）一个位置。</translation>
    </message>
    <message>
        <source>{}: the network has no module &quot;{}&quot;{}</source>
        <translation>{}：网络没有模块“{}”{}</translation>
    </message>
    <message>
        <source>{} is split over {} and {}, but a lane computes whole blocks: keep its class whole, or change the limits.</source>
        <translation>{} 被拆分到 {} 和 {} 上，但一个泳道计算完整的块：请使它的类保持完整，或更改上限。</translation>
    </message>
    <message>
        <source>{} is on {}, which is not a lane. Raise the limits of the GPUs, which stand for the lanes from 0 on.</source>
        <translation>{} 在 {} 上，而它不是泳道。请提高 GPU 的上限，GPU 从 0 开始代表各泳道。</translation>
    </message>
    <message>
        <source>{} is on GPU {}, but the experiment has lanes 0 to {} only. Add a lane, or remove the limit of this GPU.</source>
        <translation>{} 在 GPU {} 上，但实验只有泳道 0 至 {}。请添加泳道，或去掉这个 GPU 的上限。</translation>
    </message>
    <message>
        <source>&quot;{}&quot; is not a size. Write whole bytes (1000000) or a number with a unit (1.5GiB, 200MB).</source>
        <translation>“{}”不是大小。请写整数字节 (1000000)，或带单位的数 (1.5GiB、200MB)。</translation>
    </message>
    <message>
        <source>{}: give a device and its size, such as 0=10GiB, cpu=30GB or disk=100GB.</source>
        <translation>{}：请给出设备及其大小，例如 0=10GiB、cpu=30GB 或 disk=100GB。</translation>
    </message>
    <message>
        <source>{}: the device has a limit already. Keep one of them.</source>
        <translation>{}：该设备已有上限。请保留其中一个。</translation>
    </message>
    <message>
        <source>{}: &quot;{}&quot; is not a device. Write a GPU number, cpu or disk.</source>
        <translation>{}：“{}”不是设备。请写 GPU 编号、cpu 或 disk。</translation>
    </message>
    <message>
        <source>There is no policy &quot;{}&quot;: {}</source>
        <translation>没有策略“{}”：{}</translation>
    </message>
    <message>
        <source>balanced_low_0 needs GPUs numbered from 0 on without holes, but GPU {} has no limit: give it one, or choose another policy.</source>
        <translation>balanced_low_0 需要从 0 开始连续编号的 GPU，但 GPU {} 没有上限：请给它一个，或选择另一种策略。</translation>
    </message>
    <message>
        <source>0 stages cannot hold the blocks: ask for at least 1.</source>
        <translation>0 个阶段无法存放块：请至少使用 1 个。</translation>
    </message>
    <message>
        <source>{} stages need as many blocks, but there {}: ask for at most that many stages.</source>
        <translation>{} 个阶段需要同样多的块，但共有 {}：请最多使用那么多阶段。</translation>
    </message>
    <message>
        <source>There are {} transfers for {} blocks: give one for each boundary.</source>
        <translation>{1} 个块有 {0} 个传输：请给每个边界一个。</translation>
    </message>
    <message>
        <source>A stage is on lane {}, but there are {} lanes, counted from 0: place it on one of them.</source>
        <translation>有一个阶段在泳道 {} 上，但共有 {} 个泳道，从 0 开始编号：请把它放到其中一个上。</translation>
    </message>
    <message>
        <source>The time of block {} is {}: give 0 or more.</source>
        <translation>块 {} 的时间为 {}：请给出 0 或更大的值。</translation>
    </message>
    <message>
        <source>A transfer takes {}: give 0 or more.</source>
        <translation>有一次传输用时 {}：请给出 0 或更大的值。</translation>
    </message>
    <message>
        <source>The slowness of lane {} is {}: give a factor above 0.</source>
        <translation>泳道 {} 的减速倍数为 {}：请给出大于 0 的倍数。</translation>
    </message>
    <message>
        <source>Unknown block &quot;{}&quot; in cuts: {}</source>
        <translation>cuts 中有未知的块“{}”：{}</translation>
    </message>
    <message>
        <source>{}{}{} stages, but there {}: remove cuts or add lanes.</source>
        <translation>{}{}{} 个阶段，但共有 {}：请去掉切分或添加泳道。</translation>
    </message>
    <message>
        <source>The cut &quot;{}&quot; is before the first block and leaves stage 0 empty. Remove it.</source>
        <translation>切分“{}”在第一个块之前，使阶段 0 为空。请去掉它。</translation>
    </message>
    <message>
        <source>The cut &quot;{}&quot; does not come after &quot;{}&quot; in {}: list each cut once, in the model&apos;s order.</source>
        <translation>在 {2} 中，切分“{0}”不在“{1}”之后：请按模型的顺序列出每个切分各一次。</translation>
    </message>
    <message>
        <source>The damaged {} cannot be renamed to {} ({}), so nothing was written.</source>
        <translation>损坏的 {} 无法重命名为 {} ({})，因此没有写入任何内容。</translation>
    </message>
    <message>
        <source>There is no variant &quot;{}&quot; to compare with. Choose {}.</source>
        <translation>没有可供比较的变体“{}”。请选择 {}。</translation>
    </message>
    <message>
        <source>&quot;{}&quot; is in several runs. Choose {}.</source>
        <translation>“{}”在多个运行中。请选择 {}。</translation>
    </message>
    <message>
        <source>{} and {} did different work: {}. Compare runs of one model and the same data.</source>
        <translation>{} 和 {} 所做的工作不同：{}。请比较同一模型和相同数据的运行。</translation>
    </message>
    <message>
        <source>There is no run to compare. Name at least one run folder.</source>
        <translation>没有可比较的运行。请至少指定一个运行文件夹。</translation>
    </message>
    <message>
        <source>{} was not changed: another process has been changing it for {} seconds. Try again, or end that process.</source>
        <translation>{} 没有更改：另一个进程已在更改它 {} 秒。请重试，或结束那个进程。</translation>
    </message>
    <message>
        <source>{}: comparison.baseline: {}</source>
        <translation>{}：comparison.baseline：{}</translation>
    </message>
    <message>
        <source>The run folder {} cannot be made: {}.</source>
        <translation>无法创建运行文件夹 {}：{}。</translation>
    </message>
    <message>
        <source>Another process is using the run folder {}. Name another one.</source>
        <translation>另一个进程正在使用运行文件夹 {}。请指定另一个。</translation>
    </message>
    <message>
        <source>The run folder {} is not empty. Name another one, or remove its files first.</source>
        <translation>运行文件夹 {} 不为空。请指定另一个，或先移除其中的文件。</translation>
    </message>
    <message>
        <source>The run folder has no name. Name one, such as runs/first.</source>
        <translation>运行文件夹没有名称。请指定一个，例如 runs/first。</translation>
    </message>
    <message>
        <source>{} is not a folder. Name a folder that is absent or empty.</source>
        <translation>{} 不是文件夹。请指定不存在的或空的文件夹。</translation>
    </message>
    <message>
        <source>The run folder {} cannot be read: {}. Choose another folder.</source>
        <translation>无法读取运行文件夹 {}：{}。请选择另一个文件夹。</translation>
    </message>
    <message>
        <source>The run folder {} cannot be used: {}.</source>
        <translation>无法使用运行文件夹 {}：{}。</translation>
    </message>
    <message>
        <source>{} has no run.json, so there is no run to resume. Name the folder of a run.</source>
        <translation>{} 没有 run.json，因此没有可继续的运行。请指定运行的文件夹。</translation>
    </message>
    <message>
        <source>The run folder {} cannot be written: it was removed or moved in the meantime. Start the run again, and leave its folder until it ends.</source>
        <translation>无法写入运行文件夹 {}：它在此期间被移除或移动。请重新开始运行，并在其结束之前不要动它的文件夹。</translation>
    </message>
    <message>
        <source>{} is not a run folder. Name a folder with a run.json.</source>
        <translation>{} 不是运行文件夹。请指定含有 run.json 的文件夹。</translation>
    </message>
    <message>
        <source>{} has no run.json, so it is not a run folder. Name the folder of a run.</source>
        <translation>{} 没有 run.json，因此不是运行文件夹。请指定运行的文件夹。</translation>
    </message>
    <message>
        <source>variant &quot;{}&quot; cannot be compared with its reference ({}), whose numbers are not finite. {}</source>
        <translation>变体“{}”无法与其参照 ({}) 比较，因为参照的数值不是有限值。{}</translation>
    </message>
    <message>
        <source>variant &quot;{}&quot; does not equal its reference ({}): among the {} {}.</source>
        <translation>变体“{}”与其参照 ({}) 不相等：在 {} 之中 {}。</translation>
    </message>
    <message>
        <source>The variant &quot;{}&quot; is data-parallel, which lives in one process, and lane {} is of another. Use the strategy ddp, or lanes of rank 0.</source>
        <translation>变体“{}”是 data-parallel，只存在于一个进程中，而泳道 {} 属于另一个进程。请使用 ddp 策略，或 rank 0 的泳道。</translation>
    </message>
    <message>
        <source>lanes[{}].rank: There is no rank {}: the run has {} processes, counted from 0.</source>
        <translation>lanes[{}].rank：没有 rank {}：运行有 {} 个进程，从 0 开始编号。</translation>
    </message>
    <message>
        <source>Out of memory. Choose a smaller batch, input or model, or close other programs.</source>
        <translation>内存不足。请选择更小的批次、输入或模型，或关闭其他程序。</translation>
    </message>
    <message>
        <source>The run failed: {}</source>
        <translation>运行失败：{}</translation>
    </message>
    <message>
        <source>{} holds a run of another experiment ({}), or of one that was changed since. Resume with the unchanged experiment, or name another folder.</source>
        <translation>{} 存放着另一个实验 ({}) 的运行，或此后被更改过的实验的运行。请用未更改的实验继续，或指定另一个文件夹。</translation>
    </message>
    <message>
        <source>Deadlock: {}, which comes later on the same lane.</source>
        <translation>死锁：{}，而后者在同一泳道上排在后面。</translation>
    </message>
    <message>
        <source>Deadlock: {}.</source>
        <translation>死锁：{}。</translation>
    </message>
    <message>
        <source>{} holds {}, but the schedule has stages 0 to {} and micro-batches 0 to {}, each with F and B (updates follow by themselves): remove it.</source>
        <translation>{} 含有 {}，但调度有阶段 0 至 {} 和微批次 0 至 {}，各有 F 和 B（更新会自动跟随）：请移除它。</translation>
    </message>
    <message>
        <source>{} is on {}, but stage {} is on {}: move it there.</source>
        <translation>{} 在 {} 上，但阶段 {} 在 {} 上：请把它移到那里。</translation>
    </message>
    <message>
        <source>{} appears twice, the second time on {}: remove one.</source>
        <translation>{} 出现了两次，第二次在 {} 上：请移除一个。</translation>
    </message>
    <message>
        <source>{} on {} repeats a backward that is there already: use either B, or I and W.</source>
        <translation>{1} 上的 {0} 重复了已有的反向：请使用 B，或使用 I 和 W。</translation>
    </message>
    <message>
        <source>{} is missing: add it to the row of stage {}&apos;s lane.</source>
        <translation>缺少 {}：请把它添加到阶段 {} 的泳道的行中。</translation>
    </message>
    <message>
        <source>A schedule needs at least 1 stage, not 0.</source>
        <translation>调度至少需要 1 个阶段，而不是 0 个。</translation>
    </message>
    <message>
        <source>A schedule needs at least 1 micro-batch, not {}.</source>
        <translation>调度至少需要 1 个微批次，而不是 {} 个。</translation>
    </message>
    <message>
        <source>A schedule has at most {} stages, not {}.</source>
        <translation>调度最多有 {} 个阶段，而不是 {} 个。</translation>
    </message>
    <message>
        <source>A schedule has at most {} micro-batches, not {}: choose a larger split size.</source>
        <translation>调度最多有 {} 个微批次，而不是 {} 个：请选择更大的拆分大小。</translation>
    </message>
    <message>
        <source>{} stages of {} micro-batches make more actions than anyone can read or run: choose a larger split size or fewer stages.</source>
        <translation>{} 个阶段和 {} 个微批次产生的动作太多，无法阅读或运行：请选择更大的拆分大小或更少的阶段。</translation>
    </message>
    <message>
        <source>{} needs two stages per lane in a V, stage s and stage 2p-1-s on the same of p lanes{}: cut the model into twice as many stages as lanes, or choose ZB-H1 or By stage times (list).</source>
        <translation>{} 需要每个泳道两个阶段，呈 V 形，即阶段 s 和阶段 2p-1-s 在 p 个泳道中的同一个上{}：请把模型切分为泳道数两倍的阶段，或选择 ZB-H1 或“按阶段时间”(list)。</translation>
    </message>
    <message>
        <source>{} needs stages that go down p lanes and back, a multiple of 2p stages{}: cut the model into 2, 4 or 6 stages per lane, or choose 1F1B or By stage times (list).</source>
        <translation>{} 需要沿 p 个泳道往返的阶段，即 2p 的倍数{}：请把模型切分为每个泳道 2、4 或 6 个阶段，或选择 1F1B 或“按阶段时间”(list)。</translation>
    </message>
    <message>
        <source>{} needs stages that go round the lanes, stage s on lane s mod p, equally many on each of p lanes{}: cut the model into a multiple of the lanes, or choose 1F1B or By stage times (list).</source>
        <translation>{} 需要绕各泳道循环的阶段，即阶段 s 在泳道 s mod p 上，p 个泳道上的数量相等{}：请把模型切分为泳道数的倍数，或选择 1F1B 或“按阶段时间”(list)。</translation>
    </message>
    <message>
        <source>{} takes at most {} lanes, not {}: choose ZB-V for more.</source>
        <translation>{} 最多使用 {} 个泳道，而不是 {} 个：更多泳道请选择 ZB-V。</translation>
    </message>
    <message>
        <source>{} does all forwards first and takes no warm-up depth: leave it out.</source>
        <translation>{} 先执行所有前向，没有预热深度：请去掉它。</translation>
    </message>
    <message>
        <source>{} has a warm-up of its own: leave the depth out, or choose ZB-H1 or By stage times (list).</source>
        <translation>{} 有自己的预热：请去掉深度，或选择 ZB-H1 或“按阶段时间”(list)。</translation>
    </message>
    <message>
        <source>The warm-up depth must be from 1 to {} micro-batches, not {}.</source>
        <translation>预热深度必须为 1 至 {} 个微批次，而不是 {}。</translation>
    </message>
    <message>
        <source>A warm-up depth of {} would never reach the last stage: Interleaved 1F1B needs at least {} forwards here.</source>
        <translation>预热深度 {} 永远到不了最后一个阶段：交错式 1F1B 在这里至少需要 {} 个前向。</translation>
    </message>
    <message>
        <source>Only the schedule list takes a memory limit in bytes: leave it out, or choose list.</source>
        <translation>只有 list 调度接受以字节计的内存上限：请去掉它，或选择 list。</translation>
    </message>
    <message>
        <source>A memory limit needs the bytes of a lane and of each of the {}: give both.</source>
        <translation>内存上限需要泳道的字节数和每个 {} 的字节数：请给出两者。</translation>
    </message>
    <message>
        <source>The bytes of a stage must be 0 or more and a size that memory can have.</source>
        <translation>阶段的字节数必须为 0 或更大，且为内存可以具有的大小。</translation>
    </message>
    <message>
        <source>Lane {} holds {} of a single micro-batch, more than the limit of {}: choose a smaller split size or a larger limit.</source>
        <translation>泳道 {} 为单个微批次保存 {}，超过上限 {}：请选择更小的拆分大小或更大的上限。</translation>
    </message>
    <message>
        <source>Only the schedule list counts what is held after I: leave the share out, or choose list.</source>
        <translation>只有 list 调度计算 I 之后保存的内容：请去掉该比例，或选择 list。</translation>
    </message>
    <message>
        <source>The share that is held after I must be from 0 to 1, not {}.</source>
        <translation>I 之后保存的比例必须在 0 至 1 之间，而不是 {}。</translation>
    </message>
    <message>
        <source>Unknown schedule &quot;{}&quot;: {}</source>
        <translation>未知的调度“{}”：{}</translation>
    </message>
    <message>
        <source>A custom schedule is given action by action: choose {}.</source>
        <translation>自定义调度逐个动作给出：请选择 {}。</translation>
    </message>
    <message>
        <source>&quot;{}&quot; is not the time of a stage. Write three whole numbers F:I:W from 1 to 1000000000, such as 10:10:10.</source>
        <translation>“{}”不是阶段的时间。请写三个 1 至 1000000000 的整数 F:I:W，例如 10:10:10。</translation>
    </message>
    <message>
        <source>Row {}, cell {}: &quot;{}&quot; is not a compute action. Write stage, F, B, I or W, and micro-batch, such as 0F1.</source>
        <translation>第 {} 行，第 {} 格：“{}”不是计算动作。请写阶段、F、B、I 或 W，以及微批次，例如 0F1。</translation>
    </message>
    <message>
        <source>The schedule holds no action: write one row a lane, such as 0F0,0F1,0B0,0B1.</source>
        <translation>调度没有动作：请每个泳道写一行，例如 0F0,0F1,0B0,0B1。</translation>
    </message>
    <message>
        <source>data.path: {} {}. Get the binary version of CIFAR-10 (cifar-10-binary.tar.gz) again.</source>
        <translation>data.path：{} {}。请重新获取 CIFAR-10 的二进制版本 (cifar-10-binary.tar.gz)。</translation>
    </message>
    <message>
        <source>data.path: {} is not a folder. Name the folder with CIFAR-10&apos;s data_batch_1.bin.</source>
        <translation>data.path：{} 不是文件夹。请指定含有 CIFAR-10 的 data_batch_1.bin 的文件夹。</translation>
    </message>
    <message>
        <source>data.path: {} holds no data_batch_*.bin. Name the folder that holds CIFAR-10&apos;s binary files.</source>
        <translation>data.path：{} 中没有 data_batch_*.bin。请指定存放 CIFAR-10 二进制文件的文件夹。</translation>
    </message>
    <message>
        <source>data.shape: CIFAR-10&apos;s images are [3, 32, 32], not [{}]. {}.</source>
        <translation>data.shape：CIFAR-10 的图像为 [3, 32, 32]，而不是 [{}]。{}。</translation>
    </message>
    <message>
        <source>model.classes: CIFAR-10 has 10 classes, and the model has {}. {}.</source>
        <translation>model.classes：CIFAR-10 有 10 个类别，而模型有 {} 个。{}。</translation>
    </message>
    <message>
        <source>data.epochs: random data have no epochs. Use data.steps, or say how many `rows` there are.</source>
        <translation>data.epochs：随机数据没有轮次。请使用 data.steps，或说明有多少 `rows`。</translation>
    </message>
    <message>
        <source>data.shape: the digits are 8x8 pixels, so the shape must be 1 or 3 channels with sides of 8, 16, 24 ... 128, such as [3, 32, 32]; it is [{}].</source>
        <translation>data.shape：数字为 8x8 像素，因此形状必须为 1 或 3 个通道，边长为 8、16、24 ... 128，例如 [3, 32, 32]；现在为 [{}]。</translation>
    </message>
    <message>
        <source>model.classes: there are 10 digits, and the model has {} classes. {}.</source>
        <translation>model.classes：有 10 个数字，而模型有 {} 个类别。{}。</translation>
    </message>
    <message>
        <source>{} cannot be read: {}. Take the image out of the folder, or save it again as PNG or JPEG.</source>
        <translation>{} 无法读取：{}。请把该图像移出文件夹，或重新保存为 PNG 或 JPEG。</translation>
    </message>
    <message>
        <source>data.path: {}</source>
        <translation>data.path：{}</translation>
    </message>
    <message>
        <source>model.classes: {} holds {} classes, and the model has {}. {}.</source>
        <translation>model.classes：{} 有 {} 个类别，而模型有 {} 个。{}。</translation>
    </message>
    <message>
        <source>data.shape: images from a folder have 3 channels, so it must be 3 x height x width, not [{}].</source>
        <translation>data.shape：来自文件夹的图像有 3 个通道，因此必须为 3 x 高 x 宽，而不是 [{}]。</translation>
    </message>
    <message>
        <source>data.path: {} does not fit this experiment: {}.</source>
        <translation>data.path：{} 与这个实验不匹配：{}。</translation>
    </message>
    <message>
        <source>data.path: {} has {} bytes, and one sample needs {}: an input of {} tokens and the byte after it. Choose a longer text.</source>
        <translation>data.path：{} 有 {} 字节，而一个样本需要 {} 字节：{} 个词元的输入及其后的一个字节。请选择更长的文本。</translation>
    </message>
    <message>
        <source>data.path: byte {} of {}, in line {}, is {}, and the network has {} tokens, from 0 to {}. Remove such characters from the text, or use a network of 256 tokens.</source>
        <translation>data.path：{1} 的第 {0} 个字节（在第 {2} 行）为 {3}，而网络有 {4} 个词元，从 0 至 {5}。请从文本中去掉这样的字符，或使用 256 个词元的网络。</translation>
    </message>
    <message>
        <source>data.path: {} cannot be read: {}. Check the path.</source>
        <translation>data.path：{} 无法读取：{}。请检查路径。</translation>
    </message>
    <message>
        <source>model.weights: {}</source>
        <translation>model.weights：{}</translation>
    </message>
    <message>
        <source>model.file: {}</source>
        <translation>model.file：{}</translation>
    </message>
    <message>
        <source>The data and the initial model could not be made: {}.</source>
        <translation>无法生成数据和初始模型：{}。</translation>
    </message>
    <message>
        <source>{} Remove it to start the repeat from scratch.</source>
        <translation>{} 移除它即可从头开始这次重复。</translation>
    </message>
    <message>
        <source>it lacks {}</source>
        <translation>它缺少 {}</translation>
    </message>
    <message>
        <source>{}: its weights cannot be read: {}. Export the network again.</source>
        <translation>{}：无法读取它的权重：{}。请重新导出网络。</translation>
    </message>
    <message>
        <source>{}: {} and {} are one parameter of the network, but have different values. Write the weights of a network whose parameters are tied.</source>
        <translation>{}：{} 和 {} 是网络的同一个参数，但值不同。请写入参数已绑定的网络的权重。</translation>
    </message>
    <message>
        <source>{} cannot be mapped: {}. Choose a file on a disk that allows it.</source>
        <translation>{} 无法映射：{}。请选择位于允许映射的磁盘上的文件。</translation>
    </message>
    <message>
        <source>its type {} is not supported</source>
        <translation>不支持它的类型 {}</translation>
    </message>
    <message>
        <source>its {} of tensors do not fit into memory</source>
        <translation>它的 {} 张量放不进内存</translation>
    </message>
    <message>
        <source>{} cannot be read as a PyTorch state dict: {}. Save it with torch.save(model.state_dict(), path), or as safetensors.</source>
        <translation>{} 无法作为 PyTorch 状态字典读取：{}。请用 torch.save(model.state_dict(), path) 保存，或保存为 safetensors。</translation>
    </message>
    <message>
        <source>{} cannot be read: {}. Choose a file that exists and may be read.</source>
        <translation>{} 无法读取：{}。请选择存在且可以读取的文件。</translation>
    </message>
    <message>
        <source>{}: weight_map is missing: an index names the file of each tensor there.</source>
        <translation>{}：缺少 weight_map：索引在那里给出每个张量所在的文件。</translation>
    </message>
    <message>
        <source>{}: weight_map.{} must be the name of a file in the same folder.</source>
        <translation>{}：weight_map.{} 必须是同一文件夹中文件的名称。</translation>
    </message>
    <message>
        <source>{} holds {} .safetensors files and no {}: name the file of the weights itself.</source>
        <translation>{} 有 {} 个 .safetensors 文件，而没有 {}：请指定权重文件本身。</translation>
    </message>
    <message>
        <source>{}, tensor &quot;{}&quot;: its type {} is not supported.</source>
        <translation>{}，张量“{}”：不支持它的类型 {}。</translation>
    </message>
    <message>
        <source>{}, tensor &quot;{}&quot;: another of the files holds it too. Keep one of them.</source>
        <translation>{}，张量“{}”：另一个文件也含有它。请保留其中一个。</translation>
    </message>
    <message>
        <source>{} cannot be read: {}. Choose a safetensors file that exists and may be read.</source>
        <translation>{} 无法读取：{}。请选择存在且可以读取的 safetensors 文件。</translation>
    </message>
    <message>
        <source>{} is not a sound safetensors file: {}. Write or download it again.</source>
        <translation>{} 不是完好的 safetensors 文件：{}。请重新写入或下载。</translation>
    </message>
    <message>
        <source>{}: its {} of tensors do not fit into memory. Close other programs, or use a smaller file.</source>
        <translation>{}：它的 {} 张量放不进内存。请关闭其他程序，或使用更小的文件。</translation>
    </message>
    <message>
        <source>{}, tensor &quot;{}&quot;: {}.</source>
        <translation>{}，张量“{}”：{}。</translation>
    </message>
    <message>
        <source>The inference was cancelled.</source>
        <translation>推理已取消。</translation>
    </message>
    <message>
        <source>Inference failed: {}.</source>
        <translation>推理失败：{}。</translation>
    </message>
    <message>
        <source>{} hold {}, but the vocabulary of config.json has tokens from 0 to {}.</source>
        <translation>{} 含有 {}，但 config.json 的词表的词元为 0 至 {}。</translation>
    </message>
    <message>
        <source>{}: there is no tensor named input_ids. Write the tokens under this name, int64 [rows, tokens].</source>
        <translation>{}：没有名为 input_ids 的张量。请以此名称写入词元，int64 [行，词元]。</translation>
    </message>
    <message>
        <source>{}: input_ids must be whole numbers of the shape [rows, tokens], with at least one of each.</source>
        <translation>{}：input_ids 必须是形状为 [行，词元] 的整数，且行和词元各至少有一个。</translation>
    </message>
    <message>
        <source>{}: {}. Give the weights that belong to this config.json.</source>
        <translation>{}：{}。请给出属于这个 config.json 的权重。</translation>
    </message>
    <message>
        <source>The device map keeps {} of weights in memory, and with {} for weights on their way, the cache and the logits that is more than the {} that are free: put more on disk, such as with --max-memory cpu=SIZE, or give fewer tokens at once.</source>
        <translation>设备映射在内存中保留 {} 的权重，加上传送途中的权重 {}、缓存和 logits，超过空闲的 {}：请把更多内容放到磁盘上，例如用 --max-memory cpu=SIZE，或一次给出更少的词元。</translation>
    </message>
    <message>
        <source>The prompt is empty: give at least one token by its number.</source>
        <translation>提示词为空：请至少给出一个词元的编号。</translation>
    </message>
    <message>
        <source>No tokens are asked for: ask for one or more.</source>
        <translation>没有要求生成词元：请要求一个或更多。</translation>
    </message>
    <message>
        <source>{}: inputs hold {}, but {} has tokens from 0 to {}. Write others.</source>
        <translation>{}：inputs 含有 {}，但 {} 的词元为 0 至 {}。请写入其他词元。</translation>
    </message>
    <message>
        <source>{}: there is no tensor named inputs. Write the samples under this name.</source>
        <translation>{}：没有名为 inputs 的张量。请以此名称写入样本。</translation>
    </message>
    <message>
        <source>{}: inputs hold no sample. Write them as N x the shape of a sample.</source>
        <translation>{}：inputs 没有样本。请写成 N x 一个样本的形状。</translation>
    </message>
    <message>
        <source>{}: inputs have the shape {}, but {} has inputs of {}, N at least 1. Write them so.</source>
        <translation>{}：inputs 的形状为 {}，但 {} 的输入为 {}，N 至少为 1。请照此写入。</translation>
    </message>
    <message>
        <source>{}: inputs are {}, but {} has inputs of the type {}. Convert them.</source>
        <translation>{}：inputs 为 {}，但 {} 的输入类型为 {}。请转换。</translation>
    </message>
    <message>
        <source>{}: size 0 of its output is not the batch, so the results of several batches cannot be joined. Give fewer inputs at once.</source>
        <translation>{}：其输出的第 0 维不是批次，因此无法合并多个批次的结果。请一次给出更少的输入。</translation>
    </message>
    <message>
        <source>{}: inputs have {} samples, but {} was exported for a batch of {}. Give a multiple of it, or export the network with a dynamic batch.</source>
        <translation>{}：inputs 有 {} 个样本，但 {} 是按批次 {} 导出的。请给出它的倍数，或以动态批次导出网络。</translation>
    </message>
    <message>
        <source>{}: inputs have {} samples, which cannot be divided into batches of {} to {}, as {} asks for.</source>
        <translation>{}：inputs 有 {} 个样本，无法按 {4} 的要求分为 {2} 至 {3} 个样本的批次。</translation>
    </message>
    <message>
        <source>{}: these are not the weights of this model{}. Choose the architecture and the number of classes that the file was written for.</source>
        <translation>{}：这些不是这个模型的权重{}。请选择该文件所对应的架构和类别数。</translation>
    </message>
    <message>
        <source>The blocks left no times in the trace of their profile.</source>
        <translation>在性能分析的跟踪记录中，块没有留下时间。</translation>
    </message>
    <message>
        <source>The blocks could not be measured: {}.</source>
        <translation>无法测量块：{}。</translation>
    </message>
    <message>
        <source>The network could not be compared with eager PyTorch: {}.</source>
        <translation>无法把网络与即时执行的 PyTorch 比较：{}。</translation>
    </message>
    <message>
        <source>{} of the imported network is not that of eager PyTorch {}, which the file has. Export it again with lanelab-cli new-model.</source>
        <translation>导入的网络的 {} 与文件中即时执行的 PyTorch {} 的不同。请用 lanelab-cli new-model 重新导出。</translation>
    </message>
    <message>
        <source>The validation after an epoch failed: {}.</source>
        <translation>一轮之后的验证失败：{}。</translation>
    </message>
    <message>
        <source>The reference could not be trained: {}.</source>
        <translation>无法训练参照：{}。</translation>
    </message>
    <message>
        <source>The check failed: {}.</source>
        <translation>检查失败：{}。</translation>
    </message>
    <message>
        <source>lanes[{}].device: {}.</source>
        <translation>lanes[{}].device：{}。</translation>
    </message>
    <message>
        <source>The data could not be read: {}.</source>
        <translation>无法读取数据：{}。</translation>
    </message>
    <message>
        <source>The weights could not be written: {}.</source>
        <translation>无法写入权重：{}。</translation>
    </message>
    <message>
        <source>What recording costs is measured in runs of one process.</source>
        <translation>记录的开销只在一个进程的运行中测量。</translation>
    </message>
    <message>
        <source>The variant &quot;{}&quot; joins replicas, and nothing here can do that.</source>
        <translation>变体“{}”汇合各副本，而这里没有任何部分能做到这一点。</translation>
    </message>
    <message>
        <source>{} could not be made: {}; choose another folder.</source>
        <translation>无法创建 {}：{}；请选择另一个文件夹。</translation>
    </message>
    <message>
        <source>The arguments were not read from {}: the reading was cancelled.</source>
        <translation>没有从 {} 读取参数：读取已取消。</translation>
    </message>
    <message>
        <source>{} could not be read: {}. Copy or record it again.</source>
        <translation>无法读取 {}：{}。请重新复制或记录。</translation>
    </message>
    <message>
        <source>{} was not imported: the import was cancelled.</source>
        <translation>没有导入 {}：导入已取消。</translation>
    </message>
    <message>
        <source>{} holds no trace: {}. Choose a Chrome or Perfetto trace, plain or gzipped, or an SQLite export of Nsight Systems.</source>
        <translation>{} 不含跟踪记录：{}。请选择 Chrome 或 Perfetto 的跟踪文件（普通或 gzip 压缩），或 Nsight Systems 的 SQLite 导出。</translation>
    </message>
    <message>
        <source>{} is empty. Choose a Chrome or Perfetto trace, plain or gzipped, or an SQLite export of Nsight Systems.</source>
        <translation>{} 为空。请选择 Chrome 或 Perfetto 的跟踪文件（普通或 gzip 压缩），或 Nsight Systems 的 SQLite 导出。</translation>
    </message>
    <message>
        <source>{} is cut or damaged before its first event. Copy or record it again.</source>
        <translation>{} 在第一个事件之前就被截断或损坏。请重新复制或记录。</translation>
    </message>
    <message>
        <source>{} has no event that can be read: its array of events holds something else or is damaged. Choose another file, or copy or record this one again.</source>
        <translation>{} 没有可以读取的事件：它的事件数组含有其他内容或已损坏。请选择另一个文件，或重新复制或记录这个文件。</translation>
    </message>
    <message>
        <source>{} is a damaged gzip file. Copy or record it again.</source>
        <translation>{} 是损坏的 gzip 文件。请重新复制或记录。</translation>
    </message>
    <message>
        <source>{} holds no whole part of a trace: the run ended before it wrote one. Run it again.</source>
        <translation>{} 没有完整的跟踪部分：运行在写出之前就结束了。请重新运行。</translation>
    </message>
    <message>
        <source>{} is too large for this machine&apos;s memory. Record fewer steps or close other programs.</source>
        <translation>{} 对本机的内存来说太大。请记录更少的步，或关闭其他程序。</translation>
    </message>
    <message>
        <source>{} is a trace in the packed format of LaneLab 0.1.0, which later versions cannot read. Run the experiment again, or export the trace as chrome with version 0.1.0.</source>
        <translation>{} 是 LaneLab 0.1.0 的打包格式的跟踪文件，以后的版本无法读取。请重新运行实验，或用 0.1.0 版把它导出为 chrome。</translation>
    </message>
    <message>
        <source>{} could not be read: {}. Copy or export it again.</source>
        <translation>无法读取 {}：{}。请重新复制或导出。</translation>
    </message>
    <message>
        <source>is cut or damaged ({})</source>
        <translation>被截断或损坏 ({})</translation>
    </message>
    <message>
        <source>is an SQLite database, but not an export of Nsight Systems</source>
        <translation>是 SQLite 数据库，但不是 Nsight Systems 的导出</translation>
    </message>
    <message>
        <source>{} {}. Export the report {}.</source>
        <translation>{} {}。请用 {} 导出报告。</translation>
    </message>
    <message>
        <source>{} is a report of Nsight Systems, which only its own tools read; export it {}.</source>
        <translation>{} 是 Nsight Systems 的报告，只有它自己的工具能读取；请用 {} 导出它。</translation>
    </message>
    <message>
        <source>{} could not be read: {}; choose an SQLite export that you may read.</source>
        <translation>无法读取 {}：{}；请选择您可以读取的 SQLite 导出。</translation>
    </message>
    <message>
        <source>{} is cut; copy it again, or export the report again {}.</source>
        <translation>{} 被截断；请重新复制，或用 {} 重新导出报告。</translation>
    </message>
    <message>
        <source>{} cannot be written. Check that its folder exists and the disk has room.</source>
        <translation>无法写入 {}。请检查它的文件夹是否存在、磁盘是否有空间。</translation>
    </message>
    <message>
        <source>{} unpacks to more than {}. Record fewer steps, or allow more with --max-unpacked of lanelab-cli or with LANELAB_MAX_UNPACKED, such as 64GiB.</source>
        <translation>{} 解压后超过 {}。请记录更少的步，或用 lanelab-cli 的 --max-unpacked 或 LANELAB_MAX_UNPACKED 允许更多，例如 64GiB。</translation>
    </message>
    <message>
        <source>LANELAB_MAX_UNPACKED: &quot;{}&quot; is not a size. Write bytes or a unit, such as 20GiB.</source>
        <translation>LANELAB_MAX_UNPACKED：“{}”不是大小。请写字节数或带单位的数，例如 20GiB。</translation>
    </message>
    <message>
        <source>Cancelled: {} was not written.</source>
        <translation>已取消：没有写入 {}。</translation>
    </message>
    <message>
        <source>No device has a limit, so there is no device to map to. Give GPU 0 or the CPU a size, such as 10GiB.</source>
        <translation>没有设备有上限，因此没有可以映射到的设备。请给 GPU 0 或 CPU 一个大小，例如 10GiB。</translation>
    </message>
    <message>
        <source>{} is neither a Llama&apos;s config.json, which has &quot;model_type&quot;, nor a module tree, which has &quot;class&quot;. Choose another file.</source>
        <translation>{} 既不是含有 &quot;model_type&quot; 的 Llama config.json，也不是含有 &quot;class&quot; 的模块树。请选择另一个文件。</translation>
    </message>
    <message>
        <source>{} is not in this program. Install it again.</source>
        <translation>{} 不在这个程序中。请重新安装它。</translation>
    </message>
    <message>
        <source>No recorded run is called {}. Choose one of those that are listed.</source>
        <translation>没有名为 {} 的录制运行。请选择列出的运行之一。</translation>
    </message>
    <message>
        <source>The recorded run {} cannot be extracted to the folder for temporary files. Make room there.</source>
        <translation>录制的运行 {} 无法解压到临时文件夹。请在那里腾出空间。</translation>
    </message>
    <message>
        <source>{}: {}</source>
        <translation>{}：{}</translation>
    </message>
    <message>
        <source>Block times are of a busy machine: while they were measured, a lane had a core for only {} of its compute time. Predictions from them may be far off; measure again on an idle machine.</source>
        <translation>块时间是在繁忙的机器上测得的：测量期间，有一个泳道只在其计算时间的 {} 内占有核心。由它们得出的预测可能相差很大；请在空闲的机器上重新测量。</translation>
    </message>
    <message>
        <source>{}, {}</source>
        <translation>{}、{}</translation>
    </message>
    <message>
        <source>{} and {}</source>
        <translation>{} 和 {}</translation>
    </message>
    <message>
        <source>Move {} to {}</source>
        <translation>把 {} 移到 {}</translation>
    </message>
    <message>
        <source>other micro-batch sizes</source>
        <translation>其他微批次大小</translation>
    </message>
    <message>
        <source>schedules that split the backward</source>
        <translation>拆分反向的调度</translation>
    </message>
    <message>
        <source>There is nothing to try: each replica of {} has one stage.</source>
        <translation>没有可尝试的更改：{} 的每个副本只有一个阶段。</translation>
    </message>
    <message>
        <source>There is nothing to try: {} has one stage.</source>
        <translation>没有可尝试的更改：{} 只有一个阶段。</translation>
    </message>
    <message>
        <source>Nothing was tried: no block of {} can move to another lane, and the times of {} are not known.</source>
        <translation>没有尝试任何更改：{} 没有块可以移到另一个泳道，而{}的时间未知。</translation>
    </message>
    <message>
        <source>There is nothing to try: no block of {} can move to another lane, and other micro-batch sizes and schedules are not tried for replicas.</source>
        <translation>没有可尝试的更改：{} 没有块可以移到另一个泳道，而对副本不尝试其他微批次大小和调度。</translation>
    </message>
    <message>
        <source>There is nothing to try: no block of {} can move to another lane, and it has no other legal micro-batch size or schedule.</source>
        <translation>没有可尝试的更改：{} 没有块可以移到另一个泳道，也没有其他合法的微批次大小或调度。</translation>
    </message>
    <message>
        <source>There is nothing to try: no block of {} can move to another lane, and other micro-batch sizes and schedules are not tried with synchronised batch norm.</source>
        <translation>没有可尝试的更改：{} 没有块可以移到另一个泳道，而使用同步批归一化时不尝试其他微批次大小和调度。</translation>
    </message>
    <message>
        <source>None of the {} that were tried would be more than 2 % faster.</source>
        <translation>所尝试的{}都不会快 2 % 以上。</translation>
    </message>
    <message>
        <source>{} Not tried, as their times are not known: {}.</source>
        <translation>{}因时间未知而没有尝试：{}。</translation>
    </message>
    <message>
        <source>moves of blocks</source>
        <translation>块的移动</translation>
    </message>
    <message>
        <source>micro-batch sizes</source>
        <translation>微批次大小</translation>
    </message>
    <message>
        <source>schedules</source>
        <translation>调度</translation>
    </message>
    <message>
        <source>steps without a barrier</source>
        <translation>无屏障的步</translation>
    </message>
    <message>
        <source>kinds of recompute</source>
        <translation>重计算方式</translation>
    </message>
    <message>
        <source>Predicted with the block times of this run, and their proportions in the profile stored on this machine; the range is of nine measurements in ten.</source>
        <translation>用本次运行的块时间及其在本机所存性能数据中的比例预测；十次测量中有九次在该范围内。</translation>
    </message>
    <message>
        <source>Predicted with the block times of this run; the range is of nine measurements in ten.</source>
        <translation>用本次运行的块时间预测；十次测量中有九次在该范围内。</translation>
    </message>
    <message>
        <source>The block times alone predict a step of {} where {} were measured (mean of the steps), so only ratios are reported.</source>
        <translation>只用块时间预测的每步为 {}，而实测为 {}（各步的平均值），因此只报告比值。</translation>
    </message>
    <message>
        <source>Other micro-batch sizes were not tried: the run measured its blocks at one size only (lanelab-cli sweep tries others).</source>
        <translation>没有尝试其他微批次大小：运行只在一种大小下测量了它的块（lanelab-cli sweep 会尝试其他大小）。</translation>
    </message>
    <message>
        <source>Use micro-batch size {} (1 micro-batch)</source>
        <translation>使用微批次大小 {}（1 个微批次）</translation>
    </message>
    <message>
        <source>Use micro-batch size {} ({} micro-batches)</source>
        <translation>使用微批次大小 {}（{} 个微批次）</translation>
    </message>
    <message>
        <source>Switch to schedule {}</source>
        <translation>改用调度 {}</translation>
    </message>
    <message>
        <source>{} takes more memory than its lanes may, and no change that was tried fits.</source>
        <translation>{} 占用的内存超过其泳道的允许值，而所尝试的更改都放不下。</translation>
    </message>
    <message>
        <source>Recompute all stages</source>
        <translation>重计算所有阶段</translation>
    </message>
    <message>
        <source>Recompute the ReLUs of batch norms</source>
        <translation>重计算批归一化的 ReLU</translation>
    </message>
    <message>
        <source>{} with schedule {}</source>
        <translation>{}，使用调度 {}</translation>
    </message>
    <message>
        <source>{} (peak {} instead of {})</source>
        <translation>{}（峰值 {}，而不是 {}）</translation>
    </message>
    <message>
        <source>Schedules that split the backward were not tried: its parts were not measured (lanelab-cli profile measures them).</source>
        <translation>没有尝试拆分反向的调度：反向的两个部分没有测量（lanelab-cli profile 会测量它们）。</translation>
    </message>
    <message>
        <source>Use schedule {} with a warm-up depth of {}</source>
        <translation>使用调度 {}，预热深度 {}</translation>
    </message>
    <message>
        <source>Run without the step barrier</source>
        <translation>不用步屏障运行</translation>
    </message>
    <message>
        <source>{}: {}.</source>
        <translation>{}：{}。</translation>
    </message>
    <message>
        <source>{}: {}. {}</source>
        <translation>{}：{}。{}</translation>
    </message>
    <message>
        <source>{}, {}: {}</source>
        <translation>{}，{}：{}</translation>
    </message>
    <message>
        <source>predicted {} % faster (90 % range {} to {} %)</source>
        <translation>预测快 {} %（90 % 范围 {} 至 {} %）</translation>
    </message>
    <message>
        <source>predicted {} % slower (90 % range {} to {} %)</source>
        <translation>预测慢 {} %（90 % 范围 {} 至 {} %）</translation>
    </message>
    <message>
        <source>no clear gain (predicted {} %, 90 % range {} to {} %)</source>
        <translation>没有明显的提升（预测 {} %，90 % 范围 {} 至 {} %）</translation>
    </message>
    <message>
        <source>no clear loss (predicted {} %, 90 % range {} to {} %)</source>
        <translation>没有明显的下降（预测 {} %，90 % 范围 {} 至 {} %）</translation>
    </message>
    <message>
        <source>{} ({})</source>
        <translation>{} ({})</translation>
    </message>
    <message>
        <source>{} % faster</source>
        <translation>快 {} %</translation>
    </message>
    <message>
        <source>{} % slower</source>
        <translation>慢 {} %</translation>
    </message>
    <message>
        <source>{} to {}</source>
        <translation>{} 至 {}</translation>
    </message>
    <message>
        <source>{} to {} %</source>
        <translation>{} 至 {} %</translation>
    </message>
    <message>
        <source>no repeats</source>
        <translation>没有重复</translation>
    </message>
    <message>
        <source>1 repeat each</source>
        <translation>各 1 次重复</translation>
    </message>
    <message>
        <source>{} repeats each</source>
        <translation>各 {} 次重复</translation>
    </message>
    <message>
        <source>{} and {} repeats</source>
        <translation>{} 次和 {} 次重复</translation>
    </message>
    <message>
        <source>1 repeat each or more</source>
        <translation>各 1 次或更多次重复</translation>
    </message>
    <message>
        <source>{} repeats each or more</source>
        <translation>各 {} 次或更多次重复</translation>
    </message>
    <message>
        <source>n = {}/{}</source>
        <translation>n = {}/{}</translation>
    </message>
    <message>
        <source>n = 0</source>
        <translation>n = 0</translation>
    </message>
    <message>
        <source>n = {} each or more</source>
        <translation>各 n = {} 或更多</translation>
    </message>
    <message>
        <source>faster</source>
        <translation>更快</translation>
    </message>
    <message>
        <source>slower</source>
        <translation>更慢</translation>
    </message>
    <message>
        <source>no clear difference</source>
        <translation>没有明显差异</translation>
    </message>
    <message>
        <source>within noise band</source>
        <translation>在噪声范围内</translation>
    </message>
    <message>
        <source>too few repeats</source>
        <translation>重复次数太少</translation>
    </message>
    <message>
        <source>no ratio</source>
        <translation>没有比值</translation>
    </message>
    <message>
        <source>different runs</source>
        <translation>不同的运行</translation>
    </message>
    <message>
        <source>baseline</source>
        <translation>基线</translation>
    </message>
    <message>
        <source>differences of {} and more</source>
        <translation>{} 及以上的差异</translation>
    </message>
    <message>
        <source>predicted {} than {}</source>
        <translation>预测比 {1} {0}</translation>
    </message>
    <message>
        <source>no clear gain over {} predicted ({} %)</source>
        <translation>预测与 {} 相比没有明显的提升 ({} %)</translation>
    </message>
    <message>
        <source>no clear loss against {} predicted ({} %)</source>
        <translation>预测与 {} 相比没有明显的下降 ({} %)</translation>
    </message>
    <message>
        <source>{}x faster</source>
        <translation>加速 {} 倍</translation>
    </message>
    <message>
        <source>{}x slower</source>
        <translation>减速 {} 倍</translation>
    </message>
    <message>
        <source>{} show {}{}</source>
        <translation>{}可以显示 {}{}</translation>
    </message>
    <message>
        <source>a repeat took 0 s; {}</source>
        <translation>有一次重复用时 0 s；{}</translation>
    </message>
    <message>
        <source>{}; an interval needs {}</source>
        <translation>{}；区间需要 {} 次</translation>
    </message>
    <message>
        <source>95 % CI {}; {}</source>
        <translation>95 % 置信区间 {}；{}</translation>
    </message>
    <message>
        <source>95 % CI of the difference {}; {}</source>
        <translation>差异的 95 % 置信区间 {}；{}</translation>
    </message>
    <message>
        <source>95 % CI {}x; {}</source>
        <translation>95 % 置信区间 {} 倍；{}</translation>
    </message>
    <message>
        <source>95 % CI of the speed-up {}x; {}</source>
        <translation>加速比的 95 % 置信区间 {} 倍；{}</translation>
    </message>
    <message>
        <source>its repeats are {} ({})</source>
        <translation>它的各次重复{}（{}）</translation>
    </message>
    <message>
        <source>there is no clear difference in speed ({})</source>
        <translation>速度没有明显差异（{}）</translation>
    </message>
    <message>
        <source>the difference in speed is within the noise band ({})</source>
        <translation>速度的差异在噪声范围内（{}）</translation>
    </message>
    <message>
        <source>{} to compare their speed ({})</source>
        <translation>{}，无法比较它们的速度（{}）</translation>
    </message>
    <message>
        <source>{} is {} than {} ({}).</source>
        <translation>{0} 比 {2} {1}（{3}）。</translation>
    </message>
    <message>
        <source>The difference between {} and {} is within the noise band ({}).</source>
        <translation>{} 和 {} 的差异在噪声范围内（{}）。</translation>
    </message>
    <message>
        <source>No clear difference between {} and {} ({}).</source>
        <translation>{} 和 {} 没有明显差异（{}）。</translation>
    </message>
    <message>
        <source>{} and {} are of different runs ({}).</source>
        <translation>{} 和 {} 属于不同的运行（{}）。</translation>
    </message>
    <message>
        <source>{} and {} are of different runs: ratio of times {}x (95 % CI {}x within the runs; {}{}).</source>
        <translation>{} 和 {} 属于不同的运行：时间之比 {} 倍（运行内的 95 % 置信区间 {} 倍；{}{}）。</translation>
    </message>
    <message>
        <source>{} and {} cannot be compared: a repeat took 0 s.</source>
        <translation>{} 和 {} 无法比较：有一次重复用时 0 s。</translation>
    </message>
    <message>
        <source>Too few repeats to compare {} and {} ({}).</source>
        <translation>重复次数太少，无法比较 {} 和 {}（{}）。</translation>
    </message>
    <message>
        <source>not measured ({})</source>
        <translation>未测量 ({})</translation>
    </message>
    <message>
        <source>{} (a repeat took 0 s, {})</source>
        <translation>{}（有一次重复用时 0 s，{}）</translation>
    </message>
    <message>
        <source>{} ({}; {} are needed)</source>
        <translation>{}（{}；需要 {} 次）</translation>
    </message>
    <message>
        <source>{} ({}x, 95 % CI {}, {})</source>
        <translation>{}（{} 倍，95 % 置信区间 {}，{}）</translation>
    </message>
    <message>
        <source>{} ({}x, 95 % CI {}, {}; {} would show)</source>
        <translation>{}（{} 倍，95 % 置信区间 {}，{}；{}才会显现）</translation>
    </message>
    <message>
        <source>Speed-up vs {} (95 % CI)</source>
        <translation>相对于 {} 的加速比（95 % 置信区间）</translation>
    </message>
    <message>
        <source>no ratio: a repeat took 0 s</source>
        <translation>没有比值：有一次重复用时 0 s</translation>
    </message>
    <message>
        <source>nothing to compare with</source>
        <translation>没有可比较的内容</translation>
    </message>
    <message>
        <source>{}x ({})</source>
        <translation>{}x ({})</translation>
    </message>
    <message>
        <source>{}x ({}), different runs</source>
        <translation>{}x ({})，不同的运行</translation>
    </message>
    <message>
        <source>{} takes {} per repeat (1 repeat).</source>
        <translation>{} 每次重复用时 {}（1 次重复）。</translation>
    </message>
    <message>
        <source>{} takes {} per repeat ({} repeats).</source>
        <translation>{} 每次重复用时 {}（{} 次重复）。</translation>
    </message>
    <message>
        <source>Nothing was measured.</source>
        <translation>没有测量任何内容。</translation>
    </message>
    <message>
        <source>, per {}</source>
        <translation>，按每个 {} 计</translation>
    </message>
    <message>
        <source>fill</source>
        <translation>填充</translation>
    </message>
    <message>
        <source>drain</source>
        <translation>排空</translation>
    </message>
    <message>
        <source>imbalance</source>
        <translation>不均衡</translation>
    </message>
    <message>
        <source>jitter</source>
        <translation>抖动</translation>
    </message>
    <message>
        <source>transfer_queued</source>
        <translation>传输排队</translation>
    </message>
    <message>
        <source>transfer</source>
        <translation>传输</translation>
    </message>
    <message>
        <source>communication</source>
        <translation>通信</translation>
    </message>
    <message>
        <source>data</source>
        <translation>数据</translation>
    </message>
    <message>
        <source>sync</source>
        <translation>同步</translation>
    </message>
    <message>
        <source>allocator</source>
        <translation>内存分配</translation>
    </message>
    <message>
        <source>host</source>
        <translation>主机</translation>
    </message>
    <message>
        <source>contention</source>
        <translation>争用</translation>
    </message>
    <message>
        <source>profiler</source>
        <translation>记录开销</translation>
    </message>
    <message>
        <source>unresolved</source>
        <translation>原因不明</translation>
    </message>
    <message>
        <source>evaluation</source>
        <translation>评估</translation>
    </message>
    <message>
        <source>{} computes in none of the steps.</source>
        <translation>{} 在各步中都不计算。</translation>
    </message>
    <message>
        <source>{} compute in none of the steps.</source>
        <translation>{} 在各步中都不计算。</translation>
    </message>
    <message>
        <source>transfer queued</source>
        <translation>传输排队</translation>
    </message>
    <message>
        <source>The file has operators only, so what ran between them is not known. Record the GPU or Python stacks as well</source>
        <translation>文件中只有算子，因此不知道它们之间运行了什么。请同时记录 GPU 或 Python 调用栈</translation>
    </message>
    <message>
        <source>Start collectives earlier, in smaller buckets, or overlap them with compute</source>
        <translation>请更早、以更小的桶开始集合通信，或使它们与计算重叠</translation>
    </message>
    <message>
        <source>Use pinned memory, copy ahead, or copy on a separate stream</source>
        <translation>请使用锁页内存、提前复制，或在单独的流上复制</translation>
    </message>
    <message>
        <source>Kernels are launched late. Use larger batches, fewer small kernels, or CUDA graphs</source>
        <translation>内核启动得晚了。请使用更大的批次、更少的小内核，或 CUDA 图</translation>
    </message>
    <message>
        <source>The file does not name the cause. Look at what the host and the other streams did before the gaps</source>
        <translation>文件没有给出原因。请查看间隙之前主机和其他流在做什么</translation>
    </message>
    <message>
        <source>Use more micro-batches or an interleaved or zero-bubble schedule</source>
        <translation>请使用更多微批次，或交错式或零气泡调度</translation>
    </message>
    <message>
        <source>Use more micro-batches or a zero-bubble schedule</source>
        <translation>请使用更多微批次，或零气泡调度</translation>
    </message>
    <message>
        <source>Use more micro-batches, a deeper warm-up, or no step barrier</source>
        <translation>请使用更多微批次、更深的预热，或去掉步屏障</translation>
    </message>
    <message>
        <source>Use more micro-batches or a deeper warm-up</source>
        <translation>请使用更多微批次，或更深的预热</translation>
    </message>
    <message>
        <source>Use more micro-batches or no step barrier</source>
        <translation>请使用更多微批次，或去掉步屏障</translation>
    </message>
    <message>
        <source>Use more micro-batches</source>
        <translation>请使用更多微批次</translation>
    </message>
    <message>
        <source>Move blocks from the slowest stage to the others</source>
        <translation>请把块从最慢的阶段移到其他阶段</translation>
    </message>
    <message>
        <source>The same work takes unequally long. Look for other programs, warm-up, or micro-batches of unequal size</source>
        <translation>同样的工作用时不等。请检查其他程序、预热，或大小不等的微批次</translation>
    </message>
    <message>
        <source>Transfers queue behind each other. Use fewer boundaries between lanes, or cut where results are smaller</source>
        <translation>传输在相互排队。请减少泳道之间的边界，或在结果较小处切分</translation>
    </message>
    <message>
        <source>Cut where results are smaller, or use a faster link</source>
        <translation>请在结果较小处切分，或使用更快的链路</translation>
    </message>
    <message>
        <source>Load data ahead, or with more threads</source>
        <translation>请提前加载数据，或使用更多线程</translation>
    </message>
    <message>
        <source>Replicas wait for the slowest one and for the exchange of gradients. Give each the same work and equally fast cores or devices</source>
        <translation>各副本在等待最慢的副本和梯度的交换。请给每个副本同样的工作和同样快的核心或设备</translation>
    </message>
    <message>
        <source>Lanes wait for each other within a step. Give them equal work</source>
        <translation>各泳道在一步之内相互等待。请给它们相等的工作</translation>
    </message>
    <message>
        <source>Remove what makes the host wait for the device within a step</source>
        <translation>请去掉一步之内使主机等待设备的操作</translation>
    </message>
    <message>
        <source>Reuse memory between steps instead of allocating it again</source>
        <translation>请在各步之间重复使用内存，而不是重新分配</translation>
    </message>
    <message>
        <source>Actions begin late. Use larger micro-batches</source>
        <translation>动作开始得晚了。请使用更大的微批次</translation>
    </message>
    <message>
        <source>Actions are launched late. Use larger micro-batches or CUDA graphs</source>
        <translation>动作启动得晚了。请使用更大的微批次，或 CUDA 图</translation>
    </message>
    <message>
        <source>Give each lane a device of its own, or use fewer lanes per device</source>
        <translation>请给每个泳道各自的设备，或减少每个设备上的泳道</translation>
    </message>
    <message>
        <source>Evaluate after fewer epochs, or on fewer rows</source>
        <translation>请减少评估的轮数或行数</translation>
    </message>
    <message>
        <source>Record less</source>
        <translation>请减少记录的内容</translation>
    </message>
    <message>
        <source>The trace does not show the cause. Record launch calls, transfers and the work of the host</source>
        <translation>跟踪记录没有显示原因。请记录启动调用、传输和主机的工作</translation>
    </message>
    <message>
        <source>The trace has no actions, kernels or operators that LaneLab knows.</source>
        <translation>跟踪记录中没有 LaneLab 认识的动作、内核或算子。</translation>
    </message>
    <message>
        <source>No lane is idle between its first and its last operator.</source>
        <translation>没有泳道在其第一个和最后一个算子之间空闲。</translation>
    </message>
    <message>
        <source>No lane is idle between its first and its last kernel.</source>
        <translation>没有泳道在其第一个和最后一个内核之间空闲。</translation>
    </message>
    <message>
        <source>No lane is ever idle.</source>
        <translation>没有泳道空闲。</translation>
    </message>
    <message>
        <source>{} The other lane is never idle.</source>
        <translation>{}另一个泳道从不空闲。</translation>
    </message>
    <message>
        <source>{} The other lanes are never idle.</source>
        <translation>{}其他泳道从不空闲。</translation>
    </message>
    <message>
        <source>fill and drain</source>
        <translation>填充和排空</translation>
    </message>
    <message>
        <source>Lanes are idle {} of the time</source>
        <translation>泳道有 {} 的时间空闲</translation>
    </message>
    <message>
        <source>{} The other lane is idle {} of the time</source>
        <translation>{}另一个泳道有 {} 的时间空闲</translation>
    </message>
    <message>
        <source>{} The other lanes are idle {} of the time</source>
        <translation>{}其他泳道有 {} 的时间空闲</translation>
    </message>
    <message>
        <source>{}; largest cause: {} ({}, {} of the idle time).</source>
        <translation>{}；最大的原因：{}（{}，占空闲时间的 {}）。</translation>
    </message>
    <message>
        <source>{} {}.</source>
        <translation>{}{}。</translation>
    </message>
    <message>
        <source>Communication takes {}; {} of it ({}) is exposed: no kernel computes meanwhile, so it counts as idle time.</source>
        <translation>通信用时 {}；其中 {} ({}) 未被掩盖：其间没有内核在计算，因此计为空闲时间。</translation>
    </message>
    <message>
        <source>This is a warm-up, which is not counted: the run ended before a counted repeat.</source>
        <translation>这是预热，不计入：运行在计入的重复之前结束。</translation>
    </message>
    <message>
        <source>This repeat did not end, so it is not counted.</source>
        <translation>这次重复没有结束，因此不计入。</translation>
    </message>
    <message>
        <source>{}: other programs or lanes used the cores, or threads waited for helper threads. Do not rely on these times, nor on what is predicted from them.</source>
        <translation>{}：其他程序或泳道占用了核心，或线程在等待辅助线程。请不要依赖这些时间，也不要依赖由它们得出的预测。</translation>
    </message>
    <message>
        <source>{}.</source>
        <translation>{}。</translation>
    </message>
    <message>
        <source>repeats of different runs were not interleaved</source>
        <translation>不同运行的重复没有交错进行</translation>
    </message>
    <message>
        <source>repeats of different runs were not interleaved, and the runs differ in {}</source>
        <translation>不同运行的重复没有交错进行，并且各运行的 {} 不同</translation>
    </message>
    <message>
        <source>1 repeat</source>
        <translation>1 次重复</translation>
    </message>
    <message>
        <source>{} repeats</source>
        <translation>{} 次重复</translation>
    </message>
    <message>
        <source>the run was cancelled with {} of {} done</source>
        <translation>运行被取消，完成了 {1} 中的 {0} 次</translation>
    </message>
    <message>
        <source>the run failed with {} of {} done</source>
        <translation>运行失败，完成了 {1} 中的 {0} 次</translation>
    </message>
    <message>
        <source>the run was interrupted with {} of {} done</source>
        <translation>运行被中断，完成了 {1} 中的 {0} 次</translation>
    </message>
    <message>
        <source>in {} {} (mean of {} repeats)</source>
        <translation>在 {} 中，{}（{} 次重复的平均值）</translation>
    </message>
    <message>
        <source>in {} {} (one repeat)</source>
        <translation>在 {} 中，{}（一次重复）</translation>
    </message>
    <message>
        <source>{} in {}</source>
        <translation>{1} 中 {0}</translation>
    </message>
    <message>
        <source>{} at the start</source>
        <translation>开始时{}</translation>
    </message>
    <message>
        <source>times drift by {} from the first to the last of {}</source>
        <translation>时间从 {1} 中的第一次到最后一次漂移了 {0}</translation>
    </message>
    <message>
        <source>lanes had a core for at least {} of their compute time</source>
        <translation>各泳道至少在其计算时间的 {} 内占有核心</translation>
    </message>
    <message>
        <source>no drift over {}</source>
        <translation>{}中没有漂移</translation>
    </message>
    <message>
        <source>no load at the start</source>
        <translation>开始时没有负载</translation>
    </message>
    <message>
        <source>Nothing speaks against these times, but core time, load and drift are not known.</source>
        <translation>没有迹象表明这些时间有问题，但核心时间、负载和漂移未知。</translation>
    </message>
    <message>
        <source>These times can be trusted: {}.</source>
        <translation>这些时间可以信赖：{}。</translation>
    </message>
    <message>
        <source>{}; {}</source>
        <translation>{}；{}</translation>
    </message>
    <message>
        <source>Trust these times with care: {}.</source>
        <translation>请谨慎看待这些时间：{}。</translation>
    </message>
    <message>
        <source>other programs used {} of 1 core</source>
        <translation>其他程序占用了 1 个核心中的 {}</translation>
    </message>
    <message>
        <source>other programs used {} of {} cores</source>
        <translation>其他程序占用了 {1} 个核心中的 {0}</translation>
    </message>
    <message>
        <source>{} had a core for only {} of its compute time</source>
        <translation>{} 只在其计算时间的 {} 内占有核心</translation>
    </message>
    <message>
        <source>{} had a core for only {} of their compute time</source>
        <translation>{} 分别只在其计算时间的 {} 内占有核心</translation>
    </message>
    <message>
        <source>{} is not drawn against {}. Choose {}.</source>
        <translation>{} 不能以 {} 为横轴。请选择 {}。</translation>
    </message>
    <message>
        <source>Not drawn (run.json cannot be read): {}.</source>
        <translation>未画出（run.json 无法读取）：{}。</translation>
    </message>
    <message>
        <source>Not drawn (no completed step): {}.</source>
        <translation>未画出（没有完成的步）：{}。</translation>
    </message>
    <message>
        <source>Not drawn (the data are not counted in epochs): {}.</source>
        <translation>未画出（数据不以轮次计）：{}。</translation>
    </message>
    <message>
        <source>Not drawn (the loss knows no right answers): {}.</source>
        <translation>未画出（该损失没有正确答案的概念）：{}。</translation>
    </message>
    <message>
        <source>Not drawn (no validation data): {}.</source>
        <translation>未画出（没有验证数据）：{}。</translation>
    </message>
    <message>
        <source>Not drawn (no completed repeat): {}.</source>
        <translation>未画出（没有完成的重复）：{}。</translation>
    </message>
    <message>
        <source>Not drawn (no peak memory recorded): {}.</source>
        <translation>未画出（没有记录峰值内存）：{}。</translation>
    </message>
    <message>
        <source>Not drawn (an overlay has at most {} runs): {}.</source>
        <translation>未画出（一次叠加最多 {} 次运行）：{}。</translation>
    </message>
    <message>
        <source>Other data than {}, so values do not compare: {}.</source>
        <translation>数据与 {} 不同，因此数值不可比较：{}。</translation>
    </message>
    <message>
        <source>Another loss function than {}, so losses do not compare: {}.</source>
        <translation>损失函数与 {} 不同，因此损失不可比较：{}。</translation>
    </message>
    <message>
        <source>Another model or other data than {}: {}.</source>
        <translation>模型或数据与 {} 不同：{}。</translation>
    </message>
    <message>
        <source>Another batch than {}, so a step is other work: {}. Samples per second compare.</source>
        <translation>批次与 {} 不同，因此一步的工作量不同：{}。每秒样本数可以比较。</translation>
    </message>
    <message>
        <source>Measured on another machine than {}: {}.</source>
        <translation>在与 {} 不同的机器上测量：{}。</translation>
    </message>
    <message>
        <source>other data</source>
        <translation>其他数据</translation>
    </message>
    <message>
        <source>other loss</source>
        <translation>其他损失</translation>
    </message>
    <message>
        <source>other work</source>
        <translation>其他工作量</translation>
    </message>
    <message>
        <source>other batch</source>
        <translation>其他批次</translation>
    </message>
    <message>
        <source>other machine</source>
        <translation>其他机器</translation>
    </message>
    <message>
        <source>The call {} does not begin with a flag and a graph. Export the network again.</source>
        <translation>调用 {} 不以标志和图开头。请重新导出网络。</translation>
    </message>
    <message>
        <source>The network calls {}, which is not an operator of PyTorch&apos;s ATen. Export it without this call.</source>
        <translation>网络调用了 {}，它不是 PyTorch ATen 的算子。请在导出时去掉此调用。</translation>
    </message>
    <message>
        <source>{} has micro-batches of one size, and this plan has some of {} and of {} samples. Choose a split size that divides the batch.</source>
        <translation>{} 的微批次只有一种大小，而此方案的微批次有 {} 个样本的和 {} 个样本的。请选择能整除批次的微批次大小。</translation>
    </message>
    <message>
        <source>{} has no counterpart of the strategy data-parallel. Export a variant of ddp.</source>
        <translation>{} 没有与策略 data-parallel 对应的功能。请导出 ddp 变体。</translation>
    </message>
    <message>
        <source>torchtitan gives each rank equally many stages in rounds, and this plan has stages on the ranks {}. Place them in rounds: stage s on lane s mod {}.</source>
        <translation>torchtitan 轮流为每个 rank 分配同样多的阶段，而此方案的阶段位于 rank {}。请轮流放置：阶段 s 放在泳道 s mod {}。</translation>
    </message>
    <message>
        <source>DeepSpeed&apos;s PipelineModule has one stage per rank, and this plan has {} stages on {} ranks. Cut the network into one stage per lane.</source>
        <translation>DeepSpeed 的 PipelineModule 每个 rank 有一个阶段，而此方案有 {} 个阶段，位于 {} 个 rank。请把网络切分为每个泳道一个阶段。</translation>
    </message>
    <message>
        <source>Megatron-LM gives each rank equally many stages in rounds. Place stage s on lane s mod {}.</source>
        <translation>Megatron-LM 轮流为每个 rank 分配同样多的阶段。请把阶段 s 放在泳道 s mod {}。</translation>
    </message>
    <message>
        <source>Megatron-LM keeps the embedding in the first stage and the head in the last, and the cut at {} divides one. Move the cut.</source>
        <translation>Megatron-LM 把嵌入放在第一个阶段，把头部放在最后一个阶段，而 {} 处的切分把其中之一分开了。请移动切分。</translation>
    </message>
    <message>
        <source>A device map of accelerate holds one copy of the network, and the variant {} has replicas. Export a pipeline or model-parallel variant.</source>
        <translation>accelerate 的设备映射只包含网络的一个副本，而变体 {} 有多个副本。请导出流水线或模型并行的变体。</translation>
    </message>
    <message>
        <source>The variant {} is data-parallel: one process has the weights of all lanes, as torch.nn.DataParallel. torchrun starts a process per lane; export a variant of the strategy ddp.</source>
        <translation>变体 {} 是 data-parallel：与 torch.nn.DataParallel 一样，一个进程持有所有泳道的权重。torchrun 为每个泳道启动一个进程；请导出策略为 ddp 的变体。</translation>
    </message>
    <message>
        <source>The variant {} trains in bf16 with master weights in fp32, which torch.distributed.pipelining does not have. Set its precision to fp32 and use torch.autocast in the script.</source>
        <translation>变体 {} 以 bf16 训练并保留 fp32 主权重，torch.distributed.pipelining 没有此功能。请把精度设为 fp32，并在脚本中使用 torch.autocast。</translation>
    </message>
    <message>
        <source>The variant {} synchronises batch norms over replicas, which the script does not. Set batch_norm to micro-batch.</source>
        <translation>变体 {} 在副本之间同步批归一化，脚本不这样做。请把 batch_norm 设为 micro-batch。</translation>
    </message>
    <message>
        <source>The network calls the size of its batch {}, which is not a name in Python. Export it again.</source>
        <translation>网络把批次大小命名为 {}，它不是 Python 中的名称。请重新导出。</translation>
    </message>
    <message>
        <source>{} could not export the stages. Its last message: {}</source>
        <translation>{} 无法导出各阶段。它的最后一条消息：{}</translation>
    </message>
    <message>
        <source>The cut at {} is within the module {}, and the framework cuts between modules. Move the cut.</source>
        <translation>{} 处的切分位于模块 {} 内部，而该框架在模块之间切分。请移动切分。</translation>
    </message>
    <message>
        <source>--out: {} exists already and is not an empty folder. Choose a new folder.</source>
        <translation>--out：{} 已存在，且不是空文件夹。请选择新的文件夹。</translation>
    </message>
    <message>
        <source>{} cannot be copied: {}.</source>
        <translation>无法复制 {}：{}。</translation>
    </message>
    <message>
        <source>{} cannot be read to its end. Check its disk.</source>
        <translation>无法把 {} 读到末尾。请检查其磁盘。</translation>
    </message>
    <message>
        <source>{} cannot be written. Check the free space of its disk.</source>
        <translation>无法写入 {}。请检查其磁盘的可用空间。</translation>
    </message>
    <message>
        <source>There is no libcurl 7.85 or later here. Install the package libcurl4.</source>
        <translation>这里没有 libcurl 7.85 或更高版本。请安装软件包 libcurl4。</translation>
    </message>
    <message>
        <source>The request was cancelled.</source>
        <translation>请求已取消。</translation>
    </message>
    <message>
        <source>The host of {} is not known here. Check the name, or forward the port with ssh -L and name localhost.</source>
        <translation>这里不认识 {} 的主机。请检查名称，或用 ssh -L 转发端口并填写 localhost。</translation>
    </message>
    <message>
        <source>Nothing listens at {}. Call torch.distributed.debug.start_debug_server() in the job, after init_process_group(); its page is on the machine of rank 0, at port 25999 unless another one was given.</source>
        <translation>{} 处没有程序在监听。请在作业中的 init_process_group() 之后调用 torch.distributed.debug.start_debug_server()；其页面在 rank 0 的机器上，除非另行指定，端口为 25999。</translation>
    </message>
    <message>
        <source>{} cannot be reached ({}). Check the address, or forward the port with ssh -L.</source>
        <translation>无法连接 {}（{}）。请检查地址，或用 ssh -L 转发端口。</translation>
    </message>
    <message>
        <source>{} does not answer. The job may hang, or the port is that of another server, such as the job&apos;s store.</source>
        <translation>{} 没有应答。作业可能已停滞，或者该端口属于另一个服务器，例如作业的 store。</translation>
    </message>
    <message>
        <source>{} is not the page of a job. Name the page of start_debug_server(), at port 25999 of rank 0 unless another one was given.</source>
        <translation>{} 不是作业的页面。请填写 start_debug_server() 的页面，除非另行指定，它在 rank 0 的端口 25999。</translation>
    </message>
    <message>
        <source>{} is the server of one rank. Name the page of the job, at port 25999 of rank 0 unless start_debug_server() was given another one.</source>
        <translation>{} 是某一个 rank 的服务器。请填写作业的页面，除非 start_debug_server() 另行指定，它在 rank 0 的端口 25999。</translation>
    </message>
    <message>
        <source>Ranks {} and {} have the same address, {}. Two recordings at a time would end its process. Check the addresses of the ranks.</source>
        <translation>rank {} 和 {} 的地址相同：{}。同时进行两次记录会使其进程结束。请检查各 rank 的地址。</translation>
    </message>
    <message>
        <source>The page at {} names no rank yet. Each rank calls start_debug_server(); try again once the job has started.</source>
        <translation>{} 处的页面还没有列出任何 rank。每个 rank 都会调用 start_debug_server()；请在作业启动后重试。</translation>
    </message>
    <message>
        <source>The job has {} ranks. At most {} are asked.</source>
        <translation>该作业有 {} 个 rank。最多询问 {} 个。</translation>
    </message>
    <message>
        <source>The number of seconds to record must be above 0 and at most 3600, not {}.</source>
        <translation>记录的秒数必须大于 0 且不超过 3600，而不是 {}。</translation>
    </message>
    <message>
        <source>The grace must be from 1 to 3600 seconds, not {}.</source>
        <translation>宽限时间必须为 1 到 3600 秒，而不是 {}。</translation>
    </message>
    <message>
        <source>It has no server. Call start_debug_server() on every rank.</source>
        <translation>它没有服务器。请在每个 rank 上调用 start_debug_server()。</translation>
    </message>
    <message>
        <source>The recording was cancelled. The ranks still record until their {} s are over; ask them again only after that, since two recordings at a time end a process.</source>
        <translation>记录已取消。各 rank 仍会记录到 {} 秒结束；请在此之后再询问，因为同时进行两次记录会使进程结束。</translation>
    </message>
    <message>
        <source>the answer of rank {}</source>
        <translation>rank {} 的应答</translation>
    </message>
    <message>
        <source>Its answer is of another rank, which answered, too. Check the addresses of the ranks.</source>
        <translation>它的应答属于另一个 rank，而那个 rank 也已应答。请检查各 rank 的地址。</translation>
    </message>
    <message>
        <source>Its PyTorch cannot be asked for a profile. PyTorch 2.11 or later can.</source>
        <translation>无法向它的 PyTorch 请求性能记录。PyTorch 2.11 或更高版本可以。</translation>
    </message>
    <message>
        <source>Nothing listens at {}. Its process may have ended.</source>
        <translation>{} 处没有程序在监听。其进程可能已结束。</translation>
    </message>
    <message>
        <source>Nothing listens at {}. Its process may have ended; if the job is on another machine, add -L {} to your ssh.</source>
        <translation>{} 处没有程序在监听。其进程可能已结束；如果作业在另一台机器上，请在 ssh 命令中加上 -L {}。</translation>
    </message>
    <message>
        <source>What listens at {} is not a server of start_debug_server().</source>
        <translation>在 {} 处监听的不是 start_debug_server() 的服务器。</translation>
    </message>
    <message>
        <source>It refused with HTTP status {}: {}</source>
        <translation>它以 HTTP 状态 {} 拒绝：{}</translation>
    </message>
    <message>
        <source>Its process does not respond. It may be stopped, or its machine overloaded.</source>
        <translation>其进程没有响应。它可能已被暂停，或其机器过载。</translation>
    </message>
    <message>
        <source>Its trace cannot be stored: {}.</source>
        <translation>无法存储它的跟踪记录：{}。</translation>
    </message>
    <message>
        <source>The connection ended before its trace was whole. Its process may have ended.</source>
        <translation>连接在跟踪记录完整之前就结束了。其进程可能已结束。</translation>
    </message>
    <message>
        <source>&quot;{}&quot; is not an address. Write HOST:PORT, such as localhost:25999.</source>
        <translation>“{}”不是地址。请写成 HOST:PORT，例如 localhost:25999。</translation>
    </message>
    <message>
        <source>&quot;{}&quot; has no port. Write HOST:PORT, such as localhost:25999.</source>
        <translation>“{}”没有端口。请写成 HOST:PORT，例如 localhost:25999。</translation>
    </message>
    <message>
        <source>The port of &quot;{}&quot; is not a number from 1 to 65535. Write HOST:PORT, such as localhost:25999.</source>
        <translation>“{}”的端口不是 1 到 65535 之间的数字。请写成 HOST:PORT，例如 localhost:25999。</translation>
    </message>
    <message>
        <source>{} holds no trace files. Choose a folder with the traces of a job&apos;s ranks (.json, .json.gz, .pftrace, .sqlite), or the files themselves.</source>
        <translation>{} 中没有跟踪文件。请选择包含作业各 rank 的跟踪记录的文件夹（.json、.json.gz、.pftrace、.sqlite），或这些文件本身。</translation>
    </message>
    <message>
        <source>{} repeat</source>
        <translation>{} 次重复</translation>
    </message>
    <message>
        <source>{} epoch</source>
        <translation>{} 轮</translation>
    </message>
    <message>
        <source>{} epochs</source>
        <translation>{} 轮</translation>
    </message>
    <message>
        <source>{} step</source>
        <translation>{} 步</translation>
    </message>
    <message>
        <source>{} steps</source>
        <translation>{} 步</translation>
    </message>
    <message>
        <source>{} pair</source>
        <translation>{} 对</translation>
    </message>
    <message>
        <source>{} pairs</source>
        <translation>{} 对</translation>
    </message>
    <message>
        <source>{} {} in training and {} in validation</source>
        <translation>{} 训练为 {}，验证为 {}</translation>
    </message>
    <message>
        <source>{} {} in training</source>
        <translation>{} 训练为 {}</translation>
    </message>
    <message>
        <source>Accuracy after {}, mean of up to {}, measured: {}.</source>
        <translation>{}后的准确率，至多 {}的均值，实测：{}。</translation>
    </message>
    <message>
        <source>Accuracy after {}, measured: {}.</source>
        <translation>{}后的准确率，实测：{}。</translation>
    </message>
    <message>
        <source>Batch norms of {} normalise {} samples at a time, those of {} {}, which can cost accuracy: larger micro-batches, or &quot;batch_norm&quot;: &quot;synchronised&quot;, normalise more.</source>
        <translation>{} 的批归一化每次归一化 {} 个样本，{} 的为 {} 个，这可能降低准确率：更大的微批次，或 &quot;batch_norm&quot;: &quot;synchronised&quot;，会归一化更多样本。</translation>
    </message>
    <message>
        <source>{}: {}, measured {}.</source>
        <translation>{}：{}，实测{}。</translation>
    </message>
    <message>
        <source>{}: {}, measured: {}.</source>
        <translation>{}：{}，实测：{}。</translation>
    </message>
    <message>
        <source>{}: {} of {} is beyond 3 interquartile ranges; it is included.</source>
        <translation>{}：{} 次（共 {}）超出 3 个四分位距；已计入。</translation>
    </message>
    <message>
        <source>{}: {} of {} are beyond 3 interquartile ranges; they are included.</source>
        <translation>{}：{} 次（共 {}）超出 3 个四分位距；均已计入。</translation>
    </message>
    <message>
        <source>{}: the interquartile range is {} of the median, so its times are unsteady.</source>
        <translation>{}：四分位距是中位数的 {}，所以其时间不稳定。</translation>
    </message>
    <message>
        <source>{}: an interval needs 5 repeats; there is 1.</source>
        <translation>{}：区间需要 5 次重复；现有 1 次。</translation>
    </message>
    <message>
        <source>{}: an interval needs 5 repeats; there are {}.</source>
        <translation>{}：区间需要 5 次重复；现有 {} 次。</translation>
    </message>
    <message>
        <source>{} variants are compared with {}: each interval covers 95 % by itself, all of them together less (no Holm correction).</source>
        <translation>{} 个变体与 {} 比较：每个区间单独覆盖 95 %，合在一起则更少（无 Holm 校正）。</translation>
    </message>
    <message>
        <source>{} samples in {}</source>
        <translation>在 {1}中 {0} 个样本</translation>
    </message>
    <message>
        <source>{}: the replicas got {}.</source>
        <translation>{}：各副本得到 {}。</translation>
    </message>
    <message>
        <source>GPU activity: {} kernels, {} dropped, {} without time</source>
        <translation>GPU 活动：{} 个内核，{} 个丢失，{} 个没有时间</translation>
    </message>
    <message>
        <source>{}, {} kernels of no known action</source>
        <translation>{}，{} 个内核不属于已知动作</translation>
    </message>
    <message>
        <source>{}, {} kernels that seem to begin before their launch</source>
        <translation>{}，{} 个内核似乎在启动之前就已开始</translation>
    </message>
    <message>
        <source>{}, clocks agree within {}</source>
        <translation>{}，时钟相差不超过 {}</translation>
    </message>
    <message>
        <source>{}, and the system&apos;s clock was set {} time</source>
        <translation>{}，系统时钟被设置了 {} 次</translation>
    </message>
    <message>
        <source>{}, and the system&apos;s clock was set {} times</source>
        <translation>{}，系统时钟被设置了 {} 次</translation>
    </message>
    <message>
        <source>The lanes of {} processes are on one timeline; their clocks agree within {}.</source>
        <translation>{} 个进程的泳道在同一条时间线上；它们的时钟相差不超过 {}。</translation>
    </message>
    <message>
        <source>not measured: the run is too short; &quot;record_cost&quot;: true in the experiment measures it all the same</source>
        <translation>未测量：运行太短；实验中的 &quot;record_cost&quot;: true 仍会测量它</translation>
    </message>
    <message>
        <source>not measured: {}</source>
        <translation>未测量：{}</translation>
    </message>
    <message>
        <source>Recording cost ({}): {}.</source>
        <translation>记录代价（{}）：{}。</translation>
    </message>
    <message>
        <source>Recording cost: {}.</source>
        <translation>记录代价：{}。</translation>
    </message>
    <message>
        <source>Recording cost of {}: {}.</source>
        <translation>{} 的记录代价：{}。</translation>
    </message>
    <message>
        <source>{} % of a step (95 % CI {}, {}, measured)</source>
        <translation>一步的 {} %（95 % CI {}，{}，实测）</translation>
    </message>
    <message>
        <source>{} % of a step ({}, measured)</source>
        <translation>一步的 {} %（{}，实测）</translation>
    </message>
    <message>
        <source>{}, {} % of its processor time ({})</source>
        <translation>{}，其处理器时间的 {} %（{}）</translation>
    </message>
    <message>
        <source>{}, {} % of its processor time</source>
        <translation>{}，其处理器时间的 {} %</translation>
    </message>
    <message>
        <source>{} is {} than {} of the same run ({}), so one lane alone does this work faster.</source>
        <translation>{0}比同一次运行的 {2} {1}（{3}），所以单独一个泳道做这项工作更快。</translation>
    </message>
    <message>
        <source>{} trains with {}.</source>
        <translation>{} 的训练方式：{}。</translation>
    </message>
    <message>
        <source>The page at {} does not list the ranks (HTTP status {}). PyTorch 2.11 or later does; at the end of a job its store is gone.</source>
        <translation>{} 处的页面没有列出各 rank（HTTP 状态 {}）。PyTorch 2.11 或更高版本会列出；作业结束时其存储已不存在。</translation>
    </message>
    <message>
        <source>Its answer is empty.</source>
        <translation>它的应答为空。</translation>
    </message>
    <message>
        <source>a few seconds</source>
        <translation>几秒</translation>
    </message>
    <message>
        <source>about {} s</source>
        <translation>约 {} 秒</translation>
    </message>
    <message>
        <source>about {} min</source>
        <translation>约 {} 分钟</translation>
    </message>
    <message>
        <source>model</source>
        <translation>模型</translation>
    </message>
    <message>
        <source>classes</source>
        <translation>类别数</translation>
    </message>
    <message>
        <source>data source</source>
        <translation>数据来源</translation>
    </message>
    <message>
        <source>input size</source>
        <translation>输入大小</translation>
    </message>
    <message>
        <source>batch</source>
        <translation>批次</translation>
    </message>
    <message>
        <source>steps</source>
        <translation>步数</translation>
    </message>
    <message>
        <source>epochs</source>
        <translation>轮数</translation>
    </message>
    <message>
        <source>samples</source>
        <translation>样本数</translation>
    </message>
    <message>
        <source>not set</source>
        <translation>未设置</translation>
    </message>
    <message>
        <source>{} {} and {}</source>
        <translation>{}：{} 与 {}</translation>
    </message>
    <message>
        <source>{} per step (median, n = {})</source>
        <translation>每步 {}（中位数，n = {}）</translation>
    </message>
    <message>
        <source>, 90 % range {}</source>
        <translation>，90 % 范围 {}</translation>
    </message>
    <message>
        <source>{} per step, predicted{}</source>
        <translation>预测每步 {}{}</translation>
    </message>
    <message>
        <source>Micro-batch size {} should be the fastest: {}; nothing was measured.</source>
        <translation>微批次大小 {} 应当最快：{}；未做任何测量。</translation>
    </message>
    <message>
        <source>Micro-batch sizes {} should be equally fast within the noise of predictions: {} with {}; nothing was measured.</source>
        <translation>在预测误差之内，微批次大小 {0} 应当一样快：取 {2} 时{1}；未做任何测量。</translation>
    </message>
    <message>
        <source>; an interval needs {} repeats</source>
        <translation>；求区间需要 {} 次重复</translation>
    </message>
    <message>
        <source>No clear difference between micro-batch sizes {}: {} to {} per step (medians, n = {}{}).</source>
        <translation>微批次大小 {} 之间没有明显差异：每步 {} 到 {}（中位数，n = {}{}）。</translation>
    </message>
    <message>
        <source>, predicted {} ({}{})</source>
        <translation>，预测 {}（{}{}）</translation>
    </message>
    <message>
        <source>Micro-batch size {} takes {}{}; no other size was measured.</source>
        <translation>微批次大小 {}：{}{}；未测量其他大小。</translation>
    </message>
    <message>
        <source>Micro-batch size {} is the fastest measured: {}, {} than {}, the next ({}){}.</source>
        <translation>实测最快的微批次大小是 {0}：{1}，与其次的 {3} 相比 {2}（{4}）{5}。</translation>
    </message>
    <message>
        <source>Nothing was predicted or measured yet.</source>
        <translation>尚无预测或测量。</translation>
    </message>
    <message>
        <source>measured {}</source>
        <translation>实测 {}</translation>
    </message>
    <message>
        <source>not measured</source>
        <translation>未测量</translation>
    </message>
    <message>
        <source>{} Predicted fastest was {}: {}, {}.</source>
        <translation>{} 预测最快的是 {}：{}，{}。</translation>
    </message>
    <message>
        <source>1 measured micro-batch size</source>
        <translation>1 个实测的微批次大小</translation>
    </message>
    <message>
        <source>{} measured micro-batch sizes</source>
        <translation>{} 个实测的微批次大小</translation>
    </message>
    <message>
        <source>Predictions are off by {} (median) and {} at most (micro-batch size {}), over {}.</source>
        <translation>预测偏差为 {}（中位数），最多 {}（微批次大小 {}），共 {}。</translation>
    </message>
    <message>
        <source>{} to {}{}</source>
        <translation>{} 至 {}{}</translation>
    </message>
    <message>
        <source>{} splits the backward, and the run did not measure its parts. Measure them with lanelab-cli profile.</source>
        <translation>{} 拆分反向，而该运行没有测量其各部分。请用 lanelab-cli profile 测量。</translation>
    </message>
    <message>
        <source>{} does not take an order of its own: it runs {}, whatever the schedule of the variant is.</source>
        <translation>{} 不接受自定义顺序：无论变体的调度是什么，它都运行 {}。</translation>
    </message>
    <message>
        <source>torchtitan splits the networks that it has: the modules of yours must have the names in module_fqns_per_model_part.</source>
        <translation>torchtitan 只切分它自带的网络：您的网络的模块必须具有 module_fqns_per_model_part 中的名称。</translation>
    </message>
    <message>
        <source>Megatron-LM lays out an embedding, equal layers and a head; {} is not such a network. Export the PyTorch script (--what pytorch) instead.</source>
        <translation>Megatron-LM 布置一个嵌入、相同的层和一个头；{} 不是这样的网络。请改为导出 PyTorch 脚本 (--what pytorch)。</translation>
    </message>
    <message>
        <source>Checked against {}, which computes on one device at a time: micro-batches and their order are not in a device map.</source>
        <translation>已对照 {} 检查，它一次只在一个设备上计算：设备映射中没有微批次及其顺序。</translation>
    </message>
    <message>
        <source>Running statistics of batch norms are updated per micro-batch in the script, not once per step.</source>
        <translation>脚本中批归一化的运行统计量按微批次更新，而不是每步一次。</translation>
    </message>
    <message>
        <source>The script does not recompute activations: the numbers are the same, the memory is not.</source>
        <translation>脚本不重新计算激活：数值相同，内存不同。</translation>
    </message>
    <message>
        <source>The script trains on random data of the right shapes. Load your own in load_batch().</source>
        <translation>脚本用形状正确的随机数据训练。请在 load_batch() 中加载您自己的数据。</translation>
    </message>
    <message>
        <source>Tensors are contiguous in the script, not channels_last.</source>
        <translation>脚本中的张量是连续布局，而不是 channels_last。</translation>
    </message>
    <message>
        <source>n = {} and {} steps</source>
        <translation>n = {} 和 {} 步</translation>
    </message>
    <message>
        <source>The step takes {} before and {} after ({}; an interval needs {}).</source>
        <translation>每步之前用时 {}，之后 {}（{}；求区间需要 {}）。</translation>
    </message>
    <message>
        <source>No difference in step time is shown: {} before and {} after (95 % CI of the speed-up {} to {}x; {}).</source>
        <translation>未显示步时间有差异：之前 {}，之后 {}（加速比的 95 % 置信区间 {} 至 {} 倍；{}）。</translation>
    </message>
    <message>
        <source>The step takes {} before and {} after: {} (95 % CI {} to {}x; {}).</source>
        <translation>每步之前用时 {}，之后 {}：{}（95 % 置信区间 {} 至 {} 倍；{}）。</translation>
    </message>
    <message>
        <source>Intervals are over the steps of these two recordings; other recordings of the same jobs may differ by more.</source>
        <translation>区间取自这两次录制的各步；同样作业的其他录制可能相差更多。</translation>
    </message>
    <message>
        <source>The jobs differ: {}. A step of one is not the work of a step of the other.</source>
        <translation>作业不同：{}。一个作业的一步所做的工作与另一个的一步不同。</translation>
    </message>
    <message>
        <source>{} of the first and {} of the second have no counterpart and are left out of the table.</source>
        <translation>第一个的 {} 和第二个的 {} 没有对应项，未列入表中。</translation>
    </message>
    <message>
        <source>Stage {} of the job is on several ranks of a replica, so no schedule is made for it.</source>
        <translation>作业的阶段 {} 位于一个副本的多个 rank 上，因此无法为其生成调度。</translation>
    </message>
    <message>
        <source>The trace has no passes of stage {}, so no schedule is made for the job.</source>
        <translation>跟踪记录中没有阶段 {} 的计算，因此无法为该作业生成调度。</translation>
    </message>
    <message>
        <source>The trace has whole backwards: the input part and the weight part take half of each. Record a job that splits its backward to have their own times.</source>
        <translation>跟踪记录中是完整的反向：输入部分和权重部分各占一半。要得到各自的时间，请录制拆分反向的作业。</translation>
    </message>
    <message>
        <source>A whole backward takes as long as its input part and its weight part.</source>
        <translation>完整的反向用时等于其输入部分与权重部分之和。</translation>
    </message>
    <message>
        <source>{} cannot be the schedule of this job: {}</source>
        <translation>{} 不能作为此作业的调度：{}</translation>
    </message>
    <message>
        <source>The passes of the trace are not those of {} stages with {} micro-batches each, so no schedule is made for it.</source>
        <translation>跟踪记录中的计算不是 {} 个阶段、每个 {} 个微批次的计算，因此无法为其生成调度。</translation>
    </message>
    <message>
        <source>Each pass and transfer takes what it took, in the order of {}. Memory is not looked at: by stage, at most {} micro-batches are in flight, and {} before.</source>
        <translation>每次计算和传输用时不变，顺序为 {}。不考虑内存：各阶段在途的微批次最多为 {}，之前为 {}。</translation>
    </message>
    <message>
        <source>Replayed by what operations wait for: passes of a rank follow each other, transfers their pass, collectives end together. Time between operations that none explains is left out: the measured step takes {}, the replayed one {}.</source>
        <translation>按操作所等待的内容重放：一个 rank 的计算依次进行，传输跟随其计算，集合通信同时结束。操作之间无法解释的时间不计：实测每步 {}，重放 {}。</translation>
    </message>
    <message>
        <source>{} left out, since the operations are not those of most steps.</source>
        <translation>{} 未计入，因为其操作与大多数步不同。</translation>
    </message>
    <message>
        <source>Operations of the job wait for each other in a circle, so its steps cannot be replayed. Record it again.</source>
        <translation>作业的操作循环等待，因此无法重放其各步。请重新录制。</translation>
    </message>
    <message>
        <source>The trace does not name forward and backward passes of several ranks whose steps are alike, so nothing says which of its work waits for which. Record a job whose pipeline names them.</source>
        <translation>跟踪记录没有给出步骤相同的多个 rank 的前向和反向计算，因此无从得知哪些工作等待哪些工作。请录制其流水线给出这些名称的作业。</translation>
    </message>
    <message>
        <source>The job has no {}.</source>
        <translation>作业没有 {}。</translation>
    </message>
    <message>
        <source>passes of a pipeline</source>
        <translation>流水线的计算</translation>
    </message>
    <message>
        <source>kernels of GPUs</source>
        <translation>GPU 的内核</translation>
    </message>
    <message>
        <source>operators of threads</source>
        <translation>线程的算子</translation>
    </message>
    <message>
        <source>{} has no lanes, so there is no step to compare.</source>
        <translation>{} 没有泳道，因此没有可比较的步。</translation>
    </message>
    <message>
        <source>the first</source>
        <translation>第一个</translation>
    </message>
    <message>
        <source>the second</source>
        <translation>第二个</translation>
    </message>
    <message>
        <source>only {} marks its steps. Record both with steps (profiler.step() of PyTorch), or both without.</source>
        <translation>只有 {} 标记了步。请让两者都带步录制（PyTorch 的 profiler.step()），或都不带。</translation>
    </message>
    <message>
        <source>the first names {}, the second {}, so times of one have no counterpart in the other. Compare recordings of one kind.</source>
        <translation>第一个给出 {}，第二个给出 {}，因此两者的时间没有对应关系。请比较同一种录制。</translation>
    </message>
    <message>
        <source>{} and {} ranks</source>
        <translation>{} 与 {} 个 rank</translation>
    </message>
    <message>
        <source>{} and {} stages</source>
        <translation>{} 与 {} 个阶段</translation>
    </message>
    <message>
        <source>{} and {} replicas</source>
        <translation>{} 与 {} 个副本</translation>
    </message>
    <message>
        <source>{} and {} micro-batches per step</source>
        <translation>每步 {} 与 {} 个微批次</translation>
    </message>
    <message>
        <source>The host of {} is not known here. Forward the port with ssh -L and name the address as {}=HOST:PORT (--rank-address), or attach on a machine of the job.</source>
        <translation>此处不认识 {} 的主机。请用 ssh -L 转发端口并以 {}=HOST:PORT 给出地址 (--rank-address)，或在作业的机器上连接。</translation>
    </message>
    <message>
        <source>{} cannot be reached ({}). Forward the port with ssh -L and name the address as {}=HOST:PORT (--rank-address), or attach on a machine of the job.</source>
        <translation>无法连接 {}（{}）。请用 ssh -L 转发端口并以 {}=HOST:PORT 给出地址 (--rank-address)，或在作业的机器上连接。</translation>
    </message>
    <message>
        <source>It gave no whole trace within {} s. Its process may hang; if it only takes longer, give it more time to answer (--grace).</source>
        <translation>它在 {} 秒内没有给出完整的跟踪记录。其进程可能挂起；如果只是需要更久，请给它更多应答时间 (--grace)。</translation>
    </message>
    <message>
        <source>Its trace is larger than {}. Record fewer seconds, or raise the limit (--max-answer).</source>
        <translation>它的跟踪记录大于 {}。请录制更短时间，或提高上限 (--max-answer)。</translation>
    </message>
    <message>
        <source>has a { without its }. Close it, or write \{ for the character.</source>
        <translation>有一个没有对应 } 的 {。请补全，或写作 \{ 表示该字符。</translation>
    </message>
    <message>
        <source>has {}, which is not a number of a name. Use {}.</source>
        <translation>包含 {}，它不是名称中的数字。请使用 {}。</translation>
    </message>
    <message>
        <source>is empty. Write a name, such as &quot;forward*&quot;.</source>
        <translation>为空。请写一个名称，例如“forward*”。</translation>
    </message>
    <message>
        <source>has {} twice. Keep one of them.</source>
        <translation>{} 出现了两次。请保留一个。</translation>
    </message>
    <message>
        <source>has {} right behind another number, so where it begins is not known.</source>
        <translation>{} 紧接在另一个数字之后，因此无法确定它从哪里开始。</translation>
    </message>
    <message>
        <source>communication, longest in {}</source>
        <translation>通信，最长的在 {}</translation>
    </message>
    <message>
        <source>communication, longest in the {} group</source>
        <translation>通信，最长的在 {} 组</translation>
    </message>
    <message>
        <source>There is no variant {}. Choose another one.</source>
        <translation>没有变体 {}。请选择另一个。</translation>
    </message>
</context>
<context>
    <name>schedule</name>
    <message>
        <source>GPipe</source>
        <translation>GPipe</translation>
    </message>
    <message>
        <source>All forwards, then all backwards</source>
        <translation>先执行所有前向，再执行所有反向</translation>
    </message>
    <message>
        <source>1F1B</source>
        <translation>1F1B</translation>
    </message>
    <message>
        <source>After a warm-up, forwards and backwards alternate: less memory than GPipe, equally idle</source>
        <translation>预热之后前向和反向交替：内存比 GPipe 少，空闲相同</translation>
    </message>
    <message>
        <source>Interleaved 1F1B</source>
        <translation>交错式 1F1B</translation>
    </message>
    <message>
        <source>1F1B with several stages per lane: less idle time, more transfers</source>
        <translation>每个泳道有多个阶段的 1F1B：空闲时间更少，传输更多</translation>
    </message>
    <message>
        <source>Looped BFS</source>
        <translation>循环 BFS</translation>
    </message>
    <message>
        <source>GPipe with several stages per lane, stage by stage</source>
        <translation>每个泳道有多个阶段的 GPipe，逐个阶段执行</translation>
    </message>
    <message>
        <source>ZB-H1</source>
        <translation>ZB-H1</translation>
    </message>
    <message>
        <source>1F1B with the weight part of each backward in its gaps; same memory as 1F1B</source>
        <translation>把每个反向的权重部分放进间隙的 1F1B；内存与 1F1B 相同</translation>
    </message>
    <message>
        <source>Interleaved ZB</source>
        <translation>交错式 ZB</translation>
    </message>
    <message>
        <source>Interleaved 1F1B with the weight part of each backward in its gaps</source>
        <translation>把每个反向的权重部分放进间隙的交错式 1F1B</translation>
    </message>
    <message>
        <source>ZB-V</source>
        <translation>ZB-V</translation>
    </message>
    <message>
        <source>Two stages per lane in a V, with weight parts in the gaps</source>
        <translation>每个泳道两个阶段，呈 V 形，权重部分放进间隙</translation>
    </message>
    <message>
        <source>V-Half</source>
        <translation>V-Half</translation>
    </message>
    <message>
        <source>A V with about half the activations of 1F1B, and little idle time</source>
        <translation>V 形，激活值约为 1F1B 的一半，空闲时间很少</translation>
    </message>
    <message>
        <source>V-Min</source>
        <translation>V-Min</translation>
    </message>
    <message>
        <source>A V with about a third of the activations of 1F1B, and more idle time</source>
        <translation>V 形，激活值约为 1F1B 的三分之一，空闲时间更多</translation>
    </message>
    <message>
        <source>DualPipeV</source>
        <translation>DualPipeV</translation>
    </message>
    <message>
        <source>DeepSeek&apos;s order for two stages per lane in a V; more activations than 1F1B</source>
        <translation>DeepSeek 的顺序，每个泳道两个阶段，呈 V 形；激活值比 1F1B 多</translation>
    </message>
    <message>
        <source>Hanayo</source>
        <translation>Hanayo</translation>
    </message>
    <message>
        <source>1F1B over stages that go down the lanes and back, in one or more waves</source>
        <translation>阶段沿泳道往返、呈一个或多个波形的 1F1B</translation>
    </message>
    <message>
        <source>By stage times</source>
        <translation>按阶段时间</translation>
    </message>
    <message>
        <source>Generated from stage times and a memory limit, for any placement</source>
        <translation>由阶段时间和内存上限生成，适用于任何放置</translation>
    </message>
    <message>
        <source>Edited</source>
        <translation>已编辑</translation>
    </message>
    <message>
        <source>The order in the Schedule pane</source>
        <translation>“调度”窗格中的顺序</translation>
    </message>
</context>
</TS>
