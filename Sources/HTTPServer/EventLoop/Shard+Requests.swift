// SPDX-License-Identifier: Apache-2.0
internal import CMicroHTTPD
import Glibc
import Support

/// The path from libmicrohttpd's callbacks to the application's replies. Called inside `MHDDaemon.run`.
extension Shard {
    // MARK: Connections

    /// Begins a connection. Returns the pointer that libmicrohttpd keeps with it.
    func watch(_ connection: OpaquePointer) -> UnsafeMutableRawPointer? {
        let slot = acceptor.takeNewcomer(on: cmhd_socket(connection))
        if let watch = watches.begin(connection, in: slot ?? .uncounted) { return watch }
        if let slot { acceptor.release(slot) }
        return nil
    }

    func unwatch(_ watch: UnsafeMutableRawPointer?) { acceptor.release(watches.end(watch)) }

    // MARK: Requests

    /// Ends a request. libmicrohttpd also calls it for connections that never sent a whole head.
    func completed(_ connection: OpaquePointer, _ state: inout UnsafeMutableRawPointer?) {
        guard ExchangePointer.isBegun(state) else { return }
        // It may have ended before it was handled.
        postponed.remove(connection)
        watches.endRequest(on: connection)
        ExchangePointer.release(state)
        state = nil
        activeExchanges -= 1
        finished &+= 1
    }

    /// Handles one callback of a request: first its head, then parts of the body, last a call without a part.
    ///
    /// The last call sends the response. It comes again when the connection is resumed: with a deferred response that
    /// is ready now, or because the turn of a postponed request has come. A response on the first call makes
    /// libmicrohttpd close the connection, which suits invalid requests.
    func handle(
        _ connection: OpaquePointer,
        line: RequestLine,
        part: UnsafeRawBufferPointer,
        state: inout UnsafeMutableRawPointer?
    ) -> MHD_Result {
        guard ExchangePointer.isBegun(state) else { return begin(connection, line: line, state: &state) }
        let exchange = ExchangePointer.exchange(state)
        if let exchange, !part.isEmpty { return exchange.receive(part) ? .YES : .NO }
        ConnectionWatches.enter(.response, connection)
        if let exchange {
            let isLast = exchange.endsConnection
            if let kept = exchange.deferred?.cachedResponse { return queue(kept, on: connection, isLast: isLast) }
            if let response = exchange.deferred?.response { return queue(response, on: connection, isLast: isLast) }
            if exchange.isTooLarge {
                return queue(application.refusal(of: .largeBody(limit: exchange.limit)), on: connection, isLast: isLast)
            }
        }
        let request = request(line, exchange?.body ?? [], on: connection)
        let isResumed = postponed.isResumed(connection)
        // In the order of arrival: while others wait, a new request waits, too.
        let mustWait = isTurnOver || (!postponed.isEmpty && !isResumed)
        if mustWait, draining == nil, application.mayTakeLong(request) { return postpone(request) }
        if isResumed { postponed.remove(connection) }
        return reply(to: request, &state)
    }

    private func begin(
        _ connection: OpaquePointer,
        line: RequestLine,
        state: inout UnsafeMutableRawPointer?
    ) -> MHD_Result {
        activeExchanges += 1
        let fault = ExchangePointer.targetFault(state)
        state = ExchangePointer.seen
        do throws(RequestError) {
            switch fault {
            case nil: break
            case .long: throw RequestError.longTarget
            case .cut: throw RequestError.ambiguous("The request target contains a zero byte.")
            case .slash: throw RequestError.escapedSlash
            case .spaced: throw RequestError.ambiguous("The request target contains a space.")
            }
            let head = try MessageHead(of: connection, isHTTP10: line.isHTTP10)
            newest = (connection, head.frequent)
            let length = head.contentLength ?? 0
            let limit =
                head.isChunked || length > RequestLimits.body
                ? application.bodyLimit(of: request(line, on: connection)) : RequestLimits.body
            // A client that asks first need not send a body over the limit. The body of another is read and discarded.
            if length > (head.asksFirst ? limit : RequestLimits.discarded) {
                throw RequestError.largeBody(limit: limit)
            }
            if head.hasBody {
                ConnectionWatches.enter(.body, connection)
                state = ExchangePointer.retain(Exchange(expecting: length, upTo: limit, isChunked: head.isChunked))
            }
            return .YES
        } catch {
            ConnectionWatches.enter(.response, connection)
            return queue(application.refusal(of: error), on: connection, isLast: true)
        }
    }

