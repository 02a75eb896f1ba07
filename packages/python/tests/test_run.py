"""`run` with every kind of file, and how it waits."""

import io
import os
import shutil
import uuid
from pathlib import Path
from typing import Any, List

import httpx
import pytest
from conftest import Setting

from mediamill import (
    InvalidRequestError,
    JobFailedError,
    Mediamill,
    Progress,
    TimeoutError,
)


def test_takes_a_path_and_saves_the_output(mm: Mediamill, photo: Path, tmp_path: Path) -> None:
    job = mm.run("image/resize", input=str(photo), width=80)
    assert (job.status, job.progress, job.warnings) == ("completed", 100, [])
    assert job.output.filename == "photo-resize.jpg"
    assert job.output.content_type == "image/jpeg"
    assert job.output.data["width"] == 80
    saved = job.output.save(tmp_path)
    assert saved == str(tmp_path / "photo-resize.jpg")
    assert os.stat(saved).st_size == job.output.size
    assert job.output.bytes() == Path(saved).read_bytes() == b"".join(job.output.stream())
    assert os.listdir(tmp_path) == ["photo-resize.jpg"]


class ReplacingClient(httpx.Client):
    """As from httpx 0.28 on, where parameters replace the query of a URL, even if there are none."""

    def build_request(
        self, method: str, url: Any, *, params: Any = None, **options: Any
    ) -> httpx.Request:
        if params is not None:
            url = httpx.URL(url).copy_with(query=None)
        return super().build_request(method, url, params=params, **options)


def test_reads_an_output_with_each_version_of_httpx(photo: Path) -> None:
    with ReplacingClient() as http_client:
        job = Mediamill(http_client=http_client).run("image/resize", input=photo, width=80)
        assert len(job.output.bytes()) == job.output.size


class Pipe(io.RawIOBase):
    """A file object that can be read once."""

    def __init__(self, data: bytes) -> None:
        self._data = io.BytesIO(data)

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        return self._data.readinto(buffer)


@pytest.mark.parametrize(
    "name, make",
    [
        ("photo.jpg", lambda photo: photo),
        ("photo.jpg", lambda photo: photo.open("rb")),
        ("file", lambda photo: photo.read_bytes()),
        ("file", lambda photo: io.BytesIO(photo.read_bytes())),
        ("file", lambda photo: Pipe(photo.read_bytes())),
        ('it\'s "my" 東京.jpg', lambda photo: ('it\'s "my" 東京.jpg', photo.read_bytes())),
    ],
    ids=["a Path", "an open file", "bytes", "a file object", "a pipe", "content with a name"],
)
def test_takes(mm: Mediamill, photo: Path, name: str, make: Any) -> None:
    job = mm.run("image/metadata", input=make(photo))
    assert job.data["input"]["content_type"] == "image/jpeg"
    assert job.data["input"]["filename"] == name
    assert job.result is not None


def test_refuses_what_is_not_a_file_before_it_sends_anything(mm: Mediamill, photo: Path) -> None:
    with pytest.raises(FileNotFoundError):
        mm.run("image/metadata", input="no-such-file.jpg")
    with pytest.raises(TypeError, match="text mode"):
        mm.run("image/metadata", input=io.StringIO("text"))  # type: ignore
    with pytest.raises(TypeError, match="not int"):
        mm.run("image/metadata", input=1)  # type: ignore


def test_takes_a_url_several_files_and_further_files(
    mm: Mediamill, photo: Path, setting: Setting
) -> None:
    shutil.copy(photo, setting.host_folder / "python.jpg")
    url = f"{setting.host_url}/python.jpg"
    animation = mm.run("image/animated", inputs=[url, photo])
    assert animation.output.size > 1000
    marked = mm.run("image/watermark-image", input=url, watermark=str(photo), metadata={"order": "7"})
    assert marked.data["metadata"] == {"order": "7"}
    assert marked.data["input"]["filename"] == "python.jpg"
    both_remote = mm.run("image/watermark-image", input=url, watermark=url)
    assert both_remote.status == "completed"


def test_takes_no_file_where_none_is_needed(mm: Mediamill) -> None:
    job = mm.run("image/qr-code", text="https://example.com/?a=1&b='2' \u2028")
    assert job.output.content_type == "image/png"
    assert job.data["params"]["text"].endswith("\u2028")


def test_uploads_with_progress(mm: Mediamill, photo: Path) -> None:
    seen: List[Progress] = []
    job = mm.run("image/palette", input=photo, on_progress=seen.append)
    assert job.data["input"]["filename"] == "photo.jpg"
    assert seen[0].phase == "upload"
    assert seen[-1] == Progress("processing", 100)
    percents = [one.percent for one in seen if one.phase == "upload"]
    assert percents == sorted(percents) and percents[-1] == 100


def test_large_content_is_an_upload(mm: Mediamill, monkeypatch: Any, photo: Path) -> None:
    monkeypatch.setattr("mediamill._sync.form_limit._max_form_bytes", 1000)
    job = mm.run("image/watermark-image", input=photo, watermark=photo.read_bytes())
    assert job.status == "completed"
    assert job.data["input"]["filename"] == "photo.jpg"


def test_raises_the_error_of_the_service_and_of_the_job(mm: Mediamill, photo: Path) -> None:
    with pytest.raises(InvalidRequestError, match="`width`") as wrong:
        mm.run("image/resize", input=photo, width=-1)
    assert (wrong.value.status, wrong.value.code) == (400, "invalid_parameter")
    assert (wrong.value.request_id or "").startswith("req_")
    with pytest.raises(JobFailedError) as failed:
        mm.run("image/resize", input="http://127.0.0.1:1/", width=1)
    assert failed.value.code == "address_refused"
    assert failed.value.job["status"] == "failed"


@pytest.mark.parametrize("on_progress", [None, lambda _progress: None])
def test_gives_up_after_the_timeout_and_says_which_job_goes_on(
    mm: Mediamill, setting: Setting, on_progress: Any
) -> None:
    url = f"{setting.host_url}/hang/python-{uuid.uuid4()}"
    with pytest.raises(TimeoutError) as error:
        mm.run("pipeline/file-inspect", input=url, timeout=0.4, on_progress=on_progress)
    assert mm.jobs.cancel(error.value.job_id or "").status == "cancelled"


def test_an_interrupted_call_cancels_its_job_if_asked_to(mm: Mediamill, setting: Setting) -> None:
    label = str(uuid.uuid4())

    def interrupt(_progress: Progress) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        mm.run(
            "pipeline/file-inspect",
            input=f"{setting.host_url}/hang/{label}",
            metadata={"test": label},
            on_progress=interrupt,
            cancel_on_interrupt=True,
        )
    assert [job.status for job in mm.jobs.list(metadata={"test": label})] == ["cancelled"]
