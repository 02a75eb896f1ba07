"""Uploads, and a service whose response to a file is lost."""

import json
from typing import Any, List

import pytest
from servers import Answer, scripted_server

from mediamill import ConflictError, Mediamill


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
