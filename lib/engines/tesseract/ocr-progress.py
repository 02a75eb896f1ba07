"""OCRmyPDF plugin: prints the progress of text recognition, in percent, to standard output."""

import sys

from ocrmypdf import hookimpl


class Progress:
    def __init__(self, *, total=None, desc=None, unit_scale=1.0, **_):
        self.reports = desc == "OCR"
        self.total = (total or 0) * (unit_scale or 1.0)
        self.done = 0.0

    def __enter__(self):
        return self

    def __exit__(self, *_):
        return False

    def update(self, step=1, *, completed=None):
        self.done = completed if completed is not None else self.done + (step or 0)
        if self.reports and self.total:
            print(f"progress {min(100.0, 100.0 * self.done / self.total):.1f}")
            sys.stdout.flush()


@hookimpl
def get_progressbar_class():
    return Progress
