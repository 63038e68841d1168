"""Reads what nodes send: bounded, checked against the closed list of reasons, and never trusted."""

import json
from typing import Any, Final

from engine import jsontext
from engine.matchfile import read_header
from engine.refusals import Refusal
from hall.index import Chunk, Opening, SignedFile, SignedSeat
from hall.nodes import Node
from league.cards import FIRST_DAY, Card, read_card
from league.digests import MAX_ID, MAX_TIME, Seat, digest_of, is_line, record_from_json, seat_from_json
from league.hall_refusals import HallRefusal
from league.nameless import seat_name
from league.signatures import is_signed

MAX_CHUNK: Final = 512 * 1024
"""Bytes of a request with lines."""
MAX_FILE: Final = 8 * 1024 * 1024
"""Bytes of a request with a finished match: 100,000 actions."""
MAX_SEATS: Final = 64
_MAX_LINES: Final = 10_000
_CARDS: Final = '"deck"'


def read_chunk(node: Node, body: bytes) -> tuple[Chunk, int, bool] | HallRefusal:
    """The chunk in a body: a line of JSON about it, then the lines. With it how much waits at the node, and whether it
    is of a match that is being played."""
    head, _, rest = body.partition(b"\n")
    about = jsontext.parse(head)
    if isinstance(about, Refusal):
        return HallRefusal("bad_value", f"The first line: {about.message}")
    match about:
        case {"match": str(match), "first": int(first), "waiting": int(waiting), "live": bool(live)}:
            pass
        case _:
            return HallRefusal("bad_value", 'The first line is {"match": ID, "first": N, "waiting": N, "live": true}.')
    if isinstance(first, bool) or isinstance(waiting, bool):
        return HallRefusal("bad_value", "The first line has a value that is not a number.")
    if not is_line(match, MAX_ID) or not 1 <= first < 2**30 or not 0 <= waiting < 2**40:
        return HallRefusal("bad_value", "The first line has a value out of its range.")
    try:
        lines = rest.decode().removesuffix("\n")
    except UnicodeDecodeError:
        return HallRefusal("bad_value", "The lines are not UTF-8.")
    if _CARDS in lines:
        return HallRefusal(
            "hidden_cards", "A running match with cards would show the players' hands; send it at its end."
        )
    if "\0" in lines or "\n\n" in lines or lines.count("\n") >= _MAX_LINES:
        return HallRefusal("bad_value", "The lines are not those of a match.")
    opening = _opening(about["opening"], node, match) if "opening" in about else None
    if isinstance(opening, HallRefusal):
        return opening
    return Chunk(node.name, match, first, lines, opening), waiting, live


def _opening(value: Any, node: Node, match: str) -> Opening | HallRefusal:
    match value:
        case {"board": str(board), "header": str(header), "started": str(started), "seats": list(listed)}:
            pass
        case _:
            return HallRefusal("bad_value", 'The opening is {"board", "header", "started", "seats"}.')
    read = read_header(header.encode(errors="replace"))
    if isinstance(read, Refusal) or not is_line(board, MAX_ID) or not is_line(started, MAX_TIME) or "\0" in header:
        return HallRefusal("bad_value", "The opening has a value that is not valid.")
    if list(read.players) != [seat_name(seat) for seat in range(1, len(read.players) + 1)]:
        return HallRefusal("bad_value", "The header has names of players; send it without.")
    seats = read_seats(listed, node, match)
    return seats if isinstance(seats, HallRefusal) else Opening(board, header, started, seats)


def read_seats(listed: list[Any], node: Node, match: str) -> tuple[SignedSeat, ...] | HallRefusal:
    """The signed seats in a list. Refusal `bad_value` or `bad_signature`."""
    found = []
    if len(listed) > MAX_SEATS:
        return HallRefusal("bad_value", f"A match has at most {MAX_SEATS} seats.")
    for value in listed:
        seat, signature = seat_from_json(value), value.get("signature") if isinstance(value, dict) else None
        if seat is None or not isinstance(signature, str):
            return HallRefusal("bad_value", "A seat is not valid.")
        if not is_signed(node.public_key, seat.signed_text(node.name, match), signature):
            return HallRefusal(
                "bad_signature", f"The signature of seat {seat.seat} is not that of the node {node.name}."
            )
        found.append(SignedSeat(seat, signature, _shows_card(value.get("card"), seat, node)))
    return tuple(found)


def _shows_card(text: object, seat: Seat, node: Node) -> bool:
    """Whether a node has the card of the player whom a seat names. One that has expired or was revoked since counts."""
    if not isinstance(text, str) or node.league is None:
        return False
    card = read_card(text, node.league, FIRST_DAY)
    return isinstance(card, Card) and card.player == seat.player


def read_finished(node: Node, digest: str, body: bytes) -> SignedFile | HallRefusal:
    """The finished match in a body, if the node has signed it."""
    try:
        value = json.loads(body)
    except (ValueError, RecursionError):
        return HallRefusal("half", "The body is not JSON, or only a part of it.")
    match value:
        case {
            "record": dict(about),
            "signature": str(signature),
            "board": str(board),
            "file": str(text),
            "seats": list(listed),
            "waiting": int(waiting),
        }:
            record = record_from_json(about)
        case _:
            record = None
    if record is None or not is_line(board, MAX_ID) or not 0 <= waiting < 2**40:
        return HallRefusal("bad_value", 'The body is {"record", "signature", "board", "file", "seats", "waiting"}.')
    if record.node != node.name:
        return HallRefusal("foreign", f"The match is of the node {record.node}, and {node.name} sent it.")
    try:
        found = digest_of(text)
    except UnicodeEncodeError:
        return HallRefusal("bad_value", "The match file is not UTF-8.")
    if not record.digest == digest == found or "\0" in text:
        return HallRefusal("bad_digest", "The match file is not the one that was signed: its digest differs.")
    if not is_signed(node.public_key, record.signed_text(), signature):
        return HallRefusal("bad_signature", f"The match is not signed with the key of the node {node.name}.")
    seats = read_seats(listed, node, record.match)
    if isinstance(seats, HallRefusal):
        return seats
    return SignedFile(record, signature, board, text, seats, waiting)
