"""Runs qpdf's jobs in one process, by pikepdf's binding of libqpdf.

Each line on stdin is a request, a JSON object with "fileBytes", the size of the largest file that may be
written, and one of

    "args": arguments of qpdf
    "job": an object as in qpdf's job files
    "pages": a file whose pages are counted
    "form": a file of which only the catalog and the root of its page tree are read
    "units": a file whose pages are searched for those that are measured in other units than points

Names of files are relative to the working directory. Each line on stdout is a JSON object:
{"ready": true} at the start, then for each request one of

    {"result": {"large": whether this process has held much memory, "warned": whether qpdf has warned,
                "encrypted": whether an input is encrypted, "pages": their number or 0,
                "gaps": for "pages", whether the page tree has some,
                "dynamic": for "pages" and "form", whether only an XFA form has the content of the pages,
                "units": [first page, last page, points of a unit] of successive pages, for "units"}}
    {"result": {"large": as above, "refusal": the message with which qpdf refuses the file}}
    {"error": {"code": "internal", "message": "", "detail": what is wrong with the request}}

Without memory, this process ends.
"""

import importlib
import importlib.util
import itertools
import json
import os
import resource
import signal
import sys
import tempfile
import types

# Characters of a message, which may contain as much of the file as qpdf has read.
MAX_MESSAGE = 4000

# Bytes of qpdf's messages that are searched at a time.
CHUNK_SIZE = 2**20

# The points of a unit: pages are at most this many times as large as without it.
MAX_UNIT = 1000

# Successive pages with one unit that are reported.
MAX_SPANS = 1000

# What qpdf says of a gap in a page tree, and of some other objects that do not exist.
GAP_MESSAGE = "object of type null"

# The changes that repair a file.
REPAIR_NAME = "out/repair.json"

# A structure that needs more is rare, and its memory is not returned completely.
LARGE_KILOBYTES = 256 * 1024


def load_binding():
    """The part of pikepdf that is compiled. The rest loads Pillow and lxml, which takes 0.2 s and 18 MB."""
    spec = importlib.util.find_spec("pikepdf")
    if spec is None:
        sys.exit("pikepdf is not installed")
    package = types.ModuleType("pikepdf")
    package.__path__ = list(spec.submodule_search_locations)
    sys.modules["pikepdf"] = package
    # The name since pikepdf 8, and before.
    for name in ("pikepdf._core", "pikepdf._qpdf"):
        try:
            return importlib.import_module(name)
        except ModuleNotFoundError:
            continue
    return sys.exit("pikepdf has no binding of qpdf's jobs")


def open_memory_file():
    """The descriptor of a file that has no name."""
    if sys.platform == "linux":
        return os.memfd_create("messages")
    descriptor, path = tempfile.mkstemp()
    os.unlink(path)
    return descriptor


class Messages:
    """What qpdf prints: stdout and stderr are a file in memory from now on. qpdf keeps all messages in its own
    memory as well, so that the limit of the memory of this process limits them, too."""

    def __init__(self):
        self.stdout, self._stderr = os.dup(1), os.dup(2)
        self._file = open_memory_file()
        os.dup2(self._file, 1)
        os.dup2(self._file, 2)

    def clear(self):
        os.ftruncate(self._file, 0)
        os.lseek(self._file, 0, os.SEEK_SET)

    def contain(self, text):
        offset, end = 0, b""
        while chunk := os.pread(self._file, CHUNK_SIZE, offset):
            if text in end + chunk:
                return True
            offset += len(chunk)
            end = chunk[-len(text) :]
        return False

    def end(self):
        """Ends this process because qpdf has no memory."""
        os.dup2(self._stderr, 2)
        sys.exit("out of memory")


def limit_files(size):
    hard = resource.getrlimit(resource.RLIMIT_FSIZE)[1]
    soft = size if hard == resource.RLIM_INFINITY else min(size, hard)
    resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))


class TreeNode:
    """A node of the page tree that has kids."""

    def __init__(self, node, parent, owner):
        self.node, self.parent = node, parent
        # The indirect object that has the node: itself, or one around it.
        self.owner = owner
        self.pages, self.changed = 0, False


