"""`run` and `create`. The stub next to it has their types for each operation."""

from __future__ import annotations

from typing import Any, Optional

from .create import create_job
from .http import AsyncHttp
from .job import AsyncJob
from .wait import run_job
from .waiting import OnProgress


class AsyncOperationMethods:
    _http: AsyncHttp

    async def run(
        self,
        operation: str,
        *,
        timeout: Optional[float] = None,
        on_progress: Optional[OnProgress] = None,
        cancel_on_interrupt: bool = False,
        idempotency_key: Optional[str] = None,
        **params: Any,
    ) -> AsyncJob:
        """Runs an operation and waits until its job has ended.

        `timeout`: seconds until `TimeoutError`; the job goes on. `on_progress` is called with a
        `Progress`. `cancel_on_interrupt`: cancels the job when the call is interrupted, as by Ctrl-C.
        `idempotency_key`: by default a random one, so that no request creates two jobs. Raises
        `JobFailedError` if the job failed, and `ApiError` if the service refused the request.
        """
        data = await run_job(
            self._http,
            operation,
            params,
            timeout=timeout,
            on_progress=on_progress,
            cancel_on_interrupt=cancel_on_interrupt,
            idempotency_key=idempotency_key,
        )
        return AsyncJob(data, self._http)

    async def create(
        self,
        operation: str,
        *,
        on_progress: Optional[OnProgress] = None,
        idempotency_key: Optional[str] = None,
        **params: Any,
    ) -> AsyncJob:
        """Creates a job and does not wait for it."""
        data = await create_job(
            self._http,
            operation,
            params,
            on_progress=on_progress,
            idempotency_key=idempotency_key,
        )
        return AsyncJob(data, self._http)
