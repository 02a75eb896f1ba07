"""Several operations on one file, as one job. The stub next to it has the operations' types."""

from __future__ import annotations

from typing import Any, Callable, Dict, List, Mapping, Optional, Sequence

from .._groups import find_operation
from .._params import parameter_name
from .._types import FileInput
from .create import create_job
from .http import AsyncHttp
from .job import AsyncJob
from .wait import run_job
from .waiting import OnProgress


class AsyncChain:
    """Collects operations: `chain.resize(width=800).convert(format="webp")`. It is not changed by that."""

    def __init__(
        self, http: AsyncHttp, file: FileInput, steps: Sequence[Mapping[str, Any]] = ()
    ) -> None:
        self._http = http
        self._file = file
        self.steps: List[Mapping[str, Any]] = list(steps)

    def add(self, operation: str, **params: Any) -> AsyncChain:
        """Adds an operation by its id."""
        own = {parameter_name(name): value for name, value in params.items() if value is not None}
        step = {"type": operation, "params": own}
        return AsyncChain(self._http, self._file, [*self.steps, step])

    def __getattr__(self, name: str) -> Callable[..., AsyncChain]:
        before = self.steps[-1]["type"] if self.steps else None
        operation = None if name.startswith("_") else find_operation(name, before, self._file)
        if operation is None:
            raise AttributeError(f"No operation of one file is called {name}.")
        found = operation
        return lambda **params: self.add(found, **params)

    async def run(
        self,
        *,
        timeout: Optional[float] = None,
        on_progress: Optional[OnProgress] = None,
        cancel_on_interrupt: bool = False,
        idempotency_key: Optional[str] = None,
        webhook_url: Optional[str] = None,
        metadata: Optional[Mapping[str, str]] = None,
        keep_steps: Optional[bool] = None,
        output: Optional[Mapping[str, Any]] = None,
        keep: Optional[bool] = None,
    ) -> AsyncJob:
        """Creates the job and waits until it has ended. Raises `JobFailedError`.

        `keep_steps` keeps the file that each operation hands to the next one; `jobs.steps` has them.
        """
        data = await run_job(
            self._http,
            "chain",
            self._params(webhook_url, metadata, keep_steps, output, keep),
            timeout=timeout,
            on_progress=on_progress,
            cancel_on_interrupt=cancel_on_interrupt,
            idempotency_key=idempotency_key,
        )
        return AsyncJob(data, self._http)

    async def create(
        self,
        *,
        on_progress: Optional[OnProgress] = None,
        idempotency_key: Optional[str] = None,
        webhook_url: Optional[str] = None,
        metadata: Optional[Mapping[str, str]] = None,
        keep_steps: Optional[bool] = None,
        output: Optional[Mapping[str, Any]] = None,
        keep: Optional[bool] = None,
    ) -> AsyncJob:
        """Creates the job and does not wait for it."""
        data = await create_job(
            self._http,
            "chain",
            self._params(webhook_url, metadata, keep_steps, output, keep),
            on_progress=on_progress,
            idempotency_key=idempotency_key,
        )
        return AsyncJob(data, self._http)

    def _params(
        self,
        webhook_url: Optional[str],
        metadata: Optional[Mapping[str, str]],
        keep_steps: Optional[bool],
        output: Optional[Mapping[str, Any]],
        keep: Optional[bool],
    ) -> Dict[str, Any]:
        return {
            "input": self._file,
            "operations": self.steps,
            "keep_steps": keep_steps,
            "webhook_url": webhook_url,
            "metadata": metadata,
            "output": output,
            "keep": keep,
        }