def repair_tree(pdf):
    """Removes the gaps of the page tree, nulls and objects that do not exist, and counts its pages again. qpdf accepts
    no null there. Returns the indirect objects that it has changed."""
    nodes, seen = [], set()
    waiting = [(pdf.Root.get("/Pages"), None, pdf.Root)]
    while waiting:
        node, parent, owner = waiting.pop()
        try:
            kids = node.get("/Kids")
            if kids is None:
                if parent:
                    parent.pages += 1
                continue
            # A loop, or kids of several nodes, would otherwise be read very often.
            shared = {one.objgen for one in (node, kids) if one.is_indirect}
            if shared & seen:
                continue
            seen |= shared
            found = list(kids)
        except (AttributeError, TypeError, ValueError):
            # It is no dictionary, or its kids are no array.
            continue
        tree_node = TreeNode(node, parent, node if node.is_indirect else owner)
        nodes.append(tree_node)
        present = [kid for kid in found if kid is not None]
        if len(present) < len(found):
            node["/Kids"] = present
            tree_node.changed = True
        waiting += [(kid, tree_node, tree_node.owner) for kid in present]
    changed = {}
    # Each node follows its parent.
    for one in reversed(nodes):
        if one.changed:
            one.node["/Count"] = one.pages
            changed[one.owner.objgen] = one.owner
        if one.parent:
            one.parent.pages += one.pages
            one.parent.changed |= one.changed
    return list(changed.values())


def read_pages(binding, name, read):
    """Reads from a file as `read` does, if needed without the gaps of its page tree."""

    def open_file(stream):
        # Printed warnings say that memory was missing, also for a file that is not opened. Those of pages may be many.
        silent = read is not read_form
        return binding.Pdf._open(stream, inherit_page_attributes=False, suppress_warnings=silent)

    with open(name, "rb") as stream:
        pdf = open_file(stream)
        try:
            result = read(pdf)
            # The call removes them.
            warnings = pdf.get_warnings()
            if not any(GAP_MESSAGE in str(warning) for warning in warnings):
                return {"warned": bool(warnings), "encrypted": pdf.is_encrypted, **result}
        except binding.PdfError as error:
            if GAP_MESSAGE not in str(error):
                raise
    with open(name, "rb") as stream:
        pdf = open_file(stream)
        gaps = bool(repair_tree(pdf))
        return {"warned": True, "gaps": gaps, "encrypted": pdf.is_encrypted, **read(pdf)}


def read_form(pdf):
    try:
        pdf.Root.get("/Pages")
        dynamic = pdf.Root.get("/NeedsRendering") is True
    except (AttributeError, KeyError, TypeError, ValueError):
        # The catalog is no dictionary.
        dynamic = False
    return {"pages": 0, "dynamic": dynamic}


def count_pages(pdf):
    pages = len(pdf.pages)
    return {**read_form(pdf), "pages": pages}


def read_kids(node):
    """The array of a node's kids, and the kids in it; None if it has none, and is a page."""
    try:
        kids = node.get("/Kids")
        return None if kids is None else (kids, list(kids))
    except (AttributeError, TypeError, ValueError):
        # It is no dictionary, or its kids are no array.
        return None


def list_pages(pdf):
    """The page objects in order. pikepdf lists all pages again for each one that is asked for, which takes a quarter of an
    hour for 100,000."""
    waiting, seen = [pdf.Root.get("/Pages")], set()

    def is_known(one):
        if not one.is_indirect:
            return False
        known = one.objgen in seen
        seen.add(one.objgen)
        return known

    while waiting:
        node = waiting.pop()
        read = read_kids(node)
        if read is None:
            yield node
            continue
        kids, found = read
        # A loop would not end.
        if is_known(node):
            continue
        # Nodes may share an array of pages, which are listed for each. Nodes in such an array may be a loop as well.
        if is_known(kids):
            found = [kid for kid in found if read_kids(kid) is None]
        waiting += reversed(found)


def read_unit(page):
    """The points of a unit of the page (ISO 32000-1, table 30), 1 if it has no valid one."""
    try:
        unit = float(page.get("/UserUnit", 1))
    except (AttributeError, TypeError, ValueError):
        # Also if the tree of pages refers to an object that does not exist, or is no dictionary.
        return 1.0
    return unit if 0 < unit <= MAX_UNIT else 1.0


