// Attention in files of somebody else: both samples of docs/plugins.md, and what does not do as it should.
#include "core/attention/attention_backend.h"
#include "core/attention/plugin/plugin.h"
#include "core/base/error.h"
#include "tests/support/folder.h"
#include "tests/support/test_class.h"

#include <QRegularExpression>

#include <torch/csrc/jit/api/module.h>

#include <cmath>
#include <fstream>
#include <sstream>

using namespace attnscope;
using namespace Qt::StringLiterals;

namespace {

const fs::path sampleLibrary = SAMPLE_PLUGIN, faultyLibrary = FAULTY_PLUGIN, samples = SAMPLES_DIR;

std::string textOf(const fs::path& file)
{
    std::ostringstream text;
    text << std::ifstream(file).rdbuf();
    return text.str();
}

/// TorchScript of `forward`, as torch.jit.script makes it of the sample in Python.
fs::path scripted(const Folder& folder, const std::string& forward, const std::string& description)
{
    torch::jit::Module module("Mine");
    module.define(forward);
    const fs::path file = folder / "mine.ts";
    module.save(file.string(), {{"attnscope.json", description}});
    return file;
}

/// `forward` of the sample in Python, without its indentation and its module's name.
std::string sampleForward()
{
    QString text = QString::fromStdString(textOf(samples / "relu_linear.py"));
    text = text.mid(text.indexOf(u"    def forward"_s),
                    text.indexOf(u"\n\n\ndescription"_s) - text.indexOf(u"    def forward"_s));
    text.replace(QRegularExpression(u"^    "_s, QRegularExpression::MultilineOption), QString());
    return text.remove(u"torch.Tensor"_s).replace(u": ,"_s, u","_s).replace(u" -> :"_s, u":"_s).toStdString()
           + "\n";
}

at::Tensor expectedOf(const at::Tensor& q, const at::Tensor& k, const at::Tensor& v, double scale)
{
    const auto feature = [&](const at::Tensor& x) { return at::relu(x.to(at::kDouble) * std::sqrt(scale)) + 0.5; };
    const auto weights = at::matmul(feature(q), feature(k).transpose(-2, -1));
    return at::matmul(weights / weights.sum(-1, true), v.to(at::kDouble));
}

}

class TestPlugin : public QObject {
    Q_OBJECT

private slots:
    void bothFormsComputeWhatTheySay()
    {
        const Folder folder;
        const PluginInfo library = loadPlugin(sampleLibrary);
        QCOMPARE(library.backend, "plugin-relu-linear");
        QCOMPARE(library.title, "ReLU linear attention");
        QVERIFY(library.isLibrary && library.sha256.size() == 64
                && library.bytes == int64_t(fs::file_size(sampleLibrary)));
        QCOMPARE(loadPlugin(sampleLibrary).sha256, library.sha256);  // again is no error
        const fs::path script = scripted(
            folder, sampleForward(),
            R"({"abi": 1, "name": "scripted", "title": "In Python", "kind": "approximation"})");
        const PluginInfo python = loadPlugin(script);
        QVERIFY(!python.isLibrary && python.kind == AttentionKind::Approximation);
        QVERIFY(findBackend("plugin-scripted") != nullptr && loadedPlugins().size() == 2);
        const auto made = at::make_generator<at::CPUGeneratorImpl>(4);
        SeededNoise noise(0, 0);
        for (const at::ScalarType type : {at::kFloat, at::kDouble, at::kBFloat16})
            for (const char* name : {"plugin-relu-linear", "plugin:scripted"}) {
                const auto q = at::randn({2, 7, 3, 16}, made).to(type).transpose(1, 2),
                           k = at::randn({2, 3, 5, 16}, made).to(type), v = at::randn({2, 3, 5, 8}, made).to(type);
                const auto backend = makeBackend(AttentionSpec::parse(name), {.heads = 3, .width = 16});
                QVERIFY(backend->notes().size() == 1
                        && backend->notes().front().find("SHA-256 ") != std::string::npos);
                const auto out = backend->attend({.q = q, .k = k, .v = v, .scale = 0.25}, noise);
                QVERIFY(out.scalar_type() == type);
                const auto expected = expectedOf(q, k, v, 0.25);
                const double error = ((out.to(at::kDouble) - expected).norm() / expected.norm()).item<double>();
                QCOMPARE_LT(error, (type == at::kBFloat16 ? 5e-3 : 1e-6));
            }
    }

    void docsShowTheSamples()
    {
        const std::string docs = textOf(DOCS_DIR "/plugins.md");
        for (const char* name : {"relu_linear.cpp", "relu_linear.py"}) {
            std::istringstream lines(textOf(samples / name));
            std::string block, line;
            while (std::getline(lines, line))
                block += line.empty() ? "\n" : "    " + line + "\n";
            QVERIFY2(docs.find(block) != std::string::npos, name);
        }
    }

