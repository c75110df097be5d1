// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
import Glibc

/// The paths of programs and results, independent of the current directory.
enum Paths {
    /// The directory of this program, where the peers are built to as well.
    static let programs: String = {
        let own = (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")) ?? "./bench"
        return parent(of: own)
    }()

    /// This package, found upwards from the program; the current directory if it is not there.
    static let package: String = {
        var directory = programs
        while directory != "/" {
            if FileManager.default.fileExists(atPath: directory + "/Package.swift") { return directory }
            directory = parent(of: directory)
        }
        return "."
    }()

    static func requireProgram(_ path: String, remedy: String) throws {
        guard FileManager.default.isExecutableFile(atPath: path) else {
            throw BenchError.noProgram(path: path, remedy: remedy)
        }
    }

    private static func parent(of path: String) -> String {
        let place = path.lastIndex(of: "/") ?? path.startIndex
        return place == path.startIndex ? "/" : String(path[..<place])
    }
}

/// Raises the soft limit of open files to what is needed, within the hard limit.
func requireDescriptors(_ needed: Int) throws {
    var limit = rlimit()
    getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
    guard limit.rlim_cur < needed else { return }
    guard limit.rlim_max >= needed else {
        throw BenchError.tooFewDescriptors(needed: needed, limit: Int(limit.rlim_max))
    }
    limit.rlim_cur = rlim_t(needed)
    setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
}

func pause(seconds: Double) { usleep(UInt32(seconds * 1e6)) }

/// FoundationEssentials has none.
func logarithm(_ number: Double) -> Double { log(number) }

/// A line on stderr, so that a pipe from stdout gets only the result.
func progress(_ line: String) {
    let line = line + "\n"
    line.withCString { _ = write(2, $0, strlen($0)) }
}
