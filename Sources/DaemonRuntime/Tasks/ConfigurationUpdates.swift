// SPDX-License-Identifier: Apache-2.0
import BrightnessCore
import Support
import Synchronization
import WebAPI

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
    private let journal: any RecordJournal
    private let applied: Mutex<String?>
    private let logger: Logger

    /// - Parameter applied: The digest that an earlier run has applied.
    init(
        _ file: ConfigurationFile,
        _ service: ConfigurationService,
        _ journal: any RecordJournal,
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
        guard applied.exchange(record.digest) != record.digest else {
            logger.info("configuration: \(file.path) was applied before; later changes stay")
            return completion()
        }
        let end: @Sendable () -> Void = { [logger, file] in
            logger.notice("configuration: applied \(file.path)")
            completion()
        }
        service.replace(with: content.document, by: nil, at: now) { [journal] _ in
            journal.keep(record, under: record.key, completion: end)
        }
    }

    /// Returns whether the file is valid.
    func reload(at now: Moment) -> Bool {
        do {
            apply(try file.read(by: service.rules), at: now)
            return true
        } catch {
            logger.error("configuration: \(error) Keeping the current one")
            return false
        }
    }
}
