"""Converts one document to PDF again and again with one warm LibreOffice over UNO, for the benchmark.

Usage: uno-loop.py SOFFICE PROFILE INPUT OUTPUT

Prints "ready" when soffice is connected. Then each line on stdin is a number of seconds: it converts
the document for that long and prints the number of conversions.
"""

import os
import subprocess
import sys
import time

import uno
from com.sun.star.beans import PropertyValue
from com.sun.star.connection import NoConnectException


def properties(**values):
    return tuple(PropertyValue(Name=name, Value=value) for name, value in values.items())


def connect(soffice, profile):
    pipe = f"bench-{os.getpid()}"
    command = [soffice, "--headless", "--invisible", "--norestore", "--nologo", "--nodefault"]
    command += [f"-env:UserInstallation=file://{profile}", f"--accept=pipe,name={pipe};urp"]
    local = uno.getComponentContext()
    resolver = local.ServiceManager.createInstanceWithContext(
        "com.sun.star.bridge.UnoUrlResolver", local
    )
    office = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL)
    while True:
        try:
            return office, resolver.resolve(f"uno:pipe,name={pipe};urp;StarOffice.ComponentContext")
        except NoConnectException:
            # At its first start with a profile, soffice exits and expects to be started again.
            if office.poll() is not None:
                office = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL)
            time.sleep(0.02)


def convert(desktop, source, target):
    document = desktop.loadComponentFromURL(
        uno.systemPathToFileUrl(source), "_blank", 0, properties(Hidden=True, ReadOnly=True)
    )
    document.storeToURL(
        uno.systemPathToFileUrl(target), properties(FilterName="writer_pdf_Export")
    )
    document.close(True)


def main():
    soffice, profile, source, target = sys.argv[1:]
    office, context = connect(soffice, profile)
    desktop = context.ServiceManager.createInstanceWithContext("com.sun.star.frame.Desktop", context)
    print("ready", flush=True)
    try:
        for line in sys.stdin:
            deadline = time.monotonic() + float(line)
            count = 0
            while time.monotonic() < deadline:
                convert(desktop, source, target)
                count += 1
            print(count, flush=True)
    finally:
        office.kill()


main()
