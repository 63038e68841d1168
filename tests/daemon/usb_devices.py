"""USB devices of the tests: descriptors, reports and a kernel driver, behind a backend for pyusb."""

import queue
from array import array
from dataclasses import dataclass, field
from types import SimpleNamespace
from typing import Any

import usb.backend
import usb.core


@dataclass
class Device:
    """An HID device with one interface and one endpoint that sends interrupts."""

    vid: int
    pid: int
    serial: str
    size: int = 8
    kernel_driver: bool = True
    held: bytes = b""
    claimed: bool = False
    gone: int = 0
    forbidden: bool = False
    reports: "queue.Queue[bytes]" = field(default_factory=queue.Queue)
    detached: int = 0

    def say(self, report: bytes) -> None:
        self.reports.put(report.ljust(self.size, b"\0"))


class Bus(usb.backend.IBackend):  # type: ignore[misc]
    """The devices that are plugged in. Errors carry the POSIX numbers that libusb gives."""

    def __init__(self, *devices: Device) -> None:
        self.devices = list(devices)

    def enumerate_devices(self) -> list[Device]:
        return list(self.devices)

    def get_parent(self, dev: Device) -> None:
        return None

    def get_device_descriptor(self, dev: Device) -> Any:
        return SimpleNamespace(
            bLength=18,
            bDescriptorType=1,
            bcdUSB=0x200,
            bDeviceClass=0,
            bDeviceSubClass=0,
            bDeviceProtocol=0,
            bMaxPacketSize0=64,
            idVendor=dev.vid,
            idProduct=dev.pid,
            bcdDevice=1,
            iManufacturer=0,
            iProduct=0,
            iSerialNumber=3,
            bNumConfigurations=1,
            bus=1,
            address=self.devices.index(dev) + 1,
            port_number=1,
            port_numbers=(1,),
            speed=2,
        )

    def get_configuration_descriptor(self, dev: Device, config: int) -> Any:
        if config:
            raise IndexError
        return SimpleNamespace(
            bLength=9,
            bDescriptorType=2,
            wTotalLength=34,
            bNumInterfaces=1,
            bConfigurationValue=1,
            iConfiguration=0,
            bmAttributes=0x80,
            bMaxPower=50,
            extra_descriptors=b"",
        )

    def get_interface_descriptor(self, dev: Device, intf: int, alt: int, config: int) -> Any:
        if intf or alt:
            raise IndexError
        return SimpleNamespace(
            bLength=9,
            bDescriptorType=4,
            bInterfaceNumber=0,
            bAlternateSetting=0,
            bNumEndpoints=1,
            bInterfaceClass=3,
            bInterfaceSubClass=0,
            bInterfaceProtocol=0,
            iInterface=0,
            extra_descriptors=b"",
        )

    def get_endpoint_descriptor(self, dev: Device, ep: int, intf: int, alt: int, config: int) -> Any:
        if ep:
            raise IndexError
        return SimpleNamespace(
            bLength=7,
            bDescriptorType=5,
            bEndpointAddress=0x81,
            bmAttributes=3,
            wMaxPacketSize=dev.size,
            bInterval=10,
            bRefresh=0,
            bSynchAddress=0,
            extra_descriptors=b"",
        )

    def open_device(self, dev: Device) -> Device:
        if dev.forbidden:
            raise usb.core.USBError("Access denied", None, 13)
        return dev

    def close_device(self, dev_handle: Device) -> None:
        pass

    def get_configuration(self, dev_handle: Device) -> int:
        return 1

    def set_configuration(self, dev_handle: Device, config_value: int) -> None:
        pass

    def claim_interface(self, dev_handle: Device, intf: int) -> None:
        if dev_handle.kernel_driver or dev_handle.claimed:
            raise usb.core.USBError("Resource busy", None, 16)
        dev_handle.claimed = True

    def release_interface(self, dev_handle: Device, intf: int) -> None:
        dev_handle.claimed = False

    def is_kernel_driver_active(self, dev_handle: Device, intf: int) -> bool:
        return dev_handle.kernel_driver

    def detach_kernel_driver(self, dev_handle: Device, intf: int) -> None:
        dev_handle.kernel_driver = False
        dev_handle.detached += 1

    def attach_kernel_driver(self, dev_handle: Device, intf: int) -> None:
        if dev_handle.claimed:
            raise usb.core.USBError("Resource busy", None, 16)
        dev_handle.kernel_driver = True

    def ctrl_transfer(
        self, dev_handle: Device, kind: int, request: int, value: int, index: int, data: Any, timeout: int
    ) -> int:
        if (kind, request) == (0xA1, 1):
            if not dev_handle.held:
                raise usb.core.USBError("Pipe error", None, 32)
            answer = dev_handle.held.ljust(dev_handle.size, b"\0")
        elif value >> 8 == 3:
            text = b"\x09\x04" if not value & 0xFF else dev_handle.serial.encode("utf-16-le")
            answer = bytes([len(text) + 2, 3]) + text
        else:
            raise usb.core.USBError("Pipe error", None, 32)
        answer = answer[: len(data)]
        data[: len(answer)] = array("B", answer)
        return len(answer)

    def intr_read(self, dev_handle: Device, ep: int, intf: int, buff: Any, timeout: int) -> int:
        if not dev_handle.claimed:
            raise usb.core.USBError("No such entry", None, 2)
        try:
            report = dev_handle.reports.get(timeout=timeout / 1000)
        except queue.Empty:
            raise usb.core.USBTimeoutError("Operation timed out", None, 110) from None
        if not report:
            raise usb.core.USBError("Gone", None, dev_handle.gone)
        buff[: len(report)] = array("B", report)
        return len(report)

    def unplug(self, device: Device, number: int) -> None:
        """Takes it away; what waits for a report gets this error."""
        self.devices.remove(device)
        device.gone = number
        device.reports.put(b"")
