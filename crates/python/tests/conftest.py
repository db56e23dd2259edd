import os
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[3]


@pytest.fixture(scope="session")
def corpus():
    """The body of test data that all crates read."""
    return ROOT / "corpus"


@pytest.fixture(scope="session")
def command():
    """The command, which the environment names."""
    path = os.environ.get("URLSIFT") or ROOT / "target/debug/urlsift"
    if not os.path.exists(path):
        pytest.skip("the command is not built: set URLSIFT")
    return str(path)
