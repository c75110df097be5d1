// SPDX-License-Identifier: Apache-2.0
import BrightnessCore
import Support
import Synchronization
import WebAPI

/// The file of `--configuration`: the document of `/v1/configuration`.
struct ConfigurationFile: Sendable {
    /// The file cannot be read, or has a fault.
    struct Failure: Error, CustomStringConvertible {
        let description: String
    }

    /// A content of the file.
    struct Content: Sendable {
        let document: ConfigurationDocument
        let digest: ContentDigest
    }

    let path: String

    /// Blocks.
    func read(by rules: ConfigurationDocument.Rules) throws(Failure) -> Content {
        do {
            let bytes = try RegularFile.read(path, upTo: ConfigurationDocument.longest >> 20).bytes
            let body = try RequestBody(parsing: bytes, upTo: ConfigurationDocument.longest)
            let document = try ConfigurationDocument(from: body, by: rules)
            return Content(document: document, digest: ContentDigest(of: bytes))
        } catch let problem as Problem {
            let faults = problem.errors.map { "\($0.pointer.isEmpty ? "" : "\($0.pointer): ")\($0.detail)" }
            throw Failure(description: "\(path): \(faults.isEmpty ? problem.detail : faults.joined(separator: " "))")
        } catch {
            throw Failure(description: "\(path): \((error as? RegularFile.Failure)?.reason ?? "\(error)").")
        }
    }
}

/// The content of the file that was applied last, by its digest. It survives the daemon, so that later changes of
/// people do, too.
struct AppliedConfiguration: KeptRecord {
    static let kind = "configuration"
    /// The key of the only one.
    static let file = "file"
    var key: String { Self.file }
    let digest: String

    init(_ content: ConfigurationFile.Content) { digest = content.digest.text }

    func write(to json: inout JSONWriter) { json.member("digest", digest) }

    init?(reading json: JSONNode) {
        guard let digest = json["digest"]?.text else { return nil }
        self.digest = digest
    }
}

/// Applies each content of the file once: at the start, and after SIGHUP. Any thread.
final class ConfigurationUpdates: Sendable {
    private let file: ConfigurationFile
    private let service: ConfigurationService
    private let journal: (any RecordJournal)?
    private let applied: Mutex<String?>
    private let logger: Logger

    /// - Parameter applied: The digest that an earlier run has applied.
    init(
        _ file: ConfigurationFile,
        _ service: ConfigurationService,
        _ journal: (any RecordJournal)?,
        applied: String?,
        _ logger: Logger
    ) {
        (self.file, self.service, self.journal, self.logger) = (file, service, journal, logger)
        self.applied = Mutex(applied)
    }

    /// - Parameter completion: Called once, after it was stored.
    func apply(
        _ content: ConfigurationFile.Content,
        at now: Moment,
        completion: @escaping @Sendable () -> Void = {}
    ) {
        let record = AppliedConfiguration(content)
        let isNew = applied.withLock { applied in
            defer { applied = record.digest }
            return applied != record.digest
        }
        guard isNew else {
            logger.info("configuration: \(file.path) was applied before; later changes stay")
            return completion()
        }
        let end: @Sendable () -> Void = { [logger, file] in
            logger.notice("configuration: applied \(file.path)")
            completion()
        }
        service.replace(with: content.document, by: nil, at: now) { [journal] _ in
            journal?.keep(record, under: record.key, completion: end) ?? end()
        }
    }

    func reload(at now: Moment) {
        do {
            apply(try file.read(by: service.rules), at: now)
        } catch {
            logger.error("configuration: \(error) Keeping the current one")
        }
    }
}
