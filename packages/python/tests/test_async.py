"""The asynchronous client. Its modules are what the synchronous ones are made from."""

import asyncio
import uuid
from pathlib import Path
from typing import AsyncIterator, List

import pytest
from conftest import Setting
from servers import cutting_proxy

from mediamill import (
    AsyncMediamill,
    InvalidRequestError,
    JobFailedError,
    Progress,
    TimeoutError,
)

pytestmark = pytest.mark.anyio


@pytest.fixture
async def mm() -> AsyncIterator[AsyncMediamill]:
    async with AsyncMediamill() as client:
        yield client


async def test_runs_several_at_once_and_saves(
    mm: AsyncMediamill, photo: Path, tmp_path: Path
) -> None:
    jobs = await asyncio.gather(
        mm.run("image/resize", input=photo, width=80),
        mm.run("image/resize", input=photo.read_bytes(), width=90),
        mm.run("image/qr-code", text="a"),
        mm.chain(photo).resize(width=64).convert(format="png").run(),
    )
    assert [job.output.data["width"] for job in jobs[:2]] == [80, 90]
    saved = await jobs[0].output.save(tmp_path / "small.jpg")
    assert Path(saved).read_bytes() == await jobs[0].output.bytes()
    assert b"".join([chunk async for chunk in jobs[0].output.stream()])[:2] == b"\xff\xd8"


async def test_uploads_with_progress(mm: AsyncMediamill, photo: Path) -> None:
    seen: List[Progress] = []

    async def report(progress: Progress) -> None:
        seen.append(progress)

    await mm.run("image/palette", input=photo, on_progress=report)
    assert seen[0].phase == "upload"
    assert seen[-1] == Progress("processing", 100)


async def test_returns_the_response_with_the_data(mm: AsyncMediamill) -> None:
    created = await mm.with_response(lambda mm: mm.create("image/qr-code", text="a"))
    assert created.response.headers["location"] == f"/v1/jobs/{created.data.id}"


async def test_raises_the_errors_of_the_service_and_of_the_job(
    mm: AsyncMediamill, photo: Path
) -> None:
    with pytest.raises(InvalidRequestError):
        await mm.run("image/resize", input=photo, width=-1)
    with pytest.raises(JobFailedError):
        await mm.run("image/resize", input="http://127.0.0.1:1/", width=1)


async def test_a_cancelled_task_cancels_its_job_if_asked_to(
    mm: AsyncMediamill, setting: Setting
) -> None:
    label = str(uuid.uuid4())
    url = f"{setting.host_url}/hang/{label}"
    seen = asyncio.Event()
    running = asyncio.ensure_future(
        mm.run(
            "pipeline/file-inspect",
            input=url,
            metadata={"test": label},
            on_progress=lambda _progress: seen.set(),
            cancel_on_interrupt=True,
        )
    )
    await seen.wait()
    running.cancel()
    with pytest.raises(asyncio.CancelledError):
        await running
    statuses = [job.status async for job in mm.jobs.list(metadata={"test": label})]
    assert statuses == ["cancelled"]
    with pytest.raises(TimeoutError) as error:
        await mm.run("pipeline/file-inspect", input=url, timeout=0.3)
    await mm.jobs.cancel(error.value.job_id or "")


async def test_a_cut_connection_makes_one_job(
    mm: AsyncMediamill, photo: Path, setting: Setting
) -> None:
    label = str(uuid.uuid4())
    with cutting_proxy(setting.base_url, []) as url:
        async with AsyncMediamill(base_url=url) as cut:
            job = await cut.run("image/palette", input=photo, metadata={"test": label})
    assert [one.id async for one in mm.jobs.list(metadata={"test": label})] == [job.id]


async def test_receives_events(photo: Path, setting: Setting) -> None:
    async with AsyncMediamill(api_key=setting.other_api_key) as other:
        created: List[str] = []

        def create(_position: str) -> None:
            created.append("")

        events = other.events(types=["job.completed"], on_position=create)
        first = asyncio.ensure_future(events.__anext__())
        while not created:
            await asyncio.sleep(0.05)
        job = await other.run("image/qr-code", text="event")
        assert (await first).job["id"] == job.id
