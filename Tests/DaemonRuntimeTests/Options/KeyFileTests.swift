// SPDX-License-Identifier: Apache-2.0
import ESPHome
import Glibc
import TestSupport
import Testing

@testable import DaemonRuntime

@Suite struct KeyFileTests {
    private let folder: TemporaryFolder
    private let key = NoiseKey(base64: "AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=")!

    init() throws { folder = try TemporaryFolder() }

    @Test func `a key is read as it was written, by its owner only`() throws {
        let file = KeyFile(in: folder.path)
        #expect(try file.read() == nil)
        _ = try folder.write("half a k", to: "\(KeyFile.name).new")
        try file.write(key)
        #expect(try file.read() == key)
        var status = stat()
        #expect(stat(file.path, &status) == 0)
        #expect(status.st_mode & 0o777 == 0o600)
        #expect(access("\(file.path).new", F_OK) != 0)
    }

    @Test func `a key that cannot be stored or read is an error`() throws {
        _ = try folder.write("hunter2\n", to: KeyFile.name)
        #expect(throws: OptionError.self) { try KeyFile(in: folder.path).read() }
        #expect(throws: OptionError.self) { try KeyFile(in: "\(folder.path)/none").write(key) }
    }

    @Test func `without a key file the key is in the state directory`() throws {
        let settings = try Settings(["esphome": ["0.0.0.0:6053"], "state-directory": [folder.path]])
        #expect(settings.esphome?.keyFile?.path == "\(folder.path)/\(KeyFile.name)")
        let given = try folder.write(key.base64, to: "given")
        let other = try Settings(["esphome": ["6053"], "esphome-key-file": [given], "state-directory": [folder.path]])
        #expect(other.esphome?.keyFile == nil)
    }
}
