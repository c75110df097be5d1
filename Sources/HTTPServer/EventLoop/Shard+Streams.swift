// SPDX-License-Identifier: Apache-2.0

/// What the loop does for streams and WebSockets.
extension Shard: Adopter {
    /// Called by libmicrohttpd, inside `LibraryDaemon.run`.
    func adopt(_ arrival: Arrival, from connection: OpaquePointer) {
        watches.leave(connection)
        adopted.append(arrival)
    }

    func welcomeAdopted() {
        var welcomed = 0
        while welcomed < adopted.count, !isTurnOver || draining != nil {
            welcome(adopted[welcomed])
            welcomed += 1
            spendTime()
        }
        adopted.removeFirst(welcomed)
    }

    private func welcome(_ arrival: Arrival) {
        webSockets.adopt(arrival, in: &streams)
        performWebSocketActions()
        if draining != nil { streams.drain() }
    }

    func takeEvents() {
        guard streams.count > 0 || !adopted.isEmpty || application.awaitsEvents else { return application.lookAway() }
        streams.take(application.takeEvents())
    }

    /// Answers the messages of WebSockets, as long as there is time.
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
                if !wait(for: deferred, .stream(action.token), isCommand: true), let answer = deferred.answer {
                    webSockets.answer(action.token, answer, in: &streams)
                }
            case .subscribe(let subscription):
                // Not less than what was answered before.
                takeEvents()
                webSockets.subscribe(action.token, to: subscription, in: &streams)
            }
        }
    }
}
