// SPDX-License-Identifier: Apache-2.0
import DDCWire
import Testing

@Suite struct PowerModesTests {
    @Test func `a message that switches a monitor on has the checksum of DDC over I2C`() {
        #expect(PowerModes.message(setting: PowerModes.on) == [0x51, 0x84, 0x03, 0xD6, 0x00, 0x01, 0x6F])
    }

    @Test(arguments: [
        ("(prot(monitor)vcp(02 10 D6(01 02 04) DF))", 2), ("(vcp(10 d6(01 04 05)))", 4), ("(vcp(10 D6))", 4), ("", 4),
        ("D6(", 4), ("D6(02", 2), ("vcp(D6(XY 02 ))", 2), ("vcp(D6(20 01)) 02", 4),
    ])
    func `a monitor is switched off by standby if it lists that, else by off`(capabilities: String, mode: Int) {
        #expect(PowerModes.off(in: capabilities) == mode)
    }
}
