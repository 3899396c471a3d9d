#pragma once

#include <QDir>
#include <QFile>
#include <QString>

namespace attnscope::ui::test {

/// What a program holds that ends with whoever asked for it: threads, open files, child processes.
struct Held {
    int threads = 0, files = 0, processes = 0;

    static Held now()
    {
        const QDir tasks(QStringLiteral("/proc/self/task"));
        Held held;
        for (const QString& task : tasks.entryList(QDir::Dirs | QDir::NoDotAndDotDot)) {
            ++held.threads;
            QFile children(tasks.filePath(task + QStringLiteral("/children")));
            if (children.open(QIODevice::ReadOnly))
                held.processes += int(children.readAll().split(' ').size()) - 1;
        }
        held.files = int(QDir(QStringLiteral("/proc/self/fd"))
                             .entryList(QDir::AllEntries | QDir::System | QDir::NoDotAndDotDot)
                             .size());
        return held;
    }
    bool isWithin(const Held& before) const
    {
        return threads <= before.threads && files <= before.files && processes <= before.processes;
    }
    QString text() const
    {
        return QStringLiteral("%1 threads, %2 files, %3 processes").arg(threads).arg(files).arg(processes);
    }
};

}
