import os
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[3]


@pytest.fixture(scope="session")
def corpus():
    """The body of test data that all crates read."""
    return ROOT / "corpus"


def built(variable, path):
    path = os.environ.get(variable) or ROOT / "target/debug" / path
    if not os.path.exists(path):
        pytest.skip(f"{os.path.basename(path)} is not built: set {variable}")
    return str(path)


@pytest.fixture(scope="session")
def command():
    """The command, which the environment names."""
    return built("URLSIFT", "urlsift")


@pytest.fixture(scope="session")
def records():
    """The example of the crate records that writes records as Rust has them."""
    return built("URLSIFT_RECORDS", "examples/records")
