// SPDX-License-Identifier: Apache-2.0

/// The part of the loop that serves event streams and WebSockets.
extension Shard: Adopter {
    /// Queues an adopted socket. Called inside `MHDDaemon.run`.
    func adopt(_ socket: AdoptedSocket, from connection: OpaquePointer) {
        watches.leave(connection)
        adoptedSockets.append(socket)
    }

    func welcomeAdopted() {
        var welcomed = 0
        while welcomed < adoptedSockets.count, !isTurnOver && !hasEvents || draining != nil {
            welcome(adoptedSockets[welcomed])
            welcomed += 1
            spendTime()
        }
        adoptedSockets.removeFirst(welcomed)
    }

    private func welcome(_ socket: AdoptedSocket) {
        webSockets.adopt(socket, in: &streams)
        performWebSocketActions()
        if draining != nil { streams.drain() }
    }

    /// Takes events until none wait or this turn's time for them is used. The others are taken in the next turn.
    func takeEvents() {
        guard streams.count > 0 || !adoptedSockets.isEmpty || application.awaitsEvents else {
            hasEvents = false
            return application.stopObserving()
        }
        repeat {
            let batch = application.takeEvents()
            hasEvents = batch.isFollowed
            streams.receive(batch)
        } while hasEvents && (!streams.isTurnOver || draining != nil)
    }

    /// Answers messages of WebSockets until this turn's time for them is used.
    func receiveMessages() {
        repeat {
            webSockets.receiveQueued(in: &streams)
            performWebSocketActions()
        } while webSockets.isBusy && !webSockets.isTurnOver
    }

    private func performWebSocketActions() {
        for action in webSockets.takeActions() {
            switch action.kind {
            case .answer(let deferred):
                if !wait(for: deferred, .stream(action.token), isCommand: true), let answer = deferred.response {
                    webSockets.answer(action.token, answer, in: &streams)
                }
            case .subscribe(let subscription):
                // The new subscription must not begin before the facts of earlier answers.
                takeEvents()
                if hasEvents {
                    webSockets.postpone(action)
                } else {
                    webSockets.subscribe(action.token, to: subscription, in: &streams)
                }
            }
        }
    }
}
