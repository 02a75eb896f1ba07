"""Servers and connections that fail."""

import json
import time
from pathlib import Path
from typing import Any, List

import pytest
from conftest import Setting
from servers import Answer, cutting_proxy, scripted_server

from mediamill import (
    ApiError,
    ConflictError,
    ConnectionError,
    InvalidRequestError,
    Mediamill,
)

job = {"id": "job_1", "status": "completed", "operation": "image/qr-code", "outputs": []}
finished: Answer = (200, {}, json.dumps(job).encode())


def test_a_connection_cut_before_the_answer_to_a_create_makes_one_job(
    mm: Mediamill, photo: Path, setting: Setting
) -> None:
    connections: List[int] = []
    with cutting_proxy(setting.base_url, connections) as url, Mediamill(base_url=url) as cut:
        job = cut.run("image/palette", input=photo, metadata={"test": "python-cut"})
    assert len(connections) > 1
    assert [one.id for one in mm.jobs.list(metadata={"test": "python-cut"})] == [job.id]


def test_waits_as_long_as_the_server_asks_and_sends_the_same_key() -> None:
    keys: List[str] = []
    times: List[float] = []

    def answer(number: int, request: Any) -> Answer:
        keys.append(request.headers["idempotency-key"])
        times.append(time.monotonic())
        if number == 0:
            headers = {"retry-after": "1", "x-error-code": "rate_limited"}
            return 429, headers, b'{"error":"Too many requests."}'
        return finished

    with scripted_server(answer) as url, Mediamill(base_url=url) as slow:
        slow.run("image/qr-code", text="a")
        slow.run("image/qr-code", text="a")
    assert times[1] - times[0] >= 0.99
    assert keys[0] == keys[1] != keys[2]


@pytest.mark.parametrize("status, headers", [(408, {}), (502, {}), (409, {"retry-after": "0"})])
def test_repeats_what_may_pass(status: int, headers: Any) -> None:
    with scripted_server(lambda n, _: finished if n else (status, headers, b"")) as url:
        with Mediamill(base_url=url) as client:
            assert client.run("image/qr-code", text="a").id == "job_1"


@pytest.mark.parametrize(
    "status, expected", [(400, InvalidRequestError), (409, ConflictError)]
)
def test_does_not_repeat_what_is_wrong(status: int, expected: Any) -> None:
    requests: List[int] = []

    def answer(number: int, _request: Any) -> Answer:
        requests.append(number)
        return status, {"x-error-code": "invalid_parameter"}, b'{"error":"No."}'

    with scripted_server(answer) as url, Mediamill(base_url=url) as failing:
        with pytest.raises(expected, match="No."):
            failing.usage()
    assert requests == [0]


def test_sends_the_retry_of_a_job_again_with_the_same_key() -> None:
    keys: List[str] = []

    def answer(number: int, request: Any) -> Answer:
        keys.append(request.headers["idempotency-key"])
        return finished if number else (500, {}, b"<html>")

    with scripted_server(answer) as url, Mediamill(base_url=url) as failing:
        assert failing.jobs.retry("job_0").id == "job_1"
        failing.jobs.retry("job_0")
    assert keys[0] == keys[1] != keys[2]


def test_follows_a_job_by_polling_where_events_do_not_get_through() -> None:
    paths: List[str] = []

    def answer(_number: int, request: Any) -> Answer:
        paths.append(request.path)
        if request.path.endswith("/events"):
            return 200, {}, b": nothing\n\n"
        if request.command == "POST":
            return 202, {}, json.dumps({**job, "status": "processing"}).encode()
        return finished

    with scripted_server(answer) as url, Mediamill(base_url=url) as client:
        assert client.run("image/qr-code", text="a").status == "completed"
    assert paths[-1] == "/v1/jobs/job_1?wait=30"


def test_polls_at_once_when_the_account_has_too_many_streams() -> None:
    paths: List[str] = []

    def answer(_number: int, request: Any) -> Answer:
        paths.append(request.path)
        if request.path.endswith("/events"):
            return 429, {"retry-after": "30"}, json.dumps({"error": "Too many."}).encode()
        if request.command == "POST":
            return 202, {}, json.dumps({**job, "status": "processing"}).encode()
        return finished

    with scripted_server(answer) as url, Mediamill(base_url=url) as client:
        assert client.run("image/qr-code", text="a").status == "completed"
    assert paths[1:] == ["/v1/jobs/job_1/events", "/v1/jobs/job_1?wait=30"]


def test_reads_the_job_without_wait_when_the_account_has_too_many_long_polls() -> None:
    paths: List[str] = []

    def answer(number: int, request: Any) -> Answer:
        paths.append(request.path)
        if number in (0, 3):
            return 200, {}, json.dumps({**job, "status": "processing"}).encode()
        if request.path == "/v1/jobs/job_1":
            return finished
        return 429, {"retry-after": "0"}, json.dumps({"error": "Too many."}).encode()

    with scripted_server(answer) as url, Mediamill(base_url=url, max_retries=0) as client:
        assert client.run("image/qr-code", text="a").status == "completed"
    polls = ["/v1/jobs/job_1?wait=30", "/v1/jobs/job_1"]
    assert paths[1:] == ["/v1/jobs/job_1/events", *polls, *polls]


