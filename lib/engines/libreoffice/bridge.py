"""Runs one warm LibreOffice and converts documents with it.

Usage: bridge.py SOFFICE PROFILE PIPE, where PROFILE is a new folder, and PIPE the name of a local pipe

This is the first process of its sandbox. It starts soffice with a separate profile, connects to it
over a local pipe and then serves requests. Each line on stdin is a request, a JSON object:

    {"input": name, "output": name, "filter": import filter, "options": import filter options,
     "export": export filter, "pages": "1-3,5" or "", "table": whether it is a CSV table}

Optional are "password" of the document, for a PDF "fit" ("auto", "always" or "never", see fit_sheets), "changes"
("show" or "accept"), "comments" (whether they become notes), "filterData" (further options of the export by their
names in LibreOffice), "landscape" and "updateIndexes", and otherwise "exportOptions" of the filter and "eachSheet" (whether each sheet becomes a file, see export_sheets).

Names are relative to the working directory. Each line on stdout is a JSON object: {"ready": true} at
the start, then for each request {"result": {}}, with "sheets" if each became a file, or
{"error": {"code", "message"}}. The code is "corrupt" (the document cannot be read), "encrypted" or
"empty" (the page ranges match no page). Any other error ends this process and thereby the sandbox.
"""

import contextlib
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import threading
import time
import zipfile

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

# Fonts in place of those that are not installed, in addition to LibreOffice's own table: fontconfig would choose a
# handwriting for Comic Sans, and fonts of other widths for the rest.
FONTS = [
    ("Helvetica", "Liberation Sans"),
    ("Times", "Liberation Serif"),
    ("Verdana", "DejaVu Sans"),
    ("Aptos", "Carlito"),
    ("Comic Sans MS", "Noto Sans"),
]


def installed_fonts():
    """The families that fontconfig lists; empty without its program."""
    try:
        listed = subprocess.run(["fc-list", ":", "family"], capture_output=True, timeout=10).stdout
    except (OSError, subprocess.TimeoutExpired):
        return set()
    return {name for line in listed.decode().splitlines() for name in line.split(",")}


def font_items():
    """The replacement table as settings (schema Office.Common, Font/Substitution)."""
    installed = installed_fonts()
    path = "/org.openoffice.Office.Common/Font/Substitution"
    pairs = "".join(
        f'<node oor:name="_{number}" oor:op="replace">'
        f'<prop oor:name="ReplaceFont"><value>{missing}</value></prop>'
        f'<prop oor:name="SubstituteFont"><value>{used}</value></prop>'
        '<prop oor:name="Always"><value>true</value></prop>'
        '<prop oor:name="OnScreenOnly"><value>false</value></prop></node>'
        for number, (missing, used) in enumerate(FONTS)
        if missing not in installed
    )
    return (
        f'<item oor:path="{path}"><prop oor:name="Replacement" oor:op="fuse">'
        f'<value>true</value></prop></item><item oor:path="{path}/FontPairs">{pairs}</item>'
    )


# The glyphs of this font are bitmaps, which LibreOffice's PDF export leaves blank.
HIDDEN_FONT = "Noto Color Emoji"


def write_font_settings(path):
    """Writes fontconfig's settings for soffice: those of the system, without `HIDDEN_FONT`."""
    with open(path, "w") as file:
        file.write(
            '<?xml version="1.0"?><!DOCTYPE fontconfig SYSTEM "fonts.dtd"><fontconfig>'
            '<include ignore_missing="yes">/etc/fonts/fonts.conf</include><selectfont><rejectfont>'
            f'<pattern><patelt name="family"><string>{HIDDEN_FONT}</string></patelt></pattern>'
            "</rejectfont></selectfont></fontconfig>"
        )


def write_profile(folder):
    """Creates the profile with the settings (schema org.openoffice.Office.*)."""
    items = "".join(
        f'<item oor:path="/org.openoffice.Office.{path}">'
        f'<prop oor:name="{name}" oor:op="fuse"><value>{value}</value></prop></item>'
        for path, name, value in SETTINGS
    )
    os.makedirs(os.path.join(folder, "user"))
    write_font_settings(os.path.join(folder, "fonts.conf"))
    with open(os.path.join(folder, "user", "registrymodifications.xcu"), "w") as file:
        file.write(
            '<?xml version="1.0" encoding="UTF-8"?>'
            '<oor:items xmlns:oor="http://openoffice.org/2001/registry"'
            ' xmlns:xs="http://www.w3.org/2001/XMLSchema"'
            ' xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance">'
            f"{items}{font_items()}</oor:items>"
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
        env={**os.environ, "FONTCONFIG_FILE": os.path.join(profile, "fonts.conf")},
    )


