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
        while welcomed < adoptedSockets.count, (!isTurnOver && !hasEvents) || draining != nil {
            welcome(adoptedSockets[welcomed])
            welcomed += 1
            spendTime()
        }
        adoptedSockets.removeFirst(welcomed)
    }

    private func welcome(_ socket: AdoptedSocket) {
        webSockets.adopt(socket, in: &streams)
        executeWebSocketActions()
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

    /// Handles messages of WebSockets until this turn's time for them is used.
    func receiveMessages() {
        repeat {
            webSockets.receiveQueued(in: &streams)
            executeWebSocketActions()
        } while webSockets.isBusy && !webSockets.isTurnOver
    }

    private func executeWebSocketActions() {
        for action in webSockets.takeActions() {
            switch action.kind {
            case .respond(let deferred):
                if !wait(for: deferred, .stream(action.token), isCommand: true), let response = deferred.response {
                    webSockets.send(response, to: action.token, in: &streams)
                }
            case .subscribe(let subscription):
                // The new subscription must not begin before the events of earlier responses.
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
