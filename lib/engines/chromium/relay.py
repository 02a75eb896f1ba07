"""Starts Chromium with one way out of its sandbox.

The sandbox has no network, only its own loopback. This program listens on a free loopback port,
tells Chromium that port as its proxy and hands every connection on to the UNIX socket behind which
the guarded proxy waits. Chromium takes this process over; a child of it goes on relaying.

Usage: chromium-relay.py SOCKET CHROMIUM [ARGUMENT ...]
"""

import asyncio
import ctypes
import os
import signal
import socket
import sys

CHUNK_BYTES = 65536

# From <linux/prctl.h>.
PR_SET_PDEATHSIG = 1


async def copy(reader, writer):
    """Passes on what comes, to the end of it."""
    try:
        while chunk := await reader.read(CHUNK_BYTES):
            writer.write(chunk)
            await writer.drain()
        if writer.can_write_eof():
            writer.write_eof()
    except OSError:
        writer.close()


async def relay(listener, path):
    async def connect(reader, writer):
        try:
            proxy_reader, proxy_writer = await asyncio.open_unix_connection(path)
        except OSError:
            writer.close()
            return
        await asyncio.gather(copy(reader, proxy_writer), copy(proxy_reader, writer))
        proxy_writer.close()
        writer.close()

    server = await asyncio.start_server(connect, sock=listener)
    await server.serve_forever()


def main():
    path, command, *arguments = sys.argv[1:]
    listener = socket.socket()
    listener.bind(("127.0.0.1", 0))
    listener.listen(128)
    port = listener.getsockname()[1]
    parent = os.getpid()
    if os.fork() == 0:
        # Without Chromium nobody is left to relay for, however it ended.
        ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGKILL)
        if os.getppid() != parent:
            sys.exit()
        # Chromium's pipes belong to Chromium alone, so that their end is its end.
        for descriptor in (0, 1, 3, 4):
            os.close(descriptor)
        asyncio.run(relay(listener, path))
    else:
        os.execv(command, [command, *arguments, f"--proxy-server=http://127.0.0.1:{port}"])


main()
