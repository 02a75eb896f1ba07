"""OCRmyPDF plugin: prints the progress in percent to standard output, skips pages that tesseract rejects, and keeps crops."""

import sys
import tempfile

import pikepdf
from ocrmypdf import hookimpl
from ocrmypdf._exec import tesseract
from ocrmypdf.builtin_plugins.tesseract_ocr import TesseractOcrEngine
from ocrmypdf.pdfinfo import PdfInfo
from ocrmypdf.pluginspec import OrientationConfidence
from PIL import Image

# Sides in pixels. Smaller pictures have no text, and tesseract fails for smaller and larger ones.
MIN_SIDE, MAX_SIDE = 10, 32_767


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


def is_rejected(path):
    with Image.open(path) as image:
        return min(image.size) < MIN_SIDE or max(image.size) > MAX_SIDE


def find_crop(page):
    """The part of the media box that is shown; None if it is all of it."""
    try:
        media, crop = ([float(side) for side in box] for box in (page.mediabox, page.cropbox))
        left, bottom = max(media[0], crop[0]), max(media[1], crop[1])
        right, top = min(media[2], crop[2]), min(media[3], crop[3])
    except (AttributeError, IndexError, TypeError, ValueError):
        # A box of a damaged page is no list of four numbers.
        return None
    shown = [left, bottom, right, top]
    return shown if left < right and bottom < top and shown != media else None


def crop_pages(options):
    """Makes each page that is drawn again as large as its crop: the new picture has the size of the media box."""
    with pikepdf.open(options.input_file) as document:
        crops = {number: find_crop(page) for number, page in enumerate(document.pages)}
        crops = {number: crop for number, crop in crops.items() if crop}
        if crops and not options.force_ocr:
            info = PdfInfo(options.input_file, max_workers=1)
            crops = {number: crop for number, crop in crops.items() if not info[number].has_text}
        if not crops:
            return
        for number, crop in crops.items():
            page = document.pages[number]
            page.mediabox = page.cropbox = pikepdf.Array(crop)
        with tempfile.NamedTemporaryFile(suffix=".pdf", delete=False) as copy:
            document.save(copy)
        options.input_file = copy.name


class Engine(TesseractOcrEngine):
    @staticmethod
    def get_orientation(input_file, options):
        if is_rejected(input_file):
            return OrientationConfidence(angle=0, confidence=0.0)
        return TesseractOcrEngine.get_orientation(input_file, options)

    @staticmethod
    def get_deskew(input_file, options):
        return 0.0 if is_rejected(input_file) else TesseractOcrEngine.get_deskew(input_file, options)

    @staticmethod
    def generate_hocr(input_file, output_hocr, output_text, options):
        if is_rejected(input_file):
            tesseract._generate_null_hocr(output_hocr, output_text, input_file)
        else:
            TesseractOcrEngine.generate_hocr(input_file, output_hocr, output_text, options)

    @staticmethod
    def generate_pdf(input_file, output_pdf, output_text, options):
        if is_rejected(input_file):
            tesseract.use_skip_page(output_pdf, output_text)
        else:
            TesseractOcrEngine.generate_pdf(input_file, output_pdf, output_text, options)


@hookimpl
def get_ocr_engine():
    return Engine()


@hookimpl
def get_progressbar_class():
    return Progress


@hookimpl
def check_options(options):
    if options.deskew or options.force_ocr:
        crop_pages(options)
