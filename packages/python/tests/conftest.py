"""The tests run against a service, which the environment names.

See tests/api/clients/python.test.ts.
"""

import os
from pathlib import Path
from typing import Iterator

import pytest

from mediamill import Mediamill

photo_path = Path(__file__).parents[3] / "public/samples/inputs/photo.jpg"


class Setting:
    """The service, a server of files and webhooks, and an account."""

    base_url = os.environ.get("MEDIAMILL_BASE_URL", "")
    api_key = os.environ.get("MEDIAMILL_API_KEY", "")
    host_url = os.environ.get("TEST_HOST_URL", "")
    host_folder = Path(os.environ.get("TEST_HOST_FOLDER", "/"))
    webhook_secret = os.environ.get("TEST_WEBHOOK_SECRET", "")
    other_api_key = os.environ.get("TEST_OTHER_API_KEY", "")


@pytest.fixture(scope="session")
def setting() -> Setting:
    return Setting()


@pytest.fixture(scope="session")
def mm() -> Iterator[Mediamill]:
    with Mediamill() as client:
        yield client


@pytest.fixture(scope="session")
def photo() -> Path:
    return photo_path


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"
