"""`oche boards`: the models that are known, the ports that are there, and which model a port could be."""

import argparse
from pathlib import Path

from serial.tools import list_ports

from daemon.finding import judge, look
from daemon.shelf import models
from engine import jsontext


def boards(arguments: argparse.Namespace) -> int:
    """Looks, and opens nothing: a port may belong to something else."""
    ports = [
        {"port": port.device, "usb": f"{port.vid:04x}:{port.pid:04x}" if port.vid is not None else None}
        | {"name": port.description, "serial": port.serial_number}
        for port in sorted(list_ports.comports())
    ]
    plugged = [{key: value for key, value in port.items() if value is not None} for port in ports]
    known = models()
    if arguments.json:
        about = [{"model": m.name, "title": m.title, "dialect": m.dialect, "can": m.can_json()} for m in known.values()]
        print(jsontext.dump({"models": about, "plugged": plugged}))
        return 0
    print("Models:")
    for board in known.values():
        print(f"  {board.name:<16} {board.title}")
    print("Plugged in:" if plugged else "Plugged in: no serial port. The virtual board is there always: virtual@sim:")
    verdicts = {str(Path(device.port).resolve()): judge(device, known) for device in look()}
    for port in plugged:
        print(f"  {port['port']}  {port.get('name', '')}")
        verdict = verdicts.get(port["port"])
        if verdict is not None and (arguments.why or verdict.model is not None):
            print(f"      {verdict.sentence}")
        elif arguments.why:
            print("      A serial port says little of what hangs on it; name the model yourself, as in")
            print(f"      oche listen maddarts@{port['port']}")
    return 0
