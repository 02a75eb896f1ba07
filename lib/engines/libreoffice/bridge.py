"""Runs one warm LibreOffice and converts documents to PDF with it.

Usage: bridge.py SOFFICE PROFILE, where PROFILE is a folder that does not exist yet

This is the first process of its sandbox. It starts soffice with a separate profile, connects to it
over a local pipe and then serves requests. Each line on stdin is a request, a JSON object:

    {"input": name, "output": name, "filter": import filter, "options": import filter options,
     "export": export filter, "pages": "1-3,5" or "", "table": whether it is a CSV table}

Names are relative to the working directory. Each line on stdout is a JSON object: {"ready": true} at
the start, then for each request {"result": {}} or {"error": {"code", "message"}}. The code is
"corrupt" (the document cannot be read), "encrypted" or "empty" (the page ranges match no page). Any
other error ends this process and thereby the sandbox.
"""

import json
import os
import subprocess
import sys
import threading
import time

import uno
import unohelper
from com.sun.star.awt import XCallback
from com.sun.star.beans import PropertyValue
from com.sun.star.connection import NoConnectException
from com.sun.star.io import IOException
from com.sun.star.lang import IllegalArgumentException
from com.sun.star.task import XInteractionHandler2
from com.sun.star.util import CloseVetoException

START_SECONDS = 60

# soffice exits with this code after it has filled a new profile (EXITHELPER_NORMAL_RESTART).
RESTART_CODE = 81

# com.sun.star.document.MacroExecMode.NEVER_EXECUTE and UpdateDocMode.NO_UPDATE
NEVER_EXECUTE = 0
NO_UPDATE = 0

# Disables macros, link updates, remote content, recovery and the first-start dialog.
SETTINGS = [
    ("Common/Security/Scripting", "DisableMacrosExecution", "true"),
    ("Common/Security/Scripting", "MacroSecurityLevel", "3"),
    ("Common/Security/Scripting", "BlockUntrustedRefererLinks", "true"),
    ("Common/Security/Scripting", "DisableActiveContent", "true"),
    ("Common/Misc", "FirstRun", "false"),
    ("Common/Misc", "UseOpenCL", "false"),
    ("Common/Misc", "CollectUsageInformation", "false"),
    ("Common/Save/Document", "AutoSave", "false"),
    ("Common/Load", "UserDefinedSettings", "false"),
    ("Common/History", "PickListSize", "0"),
    ("Recovery/RecoveryInfo", "Enabled", "false"),
    ("Recovery/AutoSave", "Enabled", "false"),
    ("Calc/Content/Update", "Link", "2"),
    ("Writer/Content/Update", "Link", "0"),
    ("Writer/Content/Update", "Field", "true"),
]


def write_profile(folder):
    """Creates the profile with the settings (schema org.openoffice.Office.*)."""
    items = "".join(
        f'<item oor:path="/org.openoffice.Office.{path}">'
        f'<prop oor:name="{name}" oor:op="fuse"><value>{value}</value></prop></item>'
        for path, name, value in SETTINGS
    )
    os.makedirs(os.path.join(folder, "user"))
    with open(os.path.join(folder, "user", "registrymodifications.xcu"), "w") as file:
        file.write(
            '<?xml version="1.0" encoding="UTF-8"?>'
            '<oor:items xmlns:oor="http://openoffice.org/2001/registry"'
            ' xmlns:xs="http://www.w3.org/2001/XMLSchema"'
            ' xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance">'
            f"{items}</oor:items>"
        )


def spawn_office(soffice, profile, pipe):
    return subprocess.Popen(
        [
            soffice,
            "--headless",
            "--invisible",
            "--norestore",
            "--nologo",
            "--nodefault",
            "--nolockcheck",
            "--nofirststartwizard",
            f"-env:UserInstallation=file://{profile}",
            f"--accept=pipe,name={pipe};urp",
        ],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
    )


def start_office(soffice, profile):
    """Starts soffice and returns its process and its component context."""
    write_profile(profile)
    pipe = f"mediamill-{os.getpid()}-{time.time_ns()}"
    local = uno.getComponentContext()
    resolver = local.ServiceManager.createInstanceWithContext(
        "com.sun.star.bridge.UnoUrlResolver", local
    )
    deadline = time.monotonic() + START_SECONDS
    office = spawn_office(soffice, profile, pipe)
    while True:
        try:
            context = resolver.resolve(f"uno:pipe,name={pipe};urp;StarOffice.ComponentContext")
            return office, context
        except NoConnectException:
            if office.poll() == RESTART_CODE:
                office = spawn_office(soffice, profile, pipe)
            elif office.poll() is not None or time.monotonic() > deadline:
                raise
            time.sleep(0.02)


