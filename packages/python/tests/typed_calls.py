"""Calls that type checkers accept, and calls that they refuse. It is checked, not run."""

from pathlib import Path
from typing import Dict

from mediamill import AsyncMediamill, Job, Mediamill, Progress


def accepted(mm: Mediamill) -> Job:
    mm.run("image/resize", input="photo.jpg", width=800, fit="cover", timeout=30)
    mm.run("image/resize", input=b"", width=800, on_progress=lambda progress: print(progress.percent))
    mm.run("image/watermark-image", input=Path("photo.jpg"), watermark=("logo.png", b""))
    mm.run("image/animated", inputs=["a.jpg", b""], metadata={"a": "1"})
    mm.run("image/qr-code", text="https://example.com")
    with open("photo.jpg", "rb") as file:
        mm.create("image/metadata", input=file, webhook_url="https://example.com/hook")
    palette = mm.run("image/palette", input=b"").result
    print(palette["colors"][0])
    for job in mm.jobs.list(status="failed"):
        print(job.data["error"])
    read = mm.with_response(lambda mm: mm.usage())
    print(read.data["plan"], read.response.headers["x-request-id"])
    return mm.chain("photo.jpg").resize(width=800).convert(format="webp").run(timeout=5)


def received(mm: Mediamill, body: bytes, headers: Dict[str, str], secret: str) -> str:
    """An event of an endpoint: its type says what its data is."""
    event = mm.webhooks.unwrap_endpoint(body, headers, secret)
    if event["type"] == "upload.completed":
        return str(event["data"]["any_field"])
    if event["type"] == "job.progress":
        return event["data"]["status"]
    return event["timestamp"]


async def accepted_async(mm: AsyncMediamill) -> bytes:
    async def report(progress: Progress) -> None:
        print(progress.phase)

    job = await mm.run("image/resize", input="photo.jpg", width=800, on_progress=report)
    async for event in mm.events(types=["job.completed"]):
        print(event.job["id"])
    await mm.chain("clip.mp4").add("video/mute").run()
    return await job.output.bytes()


def refused(mm: Mediamill) -> None:
    print(mm.with_response(lambda mm: mm.usage()).data["no_such_field"])  # type: ignore
    mm.run("image/resize", input="photo.jpg", width="800")  # type: ignore
    mm.run("image/resize", width=800)  # type: ignore
    mm.run("image/resize", input="photo.jpg", widht=800)  # type: ignore
    mm.run("image/resize", input="photo.jpg", fit="covered")  # type: ignore
    mm.run("image/no-such-operation", input="photo.jpg")  # type: ignore
    mm.run("image/convert", input="photo.jpg")  # type: ignore
    mm.run("image/animated", input="photo.jpg")  # type: ignore
    mm.chain("photo.jpg").resize(width="800")  # type: ignore
    print(mm.run("image/palette", input=b"").result["no_such_field"])  # type: ignore
    print(mm.run("image/resize", input=b"", width=1).result["width"])  # type: ignore
    mm.chain("photo.jpg").no_such_operation()  # type: ignore
