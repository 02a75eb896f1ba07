"""Creates jobs."""

from __future__ import annotations

import json
import uuid
from contextlib import ExitStack
from typing import Any, Dict, List, Mapping, Optional, Sequence, Tuple, cast

from .._catalogue import file_parts
from .._errors import ApiError
from .._files import File, LocalFile, RemoteFile, is_content, resolve_file
from .._params import parameter_name
from .._types import JobData
from .form_limit import is_refused_by_host, is_too_large_for_form
from .http import AsyncHttp
from .upload import derive_key, upload_file
from .waiting import OnProgress


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
    headers = {"Idempotency-Key": idempotency_key or str(uuid.uuid4())}
    if wait_seconds > 0:
        headers["Prefer"] = f"wait={wait_seconds}"
    path = "/v1/jobs" if operation == "chain" else f"/v1/{operation}"
    timeout = wait_seconds + 100
    uploads_first = size > 0 and bool(on_progress)
    if any(isinstance(file, LocalFile) for file in every):
        if not uploads_first and not await is_too_large_for_form(http, size):

            def form(files: ExitStack) -> Dict[str, Any]:
                return {"files": _form(inputs, parts, fields, files)}

            try:
                created = await http.json("POST", path, headers=headers, body=form, timeout=timeout)
                return cast(JobData, created)
            except ApiError as error:
                if not is_refused_by_host(http, error):
                    raise
        inputs = [
            await _uploaded(http, file, on_progress, idempotency_key, str(index))
            for index, file in enumerate(inputs)
        ]
        parts = {
            name: await _uploaded(http, file, on_progress, idempotency_key, name)
            for name, file in parts.items()
        }
    sent = {**_urls(inputs, parts, "inputs" in params), **fields}
    created = await http.json(
        "POST",
        path,
        headers={**headers, "Content-Type": "application/json"},
        body=lambda _files: {"content": json.dumps(sent, allow_nan=False).encode()},
        timeout=timeout,
    )
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


async def _uploaded(
    http: AsyncHttp,
    file: File,
    on_progress: Optional[OnProgress],
    idempotency_key: Optional[str],
    name: str,
) -> File:
    """The file as an upload, unless it is a URL. `name`: its index, or its parameter."""
    if isinstance(file, RemoteFile):
        return file
    key = await derive_key(idempotency_key, name, file) if idempotency_key else None
    return RemoteFile((await upload_file(http, file, on_progress, key))["id"])


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