def start_office(soffice, profile, pipe):
    """Starts soffice and returns its process and its component context."""
    write_profile(profile)
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
                # The first one leaves a socket that is named after the profile. Where bridge and soffice
                # may not remove it, only another profile can start.
                os.rename(profile, f"{profile}-filled")
                profile = f"{profile}-filled"
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
        self.result = None
        self.error = None

    def notify(self, _data):
        try:
            self.result = self.function()
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
        return self.result


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


@contextlib.contextmanager
def readable_input(request):
    """The path of the input: a copy if the request changes the document, because LibreOffice does not
    open a file of a read-only folder for changes, or if its sheets are scrolled and shall not be."""
    name = request["input"]
    is_scrolled = request.get("filterData", {}).get("SinglePageSheets") and has_scrolled_sheets(name)
    if not changes_document(request) and not is_scrolled:
        yield name
        return
    with tempfile.TemporaryDirectory() as folder:
        copy = os.path.join(folder, os.path.basename(name))
        (copy_unscrolled if is_scrolled else shutil.copy)(name, copy)
        yield copy


# Where a workbook stores the first cell that the window showed: in Office Open XML, and in OpenDocument. If
# each sheet becomes one page, LibreOffice leaves out what is above and left of it, and it reads the position
# only when it opens the file.
SCROLL_POSITIONS = [
    (re.compile(r"xl/worksheets/[^/]+\.xml"), re.compile(rb' topLeftCell="[^"]*"'), b""),
    (
        re.compile(r"settings\.xml"),
        re.compile(rb'(config:name="Position(?:Left|Right|Top|Bottom)"[^<>]*>)[1-9]\d*'),
        rb"\g<1>0",
    ),
]


def unscroll(name, content):
    for entry, position, start in SCROLL_POSITIONS:
        if entry.fullmatch(name):
            return position.sub(start, content)
    return content


def has_scrolled_sheets(path):
    if not zipfile.is_zipfile(path):
        return False
    with zipfile.ZipFile(path) as book:
        return any(
            position.search(book.read(name))
            for name in book.namelist()
            for entry, position, _ in SCROLL_POSITIONS
            if entry.fullmatch(name)
        )


def copy_unscrolled(path, copy):
    with zipfile.ZipFile(path) as book, zipfile.ZipFile(copy, "w") as written:
        for info in book.infolist():
            content = unscroll(info.filename, book.read(info))
            written.writestr(info, content, compresslevel=1)


def changes_document(request):
    return request.get("changes") == "accept"


def load(desktop, request, path):
    interaction = InteractionHandler()
    password = {"Password": request["password"]} if request.get("password") else {}
    try:
        document = desktop.loadComponentFromURL(
            file_url(path),
            "_blank",
            0,
            properties(
                Hidden=True,
                # Without menus, toolbars and a sidebar, as in LibreOffice's own `--convert-to`: they
                # would take a quarter of the time of a short document.
                HiddenForConversion=True,
                # Changes can be accepted only in a document that is not read-only.
                ReadOnly=not changes_document(request),
                FilterName=request["filter"],
                FilterOptions=request["options"],
                MacroExecutionMode=NEVER_EXECUTE,
                UpdateDocMode=NO_UPDATE,
                InteractionHandler=interaction,
                **password,
            ),
        )
    except (IOException, IllegalArgumentException):
        document = None
    if document is None:
        raise DocumentError("encrypted" if interaction.wants_password else "corrupt")
    return document


def format_table(document):
    """Prints a CSV table with grid lines and without headers, which would contain the allocated file
    name."""
    sheet = document.Sheets.getByIndex(0)
    style = document.StyleFamilies.getByName("PageStyles").getByName(sheet.PageStyle)
    style.HeaderIsOn = False
    style.FooterIsOn = False
    style.PrintGrid = True


def used_width(sheet):
    cursor = sheet.createCursor()
    cursor.gotoEndOfUsedArea(False)
    return sheet.getCellRangeByPosition(0, 0, cursor.RangeAddress.EndColumn, 0).Size.Width


def has_print_settings(sheet, style):
    """Whether the author has set how the sheet is divided into pages."""
    is_scaled = style.PageScale != 100 or style.ScaleToPages or style.ScaleToPagesX
    return (
        is_scaled
        or sheet.getPrintAreas()
        or any(brk.ManualBreak for brk in sheet.getColumnPageBreaks())
    )


def fit_sheets(document, mode):
    """Scales sheets that are wider than their page to its width. `auto` leaves out those with print
    settings, and those that would be less than half their size. Sheets may share a page style."""
    if mode == "never" or not document.supportsService("com.sun.star.sheet.SpreadsheetDocument"):
        return
    styles = document.StyleFamilies.getByName("PageStyles")
    by_style = {}
    for sheet in document.Sheets:
        if sheet.IsVisible:
            by_style.setdefault(sheet.PageStyle, []).append(sheet)
    for name, sheets in by_style.items():
        style = styles.getByName(name)
        available = style.Width - style.LeftMargin - style.RightMargin
        width = max(used_width(sheet) for sheet in sheets)
        if width <= available:
            continue
        if mode == "auto" and (
            width > 2 * available or any(has_print_settings(sheet, style) for sheet in sheets)
        ):
            continue
        style.ScaleToPagesX = 1
        style.ScaleToPagesY = 0