    void faultsAreOneSentence_data()
    {
        columns<QString>("said");
#ifdef __SANITIZE_ADDRESS__
        row("crash", "ended without a result");  // the sanitizer reports it and exits
#else
        row("crash", "its check crashed (Segmentation fault)");
#endif
        row("hang", "did not end within");
        row("exit", "ended without a result");
        row("says", "it says \"it is Sunday\"");
        row("fails", "it says that it failed (3)");
        row("nan", "its output is not finite on queries of 1×2×49×16 with 49 keys");
        row("square", "not linear in v");
        row("random", "other numbers for the same input");
        row("batch", "an element of a batch has another output than alone");
        row("no json", "does not describe itself by a JSON object");
        row("null", "does not describe itself by a JSON object");
        row("version", "no \"abi\": 1");
        row("name", "no valid name");
        row("no name", "no valid name");
        row("kind", "write approximation, other-kernel or needs-training");
    }

    void faultsAreOneSentence()
    {
        FETCH_TEXT(said);
        const char* const fault = currentDataTag();
        const size_t before = backends().size();
        qputenv("PLUGIN_FAULT", fault);
        const std::string problem = refusal([] { loadPlugin(faultyLibrary, std::chrono::seconds(3)); });
        qunsetenv("PLUGIN_FAULT");
        SAYS(problem, said);
        QVERIFY(contains(problem, "faulty") && problem.ends_with('.') && !contains(problem, "\n"));
        QCOMPARE(backends().size(), before);
    }

    void whatIsNoPluginIsOneSentence()
    {
        const Folder folder;
        const auto file = [&](const char* name, const std::string& bytes) {
            const fs::path path = folder / name;
            std::ofstream(path, std::ios::binary) << bytes;
            return path;
        };
        const std::string elf = textOf(faultyLibrary);
        for (const auto& [path, said] :
             {std::pair{fs::path("/nowhere/mine.so"), "there is no such file"},
              {file("empty.so", ""), "neither a library nor TorchScript"},
              {file("text.ts", "def forward(): pass"), "neither a library nor TorchScript"},
              {file("short.so", elf.substr(0, 100)), "could not load this library"},
              {file("zip.ts", "PK\3\4" + std::string(100, 'x')), "not a TorchScript module"}}) {
            const std::string problem = refusal([&] { loadPlugin(path); });
            SAYS(problem, said);
            QVERIFY(!contains(problem, "\n"));
        }
    }

    void scriptsWithOtherArgumentsAreRefused()
    {
        const Folder folder;
        const std::string description = R"({"abi": 1, "name": "other"})";
        for (const auto& [forward, said] :
             {std::pair{"def forward(self, q, k):\n    return q @ k\n", "three tensors and a float"},
              {"def forward(self, q, k, v, scale: float):\n    return q\n", "not linear in v"},
              {"def forward(self, q, k, v, scale: float):\n    return (q, k)\n", "instead of a tensor"},
              {"def forward(self, q, k, v, scale: float):\n    return (q @ v)\n", "it says \""}}) {
            const fs::path file = scripted(folder, forward, description);
            const std::string problem = refusal([&] { loadPlugin(file); });
            SAYS(problem, said);
            QVERIFY(!contains(problem, "\n"));
        }
        REFUSES(Error, loadPlugin(scripted(folder, sampleForward(), "")), "does not describe itself");
    }

    /// The sample in both forms: TorchScript has a backward pass, and a library's weights are its outputs for unit values.
    void bothFormsHaveImpliedWeights()
    {
        const Folder folder;
        loadPlugin(sampleLibrary);
        loadPlugin(scripted(folder, sampleForward(), R"({"abi": 1, "name": "weighed"})"));
        SeededNoise noise(0, 0);
        const auto made = at::make_generator<at::CPUGeneratorImpl>(4);
        const auto q = at::randn({2, 2, 6, 8}, made), k = at::randn({2, 2, 150, 8}, made),
                   v = at::randn({2, 2, 150, 3}, made), rows = at::randn({2, 2, 6}, made);
        const AttentionInput input{.q = q, .k = k, .v = v, .scale = 0.3};
        const auto expected = at::matmul(rows.to(at::kDouble).unsqueeze(2),
                                         expectedOf(q, k, at::eye(150).expand({2, 2, 150, 150}), 0.3))
                                  .squeeze(2);
        for (const char* name : {"plugin-weighed", "plugin-relu-linear"}) {
            const auto weights = makeBackend(AttentionSpec::parse(name), {.heads = 2, .width = 8})
                                     ->impliedWeights(input, noise, rows);
            QVERIFY2(((weights - expected).abs() < 1e-6).all().item<bool>(), name);
        }
        const auto library = makeBackend(AttentionSpec::parse("plugin-relu-linear"), {.heads = 2, .width = 8});
        AttentionInput trained = input;
        trained.q = q.detach().clone().requires_grad_();
        REFUSES(Error, library->attend(trained, noise), "a library has no gradient");
    }
};

ATTNSCOPE_TEST(TestPlugin)
#include "tst_plugin.moc"
