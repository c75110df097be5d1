// SPDX-License-Identifier: Apache-2.0
import BrightnessCore
internal import CSQLite

enum SQLiteValue: Equatable {
    case null
    case integer(Int64)
    case real(Double)
    case text(String)
    case utf8([UInt8])

    static func text(_ text: String?) -> SQLiteValue { text.map { .text($0) } ?? .null }

    static func real(_ number: Double?) -> SQLiteValue { number.map { .real($0) } ?? .null }

    static func flag(_ flag: Bool?) -> SQLiteValue { .integer(flag.map { $0 ? 1 : 0 }) }

    static func integer(_ number: (some BinaryInteger)?) -> SQLiteValue { number.map { .integer(Int64($0)) } ?? .null }
}

/// A prepared statement. One thread at a time.
final class Statement {
    private let statement: OpaquePointer
    /// Closed only after its statements; `nil` for a statement of the connection itself.
    private let connection: SQLiteConnection?

    init(_ statement: OpaquePointer, of connection: SQLiteConnection?) {
        self.statement = statement
        self.connection = connection
    }

    deinit { sqlite3_finalize(statement) }

    /// Runs the statement with these values for `?1`, `?2`…, and passes each row to `row`.
    func run(_ values: SQLiteValue..., row: (borrowing Row) -> Void = { _ in }) throws(DatabaseError) {
        try run(values, row)
    }

    /// Runs the statement, and returns the results of `read` for its rows, without `nil`.
    func all<Value>(_ values: SQLiteValue..., read: (borrowing Row) -> Value?) throws(DatabaseError) -> [Value] {
        var found: [Value] = []
        try run(values) { row in if let value = read(row) { found.append(value) } }
        return found
    }

    /// Runs a statement with at most one row, and returns the result of `read` for it.
    func only<Value>(_ values: SQLiteValue..., read: (borrowing Row) -> Value?) throws(DatabaseError) -> Value? {
        var found: Value?
        try run(values) { found = read($0) }
        return found
    }

    private func run(_ values: [SQLiteValue], _ row: (borrowing Row) -> Void) throws(DatabaseError) {
        defer {
            sqlite3_reset(statement)
            sqlite3_clear_bindings(statement)
        }
        for (index, value) in values.enumerated() { bind(value, at: Int32(index + 1)) }
        while true {
            switch sqlite3_step(statement) {
            case SQLITE_ROW: row(Row(statement))
            case SQLITE_DONE: return
            case let code:
                throw DatabaseError.sqlite(
                    code: code & 0xFF,
                    message: String(cString: sqlite3_errmsg(sqlite3_db_handle(statement)))
                )
            }
        }
    }

    private func bind(_ value: SQLiteValue, at index: Int32) {
        switch value {
        case .null: sqlite3_bind_null(statement, index)
        case .integer(let number): sqlite3_bind_int64(statement, index, number)
        case .real(let number): sqlite3_bind_double(statement, index, number)
        case .text(let text): csqlite_bind_text(statement, index, text, Int32(text.utf8.count))
        case .utf8(let text):
            text.withUnsafeBytes {
                _ = csqlite_bind_text(statement, index, $0.bindMemory(to: CChar.self).baseAddress, Int32($0.count))
            }
        }
    }
}

/// One row of a result, valid during the callback. Columns count from 0.
///
/// The file is input: it may contain any number, and none of them may end the process.
struct Row: ~Copyable {
    /// Beyond every number that the journal writes. Sums and products of a few such numbers never overflow.
    static let largest: Int64 = 1 << 53
    /// The years 1 to 9999, which RFC 3339 can write.
    private static let dates: ClosedRange<Int64> = -62_135_596_800_000...253_402_300_799_999

    private let statement: OpaquePointer

    init(_ statement: OpaquePointer) { self.statement = statement }

    /// A number, limited to plus and minus `largest`.
    func integer(_ column: Int32) -> Int64? {
        isNull(column) ? nil : min(max(sqlite3_column_int64(statement, column), -Self.largest), Self.largest)
    }

    /// Milliseconds since 1970, limited to `dates`.
    func date(_ column: Int32) -> Int64? {
        integer(column).map { min(max($0, Self.dates.lowerBound), Self.dates.upperBound) }
    }

    func timestamp(_ column: Int32) -> Timestamp? { date(column).map { Timestamp(milliseconds: $0) } }

    func real(_ column: Int32) -> Double? {
        isNull(column) ? nil : sqlite3_column_double(statement, column)
    }

    /// `nil` also outside 0…1.
    func brightness(_ column: Int32) -> Brightness? { real(column).flatMap { Brightness(fraction: $0) } }

    /// The valid ones of the first two columns.
    var brightnesses: [Brightness] { [brightness(0), brightness(1)].compactMap(\.self) }

    func flag(_ column: Int32) -> Bool? { integer(column).map { $0 != 0 } }

    func text(_ column: Int32) -> String? {
        sqlite3_column_text(statement, column).map { String(cString: $0) }
    }

    func bytes(_ column: Int32) -> [UInt8] {
        let start = sqlite3_column_blob(statement, column)
        return Array(UnsafeRawBufferPointer(start: start, count: Int(sqlite3_column_bytes(statement, column))))
    }

    /// A JSON text; `nil` if it is none.
    func document(_ column: Int32) -> JSONNode? { JSONDocument(parsing: bytes(column))?.root }

    private func isNull(_ column: Int32) -> Bool { sqlite3_column_type(statement, column) == SQLITE_NULL }
}
