"""Requests to the service, which are sent again after failures that may pass."""

from __future__ import annotations

import os
import time
from contextlib import ExitStack
from copy import copy
from typing import Any, Callable, Dict, Mapping, MutableMapping, Optional

import httpx

from .._errors import ApiError, ConnectionError, MediamillError, TimeoutError, api_error
from .._retry import retry_delay
from .._version import __version__
from .waiting import sleep

Body = Callable[[ExitStack], Dict[str, Any]]
"""Creates the body for each attempt, as arguments of `httpx`. The stack closes its files."""


class AsyncHttp:
    def __init__(
        self,
        api_key: Optional[str],
        base_url: Optional[str],
        max_retries: int,
        request_timeout: float,
        http_client: Optional[httpx.AsyncClient],
        upload_store: Optional[MutableMapping[str, str]] = None,
    ) -> None:
        url = base_url or os.environ.get("MEDIAMILL_BASE_URL") or "http://localhost:3000"
        self.base_url = url.rstrip("/")
        self._api_key = api_key or os.environ.get("MEDIAMILL_API_KEY")
        self._max_retries = max_retries
        self._request_timeout = request_timeout
        self._client = http_client or httpx.AsyncClient()
        self._owns_client = http_client is None
        self.upload_store = upload_store
        self.limits: Dict[str, int] = {}
        """What the service said about its host."""
        self._is_recording = False
        self._last_response: Optional[httpx.Response] = None

    def recording(self) -> AsyncHttp:
        """The same, but it keeps the last response until `end_recording`."""
        http = copy(self)
        http._owns_client = False
        http._is_recording = True
        return http

    def end_recording(self) -> httpx.Response:
        """Returns the last response. Raises `ValueError` if there was none."""
        response, self._last_response, self._is_recording = self._last_response, None, False
        if response is None:
            raise ValueError("The call sent no request.")
        return response

    async def aclose(self) -> None:
        if self._owns_client:
            await self._client.aclose()

    async def send(
        self,
        method: str,
        path: str,
        *,
        query: Optional[Mapping[str, Any]] = None,
        headers: Optional[Mapping[str, str]] = None,
        body: Optional[Body] = None,
        once: bool = False,
        timeout: Optional[float] = None,
        deadline: Optional[float] = None,
        stream: bool = False,
        final_status: Optional[int] = None,
        is_single: bool = False,
    ) -> httpx.Response:
        """Sends a request and returns a successful response, else raises `ApiError`.

        `path` is a path of the service, or a complete URL, which does not get the API key. `once`: it
        creates something and has no Idempotency-Key, so it is not sent again if it may have arrived.
        `timeout`: seconds without a byte of the response. `deadline`: of `time.monotonic()`, after
        which it is not sent again. With `stream`, the caller reads and closes the response.
        `final_status`: it is not sent again after a response with this status.
        `is_single`: it is sent once, and the caller tries again.
        """
        attempt = 0
        while True:
            seconds = self._request_timeout if timeout is None else timeout
            if deadline is not None:
                seconds = max(0.1, min(seconds, deadline - time.monotonic()))
            try:
                with ExitStack() as files:
                    arguments = body(files) if body else {}
                    request = self._client.build_request(
                        method,
                        path if "://" in path else self.base_url + path,
                        # From httpx 0.28 on, an empty mapping removes the query of a signed URL.
                        params=_flat(query or {}) or None,
                        headers=self._headers(path, headers),
                        timeout=httpx.Timeout(seconds, connect=min(seconds, 15)),
                        **arguments,
                    )
                    return await self._attempt(request, stream)
            except MediamillError as failure:
                is_final = isinstance(failure, ApiError) and failure.status == final_status
                retries_left = attempt < self._max_retries and not (is_final or is_single)
                delay = retry_delay(failure, attempt, once) if retries_left else None
                if delay is None or (deadline and time.monotonic() + delay >= deadline):
                    raise
            await sleep(delay)
            attempt += 1

    async def json(self, method: str, path: str, **request: Any) -> Any:
        return read_json(await self.send_json(method, path, **request))

    async def send_json(self, method: str, path: str, **request: Any) -> httpx.Response:
        """Sends a request whose response is JSON, for `read_json`."""
        response = await self.send(method, path, **request)
        if response.history and method != "GET":
            # A redirected POST has become a GET.
            raise _redirect_error(response)
        return response

    async def _attempt(self, request: httpx.Request, stream: bool) -> httpx.Response:
        try:
            response = await self._client.send(request, stream=True, follow_redirects=True)
            try:
                if not (stream and response.is_success):
                    await response.aread()
            except BaseException:
                await response.aclose()
                raise
        except httpx.TimeoutException as error:
            raise TimeoutError(f"No answer from {request.url}.") from error
        except httpx.TransportError as error:
            raise ConnectionError(f"{request.url.host} could not be reached: {error}") from error
        if response.is_success:
            if self._is_recording:
                self._last_response = response
            return response
        if response.history and str(request.url).startswith(f"{self.base_url}/v1/"):
            raise _redirect_error(response)
        raise api_error(response.status_code, response.headers, response.content)

    def _headers(self, path: str, headers: Optional[Mapping[str, str]]) -> Dict[str, str]:
        own = {"User-Agent": f"mediamill-python/{__version__}"}
        # As a bearer, because it must not follow a redirect to another host.
        if self._api_key and "://" not in path:
            own["Authorization"] = f"Bearer {self._api_key}"
        return {**own, **(headers or {})}


def read_json(response: httpx.Response) -> Any:
    try:
        return response.json()
    except ValueError as error:
        message = "The response is not that of a Mediamill service. Check the base URL."
        raise ApiError(message, response.status_code, response.headers) from error


def _redirect_error(response: httpx.Response) -> ApiError:
    origin = f"{response.url.scheme}://{response.url.netloc.decode()}"
    message = f"The service redirects to {origin}. Use its base URL."
    return ApiError(message, response.status_code, response.headers)


def _flat(query: Mapping[str, Any]) -> Dict[str, str]:
    """`{"metadata": {"a": 1}}` as `metadata[a]=1`. Values that are None are left out."""
    flat: Dict[str, str] = {}
    for name, value in query.items():
        if isinstance(value, Mapping):
            flat.update({f"{name}[{key}]": str(one) for key, one in value.items()})
        elif value is not None:
            flat[name] = str(value)
    return flat
