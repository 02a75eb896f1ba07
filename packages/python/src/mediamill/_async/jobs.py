"""Jobs of the account."""

from __future__ import annotations

import uuid
from datetime import datetime, timezone
from typing import Any, AsyncIterator, List, Mapping, Optional, Union

from .._types import JobStatus, JobStepData
from .http import AsyncHttp, read_json
from .job import AsyncDownload, AsyncJob
from .wait import wait_for_job
from .waiting import OnProgress

_page = 100


class AsyncJobs:
    def __init__(self, http: AsyncHttp) -> None:
        self._http = http

    async def get(self, job_id: str, *, wait: Optional[int] = None) -> AsyncJob:
        """A job; with `wait` after at most so many seconds (1 to 60), or once it has ended."""
        return await self._job("GET", f"/v1/jobs/{job_id}", query={"wait": wait})

    async def wait(
        self,
        job: Union[AsyncJob, str],
        *,
        timeout: Optional[float] = None,
        on_progress: Optional[OnProgress] = None,
        cancel_on_interrupt: bool = False,
    ) -> AsyncJob:
        """Waits until a job has ended. Raises `JobFailedError`, and `TimeoutError` after `timeout` seconds."""
        read = await self.get(job) if isinstance(job, str) else job
        data = await wait_for_job(
            self._http,
            read.data,
            timeout=timeout,
            on_progress=on_progress,
            cancel_on_interrupt=cancel_on_interrupt,
        )
        return AsyncJob(data, self._http)

    async def list(
        self,
        *,
        limit: Optional[int] = None,
        starting_after: Optional[str] = None,
        status: Optional[JobStatus] = None,
        operation: Optional[str] = None,
        filename: Optional[str] = None,
        error_code: Optional[str] = None,
        key: Optional[str] = None,
        created_after: Union[datetime, str, None] = None,
        created_before: Union[datetime, str, None] = None,
        metadata: Optional[Mapping[str, str]] = None,
    ) -> AsyncIterator[AsyncJob]:
        """The account's jobs, newest first, page by page as they are read; at most `limit`."""
        query = {
            "status": status,
            "operation": operation,
            "filename": filename,
            "error_code": error_code,
            "key": key,
            "created_after": timestamp(created_after),
            "created_before": timestamp(created_before),
            "metadata": metadata,
        }
        after = starting_after
        left = limit
        while left is None or left > 0:
            size = _page if left is None else min(_page, left)
            page = {**query, "limit": size, "starting_after": after}
            response = await self._http.send("GET", "/v1/jobs", query=page)
            jobs = read_json(response)["jobs"]
            for data in jobs:
                yield AsyncJob(data, self._http)
            # A page of jobs with long parameters is shorter than its limit.
            if not jobs or (len(jobs) < size and "next" not in response.links):
                return
            after = jobs[-1]["id"]
            left = None if left is None else left - len(jobs)

    async def cancel(self, job_id: str) -> AsyncJob:
        return await self._job("POST", f"/v1/jobs/{job_id}/cancel")

    async def retry(self, job_id: str) -> AsyncJob:
        """A new job with the input of one that failed or was cancelled."""
        headers = {"Idempotency-Key": str(uuid.uuid4())}
        return await self._job("POST", f"/v1/jobs/{job_id}/retry", headers=headers)

    async def delete(self, job_id: str) -> None:
        """Deletes the job's files; its record stays."""
        await self._http.send("DELETE", f"/v1/jobs/{job_id}")

    async def steps(self, job_id: str) -> List[JobStepData]:
        """The operations of a job with their times, and what lies between them if it was kept."""
        return (await self._http.json("GET", f"/v1/jobs/{job_id}/steps"))["steps"]

    def archive(self, job_id: str) -> AsyncDownload:
        """All outputs as one ZIP file."""
        return AsyncDownload(self._http, f"/v1/jobs/{job_id}/archive", f"{job_id}.zip")

    async def _job(self, method: str, path: str, **request: Any) -> AsyncJob:
        return AsyncJob(await self._http.json(method, path, **request), self._http)


def timestamp(time: Union[datetime, str, None]) -> Optional[str]:
    if not isinstance(time, datetime):
        return time
    return time.astimezone(timezone.utc).isoformat().replace("+00:00", "Z")
