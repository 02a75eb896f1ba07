"""Uploads of files."""

from __future__ import annotations

import hashlib
import json
from contextlib import ExitStack
from typing import Any, Dict, Optional, Sequence, cast

from .._errors import ConflictError
from .._files import LocalFile
from .._types import Upload
from .http import AsyncHttp
from .resumable import read_content, resumable_bytes, upload_resumable
from .upload_state import create_upload, read_upload
from .waiting import OnProgress, in_thread


async def upload_file(
    http: AsyncHttp,
    file: LocalFile,
    on_progress: Optional[OnProgress] = None,
    key: Optional[str] = None,
) -> Upload:
    """Uploads a file for later jobs. Its content is read in chunks. A large one is resumable.

    `key`: the idempotency key of the upload; by default a random one.
    """
    if file.size >= resumable_bytes:
        resumed = await upload_resumable(http, file, on_progress, key)
        if resumed:
            return resumed
    created = await create_upload(http, {"filename": file.filename, "bytes": file.size}, key)
    if created.get("status") == "complete":
        return cast(Upload, created)

    def body(files: ExitStack) -> Dict[str, Any]:
        return {"content": read_content(file.open(files), 0, file.size, file.size, on_progress)}

    headers = {**created["headers"], "Content-Length": str(file.size)}
    try:
        await http.send("PUT", created["url"], headers=headers, body=body)
    except ConflictError:
        if not await _has_arrived(http, created["id"]):
            raise
    return cast(Upload, created)


async def _has_arrived(http: AsyncHttp, id: str) -> bool:
    """Whether a file that was sent again is a conflict because the response to it was lost."""
    state = await read_upload(http, id)
    return state is None or state["status"] == "complete"


async def derive_key(idempotency_key: str, name: str, file: LocalFile) -> Optional[str]:
    """An idempotency key for the upload of a file of a job, by its index or parameter.

    The same as that of an earlier call with the same key and file. None if the file has no content
    that could be compared.
    """
    scope = [idempotency_key, name, file.filename]
    if file.size < resumable_bytes:
        return await in_thread(_hash_content, scope, file)
    # The fingerprint of large content stands for it.
    if file.fingerprint is None:
        return None
    scope.append(file.fingerprint)
    return hashlib.sha256(json.dumps(scope).encode()).hexdigest()


def _hash_content(scope: Sequence[str], file: LocalFile) -> str:
    digest = hashlib.sha256(json.dumps(scope).encode())
    with ExitStack() as files:
        content = file.open(files)
        while chunk := content.read(2**18):
            digest.update(chunk)
    return digest.hexdigest()
