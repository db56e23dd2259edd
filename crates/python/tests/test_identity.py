"""The wheel and the Rust library return the same records as the command."""

import pytest
from identity import AXES, compare, pack, pairwise


def test_pairs_are_all_there():
    rows = pairwise(AXES)
    pairs = {(a, row[a], b, row[b]) for row in rows for a in AXES for b in AXES if a < b}
    names = sorted(AXES)
    every = {(a, x, b, y) for a in names for b in names if a < b for x in AXES[a] for y in AXES[b]}
    assert pairs == every and len(rows) <= 50


@pytest.mark.parametrize("options", pairwise(AXES), ids=lambda row: "-".join(row.values()))
def test_the_corpora(command, records, corpus, options):
    files, count = compare(command, records, corpus, options)
    assert files > 50 and (count > 100 or options["malformed"] == "only")


def test_files_that_are_packed(command, records, corpus, tmp_path):
    assert pack(corpus, tmp_path), "zst is left out: there is neither compression.zstd nor pyarrow"
    files, count = compare(command, records, tmp_path, {"malformed": "include"})
    assert files > 100 and count > 1000
