// SPDX-License-Identifier: Apache-2.0
import BrightnessCore
import WebAPI

/// Reloads the token file at SIGHUP. Without one, SIGHUP has no effect.
struct TokenTask: BackgroundTask {
    let file: TokenFile?
    /// The groups that tokens may be limited to.
    var groups = DisplayGroups.none
    let tokens: TokenStore?
    let hangups: AsyncStream<Void>
    let logger: Logger

    /// The reason why the daemon cannot start.
    struct Failure: Error, CustomStringConvertible {
        let description: String
    }

    static func open(
        _ file: TokenFile,
        groups: DisplayGroups = .none,
        _ logger: Logger
    ) throws(Failure) -> TokenStore {
        do {
            return TokenStore(try read(file, groups, logger))
        } catch {
            // The path is not shown: it may be a token, given by mistake.
            throw Failure(description: "cannot use --token-file: \(error)")
        }
    }

    private static func read(
        _ file: TokenFile,
        _ groups: DisplayGroups,
        _ logger: Logger
    ) throws(TokenFileError) -> [Token] {
        let (tokens, isOpenToOthers) = try file.read(groups)
        if isOpenToOthers {
            logger.warning(
                "every user of this machine can read the token file \(file.path): run chmod o-r \(file.path)"
            )
        }
        return tokens
    }

    func run() async {
        for await _ in hangups { reload() }
    }

    private func reload() {
        guard let file, let tokens else { return logger.notice("SIGHUP: no token file to reload") }
        do {
            let (added, revoked) = tokens.replace(with: try Self.read(file, groups, logger))
            logger.notice("tokens reloaded: \(added) new, \(revoked) revoked")
        } catch {
            logger.error(
                "cannot reload the token file \(file.path): \(error). Keeping the previous tokens"
            )
        }
    }
}
