// SPDX-License-Identifier: Apache-2.0
import BrightnessCore
import Devices

/// Posts that the wall clock was set, and that the machine has slept.
struct ClockTask: BackgroundTask {
    let poster: NotificationPoster
    let resumes: ResumeDetector

    func run() async {
        for await _ in WallClockWatch.changes {
            resumes.look()
            poster.post(.clockSet)
        }
    }
}
