"""Server-Sent Events."""

from __future__ import annotations

from typing import List, NamedTuple, Optional


class ServerEvent(NamedTuple):
    """`data` is empty for an event that only sets the id, and for a comment."""

    id: Optional[str]
    event: str
    data: str


class EventParser:
    """Collects bytes and returns the events that are complete.

    It splits bytes, because JSON may contain characters that `str.splitlines` takes for line ends.
    """

    def __init__(self) -> None:
        self._rest = b""

    def feed(self, chunk: bytes) -> List[ServerEvent]:
        *blocks, self._rest = (self._rest + chunk).split(b"\n\n")
        return [_parse(block) for block in blocks]


def _parse(block: bytes) -> ServerEvent:
    fields = {}
    for line in block.decode().split("\n"):
        name, _, value = line.partition(":")
        fields[name] = value[1:] if value.startswith(" ") else value
    return ServerEvent(fields.get("id"), fields.get("event", "message"), fields.get("data", ""))