def prepare_view(context, document, request):
    """Changes how the document is printed, as the request asks."""
    if request["table"]:
        format_table(document)
    fit_sheets(document, request.get("fit", "never"))
    if request.get("landscape"):
        turn_pages(document)
    if request.get("updateIndexes") and hasattr(document, "getDocumentIndexes"):
        indexes = document.getDocumentIndexes()
        for number in range(indexes.getCount()):
            indexes.getByIndex(number).update()
    if changes_document(request) and hasattr(document, "ShowChanges"):
        dispatcher = create(context, "frame.DispatchHelper")
        frame = document.CurrentController.Frame
        dispatcher.executeDispatch(frame, ".uno:AcceptAllTrackedChanges", "", 0, ())


def turn_pages(document):
    """Makes all pages wider than high."""
    families = getattr(document, "StyleFamilies", None)
    pages = []
    if families is not None and families.hasByName("PageStyles"):
        styles = families.getByName("PageStyles")
        pages = [styles.getByIndex(number) for number in range(styles.getCount())]
    for page in pages:
        if page.Width < page.Height:
            width, height = page.Width, page.Height
            page.IsLandscape = True
            page.Width, page.Height = height, width


def pdf_filter_data(request):
    # Comments are omitted by default, as in print.
    filter_data = {
        "ExportBookmarks": True,
        "UseTaggedPDF": True,
        "ExportNotes": request.get("comments", False),
    }
    if request["pages"]:
        filter_data["PageRange"] = request["pages"]
    filter_data.update(request.get("filterData", {}))
    return uno.Any("[]com.sun.star.beans.PropertyValue", properties(**filter_data))


def store(document, name, export_filter, **values):
    document.storeToURL(file_url(name), properties(FilterName=export_filter, **values))


def export(document, request):
    if not request["export"].endswith("_pdf_Export"):
        options = request.get("exportOptions", "")
        if request.get("eachSheet"):
            return export_sheets(document, request["output"], request["export"], options)
        store(document, request["output"], request["export"], FilterOptions=options)
        return {}
    try:
        filter_data = pdf_filter_data(request)
        store(document, request["output"], request["export"], FilterData=filter_data)
    except IOException as error:
        if matches_no_page(document, request["pages"]):
            raise DocumentError("empty") from error
        raise
    return {}


def export_sheets(document, output, export_filter, options):
    """Writes each visible sheet to a file of its own. `options` contains `{sheet}` for its number.
    Returns the names of the sheets, in the order of the files."""
    stem, extension = os.path.splitext(output)
    names = []
    for number, sheet in enumerate(document.Sheets, 1):
        if not sheet.IsVisible:
            continue
        name = f"{stem}-{len(names)}{extension}" if names else output
        folder = os.path.dirname(output)
        before = set(os.listdir(folder))
        store(document, name, export_filter, FilterOptions=options.replace("{sheet}", str(number)))
        # LibreOffice adds the name of the sheet to that of the file.
        for written in set(os.listdir(folder)) - before:
            os.rename(os.path.join(folder, written), name)
        names.append(sheet.Name)
    return {"sheets": names}


def matches_no_page(document, pages):
    """Whether all requested pages are after the last page of the document, or hidden slides."""
    if not pages:
        return False
    count = document.getRendererCount(document, properties(IsPrinter=True))
    if int(pages.split(",")[0].split("-")[0]) > count:
        return True
    if not document.supportsService("com.sun.star.presentation.PresentationDocument"):
        return False
    slides = [document.DrawPages.getByIndex(index) for index in range(document.DrawPages.Count)]
    ends = [part.split("-") for part in pages.split(",")]
    requested = [slide for end in ends for slide in slides[int(end[0]) - 1 : int(end[-1])]]
    return not any(slide.Visible for slide in requested)


def convert(context, desktop, request):
    with readable_input(request) as path:
        return convert_file(context, desktop, request, path)


def convert_file(context, desktop, request, path):
    document = load(desktop, request, path)
    try:
        prepare_view(context, document, request)
        return export(document, request)
    finally:
        try:
            document.close(True)
        except CloseVetoException:
            document.dispose()


def send(value):
    print(json.dumps(value), flush=True)


def main():
    office, context = start_office(*sys.argv[1:])
    desktop = create(context, "frame.Desktop")
    main_thread = create(context, "awt.AsyncCallback")
    send({"ready": True})
    for line in sys.stdin:
        request = json.loads(line)
        try:
            result = MainThreadCall(lambda: convert(context, desktop, request)).run(office, main_thread)
            send({"result": result})
        except DocumentError as error:
            send({"error": {"code": str(error), "message": ""}})


if __name__ == "__main__":
    main()
