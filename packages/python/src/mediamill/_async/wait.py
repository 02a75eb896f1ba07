"""Waits until a job has ended: by its events, and by polling where these do not get through."""

from __future__ import annotations

import json
import time
from typing import Any, Awaitable, Callable, Mapping, Optional

import httpx

from .._errors import JobFailedError, MediamillError, RateLimitError, TimeoutError
from .._retry import poll_pause
from .._sse import EventParser
from .._types import JobData, Progress, is_final
from .create import create_job
from .http import AsyncHttp
from .waiting import OnProgress, finish, report, sleep

_most_streams = 3
"""After so many streams that ended before the job, a proxy seems to cut them."""

_idle_seconds = 45
"""The service sends something every 15 seconds. A stream without it is dead."""

_longest_wait_seconds = 60

Update = Callable[[JobData], Awaitable[None]]


async def run_job(
    http: AsyncHttp,
    operation: str,
    params: Mapping[str, Any],
    *,
    timeout: Optional[float] = None,
    on_progress: Optional[OnProgress] = None,
    cancel_on_interrupt: bool = False,
    idempotency_key: Optional[str] = None,
) -> JobData:
    """Creates a job and waits until it has ended."""
    deadline = None if timeout is None else time.monotonic() + timeout
    longest = _longest_wait_seconds if timeout is None else timeout
    wait_seconds = int(min(_longest_wait_seconds, longest))
    # Its id is needed to cancel it, and its progress is seen only by those who follow it.
    follows = on_progress is not None or cancel_on_interrupt
    job = await create_job(
        http,
        operation,
        params,
        on_progress=on_progress,
        idempotency_key=idempotency_key,
        wait_seconds=0 if follows else wait_seconds,
    )
    left = None if deadline is None else max(0.0, deadline - time.monotonic())
    return await wait_for_job(
        http, job, timeout=left, on_progress=on_progress, cancel_on_interrupt=cancel_on_interrupt
    )


async def wait_for_job(
    http: AsyncHttp,
    job: JobData,
    *,
    timeout: Optional[float] = None,
    on_progress: Optional[OnProgress] = None,
    cancel_on_interrupt: bool = False,
) -> JobData:
    """The job when it is completed. Raises `JobFailedError` and, after `timeout` seconds, `TimeoutError`."""
    try:
        ended = await _follow(http, job, timeout, on_progress)
    except BaseException as error:
        # Such as `KeyboardInterrupt`, and the cancellation of a task.
        if cancel_on_interrupt and not isinstance(error, Exception):
            await finish(lambda: http.send("POST", f"/v1/jobs/{job['id']}/cancel"))
        raise
    if ended["status"] != "completed":
        raise JobFailedError(ended)
    return ended


async def _follow(
    http: AsyncHttp, job: JobData, timeout: Optional[float], on_progress: Optional[OnProgress]
) -> JobData:
    deadline = None if timeout is None else time.monotonic() + timeout
    current = job

    async def update(read: JobData) -> None:
        nonlocal current
        current = read
        if on_progress:
            await report(on_progress, Progress("processing", read["progress"]))

    if is_final(job):
        await update(job)
    streams = 0
    longest = most = 2 if on_progress else 30
    while not is_final(current):
        left = None if deadline is None else deadline - time.monotonic()
        if left is not None and left <= 0:
            raise TimeoutError(f"The job {job['id']} did not end within the timeout.", job["id"])
        # A stream cannot be left at a time, so the last part of a timeout is polled.
        if streams < _most_streams and (left is None or left > _idle_seconds):
            if streams > 0:
                await sleep(0.3 * streams)
            streams += 1
            try:
                await _read_stream(http, current["id"], update, deadline)
            except RateLimitError:
                # The account has all the streams that it may have open.
                streams = _most_streams
        else:
            try:
                await update(await _poll(http, current, left, longest))
                longest = most
            except RateLimitError as error:
                # The account has all the long polls that it may have open. The next one does not wait.
                longest = 0
                pause = poll_pause(error)
                await sleep(pause if left is None else min(pause, left))
    return current


async def _poll(http: AsyncHttp, job: JobData, left: Optional[float], longest: int) -> JobData:
    """The job, when it has ended or after at most `left` seconds."""
    seconds = longest if left is None else int(min(longest, left))
    if seconds < 1 and left is not None:
        await sleep(min(left, 0.1))
    deadline = None if left is None else time.monotonic() + left + 1
    query = {"wait": seconds or None}
    try:
        read: JobData = await http.json(
            "GET", f"/v1/jobs/{job['id']}", query=query, deadline=deadline, final_status=429
        )
    except RateLimitError:
        raise
    except MediamillError:
        if deadline is None or time.monotonic() + 1 < deadline:
            raise
        return job
    return read


async def _read_stream(
    http: AsyncHttp, job_id: str, update: Update, deadline: Optional[float]
) -> None:
    """Reads the events of a job until it has ended, the stream ends, or the deadline is near.

    Raises `RateLimitError` if the account has too many streams.
    """
    parser = EventParser()
    try:
        response = await http.send(
            "GET",
            f"/v1/jobs/{job_id}/events",
            timeout=_idle_seconds,
            stream=True,
            final_status=429,
        )
    except RateLimitError:
        raise
    except MediamillError:
        return  # Polling reports what lasts.
    try:
        async for chunk in response.aiter_bytes():
            for event in parser.feed(chunk):
                if event.data:
                    job: JobData = json.loads(event.data)
                    await update(job)
                    if is_final(job):
                        return
            if deadline is not None and deadline - time.monotonic() < _idle_seconds:
                return
    except httpx.TransportError:
        return
    finally:
        await response.aclose()
