# SPDX-License-Identifier: Apache-2.0
"""A silent stream says now and then that it is alive. Reads the stream that was opened when the session began."""


def test_a_comment_after_fifteen_seconds_of_silence(idle):
    blocks = idle.until_comment(within=30)
    assert [block.name for _, block in blocks] == ["retry", "brightness", "comment"]
    (_, _), (last, _), (when, comment) = blocks
    assert comment.data == "keep-alive"
    assert 14.5 < when - last < 17
