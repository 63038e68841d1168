"""The link to a USB device without a serial port: its interrupt reports, by pyusb over libusb.

Reading blocks in a thread of its own, because pyusb does not expose libusb's file descriptors to asyncio. Reports get
their time there, where they arrive.
"""

import asyncio
import contextlib
import errno
import threading
from typing import Any, Final

import usb.core
import usb.util

from boards.board import ReportLayout
from daemon.links.link import Disconnected, chunk
from daemon.links.serial_ports import IDENTITY
from daemon.links.unread import QueuedLink, Unread
from daemon.system.error_text import error_text
from daemon.system.urls import BoardUrl, UsageError

WAIT_MS: Final = 200
"""How long one read waits for a report, and so how long the thread of a closed link may still run."""

HID_CLASS: Final = 3
FROM_INTERFACE, GET_REPORT, INPUT_REPORT = 0xA1, 1, 0x0100
"""The request for the current report of an HID device; HID specification 1.11, 7.2.1."""

AWAY: Final = (errno.EIO, errno.ENODEV, errno.EPIPE, errno.EOVERFLOW)
"""The errors of an unplugged device, depending on the controller: the device must be found again."""


class UsbLink(QueuedLink):
    """A device that is detached from the kernel's driver, and attached again when the link is closed."""

    def __init__(self, url: BoardUrl, layout: ReportLayout, backend: Any, loop: asyncio.AbstractEventLoop) -> None:
        self._layout = layout
        self._loop = loop
        self._closed = threading.Event()
        self._wanted = threading.Event()
        """Clear while too much waits to be read: the device is not read and keeps its reports."""
        self._wanted.set()
        self._unread = Unread(self._wanted.clear, self._wanted.set)
        self._device = _find(url, backend)
        self._number, self._endpoint, self._size, self._hid = _endpoint(self._device, layout, url)
        self._claim()
        # Not a daemon thread: the process must not end before the kernel's driver is attached again.
        self._thread = threading.Thread(target=self._listen, name=f"usb {url.place}")
        self._thread.start()

    def close(self) -> None:
        """Tells the thread to end; it releases the device."""
        self._closed.set()

    def _claim(self) -> None:
        detached = False
        try:
            if self._device.is_kernel_driver_active(self._number):
                self._device.detach_kernel_driver(self._number)
                detached = True
        except NotImplementedError:
            pass  # There is no driver to detach.
        try:
            usb.util.claim_interface(self._device, self._number)
        except usb.core.USBError:
            if detached:
                self._device.attach_kernel_driver(self._number)
            raise

    def _release(self) -> None:
        # A device that is gone cannot be released.
        with contextlib.suppress(usb.core.USBError):
            usb.util.release_interface(self._device, self._number)
        # Even if no driver was attached before: a daemon that was killed leaves the device without one.
        with contextlib.suppress(usb.core.USBError, NotImplementedError):
            self._device.attach_kernel_driver(self._number)
        usb.util.dispose_resources(self._device)

    def _listen(self) -> None:
        try:
            if (report := self._current_report()) is not None:
                self._unread.put_from_thread(self._loop, chunk(b"\0" + report))
            while self._may_read():
                try:
                    report = bytes(self._device.read(self._endpoint, self._size, WAIT_MS))
                except usb.core.USBTimeoutError:
                    continue
                except usb.core.USBError as error:
                    gone = Disconnected("gone", f"The board went away: {error.strerror or error}.")
                    self._loop.call_soon_threadsafe(self._unread.end, gone)
                    return
                if frame := self._frame(report):
                    self._unread.put_from_thread(self._loop, chunk(frame))
        except RuntimeError:
            return  # The loop has ended, and the daemon with it.
        finally:
            self._release()

    def _may_read(self) -> bool:
        """Waits until the queue has room. Returns False when the link is closed."""
        while not self._closed.is_set():
            if self._wanted.wait(WAIT_MS / 1000):
                return True
        return False

    def _current_report(self) -> bytes | None:
        """Returns the current report, framed, because a device reports only changes; `None` if it does not answer."""
        if not self._hid:
            return None
        wanted = INPUT_REPORT | (self._layout.id or 0)
        try:
            report = self._device.ctrl_transfer(FROM_INTERFACE, GET_REPORT, wanted, self._number, self._size, WAIT_MS)
        except usb.core.USBError:
            return None
        return self._frame(bytes(report))

    def _frame(self, report: bytes) -> bytes | None:
        part = cut(report, self._layout)
        return bytes([len(part)]) + part if part else None


def cut(report: bytes, layout: ReportLayout) -> bytes | None:
    """Returns the part of a device's report that the dialect reads; `None` if the report has another id."""
    if layout.id is not None and report[:1] != bytes([layout.id]):
        return None
    end = None if layout.length is None else layout.first + layout.length
    return report[layout.first : end][:255]


async def open_usb(url: BoardUrl, layout: ReportLayout, backend: Any = None) -> UsbLink:
    """Finds and opens the device. Raises Disconnected if it is missing or cannot be opened."""
    try:
        # Reading the serial number of a device blocks.
        return await asyncio.to_thread(UsbLink, url, layout, backend, asyncio.get_running_loop())
    except usb.core.NoBackendError as error:
        message = "USB boards need libusb: sudo apt install libusb-1.0-0"
        raise Disconnected("no-libusb", message) from error
    except usb.core.USBError as error:
        if error.errno in (errno.EACCES, errno.EPERM):
            raise PermissionError(url.place) from error
        if error.errno == errno.EBUSY:
            raise Disconnected("busy", f"Another program has {url.text}; close it.") from error
        if error.errno in AWAY:
            raise FileNotFoundError(url.place) from error
        raise Disconnected("unreachable", f"{url.text} cannot be opened: {error_text(error)}.") from error


def _find(url: BoardUrl, backend: Any) -> Any:
    wanted = IDENTITY.fullmatch(url.place)
    if wanted is None:
        raise UsageError(f"{url.text!r} is not a USB device: write usb://VID:PID/SERIAL, like usb://1209:0b0a/G-17.")
    ids = {"idVendor": int(wanted["vid"], 16), "idProduct": int(wanted["pid"], 16)}
    found = list(usb.core.find(find_all=True, backend=backend, **ids))
    if wanted["serial"] is not None:
        found = [device for device in found if device.serial_number == wanted["serial"]]
    if not found:
        raise FileNotFoundError(url.place)
    if len(found) > 1:
        serials = " and ".join(str(device.serial_number) for device in found)
        raise Disconnected("tie", f"{url.text} is {len(found)} devices, with the serial numbers {serials}; add one.")
    return found[0]


def _endpoint(device: Any, layout: ReportLayout, url: BoardUrl) -> tuple[int, int, int, bool]:
    """Returns interface, endpoint, size of the reports, and whether the device is HID.

    These are those of the board file, else the first that sends interrupts.
    """
    for configuration in device:
        for interface in configuration:
            if layout.interface not in (None, interface.bInterfaceNumber):
                continue
            for endpoint in interface:
                address = endpoint.bEndpointAddress
                sends = usb.util.endpoint_direction(address) == usb.util.ENDPOINT_IN
                interrupts = usb.util.endpoint_type(endpoint.bmAttributes) == usb.util.ENDPOINT_TYPE_INTR
                if sends and interrupts and layout.endpoint in (None, address):
                    hid = interface.bInterfaceClass == HID_CLASS
                    return interface.bInterfaceNumber, address, endpoint.wMaxPacketSize, hid
    raise Disconnected("unreachable", f"{url.text} sends no interrupt reports where its board file looks for them.")
