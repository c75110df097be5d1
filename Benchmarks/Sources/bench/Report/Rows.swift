// SPDX-License-Identifier: Apache-2.0

/// The bounds of all figures, with the results of the daemon and its peers.
struct Rows {
    private(set) var all: [Row] = []
    private let plan: Plan

    init(_ report: Report) {
        plan = report.plan
        let results = report.results
        if let events = results.events { addEvents(events) }
        if let webSockets = results.webSockets { addWebSockets(webSockets) }
        if let gets = results.gets { addGets(gets) }
        if let puts = results.puts { addPuts(puts) }
        if let displays = results.displays { addDisplays(displays) }
        if let boosts = results.boosts { addBoosts(boosts) }
        if let calls = results.calls { addCalls(calls) }
        if let openLoop = results.openLoop { addOpenLoop(openLoop) }
        if let stalled = results.stalled { addStalled(stalled) }
        if let commands = results.commands {
            let what = "PUT to its answer, \(fixed(Double(commands.streams), 0)) streams receiving, 99 of 100"
            add(what, "ms", 2, commands.percentile99, .valueAtMost(20))
        }
        if let idle = results.idleStreams {
            add("\(fixed(Double(idle.streams), 0)) idle streams", "% of a core", 2, idle.busy, .valueAtMost(1))
        }
        if let starts = results.starts {
            add("start to first answer", "ms", 1, median(starts.map(\.firstAnswer)), .valueAtMost(50))
            add("resident memory, idle", "MiB", 1, median(starts.map(\.resident)), .valueAtMost(20))
        }
    }

    private mutating func addEvents(_ events: Rounds<FanOut.Sample>) {
        for streams in plan.crowds where streams >= 9_000 || streams == plan.crowds.last {
            let what = "CPU per event delivered, \(fixed(Double(streams), 0)) streams"
            let figure = { (sample: FanOut.Sample) in sample.at(streams)?.cpuPerDelivery ?? .nan }
            add(what, "µs", 2, events, "epoll-limit", .ratioAtMost(1.10), figure)
            add(what, "µs", 2, events, "Nchan", .ratioAtMost(0.80), figure)
            add(what, "µs", 2, events, "Hummingbird", .ratioAtMost(0.50), figure)
            add(what, "µs", 2, events, "itself", of: "epoll-limit", .ratioWithin(0.9, 1.1), figure)
        }
        addFlatness(events, "event")
        add("user memory per event stream", "KiB", 3, events, "epoll-limit", .valueAtMost(0.25), \.memoryPerStream)
        add("descriptors per event stream", "", 3, events, "epoll-limit", .valueAtMost(1.01), \.descriptorsPerStream)
        add("connects with first event", "/s", 0, events, "epoll-limit", .ratioAtLeast(0.90)) {
            $0.largest?.connectsPerSecond ?? .nan
        }
        add("connects with first event, per second of CPU", "/s", 0, events, "epoll-limit", nil) {
            1e6 / ($0.largest?.cpuPerConnect ?? .nan)
        }
        add("change to last stream", "ms", 1, events, "epoll-limit", nil) { $0.largest?.lastStream ?? .nan }
    }

    private mutating func addWebSockets(_ webSockets: Rounds<FanOut.Sample>) {
        for streams in plan.crowds where streams >= 9_000 || streams == plan.crowds.last {
            let what = "CPU per WebSocket message, \(fixed(Double(streams), 0)) clients"
            let figure = { (sample: FanOut.Sample) in sample.at(streams)?.cpuPerDelivery ?? .nan }
            add(what, "µs", 2, webSockets, "epoll-limit", .ratioAtMost(1.10), figure)
            add(what, "µs", 2, webSockets, "Nchan", nil, figure)
        }
        addFlatness(webSockets, "WebSocket message")
        add("user memory per WebSocket", "KiB", 3, webSockets, "epoll-limit", .valueAtMost(1), \.memoryPerStream)
    }

    /// The largest crowd compared with the smallest. It has no bound: the sockets of a large crowd do not fit into the
    /// processor's caches, for `epoll-limit` either.
    private mutating func addFlatness(_ rounds: Rounds<FanOut.Sample>, _ what: String) {
        guard let few = plan.crowds.first, let all = plan.crowds.last, few < all,
            let samples = rounds.samples[Report.daemon]
        else { return }
        let cost = { (sample: FanOut.Sample, streams: Int) in sample.at(streams)?.cpuPerDelivery ?? .nan }
        self.all.append(
            Row(
                what: "CPU per \(what), \(fixed(Double(all), 0)) clients against \(few)",
                unit: "µs",
                digits: 2,
                value: median(samples.map { cost($0, all) }),
                peer: (
                    "with \(few)", median(samples.map { cost($0, few) }),
                    median(samples.map { cost($0, all) / cost($0, few) })
                ),
                bound: nil
            )
        )
    }