    private func request(_ line: RequestLine, _ body: [UInt8] = [], on connection: OpaquePointer) -> Request {
        Request(
            method: Method(line.method),
            target: line.target,
            body: body,
            isHTTP10: line.isHTTP10,
            connection: connection,
            frequent: newest?.connection == connection ? newest?.fields : nil
        )
    }

    /// Suspends a request: this turn has used its time, or others wait already.
    private func postpone(_ request: Request) -> MHD_Result {
        postponed.postpone(request.connection, of: request.client)
        ConnectionWatches.enter(.waiting, request.connection)
        MHD_suspend_connection(request.connection)
        return .YES
    }

    private func reply(to request: Request, _ state: inout UnsafeMutableRawPointer?) -> MHD_Result {
        let isLast = ExchangePointer.exchange(state)?.endsConnection ?? false
        let isChange = request.method.isChange
        if isChange { hasChanges = true }
        let reply = application.reply(to: request)
        // A cached response takes less time than reading the clock.
        let isQuick = if case .cached = reply { !isChange } else { false }
        if !isQuick { spendTime() }
        switch reply {
        case .now(let response):
            if isChange, response.status < 300 { counts.commands.count(.zero) }
            return queue(response, on: request.connection, isLast: isLast)
        case .cached(let kept):
            if isChange { counts.commands.count(.zero) }
            return queue(kept, on: request.connection, isLast: isLast)
        case .later(let deferred):
            return wait(for: deferred, request.connection, &state, isCommand: isChange)
        case .stream(let stream):
            if request.method == .head {
                return ResponseHandle(endlessHead: stream.headFields).queue(status: 200, on: request.connection)
            }
            return admit(stream, on: request.connection, isLast: isLast) { client in
                let framing = request.isHTTP10 ? Framing.plain : .chunked
                let adoption = Adoption(
                    by: self,
                    of: request.connection,
                    from: client,
                    framing: framing,
                    stream,
                    limitedBy: streamLimiter
                )
                return adoption.response().queue(status: 200, on: request.connection)
            }
        case .webSocket(let webSocket):
            return admit(webSocket.stream, on: request.connection, isLast: isLast) { client in
                let upgrade = Upgrade(by: self, webSocket, of: client, limitedBy: streamLimiter)
                exchange(in: &state).upgrade = upgrade
                return upgrade.response.queue(status: 101, on: request.connection)
            }
        }
    }

    /// Acquires capacity for a stream or WebSocket and begins it, or responds with the reason for its rejection.
    private func admit(
        _ stream: StreamRequest,
        on connection: OpaquePointer,
        isLast: Bool,
        begin: (ClientAddress) -> MHD_Result
    ) -> MHD_Result {
        do throws(RequestError) {
            if draining != nil { throw .noStreamCapacity }
            let client = ClientAddress(cmhd_client(connection), on: cmhd_socket(connection))
            try streamLimiter.acquire(for: client)
            return begin(client)
        } catch {
            var refusal = application.refusal(of: error)
            refusal.fields += stream.fields
            return queue(refusal, on: connection, isLast: isLast)
        }
    }

    private func exchange(in state: inout UnsafeMutableRawPointer?) -> Exchange {
        if let exchange = ExchangePointer.exchange(state) { return exchange }
        let exchange = Exchange(expecting: 0)
        state = ExchangePointer.retain(exchange)
        return exchange
    }

    private func wait(
        for deferred: Deferred,
        _ connection: OpaquePointer,
        _ state: inout UnsafeMutableRawPointer?,
        isCommand: Bool
    ) -> MHD_Result {
        guard wait(for: deferred, .request(connection), isCommand: isCommand) else {
            // The response is ready already.
            let isLast = ExchangePointer.exchange(state)?.endsConnection ?? false
            return deferred.response.map { queue($0, on: connection, isLast: isLast) } ?? .NO
        }
        exchange(in: &state).deferred = deferred
        ConnectionWatches.enter(.waiting, connection)
        MHD_suspend_connection(connection)
        return .YES
    }

    private func queue(_ kept: CachedResponse, on connection: OpaquePointer, isLast: Bool) -> MHD_Result {
        // Other connections share the handle's response, which therefore cannot have "Connection: close".
        if isLast { return queue(kept.response, on: connection, isLast: true) }
        counts.answered(kept.response.status)
        return kept.handle.queue(status: kept.response.status, on: connection)
    }

    /// - Parameter isLast: Whether the connection ends after this response.
    private func queue(_ response: Response, on connection: OpaquePointer, isLast: Bool) -> MHD_Result {
        var response = response
        if isLast { response.fields.append(("Connection", "close")) }
        counts.answered(response.status)
        watches.beginResponse(of: response.length, response.shared, on: connection)
        return ResponseHandle(response).queue(status: response.status, on: connection)
    }
}
