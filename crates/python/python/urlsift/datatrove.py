"""Steps for datatrove pipelines."""

from datatrove.pipeline.base import PipelineStep
from datatrove.pipeline.formatters.base import BaseFormatter

from . import Scanner


class UrlExtractor(PipelineStep):
    """Adds the URLs of each document's text to its metadata, as dicts with url, start, end and form. Positions count characters.

    The options are those of urlsift.Scanner.
    """

    name = "🔗 urlsift"
    type = "🔎 - URLS"

    def __init__(self, key="urls", **options):
        super().__init__()
        self.key, self.options = key, options

    def run(self, data, rank=0, world_size=1):
        scanner = Scanner(**self.options)
        for document in data:
            with self.track_time():
                document.metadata[self.key] = [
                    {"url": found.url, "start": found.start, "end": found.end, "form": found.form}
                    for found in scanner.find(document.text)
                ]
                self.stat_update("urls", value=len(document.metadata[self.key]))
                self.update_doc_stats(document)
            yield document


class UrlMasker(BaseFormatter):
    """Replaces each URL of a text with a mask. The options are those of urlsift.Scanner."""

    name = "🔗 urlsift masks"

    def __init__(self, mask="<URL>", **options):
        super().__init__()
        self.mask, self.options, self.scanner = mask, options, None

    def format(self, text):
        self.scanner = self.scanner or Scanner(**self.options)
        pieces, at = [], 0
        for found in self.scanner.find(text):
            pieces += text[at : found.start], self.mask
            at = found.end
        return "".join(pieces) + text[at:]
