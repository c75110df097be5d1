// SPDX-License-Identifier: Apache-2.0
import Testing

@Suite struct TelevisionStoriesTests {
    /// 200 stories; 2,000 take three minutes.
    @Test(arguments: 0..<10)
    func `a television is as it has to be after every story`(chunk: UInt64) throws {
        for seed in chunk * 20..<(chunk + 1) * 20 {
            var story = try TelevisionStory(seed: seed)
            guard let violation = story.play() else { continue }
            Issue.record("seed \(seed): \(violation)\n\(story.lines.joined(separator: "\n"))")
            return
        }
    }
}
