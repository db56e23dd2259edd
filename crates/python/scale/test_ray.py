"""The example for Ray in docs/src/guides/spark.md, exactly as printed."""

import collections
import pathlib
import re

import pytest

import urlsift

pytest.importorskip("pyarrow")
ray = pytest.importorskip("ray")


def test_the_example_counts_hosts(tmp_path, monkeypatch):
    page = pathlib.Path(__file__).parents[3] / "docs" / "src" / "guides" / "spark.md"
    (example,) = (code for code in re.findall(r"```python\n(.*?)```", page.read_text(), re.S) if "@ray.remote" in code)
    assert len(example.splitlines()) <= 12
    lines = "".join(f"http://host{n % 7}.dom/{n}\n" for n in range(50_000))
    (tmp_path / "a.txt").write_text(lines)
    monkeypatch.chdir(tmp_path)
    ray.init(num_cpus=2, include_dashboard=False, ignore_reinit_error=True)
    try:
        names = {}
        exec(compile(example, str(page), "exec"), names)
        assert len(urlsift.units("a.txt", size=100_000)) > 2
        expected = collections.Counter(f"host{n % 7}.dom" for n in range(50_000))
        assert names["total"] == expected
    finally:
        ray.shutdown()
