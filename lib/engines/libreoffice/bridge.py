"""Keeps one LibreOffice warm and makes PDFs with it.

Usage: libreoffice-bridge.py SOFFICE PROFILE, the latter a folder that is not there yet

The first process of its sandbox: it starts soffice beside itself on a profile of its own, connects
to it over a local pipe and then answers requests. One JSON object a line comes on stdin:

    {"input": name, "output": name, "filter": import filter, "options": import filter options,
     "export": export filter, "pages": "1-3,5" or "", "table": whether it is a table of text}

with names relative to the working directory. One JSON object a line goes to stdout: {"ready": true}
at the start, then for each request {"result": {}} or {"error": {"code", "message"}}, code being
"corrupt" (cannot be read), "encrypted" or "empty" (no page is left). Anything else that goes wrong
ends this process, and the sandbox with it.
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

# What soffice ends with once it has filled a new profile (EXITHELPER_NORMAL_RESTART).
START_AGAIN = 81

# com.sun.star.document.MacroExecMode.NEVER_EXECUTE and UpdateDocMode.NO_UPDATE
NEVER_EXECUTE = 0
NO_UPDATE = 0

# Macros off, links never updated, nothing from elsewhere, no recovery, no greeting.
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
    """Settings that soffice finds in a new profile; schema org.openoffice.Office.*."""
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
            if office.poll() == START_AGAIN:
                office = spawn_office(soffice, profile, pipe)
            elif office.poll() is not None or time.monotonic() > deadline:
                raise
            time.sleep(0.02)


def create(context, service):
    return context.ServiceManager.createInstanceWithContext(f"com.sun.star.{service}", context)


class Call(unohelper.Base, XCallback):
    """Runs a function within the office's main thread: what that asks of the office is done there
    without a turn of the event loop in between. Such a turn would show comments in windows of their
    own, whose descriptions an office without a GUI does not have, and that would be its end."""

    def __init__(self, function):
        self.function = function
        self.done = threading.Event()
        self.error = None

    def notify(self, _data):
        try:
            self.function()
        except BaseException as error:  # for the thread that waits
            self.error = error
        finally:
            self.done.set()

    def run(self, office, main_thread):
        main_thread.addCallback(self, None)
        while not self.done.wait(1):
            if office.poll() is not None:
                raise RuntimeError("the office has ended")
        if self.error:
            raise self.error


class Refusal(Exception):
    """A plain answer about the document: the code that its one argument is."""


class Interaction(unohelper.Base, XInteractionHandler2):
    """Leaves every question of the office without an answer, and notes whether one was for a password."""

    def __init__(self):
        self.wants_password = False

    def handle(self, request):
        self.handleInteractionRequest(request)

    def handleInteractionRequest(self, request):
        # By the answers it offers: PyUNO cannot hand over the request itself, which is an exception.
        if any(hasattr(answer, "setPassword") for answer in request.getContinuations()):
            self.wants_password = True
        return False


def properties(**values):
    return tuple(PropertyValue(Name=name, Value=value) for name, value in values.items())


def file_url(name):
    return uno.systemPathToFileUrl(os.path.abspath(name))


def load(desktop, request):
    interaction = Interaction()
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
        raise Refusal("encrypted" if interaction.wants_password else "corrupt")
    return document


def lay_out_table(document):
    """For a table of text: lines between cells, no headers (they would show our own file name), and
    one page wide where that leaves it at half its size or more."""
    sheet = document.Sheets.getByIndex(0)
    style = document.StyleFamilies.getByName("PageStyles").getByName(sheet.PageStyle)
    style.HeaderIsOn = False
    style.FooterIsOn = False
    style.PrintGrid = True
    cursor = sheet.createCursor()
    cursor.gotoEndOfUsedArea(False)
    used = sheet.getCellRangeByPosition(0, 0, cursor.RangeAddress.EndColumn, 0)
    room = style.Width - style.LeftMargin - style.RightMargin
    if room < used.Size.Width <= 2 * room:
        style.ScaleToPagesX = 1
        style.ScaleToPagesY = 0


def export(document, request):
    # Comments stay out, as they do on paper; their places would be wrong, too.
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
        if is_beyond(document, request["pages"]):
            raise Refusal("empty") from error
        raise


def is_beyond(document, pages):
    """Whether every page asked for comes after the document's last."""
    if not pages:
        return False
    count = document.getRendererCount(document, properties(IsPrinter=True))
    return int(pages.split(",")[0].split("-")[0]) > count


def convert(desktop, request):
    document = load(desktop, request)
    try:
        if request["table"]:
            lay_out_table(document)
        export(document, request)
    finally:
        try:
            document.close(True)
        except CloseVetoException:
            document.dispose()


def answer(value):
    print(json.dumps(value), flush=True)


def main():
    office, context = start_office(sys.argv[1], sys.argv[2])
    desktop = create(context, "frame.Desktop")
    main_thread = create(context, "awt.AsyncCallback")
    answer({"ready": True})
    for line in sys.stdin:
        request = json.loads(line)
        try:
            Call(lambda: convert(desktop, request)).run(office, main_thread)
            answer({"result": {}})
        except Refusal as refusal:
            answer({"error": {"code": str(refusal), "message": ""}})


if __name__ == "__main__":
    main()
