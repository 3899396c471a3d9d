#pragma once

#include <QObject>
#include <QStringList>

class QLocalServer;

namespace attnscope::ui {

/// One window for each settings file: a program that is started while there is a window hands its files to that window and ends.
class SingleWindow : public QObject {
    Q_OBJECT
public:
    /// True: there is a window, and it has taken the files (none: it only comes to the front).
    static bool handOver(const QString& settingsPath, const QStringList& files);

    /// From now on this is the window. Where the system gives no socket it is one of its own.
    explicit SingleWindow(const QString& settingsPath, QObject* parent = nullptr);
    ~SingleWindow() override;

signals:
    void filesHandedOver(const QStringList& files);

private:
    void receive();

    QLocalServer* m_server;
};

}
