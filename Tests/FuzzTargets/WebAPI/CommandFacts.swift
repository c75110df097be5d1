// SPDX-License-Identifier: Apache-2.0
@testable import BrightnessCore
@testable import MQTTBridge

/// The facts that hold for every command from any input.
enum CommandFacts {
    /// The display of the commands.
    static let state: DisplayState = {
        guard let id = DisplayID("panel"), let range = BrightnessRange(minimum: 1, maximum: 1_000) else {
            preconditionFailure("these are an id and a range")
        }
        return DisplayState(
            id: id,
            name: "Panel",
            kind: .backlight,
            range: range,
            brightness: Brightness(clamping: 0.5),
            baseline: Brightness(clamping: 0.5),
            step: 500,
            automatic: .off,
            cause: Cause(.api, at: Timestamp(milliseconds: 0)),
            revision: Revision(1)
        )
    }()

    static func check(_ command: Command) throws {
        try checkText(command.by, 128, "by")
        try checkText(command.reason, 256, "reason")
        try require(
            command.transition.map { (.zero ... .seconds(3_600)).contains($0) } ?? true,
            "a transition is too long"
        )
        for action in [command.action] + command.followers { try check(action) }
    }

    private static func check(_ action: Command.Action) throws {
        switch action {
        case .set(.fraction(let brightness)): try check(brightness)
        case .move(let delta): try require((-1...1).contains(delta), "a delta is \(delta)")
        case .grant(let request):
            try check(request.level)
            try require((request.level == nil) == (request.kind.subject == .power), "a brightness of a wrong kind")
            try checkTTL(request.ttl, of: request.kind)
            try require(request.kind != .sleep || request.ttl != nil, "a sleep has no end")
            try require(request.ttl != nil || request.lifespan != .custom, "a lease has no end")
            try require(request.lifespan != .visible || request.holder != nil, "a visible lease has no holder")
        case .renew(_, let change):
            try check(change.level)
            try checkTTL(change.ttl)
            try checkText(change.reason, 256, "reason")
            try require(change != LeaseRenewal(), "a renewal changes nothing")
        default: break
        }
    }

    private static func check(_ level: BrightnessLevel?) throws {
        switch level {
        case .fraction(let brightness): try check(brightness)
        case .step(let step): try require(step >= 0, "a step is negative")
        case nil: break
        }
    }

    private static func check(_ brightness: Brightness) throws {
        try require((0...1).contains(brightness.fraction), "a brightness is \(brightness.fraction)")
    }

    private static func checkTTL(_ ttl: Duration?, of kind: LeaseKind? = nil) throws {
        guard let ttl else { return }
        try require(ttl > .zero && ttl <= kind?.longestTTL ?? LeaseKind.longestTTL, "a time to live is \(ttl)")
    }

    private static func checkText(_ text: String?, _ longest: Int, _ what: String) throws {
        guard let text else { return }
        try require(text.unicodeScalars.count <= longest, "\(what) is too long")
        try require(!text.unicodeScalars.contains { $0.isControl }, "\(what) holds a control character")
    }

    // MARK: Another daemon

    /// The command for another daemon is the same, to six decimals, for the same holder.
    static func checkCall(_ command: Command) throws {
        let holder = holder(of: command)
        guard let (method, json) = command.call(showing: state, for: "b/edge/maria", onlyAt: nil) else { return }
        try require(StrictJSON(json).isValid, "a call is not JSON: \(json.text)")
        let decoded: Command
        let principal: String?
        do throws(Problem) {
            var body = try RequestBody(parsing: json)
            principal = try body.string("principal", length: 1...256)
            decoded = try method.command(from: body)
        } catch {
            throw BrokenFact(description: "\(json.text) is refused: \(error.detail)")
        }
        try require(principal == "b/edge/maria", "a call names no principal: \(json.text)")
        let isSame =
            switch (command.action, decoded.action) {
            case (.set(let one), .set(let other)): isSame(one, other)
            case (.move, .set(.step(let step))): (1...1_000).contains(step)
            case (.grant(let one), .grant(let other)):
                one.kind == other.kind && isSame(one.level, other.level) && holder == other.holder
                    && one.reason == other.reason
            case (.renew(let one, let change), .renew(let other, let otherChange)):
                one == other && isSame(change, otherChange)
            case (.restore(_, let kind), .restore(let other, let otherKind)): holder == other && kind == otherKind
            case (.restoreAll(let one, _), .restoreAll(let other, _)): one == other
            case (.setPower(let one), .setPower(let other)): one == other
            case (.setAutomatic(let one, let forgets), .setAutomatic(let other, let otherForgets)):
                one == other && forgets == otherForgets
            case (.configure(let one), .configure(let other)):
                // Points have six decimals in a call.
                one.name == other.name && (one.curve == nil) == (other.curve == nil)
            default: false
            }
        try require(isSame, "\(command) became \(decoded) by \(json.text)")
    }

    private static func isSame(_ level: BrightnessLevel?, _ other: BrightnessLevel?) -> Bool {
        switch (level, other) {
        case (.fraction(let one), .fraction(let other)): abs(one.fraction - other.fraction) < 1e-6
        default: level == other
        }
    }

    /// Another daemon gets a `visible` lease as a `custom` one, for a shorter time.
    private static func isSame(_ change: LeaseRenewal, _ other: LeaseRenewal) -> Bool {
        let isVisible = change.lifespan == .visible
        let (ttl, otherTTL) = ((change.ttl ?? .zero) / .seconds(1), (other.ttl ?? .zero) / .seconds(1))
        return isSame(change.level, other.level) && change.reason == other.reason
            && (isVisible ? other.lifespan == .custom && otherTTL <= 20 : change.lifespan == other.lifespan)
            && (isVisible || abs(ttl - otherTTL) < 0.001)
    }

    private static func holder(of command: Command) -> String? {
        switch command.action {
        case .grant(let request): request.holder
        case .restore(let holder, _): holder
        default: nil
        }
    }
}
