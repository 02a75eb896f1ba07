"""Uploads, and a service whose response to a file is lost."""

import json
from pathlib import Path
from typing import Any, List

import pytest
from servers import Answer, scripted_server

from mediamill import AsyncMediamill, ConflictError, InvalidRequestError, Mediamill


def _json(value: Any, status: int = 200) -> Answer:
    return status, {}, json.dumps(value).encode()


@pytest.mark.parametrize(
    "state",
    [_json({"id": "upload_1", "status": "complete"}), _json({"error": "Not in the scope."}, 403)],
)
def test_a_file_that_arrived_is_uploaded_although_its_response_was_lost(state: Answer) -> None:
    requests: List[str] = []
    with _losing_server(requests, state) as url, Mediamill("key", url) as client:
        assert client.uploads.create(b"content")["id"] == "upload_1"
    sent = ["PUT /put", "PUT /put"]
    assert requests == ["POST /v1/uploads", *sent, "GET /v1/uploads/upload_1"]


def test_a_conflict_of_a_file_that_has_not_arrived_is_an_error() -> None:
    waiting = _json({"id": "upload_1", "status": "waiting"})
    with _losing_server([], waiting) as url, Mediamill("key", url) as client:
        with pytest.raises(ConflictError):
            client.uploads.create(b"content")


def _losing_server(requests: List[str], state: Answer) -> Any:
    """A service behind a proxy that loses the response to the first file."""

    def answer(_number: int, request: Any) -> Answer:
        requests.append(f"{request.command} {request.path}")
        if request.command == "POST":
            target = f"http://{request.headers['host']}/put"
            return _json({"id": "upload_1", "url": target, "method": "PUT", "headers": {}})
        if request.command == "GET":
            return state
        if requests.count("PUT /put") > 1:
            return _json({"error": "The file of this upload was already received."}, 409)
        return 502, {}, b""

    return scripted_server(answer)


def test_a_call_with_the_same_key_finds_the_upload_and_the_job(
    mm: Mediamill, monkeypatch: Any
) -> None:
    def run(text: bytes) -> str:
        return mm.run(
            "pipeline/file-inspect",
            input=("a.txt", text),
            on_progress=lambda _: None,
            idempotency_key="python-rerun",
        ).id

    first = run(b"content")
    with monkeypatch.context() as patch:
        patch.setattr("mediamill._sync.upload.read_content", None)
        assert run(b"content") == first
    with pytest.raises(InvalidRequestError) as error:
        run(b"CONTENT")
    assert error.value.code == "idempotency_conflict"


def test_a_large_file_is_sent_once_for_calls_with_the_same_key(
    mm: Mediamill, tmp_path: Path, monkeypatch: Any
) -> None:
    path = tmp_path / "large.bin"
    path.write_bytes(bytes(50_000_000))

    def run() -> str:
        return mm.run("pipeline/file-inspect", input=path, idempotency_key="python-large").id

    first = run()
    monkeypatch.setattr("mediamill._sync.resumable._send_by_tus", None)
    monkeypatch.setattr("mediamill._sync.resumable._send_parts", None)
    assert run() == first


@pytest.mark.anyio
async def test_a_call_after_the_upload_has_expired_creates_another_one() -> None:
    keys: List[str] = []
    expired = _json({"id": "upload_1", "status": "expired"})

    def answer(_number: int, request: Any) -> Answer:
        url = f"http://{request.headers['host']}/put"
        if request.command == "PUT":
            return 204, {}, b""
        if request.command == "GET":
            return expired
        if request.path != "/v1/uploads":
            return _json({"id": "job_1", "status": "completed", "outputs": []})
        keys.append(request.headers["idempotency-key"])
        is_first = len(keys[-1]) == 64
        replayed = {"idempotency-replayed": "true"} if is_first else {}
        number = 1 if is_first else 2
        return 201, replayed, _json({"id": f"upload_{number}", "url": url, "headers": {}})[2]

    with scripted_server(answer) as url:
        async with AsyncMediamill("key", url) as client:
            for _ in range(2):
                await client.create(
                    "video/remux",
                    input=b"content",
                    on_progress=lambda _: None,
                    idempotency_key="order-1",
                )
    assert keys == [keys[0], f"{keys[0]} upload_1"] * 2
