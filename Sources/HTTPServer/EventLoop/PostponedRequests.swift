// SPDX-License-Identifier: Apache-2.0

/// The suspended requests for which no turn had time yet. Clients take turns, so one with many requests does not delay
/// the others.
struct PostponedRequests {
    /// The clients in the order of their turns, each once.
    private var clients: ArraySlice<ClientAddress> = []
    /// Their requests, the oldest first.
    private var requests: [ClientAddress: ArraySlice<OpaquePointer>] = [:]
    /// The requests that were resumed and are not handled yet.
    private var resumed: [OpaquePointer: ClientAddress] = [:]

    /// Whether no request waits for its turn.
    var isEmpty: Bool { clients.isEmpty }

    /// Adds a request. One that was resumed in vain comes first again.
    mutating func postpone(_ connection: OpaquePointer, of client: @autoclosure () -> ClientAddress) {
        if let client = resumed.removeValue(forKey: connection) {
            let hasOthers = requests[client] != nil
            requests[client, default: []].insert(connection, at: requests[client]?.startIndex ?? 0)
            if !hasOthers { clients.insert(client, at: clients.startIndex) }
        } else {
            let client = client()
            if requests[client] == nil { clients.append(client) }
            requests[client, default: []].append(connection)
        }
    }

    /// Returns the next requests to resume: the oldest of each client in turn.
    mutating func resume(atMost count: Int) -> [OpaquePointer] {
        var connections: [OpaquePointer] = []
        while connections.count < count, let client = clients.popFirst() {
            guard let connection = requests[client]?.popFirst() else { continue }
            if requests[client]?.isEmpty ?? true { requests[client] = nil } else { clients.append(client) }
            resumed[connection] = client
            connections.append(connection)
        }
        return connections
    }

    /// Notes that a resumed request is handled, or has ended.
    mutating func remove(_ connection: OpaquePointer) {
        if !resumed.isEmpty { resumed[connection] = nil }
    }

    /// Whether a request was resumed and is not handled yet.
    func isResumed(_ connection: OpaquePointer) -> Bool { !resumed.isEmpty && resumed[connection] != nil }
}
