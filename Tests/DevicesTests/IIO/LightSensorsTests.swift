// SPDX-License-Identifier: Apache-2.0
import BrightnessCore
import TestSupport
import Testing

@testable import Devices

@Suite struct LightSensorsTests {
    let tree: SysfsTree

    init() throws {
        tree = try SysfsTree()
        for directory in ["bus", "bus/iio", "bus/iio/devices"] { try tree.makeDirectory(directory) }
    }

    private func add(_ device: Int, _ files: [String: String]) throws {
        try tree.makeDirectory("bus/iio/devices/iio:device\(device)")
        for (name, text) in files { try tree.write("\(text)\n", "bus/iio/devices/iio:device\(device)/\(name)") }
    }

    private var sensors: [any AmbientSensor] { iioSensors(sysfsRoot: tree.root) }

    @Test(
        arguments: [
            (["in_illuminance_input": "120"], 120),
            (["in_illuminance_input": "0.5", "in_illuminance_raw": "900"], 0.5),
            (["in_illuminance0_input": "77.250000"], 77.25),
            (["in_illuminance_raw": "400"], 400),
            (["in_illuminance_raw": "400", "in_illuminance_scale": "0.25"], 100),
            (["in_illuminance_raw": "-3", "in_illuminance_offset": "10", "in_illuminance_scale": "2"], 14),
            (["in_illuminance0_raw": "8", "in_illuminance0_scale": "0.5"], 4),
            (["in_illuminance0_raw": "8", "in_illuminance_scale": "0.25"], 2),
            (["in_intensity_both_raw": "42"], 42),
            (["in_intensity_both_raw": "42", "in_intensity_scale": "0.5"], 21),
            (["in_intensity_both_raw": "42", "in_illuminance_raw": "7"], 7),
        ] as [([String: String], Double)]
    )
    func `these files result in this illuminance`(files: [String: String], lux: Double) throws {
        try add(0, files)
        let sensor = try #require(sensors.first)
        #expect(sensors.count == 1)
        #expect(sensor.id == "iio:device0")
        #expect(try sensor.read() == .lux(lux))
    }

    @Test func `light sensors are listed in the order of their numbers, without other devices`() throws {
        try add(10, ["in_illuminance_input": "1"])
        try add(2, ["in_illuminance_input": "1", "in_proximity_raw": "0", "in_proximity_nearlevel": "5"])
        try add(3, ["in_accel_x_raw": "1"])
        try add(4, ["in_proximity_raw": "3"])
        try tree.makeDirectory("bus/iio/devices/trigger0")
        #expect(sensors.map(\.id) == ["iio:device2", "iio:device2:proximity", "iio:device10"])
    }

    @Test(arguments: [("49", false), ("50", true), ("4095", true)])
    func `an object is near at the kernel's threshold and above`(raw: String, isNear: Bool) throws {
        try add(0, ["in_proximity_raw": raw, "in_proximity_nearlevel": "50"])
        #expect(try sensors.first?.read() == .near(isNear))
        #expect(sensors.first?.kind == .proximity)
    }

    @Test func `a machine without sensors has an empty list`() throws {
        #expect(sensors.isEmpty)
        tree.removeAll("bus")
        #expect(sensors.isEmpty)
    }

    @Test(arguments: ["garbage", "12 34", "0x10 lux", ""])
    func `a text that is not a number is malformed`(text: String) throws {
        try add(0, ["in_illuminance_input": text])
        let sensor = try #require(sensors.first)
        #expect {
            try sensor.read()
        } throws: { error in
            guard case DeviceError.malformed = error else { return false }
            return true
        }
    }

    @Test func `a removed sensor is absent, and is read again when it returns`() throws {
        try add(0, ["in_illuminance_raw": "5", "in_illuminance_scale": "2"])
        let sensor = try #require(sensors.first)
        tree.removeAll("bus/iio/devices/iio:device0")
        #expect(throws: DeviceError.absent(path: "\(tree.root)/bus/iio/devices/iio:device0/in_illuminance_raw")) {
            try sensor.read()
        }
        try add(0, ["in_illuminance_raw": "6", "in_illuminance_scale": "2"])
        #expect(try sensor.read() == .lux(12))
    }

    @Test func `a sensor whose driver fails is an error`() throws {
        try add(0, ["in_illuminance_raw": "5"])
        let sensor = try #require(sensors.first)
        tree.removeAll("bus/iio/devices/iio:device0/in_illuminance_raw")
        // Reading a directory fails with EISDIR, as a driver's read does with EIO.
        try tree.makeDirectory("bus/iio/devices/iio:device0/in_illuminance_raw")
        #expect {
            try sensor.read()
        } throws: { error in
            guard case DeviceError.io = error else { return false }
            return true
        }
    }
}
