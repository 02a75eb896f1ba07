"""Uploads of files."""

from __future__ import annotations

import json
from contextlib import ExitStack
from typing import IO, Any, AsyncIterator, Dict, Optional, cast

from .._files import LocalFile
from .._types import Progress, Upload
from .http import AsyncHttp
from .waiting import OnProgress, in_thread, report

_chunk_bytes = 2**18


async def upload_file(
    http: AsyncHttp, file: LocalFile, on_progress: Optional[OnProgress] = None
) -> Upload:
    """Uploads a file for later jobs. Its content is read in chunks."""
    fields = {"filename": file.filename, "bytes": file.size}
    created = await http.json(
        "POST",
        "/v1/uploads",
        headers={"Content-Type": "application/json"},
        body=lambda _files: {"content": json.dumps(fields).encode()},
    )

    def body(files: ExitStack) -> Dict[str, Any]:
        return {"content": _read(file.open(files), file.size, on_progress)}

    headers = {**created["headers"], "Content-Length": str(file.size)}
    await http.send(created["method"], created["url"], headers=headers, body=body)
    return cast(Upload, created)


async def _read(
    content: IO[bytes], size: int, on_progress: Optional[OnProgress]
) -> AsyncIterator[bytes]:
    sent = 0
    while sent < size:
        chunk = await in_thread(content.read, min(_chunk_bytes, size - sent))
        if not chunk:
            return
        yield chunk
        sent += len(chunk)
        if on_progress:
            await report(on_progress, Progress("upload", round(100 * sent / size, 1)))
