// SPDX-License-Identifier: Apache-2.0
internal import CJansson
import Glibc

/// One line between the daemon and `brightness-ddc`: a flat JSON object (RFC 8259) whose members are strings, whole
/// numbers or `true`. `docs/internals/monitors.md` lists every line.
package struct WireObject: Hashable, Sendable {
    package enum Value: Hashable, Sendable {
        case text(String)
        case number(Int)
        case yes
    }

    private var members: [String: Value]

    package init(_ members: [String: Value]) { self.members = members }

    package func text(_ name: String) -> String? {
        if case .text(let text) = members[name] { text } else { nil }
    }

    package func number(_ name: String) -> Int? {
        if case .number(let number) = members[name] { number } else { nil }
    }

    package func holds(_ name: String) -> Bool { members[name] == .yes }

    // MARK: Bytes

    /// The object with a line end. Members are sorted by name.
    package var line: [UInt8] {
        let object = json_object()
        defer { json_decref(object) }
        for (name, value) in members { json_object_set_new(object, name, Self.json(of: value)) }
        // Fails only when memory is exhausted, which Swift does not survive either.
        let text = json_dumps(object, Int(JSON_COMPACT | JSON_SORT_KEYS))
        defer { free(text) }
        return (text.map { Array(String(cString: $0).utf8) } ?? []) + [UInt8(ascii: "\n")]
    }

    private static func json(of value: Value) -> UnsafeMutablePointer<json_t>? {
        switch value {
        case .text(let text): json_stringn(text, text.utf8.count)
        case .number(let number): json_integer(json_int_t(number))
        case .yes: json_true()
        }
    }

    /// Reads a line; `nil` for anything else.
    package init?(line: some Sequence<UInt8>) {
        let line = Array(line)
        let root = line.withUnsafeBytes { bytes in
            json_loadb(bytes.bindMemory(to: CChar.self).baseAddress, bytes.count, Int(JSON_REJECT_DUPLICATES), nil)
        }
        guard let root else { return nil }
        defer { json_decref(root) }
        // Jansson takes a zero byte for the end of the text.
        guard root.pointee.type == JSON_OBJECT, !line.contains(0) else { return nil }
        members = [:]
        var iterator = json_object_iter(root)
        while let member = iterator {
            // Jansson compares bytes, and these names characters.
            guard let value = json_object_iter_value(member).flatMap({ Value($0) }),
                members.updateValue(value, forKey: String(cString: json_object_iter_key(member))) == nil
            else { return nil }
            iterator = json_object_iter_next(root, member)
        }
    }
}

extension WireObject.Value {
    fileprivate init?(_ json: UnsafeMutablePointer<json_t>) {
        switch json.pointee.type {
        case JSON_STRING: self = .text(String(cString: json_string_value(json)))
        case JSON_INTEGER: self = .number(Int(json_integer_value(json)))
        case JSON_TRUE: self = .yes
        default: return nil
        }
    }
}
