// SPDX-License-Identifier: Apache-2.0
//
// Two panels with steps of 10 % on the emulated VGA device. Debian's kernel makes acpi_video0 and acpi_video1 of them.
// Reading /sys/bus/acpi/devices/BRKY0001:00/status (up) or BRKY0002:00/status (down) presses the firmware's brightness key of the first panel.
DefinitionBlock ("", "SSDT", 2, "BRIGHT", "BACKLITE", 1)
{
  External (\_SB.PCI0.S10, DeviceObj)
  Scope (\_SB.PCI0.S10)
  {
    Method (_DOS, 1, NotSerialized) { }
    Method (_DOD, 0, NotSerialized) { Return (Package () { 0x80000400, 0x80000401 }) }
    Device (LCD0)
    {
      Name (_ADR, 0x0400)
      Name (BRT, 50)
      Method (_BCL, 0, NotSerialized) { Return (Package () { 100, 50, 0, 10, 20, 30, 40, 50, 60, 70, 80, 90, 100 }) }
      Method (_BCM, 1, NotSerialized) { BRT = Arg0 }
      Method (_BQC, 0, NotSerialized) { Return (BRT) }
    }
    Device (LCD1)
    {
      Name (_ADR, 0x0401)
      Name (BRT, 30)
      Method (_BCL, 0, NotSerialized) { Return (Package () { 100, 50, 0, 10, 20, 30, 40, 50, 60, 70, 80, 90, 100 }) }
      Method (_BCM, 1, NotSerialized) { BRT = Arg0 }
      Method (_BQC, 0, NotSerialized) { Return (BRT) }
    }
  }
  Scope (\_SB)
  {
    Device (KEYU)
    {
      Name (_HID, "BRKY0001")
      Name (_UID, "up")
      Method (_STA, 0, NotSerialized) { Notify (\_SB.PCI0.S10.LCD0, 0x86) Return (0x0F) }
    }
    Device (KEYD)
    {
      Name (_HID, "BRKY0002")
      Name (_UID, "down")
      Method (_STA, 0, NotSerialized) { Notify (\_SB.PCI0.S10.LCD0, 0x87) Return (0x0F) }
    }
  }
}
