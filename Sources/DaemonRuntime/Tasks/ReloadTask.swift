// SPDX-License-Identifier: Apache-2.0
import BrightnessCore
import WebAPI

/// Reloads the token file and the configuration at SIGHUP. Without either, SIGHUP has no effect.
struct ReloadTask: BackgroundTask {
    let file: TokenFile?
    /// The groups that tokens may be limited to.
    var groups = DisplayGroups.none
    let tokens: TokenStore?
    var configuration: ConfigurationUpdates?
    let hangups: AsyncStream<Void>
    /// Called after each SIGHUP, with whether both were valid.
    let noteReload: @Sendable (Bool) -> Void
    let logger: Logger

    static func open(
        _ file: TokenFile,
        groups: DisplayGroups = .none,
        _ logger: Logger
    ) throws(OptionError) -> TokenStore {
        do {
            return TokenStore(try read(file, groups, logger))
        } catch {
            // The path is not shown: it may be a token, given by mistake.
            throw OptionError("cannot use --token-file: \(error)")
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
        for await _ in hangups {
            let isApplied = configuration?.reload(at: MachineClock.moment()) ?? true
            noteReload(reloadTokens() && isApplied)
        }
    }

    private func reloadTokens() -> Bool {
        guard let file, let tokens else {
            if configuration == nil { logger.notice("SIGHUP: no token file or configuration to reload") }
            return true
        }
        do {
            let (added, revoked) = tokens.replace(with: try Self.read(file, groups, logger))
            logger.notice("tokens reloaded: \(added) new, \(revoked) revoked")
            return true
        } catch {
            logger.error("cannot reload the token file \(file.path): \(error). Keeping the previous tokens")
            return false
        }
    }
}
