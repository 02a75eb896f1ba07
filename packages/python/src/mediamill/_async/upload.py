"""Uploads of files."""

from __future__ import annotations

import json
import uuid
from contextlib import ExitStack
from typing import Any, Dict, Optional, cast

from .._errors import ConflictError
from .._files import LocalFile
from .._types import Upload
from .http import AsyncHttp
from .resumable import read_content, resumable_bytes, upload_resumable
from .upload_state import read_upload
from .waiting import OnProgress


async def upload_file(
    http: AsyncHttp, file: LocalFile, on_progress: Optional[OnProgress] = None
) -> Upload:
    """Uploads a file for later jobs. Its content is read in chunks. A large one is resumable."""
    if file.size >= resumable_bytes:
        resumed = await upload_resumable(http, file, on_progress)
        if resumed:
            return resumed
    fields = {"filename": file.filename, "bytes": file.size}
    created = await http.json(
        "POST",
        "/v1/uploads",
        headers={"Content-Type": "application/json", "Idempotency-Key": str(uuid.uuid4())},
        body=lambda _files: {"content": json.dumps(fields).encode()},
    )

    def body(files: ExitStack) -> Dict[str, Any]:
        return {"content": read_content(file.open(files), 0, file.size, file.size, on_progress)}

    headers = {**created["headers"], "Content-Length": str(file.size)}
    try:
        await http.send(created["method"], created["url"], headers=headers, body=body)
    except ConflictError:
        if not await _has_arrived(http, created["id"]):
            raise
    return cast(Upload, created)


async def _has_arrived(http: AsyncHttp, id: str) -> bool:
    """Whether a file that was sent again is a conflict because the response to it was lost."""
    state = await read_upload(http, id)
    return state is None or state["status"] == "complete"