def test_lists_on_after_a_page_that_is_shorter_than_its_limit() -> None:
    paths: List[str] = []

    def answer(number: int, request: Any) -> Answer:
        paths.append(request.path)
        headers = {"link": '</v1/jobs?limit=100>; rel="next"'} if number == 0 else {}
        page = {"jobs": [{**job, "id": f"job_{number}"}]}
        return 200, headers, json.dumps(page).encode()

    with scripted_server(answer) as url, Mediamill(base_url=url) as client:
        assert [one.id for one in client.jobs.list(limit=50)] == ["job_0", "job_1"]
    assert paths == ["/v1/jobs?limit=50", "/v1/jobs?limit=49&starting_after=job_0"]


def test_a_server_that_is_not_the_service_is_reported() -> None:
    page: Answer = (200, {"content-type": "text/html"}, b"<h1>Hello</h1>")
    with scripted_server(lambda *_: page) as url, Mediamill(base_url=url) as client:
        with pytest.raises(ApiError, match="Check the base URL"):
            client.usage()
        with pytest.raises(ApiError, match="Check the base URL"):
            next(iter(client.events()))


def test_a_server_that_redirects_is_named() -> None:
    with scripted_server(lambda *_: finished) as target:
        moved: Answer = (301, {"location": f"{target}/v1/jobs"}, b"")
        with scripted_server(lambda *_: moved) as url, Mediamill(base_url=url) as client:
            with pytest.raises(ApiError, match=f"redirects to {target}"):
                client.run("image/qr-code", text="a")


def test_the_api_key_is_not_sent_to_other_hosts() -> None:
    keys: List[Any] = []

    def elsewhere(_number: int, request: Any) -> Answer:
        keys.append((request.headers["authorization"], request.headers["x-api-key"]))
        return 200, {}, b"content"

    with scripted_server(elsewhere) as other:
        redirect: Answer = (302, {"location": f"{other.replace('127.0.0.1', 'localhost')}/x"}, b"")
        with scripted_server(lambda *_: redirect) as url, Mediamill(base_url=url) as client:
            assert client.jobs.archive("job_1").bytes() == b"content"
    assert keys == [(None, None)]


def test_a_service_that_is_not_there(photo: Path) -> None:
    with Mediamill(base_url="http://127.0.0.1:1", max_retries=0) as nowhere:
        with pytest.raises(ConnectionError, match="could not be reached"):
            nowhere.run("image/resize", input=photo, width=1)


def test_a_download_that_is_cut_leaves_no_file(mm: Mediamill, tmp_path: Path) -> None:
    def answer(_number: int, request: Any) -> Answer:
        request.wfile.write(b"HTTP/1.0 200 OK\r\ncontent-length: 100\r\n\r\nshort")
        request.close_connection = True
        raise BrokenPipeError

    with scripted_server(answer) as url:
        data: Any = {**job, "outputs": [{"filename": "a.png", "url": f"{url}/a.png"}]}
        with pytest.raises(ConnectionError, match="cut"):
            mm.job(data).output.save(tmp_path)
    assert list(tmp_path.iterdir()) == []


def test_uploads_what_a_host_refuses_as_a_form_and_explains_a_refused_upload() -> None:
    requests: List[str] = []

    def host(account: Any, is_direct: bool) -> Any:
        def answer(_number: int, request: Any) -> Answer:
            is_form = request.headers.get("content-type", "").startswith("multipart")
            requests.append(f"{request.command} {request.path}{' form' if is_form else ''}")
            if is_form or (request.command == "PUT" and not is_direct):
                return 413, {"x-vercel-error": "FUNCTION_PAYLOAD_TOO_LARGE"}, b"Too Large"
            if request.path == "/v1/account":
                return 200, {}, json.dumps(account).encode()
            url = f"http://{request.headers['host']}/bucket"
            upload = {"id": "upload_1", "url": url, "method": "PUT", "headers": {}}
            return (200, {}, json.dumps(upload).encode()) if "uploads" in request.path else finished

        return scripted_server(answer)

    uploads = ["POST /v1/uploads", "PUT /bucket", "POST /v1/image/palette"]
    for account, first in [
        ({"uploads": {"direct": True, "form_bytes": 1_500_000}}, []),
        ({"email": "a@b.example"}, ["POST /v1/image/palette form"]),
    ]:
        requests.clear()
        with host(account, True) as url, Mediamill("key", url) as client:
            client.run("image/palette", input=bytes(2_000_000))
            client.run("image/palette", input=bytes(2_000_000))
        assert requests == ["GET /v1/account", *first, *uploads, *uploads]
    with host({}, False) as url, Mediamill("key", url) as client:
        with pytest.raises(InvalidRequestError, match="at most 4.5 MB per request.*send a URL"):
            client.run("image/palette", input=bytes(2_000_000))
