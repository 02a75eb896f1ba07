"""Uploads of large files, which go on after a lost connection."""

from __future__ import annotations

from contextlib import ExitStack
from typing import IO, Any, AsyncIterator, Dict, Mapping, Optional, cast

from .._errors import ApiError, MediamillError
from .._files import LocalFile
from .._types import Progress, Upload
from .http import AsyncHttp
from .upload_state import create_upload, read_upload
from .waiting import OnProgress, in_thread, report, sleep

resumable_bytes = 50_000_000
"""Files from this size on go on after a lost connection."""

_chunk_bytes = 2**18

_max_failures = 12
"""After so many without a byte that arrived, with breaks of up to 8 s, the upload is given up."""

_day_seconds = 86_400.0


async def upload_resumable(
    http: AsyncHttp,
    file: LocalFile,
    on_progress: Optional[OnProgress],
    upload_key: Optional[str] = None,
) -> Optional[Upload]:
    """Uploads a file by tus or in parts. None if the service takes only whole files.

    With an `upload_store`, or an idempotency key of the upload, it goes on with what an earlier
    process has sent of the file.
    """
    key = f"{http.base_url} {file.fingerprint}"
    # With a key of the caller, the service knows what an earlier process has sent.
    store = http.upload_store if file.fingerprint and upload_key is None else None
    earlier = await _find_earlier(http, file, store[key]) if store and key in store else None
    upload = earlier or await _create(http, file, upload_key)
    if upload is None:
        return None
    if store is not None:
        store[key] = upload["id"]
    if upload.get("status") != "complete":
        if "parts" in upload:
            await _send_parts(http, file, upload, on_progress)
        else:
            await _send_by_tus(http, file, upload["url"], on_progress)
    if store is not None:
        store.pop(key, None)
    return cast(Upload, {"id": upload["id"], "expires_at": upload["expires_at"]})


async def read_content(
    content: IO[bytes], start: int, end: int, total: int, on_progress: Optional[OnProgress]
) -> AsyncIterator[bytes]:
    """The bytes from `start` to `end`, in chunks, with the progress of a file of `total` bytes."""
    sent = start
    await in_thread(content.seek, start)
    while sent < end:
        chunk = await in_thread(content.read, min(_chunk_bytes, end - sent))
        if not chunk:
            return
        yield chunk
        sent += len(chunk)
        if on_progress:
            await report(on_progress, Progress("upload", round(100 * sent / total, 1)))


async def _find_earlier(http: AsyncHttp, file: LocalFile, id: str) -> Optional[Dict[str, Any]]:
    """What an earlier process has begun, unless it is gone."""
    found = await read_upload(http, id)
    if found is None or found["bytes"] != file.size or found["status"] == "expired":
        return None
    return found


async def _create(
    http: AsyncHttp, file: LocalFile, key: Optional[str]
) -> Optional[Dict[str, Any]]:
    account = await http.json("GET", "/v1/account")
    # Parts go to an object store itself, past the limits of the host.
    is_direct = account.get("uploads", {}).get("direct")
    fields = {
        "filename": file.filename,
        "bytes": file.size,
        "method": "multipart" if is_direct else "tus",
    }
    try:
        return await create_upload(http, fields, key)
    except ApiError as error:
        # An older service, or one whose storage takes no parts.
        if error.code == "invalid_parameter":
            return None
        raise


async def _send_by_tus(
    http: AsyncHttp, file: LocalFile, url: str, on_progress: Optional[OnProgress]
) -> None:
    """Sends what is missing by tus 1.0, and asks for the offset after each failure."""
    offset = await _read_offset(http, url)
    failures = 0
    while offset < file.size:
        before = offset
        try:
            offset = await _send_from(http, file, url, offset, on_progress)
        except MediamillError as error:
            await _wait_after(error, failures)
            offset = await _read_offset(http, url)
        failures = 0 if offset > before else failures + 1


async def _send_from(
    http: AsyncHttp, file: LocalFile, url: str, offset: int, on_progress: Optional[OnProgress]
) -> int:
    def body(files: ExitStack) -> Dict[str, Any]:
        content = file.open(files)
        return {"content": read_content(content, offset, file.size, file.size, on_progress)}

    headers = {
        "Tus-Resumable": "1.0.0",
        "Upload-Offset": str(offset),
        "Content-Type": "application/offset+octet-stream",
        "Content-Length": str(file.size - offset),
    }
    response = await http.send(
        "PATCH", url, headers=headers, body=body, is_single=True, timeout=_day_seconds
    )
    return int(response.headers["upload-offset"])


async def _read_offset(http: AsyncHttp, url: str) -> int:
    failures = 0
    while True:
        try:
            headers = {"Tus-Resumable": "1.0.0"}
            response = await http.send("HEAD", url, headers=headers, is_single=True)
            return int(response.headers["upload-offset"])
        except MediamillError as error:
            await _wait_after(error, failures)
            failures += 1


async def _send_parts(
    http: AsyncHttp,
    file: LocalFile,
    upload: Mapping[str, Any],
    on_progress: Optional[OnProgress],
) -> None:
    """Sends the missing parts and completes the upload."""
    for part in upload["parts"]:
        start = (part["number"] - 1) * upload["part_bytes"]
        end = min(start + upload["part_bytes"], file.size)
        await _send_part(http, file, part["url"], start, end, on_progress)
    await _persist(http, "POST", upload["complete_url"])


async def _send_part(
    http: AsyncHttp,
    file: LocalFile,
    url: str,
    start: int,
    end: int,
    on_progress: Optional[OnProgress],
) -> None:
    def body(files: ExitStack) -> Dict[str, Any]:
        return {"content": read_content(file.open(files), start, end, file.size, on_progress)}

    headers = {"Content-Length": str(end - start)}
    await _persist(http, "PUT", url, headers=headers, body=body, timeout=3600.0)


async def _persist(http: AsyncHttp, method: str, url: str, **request: Any) -> None:
    """Sends a request until it succeeds, or too often."""
    failures = 0
    while True:
        try:
            await http.send(method, url, is_single=True, **request)
            return
        except MediamillError as error:
            await _wait_after(error, failures)
            failures += 1


async def _wait_after(error: MediamillError, failures: int) -> None:
    """Waits for the next attempt. Raises the error if there is none, or if another would not help."""
    is_lasting = isinstance(error, ApiError) and not (
        error.status in (408, 409, 423, 429, 460) or error.status >= 500
    )
    if is_lasting or failures >= _max_failures:
        raise error
    await sleep(min(8.0, 0.3 * 2**failures))
