"""Starts Chromium and relays its connections to the guarded proxy outside the sandbox.

The sandbox has no network except its own loopback interface. This program listens on a free loopback
port, starts Chromium with that port as its proxy, and forwards each connection to the UNIX socket of
the guarded proxy. Chromium replaces this process (exec); a child process does the relaying.

Usage: relay.py SOCKET CHROMIUM [ARGUMENT ...]
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
    """Copies all bytes until the end of the stream."""
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
        # The kernel kills the relay when Chromium exits for any reason.
        ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGKILL)
        if os.getppid() != parent:
            sys.exit()
        # Only Chromium keeps its pipes open, so that they close when it exits.
        for descriptor in (0, 1, 3, 4):
            os.close(descriptor)
        asyncio.run(relay(listener, path))
    else:
        os.execvp(command, [command, *arguments, f"--proxy-server=http://127.0.0.1:{port}"])


main()
