// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import DaemonRuntime

@Suite struct LoggedMomentTests {
    @Test func `the first changes of a moment are logged and the others counted`() {
        var moment = LoggedMoment()
        let logged = (0..<100).map { _ in moment.add() }
        #expect(logged == (0..<100).map { $0 < LoggedMoment.limit })
        let others = [moment.end(), moment.end()]
        #expect(others == [100 - LoggedMoment.limit, 0])
        let isLogged = moment.add()
        #expect(isLogged)
    }
}
