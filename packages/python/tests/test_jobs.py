"""Jobs, chains, usage and events."""

from itertools import islice
from pathlib import Path
from typing import List
from zipfile import ZipFile

import pytest
from conftest import Setting

from mediamill import ConflictError, Mediamill, NotFoundError


def test_runs_a_chain(mm: Mediamill, photo: Path) -> None:
    job = mm.chain(photo).resize(width=64).convert(format="png").run()
    assert job.output.content_type == "image/png"
    assert job.output.data["width"] == 64
    chain = mm.chain("clip.mp4").resize(width=320).add("video/mute")
    assert [step["type"] for step in chain.steps] == ["video/resize", "video/mute"]
    fade = mm.chain("a.mp3").fade(in_=1)
    assert fade.steps == [{"type": "audio/fade", "params": {"in": 1}}]
    with pytest.raises(AttributeError, match="no_such_operation"):
        mm.chain("a.mp3").no_such_operation()  # type: ignore


def test_lists_reads_waits_for_and_deletes_jobs(mm: Mediamill, photo: Path, tmp_path: Path) -> None:
    created = mm.create("image/palette", input=photo)
    job = mm.jobs.wait(created)
    assert job.is_final and mm.jobs.wait(job.id).result == job.result
    assert job.id in [one.id for one in mm.jobs.list(operation="image/palette")]
    assert len(list(mm.jobs.list(limit=1))) == 1
    with pytest.raises(ConflictError):
        mm.jobs.retry(job.id)
    with ZipFile(mm.jobs.archive(mm.run("image/qr-code", text="a").id).save(tmp_path)) as archive:
        assert len(archive.namelist()) == 1
    mm.jobs.delete(job.id)
    assert mm.jobs.get(job.id, wait=1).outputs == []
    with pytest.raises(NotFoundError):
        mm.jobs.get("job_" + "0" * 24)
    assert mm.usage()["total_jobs"] > 0
    report = mm.usage_report(group_by="operation")
    assert report["total"]["jobs"] == sum(group["jobs"] for group in report["groups"]) > 0
    assert "image/resize" in [one["id"] for one in mm.operations()]
    assert mm.request("GET", "/v1/jobs", query={"limit": 1}).headers["x-request-id"]


def test_returns_the_response_with_the_data(mm: Mediamill) -> None:
    created = mm.with_response(lambda mm: mm.create("image/qr-code", text="a"))
    assert created.response.status_code == 202
    assert created.response.headers["location"] == f"/v1/jobs/{created.data.id}"
    read = mm.with_response(lambda mm: mm.jobs.get(created.data.id))
    assert (read.data.id, read.response.status_code) == (created.data.id, 200)
    assert mm.with_response(lambda mm: mm.usage()).response.headers["x-request-id"]
    with pytest.raises(ValueError, match="no request"):
        mm.with_response(lambda mm: mm.jobs)


def test_pages_through_lists(mm: Mediamill, photo: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    created = [mm.create("image/qr-code", text=str(n), metadata={"test": "pages"}) for n in range(3)]
    monkeypatch.setattr("mediamill._sync.jobs._page", 2)
    listed = [job.id for job in mm.jobs.list(metadata={"test": "pages"})]
    assert listed == [job.id for job in reversed(created)]


def test_receives_the_events_of_the_account_and_resumes(photo: Path, setting: Setting) -> None:
    with Mediamill(api_key=setting.other_api_key) as other:
        positions: List[str] = []
        jobs: List[str] = []

        def create(position: str) -> None:
            positions.append(position)
            if not jobs:
                jobs.append(other.create("pipeline/file-inspect", input=photo).id)

        event = next(iter(other.events(types=["job.completed"], on_position=create)))
        assert (event.type, event.job["id"]) == ("job.completed", jobs[0])
        events = other.events(last_event_id=positions[0])
        types = (event.type for event in events if event.type != "job.progress")
        assert list(islice(types, 3)) == ["job.created", "job.started", "job.completed"]
        after = other.events(last_event_id=event.id)
        second = other.create("pipeline/file-inspect", input=photo)
        assert next(iter(after)).job["id"] == second.id
