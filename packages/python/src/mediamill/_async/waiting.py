"""What the asynchronous client does otherwise than the synchronous one."""

from __future__ import annotations

import inspect
from typing import Any, Awaitable, Callable, TypeVar, Union

import anyio
import anyio.to_thread

from .._types import Progress

Result = TypeVar("Result")

OnProgress = Callable[[Progress], Union[None, Awaitable[None]]]


async def sleep(seconds: float) -> None:
    await anyio.sleep(seconds)


async def in_thread(function: Callable[..., Result], *args: Any) -> Result:
    """Calls what blocks, such as writing a file, next to the event loop."""
    return await anyio.to_thread.run_sync(function, *args)


async def report(on_progress: OnProgress, progress: Progress) -> None:
    """Calls a function of the caller, which may be asynchronous."""
    returned = on_progress(progress)
    if inspect.isawaitable(returned):
        await returned


async def finish(function: Callable[[], Awaitable[object]]) -> None:
    """Calls a function that goes on although the task was cancelled, for at most 10 seconds."""
    with anyio.move_on_after(10, shield=True):
        await function()