def create(context, service):
    return context.ServiceManager.createInstanceWithContext(f"com.sun.star.{service}", context)


class MainThreadCall(unohelper.Base, XCallback):
    """Runs a function in soffice's main thread, without a turn of its event loop in between. Such a
    turn would open comments in separate windows. Without a GUI, that crashes soffice."""

    def __init__(self, function):
        self.function = function
        self.done = threading.Event()
        self.error = None

    def notify(self, _data):
        try:
            self.function()
        except BaseException as error:  # re-raised in the waiting thread
            self.error = error
        finally:
            self.done.set()

    def run(self, office, main_thread):
        main_thread.addCallback(self, None)
        while not self.done.wait(1):
            if office.poll() is not None:
                raise RuntimeError("soffice has exited")
        if self.error:
            raise self.error


class DocumentError(Exception):
    """The document cannot be converted. The only argument is the error code of the reply."""


class InteractionHandler(unohelper.Base, XInteractionHandler2):
    """Leaves all interaction requests unanswered, and records whether one asked for a password."""

    def __init__(self):
        self.wants_password = False

    def handle(self, request):
        self.handleInteractionRequest(request)

    def handleInteractionRequest(self, request):
        # Detected by the offered continuations: PyUNO cannot pass the request, which is an exception.
        if any(hasattr(option, "setPassword") for option in request.getContinuations()):
            self.wants_password = True
        return False


def properties(**values):
    return tuple(PropertyValue(Name=name, Value=value) for name, value in values.items())


def file_url(name):
    return uno.systemPathToFileUrl(os.path.abspath(name))


def load(desktop, request):
    interaction = InteractionHandler()
    try:
        document = desktop.loadComponentFromURL(
            file_url(request["input"]),
            "_blank",
            0,
            properties(
                Hidden=True,
                ReadOnly=True,
                FilterName=request["filter"],
                FilterOptions=request["options"],
                MacroExecutionMode=NEVER_EXECUTE,
                UpdateDocMode=NO_UPDATE,
                InteractionHandler=interaction,
            ),
        )
    except (IOException, IllegalArgumentException):
        document = None
    if document is None:
        raise DocumentError("encrypted" if interaction.wants_password else "corrupt")
    return document


def format_table(document):
    """Prints a CSV table with grid lines and without headers, which would contain the allocated file
    name. Scales it to the width of one page if that reduces it to half its size at most."""
    sheet = document.Sheets.getByIndex(0)
    style = document.StyleFamilies.getByName("PageStyles").getByName(sheet.PageStyle)
    style.HeaderIsOn = False
    style.FooterIsOn = False
    style.PrintGrid = True
    cursor = sheet.createCursor()
    cursor.gotoEndOfUsedArea(False)
    used = sheet.getCellRangeByPosition(0, 0, cursor.RangeAddress.EndColumn, 0)
    available = style.Width - style.LeftMargin - style.RightMargin
    if available < used.Size.Width <= 2 * available:
        style.ScaleToPagesX = 1
        style.ScaleToPagesY = 0


def export(document, request):
    # Comments are omitted, as in print. Their positions would also be wrong.
    filter_data = {"ExportBookmarks": True, "UseTaggedPDF": True, "ExportNotes": False}
    if request["pages"]:
        filter_data["PageRange"] = request["pages"]
    try:
        document.storeToURL(
            file_url(request["output"]),
            properties(
                FilterName=request["export"],
                FilterData=uno.Any("[]com.sun.star.beans.PropertyValue", properties(**filter_data)),
            ),
        )
    except IOException as error:
        if starts_after_end(document, request["pages"]):
            raise DocumentError("empty") from error
        raise


def starts_after_end(document, pages):
    """Whether all requested pages are after the last page of the document."""
    if not pages:
        return False
    count = document.getRendererCount(document, properties(IsPrinter=True))
    return int(pages.split(",")[0].split("-")[0]) > count


def convert(desktop, request):
    document = load(desktop, request)
    try:
        if request["table"]:
            format_table(document)
        export(document, request)
    finally:
        try:
            document.close(True)
        except CloseVetoException:
            document.dispose()


def send(value):
    print(json.dumps(value), flush=True)


def main():
    office, context = start_office(sys.argv[1], sys.argv[2])
    desktop = create(context, "frame.Desktop")
    main_thread = create(context, "awt.AsyncCallback")
    send({"ready": True})
    for line in sys.stdin:
        request = json.loads(line)
        try:
            MainThreadCall(lambda: convert(desktop, request)).run(office, main_thread)
            send({"result": {}})
        except DocumentError as error:
            send({"error": {"code": str(error), "message": ""}})


if __name__ == "__main__":
    main()
