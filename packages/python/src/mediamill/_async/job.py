"""Jobs and their files."""

from __future__ import annotations

import builtins
import json
import os
from typing import TYPE_CHECKING, Any, AsyncIterator, Generic, List, Union, cast

import httpx

from .._errors import ConnectionError
from .._types import JobData, JobStatus, OutputData, is_final
from .http import AsyncHttp
from .waiting import in_thread

if TYPE_CHECKING:
    from typing_extensions import TypeVar

    Result = TypeVar("Result", default=Any)
else:
    from typing import TypeVar

    Result = TypeVar("Result")


class AsyncDownload:
    """A file of the service."""

    def __init__(self, http: AsyncHttp, url: str, filename: str) -> None:
        self._http = http
        self._url = url
        self.filename = filename

    async def stream(self) -> AsyncIterator[builtins.bytes]:
        """Its content in chunks, as they arrive."""
        response = await self._http.send("GET", self._url, stream=True)
        try:
            async for chunk in response.aiter_bytes():
                yield chunk
        except httpx.TransportError as error:
            raise ConnectionError(f"The download of {self.filename} was cut: {error}") from error
        finally:
            await response.aclose()

    async def bytes(self) -> builtins.bytes:
        return (await self._http.send("GET", self._url)).content

    async def text(self) -> str:
        return (await self.bytes()).decode()

    async def json(self) -> Any:
        return json.loads(await self.bytes())

    async def save(self, path: Union[str, "os.PathLike[str]"] = "./") -> str:
        """Writes it to the disk and returns its path.

        A path that is a folder, or ends with a slash, is where it keeps its name. Nothing is at the path
        before the file is complete.
        """
        target = os.fspath(path)
        if target.endswith(("/", os.sep)) or os.path.isdir(target):
            target = os.path.join(target, self.filename.replace("/", "_").replace("\\", "_"))
        partial = f"{target}.part"
        try:
            with await in_thread(open, partial, "wb") as file:
                async for chunk in self.stream():
                    await in_thread(file.write, chunk)
            os.replace(partial, target)
        except BaseException:
            if os.path.exists(partial):
                os.remove(partial)
            raise
        return target


class AsyncOutput(AsyncDownload):
    """An output file of a job. `data` is as the API sent it."""

    def __init__(self, data: OutputData, http: AsyncHttp) -> None:
        super().__init__(http, data["url"], data["filename"])
        self.data = data

    @property
    def content_type(self) -> str:
        return self.data["content_type"]

    @property
    def size(self) -> int:
        """In bytes."""
        return self.data["bytes"]

    @property
    def url(self) -> str:
        """Signed: it needs no API key."""
        return self.data["url"]

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {self.filename!r} {self.content_type} {self.size} bytes>"


class AsyncJob(Generic[Result]):
    """A job, as it was when it was read. `data` is as the API sent it."""

    def __init__(self, data: JobData, http: AsyncHttp) -> None:
        self.data = data
        self.outputs: List[AsyncOutput] = [AsyncOutput(output, http) for output in data["outputs"]]

    @property
    def id(self) -> str:
        return self.data["id"]

    @property
    def status(self) -> JobStatus:
        return self.data["status"]

    @property
    def progress(self) -> float:
        """0 to 100."""
        return self.data["progress"]

    @property
    def warnings(self) -> List[str]:
        return self.data["warnings"]

    @property
    def result(self) -> Result:
        """Data of operations that return data, of a completed job."""
        return cast(Result, self.data["result"])

    @property
    def output(self) -> AsyncOutput:
        """The first output. Raises `LookupError` if there is none."""
        if not self.outputs:
            raise LookupError(f"The job {self.id} is {self.status} and has no output.")
        return self.outputs[0]

    @property
    def is_final(self) -> bool:
        return is_final(self.data)

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {self.id} {self.data['operation']} {self.status}>"
