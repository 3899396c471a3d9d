// Lets a command run for so many minutes, ends it with SIGTERM, and says what it took meanwhile:
//
//     soak_command MINUTES COMMAND [ARGUMENT…]
//
// Exit code 1 beyond the limits of SoakMeter, or if the command ends before its time.
#include "tests/ui/soak/soak_meter.h"

#include <QCoreApplication>
#include <QProcess>

#include <cstdio>

using attnscope::ui::test::SoakMeter;

int main(int argc, char** argv)
{
    if (argc < 3) {
        std::fprintf(stderr, "usage: soak_command MINUTES COMMAND [ARGUMENT…]\n");
        return 2;
    }
    QCoreApplication app(argc, argv);
    QStringList words;
    for (int i = 2; i < argc; ++i)
        words << QString::fromLocal8Bit(argv[i]);
    QProcess command;
    command.setProcessChannelMode(QProcess::ForwardedChannels);
    command.start(words.front(), words.mid(1));
    if (!command.waitForStarted()) {
        std::fprintf(stderr, "%s: %s\n", qPrintable(words.front()), qPrintable(command.errorString()));
        return 1;
    }
    SoakMeter meter(QString::fromLocal8Bit(argv[1]).toDouble(), command.processId());
    while (!meter.isOver() && !command.waitForFinished(10'000))
        meter.sample();
    if (command.state() == QProcess::NotRunning) {
        std::fprintf(stderr, "the command ended before its time\n");
        return 1;
    }
    command.terminate();
    if (!command.waitForFinished(60'000)) {
        std::fprintf(stderr, "the command did not end within a minute\n");
        command.kill();
        command.waitForFinished();
        return 1;
    }
    return meter.finish();
}