def read_units(pdf):
    spans, pages = [], len(pdf.pages)
    for number, page in enumerate(itertools.islice(list_pages(pdf), pages), 1):
        unit = read_unit(page)
        if unit == 1 or len(spans) == MAX_SPANS:
            continue
        if spans and spans[-1][1:] == [number - 1, unit]:
            spans[-1][1] = number
        else:
            spans.append([number, number, unit])
    return {"pages": pages, "units": spans}


def run_job(binding, request):
    if "job" in request:
        job = binding.Job(json.dumps(request["job"]))
    else:
        job = binding.Job(["qpdf", *request["args"]], progname="qpdf")
    job.run()
    encrypted = job.encryption_status["encrypted"]
    return {"warned": job.has_warnings, "encrypted": encrypted, "pages": 0}


def plan_repair(binding, name, password):
    """The changes of a file, in qpdf's JSON, that remove the gaps of its page tree; None if it has none."""
    with open(name, "rb") as stream:
        pdf = binding.Pdf._open(stream, password=password, inherit_page_attributes=False)
        changed = repair_tree(pdf)
        changes = {"obj:%d %d R" % one.objgen: {"value": json.loads(one.to_json(schema_version=2))} for one in changed}
        header = {"jsonversion": 2, "pdfversion": pdf.pdf_version, "maxobjectid": len(pdf.objects)}
    flags = {"pushedinheritedpageresources": False, "calledgetallpages": False}
    return {"qpdf": [{**header, **flags}, changes]} if changes else None


def run_repairing_job(binding, request, messages):
    """Runs a job, and again without the gaps of the first file's page tree if qpdf does not accept one or warns of it."""
    failure, result = None, None
    try:
        result = run_job(binding, request)
    except (binding.PdfError, RuntimeError) as error:
        failure = error
    if GAP_MESSAGE not in str(failure) and not messages.contain(GAP_MESSAGE.encode()):
        if failure:
            raise failure
        return result
    job = request.get("job")
    name = job["inputFile"] if job else next(arg for arg in request["args"] if os.path.isfile(arg))
    repair = plan_repair(binding, name, job.get("password", "") if job else "")
    if repair is None:
        if failure:
            raise failure
        return result
    with open(REPAIR_NAME, "w") as stream:
        json.dump(repair, stream)
    if job:
        repaired = {"job": {**job, "updateFromJson": REPAIR_NAME}}
    else:
        repaired = {"args": ["--update-from-json=" + REPAIR_NAME, *request["args"]]}
    return {**run_job(binding, repaired), "warned": True}


def run(binding, request, messages):
    """The reply to a request. Raises MemoryError."""
    messages.clear()
    limit_files(request["fileBytes"])
    try:
        if "pages" in request:
            result = read_pages(binding, request["pages"], count_pages)
        elif "form" in request:
            result = read_pages(binding, request["form"], read_form)
        elif "units" in request:
            result = read_pages(binding, request["units"], read_units)
        else:
            result = run_repairing_job(binding, request, messages)
    except MemoryError:
        raise
    except (binding.JobUsageError, OSError, AttributeError, KeyError, TypeError) as error:
        return {"error": {"code": "internal", "message": "", "detail": str(error)[:MAX_MESSAGE]}}
    except Exception as error:
        # C++ has an exception for each thing that may be wrong with a file.
        result = {"refusal": str(error)[:MAX_MESSAGE]}
    # qpdf takes an object that does not fit into memory for a damaged one, and goes on without it.
    if messages.contain(b"std::bad_alloc"):
        raise MemoryError
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return {"result": {**result, "large": peak > LARGE_KILOBYTES}}


def main():
    # Python ignores the signal, and qpdf would go on with a file that is cut off.
    signal.signal(signal.SIGXFSZ, signal.SIG_DFL)
    binding = load_binding()
    messages = Messages()
    replies = os.fdopen(messages.stdout, "w")

    def send(message):
        replies.write(json.dumps(message) + "\n")
        replies.flush()

    send({"ready": True})
    for line in sys.stdin.buffer:
        try:
            send(run(binding, json.loads(line), messages))
        except MemoryError:
            messages.end()


main()