    private mutating func addGets(_ gets: Rounds<RequestRate.Sample>) {
        let what = "GET state, \(plan.connections) connections"
        add(what, "/s", 0, gets, "mhd-minimal", .ratioAtLeast(0.80), \.rate)
        add(what, "/s", 0, gets, "nginx return 200", .ratioAtLeast(0.80), \.rate)
        let perCPU = { (sample: RequestRate.Sample) in 1e6 / sample.cpuPerAnswer }
        add("GET state, per second of CPU", "/s", 0, gets, "mhd-minimal", nil, perCPU)
        add("GET state, per second of CPU", "/s", 0, gets, "nginx return 200", nil, perCPU)
        add(what, "/s", 0, gets, "itself", of: "mhd-minimal", .ratioWithin(0.9, 1.1), \.rate)
    }

    private mutating func addPuts(_ puts: Rounds<RequestRate.Sample>) {
        add("PUT brightness against an empty POST", "/s", 0, puts, "mhd-minimal", nil, \.rate)
        add("PUT brightness, per second of CPU", "/s", 0, puts, "mhd-minimal", nil) { 1e6 / $0.cpuPerAnswer }
    }

    private mutating func addDisplays(_ displays: Rounds<RequestRate.Sample>) {
        let (one, many) = (Report.oneDisplay, Report.manyDisplays)
        add("CPU per PUT, of \(many)", "µs", 2, displays, one, of: many, .ratioWithin(0.85, 1.15), \.cpuPerAnswer)
    }

    private mutating func addBoosts(_ boosts: Rounds<RequestRate.Sample>) {
        let other = Report.noJournal
        add("boosts with their release, written down", "/s", 0, boosts, other, .valueAtLeast(10_000)) { $0.rate / 2 }
        add("boost or release to its answer, 99 of 100", "ms", 2, boosts, other, .valueAtMost(5), \.percentile99)
        add("CPU per boost with its release", "µs", 1, boosts, other, nil) { $0.cpuPerAnswer * 2 }
    }

    private mutating func addCalls(_ calls: SystemCalls.Sample) {
        add("system calls per event and stream", "", 3, calls.perDelivery, .valueAtMost(1.05))
        add("wakes per event and shard", "", 2, calls.wakesPerEvent, .valueAtMost(1))
    }

    private mutating func addOpenLoop(_ openLoop: Rounds<OpenLoop.Sample>) {
        let load = "\(fixed(plan.openLoopRate, 0)) changes/s to \(fixed(Double(plan.openLoopStreams), 0)) streams"
        for peer in ["epoll-limit", "Nchan", "Hummingbird"] {
            add("\(load), 99 of 100 within", "ms", 2, openLoop, peer, nil, \.percentile99)
        }
    }

    private mutating func addStalled(_ stalled: Rounds<OpenLoop.Sample>) {
        let (with, without) = (Report.oneStalled, Report.allRead)
        let what = "20 changes/s, with one more client that reads nothing"
        add(what, "ms", 2, stalled, without, of: with, .ratioAtMost(1.10), \.percentile99)
    }

    // MARK: Lines

    /// Nothing is added for a peer, or a subject, that was not there.
    private mutating func add<Sample>(
        _ what: String,
        _ unit: String,
        _ digits: Int,
        _ rounds: Rounds<Sample>,
        _ peer: String,
        of subject: String = Report.daemon,
        _ bound: Bound?,
        _ figure: (Sample) -> Double
    ) {
        guard rounds.samples[peer] != nil, rounds.samples[subject] != nil else { return }
        let values = (peer, rounds.median(of: peer, figure), rounds.ratio(of: subject, to: peer, figure))
        let value = rounds.median(of: subject, figure)
        all.append(Row(what: what, unit: unit, digits: digits, value: value, peer: values, bound: bound))
    }

    private mutating func add(_ what: String, _ unit: String, _ digits: Int, _ value: Double, _ bound: Bound?) {
        all.append(Row(what: what, unit: unit, digits: digits, value: value, peer: nil, bound: bound))
    }
}
