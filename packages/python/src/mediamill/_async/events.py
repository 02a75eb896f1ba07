"""The account's events."""

from __future__ import annotations

import json
from typing import AsyncIterator, Callable, Optional, Sequence, cast

import httpx

from .._errors import ApiError, MediamillError
from .._sse import EventParser
from .._types import JobEvent, JobEventType
from .http import AsyncHttp
from .waiting import sleep

_idle_seconds = 45
"""The service sends a comment every 15 seconds. A connection without it is dead."""


async def follow_events(
    http: AsyncHttp,
    types: Optional[Sequence[JobEventType]],
    last_event_id: Optional[str],
    on_position: Optional[Callable[[str], None]],
) -> AsyncIterator[JobEvent]:
    last = last_event_id
    failures = 0
    while True:
        try:
            headers = {"Accept": "text/event-stream"}
            if last:
                headers["Last-Event-ID"] = last
            response = await http.send(
                "GET",
                "/v1/events",
                query={"types": ",".join(types) if types else None},
                headers=headers,
                timeout=_idle_seconds,
                stream=True,
            )
            parser = EventParser()
            try:
                if not response.headers.get("content-type", "").startswith("text/event-stream"):
                    message = "The service sent no events. Check the base URL, and any proxy."
                    raise ApiError(message, response.status_code, response.headers)
                async for chunk in response.aiter_bytes():
                    for event in parser.feed(chunk):
                        failures = 0
                        if event.data:
                            job = json.loads(event.data)
                            yield JobEvent(event.id or last or "", cast(JobEventType, event.event), job)
                        if event.id and event.id != last:
                            last = event.id
                            if on_position:
                                on_position(last)
            finally:
                await response.aclose()
        except httpx.TransportError:
            pass
        except MediamillError as error:
            if isinstance(error, ApiError) and error.status < 500 and error.status != 429:
                raise
        await sleep(min(10.0, 0.25 * 2 ** min(failures, 10)))
        failures += 1
