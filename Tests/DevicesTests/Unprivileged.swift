// SPDX-License-Identifier: Apache-2.0
import Glibc
import Testing

/// Runs `body` on this thread with the file rights of an ordinary user, so that file modes count even where the tests
/// run as root. Other threads keep theirs.
///
/// - SeeAlso: setfsuid(2), which also drops the capabilities to override modes
@discardableResult
func asOrdinaryUser<Result>(_ body: () throws -> Result) throws -> Result {
    guard geteuid() == 0 else { return try body() }
    let symbol = try #require(dlsym(nil, "setfsuid"))
    let setFileUser = unsafeBitCast(symbol, to: (@convention(c) (UInt32) -> Int32).self)
    let nobody: UInt32 = 65_534
    _ = setFileUser(nobody)
    defer { _ = setFileUser(0) }
    // Setting an invalid user changes nothing and returns the current one.
    try #require(setFileUser(.max) == Int32(nobody))
    return try body()
}
