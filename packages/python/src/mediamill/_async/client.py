"""The client of one account."""

from __future__ import annotations

from copy import copy
from datetime import datetime
from types import TracebackType
from typing import (
    Any,
    AsyncIterator,
    Awaitable,
    Callable,
    Dict,
    List,
    Literal,
    MutableMapping,
    Mapping,
    Optional,
    Sequence,
    Type,
    Union,
    cast,
)

import httpx

from .._files import RemoteFile, resolve_file
from .._types import (
    BrowserToken,
    Data,
    FileInput,
    JobData,
    JobEvent,
    JobEventType,
    Upload,
    Usage,
    UsageReport,
    WithResponse,
)
from .._webhooks import Webhooks
from .chain import AsyncChain
from .events import follow_events
from .http import AsyncHttp
from .job import AsyncJob
from .jobs import AsyncJobs, timestamp
from .operation_methods import AsyncOperationMethods
from .upload import upload_file
from .waiting import OnProgress
from .webhook_endpoints import AsyncWebhookEndpoints, json_body


class AsyncUploads:
    def __init__(self, http: AsyncHttp) -> None:
        self._http = http

    async def create(
        self, file: FileInput, *, on_progress: Optional[OnProgress] = None
    ) -> Upload:
        """Uploads a file. Its `id` can be the input of jobs."""
        resolved = resolve_file(file)
        if isinstance(resolved, RemoteFile):
            raise TypeError("A URL needs no upload.")
        return await upload_file(self._http, resolved, on_progress)


class AsyncMediamill(AsyncOperationMethods):
    """A client of one account.

    `api_key` and `base_url` are by default the environment variables MEDIAMILL_API_KEY and
    MEDIAMILL_BASE_URL. `max_retries`: how often a request is sent again after a failure that may pass.
    `request_timeout`: seconds without a byte until a request is given up. `http_client`: a client of your
    own, such as one with a proxy; you close it. `upload_store`: keeps the ids of unfinished uploads, so
    that large files go on in another process, such as a dictionary of `shelve`.
    """

    def __init__(
        self,
        api_key: Optional[str] = None,
        base_url: Optional[str] = None,
        *,
        max_retries: int = 3,
        request_timeout: float = 100.0,
        http_client: Optional[httpx.AsyncClient] = None,
        upload_store: Optional[MutableMapping[str, str]] = None,
    ) -> None:
        http = AsyncHttp(
            api_key, base_url, max_retries, request_timeout, http_client, upload_store
        )
        self._use(http)
        self.webhooks = Webhooks()

    def _use(self, http: AsyncHttp) -> None:
        self._http = http
        self.jobs = AsyncJobs(http)
        self.uploads = AsyncUploads(http)
        self.webhook_endpoints = AsyncWebhookEndpoints(http)

    async def __aenter__(self) -> AsyncMediamill:
        return self

    async def __aexit__(
        self,
        error_type: Optional[Type[BaseException]],
        error: Optional[BaseException],
        traceback: Optional[TracebackType],
    ) -> None:
        await self.aclose()

    async def aclose(self) -> None:
        """Closes its connections."""
        await self._http.aclose()

    def chain(self, file: FileInput) -> AsyncChain:
        """Several operations on one file, as one job: `chain(file).resize(width=800).run()`."""
        return AsyncChain(self._http, file)

    async def create_token(
        self,
        *,
        operations: Sequence[str],
        max_bytes: Optional[int] = None,
        max_jobs: Optional[int] = None,
        ttl: Optional[int] = None,
        origin: Optional[str] = None,
    ) -> BrowserToken:
        """Creates a short-lived key for a page or an app of your users.

        `operations`: ids, and patterns such as `image/*`. `ttl`: in seconds, up to 3600. `origin`: of the
        pages that use it, such as `https://example.com`.
        """
        given = {
            "operations": [*operations],
            "max_bytes": max_bytes,
            "max_jobs": max_jobs,
            "ttl": ttl,
            "origin": origin,
        }
        fields = {name: value for name, value in given.items() if value is not None}
        answer = await self._http.json("POST", "/v1/tokens", body=json_body(fields), once=True)
        return cast(BrowserToken, answer)

    async def usage(self) -> Usage:
        """What the account has used in this billing period."""
        return cast(Usage, await self._http.json("GET", "/v1/usage"))

    async def usage_report(
        self,
        *,
        group_by: Literal["operation", "key", "day", "error_code"],
        created_after: Union[datetime, str, None] = None,
        created_before: Union[datetime, str, None] = None,
    ) -> UsageReport:
        """Jobs by operation, key, day or error code. Times are the start of a day in UTC."""
        query = {
            "group_by": group_by,
            "created_after": timestamp(created_after),
            "created_before": timestamp(created_before),
        }
        return cast(UsageReport, await self._http.json("GET", "/v1/usage", query=query))

    async def operations(self) -> List[Dict[str, Any]]:
        """The operations of the service."""
        answer = await self._http.json("GET", "/v1/operations")
        return cast(List[Dict[str, Any]], answer["operations"])

    def events(
        self,
        *,
        types: Optional[Sequence[JobEventType]] = None,
        last_event_id: Optional[str] = None,
        on_position: Optional[Callable[[str], None]] = None,
    ) -> AsyncIterator[JobEvent]:
        """The account's events, each once and in order, across lost connections. It does not end.

        `types`: by default all. `last_event_id`: the id of the last event that you have; the events
        continue after it, within 24 hours. `on_position` is called with the id from which to resume,
        also when no event was sent.
        """
        return follow_events(self._http, types, last_event_id, on_position)

    async def request(
        self,
        method: str,
        path: str,
        *,
        query: Optional[Mapping[str, Any]] = None,
        json: Any = None,
        headers: Optional[Mapping[str, str]] = None,
    ) -> httpx.Response:
        """Any request of the API, with the key. What has no Idempotency-Key is not sent twice."""
        own = {name.lower() for name in headers or {}}
        once = method.upper() == "POST" and "idempotency-key" not in own
        body = None if json is None else lambda _files: {"json": json}
        return await self._http.send(
            method, path, query=query, headers=headers, body=body, once=once
        )

    async def with_response(
        self, call: Callable[[AsyncMediamill], Awaitable[Data]]
    ) -> WithResponse[Data]:
        """What `call` returns, and the last response that it received, such as for its headers.

        `with_response(lambda mm: mm.jobs.get(id)).response.headers["x-request-id"]`
        """
        http = self._http.recording()
        client = copy(self)
        client._use(http)
        data = await call(client)
        return WithResponse(data, http.end_recording())

    def job(self, data: JobData) -> AsyncJob:
        """A job from the API's data, such as that of a webhook."""
        return AsyncJob(data, self._http)
