"""Servers that fail in a certain way."""

import socket
import threading
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Callable, Dict, Iterator, List, Tuple
from urllib.parse import urlsplit

Answer = Tuple[int, Dict[str, str], bytes]


@contextmanager
def scripted_server(answer: Callable[[int, Any], Answer]) -> Iterator[str]:
    """A server whose answers are made from the number of the request, from 0, and the request."""
    count = 0
    lock = threading.Lock()

    class Handler(BaseHTTPRequestHandler):
        def handle_request(self) -> None:
            nonlocal count
            self.rfile.read(int(self.headers.get("content-length", 0)))
            with lock:
                number, count = count, count + 1
            status, headers, body = answer(number, self)
            self.send_response(status)
            for name, value in {**headers, "content-length": str(len(body))}.items():
                self.send_header(name, value)
            self.end_headers()
            self.wfile.write(body)

        do_GET = do_POST = do_PUT = do_DELETE = handle_request

        def log_message(self, *_args: Any) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True).start()
    try:
        yield f"http://127.0.0.1:{server.server_port}"
    finally:
        server.shutdown()
        server.server_close()


@contextmanager
def cutting_proxy(target: str, cuts: List[int]) -> Iterator[str]:
    """A proxy that cuts its first connection as soon as the service answers. `cuts` gets connections."""
    parts = urlsplit(target)
    listener = socket.create_server(("127.0.0.1", 0))

    def serve() -> None:
        while True:
            try:
                client, _ = listener.accept()
            except OSError:
                return
            service = socket.create_connection((parts.hostname, parts.port or 80))
            cuts.append(len(cuts))
            is_cut = len(cuts) == 1
            threading.Thread(target=_copy, args=(client, service), daemon=True).start()
            threading.Thread(target=_answer, args=(service, client, is_cut), daemon=True).start()

    threading.Thread(target=serve, daemon=True).start()
    try:
        yield f"http://127.0.0.1:{listener.getsockname()[1]}"
    finally:
        listener.close()


def _answer(service: socket.socket, client: socket.socket, is_cut: bool) -> None:
    if not is_cut:
        return _copy(service, client)
    service.recv(1)
    client.shutdown(socket.SHUT_RDWR)
    client.close()
    service.close()


def _copy(source: socket.socket, target: socket.socket) -> None:
    try:
        while True:
            chunk = source.recv(65536)
            if not chunk:
                break
            target.sendall(chunk)
        target.shutdown(socket.SHUT_WR)
    except OSError:
        pass
