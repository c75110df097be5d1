# SPDX-License-Identifier: Apache-2.0
"""How bright pictures are: the mean of a PNG of 8 bits without interlace, as Chromium makes them."""

import struct
import zlib


def colors(png):
    """The means of red, green and blue, 0…1."""
    assert png[:8] == b"\x89PNG\r\n\x1a\n"
    position, data, channels, width, height = 8, b"", 0, 0, 0
    while position < len(png):
        length, kind = struct.unpack(">I4s", png[position : position + 8])
        chunk = png[position + 8 : position + 8 + length]
        if kind == b"IHDR":
            width, height, depth, color, _, _, interlace = struct.unpack(">IIBBBBB", chunk)
            assert (depth, interlace) == (8, 0) and color in (2, 6)
            channels = 3 if color == 2 else 4
        elif kind == b"IDAT":
            data += chunk
        position += 12 + length
    data = zlib.decompress(data)
    sums, above, stride = [0, 0, 0], bytes(width * channels), width * channels + 1
    for row in range(height):
        kind, line = data[row * stride], bytearray(data[row * stride + 1 : (row + 1) * stride])
        for index in range(len(line)) if kind else ():
            left = line[index - channels] if index >= channels else 0
            corner = above[index - channels] if index >= channels else 0
            line[index] = (line[index] + _predicted(kind, left, above[index], corner)) & 255
        for channel in range(3):
            sums[channel] += sum(line[channel::channels])
        above = line
    return [total / (255 * width * height) for total in sums]


def _predicted(kind, left, above, corner):
    match kind:
        case 1:
            return left
        case 2:
            return above
        case 3:
            return (left + above) // 2
    estimate = left + above - corner
    return min((left, above, corner), key=lambda value: abs(estimate - value))


def luminance(png):
    """The mean brightness, 0…1."""
    return sum(colors(png)) / 3
