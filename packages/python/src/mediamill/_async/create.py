"""Creates jobs."""

from __future__ import annotations

import json
import uuid
from contextlib import ExitStack
from typing import Any, Dict, List, Mapping, Optional, Sequence, Tuple, cast

from .._catalogue import file_parts
from .._files import File, LocalFile, RemoteFile, is_content, resolve_file
from .._params import parameter_name
from .._types import JobData
from .http import AsyncHttp
from .upload import upload_file
from .waiting import OnProgress

_form_bytes = 32 * 2**20
"""Larger files are uploaded first: a form would have to be sent again from its start."""


async def create_job(
    http: AsyncHttp,
    operation: str,
    params: Mapping[str, Any],
    *,
    on_progress: Optional[OnProgress] = None,
    idempotency_key: Optional[str] = None,
    wait_seconds: int = 0,
) -> JobData:
    """Creates a job. With `wait_seconds`, it may have ended. `operation` is an id, or `chain`."""
    inputs, parts, fields = _sort(operation, params)
    every = [*inputs, *parts.values()]
    size = sum(file.size for file in every if isinstance(file, LocalFile))
    if size > _form_bytes or (size > 0 and on_progress):
        inputs = [await _uploaded(http, file, on_progress) for file in inputs]
        parts = {name: await _uploaded(http, file, on_progress) for name, file in parts.items()}
    headers = {"Idempotency-Key": idempotency_key or str(uuid.uuid4())}
    if wait_seconds > 0:
        headers["Prefer"] = f"wait={wait_seconds}"
    is_form = any(isinstance(file, LocalFile) for file in [*inputs, *parts.values()])
    if not is_form:
        headers["Content-Type"] = "application/json"

    def body(files: ExitStack) -> Dict[str, Any]:
        if is_form:
            return {"files": _form(inputs, parts, fields, files)}
        sent = {**_urls(inputs, parts, "inputs" in params), **fields}
        return {"content": json.dumps(sent, allow_nan=False).encode()}

    path = "/v1/jobs" if operation == "chain" else f"/v1/{operation}"
    created = await http.json("POST", path, headers=headers, body=body, timeout=wait_seconds + 100)
    return cast(JobData, created)


def _sort(
    operation: str, params: Mapping[str, Any]
) -> Tuple[List[File], Dict[str, File], Dict[str, Any]]:
    """The main files, the further files by their names, and all other parameters."""
    named = {name: value for name, value in params.items() if value is not None}
    main: Sequence[Any] = named.pop("inputs", None) or []
    if isinstance(main, (str, bytes)):
        raise TypeError("`inputs` is a list of files.")
    if "input" in named:
        main = [named.pop("input")]
    parts: Dict[str, File] = {}
    fields: Dict[str, Any] = {}
    for name, value in named.items():
        if name in file_parts.get(operation, ()) or is_content(value):
            parts[name] = resolve_file(value, name)
        else:
            fields[parameter_name(name)] = value
    return [resolve_file(file) for file in main], parts, fields


async def _uploaded(http: AsyncHttp, file: File, on_progress: Optional[OnProgress]) -> File:
    """The file as an upload, unless it is a URL."""
    if isinstance(file, RemoteFile):
        return file
    return RemoteFile((await upload_file(http, file, on_progress))["id"])


def _urls(
    inputs: Sequence[File], parts: Mapping[str, File], is_list: bool
) -> Dict[str, Any]:
    urls = [cast(RemoteFile, file).url for file in inputs]
    fields: Dict[str, Any] = {}
    if is_list:
        fields["inputs"] = urls
    elif urls:
        fields["input"] = urls[0]
    return {**fields, **{f"{name}_url": cast(RemoteFile, file).url for name, file in parts.items()}}


def _form(
    inputs: Sequence[File], parts: Mapping[str, File], fields: Mapping[str, Any], files: ExitStack
) -> List[Tuple[str, Any]]:
    """The parts of a form, in order."""

    def text(name: str, value: str) -> Tuple[str, Any]:
        return (name, (None, value.encode()))

    def part(name: str, url_name: str, file: File) -> Tuple[str, Any]:
        if isinstance(file, RemoteFile):
            return text(url_name, file.url)
        return (name, (file.filename, file.open(files)))

    return [
        *(
            text(name, value if isinstance(value, str) else json.dumps(value, allow_nan=False))
            for name, value in fields.items()
        ),
        *(part("file", "input", file) for file in inputs),
        *(part(name, f"{name}_url", file) for name, file in parts.items()),
    ]
